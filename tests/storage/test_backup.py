"""Backups hold everything, and only sound ones are put back."""

import errno
import io
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.errors import UserError
from companion.game.events import Lifted, MatchBegan
from companion.storage.backup import back_up, restore
from companion.storage.fallback import FallbackFolder
from companion.storage.folder import CATALOGUE_FILES, StateFolder, StateFolderError
from companion.storage.journal import Journal
from companion.storage.lines import match_files
from companion.storage.recovery import is_damaged
from tests.support.records.evening import problems
from tests.support.records.powercut import power_cut
from tests.support.running import one_command
from web.roles import Role, Roles
from web.setup.table_setup import SetupFile, TableSetup


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    (folder / "pictures").mkdir(parents=True)
    (folder / "pictures" / ("a" * 32 + ".jpg")).write_bytes(b"jpeg")
    Roles(folder / "roles.json").standing(Role.SCOREKEEPER)
    SetupFile(folder / "table.json").finish(TableSetup(name="Window", language="fi", newcomers="keep"))
    with closing(Journal(folder)) as journal:
        journal.append("m1", MatchBegan(match_id="m1", south="Ann", north="Ben", length=3, profile="modern"))
    return folder


def content(folder: Path) -> dict[str, bytes]:
    kept = [
        file
        for file in folder.rglob("*")
        if file.is_file()
        and file.name != "lock"
        and not file.relative_to(folder).parts[0].startswith("before-")
    ]
    left_out = (*CATALOGUE_FILES, "gaps.jsonl")
    return {str(file.relative_to(folder)): file.read_bytes() for file in kept if file.name not in left_out}


