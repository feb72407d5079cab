"""`companion doctor`: every line, and its remedy where something is wrong."""

import errno
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from gpiozero import LED

from companion.__main__ import main
from companion.camera.board_place import save_board
from companion.camera.recorded import THROWS, recorded_throws
from companion.commands import doctor
from companion.game.events import Lifted
from companion.service import doctor as examine
from companion.service.certificate import own_certificate
from companion.settings import load_settings
from companion.storage.folder import (
    AUTHORITY,
    CATALOGUE_FILES,
    PAGE_CERTIFICATE,
    StateFolder,
    StateFolderError,
)
from companion.storage.journal import Journal
from companion.storage.lines import match_files
from hardware.pins import Pins, find_pins
from hardware.wiring import LAMPS
from tests.support.camera.mjpeg_server import mjpeg_server
from tests.support.selfplay import began
from vision.board.calibration import load_board
from web.app import create_app
from web.openapi import Shapes, document
from web.page import Page, refused
from web.roles import Roles
from web.server.serve import serve

STANDIN = Path(__file__).parents[1] / "support" / "standin"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    file = tmp_path / "settings.toml"
    file.write_text('[camera]\nsource = "none"\n[page]\nport = 0\n[lamps]\npins = "mock"\n')
    return file


def findings(
    file: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, dict[str, dict[str, str]]]:
    status = main(["doctor", "--json", "--config", str(file), *more])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return status, {row["what"]: row for row in rows}


def test_former_setting_has_a_line_of_its_own(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "settings" not in findings(settings, capsys)[1]
    settings.write_text(settings.read_text() + '[profiles.club]\ndice = "shared_pair"\n')
    found = findings(settings, capsys)[1]
    assert found["settings"]["verdict"] == "warn"
    assert "“dice” is no longer a setting" in found["settings"]["text"]


def test_every_part_has_its_line(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = findings(settings, capsys)
    assert status == 0
    assert list(found) == ["python", "camera", "board", "gpio", "heat", "power", "disk", "clock", "page"]
    assert found["camera"]["verdict"] == "good"
    assert found["python"]["verdict"] == "good"
    assert found["gpio"] == {
        "what": "gpio",
        "verdict": "cannot tell",
        "text": "Mock pins are set: the lamps are shown on the page.",
        "remedy": "",
    }


@pytest.mark.parametrize(
    ("old", "new", "what", "said"),
    [
        ('source = "none"', 'source = "97"', "camera", "There is no camera 97"),
        ('source = "none"', 'source = "none.mp4"', "camera", "settings.toml, line 2: There is no"),
        ('source = "none"', 'source = "ftp://x"', "camera", "settings.toml, line 2: A camera's address"),
        (
            'source = "none"',
            'source = "none"\nboard = "none.json"',
            "board",
            "settings.toml, line 3: The board file",
        ),
        (
            "port = 0",
            'port = 0\nhost = "203.0.113.1"',
            "page",
            "settings.toml, line 5: The page cannot listen on 203.0.113.1",
        ),
        ("[lamps]", '[keep]\nfolder = "settings.toml"\n[lamps]', "disk", "settings.toml, line 6: "),
        (
            "port = 0",
            'port = 0\nhttps_port = 1\ncertificate = "none.pem"',
            "https",
            "settings.toml, line 6: The certificate",
        ),
    ],
)
def test_what_is_wrong_is_named(
    settings: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, what: str, said: str
) -> None:
    settings.write_text(settings.read_text().replace(old, new))
    status, found = findings(settings, capsys)
    assert status == 1
    assert found[what]["verdict"] == "bad"
    assert said in found[what]["text"]


@pytest.mark.parametrize("began", [True, False], ids=["with matches", "before the first start"])
def test_dead_card_that_looks_sound_is_named(
    settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, began: bool
) -> None:
    def dead(file: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    state = settings.parent / "board-companion"
    if began:
        state.mkdir()
    there = sorted(settings.parent.rglob("*"))
    assert findings(settings, capsys)[1]["disk"]["verdict"] == "good"
    monkeypatch.setattr("os.fsync", dead)
    status, found = findings(settings, capsys)
    assert (status, found["disk"]["verdict"]) == (1, "bad")
    assert found["disk"]["text"] == f"{state} cannot be written (Input/output error)."
    assert sorted(settings.parent.rglob("*")) == there


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.EIO, "cannot be written (Input/output error)"), (errno.ENOSPC, "10 MB are free")],
)
def test_dead_card_is_not_taken_for_a_small_one(
    settings: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    said: str,
) -> None:
    def refuses(file: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=10_000_000))
    monkeypatch.setattr("os.fsync", refuses)
    disk = findings(settings, capsys)[1]["disk"]
    assert disk["verdict"] == "bad"
    assert said in disk["text"]


