"""From spots and looks to a reading: which are dice, what they show, how they lie, and where there is doubt.

Each threshold stands here with its reason; they were set on the training boards (`make bench` prints what they cost).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from vision.board.calibration import Board
from vision.dice.faces import Look, Seen
from vision.dice.finder import DIE_MM
from vision.dice.reading import DiceReading, DieReading, Half, Rest

Place: TypeAlias = tuple[float, float]
"""On the board, in millimetres."""

IS_DIE = 0.9
"""Of the dice on the tuning boards hardly any was less sure, of what is none hardly any as sure."""
MAYBE_DIE = 0.5
"""On the playing surface, a spot between this and IS_DIE is a doubt: it may be a die that was overlooked."""
IS_DIE_OUTSIDE = 0.985
"""On the bar and beside the surface are hinges, locks, inlays and the cube, and hardly ever a die: what is less sure is
none. Of 23 dice there none had less than 0.999, of 195 other things none more than 0.97."""
IS_DIE_ANYWHERE, MAYBE_DIE_ANYWHERE = 0.95, 0.8
"""The same without a board, where any number of dice may lie, seen from any side: a side face is much like a die."""
ALIKE = 1.7
"""Without a board nobody says how large dice are, but those in one picture are alike: what is smaller or larger than
the usual one by more than this is a pip, a face seen from the side, two dice taken for one."""
FRONT, ONE_CAMERA = 0.5, 0.68
"""Of 235 photographs read right, a third of them held out, no die's up pointed down by 0.5 (a camera held upside down
at 30 degrees) and no two differed by more than 0.64; three and two of the four read wrong are beyond."""
APART = 0.85
"""In widths: two faces of one die, seen from the side, are nearer to each other than two dice."""
SIZE_SPREAD = 0.18
"""How far apart the widths of like dice are taken to be, as a natural logarithm."""
PLAIN_DIE = 0.99
"""If two dice on a board are as sure as this and show a number, a third has to be or to do one of these. Of the dice on
the tuning boards one in fifty was less sure."""
SMALL = 0.65
"""And it has to be as large as this, compared with them: dice are alike."""
SURE_DIE = 0.9
"""Half a width from a die of its size, what is as sure as this is another one, which rests on it."""
FLAT_DEG = 5.0
"""Tilted more than this is leaning, in the training pictures and so in all that the net says."""
NEAR, NEAR_TWIN = 0.75, 0.4
"""In widths: two dice side by side are at least one apart, one that rests on another seems up to a half nearer."""
TWO_FACES, PLAINLY_LEANS = 1.0, 0.8
"""In widths: of a die that plainly leans two faces are seen alike, and may both be taken for its upper one."""
SURE_VALUE, SURE_VALUE_ANYWHERE = 0.85, 0.7
"""Below this the number is not said, on a board and without one. The looks' product, so that one dissenting look is
enough for doubt."""
READABLE = 0.97
"""On a board, a face that may be half covered, smeared or seen twice shows no number. Of 392 rendered dice that lay to
be read none was less sure, of 217 real ones one."""
LEANS = 0.5
"""More likely leaning than not."""
PLAINLY_FLAT, PLAINLY_NOT = 0.7, 0.35
"""The chance that a die lies flat on the surface: from the one on it counts, up to the other it does not; between them
nobody has settled it, and the roll is in doubt."""
SEEMS_TILTED_DEG, SEEMS_LEANING, PLAINLY_TILTED_DEG = 8.0, 0.15, 13.0
"""What is seen of the sides and what is judged from all may each be off: a hint of leaning from both is a doubt, and so
is a plain one from the sides alone."""
HINTS = 1.3
"""Where the lens is not known, neither is quite how the camera looks, and small hints count together, each by its own
bound. Of 494 dice that lay flat and were taken for that two gave more."""
OPEN_MM, PROPPED_DEG = 18.0, 24.0
"""Further than the one from every wall only a checker or a die can prop a die up, and they are at least half as high
as it: it stands steeper than this. Where the lens is not known the tilt is measured too badly to say so of less: of 14
real dice that lay flat and seemed to lean, on other people's boards, ten seemed to by less, of 8 rendered ones that
leaned in the open two."""
PLAINLY_ON = 0.7
"""Where the lens is not known, what is less surely on a checker than this may be on a dot or an inlay; and what seems
to lie on the floor over the bar, by PLAINLY_FLAT, may lie beside a narrower bar, or on a sheet that has none."""
SEEMS_ON_CHECKER = 0.06
"""Of dice that lie on the surface hardly any seems to lie on a checker as much as this; of those on one, the most."""
WALL_MM, FLAT_AT_WALL = 14.0, 0.75
"""A die that touches a rim or the bar may lean on it so little that it is hard to see: nearer than its own width it has
to be this plainly flat."""
UPRIGHT, UPRIGHT_DEG = 0.01, 3.0
"""A die that leans on a wall or on a die shows more than this, or is plainly taken for one that lies on something."""
LEDGE_MM = 24.0
"""A die on a rim or the bar seems, seen along a slanted line, to lie at most this far inside."""
BEYOND_MM = 8.0
"""So far outside the surface a die lies on the rim or beside the board, however it lies: of those that leaned on a rim
none seemed further out than 5 mm, of the others none nearer than 9. Below the board's plane «up» is not quite known."""
IMPOSSIBLE, LEAST_LEFT = 0.7, 0.1
"""A ledge that cannot be there is left out up to the one share; of more it is believed that the die lies on something.
With less than the other left of what can be there, it is in doubt."""
ON_DIE, ON_DIE_ALONE = 0.5, 0.1
"""A die that is as likely as this to lie on another one does; one that is seen alone needs less."""
TWINS = 1.35
"""Of 496 pairs that lay flat none differed by more than 1.22 in width: of two that do one is no die."""
BELOW = 1.6
"""In widths: a die that leans on another one is not further from it than this, cornerwise and seen from the side."""
OVERLAP = 0.85
"""In edges, along the board: a die that lies flat on another one has its middle above it, or it would fall. Of 276 such
dice none was further off than 0.6; dice side by side are one apart at least."""


