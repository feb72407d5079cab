"""The net that counts the checkers of strips, and how its answer is laid out."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers.strips import Strips
from vision.net import load_net

MODEL = Path(__file__).parents[1] / "models" / "checkers.onnx"
LEVELS, LOOK = 16, 8
"""Numbers of checkers from 0, and numbers that say how checkers look."""
PLACES = (160 // 8) * (48 // 8)
"""Places of a strip at which the net gives a look."""
COVERED = LEVELS
"""Where the logit of an arm over the point is in an answer; the look follows."""
ANSWER = LEVELS + 1 + LOOK


def level(strips: Strips) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean and spread of each channel, (3,) each, by which strips are brought to one light."""
    part = strips[:, ::3, ::3].reshape(-1, 3).astype(np.float32)
    return part.mean(0), part.std(0) + np.float32(4.0)


def normal(strips: Strips) -> NDArray[np.float32]:
    """The net's input (N, 3, HIGH, WIDE) for the strips (N, HIGH, WIDE, 3) of one board."""
    mean, spread = level(strips)
    out = np.empty((len(strips), 3, *strips.shape[1:3]), np.float32)
    steps = np.arange(256, dtype=np.float32)
    for k, plane in enumerate(cv2.split(strips.reshape(-1, strips.shape[2], 3))):
        out[:, k] = cv2.LUT(plane, (steps - mean[k]) / spread[k]).reshape(-1, *strips.shape[1:3])
    return out


class CountNet:
    """The net, loaded once; not for several threads at a time."""

    def __init__(self, model: Path = MODEL) -> None:
        self._net = load_net(model)

    def answers(self, strips: Strips) -> NDArray[np.float32]:
        """(N, ANSWER) for strips (N, HIGH, WIDE, 3) uint8 of one board."""
        return pooled(self._net(normal(strips)))


def pooled(out: NDArray[np.float32]) -> NDArray[np.float32]:
    """The answers (N, ANSWER) of the net's output: its looks at all places, weighed by where it sees checkers.

    The net itself ends before that, in layers that OpenCV 4.6 reads.
    """
    maps = out[:, COVERED + 1 :].reshape(len(out), 1 + LOOK, PLACES)
    share = np.exp(maps[:, :1] - maps[:, :1].max(2, keepdims=True))
    look = (maps[:, 1:] * (share / share.sum(2, keepdims=True))).sum(2)
    return np.concatenate([out[:, : COVERED + 1], look], 1)
