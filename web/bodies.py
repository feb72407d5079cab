"""Shapes of the page's own JSON: join codes, the board's corners, refusals. The program gives all others."""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

import msgspec
from msgspec import Meta, Struct

Schema: TypeAlias = dict[str, Any]

RoleName = Literal["viewer", "player", "scorekeeper", "director"]
SeatName = Literal["south", "north"]
ReadsWord = Literal["off", "dice", "dice and checkers"]
Pixel = Annotated[float, Meta(ge=-20_000, le=20_000)]
Corner = Annotated[list[Pixel], Meta(min_length=2, max_length=2)]
Corners = Annotated[
    list[Corner],
    Meta(
        min_length=4,
        max_length=4,
        description="the playing surface's corners in the camera's pixels, clockwise from the top left",
    ),
]


class Problem(TypedDict):
    """A refusal (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: Annotated[str, Meta(description="a sentence for people")]


class Join(Struct, frozen=True):
    """A request for a join code; a player's names a seat, the others none."""

    role: RoleName
    seat: SeatName | None = None
    label: Annotated[str, Meta(max_length=80)] = ""


class Joined(TypedDict):
    """A valid join code."""

    code: str
    own: Annotated[bool, Meta(description="the code that the visitor came in by; he cannot revoke it")]
    role: RoleName
    seat: SeatName | None
    label: str
    through: Annotated[bool, Meta(description="the role was chosen with the table's code, and ends with it")]
    link: str
    qr: Annotated[str, Meta(description="where the link is drawn as a QR code")]


class Joins(TypedDict):
    """The join codes that a visitor may hand out."""

    joins: list[Joined]


class Revoke(Struct, frozen=True, tag_field="type", tag="revoke"):
    """Revocation of a join code; the `seq` is ignored."""

    seq: Annotated[int, Meta(ge=0, le=2**53)]
    code: Annotated[str, Meta(max_length=40)]


class Place(Struct, frozen=True):
    """A place for the board; without corners the program searches for it."""

    corners: Corners | None = None


class Read(Struct, frozen=True):
    """What is to be read in the camera's pictures."""

    reads: ReadsWord


class TryThrows(Struct, frozen=True):
    """An order to the check with twelve throws: begin, stop, or what lies there as the throw of this id."""

    order: Literal["begin", "stop", "right", "dice", "cocked", "missed"]
    throw: Annotated[int, Meta(ge=0, le=2**53)] = 0
    dice: Annotated[list[Annotated[int, Meta(ge=1, le=6)]], Meta(min_length=2, max_length=2)] | None = None


class Placed(TypedDict):
    """The board's present place."""

    corners: Corners | None
    picture: Annotated[bool, Meta(description="whether there is a picture in which it can be placed")]
    sentence: NotRequired[Annotated[str, Meta(description="what is amiss all the same")]]


def components() -> dict[str, Schema]:
    """The JSON Schema of each of these shapes by name, for OpenAPI's components."""
    _, found = msgspec.json.schema_components(
        [Problem, Join, Joined, Joins, Revoke, Place, Placed, Read, TryThrows],
        ref_template="#/components/schemas/{name}",
    )
    return dict(found)
