"""The pages about kept matches in a real browser: replay by keyboard, deletion, names offered, and axe."""

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from companion.records.gnubg_report import Figures, Graded, Report
from tests.browser.test_axe import axe, serious  # noqa: F401
from web.languages import LANGUAGES
from web.roles import Role

FILES = Path(__file__).parents[1] / "data" / "matches"


def played(house) -> str:
    """A match of one game that Mehmet gives up; its id."""
    house.begin(length=1)
    house.act("play", text="24/18 13/9")
    house.act("done")
    house.act("resign", side="north", worth=1)
    house.act("accept")
    return str(house.table.state()["match"]["id"])


def press(tablet, key: str) -> None:
    tablet.driver.switch_to.active_element.send_keys(key)


def test_replay_by_keyboard(tablet, house) -> None:
    match = played(house)
    tablet.open(house.link(Role.VIEWER))
    tablet.open(f"{house.address}/matches/{match}")
    tablet.sees("Anna against Mehmet", "#step")
    press(tablet, Keys.ARROW_RIGHT)
    tablet.sees("Anna to play 6-4", "#step")
    assert tablet.text("#where") == "Game 1 · step 2 of 5"
    assert len(tablet.all("#board .arrow.played")) == 2
    assert "24: 2" in tablet.text("#position")
    press(tablet, Keys.ARROW_RIGHT)
    tablet.sees("Anna: 24/18 13/9", "#step")
    assert tablet.all("#board .arrow") == []
    assert tablet.script("return location.hash") == "#3"
    assert tablet.find("#xgid").get_attribute("value").startswith("XGID=")
    press(tablet, Keys.END)
    tablet.sees("accepts", "#step")
    press(tablet, Keys.ARROW_RIGHT)
    press(tablet, Keys.HOME)
    tablet.sees("Anna against Mehmet", "#step")
    press(tablet, Keys.PAGE_DOWN)
    tablet.sees("accepts", "#step")
    assert tablet.complaints() == []


def test_file_of_another_program_is_opened_and_replayed(tablet, house, tmp_path, axe: str) -> None:  # noqa: F811
    """A file larger than other requests may be, as .xg files are; then one that is too large, and one that is none."""
    played(house)
    sample = (FILES / "gnubg_sample7.mat").read_text("utf-8")
    large = tmp_path / "final.mat"
    large.write_text("; padding\n" * 20_000 + sample)
    tablet.open(house.link(Role.SCOREKEEPER))
    tablet.open(f"{house.address}/matches")
    tablet.find("#opened input[type=file]").send_keys(str(large))
    tablet.tap("#opened form button")
    tablet.sees("Game 1 · step 1 of", "#where")
    press(tablet, Keys.END)
    tablet.sees("Game 8", "#where")
    assert serious(tablet, axe) == []
    tablet.open(f"{house.address}/matches")
    assert "final.mat" in tablet.text("#opened")
    assert serious(tablet, axe) == []
    none = tmp_path / "letter.mat"
    none.write_text("Dear Ann,")
    tablet.find("#opened input[type=file]").send_keys(str(none))
    tablet.tap("#opened form button")
    tablet.sees("This file cannot be read", "#opened .trouble")
    tablet.gives("trouble", "return document.activeElement.className")  # a long list scrolls there
    huge = tmp_path / "huge.xg"
    huge.write_bytes(bytes(2 << 20))
    tablet.find("#opened input[type=file]").send_keys(str(huge))
    valid = "return document.querySelector('#opened form').checkValidity()"
    tablet.until(lambda: tablet.script(valid) is False, "the file is too large")


