"""A roll, its numbers, and the 21 rolls with their weights."""

from typing import Literal, NamedTuple, TypeAlias, cast

from companion.errors import BadTextError, shown

Die: TypeAlias = Literal[1, 2, 3, 4, 5, 6]


def die(number: int) -> Die:
    """The number as a die's face.

    Raises:
        BadTextError: the number is not 1 to 6.
    """
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 6:
        raise BadTextError(f"A die shows 1 to 6, not {shown(number)}.")
    return cast(Die, number)


class Roll(NamedTuple):
    """Two dice that count; the higher first, so that 3-1 and 1-3 are one roll."""

    high: Die
    low: Die

    @classmethod
    def of(cls, one: int, other: int) -> "Roll":
        """The roll of two faces in any order; BadTextError for a face that no die has."""
        a, b = die(one), die(other)
        return cls(a, b) if a >= b else cls(b, a)

    @property
    def is_doubles(self) -> bool:
        """Both dice show the same number."""
        return self.high == self.low

    @property
    def numbers(self) -> tuple[Die, ...]:
        """The numbers to be played: two, or four with doubles."""
        return (self.high,) * 4 if self.is_doubles else (self.high, self.low)

    @property
    def weight(self) -> int:
        """In how many of the 36 throws this roll comes."""
        return 1 if self.is_doubles else 2


ROLLS: tuple[Roll, ...] = tuple(Roll.of(a, b) for a in range(1, 7) for b in range(1, a + 1))
