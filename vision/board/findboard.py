"""Board search in an ordinary picture: eight points, the corners of the playing surface and of its bar.

A net gives a heat map for each, in the picture and turned by half; unless both looks make the same sure board, it looks
at the mirrored pictures, too. One point that the others contradict, or that is covered, is put where they say. The
points must agree with a board, or there is none. The first net (`models/corners.onnx`) knows usual boards and puts
their corners best, where it sees one at once. Any other is looked for by the second (`corners_wide.onnx`), which knows
boards of every make; a board may be turned, or reach beyond the frame: see `VIEWS`. The third (`corners_squared.onnx`)
then looks at that board, seen square from above. Where none of them sees one, the fourth looks for it like the second
(`corners_cut.onnx`), which went on from that with boards that the frame cuts. `vision/training/nets/corners.py` trains
them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sentence import say
from vision.board.calibration import Board, Points
from vision.errors import BadBoard
from vision.frame import Bgr
from vision.net import Net, load_net

WIDE, HIGH, STRIDE = 320, 240, 4
POINT_MM = 41.0
"""Points of tournament boards are 39 to 44 mm wide: a surface is twelve of them and the bar."""
BAR_SHARE = (-0.01, 0.25)
"""The bar's part of the surface's width; boards have 6 to 9 %, travel boards up to 20, printed ones none. The ends of a
bar that is a mere line may seem to have changed places."""
ASPECT = (0.5, 1.4)
"""Height over width of the surface; boards for tables have 0.72 to 0.85, folding ones up to 1.1, and pictures are
stretched."""
MIRRORED = {
    None: [0, 1, 2, 3, 4, 5, 6, 7], 1: [1, 0, 3, 2, 5, 4, 7, 6], 0: [3, 2, 1, 0, 7, 6, 5, 4],
    -1: [2, 3, 0, 1, 6, 7, 4, 5],
}  # fmt: skip
"""By OpenCV's code of a mirroring, which point each one becomes."""
USUAL_BAR_SHARE, USUAL_ASPECT, USUAL_SURE = (0.03, 0.16), (0.55, 1.15), 0.25
"""The same for the first net, which has learned no others, and the least heat of all its points."""
BAR_STEP = 0.01
BAR_SHARES = tuple(np.arange(0.0, 0.25, BAR_STEP).tolist())
AT_ONCE, AT_ONCE_OFF = 0.6, 2.0
"""Two looks are enough where all points are hotter than the first, nearer to where a flat board has them than the
second, in the net's pixels, and not APART: on 241 of 257 rendered boards, on no photograph of 249 without a board."""
HOPELESS = 2 / 3
"""Part of the least heat: where the first look has less, the others are left out. Boards found had 0.8 at least."""
OUTLIER = 6.4
"""In the net's pixels, 320 in the picture's width: a point so far from where the others put it is not believed."""
APART = 3.8
"""In the net's pixels: the four looks put all points but one closer together than this, on rendered boards than half
of it; where there is no board, hardly ever."""
SURE, SURE_TURNED = 0.45, 0.6
"""The least heat of all points but one, 0 to 1, of a board that lies as usual and of one that is turned. Of 42 real
boards the palest had 0.53; of 87 photographs without a board one shows 0.5, turned."""
SURE_CUT = 0.55
"""The least heat of all points but one that the fourth net sees. Of 22 boards of real pictures that no other net sees
none has less, upright or turned; a photograph without a board has 0.45."""
GIVEN_ASPECT = (0.3, 2.0)
"""The height over the width by corners that a person gives: whoever taps knows better, what is beyond is a slip."""
SQUARED, BAR_SURE = 0.82, 0.45
"""Of the board seen square from above: the part of the net's picture that it fills, and the least heat of the bar's
corners; none of 70 painted boards of families held out has less."""
OUTLIER_CLOSER = 4.0
"""The same as OUTLIER where the board is seen square from above."""
DARK, BRIGHT = 0.15, 0.3
"""Of the brightest colour of each pixel, the median, 0 to 1: in a picture darker than the first a board is looked for
after its shadows were made as bright as the second, and as it is if none is found then."""
LIT, LIT_SHARE = 0.9, 0.99
"""At last such a picture is made brighter until the second's share of its pixels is no brighter than the first."""
GREY = (114, 114, 114)
"""Around the picture, as in the pictures learned from."""

MODELS = Path(__file__).parents[1] / "models"
USUAL, WIDE_MODEL, SQUARED_MODEL, CUT_MODEL = (
    MODELS / f"{name}.onnx" for name in ("corners", "corners_wide", "corners_squared", "corners_cut")
)


