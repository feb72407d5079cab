"""Checks of a request: the visitor's role, the origin, the body; and the form of a refusal."""

import json
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from flask import Request, Response, request
from flask_babel import gettext as _

from sentence import Sentence, spoken
from web.errors import BadRequestError, RefusedError
from web.languages import in_words
from web.roles import Role, Visitor
from web.site import site

PROBLEM_TYPE = "application/problem+json; charset=utf-8"
Body = TypeVar("Body")


def problem(status: int, title: str, sentence: Sentence | str) -> Response:
    """A refusal as application/problem+json (RFC 9457): a constant title and a sentence for people.

    A `Sentence` also gives its template and values for translation under "say", and its wording in the visitor's
    language under "said"; a str is translated already.
    """
    detail: dict[str, Any] = {"detail": sentence}
    if isinstance(sentence, Sentence):
        detail = {**spoken(detail=sentence), "said": in_words(sentence)}
    body = {"type": "about:blank", "title": title, "status": status, **detail}
    return Response(json.dumps(body, ensure_ascii=False), status, content_type=PROBLEM_TYPE)


def visitor_here() -> Visitor | None:
    """The visitor with this browser's role cookie; None without a valid one."""
    cookie = site().role_cookie(request.cookies, secure=request.is_secure)
    return site().roles.of_cookie(cookie) if cookie else None


def joined() -> Visitor:
    """The visitor who sent the request; RefusedError (403) if this browser has not joined."""
    visitor = visitor_here()
    if visitor is None:
        raise RefusedError(403, "Not joined", _("Open the join link first; the scorekeeper has it."))
    return visitor


def keeper_here() -> Visitor:
    """The scorekeeper or director who sent the request; RefusedError (403) for everybody else."""
    visitor = joined()
    if visitor.role.rank < Role.SCOREKEEPER.rank:
        raise RefusedError(
            403, "Not in this role", _("Only the scorekeeper and the director may do this; ask one of them.")
        )
    return visitor


def same_origin(request: Request) -> bool:
    """Whether the request comes from our own page, or from no page (a script, a program)."""
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc.lower() == request.host.lower()


def check_origin() -> None:
    """Raise RefusedError (403) for a change requested by another site's page."""
    if not same_origin(request):
        raise RefusedError(
            403, "Wrong origin", _("Actions are taken from this page only, not from another site.")
        )


def with_referrer(answer: Response) -> Response:
    """The answer, whose forms name their origin: without it `check_origin` refuses them."""
    answer.headers["Referrer-Policy"] = "same-origin"
    return answer


LOCAL_NAMES = (
    "local",
    "localhost",
    "lan",
    "home",
    "internal",
    "home.arpa",
    "localdomain",
    "fritz.box",
    "test",
)
"""Ends of names that nobody can register on the internet (RFC 2606, 6762, 8375, and those of common routers)."""


def is_local_host(host: str) -> bool:
    """Whether a Host header's value cannot be another site's name: an IP address, or a name of local networks only."""
    name = urlsplit(f"//{host}").hostname or ""
    with suppress(ValueError):
        ip_address(name.partition("%")[0])
        return True
    name = name.rstrip(".")
    return "." not in name or name.endswith(tuple(f".{end}" for end in LOCAL_NAMES))


def is_loopback(name: str) -> bool:
    """Whether a host name or address stands for the machine itself."""
    return name in ("localhost", "::1") or name.startswith("127.")


def link_base() -> str:
    """Start of the links that this visitor hands on: scheme, host and port, without a slash.

    A page open on this machine itself, under a loopback address, is reached by others under its address in the network.
    """
    settings = site().settings
    if settings.address:
        return settings.address.rstrip("/")
    host = request.host
    name = urlsplit(f"//{host}").hostname or ""
    if settings.own_host is not None and is_loopback(name):
        own = settings.own_host()
        port = host.rpartition(":")[2] if urlsplit(f"//{host}").port else ""
        host = (f"[{own}]" if ":" in own else own) + (f":{port}" if port else "")
    return f"{request.scheme}://{host}"


def check_host() -> None:
    """Raise RefusedError (421) for a name that may be another site's (DNS rebinding), unless the settings give it.

    A proxy in front knows its own names, so nothing is checked behind one.
    """
    settings = site().settings
    if settings.proxies or request.host == urlsplit(settings.address).netloc:
        return
    try:
        local = is_local_host(request.host)
    except ValueError:  # a broken IPv6 address
        local = False
    if not local:
        raise RefusedError(
            421,
            "Wrong host",
            _(
                "The page is not known under this address; open it by the machine’s IP address, or set page.address."
            ),
        )


def check_json() -> None:
    """Raise RefusedError (415) for a body whose content type is not JSON."""
    if request.mimetype != "application/json":
        raise RefusedError(
            415, "Not JSON", _("Actions are sent as JSON, with the content type application/json.")
        )


def json_body() -> Any:
    """The request's body, decoded; BadRequestError if it is not JSON."""
    try:
        return msgspec.json.decode(request.get_data())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as trouble:
        raise BadRequestError("The request is no JSON.") from trouble


def body_as(shape: type[Body], sentence: str) -> Body:
    """The request's body as a `shape`; BadRequestError with the sentence if it does not fit."""
    try:
        return msgspec.convert(json_body(), shape)
    except msgspec.ValidationError as trouble:
        raise BadRequestError(sentence) from trouble


def nothing_here() -> RefusedError:
    """The refusal (404) of a resource that the program does not offer, or has none of now."""
    return RefusedError(404, "Not to be had", _("Not available here now."))
