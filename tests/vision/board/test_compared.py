"""A board's known place, compared with the one found."""

from dataclasses import replace

import pytest

from vision.board.calibration import Board, Distortion
from vision.board.compared import away_px, is_elsewhere, is_turned, recognised

SQUARE = ((100.0, 50.0), (620.0, 50.0), (620.0, 450.0), (100.0, 450.0))
"""A point is 40 pixels wide on it."""
KNOWN = Board((800, 600), SQUARE, (520.0, 400.0), 40.0, unfamiliar=True)
LENS = Distortion(((700.0, 0.0, 400.0), (0.0, 700.0, 300.0), (0.0, 0.0, 1.0)), (0.0,) * 5)


def found(by_px: float = 0.0, turned: bool = False, unfamiliar: bool = False) -> Board:
    """A board found so far to the right."""
    corners = [(x + by_px, y) for x, y in SQUARE]
    corners = corners[2:] + corners[:2] if turned else corners
    return replace(KNOWN, corners_px=tuple(corners), unfamiliar=unfamiliar)


@pytest.mark.parametrize(
    ("seen", "familiar"),
    [
        pytest.param(found(), True, id="in its place"),
        pytest.param(found(17.0), True, id="within half a point"),
        pytest.param(found(19.0), False, id="elsewhere"),
        pytest.param(found(17.0, turned=True), True, id="turned by half"),
        pytest.param(found(unfamiliar=True), False, id="of an unknown make"),
        pytest.param(None, False, id="not found"),
    ],
)
def test_a_known_board_is_familiar_where_a_familiar_one_is_found(seen: Board | None, familiar: bool) -> None:
    told = recognised(KNOWN, seen)
    assert told == replace(KNOWN, unfamiliar=not familiar)
    assert recognised(replace(KNOWN, distortion=LENS, unfamiliar=False), seen).distortion == LENS


@pytest.mark.parametrize("turned", [False, True])
def test_the_distance_is_that_of_the_corner_furthest_off_in_the_picture_s_own_pixels(turned: bool) -> None:
    assert away_px(KNOWN, found(7.0, turned)) == pytest.approx(7.0)
    twice = found(7.0, turned)
    twice = replace(
        twice, image_size=(1600, 1200), corners_px=tuple((2 * x, 2 * y) for x, y in twice.corners_px)
    )
    assert away_px(KNOWN, twice) == pytest.approx(14.0)
    assert not is_elsewhere(KNOWN, twice)


@pytest.mark.parametrize(("quarters", "turned"), [(0, False), (1, True), (2, False), (3, True)])
def test_corners_that_begin_at_another_one_turn_the_board(quarters: int, turned: bool) -> None:
    given = replace(KNOWN, corners_px=SQUARE[quarters:] + SQUARE[:quarters], surface_mm=(400.0, 400.0))
    assert is_turned(given, found(7.0)) == turned
    assert not is_turned(given, found(60.0))
