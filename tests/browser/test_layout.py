"""Where things lie on screens of all sizes: nothing covers the board, nothing needed is out of sight."""

from typing import Any

import pytest

SCREENS = {
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "small laptop": (1280, 757),
    "half a screen": (1024, 457),
    "tablet": (1180, 820),
    "tablet upright": (820, 1180),
}


def edges(tablet: Any, selector: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is shown of an element, in CSS pixels."""
    box = tablet.driver.execute_script(
        "const r = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return [r.left, r.top, r.right, r.bottom]",
        selector,
    )
    return box[0], box[1], box[2], box[3]


@pytest.mark.parametrize("screen", SCREENS)
def test_what_is_said_covers_no_checker(tablet, house, screen: str) -> None:
    width, height = SCREENS[screen]
    tablet.resize(width, height)
    house.begin()
    tablet.open(house.link())
    tablet.find("#typed-play").send_keys("24/17 13/10\n")
    tablet.find("#toast.shown")
    tablet.driver.execute_script("document.getAnimations().forEach((one) => one.finish())")
    assert edges(tablet, "#toast")[3] <= edges(tablet, "#board")[1]
    assert edges(tablet, "#toast")[2] - edges(tablet, "#toast")[0] <= width


def test_three_rows_of_plays_are_in_sight_on_a_small_laptop(tablet, house) -> None:
    tablet.resize(*SCREENS["small laptop"])
    house.begin()
    tablet.open(house.link())
    tablet.find(".play-list button")
    bottom = edges(tablet, "#plays")[3]
    rows = tablet.driver.execute_script(
        "return [...new Set([...document.querySelectorAll('.play-list button')]"
        ".map((one) => one.getBoundingClientRect()).filter((one) => one.bottom <= arguments[0])"
        ".map((one) => Math.round(one.top)))].length",
        bottom,
    )
    assert rows >= 3


@pytest.mark.parametrize("screen", ["phone on its side", "small laptop", "half a screen"])
def test_both_players_are_in_sight_beside_the_board(tablet, house, screen: str) -> None:
    width, height = SCREENS[screen]
    tablet.resize(width, height)
    house.begin()
    tablet.open(house.link())
    tablet.find("#board")
    assert edges(tablet, "#strip-top")[1] >= 0
    assert edges(tablet, "#strip-bottom")[3] <= height
