"""Moves dice of a rendered board within its picture: onto checkers, onto other dice, and flat beside checkers.

Few throws come to rest on checkers and on dice, and the rendering of one board takes half a minute. A flat die is cut
out and put where it would look the same: at the same distance from the point below the camera, rotated around it. Its
shadow is estimated, in the same way as for dice on the floor, so that it reveals nothing.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.rendered.scenes import Image, TrueDie
from vision.training.samples.sample import (
    Sample,
    board_dice,
    load_picture,
    project,
    seen_along,
    turn_of,
    upper_normal,
)

Array = NDArray[np.float64]

APART_MM = 24.0
"""Least distance between the middles of two unrelated dice."""
KINDS = (*("on_checker",) * 3, "on_die", *("flat", "flat beside a checker", "flat beside a die") * 4)
TRIES = 150
SAME_VIEW = 0.06
"""Largest difference between the tangents of the two places' viewing angles, from the vertical."""
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class Place:
    """A place for a die: its middle on the board in millimetres, x, y and z, and its rest there."""

    at_mm: tuple[float, float, float]
    rest: str


def read_moved(
    folder: Path, rng: np.random.Generator, times: int, each: int, whole: bool = False
) -> list[Sample]:
    """From every board of a folder with known checkers, `times` pictures with up to `each` moved dice.

    Args:
        whole: the samples have all visible dice, not the moved ones alone.
    """
    out = []
    for name, image, known in boards_with_checkers(folder):
        for _ in range(times):
            changed, dice = moved(image, known, rng, each)
            others = tuple(d for d in board_dice(known) if whole and not _hidden(d, dice))
            if dice:
                out.append(Sample(changed, dice + others, "moved", name))
    return out


def boards_with_checkers(folder: Path) -> Iterator[tuple[str, Image, dict[str, Any]]]:
    """Name, picture (H, W, 3) uint8 and truth of every board of a folder whose truth has the checkers' places."""
    for truth in sorted(folder.glob("*.json")):
        known = json.loads(truth.read_text())
        if "checkers_mm" in known:
            yield truth.stem, load_picture(truth.with_suffix(".jpg")), known


def _hidden(die: TrueDie, above: tuple[TrueDie, ...]) -> bool:
    """Whether one of the others was put onto this die."""
    x, y = die.centre_px
    return any(np.hypot(x - d.centre_px[0], y - d.centre_px[1]) < 0.75 * die.width_px for d in above)


def moved(
    image: Image, known: dict[str, Any], rng: np.random.Generator, most: int
) -> tuple[Image, tuple[TrueDie, ...]]:
    """The picture with up to `most` dice moved, and those dice."""
    flat = lying_alone(known)
    if not flat:
        return image, ()
    out, dice, taken = image.copy(), [], [np.array(d["centre_mm"][:2]) for d in known["dice"]]
    shadow = some_shadow(rng)
    for kind in rng.choice(KINDS, TRIES):
        source = flat[int(rng.integers(len(flat)))]
        place = free_place(kind, source, known, flat, np.array(taken), rng)
        pose = None if place is None else _pose(source, place, known)
        if pose is None:
            continue
        assert place is not None
        dice.append(_put(out, image, source, place, pose, known, shadow, rng))
        taken.append(np.array(place.at_mm[:2]))
        if len(dice) == most:
            break
    return out, tuple(dice)


def lying_alone(known: dict[str, Any]) -> list[dict[str, Any]]:
    """The flat dice of a truth file with no other die near them."""
    at = np.array([d["centre_mm"][:2] for d in known["dice"]])
    return [
        d
        for k, d in enumerate(known["dice"])
        if d["state"] == "flat" and d["in_view"] and _alone(at[k], np.delete(at, k, 0))
    ]


def outline(die: dict[str, Any], known: dict[str, Any]) -> Array:
    """The corners (8, 2) of a truth file's die in the picture, in pixels."""
    body = CORNERS * die["size_mm"] @ turn_of(die["quat_wxyz"]).T
    return project(known["camera"], np.array(die["centre_mm"]) + body)


def some_shadow(rng: np.random.Generator) -> tuple[Array, float]:
    """The offset (2,) of a picture's shadows, in widths of a die, and their darkness, 0 to 1."""
    angle = rng.uniform(0, 2 * np.pi)
    return rng.uniform(0.1, 0.5) * np.array([np.cos(angle), np.sin(angle)]), float(rng.uniform(0.15, 0.6))


def _alone(at: Array, others: Array) -> bool:
    return len(others) == 0 or float(np.linalg.norm(others - at, axis=1).min()) > APART_MM


