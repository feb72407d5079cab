"""The LED strip at a running table, and the check of it."""

from pathlib import Path

import pytest

from companion.service.lights import lights_findings, strip_of
from companion.settings import Settings, parse_settings
from tests.support.running import PATIENCE_S, companion, settings_file
from tests.support.wled import Wled, wled


def settings_for(url: str, leds: int = 60) -> Settings:
    return parse_settings(f'[lights]\nurl = "{url}"\nleds = {leds}\n', "x.toml")


def program(folder: Path, url: str) -> list[str]:
    file = settings_file(folder, source="none")
    file.write_text(file.read_text() + f'[lights]\nurl = "{url}"\n')
    return ["run", "--config", str(file)]


def test_without_an_address_there_is_no_strip() -> None:
    assert strip_of(Settings(), print) is None
    assert lights_findings(Settings()) == []


def test_the_lights_follow_a_game(tmp_path: Path) -> None:
    with wled() as there, companion(*program(tmp_path, there.url), home=tmp_path) as table:
        keeper = table.visitor()
        keeper.act("new_match", length=1)
        assert there.shows("turn", "turn")
        keeper.act("opening", south=6, north=4)
        assert there.shows("roll", "off")
        keeper.act("play", text="24/18 13/9")
        keeper.act("done")
        assert there.shows("off", "turn")
        keeper.act("resign", side="north", worth=1)
        assert there.shows("cube", "off")
        keeper.act("accept")
        assert there.shows("winner", "off")
        table.stop()
        assert there.shows("off", "off")


def test_play_goes_on_while_the_controller_hangs(tmp_path: Path) -> None:
    with wled() as there:
        there.hangs = True
        with companion(*program(tmp_path, there.url), home=tmp_path) as table:
            assert there.arrived.wait(PATIENCE_S)
            keeper = table.visitor()
            keeper.act("new_match", length=1)  # answered although no request to the strip is
            keeper.act("opening", south=6, north=4)
            told = keeper.wait(said)
            assert len(said(told)) == 1
            assert told["phase"] == "rolled"


def said(state: dict[str, object]) -> list[str]:
    notices = state["notices"]
    assert isinstance(notices, list)
    return [one["text"] for one in notices if "lights" in one["text"]]


def away(there: Wled) -> str:
    there.refuses = True
    return there.url


@pytest.mark.parametrize(
    ("leds", "url", "verdict", "text"),
    [
        (60, lambda there: there.url, "good", "WLED 0.15.0 with 60 LEDs answers"),
        (90, lambda there: there.url, "warn", "lights.leds is 90"),
        (60, away, "warn", "not reached (503 Service Unavailable)"),
        (60, lambda there: "http://127.0.0.1:1", "warn", "not reached (Connection refused)"),
        (60, lambda there: f"{there.url}/json/state", "cannot tell", "does not describe itself"),
    ],
    ids=["as set", "too few LEDs", "refuses", "away", "another receiver"],
)
def test_doctor_looks_for_the_controller(leds: int, url, verdict: str, text: str) -> None:
    with wled() as there:
        [found] = lights_findings(settings_for(url(there), leds))
    assert found.verdict.value == verdict
    assert text in str(found.text)
