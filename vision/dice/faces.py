"""Reading of one die: its number, whether it leans, and its support. A small net looks at one die at a time.

The net (`models/faces.onnx`, trained by `vision/training/nets/faces.py` and `slim.py`) sees a square of 64 pixels
around the middle of an upper face in which the die's edge is 22 pixels, rotated so that “up” points to the right if the
board is known, and the surroundings at half that scale. It also estimates the errors of middle and size, so that a look
that was off can be repeated at the right place; the last look is mirrored. Disagreement between the looks is doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Points
from vision.dice.crops import cut, placed, turn_of
from vision.dice.finder import Spot
from vision.dice.refine import MAYBE_DIE, Placer
from vision.dice.refine import MODEL as MODEL_PLACING
from vision.net import load_net
from vision.pyramid import Halves

EDGE_PX = 22.0
PATCH_PX = 64
AROUND = 0.5
"""Scale of the surroundings: a checker is wider than the square."""
SECOND_LOOK = -3.0
"""Logit of a die above which a spot gets a second look: 5 %."""
OFF, OFF_ANYWHERE = 0.12, 0.08
"""In edges, and as a natural logarithm of the size: a look that was off by more is discarded, except the last.
Without a board dice are seen from any side, and a look that is off is worth less."""
PLACINGS = 2
FARTHEST, MOST_MISSIZED = 0.6, 0.5
"""Limits of the net's corrections, in widths and as a natural logarithm: the range that it was trained on."""
ONE_PLACE = 0.2
"""In widths: spots closer together than this are one die."""

MODEL = Path(__file__).parents[1] / "models" / "faces.onnx"
MODEL_WIDE = MODEL.with_name("faces_wide.onnx")
"""The same net, gone on with boards of every make (`vision/training/nets/faces_wide.py`): for boards whose lens is not
known."""
MODEL_ANYWHERE = MODEL.with_name("faces_anywhere.onnx")
"""The wider net from which the other was pruned. That one takes two thirds of the time and judges real dice on boards
better, but reads fewer photographs without a board."""


