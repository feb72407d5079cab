"""Feeds systemd's watchdog as long as everything that must turn does turn: keeper, eye and page."""

import sys
import threading
from collections.abc import Callable, Mapping

from companion.notify import Notify

Check = Callable[[], bool]


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
