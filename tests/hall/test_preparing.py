"""A hub's files as the installer has them made, with the real Mosquitto that uses them."""

import shutil
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.hall.broker import HallError
from companion.service.hall.preparing import prepare_hub
from companion.settings import HallSettings, SettingsError, load_settings
from companion.storage.folder import AUTHORITY
from tests.support.hall.broker import HOST, MISSING, PASSWORDS, PROGRAM, free_port
from tests.support.hall.program import invited_on_page
from tests.support.running import companion, one_command, settings_file

pytestmark = pytest.mark.skipif(
    PROGRAM is None or PASSWORDS is None or shutil.which("openssl") is None, reason=f"{MISSING} openssl"
)


def content(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Mode and bytes of every file below a folder."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file): (stat.S_IMODE(file.stat().st_mode), file.read_bytes()) for file in files}


@contextmanager
def mosquitto(configuration: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Debian's Mosquitto with this configuration."""
    assert PROGRAM is not None
    own = configuration.parent / "whole.conf"
    own.write_text(f"user root\ninclude_dir {configuration.parent / 'conf.d'}\n")
    (configuration.parent / "conf.d").mkdir()
    (configuration.parent / "conf.d" / "hall.conf").symlink_to(configuration)
    with subprocess.Popen([PROGRAM, "-c", str(own)], stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def prepared(folder: Path, *more: str) -> "subprocess.CompletedProcess[str]":
    return one_command("prepare-hall", str(folder), *more)


def hub_on(folder: Path, port: int) -> Path:
    """The settings of a prepared hub, whose pages are for this machine only."""
    file = folder / "hall.toml"
    file.write_text(file.read_text().replace("port = 8100", f'port = {port}\nhost = "{HOST}"'))
    return file


def test_prepared_hub_takes_an_invited_table_over_tls(tmp_path: Path) -> None:
    folder, home = tmp_path / "etc", tmp_path / "state"
    made = prepared(folder, "--address", f"{HOST}:{free_port()}", "--name", "open")
    assert (made.returncode, made.stderr) == (0, "")
    file = hub_on(folder, 0)
    table = settings_file(tmp_path)
    run = companion("hall", "--config", str(file), home=home)
    with mosquitto(folder / "broker" / "mosquitto.conf") as broker, run as hub:
        director = hub.visitor()
        shown = ("--config", str(file), "--state", str(home / "board-companion"), "--role", "director")
        link = one_command("links", *shown).stdout.strip()
        assert link.rpartition("/")[2] == hub.link.rpartition("/")[2]
        code = invited_on_page(director, "1")
        broker.send_signal(signal.SIGHUP)
        assert one_command("join-hall", code, "--config", str(table)).returncode == 0
        with companion("run", "--config", str(table), home=tmp_path / "table") as running:
            running.visitor().act("new_match", length=3)
            director.wait(lambda state: [one for one in state["tables"] if one["held"]["number"]])


def test_second_preparing_changes_nothing(tmp_path: Path) -> None:
    assert prepared(tmp_path, "--address", "hall.local").returncode == 0
    before = content(tmp_path)
    again = prepared(tmp_path, "--address", "other.local", "--name", "other")
    assert (again.returncode, "hall club at mqtts://hall.local" in again.stdout) == (0, True)
    assert content(tmp_path) == before


def test_only_the_broker_s_group_reads_its_key_and_only_the_owner_the_hub_s_password(tmp_path: Path) -> None:
    prepare_hub(tmp_path, tmp_path / "broker", HallSettings("mqtts://hall.local", "club"))
    modes = {Path(name).name: mode for name, (mode, _) in content(tmp_path).items()}
    assert modes["hub.json"] == modes["authority.key"] == 0o600
    assert modes["broker.pem"] == modes["passwords"] == modes["access"] == 0o640


def test_lost_files_come_back_and_the_password_stays(tmp_path: Path) -> None:
    hall = HallSettings("mqtts://hall.local", "club")
    prepare_hub(tmp_path, tmp_path / "broker", hall)
    before = content(tmp_path)
    for name in ("broker/broker.pem", "broker/mosquitto.conf", "broker/access"):
        (tmp_path / name).unlink()
    shutil.rmtree(tmp_path / "authority")
    prepare_hub(tmp_path, tmp_path / "broker", hall)
    after = content(tmp_path)
    assert after.keys() == before.keys()
    same = {name for name in before if after[name] == before[name]}
    assert {str(tmp_path / name) for name in ("hall.toml", "broker/passwords", "broker/access")} <= same
    assert after[str(tmp_path / "hub.json")] != before[str(tmp_path / "hub.json")]  # another authority


def test_hub_on_a_renamed_machine_is_still_trusted_by_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare_hub(tmp_path, tmp_path / "broker", HallSettings("mqtts://hall.local", "club"))
    before = content(tmp_path)
    monkeypatch.setattr("socket.gethostname", lambda: "renamed")
    prepare_hub(tmp_path, tmp_path / "broker", HallSettings("mqtts://hall.local", "club"))
    assert (
        content(tmp_path)[str(tmp_path / "broker" / "broker.pem")]
        != before[str(tmp_path / "broker" / "broker.pem")]
    )
    trusted = ("openssl", "verify", "-CAfile", str(tmp_path / "authority" / AUTHORITY), "-verify_hostname")
    done = subprocess.run(
        [*trusted, "hall.local", str(tmp_path / "broker" / "broker.pem")], check=False, timeout=60
    )
    assert done.returncode == 0


def test_address_that_the_authority_does_not_hold_for_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    prepare_hub(tmp_path, tmp_path / "broker", HallSettings("mqtts://hall.local", "club"))
    file = tmp_path / "hall.toml"
    file.write_text(file.read_text().replace("hall.local", "other.local"))
    before = content(tmp_path)
    with pytest.raises(HallError, match=r"does not hold for other\.local"):
        prepare_hub(tmp_path, tmp_path / "broker", HallSettings("mqtts://hall.local", "club"))
    assert content(tmp_path) == before
    shutil.rmtree(tmp_path / "authority")
    assert (
        prepare_hub(tmp_path, tmp_path / "broker", HallSettings("", "")).hall.broker == "mqtts://other.local"
    )


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (HallSettings("mqtts://", "club"), "is no broker"),
        (HallSettings("mqtt://localhost", "club"), "has no TLS"),
        (HallSettings("mqtts://hall.local", "a b"), r"hall\.name"),
        (HallSettings("mqtts://hall.local", "club", store="mysql://x"), r"hall\.store"),
    ],
)
def test_hall_that_cannot_be_leaves_no_file(new: HallSettings, said: str, tmp_path: Path) -> None:
    with pytest.raises((HallError, SettingsError), match=said):
        prepare_hub(tmp_path / "hub", tmp_path / "hub" / "broker", new)
    assert content(tmp_path) == {}


def test_store_is_in_the_settings_as_given(tmp_path: Path) -> None:
    store = 'postgresql:///hall?host=/run/postgresql&application_name="x"'
    prepare_hub(tmp_path, tmp_path / "broker", HallSettings("mqtts://hall.local", "club", store=store))
    assert load_settings(tmp_path / "hall.toml").hall.store == store
