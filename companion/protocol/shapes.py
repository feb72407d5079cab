"""Shapes of the state: each type is one JSON object of docs/PROTOCOL.md, built by view.py.

/api/openapi.json is derived from these types. Optional keys are `NotRequired`; all others are always present.
"""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

import msgspec
from msgspec import Meta

Schema: TypeAlias = dict[str, Any]

Seat: TypeAlias = Literal["south", "north"]
Count = Annotated[int, Meta(ge=0)]
Face = Annotated[int, Meta(ge=1, le=6)]
Dice = Annotated[list[Face], Meta(min_length=2, max_length=2, description="the higher number first")]
Place = Annotated[int, Meta(ge=0, le=25, description="a point in the mover's numbering; bar 25, off 0")]
Hop = Annotated[list[Place], Meta(min_length=2, max_length=2, description="from and to")]
Checkers = Annotated[
    list[Annotated[int, Meta(ge=-30, le=30)]],
    Meta(
        min_length=26,
        max_length=26,
        description="the opponent's bar (negative), the points, the own bar; the opponent's checkers negative",
    ),
]
Pinned = Annotated[
    list[Annotated[int, Meta(ge=-1, le=1)]],
    Meta(min_length=26, max_length=26, description="pinned checkers: 1 the mover's, -1 the opponent's"),
]
Say = Annotated[
    dict[str, Any],
    Meta(description="by field, the template `t` and the values `v` of each sentence that can be translated"),
]
LampState: TypeAlias = Literal["off", "on", "blink"]
Reads: TypeAlias = Literal["off", "dice", "dice and checkers"]
CameraWord: TypeAlias = Literal["live", "recorded", "lost", "none"]


class Pair(TypedDict):
    """A number for each side."""

    south: int
    north: int


class Players(TypedDict):
    """The players' names."""

    south: str
    north: str


class OpeningDice(TypedDict):
    """The opening throw so far: one die for each side, or its sum if each side throws `each` dice.

    `again`: the dice were equal, and nothing was thrown since.
    """

    south: int | None
    north: int | None
    each: int
    again: bool


class DieRead(TypedDict):
    """One die as the camera read it; `box` is x0, y0, x1, y1 in pixels of the picture.

    `chances` of the numbers 1 to 6, where none was read: they order the question, and answer nothing.
    """

    value: Face | None
    rest: str | None
    half: Literal["left", "right"] | None
    tilt_deg: float | None
    confidence: float
    box: Annotated[list[float], Meta(min_length=4, max_length=4)] | None
    chances: Annotated[list[float], Meta(min_length=6, max_length=6)] | None


class ThrowRead(TypedDict):
    """The dice of the last throw, with their picture; `size` is its width and height in pixels."""

    dice: list[DieRead]
    picture: str | None
    size: Annotated[list[int], Meta(min_length=2, max_length=2)]


class PinnedPoints(TypedDict):
    """Points on which a side's single checker is pinned, in its own numbering."""

    south: list[int]
    north: list[int]


class BoardMap(TypedDict):
    """Checkers in south's numbering: index 0 is south's 1-point; south's count up, north's down.

    A pinned checker is not counted. `not_entered` counts checkers on the bar that were not hit. In a running game
    north's 24-point is south's 12-point.
    """

    points: Annotated[list[int], Meta(min_length=24, max_length=24)]
    bar: Pair
    off: Pair
    game: Literal["hitting", "pinning", "running", "blocking"]
    pinned: PinnedPoints
    not_entered: Pair


class PositionSeen(TypedDict):
    """The checkers; `pos` as the side on roll sees it, with `under` in a pinning game; no `pips` with aids withheld.

    `xgid` is empty in a game that no id can hold.
    """

    xgid: str
    pos: Checkers
    under: Pinned | None
    pips: Pair | None
    board: BoardMap


class LegalPlay(TypedDict):
    """A legal play, and the position after it; `under` in a pinning game only."""

    text: str
    moves: list[Hop]
    result: Checkers
    under: NotRequired[Pinned]


# "from" is no attribute name, hence the functional form.
NextMove = TypedDict("NextMove", {"from": Place, "to": Place, "number": int, "hits": bool})


Restriction = TypedDict("Restriction", {"from": list[Place], "text": str, "say": Say})


class Making(TypedDict):
    """The play entered so far; `next` is null with aids withheld, and `restrictions` is empty.

    `restrictions`: rules of the game, each with the points whose checkers it keeps from moving now.
    """

    moves: list[Hop]
    text: str
    next: list[NextMove] | None
    complete: bool
    refused: str
    restrictions: list[Restriction]


class PartOfTurn(TypedDict):
    """Numbers that were not thrown: who threw before them, the most plays of the number in `roll`, and its origin.

    `named`: the doublet was named after 2-1, or is the complement of such a one; `complement`: it is a complement.
    """

    thrower: Seat
    times: Annotated[int, Meta(ge=1, le=4)]
    named: bool
    complement: bool


class LastPlay(TypedDict):
    """The turn that ended last in this game; `play` is empty for a dance, or if only the position is known."""

    side: Seat
    roll: Dice | None
    play: str


