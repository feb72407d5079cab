"""The whole house as a process: recorded throws, restarts, faults of disk and port, and an orderly end."""

import configparser
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from companion.__main__ import main
from companion.storage.folder import StateFolder
from companion.storage.lines import match_files
from tests.faults.eye import child_of
from tests.support.camera.mjpeg_server import mjpeg_server
from tests.support.running import (
    PATIENCE_S,
    Visitor,
    companion,
    lasting,
    next_act,
    one_command,
    settings_file,
)


def refused(*arguments: str, home: Path) -> str:
    """What the program says when it does not start: one sentence, exit status 2."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        env={**os.environ, "XDG_STATE_HOME": str(home), "STATE_DIRECTORY": ""},
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert done.stdout == ""
    return done.stderr


def test_recorded_throw_is_read_ruled_and_played(tmp_path: Path) -> None:
    with companion("demo", "--throws", "--port", "0", "--speed", "8", home=tmp_path) as running:
        visitor = running.visitor()
        state = visitor.wait(lambda state: state["phase"] == "rolled")
        assert state["ruling"] == "valid"
        assert state["camera"]["state"] == "recorded"
        assert state["lamps"]["valid"] == "on"
        assert len(state["throw"]["dice"]) == 2
        status, picture = visitor.get(state["throw"]["picture"])
        assert status == 200
        assert picture.startswith(b"\xff\xd8")
        # It waits for the play; news of the camera or the machine may come meanwhile.
        assert lasting(visitor.state()) == lasting(state)
        visitor.act("play", moves=state["plays"][0]["moves"])
        # The dice are lifted in the recording, which ends the turn, and the next throw comes.
        visitor.wait(lambda now: now["on_roll"] not in (None, state["on_roll"]))
        visitor.wait(
            lambda now: now["ruling"] is not None and len(now["history"]) > len(state["history"]) + 1
        )
        assert running.stop() == 0
    assert list(tmp_path.iterdir()) == []  # the demo keeps nothing


def test_demo_plays_a_game_with_nobody_at_the_page_and_keeps_nothing(tmp_path: Path) -> None:
    with companion("demo", "--port", "0", "--speed", "20", home=tmp_path) as running:
        visitor = running.visitor()
        state = visitor.wait(lambda state: state["last_play"] is not None)
        assert state["match"]["players"] == {"south": "Anna", "north": "Mehmet"}
        assert state["checkers"]["keeps"]
        assert (state["camera"]["state"], state["camera"]["text"]) == (
            "recorded",
            "A recorded game is played.",
        )
        assert running.stop() == 0
    assert list(tmp_path.iterdir()) == []


def test_no_camera_is_said_and_recorded_throws_are_played(tmp_path: Path) -> None:
    file = settings_file(tmp_path, source="recorded")
    with companion("run", "--config", str(file), home=tmp_path) as running:
        state = running.visitor().wait(lambda state: state["phase"] == "opening")
        camera = state["camera"]
        assert (camera["state"], camera["text"]) == ("recorded", "Recorded throws are played.")
        assert any("lamps are shown on the page" in line for line in running.lines)


@pytest.mark.skipif(any(Path("/sys/class/video4linux").glob("video*")), reason="there may be a camera here")
def test_service_without_its_camera_waits_for_it_and_plays_no_recorded_throws(tmp_path: Path) -> None:
    file = settings_file(tmp_path, source="plugged")
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor = running.visitor()
        state = visitor.wait(lambda state: state["camera"]["state"] == "lost")
        assert state["camera"]["text"] == "No camera is plugged in. Enter rolls by hand meanwhile."
        assert (state["phase"], state["lamps"]["look"]) == ("no_match", "blink")
        visitor.act("new_match", length=1)
        assert visitor.act("opening", south=5, north=2)["phase"] == "rolled"


def test_page_answers_before_anything_slow_is_loaded(tmp_path: Path) -> None:
    """OpenCV, numpy and threads for two hundred spectators would keep the first page of a cold Pi waiting."""
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections and says nothing
        file = settings_file(tmp_path, source=f"http://127.0.0.1:{silent.getsockname()[1]}/video")
        (tmp_path / "board.json").write_text("{}")
        script = f"""
