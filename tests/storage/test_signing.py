"""What this table signs, and what each attack on a record leaves to be found (docs/RECORD.md)."""

import json
import random
import stat
from contextlib import closing

import pytest

from companion.__main__ import main
from companion.game.events import Evidence, Thrown
from companion.game.state import GameOver, MatchOver
from companion.game.state_machine import step
from companion.game.table import Table
from companion.records.rows import GENESIS, event_from, row_of
from companion.rules.family.profiles import ALL_PROFILES
from companion.service.archive.sheet import sheet_of
from companion.storage.archive import Archive
from companion.storage.backup import back_up, restore
from companion.storage.fallback import Backlog
from companion.storage.folder import KEY_FILE, MATCHES, SIGNED
from companion.storage.journal import Journal
from companion.storage.lines import line_of, match_files
from companion.storage.pictures import Pictures
from companion.storage.signing import Signing, public_key, read_statements
from tests.support.script import Script
from tests.support.selfplay import began, played_match


def is_over(table):
    return isinstance(table.state.phase, (GameOver, MatchOver))


def keep(backlog, match_id, events):
    table = Table()
    for event in events:
        table = step(table, event).table
        backlog.keep(match_id, event, ends=is_over(table))
    return table


def opened(folder):
    """The backlog of a state folder that signs, as the program opens it."""
    journal = Journal(folder)
    signing = Signing(folder)
    signing.begin(journal.last_match_id)
    return Backlog(journal, signing=signing)


def first_match(match_id="m1", seed=2):
    return list(played_match(random.Random(seed), began(1, at_ms=1_700_000_000_000, match_id=match_id)))


def seen_match(pictures):
    """A match of one game: an opening and a roll with pictures, then a double that is passed."""
    script = Script(length=1)
    script.table = step(Table(), began(0, at_ms=5, match_id="seen")).table
    script.opening_thrown(3, 1).play("8/5 6/5").do("done").thrown(6, 4, by=script.state.phase.side)
    script.play("24/14").do("done").do("double").do("pass")
    for entry in script.table.entries:
        event = entry.event
        if isinstance(event, Thrown):
            name, digest = pictures.keep(b"\xff\xd8 picture of event " + str(entry.number).encode() * 400)
            event = Thrown(event.dice, evidence=Evidence(name, digest), at_ms=event.at_ms, by="camera")
        yield event


@pytest.fixture
def folder(tmp_path):
    """A state folder with two signed matches, the second with pictures."""
    place = tmp_path / "state"
    place.mkdir()
    (place / "pictures").mkdir()
    backlog = opened(place)
    pictures = Pictures(place / "pictures", 1 << 20, backlog.signing.note_removed)
    keep(backlog, "m1", first_match())
    keep(backlog, "seen", seen_match(pictures))
    assert backlog.close() == ""
    return place


