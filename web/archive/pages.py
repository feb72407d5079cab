"""The pages: all matches, one match step by step, its summary, all players, one player."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _
from werkzeug.datastructures import FileStorage

from sentence import NOTHING, Sentence, say
from web.access import check_origin, keeper_here, nothing_here, visitor_here, with_referrer
from web.archive.access import done, existing, keeps, kept, looker
from web.archive.plots import around, centred, from_zero, plot
from web.errors import RefusedError
from web.languages import decimal, in_words, language_of, points
from web.pages import go, not_joined
from web.qr import qr_code
from web.records import endings, sent, sheet_page, signed_code, worths
from web.roles import Role
from web.site import site

archive = Blueprint("archive", __name__)

FIELDS = ("player", "event", "since", "until", "state")
"""The fields of a search."""
UPLOAD_BYTES = 1024 * 1024
"""Most bytes of a form with a file; the server takes as much (web/server/connection.py)."""
FILE_BYTES = UPLOAD_BYTES - 64 * 1024
"""Most bytes of the file in it."""
KINDS = ("mat", "sgf", "ogxm", "json", "zip")


class _Result(NamedTuple):
    """What became of a file: the id of its match, or why it was not opened."""

    name: str
    match: str
    why: Sentence = NOTHING


@archive.before_request
def _ask_to_join() -> Response | None:
    """The page for those who have not joined."""
    return None if visitor_here() else not_joined()


archive.after_request(with_referrer)


def _drawn(template: str, **values: Any) -> Response:
    visitor = visitor_here()
    assert visitor is not None, "those who have not joined get no page"
    here = {"theme": site().settings.theme, "keeps": keeps(visitor), "role": visitor.role.value}
    return Response(render_template(template, **here, **values))


def _asked() -> Mapping[str, str]:
    return {name: request.args.get(name, "")[:200] for name in (*FIELDS, "page")}


def _match(match_id: str) -> Mapping[str, Any]:
    return existing(kept().about(match_id))


def _manage(match_id: str) -> str:
    """The page on which a match is saved, continued and deleted."""
    return f"/matches/{quote(match_id)}/manage"


# All matches


@archive.get("/matches")
def matches() -> Response:
    """All matches, newest first; the fields of a search as the address' query."""
    keeper_here()
    return _list()


def _list(trouble: Sentence = NOTHING, results: Sequence[_Result] = ()) -> Response:
    """The list; with a sentence why a file was not opened, or with what became of several; a refusal if none was."""
    asked = _asked()
    given = {name: asked[name] for name in FIELDS if asked[name]}
    found = kept().find(asked)
    answer = _drawn(
        "archive/list.html",
        trouble=in_words(trouble) if trouble else "",
        results=results,
        found=found,
        asked=asked,
        query=urlencode(given),
        is_search=bool(given),
        is_deleted="deleted" in request.args,
        opened=kept().opened() if not given and found["page"] == 1 else (),
        most_bytes=FILE_BYTES,
    )
    answer.status_code = 422 if trouble or (results and not any(one.match for one in results)) else 200
    return answer


@archive.post("/matches/open")
def open_files() -> Response:
    """Keep match files of other programs: a single one is shown; of several the list says what became of each."""
    request.max_content_length = UPLOAD_BYTES
    keeper_here()
    check_origin()
    files = [file for file in request.files.getlist("file") if file.filename]
    if not files:
        return _list(say("Choose a file first."))
    results = [_opened(file) for file in files]
    if len(files) > 1 or "several" in request.form:
        return _list(results=results)
    if results[0].why:
        return _list(results[0].why)
    return go(f"/matches/{quote(results[0].match)}")


def _opened(file: FileStorage) -> _Result:
    with closing(file):  # a large one waits in a temporary file
        name = file.filename or ""
        opened = kept().open(name, file.read())
    return _Result(name, "", opened) if isinstance(opened, Sentence) else _Result(name, opened)


@archive.get("/matches/all.zip")
def all_matches() -> Response:
    """The records of the matches that fit a search, as one zip."""
    keeper_here()
    return sent(kept().export_found(_asked()))


