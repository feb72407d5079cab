"""A second look at the numbers of dice, by a net that knows faces which mirror a lamp.

A smooth face mirrors a window or a lamp above it: what was dark is grey or white, and of light pips little more than
the edges of their hollows is left. The reading net, which saw no such faces when it learned, leaves most of their
numbers open and takes some for others. This net (`models/numbers.onnx`, trained by `vision/training/nets/numbers.py`)
sees a square of 40 pixels around the middle of the upper face, in which the die's edge is 22 pixels, in four looks,
two of which are mirrored. A number that it does not see is open; one that the reading net leaves open, and of which
this net is sure, is read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.dice.candidates import IS_DIE
from vision.dice.crops import cut
from vision.dice.faces import EDGE_PX, Look, Seen
from vision.dice.finder import Spot
from vision.dice.rest import READABLE, SURE_VALUE
from vision.net import load_net
from vision.pyramid import Halves

PATCH_PX = 40
TURNS_DEG = (0.0, 30.0, 60.0, 105.0)
"""The looks' turns; every second one is mirrored."""
CERTAIN_DIE = 0.98
"""Least score of a die whose number this net may tell: pip-like ornaments have none."""
SURE_NUMBER = 0.85
"""Least chance of a number, the product over the looks, that is taken for it."""
SURELY_READABLE = 0.9
"""Least mean of the looks' chances that a number can be read there at all."""
AGREED_NUMBER, AGREED_OTHER, AGREED_READABLE = 0.8, 0.5, 0.9
"""A number that both nets see counts from these chances: of this net, of the reading net, and that either says that a
number can be read there."""
ALL_SEE_DIE, ALL_SEE_READABLE = 0.94, 0.5
ALL_SEE_WIDE, ALL_SEE, ALL_SEE_OTHER = 0.7, 0.6, 0.3
"""A number that the net for every make sees, too, counts from these chances: that it is a die, and that each of the
last two nets says that a number can be read there; of the net for every make, of this one, of the reading net."""
TWO_SEE_WIDE, TWO_SEE = 0.9, 0.7
"""The reading net need not see it, and may see another one that it is not sure of, where the others are as sure. On 140
painted boards of families never learned (940000-940079, 1070000-1070059) both tell 155 dice that had no number, none of
them wrongly, and 22 things that are none."""
SAYS_OTHERWISE = 0.5
"""The reading net's chance of another number above which the number stays open."""
MODEL = Path(__file__).parents[1] / "models" / "numbers.onnx"


@dataclass(frozen=True, slots=True)
class Said:
    """What this net says of a die.

    Attributes:
        die: how sure the reading net is that it is one.
        values: six, the chance of each number, a product over the looks.
        readable: the chance that there is a number that can be read.
    """

    die: float
    values: tuple[float, ...]
    readable: float

    def of(self, look: Look) -> Look:
        """The look with what is said. What surely has a number is a die, whatever the net for every make says."""
        best, first = int(np.argmax(self.values)), int(np.argmax(look.values))
        tells = (
            self.die >= CERTAIN_DIE and self.values[best] >= SURE_NUMBER and self.readable >= SURELY_READABLE
        )
        die = self.die if tells else look.die
        is_read = look.values[first] >= SURE_VALUE and look.readable >= READABLE
        agrees = best == first and self._agrees(look.values[first], look.readable)
        if not is_read and (agrees or self._others_see(best, look)):
            both = np.multiply(look.values, self.values) if agrees else np.array(self.values)
            chances = tuple(map(float, both / both.sum()))
            return replace(look, die=die, values=chances, readable=max(look.readable, READABLE))
        if look.values[first] >= SURE_VALUE:
            if best == first:
                return replace(look, die=die)
            return replace(look, values=tuple(a * b for a, b in zip(look.values, self.values, strict=True)))
        if not tells or look.readable < READABLE or (best != first and look.values[first] > SAYS_OTHERWISE):
            return look
        return replace(look, die=die, values=self.values)

    def _agrees(self, other: float, readable: float) -> bool:
        """Whether the number is sure, because the reading net sees the same, by this chance."""
        return (
            self.die >= CERTAIN_DIE
            and min(self.readable, readable) >= AGREED_READABLE
            and other >= AGREED_OTHER
            and max(self.values) >= AGREED_NUMBER
        )

    def _others_see(self, number: int, look: Look) -> bool:
        """Whether the net for every make sees this number (0 to 5), too, which is then sure."""
        if (
            self.die < ALL_SEE_DIE
            or not look.wide_values
            or int(np.argmax(look.wide_values)) != number
            or min(self.readable, look.wide_readable) < ALL_SEE_READABLE
        ):
            return False
        wide, this, other = look.wide_values[number], self.values[number], look.values[number]
        if wide >= ALL_SEE_WIDE and this >= ALL_SEE and other >= ALL_SEE_OTHER:
            return True
        is_another_sure = max(look.values) > max(other, SAYS_OTHERWISE)
        return wide >= TWO_SEE_WIDE and this >= TWO_SEE and not is_another_sure


class NumberReader:
    """The net, loaded once; not thread-safe."""

    def __init__(self, model: Path = MODEL) -> None:
        self._net = load_net(model)

    def given(
        self, seen: Sequence[Seen], picture: Halves, first: Mapping[Spot, float] | None = None
    ) -> list[Seen]:
        """The looks at dice with what this net says of their numbers.

        Args:
            seen: spots and looks on a board.
            picture: the picture.
            first: how sure the reading net was of a die at each spot, where another net has been asked since.
        """
        scores = {one.spot: max(one.look.die, (first or {}).get(one.spot, 0.0)) for one in seen}
        dice = [spot for spot, score in scores.items() if score >= IS_DIE]
        if not dice:
            return list(seen)
        values, readable = self.chances(picture, dice)
        said = {
            spot: Said(scores[spot], tuple(map(float, chances)), float(can_be))
            for spot, chances, can_be in zip(dice, values, readable, strict=True)
        }
        return [replace(one, look=said[one.spot].of(one.look)) if one.spot in said else one for one in seen]

    def chances(
        self, picture: Halves, spots: Sequence[Spot]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The chances of the six numbers at each spot, the product over the looks, (N, 6), and the mean chance that a
        number can be read there, (N,).
        """
        looks = [
            cut(picture, spot, _turn(turn_deg, bool(k % 2)), EDGE_PX, PATCH_PX)
            for spot in spots
            for k, turn_deg in enumerate(TURNS_DEG)
        ]
        planes = np.stack(looks).transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
        answers = self._net(planes).reshape(len(spots), len(TURNS_DEG), 7).astype(np.float64)
        powers = np.exp(answers[..., :6] - answers[..., :6].max(-1, keepdims=True))
        values = (powers / powers.sum(-1, keepdims=True)).prod(1)
        return values, (1 / (1 + np.exp(-answers[..., 6]))).mean(1)


def _turn(turn_deg: float, mirrored: bool) -> NDArray[np.float64]:
    """The matrix (2, 2) that turns by an angle, after a reflection if `mirrored`."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return np.array([[c, -s], [s, c]]) @ np.diag([1.0, -1.0 if mirrored else 1.0])
