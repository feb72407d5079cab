"""What the page shows, as types: the JSON of docs/PROTOCOL.md, and who is looking at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, NotRequired, TypeAlias, TypedDict

Seat: TypeAlias = Literal["south", "north"]
LampState: TypeAlias = Literal["off", "on", "blink"]


class Role(Enum):
    """What a visitor may do; each contains the ones before it."""

    VIEWER = "viewer"
    PLAYER = "player"
    SCOREKEEPER = "scorekeeper"
    DIRECTOR = "director"

    @property
    def rank(self) -> int:
        """0 for a viewer up to 3 for a director."""
        return list(Role).index(self)


@dataclass(frozen=True, slots=True)
class Visitor:
    """One browser: the role in its join code, for a player also the seat."""

    role: Role
    seat: Seat | None = None
    code: str = ""


class Pair(TypedDict):
    """Something that each side has."""

    south: int
    north: int


class Dice(TypedDict):
    """The opening while it is thrown: one die each, or the sums where each side throws both."""

    south: int | None
    north: int | None
    each: NotRequired[int]


class Names(TypedDict):
    """The players."""

    south: str
    north: str


class Die(TypedDict):
    """One die as the camera read it; `box` is x0, y0, x1, y1 in the picture's pixels."""

    value: int | None
    rest: str | None
    half: str | None
    tilt_deg: float | None
    confidence: float
    box: list[float] | None


class Throw(TypedDict):
    """What lies on the board, with the picture it was read from; `size` is its width and height in pixels."""

    dice: list[Die]
    picture: str | None
    size: list[int]


class Board(TypedDict):
    """Checkers in south's numbering: index 0 is south's 1-point; south's count up, north's down."""

    points: list[int]
    bar: Pair
    off: Pair


class Position(TypedDict):
    """Where the checkers stand."""

    xgid: str
    pos: list[int]
    pips: Pair | None
    board: Board


class Play(TypedDict):
    """A legal play; points in the mover's numbering, bar 25, off 0."""

    text: str
    moves: list[list[int]]
    result: list[int]


# "from" is no attribute name, hence the functional form.
Next = TypedDict("Next", {"from": int, "to": int, "number": int, "hits": bool})


class Making(TypedDict):
    """The play as far as it has been entered."""

    moves: list[list[int]]
    text: str
    next: list[Next] | None
    complete: bool
    refused: str


class Waiting(TypedDict):
    """A roll that was thrown early and counts once what is before it is settled."""

    side: Seat
    roll: list[int]


class CubeView(TypedDict):
    """The doubling cube."""

    value: int
    owner: Seat | None
    offered: int | None
    may_double: bool


class DisputeAnswer(TypedDict):
    """One way to settle a dispute."""

    type: str
    label: str
    by: Seat | None


class Dispute(TypedDict):
    """A question that the people at the table have to settle."""

    kind: str
    by: NotRequired[Seat]
    text: str
    answers: list[DisputeAnswer]


class Resigning(TypedDict):
    """A resignation that waits for its answer."""

    by: Seat
    worth: int
    counts: NotRequired[int]
    points: NotRequired[int | None]


class Result(TypedDict):
    """How the game that is just over was won."""

    winner: Seat
    worth: int
    cube: int
    points: int
    how: str


class Match(TypedDict):
    """What is played for; length 0 is money play."""

    id: str
    length: int
    crawford: bool
    score: Pair
    players: Names
    profile: str
    game: int
    winner: Seat | None
    director: NotRequired[bool]
    head: NotRequired[str | None]


class Bank(TypedDict):
    """One side's time."""

    reserve_ms: int
    delay_ms: int


class Clock(TypedDict):
    """Both sides' time as it stood at `at_ms`."""

    running: Seat | None
    south: Bank
    north: Bank
    at_ms: int
    held: NotRequired[bool]


class Lamps(TypedDict):
    """The lamps as they burn on the table."""

    south_turn: LampState
    north_turn: LampState
    cube_south: LampState
    cube_north: LampState
    valid: LampState
    again: LampState
    look: LampState


class CameraView(TypedDict):
    """Whether the dice are being seen."""

    state: Literal["live", "recorded", "lost", "none"]
    text: str


class Orientation(TypedDict):
    """How the board lies: where south's home board is and which checkers south has."""

    home: Literal["right", "left"]
    south: Literal["light", "dark"]


class Happening(TypedDict):
    """A line of the history."""

    n: int
    side: Seat | None
    text: str
    picture: str | None
    corrected: NotRequired[bool]
    undone: NotRequired[bool]
    misfit: NotRequired[str]


class Notice(TypedDict):
    """A sentence to show once."""

    n: int
    text: str
    level: Literal["info", "warn", "alarm"]


class Health(TypedDict):
    """How one part of the machine is doing."""

    what: str
    verdict: str
    text: str
    remedy: str


class State(TypedDict):
    """Everything the page shows; each field is explained in docs/PROTOCOL.md."""

    seq: int
    durable: bool
    phase: str
    on_roll: Seat | None
    asked: Seat | None
    may: list[str]
    roll: list[int] | None
    opening: Dice | None
    ruling: Literal["valid", "cocked", "unread"] | None
    reasons: list[str]
    reason_text: str
    throw: Throw | None
    position: Position
    plays: list[Play] | None
    making: Making | None
    owed: bool
    waiting: Waiting | None
    cube: CubeView
    dispute: Dispute | None
    resigning: Resigning | None
    result: Result | None
    match: Match | None
    clock: Clock | None
    lamps: Lamps
    camera: CameraView
    aids: Literal["shown", "withheld"]
    orientation: Orientation
    history: list[Happening]
    health: NotRequired[list[Health] | None]
    notices: list[Notice]


Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
