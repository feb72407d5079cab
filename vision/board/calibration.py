"""Mapping between pixels and millimetres on the board.

The board frame: origin in the middle of the playing surface, X to the right and Y up as the picture shows them, in mm
on the surface itself. The playing surface is the whole field between the rims, the bar included, the trays excluded.
Pixel coordinates put the middle of the top left pixel at (0.5, 0.5).
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from sentence import say, say_n
from vision.errors import BadBoard
from vision.frame import same_shape

Points: TypeAlias = NDArray[np.float64]
"""(N, 2) float64: x, y."""
MOST_SIDE_PX, MOST_SIDE_MM = 65_535, 10_000
"""The largest side of a JPEG, and a board ten metres wide: larger values are mistakes in the file."""
LEAST_FOCAL, MOST_FOCAL = 0.2, 30.0
"""Focal lengths in picture widths, of views of 136 degrees, which a pinhole model hardly describes, and of 2."""
LENS_OFF = 0.01
"""In picture widths: how far a corner may be from where it was after its lens was taken away and put back."""


USUAL_FOCAL = 0.8
"""Focal length in picture widths where nothing is known of the camera: a view of 64 degrees, as webcams have."""


class Pinhole(NamedTuple):
    """A camera whose lens bends no line; lengths are in picture widths.

    Attributes:
        focal: the focal length, the geometric mean of that across and that down.
        stretch: half the natural logarithm of how much wider than high the picture shows a square before the camera.
        right: how far to the right of the picture's middle the camera's axis is; elsewhere in a picture that was cut.
        down: how far below the picture's middle it is.
    """

    focal: float = USUAL_FOCAL
    stretch: float = 0.0
    right: float = 0.0
    down: float = 0.0

    def matrix(self, size: tuple[int, int]) -> NDArray[np.float64]:
        """The matrix (3, 3) for pictures of this width and height, in pixels."""
        return np.asarray(matrices(np.array([self], np.float64), size)[0], np.float64)


def matrices(cameras: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    """The matrices (C, 3, 3) of cameras (C, 4), a `Pinhole` a row, for pictures of this width and height, in pixels."""
    w, h = size
    focal, stretch, right, down = cameras.T
    out = np.zeros((len(cameras), 3, 3))
    out[:, 0, 0], out[:, 1, 1] = w * focal * np.exp(stretch), w * focal * np.exp(-stretch)
    out[:, 0, 2], out[:, 1, 2], out[:, 2, 2] = w / 2 + w * right, h / 2 + w * down, 1
    return out


USUAL_CAMERA = Pinhole()


@dataclass(frozen=True, slots=True)
class Distortion:
    """A lens: its matrix, row by row, and k1, k2, p1, p2, k3 of OpenCV's pinhole model."""

    matrix: tuple[tuple[float, float, float], ...]
    coefficients: tuple[float, float, float, float, float]


