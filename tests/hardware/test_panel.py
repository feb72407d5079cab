"""Lamps and buttons on the mock pins that ship."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import Buttons, Edge
from hardware.errors import BadWiring, NoGpio
from hardware.lamps import Lamps, LampState
from hardware.pins import Pins, find_pins
from hardware.wiring import BUTTONS, LAMPS, Wiring


@pytest.fixture
def pins() -> Iterator[Pins]:
    pins = find_pins("mock")
    yield pins
    pins.factory.reset()


@pytest.fixture
def lamps(pins: Pins) -> Iterator[Callable[[Wiring], Lamps]]:
    made: list[Lamps] = []

    def make(wiring: Wiring) -> Lamps:
        made.append(Lamps(wiring, pins))
        return made[-1]

    yield make
    for panel in made:
        panel.close()


def burning(pins: Pins) -> dict[str, bool]:
    return {name: pins.factory.pin(pin).state for name, pin in LAMPS.items()}


@pytest.mark.parametrize("name", LAMPS)
@pytest.mark.parametrize(("state", "lit"), [("off", False), ("on", True)])
def test_lamp_shows_its_state_and_no_other_does(
    pins: Pins, lamps: Callable[[Wiring], Lamps], name: str, state: LampState, lit: bool
) -> None:
    lamps(Wiring()).show({name: state})
    assert burning(pins) == {other: other == name and lit for other in LAMPS}


@pytest.mark.parametrize("name", LAMPS)
def test_blinking_lamp_goes_on_and_off_again(pins: Pins, lamps: Callable[[Wiring], Lamps], name: str) -> None:
    panel = lamps(Wiring(blink_s=0.01))
    panel.show({name: "blink"})
    pin = pins.factory.pin(LAMPS[name])
    while len(pin.states) < 6:  # ends only because it blinks
        pass
    assert [state.state for state in pin.states[:6]] == [False, True, False, True, False, True]
    panel.show({name: "off"})
    assert pin.state is False


def test_lamps_follow_every_change(pins: Pins, lamps: Callable[[Wiring], Lamps]) -> None:
    panel = lamps(Wiring())
    panel.show({"south_turn": "on", "valid": "on"})
    panel.show({"north_turn": "on", "again": "on"})
    assert burning(pins) == {name: name in {"north_turn", "again"} for name in LAMPS}


def test_unchanged_lamp_is_left_alone(pins: Pins, lamps: Callable[[Wiring], Lamps]) -> None:
    panel = lamps(Wiring())
    panel.show({"look": "on"})
    pin = pins.factory.pin(LAMPS["look"])
    pin.clear_states()
    panel.show({"look": "on", "valid": "on"})
    assert [state.state for state in pin.states] == [True]


def test_sinking_driver_turns_the_level_over(pins: Pins, lamps: Callable[[Wiring], Lamps]) -> None:
    panel = lamps(Wiring(lamps_active_high=False))
    assert set(burning(pins).values()) == {True}
    panel.show({"valid": "on"})
    assert {name for name, high in burning(pins).items() if not high} == {"valid"}


def test_buzzer_sounds_at_a_ruling_and_not_at_a_turn(pins: Pins, lamps: Callable[[Wiring], Lamps]) -> None:
    panel = lamps(Wiring(buzzer=12))
    buzzer = pins.factory.pin(12)
    panel.show({"south_turn": "on"})
    assert len(buzzer.states) == 1
    panel.show({"south_turn": "on", "again": "blink"})
    while len(buzzer.states) < 3:  # on, and off again
        pass
    assert [state.state for state in buzzer.states] == [False, True, False]


def test_busy_pin_is_named_and_the_other_lamps_burn(pins: Pins, lamps: Callable[[Wiring], Lamps]) -> None:
    lamps(Wiring(lamps={"look": 5}, buttons={}))
    second = lamps(Wiring())
    assert len(second.problems) == 1
    assert "look on pin 5" in str(second.problems[0])
    second.show({"valid": "on"})
    assert burning(pins)["valid"] is True


@pytest.mark.parametrize("pull_up", [True, False])
@pytest.mark.parametrize("name", BUTTONS)
def test_button_hands_on_each_edge(pins: Pins, name: str, pull_up: bool) -> None:
    inbox: SimpleQueue[Edge] = SimpleQueue()
    buttons = Buttons(Wiring(buttons_pull_up=pull_up), pins, inbox.put)
    pin = pins.factory.pin(BUTTONS[name])
    push, release = (pin.drive_low, pin.drive_high) if pull_up else (pin.drive_high, pin.drive_low)
    push()
    assert buttons.down() == [name]
    release()
    edges = [inbox.get(timeout=2), inbox.get(timeout=2)]
    assert [(edge.button, edge.down) for edge in edges] == [(name, True), (name, False)]
    assert inbox.empty()
    buttons.close()


def test_button_that_is_down_at_the_start_says_nothing(pins: Pins) -> None:
    class Stuck(MockFactory):
        """Wires that are low whatever pulls them."""

    factory = Stuck()
    factory.pin(6)._set_pull = lambda value: None
    factory.pin(6)._state = False
    inbox: SimpleQueue[Edge] = SimpleQueue()
    buttons = Buttons(Wiring(), Pins(factory, False, ""), inbox.put)
    assert buttons.down() == ["south_turn"]
    assert buttons.gestures.tick(1e12) == []
    assert inbox.empty()
    buttons.close()


@pytest.mark.parametrize(
    ("wiring", "said"),
    [
        ({"lamps": {"valid": 5, "look": 5}}, "Pin 5 is given to the lamp valid and to the lamp look"),
        ({"lamps": {"valid": 6}}, "lamp valid and to the button south_turn"),
        ({"buzzer": 17}, "lamp south_turn and to the buzzer"),
        ({"lamps": {"green": 5}}, "There is no lamp green"),
        ({"buttons": {"red": 5}}, "There is no button red"),
        ({"lamps": {"valid": 40}}, "pins 2 to 27"),
        ({"bounce_s": 0.0}, "bounce_s is 0"),
        ({"hold_s": 60.0}, "at most 10"),
    ],
)
def test_wiring_that_cannot_be_meant_is_refused(wiring: dict[str, object], said: str) -> None:
    with pytest.raises(BadWiring, match=said):
        Wiring(**wiring)  # type: ignore[arg-type]


class TestFindingPins:
    def test_a_pc_gets_mock_pins_and_is_told_once(self, tmp_path: Path) -> None:
        pins = find_pins("auto", tmp_path / "model")
        assert not pins.real
        assert pins.notice == "There is no GPIO here: the lamps are shown on the page."

    def test_a_pi_without_its_driver_says_so(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
        model = tmp_path / "model"
        model.write_text("Raspberry Pi 4 Model B Rev 1.5\0")
        pins = find_pins("auto", model)
        assert not pins.real
        assert "python3-lgpio" in pins.notice

    def test_a_pi_that_refuses_its_pins_says_so(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refused() -> None:
            raise RuntimeError("can not open gpiochip")  # lgpio.error in earnest, another child of Exception

        lgpio = ModuleType("gpiozero.pins.lgpio")
        lgpio.LGPIOFactory = refused  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", lgpio)
        model = tmp_path / "model"
        model.write_text("Raspberry Pi 5 Model B Rev 1.0\0")
        pins = find_pins("auto", model)
        assert not pins.real
        assert "can not open gpiochip" in pins.notice
        assert "group gpio" in pins.notice
        assert "?." not in pins.notice

    def test_demanded_pins_that_are_not_there_are_an_error(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
        with pytest.raises(NoGpio, match="lgpio is not installed"):
            find_pins("gpio", tmp_path / "model")
