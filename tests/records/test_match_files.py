"""Match files of eXtreme Gammon and BGBlitz: each says of a match what its `.mat` says."""

import gzip
import json
import random
import re
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.__main__ import main
from companion.errors import GameError
from companion.game.state_machine import fold
from companion.records.analysers.match_files import XG_HEAD, transcript_of
from companion.records.export import mat_text
from companion.records.mat.reader import read_mat
from companion.records.replay import replay
from companion.records.transcript import BadFileError, CubeDecision, Game, RollMade, Transcript, Won
from tests.support.records.analyser_files import XgFile, bgf_file, smile
from tests.support.selfplay import began, played_match

WRITERS: dict[str, Callable[[Transcript], bytes]] = {
    "xg": lambda match: XgFile(match).content(),
    "bgf": bgf_file,
}


def random_match(seed: int, length: int = 5, south: str = "Ann", north: str = "Bob") -> Transcript:
    """A match played by chance, as its `.mat` says it."""
    first = began(length, south=south, north=north)
    return read_mat(mat_text(fold(list(played_match(random.Random(seed), first)))))


def told(match: Transcript) -> list[object]:
    """What every format holds of a match: rolls, cube and results, by the players' names, whoever is the first."""
    return [
        (
            [_told(match, action) for action in game.actions if isinstance(action, RollMade | CubeDecision)],
            sorted(zip(match.players, game.score, strict=True)),
            game.crawford,
            game.won and (match.players[game.won.player], game.won.points),
        )
        for game in match.games
    ]


def _told(match: Transcript, action: RollMade | CubeDecision) -> tuple[str, object]:
    what = sorted(action.dice) if isinstance(action, RollMade) else action.kind
    return match.players[action.player], what


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("south", ["Ann", "Zoe"])
@pytest.mark.parametrize("seed", range(5))
def test_file_says_what_the_mat_says(ending: str, south: str, seed: int) -> None:
    match = random_match(seed, south=south)
    found = transcript_of(WRITERS[ending](match))
    assert found.length == match.length
    assert told(found) == told(match)
    assert replay(found).illegal == replay(match).illegal == []
    assert replay(found).plays == replay(match).plays


@pytest.mark.parametrize("ending", WRITERS)
def test_illegal_play_is_found(ending: str) -> None:
    rolls = (
        RollMade(0, 1, (3, 1), "8/5 6/5"),
        RollMade(1, 1, (4, 2), "8/4 13/11"),
        RollMade(0, 2, (6, 5), "24/14"),
    )
    match = Transcript(("Ann", "Bob"), 5, (Game(1, (0, 0), (*rolls, Won(0, 1))),))
    illegal = replay(transcript_of(WRITERS[ending](match))).illegal
    assert [(one.player, one.dice) for one in illegal] == [(0, (6, 5))]


def test_command_replays_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = random_match(3)
    for ending, write in WRITERS.items():
        file = tmp_path / f"evening.{ending}"
        file.write_bytes(write(match))
        assert main(["replay", "--json", str(file)]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["illegal"], answer["games"]) == ([], len(match.games))


REFUSED = {
    "no analysis, so no plays": (
        XgFile(random_match(1), analysed=False).content(),
        "turns without their plays",
    ),
    "nackgammon": (XgFile(random_match(1), variation=1).content(), "does not begin at the start"),
    "set up by hand": (XgFile(random_match(1), start=[0, -2, 2, *[0] * 23]).content(), "does not begin"),
    "cut short": (XgFile(random_match(1)).content()[:5000], "cut short"),
    "no match in it": (b"RGMH" + bytes(XG_HEAD) + zlib.compress(b"x" * 100), "cannot be read (ValueError)"),
    "unpacks without end": (b"RGMH" + bytes(XG_HEAD - 4) + zlib.compress(bytes(80 << 20)), "far larger"),
    "bgf without games": (b"{}\n" + gzip.compress(b":)\n\x00" + smile({"matchlen": 5})), "no game in it"),
    "bgf cut short": (bgf_file(random_match(1))[:-200], "cannot be read"),
    "bgf that unpacks without end": (b"{}\n" + gzip.compress(bytes(80 << 20)), "far larger"),
}


@pytest.mark.parametrize(("data", "why"), REFUSED.values(), ids=REFUSED)
def test_file_that_cannot_be_read_is_refused_with_a_reason(data: bytes, why: str) -> None:
    with pytest.raises(BadFileError, match=re.escape(why)):
        transcript_of(data)


@pytest.mark.parametrize(
    ("ending", "out"),
    [
        ("xg", "there, save the match as .mat or .txt and take that file"),
        ("bgf", "there, save the match as .sgf or .mat and take that file"),
    ],
)
def test_without_the_library_the_way_out_is_named(
    ending: str, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        sys.modules, "gvformat", None
    )  # as Python has it for a module that cannot be imported
    with pytest.raises(BadFileError, match="gammonview") as refusal:
        transcript_of(WRITERS[ending](random_match(1)))
    assert out in str(refusal.value)


@pytest.mark.parametrize("ending", WRITERS)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_damaged_file_is_read_or_refused(ending: str, data: st.DataObject) -> None:
    content = bytearray(DAMAGED[ending])
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with suppress(GameError):
        transcript_of(bytes(content))


DAMAGED = {ending: write(random_match(2, 3)) for ending, write in WRITERS.items()}
