"""Match files of other programs: kept, listed, refused in a sentence, deleted."""

import random
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from companion.game.state_machine import fold
from companion.records.export import mat_text, sgf_text
from companion.records.rows import event_of
from companion.service.archive import opened
from companion.service.archive.opened import MOST_BYTES, MOST_FILES, OpenedFiles, is_opened
from companion.storage.folder import OPENED
from sentence import Sentence
from tests.support.records.analyser_files import XgFile, bgf_file
from tests.support.selfplay import began, played_match

SAMPLE = Path(__file__).parents[2] / "data" / "matches" / "gnubg_sample7.mat"


def sgf(seed: int) -> str:
    return sgf_text(fold(list(played_match(random.Random(seed), began(1, south="Zoe")))))


def test_file_is_kept_as_it_came_and_its_match_listed(tmp_path: Path) -> None:
    files = OpenedFiles(tmp_path)
    match_id = files.add("C:\\matches\\<b>final.mat", SAMPLE.read_bytes())
    assert isinstance(match_id, str)
    assert is_opened(match_id)
    again = OpenedFiles(tmp_path)
    (kept,) = again.all()
    assert (kept.entry.match_id, kept.name) == (match_id, "_b_final.mat")
    state = fold(map(event_of, again.rows(match_id))).state
    assert state is not None
    entry = kept.entry
    assert (entry.south_points, entry.north_points) == (state.score.south, state.score.north)
    assert (entry.length, bool(entry.over), entry.head) == (7, True, again.rows(match_id)[-1].digest)
    assert (tmp_path / OPENED / f"{match_id}.match").read_bytes() == SAMPLE.read_bytes()


def test_same_file_is_kept_once_and_the_last_one_stands_first(tmp_path: Path) -> None:
    files = OpenedFiles(tmp_path)
    first, second = files.add("a.sgf", sgf(1).encode()), files.add("b.sgf", sgf(2).encode())
    assert files.add("again.sgf", sgf(1).encode()) == first
    assert [kept.entry.match_id for kept in files.all()] == [second, first]


@pytest.mark.skipif(find_spec("gvformat") is None, reason="gammonview is not installed")
def test_files_of_analysers_are_kept(tmp_path: Path) -> None:
    from companion.records.mat.reader import read_mat

    match = read_mat(mat_text(fold(list(played_match(random.Random(4), began(3))))))
    files = OpenedFiles(tmp_path)
    for name, data in (("a.xg", XgFile(match).content()), ("a.bgf", bgf_file(match))):
        assert is_opened(str(files.add(name, data))), name


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "This file is empty."),
        (b" \n", "This file is empty."),
        (b"x" * (MOST_BYTES + 1), "larger than"),
        (b"Dear Ann,\nsee you on Friday.\n", "no match"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(2000), "This is no match file that can be read here"),
        (b"OGXM\x02\x00\x02\x00", "This file cannot be read: "),
        ((sgf(1) + sgf(2)).encode(), "This file has several matches"),
        (sgf(1)[:200].encode(), "cut off"),
    ],
    ids=["empty", "blank", "large", "letter", "picture", "ogxm", "several", "cut"],
)
def test_bad_file_is_refused_in_a_sentence(tmp_path: Path, data: bytes, why: str) -> None:
    files = OpenedFiles(tmp_path)
    refused = files.add("file", data)
    assert isinstance(refused, Sentence)
    assert why in str(refused)
    assert files.all() == []


def test_missing_library_is_named_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvformat", None)
    monkeypatch.setattr(opened, "find_spec", lambda name: None)
    refused = OpenedFiles(tmp_path).add("a.xg", b"RGMH" + bytes(9000))
    assert f"{sys.executable} -m pip install 'gammonview>=3.1,<4'" in str(refused)
    assert ".mat" in str(refused)


def test_no_more_are_taken_than_the_list_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "MOST_FILES", 1)
    files = OpenedFiles(tmp_path)
    assert MOST_FILES > 1
    assert isinstance(files.add("a.sgf", sgf(1).encode()), str)
    assert isinstance(files.add("b.sgf", sgf(2).encode()), Sentence)


def test_deleted_file_is_gone(tmp_path: Path) -> None:
    files = OpenedFiles(tmp_path)
    match_id = str(files.add("a.sgf", sgf(1).encode()))
    assert files.rows(match_id)
    assert not files.delete(match_id)
    assert (files.all(), files.rows(match_id), files.one(match_id)) == ([], (), None)
    assert list((tmp_path / OPENED).iterdir()) == []


def test_folder_that_takes_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / OPENED).write_text("no folder")
    refused = OpenedFiles(tmp_path).add("a.sgf", sgf(1).encode())
    assert isinstance(refused, Sentence)
    assert str(refused).startswith("The file cannot be kept: ")


@pytest.mark.parametrize("name", ["../../table.key", "opened-../x", "opened-0123456789abcdeg", "m1"])
def test_other_ids_name_no_file(tmp_path: Path, name: str) -> None:
    assert OpenedFiles(tmp_path).one(name) is None
    assert OpenedFiles(tmp_path).rows(name) == ()
