"""A second opinion on whether a die lies flat, where the lens is not known and the board may be of any make.

The reading net after it has learned painted boards of every make (`models/faces_wide.onnx`, trained by
`vision/training/nets/faces_wide.py`) looks at each die again. What it says, what the net for carried dice says
(`carried.py`) and the colours of the field around the die (`beneath.py`) are added up by a logistic regression, whose
weights `vision/training/nets/witnesses.py` fits on painted boards of families that no net learned from.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from vision.board.calibration import Board
from vision.dice.beneath import Field, disc_share, ring_of
from vision.dice.carried import Carrier, touches
from vision.dice.faces import MODEL_WIDE, Look, PipReader, Seen
from vision.dice.finder import DIE_MM, Spot
from vision.dice.pyramid import Halves
from vision.dice.rest import FLAT_DEG, IS_DIE, wall_mm_of
from vision.frame import Bgr

WITNESSES = ("floor", "leaning", "checker", "otherwise", "tilt", "around", "field", "least field", "disc")
"""What is added up, in this order: `of_nets` and `of_picture` say what each is."""
WEIGHTS, CONSTANT = (0.544, -0.246, -0.074, 0.299, -0.152, -0.565, 0.553, 0.326, 0.027), 0.428
"""For the logit that a die lies flat."""
OF_PICTURE = 3
"""Of the witnesses, the last. They take longer than the nets, and are asked only where they can settle it."""
ENDS = tuple(tuple(float((weight > 0) == most) for weight in WEIGHTS[-OF_PICTURE:]) for most in (False, True))
"""The least and the most that the picture can say for a die that lies flat."""
Situation: TypeAlias = Literal["open", "at a wall", "touching"]
"""At a wall a die is closer than its own width to a rim or the bar; touching it touches another die."""
SURELY: dict[Situation, float] = {"open": 0.95, "at a wall": 0.98, "touching": 0.97}
"""Chance from which a die lies flat, whatever the first opinion is. At a wall or a die one that leans by less than ten
degrees looks much like one that does not."""
HARDLY = 0.3
"""Chance below which it is in doubt that a die lies flat, whatever the first opinion is."""
MOST_TILT_DEG, LEAST_CHANCE = 30.0, 1e-4


class SecondOpinion:
    """The net, loaded once; not thread-safe."""

    def __init__(self, carrier: Carrier) -> None:
        self._carrier, self._pips = carrier, PipReader(MODEL_WIDE)

    def given(
        self, seen: Sequence[Seen], picture: Halves, bgr: Bgr, board: Board, field: Field
    ) -> list[Seen]:
        """The looks at dice with what this net says of them.

        `die` is the less sure of both nets: what only one of them takes for a die is none. `flat` is True where the die
        lies flat for sure, False where it hardly does.

        Args:
            seen: spots and looks.
            picture: the picture.
            bgr: the same, (H, W, 3) uint8.
            board: where the board lies in it.
            field: the colours of its field.
        """
        said = self.said(seen, picture, board)

        def asked(one: Seen) -> Seen:
            die, of_nets, situation = said[one.spot]
            ends = {opinion((*of_nets, *end), situation) for end in ENDS}
            flat = ends.pop()
            if ends:  # only then does the picture around the die settle it
                flat = opinion((*of_nets, *of_picture(one.spot, bgr, board, field)), situation)
            return replace(one, look=replace(one.look, die=min(one.look.die, die), flat=flat))

        return [asked(one) if one.spot in said else one for one in seen]

    def said(
        self, seen: Sequence[Seen], picture: Halves, board: Board
    ) -> dict[Spot, tuple[float, tuple[float, ...], Situation]]:
        """How sure this net is of each die among these looks, what the nets say of its rest, and where it is."""
        dice = [one for one in seen if one.look.die >= IS_DIE]
        spots = [one.spot for one in dice]
        up = board.up(np.array([(spot.x, spot.y) for spot in spots]).reshape(-1, 2))
        looks, chances = self._pips.again(picture, spots, up), self._carrier.chances(picture, spots, up)
        return {
            one.spot: (look.die, of_nets(look, chance), situation_of(one, dice, board))
            for one, look, chance in zip(dice, looks, chances.tolist(), strict=True)
        }


def opinion(words: Sequence[float], situation: Situation) -> bool | None:
    """Whether a die lies flat of which the WITNESSES said this; None where that settles nothing."""
    chance = chance_flat(words)
    if chance >= SURELY[situation]:
        return True
    return False if chance < HARDLY else None


def of_nets(look: Look, chance: float) -> tuple[float, ...]:
    """What the nets say for and against that a die lies flat, the first of WITNESSES.

    Of the reading net for every make four chances, as logits: that the floor is below it, that it leans, that a checker
    is below it, or a die or ledge; and the measured tilt in steps of 5 degrees. Then the chance of the small net that
    something carries it, as a logit.
    """
    floor, checker, die, ledge = look.supports
    tilt = min(look.tilt_deg or 0.0, MOST_TILT_DEG) / FLAT_DEG
    return (_logit(floor), _logit(look.leaning), _logit(checker), _logit(die + ledge), tilt, _logit(chance))


def of_picture(spot: Spot, bgr: Bgr, board: Board, field: Field) -> tuple[float, ...]:
    """What the picture says, the others of WITNESSES, each 0 to 1.

    The parts of the ring around the die that are the field, as a whole and in the eighth that has least; and the part
    of a checker's outline that is seen.
    """
    at_mm = _place(spot, board)
    ring = ring_of(bgr, board, at_mm, _wide(spot, board), field)
    return (ring.near, ring.least, disc_share(bgr, board, at_mm))


def chance_flat(words: Sequence[float]) -> float:
    """The chance that a die lies flat of which the WITNESSES said this."""
    return 1 / (1 + math.exp(-CONSTANT - sum(w * word for w, word in zip(WEIGHTS, words, strict=True))))


def situation_of(one: Seen, dice: Sequence[Seen], board: Board) -> Situation:
    """Where a die is, among these dice."""
    if touches(one, dice):
        return "touching"
    return (
        "at a wall"
        if wall_mm_of(_place(one.spot, board), board) < DIE_MM * _wide(one.spot, board)
        else "open"
    )


def _place(spot: Spot, board: Board) -> tuple[float, float]:
    """Where on the board a die is, in mm."""
    x, y = board.lowered(board.to_mm(np.array([(spot.x, spot.y)])), DIE_MM)[0].tolist()
    return x, y


def _wide(spot: Spot, board: Board) -> float:
    """A die's width, in dice of the usual size."""
    return spot.width / (DIE_MM * board.px_per_mm())


def _logit(chance: float) -> float:
    chance = min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)
    return math.log(chance / (1 - chance))
