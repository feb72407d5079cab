"""Any archive is taken whole, or refused with nothing changed and no more read than it may hold."""

import gzip
import io
import json
import sqlite3
import tarfile
import tracemalloc
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.game.events import Lifted, MatchBegan
from companion.records.rows import GENESIS, Row, digest_of, row_of
from companion.storage.backup import restore
from companion.storage.folder import CATALOGUE_FILES, StateFolder
from companion.storage.journal import Journal
from companion.storage.lines import line_of
from companion.storage.recovery import open_journal
from tests.support.records.former import write_former
from web.roles import Role, Roles

NAME = "matches/0001-2026-01-01.jsonl"
PICTURE = f"pictures/{'a' * 32}.jpg"
BEGAN = MatchBegan(match_id="m1", south="Ann", north="Ben", length=3, profile="modern")
FIRST = row_of(BEGAN, "m1", 1, GENESIS)
MATCH = line_of(FIRST)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A state folder in use, with everything that a restore replaces."""
    folder = tmp_path / "state"
    Roles(folder / "roles.json").standing(Role.SCOREKEEPER)
    with closing(Journal(folder)) as journal:
        journal.append("own", MatchBegan(match_id="own", south="", north="", length=1, profile="modern"))
    with closing(StateFolder(folder)):
        (folder / PICTURE).write_bytes(b"own")
    return folder


def content(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and file.name not in CATALOGUE_FILES)
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def codes() -> bytes:
    """A sound file of join codes."""
    return json.dumps({"secret": "00" * 32, "codes": []}).encode()


def member(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    about = tarfile.TarInfo(name)
    about.size, about.type, about.linkname = len(data), kind, target
    return about


def packed(file: Path, members: Iterable[tuple[tarfile.TarInfo, bytes]], end: bytes = bytes(1024)) -> Path:
    """Write an archive by hand: each header, its data, and the blocks at the end."""
    with gzip.open(file, "wb") as out:
        for about, data in members:
            out.write(about.tobuf(tarfile.GNU_FORMAT))
            out.write(data + bytes(-len(data) % 512))
        out.write(end)
    return file


def plain(file: Path, members: dict[str, bytes]) -> Path:
    return packed(file, [(member(name, data), data) for name, data in members.items()])


def former(tmp_path: Path, rows: Iterable[Row] = (FIRST,)) -> bytes:
    write_former(tmp_path / "former.sqlite", rows)
    return (tmp_path / "former.sqlite").read_bytes()


def view_without_end(tmp_path: Path) -> bytes:
    with closing(sqlite3.connect(tmp_path / "view.sqlite")) as db:
        columns = (
            "'m' AS match_id, 1 AS number, 0 AS at_ms, '' AS kind, '' AS body, '' AS previous, id AS digest"
        )
        db.execute(
            "CREATE VIEW event AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) "
            f"SELECT id, {columns} FROM c"
        )
    return (tmp_path / "view.sqlite").read_bytes()


def deep() -> Row:
    """A row with sound digest whose body nests deeper than Python's stack."""
    body = '{"at_ms":0,"by":' + "[" * 50_000 + "]" * 50_000 + "}"
    return Row("m1", 1, 0, "Lifted", body, GENESIS, digest_of("m1", 1, 0, "Lifted", body, GENESIS))


REFUSED = {
    "folder as a member": [(member("matches/", kind=tarfile.DIRTYPE), b"")],
    "symbolic link": [(member("roles.json", kind=tarfile.SYMTYPE, target="/etc/passwd"), b"")],
    "hard link": [(member(NAME, kind=tarfile.LNKTYPE, target="roles.json"), b"")],
    "device": [(member(PICTURE, kind=tarfile.CHRTYPE), b"")],
    "pipe": [(member(NAME, kind=tarfile.FIFOTYPE), b"")],
    "sparse member": [(member(NAME, MATCH, kind=tarfile.GNUTYPE_SPARSE), MATCH)],
    "absolute name": [(member("/roles.json", codes()), codes())],
    "name that climbs": [(member("pictures/../roles.json", codes()), codes())],
    "long name": [(member("././@LongLink", b"x" * 600, tarfile.GNUTYPE_LONGNAME), b"x" * 600)],
    "match's name that no start would read": [(member("matches/0001-2026-01-0a.jsonl", MATCH), MATCH)],
    "match's name in other digits": [(member("matches/٠٠٠١-2026-01-01.jsonl", MATCH), MATCH)],
    "member twice": [(member(NAME, MATCH), MATCH), (member(NAME, MATCH), MATCH)],
    "match and no match": [(member(NAME, MATCH), MATCH), (member("matches/0002-2026-01-01.jsonl"), b"")],
    "deep row": [(member(NAME, line_of(deep())), line_of(deep()))],
    "header that is none": [(member(NAME, MATCH), MATCH + b"x" * 700)],
    "nothing": [],
}


@pytest.mark.parametrize("members", REFUSED.values(), ids=REFUSED)
def test_odd_members_are_refused(
    folder: Path, tmp_path: Path, members: list[tuple[tarfile.TarInfo, bytes]]
) -> None:
    before = content(folder)
    with pytest.raises(UserError):
        restore(packed(tmp_path / "b.tar.gz", members), folder)
    assert content(folder) == before
    StateFolder(folder).close()


