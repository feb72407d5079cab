"""The camera, where its lens is not known, from the sides that its dice show.

A die that lies flat shows more of its sides the further it is from the camera's axis and the closer the camera is. The
reading net says how much each die shows (`Look.own_up`); the board, seen by a camera, says how much it should
(`Board.up`). The camera with which both agree best is looked for.

One throw says its focal length: phones have 0.65 to 0.8 picture widths, webcams 0.8, cropped streams and pictures from
afar 1.2 to 3. It says it badly, and a die that leans bends it. The throws of a game, most of which lie flat, say it
better, and on a board of an unknown make also where the camera's axis meets the picture, which is not the middle of one
that was cut, and how wide its pixels are, which are not square in one that was stretched. What is not usual counts
against a camera, and so does a board whose sides would not be square to each other
(docs/adr/0101-a-game-says-where-its-camera-is.md).

The reading net is told the board's up, and what is wrong with that is found again in part in what it says. On boards
that are not familiar that part is taken off first (docs/adr/0100-what-the-net-was-told-is-taken-off.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import USUAL_CAMERA, Board, Distortion, Pinhole, SeenThrough, matrices
from vision.dice.faces import Seen

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Usual:
    """Cameras that are tried, and what is usual.

    Attributes:
        focals: focal lengths, in picture widths.
        middle: the usual one of them.
        spread: how far a camera is from it: a standard deviation of the logarithm.
        stretches: see `Pinhole.stretch`.
        offsets: of the axis from the picture's middle, to either side and up and down, in picture widths.
        known_sd: standard deviation of up at the surface's corners, at most, with which the camera is known.
        least_dice: so many dice have to have said it then, as one that leans may not decide.
    """

    focals: tuple[float, ...]
    middle: float
    spread: float
    stretches: tuple[float, ...] = (0.0,)
    offsets: tuple[float, ...] = (0.0,)
    known_sd: float = 0.05
    least_dice: int = 8

    @property
    def may_be_cut(self) -> bool:
        """Whether the picture may have been cut or stretched."""
        return len(self.offsets) > 1

    @cached_property
    def cameras(self) -> Array:
        """Those that are tried, a `Pinhole` a row, (C, 4), the focal length as its logarithm."""
        return _grid(np.log(self.focals), self.stretches, self.offsets, self.offsets)

    def cost(self, cameras: Array) -> Array:
        """Twice the negative logarithm of the chance of each of these cameras (C, 4), up to a constant."""
        log_focal, stretch, right, down = cameras.T
        cost = ((log_focal - np.log(self.middle)) / self.spread) ** 2
        if self.may_be_cut:
            square = np.exp(-((stretch / STRETCH_SD) ** 2) / 2) / STRETCH_SD
            cost -= 2 * np.log((1 - STRETCHED) * square + STRETCHED / STRETCH_WIDTH)
            cost += (right**2 + down**2) / AXIS_SD**2
        return np.asarray(cost, np.float64)


def _grid(*values: Sequence[float] | Array) -> Array:
    """All combinations of these values, one a row."""
    return np.stack([one.ravel() for one in np.meshgrid(*values, indexing="ij")], 1).astype(np.float64)


STRETCH_SD, STRETCHED, STRETCH_WIDTH = 0.06, 0.2, 0.24
"""Pixels are nearly square, with this standard deviation, but in one picture of five (the second), where any stretch in
a range of 0.6 is as likely: that is √2π times the third."""
AXIS_SD = 0.1
"""Standard deviation of the axis from the picture's middle, in picture widths."""
FOCALS = tuple(np.geomspace(0.4, 5.0, 51).tolist())
FAMILIAR, UNFAMILIAR = Usual(FOCALS, middle=0.85, spread=0.5), Usual(FOCALS, middle=1.1, spread=0.7)
UNFAMILIAR_GAME = Usual(
    tuple(np.geomspace(0.45, 5.0, 12).tolist()),
    middle=1.1,
    spread=0.7,
    stretches=(-0.25, -0.1, 0.0, 0.1, 0.25),
    offsets=(-0.2, -0.1, 0.0, 0.1, 0.2),
    known_sd=0.07,
    least_dice=6,
)
"""What is tried for one throw on a board of a known make and of another, and for a game on one of another make."""
FINER, REACH = 5, 1.5
LEAST_REACH: Array = np.array([0.11, 0.05, 0.05, 0.05]) * 0.5 ** np.arange(4)[:, None]
"""A game's camera is looked for more finely then, four times: so many values of each number are tried about what was
found, this many standard deviations to either side, at least as far as the third says."""
SHAPE, SHAPE_SD, ACROSS_SD = float(np.log(0.78)), 0.12, 0.03
"""A board's height over its width, as a logarithm, and its standard deviation; and that of the cosine of the angle
between its sides, as corners are marked or found."""
UP_SD, UP_SD_STRANGE, TOLD = 0.06, 0.12, 0.4
"""Standard deviation of a die's own up about the board's, on a familiar board and on others; and the part of what is
wrong with the board's up that is found again in the own up, on others. Of 306 flat dice on rendered boards the own up
is off by 0.025, of those on painted boards of families held out, with the told part taken off, by 0.09."""
MOST = 9.0
"""The square of how many standard deviations are the most that count, so that a die that leans does not decide for the
others."""
PLAIN, NUMBERED = 0.9, 0.5
"""Least chances of a die, and of its number, that is asked."""
KEPT = 60
"""So many of the last dice of a game say its camera."""