class SeenThrough(NamedTuple):
    """A board as each of some lenses has it.

    Attributes:
        eyes_mm: the camera's position in the board frame, (L, 3): x, y and height over the surface.
        shape: natural logarithm of the surface's height over its width, (L,).
        across: cosine of the angle between its sides, (L,).
    """

    eyes_mm: NDArray[np.float64]
    shape: NDArray[np.float64]
    across: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Board:
    """Place of the board in the picture.

    Attributes:
        image_size: width and height of the picture in which the corners were marked.
        corners_px: of the playing surface, clockwise from the picture's top left.
        surface_mm: width (left to right in the picture) and height of the playing surface.
        bar_mm: width of the bar.
        distortion: the lens, None for a picture without distortion.
        unfamiliar: the lens is not known, and nothing says that the board is one of those which the nets for dice were
            trained on: it was not found at once by the net that knows only these, or its corners were given and have
            not been compared with a picture yet; see `vision/board/compared.py`.
        camera: what is taken for the camera where `distortion` is None; see `vision/dice/flat/camera.py`.
        doubted: dice are judged as if the lens were not known, though it may be.

    Raises:
        BadBoard: the corners describe no board, or a length is not positive.
    """

    image_size: tuple[int, int]
    corners_px: tuple[tuple[float, float], ...]
    surface_mm: tuple[float, float]
    bar_mm: float
    distortion: Distortion | None = None
    unfamiliar: bool = False
    camera: Pinhole = USUAL_CAMERA
    doubted: bool = False
    _to_mm: Points = field(init=False, repr=False, compare=False)
    _to_px: Points = field(init=False, repr=False, compare=False)
    _eye_mm: Points = field(init=False, repr=False, compare=False)
    """The camera's position in the board frame, (3,): x, y and height over the surface."""

    def __post_init__(self) -> None:
        _check(self)
        w, h = self.surface_mm
        ideal = np.array([[-w / 2, h / 2], [w / 2, h / 2], [w / 2, -h / 2], [-w / 2, -h / 2]], np.float32)
        seen = self._straight(np.array(self.corners_px, np.float64)).astype(np.float32)
        matrix = np.asarray(cv2.getPerspectiveTransform(seen, ideal), np.float64)
        object.__setattr__(self, "_to_mm", matrix)
        object.__setattr__(self, "_to_px", np.linalg.inv(matrix))
        known = self.distortion
        lens = self.camera.matrix(self.image_size) if known is None else np.array(known.matrix)
        object.__setattr__(self, "_eye_mm", self.seen_through(lens[None]).eyes_mm[0])

    @property
    def trusts_lens(self) -> bool:
        """Whether the lens is known, and dice are judged by it."""
        return self.distortion is not None and not self.doubted

    def _straight(self, points_px: Points) -> Points:
        if self.distortion is None or not len(points_px):
            return points_px
        k, d = np.array(self.distortion.matrix), np.array(self.distortion.coefficients)
        flat = cv2.undistortPoints(points_px.reshape(-1, 1, 2), k, d, P=k)
        return np.asarray(flat, np.float64).reshape(-1, 2)

    def to_mm(self, points_px: Points) -> Points:
        """Pixels (N, 2) to millimetres (N, 2) on the surface."""
        points = _mapped(self._to_mm, self._straight(np.asarray(points_px, np.float64).reshape(-1, 2)))
        return np.asarray(points[:, :2] / points[:, 2:], np.float64)

    def to_px(self, points_mm: Points) -> Points:
        """Millimetres (N, 2) on the surface to pixels (N, 2)."""
        points = _mapped(self._to_px, np.asarray(points_mm, np.float64).reshape(-1, 2))
        straight = points[:, :2] / points[:, 2:]
        if self.distortion is None or not len(straight):
            return np.asarray(straight, np.float64)
        k, d = np.array(self.distortion.matrix), np.array(self.distortion.coefficients)
        rays = _mapped(np.linalg.inv(k), straight).reshape(-1, 1, 3)
        bent, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), k, d)
        return np.asarray(bent, np.float64).reshape(-1, 2)

    def lowered(self, points_mm: Points, height_mm: float) -> Points:
        """True places of points (N, 2) that are `height_mm` above the surface and appear on it, in millimetres (N, 2).

        A camera sees the edges of the board from inside, so high points appear further out. How far depends on its
        height: on the lens, or `camera`.
        """
        eye = self._eye_mm
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return np.asarray(eye[:2] + (points - eye[:2]) * (1 - height_mm / eye[2]), np.float64)

    def up(self, points_px: Points) -> Points:
        """Direction of “up” in the picture at these places (N, 2), as (N, 2) without unit: the displacement of a point
        1 mm above a place over that of a point 1 mm beside it; zero right under the camera."""
        return np.asarray(self.up_from(points_px, self._eye_mm[None])[0], np.float64)

    def up_from(self, points_px: Points, eyes_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same seen from each of these positions (E, 3) of the camera instead of the board's: (E, N, 2)."""
        on = self.to_mm(points_px)
        raised = on + (on - eyes_mm[:, None, :2]) / eyes_mm[:, None, 2:]
        near = np.concatenate([on, np.add(on, (1, 0)), np.add(on, (0, 1)), raised.reshape(-1, 2)])
        seen = self.to_px(near)
        here, right, ahead = seen[: 3 * len(on)].reshape(3, -1, 2)
        u, v = right - here, ahead - here
        scale = np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))
        above = seen[3 * len(on) :].reshape(len(eyes_mm), -1, 2)
        return np.asarray((above - here) / scale[:, None], np.float64)

    def seen_through(self, lenses: NDArray[np.float64]) -> "SeenThrough":
        """Where the camera is, and how its lens has the board's shape, with each of these matrices (L, 3, 3)."""
        down = (self._to_px[1] - lenses[:, 1, 2, None] * self._to_px[2]) / lenses[:, 1, 1, None]
        right = self._to_px[0] - lenses[:, 0, 1, None] * down - lenses[:, 0, 2, None] * self._to_px[2]
        ahead = np.broadcast_to(self._to_px[2], down.shape)
        columns = np.stack([right / lenses[:, 0, 0, None], down, ahead], 1)
        long = np.linalg.norm(columns, axis=1)
        w, h = self.surface_mm
        shape = np.log(long[:, 1] / long[:, 0] * (h / w))
        across = (columns[..., 0] * columns[..., 1]).sum(1) / (long[:, 0] * long[:, 1])
        columns *= (np.sign(columns[:, 2, 2]) / np.sqrt(long[:, 0] * long[:, 1]))[:, None, None]
        x, y, at = np.moveaxis(columns, 2, 0)
        eyes = -np.linalg.solve(np.stack([x, y, np.cross(x, y)], -1), at[..., None])[..., 0]
        return SeenThrough(np.c_[eyes[:, :2], np.maximum(np.abs(eyes[:, 2]), 150.0)], shape, across)

    @property
    def eye_mm(self) -> tuple[float, float, float]:
        """The camera's place in the board frame: x, y and height over the surface."""
        x, y, height = self._eye_mm.tolist()
        return x, y, height

    @property
    def focal_widths(self) -> float:
        """The focal length of the lens, or the one that is taken for it, in picture widths."""
        lens = self.distortion
        return self.camera.focal if lens is None else lens.matrix[0][0] / self.image_size[0]

    def slant_deg(self) -> float:
        """Angle between the camera's view of the board's middle and the view from straight above, in degrees."""
        x, y, height = self.eye_mm
        return math.degrees(math.atan2(math.hypot(x, y), height))

    @property
    def point_mm(self) -> float:
        """A point's width."""
        return (self.surface_mm[0] - self.bar_mm) / 12

    def px_per_mm(self) -> float:
        """Mean scale of the picture on the board."""
        area = cv2.contourArea(np.array(self.corners_px, np.float32))
        return math.sqrt(area / (self.surface_mm[0] * self.surface_mm[1]))

    def for_picture(self, size: tuple[int, int]) -> "Board":
        """The same board in a picture of another size (width, height) with the same proportions.

        Raises:
            BadBoard: the proportions differ, so the corners do not apply.
        """
        if size == self.image_size:
            return self
        if not same_shape(size, self.image_size):
            raise BadBoard(
                say(
                    "The board file is for pictures of {width}x{height}, this one has "
                    "{other_width}x{other_height}.",
                    width=self.image_size[0],
                    height=self.image_size[1],
                    other_width=size[0],
                    other_height=size[1],
                )
            )
        fx, fy = size[0] / self.image_size[0], size[1] / self.image_size[1]
        corners = tuple((x * fx, y * fy) for x, y in self.corners_px)
        lens = self.distortion
        if lens is not None:
            (a, s, cx), (_, b, cy), last = lens.matrix
            lens = Distortion(((a * fx, s * fx, cx * fx), (0.0, b * fy, cy * fy), last), lens.coefficients)
        return replace(self, image_size=size, corners_px=corners, distortion=lens)

    def to_json(self) -> dict[str, Any]:
        """The board file's content."""
        lens = self.distortion
        return {
            "image_size": list(self.image_size),
            "corners_px": [[round(x, 2), round(y, 2)] for x, y in self.corners_px],
            "surface_mm": [round(v, 1) for v in self.surface_mm],
            "bar_mm": round(self.bar_mm, 1),
            "distortion": lens
            and {"K": [list(r) for r in lens.matrix], "k1k2p1p2k3": list(lens.coefficients)},
        }


