"""From the first code to newcomers at the table, in a real browser."""

import os
from pathlib import Path

import pytest

from sentence import say
from tests.browser.test_axe import axe, serious  # noqa: F401
from web.app import WebSettings, create_app
from web.roles import Role
from web.server.serve import serve
from web.setup.table_setup import SetupFile

SIZES = [(360, 640), (1180, 820)]
SHOTS = os.environ.get("COMPANION_SHOTS", "")
"""A folder for pictures of each page, to be looked at."""


def shot(tablet, name: str) -> None:
    if SHOTS:
        width = tablet.script("return innerWidth")
        (Path(SHOTS) / f"{name}-{width}.png").write_bytes(tablet.driver.get_screenshot_as_png())


@pytest.fixture
def new_table(house, tmp_path: Path):
    """The address of the house's table while nobody has set it up."""
    app = create_app(
        house.table.page, house.roles, WebSettings(setup=SetupFile(tmp_path / "table.json", fresh=True))
    )
    running = serve(app, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{running.port}"
    running.close()


@pytest.mark.parametrize("size", SIZES)
def test_first_run_and_a_newcomer(tablet, second, house, new_table: str, axe: str, size) -> None:  # noqa: F811
    tablet.resize(*size)
    second.resize(*size)
    code = house.roles.standing(Role.SCOREKEEPER).code
    tablet.open(f"{new_table}/join/{code}")
    shot(tablet, "before")
    tablet.tap("#first-run")
    assert tablet.script("return document.documentElement.scrollWidth <= innerWidth")
    assert serious(tablet, axe) == []
    shot(tablet, "welcome")
    tablet.find("[name=name]").send_keys("Kitchen table")
    tablet.tap("#ready")
    link = tablet.find("code").text
    assert serious(tablet, axe) == []
    shot(tablet, "invite")
    tablet.tap("#to-table")
    tablet.until(lambda: tablet.script("return document.body.dataset.role") == "director")
    tablet.tap("#menu")
    tablet.sees("You are here as: Director.", "#standing")
    shot(tablet, "menu")

    house.begin()
    second.open(link)
    assert serious(second, axe) == []
    shot(second, "enter")
    second.tap("#as-north")
    second.tap("#menu")
    second.sees("You are here as: Player.", "#standing")
    second.open(link)  # a player who scans the table's code again wants another seat
    second.tap("#as-south")
    second.until(lambda: second.script("return document.body.dataset.seat") == "south", "the other seat")
    second.open(f"{new_table}/enter")
    second.tap("#as-north")
    second.until(lambda: second.script("return document.body.dataset.seat") == "north", "the seat again")
    second.open(f"{new_table}/matches")
    second.sees("You are here as: Player North.")
    assert serious(second, axe) == []
    shot(second, "refused")
    second.tap("#ask")
    second.sees("The director is called")
    assert house.table.state()["match"]["director"]


def test_event_says_who_corrects_it(tablet, house) -> None:
    house.begin()
    tablet.open(house.link(Role.PLAYER, "south"))
    tablet.tap("#tab-history")
    tablet.tap("#history tbody button")
    tablet.sees("Earlier events are corrected by the director.", "#no-correction")
    shot(tablet, "event")
    tablet.tap(".call-director")
    tablet.until(lambda: house.table.state()["match"]["director"])


IN_VIEW = (
    "const {top, bottom} = arguments[0].getBoundingClientRect(); return top >= 0 && bottom <= innerHeight"
)


def type_camera(tablet, source: str) -> None:
    tablet.tap("[name=camera][value=other]")
    field = tablet.find("[name=source]")
    field.clear()
    field.send_keys(source)
    tablet.tap("#ready")


def stays_in_view(tablet, source: str) -> None:
    """What was typed for the camera is there to be mended, with the error beside it, both on the screen."""
    assert tablet.find("[name=source]").get_attribute("value") == source
    assert tablet.find("[name=camera][value=other]").is_selected()
    for part in (".error", "[name=source]"):
        tablet.until(lambda part=part: tablet.script(IN_VIEW, tablet.find(part)), f"{part} in view")


def test_director_changes_the_camera(tablet, house, new_table: str, axe: str) -> None:  # noqa: F811
    """From the camera's dialog: a camera that does not open is said, and the next choice is used at once."""
    house.table.shows_board()
    tablet.open(f"{new_table}/join/{house.roles.standing(Role.DIRECTOR).code}")
    tablet.tap("#menu")
    tablet.tap("#menu-camera")
    tablet.tap("#change-camera")
    house.table.refused_cameras["7"] = say("No camera is plugged in.")
    tablet.find("[name=source]").send_keys("7")
    tablet.tap("[name=camera][value=other]")
    tablet.tap("#ready")
    tablet.sees("No camera is plugged in.", ".error")
    stays_in_view(tablet, "7")
    type_camera(tablet, "http:/192.168.1.20")  # it names no camera at all
    tablet.sees("A camera is named by its number", ".error")
    stays_in_view(tablet, "http:/192.168.1.20")
    assert serious(tablet, axe) == []
    shot(tablet, "camera")
    tablet.tap("[name=camera][value=none]")
    tablet.tap("#ready")
    tablet.until(lambda: tablet.script("return document.body.dataset.role") == "director")
    assert house.table.cameras == ["none"]
