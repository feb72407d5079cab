"""The doubling cube: what it shows, who may turn it, and what an offer leads to."""

from dataclasses import dataclass

from companion.rules.side import Side


@dataclass(frozen=True, slots=True)
class Cube:
    """What the game is worth, and who may double next; owner None: in the middle, either side may."""

    value: int = 1
    owner: Side | None = None

    def open_to(self, side: Side) -> bool:
        """Whether the cube lies where this side may turn it."""
        return self.owner is None or self.owner is side


@dataclass(frozen=True, slots=True)
class Offer:
    """A double, or a beaver or raccoon on top of one, that waits for its answer.

    Attributes:
        by: who doubled first.
        before: the cube before the double.
        turns: how often it has been turned since: 1 a double, 2 a beaver, 3 a raccoon.
    """

    by: Side
    before: Cube
    turns: int = 1

    @property
    def asked(self) -> Side:
        """Who has to answer: the opponent of the one who turned the cube last."""
        return self.by.other if self.turns % 2 else self.by

    @property
    def value(self) -> int:
        """What the cube would show if it is taken."""
        return int(self.before.value * 2**self.turns)

    @property
    def lost_by_passing(self) -> int:
        """What the game counts if it is passed: what the cube showed before it was turned last."""
        return self.value // 2

    def turned_again(self) -> "Offer":
        """The same offer after a beaver, or a raccoon on the beaver."""
        return Offer(self.by, self.before, self.turns + 1)

    def taken(self) -> Cube:
        """The cube after the take: the one who was doubled first owns it, after beaver and raccoon too.

        Source for beavers: RULES.md, «the taker turns it once more at once and keeps it»; for raccoons
        docs/adr/0040-cube-after-a-raccoon.md.
        """
        return Cube(self.value, self.by.other)
