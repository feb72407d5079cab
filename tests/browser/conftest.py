"""A real Chromium in front of a table; without one the tests are skipped, except where CI is set."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.support.real_page import RealTable
from tests.support.records.analysis import path_with_gnubg
from web.app import WebSettings, create_app
from web.errors import WebError
from web.roles import Role, Roles, Seat
from web.server.serve import Running, serve

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
"""The first that is there: the shell is the same engine without windows, at a fifth of the processor time."""

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
)
ROOT = Path(__file__).resolve().parents[2]
IN_VAIN = "waited in vain"
UNCONNECTED_S = 4.0
"""A page that has lost its connection, perhaps as the machine is slow, is tapped only after this long, to see what it
says."""
PATIENCE_S = 60.0  # a slow machine is allowed to be slow; a test that passes never waits so long
SIZES = {"phone": (390, 844), "tablet": (1180, 820), "desktop": (1920, 1080)}

SHOWN = """
    const shown = (selector) => [...document.querySelectorAll(selector)].find((one) =>
        one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        && [...one.getClientRects()].some((box) => box.width > 0 && box.height > 0));
"""
"""Finds the first element that is shown, in one call: the driver's own question sends a long script for each."""

TARGET = (
    SHOWN
    + """
    const [selector, atOnce, isPatient, done] = arguments, page = document.body, target = shown(selector);
    const inReach = (block) => {
        target.scrollIntoView({ block, inline: 'nearest' });
        const box = target.getClientRects()[0];
        if (!box) return null;
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        if (!target.contains(document.elementFromPoint(x, y))) return null;
        const heard = target.closest('#board') ? 'pointerdown' : 'click';
        const hit = (event) => { window.missed = !target.contains(event.target); };
        window.missed = true;
        document.addEventListener(heard, hit, { capture: true, once: true });
        return [Math.floor(x), Math.floor(y)];
    };
    const place = () => inReach('nearest') ?? inReach('center');
    const waits = page.classList.contains('busy') || (isPatient && (page.dataset.line ?? 'open') !== 'open');
    if (!target || target.disabled || (!atOnce && waits)) done(null);
    else if (atOnce || page.dataset.line !== 'open' || !('seq' in page.dataset)) done(place());
    else fetch('/api/state').then((answer) => answer.json())
      .then((now) => done(now.seq > Number(page.dataset.seq) ? null : place()), () => done(place()));
"""
)
"""Scrolls to the first element that is shown and gives its middle, if it can be pressed there, nothing lies over it,
the page waits for no answer and is connected (or need not), and a connected table shows its newest state."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Try a browser's test that waited in vain once more; the run's summary counts it as a rerun."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=[IN_VAIN]))


class Tablet:
    """A browser as a person uses it."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver
        self._touch: bool | None = None
        self._mouse = PointerInput("mouse", "mouse")  # type: ignore[no-untyped-call]

    def resize(self, width: int, height: int, touch: bool = False) -> None:
        """The screen's size in CSS pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        if touch is not self._touch:
            self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})
            self._touch = touch

    def media(self, **features: str) -> None:
        """Preferences of the device, such as prefers_color_scheme="dark"."""
        told = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": told})

    def open(self, address: str, language: str = "") -> None:
        """Go there, where a language was chosen before."""
        if language:
            chosen = {"name": "lang", "value": language, "url": address.partition("/join/")[0]}
            self.driver.execute_cdp_cmd("Network.setCookie", chosen)
        self.driver.get(address)
        if language:
            assert self.script("return document.documentElement.lang") == language

    def find(self, selector: str) -> WebElement:
        """The first element that is shown, waited for."""
        code = SHOWN + "return shown(arguments[0])"
        found: WebElement = self.until(lambda: self.script(code, selector), selector)
        return found

    def all(self, selector: str) -> list[WebElement]:
        """Every such element there is now."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """What stands in the element, as written."""
        return str(self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector))

    def script(self, code: str, *values: Any) -> Any:
        """Run a script in the page."""
        return self.driver.execute_script(code, *values)

    def answer(self, code: str, *values: Any) -> Any:
        """Run a script that gives its answer to a function, its last argument."""
        return self.driver.execute_async_script(code, *values)

    def until(self, check: Callable[[], Any], what: str = "") -> Any:
        """Wait until the check gives something true, and give that."""
        end = time.monotonic() + PATIENCE_S
        for pause_s in pauses_s():
            try:
                found = check()
            except StaleElementReferenceException:
                found = None  # drawn anew at just that moment
            if found:
                return found
            if time.monotonic() > end:
                break
            time.sleep(pause_s)
        raise AssertionError(f"{IN_VAIN} for {what or check}; the page says: {self.text('body')[:600]}")

    def sees(self, text: str, selector: str = "body") -> None:
        """Wait until the text stands there."""
        self.until(lambda: text in self.text(selector), repr(text))

    def gives(self, expected: Any, code: str, *values: Any) -> None:
        """Wait until a script in the page returns just this."""
        end = time.monotonic() + PATIENCE_S
        for pause_s in pauses_s():
            if (given := self.script(code, *values)) == expected:
                return
            if time.monotonic() > end:
                break
            time.sleep(pause_s)
        raise AssertionError(f"{IN_VAIN} for {expected}; the page gives {given}")

    def tap(self, selector: str, *, at_once: bool = False) -> None:
        """Scroll there and tap as a finger does: in the middle of what is shown, whatever lies on top.

        A button that cannot be pressed yet is waited for, and so are the connection, the answer to the tap before and
        the table's newest state on the page, unless `at_once` (the page drops a second tap on the same state). The
        menu's button is tapped again, as a person would, if the page's first drawing moved it under the finger.
        """
        patient = time.monotonic() + UNCONNECTED_S

        def tapped() -> bool:
            place = self.answer(TARGET, selector, at_once, time.monotonic() < patient)
            if place is None:
                return False
            press = ActionBuilder(self.driver, mouse=self._mouse, duration=0)
            press.pointer_action.move_to_location(*place)  # type: ignore[no-untyped-call]
            press.pointer_action.pointer_down().pointer_up()  # type: ignore[no-untyped-call]
            press.perform()
            if self.script("return window.missed === true"):
                return False  # it moved from under the finger, or was drawn anew before the release
            return selector != "#menu" or bool(self.all("dialog[open]"))

        self.until(tapped, selector)

    def choose(self, options: str, value: str) -> None:
        """Choose an option of a list, whose menu is the browser's own and no part of the page."""
        self.find(options).find_element(By.CSS_SELECTOR, f"option[value='{value}']").click()

    def choose_language(self, language: str) -> None:
        """Choose it in the menu, and wait for the page in it."""
        if not self.all("dialog[open]"):
            self.tap("#menu")
        self.tap(f"button[lang={language}]")
        self.gives(language, "return document.documentElement.lang")

    def move(self, side: str, source: int, target: int, *, running: bool = False) -> None:
        """Tap a checker and then where it goes, in the mover's numbering (25 bar, 0 off).

        The checker is tapped again, as a person would, if a new state of the table let go of it meanwhile.
        """

        def chosen() -> bool:
            self.tap(spot(side, source, running=running))
            end = time.monotonic() + 3
            while not (selected := self.all("#board .hints .selected")) and time.monotonic() < end:
                time.sleep(0.06)
            return bool(selected)

        self.until(chosen, f"{source} chosen")
        self.tap(spot(side, target, running=running))

    def state(self) -> dict[str, Any]:
        """What the page's server says now."""
        asked = "fetch('/api/state').then((answer) => answer.json()).then(arguments[0])"
        return dict(self.answer(asked))

    def act(self, kind: str, **body: Any) -> None:
        """Do something at the table in this visitor's role, past the page."""
        sent = {"type": kind, "seq": self.state()["seq"], **body}
        code = """fetch('/api/act', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: arguments[0]})
            .then((answer) => answer.json()).then(arguments[1])"""
        said = self.answer(code, json.dumps(sent))
        assert "phase" in said, said

    def complaints(self) -> list[str]:
        """What the browser's console holds against the page."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]


def pauses_s() -> Iterator[float]:
    """Pauses between questions to the page, longer and longer: each question takes time from what is waited for."""
    pause_s = 0.03
    while True:
        yield pause_s
        pause_s = min(0.15, 1.4 * pause_s)


def spot(side: str, point: int, *, running: bool = False) -> str:
    """The selector of a point in this side's numbering; `running`: both sides travel the same way round."""
    if point in (0, 25):
        return f"#spot-{'off' if point == 0 else 'bar'}-{side}"
    theirs = (point + 11) % 24 + 1 if running else 25 - point
    return f"#spot-p{point if side == 'south' else theirs}"