import sys, threading
from pathlib import Path
from companion.service.app import App
from companion.settings import load_settings
from companion.service.systemd import page_answers
app = App(load_settings(Path({str(file)!r})), Path({str(tmp_path)!r}))
answers = page_answers("127.0.0.1", app.port)
print(answers, sorted({{"cv2", "numpy", "picamera2", "asyncio"}} & set(sys.modules)), threading.active_count())
"""
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
    answers, loaded, threads = done.stdout.split(" ", 2) if done.stdout else ("", done.stderr, "")
    assert (answers, loaded) == ("True", "[]")
    assert int(threads) < 10


def test_killed_at_any_step_it_comes_back_at_the_same_place(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    before: dict[str, Any] | None = None
    for start in range(5):
        with companion("run", "--config", str(file), home=tmp_path) as running:
            visitor = running.visitor()
            if before is not None:
                after = visitor.state()
                assert lasting(after) == lasting(before)
                assert after["seq"] > before["seq"]
                assert after["durable"] is True
            for number in range(9 * start, 9 * start + 9):
                action = next_act(visitor.state(), number)
                visitor.act(**{"kind" if key == "type" else key: value for key, value in action.items()})
            before = visitor.state()
            running.kill()


def test_join_link_serves_again_after_a_restart(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with companion("run", "--config", str(file), home=tmp_path) as first:
        cookie = first.visitor().cookie
        code = first.link.rpartition("/")[2]
    with companion("run", "--config", str(file), home=tmp_path) as second:
        assert second.link.endswith(code)
        visitor = second.visitor()
        assert visitor.cookie == cookie


def test_every_event_is_on_disk_before_it_is_shown(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor = running.visitor()
        for number in range(12):
            body = {"seq": visitor.state()["seq"], **next_act(visitor.state(), number)}
            assert visitor.post(body)[0] == 200
            (match,) = match_files(tmp_path / "board-companion")
            assert match.read_bytes().count(b"\n") == number + 1


def test_stale_and_foreign_actions_change_nothing(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor = running.visitor()
        visitor.act("new_match", length=1)
        before = visitor.state()
        tries = [
            ({"type": "roll", "dice": [3, 1], "seq": 1}, 409),
            ({"type": "double", "seq": before["seq"]}, 422),
            ({"type": "amend", "event": 1, "to": {}, "seq": before["seq"]}, 403),
            ({"type": "juggle", "seq": before["seq"]}, 400),
            (["nonsense"], 400),
        ]
        for body, status in tries:
            assert visitor.post(body)[0] == status, body
        assert visitor.state() == before


@contextmanager
def disk_that_takes_nothing(pid: int) -> Iterator[None]:
    """No file of the process may grow meanwhile."""
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, before[1]))
    yield
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


def test_disk_that_takes_nothing_is_said_and_caught_up_with(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor = running.visitor()
        visitor.act("new_match", length=1)
        with disk_that_takes_nothing(running.process.pid):
            state = visitor.act("opening", south=3, north=1)
            assert state["phase"] == "rolled"  # play goes on
            assert state["durable"] is False
            assert any("power cut" in notice["text"] for notice in state["notices"])
        state = visitor.wait(lambda state: state["durable"])
        running.kill()
    with companion("run", "--config", str(file), home=tmp_path) as running:
        assert lasting(running.visitor().state()) == lasting(state)


def run_with_log(
    log: int, file: Path, home: Path, most_bytes: int | None = None
) -> "subprocess.Popen[bytes]":
    """The program with standard output and error to a file descriptor, and its link in `home`/link."""
    limited = (most_bytes or 0, resource.RLIM_INFINITY)
    return subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--config", str(file)],
        stdout=log,
        stderr=log,
        env={
            **os.environ,
            "XDG_STATE_HOME": str(home),
            "STATE_DIRECTORY": "",
            "RUNTIME_DIRECTORY": str(home),
        },
        preexec_fn=None if most_bytes is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limited),
    )


def left_link(home: Path) -> str:
    """The link for a screen on this machine, once it is there."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        if (home / "link").exists() and (text := (home / "link").read_text()):
            return text.strip()
        time.sleep(0.05)
    raise AssertionError("there is no link")


