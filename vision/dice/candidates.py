"""Which of the looks are at dice: one for each place, of a die's size, and none that surer ones rule out."""

import math
from collections.abc import Sequence

import numpy as np

from vision.board.calibration import Board
from vision.dice.faces import Seen
from vision.dice.places import away, width_mm, width_px
from vision.dice.reading import DieReading
from vision.dice.rest import PLAIN_DIE, shows_number

IS_DIE = 0.9
"""Almost all dice score above this and almost all non-dice below (tuning boards)."""
MAYBE_DIE = 0.5
"""On the playing surface, a spot between this and IS_DIE is a doubt: it may be an overlooked die."""
IS_DIE_ANYWHERE, MAYBE_DIE_ANYWHERE = 0.95, 0.8
"""The same without a board, where any number of dice may be seen from any side: a side face looks much like a die."""
ALIKE = 1.7
"""Without a board the size of the dice is unknown, but those in one picture are alike: a spot smaller or larger than
the usual one by more than this factor is a pip, a face seen from the side, or two dice taken for one."""
FRONT, ONE_CAMERA = 0.5, 0.68
"""In 235 photographs read right, a third of them held out, no die's up pointed down by 0.5 (a camera held upside down
at 30 degrees) and no two differed by more than 0.64; three and two of the four read wrong are beyond these limits."""
APART, BESIDE = 0.85, 1.0
"""In widths: two faces of one die, seen from the side, are closer together than the first, and two dice are not closer
than the second."""
SIZE_SPREAD = 0.18
"""Assumed spread of the widths of like dice, as a natural logarithm."""
SMALL, LARGE = 0.65, 1.5
"""A third die must also be at least this large relative to the two, and none may be larger than the largest certain die
by more than that factor: dice are alike, checkers with a dot are not."""
WIDEST_MM = 27.0
"""What seems wider on a board is a die only beside another of its size: dice are 12 to 16 mm wide, and seem up to 31 on
travel boards, whose points are taken for usual ones. The middle of a dark checker that mirrors a lamp, 28 mm wide, was
a 1 for eight turns of a rendered game."""
NARROWEST_MM = 8.0
"""What seems narrower is a die only if it shows a number, beside another of its size that does: the bright gap between
two checkers and the rim, 7 mm wide, was a throw in doubt after each of six turns of a rendered game. The narrowest of
4,231 dice found on painted boards seems 8.5 mm wide, of 60 on a real one 13.8."""
SURE_DIE = 0.9
"""A spot half a width from a die of its size that scores above this is another die, resting on it."""
NEAR, NEAR_TWIN = 0.75, 0.4
"""In widths: two dice side by side are at least one apart; one that rests on another appears up to a half closer."""
TWO_FACES, PLAINLY_LEANS = 1.0, 0.8
"""In widths: two faces of a die that plainly leans look alike, and both may be taken for its upper one."""
TWINS = 1.35
"""No two of 496 pairs of flat dice differed by more than 1.22 in width: beyond this one of the two is no die."""


def without_nested(seen: Sequence[Seen]) -> list[Seen]:
    """Drop spots within a surer or larger die: pips taken for small dice, the same die at two scales.

    Two sure dice of one size half a width apart both stay: one rests on the other.
    """
    kept: list[Seen] = []
    for one in sorted(seen, key=lambda s: -s.look.die * s.spot.width**0.5):
        if not any(_covers(k, one) for k in kept):
            kept.append(one)
    return kept


def _covers(surer: Seen, one: Seen) -> bool:
    alike = 0.7 < surer.spot.width / one.spot.width < 1.4
    if min(surer.look.leaning, one.look.leaning) > PLAINLY_LEANS:
        return away(surer, one) <= TWO_FACES * max(surer.spot.width, one.spot.width)
    reach = NEAR_TWIN if alike and one.look.die > SURE_DIE else NEAR
    return away(surer, one) <= reach * max(surer.spot.width, one.spot.width)


