"""Trains the reading net: whether a spot is a die, its number, whether it leans, and its support.

    python -m vision.training.nets.faces --data DIR --out vision/models/faces.onnx

Its input is a square of 64 pixels around the middle of an upper face, scaled so that the die's edge is 22 pixels. Seen
from the side a flat die looks like a leaning one from above: if “up” is known, the square is rotated so that it points
to the right, and three more planes give its length. The surroundings are added at half that scale: a checker below the
die is wider than the square. The net also estimates the errors of middle and size, so that a second look can be a
better one.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.dice.faces import PipReader
from vision.dice.finder import EDGE_PX, Spot
from vision.dice.finder import Finder as SpotFinder
from vision.pyramid import Halves
from vision.training.batches import Batches, Drawn, single_threads
from vision.training.learn import Stay, export_onnx, layer, learn
from vision.training.rendered.scenes import Image, TrueDie
from vision.training.samples.moved import read_moved
from vision.training.samples.pasted import read_pasted, real_dice, with_up
from vision.training.samples.photoboxes import photo_boxes
from vision.training.samples.sample import Sample, cut, read_boards, read_photographs, read_scenes, vary
from vision.training.samples.spoiled import Face, spoil

FACE_EDGE_PX = 22.0
FACE_PATCH = 64
STORED_EDGE_PX = 40.0
AROUND_EDGE_PX = 11.0
SUPPORTS = ("floor", "checker", "die", "ledge")
LEANS_DEG = (12.0, 45.0)
"""Range of the lean given to a photograph's die; the error of the net's “up” is smaller."""
OUTPUTS = 18  # die, six values, leaning, four supports, readable, own up (two), middle (two), edge
TRUTHS = 10


class Faces(nn.Module):
    """Patch, planes and surroundings (N, 9, 64, 64) to (N, 18), logits except for the last five; see `OUTPUTS`.

    The wide net learns from the truth alone; the slim one, pruned from it, takes three fifths of its time (`slim.py`).

    The direction of the die's own “up” follows from the picture alone; leaning is its difference from the board's, so
    the layers that judge leaning get that difference as an input.
    """

    def __init__(self, slim: bool = False) -> None:
        super().__init__()
        second, stays = (16, 1) if slim else (24, 2)
        body = [layer(6, 16, 2, 5), layer(16, second, 1)]
        for i, o in ((second, 48), (48, 80), (80, 112)):
            body += [layer(i, o, 2), *(Stay(layer(o, o, 1)) for _ in range(stays))]
        self.body = nn.Sequential(*body)
        self.drop = nn.Dropout(0.2)
        self.seen = nn.Sequential(nn.Linear(112 * 16, 160), nn.ReLU(inplace=True))
        self.around = nn.Sequential(layer(3, 12, 2, 5), layer(12, 24, 2), layer(24, 32, 2), layer(32, 48, 2))
        self.lies = nn.Sequential(nn.Linear(48 * 16, 64), nn.ReLU(inplace=True))
        self.plain = nn.Linear(160 + 64, 13)  # die, six values, readable, own up, the middle, the edge
        self.judge = nn.Sequential(nn.Linear(160 + 64 + 6, 64), nn.ReLU(inplace=True), nn.Linear(64, 5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seen = self.seen(self.drop(torch.flatten(self.body(x[:, :6]), 1)))
        around = self.lies(self.drop(torch.flatten(self.around(x[:, 6:]), 1)))
        seen = torch.cat([seen, around], 1)
        plain = self.plain(seen)
        # Written for OpenCV 4.6, which takes no mean over two axes of several patches, and broadcasts no column.
        up = torch.flatten(nn.functional.adaptive_avg_pool2d(x[:, 3:6], 1), 1)
        known = torch.cat([up[:, 2:3], up[:, 2:3]], 1)
        off = (plain[:, 8:10] - up[:, :2]) * known
        far = off[:, 0:1] * off[:, 0:1] + off[:, 1:2] * off[:, 1:2]
        judged = self.judge(torch.cat([seen, 4 * up, 4 * off[:, :2], 8 * far], 1))
        out: torch.Tensor = torch.cat([plain[:, :7], judged, plain[:, 7:]], 1)
        return out


class Cut(NamedTuple):
    """A stored piece of a picture with a die in its middle (or none), and its truth."""

    image: Image
    around: Image
    edge_px: float
    die: int  # 1, 0
    value: int  # 0 to 5, -1 unknown
    leaning: int  # 1, 0, -1 unknown
    support: int  # index into SUPPORTS, -1 unknown
    readable: int  # 1, 0, -1 unknown
    origin: str
    up: tuple[float, float] | None
    own_up: tuple[float, float] | None
    off_px: tuple[float, float]  # from the piece's middle to that of the upper face
    true_px: float  # the upper face's edge; `edge_px` is its estimate


class Piece(NamedTuple):
    """A place and its surroundings, both large enough to be rotated and shifted."""

    image: Image
    around: Image
    edge_px: float  # the die's edge in `image`; in `around` it is `AROUND_EDGE_PX`


def stored(sample: Sample, centre: tuple[float, float], width: float) -> Piece:
    """The piece around a die of this centre and width, in pixels."""
    scale = min(1.0, STORED_EDGE_PX / width)
    size = int(np.ceil(FACE_PATCH / FACE_EDGE_PX * width * scale * 1.75))
    around = cut(sample.image, centre, AROUND_EDGE_PX / width, 0.0, int(FACE_PATCH * 1.6))
    return Piece(cut(sample.image, centre, scale, 0.0, size), around, width * scale)


def mined(sample: Sample, finder: SpotFinder, rng: np.random.Generator, most: int) -> list[Cut]:
    """The finding net's spots as pieces: up to `most` hard negatives, and the dice at the places found."""
    usual = float(np.median([d.width_px for d in sample.dice])) if sample.dice else 0.0
    if usual < 6 and sample.dice:
        return []
    if sample.origin == "board":
        spots = finder.find(Halves(sample.image), EDGE_PX / usual, 0.1)
    else:
        longest = max(sample.image.shape[:2])
        low = max(6.0, min(usual * 0.2, longest / 30))
        spots = finder.search(Halves(sample.image), low, max(usual * 2, low * 2), 0.15, thin=False)
    out: list[Cut] = []
    centred: set[int] = set()
    for spot in sorted(spots, key=lambda s: -s.score):
        away = [float(np.hypot(spot.x - d.centre_px[0], spot.y - d.centre_px[1])) for d in sample.dice]
        nearest = int(np.argmin(away)) if away else -1
        die = sample.dice[nearest] if away else None
        if die is not None and away[nearest] < 1.0 * max(die.width_px, spot.width):
            ratio = spot.width / max(die.width_px, 1)
            if away[nearest] < 0.25 * die.width_px and 0.75 < ratio < 1.33:
                piece = stored(sample, (spot.x, spot.y), spot.width)
                out.append(_cut_of(sample, die, piece, spot))
                centred.add(nearest)
                continue
            tilted = sample.origin == "board" and die.tilt_deg > 5 and nearest not in centred
            if tilted and away[nearest] < 0.6 * die.width_px and 0.6 < ratio < 1.7:
                # no face of a leaning die is exactly on top: any spot on it counts as a leaning die
                piece = stored(sample, (spot.x, spot.y), spot.width)
                out.append(_cut_of(sample, die, piece, spot)._replace(value=-1, readable=-1))
                continue
            if ratio > 0.5 or spot.width < 5:
                continue
        if len(out) < most:
            up = die.up if die is not None else None
            out.append(_empty(stored(sample, (spot.x, spot.y), spot.width), sample.origin, up))
    return out


