"""Judgement of spots and looks: which are dice, their numbers, how they rest, and where there is doubt.

Each threshold stands here with its reason; they were set on the training boards (`make bench` prints their cost).
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from vision.board.calibration import Board
from vision.dice.faces import Look, Seen
from vision.dice.finder import DIE_MM, Spot
from vision.dice.reading import DiceReading, DieReading, Half, Rest

Place: TypeAlias = tuple[float, float]
"""On the board, in millimetres."""


class Supports(NamedTuple):
    """Shares of the possible supports of a die, 0 to 1; `ledge` is the bar or a rim."""

    floor: float
    checker: float
    die: float
    ledge: float


IS_DIE = 0.9
"""Almost all dice score above this and almost all non-dice below (tuning boards)."""
MAYBE_DIE = 0.5
"""On the playing surface, a spot between this and IS_DIE is a doubt: it may be an overlooked die."""
IS_DIE_OUTSIDE = 0.985
"""The bar and the area beside the surface have hinges, locks, inlays and the cube, and hardly ever a die: a lower score
is no die. All 23 dice there had at least 0.999, all 195 other things at most 0.97."""
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
PLAIN_DIE = 0.99
"""Score of a certain die: if two on a board reach it and show a number, a third must reach it or show a number. One in
fifty dice on the tuning boards scored lower."""
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
FLAT_DEG = 5.0
"""A larger tilt is leaning, in the training pictures and so in all outputs of the net."""
NEAR, NEAR_TWIN = 0.75, 0.4
"""In widths: two dice side by side are at least one apart; one that rests on another appears up to a half closer."""
TWO_FACES, PLAINLY_LEANS = 1.0, 0.8
"""In widths: two faces of a die that plainly leans look alike, and both may be taken for its upper one."""
SURE_VALUE, SURE_VALUE_ANYWHERE = 0.85, 0.7
"""Below this the number stays open, on a board and without one. It is the looks' product, so one dissenting look is
enough for doubt."""
READABLE = 0.97
"""On a board, a face that may be half covered, smeared or seen twice shows no number. Of 392 readable rendered dice
none scored lower, of 217 real ones one."""
LEANS = 0.5
"""More likely leaning than not."""
PLAINLY_FLAT, PLAINLY_NOT = 0.7, 0.35
"""Chance that a die is flat on the surface: it counts from the first value, does not count up to the second; between
them the question is open, and the roll is in doubt."""
SEEMS_TILTED_DEG, SEEMS_LEANING, PLAINLY_TILTED_DEG = 8.0, 0.15, 13.0
"""The tilt measured from the sides and the leaning judged from everything may each be off: a hint from both is a doubt,
and so is a plain one from the sides alone."""
HINTS = 1.3
"""With an unknown lens the camera's pose is not quite known either, and small hints add up, each relative to its own
bound. Of 494 flat dice judged flat two gave more."""
TILT_SD_DEG, UP_SD = 2.2, 0.1
"""Standard deviation of the tilt: of 328 rendered dice that lay flat with the lens known; and where it is not known,
the part of “up” in addition, as the camera's height is not."""
SURELY_SD = 0.5
"""Where the lens is not known a die that seems to lean does so only if its own sides say so, too: if its tilt is beyond
FLAT_DEG by that many standard deviations. With two, eight of 100 rendered cocked throws more would be questions."""
OPEN_MM, PROPPED_DEG = 18.0, 24.0
"""Further than the one from every wall only a checker or a die can prop a die up, and they are at least half as high
as it: it stands steeper than this. Where the lens is not known the tilt is measured too badly to say so of less: of 14
real dice that lay flat and seemed to lean, on other people's boards, ten seemed to by less, of 8 rendered ones that
leaned in the open two."""
PLAINLY_ON = 0.7
"""Where the lens is not known, what is less surely on a checker than this may be on a dot or an inlay; and what seems
to lie on the floor over the bar, by PLAINLY_FLAT, may lie beside a narrower bar, or on a sheet that has none."""
SEEMS_ON_CHECKER = 0.06
"""Hardly any die on the surface scores this much for lying on a checker; most of those on a checker do."""
SEEMS_ON_CHECKER_UNKNOWN = 0.1
"""The same away from the walls where the lens is not known: a disc was looked for there, see `supported.DISC`."""
WALL_MM, FLAT_AT_WALL = 14.0, 0.75
"""A die that touches a rim or the bar may lean on it so little that it is hard to see: closer than its own width it has
to be this plainly flat."""
UPRIGHT, UPRIGHT_DEG = 0.01, 3.0
"""A die that leans on a wall or on a die exceeds one of these, or plainly appears to rest on something."""
UPRIGHT_OF_TWO, UPRIGHT_OF_TWO_DEG = 0.06, 4.5
"""The same of one of two dice where the lens is not known: small tilts are then measured where there are none, and no
third die is there to rest on."""
LEDGE_MM = 24.0
"""A die on a rim or the bar, seen at an angle, appears at most this far inside."""
BEYOND_MM = 8.0
"""A die this far outside the surface is on the rim or beside the board, however it rests: dice leaning on a rim
appeared at most 5 mm outside, the others at least 9. Below the board's plane “up” is not quite known."""
SURELY_BEYOND_MM = 25.0
"""The same on a board that is not familiar, whose corners may be 4 % of its diagonal beside their places."""
IMPOSSIBLE, LEAST_LEFT = 0.7, 0.1
"""Drop an impossible "on ledge" share up to IMPOSSIBLE; above that, the die may be raised, which is a doubt. If the
possible supports keep less than LEAST_LEFT, the die is in doubt."""
ON_DIE, ON_DIE_ALONE = 0.5, 0.1
"""A die with at least this chance of resting on another one does; a die seen alone needs less."""
ON_DIE_ALONE_UNKNOWN = 0.25
"""The same where the lens is not known: of two dice far apart one was not seen, and the other had 0.235. Of 16 dice on
another one, seen alone, one had less."""
TWINS = 1.35
"""No two of 496 pairs of flat dice differed by more than 1.22 in width: beyond this one of the two is no die."""
BELOW = 1.6
"""In widths: a die that leans on another one is at most this far from it, cornerwise and seen from the side."""
OVERLAP = 0.75
"""In edges, along the board: a die flat on another one has its middle above it, or it would fall. Of 276 such dice none
was further off than 0.6; dice side by side are at least one apart."""


