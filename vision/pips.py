"""What does this die show, does it lean, on what does it lie? A small net looks at one die at a time.

The net (`models/faces.onnx`, learned by `vision/training/faces.py`) sees a square of 64 pixels around the middle of an
upper face in which the die's edge is 22 pixels, turned so that «up» points to the right if the board is known, and
what lies around it in half the scale. It says how far off the middle and the size were, so that where a first look was
off another one is taken at the right place; the last look is a mirrored one. Where the looks differ there is doubt.
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
from vision.net import load_net

EDGE_PX = 22.0
PATCH_PX = 64
AROUND = 0.5
"""The scale of the surroundings: a checker is wider than the square."""
SECOND_LOOK = -3.0
"""The logit of a die from which on a spot is worth a second look: 5 %."""
OFF, MISSIZED = 0.08, 0.08
"""In edges, and as a natural logarithm: a look that was as far off is not counted, but for the last."""
PLACINGS = 2
LEAST_SCALE = 0.55
"""What is shrunk further than this is halved first."""
FARTHEST, MOST_MISSIZED = 0.6, 0.5
"""What the net says of places farther off than it has learned is cut to this."""
ONE_PLACE = 0.2
"""In widths: spots that come to lie nearer together are one die."""
SUPPORTS = ("floor", "checker", "die", "ledge")

MODEL = Path(__file__).with_name("models") / "faces.onnx"


@dataclass(frozen=True, slots=True)
class Look:
    """What the net thinks of one spot, the mean over the looks unless said otherwise; all 0 to 1.

    Attributes:
        die: it is a die.
        values: six, for each number; a product over the looks, so that one dissenting look counts.
        leaning: it is tilted more than 5 degrees; the most that a look says.
        supports: four, for floor, checker, die and ledge (bar or rim).
        readable: the upper face is clearly the upper one.
        tilt_deg: how far the die's own «up», as its sides show it, is off the board's, at most; None without a board.
    """

    die: float
    values: tuple[float, ...]
    leaning: float
    supports: tuple[float, ...]
    readable: float
    tilt_deg: float | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A spot, where the last look placed it, with what the looks told."""

    spot: Spot
    look: Look


class PipReader:
    """The reading net, loaded once; not for several threads at a time."""

    def __init__(self, model: Path = MODEL) -> None:
        self._net = load_net(model)

    def look(self, bgr: Bgr, spots: Sequence[Spot], up: Points | None = None) -> list[Seen]:
        """One answer a die: from a single look at what is none, from two good ones at what may be one.

        Args:
            bgr: (H, W, 3) uint8.
            spots: where to look, the surest first; of those that come to lie on one place only the first is told of.
            up: (N, 2), where up points at each spot, see `Board.up`; None without a board.
        """
        spots, picture = list(spots), _Scaled(bgr)
        views: list[list[NDArray[np.float32]]] = [[] for _ in spots]

        def view(which: Sequence[int], mirrored: bool) -> None:
            if which:
                ups = None if up is None else up[list(which)]
                for k, answer in zip(
                    which, self._view(picture, [spots[k] for k in which], ups, mirrored), strict=True
                ):
                    views[k].append(answer)

        view(range(len(spots)), False)
        dice = [k for k in range(len(spots)) if views[k][0][0] > SECOND_LOOK]
        told = set(range(len(spots)))
        for _ in range(PLACINGS):
            anew = [k for k in dice if _is_off(views[k][0])]
            for k in anew:
                spots[k] = _placed(spots[k], views[k].pop())
            twice = {k for k in dice for surer in dice if k > surer and _one_place(spots[k], spots[surer])}
            told -= twice
            dice = [k for k in dice if k not in twice]
            view([k for k in anew if k not in twice], False)
        view(dice, True)
        return [Seen(spots[k], _judged(np.stack(views[k]))) for k in sorted(told)]

    def _view(
        self, picture: "_Scaled", spots: Sequence[Spot], up: Points | None, mirrored: bool
    ) -> NDArray[np.float32]:
        """The net's answers (N, 17) to a look at each spot: its first 13, the sine of the tilt (NaN without a board),
        and how far off it was: x and y in the picture's directions, in edges, and the logarithm of the size."""
        turns = [_turn(None if up is None else up[k], mirrored) for k in range(len(spots))]
        blob = np.zeros((len(spots), 9, PATCH_PX, PATCH_PX), np.float32)
        for planes, scale in ((blob[:, :3], 1.0), (blob[:, 6:], AROUND)):
            patches = [
                picture.patch(spot, turn, scale * _scale(mirrored))
                for spot, turn in zip(spots, turns, strict=True)
            ]
            planes[:] = cv2.dnn.blobFromImages(patches, 1 / 255)
        far = np.full(len(spots), np.nan)
        if up is not None:
            far = np.hypot(*up.T)
            blob[:, 3] = far[:, None, None]
            blob[:, 5] = 1
        self._net.setInput(blob)
        answers = np.asarray(self._net.forward(), np.float32).reshape(len(spots), -1)
        tilt = np.hypot(answers[:, 13] - far, answers[:, 14])[:, None]
        back = np.stack([off @ turn for off, turn in zip(answers[:, 15:17], turns, strict=True)])
        size = answers[:, 17:18] - np.log(_scale(mirrored))
        return np.concatenate([answers[:, :13], tilt, back / _scale(mirrored), size], 1, dtype=np.float32)


