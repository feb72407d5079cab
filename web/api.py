"""What programs and the page's own scripts ask for: the state, its changes, actions, pictures."""

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Flask, Response, current_app, request
from flask_babel import gettext as _

from web.errors import BadRequestError
from web.guard import Limit, same_origin, visitor_of
from web.openapi import ACTIONS, document
from web.page import Answer, Page
from web.problem import problem
from web.roles import Roles
from web.shape import fault
from web.views import Role, Visitor

api = Blueprint("api", __name__)

RECONNECT_MS = 700  # right again within two seconds of coming back
PICTURE_TYPES = {".jpg": "image/jpeg", ".png": "image/png", ".webp": "image/webp"}


def _page() -> Page:
    page: Page = current_app.extensions["page"]
    return page


def _roles() -> Roles:
    roles: Roles = current_app.extensions["roles"]
    return roles


def _nobody() -> Response:
    return problem(403, "Not joined", _("Open the join link first; the scorekeeper has it."))


@api.record_once
def _make_room(setup: Any) -> None:
    app: Flask = setup.app
    app.extensions["streams"] = threading.BoundedSemaphore(app.config["MAX_STREAMS"])


@api.get("/api/state")
def state() -> Response:
    """The newest state."""
    visitor = visitor_of(request, _roles())
    if visitor is None:
        return _nobody()
    return Response(_page().newest().written(visitor), content_type="application/json")


@api.get("/api/events")
def events() -> Response:
    """The state now and after each change, as server-sent events."""
    visitor = visitor_of(request, _roles())
    if visitor is None:
        return _nobody()
    room: threading.BoundedSemaphore = current_app.extensions["streams"]
    if not room.acquire(blocking=False):
        full = problem(
            503, "Full house", _("So many are watching that this page has to ask again by itself.")
        )
        full.headers["Retry-After"] = "2"
        return full
    lines = _stream(_page(), _roles(), visitor, current_app.config["BEAT_S"])
    answer = Response(lines, content_type="text/event-stream; charset=utf-8")
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(room.release)
    return answer


def _stream(page: Page, roles: Roles, visitor: Visitor, beat_s: float) -> Iterator[bytes]:
    yield b"retry: %d\n\n" % RECONNECT_MS
    yield _beat()
    for edition in page.follow(beat_s):
        if roles.lookup(visitor.code) is None:
            yield b"event: gone\ndata: \n\n"
            return
        if edition is None:
            yield _beat()
        else:
            yield b"id: %d\ndata: %b\n\n" % (edition.seq, edition.written(visitor))


def _beat() -> bytes:
    """That the stream is alive, and the time by which the state's clock is to be read."""
    return b"event: beat\ndata: %d\n\n" % round(time.time() * 1000)


@api.post("/api/act")
def act() -> Response:
    """One action for the table."""
    visitor = visitor_of(request, _roles())
    if visitor is None:
        return _nobody()
    if not same_origin(request):
        return problem(
            403, "Wrong origin", _("Actions are taken from this page only, not from another site.")
        )
    limit: Limit = current_app.extensions["acts"]
    if not limit.allows(f"{visitor.code} {request.remote_addr}"):
        late = problem(429, "Too fast", _("These are more actions than a table can make; wait a second."))
        late.headers["Retry-After"] = "1"
        return late
    if request.mimetype != "application/json":
        return problem(
            415, "Not JSON", _("Actions are sent as JSON, with the content type application/json.")
        )
    body = _action(request.get_data())
    answer = _revoke(visitor, body) if body["type"] == "revoke" else _page().act(visitor, body)
    if answer.state is None:
        return problem(answer.status, answer.title, answer.sentence)
    text = json.dumps(answer.state, ensure_ascii=False, separators=(",", ":"))
    return Response(text, answer.status, content_type="application/json")


def _action(data: bytes) -> dict[str, Any]:
    """The action in a request's body; BadRequestError when it has not the shape of one."""
    try:
        body = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as trouble:
        raise BadRequestError("The action is no JSON.") from trouble
    kind = body.get("type") if isinstance(body, dict) else None
    schema = ACTIONS.get(kind) if isinstance(kind, str) else None
    if schema is None:
        raise BadRequestError(f"An action has a “type”, one of {', '.join(ACTIONS)}.")
    wrong = fault(body, schema, "The action")
    if wrong is not None:
        raise BadRequestError(wrong)
    action: dict[str, Any] = body
    return action


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _revoke(visitor: Visitor, body: dict[str, Any]) -> Answer:
    """Take a join code out of force: a director any but his own, a scorekeeper those of lower roles."""
    theirs = _roles().lookup(body["code"])
    if visitor.role.rank < Role.SCOREKEEPER.rank:
        return Answer(403, title="Not in this role", sentence=_("Join codes are the scorekeeper's business."))
    if theirs is None:
        return Answer(422, title="No such code", sentence=_("This join code is not in force."))
    if theirs.code == visitor.code:
        return Answer(
            403, title="Not in this role", sentence=_("Nobody revokes the code that he came in by himself.")
        )
    if visitor.role is not Role.DIRECTOR and theirs.role.rank >= visitor.role.rank:
        return Answer(
            403, title="Not in this role", sentence=_("This code can be revoked by a director only.")
        )
    _roles().revoke(theirs.code)
    return Answer(200, state=_page().state(visitor))


@api.get("/pictures/<name>")
def picture(name: str) -> Response:
    """A picture of a throw."""
    if visitor_of(request, _roles()) is None:
        return _nobody()
    kind = next((kind for end, kind in PICTURE_TYPES.items() if name.endswith(end)), None)
    content = _page().picture(name) if kind and not name.startswith(".") and "\\" not in name else None
    if content is None:
        return problem(404, "No such picture", _("There is no picture of this name."))
    answer = Response(content, content_type=kind)
    answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return answer


@api.get("/api/openapi.json")
def openapi() -> Response:
    """The description of all this."""
    return Response(json.dumps(document(), ensure_ascii=False), content_type="application/json")
