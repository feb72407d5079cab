"""From spots and looks to a reading: which are dice, what they show, how they lie, and where there is doubt.

Each threshold stands here with its reason; they were set on the training boards (`make bench` prints what they cost).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.calibration import Board
from vision.locate import DIE_MM, Spot
from vision.pips import Look, Seen
from vision.reading import DiceReading, DieReading, Half, Rest

IS_DIE = 0.9
"""Of the dice on the tuning boards hardly any was less sure, of what is none hardly any as sure."""
MAYBE_DIE = 0.5
"""On the playing surface, a spot between this and IS_DIE is a doubt: it may be a die that was overlooked."""
IS_DIE_ANYWHERE, MAYBE_DIE_ANYWHERE = 0.95, 0.8
"""The same without a board, where any number of dice may lie, seen from any side: a side face is much like a die."""
ALIKE = 1.7
"""Without a board nobody says how large dice are, but those in one picture are alike: what is smaller or larger than
the usual one by more than this is a pip, a face seen from the side, two dice taken for one."""
APART = 0.85
"""In widths: two faces of one die, seen from the side, are nearer to each other than two dice."""
SIZE_SPREAD = 0.18
"""How far apart the widths of like dice are taken to be, as a natural logarithm."""
PLAIN_DIE = 0.97
"""On a board a third die has to be this sure, or to show a number, if two are there that do."""
SURE_DIE = 0.9
"""On the bar and beside the surface are hinges, locks and the cube, and hardly ever a die: there it has to be sure."""
FLAT_DEG = 5.0
"""Tilted more than this is leaning, in the training pictures and so in all that the net says."""
NEAR, NEAR_TWIN = 0.75, 0.4
"""In widths: two dice side by side are at least one apart, one that rests on another seems up to a half nearer."""
TWO_FACES, PLAINLY_LEANS = 1.0, 0.8
"""In widths: of a die that plainly leans two faces are seen alike, and may both be taken for its upper one."""
SURE_VALUE = 0.7
"""Below this the number is not said. The looks' product, so that one dissenting look is enough for doubt."""
LEANS = 0.5
"""More likely leaning than not."""
PLAINLY_FLAT, PLAINLY_NOT = 0.7, 0.35
"""The chance that a die lies flat on the surface: from the one on it counts, up to the other it does not; between them
nobody has settled it, and the roll is in doubt."""
SEEMS_TILTED_DEG, SEEMS_LEANING, PLAINLY_TILTED_DEG = 8.0, 0.15, 13.0
"""What is seen of the sides and what is judged from all may each be off: a hint of leaning from both is a doubt, and so
is a plain one from the sides alone."""
SEEMS_ON_CHECKER = 0.06
"""Of dice that lie on the surface hardly any seems to lie on a checker as much as this; of those on one, the most."""
WALL_MM, FLAT_AT_WALL = 14.0, 0.75
"""A die that touches a rim or the bar may lean on it so little that it is hard to see: nearer than its own width it has
to be this plainly flat."""
LEDGE_MM = 24.0
"""A die on a rim or the bar seems, seen along a slanted line, to lie at most this far inside."""
IMPOSSIBLE, LEAST_LEFT = 0.7, 0.1
"""A ledge that cannot be there is left out up to the one share; of more it is believed that the die lies on something.
With less than the other left of what can be there, it is in doubt."""
ON_DIE, ON_DIE_ALONE = 0.5, 0.1
"""A die that is as likely as this to lie on another one does; one that is seen alone needs less."""
BELOW, BELOW_FLAT = 1.6, 1.15
"""In widths: a die that leans on another one is not further from it than this, cornerwise and seen from the side, and
one that lies flat on it not further than that; dice side by side are."""


def reading_of(seen: Sequence[Seen], board: Board | None) -> DiceReading:
    """The reading of everything that was looked at in one picture."""
    if board:
        kept = without_nested(seen)
        seen = [_possible(one, kept, board) for one in kept]
    else:
        seen = alike(seen)
    dice, doubt = [], False
    for one in seen:
        die = _die_of(one, board)
        is_die, maybe = _bounds(die, board)
        if one.look.die >= is_die:
            dice.append(die)
        elif one.look.die >= maybe:
            doubt = True
            if board is None:  # nobody rules here: whoever counts shall see that there may be one more
                dice.append(replace(die, value=None))
    inside = [d for d in dice if d.on_surface is not False]
    if len(inside) >= 2:  # the other pair lies ready beside the surface
        dice = inside
    if board is not None:
        dice = _without_fancies(dice, seen)
    if len(dice) == 1 and dice[0].rest == "on_die" and board is not None:
        dice.append(_hidden_below(dice[0], board))
    return DiceReading(tuple(sorted(dice, key=lambda d: d.centre_px)), doubt, board is not None)


