"""The page on which the director of the hall answers a call and rules at a table."""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from sentence import Sentence, say
from web.access import check_origin, is_loopback, with_referrer
from web.hall.for_director import director_here
from web.hall.matches import table_seen
from web.pages import go
from web.roles import Visitor
from web.services import HallServices

rulings = Blueprint("rulings", __name__)
rulings.after_request(with_referrer)

MOST_LETTERS = 200
MOST_PICTURES = 4
"""Newest pictures of a match beside its call or dispute."""
OF_DISPUTE = ("condone", "correct")
GONE_ON = say("The table has changed in the meantime; please look again.")
_TIME = re.compile(r"(\d{1,3}):([0-5]\d)", re.ASCII)


def _director() -> tuple[Visitor, HallServices]:
    return director_here(_("The desk is for the director of the hall."))


@rulings.get("/desk/<table>")
def desk_of(table: str) -> Response:
    """What can be decided at a table from the desk, and what was."""
    visitor, services = _director()
    return _page(table_seen(visitor, table), services)


@rulings.post("/desk/<table>")
def rule(table: str) -> Response:
    """Send a decision to the table."""
    visitor, services = _director()
    check_origin()
    seen = table_seen(visitor, table)
    action = _action()
    if action is None:
        return _page(
            seen,
            services,
            _("Something is missing or cannot be read: times are written like 12:30."),
            request.form,
        )
    trouble = GONE_ON if _has_gone_on(seen, action) else services.rulings.give(visitor, seen, action)
    return _page(seen, services, trouble, request.form) if trouble else go(f"/desk/{table}")


@rulings.get("/desk/<table>/page")
def page_of(table: str) -> Response:
    """Lead the director to the table's own page, which lets him in as its director."""
    visitor, services = _director()
    seen = table_seen(visitor, table)
    address = services.visit(visitor, seen)
    if not isinstance(address, str):
        return _page(seen, services, address)
    if _is_out_of_reach(address):
        return _page(seen, services, _("The table’s own page is open on its own machine only."))
    return go(address)


def _has_gone_on(seen: Mapping[str, Any], action: Mapping[str, Any]) -> bool:
    """Whether the form was of another match, or of another dispute than there is now."""
    at, held = request.form.get("at", ""), seen["held"]
    match, _dot, number = at.rpartition(".")
    is_other = action["type"] in OF_DISPUTE and number != str(held["number"])
    return bool(at) and action["type"] != "coming" and (match != held["match"] or is_other)


def _is_out_of_reach(address: str) -> bool:
    """Whether an address is of the table's own machine only, and this browser is on another one."""
    return is_loopback(urlsplit(address).hostname or "") and not is_loopback(
        urlsplit(f"//{request.host}").hostname or ""
    )


def _action() -> Mapping[str, Any] | None:
    """The action of the form, None if it is not complete."""
    given = {name: text.strip()[:MOST_LETTERS] for name, text in request.form.items()}
    why = {name: given[name] for name in ("question", "why") if given.get(name)}
    match given.get("do"):
        case "coming":
            return {"type": "coming"}
        case "decide" if why:
            return {"type": "call_director", "over": True, **why}
        case "condone" | "correct" as kind:
            return {"type": kind, **why}
        case "penalty" if given.get("to") in ("south", "north"):
            amounts = {name: given[name] for name in ("points", "minutes") if given.get(name)}
            if all(text.isascii() and text.isdecimal() and len(text) < 5 for text in amounts.values()):
                numbers = {name: int(text) for name, text in amounts.items()}
                return {"type": "rule", "penalty": {"to": given["to"], **numbers}, **why}
        case "start" | "stop" as order:
            return {"type": "clock", "order": order, "why": given.get("why", "")}
        case "set":
            times = {f"{side}_ms": _ms(given[side]) for side in ("south", "north") if given.get(side)}
            if times and None not in times.values():
                return {"type": "clock", "order": "set", **times, "why": given.get("why", "")}
    return None


def _ms(text: str) -> int | None:
    """Minutes and seconds in milliseconds; None if the text is not a time."""
    found = _TIME.fullmatch(text)
    return 1000 * (60 * int(found[1]) + int(found[2])) if found else None


def _page(
    table: Mapping[str, Any],
    services: HallServices,
    trouble: Sentence | str = "",
    given: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """The page; `given`: the form that was refused, which comes back as it was with the reason in it."""
    state = table["state"]
    orders = services.rulings.last(table["table"])
    last = [{**one, "action": _in_words(json.loads(one["action"]), one["players"])} for one in orders]
    held = table["held"]["match"]
    name = f"{table['table']}.{held}" if held else ""
    pictures = services.pictures.here(name)[-MOST_PICTURES:][::-1] if name else []
    waits = [one for one in services.pictures.asked(name) if one["answer"] != "came"][:1] if name else []
    values = {"table": table, "state": state, "last": last, "trouble": trouble, "given": given}
    values |= {"name": name, "pictures": pictures, "waits": waits}
    return Response(render_template("hall/rulings.html", **values), 422 if trouble else 200)


def _in_words(action: Mapping[str, Any], players: Mapping[str, str]) -> str:
    """An order in the words of its form, with its reason; `players`: the names by seat, as far as they are known."""
    penalty, order = action.get("penalty", {}), action.get("order", "")
    what = {
        "coming": _("I am coming"),
        "call_director": _("Ruling"),
        "condone": _("Let it stand"),
        "correct": _("Take it back"),
        "rule": _("Penalty points"),
        "set": _("Set the clock"),
        "stop": _("Stop the clock"),
        "start": _("Start the clock"),
    }[order or action["type"]]
    amount = f"{penalty['minutes']} min" if "minutes" in penalty else f"+{penalty.get('points', 1)}"
    names = {"south": _("South"), "north": _("North"), **players}
    given = [f"{names[penalty['to']]} {amount}"] if penalty else []
    for side in ("south", "north"):
        if (ms := action.get(f"{side}_ms")) is not None:
            given.append(f"{names[side]} {ms // 60_000}:{ms // 1000 % 60:02}")
    return ": ".join(
        filter(None, (what, ", ".join(given), action.get("question", ""), action.get("why", "")))
    )
