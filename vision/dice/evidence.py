"""Evidence of several pictures of the same resting dice, summed up instead of one picture's doubt spoiling all.

The chances of each die are the means over the pictures, so that noise averages out and a spot seen once among many
counts for little; what is wrong in every picture does not become any surer. Besides, more than half of the pictures
must say by themselves what their sum says, and none may say otherwise: of two pictures, both say the same. That a die
lies flat is said by more than two thirds of them, and by the mean of its tilt.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from vision.board.calibration import Board
from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.flat.flatness import is_flat
from vision.dice.judge import reading_of
from vision.dice.reading import DiceReading, DieReading, same_place
from vision.dice.rest import FLAT_DEG

ONE_DIE, ALIKE = 0.35, 1.35
"""Spots of two pictures closer than the first, in widths, and of widths that differ by less than this factor are one
die: its places in pictures at rest differ by a tenth of that."""
FLAT_SHARE = 2 / 3
"""More than this part of the pictures must say that a die lies flat: a doubt about that weighs more than others."""
LEAST_CHANCE = 1e-3
"""Of a number in one picture: a net that is sure and wrong once may be outvoted by many pictures."""


class Evidence:
    """What the pictures of a throw at rest have shown so far."""

    def __init__(self) -> None:
        self._seen: list[Sequence[Seen]] = []
        self._alone: list[DiceReading] = []

    @cached_property
    def second(self) -> "Evidence":
        """The evidence of another way to read these pictures."""
        return Evidence()

    @cached_property
    def strange(self) -> "Evidence":
        """The evidence of these pictures, read as if the board's make were unknown."""
        return Evidence()

    @cached_property
    def brightened(self) -> "Evidence":
        """The evidence of these pictures, brightened."""
        return Evidence()

    @property
    def looks(self) -> list[Seen]:
        """The looks at all pictures as those at one."""
        return summed(self._seen)

    def reading(self, seen: Sequence[Seen], board: Board | None) -> DiceReading:
        """The reading of all pictures together, with the looks at one more; on a board if one is known."""
        self._seen.append(seen)
        self._alone.append(reading_of(seen, board))
        if len(self._alone) == 1:
            return self._alone[0]
        together = self.looks
        level = {(one.spot.x, one.spot.y) for one in together if (one.look.tilt_deg or 0.0) <= FLAT_DEG}
        return agreed(reading_of(together, board), self._alone, level)


def agreed(
    together: DiceReading, alone: Sequence[DiceReading], level: Collection[tuple[float, float]] = ()
) -> DiceReading:
    """The reading of several pictures together, without what too few of them say alone, or one says otherwise.

    `level` are the middles of dice that are level by the mean of their tilts, which no single picture shows so well.
    """
    dice = tuple(
        _agreed(die, [_there(die, reading) for reading in alone], die.centre_px in level)
        for die in together.dice
    )
    agree = sum(not one.doubt and len(one.dice) == len(dice) for one in alone)
    return DiceReading(dice, together.doubt or 2 * agree <= len(alone), together.board_found)


def _there(die: DieReading, reading: DiceReading) -> DieReading | None:
    return next((other for other in reading.dice if same_place(die, other)), None)


def _agreed(die: DieReading, alone: Sequence[DieReading | None], is_level: bool) -> DieReading:
    if not _is_said(die, alone, lambda one: one.value):
        die = replace(die, value=None)
    if _is_said(die, alone, _counts_as) and (die.rest != "flat" or _is_flat(alone, is_level)):
        return die
    return replace(die, rest=None, tilt_deg=None, tilt_sd_deg=None)


def _is_flat(alone: Sequence[DieReading | None], is_level: bool) -> bool:
    """Whether a doubt that a die lies flat is outvoted: there is none, or in few pictures of a die that is level."""
    flat = sum(one is not None and one.rest == "flat" for one in alone)
    return flat == len(alone) or (is_level and flat > FLAT_SHARE * len(alone))


