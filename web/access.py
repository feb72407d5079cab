"""Who is asking and from where, and how a request is refused."""

import json
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from flask import Request, Response, request
from flask_babel import gettext as _

from sentence import Sentence, spoken
from web.errors import BadRequestError, RefusedError
from web.roles import COOKIE, SAFE_COOKIE, Role, Visitor
from web.site import site

PROBLEM_TYPE = "application/problem+json; charset=utf-8"
Body = TypeVar("Body")


def problem(status: int, title: str, sentence: Sentence | str) -> Response:
    """A refusal as application/problem+json (RFC 9457): a title that stays the same and a sentence for people.

    A `Sentence` carries what a translation needs under "say"; a text is in the visitor's language already.
    """
    said = spoken(detail=sentence) if isinstance(sentence, Sentence) else {"detail": sentence}
    body = {"type": "about:blank", "title": title, "status": status, **said}
    return Response(json.dumps(body, ensure_ascii=False), status, content_type=PROBLEM_TYPE)


def visitor_here() -> Visitor | None:
    """Who holds this browser's role cookie; None without a good one."""
    cookie = request.cookies.get(SAFE_COOKIE if request.is_secure else COOKIE)
    return site().roles.of_cookie(cookie) if cookie else None


def joined() -> Visitor:
    """The visitor who asks; RefusedError (403) where nobody has joined in this browser."""
    visitor = visitor_here()
    if visitor is None:
        raise RefusedError(403, "Not joined", _("Open the join link first; the scorekeeper has it."))
    return visitor


def keeper_here() -> Visitor:
    """The scorekeeper or director who asks; RefusedError (403) for everybody else."""
    visitor = joined()
    if visitor.role.rank < Role.SCOREKEEPER.rank:
        raise RefusedError(403, "Not in this role", _("This is the scorekeeper's business."))
    return visitor


def same_origin(request: Request) -> bool:
    """The request comes from a page of ours, or from no page at all (a script, a program)."""
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc.lower() == request.host.lower()


def check_origin() -> None:
    """Raise RefusedError (403) for a change that another site's page asks for."""
    if not same_origin(request):
        raise RefusedError(
            403, "Wrong origin", _("Actions are taken from this page only, not from another site.")
        )


def check_json() -> None:
    """Raise RefusedError (415) for a body that is not declared to be JSON."""
    if request.mimetype != "application/json":
        raise RefusedError(
            415, "Not JSON", _("Actions are sent as JSON, with the content type application/json.")
        )


def json_body() -> Any:
    """The request's body as JSON; BadRequestError where it is none."""
    try:
        return msgspec.json.decode(request.get_data())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as trouble:
        raise BadRequestError("The request is no JSON.") from trouble


def body_as(shape: type[Body], sentence: str) -> Body:
    """The request's body in this shape; BadRequestError with the sentence where it has another."""
    try:
        return msgspec.convert(json_body(), shape)
    except msgspec.ValidationError as trouble:
        raise BadRequestError(sentence) from trouble


def nothing_here() -> RefusedError:
    """The refusal (404) where the program does not offer this, or has nothing of it now."""
    return RefusedError(404, "Not to be had", _("There is no such thing here now."))
