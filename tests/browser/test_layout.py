"""Where things lie on screens of all sizes: nothing covers the board, nothing needed is out of sight."""

from collections.abc import Callable
from typing import Any

import pytest

from web.languages import LANGUAGES

SCREENS = {
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "small laptop": (1280, 757),
    "laptop with a browser's bars": (1366, 620),
    "half a screen": (1024, 457),
    "tablet": (1180, 820),
    "tablet upright": (820, 1180),
    "small tablet upright": (768, 1024),
}


def edges(tablet: Any, selector: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is shown of an element, in CSS pixels."""
    box = tablet.driver.execute_script(
        "const r = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return [r.left, r.top, r.right, r.bottom]",
        selector,
    )
    return box[0], box[1], box[2], box[3]


def assert_in_sight(tablet, selector: str, screen: str) -> None:
    width, height = SCREENS[screen]
    left, top, right, bottom = edges(tablet, selector)
    assert left >= 0
    assert top >= 0
    assert right <= width
    assert bottom <= height


def type_what_is_refused(tablet, house, screen: str) -> None:
    tablet.resize(*SCREENS[screen])
    house.begin()
    tablet.open(house.link())
    tablet.find("#typed-play").send_keys("24/17 13/10\n")


@pytest.mark.parametrize("screen", SCREENS)
def test_what_is_said_covers_no_checker(tablet, house, screen: str) -> None:
    type_what_is_refused(tablet, house, screen)
    tablet.find("#toast.shown")
    tablet.driver.execute_script("document.getAnimations().forEach((one) => one.finish())")
    left, _, _, bottom = edges(tablet, "#toast")
    board = edges(tablet, "#board")
    assert bottom <= board[1] or left >= board[2], "above the board or beside it"
    assert_in_sight(tablet, "#toast", screen)


@pytest.mark.parametrize("screen", SCREENS)
def test_the_offer_to_enter_what_lies_there_is_in_sight(tablet, house, screen: str) -> None:
    type_what_is_refused(tablet, house, screen)
    for button in ("#lies-so", "#otherwise"):
        tablet.find(button)
        assert_in_sight(tablet, button, screen)


@pytest.mark.parametrize(
    "screen", ["small laptop", "laptop with a browser's bars", "half a screen", "tablet"]
)
def test_three_rows_of_plays_are_in_sight(tablet, house, screen: str) -> None:
    tablet.resize(*SCREENS[screen])
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


ESSENTIAL = ("#strip-top", "#board", "#strip-bottom", "#verdict", "#verdict h2", "#asks > *", "#menu")


def doubted(house: Any) -> None:
    """The scorekeeper may double, say what the dice show, call them cocked, undo and resign."""
    house.table.thrown(6, None, "unread", ("one_die",))


def burnt(house: Any) -> None:
    """The scorekeeper may double, count the throw all the same, undo and resign."""
    house.table.thrown(6, 4, "cocked", ("on_checker",))


SITUATIONS: dict[str, Callable[[Any], object]] = {
    "to roll": lambda house: None,
    "to play": lambda house: house.table.thrown(6, 4),
    "cocked": burnt,
    "unread": doubted,
    "doubled": lambda house: house.act("double"),
    "disputed": lambda house: (house.table.thrown(6, 4), house.table.disputed()),
}


def to_roll(house: Any) -> None:
    """Mehmet is on roll in the middle of a game."""
    house.begin()
    house.act("play", moves=[[24, 18], [13, 9]])
    house.act("done")


@pytest.mark.parametrize("situation", SITUATIONS)
def test_what_matters_is_in_sight_without_scrolling(tablet, house, situation: str) -> None:
    to_roll(house)
    SITUATIONS[situation](house)
    tablet.open(house.link())
    tablet.find("#asks button")
    for screen, (width, height) in SCREENS.items():
        tablet.resize(width, height)
        tablet.until(lambda width=width: tablet.script("return innerWidth") == width, screen)
        for selector in ESSENTIAL:
            boxes = tablet.script(
                "return [...document.querySelectorAll(arguments[0])].map((one) => one.getBoundingClientRect())"
                ".map((one) => [one.left, one.top, one.right, one.bottom])",
                selector,
            )
            assert boxes, selector
            for left, top, right, bottom in boxes:
                where = (screen, selector, left, top, right, bottom)
                assert left >= 0, where
                assert top >= 0, where
                assert right <= width + 0.5, where
                assert bottom <= height + 0.5, where


WRAPPED = """return [...document.querySelectorAll('#asks .tight button')].filter((button) => {
    const words = document.createRange();
    words.selectNodeContents(button);
    const lines = [...words.getClientRects()].filter((one) => one.width > 0);
    return Math.max(...lines.map((one) => one.bottom)) - Math.min(...lines.map((one) => one.top))
        > 1.7 * parseFloat(getComputedStyle(button).fontSize) || button.scrollWidth > button.clientWidth;
}).map((button) => button.textContent)"""


ROWS = """const buttons = [...document.querySelectorAll('#asks .tight button')];
const tops = buttons.map((one) => one.getBoundingClientRect().top);
return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length)"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_keep_their_words_in_one_line(tablet, house, language: str) -> None:
    to_roll(house)
    tablet.open(house.link())
    tablet.script("document.cookie = `lang=${arguments[0]}; path=/`", language)
    tablet.open(house.address)
    for situation in (None, doubted, burnt):
        if situation:
            situation(house)
        tablet.until(
            lambda wanted=situation: len(tablet.all("#asks .tight button")) == (4 if wanted else 3), "the row"
        )
        for screen, (width, height) in SCREENS.items():
            tablet.resize(width, height)
            tablet.until(lambda width=width: tablet.script("return innerWidth") == width, screen)
            assert tablet.script(WRAPPED) == [], screen
            assert tablet.script(ROWS) in ([3], [4], [2, 2]), screen