@pytest.mark.parametrize("log", ["full", "reader gone", "reader stands still", "file at its limit"])
def test_log_that_cannot_be_written_ends_no_play(tmp_path: Path, log: str) -> None:
    file, limit = settings_file(tmp_path), None
    with ExitStack() as held:
        if log == "full":
            out = os.open("/dev/full", os.O_WRONLY)
        elif log == "file at its limit":
            out, limit = os.open(tmp_path / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1 << 20
            os.truncate(out, 1 << 20)
        else:
            reader, out = os.pipe()
            if log == "reader gone":
                os.close(reader)
            else:
                held.callback(os.close, reader)
                os.set_blocking(out, False)
                with suppress(BlockingIOError):
                    while True:
                        os.write(out, b"x" * 4096)
                os.set_blocking(out, True)
        held.callback(os.close, out)
        process = run_with_log(out, file, tmp_path, limit)
        held.callback(process.wait)
        held.callback(process.kill)
        visitor = Visitor(left_link(tmp_path))
        visitor.act("new_match", length=1)
        with disk_that_takes_nothing(process.pid):
            state = visitor.act("opening", south=3, north=1)
            assert any("power cut" in notice["text"] for notice in state["notices"]), "it has nothing to log"
        visitor.wait(lambda state: state["durable"])
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE_S) == 0


def test_director_sees_how_fresh_the_pictures_are_as_soon_as_there_are_some(tmp_path: Path) -> None:
    """Not only at the next look at the machine, which is put off here for an hour."""
    script = "import sys, companion.service.app as app; app.HEALTH_S = 3600.0; from companion.__main__ import main; "
    with mjpeg_server() as stage:
        file = settings_file(tmp_path, source=stage.url)
        process = subprocess.Popen(
            [sys.executable, "-c", f"{script}sys.exit(main(['run', '--config', {str(file)!r}]))"],
            stdout=subprocess.DEVNULL,
            env={
                **os.environ,
                "XDG_STATE_HOME": str(tmp_path),
                "STATE_DIRECTORY": "",
                "RUNTIME_DIRECTORY": str(tmp_path),
            },
        )
        try:
            link = left_link(tmp_path)
            codes = json.loads((tmp_path / "board-companion" / "roles.json").read_text())["codes"]
            code = next(row["code"] for row in codes if row["role"] == "director")
            director = Visitor(f"{link.rpartition('/')[0]}/{code}")
            seen = [{row["what"]: row for row in director.state()["health"]}["frames"]["verdict"]]
            director.wait(
                lambda state: any(
                    row["what"] == "frames"
                    and row["verdict"] == "good"
                    and "pictures a second" in row["text"]
                    for row in state["health"]
                )
            )
        finally:
            process.kill()
            process.wait()
    assert seen[0] in ("cannot tell", "good"), "no camera can be late before it was opened"


def test_camera_s_process_that_hangs_ends_with_the_program(tmp_path: Path) -> None:
    with mjpeg_server() as stage:
        file = settings_file(tmp_path, source=stage.url)
        with companion("run", "--config", str(file), home=tmp_path) as running:
            running.visitor().wait(lambda state: state["camera"]["state"] == "live")
            child = child_of(running)
            os.kill(child, signal.SIGSTOP)
            running.kill()
            end_s = time.monotonic() + PATIENCE_S
            while _lives(child) and time.monotonic() < end_s:
                time.sleep(0.05)
            assert not _lives(child)


