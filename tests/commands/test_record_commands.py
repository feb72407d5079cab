"""The commands about kept matches: matches, export, verify, analyse, stats."""

import io
import json
import os
import random
import subprocess
import sys
import textwrap
import zipfile
from collections import Counter
from contextlib import closing

import pytest

from companion.__main__ import main
from companion.game.events import Amended, MatchBegan, RollTyped
from companion.game.state_machine import fold, step
from companion.records.dice_stats import tallies
from companion.records.replay import transcript_in
from companion.records.rows import Row, event_in, problems_of
from companion.rules.board import Roll
from companion.service.gnubg import GnubgError, find_gnubg
from companion.storage.archive import Archive
from companion.storage.folder import FolderLock
from companion.storage.journal import Journal
from companion.storage.lines import match_files


def call(capsys, *arguments):
    status = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_matches_are_listed(kept, capsys):
    status, out, _ = call(capsys, "matches", "--state", kept, "--json")
    first, second = map(json.loads, out.splitlines())
    assert status == 0
    assert (first["match"], first["over"], first["length"], first["date"]) == (
        "20231114-one",
        True,
        3,
        "2023-11-14",
    )
    assert (second["match"], second["over"], second["events"]) == ("20231116-two", False, 60)
    assert "20231114-one  Ann - Bo <b>, 3 points, modern: " in call(capsys, "matches", "--state", kept)[1]


@pytest.mark.parametrize(
    "command",
    [["matches"], ["verify"], ["stats"], ["export", "last", "--format", "json"]],
    ids=lambda c: c[0],
)
def test_what_a_running_companion_has_besides_is_said(kept, capsys, tmp_path, command):
    folder = copied(kept, tmp_path)
    with closing(FolderLock(folder)) as lock:
        assert call(capsys, *command, "--state", folder)[2] == ""
        lock.mark_lacking(True)
        said = call(capsys, *command, "--state", folder)
        assert "what is only in memory is not in here. The page exports all of it." in said[2]
        assert said[1]
        lock.mark_lacking(False)
        assert call(capsys, *command, "--state", folder)[2] == ""


@pytest.mark.parametrize("kind", ["mat", "sgf"])
def test_a_match_is_exported_for_others(kept, capsys, tmp_path, kind):
    status, out, _ = call(capsys, "export", "20231114", "--state", kept, "--format", kind)
    assert status == 0
    match = transcript_in(out)
    with_file = call(
        capsys, "export", "20231114-one", "--state", kept, "--format", kind, "--out", tmp_path / "m"
    )
    assert with_file[:2] == (0, "")
    assert (tmp_path / "m").read_text("utf-8") == out
    listed = json.loads(call(capsys, "matches", "--state", kept, "--json")[1].splitlines()[0])
    assert match.score == (listed["score"]["south"], listed["score"]["north"])
    assert call(capsys, "replay", tmp_path / "m")[0] == 0


def test_the_json_holds_the_whole_record_and_its_chain(kept, capsys):
    told = json.loads(call(capsys, "export", "last", "--state", kept, "--format", "json")[1])
    rows = [
        Row(
            told["match"],
            row["number"],
            row["at_ms"],
            row["kind"],
            json.dumps(row["body"], ensure_ascii=False, sort_keys=True, separators=(",", ":")),
            row["previous"],
            row["digest"],
        )
        for row in told["rows"]
    ]
    assert problems_of(rows, told["head"]) == []
    assert isinstance(event_in(rows[0].body), MatchBegan)


def test_the_dossier_opens_without_us(kept, capsys, tmp_path):
    out = tmp_path / "dossier.zip"
    assert call(capsys, "export", "20231116-two", "--state", kept, "--format", "zip", "--out", out)[0] == 0
    with zipfile.ZipFile(out) as archive:
        names = archive.namelist()
        page = archive.read("index.html").decode()
        told = json.loads(archive.read("events.json"))
        pictures = [name for name in names if name.startswith("pictures/")]
        assert archive.testzip() is None
        assert {"index.html", "events.json", "match.mat", "match.sgf", "README.txt"} <= set(names)
        assert "pictures/game-1-roll-1.jpg" in pictures
        assert any("throw" in name for name in pictures)
        assert told["head"] in page
        assert told["head"] in archive.read("README.txt").decode()
        for name in pictures:
            assert archive.read(name).startswith(b"\xff\xd8")
            assert f'src="{name}"' in page
    assert "http" not in page.replace("http-equiv", "")


