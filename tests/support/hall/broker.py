"""A real Mosquitto with the hall's access rules, and a cable to it that can be cut."""

import select
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from companion.hall.broker import Address, Credentials
from companion.hall.protocol.messages import encoded
from companion.hall.protocol.topics import HUB, access_rules
from companion.service.hall.preparing import MOST_BYTES
from companion.storage.folder import AUTHORITY

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
PASSWORDS = shutil.which("mosquitto_passwd")
MISSING = "Mosquitto is not installed: sudo apt install mosquitto"
HOST = "127.0.0.1"


def free_port() -> int:
    """A port that is free now."""
    with socket.create_server((HOST, 0)) as one:
        return int(one.getsockname()[1])


def credentials(name: str, authority: str = "") -> Credentials:
    """What a table, or the hub, shows the broker."""
    return Credentials(name, f"password of {name}", authority)


def hub_settings(folder: Path, hall: str, broker: "Broker", port: int = 0) -> Path:
    """The settings file of a hub on this machine, with its credentials beside it."""
    (folder / "hub.json").write_bytes(encoded(credentials(HUB, broker.authority)))
    file = folder / "hub.toml"
    file.write_text(
        f'[page]\nhost = "{HOST}"\nport = {port}\n[hall]\nbroker = "{broker.url}"\n'
        f'name = "{hall}"\ncredentials = "hub.json"\n'
    )
    return file


def inviting_hub_settings(folder: Path, hall: str, broker: "Broker") -> Path:
    """The same of a hub that makes the broker's users and access rules; the broker is to start after the first one."""
    for name in ("passwords", "acl"):
        (broker.folder / name).unlink()
    (broker.folder / "acl").symlink_to("access")
    file = hub_settings(folder, hall, broker)
    with file.open("a") as settings:
        settings.write(f'passwords = "{broker.folder / "passwords"}"\n')
    return file


class Broker:
    """A Mosquitto of its own in a folder; `kill` and `start` at will, its retained messages stay."""

    def __init__(
        self,
        folder: Path,
        hall: str,
        tables: Iterable[str],
        certificate: Path | None = None,
        *,
        saves_each: bool = True,
    ) -> None:
        """Prepare one for these tables; with a certificate of `own_certificate` it speaks TLS only.

        `saves_each`: it writes all retained messages after each change, so that a kill forgets none; otherwise every
        half hour and at its end, as Debian's.
        """
        assert PASSWORDS is not None, MISSING
        self.address = Address(HOST, free_port(), tls=certificate is not None)
        self.url = f"mqtt{'s' if certificate else ''}://{HOST}:{self.address.port}"
        self.authority = (certificate.parent / AUTHORITY).read_text("ascii") if certificate else ""
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "acl").write_text(access_rules(hall))
        passwords = folder / "passwords"
        users = [credentials(name) for name in (HUB, *tables)]
        passwords.write_text("".join(f"{user.user}:{user.password}\n" for user in users))
        subprocess.run([PASSWORDS, "-U", str(passwords)], check=True, capture_output=True, timeout=60)
        for file in (folder / "acl", passwords):
            file.chmod(0o600)
        tls = f"certfile {certificate}\nkeyfile {certificate}\n" if certificate else ""
        (folder / "mosquitto.conf").write_text(
            f"listener {self.address.port} {HOST}\n{tls}allow_anonymous false\nuser root\n"
            f"password_file {passwords}\nacl_file {folder / 'acl'}\n"
            f"message_size_limit {MOST_BYTES}\n"
            f"persistence true\npersistence_location {folder}/\n"
            + ("autosave_on_changes true\nautosave_interval 1\n" if saves_each else "")
        )

    def start(self) -> None:
        """Start it, and wait until it answers."""
        assert PROGRAM is not None
        with (self.folder / "log").open("ab") as log:
            command = [PROGRAM, "-c", str(self.folder / "mosquitto.conf")]
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
        for _ in range(500):
            with suppress(OSError), socket.create_connection((HOST, self.address.port), timeout=1):
                return
            time.sleep(0.02)
        raise AssertionError((self.folder / "log").read_text())

    def reload(self) -> None:
        """Have it read its users anew, as `systemctl reload mosquitto` does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        """Kill it as a power cut does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


class Cable:
    """A way to a broker that can be cut: connections on it end at once, and new ones are refused."""

    def __init__(self, to: Address) -> None:
        self._to = to
        self._listener = socket.create_server((HOST, 0))
        self.address = Address(HOST, self._listener.getsockname()[1], tls=False)
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._lock = threading.Lock()
        self._is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Cut it."""
        with self._lock:
            self._is_cut = True
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections through again."""
        self._is_cut = False

    def close(self) -> None:
        """End it."""
        self.cut()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listener.accept()
            except OSError:
                return
            try:
                there = socket.create_connection((self._to.host, self._to.port), timeout=2)
                there.settimeout(None)
            except OSError:
                here.close()
                continue
            with self._lock:
                if self._is_cut:
                    here.close()
                    there.close()
                    continue
                self._pairs.append((here, there))
            threading.Thread(target=self._carry, args=(here, there), daemon=True).start()

    @staticmethod
    def _carry(here: socket.socket, there: socket.socket) -> None:
        with here, there, suppress(OSError, ValueError):
            while True:
                for source in select.select([here, there], [], [])[0]:
                    data = source.recv(65536)
                    if not data:
                        return
                    (there if source is here else here).sendall(data)
