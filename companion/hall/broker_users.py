"""The users of the hall's broker: Mosquitto's password file and access list, which the hub keeps."""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion.hall.broker import Credentials, HallError
from companion.hall.protocol.topics import HOME, HUB, access_rules
from companion.storage.errors import reported_as
from companion.storage.folder import ACCESS
from companion.storage.wholefile import put_for_others

ROUNDS, SALT_BYTES = 101, 12
"""As `mosquitto_passwd` of Mosquitto 2.0; passwords here are drawn at random, so more rounds protect nothing."""
MODE = 0o640
"""The broker reads both files as its group does."""


class BrokerUsers:
    """The password file, with the access list beside it.

    Mosquitto reads both at its start and at SIGHUP (`systemctl reload mosquitto`).
    """

    def __init__(self, file: Path, hall: str, hub: Credentials) -> None:
        """Write both files as far as they are not so yet; HallError if that fails."""
        self._file = file
        with reported_as(HallError, f"The broker's users {file} cannot be written: {{why}}."):
            file.parent.mkdir(parents=True, exist_ok=True)
            rules, access = access_rules(hall).encode(), file.with_name(ACCESS)
            if not _is_readable(access) or access.read_bytes() != rules:
                put_for_others(access, rules, MODE)
            if file.exists() and not _is_readable(
                file
            ):  # as a hub of before wrote it, whose umask took the mode away
                self._write(self._users())
        self.keep(replace(hub, user=HUB))

    def tables(self) -> list[str]:
        """The tables that have a password; HallError if the file cannot be read."""
        with reported_as(HallError, f"The broker's users {self._file} cannot be read: {{why}}."):
            return [user for user in self._users() if user not in (HUB, HOME)]

    def kept_of(self, table: str) -> tuple[str, str]:
        """What is kept of a table's password, and its salt; empty texts if there is none that a table can compute.

        HallError if the file cannot be read.
        """
        with reported_as(HallError, f"The broker's users {self._file} cannot be read: {{why}}."):
            kept = self._users().get(table, "")
        parts = kept.split("$")
        return (kept, parts[3]) if len(parts) == 5 and parts[1:3] == ["7", str(ROUNDS)] else ("", "")

    def give(self, table: str, password: str) -> None:
        """Give a table a password in place of a former one; HallError if it cannot be written."""
        with reported_as(HallError, f"The broker's users {self._file} cannot be written: {{why}}."):
            self._put(table, password)

    def keep(self, shown: Credentials) -> None:
        """See to it that these credentials are taken; HallError if that cannot be written."""
        with reported_as(HallError, f"The broker's users {self._file} cannot be written: {{why}}."):
            if not _is_password(shown.password, self._users().get(shown.user, "")):
                self._put(shown.user, shown.password)

    def drop(self, user: str) -> None:
        """Let a user in no more; HallError if that cannot be written."""
        with reported_as(HallError, f"The broker's users {self._file} cannot be written: {{why}}."):
            if user in self._users():
                self._write({name: text for name, text in self._users().items() if name != user})

    def _put(self, user: str, password: str) -> None:
        self._write({**self._users(), user: hashed(password)})

    def _write(self, users: Mapping[str, str]) -> None:
        lines = "".join(f"{name}:{text}\n" for name, text in users.items())
        put_for_others(self._file, lines.encode(), MODE)

    def _users(self) -> Mapping[str, str]:
        lines: list[str] = []
        with suppress(FileNotFoundError):
            lines = self._file.read_text("utf-8").splitlines()
        return {user: text for user, colon, text in (line.partition(":") for line in lines) if colon}


def _is_readable(file: Path) -> bool:
    """Whether a file is there that owner and group can read."""
    return file.exists() and file.stat().st_mode & MODE == MODE


def hashed(password: str, salt: bytes | None = None) -> str:
    """A password as Mosquitto 2 keeps it: PBKDF2 with SHA-512 (mosquitto_passwd(1))."""
    salt = salt or secrets.token_bytes(SALT_BYTES)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def _is_password(password: str, kept: str) -> bool:
    parts = kept.split("$")
    if len(parts) != 5 or parts[1:3] != ["7", str(ROUNDS)]:
        return False
    with suppress(ValueError):
        return secrets.compare_digest(hashed(password, base64.b64decode(parts[3])), kept)
    return False
