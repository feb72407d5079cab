"""The state of a match at one moment, and the result of a transition."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple, TypeAlias

from companion.errors import OutOfTurnError
from companion.game.events import Evidence, Orientation, Remedy
from companion.game.log import GameLog, LogEntry
from companion.rules.board import Board, Die, Roll, Side
from companion.rules.match import (
    Crawford,
    Cube,
    Ending,
    Offer,
    Result,
    Score,
    Worth,
)
from companion.rules.moves import Play
from companion.rules.profile import Profile
from companion.rules.referee import DieAtRest, Ruling
from sentence import NOTHING, Sentence, say, say_n

_AS_USUAL = Orientation()


_NO_EVIDENCE = Evidence()


_FRESH_CUBE = Cube()


_NO_POINTS = Score()


SEAT_WORDS: Mapping[Side, Sentence] = {Side.SOUTH: say("South"), Side.NORTH: say("North")}


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed for this match; length 0 is money play."""

    match_id: str
    south: str
    north: str
    length: int
    profile: Profile
    orientation: Orientation = _AS_USUAL

    @property
    def money_play(self) -> bool:
        """Game by game, without end."""
        return self.length == 0

    def name(self, side: Side) -> str:
        """What the player on this side is called."""
        given = self.south if side is Side.SOUTH else self.north
        return given or side.value.capitalize()

    def swapped(self) -> "Terms":
        """The same match after the players have changed seats."""
        return replace(self, south=self.north, north=self.south)


@dataclass(frozen=True, slots=True)
class Opening:
    """Who begins is being thrown for; () is not thrown yet.

    `unassigned` is a throw whose dice nobody can tell apart: the page asks who threw the higher.
    """

    south: tuple[Die, ...] = ()
    north: tuple[Die, ...] = ()
    unassigned: Roll | None = None


@dataclass(frozen=True, slots=True)
class OnRoll:
    """A side is to double or to roll.

    Attributes:
        side: whose turn it is.
        first: nothing has been played in this game yet, so there is no doubling.
        locked: cocked dice were thrown in this turn and the profile locks the cube then.
        again: the side throws once more after a doublet; no cube either.
        kept: the opening roll, which its winner may still play instead of throwing anew.
    """

    side: Side
    first: bool = False
    locked: bool = False
    again: bool = False
    kept: Roll | None = None


@dataclass(frozen=True, slots=True)
class Doubled:
    """A double, beaver or raccoon waits for its answer; `back` is the turn it was made in."""

    offer: Offer
    back: OnRoll


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll is to be played.

    Attributes:
        side: who plays it.
        roll: what counts.
        moves: the half-made play; the board stays as it was before the roll until the play is complete.
        opening: the roll is the opening throw.
        lifted: the dice were picked up before the play was entered: the turn is over and the play is owed.
    """

    side: Side
    roll: Roll
    moves: Play = ()
    opening: bool = False
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """The play lies on the board and may be changed until the turn ends.

    Attributes:
        side: who played.
        roll: what was rolled; None: nothing, a closed-out side that need not roll.
        play: the moves; None when only the position that was left is known.
        before: the board before it.
        fault: why it is no legal play, a sentence; empty for a legal one.
        opening: the roll was the opening throw.
        condoned: the opponent has let the illegal play stand.
    """

    side: Side
    roll: Roll | None
    play: Play | None
    before: Board
    fault: Sentence = NOTHING
    opening: bool = False
    condoned: bool = False


@dataclass(frozen=True, slots=True)
class Resigning:
    """A side has offered to give up, or to settle for `points`; `back` is where a refusal returns to."""

    by: Side
    worth: Worth
    points: int | None
    back: "OnRoll | Doubled | Rolled | Played"


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game has ended and the match goes on."""

    result: Result


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has been won; `result` is its last game, if it was a game that ended it."""

    winner: Side
    how: Ending
    result: Result | None


Phase: TypeAlias = Opening | OnRoll | Doubled | Rolled | Played | Resigning | GameOver | MatchOver


@dataclass(frozen=True, slots=True)
class Throw:
    """The last throw and what became of it.

    Attributes:
        ruling: what it counts as now.
        dice: as they lay; () when the roll was typed in.
        evidence: picture and reading.
        overruled: what the machine said before a person overruled it.
        roller: whose throw it was taken for; None in the opening.
    """

    ruling: Ruling
    dice: tuple[DieAtRest, ...] = ()
    evidence: Evidence = _NO_EVIDENCE
    overruled: Ruling | None = None
    roller: Side | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """A roll that was thrown early and counts as soon as the turn before it is settled."""

    side: Side
    roll: Roll
    throw: Throw


class DisputeKind(Enum):
    """What people may quarrel about, with the machine keeping the procedure."""

    ILLEGAL_PLAY = "illegal_play"
    PREMATURE_ROLL = "premature_roll"
    WRONG_START = "wrong_start"
    IMPOSSIBLE_POSITION = "impossible_position"


@dataclass(frozen=True, slots=True)
class Dispute:
    """Something that people have to settle.

    Attributes:
        kind: what it is about.
        by: who did it.
        text: what happened, one sentence.
        back: the state to return to when it is corrected.
        early: the early roll that is disputed.
        over: what was open already when it was rolled, and is open again once that is settled.
        found: the board as it was found, after a wrong start.
    """

    kind: DisputeKind
    by: Side
    text: Sentence
    back: "State | None" = None
    early: Pending | None = None
    over: "Dispute | None" = None
    found: Board | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that a dispute may have now, and who may give it."""

    remedy: Remedy
    by: Side
    label: Sentence