class WaitingRoll(TypedDict):
    """An early roll, which counts once everything before it is settled."""

    side: Seat
    roll: Dice


class CubeState(TypedDict):
    """The doubling cube; `offered` is the value of an open double; `in_play`: the game has a cube."""

    in_play: bool
    value: int
    owner: Seat | None
    offered: int | None
    may_double: bool


class DisputeAnswer(TypedDict):
    """A possible answer to a dispute, and the side that may give it."""

    type: str
    label: str
    say: Say
    by: Seat


class DisputeOpen(TypedDict):
    """A question that the people at the table have to settle.

    `by` is the side that caused it; `roll` the early roll in question, else null.
    """

    kind: str
    by: Seat
    text: str
    say: Say
    roll: Dice | None
    answers: list[DisputeAnswer]


class ResignationOpen(TypedDict):
    """A resignation to be answered: `counts` is its worth after Jacoby's rule, `points` a settlement's."""

    by: Seat
    worth: int
    counts: int
    points: int | None


class GameResult(TypedDict):
    """The result of the game that has just ended; a draw has no winner.

    In a chouette `winner`, `worth`, `cube` and `points` are those of each partner's stake, null where these differ.
    """

    winner: Seat | None
    worth: int | None
    cube: int | None
    points: int | None
    how: str


class SignedHead(TypedDict):
    """The digest of an event's row, signed by this table: `key` is its public key in hexadecimal.

    `statement` is the whole signed line of docs/RECORD.md, to be printed or put into a QR code.
    """

    number: int
    head: str
    key: str
    statement: str


class MatchState(TypedDict):
    """The match: length 0 is money play; `crawford`: this is the Crawford game.

    `head`: the record's last digest; `signed`: the one signed last, at the end of a game. `variant`: the title of the
    game being played, empty for backgammon. `most_worth`: the most that a game counts, 1
    single, 2 gammon, 3 backgammon. `start`: the checkers at the beginning of a game. `unclaimed`: the program has begun
    it for recorded throws and nobody has done anything in it, so that nothing of it is kept yet. `formats`: the files
    that can hold the match.
    """

    id: str
    length: int
    crawford: bool
    score: Pair
    players: Players
    profile: str
    most_worth: Annotated[int, Meta(ge=1, le=3)]
    start: BoardMap
    game: int
    variant: str
    say: Say
    winner: Seat | None
    director: bool
    unclaimed: bool
    formats: list[str]
    head: str | None
    signed: SignedHead | None


class Bank(TypedDict):
    """One side's time."""

    reserve_ms: int
    delay_ms: int


class ClockState(TypedDict):
    """Both sides' time at `at_ms` (milliseconds since 1970); `held`: stopped by hand."""

    running: Seat | None
    south: Bank
    north: Bank
    at_ms: int
    held: bool


class Lamps(TypedDict):
    """The lamps on the table."""

    south_turn: LampState
    north_turn: LampState
    cube_south: LampState
    cube_north: LampState
    valid: LampState
    again: LampState
    look: LampState


class CameraView(TypedDict):
    """The camera's state, with a sentence.

    `reads`: what is read in its pictures; `board_found`: false while a board is looked for in vain.
    """

    state: CameraWord
    reads: Reads
    board_found: bool
    text: str
    say: Say


class PlayAsked(TypedDict):
    """A play that the checkers may show: its text, the position after it in the mover's view, and the board then;
    `under` in a pinning game only."""

    text: str
    legal: bool
    result: list[int]
    under: NotRequired[Pinned]
    board: BoardMap


class PlayQuestion(TypedDict):
    """The question which play was made; with `instead` the choice takes the place of the play in the record."""

    why: str
    say: Say
    roll: Dice
    instead: bool
    plays: list[PlayAsked]


class CheckersView(TypedDict):
    """The keeping of the board by camera: whether its last picture shows the record, and what it is unsure of.

    `differs`: it shows another board, and `text` says where. `board`: that board, where no play explains it.
    """

    keeps: bool
    differs: bool
    text: str
    say: Say
    question: PlayQuestion | None
    board: BoardMap | None


class PartnerCube(TypedDict):
    """The cube between a partner and the box; `owner`: who may turn it next, null for both."""

    value: int
    owner: Literal["box", "team"] | None


class ChouettePlayer(TypedDict):
    """A player of a chouette.

    `account`: points so far; `cube`: the partner's with the box, null for the box; `may_double`: the side on roll may
    turn it; `asked`: its double awaits an answer; `won`: points of this game, null while he plays.
    """

    name: str
    role: Literal["box", "captain", "partner"]
    account: int
    cube: PartnerCube | None
    may_double: bool
    asked: bool
    won: int | None


class BoardLie(TypedDict):
    """The side of south's home board, and the shade of south's checkers."""

    home: Literal["right", "left"]
    south: Literal["light", "dark"]


class HistoryLine(TypedDict):
    """An event of the match.

    `turn`: its row in the two columns of its game, or null; `misfit`: why it no longer fits, or empty; `action`: the
    start of a correction. `by` is its source: "camera", "button", or a role, and the name on its join code. `question`
    and `why` are as typed.
    """

    n: int
    game: int
    turn: int | None
    side: Seat | None
    text: str
    say: Say
    by: str
    question: str
    why: str
    picture: str | None
    corrected: bool
    undone: bool
    misfit: str
    action: dict[str, Any] | None


