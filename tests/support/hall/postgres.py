"""A real PostgreSQL server of a test's own, on a socket in its folder."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)
OWNER = "postgres"
"""PostgreSQL does not run as root; Debian's package makes this user."""


def missing() -> str:
    """What the tests need and this machine lacks; empty for nothing."""
    if PROGRAMS is None or not (PROGRAMS / "initdb").exists():
        return "PostgreSQL is not installed: sudo apt install postgresql"
    if find_spec("psycopg") is None:
        return "psycopg is not installed: pip install 'board-companion[hall]'"
    with suppress(KeyError):
        pwd.getpwnam(OWNER)
        return ""
    return f"there is no user {OWNER}" if os.geteuid() == 0 else ""


class Postgres:
    """A server in a folder; `kill` and `start` at will."""

    def __init__(self, folder: Path) -> None:
        assert PROGRAMS is not None
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            shutil.chown(folder, OWNER, OWNER)
        self._run("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "hub", "--no-sync", "-E", "UTF8")
        self.start()
        self.store = f"postgresql://hub@/postgres?host={folder}"

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [PROGRAMS / program, *arguments],
            check=True,
            capture_output=True,
            timeout=120,
            user=self._user,
            cwd="/",
        )

    @property
    def _user(self) -> str | None:
        return OWNER if os.geteuid() == 0 else None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        assert PROGRAMS is not None
        options = ["-c", "listen_addresses=", "-k", str(self._folder)]
        with (self._folder / "log").open("ab") as log:
            command = [PROGRAMS / "postgres", "-D", str(self._folder / "data"), *options]
            self._process = subprocess.Popen(command, stderr=log, user=self._user, cwd="/")
        for _ in range(500):
            asked = [PROGRAMS / "pg_isready", "-q", "-h", str(self._folder)]
            if subprocess.run(asked, check=False, timeout=60).returncode == 0:
                return
            time.sleep(0.05)
        raise AssertionError((self._folder / "log").read_text())

    def kill(self) -> None:
        """End it at once, without a checkpoint, as a power cut does: its next start recovers."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)  # after SIGKILL its children would go on
            self._process.wait(timeout=60)
            self._process = None