def reading_of(seen: Sequence[Seen], board: Board | None) -> DiceReading:
    """The reading of all spots looked at in one picture; `board` None: dice anywhere."""
    return _anywhere(seen) if board is None else _on_board(seen, board)


def _anywhere(seen: Sequence[Seen]) -> DiceReading:
    """The reading without a board. No ruling follows; a person who counts shall see that there may be one more die."""
    dice, doubt = [], False
    seen = _without_own_fronts(alike(seen))
    for one in seen:
        die = _die_of(one, None, None)
        if one.look.die >= IS_DIE_ANYWHERE:
            dice.append(replace(die, value=None) if _is_front(one, seen) else die)
        elif one.look.die >= MAYBE_DIE_ANYWHERE:
            doubt = True
            dice.append(replace(die, value=None))
    return _read(dice, doubt, None)


def _without_own_fronts(seen: Sequence[Seen]) -> list[Seen]:
    """The looks without those at the front of a die whose upper face is among them."""

    def is_own_front(one: Seen) -> bool:
        return _points_down(one) and any(
            other.look.own_up[1] < 0
            and other.look.die >= IS_DIE_ANYWHERE
            and _away(one, other) < BESIDE * max(one.spot.width, other.spot.width)
            for other in seen
        )

    return [one for one in seen if not is_own_front(one)]


def _points_down(one: Seen) -> bool:
    """Whether the face's supposed up points down the picture, as a front's does."""
    return one.look.own_up[1] > FRONT


def _is_front(one: Seen, seen: Sequence[Seen]) -> bool:
    """Whether this may be a die's front, seen below its upper face.

    Its supposed up points down the picture, or elsewhere than another die's, though one camera sees them all.
    """
    x, y = one.look.own_up
    return _points_down(one) or any(
        np.hypot(x - k.look.own_up[0], y - k.look.own_up[1]) > ONE_CAMERA
        for k in seen
        if k.look.die >= IS_DIE_ANYWHERE
    )


