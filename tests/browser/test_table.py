"""The scorekeeper's page as a whole: orientations, sizes, what is told to a screen reader."""

import json

import pytest

from web.pages import version

SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.shifts.push([one.value, one.sources.map((it) => it.node?.id)]);
}).observe({type: 'layout-shift'});"""
SIZES = {
    "phone": (390, 844),
    "tablet": (1180, 820),
    "desktop": (1920, 1080),
    "small phone": (360, 640),
    "phone on its side": (844, 390),
    "low": (1180, 677),
}
MOVING = """return [...document.querySelectorAll('body *')].filter((one) => {
    const style = getComputedStyle(one);
    return style.transitionDuration.split(',').some((part) => parseFloat(part) > 0) || style.animationName !== 'none';
}).length"""


def test_lamps_tell_a_screen_reader_which_one_is_lit(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    named = "return [...document.querySelectorAll(arguments[0])].map((one) => one.getAttribute('aria-label'))"
    tablet.find("#lamps .lamp")
    assert tablet.script(named, "#lamps .lamp") == [
        "valid: not lit",
        "roll again: not lit",
        "look here: not lit",
    ]
    assert tablet.script(named, "#strip-top .lamp.turn") == ["turn lamp: lit"]
    house.table.thrown(6, 3, why="on_checker")
    tablet.sees("Cocked", "#verdict h2")
    lit = [one for one in tablet.script(named, "#lamps .lamp") if not one.endswith(": not lit")]
    assert [one.split(":")[0] for one in lit] == ["roll again"]


def test_an_emoji_joined_of_several_stays_whole_in_a_name_cut_short(tablet, house) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    tablet.open(house.link())
    short = """const [files, name, done] = arguments;
        import(`/static/v-${files}/js/board/seats.js`).then(({ briefly }) =>
            done(briefly({ match: { players: { south: name, north: 'Mehmet' } } }).match.players.south))"""
    for letters in range(17, 24):
        name = "M" * letters + family * 3
        cut = tablet.answer(short, version(), name)
        assert cut.rstrip("…").replace(family, "").strip("M") == ""
        assert cut.endswith("…")


@pytest.mark.parametrize("home", ["right", "left"])
@pytest.mark.parametrize("south", ["light", "dark"])
def test_four_orientations(tablet, house, home: str, south: str) -> None:
    house.act("new_match", orientation={"home": home, "south": south})
    house.act("opening", south=6, north=4)
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    where = """const box = (id) => document.getElementById(id).getBoundingClientRect();
        const board = document.getElementById('board').getBoundingClientRect();
        return [box('spot-p1').x > board.x + board.width / 2, box('spot-p1').y > board.y + board.height / 3]"""
    assert tablet.script(where) == [home == "right", True]
    assert len(tablet.all(f"#strip-bottom .disc.{south}")) == 1
    tablet.tap("#menu")
    tablet.tap("#menu-turn")
    tablet.until(lambda: tablet.script(where) == [home == "left", False], "the board to be turned")
    assert len(tablet.all(f"#strip-top .disc.{south}")) == 1
    tablet.move("south", 24, 18)
    tablet.until(lambda: house.table.moves == [(24, 18)], "24/18")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_cut_off_and_nothing_jumps(tablet, house, size: str, theme: str) -> None:
    tablet.resize(*SIZES[size], touch="phone" in size)
    tablet.media(prefers_color_scheme=theme)
    house.to_roll()
    tablet.open(house.link())
    tablet.sees("Mehmet to roll", "#verdict")
    tablet.script(SHIFTS)
    width = tablet.script("return [document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    before = tablet.script("return JSON.stringify(document.getElementById('board').getBoundingClientRect())")
    house.table.thrown(6, 3, why="on_checker")
    tablet.sees("Cocked", "#verdict h2")
    house.table.thrown(6, None)
    tablet.sees("What was rolled?", "#verdict h2")
    house.table.thrown(6, 3)
    tablet.sees("6-3", "#verdict h2")
    after = tablet.script("return JSON.stringify(document.getElementById('board').getBoundingClientRect())")
    assert json.loads(before) == json.loads(after)
    # the observer is called before the next painted picture; two of them are waited for
    painted = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(arguments[0])))"
    tablet.answer(painted)
    assert tablet.script("return window.shifts") == []


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_targets_are_big_enough_for_a_thumb(tablet, house, size: tuple[int, int]) -> None:
    """WCAG 2.5.8 asks for 24 pixels; a point is a little wider."""
    tablet.resize(*size, touch=True)
    house.begin()
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    small = """return [...document.querySelectorAll('button, .spot, a, input')]
        .filter((one) => one.offsetParent !== null || one.classList.contains('spot'))
        .map((one) => [one.id || one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 24 || box.height < 24)).map(([name]) => name)"""
    assert tablet.script(small) == []


def test_names_are_text(tablet, house) -> None:
    house.act("new_match", players={"south": "<img src=x onerror=alert(1)>", "north": "</script><b>&amp;"})
    tablet.open(house.link())
    tablet.sees("<img src=x onerror=alert(1)>", "#strip-bottom")
    tablet.sees("</script><b>&amp;", "#strip-top")
    assert tablet.all("#strip-bottom img") == []


def test_what_is_said_lies_over_an_open_dialog(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.find("dialog .menu")
    house.table.notice("The camera is back.")
    toast = tablet.find("#toast.shown")
    tablet.script("document.getAnimations().forEach((one) => one.finish())")
    on_top = """const box = arguments[0].getBoundingClientRect();
        arguments[0].style.pointerEvents = 'auto';
        return arguments[0].contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))"""
    assert tablet.script(on_top, toast)
    tablet.tap("dialog .close")
    house.table.notice("The camera is lost.")
    tablet.sees("The camera is lost.", "#toast.shown")


def test_what_was_said_goes_when_the_table_has_gone_on(tablet, house) -> None:
    house.to_roll()
    house.act("resign", side="north", worth=1)
    tablet.open(house.link())
    tablet.find("#accept")
    house.table.notice("Mehmet resigns a single game.")
    tablet.find("#toast.shown")
    house.table.camera("none")  # something else: it still stands
    tablet.until(lambda: tablet.state()["seq"] == house.table.seq, "the page to hear of it")
    assert tablet.find("#toast.shown")
    house.act("accept")
    tablet.sees("Anna wins", "#verdict h2")
    assert tablet.all("#toast.shown") == []


def test_keys_go_on_where_the_next_thing_is_to_be_done(tablet, house) -> None:
    from selenium.webdriver.common.keys import Keys

    house.begin(south=3, north=1)
    tablet.open(house.link())
    tablet.find("#spot-p24")
    active = tablet.driver.switch_to

    def focused() -> str:
        return str(tablet.script("return document.activeElement.id"))

    active.active_element.send_keys(Keys.TAB)
    assert focused() == "skip"
    active.active_element.send_keys(Keys.ENTER)
    assert focused() == "spot-p24"
    tablet.script("document.getElementById('play-0').focus()")
    active.active_element.send_keys(Keys.ENTER)
    tablet.sees("Undo to enter another play.", "#plays")
    assert focused() == "done"
    active.active_element.send_keys(Keys.ENTER)
    tablet.sees("Mehmet to roll", "#verdict")
    assert focused() == "die-0-1"
    tablet.script("document.getElementById('die-0-6').focus()")
    active.active_element.send_keys(Keys.ENTER)
    tablet.script("document.getElementById('die-1-4').focus()")
    active.active_element.send_keys(Keys.ENTER)
    tablet.sees("6-4", "#verdict h2")
    assert focused() == "spot-p1"  # north's 24-point, the rearmost checker that can move


def test_position_can_be_heard(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.sees("Anna. 24: 2, 13: 5, 8: 3, 6: 5.", "#position")
    house.act("play", moves=[[24, 18]])
    tablet.sees("Anna. 24: 1, 18: 1, 13: 5", "#position")


def test_screen_reader_is_told_roll_ruling_and_play(tablet, house) -> None:
    """The live region is polite and says each of them once, in a sentence of its own."""
    house.begin()
    tablet.open(house.link())
    tablet.sees("Anna rolled 6-4.", "#live")
    assert tablet.script("return document.getElementById('live').getAttribute('aria-live')") == "polite"
    tablet.script(
        """window.told = [];
        new MutationObserver(() => window.told.push(document.getElementById('live').textContent))
            .observe(document.getElementById('live'), {childList: true});"""
    )
    house.act("play", moves=[[24, 18], [13, 9]])
    tablet.sees("Played 24/18 13/9.", "#live")
    house.act("done")
    tablet.sees("Mehmet to roll", "#live")
    house.table.notice("The camera is back.")
    tablet.sees("The camera is back.", "#toast")
    assert tablet.script("return document.getElementById('toast').getAttribute('role')") == "alert"
    house.table.thrown(6, 3, why="on_checker")
    tablet.sees("Cocked – roll again. A die is on a checker.", "#live")
    told = tablet.script("return window.told")
    assert [one.split(".")[0] for one in told] == [
        "Played 24/18 13/9",
        "Mehmet to roll",
        "Cocked – roll again",
    ]


def test_nothing_moves_where_that_is_not_wished(tablet, house) -> None:
    house.to_roll()
    house.table.thrown(6, 3, why="on_checker")
    house.table.camera("lost", "The camera gives no pictures.")
    tablet.open(house.link())
    tablet.sees("Cocked", "#verdict h2")
    tablet.find(".lamp.blink")
    assert tablet.script(MOVING) > 0
    tablet.media(prefers_reduced_motion="reduce")
    tablet.until(lambda: tablet.script(MOVING) == 0, "everything to stand still")
    outline = "return getComputedStyle(document.querySelector('.lamp.blink')).outlineStyle"
    assert tablet.script(outline) == "dashed"  # a lamp that would blink is told by its frame


def test_stopped_clock_says_so(tablet, house) -> None:
    house.begin(overrides={"clock": "simple_delay"})
    tablet.open(house.link())
    tablet.sees("+", "#strip-bottom .time")
    house.act("clock", order="stop")
    tablet.sees("clock stopped", "#strip-bottom")
    house.act("clock", order="start")
    tablet.until(lambda: "stopped" not in tablet.text("#strip-bottom"), "the clock to run")
