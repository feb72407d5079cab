"""The state of a match at one moment, the log of its games, and the result of a transition."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import NamedTuple, TypeAlias

from companion.errors import OutOfTurnError
from companion.game.events import Evidence, Orientation
from companion.rules.board import Board, Die, Roll, Side
from companion.rules.cube_and_score import Crawford, Cube, Ending, Offer, Result, Score, Worth
from companion.rules.family.chouette import Chouette
from companion.rules.family.running_on import Part
from companion.rules.moves import Play
from companion.rules.profile import Profile
from companion.rules.referee import DieAtRest, Ruling
from sentence import NOTHING, Sentence, say

SEAT_WORDS: Mapping[Side, Sentence] = {Side.SOUTH: say("South"), Side.NORTH: say("North")}


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a match: players, length, rules and orientation; length 0 is money play."""

    match_id: str
    south: str
    north: str
    length: int
    profile: Profile
    orientation: Orientation = field(default_factory=Orientation)

    @property
    def money_play(self) -> bool:
        """Whether single games are played, without a match."""
        return self.length == 0

    def swapped(self) -> "Terms":
        """The same match after the players have changed seats."""
        return replace(self, south=self.north, north=self.south)


@dataclass(frozen=True, slots=True)
class Opening:
    """The opening throw so far; () is not thrown yet.

    `unassigned` is a roll with unknown throwers: the page asks which side threw the higher die. `again`: the dice were
    equal, and nothing was thrown since.
    """

    south: tuple[Die, ...] = ()
    north: tuple[Die, ...] = ()
    unassigned: Roll | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class OnRoll:
    """A side before its roll; it may double, unless the turn is `first`, `locked` or `again`.

    Attributes:
        first: no play has been made in this game.
        locked: cocked dice were thrown in this turn, and the profile locks the cube after them.
        again: the side throws once more after a doublet.
        kept: the opening roll, which its winner may still play instead of throwing again.
        names: before it throws again, the side names a doublet and plays it (docs/rules/family.md, row F21).
        lifted: the dice were picked up before the doublet was named.
    """

    side: Side
    first: bool = False
    locked: bool = False
    again: bool = False
    kept: Roll | None = None
    names: bool = False
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class Doubled:
    """A double, beaver or raccoon before its answer; `back` is the turn of the double."""

    offer: Offer
    back: OnRoll


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll before its play is complete.

    Attributes:
        moves: the half-made play; the board stays as before the roll until the play is complete.
        opening: whether the roll is the opening throw.
        lifted: the dice were picked up before the play was entered; the turn is over, the play is owed.
        part: the numbers follow from a doublet, or were named, and not thrown; the dice on the board are those of
            the throw. Of a part that has passed to the opponent no dice lie: it is `lifted`.
    """

    side: Side
    roll: Roll
    moves: Play = ()
    opening: bool = False
    lifted: bool = False
    part: Part | None = None

    @property
    def is_owed(self) -> bool:
        """Whether the play of dice that were picked up is still to be entered."""
        return self.lifted and (self.part is None or self.part.thrower is self.side)


@dataclass(frozen=True, slots=True)
class Played:
    """A play on the board, which may be changed until the turn ends.

    Attributes:
        roll: None for a closed-out side that need not roll.
        play: () is a dance; None: only the board after the play is known.
        before: the board before the play.
        fault: the fault of an illegal play, a sentence; empty for a legal one.
        opening: whether the roll was the opening throw.
        condoned: whether the opponent has let the illegal play stand.
        part: as in `Rolled`.
    """

    side: Side
    roll: Roll | None
    play: Play | None
    before: Board
    fault: Sentence = NOTHING
    opening: bool = False
    condoned: bool = False
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Resigning:
    """An open offer to resign, or to settle for `points`; a refusal returns to `back`."""

    by: Side
    worth: Worth
    points: int | None
    back: "OnRoll | Doubled | Rolled | Played"


@dataclass(frozen=True, slots=True)
class GameOver:
    """A finished game before the next one."""

    result: Result


@dataclass(frozen=True, slots=True)
class MatchOver:
    """A finished match; `result` is its last game, if a game ended the match."""

    winner: Side
    how: Ending
    result: Result | None


Phase: TypeAlias = Opening | OnRoll | Doubled | Rolled | Played | Resigning | GameOver | MatchOver


@dataclass(frozen=True, slots=True)
class Throw:
    """The last throw and the ruling that counts now; a typed roll has no dice.

    Attributes:
        overruled: the machine's ruling before a person overruled it.
        roller: the side to which the throw is attributed; None in the opening.
    """

    ruling: Ruling
    dice: tuple[DieAtRest, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    overruled: Ruling | None = None
    roller: Side | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """An early roll, which counts as soon as the turn before it is settled."""

    side: Side
    roll: Roll
    throw: Throw


class DisputeKind(Enum):
    """Kinds of dispute."""

    ILLEGAL_PLAY = "illegal_play"
    PREMATURE_ROLL = "premature_roll"
    WRONG_START = "wrong_start"
    IMPOSSIBLE_POSITION = "impossible_position"


@dataclass(frozen=True, slots=True)
class Dispute:
    """A question that people have to settle.

    Attributes:
        by: the side that caused it.
        text: its cause, in one sentence.
        back: the state to return to after a correction.
        early: the disputed early roll.
        over: the dispute that was open before the early roll, open again once the roll is settled.
    """

    kind: DisputeKind
    by: Side
    text: Sentence
    back: "State | None" = None
    early: Pending | None = None
    over: "Dispute | None" = None


class Level(Enum):
    """Urgency of a notice."""

    INFO = "info"
    WARN = "warn"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence to show once."""

    text: Sentence
    level: Level = Level.INFO


