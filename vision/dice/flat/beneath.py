"""Whether there is a checker beneath a die, as the picture itself shows it, seen square from above.

Two witnesses: a disc of one colour around the die, and the field's own colours around it, known from the middle strip
of the board, where no checkers stand.
"""

from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.frame import Bgr
from vision.pyramid import Halves

REACH = 44
"""Of the looked at square, in mm and in its pixels, from the die's middle to its sides."""
RADII_MM = np.arange(14.0, 21.6, 0.75)
"""Of checkers, on boards whose points are 41 mm wide."""
OFF_MM = (0.0, 4.0, 8.0, 12.0, 16.0)
"""How far off a checker's middle the die on it may have its own; further off it would fall."""
DIE_REACH_MM = 11.5
"""What is nearer to its middle belongs to the die."""
ACROSS_MM = 3.0
"""Inside and outside the disc's edge the colours are compared so far from it."""
FAINT = 7.0
"""Of L*a*b*: colours that differ by less are the same."""
ALIKE = 0.6
"""Inside a disc its colour changes by less than this part of the step at its edge."""
LEAST_SEEN = 20
"""Of AROUND places on a circle, that are not the die's."""
AROUND = 48
SIDE = 2 * REACH + 1
NEAR_MM, FARTHER_MM = 15.5, 22.0
"""Around the middle of a die of 14.5 mm, from DIE_REACH_MM on, and in proportion for a larger one. The ring up to the
first is a checker's in all its length if one lies
centred below the die, in two fifths of it if it hardly carries it; what a die leans on reaches into that up to the
second."""
STRIP_SHARE, STRIP_STEP_MM, RIM_MM = 0.085, 6.0, 8.0
"""The middle strip reaches so far to both sides of the board's middle line, in heights of the surface; its colours are
taken in these steps, so far from the bar and the sides."""
OTHER_DICE_MM = 40.0
"""The strip's colours nearer to the die are its own, its shadow's, or those of what carries it."""
HUE, BRIGHTNESS, OFTEN = 8.0, (0.5, 1.08), 0.04
"""A colour is the field's if this part of the strip has it: a and b of L*a*b* so close, and L so bright relative to the
strip's: the die throws a shadow."""
AS_LIT = 10.0
"""Of L*a*b*: a colour this close to the strip's is not in the shadow."""


class _Circles(NamedTuple):
    """All outlines that are looked at, AROUND places each, as indices into the flat square."""

    inside: NDArray[np.int64]  # (N, AROUND)
    outside: NDArray[np.int64]  # (N, AROUND)
    seen: NDArray[np.bool_]  # (N, AROUND): not covered by the die


def _circles() -> _Circles:
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    out = np.stack([np.cos(turn), np.sin(turn)], 1)
    centres = np.concatenate([off * out[:: 4 if off else AROUND] for off in OFF_MM])
    inside, outside = (
        (centres[:, None, None] + (RADII_MM + way)[:, None, None] * out).reshape(-1, AROUND, 2)
        for way in (-ACROSS_MM, ACROSS_MM)
    )
    seen = np.linalg.norm(inside, axis=-1) > DIE_REACH_MM
    enough = seen.sum(-1) >= LEAST_SEEN
    return _Circles(_index(inside[enough]), _index(outside[enough]), seen[enough])


def _index(places: NDArray[np.float64]) -> NDArray[np.int64]:
    """Indices into the flat square of places (…, 2) in mm from its middle."""
    x, y = np.moveaxis(np.clip(np.round(places + REACH), 0, SIDE - 1).astype(np.int64), -1, 0)
    return np.asarray(y * SIDE + x)


CIRCLES = _circles()


_Y, _X = np.mgrid[-REACH : REACH + 1, -REACH : REACH + 1]
AWAY_MM = np.hypot(_X, _Y)
SQUARE_MM = np.stack([_X.ravel(), -_Y.ravel()], 1).astype(np.float64)
EIGHTH = np.floor(4 + np.arctan2(_Y, _X) / (np.pi / 4)).astype(np.int64) % 8
"""Of the looked at square: how far from its middle, where in board's axes, and in which eighth of the turn."""


class Field(NamedTuple):
    """Colours of the middle strip, between the tips of the points."""

    at_mm: NDArray[np.float64]  # (N, 2), on the board
    colours: NDArray[np.uint8]  # (N, 3), L*a*b*


def _field_of(picture: Halves, board: Board) -> Field:
    """The field's colours on a board in a picture."""
    w, h = board.surface_mm
    x = np.arange(RIM_MM - w / 2, w / 2 - RIM_MM, STRIP_STEP_MM)
    y = np.arange(-STRIP_SHARE * h, STRIP_SHARE * h, STRIP_STEP_MM)
    at_mm = np.stack(np.meshgrid(x[np.abs(x) > board.bar_mm / 2 + RIM_MM], y), -1).reshape(-1, 2)
    if not len(at_mm):
        return Field(at_mm, np.zeros((0, 3), np.uint8))
    halved = max(0, round(np.log2(max(1.0, board.px_per_mm() * STRIP_STEP_MM / 4))))
    px = (board.to_px(at_mm) / 2**halved).astype(np.float32)[None] - 0.5
    seen = cv2.remap(
        picture.level(halved), px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return Field(at_mm, np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2LAB)[0], np.uint8))


