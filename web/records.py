"""Requests to the record: files to download, the score sheet, the analysis, and the rules to choose from."""

import json
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from sentence import Sentence
from web.access import check_json, check_origin, joined, keeper_here, nothing_here, visitor_here
from web.errors import RefusedError
from web.languages import in_words, language_of
from web.pages import not_joined, plain_page
from web.qr import qr_code
from web.services import Record
from web.site import site

records = Blueprint("records", __name__)


def _json(body: Mapping[str, Any], status: int = 200) -> Response:
    return Response(json.dumps(body, ensure_ascii=False), status, content_type="application/json")


@records.get("/export/<name>")
def export(name: str) -> Response:
    """The running match's record as a file; RefusedError (422) if the format cannot hold it."""
    keeper_here()
    exporter = site().page.services.export
    language = language_of(request, site().settings.language)
    record = exporter(name, language) if exporter and name.isalnum() else None
    return sent(record)


def sent(record: Record | Sentence | None, match: str = "") -> Response:
    """A file to download; RefusedError, with the match's page, if there is none, or the format cannot hold it."""
    if record is None:
        raise nothing_here()
    if isinstance(record, Sentence):
        raise RefusedError(422, "Not in this format", record, match)
    answer = Response(record.content, content_type=record.kind)
    answer.headers.set("Content-Disposition", "attachment", filename=record.name)
    return answer


@records.get("/sheet")
def sheet() -> Response:
    """The score sheet, to read and print."""
    if visitor_here() is None:
        return not_joined()
    score_sheet = site().page.services.sheet
    content = score_sheet() if score_sheet else None
    if content is None:
        return plain_page(404, "Not to be had", _("There is no score sheet: no match has begun."))
    return sheet_page(content)


def sheet_page(sheet: Mapping[str, Any], place: str = "") -> Response:
    """A score sheet to read and print; `place`: the address of a match that is not on the table."""
    words = {"worths": worths(), "endings": endings()}
    return Response(render_template("sheet.html", sheet=sheet, place=place, **words))


@records.get("/signed/<int:number>.svg")
def signed(number: int) -> Response:
    """The statement signed last about the running match, which is about this event, as a QR code (SVG)."""
    joined()
    score_sheet = site().page.services.sheet
    return signed_code(score_sheet() if score_sheet else None, number)


def signed_code(content: Mapping[str, Any] | None, number: int) -> Response:
    """The statement signed last on a score sheet as a QR code (SVG); RefusedError (404) for another event."""
    statement = content["signed"] if content else None
    if statement is None or statement["number"] != number:
        raise nothing_here()
    return qr_code(statement["statement"], "l")


def worths() -> dict[int, str]:
    """Texts for the worth of a game."""
    return {1: _("single game"), 2: _("gammon"), 3: _("backgammon")}


def endings() -> dict[str, str]:
    """Texts for the endings of a game, by docs/PROTOCOL.md's words."""
    return {
        "borne_off": _("all borne off"),
        "passed": _("double passed"),
        "resigned": _("resigned"),
        "settled": _("settled"),
        "time": _("time used up"),
        "penalty": _("penalty points"),
        "mother_pinned": _("mother pinned"),
        "tie": _("both mothers pinned"),
    }


@records.get("/api/analysis")
def analysis() -> Response:
    """The progress and result of the running match's analysis."""
    keeper_here()
    stands = site().page.services.analysis
    if stands is None:
        raise nothing_here()
    return _json(stands())


@records.post("/api/analysis")
def analyse() -> Response:
    """Begin to analyse the running match; RefusedError (422) if that is not possible."""
    keeper_here()
    check_origin()
    check_json()
    begin, stands = site().page.services.analyse, site().page.services.analysis
    if begin is None or stands is None:
        raise nothing_here()
    sentence = begin()
    if sentence:
        raise RefusedError(422, "Not possible", sentence)
    return _json(stands())


@records.get("/api/rules")
def rules() -> Response:
    """The rules to choose from for a match."""
    keeper_here()
    menu = site().page.services.rules
    if menu is None:
        raise nothing_here()
    return _json(menu(in_words))


MOST_MATCHES = 1000
"""The maximum number of matches in one answer."""


@records.get("/api/matches")
def matches() -> Response:
    """The matches in the journal, the newest first: at most `?most=`, only those before the match `?before=`."""
    keeper_here()
    listed = site().page.services.matches
    if listed is None:
        raise nothing_here()
    most = _whole_number("most", 100, MOST_MATCHES)
    body = bytearray()  # one match after the other: a list of all takes ten times as much memory
    for match in listed(most, request.args.get("before", "")[:200]):
        body += (b", " if body else b"") + json.dumps(match, ensure_ascii=False).encode()
    return Response(b'{"matches": [' + body + b"]}", content_type="application/json")


def _whole_number(name: str, usual: int, most: int) -> int:
    """A number of the address, from 1 to `most`; RefusedError (422) for anything else."""
    text = request.args.get(name, str(usual))
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if not 1 <= number <= most:
        sentence = _("“%(name)s” is a whole number from 1 to %(most)s.", name=name, most=most)
        raise RefusedError(422, "Not possible", sentence)
    return number


MOST_GAMES = 999_999
"""Limit of a game's number in an address; the running match has fewer."""


@records.get("/api/history")
def history() -> Response:
    """The events of one game of the running match, `?game=`, for everybody who has joined."""
    visitor = joined()
    told = site().page.services.history
    if told is None:
        raise nothing_here()
    found = told(visitor, _whole_number("game", 1, MOST_GAMES))
    if isinstance(found, Sentence):
        raise RefusedError(422, "Not possible", found)
    return _json(found)
