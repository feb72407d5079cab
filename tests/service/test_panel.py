"""From a button's wire through the table to a lamp's wire, on gpiozero's mock pins: the panel as players use it."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest

from companion.camera.eye import CameraReport
from companion.game.events import DoubleAnswered
from companion.game.table import Table
from companion.protocol.action_shapes import read_action
from companion.protocol.lamps_and_buttons import TOO_EARLY
from companion.protocol.match_setup import Usual
from companion.service.inbox import ActionRequest, WallTime
from companion.service.keeper import Desk, Keeper
from companion.storage.fallback import Backlog
from companion.storage.journal import Journal
from companion.storage.pictures import Pictures
from hardware.buttons import Buttons
from hardware.lamps import Lamps
from hardware.pins import Pins, find_pins
from hardware.wiring import BUTTONS, LAMPS, Wiring
from sentence import verbatim
from web.page import Answer, Page
from web.roles import Role, Visitor

PATIENCE_S = 60.0
WIRING = Wiring(bounce_s=0.02, hold_s=0.3, blink_s=0.05)


class Panel:
    """A table with nothing but its wires, and a scorekeeper who enters the plays."""

    def __init__(self, folder: Path, pins: Pins, journal: Journal) -> None:
        self.pins = pins
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        page = Page(lambda visitor, body: Answer(500))
        self.desk = Desk(self.inbox, Backlog(journal), Pictures(folder, 1 << 20), page, WallTime(), Usual())
        self.lamps, self.buttons = Lamps(WIRING, pins), Buttons(WIRING, pins, self.inbox.put)
        self.desk.show_lamps, self.desk.gestures = self.lamps.show, self.buttons.gestures
        self.keeper = Keeper(self.desk, Table(), 100, CameraReport("none", verbatim("")))

    def enter(self, kind: str, **more: object) -> None:
        answer: SimpleQueue[Answer] = SimpleQueue()
        seq = self.desk.page.state(Visitor(Role.SCOREKEEPER))["seq"]
        action = read_action({"type": kind, "seq": seq, **more})
        self.keeper.handle(ActionRequest(Visitor(Role.SCOREKEEPER), action, answer))
        assert answer.get_nowait().status == 200

    def push(self, *names: str) -> None:
        for name in names:
            self.pins.factory.pin(BUTTONS[name]).drive_low()

    def let_go(self, *names: str) -> None:
        for name in names:
            self.pins.factory.pin(BUTTONS[name]).drive_high()

    def rest(self, until: Callable[[], object] = lambda: False) -> None:
        """Work as the keeper does until no press is pending, or something holds."""
        assert self.desk.gestures is not None
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s and not until():
            due_s = self.desk.gestures.due_s()
            if due_s is None and self.inbox.empty():
                return
            try:
                self.keeper.handle(self.inbox.get(timeout=max(0.001, (due_s or 0.0) - time.monotonic())))
            except Empty:
                self.keeper.tick()

    def burning(self) -> set[str]:
        """The lamps that have been lit since they were last asked about; those that stay dark are not among them."""
        lit = set()
        for name, number in LAMPS.items():
            pin = self.pins.factory.pin(number)
            if self.keeper.lamps[name] == "blink":
                pin.clear_states()
                while len(pin.states) < 4:  # ends only because it blinks
                    time.sleep(0.001)
                lit.add(f"{name} blinks")
            elif pin.state:
                lit.add(name)
        return lit

    def by_buttons(self) -> list[str]:
        made = [one.event for one in self.keeper.table.entries if one.event.by == "button"]
        return [one.answer.value if isinstance(one, DoubleAnswered) else type(one).__name__ for one in made]


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Panel]:
    pins = find_pins("mock")
    with closing(Journal(tmp_path)) as journal:
        panel = Panel(tmp_path, pins, journal)
        panel.enter("new_match", length=5)
        panel.enter("opening", south=3, north=1)
        panel.enter("play", moves=[[8, 5], [6, 5]])
        yield panel
        panel.lamps.close()
        panel.buttons.close()
    pins.factory.reset()


def press(*names: str) -> Callable[[Panel], None]:
    def act(panel: Panel) -> None:
        panel.push(*names)
        time.sleep(2 * WIRING.bounce_s)  # a finger; what comes of it is asked of the pins alone
        panel.let_go(*names)
        panel.rest()

    return act


def hold(name: str) -> Callable[[Panel], None]:
    def act(panel: Panel) -> None:
        before = len(panel.keeper.table.entries)
        panel.push(name)
        panel.rest(lambda: len(panel.keeper.table.entries) > before)
        panel.rest()
        panel.let_go(name)
        panel.rest()

    return act


def chatter(name: str) -> Callable[[Panel], None]:
    def act(panel: Panel) -> None:
        for _ in range(6):
            panel.push(name)
            panel.let_go(name)
        press(name)(panel)

    return act


def keep_down(name: str) -> Callable[[Panel], None]:
    def act(panel: Panel) -> None:
        panel.push(name)
        panel.rest()

    return act


def while_busy(*names: str) -> Callable[[Panel], None]:
    """Pressed one after the other while the table has no time at all; it hears of all of it afterwards."""

    def act(panel: Panel) -> None:
        for name in names:
            panel.push(name)
            time.sleep(2 * WIRING.bounce_s)
            panel.let_go(name)
            time.sleep(2 * WIRING.bounce_s)
        panel.rest()

    return act


def push(name: str) -> Callable[[Panel], None]:
    return lambda panel: panel.push(name)


def let_go(name: str) -> Callable[[Panel], None]:
    def act(panel: Panel) -> None:
        panel.let_go(name)
        panel.rest()

    return act


def act_with(name: str) -> Callable[[Panel], None]:
    """A press until something comes of it, with other buttons still on their way."""

    def act(panel: Panel) -> None:
        before = len(panel.keeper.table.entries)
        panel.push(name)
        time.sleep(2 * WIRING.bounce_s)
        panel.let_go(name)
        panel.rest(lambda: len(panel.keeper.table.entries) > before)

    return act


DOUBLED = [press("south_turn"), press("north_cube")]


@pytest.mark.parametrize(
    ("deeds", "made", "lit"),
    [
        pytest.param([], [], {"south_turn"}, id="nothing"),
        pytest.param([press("south_turn")], ["TurnEnded"], {"north_turn"}, id="end of turn"),
        pytest.param([press("north_turn")], [], {"south_turn"}, id="end of the other's turn"),
        pytest.param([chatter("south_turn")], ["TurnEnded"], {"north_turn"}, id="a contact that bounces"),
        pytest.param([keep_down("south_turn")], ["TurnEnded"], {"north_turn"}, id="held down for ever"),
        pytest.param(
            [keep_down("north_turn"), press("south_turn")],
            ["TurnEnded"],
            {"north_turn"},
            id="the other one is stuck",
        ),
        pytest.param(
            [press("south_turn", "south_cube")], ["TurnEnded"], {"north_turn"}, id="two of a side at once"
        ),
        pytest.param(
            DOUBLED, ["TurnEnded", "DoubleOffered"], {"south_turn", "cube_south blinks"}, id="doubled"
        ),
        pytest.param(
            [*DOUBLED, press("south_cube")],
            ["TurnEnded", "DoubleOffered", "take"],
            {"north_turn", "cube_south"},
            id="taken",
        ),
        pytest.param(
            [*DOUBLED, hold("south_cube")], ["TurnEnded", "DoubleOffered", "pass"], set(), id="passed"
        ),
        pytest.param(
            [while_busy("south_turn", "north_cube")],
            ["TurnEnded"],
            {"north_turn"},
            id="both while the table is busy: it is not north's turn yet",
        ),
        pytest.param(
            [press("south_turn"), while_busy("north_cube", "south_cube")],
            ["TurnEnded", "DoubleOffered"],
            {"south_turn", "cube_south blinks"},
            id="both while the table is busy: south has not been asked yet",
        ),
        pytest.param(
            [push("north_cube"), act_with("south_turn"), let_go("north_cube")],
            ["TurnEnded"],
            {"north_turn"},
            id="down before the turn, up in it: no double",
        ),
        pytest.param(
            [push("north_cube"), act_with("south_turn"), let_go("north_cube"), press("north_cube")],
            ["TurnEnded", "DoubleOffered"],
            {"south_turn", "cube_south blinks"},
            id="pressed again once it is the turn",
        ),
        pytest.param(
            [press("south_turn"), while_busy("north_cube", "south_cube"), press("south_cube")],
            ["TurnEnded", "DoubleOffered", "take"],
            {"north_turn", "cube_south"},
            id="pressed again once asked",
        ),
        pytest.param(
            [press("south_turn"), push("south_cube"), press("north_cube")],
            ["TurnEnded", "DoubleOffered"],
            {"south_turn", "cube_south blinks"},
            id="held since before the double: no pass",
        ),
        pytest.param(
            [press("south_turn"), push("south_cube"), act_with("north_cube"), let_go("south_cube")],
            ["TurnEnded", "DoubleOffered"],
            {"south_turn", "cube_south blinks"},
            id="down before the double, up after it: no take",
        ),
        pytest.param(
            [press("south_turn"), press("north_cube", "south_cube")],
            ["TurnEnded", "DoubleOffered"],
            {"south_turn", "cube_south blinks"},
            id="both cubes at once",
        ),
        pytest.param(
            [press("south_turn"), press("north_cube", "south_cube"), hold("south_cube")],
            ["TurnEnded", "DoubleOffered", "pass"],
            set(),
            id="both cubes at once, then passed",
        ),
        pytest.param([press("director")], ["DirectorCalled"], {"south_turn", "look blinks"}, id="director"),
        pytest.param(
            [press("south_turn", "director")],
            ["TurnEnded", "DirectorCalled"],
            {"north_turn", "look blinks"},
            id="both",
        ),
    ],
)
def test_buttons_reach_the_lamps(
    panel: Panel, deeds: list[Callable[[Panel], None]], made: list[str], lit: set[str]
) -> None:
    for deed in deeds:
        deed(panel)
    assert panel.by_buttons() == made
    assert panel.burning() - {"valid"} == lit


@pytest.mark.parametrize(
    "deeds",
    [
        pytest.param([press("south_turn"), press("north_cube", "south_cube")], id="take"),
        pytest.param([push("north_cube"), act_with("south_turn"), let_go("north_cube")], id="double"),
    ],
)
def test_a_press_that_comes_to_nothing_is_said(panel: Panel, deeds: list[Callable[[Panel], None]]) -> None:
    for deed in deeds:
        deed(panel)
    assert panel.desk.page.state(Visitor(Role.SCOREKEEPER))["notices"][-1]["text"] == str(TOO_EARLY)
