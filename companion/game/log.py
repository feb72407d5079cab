"""The log of a game: turns, cube actions and positions set by hand, in order. Exports are written from it."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from companion.rules.board import Board, Roll, Side
from companion.rules.match import Cube, Result, Score
from companion.rules.moves import Play
from sentence import NOTHING, Sentence


@dataclass(frozen=True, slots=True)
class TurnMade:
    """A turn that has ended, as it stands: what was rolled and what lies on the board.

    Attributes:
        side: whose turn it was.
        roll: None: not rolled, a closed-out side that need not.
        play: the moves; () a dance; None: only the board it left is known.
        before: the board before the play.
        after: the board after it.
        fault: why the play was not legal; it stood all the same.
        picture: file name of the picture of the roll.
    """

    side: Side
    roll: Roll | None
    play: Play | None
    before: Board
    after: Board
    fault: Sentence = NOTHING
    picture: str | None = None


class CubeAction(Enum):
    """What can be done with the cube."""

    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    TAKE = "take"
    PASS = "pass"


@dataclass(frozen=True, slots=True)
class CubeTurn:
    """A side did something with the cube; `value` is what it shows, or would show, then."""

    side: Side
    action: CubeAction
    value: int


@dataclass(frozen=True, slots=True)
class SetUp:
    """The position, or the cube, was set by hand in the middle of a game."""

    board: Board
    cube: Cube
    on_roll: Side | None


LogEntry: TypeAlias = TurnMade | CubeTurn | SetUp


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game that is over: how it stood before, what was done, how it ended.

    Attributes:
        number: of the game in the match.
        south: who sat at south.
        north: who sat at north.
        score: before the game.
        crawford: it was the Crawford game.
        deeds: turns and cube, in order.
        result: how it ended.
        swapped: the player who began the match at south sat at north.
    """

    number: int
    south: str
    north: str
    score: Score
    crawford: bool
    entries: tuple[LogEntry, ...]
    result: Result
    swapped: bool = False
