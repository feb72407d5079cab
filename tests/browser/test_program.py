"""The whole program behind the page: started as a user starts it, tapped through in a real Chromium."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


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
    config = tmp_path / "settings.toml"
    config.write_text(
        '[camera]\nsource = "none"\n[page]\nport = 0\nhost = "127.0.0.1"\n[lamps]\npins = "mock"\n'
    )
    return start("run", "--config", str(config))


def new_match(tablet, length: int = 5) -> None:
    """Begin a match by the form."""
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    for name, text in (("south", "Anna"), ("north", "Mehmet")):
        line = tablet.find(f"input[name={name}]")
        line.clear()
        line.send_keys(text)
    tablet.tap(f".choice:has(input[name=length][value='{length}'])")
    tablet.tap("#start-match")
    tablet.sees("Opening roll", "#verdict h2")


def typed(tablet, high: int, low: int) -> None:
    """Tap a roll on the two rows of dice."""
    tablet.tap(f"#die-0-{high}")
    tablet.tap(f"#die-1-{low}")
    tablet.sees(f"{high}-{low}", "#verdict h2")


def turn_ended(tablet) -> bool:
    """Press Done as long as there is a turn to end."""
    tablet.script("document.getElementById('done')?.click()")
    return tablet.state()["phase"] == "on_roll"


def test_recorded_throws_are_read_ruled_and_played(tablet, start) -> None:
    tablet.open(start("demo", "--port", "0", "--speed", "3"))
    tablet.find("#verdict .cutout")
    assert len(tablet.all("#verdict .cutout image")) == 2
    played = 0
    while played < 3:
        tablet.until(lambda: tablet.state()["phase"] != "opening", "the opening")
        if (
            tablet.state()["phase"] == "on_roll"
        ):  # a throw that was not read, or one that is cocked: told by hand
            tablet.until(lambda: tablet.state()["ruling"] or tablet.state()["phase"] != "on_roll", "a throw")
            tablet.script("for (const id of ['die-0-3', 'die-1-1']) document.getElementById(id)?.click()")
        tablet.find("#plays .play-list button")
        tablet.script("document.querySelector('#plays .play-list button').click()")
        # recorded dice are lifted when the play is made, which ends the turn; told ones are not
        tablet.until(lambda: turn_ended(tablet), "the turn to end")
        played += 1
    assert tablet.complaints() == []


def test_three_turns_by_tapping_with_a_hit_and_an_entry(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    tablet.tap("#die-0-6")
    tablet.tap("#die-1-4")
    tablet.sees("6-4", "#verdict h2")
    tablet.move("south", 24, 18)
    tablet.until(lambda: "24/18" in tablet.state()["making"]["text"], "24/18")
    tablet.move("south", 13, 9)
    tablet.tap("#done.primary")
    tablet.sees("Mehmet to roll", "#verdict")
    typed(tablet, 6, 1)
    tablet.move("north", 13, 7)  # south's 18-point: a hit
    tablet.until(lambda: "13/7*" in tablet.state()["making"]["text"], "the hit")
    tablet.move("north", 8, 7)
    tablet.tap("#done.primary")
    tablet.sees("Anna to roll", "#verdict")
    typed(tablet, 5, 2)
    tablet.move("south", 25, 20)
    tablet.until(lambda: "bar/20" in tablet.state()["making"]["text"], "the entry")
    tablet.move("south", 13, 11)
    tablet.tap("#done.primary")
    tablet.sees("Mehmet to roll", "#verdict")
    assert tablet.complaints() == []


def test_double_take_pass_resign_and_the_score(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    tablet.tap("#die-0-3")
    tablet.tap("#die-1-1")
    tablet.move("south", 8, 5)
    tablet.until(lambda: tablet.state()["making"]["text"] == "8/5", "8/5")
    tablet.move("south", 6, 5)
    tablet.tap("#done.primary")
    tablet.tap("#double")
    tablet.sees("Anna: take or pass?", "#verdict")
    tablet.tap("#take")
    tablet.find("#strip-bottom .owned")
    typed(tablet, 6, 5)
    tablet.script("document.querySelector('#plays .play-list button').click()")
    tablet.tap("#done.primary")
    tablet.sees("Double to 4", "#asks")
    tablet.tap("#double")
    tablet.tap("#pass")
    tablet.sees("Anna wins", "#verdict h2")
    tablet.until(lambda: tablet.find("#strip-bottom .score").text == "2", "two points")
    tablet.tap("#next-game")
    tablet.sees("Opening roll", "#verdict h2")