@pytest.mark.parametrize("state", ["", "state", "some/where/state"])
def test_refusal_leaves_an_empty_or_missing_folder_as_it_was(tmp_path: Path, state: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    with pytest.raises(UserError):
        restore(packed(tmp_path / "b.tar.gz", []), root / state)
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("end", [b"", b"x" * 512, bytes(512) + b"x" * 512, bytes(8 << 20)])
def test_archive_that_does_not_end_as_one_is_refused(folder: Path, tmp_path: Path, end: bytes) -> None:
    before = content(folder)
    with pytest.raises(UserError, match="no backup of ours, or a damaged one"):
        restore(packed(tmp_path / "b.tar.gz", [(member(NAME, MATCH), MATCH)], end), folder)
    assert content(folder) == before


@pytest.mark.parametrize("name", [NAME, PICTURE, "roles.json", "journal.sqlite"])
@pytest.mark.parametrize("claimed", [-1, 2 << 30, 1 << 62])
def test_gigantic_member_is_refused_before_it_is_read(
    folder: Path, tmp_path: Path, name: str, claimed: int
) -> None:
    before = content(folder)
    about = member(name)
    about.size = claimed
    with pytest.raises(UserError, match="too large"):
        restore(packed(tmp_path / "b.tar.gz", [(about, b"x" * 512)]), folder)
    assert content(folder) == before


@pytest.mark.parametrize(
    "kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME], ids=str
)
def test_bomb_is_refused_before_memory_or_disk_are_full(folder: Path, tmp_path: Path, kind: bytes) -> None:
    bomb = bytes(48 << 20)
    file = packed(tmp_path / "b.tar.gz", [(member(PICTURE, bomb, kind), bomb)])
    del bomb
    before = content(folder)
    tracemalloc.start()
    with pytest.raises(UserError, match="no backup of ours"):
        restore(file, folder)
    most_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most_bytes < 16 << 20
    assert content(folder) == before


def test_millions_of_small_members_are_refused(folder: Path, tmp_path: Path) -> None:
    before = content(folder)
    many = ((member(f"pictures/{number:032x}.jpg"), b"") for number in range(20_000))
    with pytest.raises(UserError, match="too large"):
        restore(packed(tmp_path / "b.tar.gz", many), folder)
    assert content(folder) == before


def test_view_in_the_place_of_the_former_journal_s_table_is_refused(folder: Path, tmp_path: Path) -> None:
    before = content(folder)
    members = {"journal.sqlite": view_without_end(tmp_path), "roles.json": codes()}
    with pytest.raises(UserError, match=r"journal\.sqlite is a SQLite file of something else"):
        restore(plain(tmp_path / "b.tar.gz", members), folder)
    assert content(folder) == before


@pytest.mark.parametrize("left", ["", "something", "journal.sqlite-wal", "matches"])
def test_former_journal_and_join_codes_tarred_by_hand_are_taken(
    folder: Path, tmp_path: Path, left: str
) -> None:
    """Whatever an interrupted restore has left: each start goes on, and each restore too."""
    if left:
        (folder / "restoring-1").mkdir()
        (folder / "restoring-1" / left).mkdir()
    file = plain(tmp_path / "b.tar.gz", {"journal.sqlite": former(tmp_path), "roles.json": codes()})
    assert restore(file, folder)[0] == 1
    assert restore(file, folder)[0] == 1
    assert not list(folder.glob("restoring-*"))
    with closing(StateFolder(folder)):
        journal, table, notices = open_journal(folder)
        journal.close()
    assert table.state is not None
    assert not notices
    assert (folder / "roles.json").read_bytes() == codes()


def test_part_that_is_a_link_to_nothing_does_not_stop_a_restore(folder: Path, tmp_path: Path) -> None:
    for name in ("before-1", "restoring-2"):
        (folder / name).symlink_to("/nowhere/at/all")
    (folder / "pictures" / PICTURE.rpartition("/")[2]).unlink()
    (folder / "roles.json").unlink()
    (folder / "roles.json").symlink_to("/nowhere/at/all")
    file = plain(tmp_path / "b.tar.gz", {NAME: MATCH, "roles.json": codes()})
    _, before = restore(file, folder)
    assert before == folder / "before-3"
    assert (folder / "roles.json").read_bytes() == codes()


def test_match_without_a_date_comes_back(tmp_path: Path) -> None:
    row = row_of(replace(BEGAN, at_ms=10**17), "m1", 1, GENESIS)
    file = plain(tmp_path / "b.tar.gz", {"matches/0001-undated.jsonl": line_of(row)})
    assert restore(file, tmp_path / "new")[0] == 1
    assert (tmp_path / "new" / "matches" / "0001-undated.jsonl").exists()


def test_backup_of_an_earlier_version_with_extended_headers_is_taken(folder: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as out:
        for name, data in {NAME: MATCH, PICTURE: b"jpeg"}.items():
            about = member(name, data)
            about.mtime = 1_700_000_000.25
            out.addfile(about, io.BytesIO(data))
    assert restore(tmp_path / "b.tar.gz", folder)[0] == 1
    assert (folder / PICTURE).read_bytes() == b"jpeg"


def test_gaps_that_are_none_are_passed_over(folder: Path, tmp_path: Path) -> None:
    second = row_of(Lifted(), "m1", 2, FIRST.digest)
    gaps = b"[" * 100_000 + b'\n{"match": 3}\n\xff\n'
    file = plain(tmp_path / "b.tar.gz", {NAME: MATCH + line_of(second), "matches/gaps.jsonl": gaps})
    assert restore(file, folder)[0] == 1
