"""The page of the hall's pairings: the director's list, which table plays what, and what became of it."""

from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from sentence import Sentence
from web.access import check_origin, with_referrer
from web.hall.for_director import director_here
from web.pages import go
from web.services import HallServices

pairings = Blueprint("pairings", __name__)
pairings.after_request(with_referrer)


def _services() -> HallServices:
    return director_here(_("The pairings are for the director of the hall."))[1]


@pairings.get("/pairings")
def listed() -> Response:
    """All pairings, and the form for another list."""
    return _page()


@pairings.post("/pairings")
def change() -> Response:
    """Take a list, give a pairing to a table, or delete one."""
    services = _services()
    check_origin()
    text, pairing = request.form.get("list", ""), request.form.get("pairing", "")
    file = request.files.get("file")
    if file is not None and file.filename:
        text = file.read().decode("utf-8-sig", "replace")
    if request.form.get("do") == "drop":
        trouble = services.pairings.drop(pairing)
    elif pairing:
        trouble = services.pairings.give(pairing, request.form.get("table", ""))
    else:
        trouble = services.pairings.take(text)
    return _page(text, trouble, 422) if trouble else go("/pairings")


def _page(text: str = "", trouble: Sentence | None = None, status: int = 200) -> Response:
    services = _services()
    values = {"pairings": services.pairings.all(), "tables": services.tables()}
    return Response(render_template("hall/pairings.html", text=text, trouble=trouble, **values), status)
