"""Throws as reports of the camera, with a drawn picture of the dice that a test chooses."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.camera.eye import Saw
from vision.board.calibration import Board
from vision.dice.reading import DiceReading, DieReading, Half
from vision.frame import Bgr, Frame
from vision.watch.watcher import LiftedSeen, ThrowSeen

PLACES = ((60, 120), (380, 90))
"""The top left corner of each die in the picture, in pixels."""
SIZE = 120
SPOTS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
"""The places with a spot, of the nine places on a face."""
OTHER_HALF: dict[Half, Half] = {"left": "right", "right": "left"}
RIGHT_HAND: dict[str, Half] = {"south": "right", "north": "left"}
"""The right-hand half of each side, where its throw has to land."""


def lifted() -> Saw:
    """A report that the dice were lifted."""
    return Saw(LiftedSeen(drawn(())), None)


def throw(
    faces: tuple[int | None, ...],
    halves: tuple[Half, Half],
    why: str = "",
    chances: Mapping[int, float] | None = None,
) -> Saw:
    """A report of up to two dice at rest, each in its half of the board.

    Args:
        faces: from left to right; None is an unread die.
        halves: the half of each die, unless `why` concerns halves.
        why: the reason of docs/PROTOCOL.md to bring about: the first die's rest, split_halves or wrong_half.
        chances: those of the numbers of an unread die; the numbers that are left out share the rest.
    """
    first, second = halves
    if why == "wrong_half":
        first, second = OTHER_HALF[first], OTHER_HALF[second]
    if why == "split_halves":
        second = OTHER_HALF[second]
    dice: list[DieReading] = []
    for face, (x, y), half in zip(faces, PLACES, (first, second), strict=False):
        rest: Any = why if not dice and why not in ("", "wrong_half", "split_halves") else "flat"
        box = (float(x), float(y), float(x + SIZE), float(y + SIZE))
        middle = (x + SIZE / 2, y + SIZE / 2)
        in_half = None if rest == "off_board" else half
        read = DieReading(face, 0.99, box, middle, None, 0.0, rest, in_half, rest != "off_board")
        dice.append(replace(read, chances=_chances(chances)) if chances and face is None else read)
    frame = drawn(faces)
    done, jpeg = cv2.imencode(".jpg", frame.bgr)
    assert done, "OpenCV encodes every picture of three channels"
    return Saw(ThrowSeen(DiceReading(tuple(dice), doubt=False, board_found=True), frame), jpeg.tobytes())


def in_picture(faces: tuple[int | None, ...], bgr: Bgr, board: Board | None) -> Saw:
    """A report of dice in the right half of this picture, whatever it shows."""
    saw = throw(faces, ("right", "right"))
    assert isinstance(saw.seeing, ThrowSeen)
    whole = ThrowSeen(saw.seeing.reading, Frame(bgr, 1.0, 1))
    return Saw(saw.seeing, saw.jpeg, whole, board)


def _chances(given: Mapping[int, float]) -> tuple[float, ...]:
    rest = (1 - sum(given.values())) / (6 - len(given))
    return tuple(given.get(number, rest) for number in range(1, 7))


def drawn(faces: tuple[int | None, ...]) -> Frame:
    """A picture of dice with these faces, (360, 640, 3) uint8 BGR."""
    bgr = np.full((360, 640, 3), (70, 92, 40), np.uint8)
    for face, (x, y) in zip(faces, PLACES, strict=False):
        cv2.rectangle(bgr, (x + 10, y + 10), (x + 110, y + 110), (225, 240, 245), -1)
        for spot in SPOTS.get(face or 0, ""):
            at = (x + 32 + 28 * (int(spot) % 3), y + 32 + 28 * (int(spot) // 3))
            cv2.circle(bgr, at, 10, (40, 30, 30), -1, cv2.LINE_AA)
    return Frame(bgr, 0.0, 0)
