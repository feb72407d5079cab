"""Trains the corner net: eight heat maps, for the corners of the playing surface and of the bar on it.

    python -m vision.training.nets.corners --data DIR --out vision/models/corners_wide.onnx [--begin NET.onnx]
    python -m vision.training.nets.corners --data DIR --rendered DIR --out vision/models/corners_squared.onnx \
        --squared --begin vision/models/corners_wide.onnx
    python -m vision.training.nets.corners --data DIR --rendered DIR --out vision/models/corners_cut.onnx \
        --cut --begin vision/models/corners_wide.onnx

It looks at the whole picture, shrunk to 320x240 with grey borders; the maps in order: surface top left, top right,
bottom right, bottom left, then the bar the same. It learns from painted boards (`painted/boards.py`), a few of them
painted anew at each step, and from rendered ones (`rendered/boards.py --empty`). Where no upright board is, nothing is
hot. With `--squared` it learns to look at boards seen square from above, by corners that are off as those are which
the other nets find. With `--cut` many of the boards reach beyond the picture's frame.
"""

import argparse
import csv
import json
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from vision.board.findboard import squared
from vision.training.batches import Batches, Drawn, single_threads
from vision.training.checkers.quadrants import family_of, is_held_out
from vision.training.learn import begin_from, export_onnx
from vision.training.painted.boards import paint
from vision.training.rendered.scenes import Image
from vision.training.samples.sample import held_out, load_picture, vary

WIDE, HIGH, STRIDE = 320, 240, 4
BATCH = 12
POOL, FRESH = 3000, 2
"""Painted pictures kept to be drawn from, warped anew each time, and how many are painted for each batch."""
RENDERED_SHARE = 0.2
SIZES = ((448, 252), (384, 288), (400, 300), (320, 320), (256, 340))
"""Of painted pictures: as video, as webcams and telephones have it."""
LARGER = 1.6
"""Of the painted pictures that are squared: a board in them is about as wide as it is seen then."""
OFF, OFF_EDGES, OFF_ALL = 0.02, 0.06, 0.04
"""Standard deviations of the errors of corners, in the surface's width and height: of each corner, of the edges (half
of them, by about a point's width), and of the whole size and place."""
CUT_SHARE, CUT_SIZES, CUT_PLACE_SD = 0.3, (0.72, 1.04), 0.04
"""With `--cut`: the part of the boards that a frame cuts; its width and height, in those of the box around the surface,
and how far its middle is from that box's, in the same."""
Source = tuple[Image, np.ndarray | None]
"""A picture and its eight points (8, 2), None where there is no upright board."""


