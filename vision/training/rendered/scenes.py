"""Draws scenes of dice on all kinds of grounds, seen from any angle between above and a low seat at the table.

Everything is drawn from a seed: the ground (cloth, wood, leather, stripes, points, checkers, print, or a piece of a
given photograph), the dice, the lamp, and the camera's defects.
"""

import argparse
import colorsys
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.rendered.dice3d import (
    Array,
    DieLook,
    DiePose,
    Panel,
    View,
    draw_die,
    face_corners,
    face_value,
    upper_face,
)

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class TrueDie:
    """The truth of one die in a training picture."""

    value: int
    centre_px: tuple[float, float]  # of the upper face
    width_px: float  # mean edge of the upper face; 0 if it is unknown
    rest: str  # flat, leaning, on_checker, on_die, on_bar, on_rim, off_board, or "" if it is unknown
    tilt_deg: float
    margin_deg: float  # by this much the upper face is closer to the vertical than the next; small: ambiguous
    up: tuple[float, float] | None = None
    """Displacement in the picture of a point above the die, in widths for each width of height; None: unknown."""
    own_up: tuple[float, float] | None = None
    """The same along the normal of the upper face: `up` if the die is flat."""


def hsv(
    rng: np.random.Generator, low: float, high: float, saturation: float = 1.0
) -> tuple[float, float, float]:
    """A random linear RGB colour, 0 to 1, its HSV value between the bounds."""
    r, g, b = colorsys.hsv_to_rgb(rng.random(), saturation * rng.random() ** 1.4, rng.uniform(low, high))
    return r**2.2, g**2.2, b**2.2


def luminance(colour: Sequence[float]) -> float:
    """Perceived brightness, 0 to 1, of a linear RGB colour."""
    linear = 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]
    return float(linear ** (1 / 2.2))


def random_look(rng: np.random.Generator) -> DieLook:
    """A random look of a die: usual ones of shops, and some unusual."""
    if rng.random() < 0.42:
        v = rng.uniform(0.75, 1.0)
        body = (v, v * rng.uniform(0.9, 1), v * rng.uniform(0.7, 1))
        body = (body[0] ** 2.2, body[1] ** 2.2, body[2] ** 2.2)
        pip = (0.01, 0.01, 0.01) if rng.random() < 0.85 else hsv(rng, 0.1, 0.6)
    else:
        body = hsv(rng, 0.05, 0.95)
        light = luminance(body) < 0.55
        pip = (0.85, 0.83, 0.78) if light else (0.012, 0.012, 0.012)
        if rng.random() < 0.25:
            pip = hsv(rng, 0.0, 1.0)
    for _ in range(20):
        if abs(luminance(body) - luminance(pip)) > 0.3:
            break
        pip = hsv(rng, 0.0, 1.0)
    red_one = rng.random() < 0.15 and luminance(body) > 0.6
    rounded = rng.random() < 0.65
    return DieLook(
        body=body,
        pip=pip,
        one=(0.45, 0.01, 0.015) if red_one else pip,
        rounding=float(rng.uniform(0.07, 0.2) if rounded else rng.uniform(0.02, 0.07)),
        ball=float(rng.uniform(1.3, 1.5)) if rounded and rng.random() < 0.5 else 0.0,
        pip_radius=float(rng.uniform(0.075, 0.125)),
        pip_offset=float(rng.uniform(0.215, 0.29)),
        one_scale=float(rng.uniform(1.4, 2.0)) if red_one or rng.random() < 0.06 else 1.0,
        gloss=float(rng.uniform(0.0, 0.7)),
        glow=float(rng.uniform(0.3, 0.8)) if rng.random() < 0.2 else 0.0,
        turned=tuple(bool(x) for x in rng.integers(0, 2, 6)),
        left_handed=bool(rng.random() < 0.4),
    )


MIRRORING, RECESSED = 0.75, 0.8
"""Shares of the scenes of smooth dice in which a lamp is mirrored, and of the dice with hollow pips."""


def _hollowed(rng: np.random.Generator, look: DieLook) -> DieLook:
    """The look with hollow pips: bowls, or flat bottoms with walls."""
    steepness = 1.0 if rng.random() < 0.5 else float(rng.uniform(2, 10))
    return replace(look, recess=float(rng.uniform(0.1, 1.2)), steepness=steepness)


