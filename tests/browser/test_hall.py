"""Wall and desk of a hall in a real browser, with tables as the hub publishes them."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import SIZES, Tablet
from tests.support.hall.pages import Hub
from web.app import WebSettings, create_app
from web.hall.pages import desk as desk_pages
from web.hall.pages import hall as hall_pages
from web.page import Page, refused
from web.roles import Role, Roles
from web.server.serve import serve


def table(name: str, south: str = "Ann", north: str = "Ben", **changed: Any) -> dict[str, Any]:
    """A table of the hub's state; `changed` are fields of the table or of its state."""
    state = {
        "session": "s",
        "seq": 1,
        "phase": "on_roll",
        "on_roll": "south",
        "asked": None,
        "roll": None,
        "cube": {"value": 2, "owner": "north", "offered": None},
        "match": {
            "id": f"m{name}",
            "players": {"south": south, "north": north},
            "length": 7,
            "score": {"south": 3, "north": 5},
            "game": 4,
            "crawford": False,
            "winner": None,
        },
        "clock": None,
        "wanted": [],
    }
    outer = {
        "status": "online",
        "fault": "",
        "held": {"match": f"m{name}", "number": 12},
        "about": None,
    }
    state.update({key: value for key, value in changed.items() if key in state})
    outer.update({key: value for key, value in changed.items() if key in outer})
    return {"table": name, "since_ms": 0, "state": state, **outer}


class Hall:
    """A hall's pages without its hub: a test publishes what the tables are."""

    def __init__(self, folder: Path) -> None:
        self.page, self.roles = (
            Page(lambda visitor, body: refused(403, "Not here", "No.")),
            Roles(folder / "roles.json"),
        )
        self.server = serve(
            create_app(self.page, self.roles, WebSettings(), (hall_pages, desk_pages)), "127.0.0.1", 0
        )
        self.seq = 0

    def show(self, *tables: dict[str, Any], **more: Any) -> None:
        """Publish these tables, and what else the state has."""
        self.seq += 1
        state = {"seq": self.seq, "hall": "Club evening", "tables": list(tables), **more}
        self.page.publish(self.seq, lambda visitor: state)

    def link(self, role: Role, to: str) -> str:
        """A join link that leads to a page."""
        return f"http://127.0.0.1:{self.server.port}/join/{self.roles.issue(role).code}?to={to}"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    one = Hall(tmp_path)
    yield one
    one.server.close()


def test_wall_shows_every_table_and_follows(hall: Hall, tablet: Tablet) -> None:
    soon = round(time.time() * 1000) + 125_000
    clock = {"reserve_ms": {"south": 90_000, "north": 600_000}, "running": "south", "ends_ms": soon}
    hall.show(table("1"), table("2", south="<b>Eve</b>", clock=clock), table("10", status="offline"))
    tablet.resize(*SIZES["desktop"])
    tablet.open(hall.link(Role.VIEWER, "/wall"))
    tablet.until(lambda: len(tablet.all(".card")) == 3, "three tables")
    assert tablet.text("#hall") == "Club evening"
    assert [card.get_attribute("aria-label") for card in tablet.all(".card")] == ["1", "2", "10"]
    assert "<b>Eve</b>" in tablet.text("body")
    assert tablet.text(".card:nth-child(2) .player.turn .time").startswith(("2:0", "1:5"))
    assert len(tablet.all(".card.needy")) == 1
    hall.show(table("1", on_roll="north", wanted=["director"]), table("2"), table("10"))
    tablet.until(lambda: tablet.text(".card:nth-child(1) .player.turn .name") == "Ben", "the turn")
    assert [card.get_attribute("aria-label") for card in tablet.all(".card.needy")] == ["1"]
    assert tablet.complaints() == []


LONG = ("Maximiliane von Hohenstein-Wittelsbach", "Bartholomäus Oberndorfer-Schwarzenegger")


