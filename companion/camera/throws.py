"""Recorded throws that come with the program, and what the table is waiting for."""

import json
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from companion.errors import UserError

Kind: TypeAlias = Literal["opening", "turn"]


@dataclass(frozen=True, slots=True)
class Awaited:
    """What the table waits for.

    Attributes:
        kind: the throw that is due: of the opening, or of a turn; None when none is.
        roller: who is to throw it, "south" or "north"; None in the opening.
        ruling: of the last throw.
        busy: a roll is being played, so its dice stay where they are.
    """

    kind: Kind | None = None
    roller: str | None = None
    ruling: str | None = None
    busy: bool = False


class Waiting:
    """Told by the keeper of the table, read by the eye: what is awaited, and how much has been dealt with."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._awaited = Awaited()
        self.handled = 0

    def tell(self, awaited: Awaited) -> None:
        """What the table waits for now."""
        with self._lock:
            self._awaited = awaited

    def now(self) -> Awaited:
        """What was told last."""
        with self._lock:
            return self._awaited

    def count(self) -> None:
        """One more seeing has been dealt with; called after `tell`."""
        self.handled += 1


@dataclass(frozen=True, slots=True)
class RecordedThrow:
    """A folder of frames with the board they show.

    Attributes:
        folder: the frames, in the order of their names.
        board: the board file.
        kind: a turn's throw, or one die from each side.
        roller: whose throw it is, "south" or "north"; None for the opening.
        fps: frames a second.
    """

    folder: Path
    board: Path
    kind: Kind = "turn"
    roller: str | None = None
    fps: float = 5.0

    def fits(self, awaited: Awaited) -> bool:
        """Is this the kind of throw that is due?"""
        return self.kind == awaited.kind and self.roller in (None, awaited.roller)


def recorded_throws(folder: Path) -> list[RecordedThrow]:
    """Every throw in a folder of folders, in the order of their names.

    Each holds its frames, `board.json`, and `throw.json` with `{"kind", "roller", "fps"}`, of which any may
    be left out.

    Raises:
        UserError: there is none, or one of them is not whole.
    """
    throws = [_throw(one) for one in sorted(folder.glob("*/")) if (one / "board.json").is_file()]
    if not throws:
        raise UserError(f"There are no recorded throws in {folder}.")
    return throws


def _throw(folder: Path) -> RecordedThrow:
    about: dict[str, Any] = {}
    file = folder / "throw.json"
    if file.is_file():
        try:
            about = json.loads(file.read_text("utf-8"))
        except ValueError as error:
            raise UserError(f"{file} is no JSON: {error}.") from None
    return RecordedThrow(
        folder,
        folder / "board.json",
        about.get("kind", "turn"),
        about.get("roller"),
        float(about.get("fps", 5.0)),
    )