def random_panel(rng: np.random.Generator, view: View, brightness: float) -> Panel:
    """A lamp that most dice lying flat mirror: it gives between a fifth and 1.6 times the light of white paper.

    Args:
        view: of the camera, in which the lamp is mirrored.
        brightness: of white paper below the lamps.
    """
    _, _, gaze = view.basis()
    half = rng.uniform(0.08, 0.6, 2)
    middle = gaze[:2] / -gaze[2] + rng.normal(0, 0.5, 2) * half
    light = brightness * rng.uniform(0.2, 1.6) * np.array([1, rng.uniform(0.85, 1), rng.uniform(0.7, 1.05)])
    return Panel(
        (float(middle[0]), float(middle[1])),
        (float(half[0]), float(half[1])),
        float(rng.uniform(0, np.pi)),
        float(np.exp(rng.uniform(np.log(0.004), np.log(0.15)))),
        float(rng.uniform(0.005, 0.1)),
        (float(light[0]), float(light[1]), float(light[2])),
    )


def _noise(rng: np.random.Generator, size: int, cell: float, stretch: float = 1.0) -> Array:
    out = np.zeros((size, size), np.float32)
    weight = 1.0
    for octave in range(4):
        c = max(cell / 2**octave, 1.0)
        grid = rng.standard_normal((max(2, int(size / c) + 2), max(2, int(size / (c * stretch)) + 2)))
        out += weight * cv2.resize(grid.astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
        weight *= 0.55
    return np.asarray(out / out.std(), np.float32)


def ground(
    rng: np.random.Generator, size: int, edge_px: float, photographs: Sequence[Image], checkers: bool = True
) -> Array:
    """A ground (size, size, 3) in linear RGB, 0 to 1, without dice; without `checkers` nothing looks like one."""
    if photographs and rng.random() < 0.35:
        return _piece_of(rng, size, photographs)
    base = np.asarray(hsv(rng, 0.08, 0.95, 0.9), np.float32)
    out = np.ones((size, size, 3), np.float32) * base
    kind = int(rng.integers(5))
    if kind == 0:  # cloth
        out *= (1 + rng.uniform(0.02, 0.25) * rng.standard_normal((size, size, 1))).astype(np.float32)
    elif kind == 1:  # wood
        rings = np.sin(_noise(rng, size, edge_px * 8, 6) * 5 + np.arange(size)[None] / edge_px)
        out *= 1 + (rng.uniform(0.02, 0.2) * rings + 0.06 * _noise(rng, size, 4, 20))[..., None]
    elif kind == 2:  # leather, carpet
        out *= 1 + rng.uniform(0.03, 0.5) * np.clip(np.abs(_noise(rng, size, edge_px * 0.3)), 0, 2)[..., None]
    elif kind == 3:  # weave
        x = np.sin(np.arange(size) * rng.uniform(0.3, 2.0))
        out *= 1 + rng.uniform(0.05, 0.5) * (x[None] * x[:, None])[..., None].astype(np.float32)
    out *= 1 + rng.uniform(0, 0.12) * _noise(rng, size, edge_px * 6)[..., None]
    if rng.random() < 0.6:
        _clutter(rng, out, edge_px, checkers)
    if rng.random() < 0.5:
        out *= np.linspace(rng.uniform(0.4, 1), 1, size, dtype=np.float32)[:, None, None]
    turned = cv2.rotate(out, int(rng.integers(3))) if rng.random() < 0.7 else out
    return np.clip(turned, 0.002, 1).astype(np.float32)


def _piece_of(rng: np.random.Generator, size: int, photographs: Sequence[Image]) -> Array:
    photo = photographs[int(rng.integers(len(photographs)))]
    side = int(min(photo.shape[:2]) * rng.uniform(0.3, 1.0))
    x, y = (int(rng.integers(0, n - side + 1)) for n in (photo.shape[1], photo.shape[0]))
    piece = cv2.resize(photo[y : y + side, x : x + side, ::-1], (size, size), interpolation=cv2.INTER_LINEAR)
    return np.asarray((piece.astype(np.float32) / 255) ** 2.2, np.float32)


def _clutter(rng: np.random.Generator, out: Array, edge_px: float, checkers: bool) -> None:
    """Draw points, checkers, print, pip-like spots, a cube into `out`: things on a table that are no dice."""
    size = len(out)

    def colour() -> tuple[float, float, float]:
        return hsv(rng, 0.03, 0.98)

    def spot() -> tuple[int, int]:
        return int(rng.integers(size)), int(rng.integers(size))

    if rng.random() < 0.5:  # points of a board
        wide = edge_px * rng.uniform(2, 3)
        two = colour(), colour()
        for k in range(int(size / wide) + 1):
            x = k * wide
            tip = [(x, 0), (x + wide, 0), (x + wide / 2, size * 0.45)]
            cv2.fillPoly(out, [np.array(tip, np.int32)], two[k % 2], cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 7)) if checkers else 0):
        c, at, r = colour(), spot(), int(edge_px * rng.uniform(1.1, 1.5))
        cv2.circle(out, (at[0] + r // 8, at[1] + r // 6), r, tuple(0.3 * v for v in c), -1, cv2.LINE_AA)
        cv2.circle(out, at, r, c, -1, cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.circle(out, at, int(r * 0.65), tuple(0.7 * v for v in c), max(1, r // 12), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 3))):  # print and figures
        _write(out, str(rng.integers(2, 99)), spot(), edge_px * rng.uniform(0.02, 0.06), colour(), 2)
    for _ in range(int(rng.integers(0, 3))):  # bars, cables, hinges
        cv2.line(out, spot(), spot(), colour(), int(rng.integers(1, max(2, int(edge_px)))), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 14))):  # loose spots
        cv2.circle(out, spot(), int(edge_px * rng.uniform(0.05, 0.2)) + 1, colour(), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 3))):  # plain squares: a cube, a box, a coaster
        x, y = spot()
        s = edge_px * rng.uniform(0.9, 2.2)
        box = cv2.boxPoints(((x, y), (s, s), float(rng.uniform(0, 90))))
        cv2.fillPoly(out, [box.astype(np.int32)], colour(), cv2.LINE_AA)
        if rng.random() < 0.7:
            text = str(2 ** int(rng.integers(1, 7)))
            _write(out, text, (int(x - s / 3), int(y + s / 4)), s / 45, colour(), max(1, int(s / 14)))


def _write(
    out: Array, text: str, at: tuple[int, int], scale: float, ink: tuple[float, float, float], thick: int
) -> None:
    mask = np.zeros(out.shape[:2], np.uint8)
    cv2.putText(mask, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
    share = mask[..., None].astype(np.float32) / 255
    out *= 1 - share
    out += share * np.asarray(ink, np.float32)


def random_pose(rng: np.random.Generator, lean: bool) -> DiePose:
    """A random pose of a die on the ground at the origin, flat or leaning by 7 to 40 degrees, any face up."""
    quarter = np.eye(3, dtype=np.float32)[:, rng.permutation(3)] * rng.choice([-1, 1], 3)
    if np.linalg.det(quarter) < 0:
        quarter[:, 0] *= -1
    axes = quarter.astype(np.float32)
    if lean:
        about = rng.normal(size=3)
        about[2] = 0
        about /= np.linalg.norm(about)
        axes = cv2.Rodrigues(about * np.radians(rng.uniform(7, 40)))[0].astype(np.float32) @ axes
    yaw = cv2.Rodrigues(np.array([0, 0, rng.uniform(0, 2 * np.pi)]))[0].astype(np.float32)
    axes = yaw @ axes
    height = 0.5 * float(np.abs(axes[2]).sum()) if lean else 0.5
    return DiePose(np.array([0, 0, height], np.float32), axes)


def spoil(rng: np.random.Generator, linear: Array) -> Image:
    """Apply the defects of lens, sensor and encoder to a linear RGB picture; the result is BGR, (H, W, 3) uint8."""
    out = linear * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * rng.uniform(0.5, 1.6)
    if rng.random() < 0.5:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.3))
    if rng.random() < 0.15:
        length = int(rng.integers(2, 5))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    out = out + rng.standard_normal(out.shape).astype(np.float32) * rng.uniform(0, 0.03) * np.sqrt(out + 0.01)
    out = np.clip(out, 0, 1) ** (1 / 2.2)
    bend = rng.uniform(0, 0.4)
    out = out * (1 - bend) + bend * out * out * (3 - 2 * out)
    if rng.random() < 0.4:
        out = out + rng.uniform(0.1, 0.9) * (out - cv2.GaussianBlur(out, (0, 0), 1.0))
    image = np.clip(out[..., ::-1] * 255, 0, 255).astype(np.uint8)
    jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 97))])[1]
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def scene(
    seed: int,
    size: int = 416,
    photographs: Sequence[Image] = (),
    slanted: bool = False,
    stacked: bool = False,
    smooth: bool = False,
) -> tuple[Image, list[TrueDie]]:
    """One picture (size, size, 3) uint8 BGR and its dice.

    Slanted scenes are seen from above, beside the picture's middle, and about every second die leans. Stacked scenes
    have the same view without leaning dice; about every second die carries another, and nothing looks like a checker.
    Smooth ones have dice of 11 to 30 pixels, hardly one leaning, with hollow pips, whose faces often mirror a lamp.
    """
    rng = np.random.default_rng([seed, 20261121])
    edge = float(rng.uniform(15, 34) if rng.random() < 0.7 else rng.uniform(34, 70))
    view = View(float(np.radians(abs(rng.normal(0, 9)) if rng.random() < 0.5 else rng.uniform(5, 62))), edge)
    if smooth:
        edge = float(rng.uniform(11, 30))
    if slanted or stacked or smooth:
        far, way = rng.uniform(0, 0.6), rng.uniform(0, 2 * np.pi)
        view = View(0.0, edge, (float(far * np.cos(way)), float(far * np.sin(way))))
    picture = ground(rng, size, edge, photographs, checkers=not stacked)
    lamp = np.array([*rng.normal(0, 0.6, 2), 1.0], np.float32)
    lamp /= np.linalg.norm(lamp)
    warm = np.array([1, rng.uniform(0.75, 1), rng.uniform(0.5, 1.05)], np.float32)
    strength = rng.uniform(0.3, 1.0)
    lamp_colour, sky = warm * strength, np.full(3, rng.uniform(0.15, 0.6), np.float32)
    picture *= lamp_colour * float(lamp[2]) + sky
    shadow = float(strength / (strength + sky[0])) * rng.uniform(0.6, 1)
    softness = float(np.exp(rng.uniform(np.log(2), np.log(30))))
    looks = [random_look(rng) for _ in range(int(rng.integers(1, 4)))]
    panel = None
    if smooth:
        looks = [_hollowed(rng, look) if rng.random() < RECESSED else look for look in looks]
        if rng.random() < MIRRORING:
            panel = random_panel(rng, view, float(strength + sky[0]))
    dice: list[TrueDie] = []
    places: list[tuple[float, float]] = []
    for _ in range(int(rng.integers(2, 11))):
        at = (float(rng.uniform(edge, size - edge)), float(rng.uniform(edge, size - edge)))
        if places and rng.random() < 0.25:  # beside another, almost touching
            a, r = rng.uniform(0, 2 * np.pi), edge * rng.uniform(1.2, 1.7)
            at = (places[-1][0] + r * np.cos(a), places[-1][1] + r * np.sin(a))
        if any(np.hypot(at[0] - x, at[1] - y) < edge * 1.35 for x, y in places):
            continue
        places.append(at)
    for at in sorted(places, key=lambda p: p[1]):
        lean = not stacked and bool(rng.random() < (0.5 if slanted else 0.12))
        look = looks[int(rng.integers(len(looks)))]
        near = replace(view, edge_px=edge * float(rng.uniform(0.93, 1.07)))
        poses = [random_pose(rng, lean)]
        if stacked and rng.random() < 0.5:
            poses.append(_on_top(rng))
        for pose in poses:
            draw_die(picture, at, near, pose, look, lamp, lamp_colour, sky, shadow, softness, panel=panel)
            if pose is poses[0] and len(poses) == 1:
                rest = "leaning" if lean else "flat"
            elif pose is poses[0]:
                continue  # covered: its number cannot be seen
            else:
                rest = "on_die"
            known = _truth(pose, look, near, at, rest)
            if 0 < known.centre_px[0] < size and 0 < known.centre_px[1] < size:
                dice.append(known)
    return spoil(rng, picture), dice


