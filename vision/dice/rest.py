"""Judgement of one die on its own: its number, how it rests, and where there is doubt.

Each threshold stands here and in the files beside it with its reason; they were set on the training boards
(`make bench` prints their cost).
"""

import math
from typing import NamedTuple

import numpy as np

from vision.board.calibration import Board
from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.places import Place, wall_mm_of
from vision.dice.reading import DieReading, Half, Rest

PLAIN_DIE = 0.99
"""Score of a certain die: if two on a board reach it and show a number, a third must reach it or show a number. One in
fifty dice on the tuning boards scored lower."""
FLAT_DEG = 5.0
"""A larger tilt is leaning, in the training pictures and so in all outputs of the net."""
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
BEYOND_MM = 8.0
"""A die this far outside the surface is on the rim or beside the board, however it rests: dice leaning on a rim
appeared at most 5 mm outside, the others at least 9. Below the board's plane “up” is not quite known."""
SURELY_BEYOND_MM = 25.0
"""The same on a board that is not familiar, whose corners may be 4 % of its diagonal beside their places."""
ON_DIE = 0.5
"""A die with at least this chance of resting on another one does."""


class _Where(NamedTuple):
    """Where a die lies.

    Attributes:
        inside: over the playing surface, its bar included; None without a board.
        over_bar: over the bar.
        half: of the surface; None over the bar, beside the surface and without a board.
        beyond_mm: outside the surface, below 0 on it.
        wall_mm: from the nearest rim or side of the bar.
    """

    inside: bool | None = None
    over_bar: bool = False
    half: Half | None = None
    beyond_mm: float = 0.0
    wall_mm: float = 0.0


def die_of(one: Seen, board: Board | None, mm: Place | None) -> DieReading:
    """The die at which a look was, on a board at this place if there is one."""
    spot, look = one.spot, one.look
    best = int(np.argmax(look.values))
    confidence = float(look.values[best])
    settled = confidence >= SURE_VALUE_ANYWHERE if board is None else shows_number(look)
    value = best + 1 if settled else None
    where = _Where()
    rest: Rest | None = "leaning" if look.leaning >= LEANS else "flat"
    tilt_deg: float | None = None
    tilt_sd_deg: float | None = None
    if board is not None and mm is not None:
        where = _where(mm, board)
        rest = _rest_on(board, one, where)
        if value is None and look.die < PLAIN_DIE:
            rest = None  # a knot, a screw, a checker's rim: whatever it is, it does not make a throw cocked
        if rest is not None and look.tilt_deg is not None:
            leans = look.leaning >= LEANS and rest != "flat"
            tilt_deg, tilt_sd_deg = _tilt(look.tilt_deg, leans), tilt_sd_deg_of(spot, board)
    half_px = 0.5 * spot.width
    return DieReading(
        value=value,
        confidence=min(confidence, look.die),
        box_px=(spot.x - half_px, spot.y - half_px, spot.x + half_px, spot.y + half_px),
        centre_px=(spot.x, spot.y),
        centre_mm=mm,
        tilt_deg=tilt_deg,
        rest=rest,
        half=where.half,
        on_surface=where.inside,
        tilt_sd_deg=tilt_sd_deg,
        chances=_chances(look),
        may_be_flat=look.may_be_flat or look.flat is not False,
        flat_chance=look.flat_chance,
    )


def _where(mm: Place, board: Board) -> _Where:
    (x, y), (w, h) = mm, board.surface_mm
    inside = abs(x) < w / 2 and abs(y) < h / 2
    over_bar = inside and abs(x) < board.bar_mm / 2
    half: Half | None = None
    if inside and not over_bar:
        half = "left" if x < 0 else "right"
    return _Where(inside, over_bar, half, max(abs(x) - w / 2, abs(y) - h / 2), wall_mm_of(mm, board))


def _rest_on(board: Board, one: Seen, where: _Where) -> Rest | None:
    """How a die rests on a board; None if that is in doubt."""
    look = one.look
    on_checker = SEEMS_ON_CHECKER
    if not board.trusts_lens and where.wall_mm > OPEN_MM:
        on_checker = SEEMS_ON_CHECKER_UNKNOWN
    rest = _rest_of(look, where, on_checker)
    if not board.trusts_lens:
        surely_deg = FLAT_DEG + SURELY_SD * tilt_sd_deg_of(one.spot, board)
        if _unsure_without_lens(look, rest, where.wall_mm, surely_deg, on_checker):
            rest = None
        if where.half is not None and look.flat is not None and rest != "on_die":
            rest = "flat" if look.flat else None if rest == "flat" else rest
        if look.may_be_flat and rest in ("leaning", "on_checker", "on_rim"):
            rest = None  # what one net alone sees makes no throw cocked where the lens is not known
    if board.unfamiliar and rest != "flat":
        # its points, inlays and rims look like supports to a net that never saw such a board, which may lie elsewhere
        rest = "off_board" if rest == "off_board" and where.beyond_mm > SURELY_BEYOND_MM else None
    return rest


def shows_number(look: Look) -> bool:
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


def _rest_of(look: Look, where: _Where, on_checker: float) -> Rest | None:
    """Rest of the die by its look alone, None if in doubt."""
    floor, checker, die, ledge = look.supports
    on_floor = where.half is not None
    plainly_flat = FLAT_AT_WALL if where.wall_mm < WALL_MM else PLAINLY_FLAT
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
    if look.leaning >= LEANS and where.beyond_mm <= BEYOND_MM:
        return "leaning"
    if checker >= max(die, ledge) and on_floor:
        return "on_checker"
    if not where.inside:
        return "on_rim" if ledge >= 0.5 else "off_board"
    if where.over_bar:
        return "on_bar"
    return "on_die" if die > ledge else "on_rim"