def _on_board(seen: Sequence[Seen], board: Board) -> DiceReading:
    """The reading on a board."""
    kept = _of_dice_size(without_nested(seen), board)
    on_floor = _lowered(kept, board, DIE_MM)
    looks = [_possible(k, kept, on_floor, board) for k in range(len(kept))]
    found = [(one.look.die, _die_of(one, board, mm)) for one, mm in zip(looks, on_floor, strict=True)]
    found = _without_ruled_out([(sure, die) for sure, die in found if sure >= _maybe_from(die)])
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


def _of_dice_size(seen: list[Seen], board: Board) -> list[Seen]:
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

    numbered = [one for one in seen if _shows_number(one.look)]
    return [one for one in seen if may_be_die(one)]


def _differ(dice: Sequence[DieReading]) -> bool:
    """Whether two flat ones are too different in size to be two dice."""
    widths = [_width_px(die) for die in dice if die.rest == "flat"]
    return len(widths) == 2 and max(widths) > TWINS * min(widths)


def _read(dice: Sequence[DieReading], doubt: bool, board: Board | None) -> DiceReading:
    return DiceReading(tuple(sorted(dice, key=lambda d: d.centre_px)), doubt, board is not None)


def _maybe_from(die: DieReading) -> float:
    """Least score at which a die at this place counts at least as a doubt."""
    return IS_DIE_OUTSIDE if die.half is None else MAYBE_DIE


def _without_ruled_out(found: Sequence[tuple[float, DieReading]]) -> list[tuple[float, DieReading]]:
    """Dice candidates with confidence, minus those ruled out by certain ones.

    A candidate goes if it is much larger than a certain die; by two certain ones also if it is not sure to be a die, if
    it shows no number and is not plainly a die, or if it is much smaller: a pip, a pattern, the middle of a checker.
    """
    plain = [die for sure, die in found if sure >= PLAIN_DIE and die.value is not None]
    most_px = LARGE * max(map(_width_px, plain), default=math.inf)
    found = [(sure, die) for sure, die in found if _width_px(die) <= most_px]
    if len(plain) != 2:
        return found
    least_px = SMALL * min(_width_px(die) for die in plain)
    return [
        (sure, die)
        for sure, die in found
        if sure >= (IS_DIE if die.value is not None else PLAIN_DIE) and _width_px(die) >= least_px
    ]


def _width_px(die: DieReading) -> float:
    return die.box_px[2] - die.box_px[0]


def _possible(which: int, seen: Sequence[Seen], on_floor: Sequence[Place], board: Board) -> Seen:
    """The look without the impossible supports, their shares given to the possible ones.

    A die that is seen alone and seems to rest on another one hides it.
    """
    one, shares = seen[which], Supports(*seen[which].look.supports)
    others = [k for k, other in enumerate(seen) if k != which and other.look.die >= IS_DIE]
    if not others and shares.die >= (ON_DIE_ALONE if board.trusts_lens else ON_DIE_ALONE_UNKNOWN):
        return _with_supports(one, Supports(0.0, 0.0, 1.0, 0.0))
    (x, y), (w, h) = on_floor[which], board.surface_mm
    wall_mm = wall_mm_of((x, y), board) if abs(x) < w / 2 and abs(y) < h / 2 else 0.0
    widths = [_away(seen[k], one) / max(seen[k].spot.width, one.spot.width) for k in others]
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
    (x, y), edge_mm = _lowered([one], board, 2 * DIE_MM)[0], one.spot.width / board.px_per_mm()
    return any(np.hypot(x - there[0], y - there[1]) < OVERLAP * edge_mm for there in others)


def _lowered(seen: Sequence[Seen], board: Board, height_mm: float) -> list[Place]:
    """Places of these dice in the board's plane, if their upper faces are `height_mm` above it."""
    if not seen:
        return []
    at_px = np.array([(one.spot.x, one.spot.y) for one in seen])
    return [(float(x), float(y)) for x, y in board.lowered(board.to_mm(at_px), height_mm)]


def _hidden_below(upper: DieReading, board: Board) -> DieReading:
    """The die that another one covers: it exists, and nothing of it is visible."""
    assert upper.centre_mm is not None
    x, y = board.to_px(np.array([upper.centre_mm]))[0]
    half_px = _width_px(upper) / 2
    box = (float(x) - half_px, float(y) - half_px, float(x) + half_px, float(y) + half_px)
    return DieReading(
        None, 0.0, box, (float(x), float(y)), upper.centre_mm, half=upper.half, on_surface=upper.on_surface
    )


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
        if fits and all(_away(k, one) > APART * max(k.spot.width, one.spot.width) for k in kept):
            kept.append(one)
    return kept


