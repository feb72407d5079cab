"""A power cut in the middle of something that renames files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class PowerCutError(Exception):
    """The machine is switched off at this moment."""


@contextmanager
def power_cut(monkeypatch: pytest.MonkeyPatch, step: int) -> Iterator[None]:
    """What is done within ends in place of its rename number `step`, counted from 1; it has to come so far."""
    moves, rename = 0, Path.rename

    def cut(self: Path, target: Path) -> Path:
        nonlocal moves
        moves += 1
        if moves == step:
            raise PowerCutError
        return rename(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", cut)
        with pytest.raises(PowerCutError):
            yield