def _counts_as(die: DieReading) -> str | None:
    """The rest as far as rules of play tell one from another: leaning, on a die, a ledge or beside, all are cocked."""
    return die.rest if die.rest in (None, "flat", "on_checker") else "cocked"


def _is_said(
    die: DieReading, alone: Sequence[DieReading | None], fact: Callable[[DieReading], int | str | None]
) -> bool:
    """Whether more than half of the pictures say the same of a die, and none says something else."""
    said = [fact(one) for one in alone if one is not None]
    agree = said.count(fact(die))
    return 2 * agree > len(alone) and agree + said.count(None) == len(said)


def summed(pictures: Sequence[Sequence[Seen]]) -> list[Seen]:
    """The looks at several pictures as those at one: each spot with the means over all pictures."""
    spots: list[list[Seen]] = []
    for seen in pictures:
        before = len(spots)
        free = list(range(before))
        for one in seen:
            at = next((k for k in free if _one_die(spots[k][-1], one)), None)
            if at is None:
                spots.append([one])
            else:
                free.remove(at)
                spots[at].append(one)
    return [_mean(spot, len(pictures)) for spot in spots]


def _one_die(one: Seen, other: Seen) -> bool:
    a, b = one.spot, other.spot
    wide, narrow = max(a.width, b.width), min(a.width, b.width)
    return wide < ALIKE * narrow and math.hypot(a.x - b.x, a.y - b.y) < ONE_DIE * wide


def _mean(seen: Sequence[Seen], pictures: int) -> Seen:
    """The mean of the looks at one spot; a picture without that spot counts as one in which it is no die."""
    spots, looks = [one.spot for one in seen], [one.look for one in seen]
    x, y, width, score = np.mean([(s.x, s.y, s.width, s.score) for s in spots], 0).tolist()
    chances = np.log(np.maximum([look.values for look in looks], LEAST_CHANCE))
    tilts = [look.tilt_deg for look in looks if look.tilt_deg is not None]
    up_x, up_y = np.mean([look.own_up for look in looks], 0).tolist()
    look = Look(
        sum(look.die for look in looks) / pictures,
        tuple(np.exp(chances.mean(0)).tolist()),
        float(np.mean([look.leaning for look in looks])),
        tuple(np.mean([look.supports for look in looks], 0).tolist()),
        float(np.mean([look.readable for look in looks])),
        float(np.mean(tilts)) if tilts else None,
        (up_x, up_y),
        2 * sum(look.carried for look in looks) >= len(looks),
        _flat(looks),
        2 * sum(look.may_be_flat for look in looks) >= len(looks),
        flat_chance=_flat_chance(looks),
    )
    return Seen(Spot(x, y, width, score), look)


def _flat(looks: Sequence[Look]) -> bool | None:
    """Whether a die lies flat by all pictures: by the mean of its chances, where each picture has one that settles it;
    otherwise as most pictures have it.
    """
    chance = _flat_chance(looks)
    if chance is not None and (flat := is_flat(chance)) is not None:
        return flat
    return _one_opinion([look.flat for look in looks])


def _flat_chance(looks: Sequence[Look]) -> float | None:
    """The mean, as a logit, of the chances that a die lies flat; None where a picture has none."""
    chances = [look.flat_chance for look in looks if look.flat_chance is not None]
    if len(chances) < len(looks):
        return None
    near = [min(max(one, LEAST_CHANCE), 1 - LEAST_CHANCE) for one in chances]
    mean = float(np.mean([math.log(one / (1 - one)) for one in near]))
    return 1 / (1 + math.exp(-mean))


def _one_opinion(said: Sequence[bool | None]) -> bool | None:
    """The opinion of more than half of the pictures, None where there is no such, or one contradicts it."""
    most = next((one for one in (True, False) if 2 * said.count(one) > len(said)), None)
    return None if most is True and False in said else most