def _start(*flags: str, browsers: Sequence[str] = BROWSERS) -> webdriver.Chrome:
    options = Options()
    options.binary_location = next(filter(None, map(shutil.which, browsers)), "")
    for flag in (*FLAGS, *flags, "--window-size=1180,820"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = shutil.which("chromedriver")
    if not options.binary_location or not driver:
        if os.environ.get("CI"):
            pytest.fail("CI needs chromium and chromedriver")
        pytest.skip("chromium and chromedriver are not installed")
    return webdriver.Chrome(options=options, service=Service(driver, popen_kw={"start_new_session": True}))


def _end(driver: webdriver.Chrome) -> None:
    """End a browser with all its processes: Debian's headless shell outlives its driver, behind a script."""
    process = driver.service.process
    driver.quit()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def chromium() -> Iterator[webdriver.Chrome]:
    """One browser for all tests."""
    driver = _start()
    yield driver
    _end(driver)


def _fresh(driver: webdriver.Chrome) -> Tablet:
    tablet = Tablet(driver)
    if driver.current_url.startswith("http"):
        tablet.script("localStorage.clear(); sessionStorage.clear()")
    driver.get("about:blank")
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "local_storage"})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    driver.get_log("browser")  # type: ignore[no-untyped-call]
    tablet.resize(*SIZES["tablet"])
    return tablet


