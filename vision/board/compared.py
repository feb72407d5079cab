"""A board's known place, compared with the one found in a picture."""

import math
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
    here = known.for_picture(found.image_size)
    turned = [found.corners_px[k:] + found.corners_px[:k] for k in (0, 2)]  # which end is which is not seen
    return min(max(map(math.dist, corners, here.corners_px)) for corners in turned)


def is_elsewhere(known: Board, found: Board) -> bool:
    """Whether a board was found too far from its known place; errors as for `away_px`."""
    here = known.for_picture(found.image_size)
    return away_px(known, found) > ELSEWHERE * here.px_per_mm() * here.point_mm


def recognised(known: Board, found: Board | None) -> Board:
    """The known board, which is familiar if a familiar one was found in its place; errors as for `away_px`.

    A board whose corners were given, by a person or a file, is as good to read on as one found there.
    """
    if not known.unfamiliar or found is None or found.unfamiliar or is_elsewhere(known, found):
        return known
    return replace(known, unfamiliar=False)
