"""How real boards are scored: what counts as a throw, what as found, and what is printed without the pictures."""

from pathlib import Path

import numpy as np
import pytest

from tests.bench.vision.realboards import HOW, off_by, report, verdicts
from vision.board.findboard import board_from_corners

ROW = {"file": "a/b.jpg", "n_dice": "2", "values": "3 5", "flat": "1 1", "note": "", "corners_px": ""}
VALID = {"ruling": "valid", "roll": [5, 3], "reasons": []}
COCKED = {"ruling": "cocked", "roll": None, "reasons": ["leaning"]}
UNREAD = {"ruling": "unread", "roll": None, "reasons": ["doubt", "no_board"]}
CORNERS = np.array([(100.0, 50), (900, 50), (900, 650), (100, 650)])


@pytest.mark.parametrize(
    ("row", "said", "expected"),
    [
        ({}, VALID, ["throws", "exact"]),
        ({"values": "3 6"}, VALID, ["throws", "wrong"]),
        ({}, COCKED, ["throws", "called cocked"]),
        ({}, UNREAD, ["throws", "unread", "unread: no_board"]),
        ({"flat": ""}, VALID, ["throws", "exact"]),
        ({"flat": "0 1"}, VALID, ["others", "others accepted"]),
        ({"note": "split halves"}, COCKED, ["others", "others cocked"]),
        ({"n_dice": "0", "values": "", "flat": ""}, COCKED, ["others", "others cocked"]),
        ({"n_dice": "4", "values": "3 5 1 1"}, VALID, ["others", "others accepted"]),
        ({"values": "? 5"}, VALID, ["others"]),
    ],
    ids=[
        "right", "wrong", "cocked", "unread", "flat as far as known", "leaning accepted", "split", "empty",
        "two pairs", "unreadable",
    ],
)  # fmt: skip
def test_what_became_of_a_picture(row: dict[str, str], said: dict[str, object], expected: list[str]) -> None:
    assert verdicts(ROW | row, said) == expected


@pytest.mark.parametrize(("turned", "near"), [(0, True), (1, False), (2, True), (3, False)])
def test_either_end_of_the_board_may_come_first(turned: int, near: bool) -> None:
    board = board_from_corners((1000, 700), CORNERS.tolist())
    assert (off_by(board, np.roll(CORNERS, turned, 0)) < 0.05) == near


def test_without_the_pictures_it_says_how_to_fetch_them(tmp_path: Path) -> None:
    table = tmp_path / "sources.csv"
    table.write_text(",".join(ROW) + "\n" + ",".join(ROW.values()) + "\n")
    assert list(report(table, tmp_path)) == [HOW]
