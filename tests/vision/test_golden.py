"""The golden set: whatever else changes, no roll is read wrong and no bad throw passes.

The numbers of unread pictures are the ones last reached: they may fall, never rise.
"""

import csv
from argparse import Namespace
from pathlib import Path

import cv2
import pytest

from companion.commands._seeing import answer
from vision.board.calibration import load_board
from vision.dice.reader import Reader

GOLDEN = Path(__file__).parents[1] / "golden"
THROWS = Path(__file__).parents[2] / "companion" / "camera" / "recorded_throws"


def rows(name: str) -> list[dict[str, str]]:
    with (GOLDEN / name).open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def ruled(row: dict[str, str], reader: Reader) -> dict[str, object]:
    folder = THROWS / row["throw"]
    bgr = cv2.imread(str(folder / "frame_02.jpg"))
    phase = "opening" if row["category"] == "split" else "turn"
    return answer(
        reader.read(bgr, load_board(folder / "board.json")),
        Namespace(profile="modern", config=None, roller=None, phase=phase),
    )


@pytest.mark.parametrize("row", rows("throws.csv"), ids=lambda r: r["throw"])
def test_no_recorded_throw_is_ruled_wrong(row: dict[str, str], reader: Reader) -> None:
    said = ruled(row, reader)
    if row["category"] in ("valid", "split"):
        values = [int(v) for v in row["values"].split()]
        assert (said["ruling"], said["roll"]) in (("valid", values), ("unread", None))
    else:
        assert said["ruling"] in ("cocked", "unread")


def test_most_recorded_throws_are_read(reader: Reader) -> None:
    unread = [row["throw"] for row in rows("throws.csv") if ruled(row, reader)["ruling"] == "unread"]
    assert len(unread) <= MOST_UNREAD_THROWS, unread


def test_throw_that_is_there_to_be_unread_is_unread(reader: Reader) -> None:
    """Its question is for people who try the program; once the reader reads it, another one has to take its place."""
    assert ruled({"throw": "14_south_unread", "category": "valid"}, reader)["ruling"] == "unread"


def test_no_photograph_is_read_wrong(reader: Reader) -> None:
    unread, wrong = [], []
    for row in rows("photographs/truth.csv"):
        reading = reader.read(cv2.imread(str(GOLDEN / "photographs" / row["image"])))
        seen = [d.value for d in reading.dice]
        if None in seen or not seen or reading.doubt:
            unread.append(row["image"])
        elif sorted(v for v in seen if v) != [int(v) for v in row["values"].split()]:
            wrong.append((row["image"], seen))
    assert not wrong
    assert len(unread) <= MOST_UNREAD


MOST_UNREAD_THROWS = 1
MOST_UNREAD = 4
