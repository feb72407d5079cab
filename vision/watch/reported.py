"""Remembers the dice reported last, so that each throw and each lifting is reported once."""

from typing import NamedTuple

from vision.change import STEP, Stir
from vision.dice.reading import DiceReading, DieReading, same_place

PUSHED_MM = 30.0
"""Two widths of a die: a bump pushes resting dice no further. Two thrown dice both come to rest this close to the last
two about once in a thousand throws."""

UNTOUCHED = 0.25
"""In widths of the die: a hand cannot put a die back more exactly."""


class News(NamedTuple):
    """The difference between a reading and the last report.

    Attributes:
        lifted: the reported dice are gone.
        thrown: the reading is a throw not yet reported.
    """

    lifted: bool
    thrown: bool


NOTHING_NEW = News(lifted=False, thrown=False)


class ReportedDice:
    """The last reported throw, until its lifting is reported.

    As long as the picture is unchanged, dice are recognised by their pixels. After a new placing of the board the
    pixels are compared once more, strictly, because a second reading may settle a throw that was in doubt.
    After the board or the camera has moved, the places on the board in mm decide and not the faces: a die that a
    bump turned over was not thrown.
    """

    def __init__(self) -> None:
        self._reading: DiceReading | None = None
        self._seen: tuple[DieReading, ...] = ()
        self._has_moved = False

    @property
    def seen(self) -> tuple[DieReading, ...]:
        """The reported dice at their last known places; empty after `lose_places` until they are read again."""
        return self._seen

    def lose_places(self) -> None:
        """Forget the dice's places, as the board was placed anew: the next reading gives them."""
        self._seen = ()

    def board_moved(self) -> None:
        """Ignore former pixels and faces from now on: the board, the camera or the shape of the pictures changed."""
        self._has_moved = self._reading is not None

    def touched(self, change: Stir) -> bool:
        """Whether the picture changed at the places where the dice were last seen."""
        for die in self._seen:
            x0, y0, x1, y1 = (round(v / STEP) for v in die.box_px)
            if change.moved[max(0, y0 - 1) : y1 + 2, max(0, x0 - 1) : x1 + 2].any():
                return True
        return False

    def compare(self, reading: DiceReading) -> News:
        """Compare a reading of resting dice with the last report, and remember it as far as it is new."""
        if not reading.dice:
            lifted = self._reading is not None
            self.remember(None)
            return News(lifted, thrown=False)
        if self._seen and all(any(same_place(die, new) for die in self._seen) for new in reading.dice):
            return NOTHING_NEW  # all are there, or some have been picked up
        some_stay = any(same_place(die, new) for die in self._seen for new in reading.dice)
        all_gone = bool(self._seen) and not some_stay
        if not all_gone and self._recognises(reading):
            self._seen = reading.dice
            return NOTHING_NEW
        lifted = all_gone or (not self._seen and self._moved_out_of_reach(reading))
        self.remember(reading)
        return News(lifted, thrown=True)

    def remember(self, reading: DiceReading | None) -> None:
        """Take this for the last report; None: there is none."""
        self._reading, self._has_moved = reading, False
        self._seen = reading.dice if reading else ()

    def _recognises(self, reading: DiceReading) -> bool:
        """Whether this is a second reading of the reported throw."""
        last = self._reading
        if last is None:
            return False
        return is_untouched(last, reading) or (self._has_moved and is_pushed(last, reading))

    def _moved_out_of_reach(self, reading: DiceReading) -> bool:
        """Whether none of the reported dice can be among these: they were lifted while the board was lost from view."""
        last = self._reading
        return self._has_moved and last is not None and not any(_near(last, die) for die in reading.dice)


def is_untouched(last: DiceReading, reading: DiceReading) -> bool:
    """Whether a settled throw still rests as it was read: every die flat, with the same face, at the same place.

    A throw in doubt, without a board, or with a die that was not flat is not settled: it is worth a second report.
    """
    if last.doubt or not last.board_found or len(last.dice) != len(reading.dice):
        return False
    return all(die.rest == "flat" and any(_same_die(die, new) for new in reading.dice) for die in last.dice)


def is_pushed(last: DiceReading, reading: DiceReading) -> bool:
    """Whether these are the reported dice, or some of them, pushed over the board by a bump; their faces may differ."""
    return 0 < len(reading.dice) <= len(last.dice) and all(_near(last, die) for die in reading.dice)


def _same_die(one: DieReading, other: DieReading) -> bool:
    """Whether a die has the same face at the same place; an unread face counts as the same."""
    if one.value is None or other.value not in (one.value, None):
        return False
    away = zip(one.centre_px, other.centre_px, strict=True)
    return all(abs(a - b) < UNTOUCHED * (one.box_px[2] - one.box_px[0]) for a, b in away)


def _near(last: DiceReading, die: DieReading) -> bool:
    """Whether a bump may have pushed one of the reported dice here: one lay within `PUSHED_MM` in each direction."""
    return any(
        one.centre_mm is not None
        and die.centre_mm is not None
        and all(abs(a - b) <= PUSHED_MM for a, b in zip(one.centre_mm, die.centre_mm, strict=True))
        for one in last.dice
    )
