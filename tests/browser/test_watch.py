"""What spectators see, and how they come in."""

import pytest

from web.languages import LANGUAGES
from web.roles import MOST_CODES, Role


def test_spectators_see_each_change_and_can_press_nothing(tablet, house) -> None:
    house.begin()
    tablet.open(house.link(Role.VIEWER))
    tablet.sees("6-4", "#verdict h2")
    assert tablet.all("#asks, #done, .spot") == []
    house.act("play", moves=[[24, 18], [13, 9]])
    tablet.sees("24/18 13/9", "#verdict .made")
    house.act("done")
    house.table.thrown(6, 3, why="on_checker")
    tablet.sees("Cocked – roll again", "#verdict h2")
    lines = [
        "24/18 13/9",
        "cocked: a die is on a checker",
        "opening: Anna 6, Mehmet 4",
        "Anna against Mehmet",
    ]
    tablet.until(lambda: len(tablet.all("#history button")) == len(lines), "the history")
    shown = [one.text for one in tablet.all("#history button")]
    assert all(line in text for line, text in zip(lines, shown, strict=True)), shown
    assert tablet.complaints() == []


def test_the_signed_code_is_whole_on_a_screen_that_nobody_can_scroll(tablet, house) -> None:
    house.game_over(length=1)
    tablet.resize(1920, 1080)
    tablet.open(house.link(Role.VIEWER) + "?to=/watch")
    code = """const img = document.querySelector('.signed img'); if (!img?.naturalWidth) return false;
      const [box, room] = [img.getBoundingClientRect(), img.closest('.list').getBoundingClientRect()];
      return box.width > 150 && box.top >= room.top && box.bottom <= Math.min(room.bottom, innerHeight)"""
    picture = "/signed/" + str(tablet.state()["match"]["signed"]["number"]) + ".svg"
    tablet.script(
        "document.querySelector('.tv').append(Object.assign(new Image(1280, 960), {src: arguments[0]}))",
        picture,
    )
    tablet.until(lambda: tablet.script(code), "the whole code")


@pytest.mark.parametrize("words", ["", "top", "right", "top.right.board", "small", "large.board"])
def test_overlay_goes_where_and_as_large_as_its_address_says(tablet, house, words: str) -> None:
    house.begin()
    tablet.resize(1920, 1080)
    tablet.open(house.link(Role.VIEWER) + (f"?to=/overlay?{words}" if words else "?to=/overlay"))
    tablet.sees("Anna", "#scores")
    boxes = """const main = document.querySelector('main').getBoundingClientRect();
        return ['#scores', '#event', '#board'].map((name) => {
            const box = document.querySelector(name).getBoundingClientRect();
            return [box.left / main.width, box.top / main.height, box.right / main.width, box.bottom / main.height];
        })"""
    scores, event, board = tablet.script(boxes)
    given = words.split(".")
    assert (scores[2] > 0.9) == (scores[0] > 0.1) == ("right" in given)
    assert (event[0] < 0.1) == (event[2] < 0.9) == ("right" in given)
    assert (scores[1] < 0.1) == ("top" in given)
    assert all(-0.001 <= edge <= 1.001 for box in (scores, event) for edge in box)
    if "board" in given:
        assert (board[3] > 0.9) == (board[1] > 0.1) == ("top" in given)
        assert (board[0] < 0.1) == (board[2] < 0.9) == ("right" in given)
        assert all(-0.001 <= edge <= 1.001 for edge in board)
    size = tablet.script(
        "return parseFloat(getComputedStyle(document.documentElement).fontSize) / innerWidth * 100"
    )
    assert size == pytest.approx(0.8 if "small" in given else 1.4 if "large" in given else 1.05, abs=0.02)


WHOLE = ("Maximiliane von Hohenstein-Wittelsbach", "Bartholomäus Oberndorfer-Schwarzenegger")
CUT = """return [...document.querySelectorAll('.name')].filter((one) => one.scrollWidth > one.clientWidth + 1 ||
    one.scrollHeight > one.clientHeight + 2).map((one) => one.textContent)"""


@pytest.mark.parametrize("words", ["", "board", "large.board", "top.right.large.board", "small.light.board"])
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)], ids=["full", "half"])
def test_overlay_cuts_no_name_and_lets_nothing_overlap(
    tablet, house, words: str, size: tuple[int, int]
) -> None:
    clock = {"overrides": {"clock": "simple_delay"}}
    house.to_roll(players=dict(zip(("south", "north"), WHOLE, strict=True)), **clock)
    house.table.thrown(6, 3, why="on_checker")
    tablet.resize(*size)
    tablet.open(house.link(Role.VIEWER) + (f"?to=/overlay?{words}" if words else "?to=/overlay"))
    tablet.sees(WHOLE[0], "#scores")
    tablet.sees("Cocked", "#event")
    assert tablet.script(CUT) == []
    overlaps = """const boxes = ['#scores', '#event', '#board'].map((name) => document.querySelector(name))
        .filter((one) => !one.hasAttribute('hidden')).map((one) => one.getBoundingClientRect());
        return boxes.flatMap((a, n) => boxes.slice(n + 1).filter((b) =>
            a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length"""
    assert tablet.script(overlaps) == 0


