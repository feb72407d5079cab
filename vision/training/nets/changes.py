"""Learns the net that tells by two pictures of a point how many checkers came to it or left it.

    python -m vision.training.nets.changes --data DIR --out changes.onnx [--games GAME…]

DIR holds files of `checkers/moves.py`; games are folders of `match.py`, with frames and match.json. For each number of
checkers that a point held the net gives a logit for each kind of change, see `vision/checkers/changes.py`. While it is
learned the logarithm of how often each kind is drawn is added, so that the net itself says how much likelier the
pictures are under each kind.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.checkers.changes import KINDS, MOST_HELD, kind_of, normal
from vision.checkers.quadrants import HALF_PX, POINT_PX, POINTS
from vision.training.batches import Batches, Drawn, single_threads
from vision.training.checkers.games import moved_in
from vision.training.checkers.moves import HELD_OUT, Moved, load, seed_of
from vision.training.learn import Stay, export_onnx, layer, learn, training_parser

STEADY = 0.995
"""Of the running mean of the weights."""
FREE_BELOW = 0.02
"""Share of a point that an arm hides, from which on it is not learned from."""
ALONE, HEAPS_ALONE, HEAP = 4, 2, 4
"""Points of a pair of pictures that were left alone, and more of those with so many checkers, that are learned from
beside all that changed."""
SCALED, SHIFTED_PX = (0.03, 0.05), (1.5, 3.0)
"""Standard deviations of the scale and of the shift, across and along, with which a board is found: half a checker off
where its make is strange."""
OF_GAMES = 0.1
"""Share of a batch that comes from games."""
FAR = 8
"""Pictures of a game that are compared are at most so many apart."""
COUNTED = 12_000
"""Points by which it is counted how often each kind is drawn."""
SCORED = 6_000
"""Points of boards held out that are scored."""
GROUPS = MOST_HELD + 1


class ChangeNet(nn.Module):
    """Pairs of points (N, 6, HALF_PX, POINT_PX) to logits (N, GROUPS * KINDS)."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(layer(6, 24, 2), layer(24, 32, 2), Stay(layer(32, 32, 1)))
        self.column = nn.Sequential(
            nn.Conv2d(32, 64, (3, POINT_PX // 4), padding=(1, 0), bias=False),
            nn.BatchNorm2d(64), nn.ReLU(inplace=True),
            Stay(_along(64, 64)), *_along(64, 48),
        )  # fmt: skip
        rows = (HALF_PX + 3) // 4
        self.out = nn.Sequential(
            nn.Conv2d(48, 96, (rows, 1)),
            nn.ReLU(inplace=True),
            nn.Conv2d(96, GROUPS * KINDS, 1),
            nn.Flatten(),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        said: torch.Tensor = self.out(self.column(self.near(x)))
        return said


def _along(i: int, o: int) -> nn.Sequential:
    """A convolution along the point."""
    return nn.Sequential(
        nn.Conv2d(i, o, (5, 1), padding=(2, 0), bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True)
    )


def truth_of(before: NDArray[np.int64], now: NDArray[np.int64]) -> tuple[int, int] | None:
    """The row and the kind of change of a point with so many checkers of both sides, (2,), before and now; None where
    both sides are on it.
    """
    if (before.min() or now.min()) > 0:
        return None
    held = int(before.max())
    side = int((before if held else now).argmax())
    return min(held, MOST_HELD), kind_of(held, int(now[side]), int(now[1 - side]))


def draw(rng: np.random.Generator, boards: Sequence[Moved], many: int) -> list[Drawn]:
    """So many pairs of points of random boards, in random colours and a light of their own."""
    out: list[Drawn] = []
    while len(out) < many:
        one = boards[int(rng.integers(len(boards)))]
        first = int(rng.integers(len(one.points)))
        second = int(rng.integers(max(0, first - FAR), min(len(one.points), first + FAR + 1)))
        if first == second:
            continue
        pair = normal(one.points[first], one.points[second])
        if rng.random() < 0.5:
            pair = pair[..., ::-1]
        place = _some_place(rng)
        colours = rng.permutation(3)
        for k in _chosen(rng, one, first, second):
            known = truth_of(one.counts[first, k], one.counts[second, k])
            if known is None:
                continue
            shown = _placed(pair[k][[*colours, *(colours + 3)]], place)
            if rng.random() < 0.3:
                shown = shown * np.float32(rng.uniform(0.7, 1.4)) + np.float32(rng.normal(0, 0.2))
            out.append((np.ascontiguousarray(shown, np.float32), np.array(known, np.float32)))
    return out[:many]


def _some_place(rng: np.random.Generator) -> NDArray[np.float64]:
    """An affine map (2, 3) of a point's pixels by which a board that was found lies a little off."""
    scale, shift = 1 + rng.normal(0, SCALED), rng.normal(0, SHIFTED_PX)
    return np.array([[scale[0], 0.0, shift[0] - (scale[0] - 1) * POINT_PX / 2], [0.0, scale[1], shift[1]]])


def _placed(pair: NDArray[np.float32], place: NDArray[np.float64]) -> NDArray[np.float32]:
    """A pair of points (6, HALF_PX, POINT_PX) under a map."""
    size, edge = (POINT_PX, HALF_PX), cv2.BORDER_REPLICATE
    return np.stack(
        [cv2.warpAffine(np.ascontiguousarray(plane), place, size, borderMode=edge) for plane in pair]
    )


def _chosen(rng: np.random.Generator, one: Moved, first: int, second: int) -> list[int]:
    """The points that changed between two pictures, and a few of the others."""
    free = (one.covered[[first, second]] < FREE_BELOW).all(0)
    changed = (one.counts[first] != one.counts[second]).any(1)
    alone = np.flatnonzero(free & ~changed)
    heaps = alone[one.counts[first][alone].max(1) >= HEAP]
    return [
        *np.flatnonzero(free & changed),
        *rng.permutation(alone)[:ALONE],
        *rng.permutation(heaps)[:HEAPS_ALONE],
    ]


def often(rng: np.random.Generator, boards: Sequence[Moved]) -> torch.Tensor:
    """The logarithms of how often each kind is drawn, (GROUPS, KINDS)."""
    counts = np.full((GROUPS, KINDS), 0.5)
    for _, (group, kind) in draw(rng, boards, COUNTED):
        counts[int(group), int(kind)] += 1
    return torch.from_numpy(np.log(counts / counts.sum(1, keepdims=True))).float()


def loss_of(drawn: torch.Tensor, out: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Of logits (N, GROUPS * KINDS) to truth (N, 2), with how often each kind is drawn (GROUPS, KINDS)."""
    group, kind = truth[:, 0].long(), truth[:, 1].long()
    rows = out.reshape(-1, GROUPS, KINDS)[torch.arange(len(out)), group] + drawn.to(out.device)[group]
    return functional.cross_entropy(rows, kind)


def main() -> None:
    """Learn, score on what is held out, and write the net."""
    parser = training_parser(__doc__, steps=10_000, batch=256, rate=3e-3, seed=1)
    parser.add_argument("--games", type=Path, nargs="*", default=[], metavar="GAME")
    args = parser.parse_args()
    single_threads()
    torch.manual_seed(args.seed)
    files = sorted(args.data.glob("*.npz"))
    boards = [load(file) for file in files if seed_of(file) % HELD_OUT]
    games = [moved_in(game) for game in args.games]
    print(len(boards), "boards and", len(games), "games to learn from", flush=True)
    drawn = often(np.random.default_rng(args.seed), boards)
    of_games = round(OF_GAMES * args.batch) if games else 0
    net: nn.Module = ChangeNet()
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    batches = Batches(
        lambda rng: draw(rng, boards, args.batch - of_games) + (draw(rng, games, of_games) if games else []),
        args.steps,
        args.seed,
    )
    net = learn(
        net,
        lambda out, truth: loss_of(drawn, out, truth),
        batches,
        args.rate,
        1e-3,
        args.out.with_suffix(".pt"),
        STEADY,
    )
    held_out = [load(file) for file in files if seed_of(file) % HELD_OUT == 0]
    if held_out:
        print("held out:", score(net, held_out, drawn), flush=True)
    export_onnx(net, args.out, torch.zeros(POINTS, 6, HALF_PX, POINT_PX), {0: "points"})


def score(net: nn.Module, boards: Sequence[Moved], drawn: torch.Tensor) -> float:
    """The loss on some points of boards."""
    pairs = draw(np.random.default_rng(5), boards, SCORED)
    net.eval()
    with torch.no_grad():
        out = torch.cat([net(torch.from_numpy(x[None])) for x, _ in pairs])
    return round(float(loss_of(drawn, out, torch.from_numpy(np.stack([y for _, y in pairs])))), 4)


if __name__ == "__main__":
    main()
