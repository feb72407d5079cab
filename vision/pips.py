"""What does this die show, does it lean, on what does it lie? A small net looks at one die at a time.

The net (`models/faces.onnx`, learned by `vision/training/faces.py`) sees a square of 64 pixels around the middle of an
upper face in which the die's edge is 22 pixels, and where «up» points there, if the board is known. Each die is looked
at several times, turned and mirrored: where the looks differ there is doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import Points
from vision.frame import Bgr
from vision.locate import Spot

EDGE_PX = 22.0
PATCH_PX = 64
SECOND_LOOK = -3.0
"""The logit of a die from which on a spot is worth a second look: 5 %."""
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
        tilt_deg: how far the die's own «up», as its sides show it, is off the board's; None without a board.
    """

    die: float
    values: tuple[float, ...]
    leaning: float
    supports: tuple[float, ...]
    readable: float
    tilt_deg: float | None = None


class PipReader:
    """The reading net, loaded once; not for several threads at a time."""

    def __init__(self, model: Path = MODEL) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(model))

    def look(self, bgr: Bgr, spots: Sequence[Spot], up: Points | None = None) -> list[Look]:
        """One `Look` a spot: a first view of each, and a second one, turned and mirrored, of what may be a die.

        Args:
            bgr: (H, W, 3) uint8.
            spots: where to look.
            up: (N, 2), where up points at each spot, see `Board.up`; None without a board.
        """
        if not spots:
            return []
        first = self._view(bgr, spots, up, 0)
        again = [int(k) for k in np.nonzero(first[:, 0] > SECOND_LOOK)[0]]
        views = [first[k : k + 1] for k in range(len(spots))]
        if again:
            second = self._view(bgr, [spots[k] for k in again], None if up is None else up[again], 1)
            for k, answers in zip(again, second, strict=True):
                views[k] = np.stack([first[k], answers])
        return [_judged(answers) for answers in views]

    def _view(self, bgr: Bgr, spots: Sequence[Spot], up: Points | None, view: int) -> NDArray[np.float32]:
        """The net's answers (N, 14) to one view of each spot, the last the sine of the tilt, NaN without a board."""
        seen = [_patch(bgr, s, view) for s in spots]
        blob = np.zeros((len(seen), 6, PATCH_PX, PATCH_PX), np.float32)
        blob[:, :3] = cv2.dnn.blobFromImages([patch for patch, _ in seen], 1 / 255)
        turned = np.full((len(seen), 2), np.nan)
        if up is not None:
            turned = np.array([turn @ way for (_, turn), way in zip(seen, up, strict=True)])
            blob[:, 3:5] = turned[:, :, None, None]
            blob[:, 5] = 1
        self._net.setInput(blob)
        answers = np.asarray(self._net.forward(), np.float32).reshape(len(seen), -1)
        tilt = np.hypot(*(answers[:, 13:15] - turned).T).astype(np.float32)
        return np.concatenate([answers[:, :13], tilt[:, None]], 1)


def _patch(bgr: Bgr, spot: Spot, view: int) -> tuple[Bgr, Points]:
    """The square around a spot and the turn (2, 2) it has been given; view 1 is turned by a quarter and mirrored."""
    scale = EDGE_PX / max(spot.width, 2.0) * (1.0, 1.05)[view]
    reach = PATCH_PX / scale
    x0, y0 = max(0, int(spot.x - reach)), max(0, int(spot.y - reach))
    x1, y1 = min(bgr.shape[1], int(spot.x + reach) + 1), min(bgr.shape[0], int(spot.y + reach) + 1)
    piece = bgr[y0:y1, x0:x1]
    cx, cy = spot.x - x0, spot.y - y0
    if scale < 0.55:  # warping does not average: shrink first
        small = cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cx, cy = cx * small.shape[1] / piece.shape[1], cy * small.shape[0] / piece.shape[0]
        piece, scale = np.asarray(small, np.uint8), 1.0
    turn = np.array(([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]])[view])
    m = np.zeros((2, 3))
    m[:, :2] = turn * scale
    m[:, 2] = PATCH_PX / 2 - 0.5 - m[:, :2] @ np.array([cx - 0.5, cy - 0.5])
    size = (PATCH_PX, PATCH_PX)
    out = cv2.warpAffine(piece, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(out, np.uint8), turn


def _judged(logits: NDArray[np.float32]) -> Look:
    """The net's answers (looks, 14) as one look."""
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
        None if np.isnan(logits[0, 13]) else float(np.degrees(np.arcsin(min(1.0, logits[:, 13].mean())))),
    )


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)


def _softmax(x: NDArray[np.float32]) -> NDArray[np.float32]:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), np.float32)
