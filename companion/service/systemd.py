"""systemd: readiness, and its watchdog fed as long as keeper, eye and page answer."""

import http.client
import os
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import closing


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


Check = Callable[[], bool]


ANSWER_S = 5.0
"""A page that has not answered its own machine for so long hangs."""


def page_answers(host: str, port: int, *, https: bool = False) -> bool:
    """Whether a page answers there; over HTTPS whatever its certificate, which is the browsers' business."""
    if https:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        talk: http.client.HTTPConnection = http.client.HTTPSConnection(
            host, port, timeout=ANSWER_S, context=context
        )
    else:
        talk = http.client.HTTPConnection(host, port, timeout=ANSWER_S)
    with closing(talk):
        try:
            talk.request("GET", "/api/state")
            return talk.getresponse().status < 500
        except (OSError, http.client.HTTPException):
            return False


class Watchdog:
    """Asks each check in turn, three times in the watchdog's time; what fails is named once."""

    def __init__(self, notify: Notify, checks: Mapping[str, Check]) -> None:
        self._notify = notify
        self._checks = checks
        self._stop = threading.Event()
        self._failing: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begin, where systemd wants it."""
        if self._notify.watchdog_s is not None:
            self._thread.start()

    def close(self) -> None:
        """Stop feeding."""
        self._stop.set()

    def look(self) -> bool:
        """Ask every check; feed the watchdog when all hold."""
        failing = {name for name, check in self._checks.items() if not check()}
        for name in sorted(failing - self._failing):
            print(
                f"The {name} does not answer; systemd will start the program anew.",
                file=sys.stderr,
                flush=True,
            )
        self._failing = failing
        if not failing:
            self._notify("WATCHDOG=1")
        return not failing

    def _run(self) -> None:
        assert self._notify.watchdog_s is not None
        while not self._stop.wait(self._notify.watchdog_s / 3):
            self.look()
