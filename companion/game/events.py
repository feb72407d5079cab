"""Everything that can happen at the table, as data; the record is a list of these and nothing else.

Every event carries `at_ms`, the wall time at which it happened, because the core reads no clock, and `by`,
who or what told the machine: "camera", "button", or the role of the visitor of the page.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from companion.rules.board import Checkers, Die, Roll, Side
from companion.rules.referee import DieAtRest
from sentence import Sentence, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What all events carry: when it happened (milliseconds since 1970, UTC) and who said so."""

    at_ms: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True)
class Orientation:
    """How the board lies before south: on which side his home board is, and which checkers are his."""

    home: Literal["right", "left"] = "right"
    south: Literal["light", "dark"] = "light"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a profile, as it is written in the configuration file; `start` as 26 counts."""

    name: str
    value: bool | int | str | tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class MatchBegan(Event):
    """A new match: who plays, how long, by which rules. Length 0 is money play.

    `profile` is the rules' name; `settings` are all of that profile's settings as they were on that day, so
    that a record is replayed by its own rules even when a profile is changed later or was the user's own.
    """

    match_id: str
    south: str
    north: str
    length: int
    profile: str
    settings: tuple[Setting, ...] = ()
    orientation: Orientation = Orientation()


@dataclass(frozen=True, slots=True)
class OpeningThrown(Event):
    """The opening dice as typed in: one die each, or two where the profile has it; () is not thrown."""

    south: tuple[Die, ...] = ()
    north: tuple[Die, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the ruling was made from, kept beside it: the picture's file name and what was seen in it.

    Attributes:
        picture: file name of the picture.
        sha256: the picture's digest, so that a changed picture is noticed.
        size_px: width and height of the picture.
        boxes_px: x0, y0, x1, y1 for each die, in the order of the dice.
        confidences: 0 to 1 for each die.
    """

    picture: str | None = None
    sha256: str | None = None
    size_px: tuple[int, int] | None = None
    boxes_px: tuple[tuple[float, float, float, float], ...] = ()
    confidences: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Thrown(Event):
    """Dice have come to rest, as the camera saw them. What they are worth is ruled by the profile."""

    dice: tuple[DieAtRest, ...]
    doubt: bool = False
    board_found: bool = True
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class RollTyped(Event):
    """A roll told by a person; without a side it is the roll of the side on roll."""

    roll: Roll
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Overruled(Event):
    """A person overrules the machine about the last throw: it counts as this roll, or (None) not at all."""

    roll: Roll | None


@dataclass(frozen=True, slots=True)
class Lifted(Event):
    """The dice have been picked up."""


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """The player ends his turn by button, or the scorekeeper for him; the play stands."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class PlayEntered(Event):
    """The play, or as much of it as has been made.

    Attributes:
        moves: all moves of this turn so far as (source, target) in the mover's numbering; None when only the
            position that was left is known.
        mine: the mover's checkers after the play, in his numbering, where the position is given.
        theirs: the opponent's, in his.
        made: it lies on the board like this, legal or not.
    """

    moves: tuple[tuple[int, int], ...] | None = None
    mine: Checkers | None = None
    theirs: Checkers | None = None
    made: bool = False


@dataclass(frozen=True, slots=True)
class DoubleOffered(Event):
    """The side on roll offers to double the stake."""

    side: Side | None = None


class Answer(Enum):
    """What can be said to a double; after a beaver the doubler takes, passes or raccoons."""

    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    RACCOON = "raccoon"


ANSWER_WORDS: Mapping[Answer, Sentence] = {
    Answer.TAKE: say("take"),
    Answer.PASS: say("pass"),
    Answer.BEAVER: say("beaver"),
    Answer.RACCOON: say("raccoon"),
}


@dataclass(frozen=True, slots=True)
class DoubleAnswered(Event):
    """The answer to the double, or to the beaver."""

    answer: Answer
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """A side offers to give the game up as lost singly, by gammon or by backgammon.

    With `points` it is a settlement: so many points for the other side, whatever the cube shows.
    """

    side: Side
    worth: Literal[1, 2, 3] = 1
    points: int | None = None


@dataclass(frozen=True, slots=True)
class ResignationAnswered(Event):
    """The resignation or settlement is accepted or refused."""

    accepted: bool
    side: Side | None = None


class Remedy(Enum):
    """The answers that a dispute may have."""

    CONDONE = "condone"
    CORRECT = "correct"
    ACCEPT = "accept"
    REFUSE = "refuse"


REMEDY_WORDS: Mapping[Remedy, Sentence] = {
    Remedy.CONDONE: say("condone"),
    Remedy.CORRECT: say("correct"),
    Remedy.ACCEPT: say("accept"),
    Remedy.REFUSE: say("refuse"),
}


@dataclass(frozen=True, slots=True)
class DisputeAnswered(Event):
    """Somebody who may do so settles the dispute: let it stand, correct it, accept or refuse."""

    remedy: Remedy
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class WrongStartFound(Event):
    """The game was begun from a wrong starting position; the checkers now stand like this."""

    south: Checkers
    north: Checkers


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last step is taken back."""


@dataclass(frozen=True, slots=True)
class PositionSet(Event):
    """The board, and what goes with it, is set as told; what is None stays as it is.

    Attributes:
        south: south's checkers in his numbering.
        north: north's in his.
        on_roll: who is to act.
        cube_value: what the cube shows.
        cube_owner: "south", "north" or "middle".
        south_points: south's score.
        north_points: north's.
        crawford: whether this is the Crawford game.
        roll: what the side on roll has thrown already.
        doubled: the side on roll has doubled, and the other is to answer.
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


@dataclass(frozen=True, slots=True)
class NextGame(Event):
    """The next game of the match begins, the players having changed seats or not."""

    swap_seats: bool = False
    orientation: Orientation | None = None


@dataclass(frozen=True, slots=True)
class PenaltyGiven(Event):
    """The director gives points to a side, for the other's coming late or the like.

    Attributes:
        side: who gets the points.
        points: how many.
        why: the reason in somebody's words.
        late_min: by how many minutes the other side came late, where the points follow from that.
    """

    side: Side
    points: int
    why: str = ""
    late_min: int | None = None


class ClockOrder(Enum):
    """What can be done with the clock by hand."""

    START = "start"
    STOP = "stop"
    SET = "set"


ORDER_WORDS: Mapping[ClockOrder, Sentence] = {
    ClockOrder.START: say("start"),
    ClockOrder.STOP: say("stop"),
    ClockOrder.SET: say("set"),
}


@dataclass(frozen=True, slots=True)
class ClockSet(Event):
    """The clock is started, stopped, or a reserve is set."""

    order: ClockOrder
    south_ms: int | None = None
    north_ms: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class TimeRanOut(Event):
    """A side's reserve is used up; said by the shell, which knows the time, and checked by the clock."""

    side: Side


@dataclass(frozen=True, slots=True)
class SettingsChanged(Event):
    """Settings of the profile are changed in the middle of the match, by the director."""

    changes: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class DirectorCalled(Event):
    """Somebody at the table calls the director; everything stays as it lies."""

    side: Side | None = None
    over: bool = False


@dataclass(frozen=True, slots=True)
class Amended(Event):
    """The director corrects an earlier event; everything after it is derived again."""

    number: int
    to: "PlainEvent"
    why: str = ""


PlainEvent: TypeAlias = (
    MatchBegan
    | OpeningThrown
    | Thrown
    | RollTyped
    | Overruled
    | Lifted
    | TurnEnded
    | PlayEntered
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