def test_overlay_says_that_its_code_was_revoked(tablet, house) -> None:
    house.begin()
    code = house.roles.issue(Role.VIEWER).code
    tablet.open(f"{house.address}/join/{code}?to=/overlay")
    tablet.sees("Anna", "#scores")
    house.roles.revoke(code)
    tablet.sees("no longer valid", "#line-text")
    tablet.until(lambda: tablet.find("#line-text").size["width"] > 100, "the sentence in sight")
    frame = "return getComputedStyle(document.querySelector('#scores')).outlineStyle"
    assert tablet.script(frame) == "dashed"


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1180, 820), (820, 1180), (390, 844)])
def test_spectators_read_whole_names(tablet, house, size: tuple[int, int]) -> None:
    clock = {"overrides": {"clock": "simple_delay"}}
    house.to_roll(players=dict(zip(("south", "north"), WHOLE, strict=True)), **clock)
    tablet.resize(*size)
    tablet.open(house.link(Role.VIEWER) + "?to=/watch")
    tablet.sees(WHOLE[0], "#strip-bottom")
    assert tablet.script(CUT) == []
    heights = "return [...document.querySelectorAll('.strip')].map((one) => one.offsetHeight)"
    assert len(set(tablet.script(heights))) == 1  # the task beside one of them moves nothing


