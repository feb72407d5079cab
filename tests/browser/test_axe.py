"""Nothing serious for axe-core, which is fetched with npm where that works and not kept in the project."""

import shutil
import subprocess
import tarfile

import pytest

from web.roles import Role

VERSION = "4.14.1"
CHECK = """const done = arguments[arguments.length - 1];
axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})
    .then((found) => done(found.violations.map((one) =>
        [one.impact, one.id, one.nodes.map((node) => node.target.join(' ')).slice(0, 4)])));"""


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """axe-core's script; the tests are skipped where npm cannot bring it."""
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed, so axe-core cannot be fetched")
    got = subprocess.run(
        [npm, "pack", "--silent", f"axe-core@{VERSION}"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    packed = folder / f"axe-core-{VERSION}.tgz"
    if got.returncode or not packed.exists():
        pytest.skip(f"npm could not fetch axe-core: {got.stderr[-200:]}")
    with tarfile.open(packed) as bundle:
        script = bundle.extractfile("package/axe.min.js")
        assert script
        return script.read().decode()


def serious(tablet, axe: str) -> list[object]:
    """What axe finds that matters."""
    # the page's own policy forbids eval and foreign scripts; the debugging protocol may add one all the same
    tablet.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    found = tablet.answer(CHECK)
    return [one for one in found if one[0] in ("serious", "critical", "moderate")]


SCREENS = (
    "no match",
    "opening",
    "roll",
    "cocked",
    "play",
    "double",
    "over",
    "menu",
    "new match",
    "joins",
    "dispute",
    "position",
    "settings",
    "director",
    "analysis",
    "event",
)
OPENED = {
    "new match": "#menu-new",
    "joins": "#menu-joins",
    "position": "#menu-position",
    "settings": "#menu-settings",
    "director": "#menu-penalty",
    "analysis": "#menu-analysis",
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_scorekeepers_page(tablet, house, gnubg, axe: str, screen: str, theme: str) -> None:
    tablet.media(prefers_color_scheme=theme, prefers_reduced_motion="reduce")
    if screen == "analysis":
        house.game_over()
    elif screen not in ("no match", "opening"):
        house.begin()
    if screen == "opening":
        house.act("new_match")
    if screen in ("roll", "cocked", "double", "over"):
        house.act("play", moves=[[24, 18], [13, 9]])
        house.act("done")
    if screen == "cocked":
        house.table.thrown(6, 3, why="on_checker")
    if screen in ("double", "over"):
        house.act("double")
    if screen == "over":
        house.act("pass")
    if screen == "dispute":
        house.illegal_play()
    tablet.open(house.link(Role.DIRECTOR))
    tablet.find("#verdict h2")
    if screen == "analysis":
        house.table.analysed()
    if screen == "menu" or screen in OPENED:
        tablet.tap("#menu")
    if screen in OPENED:
        tablet.tap(OPENED[screen])
        tablet.until(lambda: tablet.text("#dialog-title") != "Menu", "the dialog")
    if screen == "new match":
        tablet.tap("#more-rules summary")
    if screen == "joins":
        tablet.find(".joins img")
    if screen == "event":
        tablet.tap("#tab-history")
        tablet.tap("#history button")
    assert serious(tablet, axe) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("to", ["/watch", "/overlay", "/overlay?top.right.light.board", "/clock", "/text"])
def test_other_pages(tablet, house, axe: str, to: str, theme: str) -> None:
    tablet.media(prefers_color_scheme=theme, prefers_reduced_motion="reduce")
    house.begin(overrides={"clock": "simple_delay"})
    tablet.open(f"{house.link(Role.VIEWER)}?to={to}")
    tablet.sees("Anna")
    assert serious(tablet, axe) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_clock_with_its_buttons_and_warnings(tablet, house, axe: str, theme: str) -> None:
    tablet.media(prefers_color_scheme=theme, prefers_reduced_motion="reduce")
    house.begin(overrides={"clock": "simple_delay"})
    house.act("clock", order="stop", south_ms=30_000, north_ms=0)
    tablet.open(f"{house.link()}?to=/clock")
    tablet.sees("under a minute", "#half-bottom")
    assert serious(tablet, axe) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_score_sheet(tablet, house, axe: str, theme: str) -> None:
    tablet.media(prefers_color_scheme=theme)
    house.begin()
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    tablet.open(f"{house.address}/sheet")
    tablet.sees("Anna")
    assert serious(tablet, axe) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_address_where_nothing_is(tablet, house, axe: str, theme: str) -> None:
    tablet.media(prefers_color_scheme=theme)
    tablet.open(house.link())
    tablet.open(f"{house.address}/nothing")
    tablet.sees("To the table")
    assert serious(tablet, axe) == []


def test_page_for_strangers(tablet, house, axe: str) -> None:
    tablet.open(house.address)
    tablet.find("h1")
    assert serious(tablet, axe) == []
