"""What the page may ask of the program besides the state: the camera's picture, the board's place, records.

Each door may be left out; the page then says that this is not to be had here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from web.views import Visitor

Corners: TypeAlias = Sequence[Sequence[float]]


class Record(NamedTuple):
    """A file for people to take away."""

    name: str
    content: bytes
    kind: str = "application/octet-stream"


class Placed(NamedTuple):
    """What came of placing the board: the corners as they are used now, or why not."""

    corners: Corners | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Doors:
    """Called on server threads, never by viewers or players.

    Attributes:
        look: the newest camera picture as a JPEG; None while there is none.
        corners: where the board lies in it, four points in its pixels, clockwise from the top left; None: not known.
        place: use these corners from now on, or with None look for the board by itself.
        export: the running match's record in a format ("mat", "sgf", "json", "zip"); None: no match, no such format.
    """

    look: Callable[[], bytes | None] | None = None
    corners: Callable[[], Corners | None] | None = None
    place: Callable[[Visitor, Corners | None], Placed] | None = None
    export: Callable[[str], Record | None] | None = None

    @property
    def open(self) -> tuple[str, ...]:
        """The names of the doors that are there; the page offers only what is behind them."""
        return tuple(
            name for name in ("look", "corners", "place", "export") if getattr(self, name) is not None
        )
