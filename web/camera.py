"""Requests to the camera: its picture, and the board's place in it."""

import json
from typing import Any

from flask import Blueprint, Response

from sentence import NOTHING, Sentence, spoken
from web.access import body_as, check_json, check_origin, keeper_here, nothing_here
from web.bodies import Place, Read, TryThrows
from web.errors import BadRequestError, RefusedError
from web.languages import in_words
from web.services import ThrowServices
from web.site import site

camera = Blueprint("camera", __name__)


@camera.get("/api/camera.jpg")
def picture() -> Response:
    """The newest picture as a JPEG."""
    keeper_here()
    look = site().page.services.look
    content = look() if look else None
    if not content:
        raise nothing_here()
    return Response(content, content_type="image/jpeg")


@camera.get("/api/board")
def corners() -> Response:
    """The board's corners in the camera's picture, and why they cannot be changed."""
    keeper_here()
    known = site().page.services.corners
    return _placed(*known()) if known else _placed(None)


@camera.post("/api/board")
def place() -> Response:
    """Use the given corners, or search for the board if none are given; RefusedError (422) if it is not found."""
    keeper = keeper_here()
    check_origin()
    check_json()
    given = body_as(Place, "A board has four corners in the picture, or none where it is to be looked for.")
    put = site().page.services.place
    if put is None:
        raise nothing_here()
    placed = put(keeper, given.corners)
    if placed.corners is None:
        raise RefusedError(422, "No board", placed.sentence)
    return _placed(placed.corners, placed.sentence)


@camera.post("/api/camera")
def read() -> Response:
    """Change what is read in the camera's pictures; RefusedError (422) if it cannot be changed."""
    keeper_here()
    check_origin()
    check_json()
    given = body_as(Read, "A camera reads nothing (“off”), “dice”, or “dice and checkers”.")
    change = site().page.services.reads
    if change is None:
        raise nothing_here()
    refusal = change(given.reads)
    if refusal:
        raise RefusedError(422, "Not possible", refusal)
    return Response(json.dumps({"reads": given.reads}), content_type="application/json")


@camera.get("/api/throws")
def tried() -> Response:
    """The check with twelve throws as it stands."""
    return _tried(_throws())


@camera.post("/api/throws")
def try_throws() -> Response:
    """Begin or stop the check, or say what lies there; RefusedError (422) with the reason why not."""
    throws = _throws()
    check_origin()
    check_json()
    wanted = body_as(
        TryThrows, "An order is “begin”, “stop”, “right”, “dice” with two numbers, “cocked” or “missed”."
    )
    if (wanted.order == "dice") != (wanted.dice is not None):
        raise BadRequestError("The order “dice” has two numbers, the others none.")
    refusal = throws.order(wanted)
    if refusal:
        raise RefusedError(422, "Not possible", in_words(refusal))
    return _tried(throws)


@camera.get("/api/throws/<int:number>.jpg")
def tried_picture(number: int) -> Response:
    """The picture of a tried throw."""
    content = _throws().picture(number)
    if content is None:
        raise nothing_here()
    answer = Response(content, content_type="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"  # the next check has other pictures of the same numbers
    return answer


def _throws() -> ThrowServices:
    """The check, for whoever keeps score; RefusedError where there is none."""
    keeper_here()
    throws = site().page.services.throws
    if throws is None:
        raise nothing_here()
    return throws


def _tried(throws: ThrowServices) -> Response:
    return Response(json.dumps(throws.look(in_words), ensure_ascii=False), content_type="application/json")


def _placed(known: Any, sentence: Sentence = NOTHING) -> Response:
    look = site().page.services.look
    corners = None if known is None else [[float(x), float(y)] for x, y in known]
    body: dict[str, Any] = {"corners": corners, "picture": bool(look and look())}
    if sentence:
        body |= spoken(sentence=sentence)
    return Response(json.dumps(body), content_type="application/json")