@pytest.fixture
def dossier(kept, capsys, tmp_path):
    """The dossier of the match with pictures."""
    out = tmp_path / "dossier.zip"
    assert call(capsys, "export", "20231116-two", "--state", kept, "--format", "zip", "--out", out)[0] == 0
    return out


def test_the_recipe_in_the_dossier_holds_for_every_row(dossier, tmp_path):
    with zipfile.ZipFile(dossier) as archive:
        archive.extractall(tmp_path / "d")
    lines = (tmp_path / "d" / "README.txt").read_text("utf-8").splitlines()
    recipe = textwrap.dedent("\n".join(line for line in lines if not line or line.startswith("    ")))
    run = subprocess.run(
        [sys.executable, "-I", "-c", recipe], cwd=tmp_path / "d", capture_output=True, text=True, check=True
    )
    words = [line.split() for line in run.stdout.splitlines()]
    assert len(words) == 61
    assert {word for _, word in words} == {"True"}


def test_a_dossier_is_verified_without_the_folder_it_came_from(dossier, capsys):
    status, out, _ = call(capsys, "verify", dossier)
    assert (status, out.count("the record holds")) == (0, 1)
    told = json.loads(call(capsys, "verify", dossier, "--json")[1])
    assert told["problems"] == []
    assert told["pictures"]["there"] > 5
    head = told["heads"]["20231116-two"]
    assert call(capsys, "verify", dossier, "--head", head)[0] == 0
    assert call(capsys, "verify", dossier, "--head", "0" * 64)[0] == 1


def rewritten(file, name, change):
    """Write the dossier again with one file changed; None leaves it out."""
    with zipfile.ZipFile(file) as archive:
        files = {one: archive.read(one) for one in archive.namelist()}
    files[name] = change(files[name])
    with zipfile.ZipFile(file, "w") as archive:
        for one, data in files.items():
            if data is not None:
                archive.writestr(one, data)


@pytest.mark.parametrize(
    ("name", "change", "status", "said"),
    [
        ("events.json", lambda data: data.replace(b'"by": "camera"', b'"by": "Camera"', 1), 1, "altered"),
        ("events.json", lambda data: data.replace(b'"number": 3', b'"number": 4'), 1, "Event 3 is missing"),
        ("events.json", lambda data: b"[" * 100_000, 2, "no dossier of ours"),
        ("events.json", lambda data: b'{"match": 3, "head": "", "rows": [{}]}', 2, "no dossier of ours"),
        (
            "events.json",
            lambda data: b'{"match": 3, "head": "", "rows": []}',
            1,
            "does not end with the head",
        ),
        ("events.json", lambda data: b'{"match": ' + b"9" * 5000, 2, "no dossier of ours"),
        ("events.json", lambda data: None, 2, "no dossier of ours"),
        ("pictures/game-1-roll-1.jpg", lambda data: data + b"x", 1, "has been changed"),
        ("pictures/game-1-roll-1.jpg", lambda data: None, 0, "1 gone"),
    ],
)
def test_what_was_changed_in_a_dossier_is_found(dossier, capsys, name, change, status, said):
    rewritten(dossier, name, change)
    found = call(capsys, "verify", dossier)
    assert found[0] == status
    assert said in found[1] + found[2]


def test_no_byte_of_a_dossier_makes_verify_fail(dossier, capsys):
    whole, rng = dossier.read_bytes(), random.Random(5)
    for _ in range(300):
        data = bytearray(whole)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        dossier.write_bytes(data[: rng.choice([len(data), rng.randrange(len(data))])])
        assert call(capsys, "verify", dossier)[0] in (0, 1, 2)


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "nothing", "huge"])
def test_what_never_ends_is_refused_with_a_sentence(capsys, tmp_path, command, kind):
    file = tmp_path / "match.zip"
    if kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "huge":
        with file.open("wb") as out:
            out.truncate(1 << 32)
    status, out, err = call(capsys, command, file)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


def test_names_cannot_put_script_into_the_dossier(kept, capsys, tmp_path):
    out = tmp_path / "dossier.zip"
    call(capsys, "export", "20231114-one", "--state", kept, "--format", "zip", "--out", out)
    with zipfile.ZipFile(io.BytesIO(out.read_bytes())) as archive:
        page = archive.read("index.html").decode()
    assert "Bo &lt;b&gt;" in page
    assert "Bo <b>" not in page


