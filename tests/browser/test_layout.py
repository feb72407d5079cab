"""Where things lie on screens of all sizes: nothing covers the board, nothing needed is out of sight."""

from collections.abc import Callable
from typing import Any

import pytest

from web.languages import LANGUAGES

SCREENS = {
    "phone": (390, 844),
    "small phone": (360, 640),
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
    box = tablet.script(
        "const r = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return [r.left, r.top, r.right, r.bottom]",
        selector,
    )
    return box[0], box[1], box[2], box[3]


def at_size(tablet: Any, size: tuple[int, int], script: str, *values: Any) -> Any:
    """What the script gives once the page has this width and height in CSS pixels."""
    tablet.resize(*size)
    once = (
        "const [width, ...values] = arguments;"
        f"return innerWidth === width ? [(function () {{{script}}}).apply(null, values)] : null"
    )
    return tablet.until(lambda: tablet.script(once, size[0], *values), f"a page of {size}")[0]


def assert_in_sight(tablet, selector: str, screen: str) -> None:
    width, height = SCREENS[screen]
    left, top, right, bottom = edges(tablet, selector)
    assert left >= 0, selector
    assert top >= 0, selector
    assert right <= width, selector
    assert bottom <= height, selector


@pytest.mark.parametrize("screen", SCREENS)
def test_a_play_is_entered_with_everything_in_sight(tablet, house, screen: str) -> None:
    """One page for each size: loading it takes longer than all that is looked at."""
    tablet.resize(*SCREENS[screen])
    house.begin()
    tablet.open(house.link())
    tablet.find(".play-list button")
    if screen in ("small laptop", "laptop with a browser's bars", "half a screen", "tablet"):
        assert rows_of_plays_in_sight(tablet) >= 3
    if screen in ("phone on its side", "small laptop", "half a screen"):
        assert edges(tablet, "#strip-top")[1] >= 0, "both players are in sight beside the board"
        assert edges(tablet, "#strip-bottom")[3] <= SCREENS[screen][1], "both players are in sight"
    tablet.find("#typed-play").send_keys("24/17 13/10\n")  # which is refused
    tablet.find("#toast.shown")
    tablet.script("document.getAnimations().forEach((one) => one.finish())")
    left, _, _, bottom = edges(tablet, "#toast")
    board = edges(tablet, "#board")
    assert bottom <= board[1] or left >= board[2], "what is said covers no checker: it is above or beside"
    assert_in_sight(tablet, "#toast", screen)
    for button in ("#lies-so", "#otherwise"):  # the offer to enter what lies there
        tablet.find(button)
        assert_in_sight(tablet, button, screen)


def rows_of_plays_in_sight(tablet: Any) -> int:
    bottom = edges(tablet, "#plays")[3]
    return int(
        tablet.script(
            "return [...new Set([...document.querySelectorAll('.play-list button')]"
            ".map((one) => one.getBoundingClientRect()).filter((one) => one.bottom <= arguments[0])"
            ".map((one) => Math.round(one.top)))].length",
            bottom,
        )
    )


ESSENTIAL = ("#strip-top", "#board", "#strip-bottom", "#verdict", "#verdict h2", "#asks > *", "#menu")


def doubted(house: Any) -> None:
    """The scorekeeper may double, say what the dice show, call them cocked, undo and resign."""
    house.table.thrown(6, None)


def burnt(house: Any) -> None:
    """The scorekeeper may double, count the throw all the same, undo and resign."""
    house.table.thrown(6, 4, why="on_checker")


BOXES = """return arguments[0].map((selector) => [...document.querySelectorAll(selector)]
    .map((one) => one.getBoundingClientRect()).map((one) => [one.left, one.top, one.right, one.bottom]))"""


SITUATIONS: dict[str, Callable[[Any], object]] = {
    "to roll": lambda house: None,
    "to play": lambda house: house.table.thrown(6, 4),
    "cocked": burnt,
    "unread": doubted,
    "doubled": lambda house: house.act("double"),
    "disputed": lambda house: (house.table.thrown(6, 4), house.illegal_play()),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_what_matters_is_in_sight_without_scrolling(tablet, house, situation: str) -> None:
    house.to_roll()
    SITUATIONS[situation](house)
    tablet.open(house.link())
    tablet.find("#asks button")
    for screen, (width, height) in SCREENS.items():
        found = at_size(tablet, (width, height), BOXES, ESSENTIAL)
        for selector, boxes in zip(ESSENTIAL, found, strict=True):
            assert boxes, selector
            for left, top, right, bottom in boxes:
                where = (screen, selector, left, top, right, bottom)
                assert left >= 0, where
                assert top >= 0, where
                assert right <= width + 0.5, where
                assert bottom <= height + 0.5, where


IN_THE_HALVES = """return [...document.querySelectorAll('.half')].map((half) => {
    const outer = half.getBoundingClientRect();
    const cut = [...half.children].filter((one) => {
        const box = one.getBoundingClientRect();
        return one.scrollWidth > one.clientWidth + 1 || box.left < outer.left || box.right > outer.right
            || box.top < outer.top - 0.5 || box.bottom > outer.bottom + 0.5;
    }).map((one) => one.className);
    return { cut, left: outer.left, top: outer.top, bottom: outer.bottom, width: outer.width, height: outer.height,
        time: half.querySelector('.time').getBoundingClientRect().height };
})"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_halves_of_the_clock_show_everything(tablet, house, language: str) -> None:
    """On a tablet and a small phone, both ways up; the time is at least a fifth of its half."""
    house.begin(players={"south": "Maximiliane", "north": "Christopher"}, overrides={"clock": "simple_delay"})
    house.act("clock", order="stop", south_ms=30_000, north_ms=0)
    tablet.open(f"{house.link()}?to=/clock", language)
    tablet.find(".half .time")
    for width, height in ((1180, 820), (820, 1180), (360, 640), (640, 360), (844, 390)):
        top, bottom = at_size(tablet, (width, height), IN_THE_HALVES)
        for half in (top, bottom):
            assert half["cut"] == [], (width, height)
            assert half["time"] > half["height"] / 5, (width, height)
        assert abs(top["height"] - bottom["height"]) < 1, "no half is larger"
        assert abs(top["left"] - bottom["left"]) < 1, "one stands above the other"
        assert top["top"] >= 0
        assert bottom["bottom"] <= height
        assert tablet.script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_signed_result_is_in_sight_on_a_tablet(tablet, house, language: str) -> None:
    house.game_over(length=1)
    tablet.open(house.link(), language)
    tablet.find("#plays .signed img")
    cut = "const list = document.querySelector('#plays'); return list.scrollHeight - list.clientHeight"
    assert tablet.script(cut) <= 0


def test_the_score_sheet_fits_a_small_phone(tablet, house) -> None:
    house.game_over(length=1, players={"north": "Maximiliane von Wolkenstein"})
    tablet.resize(360, 640, touch=True)
    tablet.open(house.link())
    tablet.driver.get(f"{house.address}/sheet")
    tablet.find("#signed")
    assert tablet.script("return document.documentElement.scrollWidth") == 360


def test_the_score_sheet_shows_how_a_game_ended_on_a_phone(tablet, house) -> None:
    house.game_over(length=1)
    tablet.resize(390, 844, touch=True)
    tablet.open(house.link(), "de")
    tablet.driver.get(f"{house.address}/sheet")
    assert edges(tablet, ".games td:last-child")[2] <= 390
    assert edges(tablet, "#signed")[2] <= edges(tablet, ".record")[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_the_opening_is_broken_on_a_tablet(tablet, house, language: str) -> None:
    house.act("new_match")
    tablet.open(house.link(), language)
    tablet.find("#verdict h2")
    lines = """const text = document.createRange();
        text.selectNodeContents(document.querySelector('#verdict h2'));
        return text.getClientRects().length"""
    words = len(tablet.text("#verdict h2").split())
    assert tablet.script(lines) <= words


ROW = """const buttons = [...document.querySelectorAll('#asks .tight button')];
const wraps = (node) => {
    const words = document.createRange();
    words.selectNodeContents(node);
    const lines = [...words.getClientRects()].filter((one) => one.width > 0);
    return Math.max(...lines.map((one) => one.bottom)) - Math.min(...lines.map((one) => one.top))
        > 1.7 * parseFloat(getComputedStyle(node.parentNode).fontSize);
};
const wrapped = buttons.filter((button) => {
    const labels = button.querySelector('.labels');  // of Undo: its name, and below it what it takes back
    return [...(labels ?? button).childNodes].some(wraps) || button.scrollWidth > button.clientWidth
        || (labels && labels.firstChild.parentNode.scrollWidth > labels.clientWidth + 1);
}).map((button) => button.textContent);
const tops = buttons.map((one) => one.getBoundingClientRect().top);
return { wrapped, rows: [...new Set(tops)].map((top) => tops.filter((one) => one === top).length) }"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_keep_their_words_in_one_line(tablet, house, language: str) -> None:
    house.to_roll()
    tablet.open(house.link(), language)
    for situation in (None, doubted, burnt):
        if situation:
            situation(house)
        tablet.until(
            lambda wanted=situation: len(tablet.all("#asks .tight button")) == (4 if wanted else 3), "the row"
        )
        for screen, size in SCREENS.items():
            row = at_size(tablet, size, ROW)
            assert row["wrapped"] == [], screen
            assert row["rows"] in ([3], [4], [2, 2]), screen


def test_a_tap_leaves_no_play_marked_as_if_it_were_the_best(tablet, house) -> None:
    tablet.resize(1180, 820, touch=True)
    house.begin()
    tablet.open(house.link())
    tablet.tap("#play-0")
    tablet.sees("Undo to enter another play.", "#plays")
    house.act("undo")
    tablet.find("#play-1")
    colour = "return getComputedStyle(document.getElementById(arguments[0])).backgroundColor"
    assert tablet.script(colour, "play-0") == tablet.script(colour, "play-1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_analysis_is_as_wide_as_a_phone(tablet, house, gnubg, language: str) -> None:
    tablet.resize(360, 740)
    house.game_over(players={"south": "Maximiliane", "north": "Christopher"})
    house.table.analysed()
    tablet.open(house.link(), language)
    tablet.tap("#menu")
    tablet.tap("#menu-analysis")
    tablet.find(".figures")
    assert tablet.script(
        "const one = document.getElementById('dialog'); return one.scrollWidth <= one.clientWidth"
    )


BELOW_ANOTHER_REASON = """const why = document.querySelector('#verdict .why')?.textContent ?? '';
return ['', arguments[0]].includes(why) ? null : [why, document.querySelector('.more').getBoundingClientRect().top]"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_reason_is_long_enough_to_move_what_is_below(tablet, house, language: str) -> None:
    house.to_roll()
    tablet.open(house.link(), language)
    why = ""
    for screen in ("tablet", "small laptop", "phone", "small phone"):
        at_size(tablet, SCREENS[screen], "")
        tops = set()
        for reason in ("on_checker", "leaning", "split_halves", "wrong_half", "off_board"):
            house.table.thrown(6, 4, why=reason)
            why, top = tablet.until(lambda why=why: tablet.script(BELOW_ANOTHER_REASON, why), reason)
            tops.add(top)
        assert len(tops) == 1, (screen, tops)


def test_nothing_lies_beside_the_narrowest_phone(tablet, house) -> None:
    """320 pixels is as narrow as WCAG's 1.4.10 asks for."""
    tablet.resize(320, 568)
    house.to_roll()
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


WHERE_THE_BOARD_IS = """const { left, top, right, bottom } = document.getElementById('board').getBoundingClientRect();
const there = document.body.dataset.phase === arguments[0] && document.querySelector(`${arguments[1]}.active`);
return there ? { board: [left, top, right, bottom], wide: document.documentElement.scrollWidth } : null"""


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_long_name_moves_nothing(tablet, house, name: str) -> None:
    name = name[:40]
    house.begin(length=0, players={"south": name, "north": name[::-1]})
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
            house.table.stand(on_roll=on_roll, cube={"value": 64, "owner": on_roll})
            if phase == "rolled":
                house.act("roll", dice=[6, 4])
            elif phase == "doubled":
                house.act("double")
            strip = "#strip-bottom" if (asked or on_roll) == "south" else "#strip-top"
            found = tablet.until(
                lambda phase=phase, strip=strip: tablet.script(WHERE_THE_BOARD_IS, phase, strip), phase
            )
            seen.add(tuple(found["board"]))
            assert found["wide"] <= width, screen
        assert len(seen) == 1, (screen, seen)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_resigned_fits_its_button_on_a_phone(tablet, house, language: str) -> None:
    tablet.resize(390, 844)
    house.to_roll()
    tablet.open(house.link(), language)
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
    names = {"south": NAMES["40 letters"], "north": "Mehmet"}
    house.begin(players=names, overrides={"clock": "simple_delay"})
    house.table.stand(on_roll="north", cube={"value": 2, "owner": "north"})
    house.act("double")
    assert house.table.state()["clock"]["running"] == "south"
    tablet.open(house.link(), language)
    tablet.find("#take")
    for size in [*SCREENS.values(), (320, 568)]:
        told = at_size(tablet, size, SAID)
        assert told == {"lines": 1, "covered": False, "inside": True, "cut": []}, size


@pytest.mark.parametrize("clock", ["off", "simple_delay"])
def test_name_of_thirteen_letters_stands_whole_beside_cube_and_clock(tablet, house, clock: str) -> None:
    """On a tablet of 1024 px, whose strip is narrower than that of the larger ones."""
    house.begin(players={"south": "Anna Li", "north": "Mehmet Yılmaz"}, overrides={"clock": clock}, length=5)
    house.table.stand(on_roll="north", cube={"value": 2, "owner": "north"})
    tablet.open(house.link())
    tablet.find(".strip .owned")
    cut = "return [...document.querySelectorAll('.strip .name')].map((one) => one.scrollWidth > one.clientWidth)"
    assert at_size(tablet, (1024, 768), cut) == [False, False]


LONG = {
    "de": "No connection: nothing was done. Try again once it is back.",
    "en": "It was South’s roll when it was told. The 5 point is held by 3 opposing checkers. Play 24/18 13/9 first.",
    "fi": "The whole roll has to be played: both numbers can be.",
    "ja": "No answer. Once the connection is back, the page will show whether it was done.",
    "tr": "Maximiliane von Wolkenstein resigns a single game. The illegal play stands. Anna doubles to 4.",
}


@pytest.mark.parametrize("language", LONG)
def test_what_is_said_covers_no_name_no_score_and_no_heading(tablet, house, language: str) -> None:
    house.to_roll()
    tablet.open(house.link(), language)
    tablet.find("#asks button")
    for screen in ("phone", "small phone", "phone on its side", "tablet", "tablet upright", "small laptop"):
        at_size(tablet, SCREENS[screen], "document.getElementById('toast').className = 'toast'")  # hushed
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
    house.to_roll()
    tablet.open(house.link(), language)
    tablet.find("#asks button")
    screens = ("phone", "phone on its side", "tablet")
    before = {screen: at_size(tablet, SCREENS[screen], BOXES, ["#board", "#verdict"]) for screen in screens}
    tablet.script("window.dispatchEvent(new Event('offline')); window.fetch = () => new Promise(() => {})")
    tablet.until(lambda: tablet.all("body[data-line=cut]"), "the cut")
    for screen in screens:
        assert at_size(tablet, SCREENS[screen], BOXES, ["#board", "#verdict"]) == before[screen], screen
        assert_in_sight(tablet, ".line-state", screen)


def test_the_signed_code_is_whole_and_large_enough_for_a_camera(tablet, house) -> None:
    house.game_over(length=1)
    tablet.open(house.link())
    code = """const img = document.querySelector('.signed img'); if (!img?.naturalWidth) return null;
        const [box, room] = [img.getBoundingClientRect(), img.closest('.list').getBoundingClientRect()];
        return [box.width, box.top - room.top, room.bottom - box.bottom];"""
    tablet.until(lambda: tablet.script(code), "the code")
    width, above, below = tablet.script(code)
    assert width >= 190, "it was 145 px"
    assert (above >= 0, below >= 0) == (True, True)


@pytest.mark.parametrize("language", ["en", "de", "fi", "ja", "tr"])
def test_what_undo_takes_back_is_whole_beside_double(tablet, house, language: str) -> None:
    house.to_roll()
    tablet.open(house.link(), language)
    for width, height in ((360, 640), (768, 1024), (1180, 820), (1920, 1080)):
        tablet.resize(width, height)
        tablet.find("#double")
        cut = """const small = document.querySelector('#undo small');
            return small.scrollWidth > small.clientWidth || small.scrollHeight > small.clientHeight;"""
        assert tablet.find("#undo small").text, width
        assert not tablet.script(cut), width
        tops = """return [...document.querySelectorAll('#double, #undo, #resign')]
            .map((button) => button.getBoundingClientRect().top);"""
        assert len(set(tablet.script(tops))) == 1, f"one row at {width}"


@pytest.mark.parametrize("language", ["de", "fi"])
def test_setting_a_position_the_sheet_and_the_clock_fit_a_phone(tablet, house, language: str) -> None:
    house.game_over(
        players={"south": "Anna-Katharina von Hohenlohe", "north": "Bartholomäus Schwarzenberger"}
    )
    house.act("next_game")
    tablet.resize(390, 844, touch=True)
    tablet.open(house.link(), language)
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    tablet.find("#setup-start")
    wide = """return [...document.querySelectorAll(arguments[0])]
        .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
    assert tablet.script(wide, ".setup .row button") == []
    tablet.open(f"{house.address}/clock")
    tablet.sees("Schwarzenberger")
    assert tablet.script(wide, ".half h2, .half header") == []
    tablet.resize(360, 780, touch=True)
    tablet.open(f"{house.address}/sheet")
    assert tablet.script(wide, "html, .games") == []