def _lives(pid: int) -> bool:
    """Whether a process is there and not one that has ended and that nobody has asked after."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_sigterm_under_load_ends_in_order(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor = running.visitor()
        visitor.act("new_match", length=3)
        streams = [socket.create_connection((visitor.host, visitor.port)) for _ in range(20)]
        for stream in streams:
            stream.sendall(
                f"GET /api/events HTTP/1.1\r\nHost: x\r\nCookie: {visitor.cookie}\r\n\r\n".encode()
            )
        before = visitor.state()
        assert running.stop() == 0
        assert not any("Cancel" in line for line in running.lines), running.lines
        for stream in streams:
            stream.close()
    with companion("run", "--config", str(file), home=tmp_path) as running:
        assert lasting(running.visitor().state()) == lasting(before)


@pytest.fixture
def hangup_reaches_children() -> Iterator[None]:
    """A child gets SIGHUP, also where `nohup` runs the tests."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangup_reaches_children")
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGHUP], ids=["by hand", "its terminal is closed"])
def test_interrupted_it_ends_quietly(tmp_path: Path, by: signal.Signals) -> None:
    with companion("run", "--config", str(settings_file(tmp_path)), home=tmp_path) as running:
        running.process.send_signal(by)
        assert running.process.wait(timeout=PATIENCE_S) == 0
        assert not any("Traceback" in line for line in running.lines)


def test_system_log_does_not_get_the_link(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with (tmp_path / "log").open("w") as log:
        found = os.fstat(log.fileno())
        environ = {
            **os.environ,
            "XDG_STATE_HOME": str(tmp_path),
            "JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}",
        }
        command = [sys.executable, "-m", "companion", "run", "--config", str(file)]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environ)
    try:
        end_s = time.monotonic() + PATIENCE_S
        while "companion links" not in (tmp_path / "log").read_text() and time.monotonic() < end_s:
            time.sleep(0.05)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
    said = (tmp_path / "log").read_text()
    assert "; 'companion links' prints the join links." in said
    assert "/join/" not in said


