"""A match as a file for people to take away: .mat, .sgf, JSON, or the dossier as one ZIP."""

import io
import zipfile
from collections.abc import Callable, Iterable, Sequence

from companion.errors import UserError
from companion.game.table import Table
from companion.records import dossier
from companion.records.rows import Row

FORMATS = ("mat", "sgf", "json", "zip")


def exported(
    kind: str, rows: Sequence[Row], table: Table, picture: Callable[[str], bytes | None] = lambda name: None
) -> bytes:
    """The match in one of the formats.

    Args:
        kind: out of FORMATS.
        rows: the record as it is kept.
        table: the table that it leads to; it has a state.
        picture: the bytes of a picture by its name; None when it is gone.

    Raises:
        UserError: this format cannot hold such a match.
    """
    assert table.state is not None
    if kind in ("mat", "sgf") and table.state.terms.profile.start[25] > 0:
        raise UserError(f"No .{kind} can hold the entry game; export it as json or zip.")
    if kind == "mat":
        return dossier.mat_text(table).encode()
    if kind == "sgf":
        return dossier.sgf_text(table).encode()
    if kind == "json":
        return (dossier.json_text(rows, table) + "\n").encode()
    return zipped(dossier.dossier(rows, table, picture))


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Files as one ZIP; pictures are compressed already."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files:
            how = zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, how)
    return out.getvalue()
