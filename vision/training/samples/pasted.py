"""Puts real dice on rendered boards: cut out of photographs and put on the surface, beside checkers and on them.

Only rendered boards give a die's support, and only photographs without a board show real dice. A photograph's die
rests flat on its table, so that its own “up”, given by the reading net, is the table's: the die is put where the
board's camera would see it from the same side, rotated and scaled. A thin border of its old table comes along, the
same at every place, so that it reveals nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.faces import PipReader
from vision.dice.finder import Spot
from vision.pyramid import Halves
from vision.training.rendered.scenes import Image, TrueDie
from vision.training.samples.moved import (
    Place,
    boards_with_checkers,
    free_place,
    laid,
    lying_alone,
    outline,
    some_shadow,
)
from vision.training.samples.sample import Sample, cut, project, seen_along

Array = NDArray[np.float64]

KINDS = ("on_checker", "flat", "flat beside a checker")
TRIES = 100
SAME_VIEW, SAME_VIEW_ALIKE = 0.12, 0.05
"""Largest difference between the lengths of “up” in the photograph and on the board; the second where the net gets the
board's own “up”, relative to which a die seen from another side leans (0.09 is five degrees)."""
FACE_RADIUS = 0.62
"""In edges: radius cut out around the middles of the upper face and of the one below; corners are rounded."""
LEAST_PX = 14.0
OWN_PLACE = 0.25
"""In widths: a look that ends farther away is at something else."""


@dataclass(frozen=True, slots=True)
class RealDie:
    """A die in a photograph; it is flat and `own_up` is its table's."""

    image: Image
    die: TrueDie


def with_up(photographs: Sequence[Sample], reader: PipReader) -> list[Sample]:
    """The photographs with the reading net's “up” for each die; dice that the net misreads keep none."""
    out = []
    for sample in photographs:
        picture = Halves(sample.image)
        dice = [_with_own_up(die, picture, reader) if die.width_px > 0 else die for die in sample.dice]
        out.append(replace(sample, dice=tuple(dice)))
    return out


def _with_own_up(die: TrueDie, picture: Halves, reader: PipReader) -> TrueDie:
    seen = reader.look(picture, [Spot(*die.centre_px, die.width_px, 1.0)])[0]
    away = np.hypot(seen.spot.x - die.centre_px[0], seen.spot.y - die.centre_px[1])
    same = away < OWN_PLACE * die.width_px and int(np.argmax(seen.look.values)) + 1 == die.value
    return replace(die, up=seen.look.own_up, own_up=seen.look.own_up) if same else die


def real_dice(photographs: Sequence[Sample]) -> list[RealDie]:
    """The dice with a known “up” that are at least `LEAST_PX` wide."""
    return [
        RealDie(sample.image, die)
        for sample in photographs
        for die in sample.dice
        if die.up is not None and die.width_px >= LEAST_PX
    ]


def read_pasted(
    folder: Path, real: Sequence[RealDie], rng: np.random.Generator, times: int, each: int
) -> list[Sample]:
    """From every board of a folder with known checkers, `times` pictures with up to `each` real dice."""
    out = []
    for name, image, known in boards_with_checkers(folder):
        for _ in range(times):
            changed, dice = pasted(image, known, real, rng, each)
            if dice:
                out.append(Sample(changed, dice, "pasted", name))
    return out


def pasted(
    image: Image, known: dict[str, Any], real: Sequence[RealDie], rng: np.random.Generator, most: int
) -> tuple[Image, tuple[TrueDie, ...]]:
    """The picture with up to `most` real dice put onto the board, and those dice."""
    flat = lying_alone(known)
    if not flat or not real:
        return image, ()
    out, dice, taken = image.copy(), [], [np.array(d["centre_mm"][:2]) for d in known["dice"]]
    shadow = some_shadow(rng)
    for kind in rng.choice(KINDS, TRIES):
        like = flat[int(rng.integers(len(flat)))]
        place = free_place(kind, like, known, flat, np.array(taken), rng)
        if place is None:
            continue
        die = real[int(rng.integers(len(real)))]
        found = _put(out, die, place, float(like["size_mm"]), known, shadow, SAME_VIEW)
        if found is not None:
            dice.append(found)
            taken.append(np.array(place.at_mm[:2]))
        if len(dice) == most:
            break
    return out, tuple(dice)


