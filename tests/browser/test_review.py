"""The review of a recording in the browser, served by the real command over real pictures: the demo's film."""

from collections import Counter
from pathlib import Path

from tests.support.camera.film_recording import FPS, write_recording

LISTED = """
    const list = document.querySelector('.reading .list'), top = list.getBoundingClientRect().top;
    return [
      list.querySelector('[aria-current]').getBoundingClientRect().bottom - top,
      list.clientHeight + 3, list.scrollHeight,
    ];
"""
PICTURES = "return [...document.images].map((one) => one.complete && one.naturalWidth > 0)"


def changes(play: str) -> Counter[str]:
    """How many checkers a play without doublets takes from and brings to each point; 13/6 is 13/8 8/6."""
    ends = [one.split("/") for one in play.split()]
    came, left = Counter(to for _, to in ends), Counter(start for start, _ in ends)
    came.subtract(left)
    return Counter({point: count for point, count in came.items() if count})


def test_turn_in_doubt_takes_one_tap_and_the_record_is_saved(start, tablet, tmp_path: Path) -> None:
    write_recording(tmp_path / "film", throws=8)
    record = tmp_path / "record.mat"
    words = ["transcribe", "--fps", str(FPS), "--out", str(record), "--review", "--port", "0"]
    tablet.resize(1180, 300)
    tablet.open(start(*words, str(tmp_path / "film")))
    tablet.sees("1 turn is in doubt", "#doubts")
    tablet.sees("South 5-2", "#turn")
    _, ends, high = tablet.script(LISTED)
    assert high > ends
    tablet.until(lambda: tablet.script(LISTED)[0] <= ends, "the list at the turn in doubt")
    tablet.resize(1180, 820)
    tablet.until(lambda: tablet.script(PICTURES) == [True, True], "the pictures before and after")
    assert len(tablet.all(".candidates .mini")) >= 4
    assert "not legal" in record.read_text()
    play = tablet.text("#choice-1 span")
    tablet.tap("#choice-1")
    tablet.sees("No turn is in doubt", "#doubts")
    assert play in tablet.text(".list li:last-child")
    assert changes(record.read_text().partition("52:")[2]) == changes(play)
    tablet.tap("#undo")
    tablet.sees("1 turn is in doubt", "#doubts")
    assert tablet.complaints() == []
    tablet.find("#play").send_keys("13/20")
    tablet.tap("#typed")
    tablet.sees("backwards", "[role=alert]")
    assert tablet.script("return document.querySelector('#play').value") == "13/20"
    (refused,) = tablet.complaints()
    assert "422" in refused
    tablet.tap("#choice-0")
    tablet.sees("No turn is in doubt", "#doubts")
    tablet.tap("#done")
    tablet.sees("record.mat", "#main")
    assert "not legal" in record.read_text()