class Corners(nn.Module):
    """Pictures (N, 3, 240, 320), 0 to 1, to heat maps (N, 8, 60, 80), logits."""

    def __init__(self) -> None:
        super().__init__()

        def layer(i: int, o: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
            return nn.Sequential(
                nn.Conv2d(i, o, 3, stride, dilation, dilation, bias=False),
                nn.BatchNorm2d(o),
                nn.ReLU(inplace=True),
            )

        self.fine = nn.Sequential(layer(3, 16, 2), layer(16, 24, 2))
        self.coarse = nn.Sequential(
            layer(24, 48, 2), layer(48, 48), layer(48, 64, 2), layer(64, 64, 1, 2), layer(64, 64, 1, 4),
            layer(64, 64, 1, 8), layer(64, 64, 1, 2),
        )  # fmt: skip
        self.up = nn.ConvTranspose2d(64, 24, 4, 4)
        self.join = nn.Sequential(layer(48, 32), layer(32, 32), nn.Conv2d(32, 8, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fine = self.fine(x)
        out: torch.Tensor = self.join(torch.cat([fine, self.up(self.coarse(fine))], 1))
        return out


def read_boards(*folders: Path) -> list[Source]:
    """Pictures at half size and their eight points (8, 2), without those of the palettes that are held out."""
    out: list[Source] = []
    for folder in folders:
        for truth in sorted(folder.glob("*.json")):
            known = json.loads(truth.read_text())
            if is_held_out(family_of(known)):
                continue
            image = cv2.imread(str(truth.with_suffix(".jpg")))
            surface = np.array(known["playing_corners_px_TL_TR_BR_BL"], np.float32)
            if "bar_px" in known:
                bar = np.array(known["bar_px"], np.float32)
            else:
                back = np.linalg.inv(np.array(known["homography_px_to_mm"]))
                b, h = known["board_mm"]["bar_w"] / 2, known["board_mm"]["H"] / 2
                at = np.array([[[-b, h], [b, h], [b, -h], [-b, -h]]], np.float64)
                bar = cv2.perspectiveTransform(at, back)[0].astype(np.float32)
            points = np.concatenate([surface, bar])
            while image.shape[1] > 700:
                image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
                points = points / 2
            out.append((np.asarray(image, np.uint8), points))
    return out


def read_photographs(folder: Path) -> list[Image]:
    """The photographs to learn from, half a thousand pixels wide, as grounds and as pictures without a board."""
    out: list[Image] = []
    for row in csv.DictReader((folder / "labels.csv").open()):
        if not held_out(row["file"]):
            image = load_picture(folder / row["file"])
            fit = 512 / image.shape[1]
            out.append(np.asarray(cv2.resize(image, None, fx=fit, fy=fit, interpolation=cv2.INTER_AREA)))
    return out


def painted_source(
    rng: np.random.Generator, photographs: list[Image], scoring: bool = False, larger: float = 1.0
) -> Source:
    """A painted picture; one in eleven has a board that is turned too far, one in eleven none."""
    w, h = SIZES[int(rng.choice(len(SIZES), p=(0.4, 0.2, 0.2, 0.13, 0.07)))]
    size = (round(larger * w), round(larger * h))
    kind = rng.random()
    painted = paint(rng, size, photographs, scoring, upright=kind > 0.09, board=kind < 0.91)
    return painted.picture, painted.points


def draw(
    rng: np.random.Generator, image: Image, points: np.ndarray | None, rendered: bool, cut: bool = False
) -> Drawn:
    """A picture (3, 240, 320) and its heat (8, 60, 80): warped, mirrored, recoloured, sometimes covered in part."""
    h, w = image.shape[:2]
    m, order = _warp(rng, w, h, 0.06 if rendered else 0.03)
    border = cv2.BORDER_REFLECT if rendered and rng.random() < 0.5 else cv2.BORDER_CONSTANT
    picture = cv2.warpPerspective(
        image, m, (WIDE, HIGH), flags=cv2.INTER_AREA, borderMode=border, borderValue=(114, 114, 114)
    )
    if cut and points is not None and rng.random() < CUT_SHARE:
        picture = _cut(rng, np.asarray(picture, np.uint8), m, points[:4])
    return _seen(rng, np.asarray(picture, np.uint8), m, points, order)


def _cut(rng: np.random.Generator, picture: Image, m: np.ndarray, corners: np.ndarray) -> Image:
    """The net's picture, grey beyond an upright frame that cuts the surface with these corners (4, 2), seen by `m`.

    So a picture looks that is seen with room around it, where its board, a little turned, reaches beyond it.
    """
    at = cv2.perspectiveTransform(corners[None].astype(np.float64), m)[0]
    size = np.ptp(at, 0)
    half = size / 2 * rng.uniform(*CUT_SIZES, 2)
    middle = (at.min(0) + at.max(0)) / 2 + rng.normal(0, CUT_PLACE_SD, 2) * size
    (x0, y0), (x1, y1) = (np.maximum(np.rint(middle + way * half), 0).astype(int) for way in (-1, 1))
    out = np.full_like(picture, 114)
    out[y0:y1, x0:x1] = picture[y0:y1, x0:x1]
    return out


def draw_squared(rng: np.random.Generator, image: Image, points: np.ndarray | None) -> Drawn:
    """The same, as it is seen square from above by corners that are off."""
    h, w = image.shape[:2]
    if points is None:
        corners = np.array([(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]) * (w, h)
        corners += rng.normal(0, 0.1, (4, 2)) * (w, h)
    else:
        corners = _off(rng, points[:4].astype(np.float64))
    sides = [float(np.linalg.norm(corners[k] - corners[(k + 1) % 4])) for k in range(4)]
    aspect = float(np.clip((sides[1] + sides[3]) / (sides[0] + sides[2]), 0.4, 1.6))
    picture, m = squared(image, corners, aspect)
    flips, order = _mirrored(rng)
    picture = np.asarray(cv2.warpPerspective(picture, flips, (WIDE, HIGH)), np.uint8)
    return _seen(rng, picture, flips @ m, points, order)


def _off(rng: np.random.Generator, corners: np.ndarray) -> np.ndarray:
    """Corners (4, 2) of the surface as they may be found: edges at the next point or at the rim, all a little askew."""
    flat = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    size, place = np.exp(rng.normal(0, OFF_ALL, 2)), rng.normal(0, OFF_ALL / 2, 2)
    left, top, right, bottom = rng.normal(0, OFF_EDGES, 4) * (rng.random(4) < 0.5)
    moved = flat + np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    moved = (
        (moved - 0.5) * size + 0.5 + place + rng.normal(0, OFF, (4, 2)) * (1 + 2 * (rng.random((4, 1)) < 0.1))
    )
    onto = cv2.getPerspectiveTransform(flat.astype(np.float32), corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(moved[None], onto)[0], np.float64)


def _seen(
    rng: np.random.Generator, picture: Image, m: np.ndarray, points: np.ndarray | None, order: np.ndarray
) -> Drawn:
    """What the net is shown of a picture of its own size, and the heat of the points that `m` (3, 3) takes there."""
    if rng.random() < 0.3:  # a hand, a sleeve, a cup
        x, y = rng.uniform(0, WIDE), rng.uniform(0, HIGH)
        size = (float(rng.uniform(10, 70)), float(rng.uniform(10, 40)))
        colour = tuple(float(v) for v in rng.uniform(0, 255, 3))
        cv2.ellipse(picture, ((x, y), size, float(rng.uniform(0, 180))), colour, -1)
    if points is not None and rng.random() < 0.06:  # as a turned picture looks when it is turned back
        inside = np.zeros((HIGH, WIDE), np.uint8)
        x, y = cv2.perspectiveTransform(points[None, :4].astype(np.float64), m)[0].mean(0)
        long = float(rng.uniform(0.75, 1.1)) * WIDE
        frame = cv2.boxPoints(((x, y), (long, 0.65 * long), float(rng.choice((-1, 1)) * rng.uniform(30, 60))))
        cv2.fillPoly(inside, [frame.astype(np.int32)], (255,))
        picture = np.where(inside[..., None] > 0, picture, 114)
    heat = np.zeros((8, HIGH // STRIDE, WIDE // STRIDE), np.float32)
    if points is not None:
        yy, xx = np.mgrid[0 : HIGH // STRIDE, 0 : WIDE // STRIDE].astype(np.float32)
        at = cv2.perspectiveTransform(points[None].astype(np.float64), m)[0][order]
        for k, (x, y) in enumerate(at / STRIDE - 0.5):
            heat[k] = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * 1.2**2))
    varied = vary(rng, np.asarray(picture, np.uint8), strong=bool(rng.random() < 0.6))
    return varied.transpose(2, 0, 1).astype(np.float32) / 255, heat


def _warp(rng: np.random.Generator, w: int, h: int, turn: float) -> tuple[np.ndarray, np.ndarray]:
    """The way (3, 3) from a picture into the net's, and which point becomes which (8,)."""
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    fit = min(WIDE / w, HIGH / h)
    target = source * fit + [(WIDE - w * fit) / 2, (HIGH - h * fit) / 2]
    middle = target.mean(0)
    zoom = rng.uniform(0.6, 1.06) if rng.random() < 0.5 else 1.0
    angle = rng.normal(0, turn)
    c, s = np.cos(angle), np.sin(angle)
    target = (target - middle) @ np.array([[c, s], [-s, c]]) * zoom * [rng.uniform(0.93, 1.07), 1] + middle
    target += rng.normal(0, 5, 2) + rng.normal(0, 5, (4, 2))
    flips, order = _mirrored(rng)
    return flips @ cv2.getPerspectiveTransform(source, target.astype(np.float32)), order


def _mirrored(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The way (3, 3) of a mirroring of the net's picture, or none, and which point becomes which (8,)."""
    m, order = np.eye(3), np.arange(8)
    if rng.random() < 0.5:
        m = np.array([[-1, 0, WIDE - 1], [0, 1, 0], [0, 0, 1.0]]) @ m
        order = np.array([1, 0, 3, 2, 5, 4, 7, 6])
    if rng.random() < 0.5:
        m = np.array([[1, 0, 0], [0, -1, HIGH - 1], [0, 0, 1.0]]) @ m
        order = order[[3, 2, 1, 0, 7, 6, 5, 4]]
    return m, order


class Pool:
    """Painted pictures, a few of them painted anew for each batch, and the rendered ones."""

    def __init__(
        self, rendered: list[Source], photographs: list[Image], squared: bool = False, cut: bool = False
    ) -> None:
        self._rendered, self._photographs = rendered, photographs
        self._squared, self._cut = squared, cut
        self._painted: list[Source] = []
        self._next = 0

    def batch(self, rng: np.random.Generator) -> list[Drawn]:
        """The pictures of one step."""
        for _ in range(FRESH if self._painted else 10 * BATCH):
            fresh = painted_source(rng, self._photographs, larger=LARGER if self._squared else 1.0)
            if len(self._painted) < POOL:
                self._painted.append(fresh)
            else:
                self._painted[self._next % POOL] = fresh
                self._next += 1
        out = []
        for _ in range(BATCH):
            rendered = bool(self._rendered) and rng.random() < RENDERED_SHARE
            sources = self._rendered if rendered else self._painted
            image, points = sources[int(rng.integers(len(sources)))]
            if self._squared:
                out.append(draw_squared(rng, image, points))
            else:
                out.append(draw(rng, image, points, rendered, self._cut))
        return out


def loss_of(out: torch.Tensor, heat: torch.Tensor) -> torch.Tensor:
    """Cross entropy, the more the further off the answer is, and more near a point."""
    p = torch.sigmoid(out)
    each = nn.functional.binary_cross_entropy_with_logits(out, heat, reduction="none")
    return (each * (heat * 10 + (p - heat).abs() ** 2)).sum() / len(out)


def main() -> None:
    """Train and export; prints the loss as it goes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="holds low/ or boards/, and photos/")
    parser.add_argument("--rendered", type=Path, help="more of the renderer's boards")
    parser.add_argument("--squared", action="store_true", help="learn from boards seen square from above")
    parser.add_argument("--cut", action="store_true", help="learn from boards that the frame cuts, too")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--begin", type=Path, help="an exported net (.onnx) to begin with")
    parser.add_argument("--resume", type=Path, help="weights (.pt) to go on from")
    args = parser.parse_args()
    single_threads()
    torch.manual_seed(args.seed)
    rendered = read_boards(args.data / "low", args.data / "boards")
    if args.rendered:
        rendered += read_boards(args.rendered)
    photographs = read_photographs(args.data / "photos")
    print(len(rendered), "rendered boards,", len(photographs), "photographs", flush=True)
    batches = Batches(Pool(rendered, photographs, args.squared, args.cut).batch, args.steps + 1, args.seed)
    net = Corners()
    first, _ = batches.get()
    if args.begin:
        begin_from(net, args.begin, first)
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    adam = torch.optim.AdamW(net.parameters(), args.rate, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(adam, args.rate, args.steps, pct_start=0.06)
    steady = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.99), use_buffers=True)
    start, mean = time.time(), 0.0
    for step in range(1, args.steps + 1):
        x, heat = batches.get()
        loss = loss_of(net(x.to(memory_format=torch.channels_last)), heat)
        adam.zero_grad()
        loss.backward()
        adam.step()
        plan.step()
        steady.update_parameters(net)
        mean = 0.98 * mean + 0.02 * float(loss.detach())
        if step % 50 == 0 or step == args.steps:
            print(step, round(mean / (1 - 0.98**step), 3), round(time.time() - start), flush=True)
            torch.save(steady.module.state_dict(), args.out.with_suffix(".pt"))
    export_onnx(steady.module, args.out, torch.zeros(1, 3, HIGH, WIDE), {0: "n"})


if __name__ == "__main__":
    main()