info = partial(Notice, level=Level.INFO)
"""A notice for information."""
warn = partial(Notice, level=Level.WARN)
"""A notice that needs attention."""
alarm = partial(Notice, level=Level.ALARM)
"""A notice of something that stops the game until it is settled."""


@dataclass(frozen=True, slots=True)
class TurnMade:
    """A turn that has ended: roll, play (both as in `Played`), and the board before and after it.

    Each part of a turn after a doublet that runs on is one of these, the parts that were not thrown with `part`.

    Attributes:
        fault: the fault of an illegal play that stood; empty for a legal one.
        picture: file name of the picture of the roll.
    """

    side: Side
    roll: Roll | None
    play: Play | None
    before: Board
    after: Board
    fault: Sentence = NOTHING
    picture: str | None = None
    part: Part | None = None


class CubeAction(Enum):
    """Actions with the cube."""

    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    TAKE = "take"
    PASS = "pass"


@dataclass(frozen=True, slots=True)
class CubeTurn:
    """A cube action of a side; `value` is the cube's value after it, or the value offered."""

    side: Side
    action: CubeAction
    value: int


@dataclass(frozen=True, slots=True)
class SetUp:
    """A position or cube set during a game, by hand, or by a camera that says why."""

    board: Board
    cube: Cube
    on_roll: Side | None
    seen_why: str = ""


LogEntry: TypeAlias = TurnMade | CubeTurn | SetUp


@dataclass(frozen=True, slots=True)
class GameLog:
    """A finished game: its number in the match, the players, the score before it, its log and its result.

    Attributes:
        crawford: it was the Crawford game.
        swapped: the player who began the match at south sat at north.
        variant: the title of this game where a match plays several in turn.
        chouette: the stakes of a chouette as the game left them.
    """

    number: int
    south: str
    north: str
    score: Score
    crawford: bool
    entries: tuple[LogEntry, ...]
    result: Result
    swapped: bool = False
    variant: Sentence = NOTHING
    chouette: Chouette | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The table at one moment, without its history and the clock.

    Attributes:
        game: number of the game, from 1.
        doubled: a double has been offered in this game (for Jacoby's rule); `taken`: taken or beavered.
        automatic: number of automatic doubles in this game.
        doublets: number of doublets in this game, south's and north's.
        turns: number of turns ended in this game.
        games: the finished games; `log` is of this one.
        penalties: penalty points given against south and north.
        picture: file name of the picture of the roll being played.
        lapsed: the dispute that the roll of this turn closed; open again if that roll is overruled as invalid.
        director: whether the director has been called.
        swapped: the player who began the match at south sits at north now.
        chouette: the players, cubes and accounts of a chouette; None for two players.
    """

    terms: Terms
    board: Board
    phase: Phase
    cube: Cube = field(default_factory=Cube)
    score: Score = field(default_factory=Score)
    game: int = 1
    crawford: Crawford = Crawford.OFF
    doubled: bool = False
    taken: bool = False
    automatic: int = 0
    doublets: tuple[int, int] = (0, 0)
    turns: int = 0
    turns_in_match: int = 0
    log: tuple[LogEntry, ...] = ()
    games: tuple[GameLog, ...] = ()
    penalties: tuple[int, int] = (0, 0)
    throw: Throw | None = None
    picture: str | None = None
    dispute: Dispute | None = None
    lapsed: Dispute | None = None
    pending: Pending | None = None
    director: bool = False
    swapped: bool = False
    chouette: Chouette | None = None

    @property
    def fits_files(self) -> bool:
        """Whether other programs' files can hold this match."""
        return self.chouette is None and self.terms.profile.fits_files

    @property
    def title(self) -> Sentence:
        """What is played."""
        return self.terms.profile.title if self.chouette is None else say("Chouette")

    def name(self, side: Side) -> str:
        """The player's name, or the seat in English."""
        return str(self.called(side))

    def called(self, side: Side) -> str | Sentence:
        """The player for use in a sentence: his name, or the word for his seat."""
        given = self.terms.south if side is Side.SOUTH else self.terms.north
        return given or SEAT_WORDS[side]

    def disputed(self, kind: DisputeKind) -> Dispute | None:
        """The open dispute if it is of this kind."""
        return self.dispute if self.dispute and self.dispute.kind is kind else None

    def with_logged(self, entry: LogEntry) -> "State":
        """The state with one more entry in the log of this game."""
        return replace(self, log=(*self.log, entry))


class Transition(NamedTuple):
    """The result of an event: the new state, and notices about it."""

    state: State
    notices: tuple[Notice, ...] = ()

    def also(self, *notices: Notice) -> "Transition":
        """The same transition with more notices at the end."""
        return Transition(self.state, (*self.notices, *notices))

    def after(self, *notices: Notice) -> "Transition":
        """The same transition with more notices at the beginning."""
        return Transition(self.state, (*notices, *self.notices))


def check_side(state: State, given: Side | None, wanted: Side, action: Sentence) -> None:
    """Raise OutOfTurnError if the given side is not the one that may act now; None passes."""
    if given is wanted.other:
        name, other = state.called(wanted), state.called(given)
        raise OutOfTurnError(say("{name} may {deed} now, not {other}.", name=name, deed=action, other=other))
