"""Recordings that lack frames: no roll is invented, no turn vanishes, and what is not sure is among the doubts."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.commands._review import Review
from companion.inference.findings import Kind, TurnOpen, TurnSeen
from companion.inference.opening import StartSeen
from companion.inference.views import physical_counts
from companion.rules.board import Roll, Side
from companion.rules.profiles import PROFILES
from companion.service.checkers.following import GameFollower, ThrowRuled
from companion.service.checkers.tape import Tape
from tests.support.camera.checker_views import random_game
from tests.support.camera.scripted_game import SEATS, ScriptedCheckers, ScriptedWatcher, recording
from tests.support.camera.stored_game import GAMES, StoredGame
from tests.support.often import TIMES

MODERN = PROFILES["modern"]
TURN, FIRST = 4, 2
"""Frames of a turn in a scripted recording, and those before its first turn."""
ALL, DICE = "its frames", "the frames with its dice"


def scripted_cut(game, gaps):
    """Watcher, checkers and frames of a scripted recording in which turns lack frames: {turn: what it lacks}."""
    frames, script, boards = recording(game)
    dropped = set()
    for number, lacks in gaps.items():
        first = FIRST + TURN * number
        dropped |= set(range(first, first + TURN)) if lacks == ALL else {first, first + TURN - 1}
    kept = [frame for frame in frames if frame.number not in dropped]
    return ScriptedWatcher(script), ScriptedCheckers(boards), kept


class CutGame(StoredGame):
    """A stored game in which throws lack frames: {throw: what it lacks}."""

    def __init__(self, path, gaps, begin=0, end=None):
        super().__init__(path)
        throws = [
            n for n, one in sorted(self._frames.items()) if any(x != "lifted" for x in one.get("seen", ()))
        ]
        ends = [*throws[1:], max(self._frames) + 1]
        last = max(self._frames)
        dropped = set(range(throws[begin])) if begin else set()
        dropped |= set(range(throws[end], last + 1)) if end is not None else set()
        for throw, lacks in gaps.items():
            inside = range(throws[throw], ends[throw])
            quiet = [n for n in inside if n in self._frames]
            dropped |= set(inside)
            if lacks == DICE and len(quiet) > 1:  # the last quiet picture stays
                dropped -= {quiet[-1] - 1, quiet[-1]}
                self._frames[quiet[-1]] |= {"seen": []}
                self._frames.pop(quiet[-1] - 1, None)
        self._dropped = dropped
        self.throws = len(throws)

    def frames(self):
        return (
            frame for frame in super().frames() if min(frame.number, max(self._frames)) not in self._dropped
        )


def followed(folder: Path, watcher, checkers, frames):
    """What a recording has made known, its record, and its review, whose record is read in every format."""
    tape = Tape(watcher, checkers, folder)
    follower = GameFollower(tape, tape, MODERN)
    seen = [one for frame in frames for one in follower.feed(frame)] + follower.finish(frames[-1])
    review = Review(tape, (MODERN, 0, 0), None)
    for ending in ("mat", "sgf", "json"):
        review.transcriber.write(folder / f"record.{ending}")
        assert "by hand" not in (folder / f"record.{ending}").read_text(), "nobody set anything"
    return seen, follower.turns, review


def _on_points(board, orientation):
    """South's and north's checkers on each physical point."""
    counts = physical_counts(board, orientation)
    return counts if orientation.south == "light" else [pair[::-1] for pair in counts]


def check(seen, record, review, truth):
    """The law; `truth` has side, roll, whether it was legal, and the checkers on the points after it of each turn whose
    throw was seen.
    """
    last = {}
    for one in seen:
        if isinstance(one, TurnSeen | TurnOpen):
            last[one.made.number if isinstance(one, TurnSeen) else one.number] = one
    assert sorted(last) == [made.number for made in record], (
        "the record has the turns that were said, and no other"
    )
    orientation = next((one.orientation for one in seen if isinstance(one, StartSeen)), None)
    for made in record:
        said = last[made.number]
        assert made.is_open is isinstance(said, TurnOpen)
        if isinstance(said, TurnSeen):
            assert said.made == made
            is_legal = made.kind is Kind.LEGAL
            assert (made.side, made.roll, is_legal, _on_points(made.after, orientation)) in truth
    thrown = iter(
        [sorted(die.value or 0 for die in one.reading.dice) for one in seen if isinstance(one, ThrowRuled)]
    )
    for made in record:
        assert made.roll is None or sorted(made.roll) in thrown, f"{made.roll} was not seen"
    assert {made.number for made in record if made.is_open} <= {turn.key[1] for turn in review.doubts}
    return last


@settings(max_examples=6 * TIMES, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate))
@given(
    st.integers(0, 10**6),
    st.dictionaries(st.integers(0, 11), st.sampled_from([ALL, DICE]), min_size=1, max_size=3),
)
def test_turns_whose_throws_were_not_seen_are_open(tmp_path_factory, seed, gaps):
    game = random_game(random.Random(seed), illegal=0.1, most=12)
    gaps = {number: lacks for number, lacks in gaps.items() if number < len(game)}
    truth = [
        (one.side, one.roll, one.legal, _on_points(one.after, SEATS))
        for n, one in enumerate(game)
        if n not in gaps
    ]
    check(*followed(tmp_path_factory.mktemp("cut"), *scripted_cut(game, gaps)), truth)


@pytest.mark.parametrize("lacks", [ALL, DICE])
@pytest.mark.parametrize("number", range(8))
def test_illegal_play_whose_throw_was_not_seen_is_open(tmp_path, number, lacks):
    game = next(
        game
        for seed in range(400)
        if len(game := random_game(random.Random(seed), illegal=0.1, most=10)) == 10
        and not game[number].legal
        if all(one.legal for n, one in enumerate(game) if n != number)
    )
    truth = [
        (one.side, one.roll, one.legal, _on_points(one.after, SEATS))
        for n, one in enumerate(game)
        if n != number
    ]
    last = check(*followed(tmp_path, *scripted_cut(game, {number: lacks})), truth)
    assert any(isinstance(one, TurnOpen) for one in last.values())


def truth_of(game: StoredGame, gaps):
    return [
        (
            Side(turn["player"]),
            Roll.of(*turn["roll"]),
            turn["legal"],
            [*zip(turn["after"]["A"], turn["after"]["B"], strict=True)],
        )
        for n, turn in enumerate(game.turns)
        if turn["category"] != "cocked" and n not in gaps
    ]


NAMES = ("rendered_990001", "rendered_990002")
THROWS = {name: len(StoredGame(GAMES / f"{name}.json").turns) for name in NAMES}
CUTS = [
    (name, throws, lacks)
    for name in NAMES
    for throws in [
        *((throw,) for throw in range(THROWS[name])),
        *pairwise(range(THROWS[name])),
    ]
    for lacks in (ALL, DICE)
    if len(throws) == 1 or (lacks == ALL) is bool(throws[0] % 2)
][:: 3 if TIMES == 1 else 1]


@pytest.mark.parametrize(("name", "throws", "lacks"), CUTS, ids=str)
def test_rendered_game_without_throws(tmp_path, name, throws, lacks):
    gaps = dict.fromkeys(throws, lacks)
    game = CutGame(GAMES / f"{name}.json", gaps)
    last = check(*followed(tmp_path, game, game, list(game.frames())), truth_of(game, gaps))
    # Nothing can be noticed if the recording ends before the turns.
    ends_before = lacks == ALL and throws[-1] == THROWS[name] - 1
    if not ends_before and any(game.turns[throw]["category"] != "cocked" for throw in throws):
        assert any(isinstance(one, TurnOpen) for one in last.values()), "the turn left no trace"


def test_turn_is_not_decided_on_a_board_that_only_a_disorder_explains(tmp_path):
    gaps = {9: ALL, 10: DICE, 11: DICE, 12: ALL}
    game = CutGame(GAMES / "rendered_990002.json", gaps)
    check(*followed(tmp_path, game, game, list(game.frames())), truth_of(game, gaps))


@pytest.mark.parametrize("name", NAMES)
def test_rendered_game_that_is_cut_off(tmp_path, name):
    for end in range(1, THROWS[name]):
        (tmp_path / str(end)).mkdir()
        game = CutGame(GAMES / f"{name}.json", {}, end=end)
        check(*followed(tmp_path / str(end), game, game, list(game.frames())), truth_of(game, {}))
