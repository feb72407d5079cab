"""A table's page for spectators, and the matches of all tables."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from flask import Blueprint, Response, jsonify, render_template, request
from flask_babel import gettext as _

from web.access import joined, keeper_here, visitor_here
from web.errors import RefusedError
from web.hall.for_director import hub_services
from web.pages import drawn, not_joined
from web.records import sent
from web.roles import Role, Visitor
from web.site import site

matches = Blueprint("matches", __name__)

FIELDS = ("table", "player", "since", "until")
KINDS = ("mat", "sgf", "ogxm", "json")


def table_seen(visitor: Visitor, table: str) -> Mapping[str, Any]:
    """A table as this visitor may see it now, after the delay if there is one; RefusedError (404) if there is none."""
    seen = next((one for one in site().page.state(visitor)["tables"] if one["table"] == table), None)
    if seen is None:
        raise RefusedError(
            404, "No such table", _("There is no such table, or nothing of it to be seen yet.")
        )
    return dict(seen)


def _events_seen(name: str) -> int | None:
    """The number of events of a match that the visitor may see, None for all; RefusedError if he may see none.

    Spectators see the match on the table, as far as the state that they are shown.
    """
    visitor = joined()
    if visitor.role.rank >= Role.SCOREKEEPER.rank:
        return None
    table, _dot, match = name.partition(".")
    held = table_seen(visitor, table)["held"]
    if held["match"] != match or not held["number"]:
        raise RefusedError(
            403,
            "Not in this role",
            _(
                "Only the scorekeeper and the director may look at matches that are not on the table; ask one of them."
            ),
        )
    return int(held["number"])


@matches.get("/t/<table>")
def table_page(table: str) -> Response:
    """A table for spectators."""
    visitor = visitor_here()
    if visitor is None:
        return not_joined()
    _check_known(table)
    return drawn("hall/table.html", visitor, table=table)


def _check_known(table: str) -> None:
    """Check that the hall has the table, if only invited: where spectators see nothing of it yet its page fills later.

    Raises:
        RefusedError: 404, the hall has no such table.
    """
    heard = site().page.state(Visitor(Role.DIRECTOR))["tables"]
    if not any(one["table"] == table for one in heard) and table not in hub_services().tables():
        raise RefusedError(
            404, "No such table", _("There is no such table, or nothing of it to be seen yet.")
        )


@matches.get("/t/<table>/overlay")
def overlay(table: str) -> Response:
    """The overlay of a table for a video stream, as the table's own."""
    visitor = visitor_here()
    if visitor is None:
        return not_joined()
    _check_known(table)
    return drawn("overlay.html", visitor, table=table)


@matches.get("/matches")
def all_matches() -> Response:
    """All matches of the hall, newest first."""
    visitor = keeper_here()
    asked = {name: request.args.get(name, "")[:80] for name in (*FIELDS, "page")}
    given = {name: asked[name] for name in FIELDS if asked[name]}
    found = hub_services().find(asked)
    return _page(
        "hall/matches.html",
        visitor,
        found=found,
        asked=asked,
        query=urlencode(given),
        is_deleted="deleted" in request.args,
    )


@matches.get("/results.<kind>")
def results(kind: str) -> Response:
    """The results of all matches that are over, or of those that fit a search, for what runs the event."""
    keeper_here()
    return sent(hub_services().results({name: request.args.get(name, "")[:80] for name in FIELDS}, kind))


@matches.get("/matches/<name>")
def replay(name: str) -> Response:
    """A match step by step."""
    about = hub_services().about(name, _events_seen(name))
    if about is None:
        raise RefusedError(404, "No such match", _("There is no such match."))
    directs = joined().role is Role.DIRECTOR
    return _page("hall/replay.html", joined(), match=about, kinds=KINDS, directs=directs)


@matches.get("/api/matches/<name>/replay")
def steps(name: str) -> Response:
    """A match step by step, as JSON."""
    found = hub_services().replay(name, _events_seen(name))
    if found is None:
        raise RefusedError(404, "No such match", _("There is no such match."))
    here = hub_services().pictures.here(name) if _may_see_pictures(joined()) else ()
    seen = [{**step, "picture": _address(name, step["n"], here)} for step in found["steps"]]
    return jsonify({**found, "steps": seen})


def _address(name: str, number: int, here: Sequence[int]) -> str | None:
    """The address of a step's picture if the hub has it."""
    return f"/matches/{quote(name, safe='')}/pictures/{number}" if number in here else None


def _may_see_pictures(visitor: Visitor) -> bool:
    return visitor.role.rank >= Role.SCOREKEEPER.rank or hub_services().pictures.for_spectators


@matches.get("/matches/<name>/pictures/<int:number>")
def picture(name: str, number: int) -> Response:
    """The picture of a throw: to scorekeeper and director, and where the hall says so to whoever may see the throw."""
    if not _may_see_pictures(joined()):
        raise RefusedError(
            403, "Not in this role", _("This hall shows its pictures to scorekeeper and director only.")
        )
    seen = _events_seen(name)
    content = hub_services().pictures.load(name, number) if seen is None or number <= seen else None
    if content is None:
        raise RefusedError(404, "No such picture", _("There is no picture of this name."))
    answer = Response(content, content_type="image/jpeg")
    answer.headers["Cache-Control"] = (
        "private, no-store"  # it goes with its match, or on the director's order
    )
    return answer


@matches.get("/matches/<name>/export/<kind>")
def export(name: str, kind: str) -> Response:
    """The record of a match as a file."""
    keeper_here()
    return sent(hub_services().export(name, kind) if kind in KINDS else None)


def _page(template: str, visitor: Visitor, **values: Any) -> Response:
    keeps = visitor.role.rank >= Role.SCOREKEEPER.rank
    here = {"theme": site().settings.theme, "keeps": keeps, "role": visitor.role.value}
    return Response(render_template(template, **here, **values))
