"""OGXM files: written from a match, read by the reference codec, signed."""

import json

import ogxm
import pytest

from companion.errors import UserError
from companion.game.events import Evidence, Thrown
from companion.game.state_machine import step
from companion.game.table import Table
from companion.records.ogxm.document import document
from companion.records.ogxm.ogid import ogid_of
from companion.records.ogxm.signed import checked, ogxm_bytes
from companion.rules.board import Side
from companion.rules.referee import DieAtRest, Rest, right_half
from companion.storage.signing import holds
from tests.bench.ogxm import BEGAN_MS, faults, random_match, table_signer
from tests.support.records.ogxm_file import differences
from tests.support.script import Script
from tests.support.selfplay import began

# an illegal play, a beaver taken, a beaver passed, hypergammon; the hundred are made by tests/bench/ogxm.py
DIGEST = "ab" * 32
SEEDS = (1, 2, 69)


@pytest.mark.parametrize("seed", SEEDS)
def test_reference_codec_reads_what_was_played(seed: int) -> None:
    assert list(faults(random_match(seed), table_signer())) == []


def test_comparison_finds_what_differs() -> None:
    table = random_match(1)
    read = ogxm.binary_to_json(ogxm_bytes(document(table), None, 0))
    wrong = json.loads(json.dumps(read))
    wrong["games"][0]["points_won"] += 1
    wrong["games"][0]["plies"][2]["ogid_after"] = wrong["games"][0]["plies"][0]["ogid_after"]
    wrong["games"][0]["plies"][3]["timestamp_ms"] += 10
    assert list(differences(table, read)) == []
    assert len(list(differences(table, wrong))) == 3


def test_any_byte_changed_breaks_a_signature() -> None:
    table, signer = short_match(), table_signer()
    data = ogxm_bytes(document(table), signer, BEGAN_MS)
    assert checked(data, holds, signer.key).problems == ()
    for at in range(len(data)):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        assert checked(changed, holds, signer.key).problems, at


def test_another_table_s_key_is_named() -> None:
    data = ogxm_bytes(document(short_match()), table_signer(), BEGAN_MS)
    assert "another key" in checked(data, holds, "00" * 32).problems[0]


def test_file_without_our_signature_is_called_unsigned() -> None:
    data = ogxm_bytes(document(short_match()), None, BEGAN_MS)
    assert checked(data, holds).problems == ("It is not signed by a board companion.",)
    assert checked(b"OGXM nonsense", holds).document is None


def test_entry_game_has_no_such_file() -> None:
    table = step(Table(), began(profile="spielestart", length=1)).table
    with pytest.raises(UserError, match="json"):
        document(table)


def redoubled_after_a_raccoon() -> Table:
    script = Script(length=0, beaver="everywhere", raccoon="everywhere")
    script.opening(6, 5).play("24/13").do("done").do("double").do("beaver").do("raccoon").do("take")
    return script.do("roll", dice=[3, 1]).play("8/4").do("done").do("double").do("take").table


def test_cube_after_a_raccoon_is_his_who_took_it() -> None:
    table = redoubled_after_a_raccoon()
    data = ogxm_bytes(document(table), (signer := table_signer()), BEGAN_MS)
    read = checked(data, holds, signer.key)
    assert read.problems == ()
    assert list(differences(table, read.document)) == []
    cubes = [ply["ogid_after"].split(":")[2] for ply in read.document["games"][0]["plies"]]
    assert cubes == ["N0N", "N0O", "W2T", "B3T", "W3T", "W3N", "W3O", "B4T"]


def doubled_after_an_illegal_first_play() -> Table:
    script = Script(length=3).opening(3, 1)
    script.do("play", moves=[[13, 8]], made=True).do("done").do("condone").do("double").do("take")
    return script.turn(6, 5, "24/13").table


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(Script(length=1).table, id="nothing thrown"),
        pytest.param(Script(length=1).opening(3, 1).table, id="no turn ended"),
        pytest.param(doubled_after_an_illegal_first_play(), id="doubled after an illegal first play"),
    ],
)
def test_match_that_the_codec_refuses_is_refused_in_a_sentence(table: Table) -> None:
    with pytest.raises(UserError, match=r"No \.ogxm can hold this match as it stands"):
        ogxm_bytes(document(table), table_signer(), BEGAN_MS)


def short_match() -> Table:
    """A match to one point: a roll with a picture, an illegal play that stands, a resignation."""
    script = Script(length=1).opening(3, 1).play("8/5 6/5").do("done")
    half = right_half(Side.NORTH)
    dice = (DieAtRest(6, Rest.FLAT, half, 0.0), DieAtRest(5, Rest.FLAT, half, 0.0))
    seen = Evidence("000012.jpg", DIGEST)
    script.now_ms += 1234
    script.take(Thrown(dice, evidence=seen, at_ms=script.now_ms, by="camera"))
    script.do("play", moves=[[24, 14]], made=True).do("done").do("condone")
    return script.do("resign", side="south", worth=1).do("accept").table


def test_picture_and_illegal_play_are_in_the_file() -> None:
    read = ogxm.binary_to_json(ogxm_bytes(document(short_match()), None, 0))
    assert {"key": "x-companion-picture", "scope": "ply", "ref": 1, "value": f"sha256:{DIGEST}"} in read[
        "annotations"
    ]
    illegal = read["games"][0]["plies"][1]
    assert (illegal["illegal"], illegal["d1"], illegal["d2"]) == (True, 6, 5)
    assert read["games"][0]["plies"][-1]["resign_value"] == "single"
    assert (read["games"][0]["winner"], read["games"][0]["points_won"]) == (1, 1)


@pytest.mark.parametrize("seed", [1, 2])
def test_ogid_is_the_one_that_the_codec_replays(seed: int) -> None:
    table = random_match(seed)
    read = ogxm.binary_to_json(ogxm_bytes(document(table), None, 0))
    ours = {ogid_of(entry.state) for entry in table.entries}
    turns = [ply for game in read["games"] for ply in game["plies"][1:] if ply["action_id"] <= 20]
    before = [ply["ogid_before"] for ply in turns if ply["moves"]]  # a dance ends the turn at once
    offers = [ply["ogid_after"] for game in read["games"] for ply in game["plies"] if ply["action_id"] == 21]
    codec = {_comparable(one) for one in before + offers}
    assert before
    assert codec <= ours


def _comparable(ogid: str) -> str:
    """A codec's OGID sorted, without the count of moves and the take before it: a position of ours has no past."""
    fields = ogid.split(":")[:9]
    fields[:2] = ["".join(sorted(one)) for one in fields[:2]]
    fields[2] = fields[2].replace("T", "N")
    return ":".join(fields)