def _scale(mirrored: bool) -> float:
    """How much larger than usual a look is taken."""
    return 1.05 if mirrored else 1.0


def _is_off(answer: NDArray[np.float32]) -> bool:
    return bool(np.hypot(*answer[14:16]) > OFF or abs(answer[16]) > MISSIZED)


def _placed(spot: Spot, answer: NDArray[np.float32]) -> Spot:
    """The spot where the net's answer (17,) puts it."""
    off = answer[14:16] * min(1.0, FARTHEST / max(1e-6, float(np.hypot(*answer[14:16]))))
    stretch = float(np.exp(np.clip(answer[16], -MOST_MISSIZED, MOST_MISSIZED)))
    x, y = spot.x + float(off[0]) * spot.width, spot.y + float(off[1]) * spot.width
    return Spot(x, y, spot.width * stretch, spot.score)


def _one_place(spot: Spot, other: Spot) -> bool:
    """Whether two spots are the same upper face; two dice of which one lies on the other are farther apart."""
    alike = 0.8 < spot.width / other.width < 1.25
    return alike and float(np.hypot(spot.x - other.x, spot.y - other.y)) < ONE_PLACE * spot.width


def _turn(up: Points | None, mirrored: bool) -> Points:
    """What is done to the picture's directions (2, 2): up is turned to the right, or the picture by a quarter."""
    if up is None:
        return np.array([[0.0, 1.0], [1.0, 0.0]]) if mirrored else np.eye(2)
    far = max(1e-9, float(np.hypot(*up)))
    c, s = up / far if far > 1e-6 else (1.0, 0.0)
    return np.array([[c, s], [s, -c]]) if mirrored else np.array([[c, s], [-s, c]])


class _Scaled:
    """A picture and, made when they are asked for, its halves: warping does not average, so it must not shrink much."""

    def __init__(self, bgr: Bgr) -> None:
        self._halves = [bgr]

    def patch(self, spot: Spot, turn: Points, closer: float) -> Bgr:
        """The square around a spot, turned, so much larger than usual."""
        scale = EDGE_PX / max(spot.width, 2.0) * closer
        level = 0
        while scale * 2**level < LEAST_SCALE and min(self._level(level).shape[:2]) > PATCH_PX:
            level += 1
        m = np.zeros((2, 3))
        m[:, :2] = turn * scale * 2**level
        m[:, 2] = PATCH_PX / 2 - 0.5 - m[:, :2] @ (np.array([spot.x, spot.y]) / 2**level - 0.5)
        size, bgr = (PATCH_PX, PATCH_PX), self._level(level)
        out = cv2.warpAffine(bgr, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(out, np.uint8)

    def _level(self, level: int) -> Bgr:
        while len(self._halves) <= level:
            last = self._halves[-1]
            h, w = last.shape[0] // 2, last.shape[1] // 2
            half = cv2.resize(last[: 2 * h, : 2 * w], (w, h), interpolation=cv2.INTER_AREA)
            self._halves.append(np.asarray(half, np.uint8))
        return self._halves[level]


def _judged(logits: NDArray[np.float32]) -> Look:
    """The net's answers (looks, 17) as one look."""
    die, leaning, readable = (_sigmoid(logits[:, k]) for k in (0, 7, 12))
    values = _softmax(logits[:, 1:7])
    together = np.prod(values, 0)
    supports = _softmax(logits[:, 8:12]).mean(0)
    return Look(
        float(die.mean()),
        tuple(float(v) for v in together),
        float(leaning.max()),
        tuple(float(v) for v in supports),
        float(readable.mean()),
        None if np.isnan(logits[0, 13]) else float(np.degrees(np.arcsin(min(1.0, logits[:, 13].max())))),
    )


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)


def _softmax(x: NDArray[np.float32]) -> NDArray[np.float32]:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), np.float32)
