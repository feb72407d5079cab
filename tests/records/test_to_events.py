"""Match files as events: what is written again from them is what was read."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.game.events import MatchBegan
from companion.game.state import MatchOver, State
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.protocol.match_setup import settings_of
from companion.records.analysers.match_files import transcript_of
from companion.records.analysers.ogxm_files import ogxm_transcript
from companion.records.analysers.to_events import SeveralMatchesError, events_of
from companion.records.export import mat_text, sgf_text
from companion.records.ogxm.document import document
from companion.records.ogxm.signed import ogxm_bytes
from companion.records.to_transcript import transcribe
from companion.records.transcript import BadFileError, Resignation, Transcript
from companion.rules.board import Side
from companion.rules.profiles import PROFILES
from tests.support.records.analyser_files import XgFile, bgf_file
from tests.support.selfplay import began, played_match, with_illegal_plays

FILES = Path(__file__).parents[1] / "data" / "matches"
LENGTHS = (0, 1, 3, 5, 7)


def opened(match: Transcript, **changes: object) -> Table:
    """The table after the events of a transcript."""
    profile = PROFILES[match.start if match.start in PROFILES else "modern"].with_overrides(changes)
    return fold(
        events_of(match, MatchBegan("m1", *match.players, match.length, profile.name, settings_of(profile)))
    )


def random_table(seed: int, profile: str = "modern", *, illegal: bool = False) -> Table:
    rng = random.Random(seed)
    first = began(rng.choice(LENGTHS), profile)
    return with_illegal_plays(rng, first) if illegal else fold(list(played_match(rng, first)))


def points_of(state: State) -> dict[str, int]:
    return {state.name(Side.SOUTH): state.score.south, state.name(Side.NORTH): state.score.north}


def games_of(table: Table, *, placing: bool) -> list[object]:
    """Scores and actions; a `.mat` that ends a game otherwise than its plays do reads as a resignation."""
    assert table.state is not None
    match = transcribe(table.state, placing=placing).transcript
    return [
        (
            game.number,
            game.score,
            game.crawford,
            [one for one in game.actions if placing or not isinstance(one, Resignation)],
        )
        for game in match.games
    ]


@pytest.mark.parametrize("illegal", [False, True], ids=["legal", "illegal"])
@pytest.mark.parametrize(("write", "placing"), [(mat_text, False), (sgf_text, True)], ids=["mat", "sgf"])
@pytest.mark.parametrize("seed", range(6))
def test_text_comes_back(seed: int, write: Callable[[Table], str], placing: bool, illegal: bool) -> None:
    table = random_table(seed, illegal=illegal)
    again = opened(transcript_of(write(table).encode()))
    assert games_of(again, placing=placing) == games_of(table, placing=placing)
    assert again.state is not None
    assert table.state is not None
    assert again.state.score == table.state.score
    assert isinstance(again.state.phase, MatchOver) == isinstance(table.state.phase, MatchOver)


@pytest.mark.parametrize("profile", ["modern", "wbgf", "nackgammon", "hypergammon"])
@pytest.mark.parametrize("seed", range(4))
def test_ogxm_comes_back_with_its_illegal_plays(seed: int, profile: str) -> None:
    table = random_table(seed, profile, illegal=seed % 2 == 1)
    written = document(table)
    match = ogxm_transcript(ogxm_bytes(written, None, 0))
    jacoby = "money_play" if match.headers["rules"] else "never"
    again = document(opened(match, jacoby=jacoby, beaver="everywhere", raccoon="everywhere"))
    for one in (written, again):
        for game in one["games"]:
            for ply in game["plies"]:
                ply.pop("timestamp_ms", None)
    assert again["games"] == written["games"]
    assert [again[name] for name in ("player_white", "player_black", "variant", "match_length")] == [
        written[name] for name in ("player_white", "player_black", "variant", "match_length")
    ]


@pytest.mark.parametrize("write", [lambda match: XgFile(match).content(), bgf_file], ids=["xg", "bgf"])
@pytest.mark.parametrize("seed", range(3))
def test_files_of_analysers_lead_to_the_same_score(seed: int, write: Callable[[Transcript], bytes]) -> None:
    first = began(5)
    match = transcript_of(mat_text(fold(list(played_match(random.Random(seed), first)))).encode())
    state, again = opened(match).state, opened(transcript_of(write(match))).state
    assert state is not None
    assert again is not None
    assert points_of(again) == points_of(state)


@pytest.mark.parametrize("name", sorted(file.name for file in FILES.glob("*.*") if file.suffix != ".md"))
def test_files_of_others_lead_to_their_own_score(name: str) -> None:
    match = transcript_of((FILES / name).read_bytes())
    state = opened(match, beaver="everywhere").state
    assert state is not None
    assert (state.score.south, state.score.north) == match.score


def test_several_matches_are_refused() -> None:
    one = sgf_text(random_table(1)) + sgf_text(random_table(2))
    with pytest.raises(SeveralMatchesError):
        opened(transcript_of(one.encode()))


def test_games_after_the_end_of_the_match_are_refused() -> None:
    text = (FILES / "gnubg_sample7.mat").read_text("utf-8")
    with pytest.raises(BadFileError):
        opened(transcript_of(text.replace("7 point match", "1 point match").encode()))


@pytest.mark.parametrize("data", [b"OGXM", b"OGXM\x02\x00\x02\x00" + b"\x00" * 50], ids=["mark", "zeros"])
def test_damaged_ogxm_is_refused(data: bytes) -> None:
    with pytest.raises(BadFileError):
        ogxm_transcript(data)


def test_stream_of_matches_is_refused() -> None:
    one, other = (
        ogxm_bytes(document(fold(list(played_match(random.Random(seed), began(1))))), None, 0)
        for seed in (1, 2)
    )
    with pytest.raises(SeveralMatchesError):
        ogxm_transcript(one + other)
