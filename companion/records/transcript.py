"""A match as in the field's files: rolls, plays and cube actions, unchecked.

Player 0 is the left one of a `.mat` file and White of an SGF, player 1 the right one and Black. Plays are text in
the mover's own numbering; companion/records/replay.py checks them.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, TypeAlias

from companion.errors import GameError
from companion.rules.board import Position
from sentence import verbatim

Player: TypeAlias = Literal[0, 1]
SIDES = ("left", "right")
"""Names of the two players in reports on a file."""


class BadFileError(GameError, ValueError):
    """A file that is no match record or cannot be read; its text is English only."""

    def __init__(self, text: str) -> None:
        super().__init__(verbatim(text))


@dataclass(frozen=True, slots=True)
class RollMade:
    """A roll and its play.

    Attributes:
        player: the roller.
        number: of the move in the game, as the file counts.
        dice: as written.
        text: the play, "" for none.
    """

    player: Player
    number: int
    dice: tuple[int, int]
    text: str


class Said(Enum):
    """Cube actions, and the resignation of a game."""

    DOUBLES = "Doubles"
    TAKES = "Takes"
    DROPS = "Drops"
    BEAVERS = "Beavers"
    RACCOONS = "Raccoons"
    RESIGNS = "Resigns"


@dataclass(frozen=True, slots=True)
class CubeSaid:
    """A cube action; `value` is the cube's value after it, if the file gives it."""

    player: Player
    number: int
    what: Said
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A position set by hand: as player 0 sees it, the player on roll, and the cube."""

    position: Position
    on_roll: Player
    cube_value: int = 1
    cube_owner: Player | None = None


@dataclass(frozen=True, slots=True)
class Won:
    """The end of a game, according to the file."""

    player: Player
    points: int


Deed: TypeAlias = RollMade | CubeSaid | Placed | Won


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the score before it, and its rolls and cube actions."""

    number: int
    score: tuple[int, int]
    deeds: tuple[Deed, ...]
    crawford: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def won(self) -> Won | None:
        """The game's end, None if it was broken off."""
        return next((deed for deed in self.deeds if isinstance(deed, Won)), None)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole match; length 0 is money play.

    Attributes:
        players: left and right, or White and Black.
        length: points to win.
        games: in order.
        headers: other data of the match, under the file's own names.
        start: name of the starting position.
        remarks: findings of the reader.
    """

    players: tuple[str, str]
    length: int
    games: tuple[Game, ...]
    headers: dict[str, str] = field(default_factory=dict)
    start: str = "standard"
    remarks: tuple[str, ...] = ()

    @property
    def score(self) -> tuple[int, int]:
        """The score after the last finished game."""
        if not self.games:
            return (0, 0)
        last = self.games[-1]
        score = list(last.score)
        if last.won is not None:
            score[last.won.player] += last.won.points
        return score[0], score[1]

    @property
    def winner(self) -> Player | None:
        """The player who reached the length, None for money play and unfinished matches."""
        left, right = self.score
        if not self.length or max(left, right) < self.length:
            return None
        return 0 if left >= self.length else 1
