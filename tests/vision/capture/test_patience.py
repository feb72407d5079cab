"""How long a camera may be silent, tried on cameras that send their pictures at some pace."""

from itertools import pairwise

import pytest

from vision.capture.patience import Pace

USUAL_S, MOST_S = 2.0, 16.0


def losses(pace: Pace, apart_s: float, for_s: float, opens_s: float = 0.5) -> list[float]:
    """When a camera is given up that sends a picture each `apart_s`, the first one at once after each opening."""
    now_s, lost_s = 0.0, []
    while now_s < for_s:
        pace.begin()
        number = 1
        pace.took(number, now_s)
        while now_s < for_s and apart_s <= pace.limit_s:
            now_s += apart_s
            number += 1
            pace.took(number, now_s)
        if now_s < for_s:
            lost_s.append(now_s + pace.limit_s)
            pace.silent()
            now_s = lost_s[-1] + opens_s
    return lost_s


@pytest.mark.parametrize(
    ("apart_s", "times"), [(0.07, 0), (1.9, 0), (2.4, 1), (3.9, 1), (5.0, 2), (12.0, 3), (15.9, 3)]
)
def test_slow_camera_is_lost_a_few_times_and_then_waited_for(apart_s: float, times: int) -> None:
    assert len(losses(Pace(USUAL_S, MOST_S), apart_s, 3600.0)) == times


def test_camera_that_is_too_slow_for_all_patience_is_lost_at_growing_intervals() -> None:
    lost_s = losses(Pace(USUAL_S, MOST_S), 60.0, 3600.0)
    apart_s = [round(later - sooner) for sooner, later in pairwise(lost_s)]
    assert apart_s[:4] == [4, 8, 16, 16]


def test_two_pictures_at_the_usual_pace_bring_the_usual_patience_back() -> None:
    pace = Pace(USUAL_S, MOST_S)
    losses(pace, 5.0, 60.0)
    assert pace.limit_s == 10.0
    pace.begin()
    pace.took(1, 100.0)
    pace.took(2, 100.1)
    assert pace.limit_s == USUAL_S


def test_pictures_that_were_left_out_are_no_slow_camera() -> None:
    pace = Pace(USUAL_S, MOST_S)
    pace.took(1, 0.0)
    pace.took(61, 4.0)
    assert pace.limit_s == USUAL_S


@pytest.mark.parametrize(("apart_s", "times"), [(1.9, 0), (2.4, 1), (3.0, 1), (3.9, 1), (5.0, 2), (12.0, 3)])
def test_camera_that_becomes_slow_is_lost_no_oftener_than_one_that_was(apart_s: float, times: int) -> None:
    pace = Pace(USUAL_S, MOST_S)
    pace.took(1, 0.0)
    pace.took(2, 0.1)
    first = 0 if apart_s <= pace.limit_s else 1
    if first:
        pace.silent()
    assert first + len(losses(pace, apart_s, 3600.0)) == times


def test_silence_after_pictures_at_the_usual_pace_is_noticed_as_soon_each_time() -> None:
    pace = Pace(USUAL_S, MOST_S)
    for at_s in (0.0, 60.0, 120.0):
        pace.begin()
        pace.took(1, at_s)
        pace.took(2, at_s + 0.1)
        assert pace.limit_s == USUAL_S
        pace.silent()


def test_camera_that_gives_no_picture_at_all_is_not_taken_for_a_slow_one() -> None:
    pace = Pace(USUAL_S, MOST_S)
    pace.begin()
    pace.silent()
    assert pace.limit_s == USUAL_S
