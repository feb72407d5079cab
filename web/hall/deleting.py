"""The director deletes a match at the hub."""

from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from web.access import check_origin, with_referrer
from web.errors import RefusedError
from web.hall.for_director import director_here
from web.pages import go
from web.services import HallServices

deleting = Blueprint("deleting", __name__)
deleting.after_request(with_referrer)


def _services() -> HallServices:
    return director_here(_("Only the director of the hall deletes matches."))[1]


@deleting.get("/matches/<name>/delete")
def asked(name: str) -> Response:
    """What goes with a match, and the box to tick."""
    services = _services()
    match = services.about(name, None)
    if match is None:
        raise RefusedError(404, "No such match", _("There is no such match."))
    return Response(
        render_template("hall/delete.html", match=match, may_delete=services.may_delete(name), keeps=True)
    )


@deleting.post("/matches/<name>/delete")
def delete(name: str) -> Response:
    """Delete the match for good; the box in the form has to be ticked."""
    services = _services()
    check_origin()
    if request.form.get("sure") != "yes":
        raise RefusedError(
            422, _("Not possible"), _("Tick the box first: a deleted match cannot be brought back.")
        )
    trouble = services.delete(name)
    if trouble:
        raise RefusedError(422, _("Not possible"), trouble)
    return go("/matches?deleted=1")