def of_dice_size(seen: list[Seen], board: Board) -> list[Seen]:
    """The looks without those that are too wide for a die, or too narrow, and are not one of two of their size."""

    def is_one_of_two(one: Seen, others: Sequence[Seen]) -> bool:
        return any(
            max(one.spot.width, other.spot.width) <= TWINS * min(one.spot.width, other.spot.width)
            for other in others
            if other is not one and other.look.die >= IS_DIE
        )

    def may_be_die(one: Seen) -> bool:
        wide_mm = width_mm(one.spot, board)
        if wide_mm < NARROWEST_MM:
            return one in numbered and is_one_of_two(one, numbered)
        return wide_mm <= WIDEST_MM or is_one_of_two(one, seen)

    numbered = [one for one in seen if shows_number(one.look)]
    return [one for one in seen if may_be_die(one)]


def without_ruled_out(found: Sequence[tuple[float, DieReading]]) -> list[tuple[float, DieReading]]:
    """Dice candidates with confidence, minus those ruled out by certain ones.

    A candidate goes if it is much larger than a certain die; by two certain ones also if it is not sure to be a die, if
    it shows no number and is not plainly a die, or if it is much smaller: a pip, a pattern, the middle of a checker.
    """
    plain = [die for sure, die in found if sure >= PLAIN_DIE and die.value is not None]
    most_px = LARGE * max(map(width_px, plain), default=math.inf)
    found = [(sure, die) for sure, die in found if width_px(die) <= most_px]
    if len(plain) != 2:
        return found
    least_px = SMALL * min(width_px(die) for die in plain)
    return [
        (sure, die)
        for sure, die in found
        if sure >= (IS_DIE if die.value is not None else PLAIN_DIE) and width_px(die) >= least_px
    ]


def alike(seen: Sequence[Seen]) -> list[Seen]:
    """The candidates of the usual size, one for each place: the surest to be a die with that number on top."""
    sure = [one for one in seen if one.look.die >= MAYBE_DIE]
    if not sure:
        return []
    size = np.log([one.spot.width for one in sure])
    weight = np.array([one.look.die * max(one.look.values) * one.spot.score for one in sure])
    support = np.exp(-0.5 * ((size[:, None] - size) / SIZE_SPREAD) ** 2) @ weight
    usual = float(np.exp(size[np.argmax(support)]))
    kept: list[Seen] = []
    for one in sorted(sure, key=_worth, reverse=True):
        fits = usual / ALIKE < one.spot.width < usual * ALIKE
        if fits and all(away(k, one) > APART * max(k.spot.width, one.spot.width) for k in kept):
            kept.append(one)
    return kept


def _worth(one: Seen) -> float:
    """Quality of a look at a die: one off its middle shows no clear number."""
    return float(one.look.die * (0.3 + max(one.look.values)) * one.spot.score**0.5)


def without_own_fronts(seen: Sequence[Seen]) -> list[Seen]:
    """The looks without those at the front of a die whose upper face is among them."""

    def is_own_front(one: Seen) -> bool:
        return _points_down(one) and any(
            other.look.own_up[1] < 0
            and other.look.die >= IS_DIE_ANYWHERE
            and away(one, other) < BESIDE * max(one.spot.width, other.spot.width)
            for other in seen
        )

    return [one for one in seen if not is_own_front(one)]


def _points_down(one: Seen) -> bool:
    """Whether the face's supposed up points down the picture, as a front's does."""
    return one.look.own_up[1] > FRONT


def is_front(one: Seen, seen: Sequence[Seen]) -> bool:
    """Whether this may be a die's front, seen below its upper face.

    Its supposed up points down the picture, or elsewhere than another die's, though one camera sees them all.
    """
    x, y = one.look.own_up
    return _points_down(one) or any(
        np.hypot(x - k.look.own_up[0], y - k.look.own_up[1]) > ONE_CAMERA
        for k in seen
        if k.look.die >= IS_DIE_ANYWHERE
    )
