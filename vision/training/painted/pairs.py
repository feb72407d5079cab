"""Throws of two dice on painted boards of families never learned.

On the board of each seed pairs of dice are thrown one after another: half of them flat, of the others one die is
carried by something.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vision.training.painted.throws import Laid, Throw, photographed
from vision.training.samples.sample import Sample

EACH = 8
"""Pairs thrown on the board of a seed: painting the board takes longer than reading a throw."""
FLAT = {"open": 4, "beside a checker": 3, "at a rim": 2, "beside a die": 1}
CARRIED = {
    "on a checker": 4, "leaning on a checker": 4, "on a rim": 1, "leaning on a rim": 2, "leaning on a die": 1,
}  # fmt: skip
"""Kinds of places of `painted.throws.KINDS`, and how often each is tried."""
TRIES = 40


def pairs(
    seed: int, wider: bool = False, hard: bool = False
) -> Iterator[tuple[str, Sample, NDArray[np.float64]]]:
    """Throws on the board of a seed: kind, picture with dice, and the board's marks, see `Plan.marks`.

    `wider`: camera, lamp and dice are from a wider range; `hard`: nearly all light is from one lamp. See `throws.py`.
    """
    rng = np.random.default_rng([seed, 20261123])
    throw = Throw(rng, held_out=True, wider=wider, hard=hard)
    bare = throw.picture
    for number in range(EACH):
        throw.picture, throw.laid = bare.copy(), []
        kind = _lay(throw, rng.random() < 0.5)
        dice = throw.drawn() if kind else ()
        if len(dice) == 2:
            yield kind, photographed(rng, throw, dice, f"{seed}_{number}"), throw.shot.on(throw.plan.marks)


def _lay(throw: Throw, flat: bool) -> str:
    """Lay a pair; its kind, empty where no place was found."""
    for wanted in (FLAT if flat else CARRIED, FLAT):
        odds = np.array(list(wanted.values()), float)
        for kind in throw.rng.choice(list(wanted), TRIES, p=odds / odds.sum()):
            if len(throw.laid) == 2:
                break
            placed = throw.placed(str(kind))
            if len(throw.laid) + len(placed) <= 2 and _in_one_half([*throw.laid, *placed]):
                throw.laid += placed
            if len(throw.laid) == 1 and wanted is CARRIED:
                break
    if len(throw.laid) != 2:
        return ""
    return next((die.rest for die in throw.laid if die.rest != "flat"), "flat")


def _in_one_half(dice: list[Laid]) -> bool:
    return len({bool(die.at_mm[0] > 0) for die in dice if die.rest != "on_bar"}) < 2