def verified(capsys, folder, *more):
    """Exit status, and the answer of `companion verify --json`."""
    status = main(["verify", *map(str, more), "--state", str(folder), "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_a_match_is_signed_at_its_end_with_the_table_s_key(folder, capsys):
    assert stat.S_IMODE((folder / KEY_FILE).stat().st_mode) == 0o600
    status, answer = verified(capsys, folder)
    assert (status, answer["problems"]) == (0, [])
    assert answer["key"] == public_key(folder)
    for signed in answer["signed"]:
        assert signed["number"] == signed["events"]
        assert (signed["key"], signed["late"]) == (answer["key"], False)
    assert main(["verify", "m1", "--state", str(folder)]) == 0
    assert f"signed with the table's key, {answer['key']}." in capsys.readouterr().out
    assert verified(capsys, folder, "m1", "--key", answer["key"])[0] == 0


def test_the_key_is_made_once(folder):
    key = public_key(folder)
    opened(folder).close()
    assert public_key(folder) == key
    assert [one.about for one in read_statements(folder)[0]].count("key") == 1


def rechained(file, change, previous=None):
    """The attack of one script: change an event of a match, and compute every digest after it anew."""
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    rows, previous = [], previous or lines[0]["previous"]
    for line in lines:
        event = event_from(change(line["body"]))
        rows.append(row_of(event, line["match"], line["number"], previous))
        previous = rows[-1].digest
    file.write_bytes(b"".join(map(line_of, rows)))
    return previous


def renamed(body):
    return {**body, "north": "Another"} if body["event"] == "MatchBegan" else body


def rechained_whole(folder):
    """All matches computed anew from a changed one on: the chain of digests holds throughout."""
    previous = GENESIS
    for file in match_files(folder):
        previous = rechained(file, renamed, previous)


def test_a_match_computed_anew_does_not_have_the_head_that_was_signed(folder, capsys):
    head = verified(capsys, folder, "m1")[1]["heads"]["m1"]
    rechained_whole(folder)
    status, answer = verified(capsys, folder, "m1")
    assert status == 1
    assert any(
        "is not the one that was signed: the record has been replaced" in one for one in answer["problems"]
    )
    assert verified(capsys, folder, "m1", "--head", head)[0] == 1


def test_a_match_computed_anew_that_cannot_be_replayed_is_found_by_its_signature(folder, capsys):
    def later(body):
        return (
            {**body, "event": "NextGame", "swap_seats": False, "orientation": None}
            if "roll" in body
            else body
        )

    def cut(body):
        kept = ("at_ms", "by", "event", "swap_seats", "orientation")
        return {name: body[name] for name in kept} if body["event"] == "NextGame" else body

    rechained(match_files(folder)[0], lambda body: cut(later(body)))
    status, answer = verified(capsys, folder, "m1")
    assert (status, "is not the one that was signed" in answer["problems"][0]) == (1, True)


def test_without_its_signature_a_match_computed_anew_is_found_unsigned(folder, capsys):
    rechained_whole(folder)
    file = folder / MATCHES / SIGNED
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(line for line in lines if b'"about":"match"' not in line))
    status, answer = verified(capsys, folder, "m1")
    assert (status, answer["problems"]) == (
        1,
        ["The end of the match is not signed, or its signature was removed."],
    )


def test_a_match_signed_anew_with_another_key_is_found_by_the_key_of_the_score_sheet(folder, capsys):
    """The whole folder forged, with a key of the forger's: nothing in it contradicts anything else."""
    key, head = public_key(folder), verified(capsys, folder, "m1")[1]["heads"]["m1"]
    rechained_whole(folder)
    (folder / MATCHES / SIGNED).unlink()
    (folder / KEY_FILE).unlink()
    forger = Signing(folder)
    forger.begin(None)
    with closing(Archive(folder)) as archive:
        for match in ("m1", "seen"):
            forger.sign(archive.rows(match)[-1])
    assert verified(capsys, folder)[0] == 0
    status, answer = verified(capsys, folder, "m1", "--key", key)
    assert (status, "signed with another key" in answer["problems"][0]) == (1, True)
    assert verified(capsys, folder, "m1", "--head", head)[0] == 1


def test_a_foreign_key_in_the_list_is_not_this_table_s(folder, capsys, tmp_path):
    rechained_whole(folder)
    elsewhere = tmp_path / "forger"
    (elsewhere / MATCHES).mkdir(parents=True)
    forger = Signing(elsewhere)
    forger.begin(None)
    with closing(Archive(folder)) as archive:
        forger.sign(archive.rows("m1")[-1])
    (folder / MATCHES / SIGNED).write_bytes((elsewhere / MATCHES / SIGNED).read_bytes())
    status, answer = verified(capsys, folder, "m1")
    assert (status, "signed with another key" in answer["problems"][0]) == (1, True)


def test_a_cut_tail_is_found_by_the_signature(folder, capsys):
    file = match_files(folder)[1]
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-2]))
    status, answer = verified(capsys, folder, "seen")
    assert (status, "the tail is cut" in answer["problems"][0]) == (1, True)


def test_a_changed_byte_is_found(folder, capsys):
    file = match_files(folder)[0]
    file.write_bytes(file.read_bytes().replace(b'"length":1', b'"length":3', 1))
    status, answer = verified(capsys, folder, "m1")
    assert (status, "altered" in answer["problems"][0]) == (1, True)


def test_a_changed_line_of_the_list_is_found(folder, capsys):
    file = folder / MATCHES / SIGNED
    file.write_bytes(file.read_bytes().replace(b'"match":"m1"', b'"match":"m9"', 1))
    assert verified(capsys, folder)[0] == 1
    assert read_statements(folder)[1] == 1


