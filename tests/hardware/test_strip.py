"""The LED strip behind a controller that answers, hangs, refuses, goes away and comes back."""

import re
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from hardware.errors import StripNotReached
from hardware.strip import LOOKS, Strip, asked
from tests.support.wled import wled

PATIENCE_S = 20.0
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "LIGHTS.md"


def strip(url: str, said: "SimpleQueue[Any]", **more: Any) -> Strip:
    return Strip(
        url, **{"leds": 60, "brightness": 96, "south_first": True, "retry_s": 0.02, **more}, report=said.put
    )


@pytest.mark.parametrize(
    ("south_first", "halves"),
    [(True, [(0, 30, True, 1), (30, 60, False, None)]), (False, [(0, 30, False, None), (30, 60, True, 1)])],
)
def test_each_side_has_its_half(south_first: bool, halves: list[object]) -> None:
    said: SimpleQueue[Any] = SimpleQueue()
    with wled() as there, closing(strip(there.url, said, south_first=south_first)) as one:
        one.show({"south": "cocked"})
        assert there.shows("cocked", "off")
        assert there.halves() == halves
    assert said.empty()


def test_an_odd_strip_is_used_to_its_end() -> None:
    said: SimpleQueue[Any] = SimpleQueue()
    with wled(leds=7) as there, closing(strip(there.url, said, leds=7)) as one:
        one.show({"south": "turn", "north": "turn"})
        assert there.shows("turn", "turn")
        assert [half[:2] for half in there.halves()] == [(0, 3), (3, 7)]


def test_no_two_lights_differ_by_colour_alone() -> None:
    effects = [look.effect for look in LOOKS.values()]
    assert len(set(effects)) == len(effects)


def test_the_document_lists_each_light_with_its_movement() -> None:
    rows = re.findall(r"^\| `(\w+)` .*\(\w+, (\d+)\)", DOCUMENT.read_text(), re.MULTILINE)
    assert {name: int(effect) for name, effect in rows} == {name: look.effect for name, look in LOOKS.items()}


def test_the_end_switches_it_off() -> None:
    said: SimpleQueue[Any] = SimpleQueue()
    with wled() as there:
        with closing(strip(there.url, said)) as one:
            one.show({"north": "turn"})
            assert there.shows("off", "turn")
        assert there.shows("off", "off")
        assert [lit for _, _, lit, _ in there.halves()] == [False, False]


def test_a_controller_that_hangs_holds_up_nobody_and_gets_the_newest_lights() -> None:
    said: SimpleQueue[Any] = SimpleQueue()
    with wled() as there, closing(strip(there.url, said)) as one:
        there.hangs = True
        one.show({"south": "turn"})
        assert there.arrived.wait(PATIENCE_S)
        for _ in range(1000):  # each returns although the first request is not answered
            one.show({"south": "roll"})
            one.show({"north": "turn"})
        assert there.halves() == []
        there.hangs = False
        there.answers.set()
        assert there.shows("off", "turn")


def test_a_controller_that_is_away_is_reported_once_and_set_when_it_is_back() -> None:
    said: SimpleQueue[Any] = SimpleQueue()
    with wled() as former:
        port = former.port
    with closing(strip(f"http://127.0.0.1:{port}", said)) as one:
        one.show({"south": "turn"})
        assert "are not reached (Connection refused)" in str(said.get(timeout=PATIENCE_S))
        one.show({"south": "roll"})
        with wled(port=port) as there:
            assert there.shows("roll", "off")
            assert str(said.get(timeout=PATIENCE_S)) == "The lights answer again."
            assert said.empty()


def test_a_refusal_is_reported_with_its_reason() -> None:
    said: SimpleQueue[Any] = SimpleQueue()
    with wled() as there, closing(strip(there.url, said)) as one:
        there.refuses = True
        one.show({"south": "turn"})
        assert "(503 Service Unavailable)" in str(said.get(timeout=PATIENCE_S))
        there.refuses = False
        assert there.shows("turn", "off")


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1", "http://no.such.machine.invalid", f"http://{'x' * 70}.local"]
)
def test_what_cannot_be_reached_is_one_error(url: str) -> None:
    with pytest.raises(StripNotReached, match="not reached"):
        asked(url)