@pytest.fixture
def tablet(chromium: webdriver.Chrome) -> Tablet:
    """The browser as new: no cookie, nothing remembered, a tablet's size."""
    return _fresh(chromium)


@pytest.fixture
def another() -> Iterator[Callable[..., Tablet]]:
    """Further browsers, each as new: another(*flags); `whole`: one that installs pages and keeps a screen awake."""
    drivers: list[webdriver.Chrome] = []

    def begin(*flags: str, whole: bool = False) -> Tablet:
        drivers.append(_start(*flags, browsers=BROWSERS[1:] if whole else BROWSERS))
        return _fresh(drivers[-1])

    yield begin
    for driver in drivers:
        _end(driver)


@pytest.fixture
def second(another: Callable[..., Tablet]) -> Tablet:
    """Another browser at the same table."""
    return another()


PORTS = range(21000, 22000)
"""Not among those that the system gives away."""


def _served(app: Flask) -> Running:
    """The page at one of PORTS, the same in each test of a process: the browser keeps the page's files."""
    at = os.getpid() % len(PORTS)
    for port in (*PORTS[at:], *PORTS[:at]):
        with suppress(WebError):
            return serve(app, "127.0.0.1", port)
    raise AssertionError("no port is free")


class House:
    """A table, its page, and the links to it."""

    def __init__(self, folder: Path) -> None:
        self.table = RealTable(folder / "table")
        self.roles = Roles(folder / "roles.json")
        self.app = create_app(self.table.page, self.roles, WebSettings(beat_s=0.5))
        self.running = _served(self.app)
        self.address = f"http://127.0.0.1:{self.running.port}"

    def link(self, role: Role = Role.SCOREKEEPER, seat: Seat | None = None) -> str:
        """The join link of this role."""
        return f"{self.address}/join/{self.roles.standing(role, seat).code}"

    def act(self, kind: str, **body: Any) -> None:
        """Do something at the table from elsewhere."""
        self.table.do(kind, **body)

    def begin(self, south: int = 6, north: int = 4, **match: Any) -> None:
        """A match with its opening thrown."""
        self.table.begin(south, north, **match)

    def to_roll(self, **match: Any) -> None:
        """Mehmet on roll after Anna's first play."""
        self.begin(**match)
        self.act("play", moves=[[24, 18], [13, 9]])
        self.act("done")

    def illegal_play(self) -> None:
        """The checkers stand as no play of a 6-4 from the starting position leaves them."""
        self.act("play", moves=[[24, 18], [13, 5]], made=True)

    def game_over(self, **match: Any) -> None:
        """Mehmet resigns a single game instead of his first roll."""
        self.to_roll(**match)
        self.act("resign", side="north", worth=1)
        self.act("accept")

    def close(self) -> None:
        """Stop the page."""
        self.running.close()
        self.table.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house of one table."""
    one = House(tmp_path)
    yield one
    one.close()


@pytest.fixture
def gnubg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An analysis can be begun, whether GNU Backgammon is installed or not."""
    monkeypatch.setenv("PATH", path_with_gnubg(tmp_path))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Start `companion` and give the link it prints; it is stopped in the end."""
    started: list[subprocess.Popen[str]] = []
    log = (tmp_path / "log").open("w")

    def begin(*words: str) -> str:
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            cwd=ROOT,
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        started.append(process)
        assert process.stdout
        link = next((line.strip() for line in process.stdout if "/join/" in line), "")
        assert link, (tmp_path / "log").read_text()
        port = link.split(":")[2].split("/")[0]
        return f"http://127.0.0.1:{port}/join/{link.rsplit('/', 1)[1]}"

    yield begin
    for process in started:
        process.terminate()
        process.wait(20)
        if process.stdout:
            process.stdout.close()
    log.close()


@pytest.fixture
def by_hand(start: Callable[..., str], tmp_path: Path) -> str:
    """The link to a table without a camera."""
    return start("run", "--config", str(settings_file(tmp_path)))


def settings_file(folder: Path, source: str = "none", page: str = "") -> Path:
    """A settings file for a program that looks there; `page` are more lines of its section."""
    config = folder / "settings.toml"
    config.write_text(
        f'[camera]\nsource = "{source}"\n[page]\nport = 0\nhost = "127.0.0.1"\n{page}\n[lamps]\npins = "mock"\n'
    )
    return config


@pytest.fixture
def settings() -> Callable[..., Path]:
    """Writes a settings file: settings(folder, source, page)."""
    return settings_file