class Shown(NamedTuple):
    """A die's own up, as it shows it: its place in the picture, up there, and the standard deviation of that."""

    x: float
    y: float
    up_x: float
    up_y: float
    sd: float


class Fit:
    """What dice say of the camera of a board whose lens is not known."""

    def __init__(self, board: Board, shown: Sequence[Shown], usual: Usual) -> None:
        self._board, self._shown = board, np.array(shown, np.float64).reshape(-1, 5)
        self._usual, self._cameras = usual, usual.cameras
        self._seen = _seen_through(board, self._cameras)
        self._bare = self._usual.cost(self._cameras) + self._of_shape(self._seen)
        self._of_dice = self._costs(self._seen)

    def _of_shape(self, seen: SeenThrough) -> Array | float:
        """What the board's shape adds to the cost of cameras."""
        if not self._usual.may_be_cut:
            return 0.0
        shape, across = (seen.shape - SHAPE) / SHAPE_SD, seen.across / ACROSS_SD
        return np.minimum(shape**2, MOST) + np.minimum(across**2, MOST)

    def _costs(self, seen: SeenThrough) -> Array:
        """What each die adds to the cost of each camera, (C, N)."""
        places, ups, sds = self._shown[:, :2], self._shown[:, 2:4], self._shown[:, 4:]
        off = (((ups - self._board.up_from(places, seen.eyes_mm)) / sds) ** 2).sum(2)
        return np.asarray(np.minimum(off, MOST), np.float64)

    @cached_property
    def camera(self) -> Pinhole:
        """The camera that all dice say."""
        return _pinhole(_mean(self._cameras, self._bare + self._of_dice.sum(1))[0])

    def finely(self) -> tuple[Pinhole, float]:
        """The same, looked for more finely, and the standard deviation of up at the surface's corners."""
        cameras, cost = self._cameras, self._bare + self._of_dice.sum(1)
        for least in LEAST_REACH:
            middle, sd = _mean(cameras, cost)
            cameras = self._about(middle, np.maximum(REACH * sd, least))
            seen = _seen_through(self._board, cameras)
            cost = self._usual.cost(cameras) + self._of_shape(seen) + self._costs(seen).sum(1)
        return _pinhole(_mean(cameras, cost)[0]), self._up_sd(seen, cost)

    def _about(self, middle: Array, reach: Array) -> Array:
        """Cameras about one (4,), as far as `reach` (4,) to either side in what is not the same for all."""
        varied = np.ptp(self._cameras, 0) > 0
        steps = np.linspace(-1, 1, FINER)
        return _grid(
            *(at + steps * far if v else [at] for at, far, v in zip(middle, reach, varied, strict=True))
        )

    def _up_sd(self, seen: SeenThrough, cost: Array) -> float:
        """Standard deviation of up at the surface's corners, over cameras of this cost."""
        ups = self._board.up_from(np.array(self._board.corners_px), seen.eyes_mm)
        chances = _chances(cost)[:, None, None]
        spread = (chances * (ups - (chances * ups).sum(0)) ** 2).sum(0)
        return float(np.sqrt(spread.sum(1).mean()))

    def up_by_others(self, die: int) -> Array:
        """Up (2,) at a die on the board, seen by the camera that the other dice say."""
        camera, _ = _mean(self._cameras, self._bare + np.delete(self._of_dice, die, 1).sum(1))
        eyes = _seen_through(self._board, camera[None]).eyes_mm
        return np.asarray(self._board.up_from(self._shown[[die], :2], eyes)[0, 0], np.float64)


def _seen_through(board: Board, cameras: Array) -> SeenThrough:
    """The board as these cameras (C, 4) have it, the focal length as its logarithm."""
    return board.seen_through(matrices(np.c_[np.exp(cameras[:, 0]), cameras[:, 1:]], board.image_size))


