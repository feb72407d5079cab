"""Batches drawn in a process of their own, a few ahead of the training."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import torch

Drawn = tuple[np.ndarray, np.ndarray]
"""A picture for the net and its truth."""


def single_threads() -> None:
    """One thread each for torch and OpenCV in this process and those forked from it."""
    torch.set_num_threads(1)
    cv2.setNumThreads(0)


class Batches:
    """What `draw` gives, called `count` times with one generator from a fixed seed.

    A forked process finds the other threads of OpenCV and torch gone: call `single_threads` before either works.
    """

    def __init__(
        self, draw: Callable[[np.random.Generator], list[Drawn]], count: int, seed: int = 12
    ) -> None:
        self.count = count
        context = torch.multiprocessing.get_context("fork")
        self._queue: Any = context.Queue(6)
        context.Process(target=self._fill, args=(draw, count, seed), daemon=True).start()

    def _fill(self, draw: Callable[[np.random.Generator], list[Drawn]], count: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(count):
            drawn = draw(rng)
            self._queue.put((np.stack([d[0] for d in drawn]), np.stack([d[1] for d in drawn])))

    def get(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The next batch: pictures and truths, both with the batch in front."""
        x, y = self._queue.get()
        return torch.from_numpy(x), torch.from_numpy(y)
