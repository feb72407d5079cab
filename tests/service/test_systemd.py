"""The watchdog is fed only while everything turns."""

import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from companion.service.certificate import own_certificate
from companion.service.systemd import Notify, Watchdog, is_logged, page_answers
from web.app import WebSettings, create_app
from web.page import Page, refused
from web.roles import Roles
from web.server.serve import Tls, serve


class Heard(Notify):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, *lines: str) -> bool:
        self.lines += lines
        return True


def test_fed_while_all_hold_and_not_when_one_fails() -> None:
    heard, health = Heard(), {"page": True, "eye": True}
    dog = Watchdog(heard, {name: (lambda name=name: health[name]) for name in health})
    assert dog.look()
    assert heard.lines == ["WATCHDOG=1"]
    health["eye"] = False
    assert not dog.look()
    assert heard.lines == ["WATCHDOG=1"]
    health["eye"] = True
    assert dog.look()
    assert heard.lines == ["WATCHDOG=1"] * 2


def test_failure_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    dog = Watchdog(Heard(), {"page": lambda: False})
    dog.look()
    dog.look()
    assert capsys.readouterr().err.count("The page does not answer") == 1


def test_output_to_the_systems_log_is_recognised(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w") as log:
        found = os.fstat(log.fileno())
        stream = f"{found.st_dev}:{found.st_ino}"
        assert is_logged(log.fileno(), {"JOURNAL_STREAM": stream})
        assert not is_logged(log.fileno(), {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino + 1}"})
        assert not is_logged(log.fileno(), {})
    assert not is_logged(-1, {"JOURNAL_STREAM": stream})


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_page_answers_plain_and_safe_while_it_runs(tmp_path: Path) -> None:
    page = Page(lambda visitor, body: refused(422, "No", "No."))
    app = create_app(page, Roles(tmp_path / "roles.json"), WebSettings())
    certificate = own_certificate(tmp_path / "https", ["localhost", "127.0.0.1"])
    running = serve(app, "127.0.0.1", 0, Tls(0, certificate))
    assert running.tls is not None
    plain, safe = running.port, running.tls.port
    try:
        assert page_answers("127.0.0.1", plain)
        assert page_answers("127.0.0.1", safe, https=True)
        assert not page_answers("127.0.0.1", plain, https=True)
        running.tls.close()
        assert not page_answers("127.0.0.1", safe, https=True)
    finally:
        running.close()
    assert not page_answers("127.0.0.1", plain)


ROOT = Path(__file__).parents[2]


def test_card_holds_what_the_installer_takes(tmp_path: Path) -> None:
    """Whether a Pi installs from it is tried by `sudo scripts/try-card`, which boots a Debian system."""
    subprocess.run([ROOT / "scripts" / "card", tmp_path], check=True, capture_output=True)
    with zipfile.ZipFile(tmp_path / "board-companion-card.zip") as card:
        card.extractall(tmp_path / "boot")
    folder = tmp_path / "boot" / "board-companion"
    assert "board-companion/first-boot" in (tmp_path / "boot" / "vendor-data").read_text()
    assert {"first-boot", "code.txt", "settings.toml", "no-screen.txt"} <= {
        one.name for one in folder.iterdir()
    }
    with tarfile.open(folder / "program.tar.gz") as program:
        program.extractall(tmp_path / "program", filter="data")
    installer = (tmp_path / "program" / "scripts" / "install").read_text()
    taken = re.search(r"--exclude='vision/training' (.*?)\) \| tar", installer, re.DOTALL)
    assert taken
    for name in taken[1].replace("\\\n", " ").split():
        assert (tmp_path / "program" / name).exists(), name
    assert list((tmp_path / "program" / "vision" / "models").glob("*.onnx"))


def test_guide_to_the_card_names_what_the_pi_writes() -> None:
    guide = (ROOT / "docs" / "guides" / "card.md").read_text()
    script = (ROOT / "systemd" / "card" / "board-companion" / "first-boot").read_text()
    roles = (ROOT / "web" / "roles.py").read_text()
    sentences = re.findall(
        r"\*([^*]+)\*", guide.partition("## If nothing answers")[2].partition("## Bookworm")[0]
    )
    assert len(sentences) >= 4
    for said in sentences:
        if said != "No `STATUS.txt`":
            assert said.removeprefix("This ") in script + roles, said