def test_verify_says_that_the_record_holds(kept, capsys):
    status, out, _ = call(capsys, "verify", "20231116-two", "--state", kept, "--json")
    told = json.loads(out)
    assert (status, told["problems"], told["pictures"]["changed"]) == (0, [], 0)
    assert told["pictures"]["there"] > 5
    head = told["heads"]["20231116-two"]
    assert call(capsys, "verify", "20231116-two", "--state", kept, "--head", head)[0] == 0
    assert call(capsys, "verify", "--state", kept)[0] == 0
    status, out, _ = call(capsys, "verify", "20231116-two", "--state", kept, "--head", "0" * 64)
    assert (status, "tail is cut" in out) == (1, True)


def copied(kept, tmp_path):
    for file in kept.rglob("*"):
        target = tmp_path / "copy" / file.relative_to(kept)
        if file.is_dir():
            target.mkdir(parents=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    return tmp_path / "copy"


def test_verify_finds_a_changed_row_a_changed_picture_and_counts_those_that_are_gone(kept, capsys, tmp_path):
    folder = copied(kept, tmp_path)
    shown = sorted((folder / "pictures").glob("*.jpg"))
    shown[0].write_bytes(b"another picture")
    shown[1].unlink()
    status, out, _ = call(capsys, "verify", "last", "--state", folder, "--json")
    told = json.loads(out)
    assert (status, len(told["problems"]), told["pictures"]["gone"]) == (1, 1, 1)
    assert "has been changed" in told["problems"][0]
    lines = match_files(folder)[1].read_bytes().splitlines(keepends=True)
    lines[6] = lines[6].replace(b'{"at_ms":17', b'{"at_ms":18')
    match_files(folder)[1].write_bytes(b"".join(lines))
    status, out, _ = call(capsys, "verify", "20231116-two", "--state", folder)
    assert status == 1
    assert "Event 7 has been altered." in out


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda first: b"", "Event 1 is missing"),
        (lambda first: first.replace(b'"MatchBegan"', b'"MatchBegun"', 1), "Event 1 has been altered"),
    ],
    ids=["missing", "altered"],
)
@pytest.mark.parametrize("name", ["20231116-two", "last"])
def test_a_match_without_its_beginning_is_still_examined(kept, capsys, tmp_path, broken, said, name):
    folder = copied(kept, tmp_path)
    first, *rest = match_files(folder)[1].read_bytes().splitlines(keepends=True)
    match_files(folder)[1].write_bytes(b"".join([broken(first), *rest]))
    status, out, _ = call(capsys, "verify", name, "--state", folder)
    assert (status, said in out) == (1, True)


def test_a_match_that_is_not_there_and_no_journal_are_one_sentence(kept, capsys, tmp_path):
    for arguments in (
        ("export", "1999", "--state", kept, "--format", "mat"),
        ("export", "2023", "--state", kept, "--format", "mat"),
        ("matches", "--state", tmp_path / "nowhere"),
        ("verify", "--state", kept, "--head", "abc"),
        ("export", "last", "--state", kept, "--format", "mat", "--out", tmp_path / "no" / "such" / "folder"),
    ):
        status, out, err = call(capsys, *arguments)
        assert (status, out) == (2, "")
        assert err.strip().endswith(".")
        assert "Traceback" not in err


