"""Tells by two pictures of the points how many checkers came to each or left it.

A net compares them. How many checkers lie in a heap is hard to see, and so is a dark checker on a dark point; that one
was put there or taken away is not. A point that nobody touched looks the same in the next picture, but for noise, an
even change of the light, and shadows.
"""

from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from vision.net import Net, load_net

MODEL = Path(__file__).parents[1] / "models" / "changes.onnx"
MOST_HELD = 7
"""Numbers of checkers from here up are alike to the net."""
MOST_CAME = 3
"""So many checkers that came to a point or left it, or more, are alike to the net."""
KINDS = 2 * MOST_CAME + 3
"""Kinds of change: from `MOST_CAME` less to as many more; one checker of the other side instead, and several."""
UNCHANGED, OTHER_CAME = MOST_CAME, 2 * MOST_CAME + 1
"""The kinds of no change, and of one checker of the other side."""
DARKEST = 8.0
"""Added to each level, of 0 to 255, before the light of both pictures is made equal."""
LEAST_SPREAD = 4.0
"""Added to the spread of a channel, of 0 to 255."""
COARSE = (slice(None), slice(None, None, 3), slice(None, None, 3))
"""Pixels of the points by which light, mean and spread are taken."""

Points = NDArray[np.uint8]
"""(N, HALF_PX, POINT_PX, 3): pictures of points from the rim to the middle of the board."""


def normal(before: Points, now: Points) -> NDArray[np.float32]:
    """The net's input (N, 6, HALF_PX, POINT_PX) for all points of one board in two pictures, the later one in the light
    of the earlier.
    """
    then, later = (one.astype(np.float32) + np.float32(DARKEST) for one in (before, now))
    light = np.median(later[COARSE] / then[COARSE], (0, 1, 2))
    part = then[COARSE].reshape(-1, 3)
    mean, spread = part.mean(0), part.std(0) + np.float32(LEAST_SPREAD)
    both = np.concatenate([(then - mean) / spread, (later / light - mean) / spread], 3)
    return np.ascontiguousarray(both.transpose(0, 3, 1, 2), np.float32)


def kind_of(held: int, same: int, other: int) -> int:
    """The kind of change of a point.

    Args:
        held: checkers on it before.
        same: checkers of the same side on it now; of either, if there were none.
        other: checkers of the other side on it now.
    """
    if held and other:
        return OTHER_CAME + (other > 1)
    return UNCHANGED + min(max(same - held, -MOST_CAME), MOST_CAME)


def said_of_changes(before: Points, now: Points) -> NDArray[np.float32]:
    """How much likelier each kind of change is than none, (24, MOST_HELD + 1, KINDS), in nats, by the number of
    checkers that the point held.
    """
    with _LOCK:
        said = _net()(normal(before, now)).reshape(len(now), MOST_HELD + 1, KINDS)
    return np.asarray(said - said[..., UNCHANGED : UNCHANGED + 1], np.float32)


_LOCK = Lock()


@cache
def _net() -> Net:
    return load_net(MODEL)
