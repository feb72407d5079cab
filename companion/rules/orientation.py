"""Where a point lies on the board: the four orientations, for the page and for the camera's board frame.

A board may lie with south's home board at his right or at his left, and south may have the light checkers
or the dark ones. The colour changes nothing about places; the side of the home does. Seen from south, with
his home at the right:

    far    13 14 15 16 17 18 | 19 20 21 22 23 24
    near   12 11 10  9  8  7 |  6  5  4  3  2  1

The columns are 0 to 11 from left to right, the bar lies between 5 and 6. The board frame is the picture's:
millimetres from the far left corner of the playing surface, x to the right and y towards south.
"""

from typing import Literal, NamedTuple, TypeAlias

from companion.errors import BadPositionError
from companion.rules.side import Side

Home: TypeAlias = Literal["right", "left"]
"""At which hand of south his home board lies."""

COLUMNS = 12


class Spot(NamedTuple):
    """One of the 24 triangles, as south sees it: in his near row or the far one, and which column."""

    near: bool
    column: int

    def seen_from(self, side: Side) -> "Spot":
        """The same triangle as this side sees it from his seat; north sees the board turned round."""
        return self if side is Side.SOUTH else Spot(not self.near, COLUMNS - 1 - self.column)

    @property
    def half(self) -> Home:
        """Right or left of the bar."""
        return "right" if self.column >= COLUMNS // 2 else "left"


class Surface(NamedTuple):
    """The playing surface of a real board, the bar included, in millimetres."""

    width_mm: float
    height_mm: float
    bar_mm: float


def spot_of(side: Side, point: int, home: Home) -> Spot:
    """Where a side's point lies.

    Args:
        side: whose numbering the point is in.
        point: 1 to 24.
        home: at which hand of south his home board lies.

    Raises:
        BadPositionError: there is no such point.
    """
    if not 1 <= point <= 24:
        raise BadPositionError(f"There is no {point}-point on a board.")
    souths = point if side is Side.SOUTH else 25 - point
    near = souths <= COLUMNS
    column = COLUMNS - souths if near else souths - COLUMNS - 1
    return Spot(near, column if home == "right" else COLUMNS - 1 - column)


def point_at(spot: Spot, side: Side, home: Home) -> int:
    """The number that a triangle has for a side; the other way round from `spot_of`."""
    column = spot.column if home == "right" else COLUMNS - 1 - spot.column
    souths = COLUMNS - column if spot.near else COLUMNS + 1 + column
    return souths if side is Side.SOUTH else 25 - souths


def centre_mm(spot: Spot, height: int, checker_mm: float, surface: Surface) -> tuple[float, float]:
    """The middle of a checker on a triangle, in the board frame.

    Args:
        spot: the triangle.
        height: 0 for the checker at the rim, 1 for the next one towards the middle of the board.
        checker_mm: a checker's diameter.
        surface: the board.
    """
    pitch_mm = (surface.width_mm - surface.bar_mm) / COLUMNS
    x_mm = (spot.column + 0.5) * pitch_mm + (surface.bar_mm if spot.half == "right" else 0.0)
    from_rim_mm = (height + 0.5) * checker_mm
    return x_mm, surface.height_mm - from_rim_mm if spot.near else from_rim_mm


def spot_at_mm(x_mm: float, y_mm: float, surface: Surface) -> Spot | None:
    """The triangle that a place of the board frame belongs to; None on the bar or off the surface."""
    half_mm = (surface.width_mm - surface.bar_mm) / 2
    if not (0 <= x_mm <= surface.width_mm and 0 <= y_mm <= surface.height_mm):
        return None
    if half_mm < x_mm < half_mm + surface.bar_mm:
        return None
    right = x_mm > half_mm
    in_half_mm = x_mm - half_mm - surface.bar_mm if right else x_mm
    column = min(int(in_half_mm / (half_mm / 6)), 5)
    return Spot(y_mm > surface.height_mm / 2, column + 6 * right)
