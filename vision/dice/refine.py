"""Refinement of a spot: a very small net decides whether a die is near and where exactly, before the reading net looks.

The net (`models/placing.onnx`, trained by `vision/training/nets/placing.py`) sees a square of 32 pixels in which the
die's edge is 11. It drops spots without a die and moves the others to the right place.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.board.calibration import Points
from vision.dice.crops import cut, placed, turn_of
from vision.dice.finder import Spot
from vision.net import load_net
from vision.pyramid import Halves

EDGE_PX = 11.0
PATCH_PX = 32
MAYBE_DIE = -0.85
"""Logit of a die above which a spot is worth the reading net's look: 30 %. Of 842 dice found on rendered boards all had
at least 62 %, of 278 real ones placed there all at least 86 %; one in six non-dice has more than 30 %."""
FARTHEST, MOST_MISSIZED = 0.5, 0.45
"""Limits of the net's corrections, in widths and as a natural logarithm: the range that it was trained on."""

MODEL = Path(__file__).parents[1] / "models" / "placing.onnx"


class Placer:
    """The placing net, loaded once; not thread-safe."""

    def __init__(self, model: Path = MODEL) -> None:
        self._net = load_net(model)

    def place(
        self, picture: Halves, spots: Sequence[Spot], up: Points | None, maybe: float = MAYBE_DIE
    ) -> dict[int, Spot]:
        """The spots that may be dice, by index, each moved to its die.

        Args:
            picture: the picture.
            spots: where to look.
            up: (N, 2), the direction of up at each spot, see `Board.up`; None without a board.
            maybe: the logit of a die above which a spot is kept.
        """
        if not spots:
            return {}
        turns = [turn_of(None if up is None else up[k], False) for k in range(len(spots))]
        blob = np.zeros((len(spots), 5, PATCH_PX, PATCH_PX), np.float32)
        cuts = [cut(picture, spot, turn, EDGE_PX, PATCH_PX) for spot, turn in zip(spots, turns, strict=True)]
        blob[:, :3] = cv2.dnn.blobFromImages(cuts, 1 / 255)
        if up is not None:
            blob[:, 3] = np.hypot(*up.T)[:, None, None]
            blob[:, 4] = 1
        out = {}
        for k, (die, x, y, edge) in enumerate(self._net(blob).reshape(len(spots), -1)):
            if die > maybe:
                off = np.array([x, y]) @ turns[k]
                out[k] = placed(spots[k], off, float(edge), FARTHEST, MOST_MISSIZED)
        return out
