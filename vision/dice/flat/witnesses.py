"""What speaks for and against a die that lies flat, where the lens is not known, and what it adds up to.

The reading net after it has learned painted boards of every make (`models/faces_wide.onnx`), the net for carried dice
(`carried.py`) and the colours of the field around the die (`beneath.py`) are added up by a logistic regression, whose
weights `vision/training/nets/witnesses.py` fits on painted boards of families that no net learned from. On boards that
are not familiar a small net (`flatness.py`) adds them up with both cameras, and what the first reading net says,
and where the die is.
"""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from vision.board.calibration import Board
from vision.dice.faces import Look, Seen
from vision.dice.finder import DIE_MM, Spot
from vision.dice.flat.beneath import Ground
from vision.dice.flat.carried import Carrying, touches
from vision.dice.places import WALL_KINDS, nearest_wall, place_mm, wall_mm_of
from vision.dice.rest import FLAT_DEG

WITNESSES = ("floor", "leaning", "checker", "otherwise", "tilt", "around", "field", "least field", "disc")
"""What is added up, in this order: `of_nets` and `of_picture` say what each is."""
OF_PICTURE = 3
"""Of the witnesses, the last. They take longer than the nets, and are asked only where they can settle it."""
MOST_TILT_DEG, LEAST_CHANCE = 30.0, 1e-4
MOST_AWAY, MOST_WALL_MM = 0.5, 80.0
UP_SCALE, UP_LONG_SCALE, LEAST_UP = 4.0, 3.0, 1e-6
"""What differences of up and lengths of it are multiplied by; and the least length that has a direction."""
WALL_WIDTHS = (0.4, 1.3)
"""What is beyond these, of a wall's distance in the die's own widths, counts as their ends: a die that leans on a wall
has its middle half a width to 0.71 from it."""
LEANS_TO = 1.0
"""In the die's own widths: a wall farther away is nothing that it could lean on."""
Situation: TypeAlias = Literal["open", "at a wall", "touching"]
"""At a wall a die is closer than its own width to a rim or the bar; touching it touches another die."""
SITUATIONS: tuple[Situation, ...] = ("open", "at a wall", "touching")


class Weights(NamedTuple):
    """Of the witnesses, in their order, and the constant, for the logit that a die lies flat."""

    each: tuple[float, ...]
    constant: float

    def chance(self, words: Sequence[float]) -> float:
        """The chance that a die lies flat of which the WITNESSES said this."""
        return 1 / (
            1 + math.exp(-self.constant - sum(w * word for w, word in zip(self.each, words, strict=True)))
        )

    def ends(self) -> tuple[tuple[float, ...], ...]:
        """The least and the most that the picture can say for a die that lies flat."""
        return tuple(
            tuple(float((weight > 0) == most) for weight in self.each[-OF_PICTURE:]) for most in (False, True)
        )


USUAL = Weights((0.760, -0.321, 0.029, 0.386, 0.000, -0.547, 0.457, 0.403, 0.028), 0.214)
"""With the board seen by a usual camera."""
FITTED = Weights((0.872, -0.396, 0.084, 0.477, -0.049, -0.447, 0.210, 0.238, -0.997), 1.717)
"""With the camera that the dice say (`camera.py`)."""
USUAL_WIDE = Weights((0.377, -0.205, -0.129, 0.340, -0.088, -0.491, 0.520, 0.234, -0.084), 0.812)
"""As USUAL, on boards that are not familiar, of which another net for carried dice is asked."""


def of_nets(look: Look, chance: float) -> tuple[float, ...]:
    """What the nets say for and against that a die lies flat, the first of WITNESSES.

    Of the reading net for every make four chances, as logits: that the floor is below it, that it leans, that a checker
    is below it, or a die or ledge; and the measured tilt in steps of 5 degrees. Then the chance of the small net that
    something carries it, as a logit.
    """
    return (*of_look(look), _logit(chance))


def of_look(look: Look) -> tuple[float, ...]:
    """What a reading net says for and against that a die lies flat: the first five of `of_nets`."""
    floor, checker, die, ledge = look.supports
    tilt = min(look.tilt_deg or 0.0, MOST_TILT_DEG) / FLAT_DEG
    return (_logit(floor), _logit(look.leaning), _logit(checker), _logit(die + ledge), tilt)