def test_several_files_are_opened_though_one_is_bad(tablet, house, tmp_path) -> None:
    """Together they are larger than a request may be, and one is by itself; the fourth is no match."""
    sample = (FILES / "gnubg_sample7.mat").read_text("utf-8")
    files = {
        "first.mat": "; padding\n" * 60_000 + sample,
        "second.mat": "; padding.\n" * 60_000 + sample,
        "huge.xg": "x" * (1 << 20),
        "letter.mat": "Dear Ann,",
        "third.sgf": (FILES / "gnubg_sample7.sgf").read_text("utf-8"),
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    tablet.open(house.link(Role.SCOREKEEPER))
    tablet.open(f"{house.address}/matches")
    tablet.find("#opened input[type=file]").send_keys("\n".join(str(tmp_path / name) for name in files))
    tablet.tap("#opened form button")
    tablet.sees("third.sgf: opened", "#opened .results")
    results = [one.text for one in tablet.all("#opened .results li")]
    assert [result.partition(":")[0] for result in results] == list(files)
    assert [": opened" in result for result in results] == [True, True, False, False, True]
    assert "larger than" in results[2]
    assert "cannot be read" in results[3]
    assert {name for name in files if name in tablet.text("#opened .matches")} == {
        "first.mat",
        "second.mat",
        "third.sgf",
    }
    assert [one for one in tablet.complaints() if "422" not in one] == []
    tablet.tap("#opened .results a")
    tablet.sees("Game 1 · step 1 of", "#where")


def test_diagram_tells_apart_what_a_play_and_a_better_one_have_in_common(tablet, house) -> None:
    """Played and better differ in how many checkers make the same move."""
    house.begin(length=1)
    house.act("play", text="24/18 13/9")
    house.act("done")
    house.table.thrown(1, 1)
    house.act("play", text="8/7(2) 6/5(2)")
    house.act("done")
    house.act("resign", side="south", worth=1)
    house.act("accept")
    match = str(house.table.state()["match"]["id"])
    play = Graded(1, 1, (1, 1), "8/7(2) 6/5(2)", "8/7 6/5(3)", 0.081, "", (), None, 0.1, 1)
    house.table.studies.keep(match, Report(("Anna", "Mehmet"), 0, [Figures(3, 3, 0.1)] * 2, [play]))
    tablet.open(house.link())
    tablet.open(f"{house.address}/matches/{match}/summary")
    kinds = {kind: len(tablet.all(f".plays .arrow.{kind}")) for kind in ("both", "played", "best")}
    assert kinds == {"both": 3, "played": 1, "best": 1}
    ways = tablet.script("return [...document.querySelectorAll('.arrow')].map((one) => one.innerHTML)")
    assert len(set(ways)) == len(ways), "no arrow lies on another"
    tablet.until(
        lambda: tablet.script("return document.querySelector('.codes img')?.naturalWidth"), "the code"
    )
    assert tablet.complaints() == []


@pytest.mark.parametrize("width", [1024, 1180, 1920])
def test_three_costliest_decisions_fill_a_row(tablet, house, width: int) -> None:
    house.begin(length=1)
    house.act("play", text="24/18 13/9")
    house.act("done")
    house.table.thrown(2, 1)
    house.act("play", text="13/11 6/5")
    house.act("done")
    house.table.thrown(6, 5)
    house.act("play", text="18/7")
    house.act("done")
    house.act("resign", side="north", worth=1)
    house.act("accept")
    match = str(house.table.state()["match"]["id"])
    plays = [(0, (6, 4), "24/18 13/9"), (1, (2, 1), "13/11 6/5"), (0, (6, 5), "18/7")]
    worst = [
        Graded(1, side, roll, play, play, 0.1, "", (), None, 0.1, n)
        for n, (side, roll, play) in enumerate(plays)
    ]
    house.table.studies.keep(match, Report(("Anna", "Mehmet"), 0, [Figures(3, 3, 0.1)] * 2, worst))
    tablet.resize(width, 820)
    tablet.open(house.link())
    tablet.open(f"{house.address}/matches/{match}/summary")
    tops = "return [...arguments[0].children].map((one) => one.getBoundingClientRect().top)"
    found = tablet.script(tops, tablet.find(".plays"))
    assert len(found) == 3
    assert len(set(found)) == 1
    assert tablet.script("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_fit_a_phone(tablet, house, language: str) -> None:
    played(house)
    tablet.resize(390, 844, touch=True)
    tablet.open(house.link(), language)
    tablet.open(f"{house.address}/players")
    cut = """return [document.querySelector('.scroll'), ...document.querySelectorAll('.players :is(th, td)')]
        .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent.trim())"""
    assert tablet.script(cut) == []
    tablet.open(f"{house.address}/players/Anna")
    dice = tablet.find(".dice")
    assert dice.size["width"] <= tablet.find(".scroll:has(.dice)").size["width"]


def test_figures_of_a_summary_and_labels_of_a_plot_are_read_on_a_phone(tablet, house) -> None:
    match = played(house)
    play = Graded(1, 0, (6, 4), "24/18 13/9", "24/20 13/7", 0.02, "", (), None, 0.1, 1)
    house.table.studies.keep(match, Report(("Anna", "Mehmet"), 0, [Figures(30, 30, 0.1)] * 2, [play]))
    tablet.resize(390, 844, touch=True)
    tablet.open(house.link())
    tablet.open(f"{house.address}/matches/{match}/summary")
    tablet.find(".figures")
    broken = """return [...document.querySelectorAll('.figures thead th')].filter((one) => {
        const lines = document.createRange();
        lines.selectNodeContents(one);
        return lines.getClientRects().length > one.textContent.trim().split(' ').length;
      }).map((one) => one.textContent)"""
    assert tablet.script(broken) == []
    tablet.open(f"{house.address}/players/Anna")
    label = "return document.querySelector('.plot text').getBoundingClientRect().height"
    assert tablet.script(label) > 11


def test_address_of_a_position_opens_it(tablet, house) -> None:
    match = played(house)
    tablet.open(house.link())
    tablet.open(f"{house.address}/matches/{match}#3")
    tablet.sees("Anna: 24/18 13/9", "#step")
    tablet.tap("#list li:first-child a")
    tablet.sees("Anna against Mehmet", "#step")


def test_match_is_found_named_and_deleted_from_the_menu_on(tablet, house) -> None:
    first = played(house)
    played(house)
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-matches")
    tablet.sees("2 matches")
    tablet.open(f"{house.address}/matches/{first}/manage")
    tablet.find("input[name=event]").send_keys("Club evening", Keys.ENTER)
    tablet.sees("Club evening", ".hint")
    tablet.tap("input[name=sure]")
    tablet.tap("#delete")
    tablet.sees("1 match")
    assert tablet.complaints() == []


def test_names_are_offered_for_a_new_match(tablet, house) -> None:
    played(house)
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    tablet.until(lambda: tablet.all("#known-names option"), "names")
    offered = tablet.script(
        "return [...document.querySelectorAll('#known-names option')].map((one) => one.value)"
    )
    assert offered == ["Anna", "Mehmet"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("page", ["list", "manage", "replay", "summary", "players", "player"])
def test_axe(tablet, house, axe: str, page: str, theme: str) -> None:  # noqa: F811
    match = played(house)
    tablet.media(prefers_color_scheme=theme, prefers_reduced_motion="reduce")
    places = {
        "list": "/matches",
        "manage": f"/matches/{match}/manage",
        "replay": f"/matches/{match}#2",
        "summary": f"/matches/{match}/summary",
        "players": "/players",
        "player": "/players/Anna",
    }
    tablet.open(house.link())
    tablet.open(house.address + places[page])
    tablet.sees("Anna")
    if page == "replay":
        tablet.sees("Anna to play", "#step")
    assert serious(tablet, axe) == []