def _worth(one: Seen) -> float:
    """Quality of a look at a die: one off its middle shows no clear number."""
    return float(one.look.die * (0.3 + max(one.look.values)) * one.spot.score**0.5)


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
        return _away(surer, one) <= TWO_FACES * max(surer.spot.width, one.spot.width)
    reach = NEAR_TWIN if alike and one.look.die > SURE_DIE else NEAR
    return _away(surer, one) <= reach * max(surer.spot.width, one.spot.width)


def _away(one: Seen, other: Seen) -> float:
    """Pixels between the two places."""
    return float(np.hypot(one.spot.x - other.spot.x, one.spot.y - other.spot.y))


def _die_of(one: Seen, board: Board | None, mm: Place | None) -> DieReading:
    spot, look = one.spot, one.look
    best = int(np.argmax(look.values))
    confidence = float(look.values[best])
    settled = confidence >= SURE_VALUE_ANYWHERE if board is None else _shows_number(look)
    value = best + 1 if settled else None
    half_px = 0.5 * spot.width
    half: Half | None = None
    inside: bool | None = None
    over_bar, beyond_mm = False, 0.0
    if board is not None and mm is not None:
        w, h = board.surface_mm
        beyond_mm = max(abs(mm[0]) - w / 2, abs(mm[1]) - h / 2)
        inside = abs(mm[0]) < w / 2 and abs(mm[1]) < h / 2
        over_bar = inside and abs(mm[0]) < board.bar_mm / 2
        if inside and not over_bar:
            half = "left" if mm[0] < 0 else "right"
    wall_mm = wall_mm_of(mm, board) if board is not None and mm is not None else 0.0
    at_wall = board is not None and wall_mm < WALL_MM
    on_checker = SEEMS_ON_CHECKER
    if board is not None and not board.trusts_lens and wall_mm > OPEN_MM:
        on_checker = SEEMS_ON_CHECKER_UNKNOWN
    plainly_flat = FLAT_AT_WALL if at_wall else PLAINLY_FLAT
    rest = _rest_of(look, inside, over_bar, beyond_mm > BEYOND_MM, plainly_flat, on_checker)
    if board is not None and not board.trusts_lens:
        surely_deg = FLAT_DEG + SURELY_SD * tilt_sd_deg_of(spot, board)
        if _unsure_without_lens(look, rest, wall_mm, surely_deg, on_checker):
            rest = None
        if inside and not over_bar and look.flat is not None and rest != "on_die":
            rest = "flat" if look.flat else None if rest == "flat" else rest
        if look.may_be_flat and rest in ("leaning", "on_checker", "on_rim"):
            rest = None  # what one net alone sees makes no throw cocked where the lens is not known
    if board is not None and board.unfamiliar and rest != "flat":
        # its points, inlays and rims look like supports to a net that never saw such a board, which may lie elsewhere
        rest = "off_board" if rest == "off_board" and beyond_mm > SURELY_BEYOND_MM else None
    if board is not None and value is None and look.die < PLAIN_DIE:
        rest = None  # a knot, a screw, a checker's rim: whatever it is, it does not make a throw cocked
    tilt_deg: float | None = None
    tilt_sd_deg: float | None = None
    if board is not None and rest is not None and look.tilt_deg is not None:
        leans = look.leaning >= LEANS and rest != "flat"
        tilt_deg, tilt_sd_deg = _tilt(look.tilt_deg, leans), tilt_sd_deg_of(spot, board)
    return DieReading(
        value=value,
        confidence=min(confidence, look.die),
        box_px=(spot.x - half_px, spot.y - half_px, spot.x + half_px, spot.y + half_px),
        centre_px=(spot.x, spot.y),
        centre_mm=mm,
        tilt_deg=tilt_deg,
        rest=rest,
        half=half,
        on_surface=inside,
        tilt_sd_deg=tilt_sd_deg,
        chances=_chances(look),
        may_be_flat=look.may_be_flat or look.flat is not False,
    )


