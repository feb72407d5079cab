"""What a die may rest on: the shares of its supports without those that are impossible where it lies."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from vision.board.calibration import Board
from vision.dice.candidates import IS_DIE
from vision.dice.faces import Look, Seen
from vision.dice.finder import DIE_MM
from vision.dice.places import Place, away, lowered, wall_mm_of
from vision.dice.rest import LEANS, WALL_MM


class Supports(NamedTuple):
    """Shares of the possible supports of a die, 0 to 1; `ledge` is the bar or a rim."""

    floor: float
    checker: float
    die: float
    ledge: float


UPRIGHT, UPRIGHT_DEG = 0.01, 3.0
"""A die that leans on a wall or on a die exceeds one of these, or plainly appears to rest on something."""
UPRIGHT_OF_TWO, UPRIGHT_OF_TWO_DEG = 0.06, 4.5
"""The same of one of two dice where the lens is not known: small tilts are then measured where there are none, and no
third die is there to rest on."""
LEDGE_MM = 24.0
"""A die on a rim or the bar, seen at an angle, appears at most this far inside."""
IMPOSSIBLE, LEAST_LEFT = 0.7, 0.1
"""Drop an impossible "on ledge" share up to IMPOSSIBLE; above that, the die may be raised, which is a doubt. If the
possible supports keep less than LEAST_LEFT, the die is in doubt."""
ON_DIE_ALONE = 0.1
"""A die seen alone with at least this chance of resting on another one does."""
ON_DIE_ALONE_UNKNOWN = 0.25
"""The same where the lens is not known: of two dice far apart one was not seen, and the other had 0.235. Of 16 dice on
another one, seen alone, one had less."""
BELOW = 1.6
"""In widths: a die that leans on another one is at most this far from it, cornerwise and seen from the side."""
OVERLAP = 0.75
"""In edges, along the board: a die flat on another one has its middle above it, or it would fall. Of 276 such dice none
was further off than 0.6; dice side by side are at least one apart."""


def possible(which: int, seen: Sequence[Seen], on_floor: Sequence[Place], board: Board) -> Seen:
    """The look without the impossible supports, their shares given to the possible ones.

    A die that is seen alone and seems to rest on another one hides it.
    """
    one, shares = seen[which], Supports(*seen[which].look.supports)
    others = [k for k, other in enumerate(seen) if k != which and other.look.die >= IS_DIE]
    if not others and shares.die >= (ON_DIE_ALONE if board.trusts_lens else ON_DIE_ALONE_UNKNOWN):
        return _with_supports(one, Supports(0.0, 0.0, 1.0, 0.0))
    (x, y), (w, h) = on_floor[which], board.surface_mm
    wall_mm = wall_mm_of((x, y), board) if abs(x) < w / 2 and abs(y) < h / 2 else 0.0
    widths = [away(seen[k], one) / max(seen[k].spot.width, one.spot.width) for k in others]
    is_far = min(widths, default=0.0) > BELOW
    is_beside = one.look.leaning < LEANS and not _above(one, [on_floor[k] for k in others], board)
    of_two = not board.trusts_lens and len(others) == 1
    is_upright = _seems_upright(one.look, shares.die, of_two)
    shares = _without_die_below(shares, is_upright, is_far, is_beside, wall_mm < WALL_MM)
    if wall_mm > LEDGE_MM:
        shares = _without_ledge(shares)
    left = shares.floor + shares.checker + shares.die + shares.ledge
    if left < LEAST_LEFT:
        return _with_supports(one, Supports(0.5, 0.5, 0.0, 0.0))
    return _with_supports(one, Supports(*(share / left for share in shares)))


def _without_die_below(
    shares: Supports, is_upright: bool, is_far: bool, is_beside: bool, at_wall: bool
) -> Supports:
    """The shares without a die below, if every other die is too far away or beside this one.

    At a wall that share may mean leaning on the wall, and is dropped only if nothing else hints at leaning. Flat on a
    die that it is not above may mean leaning on that die, and is dropped only if nothing else hints at that either.
    """
    if is_far or (is_beside and is_upright):
        leaning_on_wall = shares.die if at_wall and not is_upright else 0.0
        return shares._replace(die=0.0, ledge=shares.ledge + leaning_on_wall)
    if is_beside and shares.die > shares.floor:
        mean = (shares.floor + shares.die) / 2
        return shares._replace(floor=mean, die=mean)
    return shares


def _without_ledge(shares: Supports) -> Supports:
    """The shares without a ledge; a die that plainly seems to rest on one may rest on a checker, or on the floor."""
    raised = shares.ledge if shares.ledge > IMPOSSIBLE else 0.0
    return shares._replace(floor=shares.floor + raised / 2, checker=shares.checker + raised / 2, ledge=0.0)


def _with_supports(one: Seen, supports: Supports) -> Seen:
    return replace(one, look=replace(one.look, supports=supports))


def _seems_upright(look: Look, on_die: float, of_two: bool) -> bool:
    """Whether nothing but the height hints, and that not strongly, at a die that is not flat."""
    most, most_deg = (UPRIGHT_OF_TWO, UPRIGHT_OF_TWO_DEG) if of_two else (UPRIGHT, UPRIGHT_DEG)
    return look.leaning < most and (look.tilt_deg or 0.0) < most_deg and on_die < IMPOSSIBLE


def _above(one: Seen, others: Sequence[Place], board: Board) -> bool:
    """Whether a die, if it is flat on another one, would be above one of these."""
    (x, y), edge_mm = lowered([one], board, 2 * DIE_MM)[0], one.spot.width / board.px_per_mm()
    return any(np.hypot(x - there[0], y - there[1]) < OVERLAP * edge_mm for there in others)
