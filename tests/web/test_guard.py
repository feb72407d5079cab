"""Limits and origins."""

import pytest
from flask import Request
from werkzeug.test import EnvironBuilder

from web.access import same_origin
from web.site import Limit


class Clock:
    """Time that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_and_then_the_rate() -> None:
    clock = Clock()
    limit = Limit(per_s=2, burst=5, now=clock)
    assert [limit.allows("a") for _ in range(7)] == [True] * 5 + [False] * 2
    assert limit.allows("b")
    clock.now = 1.0
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]
    clock.now = 1000.0
    assert [limit.allows("a") for _ in range(6)] == [True] * 5 + [False]


def test_a_refused_try_costs_nothing() -> None:
    clock = Clock()
    limit = Limit(per_s=1, burst=1, now=clock)
    assert limit.allows("a")
    for _ in range(50):
        assert not limit.allows("a")
    clock.now = 1.0
    assert limit.allows("a")


def test_only_so_many_keys_are_remembered() -> None:
    limit = Limit(per_s=1, burst=1, keys=3, now=Clock())
    for key in "abcd":
        assert limit.allows(key)
    assert len(limit._buckets) == 3


@pytest.mark.parametrize(
    ("headers", "good"),
    [
        pytest.param({}, True, id="a program"),
        pytest.param({"Origin": "http://board.local:8000"}, True, id="our page"),
        pytest.param({"Origin": "http://BOARD.local:8000"}, True, id="in capitals"),
        pytest.param({"Origin": "http://evil.example"}, False, id="another site"),
        pytest.param({"Origin": "http://board.local:8001"}, False, id="another port"),
        pytest.param({"Origin": "null"}, False, id="a sandboxed frame"),
        pytest.param({"Origin": ""}, False, id="empty"),
        pytest.param({"Sec-Fetch-Site": "same-origin"}, True, id="said to be ours"),
        pytest.param({"Sec-Fetch-Site": "none"}, True, id="typed in"),
        pytest.param({"Sec-Fetch-Site": "cross-site"}, False, id="said to be foreign"),
        pytest.param({"Sec-Fetch-Site": "same-site"}, False, id="a sister site"),
    ],
)
def test_origins(headers: dict[str, str], good: bool) -> None:
    environ = EnvironBuilder("/api/act", base_url="http://board.local:8000", headers=headers).get_environ()
    assert same_origin(Request(environ)) is good
