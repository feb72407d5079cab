"""The net that counts the checkers of quadrants, and how its answer is laid out."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers.quadrants import AT, BAR, COLUMNS, HIGH, NO_BAR, POINT_PX, WIDE, Quadrants
from vision.net import load_net

MODEL = Path(__file__).parents[1] / "models" / "checkers.onnx"
LEVELS, LOOK = 16, 8
"""Numbers of checkers from 0, and numbers that say how checkers look."""
STEP = 8
"""Pixels of a quadrant by which the places at which the net gives a look are apart."""
COVERED = LEVELS
"""Where the logit of an arm over the point is in an answer; the look follows."""
ANSWER = LEVELS + 1 + LOOK
COUNTED = (LEVELS + 1) * COLUMNS
"""Numbers of a quadrant's output before the looks."""

LOOKED_AGAIN_BELOW = 0.99
"""Where no number of checkers has this chance the net looks again."""
NUDGES_PX = (-1, 1)
"""Pixels across by which a quadrant is moved for the first and for the second look."""
LEAST_SPREAD = np.float32(4.0)
"""Added to the spread of a channel, of 0 to 255: what is all of one colour stays so."""


def normal(quadrants: Quadrants) -> NDArray[np.float32]:
    """The net's input (PICTURES, 3, HIGH, WIDE) for the quadrants of one board, brought to one light."""
    part = np.ascontiguousarray(quadrants[:BAR, ::3, ::3]).reshape(-1, 1, 3)
    mean, spread = (np.asarray(v, np.float32)[:, 0] for v in cv2.meanStdDev(part))
    out = np.empty((len(quadrants), 3, HIGH, WIDE), np.float32)
    steps = np.arange(256, dtype=np.float32)
    for k, plane in enumerate(cv2.split(quadrants.reshape(-1, WIDE, 3))):
        out[:, k] = cv2.LUT(plane, (steps - mean[k]) / (spread[k] + LEAST_SPREAD)).reshape(-1, HIGH, WIDE)
    out[BAR:, :, :, NO_BAR] = 0
    return out


class CountNet:
    """The net, loaded once; not for several threads at a time."""

    def __init__(self, model: Path = MODEL) -> None:
        self._net = load_net(model)

    def answers(self, quadrants: Quadrants) -> NDArray[np.float32]:
        """(26, ANSWER) for the quadrants of one board, points 1 to 24 and the bar's halves.

        At quadrants with a point or half of the bar whose number is in doubt the net looks twice; the mean counts.
        """
        seen, (first, second) = normal(quadrants), NUDGES_PX
        out = self._net(nudged(seen, first))
        doubted = np.unique(AT[chance_of_number(out) < LOOKED_AGAIN_BELOW, 0])
        if len(doubted):
            out[doubted] = (out[doubted] + self._net(nudged(seen[doubted], second))) / 2
        return pooled(out)


def chance_of_number(out: NDArray[np.float32]) -> NDArray[np.float32]:
    """The chance (26,) of the likeliest number of checkers at each place, by the net's output."""
    logits = out[:, : LEVELS * COLUMNS].reshape(len(out), LEVELS, COLUMNS)[AT[:, 0], :, AT[:, 1]]
    return np.asarray(1 / np.exp(logits - logits.max(1, keepdims=True)).sum(1), np.float32)


def nudged(seen: NDArray[np.float32], px: int) -> NDArray[np.float32]:
    """The net's input (N, 3, HIGH, WIDE) moved across by so many pixels, not 0; its edge stays where it was."""
    out = np.empty_like(seen)
    if px > 0:
        out[..., px:], out[..., :px] = seen[..., :-px], seen[..., :px]
    else:
        out[..., :px], out[..., px:] = seen[..., -px:], seen[..., px:]
    return out


def pooled(out: NDArray[np.float32]) -> NDArray[np.float32]:
    """The answers (26, ANSWER) of the net's output: each place's looks, weighed by where checkers are seen.

    The net itself ends before that, in layers that OpenCV 4.6 reads.
    """
    counted = out[:, :COUNTED].reshape(len(out), LEVELS + 1, COLUMNS)
    maps = out[:, COUNTED:].reshape(len(out), 1 + LOOK, HIGH // STEP, WIDE // STEP)
    wide, apart = 2 * POINT_PX // STEP, POINT_PX // STEP
    mine = np.stack([maps[q, :, :, k * apart : k * apart + wide].reshape(1 + LOOK, -1) for q, k in AT])
    share = np.exp(mine[:, :1] - mine[:, :1].max(2, keepdims=True))
    look = (mine[:, 1:] * (share / share.sum(2, keepdims=True))).sum(2)
    return np.concatenate([counted[AT[:, 0], :, AT[:, 1]], look], 1)