@dataclass(frozen=True, slots=True)
class Look:
    """The net's judgement of one spot, the mean over the looks unless stated otherwise; probabilities, 0 to 1.

    Attributes:
        die: it is a die.
        values: six, for each number; a product over the looks, so that one dissenting look counts.
        leaning: it is tilted more than 5 degrees; the maximum over the looks.
        supports: four, for floor, checker, die and ledge (bar or rim).
        readable: the upper face is clearly the upper one.
        tilt_deg: largest angle between the die's own “up”, as its sides show it, and the board's; None without a board.
        own_up: direction of the die's “up” in the picture, to the right and down: the displacement of a point one die's
            edge above the face, over that edge.
        carried: something may carry it, see `carried.py`; False where that was not asked.
        flat: it lies flat, or hardly does, see `second_opinion.py`; None where that is not settled or was not asked.
        may_be_flat: the second opinion leaves that open, or says so; False where it was not asked.
        wide_values: six, for each number, by the second opinion's net, as `values`; empty where it was not asked.
        wide_readable: the same of `readable`; 0 where it was not asked.
        flat_chance: that it lies flat, by all that is said of it, see `flatness.py`; None where that was not asked.
    """

    die: float
    values: tuple[float, ...]
    leaning: float
    supports: tuple[float, ...]
    readable: float
    tilt_deg: float | None = None
    own_up: tuple[float, float] = (0.0, 0.0)
    carried: bool = False
    flat: bool | None = None
    may_be_flat: bool = False
    wide_values: tuple[float, ...] = ()
    wide_readable: float = 0.0
    flat_chance: float | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A spot, where the last look placed it, and the result of the looks."""

    spot: Spot
    look: Look


class PipReader:
    """The reading net, and the placing net before it, loaded once; not thread-safe."""

    def __init__(self, model: Path = MODEL, placing: Path = MODEL_PLACING) -> None:
        self._net = load_net(model)
        self._placer = Placer(placing)

    def look(
        self,
        picture: Halves,
        spots: Sequence[Spot],
        up: Points | None = None,
        maybe: float = MAYBE_DIE,
    ) -> list[Seen]:
        """Look at the spots, one result for each place: a single look at a spot that is no die, two good ones at the
        rest.

        Args:
            picture: the picture.
            spots: where to look, the most certain first; of spots at one place only the first gives a result.
            up: (N, 2), the direction of up at each spot, see `Board.up`; None without a board.
            maybe: the placing net's logit of a die above which a spot on a board gets a look.
        """
        places = dict(enumerate(spots)) if up is None else self._placer.place(picture, spots, up, maybe)
        views: dict[int, list[NDArray[np.float32]]] = {k: [] for k in places}

        def view(which: Sequence[int], mirrored: bool) -> None:
            if which:
                ups = None if up is None else up[list(which)]
                at = [places[k] for k in which]
                for k, answer in zip(which, self._view(picture, at, ups, mirrored), strict=True):
                    views[k].append(answer)

        kept = _without_twins(list(places), places)
        view(kept, False)
        dice = candidates = [k for k in kept if views[k][0][0] > SECOND_LOOK]
        for _ in range(PLACINGS):
            off = [k for k in candidates if _is_off(views[k][0], OFF_ANYWHERE if up is None else OFF)]
            for k in off:
                places[k] = _placed(places[k], views[k].pop())
            candidates = _without_twins(candidates, places)
            view([k for k in off if k in candidates], False)
        view(candidates, True)
        return [
            Seen(places[k], _judged(np.stack(views[k]), None if up is None else up[k]))
            for k in kept
            if k in candidates or k not in dice
        ]

    def again(self, picture: Halves, spots: Sequence[Spot], up: Points) -> list[Look]:
        """Look twice at dice where they are, once mirrored; what `look` returns has their places.

        Args:
            picture: the picture.
            spots: the dice.
            up: (N, 2), the direction of up at each, see `Board.up`.
        """
        if not spots:
            return []
        views = np.stack([self._view(picture, spots, up, mirrored) for mirrored in (False, True)], 1)
        return [_judged(view, way) for view, way in zip(views, up, strict=True)]

    def _view(
        self, picture: Halves, spots: Sequence[Spot], up: Points | None, mirrored: bool
    ) -> NDArray[np.float32]:
        """The net's answers (N, 18) for a look at each spot; own up and offset are in the picture's directions."""
        turns = [turn_of(None if up is None else up[k], mirrored) for k in range(len(spots))]
        blob = np.zeros((len(spots), 9, PATCH_PX, PATCH_PX), np.float32)
        for planes, scale in ((blob[:, :3], 1.0), (blob[:, 6:], AROUND)):
            patches = [
                cut(picture, spot, turn, EDGE_PX * scale * _scale(mirrored), PATCH_PX)
                for spot, turn in zip(spots, turns, strict=True)
            ]
            planes[:] = cv2.dnn.blobFromImages(patches, 1 / 255)
        if up is not None:
            blob[:, 3] = np.hypot(*up.T)[:, None, None]
            blob[:, 5] = 1
        answers = self._net(blob).reshape(len(spots), -1)
        for answer, turn in zip(answers, turns, strict=True):
            answer[13:15], answer[15:17] = answer[13:15] @ turn, answer[15:17] @ turn / _scale(mirrored)
        answers[:, 17] -= np.log(_scale(mirrored))
        return answers


def _scale(mirrored: bool) -> float:
    """Magnification of a look."""
    return 1.05 if mirrored else 1.0


def _is_off(answer: NDArray[np.float32], most: float) -> bool:
    return bool(np.hypot(*answer[15:17]) > most or abs(answer[17]) > most)


def _placed(spot: Spot, answer: NDArray[np.float32]) -> Spot:
    """The spot moved as the net's answer (18,) says."""
    return placed(spot, answer[15:17].astype(np.float64), float(answer[17]), FARTHEST, MOST_MISSIZED)


def _without_twins(dice: Sequence[int], places: dict[int, Spot]) -> list[int]:
    """One index for each place, the first; `dice` are sorted by decreasing certainty."""
    kept: list[int] = []
    for k in dice:
        if not any(_one_place(places[k], places[other]) for other in kept):
            kept.append(k)
    return kept


def _one_place(spot: Spot, other: Spot) -> bool:
    """Whether two spots are the same upper face; a die and the one on top of it are farther apart."""
    alike = 0.8 < spot.width / other.width < 1.25
    return alike and float(np.hypot(spot.x - other.x, spot.y - other.y)) < ONE_PLACE * spot.width


def _judged(logits: NDArray[np.float32], up: Points | None) -> Look:
    """The net's answers (looks, 18) as one look; `up` (2,) is the board's at that place."""
    die, leaning, readable = _sigmoid(logits[:, (0, 7, 12)]).T
    values = _softmax(logits[:, 1:7])
    together = np.prod(values, 0)
    supports = _softmax(logits[:, 8:12]).mean(0)
    return Look(
        float(die.mean()),
        tuple(float(v) for v in together),
        float(leaning.max()),
        tuple(float(v) for v in supports),
        float(readable.mean()),
        None if up is None else _tilt_deg(logits[:, 13:15], up),
        (float(logits[:, 13].mean()), float(logits[:, 14].mean())),
    )


def _tilt_deg(own_up: NDArray[np.float32], up: Points) -> float:
    """Largest angle in degrees between the own ups (looks, 2) and the board's (2,)."""
    return float(np.degrees(np.arcsin(min(1.0, np.hypot(*(own_up - up).T).max()))))


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)


def _softmax(x: NDArray[np.float32]) -> NDArray[np.float32]:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), np.float32)