@dataclass(frozen=True, slots=True)
class View:
    """A way to look at the picture: turned clockwise by `turn_deg`, and smaller than the net's by `zoom`."""

    turn_deg: float = 0.0
    zoom: float = 1.0

    @property
    def sure(self) -> float:
        """The least heat of the points that makes a board."""
        return SURE_TURNED if self.turn_deg else SURE


UPRIGHT = (View(), View(zoom=0.78))
HALF_A_QUARTER = (View(45.0), View(-45.0))
"""The net finds boards that are turned by up to 30 degrees, and none that are turned more."""
VIEWS = (
    UPRIGHT[0], View(90.0), UPRIGHT[1], View(90.0, 0.78), *HALF_A_QUARTER,
    View(zoom=0.88), View(90.0, 0.88),
)  # fmt: skip
"""In this order: as it is and turned by a quarter, both with room for corners beyond the frame, turned by half a
quarter; at last with less room, as the looks agree on some boards at one size only. With more room (0.66) a row of
points without a board becomes one."""


class BoardFinder:
    """The corner nets, loaded once; not for several threads at a time."""

    def __init__(self, usual: Path = USUAL, wide: Path = WIDE_MODEL) -> None:
        self._usual, self._wide, self._squared, self._cut = map(
            load_net, (usual, wide, SQUARED_MODEL, CUT_MODEL)
        )

    def find(self, bgr: Bgr, views: Sequence[View] = VIEWS) -> Board | None:
        """The board in a picture (H, W, 3) uint8, None where there is none to be sure of.

        The corners of a board that is turned begin with the one that is its top left when it is turned back.
        """
        for lit in _lights(bgr):
            if (board := self._in_this_light(lit, views)) is not None:
                return board
        return None

    def _in_this_light(self, bgr: Bgr, views: Sequence[View]) -> Board | None:
        """The board in a picture as it is."""
        usual, at_once = self._find_usual(bgr)
        if usual is not None and at_once:
            return usual
        board = _seen_by(self._wide, bgr, views) or usual or _seen_by(self._cut, bgr, views, SURE_CUT)
        return replace(self._closer(bgr, board), unfamiliar=True) if board is not None else None

    def with_bar(self, bgr: Bgr, board: Board) -> Board:
        """The board, whose corners a person gave, with its bar as wide as the picture (H, W, 3) uint8 shows it.

        Where the third net is not sure the board stays as it is.
        """
        points, heat, onto = self._looks_squared(bgr, board)
        left, right = cv2.perspectiveTransform(np.array([board.corners_px[:2]]), onto)[0, :, 0]
        x = points[4:, 0]
        share = float(x[1] - x[0] + x[2] - x[3]) / 2 / (right - left)
        if heat[4:].min() < BAR_SURE or not BAR_SHARE[0] <= share <= BAR_SHARE[1]:
            return board
        return replace(board, bar_mm=max(share, 0.0) * board.surface_mm[0])

    def _looks_squared(
        self, bgr: Bgr, board: Board
    ) -> tuple[Points, NDArray[np.float32], NDArray[np.float64]]:
        """The eight points (8, 2) that the third net sees in the board square from above, how hot each is (8,), and the
        way (3, 3) there from the picture.
        """
        seen, onto = squared(bgr, np.array(board.corners_px), board.surface_mm[1] / board.surface_mm[0])
        planes = np.ascontiguousarray(seen.transpose(2, 0, 1), np.float32) / np.float32(255)
        looks = [_look(self._squared, planes, np.eye(2, 3), way) for way in MIRRORED]
        return np.median([at for at, _ in looks], 0), np.median([heat for _, heat in looks], 0), onto

    def _find_usual(self, bgr: Bgr) -> tuple[Board | None, bool]:
        """The board that the first net sees, and whether two looks of it were enough."""
        board, at_once = _board_by(self._usual, bgr, UPRIGHT[0], USUAL_SURE, may_be_cold=0)
        if board is None:
            return None, False
        w, h = board.surface_mm
        usual = (
            USUAL_BAR_SHARE[0] <= board.bar_mm / w <= USUAL_BAR_SHARE[1]
            and USUAL_ASPECT[0] <= h / w <= USUAL_ASPECT[1]
        )
        return (board, at_once) if usual else (None, False)

    def _closer(self, bgr: Bgr, board: Board) -> Board:
        """The board with the corners that the third net sees in it, square from above.

        Where that net is not sure, or they do not lie as a board's do, the board stays as it is.
        """
        points, heat, onto = self._looks_squared(bgr, board)
        if np.sort(heat)[1] < SURE:
            return board
        try:
            agreed = agreeing(points, OUTLIER_CLOSER)
            there = cv2.perspectiveTransform(agreed[None], np.linalg.inv(onto))[0]
            return board_from_points(board.image_size, there)
        except BadBoard:
            return board


