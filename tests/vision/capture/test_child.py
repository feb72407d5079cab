"""The capture process between one attempt to open the camera and the next."""

from types import SimpleNamespace

import pytest

from vision.capture import child as grab
from vision.capture.child import LONGEST_WAIT_S, Wanted, serve
from vision.errors import CameraLost


class Ended(Exception):
    """The test has seen enough."""


@pytest.mark.parametrize(
    ("answers_after_s", "waits_s"),
    [
        pytest.param(0.0, [0.5, 1.0, 2.0, 2.0], id="refused at once"),
        pytest.param(0.4, [0.1, 0.6, 1.6, 1.6], id="refused after a moment"),
        pytest.param(4.0, [0.0, 0.0, 0.0, 0.0], id="taken and not answered"),
    ],
)
def test_what_an_attempt_took_is_no_longer_waited_for(
    monkeypatch: pytest.MonkeyPatch, answers_after_s: float, waits_s: list[float]
) -> None:
    now_s, waited_s = [100.0], list[float]()

    def open_device(*_: object) -> None:
        now_s[0] += answers_after_s
        raise CameraLost("It is asleep.")

    def sleep(seconds: float) -> None:
        waited_s.append(round(seconds, 6))
        now_s[0] += seconds
        if len(waited_s) == len(waits_s):
            raise Ended

    monkeypatch.setattr(grab, "open_device", open_device)
    monkeypatch.setattr(grab, "time", SimpleNamespace(monotonic=lambda: now_s[0], sleep=sleep))
    ring = SimpleNamespace(say=lambda *_: None)
    with pytest.raises(Ended):
        serve(Wanted("http://phone/"), ring, lambda: None)  # type: ignore[arg-type]
    assert waited_s == waits_s
    assert max(waited_s) <= LONGEST_WAIT_S
