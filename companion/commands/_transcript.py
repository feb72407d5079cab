"""What `transcribe` writes: a JSON object for each thing that became known, and the record at the end."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.commands._seeing import answer_with
from companion.commands._seeing import in_words as throw_in_words
from companion.game.events import MatchBegan, Orientation
from companion.game.table import Table
from companion.inference.findings import GameEnded, Kind, Made, TurnOpen, TurnSeen
from companion.inference.opening import StartSeen
from companion.inference.record import table_of
from companion.inference.views import colour_of, physical_counts
from companion.protocol.match_setup import settings_of
from companion.records.export import json_text, mat_text, sgf_text
from companion.records.rows import Row, row_of
from companion.rules.board import BAR, OFF, Board, Roll, Side
from companion.rules.notation import write_play
from companion.rules.profile import Profile
from companion.service.checkers.following import DiceLifted, Seen, ThrowRuled
from companion.storage.wholefile import write_whole
from vision.frame import Frame
from vision.watch.watcher import BoardMoved

MATCH_ID = "transcribed"


class Transcriber:
    """Turns what was seen into lines, and keeps the turns for the record.

    Attributes:
        terms: the profile, the length and the beginning of the match, as they were given.
    """

    def __init__(self, profile: Profile, length: int, began_ms: int) -> None:
        """Begin a match under a profile at a time in milliseconds since 1970; length 0 is money play."""
        self.terms = profile, length, began_ms
        self._profile, self._length, self._began_ms = self.terms
        self._orientation = Orientation()
        self._games: list[list[Made]] = []
        self._times_ms: dict[tuple[int, int], int] = {}
        self._findings: dict[tuple[int, int], bool] = {}  # turns: whether open or illegal

    @property
    def has_begun(self) -> bool:
        """Whether a starting position was seen."""
        return bool(self._games)

    @property
    def games(self) -> Sequence[Sequence[Made]]:
        """The turns of each game, as they are in the record."""
        return self._games

    @property
    def has_findings(self) -> bool:
        """Whether a turn stayed open or was illegal."""
        return any(self._findings.values())

    def lines(self, seen: Sequence[Seen], frame: Frame, turns: Sequence[Made]) -> list[dict[str, Any]]:
        """The lines for what a frame has made known, in the form of docs/COMMANDS.md; a "warning" is for people.

        `turns` are those of the present game in their likeliest explanation; they are kept for the record.
        """
        if any(isinstance(one, StartSeen) for one in seen):
            self._games.append([])
        if self._games and turns:
            self._games[-1] = list(turns)
        return [self._line(one, frame) for one in seen]

    def _line(self, one: Seen, frame: Frame) -> dict[str, Any]:
        when = {"frame": frame.number, "t": round(frame.at_s, 3)}
        match one:
            case StartSeen():
                return self._started(one, when)
            case ThrowRuled():
                return {"event": "roll", **when, **answer_with(one.reading, one.ruling)}
            case DiceLifted():
                return {"event": "lifted", **when}
            case TurnSeen():
                self._known(one.made.number, frame, one.made.kind is Kind.ILLEGAL)
                return self._decided(one, when)
            case TurnOpen():
                self._known(one.number, frame, True)
                return self._open(one, when)
            case GameEnded():
                return {"event": "end", **when, "winner": one.winner.value, "points": self._points()}
            case BoardMoved():
                where = "found again" if one.board else "not in view"
                return {"warning": f"The board or the camera has moved; the board is {where}."}

    def _known(self, number: int, frame: Frame, finding: bool) -> None:
        at = len(self._games) - 1, number
        self._times_ms.setdefault(at, self._began_ms + round(frame.at_s * 1000))
        self._findings[at] = finding

    def _started(self, one: StartSeen, when: dict[str, Any]) -> dict[str, Any]:
        self._orientation = one.orientation
        south = "ab"[colour_of(Side.SOUTH, one.orientation)]
        wrong = {"wrong": list(one.wrong)} if one.wrong else {}
        return {"event": "start", **when, "south": south, "position": self._position(one.board), **wrong}

    def _decided(self, one: TurnSeen, when: dict[str, Any]) -> dict[str, Any]:
        made = one.made
        line = {"event": "illegal" if made.kind is Kind.ILLEGAL else "play", **when, "turn": made.number}
        line |= {"player": made.side.value, "roll": _dice(made.roll)}
        line |= {} if made.play is None else {"play": write_play(made.play)}
        line |= {"after": self._position(made.after), "confidence": round(one.chance, 4)}
        line |= {"why": str(made.fault)} if made.kind is Kind.ILLEGAL else {}
        return line | ({"corrected": True} if one.corrected else {})

    def _open(self, one: TurnOpen, when: dict[str, Any]) -> dict[str, Any]:
        known = [
            {
                "play": None if made.play is None else write_play(made.play),
                "roll": _dice(made.roll),
                "after": self._position(made.after),
                "confidence": round(chance, 4),
            }
            for made, chance in one.candidates
        ]
        line = {
            "event": "open",
            **when,
            "turn": one.number,
            "player": one.side.value,
            "roll": _dice(one.roll),
        }
        return {**line, "candidates": known, "why": str(one.why)}

    def _position(self, board: Board) -> dict[str, Any]:
        """A board by colours and physical points."""
        a, b = zip(*physical_counts(board, self._orientation), strict=True)
        light, dark = sorted(Side, key=lambda side: colour_of(side, self._orientation))
        one, other = board.seen_by(light).mine, board.seen_by(dark).mine
        return {
            "a": a,
            "b": b,
            "bar": {"a": one[BAR], "b": other[BAR]},
            "off": {"a": one[OFF], "b": other[OFF]},
        }

    def _table(self) -> Table:
        first = MatchBegan(
            MATCH_ID,
            "South",
            "North",
            self._length,
            self._profile.name,
            settings_of(self._profile),
            self._orientation,
            at_ms=self._began_ms,
        )
        return table_of(first, self._games, self._times_ms)

    def _points(self) -> int | None:
        """Points of the game that has just ended; None if its record does not end it."""
        state = self._table().state
        ended = state is not None and len(state.games) == len(self._games)
        return state.games[-1].result.points if state and ended else None

    def write(self, path: Path) -> None:
        """Write the record in the format of the path's ending."""
        table, ending = self._table(), path.suffix.lower()
        if ending == ".mat":
            text = mat_text(table)
        elif ending == ".sgf":
            text = sgf_text(table)
        else:
            text = json_text(_rows(table), table)
        write_whole(path, text.encode())