def of_carrying(carrying: Carrying) -> tuple[float, ...]:
    """What the net for carried dice says of what may carry a die, each number of the size of a few."""
    along, across = carrying.lean
    return (*carrying.kinds, UP_SCALE * along, UP_SCALE * across)


def of_up(looks: Sequence[Look], up: tuple[float, float]) -> tuple[float, ...]:
    """How far the die's own up is from the board's, by each of these looks: along that and, without sign, across it;
    and how long the board's is.
    """
    x, y = up
    long = math.hypot(x, y)
    ways = (x / max(long, LEAST_UP), y / max(long, LEAST_UP))
    words = []
    for look in looks:
        dx, dy = look.own_up[0] - x, look.own_up[1] - y
        words += [UP_SCALE * (dx * ways[0] + dy * ways[1]), UP_SCALE * abs(dy * ways[0] - dx * ways[1])]
    return (*words, UP_LONG_SCALE * long)


def of_number(look: Look) -> tuple[float, ...]:
    """How sure a reading net is that this is a die, that its number can be read, and of the number, as logits."""
    return (_logit(look.die), _logit(look.readable), _logit(max(look.values)))


def of_place(one: Seen, dice: Sequence[Seen], board: Board, away: float) -> tuple[float, ...]:
    """Where a die is, each number of the size of a few: how far its own up is from the board's, how far the next wall,
    how wide it is in pixels and in dice of the usual size, and its situation.

    Args:
        one: the die.
        dice: all dice.
        board: where the board lies.
        away: how far its own up is from the board's with the camera that the other dice say.
    """
    wide, situation = _wide(one.spot, board), situation_of(one, dice, board)
    wall_mm = wall_mm_of(place_mm(one.spot, board), board)
    return (
        min(away, MOST_AWAY) * 4,
        min(wall_mm, MOST_WALL_MM) / DIE_MM,
        one.spot.width / DIE_MM,
        wide,
        *(float(situation == place) for place in SITUATIONS),
    )


def of_wall(one: Seen, board: Board, leans: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """What the nearest wall says: how far it is in the die's own widths, which it is, and how the die leans off it.

    A die that leans on a wall leans off it, and the further its middle is from the wall the more.

    Args:
        one: the die.
        board: where the board lies.
        leans: its own up less the board's, in the picture, each with its own camera.
    """
    place = place_mm(one.spot, board)
    wall = nearest_wall(place, board)
    edge_mm = DIE_MM * _wide(one.spot, board)
    widths = wall.away_mm / edge_mm
    seen_widths = min(max(widths, WALL_WIDTHS[0]), WALL_WIDTHS[1])
    if widths >= LEANS_TO:
        return (seen_widths, *(0.0,) * (len(WALL_KINDS) + 2 * len(leans)))
    (x, y), (off_x, off_y) = place, wall.off
    here, right, above = board.to_px(np.array([(x, y), (x + 1, y), (x, y + 1)]))
    on_board = np.linalg.inv(np.stack([right - here, above - here], 1)) * (one.spot.width / edge_mm)
    words = []
    for lean in leans:
        lean_x, lean_y = (on_board @ lean).tolist()
        words += [
            UP_SCALE * (lean_x * off_x + lean_y * off_y),
            UP_SCALE * abs(lean_x * off_y - lean_y * off_x),
        ]
    return (seen_widths, *(float(wall.kind == kind) for kind in WALL_KINDS), *words)


def of_picture(spot: Spot, board: Board, ground: Ground) -> tuple[float, ...]:
    """What the picture says, the others of WITNESSES, each 0 to 1.

    The parts of the ring around the die that are the field, as a whole and in the eighth that has least; and the part
    of a checker's outline that is seen.
    """
    patch = ground.around(place_mm(spot, board))
    ring = patch.ring(_wide(spot, board))
    return (ring.near, ring.least, patch.disc_share)


def situation_of(one: Seen, dice: Sequence[Seen], board: Board) -> Situation:
    """Where a die is, among these dice."""
    if touches(one, dice):
        return "touching"
    return (
        "at a wall"
        if wall_mm_of(place_mm(one.spot, board), board) < DIE_MM * _wide(one.spot, board)
        else "open"
    )


def _wide(spot: Spot, board: Board) -> float:
    """A die's width, in dice of the usual size."""
    return spot.width / (DIE_MM * board.px_per_mm())


def _logit(chance: float) -> float:
    chance = min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)
    return math.log(chance / (1 - chance))