class GameHistory(TypedDict):
    """All events of one game of the running match, oldest first.

    `games`: how many games it has so far; `players`: who sat where in this one.
    """

    game: int
    games: int
    players: Players
    history: list[HistoryLine]


class NoticeLine(TypedDict):
    """A sentence to show once."""

    n: int
    text: str
    say: Say
    level: Literal["info", "warn", "alarm"]


class HealthLine(TypedDict):
    """The condition of one part of the machine."""

    what: str
    verdict: Annotated[str, Meta(description="good, warn, bad or cannot tell")]
    text: str
    remedy: str
    say: Say


class HallOffer(TypedDict):
    """The match that the hall gives this table next; null: as usual at the table."""

    pairing: str
    players: Players
    length: int | None
    profile: str | None
    round: str
    event: str


class State(TypedDict):
    """The state of the page for one visitor; docs/PROTOCOL.md explains each field."""

    seq: Count
    durable: bool
    phase: str
    on_roll: Seat | None
    asked: Seat | None
    may: list[str]
    undo_text: str
    roll: Dice | None
    opening: OpeningDice | None
    anew: bool
    ruling: Literal["valid", "cocked", "unread"] | None
    reasons: list[str]
    reason_text: str
    reason_texts: list[str]
    say: Say
    throw: ThrowRead | None
    position: PositionSeen
    plays: list[LegalPlay] | None
    making: Making | None
    last_play: LastPlay | None
    owed: bool
    part: PartOfTurn | None
    naming: bool
    waiting: WaitingRoll | None
    cube: CubeState
    dispute: DisputeOpen | None
    resigning: ResignationOpen | None
    result: GameResult | None
    match: MatchState | None
    clock: ClockState | None
    lamps: Lamps
    camera: CameraView
    checkers: CheckersView | None
    aids: Literal["shown", "withheld"]
    thrown_by_hand: Literal["void", "director_decides", "stands"]
    orientation: BoardLie
    offer: HallOffer | None
    chouette: list[ChouettePlayer] | None
    history: list[HistoryLine]
    health: list[HealthLine] | None
    notices: list[NoticeLine]


SettingValue: TypeAlias = bool | int | str


class PlayersWord(TypedDict):
    """A word of a game's players in their language, and what it means in the visitor's."""

    lang: Annotated[str, Meta(description="as in HTML's lang")]
    word: str
    means: str


class ProfileSettings(TypedDict):
    """A rule profile with the settings that can be changed at a table."""

    name: str
    title: str
    about: Annotated[str, Meta(description="a line for players")]
    words: list[PlayersWord]
    say: Say
    start: Annotated[BoardMap, Meta(description="the starting position")]
    settings: dict[str, SettingValue]


class SwitchValues(TypedDict):
    """Values of a setting, each with a label; null: a whole number."""

    name: str
    of_cube: Annotated[bool, Meta(description="without a cube it changes nothing")]
    label: str
    values: list[str | bool] | None
    labels: list[str] | None
    say: Say


class UsualMatch(TypedDict):
    """Default terms of a new match."""

    profile: str
    length: int
    players: Players
    overrides: dict[str, Any]
    orientation: BoardLie


class Rules(TypedDict):
    """Rules available for a match; `now`: those of the current one."""

    profiles: list[ProfileSettings]
    switches: list[SwitchValues]
    usual: UsualMatch
    now: dict[str, SettingValue] | None


class Analysis(TypedDict):
    """The analysis of the current match; `why`: the reason why it cannot begin now, or empty."""

    state: Literal["none", "running", "failed", "done"]
    why: str
    match: NotRequired[str]
    done: NotRequired[Annotated[int, Meta(description="games analysed")]]
    games: NotRequired[int]
    say: NotRequired[Say]
    sentence: NotRequired[Annotated[str, Meta(description="why it failed")]]
    report: NotRequired[
        Annotated[
            dict[str, Any],
            Meta(description="as `companion analyse --json`, each worst play with its board"),
        ]
    ]


class KeptMatch(TypedDict):
    """A match in the journal; if it cannot be replayed, only its id and the reason `error`."""

    match: str
    error: NotRequired[str]
    date: NotRequired[Annotated[str, Meta(description="the day of its beginning, UTC")]]
    players: NotRequired[Players]
    length: NotRequired[int]
    profile: NotRequired[str]
    score: NotRequired[Pair]
    over: NotRequired[bool]
    events: NotRequired[int]
    head: NotRequired[Annotated[str, Meta(description="digest of its last row")]]


class Matches(TypedDict):
    """Matches in the journal, the newest first."""

    matches: list[KeptMatch]


def components(*shapes: Any) -> dict[str, Schema]:
    """JSON Schemas of these types and their parts, by name, for OpenAPI 3.1."""
    _, found = msgspec.json.schema_components(shapes, ref_template="#/components/schemas/{name}")
    return dict(found)
