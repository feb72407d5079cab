"""Dice search: a small net finds the middles of their upper faces.

The net (`models/finder.onnx`, trained by `vision/training/nets/finder.py` and `slim.py`) looks at pictures scaled so
that a die's edge is about 11 pixels, and answers for every fourth pixel. With a known board one scale is enough;
without it, the picture is searched at several.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Bgr
from vision.net import load_net
from vision.pyramid import Halves

EDGE_PX = 11.0
"""The die's edge that the net was trained on, in pixels of its input."""
DIE_MM = 14.5
"""Dice for backgammon are 12 to 16 mm wide; the finder accepts up to 1.5 times as large or small."""
STRIDE = 4
NEAR = 1.17
"""On a board, a picture scaled wrongly by up to this factor is as good: dice differ in size anyway."""
MIN_SCORE = 0.3
"""Spots below this score are dropped. Every die on the shared boards had at least 0.37, except those that the net does
not see at all."""

MODEL = Path(__file__).parents[1] / "models" / "finder.onnx"
MODEL_ANYWHERE = MODEL.with_name("finder_anywhere.onnx")
"""The net for dice on anything. The other one was trained further, and finds more on boards but less beside them."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that may be a die: middle and width of its upper face, in pixels of the picture; score 0 to 1."""

    x: float
    y: float
    width: float
    score: float


class Finder:
    """The finding net, loaded once; not thread-safe."""

    def __init__(self, model: Path = MODEL) -> None:
        self._net = load_net(model)
        self._shown = np.empty((1, 3, 0, 0), np.float32)
        self._colours: list[NDArray[np.uint8]] = []

    def find(
        self, picture: Halves, scale: float, min_score: float = MIN_SCORE, near: float = 1.0
    ) -> list[Spot]:
        """Spots in a picture, searched at one scale, the most certain first.

        Args:
            picture: the picture.
            scale: picture pixels times this are the net's pixels; 11 / the dice's expected edge.
            min_score: 0 to 1.
            near: accept an input wrongly scaled by up to this factor, which saves the resizing.
        """
        h, w = picture.level(0).shape[:2]
        shown = _shrunk(picture, scale, near)
        found = _spread(self._net(self._planes(shown))[0])
        return _peaks(found, w / shown.shape[1], h / shown.shape[0], min_score)

    def _planes(self, bgr: Bgr) -> NDArray[np.float32]:
        """The picture as the net's input (1, 3, H, W) float32, 0 to 1; reuses the array if the size is unchanged."""
        size = bgr.shape[:2]
        if self._shown.shape[2:] != size:
            self._shown = np.empty((1, 3, *size), np.float32)
            self._colours = [np.empty(size, np.uint8) for _ in range(3)]
        cv2.split(bgr, self._colours)
        for plane, colour in zip(self._shown[0], self._colours, strict=True):
            np.multiply(colour, np.float32(1 / 255), out=plane)
        return self._shown

    def search(
        self,
        picture: Halves,
        smallest_px: float,
        largest_px: float,
        min_score: float = MIN_SCORE,
        thin: bool = True,
    ) -> list[Spot]:
        """Spots of dice of unknown size, searched at scales a factor 1.5 apart; `thin`: one spot for each place."""
        spots: list[Spot] = []
        edge = smallest_px
        while True:
            spots += self.find(picture, EDGE_PX / edge, min_score)
            if edge >= largest_px:
                break
            edge *= 1.5
        return apart(spots) if thin else spots


def _shrunk(picture: Halves, scale: float, near: float) -> Bgr:
    """The picture `scale` times as large: one of its half sizes if that is within `near`, resized otherwise.

    Shrinking by less than a third interpolates, which takes a third of the time and finds as many dice.
    """
    times = max(0, round(-math.log2(scale)))
    if 1 / near < scale * 2**times < near:
        return picture.level(times)
    h, w = picture.level(0).shape[:2]
    size = (max(32, round(w * scale / 8) * 8), max(32, round(h * scale / 8) * 8))
    times = 0
    while w >> (times + 1) >= size[0] and h >> (times + 1) >= size[1]:
        times += 1
    how = cv2.INTER_AREA if w >> times > 1.35 * size[0] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture.level(times), size, interpolation=how), np.uint8)


def apart(spots: list[Spot]) -> list[Spot]:
    """The most certain spot of each place and size: a spot within 0.4 widths of a better one of its size is dropped.

    A pip in the middle of a die can score higher than the die, and must not hide it.
    """
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda s: -s.score):
        if not any(same_place(k, spot) for k in kept):
            kept.append(spot)
    return kept


def same_place(surer: Spot, spot: Spot) -> bool:
    """Whether two spots of about one size are at one place."""
    wide, narrow = max(surer.width, spot.width), min(surer.width, spot.width)
    return narrow > 0.6 * wide and math.hypot(surer.x - spot.x, surer.y - spot.y) <= 0.4 * wide


def _spread(found: NDArray[np.float32]) -> NDArray[np.float32]:
    """The net's sixteen answers for every eighth pixel (16, h, w) as four for every fourth (4, 2h, 2w)."""
    _, h, w = found.shape
    return found.reshape(4, 2, 2, h, w).transpose(0, 3, 1, 4, 2).reshape(4, 2 * h, 2 * w)


def _peaks(found: NDArray[np.float32], fx: float, fy: float, min_score: float) -> list[Spot]:
    """Local maxima of the answers (4, h, w) as spots, in pixels of the picture."""
    heat = found[0]
    top = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    logit = float(np.log(min_score / (1 - min_score)))
    rows, columns = np.nonzero((heat >= top) & (heat > logit))
    spots = []
    for i, j, hot, size, x, y in zip(
        rows.tolist(), columns.tolist(), *found[:, rows, columns].tolist(), strict=True
    ):
        width = EDGE_PX * 2.0 ** min(max(size, -1.5), 1.5)
        at = (j + x + 0.5) * STRIDE * fx, (i + y + 0.5) * STRIDE * fy
        spots.append(Spot(*at, width * (fx + fy) / 2, 1 / (1 + math.exp(-hot))))
    return apart(spots)