def test_a_picture_deleted_by_hand_is_missing(folder, capsys):
    name = next((folder / "pictures").glob("*.jpg"))
    name.unlink()
    status, answer = verified(capsys, folder, "seen")
    assert (status, answer["pictures"]["missing"]) == (1, 1)
    [problem] = answer["problems"]
    assert problem.startswith(f"The picture {name.name} of event ")
    assert problem.endswith(" is missing, and the quota did not remove it.")


def test_a_picture_removed_by_the_quota_is_no_problem(folder, capsys):
    backlog = opened(folder)
    small = Pictures(folder / "pictures", 1200, backlog.signing.note_removed)
    small.keep(b"\xff\xd8 the next match's" * 60)
    backlog.close()
    status, answer = verified(capsys, folder, "seen")
    assert (status, answer["problems"]) == (0, [])
    assert answer["pictures"]["removed"] == answer["pictures"]["gone"] == 2


def test_pictures_from_before_the_list_cannot_be_told_apart(folder, capsys):
    (folder / MATCHES / SIGNED).unlink()
    for file in (folder / "pictures").glob("*.jpg"):
        file.unlink()
    assert main(["verify", "seen", "--state", str(folder)]) == 0
    assert "cannot show whether the quota or somebody removed 2 of them" in capsys.readouterr().out


def test_a_list_that_a_power_cut_ended_within_a_line_goes_on(folder):
    file = folder / MATCHES / SIGNED
    whole, _ = read_statements(folder)
    with file.open("ab") as out:
        out.write(b'{"about":"mat')
    backlog = opened(folder)
    keep(backlog, "m3", first_match("m3", seed=3))
    backlog.close()
    statements, bad = read_statements(folder)
    assert bad == 0
    assert statements[: len(whole)] == whole
    assert statements[-1].match == "m3"


def test_what_cannot_be_written_waits(folder):
    backlog = opened(folder)
    file = folder / MATCHES / SIGNED
    kept = file.read_bytes()
    file.unlink()
    file.mkdir()
    table = keep(backlog, "m3", first_match("m3", seed=3))
    assert is_over(table)
    assert backlog.signing.trouble
    assert backlog.signing.latest("m3") is None
    file.rmdir()
    file.write_bytes(kept)
    assert backlog.catch_up()
    assert backlog.signing.trouble == ""
    assert backlog.signing.latest("m3").head == backlog.head
    backlog.close()


def test_a_match_broken_off_is_signed_when_the_next_one_begins(folder):
    backlog = opened(folder)
    keep(backlog, "m3", first_match("m3", seed=3)[:5])
    assert backlog.signing.latest("m3") is None
    keep(backlog, "m4", first_match("m4", seed=4)[:1])
    assert backlog.signing.latest("m3").number == 5
    backlog.close()


def test_key_and_signatures_go_with_a_backup(folder, capsys, tmp_path):
    backup, fresh = tmp_path / "backup.tar.gz", tmp_path / "fresh"
    back_up(folder, backup)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    restore(backup, fresh)
    assert public_key(fresh) == public_key(folder)
    assert stat.S_IMODE((fresh / KEY_FILE).stat().st_mode) == 0o600
    assert verified(capsys, fresh)[0] == 0


def test_score_sheet_of_an_earlier_match_keeps_its_signature_after_a_restart(folder):
    backlog, tables = opened(folder), []
    for number in (1, 2, 3):
        tables.append(keep(backlog, f"m{number}", first_match(f"m{number}", seed=number)))
    assert backlog.close() == ""
    again = opened(folder)
    for table, number in zip(tables, (1, 2, 3), strict=True):
        signed = sheet_of(table, again, ALL_PROFILES)["signed"]
        assert signed == again.signing.of_match(f"m{number}")[-1].as_head()
    assert again.close() == ""


def test_a_dossier_carries_its_signatures(folder, capsys, tmp_path):
    out = tmp_path / "seen.zip"
    assert main(["export", "seen", "--state", str(folder), "--format", "zip", "--out", str(out)]) == 0
    key = public_key(folder)
    assert main(["verify", str(out), "--key", key, "--json"]) == 0
    [signed] = json.loads(capsys.readouterr().out)["signed"]
    assert (signed["key"], signed["number"] == signed["events"]) == (key, True)
    assert main(["verify", str(out), "--key", "0" * 64]) == 1
