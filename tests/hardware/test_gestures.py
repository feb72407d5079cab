"""Presses out of edges: bouncing contacts, held and stuck buttons, two at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import Edge, Gesture, Gestures, Press
from hardware.wiring import Wiring

BOUNCE_S, HOLD_S = Wiring().bounce_s, Wiring().hold_s
SHORT, HELD = Gesture.SHORT, Gesture.HELD


def gestures() -> Gestures:
    fresh = Gestures({"south_cube", "north_cube"}, BOUNCE_S, HOLD_S)
    for name in ("south_turn", "north_turn", "south_cube", "north_cube", "director"):
        fresh.settle(name, False, 0.0)
    return fresh


def played(edges: list[Edge], until_s: float = 100.0) -> list[Press]:
    """Feed the edges, ticking when a tick is due, as the keeper of the table does."""
    machine = gestures()
    presses: list[Press] = []
    for edge in edges:
        while (due_s := machine.due_s()) is not None and due_s < edge.at_s:
            presses += machine.tick(due_s)
        presses += machine.feed(edge)
    while (due_s := machine.due_s()) is not None and due_s <= until_s:
        presses += machine.tick(due_s)
    return presses


def which(presses: list[Press]) -> list[Press]:
    """The presses whatever their time."""
    return [press._replace(since_s=0.0) for press in presses]


def pressed(name: str, at_s: float, for_s: float) -> list[Edge]:
    return [Edge(name, True, at_s), Edge(name, False, at_s + for_s)]


@pytest.mark.parametrize(
    ("edges", "presses"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(pressed("south_turn", 1, 0.2), [Press("south_turn")], id="a press"),
        pytest.param(pressed("south_turn", 1, 0.03), [], id="a spark shorter than the bounce"),
        pytest.param([Edge("south_turn", True, 1)], [Press("south_turn")], id="held down for ever"),
        pytest.param(pressed("south_cube", 1, 0.2), [Press("south_cube", SHORT)], id="cube"),
        pytest.param(pressed("south_cube", 1, 1.4), [Press("south_cube", SHORT)], id="cube, almost held"),
        pytest.param(pressed("south_cube", 1, 1.6), [Press("south_cube", HELD)], id="cube, held"),
        pytest.param([Edge("south_cube", True, 1)], [Press("south_cube", HELD)], id="cube, never let go"),
        pytest.param(
            pressed("south_turn", 1, 0.2) + pressed("south_turn", 2, 0.2),
            [Press("south_turn")] * 2,
            id="twice",
        ),
        pytest.param(
            [
                Edge("south_turn", True, 1.0),
                Edge("north_turn", True, 1.01),
                Edge("north_turn", False, 1.3),
                Edge("south_turn", False, 1.4),
            ],
            [Press("south_turn"), Press("north_turn")],
            id="two at once",
        ),
        pytest.param(
            [Edge("south_turn", True, 1.0), *pressed("director", 5, 0.2)],
            [Press("south_turn"), Press("director")],
            id="director while another is stuck",
        ),
        pytest.param([Edge("south_turn", False, 1.0)], [], id="let go without a press"),
    ],
)
def test_presses(edges: list[Edge], presses: list[Press]) -> None:
    assert which(played(edges)) == presses


def test_button_stuck_at_the_start_is_no_press_until_let_go() -> None:
    machine = gestures()
    machine.settle("south_turn", True, 0.0)
    assert machine.tick(50.0) == []
    assert machine.feed(Edge("south_turn", False, 60.0)) == []
    assert machine.tick(61.0) == []
    machine.feed(Edge("south_turn", True, 62.0))
    assert which(machine.tick(63.0)) == [Press("south_turn")]


def test_long_silence_gives_each_press_once() -> None:
    machine = gestures()
    machine.feed(Edge("south_cube", True, 1.0))
    assert which(machine.tick(30.0)) == [Press("south_cube", HELD)]
    assert machine.tick(60.0) == []


@pytest.mark.parametrize(
    "edges",
    [
        pytest.param(pressed("south_turn", 1, 0.2), id="turn"),
        pytest.param(pressed("south_cube", 1, 0.2), id="cube"),
        pytest.param([Edge("south_cube", True, 1)], id="cube, held"),
        pytest.param(
            [
                Edge("south_cube", True, 1.0),
                Edge("south_cube", False, 1.2),
                Edge("south_cube", True, 1.21),
                Edge("south_cube", False, 1.4),
            ],
            id="cube with a loose contact",
        ),
    ],
)
def test_press_knows_when_it_went_down(edges: list[Edge]) -> None:
    assert [press.since_s for press in played(edges)] == [1.0]


bounces = st.lists(st.floats(0.001, 0.05), max_size=8)


@given(going_down=bounces, going_up=bounces, held_s=st.floats(0.2, 1.2))
def test_bounce_of_1_to_50_ms_is_one_press(
    going_down: list[float], going_up: list[float], held_s: float
) -> None:
    """However a contact chatters with gaps below the bounce time, one push is one press."""
    for name in ("south_turn", "south_cube"):
        edges, at_s, down = [Edge(name, True, 1.0)], 1.0, True
        for gap_s in going_down + ([0.01] if len(going_down) % 2 else []):
            at_s, down = at_s + gap_s, not down
            edges.append(Edge(name, down, at_s))
        at_s, down = at_s + held_s, False
        edges.append(Edge(name, down, at_s))
        for gap_s in going_up + ([0.01] if len(going_up) % 2 else []):
            at_s, down = at_s + gap_s, not down
            edges.append(Edge(name, down, at_s))
        assert which(played(edges)) == [Press(name, SHORT)]


@given(
    st.lists(
        st.tuples(st.sampled_from(["south_turn", "south_cube", "director"]), st.floats(0.001, 3.0)),
        max_size=30,
    )
)
def test_however_late_the_ticks_the_presses_are_the_same(steps: list[tuple[str, float]]) -> None:
    """Presses while the table is busy are neither lost nor doubled."""
    edges: list[Edge] = []
    at_s, level = 1.0, dict.fromkeys(["south_turn", "south_cube", "director"], False)
    for name, gap_s in steps:
        at_s += gap_s
        level[name] = not level[name]
        edges.append(Edge(name, level[name], at_s))
    busy = gestures()
    late = [press for edge in edges for press in busy.feed(edge)]
    late += busy.tick(1000.0)
    assert late == played(edges, until_s=1000.0)
