"""Whether something may carry a die: a checker, a rim, the bar, another die. A small net looks at what is around it.

The net (`models/carried.onnx`, trained by `vision/training/nets/carried.py`) sees two squares of 40 pixels around the
middle of the upper face, in which the die's edge is 16 and 7, rotated so that “up” points to the right. A die that
leans, leans on something: what is near it says how much of the net's doubt is enough. All this only ever takes back
that a die lies flat. The bounds were set on 286 dice of painted families never learned that lay flat, or passed for it.
On boards that are not familiar another net is asked, which learned from more painted boards (`carried_wide.onnx`).
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board, Points
from vision.dice.candidates import IS_DIE, NEAR
from vision.dice.crops import cut, turn_of
from vision.dice.faces import Seen
from vision.dice.finder import DIE_MM, Spot
from vision.dice.flat.beneath import Ground
from vision.dice.places import place_mm, wall_mm_of
from vision.dice.rest import ON_DIE, PLAINLY_FLAT
from vision.net import load_net
from vision.pyramid import Halves

EDGES_PX = (16.0, 7.0)
"""Of the die in the two squares: its sides, and the width of two checkers."""
PATCH_PX = 40
SCALES_WIDE = (0.93, 1.07)
"""Of the looks of the net for boards that are not familiar. By them the net that adds up everything (`flatness.py`) is
less often wrong than by one look in the usual scale and its mirror image."""
KINDS = 4
"""Of the net's answers that are logits: flat, on a checker, leaning, on anything else. The others are the lean."""
MOST_LOGIT = 8.0
CARRIED = 0.75
"""Chance above which something may carry a die."""
ALL_FIELD, CARRIED_IN_FIELD, CARRIED_IN_FIELD_WIDE = 0.55, 0.93, 0.97
"""The same if more than the first part of the nearer ring around the die has the field's colours (`beneath.Ring`); the
last for the net that learned from more boards, whose chances are closer to 0 and 1."""
CARRIED_AT_WALL = 0.2
"""The same of a die that is closer than its own width to a rim or the bar."""
CARRIED_IN_AIR = 0.05
"""The same of one that the reading net sees on a die, where there is none below it: it is on something else."""
TOUCHING = 1.25
"""In widths: dice closer than this touch, and one that leans on the other by up to 20 degrees looks much like one that
does not."""
MODEL, MODEL_WIDE = (
    Path(__file__).parents[2] / "models" / f"{name}.onnx" for name in ("carried", "carried_wide")
)


class Carrying(NamedTuple):
    """What is said of what may carry a die.

    Attributes:
        chance: that something does: the larger one of two looks, of which one is mirrored; on a board that is not
            familiar the mean, as a logit, of such looks in two scales.
        kinds: of a checker, of a die that leans, of anything else, the logits less that of a flat one; means of the
            looks, MOST_LOGIT at most.
        lean: own up less “up”, along that and across it, the second without its sign.
    """

    chance: float
    kinds: tuple[float, float, float]
    lean: tuple[float, float]


class Carrier:
    """The nets, loaded once; not thread-safe."""

    def __init__(self) -> None:
        self._net, self._net_wide = load_net(MODEL), load_net(MODEL_WIDE)

    def marked(self, seen: Sequence[Seen], picture: Halves, board: Board, ground: Ground) -> list[Seen]:
        """The looks, those at dice marked that something may carry.

        Args:
            seen: spots and looks.
            picture: the picture.
            board: where the board lies in it.
            ground: what is around the dice.
        """
        dice = [one for one in seen if one.look.die >= IS_DIE]
        asked = [one for one in dice if one.look.leaning <= 1 - PLAINLY_FLAT]  # no other can be judged flat
        chances = self.chances(picture, [one.spot for one in asked], board)
        marked = [
            replace(
                one,
                look=replace(one.look, carried=touches(one, dice) or may_be(chance, one, board, ground)),
            )
            for one, chance in zip(asked, chances.tolist(), strict=True)
        ]
        return marked + [one for one in seen if one not in asked]

    def chances(self, picture: Halves, spots: Sequence[Spot], board: Board) -> NDArray[np.float64]:
        """The chance (N,) that something carries each die, see `Carrying`; arguments as for `said`."""
        return np.array([one.chance for one in self.said(picture, spots, board)])

    def said(self, picture: Halves, spots: Sequence[Spot], board: Board) -> list[Carrying]:
        """What is said of what may carry each die.

        Args:
            picture: the picture.
            spots: the dice.
            board: where the board lies in it.
        """
        if not spots:
            return []
        net, scales = (self._net_wide, SCALES_WIDE) if board.unfamiliar else (self._net, (1.0,))
        up = board.up(np.array([(spot.x, spot.y) for spot in spots]))
        looks = [
            planes(
                picture,
                replace(spot, width=scale * spot.width),
                turn_of(way, mirrored),
                float(np.hypot(*way)),
            )
            for spot, way in zip(spots, up, strict=True)
            for scale in scales
            for mirrored in (False, True)
        ]
        answers = net(np.stack(looks)).astype(np.float64).reshape(len(spots), 2 * len(scales), -1)
        kinds = answers[..., 1:KINDS] - answers[..., :1]
        against = np.log(np.exp(kinds).sum(2))
        chances = 1 / (1 + np.exp(-(against.mean(1) if board.unfamiliar else against.max(1))))
        logits = np.clip(kinds.mean(1), -MOST_LOGIT, MOST_LOGIT)
        along = answers[..., KINDS].mean(1)
        across = np.abs((answers[..., KINDS + 1] * np.resize((1, -1), 2 * len(scales))).mean(1))
        return [
            Carrying(chance, (checker, leaning, other), lean)
            for chance, (checker, leaning, other), lean in zip(
                chances.tolist(),
                logits.tolist(),
                zip(along.tolist(), across.tolist(), strict=True),
                strict=True,
            )
        ]


def planes(picture: Halves, spot: Spot, turn: Points, up: float) -> NDArray[np.float32]:
    """The net's input (7, 40, 40): both squares, rotated by `turn` (2, 2), 0 to 1, and the length of “up”."""
    out = np.empty((7, PATCH_PX, PATCH_PX), np.float32)
    for k, edge_px in enumerate(EDGES_PX):
        square = cut(picture, spot, turn, edge_px, PATCH_PX)
        out[3 * k : 3 * k + 3] = square.transpose(2, 0, 1).astype(np.float32) / 255
    out[6] = up
    return out


def touches(one: Seen, dice: Sequence[Seen]) -> bool:
    """Whether another die touches this one; what is closer than NEAR is the same die, or one on top of it."""
    away = [
        float(np.hypot(other.spot.x - one.spot.x, other.spot.y - one.spot.y))
        / max(other.spot.width, one.spot.width)
        for other in dice
    ]
    return any(NEAR < far < TOUCHING for far in away)


def may_be(chance: float, one: Seen, board: Board, ground: Ground) -> bool:
    """Whether that chance is enough to doubt that the die lies flat where it is."""
    if chance <= CARRIED_IN_AIR:
        return False
    x, y = place_mm(one.spot, board)
    wide = one.spot.width / (DIE_MM * board.px_per_mm())
    if wall_mm_of((x, y), board) < DIE_MM * wide:
        return chance > CARRIED_AT_WALL
    if ground.around((x, y)).ring(wide).near > ALL_FIELD:
        return chance > (CARRIED_IN_FIELD_WIDE if board.unfamiliar else CARRIED_IN_FIELD)
    return chance > (CARRIED_IN_AIR if one.look.supports[2] >= ON_DIE else CARRIED)
