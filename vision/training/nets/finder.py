"""Trains the finding net: every four pixels, whether the middle of an upper face is there, and its width.

    python -m vision.training.nets.finder --data DIR --out vision/models/finder.onnx

Its input is a picture scaled so that a die's edge is about `FINDER_EDGE_PX` pixels.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.training.batches import Batches, Drawn, single_threads
from vision.training.learn import export_onnx, layer, learn
from vision.training.samples.moved import read_moved
from vision.training.samples.photoboxes import photo_boxes
from vision.training.samples.sample import Sample, cut, read_boards, read_photographs, read_scenes, vary

FINDER_EDGE_PX = 11.0
PATCH = 192
STRIDE = 4
TARGETS = 6


class Finder(nn.Module):
    """Pictures (N, 3, H, W), 0 to 1, to (N, 16, H/8, W/8): four answers for each of 2 x 2 places, see `answers`.

    The wide net learns from the truth alone; the slim one, six tenths of its time, has one layer in place of the first
    two and starts with the weights of the others (`slim.py`).
    """

    def __init__(self, slim: bool = False) -> None:
        super().__init__()
        first = [layer(3, 16, 4, 5)] if slim else [layer(3, 8, 2), layer(8, 16, 2)]
        self.net = nn.Sequential(
            *first, layer(16, 32, 2), layer(32, 32, 1), layer(32, 32, 1), nn.Conv2d(32, 16, 1)
        )
        last = self.net[-1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.constant_(last.bias, 0.0)
        with torch.no_grad():
            last.bias[:4] = -4.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.net(x)
        return out


def answers(out: torch.Tensor) -> torch.Tensor:
    """The net's output as (N, 4, H/4, W/4): certainty (logit), log2(width / `FINDER_EDGE_PX`), offset x and y."""
    return functional.pixel_shuffle(out, 2)


def draw(rng: np.random.Generator, samples: list[Sample]) -> tuple[np.ndarray, np.ndarray]:
    """A patch (3, PATCH, PATCH), 0 to 1, and its target (6, h, w): heat, width, dx, dy, their weight, heat's weight."""
    sample = samples[int(rng.integers(len(samples)))]
    widths = [d.width_px for d in sample.dice if d.width_px > 0]
    usual = float(np.median(widths)) if widths else 24.0
    scale = FINDER_EDGE_PX * float(2 ** rng.uniform(-0.55, 0.6)) / usual
    turn = float(rng.uniform(0, 2 * np.pi))
    h, w = sample.image.shape[:2]
    if sample.dice and rng.random() < 0.75:
        d = sample.dice[int(rng.integers(len(sample.dice)))]
        spread = 0.4 * PATCH / scale
        middle = (
            d.centre_px[0] + rng.uniform(-spread, spread),
            d.centre_px[1] + rng.uniform(-spread, spread),
        )
    else:
        middle = (rng.uniform(0, w), rng.uniform(0, h))
    middle = (float(np.clip(middle[0], 0, w)), float(np.clip(middle[1], 0, h)))
    patch = cut(sample.image, middle, scale, turn, PATCH)
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    flip = rng.random() < 0.5
    if flip:
        patch = patch[:, ::-1]
    n = PATCH // STRIDE
    target = np.zeros((6, n, n), np.float32)
    target[5] = 1
    # the repeated border has no truth: its heat has no weight
    yy, xx = np.mgrid[0:n, 0:n].astype(np.float32)
    px, py = (xx + 0.5) * STRIDE - 0.5, (yy + 0.5) * STRIDE - 0.5
    if flip:
        px = PATCH - 1 - px
    ox, oy = px - (PATCH / 2 - 0.5), py - (PATCH / 2 - 0.5)
    back_x = (ox * c + oy * s) / scale**2 + middle[0]
    back_y = (-ox * s + oy * c) / scale**2 + middle[1]
    target[5] *= (back_x > 0) & (back_x < w) & (back_y > 0) & (back_y < h)
    for d in sample.dice:
        dx, dy = d.centre_px[0] - middle[0], d.centre_px[1] - middle[1]
        x, y = c * dx - s * dy + PATCH / 2 - 0.5, s * dx + c * dy + PATCH / 2 - 0.5
        if flip:
            x = PATCH - 1 - x
        gx, gy = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
        if not (-1 < gx < n and -1 < gy < n):
            continue
        width = (d.width_px or usual) * scale
        sigma = 0.16 * width / STRIDE
        heat = np.exp(-((xx - gx) ** 2 + (yy - gy) ** 2) / (2 * sigma**2)).astype(np.float32)
        target[0] = np.maximum(target[0], heat)
        near = heat > 0.35
        i, j = int(np.clip(round(gy), 0, n - 1)), int(np.clip(round(gx), 0, n - 1))
        target[0, i, j] = 1
        near[i, j] = True
        target[1][near] = np.log2(width / FINDER_EDGE_PX)
        target[2][near], target[3][near] = (gx - xx)[near], (gy - yy)[near]
        target[4][near] = 1.0 if d.width_px else 0.3
    patch = vary(rng, np.ascontiguousarray(patch), strong=True)
    return patch.transpose(2, 0, 1).astype(np.float32) / 255, target


def loss_of(out: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Penalty-reduced focal loss for the heat, absolute distance for width and offset."""
    p = torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4)
    heat, known = target[:, 0], target[:, 5]
    middle = (heat > 0.999).float()
    pos = -((1 - p) ** 2) * torch.log(p) * middle
    neg = -((1 - heat) ** 4) * p**2 * torch.log(1 - p) * (1 - middle)
    found = ((pos + neg) * known).sum() / middle.sum().clamp(min=1)
    w = target[:, 4]
    size = (out[:, 1] - target[:, 1]).abs() * w
    offset = ((out[:, 2:4] - target[:, 2:4]).abs().sum(1)) * w
    return found + (2 * size + offset).sum() / w.sum().clamp(min=1)


def drawing(data: Path) -> Callable[[np.random.Generator], list[Drawn]]:
    """A function that draws twelve patches from all pictures of a folder, half of them from boards."""
    scenes, boards = read_scenes(data / "scenes"), read_boards(data / "boards")
    boards += read_moved(data / "boards", np.random.default_rng(7), times=1, each=8, whole=True)
    photos = read_photographs(data / "photos", photo_boxes(data / "photos"), scoring=False)
    print(len(scenes), "scenes", len(boards), "boards", len(photos), "photographs", flush=True)

    def batch(rng: np.random.Generator) -> list[Drawn]:
        pools = [pool for pool in (boards, photos, scenes) if pool]
        odds = np.array([{id(boards): 0.5, id(photos): 0.2, id(scenes): 0.3}[id(pool)] for pool in pools])
        return [draw(rng, pools[int(k)]) for k in rng.choice(len(pools), 12, p=odds / odds.sum())]

    return batch


def main() -> None:
    """Train and export the net; prints the loss every 250 steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="holds scenes/, boards/ and photos/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--resume", type=Path)
    args = parser.parse_args()
    torch.manual_seed(7)
    single_threads()
    batches = Batches(drawing(args.data), args.steps)
    net = Finder()
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    learned = learn(
        net,
        lambda out, target: loss_of(answers(out), target),
        batches,
        args.rate,
        1e-4,
        args.out.with_suffix(".pt"),
    )
    export_onnx(learned, args.out, torch.zeros(1, 3, 256, 256), {2: "h", 3: "w"})


if __name__ == "__main__":
    main()
