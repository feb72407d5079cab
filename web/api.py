"""The API for programs and the page's own scripts: the state, its changes, actions, pictures."""

import json
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from flask_babel import gettext as _

from web.access import check_json, check_origin, joined, json_body, problem
from web.bodies import Revoke
from web.crowd.streams import STREAM
from web.errors import BadRequestError, RefusedError
from web.openapi import document
from web.page import WHOLE, Answer
from web.roles import Role, Visitor
from web.site import site

api = Blueprint("api", __name__)

PICTURE_TYPES = {".jpg": "image/jpeg", ".png": "image/png", ".webp": "image/webp"}


@api.get("/api/state")
def state() -> Response:
    """The newest state."""
    visitor = joined()
    written = site().page.newest().written(visitor, part=_part())
    return Response(written or b"null", content_type="application/json")


@api.get("/api/events")
def events() -> Response:
    """The state now and after each change, as server-sent events; 503 with Retry-After for a viewer without a place."""
    visitor, here = joined(), site()
    stream = here.streams.enter(visitor, request.remote_addr or "", _part())
    if stream is None:
        full = problem(
            503, "Full house", _("Too many are watching for a stream; this page updates more slowly.")
        )
        full.headers["Retry-After"] = "2"
        return full
    request.environ[STREAM](stream)  # the server goes on from here
    answer = Response(content_type="text/event-stream; charset=utf-8")
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


def _part() -> str:
    """The part of the state that is asked for: a hall's table, with `whole` as its own page has it; "" for all."""
    table = request.args.get("table", "")[:40]
    return f"{table}{WHOLE}" if table and "whole" in request.args else table


@api.post("/api/act")
def act() -> Response:
    """Pass one action on to the table, which checks its shape; `revoke` is done here."""
    visitor = joined()
    check_origin()
    if not site().acts.allows(f"{visitor.code} {request.remote_addr}"):
        late = problem(429, "Too fast", _("Too many actions; wait a second."))
        late.headers["Retry-After"] = "1"
        return late
    check_json()
    body = json_body()
    if not isinstance(body, dict):
        raise BadRequestError("An action is a JSON object.")
    revoking = body.get("type") == "revoke"
    answer = _revoke(visitor, body) if revoking else site().page.act(visitor, body)
    if answer.state is None:
        return problem(answer.status, answer.title, answer.sentence)
    text = json.dumps(answer.state, ensure_ascii=False, separators=(",", ":"))
    return Response(text, answer.status, content_type="application/json")


def _revoke(visitor: Visitor, body: dict[str, Any]) -> Answer:
    """Revoke a join code: a director any but his own, a scorekeeper those of lower roles."""
    try:
        wanted = msgspec.convert(body, Revoke)
    except msgspec.ValidationError as trouble:
        raise BadRequestError("Say with “code” which join code is to be revoked.") from trouble
    roles = site().roles
    theirs = roles.lookup(wanted.code)
    if visitor.role.rank < Role.SCOREKEEPER.rank:
        raise RefusedError(
            403,
            "Not in this role",
            _("Only the scorekeeper and the director may hand out join codes; ask one of them."),
        )
    if theirs is None:
        raise RefusedError(422, "No such code", _("This join code is not valid."))
    if theirs.code in (visitor.code, visitor.through):
        raise RefusedError(403, "Not in this role", _("You cannot revoke the code that you joined with."))
    ended = [one.role.rank for one in roles.all() if theirs.code in (one.code, one.through)]
    if visitor.role is not Role.DIRECTOR and max(ended) >= visitor.role.rank:
        raise RefusedError(403, "Not in this role", _("This code can be revoked by a director only."))
    roles.revoke(theirs.code)
    return Answer(200, state=site().page.state(visitor))


@api.get("/pictures/<name>")
def picture(name: str) -> Response:
    """The picture of a throw, by its file name."""
    joined()
    kind = next((kind for end, kind in PICTURE_TYPES.items() if name.endswith(end)), None)
    content = site().page.picture(name) if kind and not name.startswith(".") and "\\" not in name else None
    if content is None:
        raise RefusedError(404, "No such picture", _("There is no picture of this name."))
    answer = Response(content, content_type=kind)
    answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return answer


@api.get("/api/openapi.json")
def openapi() -> Response:
    """The API's description, OpenAPI 3.1."""
    own, _former = site().cookie_names(secure=request.is_secure)
    told = document(site().page.shapes(), own)
    return Response(json.dumps(told, ensure_ascii=False), content_type="application/json")