def _shows_number(look: Look) -> bool:
    """Whether it is settled on a board which number this look shows."""
    return max(look.values) >= SURE_VALUE and look.readable >= READABLE


def _chances(look: Look) -> tuple[float, ...]:
    """The chances of the six numbers, in sum 1."""
    whole = math.fsum(look.values)
    return tuple(value / whole for value in look.values) if whole > 0 else ()


def _tilt(measured_deg: float, leans: bool) -> float:
    """The tilt in whole degrees, on that side of 5 degrees that the overall judgement implies."""
    whole = float(round(measured_deg))
    return max(whole, FLAT_DEG + 1) if leans else min(whole, FLAT_DEG - 1)


def place_mm(spot: Spot, board: Board) -> Place:
    """Where on the board a die is that lies flat."""
    x, y = board.lowered(board.to_mm(np.array([(spot.x, spot.y)])), DIE_MM)[0].tolist()
    return x, y


def wall_mm_of(mm: Place, board: Board) -> float:
    """Distance of a place on the surface from the nearest rim or side of the bar."""
    w, h = board.surface_mm
    return min(w / 2 - abs(mm[0]), h / 2 - abs(mm[1]), abs(abs(mm[0]) - board.bar_mm / 2))


def width_mm(spot: Spot, board: Board) -> float:
    """How wide a face would be that lies on the board there."""
    x, y, half = spot.x, spot.y, spot.width / 2
    left, right, above, below = board.to_mm(
        np.array([(x - half, y), (x + half, y), (x, y - half), (x, y + half)])
    )
    return float(np.sqrt(np.hypot(*(right - left)) * np.hypot(*(below - above))))


def tilt_sd_deg_of(spot: Spot, board: Board) -> float:
    """Standard deviation of the measured tilt there; without the lens the board's own “up” is not quite known."""
    up = board.up(np.array([(spot.x, spot.y)]))[0] if not board.trusts_lens else np.zeros(2)
    return math.hypot(TILT_SD_DEG, math.degrees(UP_SD * float(np.hypot(*up))))


def _unsure_without_lens(
    look: Look, rest: Rest | None, wall_mm: float, surely_deg: float, on_checker: float
) -> bool:
    """Whether this rest is in doubt where nobody knows the lens, nor so quite how the camera looks."""
    if rest == "flat":
        return look.carried or _hints(look, on_checker) > HINTS
    if rest == "on_bar":
        return look.supports[0] >= PLAINLY_FLAT
    if rest == "on_checker":
        return look.supports[1] < PLAINLY_ON
    least_deg = max(surely_deg, PROPPED_DEG) if wall_mm > OPEN_MM else surely_deg
    return rest == "leaning" and (look.tilt_deg or 0.0) < least_deg


def _hints(look: Look, on_checker: float) -> float:
    """Sum of the small hints that a die judged flat may not be flat, each relative to its bound."""
    tilted = ((look.tilt_deg or 0.0) / SEEMS_TILTED_DEG) ** 2
    return tilted + look.leaning / SEEMS_LEANING + look.supports[1] / on_checker


def _rest_of(
    look: Look, inside: bool | None, over_bar: bool, beyond: bool, plainly_flat: float, on_checker: float
) -> Rest | None:
    """Rest of the die, None if in doubt."""
    floor, checker, die, ledge = look.supports
    if inside is None:
        return "leaning" if look.leaning >= LEANS else "flat"
    on_floor = inside and not over_bar
    flat = floor * (1 - look.leaning)
    measured_deg = look.tilt_deg or 0.0
    seems_tilted = measured_deg > PLAINLY_TILTED_DEG or (
        measured_deg > SEEMS_TILTED_DEG and look.leaning > SEEMS_LEANING
    )
    if on_floor and flat >= plainly_flat:
        return None if seems_tilted or checker > on_checker else "flat"
    if on_floor and flat > PLAINLY_NOT:
        return None
    if die >= ON_DIE:
        return "on_die"
    if look.leaning >= LEANS and not beyond:
        return "leaning"
    if checker >= max(die, ledge) and on_floor:
        return "on_checker"
    if not inside:
        return "on_rim" if ledge >= 0.5 else "off_board"
    if over_bar:
        return "on_bar"
    return "on_die" if die > ledge else "on_rim"
