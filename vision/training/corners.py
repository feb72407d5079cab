"""Trains the corner net: eight heat maps, for the corners of the playing surface and of the bar on it.

    python -m vision.training.corners --data DIR --out vision/models/corners.onnx

It looks at the whole picture, shrunk to 320x240 with grey borders; the maps in order: surface top left,
top right, bottom right, bottom left, then the bar the same.
"""

import argparse
import json
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.training.learn import export_onnx
from vision.training.samples import vary
from vision.training.scenes import Image

WIDE, HIGH, STRIDE = 320, 240, 4


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


def read_boards(*folders: Path) -> list[tuple[Image, np.ndarray]]:
    """Pictures at half size and their eight points (8, 2)."""
    out = []
    for folder in folders:
        for truth in sorted(folder.glob("*.json")):
            known = json.loads(truth.read_text())
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


def draw(rng: np.random.Generator, image: Image, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A picture (3, 240, 320) and its heat (8, 60, 80): warped, mirrored, recoloured, sometimes covered in part."""
    h, w = image.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    fit = min(WIDE / w, HIGH / h)
    target = source * fit + [(WIDE - w * fit) / 2, (HIGH - h * fit) / 2]
    middle = target.mean(0)
    zoom = rng.uniform(0.6, 1.06) if rng.random() < 0.5 else 1.0
    angle = rng.normal(0, 0.06)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    target = (target - middle) @ turn.T * zoom * np.array([rng.uniform(0.93, 1.07), 1]) + middle
    target += rng.normal(0, 5, 2) + rng.normal(0, 5, (4, 2))
    order = np.arange(8)
    m = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    if rng.random() < 0.5:
        m = np.array([[-1, 0, WIDE - 1], [0, 1, 0], [0, 0, 1.0]]) @ m
        order = np.array([1, 0, 3, 2, 5, 4, 7, 6])
    if rng.random() < 0.5:
        m = np.array([[1, 0, 0], [0, -1, HIGH - 1], [0, 0, 1.0]]) @ m
        order = order[[3, 2, 1, 0, 7, 6, 5, 4]]
    border = cv2.BORDER_REFLECT if rng.random() < 0.6 else cv2.BORDER_CONSTANT
    picture = cv2.warpPerspective(
        image, m, (WIDE, HIGH), flags=cv2.INTER_AREA, borderMode=border, borderValue=(114, 114, 114)
    )
    at = cv2.perspectiveTransform(points[None].astype(np.float64), m)[0][order]
    if rng.random() < 0.3:  # a hand, a sleeve, a cup
        x, y = rng.uniform(0, WIDE), rng.uniform(0, HIGH)
        size = (float(rng.uniform(10, 70)), float(rng.uniform(10, 40)))
        colour = tuple(float(v) for v in rng.uniform(0, 255, 3))
        cv2.ellipse(picture, ((x, y), size, float(rng.uniform(0, 180))), colour, -1)
    yy, xx = np.mgrid[0 : HIGH // STRIDE, 0 : WIDE // STRIDE].astype(np.float32)
    heat = np.zeros((8, HIGH // STRIDE, WIDE // STRIDE), np.float32)
    for k, (x, y) in enumerate(at):
        gx, gy = x / STRIDE - 0.5, y / STRIDE - 0.5
        heat[k] = np.exp(-((xx - gx) ** 2 + (yy - gy) ** 2) / (2 * 1.2**2))
    varied = vary(rng, np.asarray(picture, np.uint8), strong=bool(rng.random() < 0.7))
    return varied.transpose(2, 0, 1).astype(np.float32) / 255, heat


def main() -> None:
    """Train and export; prints the loss as it goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="holds boards/ and low/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--resume", type=Path)
    args = parser.parse_args()
    torch.manual_seed(5)
    torch.set_num_threads(1)
    rng = np.random.default_rng(5)
    boards = read_boards(args.data / "low", args.data / "boards")
    print(len(boards), "boards", flush=True)
    net = Corners()
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    adam = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(adam, 3e-3, args.steps, pct_start=0.1)
    start, mean = time.time(), 0.0
    for step in range(args.steps):
        batch = [draw(rng, *boards[int(rng.integers(len(boards)))]) for _ in range(12)]
        x = torch.from_numpy(np.stack([b[0] for b in batch]))
        y = torch.from_numpy(np.stack([b[1] for b in batch]))
        out = net(x)
        p = torch.sigmoid(out)
        each = nn.functional.binary_cross_entropy_with_logits(out, y, reduction="none")
        loss = (each * (y * 10 + (p - y).abs() ** 2)).sum() / len(batch)
        adam.zero_grad()
        loss.backward()
        adam.step()
        plan.step()
        mean = 0.98 * mean + 0.02 * float(loss.detach())
        if step % 250 == 249:
            print(step + 1, round(mean, 3), round(time.time() - start), flush=True)
            torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    export_onnx(net, args.out, torch.zeros(1, 3, HIGH, WIDE), {0: "n"})


if __name__ == "__main__":
    main()
