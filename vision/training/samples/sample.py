"""Training pictures from three sources in one form, and patches cut from them.

A sample is a picture with its known dice. Sources: the ray caster's scenes, boards from the renderer (many dice each),
and labelled photographs. A photograph is for training or for scoring, never both: see `held_out`.
"""

import csv
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.rendered.scenes import Image, TrueDie

Array = NDArray[np.float32]

RESTS = {
    "flat": "flat",
    "tilted": "leaning",
    "on_checker": "on_checker",
    "on_die": "on_die",
    "on_bar": "on_bar",
    "off_board": "off_board",
}


@dataclass(frozen=True, slots=True)
class Sample:
    """A picture, its dice, and its origin (`scene`, `board`, `moved`, `pasted` or `photo`)."""

    image: Image
    dice: tuple[TrueDie, ...]
    origin: str
    name: str


def held_out(name: str) -> bool:
    """Whether a photograph is kept for scoring: a third of them, chosen by the file's name."""
    return zlib.crc32(name.encode()) % 3 == 0


def read_scenes(folder: Path) -> list[Sample]:
    """The ray caster's scenes in a folder: .jpg with .json."""
    return [read_scene(truth) for truth in sorted(folder.glob("*.json"))]


def read_scene(truth: Path) -> Sample:
    """The scene with this truth file, its picture beside it."""
    dice = tuple(
        TrueDie(**{k: tuple(v) if isinstance(v, list) else v for k, v in d.items()})
        for d in json.loads(truth.read_text())
    )
    return Sample(load_picture(truth.with_suffix(".jpg")), dice, "scene", truth.stem)


def read_boards(folder: Path) -> list[Sample]:
    """The renderer's boards in a folder: .jpg with .json in the format of its README."""
    out = []
    for truth in sorted(folder.glob("*.json")):
        known = json.loads(truth.read_text())
        out.append(Sample(load_picture(truth.with_suffix(".jpg")), board_dice(known), "board", truth.stem))
    return out


def board_dice(known: dict[str, Any]) -> tuple[TrueDie, ...]:
    """The dice of one of the renderer's truth files."""
    dice = []
    for d in known["dice"]:
        face = np.asarray(d["top_face_px"], np.float32)
        width = float(np.linalg.norm(face - np.roll(face, 1, 0), axis=1).mean())
        middle = face.mean(0)
        dice.append(
            TrueDie(
                int(d["value"]),
                (float(middle[0]), float(middle[1])),
                width,
                RESTS[d["state"]],
                float(d["tilt_deg"]),
                float(d["value_margin_deg"]),
                seen_along(known["camera"], d["centre_mm"], np.array([0, 0, 1.0])),
                seen_along(known["camera"], d["centre_mm"], upper_normal(d["quat_wxyz"])),
            )
        )
    return tuple(dice)


def turn_of(quat_wxyz: list[float]) -> NDArray[np.float64]:
    """The rotation (3, 3) of a die in the board frame."""
    w, x, y, z = quat_wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def upper_normal(quat_wxyz: list[float]) -> NDArray[np.float64]:
    """The normal (3,) of a die's upper face in the board frame."""
    axes = turn_of(quat_wxyz)
    axis = int(np.argmax(np.abs(axes[2])))
    return np.asarray(axes[:, axis] * np.sign(axes[2, axis]), np.float64)