def test_a_tap_leaves_no_play_marked_as_if_it_were_the_best(tablet, house) -> None:
    tablet.resize(1180, 820, touch=True)
    house.begin()
    tablet.open(house.link())
    tablet.tap("#play-0")
    tablet.sees("Undo to enter another play.", "#plays")
    house.act("undo")
    house.act("undo")
    tablet.find("#play-1")
    colour = "return getComputedStyle(document.getElementById(arguments[0])).backgroundColor"
    assert tablet.script(colour, "play-0") == tablet.script(colour, "play-1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_analysis_is_as_wide_as_a_phone(tablet, house, language: str) -> None:
    tablet.resize(360, 740)
    house.act("new_match", length=7, players={"south": "Maximiliane", "north": "Christopher"})
    house.table.analysed()
    house.table.analysis["report"]["players"] = ["Maximiliane", "Christopher"]
    tablet.open(house.link())
    tablet.script("document.cookie = `lang=${arguments[0]}; path=/`", language)
    tablet.open(house.address)
    tablet.tap("#menu")
    tablet.tap("#menu-analysis")
    tablet.find(".figures")
    assert tablet.script(
        "const one = document.getElementById('dialog'); return one.scrollWidth <= one.clientWidth"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_reason_is_long_enough_to_move_what_is_below(tablet, house, language: str) -> None:
    to_roll(house)
    tablet.open(house.link())
    tablet.script("document.cookie = `lang=${arguments[0]}; path=/`", language)
    for screen in ("tablet", "small laptop", "phone"):
        tablet.resize(*SCREENS[screen])
        tablet.open(house.address)
        tops = set()
        for reason in ("on_checker", "leaning", "split_halves", "wrong_half", "off_board"):
            before = tablet.text("#verdict .why")
            house.table.thrown(6, 4, "cocked", (reason,))
            tablet.until(lambda before=before: tablet.text("#verdict .why") not in ("", before), reason)
            tops.add(edges(tablet, ".more")[1])
        assert len(tops) == 1, (screen, tops)


def test_nothing_lies_beside_the_narrowest_phone(tablet, house) -> None:
    """320 pixels is as narrow as WCAG's 1.4.10 asks for."""
    tablet.resize(320, 568)
    to_roll(house)
    house.table.thrown(6, 4)
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    assert tablet.script("return document.documentElement.scrollWidth") <= 320
    for selector in ("#strip-top", "#board", "#strip-bottom", "#verdict", "#asks"):
        assert edges(tablet, selector)[2] <= 320, selector


NAMES = {
    "24 letters": "Maximiliane Wolkenstein X",
    "40 letters": "Maximiliane von Wolkenstein-Rodenegg zu H",
    "one long word": "W" * 40,
    "wide signs": "長い名前の選手は四十文字まで名乗ることができるが盤は少しも動いてはならないのである",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_long_name_moves_nothing(tablet, house, name: str) -> None:
    name = name[:40]
    house.act("new_match", length=7, players={"south": name, "north": name[::-1]})
    house.act("opening", south=6, north=4)
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    for screen, (width, height) in SCREENS.items():
        tablet.resize(width, height)
        tablet.until(lambda width=width: tablet.script("return innerWidth") == width, screen)
        seen = set()
        for phase, on_roll, asked in (
            ("rolled", "south", None),
            ("on_roll", "south", None),
            ("on_roll", "north", None),
            ("doubled", "south", "north"),
        ):
            table = house.table
            table.phase, table.on_roll, table.asked = phase, on_roll, asked
            table.cube = {"value": 64, "owner": on_roll, "offered": 2 if asked else None}
            table.publish()
            strip = "#strip-bottom" if (asked or on_roll) == "south" else "#strip-top"
            tablet.until(lambda phase=phase: tablet.all(f"body[data-phase={phase}]"), phase)
            tablet.until(lambda strip=strip: tablet.all(f"{strip}.active"), "whose turn it is")
            seen.add(edges(tablet, "#board"))
            assert tablet.script("return document.documentElement.scrollWidth") <= width, screen
        assert len(seen) == 1, (screen, seen)


@pytest.mark.parametrize("screen", ["phone on its side", "small laptop", "half a screen"])
def test_both_players_are_in_sight_beside_the_board(tablet, house, screen: str) -> None:
    width, height = SCREENS[screen]
    tablet.resize(width, height)
    house.begin()
    tablet.open(house.link())
    tablet.find("#board")
    assert edges(tablet, "#strip-top")[1] >= 0
    assert edges(tablet, "#strip-bottom")[3] <= height


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_resigned_fits_its_button_on_a_phone(tablet, house, language: str) -> None:
    tablet.resize(390, 844)
    to_roll(house)
    tablet.open(house.link())
    tablet.script("document.cookie = `lang=${arguments[0]}; path=/`", language)
    tablet.open(house.address)
    tablet.tap("#resign")
    wider = tablet.script(
        "return [...document.querySelectorAll('dialog button[name=worth]')]"
        ".filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    )
    assert wider == []


SAID = """const who = document.querySelector('.strip.active .who');
const words = document.createRange();
words.selectNodeContents(who.querySelector('.doing'));
const said = words.getBoundingClientRect();
const strip = who.parentNode.getBoundingClientRect();
const score = document.querySelector('.strip.active .score').getBoundingClientRect();
return {
    lines: Math.round(said.height / parseFloat(getComputedStyle(who.querySelector('.doing')).fontSize) / 1.25),
    covered: [...who.parentNode.children].slice([...who.parentNode.children].indexOf(who) + 1)
        .some((one) => one.checkVisibility() && one.getBoundingClientRect().left < said.right),
    inside: said.top >= strip.top && said.bottom <= strip.bottom && score.right <= strip.right,
    cut: [...document.querySelectorAll('#asks .row button')].filter((one) => one.scrollWidth > one.clientWidth)
        .map((one) => one.textContent),
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_whose_answer_it_is_stands_whole_beside_a_long_name_and_a_clock(tablet, house, language: str) -> None:
    house.act("new_match", length=7, players={"south": NAMES["40 letters"], "north": "Mehmet"})
    house.act("opening", south=3, north=6)
    bank = {"reserve_ms": 700_000, "delay_ms": 12_000}
    house.table.clock = {"running": "south", "south": bank, "north": bank, "at_ms": 2**42}
    house.table.phase, house.table.on_roll, house.table.asked = "doubled", "north", "south"
    house.table.cube = {"value": 2, "owner": "north", "offered": 4}
    house.table.publish()
    tablet.open(house.link())
    tablet.script("document.cookie = `lang=${arguments[0]}; path=/`", language)
    tablet.open(house.address)
    tablet.find("#take")
    for width, height in [*SCREENS.values(), (320, 568)]:
        tablet.resize(width, height)
        tablet.until(lambda width=width: tablet.script("return innerWidth") == width, "the size")
        told = tablet.script(SAID)
        assert told == {"lines": 1, "covered": False, "inside": True, "cut": []}, (width, height)


LONG = {
    "de": "Cut off: nothing was done. It can be done once the connection is back.",
    "en": "It was South's roll when it was told. The 5 point is held by 3 opposing checkers. Play 24/18 13/9 first.",
    "fi": "The whole roll has to be played: both numbers can be.",
    "ja": "No answer came. Once the connection is back the page shows whether it was done.",
    "tr": "Maximiliane von Wolkenstein resigns a single game. The illegal play stands. Anna doubles to 4.",
}


@pytest.mark.parametrize("language", LONG)
def test_what_is_said_covers_no_name_no_score_and_no_heading(tablet, house, language: str) -> None:
    to_roll(house)
    tablet.open(house.link())
    tablet.script("document.cookie = `lang=${arguments[0]}; path=/`", language)
    for screen in ("phone", "phone on its side", "tablet", "tablet upright", "small laptop"):
        tablet.resize(*SCREENS[screen])
        tablet.open(house.address)
        tablet.find("#asks button")
        house.table.notice(LONG[language])
        tablet.find("#toast.shown")
        tablet.script("document.getAnimations().forEach((one) => one.finish())")
        left, _, _, bottom = edges(tablet, "#toast")
        for below in ("#strip-top", "#verdict"):
            box = edges(tablet, below)
            assert bottom <= box[1] or left >= box[2], (screen, below)
        assert_in_sight(tablet, "#toast", screen)
        size = tablet.script("return parseFloat(getComputedStyle(document.getElementById('toast')).fontSize)")
        assert size >= 12, (screen, size)


@pytest.mark.parametrize("language", LANGUAGES)
def test_being_cut_off_moves_nothing(tablet, house, language: str) -> None:
    to_roll(house)
    tablet.open(house.link())
    tablet.script("document.cookie = `lang=${arguments[0]}; path=/`", language)
    for screen in ("phone", "phone on its side", "tablet"):
        tablet.resize(*SCREENS[screen])
        tablet.open(house.address)
        tablet.find("#asks button")
        before = [edges(tablet, one) for one in ("#board", "#verdict")]
        tablet.script(
            "window.dispatchEvent(new Event('offline')); window.fetch = () => new Promise(() => {})"
        )
        tablet.until(lambda: tablet.all("body[data-line=cut]"), "the cut")
        assert [edges(tablet, one) for one in ("#board", "#verdict")] == before, screen
        assert_in_sight(tablet, ".line-state", screen)
