"""The record on the page: files to take away, the score sheet, the analysis, and the rules to choose from."""

import json
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request
from flask_babel import gettext as _

from sentence import Sentence
from web.doors import Doors
from web.guard import visitor_of
from web.keepers import keeper_of, nothing_here
from web.pages import not_joined, plain_page
from web.problem import problem
from web.roles import Roles

records = Blueprint("records", __name__)


def _doors() -> Doors:
    doors: Doors = current_app.extensions["page"].doors
    return doors


def _json(body: Mapping[str, Any], status: int = 200) -> Response:
    return Response(json.dumps(body, ensure_ascii=False), status, content_type="application/json")


@records.get("/export/<name>")
def export(name: str) -> Response:
    """The running match's record as a file."""
    keeper = keeper_of()
    if isinstance(keeper, Response):
        return keeper
    door = _doors().export
    record = door(name) if door and name.isalnum() else None
    if record is None:
        return nothing_here()
    if isinstance(record, Sentence):
        return problem(422, "Not in this format", record)
    answer = Response(record.content, content_type=record.kind)
    answer.headers.set("Content-Disposition", "attachment", filename=record.name)
    return answer


@records.get("/sheet")
def sheet() -> Response:
    """The score sheet, to be looked at and printed."""
    roles: Roles = current_app.extensions["roles"]
    if visitor_of(request, roles) is None:
        return not_joined()
    door = _doors().sheet
    told = door() if door else None
    if told is None:
        return plain_page(404, "Not to be had", _("There is no score sheet: no match has begun."))
    words = {"worths": _worths(), "endings": _endings()}
    return Response(render_template("sheet.html", sheet=told, **words))


def _worths() -> dict[int, str]:
    return {1: _("single game"), 2: _("gammon"), 3: _("backgammon")}


def _endings() -> dict[str, str]:
    """How a game can end, by docs/PROTOCOL.md's words."""
    return {
        "borne_off": _("all borne off"),
        "passed": _("double passed"),
        "resigned": _("resigned"),
        "settled": _("settled"),
        "time": _("time used up"),
        "penalty": _("penalty points"),
    }


@records.get("/api/analysis")
def analysis() -> Response:
    """How the analysis of the running match stands."""
    keeper = keeper_of()
    if isinstance(keeper, Response):
        return keeper
    door = _doors().analysis
    return _json(door()) if door else nothing_here()


@records.post("/api/analysis")
def analyse() -> Response:
    """Begin to analyse the running match."""
    keeper = keeper_of(changing=True)
    if isinstance(keeper, Response):
        return keeper
    begin, told = _doors().analyse, _doors().analysis
    if begin is None or told is None:
        return nothing_here()
    sentence = begin()
    return problem(422, "Not possible", sentence) if sentence else _json(told())


@records.get("/api/rules")
def rules() -> Response:
    """The rules that may be chosen for a match."""
    keeper = keeper_of()
    if isinstance(keeper, Response):
        return keeper
    door = _doors().rules
    return _json(door()) if door else nothing_here()
