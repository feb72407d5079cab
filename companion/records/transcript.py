"""A match as in the field's files: rolls, plays and cube actions, unchecked.

Player 0 is the left one of a `.mat` file and White of an SGF, player 1 the right one and Black. Plays are text in
the mover's own numbering; companion/records/replay.py checks them.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from companion.errors import GameError
from companion.game.state import CubeAction
from companion.rules.board import Position
from sentence import verbatim

Player: TypeAlias = Literal[0, 1]
SIDES = ("left", "right")
"""Names of the two players in reports on a file."""

SGF_STARTS = {"nackgammon": "Nackgammon", "hypergammon": "Hypergammon3"}
"""GNU Backgammon's names of the starting positions in an SGF's rules; the figure counts the checkers."""
MAT_STARTS = {"standard": "Backgammon", "nackgammon": "NackGammon", "hypergammon": "HyperGammon (3)"}
"""Its names of them in the entry “Variation” of a `.mat`."""


def opponent_of(player: Player) -> Player:
    """The opponent."""
    return 0 if player else 1


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


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """A cube action; `value` is the cube's value after it, if the file gives it."""

    player: Player
    number: int
    kind: CubeAction
    value: int | None = None

    @property
    def turns_cube(self) -> bool:
        """Whether it is a double, a beaver or a raccoon."""
        return self.kind not in (CubeAction.TAKE, CubeAction.PASS)


@dataclass(frozen=True, slots=True)
class Resignation:
    """A player's resignation; the points stand with the end of the game."""

    player: Player
    number: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A position that is set, and not reached by moves.

    Attributes:
        position: as player 0 sees it.
        on_roll: the player who acts next.
        cube_value: of the cube.
        cube_owner: its owner, None while it is in the middle.
        is_play: the illegal play of the roll before it left the position.
    """

    position: Position
    on_roll: Player
    cube_value: int = 1
    cube_owner: Player | None = None
    is_play: bool = False


@dataclass(frozen=True, slots=True)
class Won:
    """The end of a game, according to the file."""

    player: Player
    points: int


Action: TypeAlias = RollMade | CubeDecision | Resignation | Placed | Won


def with_beavers(actions: Iterable[Action]) -> Iterator[Action]:
    """Actions whose doubles of one exchange are named by their order: the second a beaver, the third a raccoon.

    GNU Backgammon writes no take after a beaver into a `.mat`: it is added where a roll follows.
    """
    exchange: list[CubeDecision] = []
    for action in actions:
        if isinstance(action, CubeDecision) and action.turns_cube:
            kind = (action.kind, CubeAction.BEAVER, CubeAction.RACCOON)[min(len(exchange), 2)]
            exchange.append(replace(action, kind=kind))
            yield exchange[-1]
            continue
        if isinstance(action, RollMade) and len(exchange) > 1:
            last = exchange[-1]
            yield replace(last, player=0 if last.player else 1, kind=CubeAction.TAKE)
        exchange = []
        yield action


def with_set_ups(actions: Sequence[Action]) -> Iterator[Action]:
    """Actions in which an illegal play after which the same player has the same roll is a position set by hand.

    Such a position has the player on roll who acts next.
    """
    rest = deque(actions)
    while rest:
        action = rest.popleft()
        following, then = rest[0] if rest else None, rest[1] if len(rest) > 1 else None
        if isinstance(action, Placed) and not action.is_play:
            players = (one.player for one in rest if isinstance(one, RollMade | CubeDecision))
            action = replace(action, on_roll=next(players, action.on_roll))
        elif isinstance(action, RollMade) and isinstance(following, Placed) and is_roll_again(action, then):
            rest.popleft()
            action = replace(following, on_roll=action.player, is_play=False)
        yield action


def is_roll_again(made: RollMade, action: Action | None) -> bool:
    """Whether an action is a roll of the same player and the same dice."""
    return isinstance(action, RollMade) and (action.player, action.dice) == (made.player, made.dice)


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the score before it, and its rolls and cube actions."""

    number: int
    score: tuple[int, int]
    actions: tuple[Action, ...]
    crawford: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def won(self) -> Won | None:
        """The game's end, None if it was broken off."""
        return next((action for action in self.actions if isinstance(action, Won)), None)

    @property
    def score_after(self) -> tuple[int, int]:
        """The score with the game's points."""
        (left, right), won = self.score, self.won
        if won is None:
            return left, right
        return (left + won.points, right) if won.player == 0 else (left, right + won.points)


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
        return self.games[-1].score_after if self.games else (0, 0)

    @property
    def winner(self) -> Player | None:
        """The player who reached the length, None for money play and unfinished matches."""
        left, right = self.score
        if not self.length or max(left, right) < self.length:
            return None
        return 0 if left >= self.length else 1