def reading_of(seen: Sequence[Seen], board: Board | None) -> DiceReading:
    """The reading of everything that was looked at in one picture."""
    return _anywhere(seen) if board is None else _on_board(seen, board)


def _anywhere(seen: Sequence[Seen]) -> DiceReading:
    """Nobody rules here: whoever counts shall see that there may be one more."""
    dice, doubt = [], False
    seen = alike(seen)
    for one in seen:
        die = _die_of(one, None, None)
        if one.look.die >= IS_DIE_ANYWHERE:
            dice.append(replace(die, value=None) if _is_front(one, seen) else die)
        elif one.look.die >= MAYBE_DIE_ANYWHERE:
            doubt = True
            dice.append(replace(die, value=None))
    return _read(dice, doubt, None)


def _is_front(one: Seen, seen: Sequence[Seen]) -> bool:
    """Whether this may be a die's front, seen below its upper face.

    What is taken for its up points down the picture, or elsewhere than another die's, though one camera sees them all.
    """
    x, y = one.look.own_up
    return y > FRONT or any(
        np.hypot(x - k.look.own_up[0], y - k.look.own_up[1]) > ONE_CAMERA
        for k in seen
        if k.look.die >= IS_DIE_ANYWHERE
    )


def _on_board(seen: Sequence[Seen], board: Board) -> DiceReading:
    kept = without_nested(seen)
    on_floor = _lowered(kept, board, DIE_MM)
    looks = [_possible(k, kept, on_floor, board) for k in range(len(kept))]
    found = [(one.look.die, _die_of(one, board, mm)) for one, mm in zip(looks, on_floor, strict=True)]
    found = _without_fancies([(sure, die) for sure, die in found if sure >= _maybe_from(die)])
    dice = [die for sure, die in found if sure >= IS_DIE]
    doubt = len(dice) < len(found)
    inside = [d for d in dice if d.on_surface is not False]
    if len(inside) >= 2:  # the other pair lies ready beside the surface
        dice = inside
    if len(dice) == 1 and dice[0].rest == "on_die":
        dice.append(_hidden_below(dice[0], board))
    return _read(dice, doubt or _differ(dice), board)


def _differ(dice: Sequence[DieReading]) -> bool:
    """Whether two that lie flat are too different in size to be two dice."""
    widths = [_width_px(die) for die in dice if die.rest == "flat"]
    return len(widths) == 2 and max(widths) > TWINS * min(widths)


def _read(dice: Sequence[DieReading], doubt: bool, board: Board | None) -> DiceReading:
    return DiceReading(tuple(sorted(dice, key=lambda d: d.centre_px)), doubt, board is not None)


