"""The events of a match as data; the record is a list of these and nothing else.

Every event has `at_ms`, its wall time, because the core reads no clock, and `by`, its source: "camera", "button",
"file" in a match file of another program, or the role of the page's visitor, with his name where the join code has one
("director: Anna").
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.rules.board import Checkers, Die, Roll, Side
from companion.rules.referee import DieAtRest
from companion.rules.setting_values import Option
from sentence import say

FROM_FILE = "file"
"""The source of what a match file of another program says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The fields of all events: time (milliseconds since 1970, UTC) and source."""

    at_ms: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Event):
    """The fields of a decision: its question and its reason as typed (docs/rules/tournaments.md, row T18)."""

    question: str = ""
    why: str = ""


Shade: TypeAlias = Literal["light", "dark"]
"""Of a side's checkers: the lighter or the darker ones."""


@dataclass(frozen=True, slots=True)
class Orientation:
    """The board as south sees it: the side of his home board, and the shade of his checkers."""

    home: Literal["right", "left"] = "right"
    south: Shade = "light"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a profile in the form of the configuration file; `start` as 26 counts."""

    name: str
    value: bool | int | str | tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class MatchBegan(Event):
    """A new match: players, length and rules. Length 0 is money play.

    `profile` is the rules' name; `settings` are all settings of that profile at the time, so that a record is
    replayed by its own rules even if the profile changes later or was the user's own; `title` is the title of a
    profile that does not come with the program. `pairing` names the hall's pairing that this match is; "" without one.
    `chouette` has the players of a chouette, the box first, then the team in its order; () is none.
    """

    match_id: str
    south: str
    north: str
    length: int
    profile: str
    settings: tuple[Setting, ...] = ()
    orientation: Orientation = Orientation()
    title: str = ""
    pairing: str = ""
    chouette: tuple[str, ...] = ()


class Void(Option):
    """Reasons that a person gives why a throw does not count."""

    COCKED = "cocked", say("cocked")
    BY_HAND = "by_hand", say("thrown by hand")


@dataclass(frozen=True, slots=True)
class OpeningThrown(Event):
    """Typed opening dice: one for each side, or two if the profile says so; () is not thrown.

    With `void` these dice do not count.
    """

    south: tuple[Die, ...] = ()
    north: tuple[Die, ...] = ()
    void: Void | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The basis of a ruling: the picture's file name, digest, width and height, and the dice found in it.

    Each die has a box (x0, y0, x1, y1) and a confidence from 0 to 1, in the order of the dice. Where a number was not
    read, `chances` has for each die the chances of its six numbers, () for one that was read; they answer nothing.
    """

    picture: str | None = None
    sha256: str | None = None
    size_px: tuple[int, int] | None = None
    boxes_px: tuple[tuple[float, float, float, float], ...] = ()
    confidences: tuple[float, ...] = ()
    chances: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Thrown(Event):
    """Dice that have come to rest, as the camera saw them; the ruling follows from the profile."""

    dice: tuple[DieAtRest, ...]
    doubt: bool = False
    board_found: bool = True
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class RollTyped(Event):
    """A roll typed by a person; without a side, for the side on roll. With `void` it does not count."""

    roll: Roll
    side: Side | None = None
    void: Void | None = None


@dataclass(frozen=True, slots=True)
class Overruled(Decision):
    """A ruling on the last throw, a person's or the camera's where the play tells the roll: it counts as this roll, or
    (None) does not count, as it was cocked if `void` gives no other reason."""

    roll: Roll | None
    void: Void | None = None


@dataclass(frozen=True, slots=True)
class Lifted(Event):
    """Dice picked up."""


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """The end of a turn by the player's button or by the scorekeeper; the play stands."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class PlayEntered(Event):
    """The play so far; `made`: it is on the board, legal or not.

    It is given by all moves of this turn so far, (source, target) in the mover's numbering, or by each side's
    checkers after it, in that side's numbering.
    """

    moves: tuple[tuple[int, int], ...] | None = None
    mine: Checkers | None = None
    theirs: Checkers | None = None
    made: bool = False


@dataclass(frozen=True, slots=True)
class DoubletNamed(Event):
    """The doublet that a player has named after 2-1."""

    number: Die


@dataclass(frozen=True, slots=True)
class DoubleOffered(Event):
    """A double offered by the side on roll; in a chouette on the cubes of these partners, () on all it may turn."""

    side: Side | None = None
    partners: tuple[str, ...] = ()


class Answer(Option):
    """Answers to a double; after a beaver the doubler takes, passes or raccoons."""

    TAKE = "take", say("take")
    PASS = "pass", say("pass")
    BEAVER = "beaver", say("beaver")
    RACCOON = "raccoon", say("raccoon")


@dataclass(frozen=True, slots=True)
class DoubleAnswered(Event):
    """The answer to a double, a beaver or a raccoon; in a chouette on this partner's cube."""

    answer: Answer
    side: Side | None = None
    partner: str = ""


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """An offer to resign a single game, a gammon or a backgammon.

    With `points`, an offer to settle: this many points for the other side, regardless of the cube.
    """

    side: Side
    worth: Literal[1, 2, 3] = 1
    points: int | None = None


