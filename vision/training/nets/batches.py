"""Training batches, drawn a few ahead in a process of their own."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import torch

Drawn = tuple[np.ndarray, np.ndarray]
"""An input of the net and its truth, both float32."""


def single_threads() -> None:
    """Limit torch and OpenCV to one thread in this process and those forked from it."""
    torch.set_num_threads(1)
    cv2.setNumThreads(0)


class Batches:
    """The batches of `count` calls of `draw`, with one generator of a fixed seed.

    A forked process lacks the other threads of OpenCV and torch: call `single_threads` before using either.
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
        """The next batch: inputs (N, …) and truths (N, …), float32."""
        x, y = self._queue.get()
        return torch.from_numpy(x), torch.from_numpy(y)