def _maybe_from(die: DieReading) -> float:
    """How sure a die has to be there to count at least as a doubt."""
    return IS_DIE_OUTSIDE if die.half is None else MAYBE_DIE


def _without_fancies(found: Sequence[tuple[float, DieReading]]) -> list[tuple[float, DieReading]]:
    """Dice, each with how sure it is one, without what is none because two others plainly are.

    It may be a die but is not sure to be one, it shows no number and is not plainly one, or it is much smaller: a pip,
    a pattern, the middle of a checker.
    """
    plain = [die for sure, die in found if sure >= PLAIN_DIE and die.value is not None]
    if len(plain) != 2:
        return list(found)
    least_px = SMALL * min(_width_px(die) for die in plain)
    return [
        (sure, die)
        for sure, die in found
        if sure >= (IS_DIE if die.value is not None else PLAIN_DIE) and _width_px(die) >= least_px
    ]


def _width_px(die: DieReading) -> float:
    return die.box_px[2] - die.box_px[0]


def _possible(which: int, seen: Sequence[Seen], on_floor: Sequence[Place], board: Board) -> Seen:
    """The look without the supports that cannot be there, the rest of them shared out anew.

    A die lies on a ledge only near one, and on another die only where that one is near enough to be below; where there
    is no other, that one is hidden below explains it. At a wall, what looks like lying on a die that is not there may
    be leaning on the wall, and is left out only where nothing else hints at that; what looks like lying flat on a die
    that it is not above may be leaning on it, unless nothing else hints at that either.
    """
    one, mm = seen[which], on_floor[which]
    floor, checker, on_die, ledge = one.look.supports
    others = [k for k, other in enumerate(seen) if k != which and other.look.die >= IS_DIE]
    if not others and on_die >= ON_DIE_ALONE:
        return _with_supports(one, (0.0, 0.0, 1.0, 0.0))
    w, h = board.surface_mm
    wall_mm = _wall_mm(mm, board) if abs(mm[0]) < w / 2 and abs(mm[1]) < h / 2 else 0.0
    nearest = min(
        (_away(seen[k], one) / max(seen[k].spot.width, one.spot.width) for k in others), default=0.0
    )
    upright = _seems_upright(one.look, on_die)
    beside = one.look.leaning < LEANS and not _above(one, [on_floor[k] for k in others], board)
    if nearest > BELOW or (beside and upright):
        ledge += on_die if wall_mm < WALL_MM and not upright else 0.0
        on_die = 0.0
    elif beside and on_die > floor:
        floor = on_die = (floor + on_die) / 2
    if wall_mm > LEDGE_MM:
        if ledge > IMPOSSIBLE:  # it lies on something
            checker += ledge
        ledge = 0.0
    left = floor + checker + on_die + ledge
    if left < LEAST_LEFT:  # hardly anything that is possible was seen
        return _with_supports(one, (0.5, 0.5, 0.0, 0.0))
    return _with_supports(one, (floor / left, checker / left, on_die / left, ledge / left))


def _with_supports(one: Seen, supports: tuple[float, float, float, float]) -> Seen:
    return replace(one, look=replace(one.look, supports=supports))


def _seems_upright(look: Look, on_die: float) -> bool:
    """Nothing but the height hints at a die that does not lie flat, and that not strongly."""
    return look.leaning < UPRIGHT and (look.tilt_deg or 0.0) < UPRIGHT_DEG and on_die < IMPOSSIBLE


def _above(one: Seen, others: Sequence[Place], board: Board) -> bool:
    """Whether a die, if it lies flat on another one, would be above one of these."""
    (x, y), edge_mm = _lowered([one], board, 2 * DIE_MM)[0], one.spot.width / board.px_per_mm()
    return any(np.hypot(x - there[0], y - there[1]) < OVERLAP * edge_mm for there in others)


def _lowered(seen: Sequence[Seen], board: Board, height_mm: float) -> list[Place]:
    """Where these dice are in the board's plane, if their upper faces are so high above it."""
    if not seen:
        return []
    at_px = np.array([(one.spot.x, one.spot.y) for one in seen])
    return [(float(x), float(y)) for x, y in board.lowered(board.to_mm(at_px), height_mm)]


