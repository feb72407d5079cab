"""A board's known place, compared with the one found in a picture."""

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.board.calibration import Board

ELSEWHERE = 0.45
"""Distance of a corner from where it is known to be, in points' widths, from which on the board is elsewhere.

On 223 rendered boards none is found further off than 0.3; of 30 real ones, whose corners were marked by eye, three in
four are within 0.41. From about 0.45 on points are read surely wrong.
"""


def away_px(known: Board, found: Board) -> float:
    """How far the corner found furthest from its known place is from it; the board found may be turned by half.

    Raises:
        BadBoard: the known board belongs to pictures of other proportions.
    """
    return _away_px(known, found, (0, 2))  # which end is which is not seen


def is_elsewhere(known: Board, found: Board) -> bool:
    """Whether a board was found too far from its known place; errors as for `away_px`."""
    return away_px(known, found) > _most_px(known, found)


def is_turned(known: Board, found: Board) -> bool:
    """Whether a board was found in its known place, but turned by a quarter, as where the corners given begin at the
    wrong one; errors as for `away_px`.
    """
    return _away_px(known, found, (1, 3)) <= _most_px(known, found)


def _away_px(known: Board, found: Board, quarters: Sequence[int]) -> float:
    """`away_px` of the board found, turned by one of these numbers of quarters."""
    here = known.for_picture(found.image_size)
    turned = [found.corners_px[k:] + found.corners_px[:k] for k in quarters]
    return min(max(map(math.dist, corners, here.corners_px)) for corners in turned)


def _most_px(known: Board, found: Board) -> float:
    """The distance from which on a board is elsewhere."""
    here = known.for_picture(found.image_size)
    return ELSEWHERE * here.px_per_mm() * here.point_mm


def recognised(known: Board, found: Board | None) -> Board:
    """The known board, which is familiar if a familiar one was found in its place; errors as for `away_px`.

    A board whose corners were given, by a person or a file, is as good to read on as one found there.
    """
    if not known.unfamiliar or found is None or found.unfamiliar or is_elsewhere(known, found):
        return known
    return replace(known, unfamiliar=False)
