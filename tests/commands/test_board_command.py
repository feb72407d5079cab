"""`companion board`, as the outside sees it."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from companion.commands.board import as_json, in_words
from vision.board.calibration import Board
from vision.checkers.reading import STATES, BoardReading, PointChances, state_of

THROWS = Path(__file__).parents[2] / "companion" / "camera" / "recorded_throws"
PICTURE = str(THROWS / "03_south" / "frame_02.jpg")
BOARD = str(THROWS / "03_south" / "board.json")
KEYS = {"image", "points", "bar", "off", "colours", "board_found", "ms"}
PLACED = Board(
    (900, 700), ((100.0, 60.0), (800.0, 60.0), (800.0, 640.0), (100.0, 640.0)), (540.0, 430.0), 40.0
)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def point(a: int, b: int, chance: float = 1.0) -> PointChances:
    chances = np.full(STATES, (1 - chance) / STATES)
    chances[state_of(a, b)] += chance
    return PointChances(chances)


COVERED = PointChances(np.full(STATES, 1 / STATES), covered=True)


def reading(
    *points: PointChances, bar: tuple[PointChances, PointChances] = (point(0, 0), point(0, 1))
) -> BoardReading:
    rest = (point(0, 0),) * (24 - len(points))
    return BoardReading((*points, *rest), bar, ((250.4, 240.0, 230.0), (1.0, 2.0, 10.6)), PLACED)


@pytest.mark.parametrize("more", [["--board", BOARD], []], ids=["given", "looked for"])
def test_a_picture_is_answered_with_every_field_of_the_contract(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["board", "--json", *more, PICTURE]) == 0
    [said] = lines(capsys)
    assert set(said) == KEYS
    assert said["image"] == PICTURE
    assert said["board_found"] is True
    points = said["points"]
    assert isinstance(points, list)
    assert [set(one) for one in points] == [{"n", "a", "b", "confidence"}] * 24
    assert [one["n"] for one in points] == list(range(1, 25))
    for field in ("bar", "off", "colours"):
        assert set(said[field]) == {"a", "b"}  # type: ignore[call-overload]


def test_checkers_missing_of_the_fifteen_are_off() -> None:
    said = as_json(reading(point(5, 0), point(0, 3), point(7, 0)))
    assert said["bar"] == {"a": 0, "b": 1}
    assert said["off"] == {"a": 3, "b": 11}
    assert said["colours"] == {"a": "#e6f0fa", "b": "#0b0201"}


def test_what_is_covered_is_null_and_leaves_open_what_is_off() -> None:
    said = as_json(reading(point(5, 0), COVERED))
    assert said["points"][1] == {"n": 2, "a": None, "b": None, "confidence": 0.0}
    assert said["off"] == {"a": None, "b": None}
    under = as_json(reading(point(5, 0), bar=(COVERED, COVERED)))
    assert under["bar"] == {"a": None, "b": None}
    assert under["off"] == {"a": None, "b": None}


def test_more_than_fifteen_say_nothing_of_what_is_off() -> None:
    assert as_json(reading(point(9, 0), point(8, 0)))["off"] == {"a": None, "b": 14}


def test_a_picture_without_a_board_is_answered_with_nothing_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((200, 300, 3), 128, np.uint8))
    assert main(["board", "--json", str(blank)]) == 0
    [said] = lines(capsys)
    assert set(said) == KEYS
    assert said["board_found"] is False
    assert said["points"] == [{"n": n, "a": None, "b": None, "confidence": 0.0} for n in range(1, 25)]
    assert said["off"] == said["bar"] == said["colours"] == {"a": None, "b": None}


def test_a_file_that_is_no_picture_is_named_and_the_rest_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("no picture", "utf-8")
    assert main(["board", "--json", "--board", BOARD, str(text), PICTURE]) == 2
    first, second = lines(capsys)
    assert set(first) == {"image", "error"}
    assert second["image"] == PICTURE


def test_the_answer_for_people_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "--board", BOARD, PICTURE]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{PICTURE}: #")


def test_points_in_doubt_are_named_for_people() -> None:
    known = as_json(reading(point(2, 0), point(0, 3, 0.7), COVERED))
    assert in_words(known).endswith("not seen: 3; doubtful: 2")


@pytest.mark.parametrize("command", ["board", "read"])
@pytest.mark.parametrize("off_px", [0, 60])
def test_board_that_lies_elsewhere_than_its_file_says_is_named(
    command: str, off_px: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = json.loads(Path(BOARD).read_text())
    known["corners_px"] = [[x + off_px, y] for x, y in known["corners_px"]]
    (tmp_path / "board.json").write_text(json.dumps(known))
    assert main([command, "--board", str(tmp_path / "board.json"), PICTURE, PICTURE]) == 0
    assert capsys.readouterr().err.count("seems to lie elsewhere") == (off_px > 0)