class TestRefusals:
    def test_taken_port(self, tmp_path: Path) -> None:
        with socket.create_server(("0.0.0.0", 0)) as other:
            port = str(other.getsockname()[1])
            assert port in refused("demo", "--port", port, home=tmp_path)

    def test_second_program_in_the_same_folder(self, tmp_path: Path) -> None:
        file = settings_file(tmp_path)
        with companion("run", "--config", str(file), home=tmp_path):
            assert "Another companion" in refused("run", "--config", str(file), home=tmp_path)

    def test_state_folder_that_cannot_be_written(self, tmp_path: Path) -> None:
        file = settings_file(tmp_path)
        (tmp_path / "board-companion").write_text("in the way")
        assert "cannot be written" in refused("run", "--config", str(file), home=tmp_path)

    @pytest.mark.parametrize(
        ("camera", "said"),
        [
            ({"source": "nowhere.avi"}, "no camera, file or folder nowhere.avi"),
            ({"source": "ftp://camera"}, "not with ftp://"),
            ({"board": "none.json"}, "none.json"),
        ],
    )
    def test_camera_that_cannot_be_meant(self, tmp_path: Path, camera: dict[str, object], said: str) -> None:
        file = settings_file(tmp_path, **camera)
        assert said in refused("run", "--config", str(file), home=tmp_path)

    @pytest.mark.parametrize(
        ("setting", "said"),
        [
            ('[camera]\nsource = "none.mp4"', "line 2: There is no camera, file or folder"),
            ('[camera]\nboard = "none.json"', "line 2: The board file"),
            ('[page]\nhttps_port = 0\nport = 0\nhost = "203.0.113.1"', "line 4: The page cannot listen on"),
            ('[page]\nport = 0\n[lamps]\npins = "gpio"', "line 4: The GPIO cannot be used"),
            ('[keep]\n\nfolder = "settings.toml"', "line 3: The folder"),
            ('[keep]\nfolder = "settings.toml/below"', "line 2: The folder"),
        ],
    )
    def test_what_a_setting_names_and_is_not_there_is_named_with_its_line(
        self, tmp_path: Path, setting: str, said: str
    ) -> None:
        file = tmp_path / "settings.toml"
        file.write_text(setting)
        assert f"{file}, {said}" in refused("run", "--config", str(file), home=tmp_path / "home")

    @pytest.mark.parametrize(
        ("setting", "said"),
        [
            ('[camera]\nboard = "pipe"', "line 2: The board file {pipe} cannot be read: it is no file."),
            ('[camera]\nsource = "./pipe"', "line 2: There is no camera, file or folder"),
            (
                '[camera]\nsource = "none"\n[page]\nport = 0\nhttps_port = {port}\ncertificate = "pipe"',
                "line 6: The certificate {pipe} cannot be used (it is no file);",
            ),
            ('[keep]\nfolder = "pipe"', "line 2: The folder"),
        ],
        ids=["board", "source", "certificate", "folder"],
    )
    def test_pipe_that_a_setting_names_is_not_waited_for(
        self, tmp_path: Path, setting: str, said: str
    ) -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
        file, pipe = tmp_path / "settings.toml", tmp_path / "pipe"
        os.mkfifo(pipe)
        file.write_text(setting.format(port=port))
        expected = f"{file}, {said.format(pipe=pipe)}"
        assert expected in refused("run", "--config", str(file), home=tmp_path / "home")

    @pytest.mark.parametrize("content", [None, "no certificate"])
    def test_certificate_that_cannot_be_used(self, tmp_path: Path, content: str | None) -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            free = other.getsockname()[1]
        file, page = settings_file(tmp_path), tmp_path / "page.pem"
        if content is not None:
            page.write_text(content)
        text = file.read_text().replace(
            "port = 0", f'port = 0\nhttps_port = {free}\ncertificate = "page.pem"'
        )
        file.write_text(text)
        said = refused("run", "--config", str(file), home=tmp_path / "home")
        assert f"{file}, line 7: The certificate {page} cannot be used" in said

    def test_pin_given_twice(self, tmp_path: Path) -> None:
        file = settings_file(tmp_path)
        file.write_text(file.read_text() + "look = 24\n")
        assert "lamps.look is 24, the pin of lamps.valid" in refused(
            "run", "--config", str(file), home=tmp_path
        )


def test_links_and_doctor_know_the_port_that_the_page_was_started_with(tmp_path: Path) -> None:
    file, folder = settings_file(tmp_path), tmp_path / "board-companion"
    file.write_text(file.read_text().replace("port = 0", "port = 8000"))

    def said(command: str, *options: str) -> str:
        arguments = (command, "--config", str(file), "--state", str(folder), *options)
        return one_command(*arguments).stdout

    with companion("run", "--config", str(file), "--port", "0", home=tmp_path) as running:
        port = running.visitor().port
        assert said("links", "--role", "scorekeeper").strip() == running.link
        assert f"A page answers on port {port}." in said("doctor")
        running.kill()
    assert ":8000/join/" in said(
        "links", "--role", "scorekeeper"
    )  # nothing runs: as the next start will have it


@pytest.mark.parametrize("harm", ["", "damaged", None])
def test_seq_goes_on_where_the_count_of_starts_is_lost(tmp_path: Path, harm: str | None) -> None:
    """A page that has seen a higher number would take a lower one for old news."""
    file, starts = settings_file(tmp_path), tmp_path / "board-companion" / "starts"
    seen = []
    for run in range(3):
        with companion("run", "--config", str(file), home=tmp_path) as running:
            visitor = running.visitor()
            seen.append(visitor.act("new_match", length=3)["seq"])
            running.kill()
        if run == 1 and harm is None:
            starts.unlink()
        elif run == 1:
            starts.write_text(harm or "")
    assert seen == sorted(set(seen))


