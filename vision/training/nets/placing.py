"""Trains the placing net: whether a die is near a spot, and the exact middle of its upper face.

    python -m vision.training.nets.placing --data DIR --out placing.onnx --finder vision/models/finder.onnx

The finding net places one die in ten off by a fifth of its width, and takes other things for dice. This net costs a
twentieth of a look of the reading net, and keeps those looks few and at the right place. Its input is a square of 32
pixels in which the die's edge is 11, rotated like the reading net's.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.dice.finder import Finder as SpotFinder
from vision.training.batches import Batches, single_threads
from vision.training.learn import Stay, export_onnx, layer, learn
from vision.training.nets.faces import AROUND_EDGE_PX, Cut, drawing, grouped, read_pools, turn_to, turned
from vision.training.samples.sample import vary

PLACING_PATCH = 32
FARTHEST = 0.5
"""In edges: largest error of a place that still gives its die's position in training."""


class Placing(nn.Module):
    """Patch and planes (N, 5, 32, 32) to (N, 4): die (logit), error of the middle (two, in edges), log edge."""

    def __init__(self) -> None:
        super().__init__()

        self.net = nn.Sequential(
            layer(5, 16, 2, 5),
            layer(16, 32, 2), Stay(layer(32, 32, 1)),
            layer(32, 48, 2), Stay(layer(48, 48, 1)), Stay(layer(48, 48, 1)),
            nn.Flatten(), nn.Linear(48 * 16, 64), nn.ReLU(inplace=True), nn.Linear(64, 4),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.net(x)
        return out


def draw(rng: np.random.Generator, piece: Cut) -> tuple[np.ndarray, np.ndarray]:
    """A new look at a stored piece: (5, 32, 32) float32, and its truth (4,) float32 in the order of the net's answers.

    Half of the looks have small errors of the finding net, half large ones.
    """
    apart, stretch = (0.18, 0.2) if rng.random() < 0.5 else (0.07, 0.08)
    wider = float(np.exp(np.clip(rng.normal(0, stretch), -0.45, 0.45)))
    moved = np.clip(rng.normal(0, apart, 2), -FARTHEST, FARTHEST)
    up = None if piece.up is None else piece.up + rng.normal(0, 0.02, 2)
    way = np.diag([1.0, rng.choice([-1.0, 1.0])]) @ turn_to(up, float(rng.uniform(0, 2 * np.pi)))
    patch = turned(piece.around, way * wider, moved * AROUND_EDGE_PX, PLACING_PATCH)
    patch = vary(rng, patch, strong=bool(rng.random() < 0.5)).transpose(2, 0, 1).astype(np.float32) / 255
    known = np.zeros((2, PLACING_PATCH, PLACING_PATCH), np.float32)
    if up is not None:
        known[0], known[1] = np.hypot(*up), 1.0
    off = way @ (np.array(piece.off_px) / piece.edge_px - moved) * wider if piece.die else (np.nan, np.nan)
    edge = np.log(piece.true_px / piece.edge_px * wider)
    return np.concatenate([patch, known]), np.array((piece.die, *off, edge), np.float32)


def loss_of(out: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The loss of the presence of a die, plus that of the place's error for actual dice: `out` and `y` are (N, 4)."""
    there = functional.binary_cross_entropy_with_logits(out[:, 0], y[:, 0])
    known = ~torch.isnan(y[:, 1])
    return there + 10 * functional.smooth_l1_loss(out[known, 1:], y[known, 1:], beta=0.05)


def main() -> None:
    """Train and export the net; prints the loss every 250 steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="holds scenes/, boards/ and photos/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--finder", type=Path, required=True, help="the finding net whose places are mended")
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=4e-3)
    args = parser.parse_args()
    torch.manual_seed(13)
    single_threads()
    rng = np.random.default_rng(13)
    groups = grouped(read_pools(args.data, SpotFinder(args.finder), rng))
    batches = Batches(drawing(groups, draw, args.batch), args.steps)
    learned = learn(Placing(), loss_of, batches, args.rate, 1e-3, args.out.with_suffix(".pt"))
    export_onnx(learned, args.out, torch.zeros(1, 5, PLACING_PATCH, PLACING_PATCH), {0: "n"})


if __name__ == "__main__":
    main()
