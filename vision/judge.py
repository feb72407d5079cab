"""From spots and looks to a reading: which are dice, what they show, how they lie, and where there is doubt.

Each threshold stands here with its reason; they were set on the training boards (`make bench` prints what they cost).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.calibration import Board
from vision.locate import DIE_MM, Spot
from vision.pips import Look
from vision.reading import DiceReading, DieReading, Half, Rest

IS_DIE = 0.5
"""More likely a die than not."""
MAYBE_DIE = 0.35
"""On the playing surface, a spot between this and IS_DIE is a doubt: it may be a die that was overlooked."""
MAYBE_DIE_ANYWHERE = 0.08
"""The same without a board, where any number of dice may lie and one that is overlooked makes the reading wrong."""
LIKE_A_DIE = 0.35
"""The finder's score from which on a place without a die is a doubt, where no board tells how large dice are."""
SURE_DIE = 0.9
NEAR, NEAR_TWIN = 0.75, 0.4
"""In widths: two dice side by side are at least one apart, one that rests on another seems up to a half nearer."""
SURE_VALUE = 0.8
"""Below this the number is not said. The looks' product, so that one dissenting look is enough for doubt."""
LEANS = 0.5
LEANS_MAYBE = (0.15, 0.75)
"""Between these the die's tilt is not settled, and so neither is the roll."""
WALL_MM, LEANS_AT_WALL = 16.0, 0.015
"""A die that touches a rim or the bar may lean on it so little that it is hard to see: nearer than its own width it has
to be plainly flat."""
RAISED_MAYBE = (0.45, 0.75)
"""The same for lying on a checker, a die, the bar or the rim."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A spot with its look."""

    spot: Spot
    look: Look


def reading_of(seen: Sequence[Seen], board: Board | None) -> DiceReading:
    """The reading of everything that was looked at in one picture."""
    dice, doubt = [], False
    for one in without_nested(seen):
        if one.look.die < (MAYBE_DIE if board else MAYBE_DIE_ANYWHERE):
            continue
        die, unsure = _die_of(one, board)
        if one.look.die < IS_DIE:
            doubt = doubt or die.on_surface is not False
            continue
        dice.append(die)
        doubt = doubt or unsure
    if board is None and _overlooked(seen, dice):
        doubt = True
    inside = [d for d in dice if d.on_surface is not False]
    if len(inside) >= 2:  # the other pair lies ready beside the surface
        dice = inside
    return DiceReading(tuple(sorted(dice, key=lambda d: d.centre_px)), doubt, board is not None)


def _overlooked(seen: Sequence[Seen], dice: Sequence[DieReading]) -> bool:
    """Without a board: whether the finder saw something of the dice's size where the reader saw no die."""
    if not dice:
        return False
    usual = float(np.median([d.box_px[2] - d.box_px[0] for d in dice]))
    for one in seen:
        alike = 0.55 < one.spot.width / usual < 1.8
        away = min(float(np.hypot(one.spot.x - d.centre_px[0], one.spot.y - d.centre_px[1])) for d in dice)
        if alike and one.spot.score > LIKE_A_DIE and away > 0.9 * usual:
            return True
    return False


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
    reach = NEAR_TWIN if alike and one.look.die > SURE_DIE else NEAR
    away = float(np.hypot(one.spot.x - surer.spot.x, one.spot.y - surer.spot.y))
    return away <= reach * max(surer.spot.width, one.spot.width)


def _die_of(one: Seen, board: Board | None) -> tuple[DieReading, bool]:
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
        at = board.lowered(board.to_mm(np.array([[spot.x, spot.y]])), DIE_MM)[0]
        mm = (float(at[0]), float(at[1]))
        w, h = board.surface_mm
        inside = abs(mm[0]) < w / 2 and abs(mm[1]) < h / 2
        over_bar = inside and abs(mm[0]) < board.bar_mm / 2
        if inside and not over_bar:
            half = "left" if mm[0] < 0 else "right"
    rest, unsure = _rest_of(look, inside, over_bar)
    if rest == "flat" and board is not None and mm is not None and _wall_mm(mm, board) < WALL_MM:
        unsure = unsure or look.leaning > LEANS_AT_WALL
    leans = look.leaning >= LEANS
    die = DieReading(
        value=value,
        confidence=min(confidence, look.die),
        box_px=(spot.x - half_px, spot.y - half_px, spot.x + half_px, spot.y + half_px),
        centre_px=(spot.x, spot.y),
        centre_mm=mm,
        tilt_deg=None if unsure else (20.0 if leans else 0.0),
        rest=rest,
        half=half,
        on_surface=inside,
    )
    wants_value = rest == "flat" or rest is None or board is None
    return die, unsure or (value is None and wants_value)


def _wall_mm(mm: tuple[float, float], board: Board) -> float:
    """How far a place on the surface is from the nearest rim or side of the bar."""
    w, h = board.surface_mm
    return min(w / 2 - abs(mm[0]), h / 2 - abs(mm[1]), abs(abs(mm[0]) - board.bar_mm / 2))


def _rest_of(look: Look, inside: bool | None, over_bar: bool) -> tuple[Rest | None, bool]:
    """How the die rests, and whether that is in doubt."""
    floor, checker, die, ledge = look.supports
    raised = 1 - floor
    if inside is None:
        return ("leaning" if look.leaning >= LEANS else "flat"), False
    if die >= 0.5:
        return "on_die", False
    if look.leaning >= LEANS_MAYBE[1]:
        return "leaning", False
    if checker >= 0.5 and look.leaning < LEANS:
        return "on_checker", False
    if look.leaning >= LEANS_MAYBE[0]:
        return (None if raised < RAISED_MAYBE[1] else "leaning"), True
    if not inside:
        return ("on_rim" if ledge >= 0.5 else "off_board"), False
    if over_bar:
        return "on_bar", False
    if ledge >= 0.5:
        return "on_rim", False
    if raised >= RAISED_MAYBE[0]:
        return None, True
    return "flat", False
