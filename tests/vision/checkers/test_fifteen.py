"""The fifteen: what a heap leaves open the rest of the board may settle; what is certain stays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.board.calibration import Board
from vision.checkers.fifteen import settled
from vision.checkers.reading import STATES, BoardReading, PointChances, counts_of, state_of

BOARD = Board(
    (900, 700), ((100.0, 60.0), (800.0, 60.0), (800.0, 640.0), (100.0, 640.0)), (540.0, 430.0), 40.0
)


def sure(a: int, b: int) -> PointChances:
    return mixed({(a, b): 1.0})


def mixed(chances: dict[tuple[int, int], float]) -> PointChances:
    out = np.full(STATES, 1e-6)
    for (a, b), chance in chances.items():
        out[state_of(a, b)] = chance
    return PointChances(out / out.sum())


COVERED = PointChances(np.full(STATES, 1 / STATES), covered=True)


def reading(*points: PointChances) -> BoardReading:
    empty = (sure(0, 0),) * (24 - len(points))
    return BoardReading((*points, *empty), (sure(0, 0), sure(0, 0)), ((255.0,) * 3, (0.0,) * 3), BOARD)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        pytest.param(
            [sure(9, 0), mixed({(5, 0): 0.6, (6, 0): 0.4}), sure(0, 15)], (6, 0), id="one is missing"
        ),
        pytest.param(
            [sure(10, 0), mixed({(6, 0): 0.6, (5, 0): 0.4}), sure(0, 15)], (5, 0), id="one too many"
        ),
        pytest.param(
            [sure(15, 0), mixed({(0, 2): 0.4, (2, 0): 0.6}), sure(0, 13)], (0, 2), id="the other side's"
        ),
        pytest.param(
            [sure(3, 0), mixed({(5, 0): 0.9, (6, 0): 0.1}), sure(0, 4)], (5, 0), id="some are borne off"
        ),
        pytest.param(
            [COVERED, mixed({(5, 0): 0.6, (6, 0): 0.4}), sure(0, 15)], (5, 0), id="an arm hides the rest"
        ),
    ],
)
def test_a_heap_is_settled_by_the_other_points(points: list[PointChances], expected: tuple[int, int]) -> None:
    assert settled(reading(*points)).points[1].counts == expected


def test_a_covered_point_stays_covered() -> None:
    said = settled(reading(sure(8, 0), COVERED, sure(0, 15))).points[1]
    assert said.covered
    assert said.confidence == 0.0


@settings(deadline=None)
@given(st.lists(st.integers(0, STATES - 1), min_size=24, max_size=24), st.floats(0.5, 0.999))
def test_every_point_keeps_chances_that_sum_to_one(states: list[int], chance: float) -> None:
    points = [mixed({counts_of(state): chance, (0, 0): 1 - chance}) for state in states]
    for point in (*settled(reading(*points)).points, *settled(reading(*points)).bar):
        assert point.chances.sum() == pytest.approx(1.0)
        assert point.chances.min() >= 0


@given(st.integers(0, STATES - 1))
def test_states_and_counts_are_each_other_s_inverse(state: int) -> None:
    assert state_of(*counts_of(state)) == state


@pytest.mark.parametrize("counts", [(1, 1), (16, 0), (-1, 0)])
def test_what_no_point_can_hold_is_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no state"):
        state_of(*counts)
