"""The menu of the page: its entries, records, analysis."""

import pytest

from web.roles import Role


def test_menu_is_grouped(tablet, house) -> None:
    house.begin()
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#menu")
    groups = """const items = (group) => [...group.querySelectorAll('[id]')].map((item) => item.id.slice(5));
        return Object.fromEntries([...document.querySelectorAll('dialog fieldset:has(.menu)')]
            .map((group) => [group.querySelector('legend').textContent, items(group)]))"""
    whole = {
        "Match": ["new", "resign", "position", "settings"],
        "Director": ["director", "penalty"],
        "Board and camera": ["turn", "camera"],
        "Record": ["sheet", "export", "matches", "players", "analysis"],
        "Spectators and players": ["joins", "text"],
    }
    tablet.until(
        lambda: tablet.script(groups) == whole, "all entries"
    )  # opened early, they come with the first state


def test_a_player_who_has_called_the_director_is_told_so_in_the_menu(tablet, house) -> None:
    house.begin()
    tablet.open(house.link(Role.PLAYER, "south"))
    tablet.tap("#menu")
    tablet.tap("#menu-director")
    tablet.sees("Director called", "header")
    tablet.tap("#menu")
    tablet.sees("The director is called.", "dialog[open]")
    assert tablet.all("#menu-director") == []


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER])
def test_the_signed_result_is_shown_as_a_code_at_the_end(tablet, house, role: Role) -> None:
    house.game_over(length=1)
    tablet.open(house.link(role))
    code = "return [...document.querySelectorAll('.signed img')].some((one) => one.offsetWidth && one.naturalWidth)"
    tablet.until(lambda: tablet.script(code), "the code")


def test_record_is_taken_away(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-export")
    assert tablet.find("dialog a[href='/export/mat']").text == "Match file (gnubg, XG)"


def test_format_that_cannot_hold_the_match_and_the_score_sheet(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-sheet")
    tablet.sees("Score sheet", "h1")
    tablet.sees(house.table.state()["match"]["head"], "#head")
    tablet.find("#print")
    tablet.script("document.querySelector('a[href=\"/\"]').click()")
    tablet.sees("6-4", "#verdict h2")
    assert tablet.complaints() == []


def test_analysis_shows_its_progress_and_the_worst_plays(tablet, house, gnubg) -> None:
    house.begin()
    house.act("play", moves=[[24, 18], [13, 9]])
    house.act("done")
    house.table.thrown(6, 4)
    house.act("play", moves=[[24, 18], [13, 9]])
    house.act("done")
    house.act("resign", side="north", worth=1)
    house.act("accept")
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-analysis")
    tablet.tap("#analyse")
    tablet.sees("1 of 3 games analysed", "#analysis")
    house.table.analysed()
    tablet.sees("The costliest plays", "#analysis")
    assert len(tablet.all("#analysis .worst .mini")) == 2
    assert tablet.text("#analysis tbody tr").startswith("Anna8.1")
    shot = tablet.find("#analysis .shot")
    tablet.until(lambda: tablet.script("return arguments[0].naturalWidth", shot) == 640, "the picture")
    assert tablet.complaints() == []


def test_menu_opened_before_the_first_state_gets_its_entries_with_it(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/api/events*", "*/api/state*"]})
    try:
        tablet.driver.refresh()
        tablet.tap("#menu")
        assert not tablet.all("#menu-export")
    finally:
        tablet.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    tablet.find("#menu-export")


def test_analysis_that_is_refused_says_why(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-analysis")
    tablet.sees("No game has been finished yet.", "#analysis")
    assert tablet.all("#analyse") == []


@pytest.mark.parametrize(
    ("match", "formats"),
    [
        ({"profile": "modern"}, ["mat", "sgf", "ogxm", "json", "zip"]),
        ({"profile": "spielestart"}, ["json", "zip"]),
        ({"profile": "tavli"}, ["json", "zip"]),
        ({"chouette": ["Ann", "Bob", "Cem"], "length": 0}, ["json", "zip"]),
    ],
    ids=["modern", "spielestart", "tavli", "chouette"],
)
def test_only_files_that_can_hold_the_match_are_offered(tablet, house, match, formats) -> None:
    house.table.do("new_match", **({"length": 3} | match))
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-export")
    tablet.find("dialog a[href='/export/json']")
    offered = [link.get_attribute("href").rsplit("/", 1)[1] for link in tablet.all("dialog a[download]")]
    assert offered == formats


def test_file_that_cannot_hold_the_match_is_refused_with_the_way_to_those_that_can(tablet, house) -> None:
    house.table.do("new_match", profile="fevga", length=3)
    tablet.open(house.link())
    match = house.table.state()["match"]["id"]
    tablet.open(f"{house.address}/matches/{match}/export/mat")
    tablet.sees("export it as json", "main p")
    tablet.tap("main a")
    tablet.sees("Save the record", "main")