@pytest.mark.parametrize("tables", [1, 4, 6, 9, 40, 100])
def test_wall_fits_the_screen_with_any_number_of_tables(hall: Hall, tablet: Tablet, tables: int) -> None:
    """And cuts no name."""
    clock = {"reserve_ms": {"south": 900_000, "north": 600_000}, "running": None, "ends_ms": None}
    hall.show(*(table(str(number), *LONG, clock=clock) for number in range(1, tables + 1)))
    tablet.resize(*SIZES["desktop"])
    tablet.open(hall.link(Role.VIEWER, "/wall"))
    tablet.until(lambda: len(tablet.all(".card")) == tables, "all tables")
    outside = """return [...document.querySelectorAll('.card .score')].map((one) => one.getBoundingClientRect())
        .filter((at) => at.bottom > innerHeight || at.right > innerWidth || at.height < 10)
        .map((at) => [at.bottom, at.right, at.height])"""
    assert tablet.script(outside) == []
    cut = """return [...document.querySelectorAll('.card, .card .name')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
        .map((one) => one.textContent)"""
    assert tablet.script(cut) == []


def test_wall_s_heading_grows_with_the_screen_as_the_names_do(hall: Hall, tablet: Tablet) -> None:
    hall.show(*(table(str(number)) for number in range(1, 17)))
    tablet.open(hall.link(Role.VIEWER, "/wall"))
    tablet.until(lambda: len(tablet.all(".card")) == 16, "all tables")
    shares = []
    for width, height in (SIZES["desktop"], (3840, 2160)):
        tablet.resize(width, height)
        shares.append(
            tablet.script(
                "return ['#hall', '.player .name'].map((one) => Math.round("
                "1000 * parseFloat(getComputedStyle(document.querySelector(one)).fontSize) / innerHeight))"
            )
        )
    assert shares == [[31, 30], [31, 30]]  # thousandths of the screen's height


@pytest.mark.parametrize(
    ("query", "names", "said"),
    [
        ("", range(1, 102), ""),
        ("?1-of-4", range(1, 27), "1–26 / 101"),
        ("?4-of-4", range(79, 102), "79–101 / 101"),
        ("?of-1", range(1, 102), ""),
        ("?of-x", range(1, 102), ""),
    ],
)
def test_wall_of_a_large_hall_is_shown_in_parts(
    hall: Hall, tablet: Tablet, query: str, names: range, said: str
) -> None:
    hall.show(*(table(str(number)) for number in range(1, 102)))
    tablet.resize(*SIZES["desktop"])
    tablet.open(hall.link(Role.VIEWER, f"/wall{query}"))
    tablet.until(lambda: len(tablet.all(".card")) == len(names), "the tables of this part")
    assert [card.get_attribute("aria-label") for card in tablet.all(".card")] == [str(one) for one in names]
    assert tablet.text("#part") == said
    assert tablet.complaints() == []


def test_wall_in_parts_without_a_page_turns_them(hall: Hall, tablet: Tablet) -> None:
    hall.show(*(table(str(number)) for number in range(1, 6)))
    tablet.resize(*SIZES["desktop"])
    tablet.open(hall.link(Role.VIEWER, "/wall?of-2"))
    tablet.until(lambda: tablet.text("#part") == "1–3 / 5", "the first part")
    tablet.until(lambda: tablet.text("#part") == "4–5 / 5", "the second part")
    assert [card.get_attribute("aria-label") for card in tablet.all(".card")] == ["4", "5"]


def test_desk_says_what_keeps_the_results_up(hall: Hall, tablet: Tablet) -> None:
    hall.show(table("1"))
    tablet.resize(*SIZES["phone"])
    tablet.open(hall.link(Role.DIRECTOR, "/desk"))
    tablet.until(lambda: len(tablet.all(".line")) == 1, "the table")
    assert tablet.text("#webhook") == ""
    hall.show(table("1"), webhook={"host": "event.test", "why": "status 500", "waiting": 2})
    tablet.until(
        lambda: "event.test does not take the results (status 500). Waiting: 2;" in tablet.text("#webhook"),
        "it",
    )
    wide = "return document.documentElement.scrollWidth <= innerWidth"
    assert tablet.script(wide)
    hall.show(table("1"), webhook=None, trouble="record")
    tablet.until(lambda: tablet.text("#webhook") == "", "the end of it")
    tablet.sees("The hub cannot write the hall’s record.")
    hall.show(table("1"), webhook=None, trouble="broker")
    tablet.until(lambda: "does not reach its broker" in tablet.text("#trouble"), "the other trouble")
    hall.show(table("1"), webhook=None, trouble="")
    tablet.until(lambda: tablet.text("#trouble") == "", "the end of it")
    assert tablet.complaints() == []


