"""What is set on the page for the whole table, kept in one file: its name, language, camera, and newcomers' rights."""

import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from web.errors import TableSetupError

Newcomers: TypeAlias = Literal["watch", "play", "keep"]
CameraChoice: TypeAlias = Annotated[
    str,
    Meta(
        max_length=200,
        pattern=r"^(auto|recorded|none|[0-9]{1,3}|picamera(:[0-9]{1,2})?|(https?|rtsps?)://[!-~]+)$",
        description="auto, recorded or none; else a camera's number, or the address of a stream",
    ),
]
Language: TypeAlias = Literal["", "de", "en", "fi", "ja", "tr"]


class TableSetup(Struct, frozen=True):
    """What the director has set.

    Attributes:
        open: nobody has set the table up; whoever does becomes its director.
        name: the table's name, shown to those who join.
        language: of visitors who have chosen none; empty: their browser's.
        camera: "auto": the connected one; "recorded", "none"; else the number or address of one.
        newcomers: the most that somebody with the table's code may choose to be.
        door: the table's code, a viewer's; empty before the first run is over.
    """

    open: bool = False
    name: Annotated[str, Meta(max_length=40)] = ""
    language: Language = ""
    camera: CameraChoice = "auto"
    newcomers: Newcomers = "play"
    door: Annotated[str, Meta(max_length=40)] = ""


class SetupFile:
    """The file with a `TableSetup`, replaced as a whole at each change; safe for several threads.

    Attributes:
        damaged: the file could not be understood: the defaults are used, and nobody can become director by it.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        """Read the file; at a `fresh` table without one, begin a first run."""
        self._path, self._lock = path, threading.Lock()
        self.damaged = False
        try:
            self._now = msgspec.json.decode(path.read_bytes(), type=TableSetup)
        except FileNotFoundError:
            self._now = TableSetup(open=fresh)
            if fresh:
                with suppress(TableSetupError):  # a folder that cannot be written is said elsewhere
                    self._write(self._now)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            self.damaged, self._now = True, TableSetup()

    @property
    def now(self) -> TableSetup:
        """What is set now."""
        return self._now

    def finish(self, wanted: TableSetup) -> bool:
        """Set everything; False, and nothing set, if a first run is asked for (`open`) and somebody was faster.

        Raises:
            TableSetupError: the file cannot be written; nothing is set.
        """
        with self._lock:
            if wanted.open and not self._now.open:
                return False
            done = msgspec.structs.replace(wanted, open=False)
            self._write(done)
            self._now, self.damaged = done, False
            return True

    def use_camera(self, camera: CameraChoice) -> None:
        """Set the camera alone; TableSetupError if the file cannot be written, and nothing is set."""
        with self._lock:
            done = msgspec.structs.replace(self._now, camera=camera)
            self._write(done)
            self._now = done

    def _write(self, setup: TableSetup) -> None:
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            with open(beside, "wb") as out:
                out.write(msgspec.json.format(msgspec.json.encode(setup)))
                out.flush()
                os.fsync(out.fileno())
            os.replace(beside, self._path)
        except OSError as trouble:
            raise TableSetupError(f"{self._path} cannot be written ({trouble.strerror}).") from trouble
