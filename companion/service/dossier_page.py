"""The dossier's index page: the score sheet and every event with its time, clocks, board and picture."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, Template

from companion.game.clock import Clock, minutes
from companion.game.events import Overruled, RollTyped, Thrown
from companion.game.history_lines import flag_of, line_of, quiet_words, throw_of
from companion.game.state import State
from companion.game.state_machine import step
from companion.game.table import Entry, Table
from companion.records.diagram import board_svg, field_svg
from companion.records.export import score_sheet
from companion.records.ids import xgid_of
from companion.records.rows import Row, event_of, moment_of
from companion.rules.board import Side
from companion.rules.referee import Valid, ruling_sentence
from companion.storage.signing import Statement
from sentence import Sentence, say
from web.languages import points, translations_in, wording_in

Pictures = Callable[[str], bytes | None]
_WORTHS: Mapping[int, Sentence] = {1: say("single game"), 2: say("gammon"), 3: say("backgammon")}
_ENDINGS: Mapping[str, Sentence] = {
    "borne_off": say("all borne off"),
    "passed": say("double passed"),
    "resigned": say("resigned"),
    "settled": say("settled"),
    "time": say("time used up"),
    "penalty": say("penalty points"),
    "mother_pinned": say("mother pinned"),
    "tie": say("both mothers pinned"),
}


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture in the dossier.

    Attributes:
        number: of its event.
        name: in the dossier, such as `pictures/game-3-roll-17.jpg`.
        kept: its name in the program's own folder.
        state: `there`, `gone` (removed by the quota or by somebody) or `changed` (its digest differs).
    """

    number: int
    name: str
    kept: str
    state: str


def rolls_of(table: Table) -> Iterator[tuple[Entry, int, bool]]:
    """Each entry with the number of valid rolls in its game until then, and whether it brought one of them."""
    before: State | None = None
    game, roll = 0, 0
    for entry in table.entries:
        if entry.state.game != game:
            game, roll = entry.state.game, 0
        throw = throw_of(before, entry.state)
        is_roll = throw is not None and isinstance(throw.ruling, Valid)
        if isinstance(entry.event, Overruled):  # of a roll that counted already, it stays the same one
            is_roll = is_roll and not (before and before.throw and isinstance(before.throw.ruling, Valid))
        elif not isinstance(entry.event, (Thrown, RollTyped)):
            is_roll = False
        roll += is_roll
        yield entry, roll, is_roll
        before = entry.state


def shots_of(table: Table, pictures: Pictures) -> list[Shot]:
    """Pictures of a match by game and roll; cocked and unread throws are numbered before the roll that they precede."""
    found, place, tries = [], (0, 0), 0
    for entry, roll, is_roll in rolls_of(table):
        game = entry.state.game
        # also of a throw that was corrected later
        thrown = (event.evidence for event in (entry.event, *entry.was) if isinstance(event, Thrown))
        evidence = next(thrown, None)
        if evidence is None or evidence.picture is None:
            continue
        name = f"pictures/game-{game}-roll-{roll}.jpg"
        if not is_roll:
            tries = tries + 1 if place == (game, roll) else 1
            place = (game, roll)
            name = f"pictures/game-{game}-before-roll-{roll + 1}-throw-{tries}.jpg"
        data = pictures(evidence.picture)
        state = "gone" if data is None else "there"
        if data is not None and evidence.sha256 not in (None, sha256(data).hexdigest()):
            state = "changed"
        found.append(Shot(entry.number, name, evidence.picture, state))
    return found


def index_html(
    rows: Sequence[Row],
    table: Table,
    shots: Sequence[Shot],
    signed: Sequence[Statement] = (),
    language: str = "en",
) -> str:
    """The dossier's index page in a language of the page, with times in this machine's zone and in UTC."""
    wording = wording_in(language)
    by_entry, clocks = {shot.number: shot for shot in shots}, _clocks_of(rows)
    digests = {row.number: row.digest for row in rows}
    before = (None, *(entry.state for entry in table.entries))
    lines = [
        {
            **_line(entry, state, wording),
            "roll": roll or "",
            "clock": _clock_text(clocks.get(entry.number)),
            "digest": digests.get(entry.number, ""),
            "shot": by_entry.get(entry.number),
        }
        for (entry, roll, _), state in zip(rolls_of(table), before, strict=False)
    ]
    assert table.state is not None, "a match has a state"
    began_ms, about = table.entries[0].event.at_ms, [one for one in signed if one.about == "match"]
    local = local_moment(began_ms)
    return _index(language).render(
        language=language,
        sheet=score_sheet(table),
        rules=table.state.terms.profile.title.in_words(wording),
        worths={worth: one.in_words(wording) for worth, one in _WORTHS.items()},
        endings={how: one.in_words(wording) for how, one in _ENDINGS.items()},
        began_ms=began_ms,
        zone=local.tzname() if local else "",
        head=rows[-1].digest if rows else "",
        signed=about[-1] if about else None,
        clocks=any(clocks.values()),
        field=field_svg(),
        lines=lines,
    )


@cache
def _index(language: str) -> Template:
    environment = Environment(
        autoescape=True, loader=PackageLoader("companion.service"), extensions=["jinja2.ext.i18n"]
    )
    environment.install_gettext_translations(translations_in(language), newstyle=True)  # type: ignore[attr-defined]
    environment.filters["points"] = points
    environment.filters["utc"] = lambda at_ms: _text_of(moment_of(at_ms))
    environment.filters["local"] = lambda at_ms: _text_of(local_moment(at_ms))
    return environment.get_template("dossier.html")


def local_moment(at_ms: int) -> datetime | None:
    """A time in this machine's zone; None outside the calendar."""
    moment = moment_of(at_ms)
    return moment.astimezone() if moment else None


def _text_of(moment: datetime | None) -> str:
    return str(moment.replace(microsecond=0, tzinfo=None)) if moment else "undated"


def _clocks_of(rows: Sequence[Row]) -> dict[int, Clock | None]:
    """The clock after each event as it was on that day, by the event's number."""
    table, found = Table(), {}
    for row in rows:
        table = step(table, event_of(row)).table
        found[row.number] = table.clock
    return found


def _clock_text(clock: Clock | None) -> str:
    """Both reserves, south's first, as 12:30 - 9:05; empty without a clock."""
    if clock is None:
        return ""
    return " - ".join(minutes(clock.reserve_of(side)) for side in Side)


def _line(entry: Entry, before: State | None, wording: Callable[[Sentence], str]) -> dict[str, Any]:
    """One event as the index page shows it."""
    side, text = line_of(entry, before)
    throw = throw_of(before, entry.state) if isinstance(entry.event, Thrown) else None
    ruling = throw.ruling if throw is not None and throw.ruling.reasons else None
    player = entry.state.called(side) if side else ""
    classes = {"undone": entry.undone, "misfit": flag_of(entry), ruling.word if ruling else "": ruling}
    return {
        "number": entry.number,
        "at_ms": entry.event.at_ms,
        "game": entry.state.game,
        "who": player if isinstance(player, str) else player.in_words(wording),
        "text": (text or quiet_words(entry.event)).in_words(wording),
        "reason": ruling_sentence(ruling).in_words(wording) if ruling else "",
        "by": entry.event.by,
        "classes": " ".join(name for name, holds in classes.items() if holds),
        "board": board_svg(entry.state),
        "xgid": xgid_of(entry.state),
    }