def _seen_by(net: Net, bgr: Bgr, views: Sequence[View], least: float = 0.0) -> Board | None:
    """The board that a net sees in the first of these views in which it sees one with at least this heat."""
    looks = (_board_by(net, bgr, view, max(view.sure, least), may_be_cold=1)[0] for view in views)
    return next((board for board in looks if board is not None), None)


def _board_by(net: Net, bgr: Bgr, view: View, sure: float, may_be_cold: int) -> tuple[Board | None, bool]:
    """The board that a net sees, and whether two looks were enough.

    None where its points are cold, all but so many, or looks or points disagree.
    """
    canvas, onto = _canvas(bgr, view)
    planes = np.ascontiguousarray(canvas.transpose(2, 0, 1), np.float32) / np.float32(255)
    back, unit = np.asarray(cv2.invertAffineTransform(onto), np.float64), 1 / _fit(bgr, view)
    looks: list[tuple[Points, NDArray[np.float32]]] = []

    def seen_by(*ways: int | None) -> tuple[Points, NDArray[np.float32], NDArray[np.float64]]:
        looks.extend(_look(net, planes, back, way) for way in ways)
        places, heats = np.array([at for at, _ in looks]), np.array([heat for _, heat in looks])
        points = np.median(places, 0)
        apart = np.median(np.linalg.norm(places - points, axis=2), 0)
        return points, np.sort(np.median(heats, 0)), np.sort(apart) / unit

    if seen_by(None)[1][may_be_cold] < HOPELESS * sure:
        return None, False
    points, heat, spread = seen_by(-1)
    if heat[0] > max(AT_ONCE, sure) and spread[-1] < APART / 2:
        board = _board_of(bgr, points, unit, AT_ONCE_OFF)
        if board is not None:
            return board, True
    points, heat, spread = seen_by(1, 0)
    if heat[may_be_cold] < sure or spread[-2] > APART:
        return None, False
    return _board_of(bgr, points, unit), False