def _empty(piece: Piece, origin: str, up: tuple[float, float] | None) -> Cut:
    return Cut(*piece, 0, -1, -1, -1, -1, origin, up, None, (0.0, 0.0), piece.edge_px)


def _cut_of(sample: Sample, d: TrueDie, piece: Piece, spot: Spot | None = None) -> Cut:
    """The piece with its die's truth; around a spot, the die's offset is the spot's error."""
    supports = {"flat": 0, "on_checker": 1, "on_die": 2, "on_bar": 3}
    value = d.value - 1 if d.margin_deg >= 12 else -1
    # scenes with dice on dice have nothing like a checker; in the others the support of a flat die is unknown
    known = sample.origin != "scene" or any(other.rest == "on_die" for other in sample.dice)
    support = supports.get(d.rest, -1) if known else -1
    leaning = int(d.tilt_deg > 5) if d.up is not None else -1
    off, true = (0.0, 0.0), piece.edge_px
    if spot is not None:
        scale = piece.edge_px / spot.width
        off = ((d.centre_px[0] - spot.x) * scale, (d.centre_px[1] - spot.y) * scale)
        true = d.width_px * scale
    readable = int(d.margin_deg >= 8)
    return Cut(*piece, 1, value, leaning, support, readable, sample.origin, d.up, d.own_up, off, true)


