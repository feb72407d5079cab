"""Recordings that lack frames: no roll is invented, no turn vanishes, and what is not sure is among the doubts."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.commands._review import Review
from companion.inference.findings import Kind, TurnOpen, TurnSeen
from companion.inference.views import physical_counts
from companion.rules.board import Board, Roll, Side
from companion.rules.plays import legal_plays
from companion.rules.profiles import PROFILES
from companion.service.checkers.following import GameFollower, ThrowRuled
from companion.service.checkers.tape import Tape
from tests.support.camera.checker_views import TurnPlayed, moved, random_game
from tests.support.camera.scripted_game import ScriptedCheckers, ScriptedWatcher, recording
from tests.support.camera.stored_game import GAMES, StoredGame
from vision.watch.watcher import ThrowSeen

MODERN = PROFILES["modern"]
TURN, FIRST = 4, 2
"""Frames of a turn in a scripted recording, and those before its first turn."""
ALL, DICE = "its frames", "the frames with its dice"


def cut_recording(game, gaps):
    """Watcher, checkers and frames of a scripted recording in which turns lack frames: {turn: what it lacks}."""
    frames, script, boards = recording(game)
    dropped = set()
    for number, lacks in gaps.items():
        first = FIRST + TURN * number
        dropped |= set(range(first, first + TURN)) if lacks == ALL else {first, first + TURN - 1}
    kept = [frame for frame in frames if frame.number not in dropped]
    return ScriptedWatcher(script), ScriptedCheckers(boards), kept


def followed(folder: Path, watcher, checkers, frames):
    """What a recording has made known, its record, and its review, whose records are read by every writer."""
    tape = Tape(watcher, checkers, folder)
    follower = GameFollower(tape, tape, MODERN)
    seen = [one for frame in frames for one in follower.feed(frame)] + follower.finish(frames[-1])
    for ending in ("mat", "sgf", "json"):
        review = Review(tape, (MODERN, 0, 0), folder / f"record.{ending}")
        review.transcriber.write(folder / f"record.{ending}")
    return seen, follower.turns, review


def check(seen, record, review, truth):
    """The law; `truth` has side, roll and the board after each turn whose throw is in the recording."""
    last = {}
    for one in seen:
        if isinstance(one, TurnSeen | TurnOpen):
            last[one.made.number if isinstance(one, TurnSeen) else one.number] = one
    assert sorted(last) == [made.number for made in record], "each turn of the record was said, and the other way round"
    for made in record:
        said = last[made.number]
        assert made.is_open is isinstance(said, TurnOpen)
        if isinstance(said, TurnSeen):
            assert said.made == made
            assert (made.side, made.roll, made.after) in truth
    thrown = iter([sorted(die.value or 0 for die in one.reading.dice) for one in seen if isinstance(one, ThrowRuled)])
    for made in record:
        assert made.roll is None or sorted(made.roll) in thrown, f"{made.roll} was not seen"
    doubts = {turn.key[1] for turn in review.doubts}
    assert {made.number for made in record if made.is_open} <= doubts
    return last


def truth_of(game, gaps):
    return [(turn.side, turn.roll, turn.after) for n, turn in enumerate(game) if n not in gaps]


GAP = st.sampled_from([ALL, DICE])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.dictionaries(st.integers(0, 11), GAP, min_size=1, max_size=3), st.data())
def test_turns_whose_throws_were_not_seen_are_open(tmp_path_factory, seed, gaps, data):
    rng = random.Random(seed)
    game = random_game(rng, illegal=0.1, most=12)
    watcher, checkers, frames = cut_recording(game, gaps)
    seen, record, review = followed(tmp_path_factory.mktemp("cut"), watcher, checkers, frames)
    check(seen, record, review, truth_of(game, gaps))
