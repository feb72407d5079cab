"""The pages of a hall: the wall for everybody, the desk for its director."""

from flask import Blueprint, Response, current_app
from flask_babel import gettext as _

from web.access import visitor_here
from web.pages import drawn, go, not_joined, plain_page
from web.roles import Role

hall = Blueprint("hall", __name__)
desk = Blueprint("desk", __name__)


@hall.get("/")
def start() -> Response:
    """To the desk for the director where there is one, to the wall for others."""
    visitor = visitor_here()
    if visitor is None:
        return not_joined()
    return go("/desk" if visitor.role is Role.DIRECTOR and desk.name in current_app.blueprints else "/wall")


@hall.get("/watch")
def watch() -> Response:
    """To the wall: join links of viewers lead here."""
    return go("/wall")


@hall.get("/wall")
def wall() -> Response:
    """All tables on one screen."""
    visitor = visitor_here()
    return drawn("wall.html", visitor) if visitor else not_joined()


@desk.get("/desk")
def all_desk() -> Response:
    """All tables, those first that need a person."""
    visitor = visitor_here()
    if visitor is None:
        return not_joined()
    if visitor.role is not Role.DIRECTOR:
        return plain_page(403, _("Not in this role"), _("The desk is for the director of the hall."))
    return drawn("desk.html", visitor)
