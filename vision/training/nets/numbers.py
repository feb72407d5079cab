"""Trains the net that reads the numbers of smooth dice, whose faces mirror a lamp.

    python -m vision.training.nets.numbers --data DIR --out vision/models/numbers.onnx

The folder has smooth/ (`rendered/scenes.py --smooth`), throws/ (`painted/throws.py`) and photos/, labelled photographs.
The looks are those of `faces.py`, cut closer and turned at random; what must not be read there must not be read here,
nor what is no die: ornaments and checkers that the finding net takes for one.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.dice.finder import Finder
from vision.dice.numbers import PATCH_PX
from vision.training.batches import Batches, Drawn, single_threads
from vision.training.learn import Stay, begin_from, export_onnx, layer, learn, training_parser
from vision.training.nets import faces
from vision.training.nets.faces import FACE_PATCH, Cut, cuts_of, drawing, mined
from vision.training.samples.photoboxes import photo_boxes
from vision.training.samples.sample import read_photographs, read_scene, read_scenes

SHARES = {"smooth": 0.5, "painted": 0.14, "photo": 0.13, "no die painted": 0.16, "no die photographed": 0.07}
"""Of the looks, by what they show."""
EMPTIES = {"painted": (1, 10), "photo": (3, 40)}
"""Places without a die that are learned from each picture, by its origin: random ones, and false finds at most."""
MARGIN_PX = (FACE_PATCH - PATCH_PX) // 2


class Numbers(nn.Module):
    """Patch (N, 3, 40, 40) to (N, 7): a logit for each number, and one for whether it can be read."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            layer(3, 24, 2, 5), layer(24, 32, 1), layer(32, 48, 2), Stay(layer(48, 48, 1)),
            layer(48, 80, 2), Stay(layer(80, 80, 1)), layer(80, 48, 1, 1), nn.Flatten(),
        )  # fmt: skip
        self.head = nn.Sequential(
            nn.Dropout(0.2), nn.Linear(48 * 25, 96), nn.ReLU(inplace=True), nn.Linear(96, 7)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        out: torch.Tensor = self.head(self.body(x))
        return out


def loss_of(out: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The loss of the number where one can be read, and of whether it can: `out` is (N, 7), `y` (N, 2)."""
    known = y[:, 0] >= 0
    number = functional.cross_entropy(out[known, :6], y[known, 0].long(), label_smoothing=0.005)
    known = y[:, 1] >= 0
    return number + 0.5 * functional.binary_cross_entropy_with_logits(out[known, 6], y[known, 1])


def draw(rng: np.random.Generator, piece: Cut) -> Drawn:
    """A look (3, 40, 40) at a piece, and its truth (2,): the number from 0, and whether one can be read; -1 unknown."""
    look, truth = faces.draw(rng, piece._replace(up=None))
    inner = slice(MARGIN_PX, MARGIN_PX + PATCH_PX)
    number, readable = truth[1], truth[4] if piece.die else 0.0
    return np.ascontiguousarray(look[:3, inner, inner]), np.array((number, readable), np.float32)


def read_pools(data: Path, rng: np.random.Generator, finder: Finder) -> dict[str, tuple[float, list[Cut]]]:
    """The pieces to learn from by what they show, with the share of their looks.

    Args:
        data: holds smooth/, throws/ and photos/.
        rng: chooses the places without a die.
        finder: the finding net whose false finds are learned from.
    """
    painted = (
        replace(read_scene(truth), origin="board") for truth in sorted((data / "throws").glob("*.json"))
    )
    photographs = read_photographs(data / "photos", photo_boxes(data / "photos"), scoring=False)
    pools: dict[str, list[Cut]] = {name: [] for name in SHARES}
    pools["smooth"] = [piece for sample in read_scenes(data / "smooth") for piece in cuts_of(sample, rng, 0)]
    for origin, empty, samples in (
        ("painted", "no die painted", painted),
        ("photo", "no die photographed", photographs),
    ):
        places, false_finds = EMPTIES[origin]
        for sample in samples:
            for piece in (*cuts_of(sample, rng, places), *mined(sample, finder, rng, false_finds)):
                pools[origin if piece.die else empty].append(piece)
    print({name: len(pool) for name, pool in pools.items()}, flush=True)
    return {name: (SHARES[name], pool) for name, pool in pools.items()}


def main() -> None:
    """Train and export the net; prints the loss every 250 steps."""
    parser = training_parser(__doc__, steps=12000, batch=128, rate=2e-3, seed=31)
    parser.add_argument("--begin", type=Path, help="an exported net (.onnx) of the same make to begin with")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    single_threads()
    rng = np.random.default_rng(args.seed)
    drawn = drawing(read_pools(args.data, rng, Finder()), draw, args.batch)
    batches, net = Batches(drawn, args.steps + 1, args.seed), Numbers()
    first, _ = batches.get()
    if args.begin:
        begin_from(net, args.begin, first)
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    batches.count = args.steps
    learned = learn(net, loss_of, batches, args.rate, 2e-3, args.out.with_suffix(".pt"))
    export_onnx(learned, args.out, torch.zeros(1, 3, PATCH_PX, PATCH_PX), {0: "n"})


if __name__ == "__main__":
    main()
