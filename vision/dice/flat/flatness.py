"""The net that adds up, on a board that is not familiar, all that is said of a die: the chance that it lies flat.

Its input is what every net and the picture say with the usual camera and with the one that the dice say, and
where the die is. `vision/training/nets/flatness.py` trains it on painted boards of families that no other net learned
from.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.net import load_net

MODEL = Path(__file__).parents[2] / "models" / "flatness.onnx"
WORDS = 70
"""Numbers of its input for each die."""
SURELY, HARDLY = 0.975, 0.955
"""Chance from which a die lies flat, and below which that is in doubt, whatever else was said. Of dice on painted
boards from which it did not learn, the net believes by the first 8,751 of 10,000 flat ones and 109 of 10,000 that
something carries (docs/adr/0100-what-the-net-was-told-is-taken-off.md): a question costs a tap, a wrong roll the
game."""


def is_flat(chance: float) -> bool | None:
    """Whether a die lies flat by this chance; None where that settles nothing."""
    return None if HARDLY <= chance < SURELY else chance >= SURELY


def with_odds(chance: float, odds: float) -> float:
    """A chance, 0 to 1, whose odds are so many times what they were."""
    return chance * odds / (chance * odds + (1 - chance))


class FlatnessNet:
    """The net, loaded once; not thread-safe."""

    def __init__(self) -> None:
        self._net = load_net(MODEL)

    def chances(self, words: Sequence[tuple[float, ...]]) -> list[float]:
        """The chances that dice lie flat of which this was said, WORDS numbers of each."""
        if not words:
            return []
        logits = self._net(np.array(words, np.float32))[:, 0]
        chances: list[float] = (1 / (1 + np.exp(-logits.astype(float)))).tolist()
        return chances
