"""Services that the program gives the page besides the state: the camera's picture, the board's place, records.

Each may be missing; the page then answers 404.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeAlias

from sentence import NOTHING, Sentence
from web.roles import Visitor

Corners: TypeAlias = Sequence[Sequence[float]]


class Record(NamedTuple):
    """A file to download."""

    name: str
    content: bytes
    kind: str = "application/octet-stream"


class Placed(NamedTuple):
    """The result of placing the board: the corners now in use, or why there are none; both together: a warning."""

    corners: Corners | None = None
    sentence: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class Services:
    """Functions called on server threads; viewers and players reach only `sheet` and `history`.

    Attributes:
        look: the newest camera picture as a JPEG; None while there is none.
        corners: the board's corners, four points in the picture's pixels, clockwise from the top left; None: unknown.
        place: uses these corners from now on, or with None searches for the board.
        export: the running match's record in a format ("mat", "sgf", "json", "zip") and a language, or a sentence why
            the format cannot hold it; None: no match, no such format.
        sheet: the running match's score sheet (docs/PROTOCOL.md), for everybody; None: no match.
        analysis: progress and result of the running match's analysis (docs/PROTOCOL.md).
        analyse: begins one; a sentence why not, else an empty one.
        rules: the rules to choose from (docs/PROTOCOL.md).
        matches: kept matches, the last one first, before the one named (docs/PROTOCOL.md).
        history: the events of one game of the running match as this visitor may see them, or a sentence why not; for
            everybody.
    """

    look: Callable[[], bytes | None] | None = None
    corners: Callable[[], Corners | None] | None = None
    place: Callable[[Visitor, Corners | None], Placed] | None = None
    export: Callable[[str, str], Record | Sentence | None] | None = None
    sheet: Callable[[], Mapping[str, Any] | None] | None = None
    analysis: Callable[[], Mapping[str, Any]] | None = None
    analyse: Callable[[], Sentence] | None = None
    rules: Callable[[], Mapping[str, Any]] | None = None
    matches: Callable[[int, str], Sequence[Mapping[str, Any]]] | None = None
    history: Callable[[Visitor, int], Mapping[str, Any] | Sentence] | None = None

    @property
    def offered(self) -> tuple[str, ...]:
        """Names of the available services; the page offers only these."""
        return tuple(one.name for one in fields(self) if getattr(self, one.name) is not None)
