"""The pictures of a match at the hub, with which the director asks its table for more, or deletes them."""

from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from sentence import NOTHING, Sentence
from web.access import check_origin, with_referrer
from web.errors import RefusedError
from web.hall.for_director import director_here
from web.pages import go
from web.roles import Visitor
from web.services import HallServices

pictures = Blueprint("pictures", __name__)
pictures.after_request(with_referrer)


def _director() -> tuple[Visitor, HallServices]:
    return director_here(_("Only the director of the hall asks for pictures."))


@pictures.get("/matches/<name>/pictures")
def listed(name: str) -> Response:
    """The throws of a match with pictures: those that are here, and those to be asked for."""
    _visitor, services = _director()
    return _page(name, services, NOTHING)


@pictures.post("/matches/<name>/pictures")
def change(name: str) -> Response:
    """Ask for a picture, or delete all of them."""
    visitor, services = _director()
    check_origin()
    if request.form.get("do") == "delete":
        services.pictures.delete(name)
        return go(f"/matches/{name}/pictures")
    given = request.form.get("number", "0")
    number = int(given) if given.isascii() and given.isdecimal() and len(given) < 9 else -1
    trouble = services.pictures.ask(visitor, name, number)
    back = request.form.get("back", "")
    if back == "desk" and not trouble:
        return go(f"/desk/{name.partition('.')[0]}")
    return _page(name, services, trouble) if trouble else go(f"/matches/{name}/pictures")


def _page(name: str, services: HallServices, trouble: Sentence) -> Response:
    match, replay = services.about(name, None), services.replay(name, None)
    if match is None or replay is None:
        raise RefusedError(404, "No such match", _("There is no such match."))
    here, steps = services.pictures.here(name), {step["n"]: step for step in replay["steps"]}
    throws = [
        {"number": number, "here": number in here, "step": steps.get(number)}
        for number in sorted(services.pictures.taken(name), reverse=True)
    ]
    answers = {one["number"]: one for one in services.pictures.asked(name)}
    values = {"match": match, "throws": throws, "answers": answers, "trouble": trouble}
    return Response(render_template("hall/pictures.html", **values), 422 if trouble else 200)
