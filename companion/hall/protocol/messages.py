"""The messages of the hall: JSON objects, read strictly; fields unknown here are ignored."""

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import msgspec

from companion.errors import GameError
from companion.records.rows import GENESIS, Row
from sentence import verbatim

MOST_BYTES = 1 << 18
"""Limit of a message: the longest row, which begins a match with all its settings, has some 4 kB."""
Seat = Literal["south", "north"]
Message = TypeVar("Message")


class BadMessageError(GameError, ValueError):
    """A message that is none of the hall's; its text is English only."""

    def __init__(self, text: str) -> None:
        super().__init__(verbatim(text))


@dataclass(frozen=True, slots=True)
class Held:
    """The hub's answer to a table: the last row it holds.

    Attributes:
        match: of the row; "" for none.
        number: of the row in its match.
        digest: of the row; 64 zeros for none.
        again: the table sends again what follows: the hub has just begun to listen, or a row was missing.
        refused: matches of which the hub holds other rows than the table sent; it takes no more of them.
        signed: signature of the statement that the hub took last; "" for none.
    """

    match: str = ""
    number: int = 0
    digest: str = GENESIS
    again: bool = False
    refused: tuple[str, ...] = ()
    signed: str = ""

    def is_row(self, row: Row) -> bool:
        """Whether it names this row."""
        return (self.match, self.number, self.digest) == (row.match_id, row.number, row.digest)


NOTHING_HELD = Held()


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a table is connected."""

    status: Literal["online", "offline"]


@dataclass(frozen=True, slots=True)
class About:
    """A table's birth, and what it plays with; published again when that changes.

    Attributes:
        version: of the program.
        session: a word that is new at each start of it.
        camera: as in the page's state: "live", "recorded", "lost", "none"; "" before its first state.
        profile: name of the rules of the match on the table, without one those that the next match has as usual.
        address: start of links to the table's own page; "" if it tells none.
    """

    version: str
    session: str
    camera: str = ""
    profile: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Both:
    """A number of each side."""

    south: int
    north: int


@dataclass(frozen=True, slots=True)
class Names:
    """The players."""

    south: str
    north: str


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in short; length 0 is money play."""

    id: str
    players: Names
    length: int
    score: Both
    game: int
    crawford: bool
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class CubeLine:
    """The cube; `offered` is the value of an open double."""

    value: int
    owner: Seat | None
    offered: int | None


@dataclass(frozen=True, slots=True)
class ClockLine:
    """Both reserves in ms; of the running side at `ends_ms` (since 1970, the table's clock) nothing is left.

    Before its reserve the running side uses up its delay; `ends_ms` counts both.
    """

    reserve_ms: Both
    running: Seat | None
    ends_ms: int | None


@dataclass(frozen=True, slots=True)
class TableState:
    """A table's state in short.

    Attributes:
        session: as in `About`.
        seq: rises with each state of a session.
        wanted: why a person is wanted: "director", "dispute", "camera", "disk".
    """

    session: str
    seq: int
    phase: str
    on_roll: Seat | None
    asked: Seat | None
    roll: tuple[int, int] | None
    cube: CubeLine
    match: MatchLine | None
    clock: ClockLine | None
    wanted: tuple[str, ...] = ()


def encoded(message: object) -> bytes:
    """A message as JSON."""
    return msgspec.json.encode(message)


def decoded(data: bytes, kind: type[Message]) -> Message:
    """The message of this kind in the bytes; BadMessageError for any others."""
    if len(data) > MOST_BYTES:
        raise BadMessageError(f"A message is longer than {MOST_BYTES} bytes.")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessageError(f"A message is no {kind.__name__}: {error}.") from None


def state_in_short(view: Any, session: str) -> TableState:
    """The short form of the page's state, as a viewer sees it (docs/PROTOCOL.md)."""
    cube, match, clock = view["cube"], view["match"], view["clock"]
    wanted = {
        "director": match is not None and match["director"],
        "dispute": view["dispute"] is not None,
        "camera": view["camera"]["state"] == "lost",
        "disk": not view["durable"],
    }
    return TableState(
        session,
        view["seq"],
        view["phase"],
        view["on_roll"],
        view["asked"],
        tuple(view["roll"]) if view["roll"] else None,
        CubeLine(cube["value"], cube["owner"], cube["offered"]),
        msgspec.convert(match, MatchLine) if match else None,
        _clock_line(clock) if clock else None,
        tuple(word for word, is_so in wanted.items() if is_so),
    )


def about_now(about: About, view: Any) -> About:
    """The table with camera and rules as in the page's state; `about` has the usual rules."""
    match = view["match"]
    return replace(
        about, camera=view["camera"]["state"], profile=match["profile"] if match else about.profile
    )


def _clock_line(clock: Any) -> ClockLine:
    running = clock["running"]
    ends_ms = None
    if running and not clock["held"]:
        ends_ms = clock["at_ms"] + clock[running]["delay_ms"] + clock[running]["reserve_ms"]
    return ClockLine(Both(clock["south"]["reserve_ms"], clock["north"]["reserve_ms"]), running, ends_ms)