class Ring(NamedTuple):
    """Parts of what is around a die that have the field's colours, 0 to 1.

    Attributes:
        as_lit: of the nearer ring, not even in the die's shadow.
        near: of the nearer ring, lit or in shadow.
        least: of both rings, in the eighth of the turn that has least.
    """

    as_lit: float
    near: float
    least: float


class Patch:
    """What is around one place on a board; each question is answered once."""

    def __init__(self, at_mm: tuple[float, float], square: NDArray[np.uint8], field: Field) -> None:
        self._at_mm, self._square, self._field = at_mm, square, field
        self._rings: dict[float, Ring] = {}

    @cached_property
    def disc_share(self) -> float:
        """The part of a checker's outline to be seen around a die, 0 to 1, of the likeliest disc that could carry it.

        A place counts if the disc has its usual colour inside the outline there, and another one outside.
        """
        seen = CIRCLES.seen
        step, change = np.zeros(seen.shape, np.float32), np.zeros(seen.shape, np.float32)
        for colour in self._square.reshape(-1, 3).astype(np.float32).T:
            within = colour[CIRCLES.inside]
            usual = _medians(within, seen)[:, None]
            step += (colour[CIRCLES.outside] - usual) ** 2
            change += (within - usual) ** 2
        edge = seen & (step > FAINT**2) & (change < ALIKE**2 * step)
        return float((edge.sum(-1) / seen.sum(-1)).max())

    def ring(self, wide: float) -> Ring:
        """How much of what is around a die is the field.

        Args:
            wide: the die's width in dice of 14.5 mm; a smaller one counts as 1.
        """
        if wide not in self._rings:
            self._rings[wide] = self._ring(wide)
        return self._rings[wide]

    def _ring(self, wide: float) -> Ring:
        away = AWAY_MM / min(max(wide, 1.0), REACH / FARTHER_MM)
        looked_at = (away > DIE_REACH_MM) & (away < FARTHER_MM)
        far = np.hypot(*(self._field.at_mm - self._at_mm).T) > OTHER_DICE_MM
        if not far.any():
            return Ring(0.0, 0.0, 0.0)
        ring, which, _ = _distinct(self._square[looked_at][::4])
        is_field, is_lit = (alike[which] for alike in _of_field(ring, self._field.colours[far]))
        near, eighth = away[looked_at][::4] < NEAR_MM, EIGHTH[looked_at][::4]
        least = min(float(is_field[eighth == k].mean()) for k in range(8))
        return Ring(float(is_lit[near].mean()), float(is_field[near].mean()), least)


class Ground:
    """A board in one picture, seen square from above wherever it is asked for."""

    def __init__(self, picture: Halves, board: Board) -> None:
        self._picture, self._board = picture, board
        self._patches: dict[tuple[float, float], Patch] = {}

    @cached_property
    def _field(self) -> Field:
        return _field_of(self._picture, self._board)

    def around(self, at_mm: tuple[float, float]) -> Patch:
        """What is around a place on the board, in mm."""
        if at_mm not in self._patches:
            square = _square(self._picture.level(0), self._board, at_mm)
            self._patches[at_mm] = Patch(at_mm, square, self._field)
        return self._patches[at_mm]


def _of_field(
    ring: NDArray[np.float32], strip: NDArray[np.uint8]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which colours (N, 3) of L*a*b* the strip (M, 3) has often enough, lit or in shadow, and as they are."""
    known, _, times = _distinct(strip)
    often = times.astype(np.float32)  # a product with whole numbers would take five times as long
    bright, a, b = ring.T[:, :, None]
    off = (a - known[:, 1]) ** 2 + (b - known[:, 2]) ** 2
    dimmest, brightest = (part * np.maximum(known[:, 0], 1) for part in BRIGHTNESS)
    shadowed = (off < HUE**2) & (bright > dimmest) & (bright < brightest)
    lit = off + (bright - known[:, 0]) ** 2 < AS_LIT**2
    least = OFTEN * len(strip)
    return shadowed.astype(np.float32) @ often > least, lit.astype(np.float32) @ often > least


def _distinct(
    colours: NDArray[np.uint8],
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct ones (M, 3) of these colours (N, 3), which of them each is (N,), and how often each comes (M,)."""
    keys = colours.astype(np.int32) @ (1 << 16, 1 << 8, 1)
    found, which, times = np.unique(keys, return_inverse=True, return_counts=True)
    return (found[:, None] >> (16, 8, 0) & 255).astype(np.float32), which, times


def _medians(colour: NDArray[np.float32], seen: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The medians (N,) of those of one colour (N, AROUND) that are seen (N, AROUND)."""
    ordered = np.sort(np.where(seen, colour, np.float32(np.inf)), axis=1)
    count, each = seen.sum(1), np.arange(len(seen))
    return np.asarray((ordered[each, (count - 1) // 2] + ordered[each, count // 2]) / 2, np.float32)


def _square(bgr: Bgr, board: Board, at_mm: tuple[float, float]) -> NDArray[np.uint8]:
    """The board around a place in L*a*b*, a pixel to a millimetre, Y down as in a picture."""
    px = board.to_px(SQUARE_MM + at_mm).astype(np.float32) - 0.5
    at = px.reshape(SIDE, SIDE, 2)
    cut = cv2.remap(bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(cut, (0, 0), 1.0), cv2.COLOR_BGR2LAB), np.uint8)
