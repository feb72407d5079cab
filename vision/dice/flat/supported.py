"""What the picture around a die says of its support, where the lens is not known: floor or checker.

It corrects the reading net's look before the others are asked (`carried.py`, `second_opinion.py`). And what is within
reach of a die at all: one that leans touches what it leans on.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.board.calibration import Board
from vision.dice.candidates import IS_DIE, MAYBE_DIE
from vision.dice.faces import Seen
from vision.dice.finder import DIE_MM, Spot
from vision.dice.flat.beneath import Ground
from vision.dice.places import place_mm, wall_mm_of
from vision.dice.rest import OPEN_MM, SEEMS_ON_CHECKER, tilt_sd_deg_of
from vision.dice.supports import LEDGE_MM, UPRIGHT_DEG

TRUST, PER_DISC, DISC = 0.6, 16.0, 0.87
"""Where the lens is not known, and the nets may never have seen such a board, two witnesses say whether a die lies on a
checker: the net, whose word counts by the first part, as a logit, and how much of a disc's outline is to be seen, which
adds the second for all of it above the third. Of 37 rendered dice on checkers all but two show at least 0.84 of an
outline, of 200 on the floor four in five less than 0.77. Set on those and on 1,100 dice on painted boards of families
never learned, so that on neither more dice that something carries are accepted than without it."""
HARDLY_ON, OTHERWISE_CARRIED = 0.002, 0.42
"""A die that seems to lie on a checker by less than the first, or on a die or a ledge by more than the second, stays as
it was judged."""
LIT, FIELD, SURELY_ON = 0.6, 0.7, 0.97
"""A die lies on none of the checkers if the ring around it has the field's colours: more than the first part of it as
they are, more than the second lit or in shadow; unless the net is surer than the third that it does. Of 59 real dice
flat on one board 48 have both, of 40 rendered ones on checkers none."""
HARDLY_DISC = 0.65
"""If more than this part of the ring is the field, in light or shadow, it is in doubt that a checker lies below: of 40
rendered dice on checkers one has more."""
MAY_LEAN, LEANS_ON, CLEAR = 0.02, 0.8, 0.6
"""A die leans on something: one that seems to by more than the first and less than the second lies flat if in every
eighth of the turn around it more than the third part is the field. Of 37 rendered dice that leaned none had more than
0.24 in every one."""
ON_AT_WALL, DISC_AT_WALL = 0.35, 0.77
"""At a wall that share may mean a ledge: a die there that seems to lie on a checker as much as the first is in doubt if
less of an outline is to be seen than the second."""

HALF_DIAGONAL = math.sqrt(0.5)
"""In edges: from the middle of a die that lies flat to its corner."""
TILT_SDS, STEEPEST_DEG = 2.0, 54.7
"""A die may lean by so many standard deviations more than measured; by no more than the second, when it stands on a
corner: steeper than that another face is the upper one."""


def reach(tilt_deg: float) -> float:
    """How far what a die leans on can be from the middle of its upper face, along the board, in its edges.

    What carries it touches it, at most at the lower corner that the tilt lifts. Seen from the middle of the upper face
    that corner is an edge below along the die's own up, and half a diagonal along the face: sin(tilt) + cos(tilt) / √2
    along the board, 0.71 for an upright die, 0.87 at 10 degrees, 1.06 at 25, 1.22 at most.
    """
    tilt = math.radians(min(tilt_deg, STEEPEST_DEG))
    return math.sin(tilt) + HALF_DIAGONAL * math.cos(tilt)


def is_out_of_reach(spot: Spot, tilt_deg: float, seen: Sequence[Seen], board: Board) -> bool:
    """Whether a die that is measured to lean so much is too far from all walls and all other dice to lean on them.

    A wall has to be further than its reach. So does another die, by half a diagonal more, as it may turn a corner to
    it: 1.41 widths for an upright one, 1.58 for one that leans by 10 degrees, 1.93 at most. Both upper faces are about
    as high, so that a camera that looks aslant moves them alike; but widths are means of both edges, and by 35 degrees
    what lies across seems a tenth further. The deviation of the tilt, larger there, allows for three quarters of that.

    Args:
        spot: the die.
        tilt_deg: measured; it may be larger by TILT_SDS standard deviations.
        seen: the looks at this picture; whatever may be a die counts.
        board: where the board lies in it.
    """
    most = reach(tilt_deg + TILT_SDS * tilt_sd_deg_of(spot, board))
    x, y = place_mm(spot, board)
    if wall_mm_of((x, y), board) * board.px_per_mm() <= most * spot.width:
        return False
    return all(
        math.hypot(one.spot.x - spot.x, one.spot.y - spot.y)
        > (most + HALF_DIAGONAL) * max(one.spot.width, spot.width)
        for one in seen
        if one.look.die >= MAYBE_DIE and one.spot != spot
    )


def by_picture(one: Seen, board: Board, ground: Ground) -> Seen:
    """The look with the shares of floor and checker as the picture around the die speaks for either."""
    floor, checker, die, ledge = one.look.supports
    x, y = place_mm(one.spot, board)
    wall_mm = wall_mm_of((x, y), board)
    if wall_mm < OPEN_MM:
        if checker < ON_AT_WALL:
            return one
        now = checker if ground.around((x, y)).disc_share >= DISC_AT_WALL else (floor + checker) / 2
        return _with_checker(one, now)
    carried = die + (ledge if wall_mm < LEDGE_MM else 0.0)
    leans = one.look.leaning > MAY_LEAN
    if one.look.die < IS_DIE or carried > OTHERWISE_CARRIED or (checker < HARDLY_ON and not leans):
        return one
    sure = min(max(checker, 1e-4), 1 - 1e-4)
    logit = TRUST * math.log(sure / (1 - sure)) + PER_DISC * (ground.around((x, y)).disc_share - DISC)
    now = min(1 / (1 + math.exp(-logit)), floor + checker) if checker >= HARDLY_ON else checker
    if checker > SURELY_ON or (now < SEEMS_ON_CHECKER / 2 and not leans):
        return _with_checker(one, now)
    ring = ground.around((x, y)).ring(one.spot.width / (DIE_MM * board.px_per_mm()))
    if ring.as_lit < LIT or ring.near < FIELD:
        return _with_checker(one, min(now, (floor + checker) / 2) if ring.near > HARDLY_DISC else now)
    one = _with_checker(one, 0.0)
    upright = replace(one.look, leaning=0.0, tilt_deg=min(one.look.tilt_deg or 0.0, UPRIGHT_DEG))
    return replace(one, look=upright) if leans and one.look.leaning < LEANS_ON and ring.least > CLEAR else one


def _with_checker(one: Seen, checker: float) -> Seen:
    """The look with this share of a checker, the rest of what it and the floor had being the floor's."""
    floor, before, die, ledge = one.look.supports
    return replace(one, look=replace(one.look, supports=(floor + before - checker, checker, die, ledge)))
