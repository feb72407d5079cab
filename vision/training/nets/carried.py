"""Trains the net that says whether something carries a die, on painted boards and on the renderer's.

    python -m vision.training.nets.carried --data DIR --rendered DIR --out vision/models/carried.onnx --steps 9000
    python -m vision.training.nets.carried --data DIR --rendered DIR --out vision/models/carried_wide.onnx --planes 24 \
        --batch 128 --steps 16790

The first folder has throws/ (`painted/throws.py`), boards/ (`rendered/boards.py`) and photos/, labelled photographs,
whose dice are put onto those boards. The second has more of the renderer's boards, of which the palettes that
`checkers/quadrants.py` holds out are left out. The net also learns what carries a die and which way it leans, so that
it has to look at both.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.dice.crops import cut, turn_of
from vision.dice.faces import PipReader
from vision.dice.finder import Spot
from vision.dice.flat.carried import EDGES_PX, PATCH_PX
from vision.pyramid import Halves
from vision.training.batches import Batches, Drawn, single_threads
from vision.training.checkers.quadrants import family_of, is_held_out
from vision.training.learn import Stay, begin_from, export_onnx, layer, learn, training_parser
from vision.training.painted.throws import read_painted
from vision.training.rendered.scenes import Image, TrueDie
from vision.training.samples.moved import read_moved
from vision.training.samples.pasted import read_pasted, real_dice, with_up
from vision.training.samples.photoboxes import photo_boxes
from vision.training.samples.sample import (
    Sample,
    board_dice,
    load_picture,
    read_boards,
    read_photographs,
    vary,
)

KINDS = ("flat", "on_checker", "leaning", "other")
"""What the net tells apart; the last: on a die, a rim or the bar."""
REACH = 4.6
"""In widths: what is kept of a picture around a die, to its sides."""
LARGEST_PX = 26.0
"""Dice that are wider are kept at this width."""
LEAST_PX = 9.0
SHARES = {"painted": 0.62, "board": 0.16, "moved": 0.12, "pasted": 0.1}
"""Of the looks, by where they come from."""
KIND_SHARES = (0.5, 0.2, 0.24, 0.06)
TILT_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class Known:
    """A die with its surroundings: a picture, the spot in it, “up” and own “up” in that picture, and its kind."""

    image: Image
    spot: Spot
    up: tuple[float, float]
    own_up: tuple[float, float]
    kind: int


class Carried(nn.Module):
    """Planes (N, 7, 40, 40) to (N, 6): a logit for each of KINDS, and own “up” less “up”, turned as the planes are.

    `planes` is the number of them in the first layer: 24 in `carried_wide.onnx`.
    """

    def __init__(self, planes: int = 16) -> None:
        super().__init__()
        one, two, three = planes, 2 * planes, 3 * planes

        def eye() -> nn.Sequential:
            return nn.Sequential(
                layer(3, one, 2, 5), layer(one, two, 2), Stay(layer(two, two, 1)), Stay(layer(two, two, 1)),
                layer(two, three, 2), Stay(layer(three, three, 1)), layer(three, 32, 1, 1), nn.Flatten(),
            )  # fmt: skip

        self.near, self.far = eye(), eye()
        self.head = nn.Sequential(
            nn.Dropout(0.2), nn.Linear(2 * 32 * 25 + 1, 64), nn.ReLU(inplace=True), nn.Linear(64, 6)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        both = [self.near(x[:, :3]), self.far(x[:, 3:6]), 3 * torch.flatten(x[:, 6:7], 1)[:, :1]]
        out: torch.Tensor = self.head(torch.cat(both, 1))
        return out


def loss_of(out: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The loss of the kind, and that of the lean where it is known: `out` is (N, 6), `y` (N, 3)."""
    kinds, known = y[:, 0].long(), ~torch.isnan(y[:, 1])
    carried = torch.logsumexp(out[:, 1:4], 1) - out[:, 0]
    whether = functional.binary_cross_entropy_with_logits(carried, (kinds > 0).float())
    which = functional.cross_entropy(out[:, :4], kinds)
    lean = functional.smooth_l1_loss(out[known, 4:], y[known, 1:], beta=0.1)
    return whether + 0.5 * which + TILT_WEIGHT * lean


def known_dice(sample: Sample) -> Iterator[Known]:
    """The dice of a sample whose “up” is known and whose number can be seen."""
    for die in sample.dice:
        if die.up is not None and die.own_up is not None and die.width_px >= LEAST_PX and die.margin_deg > 0:
            kind = KINDS.index(die.rest) if die.rest in KINDS else len(KINDS) - 1
            yield Known(*piece_around(sample.image, die), die.up, die.own_up, kind)