def project(camera: dict[str, Any], at_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (N, 3) of the board frame, in mm, in the picture (N, 2) of a truth file's camera."""
    turn, move = np.array(camera["R_world_to_cam"]), np.array(camera["t_mm"])
    matrix, bend = np.array(camera["K"]), np.array(camera["dist_k1k2p1p2k3"])
    return np.asarray(
        cv2.projectPoints(at_mm, cv2.Rodrigues(turn)[0], move, matrix, bend)[0][:, 0], np.float64
    )


def seen_along(
    camera: dict[str, Any], at_mm: Sequence[float], way: NDArray[np.float64]
) -> tuple[float, float]:
    """Displacement in the picture of a point 1 mm away in direction `way` (3,), over that of one 1 mm beside it."""
    px = project(camera, np.array(at_mm) + np.array([[0, 0, 0], way, [1, 0, 0], [0, 1, 0]]))
    scale = np.sqrt(abs(np.linalg.det(np.stack([px[2] - px[0], px[3] - px[0]]))))
    seen = (px[1] - px[0]) / scale
    return float(seen[0]), float(seen[1])


def read_photographs(folder: Path, boxes: dict[str, list[list[float]]], scoring: bool) -> list[Sample]:
    """The labelled photographs for training or for scoring.

    Args:
        boxes: by file name, x, y, width and value of each upper face, see `photo_boxes`.
        scoring: the held-out part, else the part for training, which leaves out photographs without boxes.
    """
    out = []
    for row in csv.DictReader((folder / "labels.csv").open()):
        name = row["file"]
        if held_out(name) != scoring:
            continue
        dice = [TrueDie(int(v), (x, y), w, "flat", 0.0, 90.0) for x, y, w, v in boxes.get(name, [])]
        if not dice and not scoring:
            continue
        out.append(Sample(load_picture(folder / name), tuple(dice), "photo", name))
    return out


def load_picture(path: Path) -> Image:
    """The picture in a file, (H, W, 3) uint8.

    Raises:
        FileNotFoundError: there is no file, or it is no picture.
    """
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(path)
    return np.asarray(image, np.uint8)


def cut(image: Image, centre: tuple[float, float], px_per_px: float, turn_rad: float, size: int) -> Image:
    """A square patch (size, size, 3) uint8 around a point, scaled and rotated, with a mirrored border."""
    c, s = np.cos(turn_rad) * px_per_px, np.sin(turn_rad) * px_per_px
    to_patch = np.array([[c, -s, 0], [s, c, 0]], np.float64)
    to_patch[:, 2] = size / 2 - 0.5 - to_patch[:, :2] @ np.asarray(centre)
    shrink = cv2.INTER_AREA if px_per_px < 0.6 else cv2.INTER_LINEAR
    if px_per_px < 0.55:  # warpAffine does not average: shrink first, then rotate
        small = cv2.resize(image, None, fx=px_per_px, fy=px_per_px, interpolation=shrink)
        to_patch[:, :2] /= px_per_px
        to_patch[:, 2] = size / 2 - 0.5 - to_patch[:, :2] @ (np.asarray(centre) * px_per_px)
        image = np.asarray(small, np.uint8)
    patch = cv2.warpAffine(
        image, to_patch, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(patch, np.uint8)


NOISE = np.random.default_rng(3).standard_normal(1 << 20).astype(np.float32)
"""Drawn once: drawing for each patch would cost more than all the rest."""


def vary(rng: np.random.Generator, patch: Image, strong: bool = True) -> Image:
    """The patch, (H, W, 3) uint8, under another light, lens and encoder; `strong` changes its colours, too."""
    if strong:
        if rng.random() < 0.3:
            patch = patch[..., rng.permutation(3)]
        if rng.random() < 0.12:
            patch = 255 - patch
        if rng.random() < 0.15:
            patch = np.repeat(patch.mean(-1, keepdims=True).astype(np.uint8), 3, -1)
    level = np.arange(256, dtype=np.float32)[:, None]
    curve = level * np.exp(rng.normal(0, 0.12, 3)) * rng.uniform(0.6, 1.35) + rng.normal(0, 12)
    curve = 255 * np.power(np.clip(curve, 0, 255) / 255, np.exp(rng.normal(0, 0.25)))
    out = cv2.LUT(np.ascontiguousarray(patch), curve.astype(np.float32)[:, None, :].reshape(256, 1, 3))
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 0.9))
    elif rng.random() < 0.2:
        out = out + rng.uniform(0.2, 0.8) * (out - cv2.GaussianBlur(out, (0, 0), 1.0))
    start = int(rng.integers(len(NOISE) - out.size))
    out = out + NOISE[start : start + out.size].reshape(out.shape) * np.float32(rng.uniform(0, 7))
    if rng.random() < 0.15:  # a shadow's edge or a lamp's spot
        n = out.shape[0 if (down := rng.random() < 0.5) else 1]
        ramp = np.linspace(rng.uniform(0.5, 1), 1, n, dtype=np.float32)
        out = out * (ramp[:, None, None] if down else ramp[None, :, None])
    return np.clip(out, 0, 255).astype(np.uint8)