@dataclass(frozen=True, slots=True)
class ResignationAnswered(Decision):
    """The answer to a resignation or a settlement."""

    accepted: bool
    side: Side | None = None


class Remedy(Option):
    """Answers to a dispute."""

    CONDONE = "condone", say("condone")
    CORRECT = "correct", say("correct")
    ACCEPT = "accept", say("accept")
    REFUSE = "refuse", say("refuse")


@dataclass(frozen=True, slots=True)
class DisputeAnswered(Decision):
    """The answer to a dispute: condone, correct, accept or refuse."""

    remedy: Remedy
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class WrongStartFound(Decision):
    """A wrong starting position noticed during the game, with the board as found."""

    south: Checkers
    north: Checkers


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last step taken back; with `correction`, the number of the correction (`Amended`) taken back instead.

    `past_calls`: calls of the director are no steps, and stand; records of before that was so leave it out.
    """

    correction: int | None = None
    past_calls: bool = False


@dataclass(frozen=True, slots=True)
class PositionSet(Decision):
    """Board, cube, score or turn set by hand; None leaves a value unchanged.

    Checkers are in their owner's numbering. The side on roll may already have thrown `roll`, or have `doubled`, so
    that the other side has to answer. `pinned` has the points on which south's single checker is pinned; None leaves
    open which of two single checkers is. `not_entered` has south's and north's checkers on the bar that were not hit,
    where a game knows such; None: as many as before.
    """

    south: Checkers | None = None
    north: Checkers | None = None
    on_roll: Side | None = None
    cube_value: int | None = None
    cube_owner: Literal["south", "north", "middle"] | None = None
    south_points: int | None = None
    north_points: int | None = None
    crawford: bool | None = None
    roll: Roll | None = None
    doubled: bool = False
    pinned: tuple[int, ...] | None = None
    not_entered: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class NextGame(Event):
    """The start of the match's next game, in the same or in swapped seats."""

    swap_seats: bool = False
    orientation: Orientation | None = None


@dataclass(frozen=True, slots=True)
class PenaltyGiven(Event):
    """Points that the director gives to `side` as a penalty against the other, for lateness for example.

    `late_min` is the other side's lateness in minutes, if the points follow from it; `question` and `why` are the
    question and the reason as typed.
    """

    side: Side
    points: int
    why: str = ""
    late_min: int | None = None
    question: str = ""


class ClockOrder(Option):
    """Orders to the clock by hand."""

    START = "start", say("start")
    STOP = "stop", say("stop")
    SET = "set", say("set")


@dataclass(frozen=True, slots=True)
class ClockSet(Event):
    """The clock started or stopped, or a reserve set, by hand."""

    order: ClockOrder
    south_ms: int | None = None
    north_ms: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class TimeRanOut(Event):
    """A used-up reserve, reported by the shell, which knows the time, and checked by the clock."""

    side: Side


@dataclass(frozen=True, slots=True)
class SettingsChanged(Decision):
    """A change of the profile's settings by the director during the match."""

    changes: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class DirectorCalled(Decision):
    """A call for the director, or (`over`) the end of his visit; until then dice, checkers and cube stay."""

    side: Side | None = None
    over: bool = False


@dataclass(frozen=True, slots=True)
class Amended(Event):
    """A director's correction of an earlier event; everything after it is derived again.

    `play` comes with a roll that could not be played as it was entered, and can be now. `in_step`: the turn of such a
    roll keeps its place, also without a play; records of before that was so leave it out and keep their meaning.
    """

    number: int
    to: "PlainEvent"
    why: str = ""
    play: PlayEntered | None = None
    in_step: bool = False


PlainEvent: TypeAlias = (
    MatchBegan
    | OpeningThrown
    | Thrown
    | RollTyped
    | Overruled
    | Lifted
    | TurnEnded
    | PlayEntered
    | DoubletNamed
    | DoubleOffered
    | DoubleAnswered
    | Resigned
    | ResignationAnswered
    | DisputeAnswered
    | WrongStartFound
    | Undone
    | PositionSet
    | NextGame
    | PenaltyGiven
    | ClockSet
    | TimeRanOut
    | SettingsChanged
    | DirectorCalled
)
AnyEvent: TypeAlias = PlainEvent | Amended
