"""Learns the net that counts the checkers of each point and says how they look.

    python -m vision.training.nets.checkers --data DIR --out checkers.onnx --steps 6000

DIR holds folders painted, ornate and rendered of `checkers/quadrants.py`. For each point the net gives 16 logits for 0
to 15 checkers, one for an arm over the point, and the look of the checkers (8). Those of one side are to look more
alike than those of two: a look is learned to be nearer to the mean of its own side on the same board.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.checkers.net import COUNTED, COVERED, LEVELS, LOOK, STEP, normal
from vision.checkers.quadrants import AT, COLUMNS, HIGH, PICTURES, POINT_PX, WIDE, Quadrants
from vision.training.batches import Batches, Drawn, single_threads
from vision.training.checkers.quadrants import Known, is_held_out, load
from vision.training.learn import Stay, begin_from, export_onnx, layer, learn, training_parser
from vision.training.samples.sample import vary

STEADY = 0.99
"""Of the running mean of the weights: the runs are short."""
COVERED_FROM, FREE_BELOW = 0.12, 0.02
"""Shares of a point that an arm hides: from the first it counts as covered, below the second as free; between them
nothing is learned."""
EMPTY_COUNTS, HEAP_COUNTS = 0.35, 4.0
"""What an error on an empty point and on a heap beyond five counts, beside 1 on the others."""
SCALED, SHIFTED_PX = (0.02, 0.04), (1.5, 3.0)
"""Standard deviations of scale and shift, across and along, with which a board of a strange make is found."""
SEEN = 40
"""Planes of the finest map."""
COLUMN = 64
"""Planes of a point's column."""
WINDOW, APART = 2 * POINT_PX // STEP, POINT_PX // STEP
"""Places across of which a point has a look, and those from point to point."""


class CheckerNet(nn.Module):
    """Quadrants (N, 3, HIGH, WIDE) to what `vision.checkers.net.pooled` reads: counts (N, 17 * 6) and maps of looks."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(
            layer(3, 16, 2), layer(16, 24, 2), Stay(layer(24, 24, 1)), layer(24, SEEN, 2)
        )
        self.wide = nn.Sequential(Stay(layer(SEEN, SEEN, 1)), Stay(layer(SEEN, SEEN, 1)))
        self.column = nn.Sequential(
            nn.Conv2d(SEEN, COLUMN, (1, WINDOW), (1, APART), bias=False),
            nn.BatchNorm2d(COLUMN), nn.ReLU(inplace=True),
            nn.Conv2d(COLUMN, COLUMN, (5, 1), padding=(2, 0), bias=False),
            nn.BatchNorm2d(COLUMN), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.count = nn.Sequential(
            nn.Conv2d(COLUMN, 64, (HIGH // STEP, 1)), nn.ReLU(inplace=True), nn.Conv2d(64, LEVELS + 1, 1)
        )
        self.where = nn.Conv2d(SEEN, 1, 1)
        self.feel = nn.Conv2d(SEEN, LOOK - 3, 1)
        self.colour = nn.Conv2d(3, 3, STEP, STEP, groups=3, bias=False)
        nn.init.constant_(self.colour.weight, 3.0 / STEP**2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        seen = self.wide(self.near(x))
        maps = (self.count(self.column(seen)), self.where(seen), self.colour(x), self.feel(seen))
        return torch.cat([one.flatten(1) for one in maps], 1)


def pooled(out: torch.Tensor) -> torch.Tensor:
    """The answers (N, 6, 25) for each column of the quadrants, as `vision.checkers.net.pooled` for known places."""
    counted = out[:, :COUNTED].reshape(len(out), LEVELS + 1, COLUMNS)
    maps = out[:, COUNTED:].reshape(len(out), 1 + LOOK, HIGH // STEP, WIDE // STEP)
    mine = maps.unfold(3, WINDOW, APART).transpose(2, 3).flatten(3)
    look = (mine[:, 1:] * torch.softmax(mine[:, :1], 3)).sum(3)
    return torch.cat([counted, look], 1).transpose(1, 2)


def loss_of(out: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Of the net's output for B boards to truth (B, PICTURES * COLUMNS, 3).

    Truth is number, side 0 or 1, and 1 where covered, -1 to pass over.
    """
    out = pooled(out).flatten(0, 1)
    many, covered = (truth[..., k].reshape(-1) for k in (0, 2))
    weight = (covered == 0) * torch.where(many == 0, EMPTY_COUNTS, torch.where(many > 5, HEAP_COUNTS, 1.0))
    count = functional.cross_entropy(out[:, :LEVELS], many.long(), reduction="none")
    known = covered >= 0
    arm = functional.binary_cross_entropy_with_logits(out[:, COVERED], covered.clamp(0), reduction="none")
    look = out[:, COVERED + 1 :].reshape(*truth.shape[:2], LOOK)
    return (
        (count * weight).sum() / weight.sum()
        + 0.5 * (arm * known * (1 + 2 * covered)).sum() / known.sum()
        + _apart(look, truth)
    )


