"""Services of the program to the page besides the state: the camera's picture, the board's place, records.

Each may be left out; the page then says that this is not to be had here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeAlias

from sentence import NOTHING, Sentence
from web.roles import Visitor

Corners: TypeAlias = Sequence[Sequence[float]]


class Record(NamedTuple):
    """A file for people to take away."""

    name: str
    content: bytes
    kind: str = "application/octet-stream"


class Placed(NamedTuple):
    """What came of placing the board: the corners as they are used now, or why not; with both, what is amiss."""

    corners: Corners | None = None
    sentence: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class Services:
    """Called on server threads; all but `sheet` never by viewers or players.

    Attributes:
        look: the newest camera picture as a JPEG; None while there is none.
        corners: where the board lies in it, four points in its pixels, clockwise from the top left; None: not known.
        place: use these corners from now on, or with None look for the board by itself.
        export: the running match's record in a format ("mat", "sgf", "json", "zip"), or a sentence why this one
            cannot hold it; None: no match, no such format.
        sheet: the running match's score sheet (docs/PROTOCOL.md), for everybody; None: no match.
        analysis: how the analysis of the running match stands (docs/PROTOCOL.md).
        analyse: begin one; a sentence why not, else an empty one.
        rules: the rules that may be chosen (docs/PROTOCOL.md).
        matches: so many of the matches that were kept, the last one first, before the one named (docs/PROTOCOL.md).
    """

    look: Callable[[], bytes | None] | None = None
    corners: Callable[[], Corners | None] | None = None
    place: Callable[[Visitor, Corners | None], Placed] | None = None
    export: Callable[[str], Record | Sentence | None] | None = None
    sheet: Callable[[], Mapping[str, Any] | None] | None = None
    analysis: Callable[[], Mapping[str, Any]] | None = None
    analyse: Callable[[], Sentence] | None = None
    rules: Callable[[], Mapping[str, Any]] | None = None
    matches: Callable[[int, str], Sequence[Mapping[str, Any]]] | None = None

    @property
    def offered(self) -> tuple[str, ...]:
        """The names of the services that are there; the page offers only these."""
        return tuple(one.name for one in fields(self) if getattr(self, one.name) is not None)
