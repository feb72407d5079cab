"""A word to systemd: ready, still alive, stopping. Without systemd nothing is said."""

import os
import socket
from collections.abc import Mapping


class Notify:
    """The socket that systemd has opened for `Type=notify`."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        microseconds = environment.get("WATCHDOG_USEC", "")
        ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s: float | None = (
            int(microseconds) / 1e6 if self._address and ours and microseconds.isdigit() else None
        )

    def __call__(self, *lines: str) -> bool:
        """Say these lines; False where nobody listens."""
        if not self._address:
            return False
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as talk:
            try:
                talk.sendto("\n".join(lines).encode(), address)
            except OSError:
                return False  # systemd is going down itself; there is nobody left to tell
        return True
