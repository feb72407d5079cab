"""The reading of all looks at one picture: which are dice, how they rest, and where there is doubt."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.board.calibration import Board
from vision.dice.candidates import (
    IS_DIE,
    IS_DIE_ANYWHERE,
    MAYBE_DIE,
    MAYBE_DIE_ANYWHERE,
    TWINS,
    alike,
    is_front,
    of_dice_size,
    without_nested,
    without_own_fronts,
    without_ruled_out,
)
from vision.dice.faces import Seen
from vision.dice.finder import DIE_MM
from vision.dice.places import lowered, width_px
from vision.dice.reading import DiceReading, DieReading
from vision.dice.rest import die_of
from vision.dice.supports import possible

IS_DIE_OUTSIDE = 0.985
"""The bar and the area beside the surface have hinges, locks, inlays and the cube, and hardly ever a die: a lower score
is no die. All 23 dice there had at least 0.999, all 195 other things at most 0.97."""


def reading_of(seen: Sequence[Seen], board: Board | None) -> DiceReading:
    """The reading of all spots looked at in one picture; `board` None: dice anywhere."""
    return _anywhere(seen) if board is None else _on_board(seen, board)


def _anywhere(seen: Sequence[Seen]) -> DiceReading:
    """The reading without a board. No ruling follows; a person who counts shall see that there may be one more die."""
    dice, doubt = [], False
    seen = without_own_fronts(alike(seen))
    for one in seen:
        die = die_of(one, None, None)
        if one.look.die >= IS_DIE_ANYWHERE:
            dice.append(replace(die, value=None) if is_front(one, seen) else die)
        elif one.look.die >= MAYBE_DIE_ANYWHERE:
            doubt = True
            dice.append(replace(die, value=None))
    return _read(dice, doubt, None)


def _on_board(seen: Sequence[Seen], board: Board) -> DiceReading:
    """The reading on a board."""
    kept = of_dice_size(without_nested(seen), board)
    on_floor = lowered(kept, board, DIE_MM)
    looks = [possible(k, kept, on_floor, board) for k in range(len(kept))]
    found = [(one.look.die, die_of(one, board, mm)) for one, mm in zip(looks, on_floor, strict=True)]
    found = without_ruled_out([(sure, die) for sure, die in found if sure >= _maybe_from(die)])
    dice = [die for sure, die in found if sure >= IS_DIE]
    doubt = len(dice) < len(found)
    inside = [d for d in dice if d.on_surface is not False]
    if len(inside) >= 2:  # the other pair waits beside the surface
        dice = inside
    if len(dice) == 1 and dice[0].rest == "on_die" and (dice[0].value or board.trusts_lens):
        dice.append(_hidden_below(dice[0], board))  # one without a number, the lens unknown, may be any heap
    dice = _one_on_the_other(dice)
    return _read(dice, doubt or _differ(dice) or _may_be_none(dice, board), board)


def _one_on_the_other(dice: list[DieReading]) -> list[DieReading]:
    """The dice; of two that seem to rest each on the other only the one that leans more does."""
    if len(dice) != 2 or any(die.rest != "on_die" for die in dice):
        return dice
    upper = max(dice, key=lambda die: die.tilt_deg or 0.0)
    return [die if die is upper else replace(die, rest=None, tilt_deg=None, tilt_sd_deg=None) for die in dice]


def _may_be_none(dice: Sequence[DieReading], board: Board) -> bool:
    """Whether one of these may be no die, so that the halves they are in say nothing.

    On a board that is not familiar that is what is not known to lie flat: the middle of a checker, a screw, an inlay.
    """
    rests = {die.rest for die in dice}
    return board.unfamiliar and None in rests and rests <= {None, "flat"}


def _differ(dice: Sequence[DieReading]) -> bool:
    """Whether two flat ones are too different in size to be two dice."""
    widths = [width_px(die) for die in dice if die.rest == "flat"]
    return len(widths) == 2 and max(widths) > TWINS * min(widths)


def _read(dice: Sequence[DieReading], doubt: bool, board: Board | None) -> DiceReading:
    return DiceReading(tuple(sorted(dice, key=lambda d: d.centre_px)), doubt, board is not None)


def _maybe_from(die: DieReading) -> float:
    """Least score at which a die at this place counts at least as a doubt."""
    return IS_DIE_OUTSIDE if die.half is None else MAYBE_DIE


def _hidden_below(upper: DieReading, board: Board) -> DieReading:
    """The die that another one covers: it exists, and nothing of it is visible."""
    assert upper.centre_mm is not None
    x, y = board.to_px(np.array([upper.centre_mm]))[0]
    half_px = width_px(upper) / 2
    box = (float(x) - half_px, float(y) - half_px, float(x) + half_px, float(y) + half_px)
    return DieReading(
        None, 0.0, box, (float(x), float(y)), upper.centre_mm, half=upper.half, on_surface=upper.on_surface
    )
