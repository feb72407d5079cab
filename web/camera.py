"""The camera seen from the page: its picture, and where the board lies in it."""

import json
from typing import Any

from flask import Blueprint, Response, current_app, request

from sentence import NOTHING, Sentence, spoken
from web.doors import Doors
from web.errors import BadRequestError
from web.keepers import keeper_of, nothing_here
from web.openapi import PLACE
from web.problem import problem
from web.shape import fault

camera = Blueprint("camera", __name__)


def _doors() -> Doors:
    doors: Doors = current_app.extensions["page"].doors
    return doors


@camera.get("/api/camera.jpg")
def picture() -> Response:
    """The newest picture."""
    keeper = keeper_of()
    if isinstance(keeper, Response):
        return keeper
    look = _doors().look
    content = look() if look else None
    return Response(content, content_type="image/jpeg") if content else nothing_here()


@camera.get("/api/board")
def corners() -> Response:
    """Where the board lies in the camera's picture."""
    keeper = keeper_of()
    if isinstance(keeper, Response):
        return keeper
    known = _doors().corners
    return _told(known() if known else None)


@camera.post("/api/board")
def place() -> Response:
    """Put the board's corners where they are said to be, or have them looked for."""
    keeper = keeper_of(changing=True)
    if isinstance(keeper, Response):
        return keeper
    given = _given(request.get_data())
    put = _doors().place
    if put is None:
        return nothing_here()
    placed = put(keeper, given)
    if placed.corners is None:
        return problem(422, "No board", placed.sentence)
    return _told(placed.corners, placed.sentence)


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


def _told(known: Any, sentence: Sentence = NOTHING) -> Response:
    body: dict[str, Any] = {"corners": None if known is None else [[float(x), float(y)] for x, y in known]}
    if sentence:
        body |= spoken(sentence=sentence)
    return Response(json.dumps(body), content_type="application/json")
