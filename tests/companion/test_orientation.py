"""Where a point lies: the four orientations tell the same game, on the page and before the camera."""

from itertools import product
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadPositionError
from companion.rules.orientation import Home, Spot, Surface, centre_mm, point_at, spot_at_mm, spot_of
from companion.rules.plays import legal_plays
from companion.rules.position import BAR, OFF, Position
from companion.rules.side import Side
from tests.strategies import any_position, rolls

HOMES: tuple[Home, ...] = get_args(Home)
SURFACE = Surface(520.0, 440.0, 40.0)


@pytest.mark.parametrize(
    ("side", "point", "home", "near", "column"),
    [
        pytest.param(Side.SOUTH, 1, "right", True, 11, id="south's ace, home right"),
        pytest.param(Side.SOUTH, 6, "right", True, 6, id="beside the bar"),
        pytest.param(Side.SOUTH, 7, "right", True, 5, id="across the bar"),
        pytest.param(Side.SOUTH, 12, "right", True, 0, id="the near corner"),
        pytest.param(Side.SOUTH, 13, "right", False, 0, id="the far corner"),
        pytest.param(Side.SOUTH, 24, "right", False, 11, id="opposite the ace"),
        pytest.param(Side.NORTH, 1, "right", False, 11, id="north's ace lies opposite south's"),
        pytest.param(Side.SOUTH, 1, "left", True, 0, id="south's ace, home left"),
        pytest.param(Side.NORTH, 24, "left", True, 0, id="north's 24 is south's ace"),
    ],
)
def test_places(side: Side, point: int, home: Home, near: bool, column: int) -> None:
    assert spot_of(side, point, home) == Spot(near, column)


@pytest.mark.parametrize(("side", "home"), list(product(Side, HOMES)), ids=str)
def test_every_point_has_a_place_of_its_own(side: Side, home: Home) -> None:
    spots = {point: spot_of(side, point, home) for point in range(1, 25)}
    assert len(set(spots.values())) == 24
    for point, spot in spots.items():
        assert point_at(spot, side, home) == point
        assert point_at(spot, side.other, home) == 25 - point
        assert spot.seen_from(Side.NORTH).seen_from(Side.NORTH) == spot
        for height in range(5):
            assert spot_at_mm(*centre_mm(spot, height, 40.0, SURFACE), SURFACE) == spot


@pytest.mark.parametrize("home", HOMES)
def test_north_sees_from_his_seat_what_south_would_see_with_the_home_on_the_other_side(home: Home) -> None:
    other: Home = "left" if home == "right" else "right"
    for point in range(1, 25):
        seen = spot_of(Side.NORTH, point, home).seen_from(Side.NORTH)
        assert seen == spot_of(Side.SOUTH, point, other)


def test_the_bar_and_what_lies_outside_belong_to_no_point() -> None:
    assert spot_at_mm(260.0, 200.0, SURFACE) is None
    assert spot_at_mm(-1.0, 200.0, SURFACE) is None
    assert spot_at_mm(100.0, 441.0, SURFACE) is None


@pytest.mark.parametrize("point", [0, 25, -1])
def test_there_is_no_such_point(point: int) -> None:
    with pytest.raises(BadPositionError):
        spot_of(Side.SOUTH, point, "right")


@given(any_position, rolls, st.sampled_from(HOMES), st.sampled_from(list(Side)))
@settings(max_examples=40, deadline=None)
def test_a_board_read_from_any_seat_and_orientation_gives_the_same_plays(
    position: Position, roll: tuple[int, int], home: Home, on_roll: Side
) -> None:
    """Checkers are laid on a real board as they stand, picked up again by place, and played."""
    board = {}
    for side, checkers in ((on_roll, position.mine), (on_roll.other, position.theirs)):
        for point in range(1, 25):
            if checkers[point]:
                board[spot_of(side, point, home)] = (side, checkers[point])
    read = {side: [0] * 26 for side in Side}
    for spot, (side, count) in board.items():
        read[side][point_at(spot, side, home)] = count
    for side, checkers in ((on_roll, position.mine), (on_roll.other, position.theirs)):
        read[side][OFF], read[side][BAR] = checkers[OFF], checkers[BAR]
    again = Position(tuple(read[on_roll]), tuple(read[on_roll.other]))
    assert again == position
    assert dict(legal_plays(again, roll)) == dict(legal_plays(position, roll))  # type: ignore[arg-type]
