"""Whatever bytes of a journal are damaged: it starts, loses as little as can be, and says so where anything is lost."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.errors import UserError
from companion.game.events import Lifted
from companion.records.rows import digest_of, row_of
from companion.storage.journal import FILE_NAME, SALVAGED, Journal, JournalError
from companion.storage.salvage import is_damaged, open_journal
from companion.storage.soundness import is_sound
from companion.storage.sqlitelog import HEADER
from tests.support.evening import EVENTS, INDEX, LOG, Evening, evening
from tests.support.often import TIMES
from tests.support.running import companion, settings_file

SHARES = (0, 1, 5, 15, 25, 35, 50, 75, 95, 99)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return evening(tmp_path_factory.mktemp("evening"))


def flipped(data: bytes, chance: random.Random, at: int | None = None) -> bytes:
    """With one byte that is another one."""
    at = chance.randrange(len(data)) if at is None else at
    return data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1 :]


@pytest.mark.parametrize("folder", ["stopped", "killed", "unfolded"])
def test_evening_that_nobody_harmed_goes_on_without_a_word(
    played: Evening, tmp_path: Path, folder: str
) -> None:
    copy = shutil.copytree(getattr(played, folder), tmp_path / "copy")
    assert not is_damaged(copy)
    assert played.lost(copy) == (0, False)


def test_single_altered_byte_of_the_file_is_said_where_it_loses_anything(
    played: Evening, tmp_path: Path
) -> None:
    chance, said = random.Random(1), 0
    for _ in range(60 * TIMES):
        harmed = played.harmed(
            played.stopped, FILE_NAME, lambda data: flipped(data, chance), tmp_path / "copy"
        )
        lost, told = played.lost(harmed)
        assert told or not lost
        said += told
    assert said > 20 * TIMES


@pytest.mark.parametrize("folder", ["stopped", "unfolded"])
def test_altered_header_loses_nothing(played: Evening, tmp_path: Path, folder: str) -> None:
    chance, said = random.Random(2), 0
    for at in range(0, 100, 1 if TIMES > 1 else 4):
        harmed = played.harmed(
            getattr(played, folder),
            FILE_NAME,
            lambda data, at=at: flipped(data, chance, at),
            tmp_path / "copy",
        )
        lost, told = played.lost(harmed)
        assert lost == 0
        said += told
    assert said > 5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b'{"at_ms"', b'{"at_mt"', id="an unknown field"),
        pytest.param(b'{"at_ms"', b'{!at_ms"', id="no JSON"),
        pytest.param(b'{"at_ms"', b'{"at\xffms"', id="no UTF-8"),
        pytest.param(b"{", b"[", id="a bracket"),
        pytest.param(b"0", b"1", id="another digit"),
    ],
)
@pytest.mark.parametrize("event", [EVENTS - 1, EVENTS - 40])
def test_altered_event_loses_what_comes_behind_it_in_its_match(
    played: Evening, tmp_path: Path, event: int, old: bytes, new: bytes
) -> None:
    row = played.rows[event]
    body = row.body.encode()
    harmed = played.altered(body, body.replace(old, new, 1), tmp_path / "copy")
    behind = [one for one in played.rows if one.match_id == row.match_id and one.number >= row.number]
    assert is_damaged(harmed)
    assert played.lost(harmed) == (len(behind), True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"CREATE TABLE event", b"CREATE TABLE evenu"),
        (b"match_id TEXT", b"match_ie TEXT"),
        (b"match_id TEXT", b"m\xfftch_id TEXT"),
        (b"STRICT", b"STRICU"),
        (b"BEFORE UPDATE", b"BEFORE UPDATF"),
        (b"event_is_never_deleted", b"event_is_n\xffver_deleted"),
        (b"eventevent", b"evenuevent"),
        (b"eventevent", b"eventevenu"),
    ],
)
def test_altered_letter_of_the_schema_loses_nothing(
    played: Evening, tmp_path: Path, old: bytes, new: bytes
) -> None:
    harmed = played.altered(old, new, tmp_path / "copy")
    assert played.lost(harmed)[0] == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"CREATE TABLE sqlite_sequence", b"CREATE TABLE sqlite_sEquence", id="case"),
        pytest.param(b"CREATE TABLE sqlite_sequence", b"CREATE tABLE sqlite_sequence", id="a keyword's case"),
        pytest.param(b"sqlite_sequence(name,seq)", b"sqlite_sequence(name,sep)", id="a column"),
        pytest.param(b"the journal is append-only", b"the journal is append-onlY", id="a guard's words"),
        pytest.param(b"event\x00\x96", b"event\x00\x95", id="the last number"),
        pytest.param(b"event\x00\x96", b"evenu\x00\x96", id="whose number it is"),
    ],
)
@pytest.mark.parametrize("checked_bytes", [1 << 20, 0])
def test_damage_that_only_writing_would_meet_is_found_at_the_start(
    played: Evening,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    old: bytes,
    new: bytes,
    checked_bytes: int,
) -> None:
    """SQLite reads on, and then writes nothing more."""
    monkeypatch.setattr("companion.storage.soundness.CHECKED_BYTES", checked_bytes)
    harmed = played.altered(old, new, tmp_path / "copy")
    assert is_damaged(harmed)
    assert main(["verify", "--state", str(harmed)]) == 1
    assert "is not as it was written" in capsys.readouterr().out
    assert played.lost(harmed) == (0, True)


def test_altered_row_that_was_given_a_new_digest_is_found_by_the_next_one(
    played: Evening, tmp_path: Path
) -> None:
    copy = shutil.copytree(played.stopped, tmp_path / "copy")
    row = played.rows[-5]
    other = row_of(Lifted(at_ms=row.at_ms), row.match_id, row.number, row.previous)
    with closing(sqlite3.connect(copy / FILE_NAME)) as db:
        db.execute("DROP TRIGGER event_is_never_changed")
        db.execute(
            "UPDATE event SET kind = ?, body = ?, digest = ? WHERE digest = ?",
            (other.kind, other.body, other.digest, row.digest),
        )
        db.commit()
    assert not is_sound(copy / FILE_NAME)
    journal, _, notices = open_journal(copy)
    with closing(journal):
        assert journal.rows(row.match_id)[-1] == other
        assert len(notices) == 1


def test_only_the_last_match_is_looked_at_where_there_are_very_many(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.storage.soundness.CHECKED_BYTES", 0)
    for at, sound in ((0, True), (EVENTS - 1, False)):
        body = played.rows[at].body.encode()
        harmed = played.harmed(
            played.stopped,
            FILE_NAME,
            lambda data, body=body: data.replace(body, body.replace(b"0", b"1", 1)),
            tmp_path / "copy",
        )
        assert is_sound(harmed / FILE_NAME) is sound


# The log beside it


WAYS: dict[str, Callable[[bytes, int, random.Random], bytes]] = {
    "a byte": lambda data, at, chance: flipped(data, chance, at),
    "cut": lambda data, at, chance: data[:at],
    "zeros": lambda data, at, chance: data[:at] + bytes(len(data) - at),
    "garbage": lambda data, at, chance: data[:at] + chance.randbytes(len(data) - at),
    "a page of zeros": lambda data, at, chance: data[:at] + bytes(4096) + data[at + 4096 :],
}


@pytest.mark.parametrize("way", WAYS)
def test_damage_in_the_log_of_a_killed_program_is_said(played: Evening, tmp_path: Path, way: str) -> None:
    chance = random.Random(3)
    for _ in range(6 * TIMES):
        share = chance.random()
        harmed = played.harmed(
            played.unfolded,
            LOG,
            lambda data, share=share: WAYS[way](data, int(share * len(data)), chance),
            tmp_path / "copy",
        )
        lost, said = played.lost(harmed)
        assert said
        assert lost <= (EVENTS if way in ("cut", "zeros", "garbage") else 60), (
            "more than the match that was hit"
        )


@pytest.mark.parametrize("way", ["a byte", "zeros", "garbage", "a page of zeros"])
def test_damage_far_from_the_end_of_the_log_is_said_after_a_power_cut(
    played: Evening, tmp_path: Path, way: str
) -> None:
    """Then there may be no index to the log."""
    chance = random.Random(4)
    for share in (0.00001, 0.3, 0.6, 0.9):
        harmed = played.harmed(
            played.unfolded,
            LOG,
            lambda data, share=share: WAYS[way](data, int(share * len(data)), chance),
            tmp_path / "copy",
        )
        (harmed / INDEX).unlink()
        assert played.lost(harmed)[1]


@pytest.mark.parametrize("folder", ["killed", "unfolded"])
@pytest.mark.parametrize("way", ["cut", "zeros", "garbage"])
def test_transaction_that_a_power_cut_tore_is_no_damage(
    played: Evening, tmp_path: Path, folder: str, way: str
) -> None:
    chance = random.Random(5)
    source = getattr(played, folder)
    live = shutil.copytree(source, tmp_path / "live")
    with closing(Journal(live / FILE_NAME)) as journal:
        before = (live / LOG).read_bytes()
        journal.append(played.rows[-1].match_id, Lifted())
        after = (live / LOG).read_bytes()
        # The header of a log that is begun anew is on disk before its first frame.
        differ = [at for at in range(HEADER, len(after)) if before[at : at + 1] != after[at : at + 1]]
        for torn in (differ[1], differ[len(differ) // 2], differ[-2]):
            copy = tmp_path / "copy"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(live, copy, ignore=shutil.ignore_patterns("*-shm"))
            end = differ[-1] + 1
            left = b"" if way == "cut" else after[end:]
            (copy / LOG).write_bytes(WAYS[way](after[:end], torn, chance) + left)
            assert played.lost(copy) == (0, False)


@pytest.mark.parametrize("name", [LOG, FILE_NAME])
def test_verify_says_what_sqlite_would_pass_over_and_leaves_the_trace_of_it(
    played: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    harmed = played.harmed(played.unfolded, name, lambda data: data[:300], tmp_path / "copy")
    before = {file.name: file.read_bytes() for file in harmed.iterdir()}
    assert main(["verify", "--state", str(harmed)]) == 1
    assert "or the log beside it, is damaged" in capsys.readouterr().out
    assert {file.name: file.read_bytes() for file in harmed.iterdir()} == before


def test_log_that_is_shorter_than_its_index_knows_is_damaged(played: Evening, tmp_path: Path) -> None:
    """Nothing in a log that was cut between two events says that more was in it."""
    whole = (played.unfolded / LOG).read_bytes()
    for cut in (0, 10, 40, 32 + 4120 * 3, 32 + 4120 * 300):
        harmed = played.harmed(
            played.unfolded,
            LOG,
            lambda data, cut=cut: data[:cut],
            tmp_path / "copy",
        )
        assert played.lost(harmed)[1]
        assert (harmed / f"journal.damaged-1.sqlite{LOG.removeprefix(FILE_NAME)}").read_bytes() == whole[:cut]


def test_log_is_folded_into_the_file_at_a_start_and_in_play(played: Evening, tmp_path: Path) -> None:
    assert (played.killed / LOG).stat().st_size < 1 << 20
    with closing(sqlite3.connect(f"{(played.killed / FILE_NAME).as_uri()}?immutable=1", uri=True)) as db:
        assert db.execute("SELECT count(*) FROM event").fetchone()[0] > EVENTS - 70
    copy = shutil.copytree(played.unfolded, tmp_path / "copy")
    journal, _, _ = open_journal(copy)
    with closing(journal):
        assert (copy / LOG).stat().st_size == 0
        assert journal.count() == EVENTS


def test_reader_at_a_start_leaves_the_log_as_it_is(played: Evening, tmp_path: Path) -> None:
    copy = shutil.copytree(played.unfolded, tmp_path / "copy")
    with closing(sqlite3.connect(copy / FILE_NAME, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM event").fetchone()[0] == EVENTS
        journal, _, notices = open_journal(copy)
        with closing(journal):
            assert (journal.count(), notices) == (EVENTS, [])


# What is left of it


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("folder", ["stopped", "unfolded"])
def test_of_a_file_cut_short_goes_on_what_is_left_from_the_first_event_on(
    played: Evening, tmp_path: Path, folder: str, share: int
) -> None:
    harmed = played.harmed(
        getattr(played, folder), FILE_NAME, lambda data: data[: len(data) * share // 100], tmp_path / "copy"
    )
    left = (harmed / FILE_NAME).read_bytes()
    there = next((at for at, row in enumerate(played.rows) if row.body.encode() not in left), EVENTS)
    lost, said = played.lost(harmed)
    if folder == "unfolded":
        assert lost == 0
    else:
        assert said
        assert lost <= EVENTS - there


@pytest.mark.parametrize("keep", [0, 1, 50, 99, 100, 511, 512, 4095, 4096])
def test_log_beside_what_is_left_of_a_file_goes_on(played: Evening, tmp_path: Path, keep: int) -> None:
    harmed = played.harmed(played.unfolded, FILE_NAME, lambda data: data[:keep], tmp_path / "copy")
    log = (harmed / LOG).read_bytes()
    lost, said = played.lost(harmed)
    assert lost == 0
    if said:
        assert (harmed / "journal.damaged-1.sqlite-wal").read_bytes() == log


def junk(file: Path) -> None:
    file.write_bytes(b"junk" * 2000)


def folder_with_something(file: Path) -> None:
    file.mkdir()
    (file / "note").write_text("mine")


def foreign(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE recipe (name TEXT)")


LEFT = {
    "empty": Path.touch,
    "one byte": lambda file: file.write_bytes(b"S"),
    "junk": junk,
    "folder": folder_with_something,
    "pipe": os.mkfifo,
    "another program's": foreign,
}


@pytest.mark.parametrize("left", LEFT)
def test_what_is_no_salvaged_journal_is_not_taken_for_one(played: Evening, tmp_path: Path, left: str) -> None:
    copy = shutil.copytree(played.unfolded, tmp_path / "copy")
    LEFT[left](copy / SALVAGED)
    assert played.lost(copy) == (0, False)
    assert (copy / "journal.salvaged.damaged-1.sqlite").exists()


@pytest.mark.parametrize("name", [".journal.salvaged.sqlite.new", ".salvage-old", ".journal.sqlite.new"])
def test_what_lies_where_something_was_being_made_does_not_stand_in_the_way(
    played: Evening, tmp_path: Path, name: str
) -> None:
    harmed = played.harmed(played.unfolded, FILE_NAME, lambda data: data[:1], tmp_path / "copy")
    folder_with_something(harmed / name)
    assert played.lost(harmed) == (0, True)
    empty = tmp_path / "empty"
    empty.mkdir()
    folder_with_something(empty / name)
    open_journal(empty)[0].close()


@pytest.mark.parametrize("length", [0, 1, 32])
def test_log_of_nothing_without_a_journal_is_nothing(tmp_path: Path, length: int) -> None:
    (tmp_path / LOG).write_bytes(bytes(length))
    assert not is_damaged(tmp_path)
    journal, _, notices = open_journal(tmp_path)
    journal.close()
    assert notices == []
    assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize("name", [LOG, INDEX])
@pytest.mark.parametrize("alone", [True, False])
def test_what_is_no_file_beside_a_journal_is_named(
    played: Evening, tmp_path: Path, name: str, alone: bool
) -> None:
    copy = shutil.copytree(played.stopped, tmp_path / "copy")
    (copy / name).mkdir()
    if alone:
        (copy / FILE_NAME).unlink()
    before = {file.name for file in copy.iterdir()}
    for look in (open_journal, is_damaged):
        with pytest.raises(JournalError, match=f"{name} cannot be used: it is no file"):
            look(copy)
    assert {file.name for file in copy.iterdir()} == before


def test_journal_of_a_later_version_is_no_damage(played: Evening, tmp_path: Path) -> None:
    copy = shutil.copytree(played.stopped, tmp_path / "copy")
    with closing(sqlite3.connect(copy / FILE_NAME)) as db:
        db.execute("CREATE TABLE picture (name TEXT)")
        db.execute("PRAGMA user_version = 2")
    before = (copy / FILE_NAME).read_bytes()
    with pytest.raises(UserError, match="later version"):
        open_journal(copy)
    assert (copy / FILE_NAME).read_bytes() == before


@pytest.mark.parametrize("number", [0, 2, 7, 15, 16, 200, 255])
def test_number_of_a_version_alone_makes_no_later_one(played: Evening, tmp_path: Path, number: int) -> None:
    """It is a single byte: a later version changes the schema as well."""
    harmed = played.harmed(
        played.stopped,
        FILE_NAME,
        lambda data: data[:63] + bytes([number]) + data[64:],
        tmp_path / "copy",
    )
    assert not is_damaged(harmed)
    assert main(["verify", "--state", str(harmed)]) == 0
    assert played.lost(harmed) == (0, False)
    assert (harmed / FILE_NAME).read_bytes()[63] == 1


def test_event_of_a_later_version_is_kept_and_the_table_is_empty(tmp_path: Path) -> None:
    """Its digest holds: it is not damaged, only not known."""
    evening(tmp_path, 10)
    folder = tmp_path / "stopped"
    with closing(Journal(folder / FILE_NAME)) as journal:
        row = journal.append("m1", Lifted())
    body = row.body.replace("Lifted", "Danced")
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        digest = digest_of(row.match_id, 12, row.at_ms, "Danced", body, row.digest)
        values = (row.match_id, 12, row.at_ms, "Danced", body, row.digest, digest)
        db.execute(
            "INSERT INTO event (match_id, number, at_ms, kind, body, previous, digest) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        db.commit()
    journal, table, notices = open_journal(folder)
    with closing(journal):
        assert journal.count() == 12
    assert table.state is None
    assert "return to the version before" in str(notices[0].text)
    assert not list(folder.glob("*damaged*"))


# Through the real program


def test_program_comes_up_with_an_altered_event_and_a_damaged_log(played: Evening, tmp_path: Path) -> None:
    state = tmp_path / "board-companion"
    log = (played.unfolded / LOG).read_bytes()
    at = log.index(played.rows[-30].body.encode()) + 5
    played.harmed(played.unfolded, LOG, lambda data: data[:at] + b"\xff" + data[at + 1 :], state)
    with companion("run", "--config", str(settings_file(tmp_path)), home=tmp_path) as running:
        visitor = running.visitor()
        shown = visitor.wait(lambda state: any("was damaged" in one["text"] for one in state["notices"]))
        assert shown["durable"]
        visitor.act("new_match", length=3)
        assert running.stop() == 0
    assert (state / "journal.damaged-1.sqlite-wal").stat().st_size == len(log)
    with closing(Journal(state / FILE_NAME, read_only=True)) as journal:
        assert journal.verify() == []
        assert journal.count() >= EVENTS - 30
