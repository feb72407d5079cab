"""Rows of the fixture `collection`: positions, ids and records."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

Row: TypeAlias = dict[str, Any]
T = TypeVar("T")


def read_rows(file: Path) -> list[Row]:
    """The JSON rows of a file, compressed or not."""
    text = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def thinned(rows: Sequence[T], about: int) -> Sequence[T]:
    """About `about` of the rows, evenly spaced; all of them if there are fewer than twice as many."""
    return rows[:: max(1, len(rows) // about)]