class Level(Enum):
    """How loudly a notice is to be shown."""

    INFO = "info"
    WARN = "warn"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence to show once."""

    text: Sentence
    level: Level = Level.INFO


@dataclass(frozen=True, slots=True)
class State:
    """Everything about the table at one moment except its history and the clock.

    Attributes:
        terms: what was agreed.
        board: where the checkers stand.
        phase: what is awaited.
        cube: what the cube shows and whose it is.
        score: points won.
        game: number of the game, from 1.
        crawford: where the match stands with its Crawford game.
        doubled: somebody has offered a double in this game (for Jacoby's rule).
        taken: a double was taken or beavered in this game (for Jacoby's rule).
        automatic: automatic doubles made in this game.
        doublets: doublets thrown so far in this game, south's and north's.
        turns: turns ended in this game.
        turns_in_match: turns ended in this match.
        deeds: turns and cube of this game so far.
        games: the games that are over.
        penalties: penalty points given against south and north.
        throw: the last throw.
        picture: file name of the picture of the roll that is being played.
        dispute: what is open.
        lapsed: what the roll of this turn has closed; open again if that roll is overruled as invalid.
        pending: an early roll that waits.
        director: the director has been called.
        swapped: the player who began the match at south sits at north now.
        set_up: the position of this game was set by hand, so it does not follow from the start.
    """

    terms: Terms
    board: Board
    phase: Phase
    cube: Cube = _FRESH_CUBE
    score: Score = _NO_POINTS
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
    set_up: bool = False

    def doublets_of(self, side: Side) -> int:
        """How many doublets this side has thrown in this game."""
        return self.doublets[0 if side is Side.SOUTH else 1]

    def name(self, side: Side) -> str:
        """What the player on this side is called."""
        return self.terms.name(side)

    def called(self, side: Side) -> str | Sentence:
        """What a sentence calls the player on this side: his name, or the word for his seat."""
        given = self.terms.south if side is Side.SOUTH else self.terms.north
        return given or SEAT_WORDS[side]

    def with_logged(self, entry: LogEntry) -> "State":
        """The table with one more line in the log of this game."""
        return replace(self, log=(*self.log, entry))


class Transition(NamedTuple):
    """The state after an event, and what is to be said about it."""

    state: State
    notices: tuple[Notice, ...] = ()

    def also(self, *notices: Notice) -> "Transition":
        """The same with more to say."""
        return Transition(self.state, (*self.notices, *notices))


def info(text: Sentence) -> Notice:
    """Something worth a line."""
    return Notice(text, Level.INFO)


def warn(text: Sentence) -> Notice:
    """Something that somebody should look at."""
    return Notice(text, Level.WARN)


def alarm(text: Sentence) -> Notice:
    """Something that stops the game until it is settled."""
    return Notice(text, Level.ALARM)


def check_side(state: State, given: Side | None, wanted: Side, action: Sentence) -> None:
    """Raise OutOfTurnError when somebody acts who is not asked."""
    if given is not None and given is not wanted:
        raise OutOfTurnError(
            say(
                "It is {name} who may {deed} now, not {other}.",
                name=state.called(wanted),
                deed=action,
                other=state.called(given),
            )
        )


def result_sentence(state: State, result: Result) -> Sentence:
    """One sentence on a game that has just been won."""
    worth = {1: say("a single game"), 2: say("a gammon"), 3: say("a backgammon")}[result.worth]
    points = say_n("1 point", "{n} points", result.points)
    return say("{name} wins {worth}: {points}.", name=state.called(result.winner), worth=worth, points=points)
