"""Shapes of the check with twelve throws: each type is one JSON object of docs/PROTOCOL.md.

Their sentences are in the visitor's language: the pages that show them are few, and every page would load the words.
"""

from typing import Annotated, Literal, TypeAlias, TypedDict

from msgspec import Meta

from companion.protocol.shapes import Dice, DieRead

CheckState: TypeAlias = Literal["off", "waiting", "asking", "done"]


class TriedThrow(TypedDict):
    """A tried throw as it was read, and what people say of it; `actual` are the numbers where they told them.

    `n` counts from 1; a throw that was replaced before it was answered had another `id`.
    """

    n: int
    id: int
    picture: str | None
    size: Annotated[list[int], Meta(min_length=2, max_length=2)]
    dice: list[DieRead]
    ruling: Literal["valid", "cocked", "unread"] | None
    reason_text: str
    outcome: Literal["right", "unread", "missed", "cocked", "wrong"] | None
    actual: Dice | None


class SetupChange(TypedDict):
    """A shortcoming with its remedy, and the numbers of the throws whose pictures show it.

    `shows` is what to look at in them: the dice or the whole picture.
    """

    what: str
    title: str
    text: str
    remedy: str
    shows: Literal["dice", "picture"]
    throws: list[int]


class SetupVerdict(TypedDict):
    """The verdict on board, lamp and camera; `changes` is empty where the pictures show nothing wrong."""

    good: bool
    text: str
    changes: list[SetupChange]


class TwelveThrows(TypedDict):
    """The check with twelve throws: it waits for a throw, asks about one, or is done.

    `trouble`: why the camera sees nothing now, or empty.
    """

    state: CheckState
    of: int
    trouble: str
    throws: list[TriedThrow]
    verdict: SetupVerdict | None
