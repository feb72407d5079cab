"""Pictures that are kept show the board and nobody who sits at it: where a frame is cut."""

from collections.abc import Sequence
from typing import TypeAlias

Box: TypeAlias = tuple[int, int, int, int]
"""x0, y0, x1, y1 in the frame's pixels, the last two not included."""

RIM = 0.06
"""Part of the board's width that is kept around its playing surface: the rims, and dice that lie on them."""
REACH = 0.2
"""Dice that have left the board are kept, too, as far as this part of the board's width from it."""
AROUND = 3.0
"""Where no board is known, so many times a die's size is kept around the dice."""


def cut_of(
    size: tuple[int, int], corners: Sequence[Sequence[float]] | None, dice: Sequence[Sequence[float]]
) -> Box | None:
    """Where to cut a frame, by the board in it, else by the dice; None: there is nothing to be kept.

    Args:
        size: width and height of the frame, pixels.
        corners: of the playing surface in the frame; None where no board is known.
        dice: their boxes, x0, y0, x1, y1.
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


def moved(box: Sequence[float], cut: Box | None) -> tuple[float, float, float, float]:
    """A box of the frame in the picture that was cut out of it."""
    x0, y0, x1, y1 = (round(float(edge), 1) for edge in box)
    if cut is None:
        return x0, y0, x1, y1
    left, top = cut[:2]
    return round(x0 - left, 1), round(y0 - top, 1), round(x1 - left, 1), round(y1 - top, 1)
