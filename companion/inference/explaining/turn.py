"""The turn in progress, and the explanations of a game after a turn."""

from dataclasses import dataclass, field

from companion.inference.findings import Kind, Line, Made
from companion.inference.views import BoardView
from companion.rules.board import Roll, Side


@dataclass
class TurnInProgress:
    """The turn in progress.

    Attributes:
        number: in the game, from 0.
        sides: the side on roll, or both where it is not known.
        rolls: the possible rolls; one if the throw counts.
        sure: whether the throw counts.
        cocked: the throw was called cocked for how its dice lie, not for whose half they lie in.
        unread: no dice were read that tell the roll.
        told_by_play: the rolls that the play may tell, of two dice of which one or both were not read; none where the
            turn was not due.
        follows: the only side for which the next throw would count where it lies; None: both, or neither.
        next_side: the side that throws next, if the next throw tells it.
        again: the next throw lies where its own side throws: a turn of the other side was perhaps not seen.
        fitted: the board before it did not contradict the picture of its throw.
        lying: the last view while the dice lie.
        after: the views since they were lifted, of the last position that they show.
        earlier: those of the position before that one.
        accepted: the play that was accepted before the next throw.
        agreed: the views that showed it.
        last: the last view as it was read, without correction; of an accepted play the last one that shows it.
        answer: what people say of it; None: nothing.
    """

    number: int
    sides: tuple[Side, ...]
    rolls: tuple[Roll, ...]
    sure: bool
    cocked: bool = False
    unread: bool = False
    told_by_play: frozenset[Roll] = frozenset()
    follows: Side | None = None
    next_side: Side | None = None
    again: bool = False
    fitted: bool = True
    lifted: bool = False
    lying: BoardView | None = None
    accepted: Made | None = None
    agreed: BoardView | None = None
    last: BoardView | None = None
    after: list[BoardView] = field(default_factory=list)
    earlier: list[BoardView] = field(default_factory=list)
    answer: Made | None = None

    @property
    def may_call(self) -> bool:
        """Whether an illegal play may be called. Where a change was seen before the throw, or more than one after it,
        or this side throws again, another turn was perhaps not seen: together they look like an illegal play.
        """
        return self.fitted and not self.again and not self.earlier


@dataclass(frozen=True, slots=True)
class Weighed:
    """The explanations after a turn with their chances, the most likely first."""

    lines: tuple[Line, ...]
    chances: tuple[float, ...]

    def of_turn(self, number: int) -> list[tuple[Made, float]]:
        """The explanations of one turn, each with its chance, the most likely first."""
        found: dict[Made, float] = {}
        for line, chance in zip(self.lines, self.chances, strict=True):
            made = line.turns.get(number)
            if made is not None:
                found[made] = found.get(made, 0.0) + chance
        return sorted(found.items(), key=lambda one: -one[1])

    def has(self, made: Made) -> bool:
        """Whether an explanation has this turn so."""
        return any(line.turns.get(made.number) == made for line in self.lines)

    def illegal(self, number: int) -> float:
        """The chance that the play of this turn was illegal."""
        return sum(chance for made, chance in self.of_turn(number) if made.kind is Kind.ILLEGAL)
