"""The newest state of the table, and the streams that follow it.

One thread publishes, many read.
"""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from sentence import Sentence
from web.errors import NotReadyError
from web.openapi import Shapes
from web.roles import Role, Seat, Visitor
from web.services import Services

State: TypeAlias = Mapping[str, Any]
"""The state of docs/PROTOCOL.md; the program makes it and the page passes it on unchanged."""
Since: TypeAlias = Callable[[Visitor, int, str], State | None]
"""What is new for a visitor after the edition of a number, 0 for all: of one part if it is named; None for nothing."""
WHOLE = "/whole"
"""After the name of a part: its own state in whole instead of its line among the others."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of an action: the new state, or a refusal with a sentence for people."""

    status: int
    state: State | None = None
    title: str = ""
    sentence: Sentence | str = ""


def ok(state: State) -> Answer:
    """The answer to an action that is done and on disk: the new state, as the visitor who acted may see it."""
    return Answer(200, state=state)


def refused(status: int, title: str, sentence: Sentence | str) -> Answer:
    """The answer to an action that was refused and changed nothing.

    Args:
        status: 400 malformed, 403 not in this role, 409 `seq` is stale, 422 against the rules, 503 not durable.
        title: a few constant words, "Too late".
        sentence: the text for a person, "The roll was corrected while you were tapping."

        Raises:
            ValueError: the status is not from 400 to 599.
    """
    if not 400 <= status <= 599:
        raise ValueError(f"a refusal has a status from 400 to 599, not {status}")
    return Answer(status, title=title, sentence=sentence)


class Edition:
    """One published state, encoded at most once for each role, seat, part and edition that it follows.

    Attributes:
        has_parts: visitors get what is new for them, and may ask for one part; else each gets the whole state.
    """

    def __init__(
        self, number: int, seq: int, view: Callable[[Visitor], State], since: Since | None = None
    ) -> None:
        self.number = number
        self.seq = seq
        self.has_parts = since is not None
        self._view = view
        self._since = since
        self._written: dict[tuple[Role, Seat | None, int, str], bytes] = {}
        self._lock = threading.Lock()

    def state(self, visitor: Visitor) -> State:
        """The state as this visitor may see it."""
        return self._view(visitor)

    def written(self, visitor: Visitor, after: int = 0, part: str = "") -> bytes:
        """The state as one line of JSON in UTF-8; the same bytes for all visitors of one role and seat.

        Of a state with parts only what is new after that edition, and of that part; empty if there is nothing.
        """
        key = (
            (visitor.role, visitor.seat, after, part) if self._since else (visitor.role, visitor.seat, 0, "")
        )
        with self._lock:
            line = self._written.get(key)
            if line is None:
                plain = Visitor(visitor.role, visitor.seat)
                state = self._since(plain, after, part) if self._since else self._view(plain)
                line = b""
                if state is not None:
                    line = json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode()
                self._written[key] = line
            return line


class Page:
    """The exchange between table and visitors: the newest state goes out, actions come in.

    Args:
        act: carries out a visitor's action; called on server threads, possibly on several at once. It answers
            409 for a stale `seq` itself, because only the table's one writer can compare and act in one step.
        picture: the bytes of a picture by its bare name ("000012.jpg"), or None.
        services: the camera and the record, for scorekeeper and director.
        shapes: the shapes of the JSON in both directions, for /api/openapi.json.
    """

    def __init__(
        self,
        act: Callable[[Visitor, Mapping[str, object]], Answer],
        picture: Callable[[str], bytes | None] = lambda name: None,
        services: Services | None = None,
        shapes: Callable[[], Shapes] = Shapes,
    ) -> None:
        self.act = act
        self.picture = picture
        self.services = services or Services()
        self.shapes = shapes
        self._edition: Edition | None = None
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    def publish(self, seq: int, view: Callable[[Visitor], State], since: Since | None = None) -> None:
        """Make this the newest state and wake the streams.

        `view` must be a pure function of the visitor's role and seat: its result is kept for all visitors
        with the same. So must be `since`, for a state of many parts of which few change.
        """
        with self._lock:
            self._edition = Edition(self.number + 1, seq, view, since)
        for listener in self._listeners:
            listener()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener, which must not block, after each change."""
        self._listeners.append(listener)

    @property
    def number(self) -> int:
        """Number of the newest edition; 0 before the first."""
        return self._edition.number if self._edition else 0

    def newest_or_none(self) -> Edition | None:
        """The newest edition; None before the first."""
        return self._edition

    def newest(self) -> Edition:
        """The newest edition; NotReadyError before the first."""
        edition = self._edition
        if edition is None:
            raise NotReadyError("The table is not ready yet; try again in a moment.")
        return edition

    def state(self, visitor: Visitor) -> State:
        """The newest state as this visitor may see it; NotReadyError before the first."""
        return self.newest().state(visitor)
