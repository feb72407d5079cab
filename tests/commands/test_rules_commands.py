"""`companion plays`, `ids` and `profiles`: JSON lines in and out, one error for a bad line, the rest answered."""

import io
import json
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.__main__ import main
from companion.commands._lines import MOST_BYTES, answer_lines
from companion.records.ids import gnubgid, snapshot_of_gnubgid, snapshot_of_xgid
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.profile import SETTINGS
from tests.support.collection import read_rows, thinned

START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
ASKED = {"pos": START, "dice": [3, 1]}


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Give a command lines on standard input; its exit status and the objects it answers with."""

    def asked(*arguments: str, lines: list[Any]) -> tuple[int, list[dict[str, Any]]]:
        written = [line if isinstance(line, (str, bytes)) else json.dumps(line) for line in lines]
        raw = b"\n".join(line.encode() if isinstance(line, str) else line for line in written)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        status = main(arguments)
        answered = capsys.readouterr()
        assert answered.err == ""
        return status, [json.loads(line) for line in answered.out.splitlines()]

    return asked


def test_plays_answers_the_oracle_sorted(ask: Any, collection: Path) -> None:
    some = thinned(read_rows(collection / "oracle" / "legal_dev.jsonl.gz"), 200)
    status, answers = ask(
        "plays", lines=[{name: case[name] for name in ("id", "pos", "dice")} for case in some]
    )
    assert status == 0
    for case, answer in zip(some, answers, strict=True):
        assert {name: answer[name] for name in ("id", "n_plays", "dice_used")} == {
            name: case[name] for name in ("id", "n_plays", "dice_used")
        }
        assert [play["result"] for play in answer["plays"]] == case["results"]


def test_plays_of_the_entry_game_say_whether_to_throw_again(ask: Any, collection: Path) -> None:
    some = thinned(read_rows(collection / "oracle" / "spielestart_dev.jsonl.gz"), 50)
    status, answers = ask("plays", "--profile", "spielestart", lines=some)
    assert status == 0
    for case, answer in zip(some, answers, strict=True):
        assert (answer["again"], answer["n_plays"]) == (case["again"], case["n_plays"])
        assert [play["result"] for play in answer["plays"]] == case["results"]


def test_plays_of_plakoto_have_the_pinned_checkers_beside_those_that_are_seen(ask: Any) -> None:
    none = [0] * 26
    pos, pinned = [0, -14, *none[2:10], 1, *none[11:]], [0] * 9 + [-1] + [0] * 16
    pos[9] = 14
    line = {"id": 1, "pos": pos, "under": pinned, "dice": [1, 1], "off": [0, 0]}
    status, (answer,) = ask("plays", "--profile", "plakoto", lines=[line])
    assert (status, answer["dice_used"]) == (0, 4)
    freed = [play for play in answer["plays"] if play["text"] == "9/5"]
    assert [play["under"][9] for play in freed] == [-1]
    after = {"after": freed[0]["result"], "after_under": freed[0]["under"]}
    assert ask("plays", "--profile", "plakoto", lines=[{**line, **after}])[1] == [{"id": 1, "legal": True}]
    status, (refused,) = ask(
        "plays", "--profile", "plakoto", lines=[{**line, "under": [0] * 9 + [1] + [0] * 16}]
    )
    assert (status, set(refused)) == (1, {"id", "error"})


def test_plays_of_a_running_game_count_the_opponents_points_on_its_way(ask: Any) -> None:
    pos = [*[0] * 12, -15, *[0] * 11, 15, 0]
    _, (answer,) = ask("plays", "--profile", "fevga", lines=[{"id": 1, "pos": pos, "dice": [6, 6]}])
    assert [play["text"] for play in answer["plays"]] == ["24/18"]
    assert "under" not in answer["plays"][0]


def test_plays_of_acey_deucey_know_what_has_not_entered(ask: Any) -> None:
    pos = [-15, *[0] * 12, 1, *[0] * 11, 14]
    asked = {"id": 1, "pos": pos, "dice": [2, 1]}
    lines = [asked, {**asked, "not_entered": [14, 15]}, {**asked, "not_entered": [14]}]
    status, (hit, waiting, refused) = ask("plays", "--profile", "acey_deucey", lines=lines)
    assert (status, set(refused)) == (1, {"id", "error"})
    assert {play["text"] for play in hit["plays"]} == {"bar/24 bar/23"}
    assert {"13/10", "bar/22"} < {play["text"] for play in waiting["plays"]}
    assert (hit["again"], waiting["again"]) == (True, True), "after 2-1 a doublet is named"
    moved = next(play["result"] for play in waiting["plays"] if play["text"] == "13/10")
    judged = [{**line, "after": moved} for line in lines[:2]]
    answers = ask("plays", "--profile", "acey_deucey", lines=judged)[1]
    assert [answer["legal"] for answer in answers] == [False, True]


@pytest.mark.parametrize(
    ("profile", "counts", "why"),
    [
        ("acey_deucey", [15, 15], "at most 14 of the player on roll and 15 of the opponent"),
        ("acey_deucey", [14, 16], "at most 14 of the player on roll and 15 of the opponent"),
        ("modern", [1, 0], "No checker waits here"),
    ],
)
def test_no_more_wait_to_enter_than_are_on_the_bar(
    ask: Any, profile: str, counts: list[int], why: str
) -> None:
    line = {"id": 1, "pos": [-15, *[0] * 12, 1, *[0] * 11, 14], "dice": [2, 1], "not_entered": counts}
    status, (refused,) = ask("plays", "--profile", profile, lines=[line])
    assert (status, set(refused)) == (1, {"id", "error"})
    assert why in refused["error"]


def test_one_play_is_judged_instead_of_listing(ask: Any, collection: Path) -> None:
    some = read_rows(collection / "oracle" / "spielestart_after_dev.jsonl.gz")
    status, answers = ask("plays", "--profile", "spielestart", lines=some)
    assert status == 0
    assert answers == [{"id": case["id"], "legal": case["legal"]} for case in some]


def test_the_texts_are_in_our_one_style(ask: Any) -> None:
    _, (answer,) = ask("plays", lines=[{"id": 1, **ASKED}])
    texts = {play["text"] for play in answer["plays"]}
    assert {"8/5 6/5", "24/20", "24/23 13/10"} <= texts
    assert len(texts) == answer["n_plays"] == 16


def test_a_dance_is_its_own_position_once(ask: Any) -> None:
    pos = [0, *[0] * 18, -2, -2, -2, -2, -2, -2, 1]
    _, (answer,) = ask("plays", lines=[{"id": "x", "pos": pos, "dice": [6, 6]}])
    assert answer == {"id": "x", "n_plays": 0, "dice_used": 0, "plays": [{"text": "", "result": pos}]}


BAD_PLAYS = {
    "an empty line": ("", "empty"),
    "blanks alone": (" \t\r", "empty"),
    "cut off behind a legible id": ('{"id": 7, "pos": [1, 2', "not JSON"),
    "cut off behind a text as id": ('{"id": "seven", "pos": [1, 2', "not JSON"),
    "cut off within the id": ('{"id": 7', "not JSON"),
    "infinity in digits": ('{"id": 1, "x": 1e999}', "not JSON"),
    "an endless number": ('{"id": 1, "pos": ' + "9" * 5000 + "}", "not JSON"),
    "a large number on a point": ({"id": 1, **ASKED, "pos": [*START[:24], 10**4000, 0]}, "more than 15"),
    "a large die": ({"id": 1, **ASKED, "dice": [10**4000, 1]}, "not 1000"),
    "a book as die": ({"id": 1, **ASKED, "dice": ["x" * 9999, 1]}, "not xxx"),
    "two fields of one name": ('{"id": 1, "dice": [1, 2], "dice": [3, 4]}', "two fields “dice”"),
    "a list as id": ({**ASKED, "id": [1]}, "“id”"),
    "half a character in a name": ('{"id": 1, "\\ud800": 1}', "“pos”"),
    "lists in lists": ({"id": 1, "pos": [[START]] * 26, "dice": [3, 1]}, "whole"),
    "dice of dice": ({"id": 1, **ASKED, "dice": [[1], [2]]}, "not [1]"),
    "not JSON": ("nonsense", "not JSON"),
    "a number": ("7", "one JSON object"),
    "a list": ("[1]", "one JSON object"),
    "not text at all": (b"\xff\xfe", "not JSON"),
    "NaN": ('{"id": 1, "pos": [], "dice": [NaN, 1]}', "not JSON"),
    "nested too deep": ("[" * 100_000, "not JSON"),
    "no position": ({"id": 1, "dice": [3, 1]}, "“pos”"),
    "no dice": ({"id": 1, "pos": START}, "“dice”"),
    "25 ints": ({"id": 1, **ASKED, "pos": START[:25]}, "26"),
    "sixteen checkers": ({"id": 1, **ASKED, "pos": [*START[:24], 3, 0]}, "16"),
    "sixteen of the opponent's": ({"id": 1, **ASKED, "pos": [-1, *START[1:]]}, "16"),
    "a float on a point": ({"id": 1, **ASKED, "pos": [0.0, *START[1:]]}, "whole"),
    "a boolean on a point": ({"id": 1, **ASKED, "pos": [False, *START[1:]]}, "whole"),
    "a text on a point": ({"id": 1, **ASKED, "pos": ["0", *START[1:]]}, "whole"),
    "a bar of the wrong sign": ({"id": 1, **ASKED, "pos": [1, *START[1:]]}, "bar"),
    "a die of seven": ({"id": 1, **ASKED, "dice": [7, 1]}, "not 7"),
    "a die of nought": ({"id": 1, **ASKED, "dice": [0, 1]}, "not 0"),
    "a die of one and a half": ({"id": 1, **ASKED, "dice": [1.5, 1]}, "1.5"),
    "a die that is true": ({"id": 1, **ASKED, "dice": [True, 1]}, "true"),
    "three dice": ({"id": 1, **ASKED, "dice": [1, 2, 3]}, "“dice”"),
    "an after of 3 ints": ({"id": 1, **ASKED, "after": [1, 2, 3]}, "26"),
    "an after of sixteen": ({"id": 1, **ASKED, "after": [*START[:24], 3, 0]}, "16"),
    "doublets below nought": ({"id": 1, **ASKED, "doublets": -1}, "“doublets”"),
    "doublets that are true": ({"id": 1, **ASKED, "doublets": True}, "“doublets”"),
    "off that does not fit": ({"id": 1, **ASKED, "off": [3, 0]}, "too many"),
    "everything borne off twice": ({"id": 1, **ASKED, "pos": [0] * 26}, "borne off everything"),
}


@pytest.mark.parametrize("name", BAD_PLAYS)
def test_a_bad_line_of_plays_is_one_error_and_the_rest_goes_on(ask: Any, name: str) -> None:
    line, word = BAD_PLAYS[name]
    status, answers = ask("plays", lines=[{"id": "before", **ASKED}, line, {"id": "after", **ASKED}])
    assert status == 1
    assert [answer["id"] for answer in answers] == ["before", legible_id(line), "after"]
    assert [answer.get("n_plays") for answer in answers] == [16, None, 16]
    assert set(answers[1]) == {"id", "error"}
    assert word in answers[1]["error"]
    assert len(answers[1]["error"]) < 200


def legible_id(line: Any) -> Any:
    """The id that a reader finds in a line, broken or not."""
    text = line if isinstance(line, str) else "" if isinstance(line, bytes) else json.dumps(line)
    found = re.search(r'"id": ?(\d+|"[^"]*")', text)
    return json.loads(found[1]) if found else None


BAD_IDS = {
    "not JSON": ("{", "not JSON"),
    "an empty line": ("", "empty"),
    "a fullwidth digit": ({"xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:００:0:0:0:0:10"}, "no XGID"),
    "a book as XGID": ({"xgid": "x" * 100_000}, "xxx…” is no XGID"),
    "a book as Position ID": ({"gnubgid": "x" * 100_000}, "100000 letters"),
    "a score beyond the match": (
        {"xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:5:0:0:5:10"},
        "A match of 5 points is over",
    ),
    "both beyond the match": (
        {"xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:5:6:0:5:10"},
        "A match of 5 points is over",
    ),
    "playing on with all the points": (
        {"pos": START, "match_length": 3, "score": [3, 0]},
        "A match of 3 points is over",
    ),
    "an endless cube": ({"pos": START, "cube_value": 10**4000}, "No cube shows 1000"),
    "a limit of the cube below nought": ({"pos": START, "max_cube": -1}, "limit"),
    "nothing asked": ({}, "neither"),
    "a truncated position id": ({"gnubgid": "4HPwATDgc/ABM"}, "13 letters"),
    "a truncated match id": ({"gnubgid": "4HPwATDgc/ABMA:cIkKAAAA"}, "8 letters"),
    "a truncated XGID": ({"xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1"}, "no XGID"),
    "an id that is a number": ({"xgid": 5}, "text"),
    "sixteen checkers": ({"xgid": "XGID=-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"}, "16"),
    "both sides on one point": ({"gnubgid": "AACABAAAAAAAAA"}, "one point"),
    "a die of seven": ({"pos": START, "dice": [7, 1]}, "not 7"),
    "a cube of three": ({"pos": START, "cube_value": 3}, "3"),
    "ids that contradict each other": (
        {"gnubgid": "4HPwATDgc/ABMA", "xgid": "XGID=-b----E-C---eE---c-e----A-:0:0:1:00:0:0:0:0:10"},
        "contradict",
    ),
}


@pytest.mark.parametrize("name", BAD_IDS)
def test_a_bad_line_of_ids_is_one_error_and_the_rest_goes_on(ask: Any, name: str) -> None:
    line, word = BAD_IDS[name]
    status, answers = ask("ids", lines=[{"pos": START}, line, {"id": 7, "pos": START}])
    assert status == 1
    assert [set(answer) == {"id", "error"} for answer in answers] == [False, True, False]
    assert len(answers[1]["error"]) < 200
    assert word in answers[1]["error"]
    assert answers[2]["id"] == 7


def test_ids_answers_every_vector_whichever_way_it_is_asked(ask: Any, collection: Path) -> None:
    vectors = read_rows(collection / "oracle" / "ids_dev.jsonl")
    told = set(vectors[0]) & {
        "pos",
        "off",
        "dice",
        "score",
        "turn",
        "gnubgid",
        "xgid",
        "match_id",
        "position_id",
    }
    for asked in (vectors, [{"xgid": one["xgid"]} for one in vectors]):
        status, answers = ask("ids", lines=asked)
        assert status == 0
        for vector, answer in zip(vectors, answers, strict=True):
            assert {name: answer[name] for name in told} == {name: vector[name] for name in told}
    status, answers = ask("ids", lines=[{"gnubgid": one["gnubgid"]} for one in vectors])
    assert status == 0
    assert [answer["gnubgid"] for answer in answers] == [one["gnubgid"] for one in vectors]
    assert [answer["pos"] for answer in answers] == [one["pos"] for one in vectors]


def test_an_unknown_profile_is_one_sentence_and_status_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plays", "--profile", "moderne"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "moderne" in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_a_finished_match_is_read_back() -> None:
    over = snapshot_of_gnubgid(gnubgid(snapshot_of_xgid(f"XGID={'-' * 25}B:0:0:1:00:7:2:0:5:10")))
    assert (over.gamestate, over.score) == (2, (2, 7))


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_line_ends_and_a_byte_order_mark_do_no_harm(ask: Any, end: bytes) -> None:
    written = json.dumps({"id": "ä\ud800", **ASKED}).encode()
    status, [answer] = ask("plays", lines=[b"\xef\xbb\xbf" + written + end])
    assert (status, answer["id"], answer["n_plays"]) == (0, "ä\ud800", 16)


class Endless:
    """A line of a terabyte that nobody could hold, then one that is asked for."""

    def __init__(self) -> None:
        self.left, self.held = 1 << 40, 0
        self.after = [b"\n", b'{"id": 2}\n']

    def readline(self, most: int) -> bytes:
        self.held = max(self.held, most)
        if self.left > 0:
            self.left -= 1 << 37  # as if so much had been read
            return b'{"id": "long", "pos": ['.ljust(most, b" ")
        return self.after.pop(0) if self.after else b""


def test_a_line_without_end_is_one_error_and_is_not_held(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Endless()
    assert answer_lines(lines, lambda asked: {"found": True}) == 1  # type: ignore[arg-type]
    first, second = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert first["id"] == "long"
    assert "longer" in first["error"]
    assert second == {"id": 2, "found": True}
    assert lines.held <= MOST_BYTES + 1


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300).filter(lambda line: b"\n" not in line))
def test_any_bytes_are_one_answer(line: bytes) -> None:
    said = io.StringIO()
    with redirect_stdout(said):
        answer_lines(io.BytesIO(line + b"\n" + json.dumps(ASKED).encode()), lambda asked: {"seen": True})
    assert len([json.loads(one) for one in said.getvalue().splitlines()]) == 2


def test_profiles_stand_side_by_side_in_a_hundred_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["profiles"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 100
    tables = [table.splitlines() for table in out.split("\n\n")]
    assert [name for table in tables for name in table[0].split()[1:]] == list(ALL_PROFILES)
    for table in tables:
        width = table[0].index(table[0].split()[1])
        names = "".join(f" {line[:width].strip()}" for line in table[1:])
        assert re.sub(r"_ +(?=\w)", "_", " ".join(names.split())).split() == list(SETTINGS)
    assert main(["profiles", "modern", "tavla"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["setting", "modern", "tavla"]


def test_a_profile_of_the_settings_file_is_played_by(
    ask: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[profiles.club]\nbased_on = "hypergammon"\nstart = { 24 = 1, 6 = 1 }\n')
    asked = {"id": 1, "pos": [0, -1, *[0] * 17, -1, *[0] * 4, 1, 0], "dice": [2, 1]}
    assert ask("plays", "--config", str(file), "--profile", "club", lines=[asked])[0] == 0
    assert ask("plays", "--profile", "tavla", lines=[{**asked, "off": [1, 0]}])[0] == 1
    assert main(["profiles", "--config", str(file), "--json"]) == 0
    *_, club = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (club["name"], club["start"]) == ("club", {"6": 1, "24": 1})


def test_profiles_as_json_and_with_their_descriptions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profiles", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["name"] for one in found] == list(ALL_PROFILES)
    assert all(set(SETTINGS) <= set(one) for one in found)
    assert main(["profiles", "--describe"]) == 0
    assert "Second-hand" in capsys.readouterr().out
