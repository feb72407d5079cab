"""Trains a net that says which way is up on a board; the reader does not ask it yet.

    python -m vision.training.nets.verticals --data DIR --out verticals.onnx [--tested DIR]

DIR/verticals holds what `vision/training/painted/verticals.py` painted. For each cell of the board, squared, the net
says how far up is from where a camera of the usual focal length has it, and a weight. “Up” is a plane over the board,
by where the camera is and how high: what has to be right is the plane that fits the cells best by these weights. At the
end it prints how far up is off on boards that were not learned from (docs/adr/0095-up-by-the-whole-board.md).
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.training.batches import Batches, Drawn, single_threads
from vision.training.learn import Stay, export_onnx, layer, learn, training_parser
from vision.training.painted.verticals import HIGH, STRIDE, WIDE, as_input

ROWS, COLUMNS = HIGH // STRIDE, WIDE // STRIDE
RIDGE = 1e-3
"""Added to the normal equations, which otherwise have no solution where all weight is in one place."""
OF_CELLS = 0.3
"""Weight of each cell's own error beside the plane's."""
BETA = 0.05
"""Errors from which on the loss is linear."""
TEST_SHARE = 25
"""One board of so many is not learned from."""


class Verticals(nn.Module):
    """Net picture and usual up (N, 5, HIGH, WIDE) to (N, 3, rows, columns): what to add to up, log of a weight."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            layer(5, 16, 2, 5), layer(16, 32, 2), Stay(layer(32, 32, 1)),
            layer(32, 48, 2), Stay(layer(48, 48, 1)), Stay(layer(48, 48, 1)), Stay(layer(48, 48, 1)),
        )  # fmt: skip
        self.head = nn.Conv2d(48, 3, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.body(x))
        return out


def _places(device: torch.device) -> torch.Tensor:
    """Middles of the cells, (rows * columns, 2), from -0.6 to 0.6."""
    y, x = torch.meshgrid(torch.arange(ROWS), torch.arange(COLUMNS), indexing="ij")
    middles = torch.stack([(x + 0.5) / COLUMNS - 0.5, ((y + 0.5) / ROWS - 0.5) * HIGH / WIDE], -1)
    return (1.2 * middles).reshape(-1, 2).to(device)


def plane(out: torch.Tensor) -> torch.Tensor:
    """What to add to up, as a plane over the cells, (N, 2, rows * columns), that fits the net's answers."""
    up, weight = out[:, :2].flatten(2), torch.softmax(out[:, 2].flatten(1), 1)
    at = _places(out.device)
    middle = weight @ at
    mean = (up * weight[:, None]).sum(2)
    off = at[None] - middle[:, None]
    spread = (weight * off.square().sum(2)).sum(1) + RIDGE
    slope = (weight * ((up.transpose(1, 2) - mean[:, None]) * off).sum(2)).sum(1) / spread
    return mean[:, :, None] + slope[:, None, None] * off.transpose(1, 2)


def loss_of(out: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Of the plane, and of the cells themselves."""
    true = y.flatten(2)
    whole = functional.smooth_l1_loss(plane(out), true, beta=BETA)
    cells = functional.smooth_l1_loss(out[:, :2].flatten(2), true, beta=BETA)
    return 10 * (whole + OF_CELLS * cells)


class Boards:
    """Painted boards in memory; see `vision/training/painted/verticals.py` for shapes."""

    def __init__(self, folder: Path) -> None:
        files = [np.load(file) for file in sorted(folder.glob("verticals_*.npz"))]
        self.picture, self.usual, self.up, self.seed = (
            np.concatenate([file[name] for file in files]) for name in ("picture", "usual", "up", "seed")
        )

    def drawn(self, rng: np.random.Generator, k: int) -> Drawn:
        """A board, mirrored by chance, in other light and colours: input (5, HIGH, WIDE) and truth."""
        ways = rng.random(2) < 0.5
        x = self.input(k)
        x[:3] = x[:3] * np.exp(rng.normal(0, 0.25, (3, 1, 1))) + rng.normal(0, 0.08, (3, 1, 1))
        if rng.random() < 0.1:
            x[:3] = x[:3].mean(0, keepdims=True)
        y = self.up[k].astype(np.float32) - self.usual[k].astype(np.float32)
        for axis, mirrored in zip((2, 1), ways, strict=True):
            if mirrored:
                x, y = np.flip(x, axis).copy(), np.flip(y, axis).copy()
                x[3 + 2 - axis] *= -1
                y[2 - axis] *= -1
        return x, y

    def input(self, k: int) -> NDArray[np.float32]:
        """The net's input for a board."""
        return as_input(self.picture[k], self.usual[k].astype(np.float32))


def drawing(boards: Boards, batch: int) -> Callable[[np.random.Generator], list[Drawn]]:
    """Draws batches of the boards that are learned from."""
    learned = np.flatnonzero(boards.seed % TEST_SHARE != 0)
    return lambda rng: [boards.drawn(rng, int(k)) for k in rng.choice(learned, batch)]


def tested(net: nn.Module, boards: Boards, which: NDArray[np.int64]) -> str:
    """How far up is off on these boards, as a mean over each: quartiles by the usual focal length and by the net."""
    off: list[tuple[float, float]] = []
    with torch.no_grad():
        for k in which:
            up = plane(net(torch.from_numpy(boards.input(int(k)))[None]))[0].numpy()
            true, usual = (one[k].astype(np.float32).reshape(2, -1) for one in (boards.up, boards.usual))
            off.append(
                (float(np.hypot(*(usual - true)).mean()), float(np.hypot(*(usual + up - true)).mean()))
            )
    usual, own = np.quantile(np.array(off), (0.25, 0.5, 0.75, 0.9), 0).T.round(3).tolist()
    return f"{len(which)} boards: usual {usual}, net {own}"


def main() -> None:
    """Train, test and export the net."""
    parser = training_parser(__doc__, steps=4000, batch=32, rate=3e-3, seed=11)
    parser.add_argument("--tested", type=Path, help="folder of more boards to test it on")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    single_threads()
    boards = Boards(args.data / "verticals")
    net = Verticals()
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    batches = Batches(drawing(boards, args.batch), args.steps, args.seed)
    net = learn(net, loss_of, batches, args.rate, 1e-2, args.out.with_suffix(".pt")).eval()
    print(tested(net, boards, np.flatnonzero(boards.seed % TEST_SHARE == 0)))
    if args.tested:
        others = Boards(args.tested)
        print(tested(net, others, np.arange(len(others.seed))))
    export_onnx(net, args.out, torch.zeros(1, 5, HIGH, WIDE), {0: "n"})


if __name__ == "__main__":
    main()