def foreign(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE recipe (name TEXT)")


def altered(file: Path) -> None:
    """A match with one digit of its last event changed."""
    with closing(Journal(file.parent)) as journal:
        journal.append("m", began(3, match_id="m"))
        journal.append("m", Lifted(at_ms=1234567))
    (match,) = match_files(file.parent)
    match.write_bytes(match.read_bytes().replace(b"1234567", b"1234568"))


def rsa_key() -> bytes:
    """A private key of another kind."""
    key = rsa.generate_private_key(65537, 2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def linked(matches: Path, target: str) -> None:
    """The list of gaps as a link: to itself, in a circle, or to nothing."""
    matches.mkdir()
    (matches / "gaps.jsonl").symlink_to(target)


def unreadable(matches: Path) -> None:
    """A list of gaps on a disk that gives an error for it: no user can read a process's memory from its beginning."""
    matches.mkdir()
    (matches / "gaps.jsonl").symlink_to("/proc/self/mem")


def set_aside(file: Path) -> None:
    file.mkdir()
    (file / "0001-2026-01-01.damaged-1.jsonl").touch()


def link_to_nothing(file: Path) -> None:
    file.symlink_to("/nowhere/at/all")


@pytest.mark.parametrize(
    ("name", "harm", "verdict", "said"),
    [
        ("matches", altered, "bad", "matches is damaged"),
        ("matches", os.mkfifo, "bad", "it is no folder"),
        (
            "matches",
            lambda file: linked(file, "gaps.jsonl"),
            "bad",
            "gaps.jsonl cannot be used: it is no file",
        ),
        ("matches", lambda file: linked(file, "/nowhere"), "bad", "gaps.jsonl cannot be used: it is no file"),
        ("matches", unreadable, "bad", "gaps.jsonl cannot be used: Input/output error"),
        ("matches", set_aside, "warn", "moved aside: 0001-2026-01-01.damaged-1.jsonl."),
        ("journal.sqlite", lambda file: file.write_bytes(b"S"), "bad", "matches is damaged"),
        ("journal.sqlite", lambda file: file.write_bytes(b""), "bad", "matches is damaged"),
        ("journal.sqlite", Path.mkdir, "bad", "it is no file"),
        ("journal.sqlite", foreign, "bad", "journal.sqlite is no journal"),
        ("roles.json", os.mkfifo, "bad", "roles.json is no file; the next start"),
        ("roles.json", lambda file: file.write_text("{"), "bad", "roles.json is damaged"),
        ("roles.damaged-1.json", Path.touch, "warn", "moved aside: roles.damaged-1.json."),
        ("journal.damaged-2.sqlite", Path.touch, "warn", "moved aside: journal.damaged-2.sqlite."),
        ("journal.damaged-2.sqlite-wal", Path.touch, None, ""),
        ("table.key", lambda file: file.write_text("no key"), "bad", "table.key holds no key"),
        ("table.key", lambda file: file.write_bytes(rsa_key()), "bad", "table.key holds no key"),
        ("table.key", Path.mkdir, "bad", "Is a directory"),
        ("starts", Path.touch, None, ""),
        ("starts", Path.mkdir, "bad", "starts is no file: no start is possible"),
        ("lock", Path.mkdir, "bad", "lock is no file: no start is possible"),
        ("pictures", Path.touch, "bad", "pictures is no folder: no start is possible"),
        ("pictures", link_to_nothing, "bad", "pictures is no folder: no start is possible"),
        ("matches", link_to_nothing, "bad", "matches is no folder: no start is possible"),
        ("starts", link_to_nothing, "bad", "starts is no file: no start is possible"),
        (".starts.part", Path.mkdir, "bad", ".starts.part is no file: no start is possible"),
        (".probe", Path.mkdir, "bad", ".probe is no file: no start is possible"),
        ("lock", link_to_nothing, "bad", "lock is no file: no start is possible"),
        ("pictures", Path.mkdir, None, ""),
    ],
)
def test_what_is_kept_damaged_is_named(
    settings: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    harm: Callable[[Path], object],
    verdict: str | None,
    said: str,
) -> None:
    state = settings.parent / "board-companion"
    state.mkdir()
    harm(state / name)
    status, found = findings(settings, capsys)
    assert status == (verdict == "bad")
    assert found.get("kept", {}).get("verdict") == verdict
    assert said in found.get("kept", {"text": ""})["text"]
    assert {file.name for file in state.iterdir()} - set(CATALOGUE_FILES) == {name}


@pytest.mark.parametrize(
    ("in_the_way", "said"),
    [("before-1", "before-1 is no folder"), ("before-1/matches", "before-1/matches is in the way")],
)
def test_interrupted_restore_that_cannot_be_finished_is_named(
    settings: Path, capsys: pytest.CaptureFixture[str], in_the_way: str, said: str
) -> None:
    state = settings.parent / "board-companion"
    for part in ("restoring-1/matches", "matches/x", "before-1/matches/x"):
        (state / part).mkdir(parents=True)
    if in_the_way == "before-1":
        shutil.rmtree(state / "before-1")
        (state / "before-1").touch()
    with pytest.raises(StateFolderError):
        StateFolder(state)
    status, found = findings(settings, capsys)
    assert status == 1
    assert found["kept"]["verdict"] == "bad"
    assert said in found["kept"]["text"]


def place_board(file: Path) -> None:
    save_board(file, load_board(recorded_throws(THROWS)[0].board))


@pytest.mark.parametrize(
    ("harm", "verdict", "said"),
    [
        pytest.param(place_board, "good", "The board was placed on the page: a surface of ", id="placed"),
        pytest.param(lambda file: file.write_text("{"), "warn", "is no JSON", id="damaged"),
        pytest.param(lambda file: file.write_text("{}"), "warn", "describes no board", id="no board"),
        pytest.param(os.mkfifo, "warn", "it is no file", id="pipe"),
        pytest.param(lambda file: None, "warn", "has not been placed", id="none"),
    ],
)
def test_board_placed_on_the_page_is_known(
    settings: Path,
    capsys: pytest.CaptureFixture[str],
    harm: Callable[[Path], object],
    verdict: str,
    said: str,
) -> None:
    settings.write_text(settings.read_text().replace('"none"', '"97"'))
    state = settings.parent / "board-companion"
    state.mkdir()
    harm(state / "board.json")
    _, found = findings(settings, capsys)
    assert found["board"]["verdict"] == verdict
    assert said in found["board"]["text"]


@pytest.mark.parametrize(
    ("source", "does"), [("auto", "plays recorded throws"), ("plugged", "waits for one")]
)
def test_without_a_camera_it_is_said_what_will_be_done(
    settings: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    does: str,
) -> None:
    monkeypatch.setattr("vision.capture.source.find_camera", lambda: None)
    settings.write_text(settings.read_text().replace('"none"', f'"{source}"'))
    _, found = findings(settings, capsys)
    assert found["camera"]["verdict"] == "warn"
    assert does in found["camera"]["text"]


def test_certificate_without_https_is_said(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.write_text(settings.read_text().replace("port = 0", 'port = 0\ncertificate = "none.pem"'))
    status, found = findings(settings, capsys)
    assert (status, found["https"]["verdict"]) == (0, "warn")
    assert "settings.toml, line 5: " in found["https"]["text"]
    assert "page.https_port" in found["https"]["remedy"]


def test_a_pin_that_is_none_is_named_with_its_line(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.write_text(settings.read_text() + "look = 40\n")
    assert main(["doctor", "--config", str(settings)]) == 2
    assert "line 7" in (said := capsys.readouterr().err)
    assert "2 to 27" in said


def test_stranger_on_the_port_is_noticed(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1]

        def answer() -> None:
            talk, _ = stranger.accept()
            with talk:
                talk.recv(200)
                talk.sendall(b"220 mail ready\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        settings.write_text(settings.read_text().replace("port = 0", f"port = {port}"))
        status, found = findings(settings, capsys)
        thread.join()
    assert status == 1
    assert "Something else" in found["page"]["text"]


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Pins:
    """Pins that pass for real ones."""
    pins = find_pins("mock")._replace(real=True, notice="")
    monkeypatch.setattr("hardware.pins.find_pins", lambda wanted: pins)
    return pins


def test_lamps_are_walked_through(
    settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, pins: Pins
) -> None:
    monkeypatch.setattr(doctor, "LAMP_S", 0.0)
    assert main(["doctor", "--lamps", "--config", str(settings)]) == 0
    walked = [line for line in capsys.readouterr().err.splitlines() if line.startswith("lamp ")]
    assert walked == [
        f"lamp {name}"
        for name in ("south_turn", "north_turn", "cube_south", "cube_north", "valid", "again", "look")
    ]


@pytest.mark.parametrize(
    ("wanted", "why", "remedy"),
    [
        ("mock", "Mock pins are set", 'Set lamps.pins to "auto".'),
        ("auto", "There is no GPIO here", "Raspberry Pi"),
    ],
)
def test_without_pins_no_lamp_is_said_to_be_lit(
    settings: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    answering: int,
    wanted: str,
    why: str,
    remedy: str,
) -> None:
    """Also while a companion runs: it has no pins either."""
    if wanted == "auto":
        monkeypatch.setattr("hardware.pins.find_pins", lambda wanted: find_pins(wanted, settings))
    text = settings.read_text().replace('"mock"', f'"{wanted}"')
    settings.write_text(text.replace("port = 0", f"port = {answering}"))
    assert main(["doctor", "--json", "--lamps", "--config", str(settings)]) == 1
    out, err = capsys.readouterr()
    found = next(row for row in map(json.loads, out.splitlines()) if row["what"] == "lamps")
    assert "lamp " not in err
    assert found["verdict"] == "bad"
    assert found["text"].startswith(f"No lamp can be lit. {why}")
    assert remedy in found["remedy"]


def test_lamp_that_cannot_be_had_is_not_walked_through(
    settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, pins: Pins
) -> None:
    monkeypatch.setattr(doctor, "LAMP_S", 0.0)
    with LED(24, pin_factory=pins.factory):
        assert main(["doctor", "--lamps", "--config", str(settings)]) == 1
    out, err = capsys.readouterr()
    assert "lamp valid\n" not in err
    assert "lamp again\n" in err
    assert "The lamp valid on pin 24 cannot be used" in out


def test_walk_lights_one_lamp_after_the_other_and_sounds_the_buzzer(settings: Path, pins: Pins) -> None:
    settings.write_text(settings.read_text() + "buzzer = 12\n")
    walked: list[tuple[str, list[str]]] = []

    def walk(name: str) -> None:
        lit = [lamp for lamp, number in LAMPS.items() if pins.factory.pin(number).state]
        walked.append((name, lit))

    examine.gpio(load_settings(settings), walk)
    assert walked == [*((name, [name]) for name in LAMPS), ("buzzer", [])]
    assert [state.state for state in pins.factory.pin(12).states][:2] == [False, True]


def test_stream_s_camera_cannot_be_locked_from_here(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with mjpeg_server() as stage:
        settings.write_text(settings.read_text().replace('"none"', f'"{stage.url}"'))
        _, found = findings(settings, capsys)
    assert "64 by 48" in found["camera"]["text"]
    assert found["exposure"]["verdict"] == "cannot tell"
    assert "phone’s camera app" in found["exposure"]["remedy"]


@pytest.mark.parametrize(
    ("lock", "verdict", "said"),
    [("true", "good", "Locked: exposure 1/50 s"), ("false", "good", "leave exposure")],
)
def test_pi_camera_says_what_it_holds(
    settings: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lock: str,
    verdict: str,
    said: str,
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(STANDIN), prepend=os.pathsep)
    settings.write_text(settings.read_text().replace('"none"', f'"picamera"\nlock = {lock}'))
    _, found = findings(settings, capsys)
    assert found["exposure"]["verdict"] == verdict
    assert said in found["exposure"]["text"]


@contextmanager
def http_server(kind: str, content: bytes, status: int = 200) -> Iterator[int]:
    """The port of something that speaks HTTP and says this to everything."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def answering(settings: Path) -> Iterator[int]:
    """The port of a page of ours."""
    app = create_app(
        Page(lambda visitor, body: refused(503, "", "")),
        Roles(settings.with_name("roles.json")),
    )
    with closing(serve(app, "127.0.0.1", 0)) as running:
        yield running.port


@pytest.mark.parametrize(
    ("kind", "content", "status"),
    [
        pytest.param("text/html", b"<title>The board companion's page</title>", 200, id="page"),
        pytest.param("application/json", b'{"openapi": "3.1.0", "info": {"title": "Shop"}}', 200, id="API"),
        pytest.param("application/json", b"[]", 200, id="JSON"),
        pytest.param(
            "application/json", json.dumps(document(Shapes(), "board_role")).encode(), 404, id="nothing there"
        ),
    ],
)
def test_other_web_server_on_the_port_is_no_page_of_ours(
    settings: Path, capsys: pytest.CaptureFixture[str], kind: str, content: bytes, status: int
) -> None:
    with http_server(kind, content, status) as port:
        settings.write_text(settings.read_text().replace("port = 0", f"port = {port}"))
        status, found = findings(settings, capsys)
    assert (status, found["page"]["verdict"]) == (1, "bad")
    assert found["page"]["text"] == f"Something else listens on port {port}."


@pytest.mark.parametrize("ours", [True, False])
def test_companion_that_does_not_answer_is_told_from_a_silent_stranger(
    settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, ours: bool
) -> None:
    monkeypatch.setattr(examine, "ANSWER_S", 0.1)
    folder = settings.parent / "board-companion"
    state = StateFolder(folder)
    if not ours:
        state.close()
    with closing(state), socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        text = settings.read_text().replace('"none"', '"97"')
        settings.write_text(text.replace("port = 0", f"port = {port}"))
        status, found = findings(settings, capsys)
    assert (status, found["page"]["verdict"]) == (1, "bad")
    assert ("its page does not answer" in found["page"]["text"]) is ours
    assert ("systemctl restart" in found["page"]["remedy"]) is ours
    assert found["camera"]["verdict"] == ("cannot tell" if ours else "bad")


def test_camera_that_a_running_companion_has_is_not_called_bad(
    settings: Path, capsys: pytest.CaptureFixture[str], answering: int
) -> None:
    text = settings.read_text().replace('"none"', '"97"')
    settings.write_text(text.replace("port = 0", f"port = {answering}"))
    status, found = findings(settings, capsys)
    assert status == 0
    assert found["page"]["text"] == f"A page answers on port {answering}."
    assert found["camera"]["verdict"] == "cannot tell"
    assert found["camera"]["text"].startswith("A companion is running. There is no camera 97")
    assert "systemctl stop board-companion" in found["camera"]["remedy"]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
class TestHttps:
    """The line about the certificate."""

    @pytest.fixture
    def safe(self, settings: Path) -> Path:
        settings.write_text(settings.read_text().replace("port = 0", "port = 0\nhttps_port = 8443"))
        return settings

    def certificate(self, settings: Path, days: int) -> Path:
        file = settings.with_name("page.pem")
        words = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(days)]
        files = ["-keyout", str(file), "-out", f"{file}.crt"]
        subprocess.run(
            ["openssl", "req", "-x509", *words, "-subj", "/CN=board", *files], check=True, capture_output=True
        )
        file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
        settings.write_text(settings.read_text().replace("https_port", f'certificate = "{file}"\nhttps_port'))
        return file

    def test_without_https_nothing_is_said(self, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "https" not in findings(settings, capsys)[1]

    def test_certificate_that_is_not_made_yet(self, safe: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert findings(safe, capsys)[1]["https"]["text"] == "The next start makes the certificate for HTTPS."

    def test_own_certificate(self, safe: Path, capsys: pytest.CaptureFixture[str]) -> None:
        own_certificate(safe.parent / "board-companion" / "https", ["board", "board.local"])
        found = findings(safe, capsys)[1]["https"]
        assert found["verdict"] == "good"
        assert found["text"].startswith("The certificate for HTTPS holds until 20")

    @pytest.mark.parametrize("ended", [AUTHORITY, PAGE_CERTIFICATE])
    def test_chain_that_nobody_takes(
        self, safe: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, ended: str
    ) -> None:
        own_certificate(safe.parent / "board-companion" / "https", ["board", "board.local"])
        known = {name: (0.0, 1e9 if name == ended else 4e9) for name in (AUTHORITY, PAGE_CERTIFICATE)}
        monkeypatch.setattr("companion.service.certificate.validity_s", lambda file: known[file.name])
        found = findings(safe, capsys)[1]["https"]
        assert (found["verdict"], "until 2001" in found["text"]) == ("bad", True)

    def test_without_openssl(
        self, safe: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", "")
        found = findings(safe, capsys)[1]["https"]
        assert (found["verdict"], "apt install openssl" in found["remedy"]) == ("bad", True)

    @pytest.mark.parametrize(
        ("later_days", "verdict"), [(0, "good"), (280, "warn"), (301, "bad"), (-1, "bad")]
    )
    def test_end_of_a_certificate(self, safe: Path, later_days: int, verdict: str) -> None:
        file = self.certificate(safe, 300)
        assert examine.until(file, lambda: time.time() + 86400 * later_days).verdict.value == verdict

    def test_file_that_is_no_certificate(self, safe: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.certificate(safe, 1).write_text("none")
        status, found = findings(safe, capsys)
        assert (status, found["https"]["verdict"]) == (1, "bad")
        assert "cannot be used" in found["https"]["text"]