@archive.get("/matches/<match_id>/export/<kind>")
def export(match_id: str, kind: str) -> Response:
    """The record of a match as a file."""
    keeper_here()
    language = language_of(request, site().settings.language)
    return sent(kept().export(match_id, kind, language) if kind in KINDS else None, _manage(match_id))


@archive.post("/matches/<match_id>/event")
def label(match_id: str) -> Response:
    """Name the event of a match."""
    keeper_here()
    check_origin()
    done(kept().label(match_id, request.form.get("event", "")[:200]))
    return go(_manage(match_id))


@archive.get("/matches/<match_id>/manage")
def manage(match_id: str) -> Response:
    """What can be done with a match: save it, name its event, go on with it or correct it, delete it."""
    keeper_here()
    return _drawn("archive/manage.html", match=_match(match_id), kinds=kept().kinds(match_id))


@archive.post("/matches/<match_id>/delete")
def delete(match_id: str) -> Response:
    """Delete a match for good; the box in the form has to be ticked."""
    visitor = keeper_here()
    check_origin()
    if request.form.get("sure") != "yes":
        raise RefusedError(
            422,
            _("Not possible"),
            _("Tick the box first: a deleted match cannot be brought back."),
            _manage(match_id),
        )
    done(kept().delete(visitor, match_id), _manage(match_id))
    return go("/matches?deleted=1")


@archive.post("/matches/<match_id>/resume")
def resume(match_id: str) -> Response:
    """Put a match on the table again: to go on with it, or to correct it if it is over."""
    visitor = keeper_here()
    check_origin()
    done(kept().resume(visitor, match_id), _manage(match_id))
    return go("/")


# One match


@archive.get("/matches/<match_id>")
def replay(match_id: str) -> Response:
    """A match step by step."""
    looker(match_id)
    return _drawn("archive/replay.html", match=_match(match_id))


@archive.get("/matches/<match_id>/summary")
def summary(match_id: str) -> Response:
    """The result of a match and what the engine says about it."""
    looker(match_id)
    shown = existing(kept().summary(match_id))
    swing = [[moment["equity"] for moment in game] for game in shown.get("swing", ())]
    words = {
        "worths": worths(),
        "endings": endings(),
        "cube": _cube_lines(shown),
        "errors": _errors(shown),
        "left_out": _left_out(shown),
    }
    about = kept().sheet(match_id) or {}
    is_running = shown["status"]["state"] == "running" and "report" not in shown
    curve = plot(swing, centred(swing))
    answer = _drawn(
        "archive/summary.html",
        shown=shown,
        match=shown["about"],
        curve=curve,
        signed=about.get("signed"),
        **words,
    )
    if is_running:
        answer.headers["Refresh"] = "4"
    return answer


def _cube_lines(shown: Mapping[str, Any]) -> list[tuple[str, int]]:
    """What the analysis says about the cube, each line with the event that has the position, 0 without one."""
    if shown.get("cube"):
        return [(_told(one, "text"), one["step"]["n"] if one["step"] else 0) for one in shown["cube"]]
    kept_lines = shown.get("report", {}).get("say", {}).get("cube", ())  # all that earlier versions kept
    return [(in_words(Sentence.of_json(one)), 0) for one in kept_lines]


def _errors(shown: Mapping[str, Any]) -> dict[str, str]:
    """The kinds of mistakes with the cube, in words."""
    return {one["kind"]: _told(one, "error") for one in shown.get("cube", ())}


def _left_out(shown: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], str, str]]:
    """The illegal plays that no analysis grades, each with its play and its fault in words."""
    illegal = shown.get("report", {}).get("illegal", ())
    return [(one, _told(one, "play"), _told(one, "why")) for one in illegal]


def _told(one: Mapping[str, Any], field: str) -> str:
    """A field in the visitor's language."""
    template = one["say"].get(field)
    return in_words(Sentence.of_json(template)) if template else str(one[field])


@archive.get("/matches/<match_id>/summary.svg")
def summary_code(match_id: str) -> Response:
    """The summary of a match that is over, as text in a QR code (SVG)."""
    looker(match_id)
    shown = existing(kept().summary(match_id))
    if not shown["over"]:
        raise nothing_here()
    return qr_code("\n".join(_in_short(shown)), "l")