def test_desk_on_a_phone_shows_its_links_above_many_tables(hall: Hall, tablet: Tablet) -> None:
    hall.show(*(table(str(number)) for number in range(1, 31)))
    tablet.resize(*SIZES["phone"])
    tablet.open(hall.link(Role.DIRECTOR, "/desk"))
    tablet.until(lambda: len(tablet.all(".line")) == 30, "all tables")
    above = """const links = [...document.querySelectorAll('.top a')], first = document.querySelector('.line')
        return [links.length, Math.max(...links.map((one) => one.getBoundingClientRect().bottom))
            <= first.getBoundingClientRect().top]"""
    links, are_above = tablet.script(above)
    assert links
    assert are_above


def test_desk_puts_those_first_that_need_a_person(hall: Hall, tablet: Tablet) -> None:
    low = {
        "reserve_ms": {"south": 1, "north": 1},
        "running": "north",
        "ends_ms": round(time.time() * 1000) + 30_000,
    }
    about = {"version": "1.2.0", "session": "s", "camera": "none", "profile": "tournament"}
    hall.show(
        table("1"),
        table("2", clock=low),
        table("3", wanted=["director", "dispute"], about=about),
        table("4", status="offline", fault="Match m4 differs."),
        table("5", wanted=["director"]),
    )
    tablet.resize(*SIZES["phone"])
    tablet.open(hall.link(Role.DIRECTOR, "/desk"))
    tablet.until(lambda: len(tablet.all(".line")) == 5, "five lines")
    order = [line.get_attribute("aria-label") for line in tablet.all(".line")]
    assert order == ["3", "5", "4", "2", "1"]  # a call comes before two things that are less urgent
    needs = [
        [need.text for need in line.find_elements("css selector", ".need")] for line in tablet.all(".line")
    ]
    assert needs == [
        ["calls the director", "dispute"],
        ["calls the director"],
        ["record does not hold", "no connection"],
        ["clock low"],
        [],
    ]
    tablet.sees("Match m4 differs.")
    assert [one.text for one in tablet.all(".line .about")] == [
        "Version 1.2.0 · rules tournament · no camera"
    ]
    assert tablet.script("return document.documentElement.scrollWidth <= innerWidth")
    assert tablet.complaints() == []


def test_table_s_page_draws_its_position_and_last_plays(tmp_path: Path, tablet: Tablet) -> None:
    hub = Hub(tmp_path)
    server = serve(hub.app, "127.0.0.1", 0)
    try:
        hub.play("2", 12)
        code = hub.roles.issue(Role.VIEWER).code
        tablet.resize(*SIZES["desktop"])
        tablet.open(f"http://127.0.0.1:{server.port}/join/{code}")
        tablet.open(f"http://127.0.0.1:{server.port}/t/2")
        tablet.until(lambda: len(tablet.all("#plays li")) == 8, "the last plays")
        assert [one.text for one in tablet.all(".player .name")] == ["Ben", "Ann"]
        assert len(tablet.all("#board .checker")) >= 30
        rolls = tablet.script(
            "return [...document.querySelectorAll('.aside .unbroken')].map((one) => one.getClientRects().length)"
        )
        assert set(rolls) == {1}  # no roll is broken after its hyphen
        before = tablet.text("#plays")
        hub.play("2", 4)
        tablet.until(lambda: tablet.text("#plays") != before, "the next plays")
        assert tablet.complaints() == []
    finally:
        server.close()
        hub.store.close()