def _mapped(matrix: Points, points: Points) -> Points:
    """Points (N, 2) in homogeneous coordinates times a matrix (3, 3): (N, 3)."""
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float64)


def board_of_json(known: object) -> Board:
    """The board described by a board file's content.

    Raises:
        BadBoard: something is missing, is no number, or describes no board.
    """
    if not isinstance(known, Mapping):
        raise BadBoard(say("A board file holds one JSON object."))
    size = _numbers(known, "image_size", 2)
    corners = known.get("corners_px")
    if not isinstance(corners, Sequence) or isinstance(corners, str) or len(corners) != 4:
        raise BadBoard(say("corners_px must be four points [x, y]."))
    points = tuple((p[0], p[1]) for p in (_numbers({"corners_px": c}, "corners_px", 2) for c in corners))
    surface = _numbers(known, "surface_mm", 2)
    bar = _numbers({"bar_mm": [known.get("bar_mm")]}, "bar_mm", 1)[0]
    lens = known.get("distortion")
    distortion = None
    if lens is not None:
        if not isinstance(lens, Mapping) or not isinstance(lens.get("K"), Sequence) or len(lens["K"]) != 3:
            raise BadBoard(say("distortion must hold K, three rows of three numbers, and k1k2p1p2k3."))
        rows = [_numbers({"K": row}, "K", 3) for row in lens["K"]]
        k = _numbers(lens, "k1k2p1p2k3", 5)
        distortion = Distortion(tuple((r[0], r[1], r[2]) for r in rows), (k[0], k[1], k[2], k[3], k[4]))
        focals_fit = all(LEAST_FOCAL * size[0] <= rows[n][n] <= MOST_FOCAL * size[0] for n in (0, 1))
        if not focals_fit or rows[1][0] != 0 or rows[2] != [0, 0, 1]:
            raise _no_lens()
    board = Board(
        (round(size[0]), round(size[1])),
        points,
        (surface[0], surface[1]),
        bar,
        distortion,
        unfamiliar=distortion is None,
    )
    if distortion is not None and _folds(board):
        raise _no_lens()
    return board


