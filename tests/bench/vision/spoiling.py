"""Pictures of throws as nobody would send them: half a die covered, moved while it was taken, exposed twice.

Made apart from what the nets learn from (`vision/training/samples/spoiled.py`), on the whole picture and before it is
scaled.
"""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from vision.frame import Bgr

Spoiling = Callable[[Bgr, dict[str, Any], np.random.Generator], Bgr]
PAPER, SKIN = (238, 236, 232), (125, 160, 205)


def _any_die(known: dict[str, Any], rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """The middle of an upper face in the picture and its edge, in pixels."""
    die = known["dice"][int(rng.integers(len(known["dice"])))]
    return np.array(die["top_centre_px"], float), float(die["width_px"])


def _painted(bgr: Bgr, mask: np.ndarray, over: np.ndarray) -> Bgr:
    share = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 1.0)[..., None]
    return np.asarray(bgr * (1 - share) + over * share, np.uint8)


def paper_over_half(bgr: Bgr, known: dict[str, Any], rng: np.random.Generator) -> Bgr:
    """A sheet whose edge runs through a die's upper face."""
    (x, y), edge = _any_die(known, rng)
    angle, off = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(-0.1, 0.2)) * edge
    rows, columns = np.mgrid[: bgr.shape[0], : bgr.shape[1]]
    across = (columns - x) * np.cos(angle) + (rows - y) * np.sin(angle) - off
    along = (rows - y) * np.cos(angle) - (columns - x) * np.sin(angle)
    return _painted(bgr, (across > 0) & (across < 160) & (np.abs(along) < 90), np.array(PAPER))


def finger_over_half(bgr: Bgr, known: dict[str, Any], rng: np.random.Generator) -> Bgr:
    """A finger's tip on a die's upper face."""
    middle, edge = _any_die(known, rng)
    angle = float(rng.uniform(0, 2 * np.pi))
    way = np.array([np.cos(angle), np.sin(angle)])
    mask = np.zeros(bgr.shape[:2], np.uint8)
    begins = middle + way * edge * float(rng.uniform(-0.1, 0.2) + 0.9)
    tip, root = begins, begins + way * 8 * edge
    for n in np.linspace(0, 1, 40):
        at = tip + (root - tip) * n
        cv2.circle(mask, tuple(np.round(at).astype(int).tolist()), round(0.9 * edge), 1, -1)
    return _painted(bgr, mask, np.array(SKIN))


def exposed_twice(bgr: Bgr, known: dict[str, Any], rng: np.random.Generator) -> Bgr:
    """Two pictures in one, a third of a die apart."""
    _, edge = _any_die(known, rng)
    angle = float(rng.uniform(0, 2 * np.pi))
    move = np.array([[1, 0, np.cos(angle) * edge / 3], [0, 1, np.sin(angle) * edge / 3]])
    other = cv2.warpAffine(bgr, move, bgr.shape[1::-1], borderMode=cv2.BORDER_REFLECT)
    return np.asarray(cv2.addWeighted(bgr, 0.5, other, 0.5, 0), np.uint8)


def moved(bgr: Bgr, known: dict[str, Any], rng: np.random.Generator) -> Bgr:
    """By a quarter of a die while it was taken."""
    _, edge = _any_die(known, rng)
    angle, half = float(rng.uniform(0, np.pi)), edge / 8
    reach = int(np.ceil(half))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    ends = [
        tuple(np.round(reach + s * half * np.array([np.cos(angle), np.sin(angle)])).astype(int).tolist())
        for s in (-1, 1)
    ]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(bgr, -1, kernel / kernel.sum()), np.uint8)


def out_of_focus(bgr: Bgr, known: dict[str, Any], rng: np.random.Generator) -> Bgr:
    """By a tenth of a die."""
    _, edge = _any_die(known, rng)
    return np.asarray(cv2.GaussianBlur(bgr, (0, 0), edge / 10), np.uint8)


def noisy(bgr: Bgr, known: dict[str, Any], rng: np.random.Generator) -> Bgr:
    """As in the dark: 25 of 255."""
    return np.asarray(np.clip(bgr + rng.normal(0, 25, bgr.shape), 0, 255), np.uint8)


def of_few_bits(bgr: Bgr, known: dict[str, Any], rng: np.random.Generator) -> Bgr:
    """A JPEG of quality 10."""
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 10])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


SPOILINGS: dict[str, Spoiling] = {
    "paper over half a die": paper_over_half,
    "a finger over half a die": finger_over_half,
    "exposed twice": exposed_twice,
    "moved by a quarter of a die": moved,
    "out of focus by a tenth of a die": out_of_focus,
    "noise of 25": noisy,
    "JPEG of quality 10": of_few_bits,
}