@pytest.mark.parametrize("theme", ["light", "clear"])
def test_overlay_has_themes(tablet, house, theme: str) -> None:
    house.begin()
    tablet.open(house.link(Role.VIEWER) + f"?to=/overlay?{theme}")
    tablet.sees("Anna")
    painted = "return getComputedStyle(document.querySelector('#scores')).backgroundColor"
    tablet.until(
        lambda: tablet.script(painted).startswith(
            "rgba(255, 253, 249" if theme == "light" else "rgba(0, 0, 0, 0)"
        )
    )
    assert tablet.script("return getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"


def test_overlay_is_transparent_and_shows_score_and_roll(tablet, house) -> None:
    house.begin()
    tablet.resize(1920, 1080)
    tablet.open(house.link(Role.VIEWER) + "?to=/overlay")
    tablet.sees("Anna", "#scores")
    assert tablet.script("return getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert len(tablet.all("#event .die")) == 2
    house.act("play", moves=[[24, 18], [13, 9]])
    house.act("done")
    tablet.until(
        lambda: (
            tablet.script("return getComputedStyle(document.getElementById('event')).visibility") == "hidden"
        )
    )
    house.act("double")
    tablet.sees("Anna: take or pass?", "#event")
    assert tablet.complaints() == []


def test_a_spectator_joins_by_the_code_on_the_tablet(tablet, second, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-joins")
    tablet.tap("#issue-viewer")
    image = tablet.find(".joins img")
    tablet.until(lambda: tablet.script("return arguments[0].naturalWidth > 0", image), "the QR code")
    second.open(tablet.find(".joins code").text)
    second.sees("6-4", "#verdict h2")
    assert second.driver.current_url == f"{house.address}/watch"
    tablet.tap(".joins .revoke")
    tablet.tap(".joins .ask-yes")
    second.sees("no longer valid", "#line-text")


def test_a_new_code_comes_into_view(tablet, house) -> None:
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#menu")
    tablet.tap("#menu-joins")
    tablet.tap("#issue-viewer")
    tablet.until(lambda: len(tablet.all(".joins li")) > 1, "the spectator's code")
    for number in range(2, 6):
        tablet.tap("#issue-director")
        tablet.sees(f"Director ({number})", ".joins")
    card = tablet.all(".joins li")[-1]
    seen = (
        "const {top, bottom} = arguments[0].getBoundingClientRect(); return top >= 0 && bottom <= innerHeight"
    )
    tablet.until(lambda: tablet.script(seen, card), "the new code with its buttons")
    assert tablet.script("return arguments[0].contains(document.activeElement)", card)


def test_a_code_that_is_refused_says_why(tablet, house) -> None:
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#menu")
    tablet.tap("#menu-joins")
    while len(house.roles.all()) < MOST_CODES:
        house.roles.issue(Role.VIEWER)
    tablet.tap("#issue-viewer")
    tablet.sees("There are as many join codes as the page keeps; revoke some first.", "dialog .error")


@pytest.mark.parametrize(("role", "leads"), [(Role.SCOREKEEPER, True), (Role.VIEWER, False)])
def test_who_acts_finds_back_to_the_table(tablet, house, role: Role, leads: bool) -> None:
    house.begin()
    tablet.open(f"{house.link(role)}?to=/watch")
    tablet.find("#verdict h2")
    assert bool(tablet.all("#back")) is leads
    if leads:
        tablet.tap("#back")
        tablet.find("#done")


def test_points_to_win_are_right_after_a_loss_on_time(tablet, house) -> None:
    """Also on a screen that stays open into the next match."""
    house.begin(length=3, overrides={"clock": "simple_delay", "clock_delay_s": 0})
    tablet.open(f"{house.link(Role.VIEWER)}?to=/watch")
    tablet.sees("3 away", "#strip-top .away")
    house.act("clock", order="set", south_ms=0)
    house.table.keeper.tick()
    tablet.sees("won", "#strip-top .away")
    tablet.until(lambda: tablet.text("#strip-bottom .away") == "", "nothing is away")
    house.act("new_match", players={"south": "Anna", "north": "Mehmet"}, length=3)
    tablet.sees("3 away", "#strip-bottom .away")
    tablet.sees("3 away", "#strip-top .away")


def test_strangers_read_a_sentence(tablet, house) -> None:
    tablet.open(house.address)
    tablet.sees("Please join first", "h1")


ACROSS = {"half": (1280, 720), "full": (1920, 1080), "4k": (3840, 2160)}
LONG = ("Maximilian von Hohenzollern-Si", "Wolfgang Amadeus Theophil Moza")
WIDE = ("\u68ee" * 30, "\u6797" * 30)
MEASURED = """
    const texts = '.strip .name, .strip .doing, .strip .pips, .strip .away, .strip .time, .strip .score,' +
        '.strip .owned, #verdict h2, #verdict .why, #verdict .made, #verdict .face, .big-cube, #tv .last, #match-line';
    const blocks = '#board, #verdict, #tv .last, #tv img, .more, .strip, .top';
    const shown = (one) => one.getClientRects().length && getComputedStyle(one).visibility !== 'hidden';
    const nameOf = (one) => `${one.tagName} ${one.className.baseVal ?? one.className} ${one.id}`;
    const boxOf = (one) => one.getBoundingClientRect();
    const inside = (a, b) => a.left >= b.left - 1 && a.top >= b.top - 1 &&
        a.right <= b.right + 1 && a.bottom <= b.bottom + 1;
    const isCut = (one) => one.clientWidth && !one.matches('svg, .more, img') && (
        one.scrollWidth > one.clientWidth + 1 ||
        (getComputedStyle(one).overflowY !== 'visible' && one.scrollHeight > one.clientHeight + 4));
    const common = (low, high) => Math.min(...high) - Math.max(...low) > 1;
    const overlap = (a, b) =>
        common([a.left, b.left], [a.right, b.right]) && common([a.top, b.top], [a.bottom, b.bottom]);
    const screen = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
    const faults = [];
    for (const selector of [texts, blocks]) {
        const found = [...document.querySelectorAll(selector)].filter(shown);
        for (const one of found) {
            const holder = one.closest('.strip, .verdict');
            if (!inside(boxOf(one), screen)) faults.push(nameOf(one) + ' leaves the screen');
            if (holder && !inside(boxOf(one), boxOf(holder))) faults.push(nameOf(one) + ' leaves its card');
            if (isCut(one)) faults.push(nameOf(one) + ' is cut');
        }
        for (const [n, one] of found.entries()) for (const other of found.slice(n + 1)) {
            if (one.contains(other) || other.contains(one) || !overlap(boxOf(one), boxOf(other))) continue;
            faults.push(`${nameOf(one)} overlaps ${nameOf(other)}`);
        }
    }
    const sizeOf = (one) => parseFloat(getComputedStyle(one).fontSize);
    const size = (selector) => Math.min(...[...document.querySelectorAll(selector)].map(sizeOf));
    const picture = document.querySelector('#tv img');
    const ratio = picture?.naturalWidth ? picture.naturalWidth / picture.naturalHeight : 0;
    return {
        faults,
        roll: size('#verdict.valid h2'),
        score: size('.strip .score'),
        clock: size('.strip .time'),
        last: size('#tv .last'),
        picture: ratio ? Math.min(picture.clientWidth, picture.clientHeight * ratio) : 0,
        page: document.documentElement.scrollHeight,
    };"""


@pytest.mark.parametrize("kind", ["match", "money", "chouette", "wide"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_screen_across_the_room_is_read_from_there(tablet, house, kind: str, language: str) -> None:
    """Roll, score and clock of a ninth of the screen's height, 120 px at 1080p, and nothing cut or overlapping."""
    clock = {"overrides": {"clock": "simple_delay"}}
    south, north = WIDE if kind == "wide" else LONG
    if kind == "chouette":
        house.act("new_match", chouette=[south, north, "Cem", "Dora"])
    else:
        match = {"length": 0} if kind == "money" else {"length": 21, **clock}
        house.act("new_match", players={"south": south, "north": north}, **match)
    house.act("opening", south=6, north=4)
    house.act("play", moves=[[24, 18], [13, 9]])
    house.act("done")
    if kind in ("match", "wide"):
        house.act("clock", order="set", south_ms=402_000, north_ms=3_748_000)
    tablet.open(f"{house.link(Role.VIEWER)}?to=/watch", language)
    house.table.thrown(6, 4)
    tablet.sees("6-4", "#verdict h2")
    tablet.until(
        lambda: tablet.script("return document.querySelector('#tv img')?.naturalWidth"), "the picture"
    )
    seen = {}
    for name, (width, height) in ACROSS.items():
        tablet.resize(width, height)
        tablet.until(lambda width=width: tablet.script("return innerWidth") == width, name)
        seen[name] = tablet.script(MEASURED)
        for large in ("roll", "score", "clock"):
            if large != "clock" or kind in ("match", "wide"):
                assert seen[name][large] >= height / 9, (name, large)
        assert seen[name]["last"] >= height / 24, name
        assert seen[name]["picture"] >= width * 0.27, name
        assert seen[name]["page"] <= height, name
    assert {name: one["faults"] for name, one in seen.items()} == {name: [] for name in ACROSS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("moment", ["played", "cocked", "unread", "double", "illegal", "over"])
def test_whatever_happens_fits_a_screen_across_the_room(tablet, house, moment: str, language: str) -> None:
    players = dict(zip(("south", "north"), LONG, strict=True))
    house.to_roll(players=players, overrides={"clock": "simple_delay"})
    if moment in ("cocked", "unread"):
        house.table.thrown(
            6, None if moment == "unread" else 4, **({"why": "on_checker"} if moment == "cocked" else {})
        )
    elif moment == "double":
        house.act("double")
    elif moment == "over":
        house.act("resign", side="north", worth=1)
        house.act("accept")
    else:
        house.table.thrown(6, 4)
        if moment == "played":
            house.act("play", moves=[[24, 18], [13, 9]])
        else:
            house.illegal_play()
    tablet.open(f"{house.link(Role.VIEWER)}?to=/watch", language)
    tablet.find("#verdict h2")
    for name, (width, height) in ACROSS.items():
        tablet.resize(width, height)
        tablet.until(lambda width=width: tablet.script("return innerWidth") == width, name)
        assert tablet.script(MEASURED)["faults"] == [], name


def test_screen_across_the_room_shows_the_roll_large(tablet, house) -> None:
    house.to_roll()
    house.table.thrown(6, 4)
    tablet.open(house.link(Role.VIEWER))
    tablet.resize(1920, 1080)
    tablet.sees("6-4", "#verdict h2")
    size = "return parseFloat(getComputedStyle(document.querySelector('#verdict h2')).fontSize)"
    tablet.until(lambda: tablet.script(size) >= 120)
    dice = "return [...document.querySelectorAll('#verdict .die')].map((die) => die.getBoundingClientRect().height)"
    assert [height >= 120 for height in tablet.script(dice)] == [True, True]
    tablet.sees("Anna played 6-4: 24/18 13/9", "#tv .last")
    picture = tablet.until(
        lambda: tablet.script(
            "const i = document.querySelector('#tv img'); return i?.naturalWidth && i.offsetWidth"
        )
    )
    assert picture >= 600
    assert tablet.script("return document.documentElement.scrollHeight <= innerHeight")
    tablet.resize(1180, 820)
    tablet.until(lambda: not tablet.all("#tv .last")[0].is_displayed(), "the last play to go")


def test_no_word_and_no_roll_is_broken_on_a_screen_across_the_room(tablet, house) -> None:
    """Of the history's narrow columns and of the card."""
    house.to_roll()
    house.table.thrown(6, 3, why="leaning")
    house.act("rule", dice=[6, 4])
    house.illegal_play()
    tablet.open(house.link(Role.VIEWER) + "?to=/watch")
    tablet.sees("cocked against something", "#history")
    broken = """return [...document.querySelectorAll('#history .what, #verdict .why')].flatMap((line) => {
        const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), found = [];
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            for (const word of text.data.matchAll(/[^ ]+/g)) {
                const range = new Range();
                range.setStart(text, word.index);
                range.setEnd(text, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
                if (lines.size > 1) found.push(word[0]);
            }
        }
        return found;
    })"""
    for size in [(1280, 720), (1920, 1080)]:
        tablet.resize(*size)
        assert tablet.script(broken) == [], size