def _apart(look: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """How well the sides can be told by the mean look of each, over boards that show both at two places and more.

    The mean that a place is compared with is that of all other places of the side.
    """
    there = (truth[..., 0] > 0) & (truth[..., 2] == 0)
    sides = torch.stack([there & (truth[..., 1] == k) for k in (0, 1)], 2).float()
    many = sides.sum(1, keepdim=True)
    both = (many >= 2).all(2).float()
    total = torch.einsum("bps,bpl->bsl", sides, look)[:, None]
    own = sides[..., None]
    means = (total - own * look[:, :, None]) / (many[..., None] - own).clamp(min=1)
    near = -((look[:, :, None] - means) ** 2).sum(3)
    wrong = functional.cross_entropy(near.flatten(0, 1), truth[..., 1].flatten().long(), reduction="none")
    counts = sides.sum(2) * both
    boards = (wrong.reshape(counts.shape) * counts).sum(1) / counts.sum(1).clamp(min=1)
    return boards.sum() / both.sum().clamp(min=1)


class BoardBatches(Batches):
    """Batches of boards, their quadrants one after the other."""

    def get(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Quadrants (N * PICTURES, 3, HIGH, WIDE) and truth (N, PICTURES * COLUMNS, 3)."""
        x, y = super().get()
        return x.flatten(0, 1), y


def draw(rng: np.random.Generator, kinds: Sequence[Sequence[Known]], boards: int) -> list[Drawn]:
    """Some boards, as many of each kind, (PICTURES, 3, HIGH, WIDE), in a light of their own, with `_truth`."""
    out = []
    for kind in kinds:
        for one in (kind[int(k)] for k in rng.integers(0, len(kind), boards // len(kinds))):
            quadrants, truth = _nudged(rng, one.quadrants), _truth(one)
            if rng.random() < 0.5:
                quadrants, truth = quadrants[:, :, ::-1], truth[:, ::-1]
            flat = vary(rng, np.ascontiguousarray(quadrants.reshape(-1, WIDE, 3)), strong=rng.random() < 0.7)
            out.append((normal(flat.reshape(-1, HIGH, WIDE, 3)), truth.reshape(-1, 3)))
    return out


def _nudged(rng: np.random.Generator, quadrants: Quadrants) -> Quadrants:
    """The quadrants with the board's place a little off: the same way in all, or as a board of a strange make is found,
    each in its own way.
    """
    if rng.random() < 0.5:
        return _moved(quadrants, 1 + rng.normal(0, 0.008, 2), rng.normal(0, 0.6, 2))
    return np.concatenate([
        _moved(one[None], 1 + rng.normal(0, SCALED), rng.normal(0, SHIFTED_PX)) for one in quadrants
    ])  # fmt: skip


def _moved(quadrants: Quadrants, scale: NDArray[np.float64], shift: NDArray[np.float64]) -> Quadrants:
    shift = shift - (scale - 1) * (WIDE / 2, HIGH / 2)
    how = np.array([[scale[0], 0.0, shift[0]], [0.0, scale[1], shift[1]]])
    return np.stack([
        cv2.warpAffine(one, how, (WIDE, HIGH), borderMode=cv2.BORDER_REPLICATE) for one in quadrants
    ])  # fmt: skip


def _truth(one: Known) -> NDArray[np.float32]:
    """(PICTURES, COLUMNS, 3): number of checkers, side, covered; -1 where nothing is to be learned."""
    covered = np.where(one.covered >= COVERED_FROM, 1.0, np.where(one.covered < FREE_BELOW, 0.0, -1.0))
    both = (one.counts > 0).all(1)
    covered[both] = -1.0
    out = np.full((PICTURES, COLUMNS, 3), (0.0, 0.0, -1.0), np.float32)
    out[AT[:, 0], AT[:, 1]] = np.stack([one.counts.sum(1), one.counts.argmax(1), covered], 1)
    return out


def score(net: nn.Module, boards: Sequence[Known]) -> dict[str, float]:
    """Shares of points counted right and of boards all of whose points are."""
    right, whole, heaps = [], [], []
    net.eval()
    with torch.no_grad():
        for one in boards:
            out = pooled(net(torch.from_numpy(normal(one.quadrants)))).numpy()
            truth = _truth(one)
            free = truth[..., 2] == 0
            good = out[..., :LEVELS].argmax(2) == truth[..., 0]
            right.append(good[free].mean())
            heaps += good[free & (truth[..., 0] > 5)].tolist()
            whole.append(good[free].all())
    return {"points": float(np.mean(right)), "boards": float(np.mean(whole)), "heaps": float(np.mean(heaps))}


def main() -> None:
    """Learn, score on what is held out, and write the net."""
    parser = training_parser(__doc__, steps=6000, batch=4, rate=3e-3, seed=1)
    parser.add_argument("--begin", type=Path, help="an exported net (.onnx) to go on from")
    args = parser.parse_args()
    single_threads()
    torch.manual_seed(args.seed)
    painted, ornate, rendered = (list(load(args.data / kind)) for kind in ("painted", "ornate", "rendered"))
    learned = [[one for one in kind if not is_held_out(one.family)] for kind in (painted + ornate, rendered)]
    print(len(learned[0]), "painted,", len(learned[1]), "rendered boards to learn from", flush=True)
    net: nn.Module = CheckerNet()
    kinds = [kind for kind in learned if kind]
    if args.begin:
        some = draw(np.random.default_rng(args.seed), kinds, 64)
        begin_from(net, args.begin, torch.from_numpy(np.concatenate([x for x, _ in some])))
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    batches = BoardBatches(lambda rng: draw(rng, kinds, args.batch), args.steps, args.seed)
    net = learn(net, loss_of, batches, args.rate, 1e-3, args.out.with_suffix(".pt"), STEADY)
    for name, kind in (
        ("painted", painted),
        ("ornate", ornate),
        ("rendered", [one for one in rendered if one.name.endswith("_0")]),
    ):
        print(name, score(net, [one for one in kind if is_held_out(one.family)][:150]), flush=True)
    export_onnx(net, args.out, torch.zeros(PICTURES, 3, HIGH, WIDE), {0: "n"})


if __name__ == "__main__":
    main()
