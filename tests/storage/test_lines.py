"""A row as a line of its match's file: read back as it was, and nothing else is taken for it."""

import json
import random

import pytest

from companion.records.rows import Row, date_of, row_of
from companion.storage.archive import problems_in
from companion.storage.lines import content_of, line_of, match_files, next_name, row_in
from tests.support.often import TIMES
from tests.support.selfplay import began, played_match


def rows(match_id: str = "m1", **changes: object) -> list[Row]:
    found: list[Row] = []
    for number, event in enumerate(played_match(random.Random(1), began(3, match_id=match_id, **changes)), 1):
        found.append(row_of(event, match_id, number, found[-1].digest if found else "0" * 64))
    return found


ROWS = rows(south='Änn "Q" \\', north="\u2028 😀")
LINES = [line_of(row) for row in ROWS]
WHOLE = b"".join(LINES)


def test_line_is_read_back_and_is_canonical_json() -> None:
    for row, line in zip(ROWS, LINES, strict=True):
        assert row_in(line[:-1]) == row
        told = json.loads(line)
        assert (
            json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
            == line
        )
        assert told["body"] == json.loads(row.body)


def test_file_cut_short_anywhere_keeps_the_lines_before_the_cut() -> None:
    data = b"".join(LINES[:12])
    for end in range(len(data) + 1):
        content = content_of(data[:end])
        assert content.rows == ROWS[: data[:end].count(b"\n")]
        assert content.end == sum(map(len, LINES[: len(content.rows)]))
        at_a_line = data[:end].endswith(b"\n")
        assert content.is_whole is at_a_line
        assert bool(problems_in(data[:end])) is not at_a_line


def test_every_flipped_byte_is_found() -> None:
    chance = random.Random(2)
    data = b"".join(LINES[:8])
    for at in range(len(data)):
        for other in {chance.randrange(1, 256) for _ in range(TIMES)}:
            spoilt = data[:at] + bytes([data[at] ^ other]) + data[at + 1 :]
            content = content_of(spoilt)
            assert not content.is_whole
            assert content.rows == ROWS[: data[:at].count(b"\n")]
            assert problems_in(spoilt)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        pytest.param(
            [*LINES[:4], *LINES[5:]], "Event 5 is missing; the row in its place says 6.", id="one left out"
        ),
        pytest.param(LINES[1:], "Event 1 is missing; the row in its place says 2.", id="without the first"),
        pytest.param([*LINES[:3], LINES[2], *LINES[3:]], "Event 4 is missing", id="one twice"),
        pytest.param(
            [LINES[0], line_of(rows("m2")[1])], "Event 2 does not follow the one before it.", id="another's"
        ),
        pytest.param(
            [LINES[0].replace(b'"at_ms":0', b'"at_ms":1', 1), *LINES[1:]],
            "Event 1 has been altered.",
            id="a time",
        ),
        pytest.param([b"{}\n", *LINES[1:]], "Event 1 has been altered.", id="something else"),
        pytest.param(
            [*LINES, LINES[-1][:-1]], f"Event {len(LINES) + 1} was not written to its end.", id="torn"
        ),
        pytest.param([], "The file is empty.", id="empty"),
    ],
)
def test_what_is_wrong_is_said(lines: list[bytes], said: str) -> None:
    found = problems_in(b"".join(lines))
    assert any(said in problem for problem in found), found


def test_cut_tail_is_found_by_the_head_alone() -> None:
    assert problems_in(WHOLE) == problems_in(WHOLE, ROWS[-1].digest) == problems_in(b"".join(LINES[:9])) == []
    assert "tail is cut" in problems_in(b"".join(LINES[:9]), ROWS[-1].digest)[0]


def test_names_go_on_behind_every_number_that_was_given(tmp_path) -> None:
    place = tmp_path / "matches"
    assert (match_files(tmp_path), next_name(tmp_path, 0)) == ([], "0001-1970-01-01.jsonl")
    place.mkdir()
    for name in (
        "0002-2026-01-01.jsonl",
        "0009-undated.jsonl",
        "10000-2026-01-03.jsonl",
        "gaps.jsonl",
        "note.jsonl",
    ):
        (place / name).touch()
    (place / "10007-2026-01-03.damaged-1.jsonl").touch()
    assert [file.name[:5] for file in match_files(tmp_path)] == ["0002-", "0009-", "10000"]
    assert next_name(tmp_path, 1_767_225_600_000) == "10008-2026-01-01.jsonl"
    assert date_of(10**18) == "undated"
