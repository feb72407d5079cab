"""The throw that lies on the board as it was told: dice that are only seen again are not told as thrown again."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.dice.reading import DiceReading, DieReading
    from vision.watch.watcher import LiftedSeen, ThrowSeen

PUSHED_MM = 30.0
"""Two dice's widths: so far a bump pushes dice that lie. Two that are thrown both come to rest so near to where the
last two lay about once in a thousand throws."""


class Lying:
    """What was told of the dice that lie there, until they are lifted."""

    def __init__(self) -> None:
        self._told: DiceReading | None = None
        self._bumped = False

    @property
    def any(self) -> bool:
        """Whether dice lie there whose lifting is still to be told."""
        return self._told is not None

    def bumped(self) -> None:
        """Board or camera have moved; where dice lie in the picture, and which face is up, means less from now on."""
        self._bumped = self._told is not None

    def news(self, seeing: "ThrowSeen | LiftedSeen") -> "list[ThrowSeen | LiftedSeen]":
        """What is to be told of it: nothing where the same dice still lie there.

        What was ruled before a bump stays ruled, and what was not read stays for people to say: a die that was knocked
        flat or onto another face was not thrown. Dice that were lifted while nobody could see it were lifted all the
        same.
        """
        from vision.watch.watcher import LiftedSeen, ThrowSeen

        if not isinstance(seeing, ThrowSeen):
            self._told, self._bumped = None, False
            return [seeing]
        told, was_bumped = self._told, self._bumped
        if still_lies(told, seeing.reading) or (was_bumped and pushed(told, seeing.reading)):
            return []
        self._told, self._bumped = seeing.reading, False
        gone = was_bumped and told is not None and not any(_near(told, die) for die in seeing.reading.dice)
        return [LiftedSeen(seeing.frame), seeing] if gone else [seeing]


def pushed(told: "DiceReading | None", reading: "DiceReading") -> bool:
    """Whether these are the dice that were told, at most pushed a little over the board, whatever they show now."""
    if told is None or not 0 < len(reading.dice) <= len(told.dice):
        return False
    return all(_near(told, die) for die in reading.dice)


def _near(told: "DiceReading", die: "DieReading") -> bool:
    """Whether one of the dice that were told lay near this one on the board."""
    return any(
        one.centre_mm is not None
        and die.centre_mm is not None
        and all(abs(a - b) <= PUSHED_MM for a, b in zip(one.centre_mm, die.centre_mm, strict=True))
        for one in told.dice
    )


def still_lies(told: "DiceReading | None", reading: "DiceReading") -> bool:
    """Whether a throw that was told, and read without doubt, lies there untouched: it is not thrown once more.

    A pipeline that begins anew because the board was placed anew sees it for the first time. What was not settled
    before, for want of a board say, is worth a second reading.
    """
    if told is None or told.doubt or not told.board_found or len(told.dice) != len(reading.dice):
        return False
    return all(
        one.rest == "flat" and any(_same_die(one, other) for other in reading.dice) for one in told.dice
    )


def _same_die(one: "DieReading", other: "DieReading") -> bool:
    """The same face at the same place; a hand cannot put a die back to a quarter of its width."""
    if one.value is None or other.value not in (one.value, None):
        return False
    away = zip(one.centre_px, other.centre_px, strict=True)
    return all(abs(a - b) < 0.25 * (one.box_px[2] - one.box_px[0]) for a, b in away)
