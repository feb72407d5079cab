"""The state folder, the pictures in it, and the word to systemd."""

import hashlib
import os
import shutil
import socket
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.service.app import leave_link
from companion.service.systemd import Notify
from companion.storage.folder import FolderHeldError, StateFolder, StateFolderError, state_folder
from companion.storage.pictures import Pictures
from companion.storage.wholefile import write_whole


@pytest.mark.parametrize(
    ("chosen", "environment", "expected"),
    [
        pytest.param("/srv/bg", {"STATE_DIRECTORY": "/var/lib/x"}, "/srv/bg", id="chosen"),
        pytest.param(
            "", {"STATE_DIRECTORY": "/var/lib/x:/y", "XDG_STATE_HOME": "/z"}, "/var/lib/x", id="service"
        ),
        pytest.param("", {"XDG_STATE_HOME": "/z", "HOME": "/h"}, "/z/board-companion", id="user"),
        pytest.param(
            "",
            {"XDG_STATE_HOME": "z", "HOME": "/h"},
            "/h/.local/state/board-companion",
            id="relative is ignored",
        ),
        pytest.param("", {"HOME": "/h"}, "/h/.local/state/board-companion", id="nothing set"),
    ],
)
def test_where_the_state_lies(chosen: str, environment: dict[str, str], expected: str) -> None:
    assert state_folder(chosen, environment) == Path(expected)


def test_second_program_is_kept_out_until_the_first_goes(tmp_path: Path) -> None:
    first = StateFolder(tmp_path / "state")
    with pytest.raises(StateFolderError, match="Another companion keeps its matches"):
        StateFolder(tmp_path / "state")
    first.close()
    StateFolder(tmp_path / "state").close()


def test_folder_deleted_in_use_is_made_anew_for_its_owner_and_held(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    first = StateFolder(folder)
    assert first.hold()
    shutil.rmtree(folder)
    assert not first.hold()
    assert first.hold()
    assert folder.stat().st_mode & 0o777 == 0o700
    with pytest.raises(FolderHeldError):
        StateFolder(folder)
    first.close()
    StateFolder(folder).close()


def test_folder_that_another_program_has_by_now_is_left_to_it(tmp_path: Path) -> None:
    first = StateFolder(tmp_path / "state")
    (tmp_path / "state" / "lock").unlink()
    second = StateFolder(tmp_path / "state")
    with pytest.raises(FolderHeldError, match="Another companion keeps its matches"):
        first.hold()
    assert second.hold()
    second.close()
    assert not first.hold()
    first.close()


def test_folder_is_not_made_in_the_place_of_a_disk_that_was_taken_away(tmp_path: Path) -> None:
    state = StateFolder(tmp_path / "disk" / "state")
    (tmp_path / "disk").rename(tmp_path / "elsewhere")
    with pytest.raises(StateFolderError, match="cannot be written"):
        state.hold()
    assert [there.name for there in tmp_path.iterdir()] == ["elsewhere"]
    state.close()


def test_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StateFolderError, match=r"file/state cannot be written .*keep\.folder"):
        StateFolder(tmp_path / "file" / "state")


def test_picture_is_kept_under_its_digest(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path, 1000)
    name, digest = pictures.keep(b"jpeg")
    assert digest == hashlib.sha256(b"jpeg").hexdigest()
    assert pictures.keep(b"jpeg") == (name, digest)
    assert pictures.load(name) == b"jpeg"
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_pipe_is_not_written_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "starts")
    with pytest.raises(UserError, match="starts cannot be written: it is no file"):
        write_whole(tmp_path / "starts", b"1")
    assert (tmp_path / "starts").is_fifo()
    assert [file.name for file in tmp_path.iterdir()] == ["starts"]


def test_file_is_written_where_a_link_leads(tmp_path: Path) -> None:
    (tmp_path / "board.json").symlink_to("kept.json")
    write_whole(tmp_path / "board.json", b"{}")
    assert (tmp_path / "board.json").is_symlink()
    assert (tmp_path / "kept.json").read_bytes() == b"{}"
    assert {file.name for file in tmp_path.iterdir()} == {"board.json", "kept.json"}


@pytest.mark.parametrize("name", ["", "../journal.db", "x.jpg", "0" * 32 + ".png", "0" * 32 + ".jpg"])
def test_only_pictures_are_given_out(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.jpg").write_bytes(b"x")
    assert Pictures(tmp_path, 1000).load(name) is None


def test_oldest_pictures_go_when_room_is_needed(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path, 1000)
    names = []
    for number in range(12):
        name, _ = pictures.keep(bytes([number]) * 190)
        os.utime(tmp_path / name, ns=(number, number))
        names.append(name)
    left = {file.name for file in tmp_path.iterdir()}
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 1000
    assert left == set(names[-len(left) :])
    assert len(left) >= 3


@pytest.mark.parametrize("left", ["0" * 32 + ".part", "." + "0" * 32 + ".jpg.part"], ids=["former", "now"])
def test_picture_that_a_power_cut_left_half_written_takes_no_room(tmp_path: Path, left: str) -> None:
    (tmp_path / left).write_bytes(b"half")
    name, _ = Pictures(tmp_path, 1000).keep(b"jpeg")
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_folder_of_pictures_that_was_deleted_is_made_anew(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "pictures", 1000)
    for jpeg in (b"jpeg", b"another"):
        name, _ = pictures.keep(jpeg)
        assert pictures.load(name) == jpeg
        shutil.rmtree(tmp_path / "pictures")


def test_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        Pictures(tmp_path, 1000).keep(b"jpeg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("abstract", [False, True], ids=["path", "abstract"])
def test_systemd_hears_what_is_said(tmp_path: Path, abstract: bool) -> None:
    address = f"\0companion-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        notify = Notify({"NOTIFY_SOCKET": address.replace("\0", "@"), "WATCHDOG_USEC": "20000000"})
        assert notify.watchdog_s == 20
        assert notify("READY=1", "STATUS=Playing")
        assert systemd.recv(200) == b"READY=1\nSTATUS=Playing"


@pytest.mark.parametrize(
    "environment",
    [{}, {"WATCHDOG_USEC": "1"}, {"NOTIFY_SOCKET": "/nowhere/x", "WATCHDOG_USEC": "9", "WATCHDOG_PID": "1"}],
)
def test_without_systemd_nothing_is_said(environment: dict[str, str]) -> None:
    notify = Notify(environment)
    assert notify.watchdog_s is None
    assert notify("READY=1") is False


def test_link_for_the_screen_is_left_to_the_group_alone(tmp_path: Path) -> None:
    leave_link("http://127.0.0.1:8000/join/CODE", {"RUNTIME_DIRECTORY": str(tmp_path)})
    file = tmp_path / "link"
    assert file.read_text() == "http://127.0.0.1:8000/join/CODE\n"
    assert file.stat().st_mode & 0o777 == 0o640


def test_without_a_service_no_link_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    leave_link("http://127.0.0.1:8000/join/CODE", {})
    assert list(tmp_path.iterdir()) == []