def replaced(
    image: Image, known: dict[str, Any], real: Sequence[RealDie], rng: np.random.Generator
) -> tuple[Image, list[int]] | None:
    """The picture of a throw with a real die in place of each die, and their values.

    None if one of the dice is not level on the surface or a checker, or no real die was seen from the same side.
    """
    if any(d["state"] not in ("flat", "on_checker") for d in known["dice"]):
        return None
    hidden = np.zeros(image.shape[:2], np.uint8)
    for d in known["dice"]:
        cv2.fillConvexPoly(hidden, cv2.convexHull(np.int32(np.round(outline(d, known)))), 255)
    hidden = np.asarray(cv2.dilate(hidden, np.ones((9, 9), np.uint8)), np.uint8)
    out = np.asarray(cv2.inpaint(image, hidden, 5, cv2.INPAINT_TELEA), np.uint8)
    shadow, values = some_shadow(rng), []
    for d in known["dice"]:
        x, y, z = d["centre_mm"]
        place = Place((x, y, z), d["state"])
        tried = (real[k] for k in rng.permutation(len(real)))
        die = next(
            filter(
                None, (_put(out, one, place, d["size_mm"], known, shadow, SAME_VIEW_ALIKE) for one in tried)
            ),
            None,
        )
        if die is None:
            return None
        values.append(die.value)
    return out, values


def _put(
    out: Image,
    real: RealDie,
    place: Place,
    size_mm: float,
    known: dict[str, Any],
    shadow: tuple[Array, float],
    same_view: float,
) -> TrueDie | None:
    """Draw the die at the place into `out`; returns its truth, None if the board is seen from another side or ends.

    The truth's “up” is the die's own, so that the die is flat.
    """
    camera, die = known["camera"], real.die
    assert die.own_up is not None
    face = np.add(place.at_mm, (0, 0, size_mm / 2))
    up, own = np.array(seen_along(camera, face.tolist(), np.array([0, 0, 1.0]))), np.array(die.own_up)
    if abs(np.hypot(*up) - np.hypot(*own)) > same_view:
        return None
    px = project(camera, face + np.array([[0, 0, 0], [1.0, 0, 0], [0, 1.0, 0]]))
    edge_px = float(size_mm * np.sqrt(abs(np.linalg.det(px[1:] - px[0]))))
    x, y = (round(float(v)) for v in px[0])
    half = round(1.6 * edge_px)
    h, w = out.shape[:2]
    if not (half < x < w - half and half < y < h - half):
        return None
    turn = float(np.arctan2(up[1], up[0]) - np.arctan2(own[1], own[0]))
    c, s = np.cos(turn), np.sin(turn)
    own = np.array([[c, -s], [s, c]]) @ own
    patch = cut(real.image, die.centre_px, edge_px / die.width_px, turn, 2 * half + 1)
    laid(out, patch, _cover(own, edge_px, 2 * half + 1), (x - half, y - half), shadow, edge_px)
    as_seen = (float(own[0]), float(own[1]))
    return TrueDie(die.value, (float(x), float(y)), edge_px, place.rest, 0.0, 90.0, as_seen, as_seen)


def _cover(own_up: Array, edge_px: float, size: int) -> NDArray[np.uint8]:
    """The die's mask (size, size) in a square around the middle of its upper face: that face and the lowest, joined."""
    way = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = FACE_RADIUS * edge_px * np.stack([np.cos(way), np.sin(way)], 1) + (size - 1) / 2
    both = np.concatenate([circle, circle - own_up * edge_px]).astype(np.float32)
    mask = np.zeros((size, size), np.uint8)
    cv2.fillConvexPoly(mask, np.round(cv2.convexHull(both) * 16).astype(np.int32), 255, 8, 4)
    return mask
