"""The log of a game: turns, cube actions and positions set by hand, in order. Exports are made from it."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from companion.rules.board import Board, Roll, Side
from companion.rules.cube_and_score import Cube, Result, Score
from companion.rules.moves import Play
from sentence import NOTHING, Sentence


@dataclass(frozen=True, slots=True)
class TurnMade:
    """A turn that has ended: roll, play and board.

    Attributes:
        side: the side that played.
        roll: the roll; None for a closed-out side that need not roll.
        play: the moves; () is a dance; None: only the board after the play is known.
        before: the board before the play.
        after: the board after the play.
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
    """A position or cube set by hand during a game."""

    board: Board
    cube: Cube
    on_roll: Side | None


LogEntry: TypeAlias = TurnMade | CubeTurn | SetUp


@dataclass(frozen=True, slots=True)
class GameLog:
    """A finished game: the score before it, its log and its result.

    Attributes:
        number: number of the game in the match.
        south: the player at south.
        north: the player at north.
        score: the score before the game.
        crawford: whether it was the Crawford game.
        entries: turns, cube actions and set-ups, in order.
        result: winner, worth and ending.
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