def test_what_was_backed_up_comes_back(folder: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.tar.gz"
    before = content(folder)
    assert back_up(folder, backup) == (1, "", "")
    (folder / "roles.json").write_text("changed")
    matches, aside = restore(backup, folder)
    assert matches == 1
    assert content(folder) == before
    assert aside is not None
    assert (aside / "roles.json").read_text() == "changed"
    with closing(Journal(folder)) as journal:
        assert journal.last_match_id == "m1"


@pytest.mark.parametrize("content", ["{", '{"open": true}', '{"newcomers": "rule"}'])
def test_nobody_becomes_director_by_a_setup_in_a_backup(folder: Path, tmp_path: Path, content: str) -> None:
    backup = tmp_path / "backup.tar.gz"
    (folder / "table.json").write_text(content)
    back_up(folder, backup)
    with tarfile.open(backup) as archive:
        assert "table.json" not in archive.getnames()
    made = tmp_path / "made.tar.gz"
    with tarfile.open(backup) as old, tarfile.open(made, "w:gz") as archive:
        for member in old:
            archive.addfile(member, old.extractfile(member))
        archive.add(folder / "table.json", "table.json")
    with pytest.raises(UserError, match="of no table set up"):
        restore(made, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_join_codes_are_for_their_owner_only_in_the_backup_and_back_from_it(
    folder: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "b.tar.gz"
    back_up(folder, backup)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    restore(backup, tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new" / "roles.json").stat().st_mode) == 0o600


def test_backup_needs_room_beside_it_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only root may have no place for passing files."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere"])
    assert back_up(folder, tmp_path / "b.tar.gz").matches == 1
    assert {file.name for file in tmp_path.iterdir()} == {"state", "b.tar.gz"}


def test_backup_is_whole_while_the_program_writes(folder: Path, tmp_path: Path) -> None:
    with closing(Journal(folder)) as journal:
        journal.append("m2", MatchBegan(match_id="m2", south="", north="", length=1, profile="modern"))
        assert back_up(folder, tmp_path / "b.tar.gz").matches == 2


@pytest.mark.parametrize("command", ["matches", "verify", "backup"])
def test_folder_that_is_another_user_s_is_said(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    exists = Path.exists

    def forbidden(self: Path) -> bool:
        if self.is_relative_to(folder):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return exists(self)

    settings = tmp_path / "settings.toml"
    settings.write_text(f'[keep]\nfolder = "{folder}"\n')
    monkeypatch.setattr(Path, "exists", forbidden)
    assert main([command, "--config", str(settings)]) == 2
    assert "not this user's to read" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["matches/mine.tar.gz", "roles.json", "pictures/mine.tar.gz", "new.tar.gz", "link"]
)
def test_backup_does_not_go_among_what_it_keeps(folder: Path, tmp_path: Path, name: str) -> None:
    out = folder / name
    if name == "link":
        out = tmp_path / "link.tar.gz"
        out.symlink_to(match_files(folder)[0])
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    (tmp_path / "way").symlink_to(folder, target_is_directory=True)
    for way in (folder, tmp_path / "way"):
        with pytest.raises(UserError, match=f"^The backup {out} must not lie in {way}, "):
            back_up(way, out)
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Path]:
    """A place of 256 kB, filled by another program as the test wants it."""
    stick = tmp_path / "stick"
    stick.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", stick], check=False).returncode:
        pytest.skip("nothing can be mounted here")
    yield stick
    subprocess.run(["umount", stick], check=True)


@pytest.mark.parametrize("damaged", [False, True], ids=["sound", "damaged"])
@pytest.mark.parametrize("free_bytes", [0, 4096, 16384])
def test_full_place_of_a_backup_is_named_and_not_the_journal(
    folder: Path, stick: Path, damaged: bool, free_bytes: int
) -> None:
    if damaged:
        altered(folder)
    (folder / "pictures" / ("b" * 32 + ".jpg")).write_bytes(random.Random(1).randbytes(50_000))
    journal = match_files(folder)[0].read_bytes()
    (stick / "others").write_bytes(bytes((256 << 10) - free_bytes))
    with pytest.raises(UserError) as refusal:
        back_up(folder, stick / "b.tar.gz")
    assert str(refusal.value).startswith(f"The backup {stick / 'b.tar.gz'} cannot be written: ")
    assert str(folder) not in str(refusal.value)
    assert {file.name for file in stick.iterdir()} == {"others"}
    assert match_files(folder)[0].read_bytes() == journal


def test_restore_into_nothing(folder: Path, tmp_path: Path) -> None:
    back_up(folder, tmp_path / "b.tar.gz")
    assert restore(tmp_path / "b.tar.gz", tmp_path / "new") == (1, None)


@pytest.mark.parametrize("step", range(1, 7))
def test_power_cut_while_restoring_leaves_the_former_or_the_new(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    back_up(folder, tmp_path / "b.tar.gz")
    restored = content(folder)
    (folder / "roles.json").write_text("former")
    former = content(folder)
    with power_cut(monkeypatch, step):
        restore(tmp_path / "b.tar.gz", folder)
    with closing(StateFolder(folder)):  # the next start
        assert content(folder) == (former if step == 1 else restored)
        assert not [file for file in folder.iterdir() if file.name.startswith(".")]
        assert step == 1 or (folder / "before-1" / "roles.json").read_text() == "former"
        with closing(Journal(folder)) as journal:
            assert journal.last_match_id == "m1"


def test_restoring_needs_no_room_beside_the_folder(folder: Path, tmp_path: Path) -> None:
    """The folder may be a mount of its own on a card that is read-only otherwise."""
    back_up(folder, tmp_path / "b.tar.gz")
    there = set(tmp_path.iterdir())
    inode = folder.stat().st_ino
    restore(tmp_path / "b.tar.gz", folder)
    assert set(tmp_path.iterdir()) == there
    assert folder.stat().st_ino == inode


KILLED = """
import os, signal, sys
from pathlib import Path
from companion.storage import backup

def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

backup._check_unpacked = killed
backup.restore(Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.parametrize("next_one", ["start", "restore", "start on a full disk"])
def test_restore_that_was_killed_leaves_nothing_for_ever(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, next_one: str
) -> None:
    backup = tmp_path / "b.tar.gz"
    back_up(folder, backup)
    owner = 12345 if os.geteuid() == 0 else os.geteuid()
    os.chown(folder, owner, -1)
    there = {file.name for file in folder.iterdir()}
    killed = subprocess.run([sys.executable, "-c", KILLED, str(backup), str(folder)], check=False)
    assert killed.returncode == -signal.SIGKILL
    (left,) = [file for file in folder.iterdir() if file.name not in {*there, "lock"}]
    assert match_files(left)
    assert {part.stat().st_uid for part in (left, left / "pictures")} == {owner}
    if next_one == "restore":
        restore(backup, folder)
    elif next_one == "start":
        StateFolder(folder).close()
    else:

        def full(*_: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(Path, "write_bytes", full)
        with pytest.raises(UserError, match="No space left"):
            StateFolder(folder)
    assert not left.exists()


BACKED_UP = """
import sys, time
from pathlib import Path
from companion.storage import backup

def waits(*_):
    print("half", flush=True)
    time.sleep(600)

backup._add = waits
backup.back_up(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def test_backup_that_was_killed_leaves_nothing_for_ever_and_one_that_is_written_stays(
    folder: Path, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    for kept in (stick, stick / ".backup-mine", stick / ".board-companion"):
        kept.mkdir()
    (stick / ".board-companion-backup-note").write_text("mine")
    others = set(stick.iterdir())
    writing = subprocess.Popen(
        [sys.executable, "-c", BACKED_UP, str(folder), str(stick / "a.tar.gz")], stdout=subprocess.PIPE
    )
    with writing:
        assert writing.stdout is not None
        assert writing.stdout.readline() == b"half\n"
        (half,) = set(stick.iterdir()) - others
        back_up(folder, stick / "b.tar.gz")
        assert half.is_dir()
        writing.kill()
    assert half.is_dir()
    back_up(folder, stick / "b.tar.gz")
    assert set(stick.iterdir()) == others | {stick / "b.tar.gz"}


@pytest.mark.parametrize("step", range(1, 7))
def test_restore_that_was_cut_short_is_known_to_all(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    step: int,
) -> None:
    back_up(folder, tmp_path / "b.tar.gz")
    restored = content(folder)
    live = folder.rename(tmp_path / "live")
    with closing(Journal(live)) as journal:
        journal.append("m2", MatchBegan(match_id="m2", south="", north="", length=1, profile="modern"))
        shutil.copytree(live, folder)  # as a kill leaves it
    (folder / "roles.json").write_text("former")
    with power_cut(monkeypatch, step):
        restore(tmp_path / "b.tar.gz", folder)
    matches = 2 if step == 1 else 1
    assert not is_damaged(folder)
    assert main(["verify", "--state", str(folder)]) == 0
    assert capsys.readouterr().out.count("the record holds") == matches
    told = back_up(folder, tmp_path / "again.tar.gz")
    assert (told.matches, told.damage, bool(told.left_out)) == (matches, "", step == 1)
    assert restore(tmp_path / "again.tar.gz", tmp_path / "new")[0] == matches
    if step > 1:
        assert content(tmp_path / "new") == restored


def test_restore_that_was_cut_short_goes_on_from_a_disk_that_takes_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(folder, tmp_path / "b.tar.gz")
    with closing(Journal(folder)) as journal:
        journal.append("m1", Lifted())
    with power_cut(monkeypatch, 5):
        restore(tmp_path / "b.tar.gz", folder)
    there = [file for file in sorted(folder.rglob("*")) if file.name not in CATALOGUE_FILES]
    with closing(FallbackFolder(folder, StateFolderError("Read-only."))) as copy:
        journal, _, notices = copy.open_read_only()
        with closing(journal):
            assert (journal.end_of("m1")[0], notices) == (1, [])
    assert [file for file in sorted(folder.rglob("*")) if file.name not in CATALOGUE_FILES] == there


def test_backup_that_is_a_pipe_is_refused(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "b.tar.gz")
    before = content(folder)
    with pytest.raises(UserError, match=r"b\.tar\.gz cannot be read: it is no file\.$"):
        restore(tmp_path / "b.tar.gz", folder)
    assert content(folder) == before


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
def test_match_that_is_no_file_is_not_backed_up(
    folder: Path, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    make(folder / "matches" / "0002-2026-01-01.jsonl")
    with pytest.raises(UserError, match="it is no file"):
        back_up(folder, tmp_path / "b.tar.gz")


def test_a_link_in_the_folder_gives_away_nothing_elsewhere(folder: Path, tmp_path: Path) -> None:
    back_up(folder, tmp_path / "b.tar.gz")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("root's")
    (folder / "pictures" / "link").symlink_to(elsewhere)
    os.chown(folder, 12345, 12345)
    restore(tmp_path / "b.tar.gz", folder)
    assert elsewhere.stat().st_uid == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
def test_what_root_restores_belongs_to_the_service(folder: Path, tmp_path: Path) -> None:
    back_up(folder, tmp_path / "b.tar.gz")
    for file in (folder, *folder.rglob("*")):
        os.chown(file, 12345, 12345)
    restore(tmp_path / "b.tar.gz", folder)
    assert {file.stat().st_uid for file in folder.rglob("*")} == {12345}


def test_running_program_is_not_restored_over(folder: Path, tmp_path: Path) -> None:
    back_up(folder, tmp_path / "b.tar.gz")
    with closing(StateFolder(folder)), pytest.raises(UserError, match="Another companion"):
        restore(tmp_path / "b.tar.gz", folder)


def archive(file: Path, members: dict[str, bytes]) -> None:
    with tarfile.open(file, "w:gz") as out:
        for name, data in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            out.addfile(about, io.BytesIO(data))


def altered(folder: Path) -> bytes:
    (match,) = match_files(folder)
    match.write_bytes(match.read_bytes().replace(b"Ann", b"Eve"))
    return match.read_bytes()


NAME = "matches/0001-2026-01-01.jsonl"


@pytest.mark.parametrize(
    ("members", "said"),
    [
        pytest.param({"roles.json": b"{}"}, "holds no journal", id="no journal"),
        pytest.param({"../evil": b""}, r"holds '\.\./evil'", id="path that climbs"),
        pytest.param(
            {NAME: b"x" * 5000}, "is damaged: Match .* was not written to its end", id="match that is none"
        ),
        pytest.param({"matches/0001-../../../evil.jsonl": b""}, "it holds", id="match's name that climbs"),
        pytest.param({"journal.sqlite": b"x" * 5000}, "is damaged", id="former journal that is none"),
    ],
)
def test_foreign_file_is_refused_and_nothing_is_lost(
    folder: Path, tmp_path: Path, members: dict[str, bytes], said: str
) -> None:
    before = content(folder)
    archive(tmp_path / "b.tar.gz", members)
    with pytest.raises(UserError, match=said):
        restore(tmp_path / "b.tar.gz", folder)
    assert content(folder) == before
    assert {file.name for file in tmp_path.iterdir()} == {"state", "b.tar.gz"}


@pytest.mark.parametrize("codes", [b"", b"{}", b"[]", b"\xff\xfe"])
def test_backup_whose_join_codes_are_none_is_refused(folder: Path, tmp_path: Path, codes: bytes) -> None:
    before = content(folder)
    archive(tmp_path / "b.tar.gz", {NAME: match_files(folder)[0].read_bytes(), "roles.json": codes})
    with pytest.raises(UserError, match="no join codes"):
        restore(tmp_path / "b.tar.gz", folder)
    assert content(folder) == before


def spoil(file: Path) -> None:
    file.unlink()
    file.write_text("{")


def become_a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


@pytest.mark.parametrize("harm", [spoil, become_a_pipe])
def test_matches_are_backed_up_without_join_codes_that_are_none(
    folder: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    harm(folder / "roles.json")
    become_a_pipe(folder / "pictures" / ("a" * 32 + ".jpg"))
    settings, out = tmp_path / "settings.toml", tmp_path / "b.tar.gz"
    settings.write_text(f'[keep]\nfolder = "{folder}"\n')
    told = one_command("backup", "--config", str(settings), "--out", str(out))
    assert (told.returncode, told.stdout) == (0, f"{out}: 1 match.\n")
    assert "The join codes are left out." in told.stderr
    assert len(told.stderr.splitlines()) == 1
    assert restore(out, tmp_path / "new") == (1, None)
    assert not (tmp_path / "new" / "roles.json").exists()


def alter_an_event(match: Path) -> None:
    match.write_bytes(match.read_bytes().replace(b'"at_ms":77,', b'"at_ms":78,'))


def tear_the_last_line(match: Path) -> None:
    os.truncate(match, match.stat().st_size - 10)


@pytest.mark.parametrize(("harm", "matches", "left"), [(alter_an_event, 2, 3), (tear_the_last_line, 2, 3)])
def test_damaged_match_is_backed_up_as_far_as_it_can_be_read_which_is_said(
    folder: Path, tmp_path: Path, harm: Callable[[Path], None], matches: int, left: int
) -> None:
    with closing(Journal(folder)) as journal:
        journal.append("m1", Lifted(at_ms=76))
        journal.append("m1", Lifted(at_ms=77))
        journal.append("m2", MatchBegan(match_id="m2", south="", north="", length=1, profile="modern"))
    harm(match_files(folder)[0])
    before = content(folder)
    settings, out = tmp_path / "settings.toml", tmp_path / "b.tar.gz"
    settings.write_text(f'[keep]\nfolder = "{folder}"\n')
    told = one_command("backup", "--config", str(settings), "--out", str(out))
    assert (told.returncode, told.stdout) == (1, f"{out}: {matches} matches.\n")
    assert f"is damaged: the backup holds the {left} events of it that can be read." in told.stderr
    assert len(told.stderr.splitlines()) == 1
    assert content(folder) == before
    assert restore(out, tmp_path / "new") == (matches, None)
    assert sum(file.read_bytes().count(b"\n") for file in match_files(tmp_path / "new")) == left
    assert problems(tmp_path / "new") == []


def test_backup_onto_what_cannot_be_written_is_one_sentence(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There not even what was never written can be deleted."""

    def read_only(*_: object, **__: object) -> str:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(tempfile, "mkdtemp", read_only)
    monkeypatch.setattr(Path, "unlink", read_only)
    with pytest.raises(UserError, match=r"b\.tar\.gz cannot be written: Read-only file system\.$"):
        back_up(folder, tmp_path / "b.tar.gz")


def device(place: Path) -> None:
    """What swallows everything, as /dev/null does, under a name of its own."""
    try:
        os.mknod(place, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("this user may make no device")


def link_to_a_pipe(place: Path) -> None:
    os.mkfifo(place.with_name("pipe"))
    place.symlink_to("pipe")


@pytest.mark.parametrize("make", [os.mkfifo, device, link_to_a_pipe, Path.mkdir])
def test_backup_takes_the_place_of_a_file_alone(
    folder: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    out = tmp_path / "out" / "b.tar.gz"
    out.parent.mkdir()
    make(out)
    before = {file: file.lstat().st_mode for file in out.parent.iterdir()}
    with pytest.raises(UserError, match=r"b\.tar\.gz cannot be written: it is (no file|a folder)\.$"):
        back_up(folder, out)
    assert {file: file.lstat().st_mode for file in out.parent.iterdir()} == before


def test_backup_goes_where_a_link_leads(folder: Path, tmp_path: Path) -> None:
    """/dev/stdout is one, too."""
    (tmp_path / "stick").mkdir()
    link = tmp_path / "b.tar.gz"
    link.symlink_to("stick/b.tar.gz")
    for _ in ("where there is none yet", "over the last one"):
        assert back_up(folder, link).matches == 1
        assert link.is_symlink()
        assert [file.name for file in (tmp_path / "stick").iterdir()] == ["b.tar.gz"]
    assert restore(link, tmp_path / "new") == (1, None)


def test_altered_journal_is_refused(folder: Path, tmp_path: Path) -> None:
    archive(tmp_path / "b.tar.gz", {NAME: altered(folder)})
    with pytest.raises(UserError, match=r"is damaged: .*altered"):
        restore(tmp_path / "b.tar.gz", tmp_path / "new")


@pytest.mark.parametrize("cut", [10, 200])
def test_cut_off_backup_is_refused(folder: Path, tmp_path: Path, cut: int) -> None:
    backup = tmp_path / "b.tar.gz"
    back_up(folder, backup)
    backup.write_bytes(backup.read_bytes()[:cut])
    with pytest.raises(UserError, match="no backup of ours"):
        restore(backup, folder)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.5, 0.7, 0.9, 0.97, 1.0])
def test_backup_with_one_byte_altered_is_refused(folder: Path, tmp_path: Path, share: float) -> None:
    """Anywhere up to the checksum at the end, which alone tells for a picture.

    Of the zeros before that checksum another code can stand for the same.
    """
    for number in range(3):
        picture = folder / "pictures" / f"{number:032x}.jpg"
        picture.write_bytes(random.Random(number).randbytes(20_000))
    backup = tmp_path / "b.tar.gz"
    back_up(folder, backup)
    data = bytearray(backup.read_bytes())
    data[int(share * (len(data) - 6))] ^= 0x40
    backup.write_bytes(data)
    before = content(folder)
    with pytest.raises(UserError, match=r"damaged|no backup of ours"):
        restore(backup, folder)
    assert content(folder) == before


def test_from_the_command_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[keep]\nfolder = "{folder}"\n')
    backup = tmp_path / "b.tar.gz"
    assert main(["backup", "--config", str(settings), "--out", str(backup)]) == 0
    assert main(["restore", "--config", str(settings), str(backup)]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith(f"1 match restored into {folder}.")
    assert main(["restore", "--config", str(settings), str(tmp_path / "none.tar.gz")]) == 2
    assert main(["backup", "--config", str(settings), "--out", str(tmp_path / "no" / "b.tar.gz")]) == 2


def test_backup_says_what_a_running_companion_has_besides(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, backup = tmp_path / "settings.toml", tmp_path / "b.tar.gz"
    settings.write_text(f'[keep]\nfolder = "{folder}"\n')
    with closing(StateFolder(folder)) as state:
        state.mark_lacking(True)
        assert main(["backup", "--config", str(settings), "--out", str(backup)]) == 1
        out, err = capsys.readouterr()
        assert out == f"{backup}: 1 match.\n"
        assert "what is only in memory is not in here" in err
        state.mark_lacking(False)
        assert main(["backup", "--config", str(settings), "--out", str(backup)]) == 0