def _in_short(shown: Mapping[str, Any]) -> Iterator[str]:
    """The summary in a few lines of text."""
    about = shown["about"]
    length = _("Match to %(n)s", n=about["length"]) if about["length"] else _("Money play")
    if about.get("chouette"):
        yield ", ".join(f"{name} {points(account)}" for name, account in about["chouette"].items())
    else:
        south, north = about["players"]["south"], about["players"]["north"]
        yield f"{south} {about['score']['south']} : {about['score']['north']} {north}"
    yield " · ".join([about["began"], length, in_words(about["rules"]), *filter(None, [about["event"]])])
    if about["won"]:
        yield in_words(about["won"])
    report = shown.get("report")
    for name, one in zip(report["players"], report["figures"], strict=True) if report else ():
        rate = decimal(one["error_rate_memg"] / 2, 1) if one["decisions"] else "?"
        yield f"{name}: PR {rate}, {_('luck %(n)s', n=decimal(one['luck_total'], 2, signed=True))}"
    for name, before, after in shown["ratings"] or ():
        yield f"{name}: {_('Rating')} {before:.0f} → {after:.0f}"


@archive.get("/matches/<match_id>/sheet")
def sheet(match_id: str) -> Response:
    """The score sheet of a match."""
    looker(match_id)
    return sheet_page(existing(kept().sheet(match_id)), f"/matches/{quote(match_id)}")


@archive.get("/matches/<match_id>/signed/<int:number>.svg")
def signed(match_id: str, number: int) -> Response:
    """The statement signed last about a match, which is about this event, as a QR code (SVG)."""
    looker(match_id)
    return signed_code(kept().sheet(match_id), number)


@archive.post("/matches/<match_id>/analyse")
def analyse(match_id: str) -> Response:
    """Begin to analyse a match."""
    keeper_here()
    check_origin()
    done(kept().analyse(match_id))
    return go(f"/matches/{match_id}/summary")


# Players


@archive.get("/players")
def players() -> Response:
    """All players."""
    keeper_here()
    return _drawn("archive/players.html", players=kept().players())


@archive.post("/players/join")
def join_names() -> Response:
    """Count a name as another player's: director only, as it changes everybody's figures."""
    visitor = keeper_here()
    check_origin()
    if visitor.role is not Role.DIRECTOR:
        raise RefusedError(403, "Not in this role", _("Only the director joins players’ names."))
    old, new = (request.form.get(key, "").strip()[:80] for key in ("old", "new"))
    met = _met(old, new)
    if met and request.form.get("sure") != "yes":
        return _drawn("archive/join.html", old=old, new=new, met=met)
    done(kept().join_names(old, new))
    return go(f"/players/{quote(new, safe='')}")


def _met(old: str, new: str) -> int:
    """Number of matches that two players have played against each other."""
    one, other = (kept().player(name) for name in (old, new)) if old != new else (None, None)
    return sum(match.opponent == other["name"] for match in one["matches"]) if one and other else 0


@archive.post("/players/forget")
def forget() -> Response:
    """Delete all matches of a player for good; the box in the form has to be ticked."""
    visitor = keeper_here()
    check_origin()
    if request.form.get("sure") != "yes":
        raise RefusedError(
            422, _("Not possible"), _("Tick the box first: deleted matches cannot be brought back.")
        )
    done(kept().forget(visitor, request.form.get("name", "")[:80]))
    return go("/players")


@archive.get("/players/<path:name>")
def player(name: str) -> Response:
    """One player."""
    keeper_here()
    shown = kept().player(name)
    if shown is None:
        raise RefusedError(404, "No such player", _("Nobody of this name has played here."))
    analysed = [match for match in reversed(shown["matches"]) if match.decisions]
    rates = [500 * match.error / match.decisions for match in analysed]
    course = shown["rating"].course if shown["rating"] else []
    plots = {"rates": plot([rates], from_zero(rates)), "course": plot([course], around(course, 100.0))}
    return _drawn("archive/player.html", shown=shown, analysed=len(rates), **plots)