def _chances(cost: Array) -> Array:
    chances = np.exp((cost.min() - cost) / 2)
    return np.asarray(chances / chances.sum(), np.float64)


def _mean(cameras: Array, cost: Array) -> tuple[Array, Array]:
    """Mean and standard deviation (4,) of these cameras (C, 4), whose cost this is."""
    chances = _chances(cost)
    middle = chances @ cameras
    return middle, np.sqrt(chances @ (cameras - middle) ** 2)


def _pinhole(camera: Array) -> Pinhole:
    log_focal, *others = camera.tolist()
    return Pinhole(float(np.exp(log_focal)), *others)


@dataclass(frozen=True)
class CameraEstimate:
    """What throws have said of a camera; nothing at first.

    Attributes:
        shown: what their dice have shown.
        camera: what they say of it.
        is_known: whether they say it well enough.
    """

    shown: tuple[Shown, ...] = ()
    camera: Pinhole = USUAL_CAMERA
    is_known: bool = False

    def with_dice(self, board: Board, seen: Sequence[Seen]) -> "CameraEstimate":
        """What is known with these looks at one more throw, on a board whose lens is not known, read with `self`."""
        shown = (*self.shown, *shown_on(self.as_read(board), seen))[-KEPT:]
        if not shown:
            return self
        usual = UNFAMILIAR_GAME if board.unfamiliar else FAMILIAR
        camera, up_sd = Fit(board, shown, usual).finely()
        return CameraEstimate(shown, camera, up_sd <= usual.known_sd and len(shown) >= usual.least_dice)

    def as_read(self, board: Board) -> Board:
        """The board as it is read: through a lens of this camera once that is known."""
        return with_lens(board, self.camera) if self.is_known else board


UNKNOWN = CameraEstimate()
"""What is known of a camera of which nothing was seen."""


def _is_plain(one: Seen) -> bool:
    return one.look.die >= PLAIN and max(one.look.values) >= NUMBERED


def _shown(board: Board, one: Seen) -> Shown:
    """What a die shows, less what the net was told of it: the up of the board with which it was looked at."""
    (x, y), (up_x, up_y) = (one.spot.x, one.spot.y), one.look.own_up
    if not board.unfamiliar:
        return Shown(x, y, up_x, up_y, UP_SD)
    told_x, told_y = board.up(np.array([(x, y)]))[0].tolist()
    left = 1 - TOLD
    return Shown(x, y, (up_x - TOLD * told_x) / left, (up_y - TOLD * told_y) / left, UP_SD_STRANGE)


def shown_on(board: Board, seen: Sequence[Seen]) -> list[Shown]:
    """What the plain dice among these looks show, with the up of this board."""
    return [_shown(board, one) for one in seen if _is_plain(one)]


def with_camera(board: Board, seen: Sequence[Seen]) -> Board:
    """The board seen by the camera that these looks say; as it is with a lens, or where they show no plain die."""
    return camera_of(board, (), seen)[0]


def camera_of(board: Board, asked: Sequence[Seen], seen: Sequence[Seen]) -> tuple[Board, list[float]]:
    """The board as `with_camera` has it; and how far the own up of each of some dice is from where the others have it.

    A die that leans fits a camera that it bends itself, hardly one that the other dice say: there its up is away by the
    sine of its lean.

    Args:
        board: the board, with whose up the dice were looked at.
        asked: the dice of which that is asked.
        seen: spots and looks, those of `asked` among them.
    """
    plain = [one.spot for one in seen if _is_plain(one)]
    usual = UNFAMILIAR if board.unfamiliar else FAMILIAR
    fit = None if board.distortion is not None or not plain else Fit(board, shown_on(board, seen), usual)
    found = board if fit is None else replace(board, camera=fit.camera)

    def away(one: Seen) -> float:
        shown = _shown(board, one)
        if fit is not None and one.spot in plain and len(plain) > 1:
            up = fit.up_by_others(plain.index(one.spot))
        else:
            up = (board if one.spot in plain else found).up(np.array([shown[:2]]))[0]
        return float(np.hypot(shown.up_x - up[0], shown.up_y - up[1]))

    return found, [away(one) for one in asked]


def with_lens(board: Board, camera: Pinhole) -> Board:
    """The board seen through a lens of this camera, which bends no line."""
    a, b, c = camera.matrix(board.image_size).tolist()
    return replace(board, distortion=Distortion((tuple(a), tuple(b), tuple(c)), (0.0,) * 5))