def piece_around(image: Image, die: TrueDie) -> tuple[Image, Spot]:
    """What is kept of a picture, and the die in that."""
    half, shrunk = int(np.ceil(REACH * die.width_px)), min(1.0, LARGEST_PX / die.width_px)
    (x, y), (h, w) = die.centre_px, image.shape[:2]
    x0, y0, x1, y1 = int(x) - half, int(y) - half, int(x) + half, int(y) + half
    room = (max(0, -y0), max(0, y1 - h), max(0, -x0), max(0, x1 - w))
    piece = cv2.copyMakeBorder(image[max(0, y0) : y1, max(0, x0) : x1], *room, cv2.BORDER_REFLECT)
    if shrunk < 1:
        piece = cv2.resize(piece, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    spot = Spot((x - x0) * shrunk, (y - y0) * shrunk, die.width_px * shrunk, 1.0)
    return np.array(piece, np.uint8), spot


def draw(rng: np.random.Generator, one: Known) -> Drawn:
    """A new look at a die: planes (7, 40, 40), and its truth (3,), kind and lean.

    The spot is off as the reading net leaves it, “up” as it is where the lens is not known.
    """
    off = np.clip(rng.normal(0, 0.05, 2), -0.15, 0.15) * one.spot.width
    spot = Spot(
        one.spot.x + off[0], one.spot.y + off[1], one.spot.width * float(np.exp(rng.normal(0, 0.07))), 1.0
    )
    up = np.array(one.up) * np.exp(rng.normal(0, 0.2)) + rng.normal(0, 0.03, 2)
    stretch = np.exp(rng.normal(0, 0.04))
    turn = turn_of(up, bool(rng.random() < 0.5)) @ np.diag([stretch, 1 / stretch])
    picture = Halves(one.image)
    both = np.concatenate([cut(picture, spot, turn, edge_px, PATCH_PX) for edge_px in EDGES_PX])
    if rng.random() < 0.8:
        both = vary(rng, both, strong=bool(rng.random() < 0.4))
    out = np.empty((7, PATCH_PX, PATCH_PX), np.float32)
    for k in range(2):
        out[3 * k : 3 * k + 3] = both[PATCH_PX * k : PATCH_PX * (k + 1)].transpose(2, 0, 1) / np.float32(255)
    out[6] = np.hypot(*up)
    lean = turn @ np.subtract(one.own_up, one.up) if one.kind != len(KINDS) - 1 else np.full(2, np.nan)
    return out, np.array((one.kind, *lean), np.float32)


class Draw:
    """Draws batches: each look's origin by SHARES and its kind by KIND_SHARES."""

    def __init__(self, pools: dict[str, list[Known]], batch: int) -> None:
        self.batch = batch
        self.groups = {
            (origin, kind): dice
            for origin, known in pools.items()
            for kind in range(len(KINDS))
            if (dice := [one for one in known if one.kind == kind])
        }
        odds = np.array([SHARES[origin] * KIND_SHARES[kind] for origin, kind in self.groups])
        carried = np.array([kind > 0 for _, kind in self.groups])
        for half in (carried, ~carried):  # the same of both kinds of each batch
            odds[half] /= 2 * odds[half].sum()
        self.odds = odds

    def __call__(self, rng: np.random.Generator) -> list[Drawn]:
        """The looks and truths of one batch."""
        groups = list(self.groups.values())
        which = rng.choice(len(groups), self.batch, p=self.odds)
        return [draw(rng, groups[k][int(rng.integers(len(groups[k])))]) for k in which]


def read_rendered(folder: Path) -> Iterator[Sample]:
    """The renderer's boards in a folder, without those of the palettes that are held out."""
    for truth in sorted(folder.glob("*.json")):
        known = json.loads(truth.read_text())
        if not is_held_out(family_of(known)):
            yield Sample(load_picture(truth.with_suffix(".jpg")), board_dice(known), "board", truth.stem)


def read_pools(data: Path, rendered: Path, rng: np.random.Generator) -> dict[str, list[Known]]:
    """The known dice by where they come from."""
    photographs = read_photographs(data / "photos", photo_boxes(data / "photos"), scoring=False)
    real = real_dice(with_up(photographs, PipReader()))
    samples: tuple[tuple[str, Iterable[Sample]], ...] = (
        ("painted", read_painted(data / "throws")),
        ("board", read_boards(data / "boards")),
        ("board", read_rendered(rendered)),
        ("moved", read_moved(data / "boards", rng, times=12, each=8)),
        ("pasted", read_pasted(data / "boards", real, rng, times=16, each=8)),
    )
    pools: dict[str, list[Known]] = {origin: [] for origin in SHARES}
    for origin, those in samples:
        pools[origin] += [die for sample in those for die in known_dice(sample)]
    print({k: np.bincount([d.kind for d in v], minlength=4).tolist() for k, v in pools.items()}, flush=True)
    return pools


def main() -> None:
    """Train and export the net; prints the loss every 250 steps."""
    parser = training_parser(__doc__, steps=9000, batch=64, rate=3e-3, seed=1)
    parser.add_argument("--rendered", type=Path, required=True)
    parser.add_argument("--planes", type=int, default=16, help="of the first layer")
    parser.add_argument("--begin", type=Path, help="an exported net (.onnx) of the same make to begin with")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    single_threads()
    pools = read_pools(args.data, args.rendered, np.random.default_rng(args.seed))
    batches = Batches(Draw(pools, args.batch), args.steps + 1, args.seed)
    net, (first, _) = Carried(args.planes), batches.get()
    if args.begin:
        begin_from(net, args.begin, first)
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    batches.count = args.steps
    learned = learn(net, loss_of, batches, args.rate, 1e-2, args.out.with_suffix(".pt"), 0.995)
    export_onnx(learned, args.out, torch.zeros(1, 7, PATCH_PX, PATCH_PX), {0: "n"})


if __name__ == "__main__":
    main()