def _rows(table: Table) -> list[Row]:
    rows: list[Row] = []
    for entry in table.entries:
        rows.append(row_of(entry.event, MATCH_ID, entry.number, rows[-1].digest if rows else ""))
    return rows


def _dice(roll: Roll | None) -> list[int] | None:
    return None if roll is None else [roll.high, roll.low]


def in_words(line: dict[str, Any]) -> str:
    """A line for people."""
    who, dice = line.get("player", ""), "-".join(map(str, line.get("roll") or ()))
    match line["event"]:
        case "start":
            wrong = ", ".join(map(str, line.get("wrong", ())))
            return "the starting position" + (f"; these points are not set up: {wrong}" if wrong else "")
        case "roll":
            return throw_in_words(line)
        case "play":
            again = "corrected: " if line.get("corrected") else ""
            return f"{again}{who} {dice}: {line['play'] or 'no play'}"
        case "illegal":
            return f"{who} {dice}: illegal. {line['why']}"
        case "open":
            plays = " or ".join(dict.fromkeys(_candidate(one, line) for one in line["candidates"]))
            return f"{who} {dice or '?'}: not sure: {plays}. {line['why']}"
        case "end":
            return f"{line['winner']} wins {line['points']}"
    return str(line["event"])


def _candidate(one: dict[str, Any], line: dict[str, Any]) -> str:
    """A candidate of an open turn for people, with its roll where the dice do not tell it."""
    if one["play"] is None:
        return "another position"
    roll = "-".join(map(str, one["roll"] or ())) if line["roll"] is None else ""
    return " ".join(filter(None, [roll, one["play"] or "no play"]))