def load_board(path: Path) -> Board:
    """Read a board file.

    Raises:
        BadBoard: the file cannot be read, is no JSON, or describes no board; or it is a pipe, a folder or a device.
    """
    try:
        is_other = path.exists() and not path.is_file()  # reading a pipe would block, a device may never end
        known = None if is_other else json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadBoard(
            say(
                "The board file {path} cannot be read: {why}.",
                path=str(path),
                why=error.strerror or str(error),
            )
        ) from None
    except (ValueError, RecursionError):  # no UTF-8, no JSON, or a number of thousands of digits
        raise BadBoard(
            say("The board file {path} is no JSON; `companion calibrate` writes a new one.", path=str(path))
        ) from None
    if is_other:
        raise BadBoard(say("The board file {path} cannot be read: it is no file.", path=str(path)))
    try:
        return board_of_json(known)
    except BadBoard as error:
        raise BadBoard(
            say("The board file {path} describes no board: {why}", path=str(path), why=error.sentence)
        ) from None


def _numbers(known: Mapping[str, Any], key: str, count: int) -> list[float]:
    value = known.get(key)
    good = isinstance(value, Sequence) and not isinstance(value, str) and len(value) == count
    if not good or any(isinstance(v, bool) or not isinstance(v, int | float) for v in value or ()):
        raise BadBoard(
            say_n(
                "{key} must be 1 number, not {given}.",
                "{key} must be {n} numbers, not {given}.",
                count,
                key=key,
                given=_short(value),
            )
        )
    try:
        out = [float(v) for v in value or ()]
    except OverflowError:
        out = [math.inf]
    if not all(map(math.isfinite, out)):
        raise BadBoard(say("{key} must be finite, not {given}.", key=key, given=_short(value)))
    return out


def _short(value: object) -> str:
    """A value as JSON for an error's text, cut to 60 letters."""
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _check(board: Board) -> None:
    w, h = board.image_size
    if not (0 < w <= MOST_SIDE_PX and 0 < h <= MOST_SIDE_PX):
        raise BadBoard(say("image_size must be from 1 to {most}.", most=MOST_SIDE_PX))
    if max(board.surface_mm) > MOST_SIDE_MM:
        raise BadBoard(say("surface_mm is in millimetres, at most {most}.", most=MOST_SIDE_MM))
    if min(board.surface_mm) <= 0 or not 0 <= board.bar_mm < board.surface_mm[0]:
        raise BadBoard(say("surface_mm must be positive, and bar_mm less than its width."))
    if len(board.corners_px) != 4:
        raise BadBoard(say("corners_px must be four points [x, y]."))
    if any(not (-w <= x <= 2 * w and -h <= y <= 2 * h) for x, y in board.corners_px):
        raise BadBoard(say("The corners lie far outside the picture."))
    turns = [
        _turn(board.corners_px[i - 1], board.corners_px[i], board.corners_px[(i + 1) % 4]) for i in range(4)
    ]
    if not all(t > 0 for t in turns):
        raise BadBoard(say("The corners must go clockwise from the top left, without crossing."))
    if cv2.contourArea(np.array(board.corners_px, np.float32)) < 0.005 * w * h:
        raise BadBoard(say("The corners enclose too little of the picture to be a board."))


def _folds(board: Board) -> bool:
    """Whether the lens takes corners elsewhere than its own inverse, as one that folds the picture does."""
    corners = np.array(board.corners_px)
    off = np.hypot(*(board.to_px(board.to_mm(corners)) - corners).T)
    return not np.all(off <= LENS_OFF * board.image_size[0])


def _no_lens() -> BadBoard:
    return BadBoard(
        say(
            "distortion.K must be [fx, s, cx], [0, fy, cy], [0, 0, 1], the focal lengths {least} to {most} picture "
            "widths; k1k2p1p2k3 may not fold the picture.",
            least=LEAST_FOCAL,
            most=MOST_FOCAL,
        )
    )


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
