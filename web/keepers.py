"""What only scorekeeper and director may ask for, and how others are refused."""

from flask import Response, current_app, request
from flask_babel import gettext as _

from web.guard import same_origin, visitor_of
from web.problem import problem
from web.roles import Roles
from web.views import Role, Visitor


def keeper_of(*, changing: bool = False) -> Visitor | Response:
    """Who keeps the record and asks, else the refusal; what changes something comes from our page, as JSON."""
    roles: Roles = current_app.extensions["roles"]
    visitor = visitor_of(request, roles)
    if visitor is None:
        return problem(403, "Not joined", _("Open the join link first; the scorekeeper has it."))
    if visitor.role.rank < Role.SCOREKEEPER.rank:
        return problem(403, "Not in this role", _("This is the scorekeeper's business."))
    if changing and not same_origin(request):
        return problem(
            403, "Wrong origin", _("Actions are taken from this page only, not from another site.")
        )
    if changing and request.mimetype != "application/json":
        return problem(415, "Not JSON", _("This is sent as JSON, with the content type application/json."))
    return visitor


def nothing_here() -> Response:
    """There is no door, or nothing behind it now."""
    return problem(404, "Not to be had", _("There is no such thing here now."))
