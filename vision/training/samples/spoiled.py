"""Spoils dice so that they must not be read: half covered, spotted, smeared, blurred, exposed twice; without a number.

Most ways also leave some dice readable, covered beside the face or blurred a little, so that a hand in the picture, a
soft lens or a poor sensor is no reason for doubt.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.rendered.scenes import Image

SPOILED, SPARED = 0.18, 0.14
"""Shares of the looks that are spoiled, and that are changed but stay readable."""

Pair = tuple[Image, Image]
"""A look (N, N, 3) and its surroundings (N, N, 3), which show the same die smaller, both uint8."""


class Face:
    """Place of the upper face in a look and in its surroundings, each `size` pixels wide.

    Args:
        middle_px: x and y in the look, (2,).
        edge_px: its edge in the look.
        scale: scale of the surroundings relative to the look.
    """

    def __init__(self, middle_px: NDArray[np.float64], edge_px: float, scale: float, size: int) -> None:
        self.edge_px = edge_px
        centre = (size - 1) / 2
        self.places = ((middle_px, 1.0), ((middle_px - centre) * scale + centre, scale))


def spoil(rng: np.random.Generator, looks: Pair, face: Face) -> tuple[Pair, bool]:
    """The looks, possibly changed, and whether they must not be read any more."""
    luck = rng.random()
    if luck > SPOILED + SPARED:
        return looks, False
    spoiled = bool(luck < SPOILED)
    ways, odds = (SPOILING, SPOILING_ODDS) if spoiled else (SPARING, SPARING_ODDS)
    way = ways[int(rng.choice(len(ways), p=odds))]
    return way(rng, looks, face, spoiled), spoiled


def _covered(rng: np.random.Generator, looks: Pair, face: Face, spoiled: bool) -> Pair:
    """Cover the die from one side: paper, a hand, a checker, the board again; over the face, or up to it."""
    edge, angle = face.edge_px, float(rng.uniform(0, 2 * np.pi))
    begins = edge * float(rng.uniform(-0.3, 0.34) if spoiled else rng.uniform(0.72, 1.1))
    deep, wide = edge * rng.uniform(0.9, 4.0, 2)
    disc, itself = rng.random(2) < 0.4
    colour, slope = rng.uniform(0, 255, 3), float(rng.uniform(-40, 40))
    jump, axis = float(rng.uniform(0.33, 0.67)), int(rng.integers(2))
    c, s = np.cos(angle), np.sin(angle)
    ends = begins + deep
    corners = np.array([(begins, -wide / 2), (ends, -wide / 2), (ends, wide / 2), (begins, wide / 2)])
    if disc:
        way, radius = np.linspace(0, 2 * np.pi, 48, endpoint=False), max(deep, wide) / 2
        corners = np.stack([begins + radius * (1 + np.cos(way)), radius * np.sin(way)], 1)
    out = []
    for picture, (middle, scale) in zip(looks, face.places, strict=True):
        n = len(picture)
        outline = corners * scale @ np.array([[c, s], [-s, c]]) + middle
        share = np.zeros((n, n), np.float32)
        cv2.fillConvexPoly(share, np.round(outline * 16).astype(np.int32), 1.0, 8, 4)
        paint = colour + slope * np.linspace(-1, 1, n)[:, None, None]
        over = np.roll(picture, round(jump * n), axis) if itself else np.clip(paint, 0, 255)
        out.append(_laid_over(picture, over, cv2.GaussianBlur(share, (0, 0), 0.6)))
    return out[0], out[1]


def _spotted(rng: np.random.Generator, looks: Pair, face: Face, spoiled: bool) -> Pair:
    """Put dirt or glare on the face: as large as a pip or larger, or small."""
    radius = float(rng.uniform(0.08, 0.4) if spoiled else rng.uniform(0.02, 0.05))
    most = 0.4 if spoiled else 0.9
    at, colour = rng.uniform(-most, most, 2), float(rng.choice([20, 90, 250]))
    strength = float(rng.uniform(0.75, 1.0))
    out = []
    for picture, (middle, scale) in zip(looks, face.places, strict=True):
        y, x = np.mgrid[: len(picture), : len(picture)]
        edge = face.edge_px * scale
        away = np.hypot(x - middle[0] - at[0] * edge, y - middle[1] - at[1] * edge)
        share = strength * np.exp(-((away / (radius * edge)) ** 4))
        out.append(_laid_over(picture, np.full(3, colour), share.astype(np.float32)))
    return out[0], out[1]


def _exposed_twice(rng: np.random.Generator, looks: Pair, face: Face, spoiled: bool) -> Pair:
    way, share = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.35, 0.65))
    far = face.edge_px * float(rng.uniform(0.2, 0.6))
    out = []
    for picture, (_, scale) in zip(looks, face.places, strict=True):
        move = np.array([[1, 0, far * scale * np.cos(way)], [0, 1, far * scale * np.sin(way)]])
        other = cv2.warpAffine(picture, move, picture.shape[1::-1], borderMode=cv2.BORDER_REFLECT)
        out.append(np.asarray(cv2.addWeighted(picture, 1 - share, other, share, 0), np.uint8))
    return out[0], out[1]


def _blurred(rng: np.random.Generator, looks: Pair, face: Face, spoiled: bool) -> Pair:
    sigma = face.edge_px * float(rng.uniform(0.11, 0.3) if spoiled else rng.uniform(0.02, 0.06))
    out = [
        np.asarray(cv2.GaussianBlur(picture, (0, 0), max(sigma * scale, 0.1)), np.uint8)
        for picture, (_, scale) in zip(looks, face.places, strict=True)
    ]
    return out[0], out[1]


def _smeared(rng: np.random.Generator, looks: Pair, face: Face, spoiled: bool) -> Pair:
    """Smear the die as a movement during the exposure does."""
    length = face.edge_px * float(rng.uniform(0.28, 0.9) if spoiled else rng.uniform(0.05, 0.17))
    angle = float(rng.uniform(0, np.pi))
    out = []
    for picture, (_, scale) in zip(looks, face.places, strict=True):
        reach = max(1, int(np.ceil(length * scale / 2)))
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        for t in np.linspace(-0.5, 0.5, 4 * reach + 1) * length * scale:
            kernel[round(reach + t * np.sin(angle)), round(reach + t * np.cos(angle))] += 1
        smeared = cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT)
        out.append(np.asarray(smeared, np.uint8))
    return out[0], out[1]


def _noisy(rng: np.random.Generator, looks: Pair, face: Face, spoiled: bool) -> Pair:
    """Add the noise of a poor sensor in the dark or of a stream at a low bit rate; a person can still read the die."""
    sigma, quality = float(rng.uniform(0, 24)), int(rng.integers(10, 40))
    streamed = bool(rng.random() < 0.5)
    out = []
    for picture, (_, scale) in zip(looks, face.places, strict=True):
        noisy = picture + sigma * scale * rng.standard_normal(picture.shape, np.float32)
        noisy = np.asarray(np.clip(noisy, 0, 255), np.uint8)
        if streamed:
            _, stream = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, quality])
            noisy = np.asarray(cv2.imdecode(stream, cv2.IMREAD_COLOR), np.uint8)
        out.append(noisy)
    return out[0], out[1]


def _shadowed(rng: np.random.Generator, looks: Pair, face: Face, spoiled: bool) -> Pair:
    """Draw a hard shadow's edge through the die."""
    angle, at = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(-0.6, 0.6))
    dark = float(rng.uniform(0.3, 0.75))
    out = []
    for picture, (middle, scale) in zip(looks, face.places, strict=True):
        y, x = np.mgrid[: len(picture), : len(picture)]
        away = (x - middle[0]) * np.cos(angle) + (y - middle[1]) * np.sin(angle)
        share = dark / (1 + np.exp(-(away - at * face.edge_px * scale) / 0.6))
        out.append(_laid_over(picture, np.zeros(3), share.astype(np.float32)))
    return out[0], out[1]


def _laid_over(picture: Image, over: NDArray[np.generic], share: NDArray[np.float32]) -> Image:
    """The picture blended with `over` by its share (N, N), 0 to 1."""
    part = share[..., None]
    return np.asarray(picture * (1 - part) + over * part, np.uint8)


Way = Callable[[np.random.Generator, Pair, Face, bool], Pair]

SPOILING: tuple[Way, ...] = (_covered, _spotted, _exposed_twice, _blurred, _smeared)
SPOILING_ODDS = (0.4, 0.15, 0.15, 0.15, 0.15)
SPARING: tuple[Way, ...] = (_covered, _spotted, _blurred, _smeared, _noisy, _shadowed)
SPARING_ODDS = (0.3, 0.1, 0.15, 0.15, 0.15, 0.15)
