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


def tried_card(folder: Path, *, installer: str, whole: bool = True) -> tuple[int, str, str]:
    """What `first-boot --install` does with the ZIP of the sources on the card: its status, STATUS.txt, and the lamp.

    The folders of the system are in `folder`, and a stand-in answers for each command that would change it.
    """
    card, lamp, tools = folder / "card", folder / "sys" / "class" / "leds" / "ACT" / "trigger", folder / "bin"
    for one in (card, lamp.parent, tools, folder / "etc" / "systemd" / "system"):
        one.mkdir(parents=True)
    lamp.write_text("mmc0")
    with zipfile.ZipFile(card / "companion-main.zip", "w") as sources:
        sources.writestr("companion-main/README.md", "")
        sources.writestr("companion-main/systemd/settings.toml", "[page]\n")
        sources.writestr("companion-main/scripts/kiosk", "")
        if whole:
            sources.writestr("companion-main/scripts/install", installer)
    says = {"setpriv": "echo http://192.168.1.9:8000/join/ABCDEFGHJK", "hostname": "echo board"}
    for name in ("getent", "install", "systemctl", "setpriv", "hostname"):
        (tools / name).write_text(f"#!/bin/sh\n{says.get(name, 'exit 0')}\n")
        (tools / name).chmod(0o755)
    script = (ROOT / "systemd" / "card" / "board-companion" / "first-boot").read_text()
    for place in ("/sys/", "/etc/", "/var/"):
        script = script.replace(place, f"{folder}{place}")
    (card / "first-boot").write_text(script)
    (folder / "var" / "tmp").mkdir(parents=True)
    done = subprocess.run(
        ["bash", card / "first-boot", "--install"],
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        check=False,
    )
    return done.returncode, (card / "STATUS.txt").read_text(), lamp.read_text().strip()


def test_card_installs_from_the_sources_as_they_are_downloaded_and_its_lamp_says_so(tmp_path: Path) -> None:
    """Nobody needs a terminal to pack them."""
    installer = 'set -e; cd "$(dirname "$0")"; [ -x kiosk ]; echo done'
    status, said, lamp = tried_card(tmp_path, installer=installer)
    assert (status, lamp) == (0, "default-on"), said
    assert "Installed. The link is in LINK.txt" in said
    assert "board.local:8000/join/ABCDEFGHJK" in (tmp_path / "card" / "LINK.txt").read_text()
    assert (tmp_path / "etc" / "board-companion" / "settings.toml").read_text() == "[page]\n"


def test_card_that_cannot_install_blinks_and_says_why(tmp_path: Path) -> None:
    status, said, lamp = tried_card(tmp_path / "a", installer="echo No room.; exit 1")
    assert (status, lamp) == (1, "timer")
    assert "Not installed: No room. Trying again." in said
    status, said, lamp = tried_card(tmp_path / "b", installer="", whole=False)
    assert (status, lamp) == (1, "timer")
    assert "companion-main.zip is not the whole ZIP of the sources" in said


def test_release_carries_the_card_with_its_checksum(tmp_path: Path) -> None:
    """In a copy, where `gh` is a stand-in that notes what it is asked for; only what is committed is released."""
    copy, tools = tmp_path / "copy", tmp_path / "bin"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", copy], check=True)
    shutil.copy(ROOT / "scripts" / "release", copy / "scripts" / "release")
    who = ("-c", "user.name=A", "-c", "user.email=a@b.example")
    for words in (["add", "."], ["commit", "--quiet", "--message=x", "--allow-empty"]):
        subprocess.run(["git", "-C", copy, *who, *words], check=True)
    tools.mkdir()
    (tools / "gh").write_text('#!/bin/sh\necho "$@" >asked\n')
    (tools / "gh").chmod(0o755)
    command = [copy / "scripts" / "release", "--publish"]
    here = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    subprocess.run(command, env=here, check=True, capture_output=True)
    files = {one.name for one in (copy / "build").iterdir()}
    assert {"board-companion-card.zip", "SHA256SUMS", "notes.md"} <= files
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=copy / "build", check=True)
    asked = (copy / "asked").read_text().split()
    assert asked[:2] == ["release", "create"]
    assert asked[-2:] == ["build/board-companion-card.zip", "build/SHA256SUMS"]
    (copy / "README.md").write_text("changed")
    refused_here = subprocess.run(command, env=here, check=False, capture_output=True, text=True)
    assert (refused_here.returncode, refused_here.stderr.count("what is committed")) == (2, 1)


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
