"""Each look at the machine, with "cannot tell" as an answer."""

from pathlib import Path

import pytest

from companion import health
from companion.health import Verdict


@pytest.mark.parametrize(
    ("millidegrees", "verdict"),
    [
        ("51234\n", Verdict.GOOD),
        ("75000", Verdict.WARN),
        ("80000", Verdict.BAD),
        ("warm", Verdict.UNKNOWN),
        (None, Verdict.UNKNOWN),
    ],
)
def test_temperature(tmp_path: Path, millidegrees: str | None, verdict: Verdict) -> None:
    file = tmp_path / "temp"
    if millidegrees is not None:
        file.write_text(millidegrees)
    assert health.temperature(file).verdict is verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("throttled=0x0\n", Verdict.GOOD),
        ("throttled=0x50005\n", Verdict.BAD),
        ("throttled=0x50000\n", Verdict.WARN),
        ("throttled=0x80008\n", Verdict.GOOD),
        ("", Verdict.UNKNOWN),
        ("VCHI initialization failed\n", Verdict.UNKNOWN),
    ],
    ids=["good", "low now", "was low", "only the soft heat limit", "no vcgencmd", "not allowed"],
)
def test_power(answer: str, verdict: Verdict) -> None:
    assert health.power(lambda: answer).verdict is verdict


@pytest.mark.parametrize(
    ("free_bytes", "verdict"), [(10 << 30, Verdict.GOOD), (100 << 20, Verdict.WARN), (1 << 20, Verdict.BAD)]
)
def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_bytes: int, verdict: Verdict) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": free_bytes}))
    assert health.disk(tmp_path / "not" / "yet" / "there").verdict is verdict


@pytest.mark.parametrize(
    ("now_s", "told", "verdict"),
    [(0.0, False, Verdict.BAD), (2e9, True, Verdict.GOOD), (2e9, False, Verdict.UNKNOWN)],
    ids=["1970", "from the network", "nobody says"],
)
def test_clock(tmp_path: Path, now_s: float, told: bool, verdict: Verdict) -> None:
    mark = tmp_path / "synchronized"
    if told:
        mark.touch()
    assert health.clock(lambda: now_s, mark).verdict is verdict


@pytest.mark.parametrize(
    ("state", "age_s", "verdict"),
    [("live", 0.1, Verdict.GOOD), ("live", 3.5, Verdict.BAD), ("none", 99.0, Verdict.UNKNOWN)],
)
def test_frames(state: str, age_s: float, verdict: Verdict) -> None:
    assert health.frames(state, age_s, 15.0).verdict is verdict


def test_line_carries_the_remedy() -> None:
    finding = health.Finding("disk", Verdict.BAD, "Full.", "Delete something.")
    assert finding.line() == "disk     bad         Full. Delete something."
