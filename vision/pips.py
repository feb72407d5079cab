"""What does this die show, does it lean, on what does it lie? A small net looks at one die at a time.

The net (`models/faces.onnx`, learned by `vision/training/faces.py`) sees a square of 64 pixels around the middle of an
upper face in which the die's edge is 22 pixels. Each die is looked at several times, turned and mirrored: where the
looks differ there is doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Bgr
from vision.locate import Spot

EDGE_PX = 22.0
PATCH_PX = 64
SUPPORTS = ("floor", "checker", "die", "ledge")

MODEL = Path(__file__).with_name("models") / "faces.onnx"


@dataclass(frozen=True, slots=True)
class Look:
    """What the net thinks of one spot, the mean over the looks unless said otherwise; all 0 to 1.

    Attributes:
        die: it is a die.
        values: six, for each number; a product over the looks, so that one dissenting look counts.
        leaning: it is tilted more than 5 degrees.
        supports: four, for floor, checker, die and ledge (bar or rim).
        readable: the upper face is clearly the upper one.
    """

    die: float
    values: tuple[float, ...]
    leaning: float
    supports: tuple[float, ...]
    readable: float


class PipReader:
    """The reading net, loaded once; not for several threads at a time."""

    def __init__(self, model: Path = MODEL) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(model))

    def look(self, bgr: Bgr, spots: Sequence[Spot], looks: int = 2) -> list[Look]:
        """One `Look` a spot, from 1 to 4 views of each."""
        if not spots:
            return []
        patches = [_patch(bgr, s, k) for s in spots for k in range(looks)]
        self._net.setInput(cv2.dnn.blobFromImages(patches, 1 / 255))
        out = np.asarray(self._net.forward(), np.float32).reshape(len(spots), looks, -1)
        return [_judged(o) for o in out]


def _patch(bgr: Bgr, spot: Spot, turn: int) -> Bgr:
    """The square around a spot; turns 1 to 3 are quarter turns, 1 and 3 mirrored and shifted a little as well."""
    scale = EDGE_PX / max(spot.width, 2.0)
    scale *= (1.0, 1.05, 0.95, 1.0)[turn]
    reach = PATCH_PX / scale
    x0, y0 = int(spot.x - reach), int(spot.y - reach)
    x1, y1 = int(spot.x + reach) + 1, int(spot.y + reach) + 1
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(bgr.shape[1], x1), min(bgr.shape[0], y1)
    piece = bgr[y0:y1, x0:x1]
    cx, cy = spot.x - x0, spot.y - y0
    if scale < 0.55:
        small = cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        fx, fy = small.shape[1] / piece.shape[1], small.shape[0] / piece.shape[0]
        piece, cx, cy, scale = np.asarray(small, np.uint8), cx * fx, cy * fy, 1.0
    c, s = ((scale, 0.0), (0.0, scale), (-scale, 0.0), (0.0, -scale))[turn]
    m = np.array([[c, -s, 0], [s, c, 0]], np.float64)
    if turn % 2:
        m[0] = -m[0]
    m[:, 2] = PATCH_PX / 2 - 0.5 - m[:, :2] @ np.array([cx - 0.5, cy - 0.5])
    size = (PATCH_PX, PATCH_PX)
    out = cv2.warpAffine(piece, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(out, np.uint8)


def _judged(logits: NDArray[np.float32]) -> Look:
    """The net's answers (looks, 13) as one look."""
    die, leaning, readable = (_sigmoid(logits[:, k]) for k in (0, 7, 12))
    values = _softmax(logits[:, 1:7])
    together = np.prod(values, 0)
    supports = _softmax(logits[:, 8:12]).mean(0)
    return Look(
        float(die.mean()),
        tuple(float(v) for v in together),
        float(leaning.mean()),
        tuple(float(v) for v in supports),
        float(readable.mean()),
    )


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)


def _softmax(x: NDArray[np.float32]) -> NDArray[np.float32]:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), np.float32)