def _without_fancies(dice: list[DieReading], seen: Sequence[Seen]) -> list[DieReading]:
    """Beside two dice that are plainly read, what shows no number and is not plainly a die is none."""
    plain = [d for d in dice if d.value is not None and d.confidence >= SURE_VALUE]
    if len(plain) != 2:
        return dice
    sure = {one.spot.x for one in seen if one.look.die >= PLAIN_DIE}
    return [d for d in dice if d in plain or d.centre_px[0] in sure]


def _possible(one: Seen, seen: Sequence[Seen], board: Board) -> Seen:
    """The look without the supports that cannot be there, the rest of them shared out anew.

    A die lies on a ledge only near one, and on another die only where that one is near enough to be below; where there
    is no other, that one is hidden below explains it. At a wall, what looks like lying on a die that is not there may
    be leaning on the wall, and is not left out; what looks like lying flat on a die that may only touch it is as likely
    to lie beside it.
    """
    floor, checker, on_die, ledge = one.look.supports
    others = [k for k in seen if k is not one and k.look.die >= IS_DIE]
    if not others and on_die >= ON_DIE_ALONE:
        return _with_supports(one, (0.0, 0.0, 1.0, 0.0))
    mm = _on_floor(one.spot, board)
    w, h = board.surface_mm
    wall_mm = _wall_mm(mm, board) if abs(mm[0]) < w / 2 and abs(mm[1]) < h / 2 else 0.0
    nearest = min((_away(k, one) / max(k.spot.width, one.spot.width) for k in others), default=0.0)
    if nearest > BELOW:
        ledge += on_die if wall_mm < WALL_MM else 0.0
        on_die = 0.0
    elif nearest > BELOW_FLAT and one.look.leaning < LEANS and on_die > floor:
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


def _on_floor(spot: Spot, board: Board) -> tuple[float, float]:
    """Where the die of this spot is in the board's plane, if it lies on the surface."""
    x, y = board.lowered(board.to_mm(np.array([[spot.x, spot.y]])), DIE_MM)[0]
    return float(x), float(y)


def _bounds(die: DieReading, board: Board | None) -> tuple[float, float]:
    """How sure a die has to be to count there, and from when on it is a doubt."""
    if board is None:
        return IS_DIE_ANYWHERE, MAYBE_DIE_ANYWHERE
    on_floor = die.half is not None
    return (IS_DIE, MAYBE_DIE) if on_floor else (SURE_DIE, SURE_DIE)


def _hidden_below(upper: DieReading, board: Board) -> DieReading:
    """The die that another one covers: it is there, and that is all there is to see of it."""
    assert upper.centre_mm is not None
    x, y = board.to_px(np.array([upper.centre_mm]))[0]
    half_px = (upper.box_px[2] - upper.box_px[0]) / 2
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


def _die_of(one: Seen, board: Board | None) -> DieReading:
    spot, look = one.spot, one.look
    best = int(np.argmax(look.values))
    confidence = float(look.values[best])
    value = best + 1 if confidence >= SURE_VALUE else None
    half_px = 0.5 * spot.width
    mm: tuple[float, float] | None = None
    half: Half | None = None
    inside: bool | None = None
    over_bar = False
    if board is not None:
        mm = _on_floor(spot, board)
        w, h = board.surface_mm
        inside = abs(mm[0]) < w / 2 and abs(mm[1]) < h / 2
        over_bar = inside and abs(mm[0]) < board.bar_mm / 2
        if inside and not over_bar:
            half = "left" if mm[0] < 0 else "right"
    at_wall = board is not None and mm is not None and _wall_mm(mm, board) < WALL_MM
    rest = _rest_of(look, inside, over_bar, FLAT_AT_WALL if at_wall else PLAINLY_FLAT)
    return DieReading(
        value=value,
        confidence=min(confidence, look.die),
        box_px=(spot.x - half_px, spot.y - half_px, spot.x + half_px, spot.y + half_px),
        centre_px=(spot.x, spot.y),
        centre_mm=mm,
        tilt_deg=None if rest is None or look.tilt_deg is None else _tilt(look.tilt_deg, rest == "leaning"),
        rest=rest,
        half=half,
        on_surface=inside,
    )


def _tilt(measured_deg: float, leans: bool) -> float:
    """The tilt in whole degrees, on the side of 5 degrees that was judged from all there is to see."""
    whole = float(round(measured_deg))
    return max(whole, FLAT_DEG + 1) if leans else min(whole, FLAT_DEG - 1)


def _wall_mm(mm: tuple[float, float], board: Board) -> float:
    """How far a place on the surface is from the nearest rim or side of the bar."""
    w, h = board.surface_mm
    return min(w / 2 - abs(mm[0]), h / 2 - abs(mm[1]), abs(abs(mm[0]) - board.bar_mm / 2))


def _rest_of(look: Look, inside: bool | None, over_bar: bool, plainly_flat: float) -> Rest | None:
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
    if look.leaning >= LEANS:
        return "leaning"
    if checker >= max(die, ledge) and on_floor:
        return "on_checker"
    if not inside:
        return "on_rim" if ledge >= 0.5 else "off_board"
    if over_bar:
        return "on_bar"
    return "on_die" if die > ledge else "on_rim"