def test_program_ends_at_once_while_a_match_is_analysed(tmp_path: Path) -> None:
    tools, begun = tmp_path / "bin", tmp_path / "begun"
    tools.mkdir()
    (tools / "gnubg").write_text(
        f"#!/bin/sh\necho $$ > {begun}.new; mv {begun}.new {begun}; exec sleep 3600\n"
    )
    (tools / "gnubg").chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    with companion("run", "--config", str(settings_file(tmp_path)), home=tmp_path, PATH=path) as running:
        visitor = running.visitor()
        visitor.act("new_match", length=1)
        for number in range(1000):
            state = visitor.state()
            if state["phase"] == "match_over":
                break
            visitor.post({**next_act(state, number), "seq": state["seq"]})
        visitor.wait(lambda state: begun.exists())
        gnubg = int(begun.read_text())
        assert running.stop() == 0
    assert not Path(f"/proc/{gnubg}").exists()


def test_damaged_join_codes_are_made_anew_and_let_nobody_in_who_was_in(tmp_path: Path) -> None:
    """Other damage: `damaged_codes` in tests/faults/disk.py."""
    content = '{"secret": "", "codes": []}'
    file = settings_file(tmp_path)
    roles = tmp_path / "board-companion" / "roles.json"
    with companion("run", "--config", str(file), home=tmp_path) as running:
        before = running.visitor()
        old = roles.read_text()
        running.kill()
    roles.write_text(content)
    with companion("run", "--config", str(file), home=tmp_path) as running:
        after = running.visitor()
        notices = after.wait(lambda state: state["notices"])["notices"]
        said = [notice for notice in notices if "join codes were damaged" in notice["text"]]
        assert [notice["level"] for notice in said] == ["alarm"]
        assert [line for line in running.lines if "join codes" in line] == [said[0]["text"]]
        # Whoever was in is a stranger now, and a stranger without a code is nobody.
        after_port, before.port = after.port, after.port
        assert [before.get("/api/state")[0], before.post({"type": "new_match"})[0]] == [403, 403]
        for code in [row["code"] for row in json.loads(old)["codes"]]:
            with pytest.raises(AssertionError):
                Visitor(f"http://127.0.0.1:{after_port}/join/{code}")
        assert (roles.parent / "roles.damaged-1.json").read_text() == content
        assert running.stop() == 0
    with companion("run", "--config", str(file), home=tmp_path) as running:
        assert not any("join codes" in line for line in running.lines)
        after.port = int(running.link.split(":")[2].split("/")[0])
        assert after.state()["phase"] == "no_match"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
@pytest.mark.parametrize(
    "name", ["matches", "journal.sqlite", "roles.json", "starts", "pictures", "board.json", "lock"]
)
def test_folder_or_pipe_in_the_way_ends_in_no_traceback(
    tmp_path: Path, name: str, make: Callable[[Path], object]
) -> None:
    """What may take the place of a file of ours: the program comes up, or says in a sentence what is in its way."""
    file, state = settings_file(tmp_path), tmp_path / "board-companion"
    state.mkdir()
    if name in ("matches", "pictures"):
        (state / name).write_text("in the way")
    else:
        make(state / name)
    if name in ("roles.json", "board.json"):
        with companion("run", "--config", str(file), home=tmp_path) as running:
            assert running.visitor().state()["phase"] == "no_match"
    else:
        assert name in refused("run", "--config", str(file), home=tmp_path)


def test_players_and_viewers_have_links_of_their_own(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with companion("run", "--config", str(file), home=tmp_path) as running:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "links", "--config", str(file)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "STATE_DIRECTORY": ""},
        )
        links = dict(line.split() for line in done.stdout.splitlines())
        assert set(links) == {"scorekeeper", "director", "south", "north", "viewer"}
        running.visitor().act("new_match", length=1)
        base = running.link.rpartition("/join/")[0]
        for role, link in links.items():
            visitor = Visitor(base + "/join/" + link.rpartition("/")[2])
            may = set(visitor.state()["may"])
            assert ("amend" in may) == (role == "director")
            assert ("opening" in may) == (role in ("scorekeeper", "director"))
            assert ("call_director" in may) == (role != "viewer")
        assert done.stderr == ""


