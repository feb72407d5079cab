"""The page of the hall's pairings: the director's list, which table plays what, what became of it, and the draw."""

import codecs
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from sentence import Sentence, say
from web.access import check_origin, with_referrer
from web.hall.for_director import director_here
from web.pages import go
from web.services import Drawing, HallServices

pairings = Blueprint("pairings", __name__)
pairings.after_request(with_referrer)

DRAW = {"event": 80, "kind": 20, "round": 8, "length": 8, "rules": 40, "names": 100_000}
"""The fields of the draw's form, and the most letters of each."""
LIST_BYTES = 1000 * 1000
"""Longest form: a list of pairings, as browsers write it in forms."""


def _form() -> HallServices:
    """The services, for a form of this length; RefusedError for whoever is not the director."""
    request.max_content_length = request.max_form_memory_size = LIST_BYTES
    services = _services()
    check_origin()
    return services


def _services() -> HallServices:
    return director_here(_("The pairings are for the director of the hall."))[1]


@pairings.get("/pairings")
def listed() -> Response:
    """All pairings, and the forms for another list and for a draw: of an event drawn before, or with its players."""
    services = _services()
    again, players = request.args.get("again", "")[:80], request.args.get("players", "")[:80]
    given = {"names": services.draws.players(players)} if players else {}
    former = [one for one in services.draws.choices()["former"] if again and one["event"] == again]
    return _page(given=former[0] if former else given)


@pairings.post("/pairings")
def change() -> Response:
    """Take a list, give a pairing to a table, or delete one."""
    services = _form()
    text, pairing = request.form.get("list", ""), request.form.get("pairing", "")
    file = request.files.get("file")
    if file is not None and file.filename:
        read = _text_of(file.read())
        if isinstance(read, Sentence):
            return _page(text, read, 422)
        text = read
    drops = request.form.get("do") == "drop"
    if pairing and request.form.get("sure") != "yes":
        begun = next((one for one in services.pairings.all() if one["id"] == pairing and one["match"]), None)
        if begun is not None:
            return _asked(begun, drops=drops, table=request.form.get("table", ""))
    if drops:
        trouble = services.pairings.drop(pairing)
    elif pairing:
        trouble = services.pairings.give(pairing, request.form.get("table", ""))
    else:
        trouble = services.pairings.take(text)
    return _page(text, trouble, 422) if trouble else go("/pairings")


def _asked(one: Mapping[str, Any], *, drops: bool, table: str) -> Response:
    """Ask before a pairing that has begun is offered again or deleted, as its match is then no longer the pairing's."""
    return Response(render_template("hall/unbind.html", one=one, drops=drops, table=table))


def _text_of(content: bytes) -> str | Sentence:
    """A list's text: UTF-8, or UTF-16 with its mark, as spreadsheets write it; a sentence for any other.

    Letters of other encodings cannot be told apart, and would change players' names.
    """
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 if marked else content[: error.start].count(b"\n") + 1
        return say("Line {line} is not in UTF-8: save the list as “CSV UTF-8”, or paste it.", line=line)


@pairings.post("/pairings/draw")
def draw() -> Response:
    """Propose the next round of an event, or take over the one that was proposed."""
    services = _form()
    given = {name: request.form.get(name, "").strip()[:most] for name, most in DRAW.items()}
    if request.form.get("do") == "take":
        trouble = services.pairings.take(request.form.get("list", ""))
        if trouble:
            return _page(trouble=trouble, status=422, given=given)
        services.draws.keep(given)
        return go("/pairings")
    drawing = services.draws.propose(given)
    if isinstance(drawing, Sentence):
        return _page(trouble=drawing, status=422, given=given)
    return _page(given=given, drawing=drawing)


def _page(
    text: str = "",
    trouble: Sentence | None = None,
    status: int = 200,
    given: Mapping[str, str] | None = None,
    drawing: Drawing | None = None,
) -> Response:
    services = _services()
    values = {
        "pairings": services.pairings.all(),
        "tables": services.tables(),
        "choices": services.draws.choices(),
        "given": dict.fromkeys(DRAW, "") | dict(given or {}),
        "drawing": drawing,
    }
    return Response(render_template("hall/pairings.html", text=text, trouble=trouble, **values), status)
