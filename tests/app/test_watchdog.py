"""The watchdog is fed only while everything turns."""

import pytest

from companion.notify import Notify
from companion.watchdog import Watchdog


class Heard(Notify):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, *lines: str) -> bool:
        self.lines += lines
        return True


def test_fed_while_all_hold_and_not_when_one_fails() -> None:
    heard, health = Heard(), {"page": True, "eye": True}
    dog = Watchdog(heard, {name: (lambda name=name: health[name]) for name in health})
    assert dog.look()
    assert heard.lines == ["WATCHDOG=1"]
    health["eye"] = False
    assert not dog.look()
    assert heard.lines == ["WATCHDOG=1"]
    health["eye"] = True
    assert dog.look()
    assert heard.lines == ["WATCHDOG=1"] * 2


def test_failure_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    dog = Watchdog(Heard(), {"page": lambda: False})
    dog.look()
    dog.look()
    assert capsys.readouterr().err.count("The page does not answer") == 1
