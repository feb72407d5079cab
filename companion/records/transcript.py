"""A match as the field's files tell it: who rolled what, played what and said what to the cube, unchecked.

Player 0 is the left one of a `.mat` file and White of an SGF, player 1 the right one and Black. Plays are text in
the mover's own numbering; what is legal of it is for companion/records/replay.py to say.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, TypeAlias

from companion.errors import GameError
from companion.rules.board import Position
from sentence import verbatim

Player: TypeAlias = Literal[0, 1]
SIDES = ("left", "right")
"""How the two players are called where a file is spoken of."""


class BadFileError(GameError, ValueError):
    """A file that is no match record, or one that cannot be read; its text is English only."""

    def __init__(self, text: str) -> None:
        super().__init__(verbatim(text))


@dataclass(frozen=True, slots=True)
class RollMade:
    """A roll and what was played with it.

    Attributes:
        player: whose roll.
        number: of the move in the game, as the file counts them.
        dice: as written.
        text: the play, "" for none.
    """

    player: Player
    number: int
    dice: tuple[int, int]
    text: str


class Said(Enum):
    """What is said to the cube, and the giving up of a game."""

    DOUBLES = "Doubles"
    TAKES = "Takes"
    DROPS = "Drops"
    BEAVERS = "Beavers"
    RACCOONS = "Raccoons"
    RESIGNS = "Resigns"


@dataclass(frozen=True, slots=True)
class CubeSaid:
    """Something said to the cube; `value` is what it then shows, where the file tells."""

    player: Player
    number: int
    what: Said
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """The position set by hand: as player 0 sees it, who is on roll, and the cube."""

    position: Position
    on_roll: Player
    cube_value: int = 1
    cube_owner: Player | None = None


@dataclass(frozen=True, slots=True)
class Won:
    """The end of a game as the file tells it."""

    player: Player
    points: int


Deed: TypeAlias = RollMade | CubeSaid | Placed | Won


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the score before it, and what was done."""

    number: int
    score: tuple[int, int]
    deeds: tuple[Deed, ...]
    crawford: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def won(self) -> Won | None:
        """How it ended; None for one that was broken off."""
        return next((deed for deed in self.deeds if isinstance(deed, Won)), None)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole match; length 0 is money play.

    Attributes:
        players: left and right, or White and Black.
        length: points to win.
        games: in order.
        headers: what else the file says about the match, by its own names.
        start: the name of the starting position where it is not the usual one.
        remarks: what reading the file gave rise to.
    """

    players: tuple[str, str]
    length: int
    games: tuple[Game, ...]
    headers: dict[str, str] = field(default_factory=dict)
    start: str = "standard"
    remarks: tuple[str, ...] = ()

    @property
    def score(self) -> tuple[int, int]:
        """The score after the last game that was finished."""
        if not self.games:
            return (0, 0)
        last = self.games[-1]
        score = list(last.score)
        if last.won is not None:
            score[last.won.player] += last.won.points
        return score[0], score[1]

    @property
    def winner(self) -> Player | None:
        """Who reached the length; None for money play and unfinished matches."""
        left, right = self.score
        if not self.length or max(left, right) < self.length:
            return None
        return 0 if left >= self.length else 1