def cuts_of(sample: Sample, rng: np.random.Generator, empties: int) -> list[Cut]:
    """The dice of a sample at least 6 pixels wide, and up to `empties` random places without a die."""
    out = []
    for d in sample.dice:
        if d.width_px < 6:
            continue
        out.append(_cut_of(sample, d, stored(sample, d.centre_px, d.width_px)))
    usual = float(np.median([d.width_px for d in sample.dice])) if sample.dice else 0.0
    h, w = sample.image.shape[:2]
    for _ in range(empties if usual > 6 else 0):
        at = (float(rng.uniform(0, w)), float(rng.uniform(0, h)))
        width = usual * float(rng.uniform(0.7, 1.5))
        if all(
            np.hypot(at[0] - d.centre_px[0], at[1] - d.centre_px[1]) > 0.9 * d.width_px for d in sample.dice
        ):
            out.append(_empty(stored(sample, at, width), sample.origin, sample.dice[0].up))
    return out


def draw(rng: np.random.Generator, piece: Cut) -> tuple[np.ndarray, np.ndarray]:
    """A new look at a stored piece: (9, 64, 64) float32, and its truth (10,) float32 in the order of `loss_of`.

    Half of the looks have a first look's errors of middle and size, half a second look's.
    """
    apart, stretch = (0.12, 0.13) if rng.random() < 0.5 else (0.04, 0.05)
    wider = float(np.exp(rng.normal(0, stretch)))
    scale = FACE_EDGE_PX / piece.edge_px * wider
    moved = np.clip(rng.normal(0, apart, 2), -0.35, 0.35)
    up, leaning, support = _as_on_a_board(rng, piece)
    way = np.diag([1.0, rng.choice([-1.0, 1.0])]) @ turn_to(up, float(rng.uniform(0, 2 * np.pi)))
    patch = turned(piece.image, way * scale, moved * piece.edge_px)
    around = turned(piece.around, way * wider, moved * AROUND_EDGE_PX)
    own = (np.nan, np.nan) if piece.own_up is None else way @ piece.own_up
    off = (
        way @ (piece.off_px - moved * piece.edge_px) * scale / FACE_EDGE_PX if piece.die else (np.nan, np.nan)
    )
    edge = np.log(piece.true_px * scale / FACE_EDGE_PX)
    value, readable = piece.value, piece.readable
    if piece.die:
        middle = (FACE_PATCH - 1) / 2 + FACE_EDGE_PX * np.asarray(off)
        face = Face(middle, FACE_EDGE_PX * float(np.exp(edge)), AROUND_EDGE_PX / FACE_EDGE_PX, FACE_PATCH)
        (patch, around), spoiled = spoil(rng, (patch, around), face)
        if spoiled:
            value, readable = -1, 0
    varied = vary(rng, np.concatenate([patch, around]), strong=bool(rng.random() < 0.5))
    varied = varied.transpose(2, 0, 1).astype(np.float32) / 255
    truth = (piece.die, value, leaning, support, readable, *own, *off, edge)
    return (
        np.concatenate([varied[:, :FACE_PATCH], planes(up), varied[:, FACE_PATCH:]]),
        np.array(truth, np.float32),
    )


