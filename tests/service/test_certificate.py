"""The machine's own certificate: made once, renewed when it has to be, good for this machine alone."""

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from companion.service import certificate
from companion.service.certificate import (
    AUTHORITY_DAYS,
    PAGE_DAYS,
    RENEW_DAYS,
    CertificateError,
    own_certificate,
    own_names,
    permitted_of,
)
from companion.storage.folder import AUTHORITY, PAGE_CERTIFICATE

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
NAMES = ["board", "board.local", "localhost", "127.0.0.1", "192.168.1.7"]


def accepted(folder: Path, name: str) -> bool:
    """Whether somebody who trusts the authority takes the page's certificate for this name."""
    kind = "-verify_ip" if name[0].isdigit() else "-verify_hostname"
    words = ["openssl", "verify", "-CAfile", AUTHORITY, kind, name, PAGE_CERTIFICATE]
    return subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode == 0


@needs_openssl
def test_own_certificate(tmp_path: Path) -> None:
    folder = tmp_path / "https"
    page = own_certificate(folder, NAMES)
    assert page == folder / PAGE_CERTIFICATE
    assert [accepted(folder, name) for name in NAMES] == [True] * len(NAMES)
    assert not accepted(folder, "example.org")
    assert not accepted(folder, "192.168.1.8")
    assert folder.stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in folder.iterdir() if file.suffix != ".txt")
    before = page.read_bytes()
    assert own_certificate(folder, NAMES).read_bytes() == before


@needs_openssl
def test_another_address_or_two_years_make_a_new_one_by_the_same_authority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_certificate(tmp_path, NAMES)
    authority, first = (tmp_path / AUTHORITY).read_bytes(), (tmp_path / PAGE_CERTIFICATE).read_bytes()
    second = own_certificate(tmp_path, [*NAMES[:4], "10.0.0.9"]).read_bytes()
    assert second != first
    assert accepted(tmp_path, "10.0.0.9")
    later(monkeypatch, PAGE_DAYS - RENEW_DAYS - 2)
    assert own_certificate(tmp_path, [*NAMES[:4], "10.0.0.9"]).read_bytes() == second
    later(monkeypatch, 4)
    assert own_certificate(tmp_path, [*NAMES[:4], "10.0.0.9"]).read_bytes() != second
    assert (tmp_path / AUTHORITY).read_bytes() == authority


@needs_openssl
def test_machine_that_is_renamed_keeps_a_certificate_that_is_trusted(tmp_path: Path) -> None:
    """With one name that the authority does not permit, nobody would trust it under any other one either."""
    own_certificate(tmp_path, NAMES)
    renamed = ["other", "other.local", "localhost", "127.0.0.1", "192.168.1.7", "BOARD.local", "203.0.113.5"]
    assert permitted_of(tmp_path, renamed) == ["localhost", "127.0.0.1", "192.168.1.7", "BOARD.local"]
    own_certificate(tmp_path, renamed)
    assert [name for name in renamed if accepted(tmp_path, name)] == renamed[2:6]
    before = (tmp_path / PAGE_CERTIFICATE).read_bytes()
    assert own_certificate(tmp_path, renamed).read_bytes() == before


def later(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    now_s = time.time() + 86400 * days
    monkeypatch.setattr("companion.service.certificate.time.time", lambda: now_s)


@needs_openssl
@pytest.mark.parametrize(
    ("days", "is_kept"),
    [
        pytest.param(0, True, id="now"),
        pytest.param(AUTHORITY_DAYS - RENEW_DAYS + 1, False, id="about to end"),
        pytest.param(-0.5, True, id="the clock was put back a little"),
        pytest.param(-400, False, id="made while the clock was ahead"),
        pytest.param(-365 * 50, True, id="the clock is not set"),
    ],
)
def test_authority_that_nobody_would_take_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: float, is_kept: bool
) -> None:
    monkeypatch.setattr("companion.service.certificate.BUILT", time.time() - 86400 * 500)
    own_certificate(tmp_path, NAMES)
    before = (tmp_path / AUTHORITY).read_bytes()
    later(monkeypatch, days)
    own_certificate(tmp_path, NAMES)
    assert ((tmp_path / AUTHORITY).read_bytes() == before) == is_kept
    assert accepted(tmp_path, "board.local"), "the page goes with its authority"


@needs_openssl
@pytest.mark.parametrize("name", [AUTHORITY, PAGE_CERTIFICATE])
def test_damaged_certificate_is_made_anew(tmp_path: Path, name: str) -> None:
    own_certificate(tmp_path, NAMES)
    (tmp_path / name).write_bytes(b"\0" * 900)
    own_certificate(tmp_path, NAMES)
    assert accepted(tmp_path, "board.local")


@needs_openssl
def test_authority_cannot_vouch_for_others(tmp_path: Path) -> None:
    own_certificate(tmp_path, NAMES)
    with pytest.raises(CertificateError, match=r"holds for none of example\.org"):
        own_certificate(tmp_path, ["example.org"])
    certificate._make_page(tmp_path, ["example.org"])
    assert not accepted(tmp_path, "example.org")


def test_without_openssl_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CertificateError, match="apt install openssl"):
        own_certificate(tmp_path / "https", NAMES)


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "https").write_text("a file")
    with pytest.raises(CertificateError, match="cannot be used"):
        own_certificate(tmp_path / "https", NAMES)


def test_names_are_this_machines_own() -> None:
    names = own_names("192.168.1.7")
    assert {"localhost", "127.0.0.1", "192.168.1.7"} <= set(names)
    assert len(own_names("127.0.0.1")) == len(set(own_names("127.0.0.1")))


def test_address_of_the_open_internet_is_no_name() -> None:
    assert "8.8.8.8" not in own_names("8.8.8.8")
