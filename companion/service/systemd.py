"""systemd: readiness, and its watchdog, fed as long as keeper, eye and page answer."""

import http.client
import os
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import closing


class Notify:
    """The socket that systemd opens for `Type=notify`."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        microseconds = environment.get("WATCHDOG_USEC", "")
        ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watched = self._address and ours and microseconds.isdigit()
        self.watchdog_s = int(microseconds) / 1e6 if watched else None

    def __call__(self, *lines: str) -> bool:
        """Send these lines; False if nobody listens."""
        if not self._address:
            return False
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as talk:
            try:
                talk.sendto("\n".join(lines).encode(), address)
            except OSError:
                return False  # systemd itself is stopping; nobody listens
        return True


def is_logged(descriptor: int, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether what is written to this file descriptor goes to the system's log (systemd.exec(5), JOURNAL_STREAM)."""
    try:
        found = os.fstat(descriptor)
    except OSError:
        return False
    return environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


ANSWER_S = 5.0
"""Seconds without an answer to its own machine after which a page counts as hung."""


def page_answers(host: str, port: int, *, https: bool = False, cookie: str = "") -> bool:
    """Whether a page answers at this host and port; over HTTPS with any certificate, which browsers check.

    With the running server's `check_cookie` the request has a place of its own, however many visitors there are.
    """
    talk = http.client.HTTPConnection(host, port, timeout=ANSWER_S)
    if https:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        talk = http.client.HTTPSConnection(host, port, timeout=ANSWER_S, context=context)
    with closing(talk):
        try:
            talk.request("GET", "/api/state", headers={"Cookie": cookie})
            return talk.getresponse().status < 500
        except (OSError, http.client.HTTPException):
            return False


class Watchdog:
    """Runs each check three times within systemd's watchdog time, and logs a failing one once."""

    def __init__(self, notify: Notify, checks: Mapping[str, Callable[[], bool]]) -> None:
        self._notify, self._checks = notify, checks
        self._stop = threading.Event()
        self._failing: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Start, if systemd has set a watchdog."""
        if self._notify.watchdog_s is not None:
            self._thread.start()

    def close(self) -> None:
        """Stop feeding the watchdog."""
        self._stop.set()

    def look(self) -> bool:
        """Run every check; feed the watchdog if all pass, and return whether they do."""
        failing = {name for name, check in self._checks.items() if not check()}
        for name in sorted(failing - self._failing):
            text = f"The {name} does not answer; systemd will start the program anew."
            print(text, file=sys.stderr, flush=True)
        self._failing = failing
        if not failing:
            self._notify("WATCHDOG=1")
        return not failing

    def _run(self) -> None:
        assert self._notify.watchdog_s is not None
        while not self._stop.wait(self._notify.watchdog_s / 3):
            self.look()