def test_wall_keeps_the_tables_that_a_message_leaves_out(tmp_path: Path, tablet: Tablet) -> None:
    hub = Hub(tmp_path)
    server = serve(hub.app, "127.0.0.1", 0)
    try:
        for name in ("1", "2", "10"):
            hub.play(name, 5)
        tablet.resize(*SIZES["desktop"])
        tablet.open(f"http://127.0.0.1:{server.port}/join/{hub.roles.issue(Role.VIEWER).code}?to=/wall")
        tablet.until(lambda: len(tablet.all(".card")) == 3, "three tables")
        hub.play("2", 1, match="m2", south="Eve")
        tablet.until(lambda: "Eve" in tablet.text(".card:nth-child(2)"), "the new match")
        hub.play("3", 1, south="Zoe")
        tablet.until(lambda: len(tablet.all(".card")) == 4, "four tables")
        assert [card.get_attribute("aria-label") for card in tablet.all(".card")] == ["1", "2", "3", "10"]
        assert "Eve" in tablet.text(".card:nth-child(2)")
        assert tablet.complaints() == []
    finally:
        server.close()


def test_overlay_of_a_hall_s_table_shows_names_score_clock_and_the_board_if_asked_for(
    tmp_path: Path, tablet: Tablet
) -> None:
    hub = Hub(tmp_path)
    server = serve(hub.app, "127.0.0.1", 0)
    try:
        hub.play("2", 14, clock="simple_delay")
        join = f"http://127.0.0.1:{server.port}/join/{hub.roles.issue(Role.VIEWER).code}?to=/t/2/overlay"
        tablet.resize(1920, 1080)
        tablet.open(join)
        tablet.until(lambda: len(tablet.all(".side .time")) == 2, "the clocks")
        assert [one.text for one in tablet.all(".side .name")] == ["Ben", "Ann"]
        assert not tablet.script("return document.getElementById('board').checkVisibility()")
        assert tablet.script("return getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
        tablet.open(f"{join}?board")
        tablet.until(lambda: len(tablet.all("#board .checker")) >= 30, "the board")
        hub.play("2", 1, match="m2", south="Eve")
        tablet.sees("Eve", "#scores")
        hub.tables["2"].status = "offline"
        hub.show()
        tablet.until(lambda: tablet.all("body.away"), "the mark of a table out of reach")
        assert tablet.complaints() == []
    finally:
        server.close()
        hub.store.close()


def test_director_draws_a_round_on_a_phone_and_takes_it_over(tmp_path: Path, tablet: Tablet) -> None:
    hub = Hub(tmp_path)
    server = serve(hub.app, "127.0.0.1", 0)
    try:
        code = hub.roles.issue(Role.DIRECTOR).code
        tablet.resize(*SIZES["phone"])
        tablet.open(f"http://127.0.0.1:{server.port}/join/{code}")
        tablet.open(f"http://127.0.0.1:{server.port}/pairings")
        tablet.until(lambda: tablet.all("form.draw"), "the form")
        tablet.find("form.draw [name=event]").send_keys("Club Open")
        tablet.find("form.draw [name=names]").send_keys("Ann\nBen\nEva\nMax\nZoe")
        tablet.choose("form.draw [name=kind]", "swiss")
        tablet.find("form.draw button").click()
        tablet.until(lambda: tablet.all(".proposal tbody tr"), "the proposal")
        rows = [row.text for row in tablet.all(".proposal tbody tr")]
        assert rows == ["1 Ann – Eva", "1 Ben – Max"]
        assert "Zoe" in tablet.text(".proposal")
        assert tablet.script("return document.documentElement.scrollWidth <= innerWidth")
        assert hub.store.pairings.all() == []
        tablet.find(".proposal button").click()
        tablet.until(lambda: len(tablet.all(".matches li")) == 2, "the list")
        assert [(one.south, one.north) for one in hub.store.pairings.all()] == [
            ("Ann", "Eva"),
            ("Ben", "Max"),
        ]
        assert tablet.complaints() == []
    finally:
        server.close()
        hub.store.close()