def _as_on_a_board(rng: np.random.Generator, piece: Cut) -> tuple[np.ndarray | None, int, int]:
    """The board's up for this look (None: no board), whether the die leans relative to it, and its support.

    A photograph's die is shown without a board, on one, and sometimes with a different up of the board: then it leans
    by the difference, and its support is unknown.
    """
    if piece.up is None or (piece.origin == "photo" and rng.random() < 0.4):
        return None, -1, piece.support
    up = piece.up + rng.normal(0, 0.02, 2)
    if piece.origin != "photo" or not piece.die or rng.random() < 0.5:
        return up, piece.leaning, piece.support
    way, far = rng.uniform(0, 2 * np.pi), np.sin(np.radians(rng.uniform(*LEANS_DEG)))
    return up + far * np.array([np.cos(way), np.sin(way)]), 1, -1


def turned(image: Image, way: np.ndarray, moved_px: np.ndarray, size: int = FACE_PATCH) -> Image:
    """The square (size, size, 3) uint8 around a place `moved_px` from the image's middle, mapped by `way` (2, 2)."""
    m = np.zeros((2, 3))
    m[:, :2] = way
    m[:, 2] = size / 2 - 0.5 - way @ (image.shape[0] / 2 - 0.5 + moved_px)
    return np.asarray(cv2.warpAffine(image, m, (size, size), borderMode=cv2.BORDER_REFLECT), np.uint8)


def turn_to(up: np.ndarray | None, otherwise_rad: float) -> np.ndarray:
    """The rotation (2, 2) that turns up (2,) to the right; by `otherwise_rad` if up is unknown."""
    angle = otherwise_rad if up is None else -float(np.arctan2(up[1], up[0]))
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def planes(up: np.ndarray | None) -> np.ndarray:
    """The three planes (3, 64, 64) float32 for up, rotated to the right: its length, 0, 1; all 0 if it is unknown."""
    out = np.zeros((3, FACE_PATCH, FACE_PATCH), np.float32)
    if up is not None:
        out[0], out[2] = np.hypot(*up), 1.0
    return out


