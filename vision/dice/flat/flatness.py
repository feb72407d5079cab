"""The net that adds up, on a board that is not familiar, all that is said of a die: the chance that it lies flat.

Its input is what every net and the picture say with the usual focal length and with the one that the dice say, and
where the die is. `vision/training/nets/flatness.py` trains it on painted boards of families that no other net learned
from.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.net import load_net

MODEL = Path(__file__).parents[2] / "models" / "flatness.onnx"
WORDS = 62
"""Numbers of its input for each die."""
SURELY, HARDLY = 0.98, 0.96
"""Chance from which a die lies flat, and below which that is in doubt, whatever else was said. From 0.96 and 0.93 on 55
more of 1,194 good throws on painted boards would be read, and 8 more of 1,179 others accepted: a question costs a tap,
a wrong roll the game."""


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