def squared(bgr: Bgr, corners: Points, aspect: float) -> tuple[Bgr, NDArray[np.float64]]:
    """The picture (240, 320, 3) in which these corners (4, 2) are a rectangle's, `aspect` times as high as wide.

    Also the way (3, 3) there from the picture's pixels.
    """
    wide = SQUARED * min(WIDE, HIGH / aspect)
    high = wide * aspect
    left, top = (WIDE - wide) / 2, (HIGH - high) / 2
    there = np.array([(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)])
    smaller = 1.0
    while math.sqrt(cv2.contourArea((smaller * corners).astype(np.float32)) / (wide * high)) >= 2:
        bgr = np.asarray(
            cv2.resize(bgr, (bgr.shape[1] // 2, bgr.shape[0] // 2), interpolation=cv2.INTER_AREA)
        )
        smaller /= 2
    onto = cv2.getPerspectiveTransform((smaller * corners).astype(np.float32), there.astype(np.float32))
    seen = cv2.warpPerspective(bgr, onto, (WIDE, HIGH), borderValue=GREY)
    return np.asarray(seen, np.uint8), np.asarray(onto @ np.diag([smaller, smaller, 1.0]), np.float64)


def _board_of(bgr: Bgr, points: Points, unit: float, most_off: float = math.inf) -> Board | None:
    """The board of eight points, None where they disagree, or one by more than `most_off` units of so many pixels."""
    try:
        agreed = agreeing(points, OUTLIER * unit)
        if 2 * float(np.linalg.norm(agreed - points, axis=1).max()) > most_off * unit:
            return None
        return board_from_points((bgr.shape[1], bgr.shape[0]), agreed)
    except BadBoard:
        return None


def _look(
    net: Net, planes: NDArray[np.float32], back: NDArray[np.float64], way: int | None
) -> tuple[Points, NDArray[np.float32]]:
    """The eight points (8, 2), surface first, in pixels by `back` (2, 3), and how hot each is (8,), in one look.

    `planes` (3, 240, 320) are seen as they are, or mirrored by OpenCV's code `way`.
    """
    seen = planes[:, :: -1 if way in (0, -1) else 1, :: -1 if way in (1, -1) else 1]
    at, heat = _peaks(net(np.ascontiguousarray(seen[None]))[0][MIRRORED[way]])
    at = at * STRIDE
    if way in (1, -1):
        at[:, 0] = WIDE - at[:, 0]
    if way in (0, -1):
        at[:, 1] = HIGH - at[:, 1]
    return at @ back[:, :2].T + back[:, 2], heat


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)


def _fit(bgr: Bgr, view: View) -> float:
    """How many of the net's pixels one of the picture's is wide, so that all of the turned picture is seen."""
    h, w = bgr.shape[:2]
    turn = math.radians(view.turn_deg)
    c, s = abs(math.cos(turn)), abs(math.sin(turn))
    return float(view.zoom * min(WIDE / (w * c + h * s), HIGH / (w * s + h * c)))


def _lights(bgr: Bgr) -> Iterator[Bgr]:
    """The lights in which a board is looked for: a dark picture with brighter shadows, as it is, and made brighter
    throughout, which keeps its contrasts.
    """
    blue, green, red = np.moveaxis(bgr[::8, ::8], 2, 0)
    brightest = np.maximum(np.maximum(blue, green), red)
    median = float(np.median(brightest)) / 255
    if median >= DARK:
        yield bgr
        return
    gamma = math.log(BRIGHT) / math.log(max(median, 1 / 255))
    levels = np.arange(256) / 255
    yield _relit(bgr, levels**gamma)
    yield bgr
    gain = LIT / max(float(np.quantile(brightest, LIT_SHARE)) / 255, 1 / 255)
    if gain > 1:
        yield _relit(bgr, np.minimum(levels * gain, 1))


def _relit(bgr: Bgr, curve: NDArray[np.float64]) -> Bgr:
    """The picture with each level as a curve of 256 values, 0 to 1, has it."""
    return np.asarray(cv2.LUT(bgr, np.rint(255 * curve).astype(np.uint8)), np.uint8)


def _canvas(bgr: Bgr, view: View) -> tuple[Bgr, NDArray[np.float64]]:
    """The net's picture (240, 320, 3), and the way (2, 3) from the picture's pixels to its own."""
    h, w = bgr.shape[:2]
    fit = _fit(bgr, view)
    size = (max(1, round(w * fit)), max(1, round(h * fit)))
    if w >= 4 * size[0] and h >= 4 * size[1]:  # halving first takes a third of the time
        bgr = np.asarray(cv2.resize(bgr, (w // 2, h // 2), interpolation=cv2.INTER_AREA), np.uint8)
    small = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA)
    scale = np.diag([size[0] / w, size[1] / h])
    if view.turn_deg == 0:
        left, top = (WIDE - size[0]) // 2, (HIGH - size[1]) // 2
        below, right = HIGH - size[1] - top, WIDE - size[0] - left
        canvas = cv2.copyMakeBorder(small, top, below, left, right, cv2.BORDER_CONSTANT, value=GREY)
        return np.asarray(canvas, np.uint8), np.c_[scale, [left, top]].astype(np.float64)
    c, s = math.cos(math.radians(view.turn_deg)), math.sin(math.radians(view.turn_deg))
    turn = np.array([[c, -s], [s, c]])
    move = np.array([WIDE, HIGH]) / 2 - turn @ (np.array(size) / 2)
    by_index = move + (turn @ (0.5, 0.5)) - 0.5  # OpenCV's pixels have their middle at whole numbers
    turned = cv2.warpAffine(small, np.c_[turn, by_index], (WIDE, HIGH), borderValue=GREY)
    return np.asarray(turned, np.uint8), np.c_[turn @ scale, move]


def agreeing(points: Points, outlier_px: float) -> Points:
    """The eight points (8, 2), in pixels, moved half the way to the flat board with the best fitting bar.

    Half the way only, as a lens bends straight lines; an outlier moves the whole way.

    Raises:
        BadBoard: more than one point is an outlier.
    """
    best, of_best, start = (math.inf, points), math.nan, _bar_share(_in_unit_square(points))
    for share in sorted(BAR_SHARES, key=lambda one: abs(one - start)):
        if abs(share - start) > abs(of_best - start) + 1.1 * BAR_STEP:
            break  # both neighbours of the best were worse, and no point is an outlier
        bar = [(0.5 + side * share / 2, y) for y in (0, 1) for side in (-1, 1)]
        flat = np.array([(0, 0), (1, 0), (1, 1), (0, 1), bar[0], bar[1], bar[3], bar[2]], np.float64)
        onto, _ = cv2.findHomography(flat, points, cv2.RANSAC, outlier_px / 2)
        if onto is None:
            continue
        there = cv2.perspectiveTransform(flat[None], onto)[0]
        away = np.linalg.norm(there - points, axis=1)
        off = float(np.minimum(away, 2 * outlier_px).sum())
        if off < best[0]:
            best, of_best = (off, there), share if away.max() < outlier_px / 2 else math.nan
    far = np.linalg.norm(best[1] - points, axis=1) > outlier_px
    if far.sum() > 1 or best[0] == math.inf:
        raise BadBoard(say("The points found do not lie as a board’s do."))
    return np.asarray(np.where(far[:, None], best[1], (best[1] + points) / 2), np.float64)


def _peaks(logits: NDArray[np.float32]) -> tuple[Points, NDArray[np.float32]]:
    """Peaks of maps (N, h, w): x and y (N, 2) in cells, to a fraction, and their heat (N,), 0 to 1.

    A peak is the mean over the 5x5 around the maximum, or what of them the map has.
    """
    n, h, w = logits.shape
    each = np.arange(n)
    i, j = np.divmod(logits.reshape(n, -1).argmax(1), w)
    rows, columns = (np.maximum(at - 2, 0)[:, None] + np.arange(5) for at in (i, j))
    inside = (rows < h)[:, :, None] & (columns < w)[:, None]
    near = logits[
        each[:, None, None], np.minimum(rows, h - 1)[:, :, None], np.minimum(columns, w - 1)[:, None]
    ]
    weights = np.where(inside, _sigmoid(near).astype(np.float64) ** 2, 0.0)
    total = weights.sum((1, 2))
    x, y = (weights.sum(1) * columns).sum(1), (weights.sum(2) * rows).sum(1)
    return np.stack([x / total, y / total], 1) + 0.5, _sigmoid(logits[each, i, j])


def _in_unit_square(points: Points) -> Points:
    """The bar's four of eight points (8, 2), where the surface's four are the corners of the unit square."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    flat = cv2.getPerspectiveTransform(points[:4].astype(np.float32), unit)
    return np.asarray(cv2.perspectiveTransform(points[None, 4:].astype(np.float64), flat)[0], np.float64)


def _bar_share(on: Points) -> float:
    """The bar's part of the surface's width, of its corners (4, 2) in the unit square."""
    return float((on[1, 0] - on[0, 0] + on[2, 0] - on[3, 0]) / 2)


def board_from_points(size: tuple[int, int], points: Points) -> Board:
    """The board with these eight points (8, 2), in a picture of `size` (width, height).

    Raises:
        BadBoard: the points do not fit a board.
    """
    on = _in_unit_square(points)
    share = _bar_share(on)
    level = float(np.abs(on[:, 1] - [0, 0, 1, 1]).max())
    middle = float(
        np.abs(on[:, 0] - [0.5 - share / 2, 0.5 + share / 2, 0.5 + share / 2, 0.5 - share / 2]).max()
    )
    if not BAR_SHARE[0] <= share <= BAR_SHARE[1] or level > 0.06 or middle > 0.05:
        raise BadBoard(say("The points found do not lie as a board’s do."))
    return _board(size, points[:4].tolist(), max(share, 0.0), ASPECT)


def board_from_corners(
    size: tuple[int, int], corners: Sequence[Sequence[float]], bar_share: float = 1 / 13
) -> Board:
    """The board with these four corners of the surface, in pixels; the bar is assumed to be as wide as a point.

    They go clockwise from the picture's top left; if they begin with the opposite one, they are taken from there on.
    `BoardFinder.with_bar` takes the bar from the picture; `bar_share` is its part of the surface's width.

    Raises:
        BadBoard: the corners describe no board.
    """
    if len(corners) == 4 and all(corners[0][axis] > corners[2][axis] for axis in (0, 1)):
        corners = [*corners[2:], *corners[:2]]
    return replace(_board(size, corners, bar_share, GIVEN_ASPECT), unfamiliar=True)


def _board(
    size: tuple[int, int], corners: Sequence[Sequence[float]], bar_share: float, aspects: tuple[float, float]
) -> Board:
    if len(corners) != 4:
        raise BadBoard(say("A board has four corners."))
    width = 12 * POINT_MM / (1 - bar_share)
    sides = [math.dist(corners[i], corners[(i + 1) % 4]) for i in range(4)]
    if sides[0] + sides[2] <= 0:
        raise BadBoard(say("The corners lie all on one spot."))
    aspect = (sides[1] + sides[3]) / (sides[0] + sides[2])
    if not aspects[0] <= aspect <= aspects[1]:
        raise BadBoard(
            say(
                "The corners enclose a field {aspect} times as high as wide; boards have 0.7 to 0.9.",
                aspect=f"{aspect:.2f}",
            )
        )
    points = tuple((float(p[0]), float(p[1])) for p in corners)
    return Board(size, points, (width, width * aspect), width * bar_share)