def loss_of(out: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Sum of the heads' losses, each over the known truths: `out` is (N, 18), `y` is (N, 10) from `draw`."""
    die, value, leaning, support, readable = y[:, :5].T
    total = functional.binary_cross_entropy_with_logits(out[:, 0], die)
    known = value >= 0
    total = total + 1.5 * functional.cross_entropy(out[known, 1:7], value[known].long(), label_smoothing=0.01)
    for column, truth, weight in ((7, leaning, 1.5), (12, readable, 1.0)):
        known = truth >= 0
        total = total + weight * functional.binary_cross_entropy_with_logits(out[known, column], truth[known])
    known = support >= 0
    total = total + functional.cross_entropy(out[known, 8:12], support[known].long())
    known = ~torch.isnan(y[:, 5])
    total = total + 10 * functional.smooth_l1_loss(out[known, 13:15], y[known, 5:7], beta=0.05)
    known = ~torch.isnan(y[:, 7])
    return total + 5 * functional.smooth_l1_loss(out[known, 15:18], y[known, 7:10], beta=0.05)


def read_pools(
    data: Path, finder: SpotFinder | None, rng: np.random.Generator, reader: PipReader | None = None
) -> dict[str, list[Cut]]:
    """The training pieces by origin: every die, places without one, and the finder's false finds.

    With a reading net, which gives the up of photographs, their dice are also put on boards.
    """
    pools: dict[str, list[Cut]] = {"scene": [], "board": [], "moved": [], "pasted": [], "photo": []}
    photographs = read_photographs(data / "photos", photo_boxes(data / "photos"), scoring=False)
    if reader is not None:
        photographs = with_up(photographs, reader)
    for sample in (*read_scenes(data / "scenes"), *read_boards(data / "boards"), *photographs):
        pools[sample.origin] += cuts_of(sample, rng, 3)
        if finder is not None:
            pools[sample.origin] += mined(
                sample, finder, rng, {"scene": 12, "board": 25, "photo": 60}[sample.origin]
            )
    for sample in read_moved(data / "boards", rng, times=3, each=8):
        pools["moved"] += cuts_of(sample, rng, 0)
    for sample in read_pasted(data / "boards", real_dice(photographs), rng, times=3, each=8):
        pools["pasted"] += cuts_of(sample, rng, 0)
    print({k: len(v) for k, v in pools.items()}, flush=True)
    return pools


def main() -> None:
    """Train and export the net; prints the loss every 250 steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="holds scenes/, boards/ and photos/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--finder", type=Path, help="a finding net whose mistakes are shown as empties")
    args = parser.parse_args()
    torch.manual_seed(11)
    single_threads()
    rng = np.random.default_rng(11)
    pools = read_pools(args.data, SpotFinder(args.finder) if args.finder else None, rng)
    groups = grouped(pools)
    net = Faces()
    if args.resume:
        state = torch.load(args.resume)
        kept = {
            k: v for k, v in state.items() if k in net.state_dict() and v.shape == net.state_dict()[k].shape
        }
        net.load_state_dict(kept, strict=False)
    batches = Batches(drawing(groups, draw, args.batch), args.steps)
    learned = learn(net, loss_of, batches, args.rate, 2e-3, args.out.with_suffix(".pt"))
    export_onnx(learned, args.out, torch.zeros(1, 9, FACE_PATCH, FACE_PATCH), {0: "n"})


def drawing(
    groups: dict[str, tuple[float, list[Cut]]],
    draw_one: Callable[[np.random.Generator, Cut], Drawn],
    count: int,
) -> Callable[[np.random.Generator], list[Drawn]]:
    """A function that draws `count` pieces, from the groups in proportion to their weights."""
    pieces = [pool for _, pool in groups.values()]
    odds = np.array([weight for weight, _ in groups.values()])

    def batch(rng: np.random.Generator) -> list[Drawn]:
        picked = [pieces[int(k)] for k in rng.choice(len(pieces), count, p=odds / odds.sum())]
        return [draw_one(rng, pool[int(rng.integers(len(pool)))]) for pool in picked]

    return batch


def grouped(pools: dict[str, list[Cut]]) -> dict[str, tuple[float, list[Cut]]]:
    """The pieces in groups with their weights: rare rests are drawn about as often as plain ones."""
    out: dict[str, tuple[float, list[Cut]]] = {}

    def add(name: str, weight: float, pieces: list[Cut]) -> None:
        if pieces:
            out[name] = (weight, pieces)

    board = [p for p in pools["board"] if p.die]
    add("scene dice", 0.18, [p for p in pools["scene"] if p.die and p.leaning == 0])
    add("scene on die", 0.07, [p for p in pools["scene"] if p.support == 2])
    add("scene on floor", 0.05, [p for p in pools["scene"] if p.support == 0])
    add("scene leaning", 0.12, [p for p in pools["scene"] if p.die and p.leaning == 1])
    add("scene empty", 0.08, [p for p in pools["scene"] if not p.die])
    add("board flat", 0.20, [p for p in board if p.support == 0 and p.leaning == 0])
    add("board leaning", 0.12, [p for p in board if p.leaning == 1])
    add("board on checker", 0.09, [p for p in board if p.support == 1])
    add("board on die", 0.07, [p for p in board if p.support == 2])
    add("board on ledge", 0.04, [p for p in board if p.support == 3])
    add("board other", 0.03, [p for p in board if p.support == -1 and p.leaning == 0])
    add("board empty", 0.17, [p for p in pools["board"] if not p.die])
    add("moved onto a checker", 0.09, [p for p in pools["moved"] if p.support == 1])
    add("moved onto a die", 0.06, [p for p in pools["moved"] if p.support == 2])
    add("moved on the floor", 0.07, [p for p in pools["moved"] if p.support == 0])
    add("real die on a checker", 0.07, [p for p in pools["pasted"] if p.support == 1])
    add("real die on the floor", 0.09, [p for p in pools["pasted"] if p.support == 0])
    add("photo dice", 0.14 if not pools["pasted"] else 0.22, [p for p in pools["photo"] if p.die])
    add("photo empty", 0.07, [p for p in pools["photo"] if not p.die])
    return out


if __name__ == "__main__":
    main()