@pytest.mark.parametrize("journal", [False, True], ids=["nothing there", "an empty journal"])
def test_before_the_first_match_lists_are_empty_and_no_mistake(capsys, tmp_path, journal):
    if journal:
        Journal(tmp_path).close()
    where = ["--state", str(tmp_path)]
    assert main(["matches", *where]) == 0
    assert capsys.readouterr().out == "There are no matches yet.\n"
    assert main(["matches", "--json", *where]) == 0
    assert capsys.readouterr().out == ""
    assert main(["stats", "--json", *where]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 0
    assert main(["verify", "--json", *where]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == []
    assert main(["export", "last", "--format", "mat", *where]) == 2
    assert capsys.readouterr().err == "There are no matches yet.\n"


@pytest.mark.parametrize(
    "command", [["matches"], ["verify"], ["stats"], ["export", "last", "--format", "mat"]]
)
@pytest.mark.parametrize("below", ["", "board", "board/state"])
def test_file_in_the_place_of_the_state_folder_is_said(capsys, tmp_path, command, below):
    (tmp_path / "file").write_text("mine")
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[keep]\nfolder = "file/{below}"\n')
    status, out, err = call(capsys, *command, "--config", settings)
    assert (status, out) == (2, "")
    assert (
        err == f"There can be no matches in {tmp_path / 'file' / below}: {tmp_path / 'file'} is no folder.\n"
    )


def test_statistics_count_faces_rolls_and_cocked_throws(kept, capsys):
    status, out, _ = call(capsys, "stats", "--state", kept, "--json")
    told = json.loads(out)
    assert (status, told["matches"]) == (0, 2)
    every = told["all"]
    assert sum(every["pairs"].values()) == every["rolls"]
    assert every["cocked"] > 0
    assert every["seen"] > 5
    assert every["cocked"] == sum(one["cocked"] for one in told["players"].values())
    one_match = json.loads(call(capsys, "stats", "last", "--state", kept, "--json")[1])
    assert one_match["all"]["rolls"] < every["rolls"]
    assert "too few" in call(capsys, "stats", "last", "--state", kept)[1]


def rolls_of(table):
    return sum((tally.rolls for tally in tallies([table]).values()), Counter())


def test_a_corrected_roll_counts_as_what_it_was(kept):
    with closing(Archive(kept)) as archive:
        table = fold(archive.events("20231114-one"))
    entry = next(entry for entry in table.entries if isinstance(entry.event, RollTyped))
    told = entry.event.roll
    other = Roll(5, 5) if told == Roll(6, 6) else Roll(6, 6)
    amended = step(table, Amended(entry.number, RollTyped(other))).table
    before, after = rolls_of(table), rolls_of(amended)
    assert after[other] >= before[other] + 1
    assert after[told] <= before[told] - 1


def test_a_match_is_analysed(kept, capsys):
    try:
        find_gnubg()
    except GnubgError as error:
        pytest.skip(str(error))
    status, out, _ = call(capsys, "analyse", "20231114-one", "--state", kept, "--plies", "0", "--json")
    told = json.loads(out)
    assert status == 0
    assert told["players"] == ["Ann", "Bo <b>"]
    assert all(one["error_total"] > 0 and one["decisions"] > 5 for one in told["figures"])
    assert len(told["worst"]) == 5
    losses = [one["loss"] for one in told["worst"]]
    assert losses == sorted(losses, reverse=True)
    assert len(told["worst"][0]["diagram"]) == 13
    status, out, err = call(capsys, "analyse", "last", "--state", kept, "--plies", "0")
    assert "picture: " in out
    assert err.splitlines()[-1].endswith("1 of 1 game analysed.")


def test_without_gnubg_the_analysis_says_how_to_get_it(kept, capsys, monkeypatch):
    monkeypatch.setattr("companion.service.gnubg.PLACES", ())
    monkeypatch.setenv("PATH", "")
    status, out, err = call(capsys, "analyse", "last", "--state", kept)
    assert (status, out) == (2, "")
    assert "apt install gnubg" in err


@pytest.mark.parametrize("name", ["catalogue.sqlite", "catalogue.sqlite-wal", "matches/gaps.jsonl"])
def test_pipe_among_the_files_makes_nobody_wait(kept, capsys, tmp_path, name):
    folder = copied(kept, tmp_path)
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    assert call(capsys, "matches", "--state", folder)[0] == 0
    status, out, err = call(capsys, "verify", "--state", folder)
    assert (status, "is no file" in out + err) == (2 if "gaps" in name else 0, True)


def test_no_byte_of_the_folder_makes_a_list_or_a_check_fail(kept, capsys, tmp_path):
    folder, rng = copied(kept, tmp_path), random.Random(8)
    call(capsys, "matches", "--state", folder)
    files = [folder / "catalogue.sqlite", *match_files(folder), *sorted((folder / "pictures").iterdir())[:1]]
    for file in files:
        whole = file.read_bytes()
        for _ in range(8):
            data = bytearray(whole)
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            file.write_bytes(data)
            assert call(capsys, "matches", "--state", folder)[0] in (0, 1)
            status = call(capsys, "verify", "--state", folder)[0]
            assert status == (file.name != "catalogue.sqlite")
        file.write_bytes(whole)
