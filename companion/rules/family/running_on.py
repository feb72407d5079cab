"""Doublets that run on to the next numbers, and their rest; docs/rules/family.md, rows F18 and F19."""

from dataclasses import dataclass
from typing import NamedTuple

from companion.rules.board import Roll, Side, die
from companion.rules.moves import DOUBLET_TIMES
from companion.rules.profile import Profile
from companion.rules.setting_values import RestOfDoublet


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a turn whose number was not thrown: it follows from a doublet, or was named after 2-1.

    Attributes:
        thrower: the side that threw, and that the turn belongs to.
        times: most plays of its number.
        named: a doublet that was named, or its complement (family/bonus.py).
        complement: the complement of a doublet.
    """

    thrower: Side
    times: int = DOUBLET_TIMES
    named: bool = False
    complement: bool = False

    @property
    def runs_on(self) -> bool:
        """Whether it follows from a doublet that runs on."""
        return not (self.named or self.complement)


class Onward(NamedTuple):
    """The part that follows another: its side, its number as a doublet, and the rest of it."""

    side: Side
    roll: Roll
    part: Part


def onward(profile: Profile, side: Side, number: int, part: Part, left: int) -> Onward | None:
    """The part that follows a completed one; None at the end of the turn.

    Each number is played four times, then the next higher one up to six. The first number that its thrower cannot
    play to the end is the last one for him: the rest of it and all higher numbers are the opponent's, or are lost
    (row F19). What the opponent cannot play either is lost, number by number.

    Args:
        profile: the rules of the game.
        side: that has played the part.
        number: of the part.
        part: its thrower, and how often its number could be played.
        left: how often it was not played because it could not be.
    """
    if left and side is part.thrower:
        if profile.rest_of_doublet is RestOfDoublet.LOST:
            return None
        return Onward(side.other, _doublet(number), Part(part.thrower, left))
    if number == 6:
        return None
    return Onward(side, _doublet(number + 1), Part(part.thrower))


def _doublet(number: int) -> Roll:
    return Roll(die(number), die(number))
