"""What the follower of a game finds out, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias

from companion.rules.board import BAR, OFF, Board, Roll, Side
from companion.rules.moves import Play
from sentence import NOTHING, Sentence


class Kind(Enum):
    """What a change of the position is."""

    LEGAL = auto()
    """A legal play, or a dance."""
    ILLEGAL = auto()
    """Checkers of the side on roll moved, but not by a legal play."""
    UNMOVED = auto()
    """Nothing was played although something can be."""
    DISORDER = auto()
    """No movement of one side explains it, or its roll is not known and no legal play of any roll does."""
    MISSED = auto()
    """Several turns whose throws were not seen, after which the same side throws as before them."""


@dataclass(frozen=True, slots=True)
class Made:
    """A turn as one explanation has it.

    Attributes:
        number: of the turn in the game, from 0.
        roll: None if the dice were not read and nothing tells it.
        play: the legal play, () for a dance; None for any other kind.
        fault: the fault of an illegal play, a sentence.
        is_open: whether it is not decided, in the turns of a record.
    """

    number: int
    side: Side
    roll: Roll | None
    kind: Kind
    before: Board
    after: Board
    play: Play | None = None
    fault: Sentence = NOTHING
    is_open: bool = False

    @property
    def keeps_checkers(self) -> bool:
        """Whether checkers moved between points, or from the bar, and none was taken away."""
        return self.kind is not Kind.UNMOVED and all(
            after[OFF] == before[OFF] and (self.kind is not Kind.DISORDER or after[BAR] <= before[BAR])
            for before, after in (
                (self.before.south, self.after.south),
                (self.before.north, self.after.north),
            )
        )

    def moves_only(self, side: Side) -> bool:
        """Whether only checkers of this side moved, others at most being hit."""
        return self.before.moves_only(side, self.after)


@dataclass(frozen=True, slots=True)
class Answer:
    """What people say of a turn: how it was played; `unseen` where its throw was not seen."""

    made: Made
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """A turn that was decided: a legal play, an illegal one that stood, or whatever people say of it.

    Attributes:
        chance: of the decision, 0 to 1.
        corrected: whether it was decided otherwise before.
    """

    made: Made
    chance: float
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class TurnOpen:
    """A turn that is not decided: the likely explanations with their chances, the most likely first."""

    number: int
    side: Side
    roll: Roll | None
    candidates: tuple[tuple[Made, float], ...]
    why: Sentence


@dataclass(frozen=True, slots=True)
class GameEnded:
    """All checkers of a side are borne off."""

    winner: Side


Finding: TypeAlias = TurnSeen | TurnOpen | GameEnded


@dataclass(frozen=True, slots=True)
class Line:
    """One explanation of the whole game so far: its turns by number, the board after them, and its weight in nats."""

    board: Board
    weight: float = 0.0
    turns: Mapping[int, Made] = field(default_factory=dict)
