"""The camera on the page: its source, its board, what it says."""

import pytest

from web.app import WebSettings, create_app
from web.roles import Role
from web.server.serve import serve
from web.setup.table_setup import SetupFile


def test_without_a_camera_it_is_said_and_one_can_be_chosen(tablet, house, tmp_path) -> None:
    house.table.camera("none", "No camera is used.")
    setup = SetupFile(tmp_path / "table.json", fresh=False)
    running = serve(create_app(house.table.page, house.roles, WebSettings(setup=setup)), "127.0.0.1", 0)
    tablet.open(f"http://127.0.0.1:{running.port}/join/{house.roles.standing(Role.DIRECTOR).code}")
    tablet.tap("#menu")
    tablet.tap("#menu-camera")
    tablet.sees("No camera is chosen", "#no-camera")
    assert not tablet.all("#try-throws, .calibration")
    tablet.tap("#choose-camera")
    tablet.find("[name=camera][value=none]")
    assert tablet.complaints() == []
    running.close()


def test_corners_of_the_board_are_dragged_and_found(tablet, house) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    house.table.shows_board()
    known = house.table.board_place.corners()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-camera")
    drawn = "return Number(document.querySelector('.calibration image')?.getAttribute('width') || 0)"
    tablet.until(lambda: tablet.script(drawn) > 0, "the picture")
    corner = tablet.find(".corner[data-n='0']")
    ActionChains(tablet.driver).click_and_hold(corner).move_by_offset(30, 20).release().perform()
    corner.send_keys(Keys.ARROW_RIGHT)
    tablet.tap("#use-corners")
    tablet.until(lambda: house.table.board_place.corners()[0] != known[0], "the corner to be moved")
    moved = house.table.board_place.corners()
    assert moved[0][0] > known[0][0] + 20
    assert moved[1:] == tuple(pytest.approx(corner, abs=1) for corner in known[1:])
    tablet.tap("#find-board")
    tablet.until(lambda: house.table.board_place.corners()[0] != moved[0], "the board to be found")
    assert house.table.board_place.corners() == tuple(pytest.approx(corner, abs=20) for corner in known)
    assert tablet.complaints() == []


def test_a_camera_without_a_picture_is_said_once_and_asked_less_and_less(tablet, house) -> None:
    house.begin()
    house.table.camera("lost", "The camera gives no pictures.")
    tablet.open(house.link())
    tablet.script("""
        const real = window.setTimeout;
        window.delays = [];
        window.setTimeout = (act, ms) => {
          if (!new Error().stack.includes('calibration.js')) return real(act, ms);
          window.delays.push(ms);
          return real(act, 0);
        };
    """)
    tablet.tap("#camera")
    tablet.tap("#place-board")
    tablet.sees("The camera shows no picture now.", ".calibration .error")
    tablet.script("""
        window.said = 0;
        const alert = document.querySelector('.calibration .error');
        new MutationObserver(() => window.said++).observe(alert, {childList: true});
    """)
    tablet.until(lambda: tablet.script("return window.delays.length") > 5, "some questions")
    assert tablet.script("return window.delays")[:6] == [2000, 4000, 8000, 16000, 30000, 30000]
    assert tablet.script("return window.said") == 0


def test_the_camera_s_sentence_is_one_tap_away_with_the_way_to_place_the_board(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    house.table.camera("lost", "The board is not where it was in the picture.")
    tablet.tap("#camera")
    tablet.sees("The board is not where it was in the picture.", "dialog")
    tablet.tap("dialog #place-board")
    tablet.find("dialog .calibration")


def test_the_line_at_the_top_says_while_no_board_is_found(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    house.table.camera("live", "3 is watching. The board has not been found yet.", board_found=False)
    tablet.sees("board not found", "#camera")
    house.table.camera("live", "3 is watching.")
    tablet.sees("camera reads dice", "#camera")
    assert "board not found" not in tablet.text("#camera")