def _hidden_below(upper: DieReading, board: Board) -> DieReading:
    """The die that another one covers: it is there, and that is all there is to see of it."""
    assert upper.centre_mm is not None
    x, y = board.to_px(np.array([upper.centre_mm]))[0]
    half_px = _width_px(upper) / 2
    box = (float(x) - half_px, float(y) - half_px, float(x) + half_px, float(y) + half_px)
    return DieReading(
        None, 0.0, box, (float(x), float(y)), upper.centre_mm, half=upper.half, on_surface=upper.on_surface
    )


def alike(seen: Sequence[Seen]) -> list[Seen]:
    """What is of the usual size, one a place: the surest to be a die with that number on top."""
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
    """How good a look this is at a die: one that is off its middle shows no clear number."""
    return float(one.look.die * (0.3 + max(one.look.values)) * one.spot.score**0.5)


def without_nested(seen: Sequence[Seen]) -> list[Seen]:
    """Drop what lies within a surer or larger die: pips taken for small dice, the same die in two scales.

    Of two sure dice of one size half a width apart, one rests on the other: both stay.
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
    if board is None:
        says = confidence >= SURE_VALUE_ANYWHERE
    else:
        says = confidence >= SURE_VALUE and look.readable >= READABLE
    value = best + 1 if says else None
    half_px = 0.5 * spot.width
    half: Half | None = None
    inside: bool | None = None
    over_bar = beyond = False
    if board is not None and mm is not None:
        w, h = board.surface_mm
        beyond = max(abs(mm[0]) - w / 2, abs(mm[1]) - h / 2) > BEYOND_MM
        inside = abs(mm[0]) < w / 2 and abs(mm[1]) < h / 2
        over_bar = inside and abs(mm[0]) < board.bar_mm / 2
        if inside and not over_bar:
            half = "left" if mm[0] < 0 else "right"
    wall_mm = _wall_mm(mm, board) if board is not None and mm is not None else 0.0
    at_wall = board is not None and wall_mm < WALL_MM
    rest = _rest_of(look, inside, over_bar, beyond, FLAT_AT_WALL if at_wall else PLAINLY_FLAT)
    if board is not None and board.distortion is None and _unsure_without_lens(look, rest, wall_mm):
        rest = None
    if board is not None and value is None and look.die < PLAIN_DIE:
        rest = None  # a knot, a screw, a checker's rim: whatever it is, it does not make a throw cocked
    return DieReading(
        value=value,
        confidence=min(confidence, look.die),
        box_px=(spot.x - half_px, spot.y - half_px, spot.x + half_px, spot.y + half_px),
        centre_px=(spot.x, spot.y),
        centre_mm=mm,
        tilt_deg=None
        if rest is None or look.tilt_deg is None
        else _tilt(look.tilt_deg, look.leaning >= LEANS),
        rest=rest,
        half=half,
        on_surface=inside,
    )


def _tilt(measured_deg: float, leans: bool) -> float:
    """The tilt in whole degrees, on the side of 5 degrees that was judged from all there is to see."""
    whole = float(round(measured_deg))
    return max(whole, FLAT_DEG + 1) if leans else min(whole, FLAT_DEG - 1)


def _wall_mm(mm: Place, board: Board) -> float:
    """How far a place on the surface is from the nearest rim or side of the bar."""
    w, h = board.surface_mm
    return min(w / 2 - abs(mm[0]), h / 2 - abs(mm[1]), abs(abs(mm[0]) - board.bar_mm / 2))


def _unsure_without_lens(look: Look, rest: Rest | None, wall_mm: float) -> bool:
    """Whether this rest is in doubt where nobody knows the lens, nor so quite how the camera looks."""
    if rest == "flat":
        return _hints(look) > HINTS
    if rest == "on_bar":
        return look.supports[0] >= PLAINLY_FLAT
    if rest == "on_checker":
        return look.supports[1] < PLAINLY_ON
    return rest == "leaning" and wall_mm > OPEN_MM and (look.tilt_deg or 0.0) < PROPPED_DEG


def _hints(look: Look) -> float:
    """How much hints that a die which is taken for flat may not be, all small ones together."""
    tilted = ((look.tilt_deg or 0.0) / SEEMS_TILTED_DEG) ** 2
    return tilted + look.leaning / SEEMS_LEANING + look.supports[1] / SEEMS_ON_CHECKER


def _rest_of(
    look: Look, inside: bool | None, over_bar: bool, beyond: bool, plainly_flat: float
) -> Rest | None:
    """How the die rests, None where that is in doubt."""
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
        return None if seems_tilted or checker > SEEMS_ON_CHECKER else "flat"
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