def _on_top(rng: np.random.Generator) -> DiePose:
    """A random pose flat on another die, shifted by up to half an edge, so that it does not fall."""
    pose = random_pose(rng, lean=False)
    aside = rng.uniform(-0.5, 0.5, 2)
    return DiePose(np.array([*aside, 1.5], np.float32), pose.axes)


def _truth(pose: DiePose, look: DieLook, view: View, at: tuple[float, float], rest: str) -> TrueDie:
    axis, sign, tilt = upper_face(pose)
    corners = view.project(face_corners(pose, axis, sign)) + np.array(at, np.float32)
    width = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
    middle = corners.mean(0)
    second = np.sort(np.abs(pose.axes[2]))[-2]
    margin = float(np.degrees(np.arccos(min(1.0, second)))) - tilt
    number = face_value(axis, sign, look.left_handed)
    place = (float(middle[0]), float(middle[1]))
    return TrueDie(number, place, width, rest, tilt, margin, view.up(), view.along(pose, axis, sign))


def main() -> None:
    """Draw every scene that has no truth file yet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", required=True, metavar="A-B")
    parser.add_argument(
        "--slanted", action="store_true", help="as under a camera above a board, many dice leaning"
    )
    parser.add_argument("--stacked", action="store_true", help="the same, with dice on dice")
    parser.add_argument("--smooth", action="store_true", help="the same, with dice that mirror a lamp")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    first, last = (int(v) for v in args.seeds.split("-"))
    for seed in range(first, last + 1):
        path = args.out / f"s{seed:06d}"
        if path.with_suffix(".json").exists():
            continue
        image, dice = scene(seed, slanted=args.slanted, stacked=args.stacked, smooth=args.smooth)
        cv2.imwrite(str(path.with_suffix(".jpg")), image, [cv2.IMWRITE_JPEG_QUALITY, 97])
        path.with_suffix(".json").write_text(json.dumps([asdict(d) for d in dice]))


if __name__ == "__main__":
    main()
