"""Training batches, drawn a few ahead in processes of their own."""

import os
from collections.abc import Callable
from multiprocessing import parent_process
from typing import Any

import cv2
import numpy as np
import torch

Drawn = tuple[np.ndarray, np.ndarray]
"""An input of the net and its truth, both float32."""
AHEAD = 4
"""Batches that each process draws ahead."""


def single_threads() -> None:
    """Limit torch and OpenCV to one thread in this process and those forked from it."""
    torch.set_num_threads(1)
    cv2.setNumThreads(0)


class Batches:
    """The batches of `count` calls of `draw`, with a generator of a fixed seed for each process that draws.

    One process draws where the net is computed on a core, too, and as many as there are cores, less two, where a GPU
    computes it. With the same number of processes the batches are the same, in the same order. A forked process lacks
    the other threads of OpenCV and torch: call `single_threads` before using either, and use no GPU before.
    """

    def __init__(
        self, draw: Callable[[np.random.Generator], list[Drawn]], count: int, seed: int = 12
    ) -> None:
        self.count = count
        processes = max(1, len(os.sched_getaffinity(0)) - 2) if torch.cuda.is_available() else 1
        context = torch.multiprocessing.get_context("fork")
        self._queues: list[Any] = [context.Queue(AHEAD) for _ in range(processes)]
        self._drawn = 0
        for k, queue in enumerate(self._queues):
            rng = np.random.default_rng((seed, k) if k else seed)
            share = (count - k + processes - 1) // processes
            context.Process(target=_fill, args=(queue, draw, share, rng), daemon=True).start()

    def get(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The next batch: inputs (N, …) and truths (N, …), float32."""
        x, y = self._queues[self._drawn % len(self._queues)].get()
        self._drawn += 1
        return x, y


def _fill(
    queue: Any, draw: Callable[[np.random.Generator], list[Drawn]], count: int, rng: np.random.Generator
) -> None:
    for _ in range(count):
        drawn = draw(rng)
        queue.put(tuple(torch.from_numpy(np.stack([d[k] for d in drawn])) for k in range(2)))
    if (parent := parent_process()) is not None:
        parent.join()  # tensors are handed over in shared memory that this process holds until they are taken
