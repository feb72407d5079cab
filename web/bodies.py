"""The JSON that is the page's own affair: join codes, the board's corners, refusals. The program hands in the rest."""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

import msgspec
from msgspec import Meta, Struct

Schema: TypeAlias = dict[str, Any]

RoleName = Literal["viewer", "player", "scorekeeper", "director"]
SeatName = Literal["south", "north"]
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
    """A join code that is asked for; a player's names a seat, the others none."""

    role: RoleName
    seat: SeatName | None = None
    label: Annotated[str, Meta(max_length=80)] = ""


class Joined(TypedDict):
    """A join code that is in force."""

    code: str
    own: Annotated[bool, Meta(description="the code that the visitor came in by; he cannot revoke it")]
    role: RoleName
    seat: SeatName | None
    label: str
    link: str
    qr: Annotated[str, Meta(description="where the link is drawn as a QR code")]


class Joins(TypedDict):
    """The join codes that a visitor may hand out."""

    joins: list[Joined]


class Revoke(Struct, frozen=True, tag_field="type", tag="revoke"):
    """A join code is put out of force; the `seq` is not looked at."""

    seq: Annotated[int, Meta(ge=0, le=2**53)]
    code: Annotated[str, Meta(max_length=40)]


class Place(Struct, frozen=True):
    """Where the board lies; without corners it is looked for."""

    corners: Corners | None = None


class Placed(TypedDict):
    """Where the board lies now."""

    corners: Corners | None
    sentence: NotRequired[Annotated[str, Meta(description="what is amiss all the same")]]


def components() -> dict[str, Schema]:
    """The JSON Schema of each of these by its name, for OpenAPI's components."""
    _, found = msgspec.json.schema_components(
        [Problem, Join, Joined, Joins, Revoke, Place, Placed], ref_template="#/components/schemas/{name}"
    )
    return dict(found)
