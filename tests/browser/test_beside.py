"""What the program does beside the table, through its page: camera, records, score sheet, analysis, HTTPS."""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from companion.camera.exchange import OPENED
from web.pages import version

ROOT = Path(__file__).resolve().parents[2]
FRAMES = ROOT / "companion" / "camera" / "recorded_throws" / "03_south"
BOARD = FRAMES / "board.json"
SHOWN = "return document.querySelector('.calibration image').getAttribute('href')"
DRAWN = "return Number(document.querySelector('.calibration image')?.getAttribute('width') || 0)"
CORNER = "return document.querySelector('.corner[data-n=\"0\"]').getAttribute('cx')"
GET = """const done = arguments[arguments.length - 1];
fetch(arguments[0]).then(async (answer) => done([answer.status, await answer.text()]))"""


def companion(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command beside the running program."""
    return subprocess.run(
        [sys.executable, "-m", "companion", *words],
        cwd=ROOT,
        env={**os.environ, "XDG_STATE_HOME": str(folder / "state")},
        capture_output=True,
        text=True,
        check=False,
    )


def open_calibration(tablet) -> None:
    tablet.until(lambda: tablet.state()["camera"]["text"] != str(OPENED.text), "the camera's first picture")
    tablet.tap("#menu")
    tablet.tap("#menu-camera")
    tablet.until(lambda: tablet.script(DRAWN) > 0, "the camera's picture")


def test_board_is_found_moved_and_known_after_the_next_start(tablet, start, settings, tmp_path) -> None:
    config = settings(tmp_path, str(FRAMES))
    tablet.open(start("run", "--config", str(config)))
    tablet.until(
        lambda: tablet.state()["camera"]["state"] == "none", "the recording's end: its last picture stays"
    )
    open_calibration(tablet)
    tablet.tap("#find-board")
    tablet.sees("The corners of the board are set.", ".calibration")
    kept = tmp_path / "state" / "board-companion" / "board.json"
    found = json.loads(kept.read_text())["corners_px"]
    known = json.loads(BOARD.read_text())["corners_px"]
    assert [pytest.approx(corner, abs=20) for corner in known] == found
    corner = tablet.find(".corner[data-n='0']")
    ActionChains(tablet.driver).click_and_hold(corner).move_by_offset(6, 4).release().perform()
    tablet.tap("#use-corners")
    tablet.until(lambda: json.loads(kept.read_text())["corners_px"] != found, "the corner to be moved")
    moved = json.loads(kept.read_text())["corners_px"]
    assert tablet.complaints() == []
    other = tmp_path / "again.toml"
    other.write_text(config.read_text() + "[keep]\nfolder = " + json.dumps(str(tmp_path / "copy")) + "\n")
    (tmp_path / "copy").mkdir()
    shutil.copy(kept, tmp_path / "copy" / "board.json")
    tablet.open(start("run", "--config", str(other)))
    open_calibration(tablet)
    tablet.until(lambda: abs(float(tablet.script(CORNER)) - moved[0][0]) < 0.2, "the same corner again")


def test_board_is_placed_by_four_taps(tablet, start, settings, tmp_path) -> None:
    tablet.open(start("run", "--config", str(settings(tmp_path, str(FRAMES)))))
    open_calibration(tablet)
    wanted = [[x + 9, y + 7] for x, y in json.loads(BOARD.read_text())["corners_px"]]
    picture = tablet.find(".calibration svg")
    wide, high, scale = tablet.script(
        "const one = document.querySelector('.calibration svg'), box = one.getBoundingClientRect();"
        "return [one.viewBox.baseVal.width, one.viewBox.baseVal.height, box.width / one.viewBox.baseVal.width]"
    )
    for x, y in wanted:
        across, down = round((x - wide / 2) * scale), round((y - high / 2) * scale)
        ActionChains(tablet.driver).move_to_element_with_offset(picture, across, down).click().perform()
    tablet.tap("#use-corners")
    tablet.sees("The corners of the board are set.", ".calibration")
    kept = json.loads((tmp_path / "state" / "board-companion" / "board.json").read_text())
    assert kept["corners_px"] == [pytest.approx(corner, abs=1.5 / scale) for corner in wanted]
    tablet.script("document.querySelector('.calibration .corner').focus()")
    for _ in range(75):
        ActionChains(tablet.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(
            Keys.SHIFT
        ).perform()
    tablet.tap("#use-corners")
    refusal = tablet.until(lambda: tablet.text(".calibration .error"), "the refusal")
    assert "where the marks are" not in tablet.text(".calibration")
    tablet.script("document.querySelector('.calibration image').setAttribute('href', '')")
    tablet.until(lambda: tablet.script(SHOWN).startswith("data:"), "the next picture")
    tablet.script("return new Promise((done) => setTimeout(done))")  # until what it brings about is drawn
    assert tablet.text(".calibration .error") == refusal


def test_without_a_picture_there_is_nothing_to_place(tablet, start, settings, tmp_path) -> None:
    tablet.open(start("run", "--config", str(settings(tmp_path, "plugged"))))
    tablet.tap("#menu")
    tablet.tap("#menu-camera")
    tablet.sees("The camera shows no picture now.", ".calibration .error")
    assert not any(one.is_displayed() for one in tablet.all(".calibration svg, .calibration button"))


def test_recorded_throws_keep_their_board(tablet, start) -> None:
    tablet.open(start("demo", "--throws", "--port", "0", "--speed", "3"))
    open_calibration(tablet)
    tablet.sees("Recorded throws come with a board of their own.", ".calibration .hint")
    assert not tablet.all(".calibration button, .calibration .corner")


def play_a_game(tablet, length: int = 1) -> None:
    """A match in which north resigns after one play of each."""
    tablet.act("new_match", length=length, players={"south": "Anna", "north": "Mehmet"})
    tablet.act("opening", south=3, north=1)
    tablet.act("play", text="8/5 6/5")
    tablet.act("done")
    tablet.act("roll", dice=[6, 2])
    tablet.act("play", text="24/18 13/11")
    tablet.act("done")
    tablet.act("resign", side="north", worth=1)
    tablet.act("accept")
    tablet.sees("Anna wins the match" if length == 1 else "Anna wins", "#verdict h2")


def test_records_and_score_sheet_are_what_the_commands_give(tablet, by_hand, tmp_path) -> None:
    tablet.open(by_hand)
    play_a_game(tablet)
    tablet.tap("#menu")
    tablet.tap("#menu-export")
    tablet.find("dialog .menu a[href^='/export/']")
    links = [one.get_attribute("href") for one in tablet.all("dialog .menu a")]
    assert [link.rsplit("/", 1)[1] for link in links] == ["mat", "sgf", "ogxm", "json", "zip"]
    for kind in ("mat", "sgf", "json"):
        status, text = tablet.answer(GET, f"/export/{kind}")
        said = companion("export", "last", "--format", kind, folder=tmp_path)
        assert (status, text) == (200, said.stdout)
    assert tablet.answer(GET, "/export/zip")[0] == 200
    tablet.tap("dialog .close")
    tablet.tap("#menu")
    tablet.tap("#menu-sheet")
    tablet.sees("Anna", ".score")
    tablet.sees("resigned", ".games")
    head = tablet.find("#head").text
    match_id = json.loads(companion("export", "last", "--format", "json", folder=tmp_path).stdout)["match"]
    good = companion("verify", match_id, "--head", head, folder=tmp_path)
    assert good.returncode == 0, good.stderr
    assert companion("verify", match_id, "--head", "0" * 64, folder=tmp_path).returncode == 1
    assert tablet.complaints() == []


@pytest.mark.skipif(
    not shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin"), reason="gnubg is not installed"
)
def test_analysis_by_gnubg(tablet, by_hand) -> None:
    tablet.open(by_hand)
    tablet.act("new_match", length=1)
    tablet.tap("#menu")
    tablet.tap("#menu-analysis")
    tablet.sees("No game has been finished yet.", "#analysis")
    tablet.tap("dialog .close")
    play_a_game(tablet)
    tablet.tap("#menu")
    tablet.tap("#menu-analysis")
    tablet.tap("#analyse")
    tablet.sees("Error rate", "#analysis")
    rows = [one.text for one in tablet.all("#analysis tbody tr")]
    assert [row.split()[0] for row in rows] == ["Anna", "Mehmet"]
    assert len(tablet.all("#analysis .worst li")) == len(tablet.all("#analysis .worst .mini"))


READY = "navigator.serviceWorker.ready.then((it) => arguments[0](Boolean(it.active)))"
SHELVED = "caches.match(arguments[0]).then((it) => arguments[1](Boolean(it)))"


def fingerprint(page: Path) -> str:
    """What Chromium asks for to trust a certificate: the SHA-256 of its public key, in base64."""
    public = subprocess.run(
        ["openssl", "x509", "-in", str(page), "-pubkey", "-noout"], capture_output=True, check=True
    ).stdout.decode()
    der = base64.b64decode("".join(public.splitlines()[1:-1]))
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
def test_page_over_https_is_kept_awake_installed_and_opens_without_the_network(
    another, start, settings, tmp_path
) -> None:
    config = settings(tmp_path, page=f"https_port = {free_port()}")
    link = start("run", "--config", str(config))
    page = tmp_path / "state" / "board-companion" / "https" / "page.pem"
    device = another(f"--ignore-certificate-errors-spki-list={fingerprint(page)}", whole=True)
    device.open(link)
    device.sees("No match yet", "#verdict")
    device.open(f"{link.split('/join')[0]}/safe")
    device.sees("No match yet", "#verdict")
    assert device.driver.current_url.startswith("https://127.0.0.1:")
    assert device.script("return [isSecureContext, document.body.dataset.https]") == [True, "here"]
    assert device.answer(READY)
    device.until(lambda: device.answer(SHELVED, "/"), "the page on the shelf")
    manifest = device.driver.execute_cdp_cmd("Page.getAppManifest", {})
    assert manifest["errors"] == []
    assert device.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"] == []
    awake = "navigator.wakeLock.request('screen').then((it) => arguments[0](!it.released))"
    assert device.answer(awake)
    device.tap("#menu")
    device.find("dialog .menu")
    assert device.all("#comforts") == []


def free_port() -> int:
    """A port that nobody listens on just now."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def test_page_opens_while_the_machine_is_away(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    assert tablet.answer(READY)
    tablet.until(lambda: tablet.answer(SHELVED, f"/static/v-{version()}/js/board/board.js"), "the files")
    house.running.close()
    tablet.open(house.address)
    tablet.sees("No connection", "#line-text")
    assert len(tablet.all("#menu")) == 1


def test_over_plain_http_the_page_says_what_is_missing(another, house) -> None:
    from web.app import WebSettings, create_app
    from web.server.serve import serve

    running = serve(create_app(house.table.page, house.roles, WebSettings()), "0.0.0.0", 0)
    # a name that is not this very machine's, as a tablet calls it
    guest = another("--host-resolver-rules=MAP board.test 127.0.0.1")
    try:
        guest.open(f"http://board.test:{running.port}/join/{house.link().rsplit('/', 1)[1]}")
        guest.tap("#menu")
        guest.sees("does not keep the screen awake", "#comforts")
        assert guest.all("#comforts a") == []
        guest.tap("dialog .close")
        house.act("new_match")
        guest.sees("Opening roll", "#verdict h2")
    finally:
        guest.open("about:blank")
        running.close()
