"""The camera seen from the page: its picture, where the board lies in it, and the record to take away."""

import json
from typing import Any

from flask import Blueprint, Response, current_app, request
from flask_babel import gettext as _

from web.doors import Doors
from web.errors import BadRequestError
from web.guard import same_origin, visitor_of
from web.openapi import PLACE
from web.problem import problem
from web.roles import Roles
from web.shape import fault
from web.views import Role, Visitor

camera = Blueprint("camera", __name__)


def _doors() -> Doors:
    doors: Doors = current_app.extensions["page"].doors
    return doors


def _keeper() -> Visitor | Response:
    """The visitor if he keeps the record, else the refusal."""
    roles: Roles = current_app.extensions["roles"]
    visitor = visitor_of(request, roles)
    if visitor is None:
        return problem(403, "Not joined", _("Open the join link first; the scorekeeper has it."))
    if visitor.role.rank < Role.SCOREKEEPER.rank:
        return problem(403, "Not in this role", _("This is the scorekeeper's business."))
    return visitor


def _nothing() -> Response:
    return problem(404, "Not to be had", _("There is no such thing here now."))


@camera.get("/api/camera.jpg")
def picture() -> Response:
    """The newest picture."""
    keeper = _keeper()
    if isinstance(keeper, Response):
        return keeper
    look = _doors().look
    content = look() if look else None
    return Response(content, content_type="image/jpeg") if content else _nothing()


@camera.get("/api/board")
def corners() -> Response:
    """Where the board lies in the camera's picture."""
    keeper = _keeper()
    if isinstance(keeper, Response):
        return keeper
    known = _doors().corners
    return _told(known() if known else None)


@camera.post("/api/board")
def place() -> Response:
    """Put the board's corners where they are said to be, or have them looked for."""
    keeper = _keeper()
    if isinstance(keeper, Response):
        return keeper
    if not same_origin(request):
        return problem(
            403, "Wrong origin", _("Actions are taken from this page only, not from another site.")
        )
    if request.mimetype != "application/json":
        return problem(415, "Not JSON", _("This is sent as JSON, with the content type application/json."))
    given = _given(request.get_data())
    put = _doors().place
    if put is None:
        return _nothing()
    placed = put(keeper, given)
    if placed.corners is None:
        return problem(422, "No board", placed.sentence)
    return _told(placed.corners)


def _given(data: bytes) -> list[list[float]] | None:
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as trouble:
        raise BadRequestError("The request is no JSON.") from trouble
    wrong = fault(body, PLACE, "The request")
    if wrong is not None:
        raise BadRequestError(wrong)
    found: list[list[float]] | None = body.get("corners")
    return found


def _told(known: Any) -> Response:
    body = {"corners": None if known is None else [[float(x), float(y)] for x, y in known]}
    return Response(json.dumps(body), content_type="application/json")


@camera.get("/export/<name>")
def export(name: str) -> Response:
    """The running match's record as a file."""
    keeper = _keeper()
    if isinstance(keeper, Response):
        return keeper
    door = _doors().export
    record = door(name) if door and name.isalnum() else None
    if record is None:
        return _nothing()
    answer = Response(record.content, content_type=record.kind)
    answer.headers.set("Content-Disposition", "attachment", filename=record.name)
    return answer
