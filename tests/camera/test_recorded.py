"""Recorded throws: found, chosen when the table waits for one, and refused when they are not whole."""

import json
from pathlib import Path

import pytest

from companion.camera.recorded import Awaited, RecordedThrow, Waiting, choose, recorded_throws
from companion.errors import UserError


def make(folder: Path, name: str, about: dict[str, object] | None = None) -> None:
    (folder / name).mkdir()
    (folder / name / "board.json").write_text("{}")
    if about is not None:
        (folder / name / "throw.json").write_text(json.dumps(about))


def test_throws_are_found_in_name_order_with_what_is_known_of_them(tmp_path: Path) -> None:
    make(tmp_path, "b", {"kind": "turn", "roller": "north", "fps": 8})
    make(tmp_path, "a", {"kind": "opening"})
    make(tmp_path, "c")
    (tmp_path / "no_board").mkdir()
    found = recorded_throws(tmp_path)
    assert [(throw.folder.name, throw.kind, throw.roller, throw.fps) for throw in found] == [
        ("a", "opening", None, 5.0),
        ("b", "turn", "north", 8.0),
        ("c", "turn", None, 5.0),
    ]


def test_no_throws_and_broken_throws_are_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no recorded throws"):
        recorded_throws(tmp_path)
    make(tmp_path, "a")
    (tmp_path / "a" / "throw.json").write_text("{")
    with pytest.raises(UserError, match=r"throw\.json is no JSON"):
        recorded_throws(tmp_path)


THROWS = [
    RecordedThrow(Path("opening"), Path("b"), "opening"),
    RecordedThrow(Path("south"), Path("b"), "turn", "south"),
    RecordedThrow(Path("either"), Path("b"), "turn"),
]


@pytest.mark.parametrize(
    ("awaited", "names"),
    [
        (Awaited(), [None] * 3),
        (Awaited("opening"), ["opening"] * 3),
        (Awaited("turn", "south"), ["south", "either", "south"]),
        (Awaited("turn", "north"), ["either"] * 3),
    ],
)
def test_throw_that_fits_is_chosen_each_in_its_turn(awaited: Awaited, names: list[str | None]) -> None:
    chosen = [choose(THROWS, awaited, played) for played in range(3)]
    assert [throw and throw.folder.name for throw in chosen] == names


def test_waiting_tells_the_latest() -> None:
    waiting = Waiting()
    assert waiting.awaited.kind is None
    waiting.awaited = Awaited("turn", "south")
    waiting.handled += 1
    assert (waiting.awaited.roller, waiting.handled) == ("south", 1)