def free_place(
    kind: str,
    source: dict[str, Any],
    known: dict[str, Any],
    flat: list[dict[str, Any]],
    taken: Array,
    rng: np.random.Generator,
) -> Place | None:
    """A random free place of that kind; None if the attempt failed."""
    field, half = known["board_mm"], source["size_mm"] / 2
    checkers = np.array(known["checkers_mm"]).reshape(-1, 3)
    radius = field["checker_d"] / 2
    way = rng.uniform(0, 2 * np.pi)
    aside = np.array([np.cos(way), np.sin(way)])
    other = flat[int(rng.integers(len(flat)))]
    beside = np.array(other["centre_mm"][:2])
    checker = checkers[int(rng.integers(len(checkers)))] if len(checkers) else None
    alone, z = 0, half  # number of dice allowed near, height of the middle
    if kind in ("on_die", "flat beside a die"):
        if other is source:
            return None
        at, alone = beside + aside * rng.uniform(0, 0.8) * half, 1
        z = other["centre_mm"][2] + other["size_mm"] / 2 + half
        if kind != "on_die":
            at, z = beside + aside * (half + other["size_mm"] / 2) * rng.uniform(1.25, 1.6), half
    elif kind == "flat":
        at = rng.uniform(-0.5, 0.5, 2) * (field["W"], field["H"])
    elif checker is None or _covered(checker, checkers, radius):
        return None
    elif kind == "on_checker":
        at, z = (
            checker[:2] + aside * radius * np.sqrt(rng.uniform(0, 0.9)),
            checker[2] + field["checker_t"] + half,
        )
    else:
        at = checker[:2] + aside * (radius + half * rng.uniform(1.0, 2.4))
    over = len(checkers) and np.linalg.norm(checkers[:, :2] - at, axis=1).min() < radius + 1.05 * half
    inside = abs(at[0]) < field["W"] / 2 - 1.5 * half and abs(at[1]) < field["H"] / 2 - 1.5 * half
    if (z == half and over) or not inside or abs(at[0]) < field["bar_w"] / 2 + 1.5 * half:
        return None
    return (
        Place((float(at[0]), float(at[1]), float(z)), kind.split()[0]) if _near(at, taken) <= alone else None
    )


def _covered(checker: Array, checkers: Array, radius: float) -> bool:
    """Whether another checker is on top of this one."""
    here = np.linalg.norm(checkers[:, :2] - checker[:2], axis=1) < radius
    return bool(checker[2] < checkers[here, 2].max())


def _near(at: Any, taken: Array) -> int:
    return int((np.linalg.norm(taken - np.asarray(at), axis=1) < APART_MM).sum())


def _pose(source: dict[str, Any], place: Place, known: dict[str, Any]) -> tuple[Array, float] | None:
    """The rotation around the vertical (3, 3) for an unchanged look of the die, and its angle in rad; None if none."""
    eye = np.array(known["camera"]["centre_mm"])
    was, will = np.array(source["centre_mm"][:2]) - eye[:2], np.array(place.at_mm[:2]) - eye[:2]
    far = [
        np.linalg.norm(v) / (eye[2] - z) for v, z in ((was, source["centre_mm"][2]), (will, place.at_mm[2]))
    ]
    if abs(far[0] - far[1]) > SAME_VIEW:
        return None
    angle = float(np.arctan2(will[1], will[0]) - np.arctan2(was[1], was[0]))
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]), angle


def laid(
    out: Image,
    die: Image,
    mask: NDArray[np.uint8],
    at_px: tuple[int, int],
    shadow: tuple[Array, float],
    width_px: float,
) -> None:
    """Draw a die and its shadow into `out`, in place, the upper left corner of the die's picture at `at_px`.

    Args:
        mask: (h, w), 255 on the die in its picture (h, w, 3).
        shadow: see `some_shadow`.
        width_px: the die's edge.
    """
    h, w = mask.shape
    x, y = at_px
    cover = cv2.GaussianBlur(mask, (0, 0), 0.6)[..., None].astype(np.float32) / 255
    shift = np.array([[1, 0, 0], [0, 1, 0]], np.float64)
    shift[:, 2] = shadow[0] * width_px
    dark = cv2.GaussianBlur(cv2.warpAffine(cover, shift, (w, h)), (0, 0), 0.08 * width_px)[..., None]
    under = out[y : y + h, x : x + w] * (1 - shadow[1] * dark)
    out[y : y + h, x : x + w] = np.clip(under * (1 - cover) + die * cover, 0, 255).astype(np.uint8)


def _put(
    out: Image,
    image: Image,
    source: dict[str, Any],
    place: Place,
    pose: tuple[Array, float],
    known: dict[str, Any],
    shadow: tuple[Array, float],
    rng: np.random.Generator,
) -> TrueDie:
    """Draw the die at the place into `out`; returns its truth."""
    camera = known["camera"]
    body = CORNERS * source["size_mm"] @ turn_of(source["quat_wxyz"]).T
    before = outline(source, known)
    after = project(camera, np.array(place.at_mm) + body @ pose[0].T)
    way, _ = cv2.estimateAffine2D(before, after)
    h, w = out.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    cv2.fillConvexPoly(
        mask, np.round(cv2.convexHull(before.astype(np.float32)) * 16).astype(np.int32), 255, 8, 4
    )
    edge = max(3, round(source["width_px"] * 0.22) | 1)
    round_brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (edge, edge))
    mask = cv2.morphologyEx(cv2.erode(mask, np.ones((2, 2), np.uint8)), cv2.MORPH_OPEN, round_brush)
    x0, y0 = np.maximum(after.min(0) - source["width_px"], 0).astype(int)
    x1, y1 = np.minimum(after.max(0) + source["width_px"], (w, h)).astype(int)
    way[:, 2] -= (x0, y0)
    size = (int(x1 - x0), int(y1 - y0))
    die = cv2.warpAffine(image, way, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpAffine(mask, way, size, flags=cv2.INTER_LINEAR)
    laid(out, die, cover, (int(x0), int(y0)), shadow, source["width_px"])
    face = np.array(source["top_face_px"]) @ way[:, :2].T + way[:, 2] + (x0, y0)
    centre = face.mean(0)
    own = pose[0] @ upper_normal(source["quat_wxyz"])
    return TrueDie(
        int(source["value"]),
        (float(centre[0]), float(centre[1])),
        float(np.linalg.norm(face - np.roll(face, 1, 0), axis=1).mean()),
        place.rest,
        float(source["tilt_deg"]),
        float(source["value_margin_deg"]),
        seen_along(camera, place.at_mm, np.array([0, 0, 1.0])),
        seen_along(camera, place.at_mm, own),
    )
