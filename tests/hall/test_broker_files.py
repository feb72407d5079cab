"""The broker's users as a hub in its service writes them, with a umask that keeps all to itself, read by Mosquitto."""

import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.hall.broker import Credentials, HallError
from companion.hall.broker_users import BrokerUsers
from companion.service.hall.trial import is_taken
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, credentials
from tests.support.running import PATIENCE_S

HALL = "club"
HUB = credentials("hub")
BROKER_USER = "mosquitto"


@pytest.fixture(autouse=True)
def umask_of_the_service() -> Iterator[None]:
    """`UMask=0077`, as in the hub's unit."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def mode_of(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_broker_s_group_reads_what_the_hub_writes(tmp_path: Path) -> None:
    users = BrokerUsers(tmp_path / "passwords", HALL, HUB)
    assert (mode_of(tmp_path / "passwords"), mode_of(tmp_path / "access")) == (0o640, 0o640)
    users.give("1", "x")
    users.drop("1")
    assert mode_of(tmp_path / "passwords") == 0o640


def test_file_that_others_may_read_stays_so(tmp_path: Path) -> None:
    users = BrokerUsers(tmp_path / "passwords", HALL, HUB)
    (tmp_path / "passwords").chmod(0o644)
    users.give("1", "x")
    assert mode_of(tmp_path / "passwords") == 0o644


def test_start_mends_what_a_former_hub_kept_to_itself(tmp_path: Path) -> None:
    BrokerUsers(tmp_path / "passwords", HALL, HUB).give("1", "x")
    before = (tmp_path / "passwords").read_bytes()
    for name in ("passwords", "access"):
        (tmp_path / name).chmod(0o600)
    BrokerUsers(tmp_path / "passwords", HALL, HUB)
    assert (mode_of(tmp_path / "passwords"), mode_of(tmp_path / "access")) == (0o640, 0o640)
    assert (tmp_path / "passwords").read_bytes() == before


def test_group_that_cannot_be_kept_leaves_the_former_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = BrokerUsers(tmp_path / "passwords", HALL, HUB)
    before = (tmp_path / "passwords").read_bytes()
    monkeypatch.setattr("os.fstat", lambda handle: os.stat_result((0, 0, 0, 0, 0, -2, 0, 0, 0, 0)))

    def refused(handle: int, user: int, group: int) -> None:
        if group != -1:
            raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.fchown", refused)
    with pytest.raises(HallError, match="Operation not permitted"):
        users.give("1", "x")
    assert (tmp_path / "passwords").read_bytes() == before
    assert {one.name for one in tmp_path.iterdir()} == {"passwords", "access"}


def broker_user() -> pwd.struct_passwd | None:
    with suppress(KeyError):
        return pwd.getpwnam(BROKER_USER)
    return None


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder like the installer's, which another user can reach: the broker's group reads what is in it."""
    user = broker_user()
    if PROGRAM is None or PASSWORDS is None or user is None or os.geteuid() != 0:
        pytest.skip(f"{MISSING}; it needs root")
    whole = Path(tempfile.mkdtemp(prefix="companion-test-"))
    whole.chmod(0o755)
    made = whole / "hall"
    made.mkdir()
    os.chown(made, 0, user.pw_gid)
    made.chmod(0o2770)
    yield made
    shutil.rmtree(whole)


def test_broker_as_its_own_user_takes_hub_and_table_after_an_invitation(folder: Path) -> None:
    broker = Broker(folder, HALL, [])
    (folder / "passwords").unlink()
    (folder / "acl").unlink()
    (folder / "acl").symlink_to("access")
    configuration = folder / "mosquitto.conf"
    configuration.write_text(configuration.read_text().replace("user root", f"user {BROKER_USER}"))
    users = BrokerUsers(folder / "passwords", HALL, HUB)
    subprocess.run(["chmod", "a+r", str(configuration)], check=True, timeout=10)
    broker.start()
    try:
        assert is_taken(broker.address, HUB, PATIENCE_S)
        users.give("1", "x")
        broker.reload()
        assert is_taken(broker.address, Credentials("1", "x"), PATIENCE_S)
        assert is_taken(broker.address, HUB, PATIENCE_S)
        assert not is_taken(broker.address, Credentials("1", "y"), 0.5)
    finally:
        broker.kill()
