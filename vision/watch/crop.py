"""Crops the picture of a throw to the board, so that a kept picture shows nobody who sits at it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from vision.board.calibration import Board
from vision.dice.reading import DieReading
from vision.frame import Frame
from vision.watch.watcher import ThrowSeen

Box: TypeAlias = tuple[int, int, int, int]
"""x0, y0, x1, y1 in the frame's pixels; x1 and y1 are exclusive."""

RIM = 0.06
"""Margin around the playing surface, in widths of the board: keeps the rims and dice that rest on them."""
REACH = 0.2
"""Dice outside the board are kept up to this distance, in widths of the board."""
AROUND = 3.0
"""Margin around the dice if no board is known, in widths of a die."""


def cropped(throw: ThrowSeen, board: Board | None) -> ThrowSeen | None:
    """The throw with its frame cropped to the board, and its dice in pixels of the cropped frame.

    Args:
        throw: the watcher's report.
        board: the board in its frame; None: the surroundings of the dice are kept.

    Returns:
        None if nothing of the frame may be kept.

    Raises:
        BadBoard: the board belongs to pictures of other proportions.
    """
    frame, dice = throw.frame, throw.reading.dice
    corners = board.for_picture(frame.size_px).corners_px if board else None
    box = crop_box(frame.size_px, corners, [die.box_px for die in dice])
    if box is None:
        return None
    x0, y0, x1, y1 = box
    part = Frame(frame.bgr[y0:y1, x0:x1], frame.at_s, frame.number)
    return ThrowSeen(replace(throw.reading, dice=tuple(_shifted(die, x0, y0) for die in dice)), part)


def _shifted(die: DieReading, x: int, y: int) -> DieReading:
    """The die in coordinates of a cropped picture whose corner was at this pixel."""
    x0, y0, x1, y1 = die.box_px
    centre = die.centre_px[0] - x, die.centre_px[1] - y
    return replace(die, box_px=(x0 - x, y0 - y, x1 - x, y1 - y), centre_px=centre)


def crop_box(
    size: tuple[int, int], corners: Sequence[Sequence[float]] | None, dice: Sequence[Sequence[float]]
) -> Box | None:
    """The part of a frame to keep, around the board, else around the dice; None if there is nothing to keep.

    Args:
        size: width and height of the frame, pixels.
        corners: the playing surface's corners (x, y) in pixels; None if no board is known.
        dice: their boxes, x0, y0, x1, y1, in pixels.
    """
    if corners is not None:
        xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
        wide = max(xs) - min(xs)
        margin = RIM * wide
        near = [box for box in dice if _within(box, xs, ys, REACH * wide)]
        xs += [edge for box in near for edge in (box[0], box[2])]
        ys += [edge for box in near for edge in (box[1], box[3])]
    elif dice:
        xs = [edge for box in dice for edge in (box[0], box[2])]
        ys = [edge for box in dice for edge in (box[1], box[3])]
        margin = AROUND * max(box[2] - box[0] for box in dice)
    else:
        return None
    x0, y0 = max(0, int(min(xs) - margin)), max(0, int(min(ys) - margin))
    x1, y1 = min(size[0], int(max(xs) + margin) + 1), min(size[1], int(max(ys) + margin) + 1)
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _within(box: Sequence[float], xs: Sequence[float], ys: Sequence[float], reach: float) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return min(xs) - reach <= x <= max(xs) + reach and min(ys) - reach <= y <= max(ys) + reach