def test_owner_chooses_the_first_code_until_somebody_has_set_the_table_up(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    command = [sys.executable, "-m", "companion", "links", "--config", str(file)]
    given = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "STATE_DIRECTORY": ""}

    def said(*options: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([*command, *options], capture_output=True, text=True, check=False, env=given)

    easy = said("--first", "AAAAAAAAAA")
    assert (easy.returncode, easy.stdout) == (2, "")
    assert easy.stderr.startswith("This code is easily guessed")
    assert said("--first", "W7KD-4QPX-M9").returncode == 0  # before the first start
    with companion("run", "--config", str(file), home=tmp_path) as running:
        assert "/join/W7KD4QPXM9" in running.link
        first = said("--first", "HJKM23PQRS", "--role", "scorekeeper").stdout.strip()  # while it runs
        assert first.endswith("/join/HJKM23PQRS")
        visitor = Visitor(first)
        assert visitor.send_form("/welcome", name="Ours", newcomers="play", camera="none") == 303
        late = said("--first", "W7KD4QPXM9")
        assert (late.returncode, late.stdout) == (2, "")
        assert late.stderr.startswith("The first code is chosen before somebody sets the table up")
        assert Visitor(first).state()["phase"] == "no_match"


def test_links_of_a_folder_that_no_program_uses_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "other"))
    assert main(["links", "--role", "director"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 1
    assert err.startswith(f"No companion has been started with {tmp_path / 'other'} yet: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "0.0.0.0", "::1"])
def test_screen_of_this_machine_finds_the_page_wherever_it_listens(tmp_path: Path, host: str) -> None:
    file = settings_file(tmp_path)
    file.write_text(file.read_text().replace('host = "127.0.0.1"', f'host = "{host}"'))
    with companion("run", "--config", str(file), home=tmp_path, RUNTIME_DIRECTORY=str(tmp_path)):
        link = (tmp_path / "link").read_text().strip()
        assert Visitor(link).state()["phase"] == "no_match"


@pytest.mark.parametrize("trouble", ["address", "folder"])
def test_service_is_to_be_started_anew_where_only_the_moment_is_wrong(tmp_path: Path, trouble: str) -> None:
    file = settings_file(tmp_path)
    state_folder = StateFolder(tmp_path / "board-companion")
    if trouble != "folder":
        state_folder.close()
    with closing(state_folder):
        if trouble == "address":  # of TEST-NET-3, which no machine has
            file.write_text(file.read_text().replace('host = "127.0.0.1"', 'host = "203.0.113.1"'))
        command = [sys.executable, "-m", "companion", "run", "--config", str(file)]
        state = {"XDG_STATE_HOME": str(tmp_path), "STATE_DIRECTORY": "", "NOTIFY_SOCKET": "/nowhere/x"}
        environment = {**os.environ, **state}
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=False, env=environment
        )
        with open("/dev/full", "w") as full:  # a log that takes nothing changes nothing
            untold = subprocess.run(
                command, stdout=full, stderr=full, timeout=PATIENCE_S, check=False, env=environment
            )
    said = {
        "address": "cannot listen on 203.0.113.1",
        "folder": "Another companion keeps its matches",
    }
    assert said[trouble] in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    service = configparser.ConfigParser(strict=False, interpolation=None)
    service.read(Path(__file__).parents[2] / "systemd" / "board-companion.service")
    assert done.returncode not in (0, int(service["Service"]["RestartPreventExitStatus"]))
    assert untold.returncode == done.returncode


def test_systemd_hears_ready_alive_and_stopping(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE_S)
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "900000"}
        with companion("run", "--config", str(file), home=tmp_path, **environment) as running:
            assert systemd.recv(200).startswith(b"READY=1")
            assert [systemd.recv(200) for _ in range(3)] == [b"WATCHDOG=1"] * 3
            assert running.stop() == 0
            last = systemd.recv(200)
            while last == b"WATCHDOG=1":
                last = systemd.recv(200)
            assert last == b"STOPPING=1"
