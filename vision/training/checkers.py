"""Learns the net that counts the checkers of a strip and says how they look.

    python -m vision.training.checkers --data DIR --out checkers.onnx --steps 6000

DIR holds folders of `checkers_data.py`. For each strip the net gives 16 logits for 0 to 15 checkers, one for an arm
over the point, and the look of the checkers (8). Those of one side are to look more alike than those of two: a look is
learned to be nearer to the mean of its own side on the same board.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.checkers.net import COVERED, LEVELS, LOOK, normal
from vision.checkers.strips import HIGH, WIDE
from vision.training.batches import Batches, Drawn, single_threads
from vision.training.checkers_data import Known, is_held_out, load
from vision.training.learn import Stay, export_onnx, layer, learn
from vision.training.samples import vary

SHOWN, BOARDS = 12, 6
"""Strips of each board and boards of each step."""
STEADY = 0.99
"""Of the running mean of the weights: the runs are short."""
COVERED_FROM, FREE_BELOW = 0.12, 0.02
"""Shares of a point that an arm hides: from the first it counts as covered, below the second as free; between them
nothing is learned."""


class CheckerNet(nn.Module):
    """Strips (N, 3, 160, 48) to (N, 25)."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(layer(3, 16, 2), layer(16, 24, 2), Stay(layer(24, 24, 1)), layer(24, 48, 2))
        self.wide = nn.Sequential(Stay(layer(48, 48, 1)), Stay(layer(48, 48, 1)), Stay(layer(48, 48, 1)))
        self.column = nn.Sequential(
            nn.Conv2d(48, 64, (1, WIDE // 8), bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
            nn.Conv2d(64, 64, (5, 1), padding=(2, 0), bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.count = nn.Sequential(
            nn.Flatten(), nn.Linear(64 * (HIGH // 8), 64), nn.ReLU(inplace=True), nn.Linear(64, LEVELS + 1)
        )
        self.where = nn.Conv2d(48, 1, 1)
        self.feel = nn.Conv2d(48, LOOK - 3, 1)
        self.scale = nn.Parameter(torch.full((3,), 3.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        seen = self.wide(self.near(x))
        counted = self.count(self.column(seen))
        share = torch.softmax(self.where(seen).flatten(2), 2)
        colour = (functional.avg_pool2d(x, 8).flatten(2) * share).sum(2)
        feel = (self.feel(seen).flatten(2) * share).sum(2)
        return torch.cat([counted, colour * self.scale, feel], 1)


class Unpooled(nn.Module):
    """The learned net up to the looks at each place; `vision.checkers.net.pooled` does the rest.

    Strips (N, 3, 160, 48) to (N, 17 + 9 * 120): the counts, where checkers are seen, and the look at each place.
    """

    def __init__(self, net: CheckerNet) -> None:
        super().__init__()
        self.net = net
        self.colour = nn.Conv2d(3, 3, 8, stride=8, bias=False)
        weight = torch.zeros(3, 3, 8, 8)
        for k in range(3):
            weight[k, k] = net.scale[k].item() / 64
        self.colour.weight = nn.Parameter(weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        seen = self.net.wide(self.net.near(x))
        counted = self.net.count(self.net.column(seen))
        maps = (self.net.where(seen), self.colour(x), self.net.feel(seen))
        return torch.cat([counted, *(one.flatten(1) for one in maps)], 1)


def loss_of(out: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Of answers (B * SHOWN, 25) to truth (B, SHOWN, 3): number, side 0 or 1, and 1 where covered, -1 to pass over."""
    many, covered = (truth[..., k].reshape(-1) for k in (0, 2))
    free = covered == 0
    count = functional.cross_entropy(out[:, :LEVELS], many.long(), reduction="none")
    known = covered >= 0
    arm = functional.binary_cross_entropy_with_logits(out[:, COVERED], covered.clamp(0), reduction="none")
    look = out[:, COVERED + 1 : COVERED + 1 + LOOK].reshape(len(truth), -1, LOOK)
    return (
        (count * free).sum() / free.sum()
        + 0.5 * (arm * known * (1 + 2 * covered)).sum() / known.sum()
        + _apart(look, truth)
    )


def _apart(look: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """How well the sides can be told by the mean look of each, over boards that show both."""
    there = (truth[..., 0] > 0) & (truth[..., 2] == 0)
    first, second = (there & (truth[..., 1] == k) for k in (0, 1))
    losses = []
    for one, a, b in zip(look, first, second, strict=True):
        if int(a.sum()) >= 2 and int(b.sum()) >= 2:
            means = torch.stack([_leave_out(one, a), _leave_out(one, b)], 1)
            near = -((one[:, None] - means) ** 2).sum(2)
            losses.append(functional.cross_entropy(near[a | b], b[a | b].long()))
    return torch.stack(losses).mean() if losses else look.sum() * 0


def _leave_out(look: torch.Tensor, mine: torch.Tensor) -> torch.Tensor:
    """For each strip the mean look of all strips of `mine` but itself."""
    part = mine.float()[:, None]
    return ((look * part).sum(0) - look * part) / (part.sum() - part)


class BoardBatches(Batches):
    """Batches of boards, their strips one after the other."""

    def get(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Strips (BOARDS * SHOWN, 3, HIGH, WIDE) and truth (BOARDS, SHOWN, 3)."""
        x, y = super().get()
        return x.flatten(0, 1), y


def draw(rng: np.random.Generator, kinds: Sequence[Sequence[Known]]) -> list[Drawn]:
    """Some strips of some boards of each kind, (SHOWN, 3, HIGH, WIDE), in a light of their own, with `_truth`."""
    out = []
    for kind in kinds:
        for one in (kind[int(k)] for k in rng.integers(0, len(kind), BOARDS // len(kinds))):
            shown = _shown(rng, one)
            strips = one.strips[shown]
            if rng.random() < 0.5:
                strips = strips[:, :, ::-1]
            flat = vary(rng, np.ascontiguousarray(strips.reshape(-1, WIDE, 3)), strong=rng.random() < 0.7)
            out.append((normal(flat.reshape(-1, HIGH, WIDE, 3)), _truth(one)[shown]))
    return out


def _shown(rng: np.random.Generator, one: Known) -> NDArray[np.int64]:
    """Strips of a board, empty ones less often, heaps more often."""
    many = one.counts.sum(1)
    weight = np.where(many == 0, 0.35, np.where(many > 5, 4.0, 1.0))
    return rng.choice(26, SHOWN, replace=False, p=weight / weight.sum())


def _truth(one: Known) -> NDArray[np.float32]:
    """(26, 3): number of checkers, side, covered."""
    covered = np.where(one.covered >= COVERED_FROM, 1.0, np.where(one.covered < FREE_BELOW, 0.0, -1.0))
    both = (one.counts > 0).all(1)
    covered[both] = -1.0
    return np.stack([one.counts.sum(1), one.counts.argmax(1), covered], 1).astype(np.float32)


def score(net: nn.Module, boards: Sequence[Known]) -> dict[str, float]:
    """Shares of strips counted right and of boards all of whose strips are."""
    right, whole, heaps = [], [], []
    net.eval()
    with torch.no_grad():
        for one in boards:
            out = net(torch.from_numpy(normal(one.strips))).numpy()
            truth = _truth(one)
            free = truth[:, 2] == 0
            good = out[:, :LEVELS].argmax(1) == truth[:, 0]
            right.append(good[free].mean())
            heaps += good[free & (truth[:, 0] > 5)].tolist()
            whole.append(good[free].all())
    return {"strips": float(np.mean(right)), "boards": float(np.mean(whole)), "heaps": float(np.mean(heaps))}


def main() -> None:
    """Learn, score on what is held out, and write the net."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="has folders painted and rendered")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", type=Path)
    args = parser.parse_args()
    single_threads()
    torch.manual_seed(args.seed)
    painted, rendered = (list(load(args.data / kind)) for kind in ("painted", "rendered"))
    learned = [[one for one in kind if not is_held_out(one.family)] for kind in (painted, rendered)]
    print(len(learned[0]), "painted,", len(learned[1]), "rendered boards to learn from", flush=True)
    net: nn.Module = CheckerNet()
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    kinds = [kind for kind in learned if kind]
    batches = BoardBatches(lambda rng: draw(rng, kinds), args.steps, args.seed)
    net = learn(net, loss_of, batches, args.rate, 1e-3, args.out.with_suffix(".pt"), STEADY)
    for name, kind in (
        ("painted", painted),
        ("rendered", [one for one in rendered if one.name.endswith("_0")]),
    ):
        print(name, score(net, [one for one in kind if is_held_out(one.family)][:150]), flush=True)
    assert isinstance(net, CheckerNet)
    export_onnx(Unpooled(net), args.out, torch.zeros(1, 3, HIGH, WIDE), {0: "strips"})


if __name__ == "__main__":
    main()
