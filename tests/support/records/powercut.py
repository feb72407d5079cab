"""A simulated power cut in code that renames files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class PowerCutError(Exception):
    """The simulated power cut."""


@contextmanager
def power_cut(monkeypatch: pytest.MonkeyPatch, step: int) -> Iterator[None]:
    """End the block in place of its rename number `step`, counted from 1, which it must reach."""
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
