"""Pictures of throws on disk: written whole before the event that names them, within a quota."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from companion.storage.wholefile import put

_NAME = re.compile(r"[0-9a-f]{32}\.jpg")


def load_picture(folder: Path, name: str) -> bytes | None:
    """A picture in a folder by its name; None if it is missing, or the name is no picture's."""
    if not _NAME.fullmatch(name):
        return None
    try:
        return (folder / name).read_bytes()
    except OSError:
        return None


class Pictures:
    """A folder of JPEGs named by their digest, so that equal pictures are kept once."""

    def __init__(
        self, folder: Path, quota_bytes: int, on_removal: Callable[[Sequence[str]], None] = lambda names: None
    ) -> None:
        """Keep pictures in a folder; `on_removal` is called with the names of those about to be deleted."""
        self._folder = folder
        self._quota_bytes, self._on_removal = quota_bytes, on_removal
        self._held_bytes: int | None = None  # counted at the first write

    def keep(self, jpeg: bytes) -> tuple[str, str]:
        """Write a picture to disk and make room for it; returns its file name, and its whole SHA-256 digest.

        OSError if it cannot be written; no partial file is left.
        """
        digest = hashlib.sha256(jpeg).hexdigest()
        name = f"{digest[:32]}.jpg"
        path = self._folder / name
        if not path.exists():
            self._make_room(len(jpeg))
            self._folder.mkdir(exist_ok=True)  # it may have been deleted in use
            put(path, jpeg)
            self._held_bytes = (self._held_bytes or 0) + len(jpeg)
        return name, digest

    def load(self, name: str) -> bytes | None:
        """A picture by its name; None if it is missing, or the name is no picture's."""
        return load_picture(self._folder, name)

    def delete(self, names: Iterable[str]) -> None:
        """Delete pictures by name; OSError if one of them cannot be deleted."""
        for name in names:
            if _NAME.fullmatch(name):
                (self._folder / name).unlink(missing_ok=True)
        self._held_bytes = None

    def move_to(self, folder: Path) -> None:
        """Keep pictures in another folder from now on, the present ones too; nothing has changed if that fails.

        OSError if one of them cannot be written there.
        """
        there = Pictures(folder, self._quota_bytes, self._on_removal)
        for file in self._folder.glob("*.jpg"):
            there.keep(file.read_bytes())
        self._folder, self._held_bytes = folder, None

    def _make_room(self, wanted_bytes: int) -> None:
        """Delete the oldest pictures beyond the quota; their digests stay in the journal."""
        if self._held_bytes is not None and self._held_bytes + wanted_bytes <= self._quota_bytes:
            return
        for left in self._folder.glob("*.part"):  # of a power cut
            left.unlink()
        files = [
            (about.st_mtime_ns, about.st_size, file)
            for file in self._folder.glob("*.jpg")
            if (about := file.stat())
        ]
        held_bytes = sum(size for _, size, _ in files)
        if held_bytes + wanted_bytes > self._quota_bytes:
            # A tenth more than needed, so that the folder is not listed again at every throw.
            target_bytes = self._quota_bytes - wanted_bytes - self._quota_bytes // 10
            oldest: list[Path] = []
            for _, size, file in sorted(files):
                if held_bytes <= target_bytes:
                    break
                oldest.append(file)
                held_bytes -= size
            self._on_removal([file.name for file in oldest])
            for file in oldest:
                file.unlink()
        self._held_bytes = held_bytes
