"""Frames become a followed game; the watcher and the reader of checkers are scripted, the rest is real."""

import random

import numpy as np
import pytest

from companion.inference.findings import GameEnded, Kind, TurnSeen
from companion.inference.opening import StartSeen
from companion.inference.views import physical_counts
from companion.rules.profiles import PROFILES
from companion.rules.referee import Cocked, Reason, Unread, Valid
from companion.service.checkers.following import DiceLifted, GameFollower, ThrowRuled
from tests.support.camera.checker_views import random_game
from tests.support.camera.scripted_game import (
    SEATS,
    START,
    ScriptedCheckers,
    ScriptedWatcher,
    recording,
    throw,
)
from tests.support.camera.start_picture import farthest_px, start_picture
from tests.support.camera.stored_game import GAMES, StoredGame
from vision.checkers.reader import CheckerReader
from vision.frame import Frame


@pytest.mark.parametrize("seed", range(3))
def test_frames_of_a_game_give_its_turns(seed):
    game = random_game(random.Random(seed), most=12)
    frames, script, boards = recording(game)
    checkers = ScriptedCheckers(boards)
    follower = GameFollower(ScriptedWatcher(script), checkers, PROFILES["modern"])
    seen = [one for frame in frames for one in follower.feed(frame)] + follower.finish(frames[-1])
    (start,) = (one for one in seen if isinstance(one, StartSeen))
    assert (start.orientation, start.wrong) == (SEATS, ())
    assert checkers.learned == [physical_counts(START, SEATS)]
    assert [one.ruling for one in seen if isinstance(one, ThrowRuled)][1:] == [
        Valid(turn.roll) for turn in game[1:]
    ]
    assert sum(isinstance(one, DiceLifted) for one in seen) == len(game)
    found = [one.made for one in seen if isinstance(one, TurnSeen)]
    assert [(one.kind, one.side, one.roll, one.after) for one in found] == [
        (Kind.LEGAL, turn.side, turn.roll, turn.after) for turn in game
    ]
    assert follower.turns == found


class CheckersByPicture(ScriptedCheckers):
    """The same for recordings of more frames than a pixel has levels: the picture itself tells the board."""

    def __init__(self, frames, boards):
        super().__init__([])
        self._by_picture = {id(frame.bgr): board for frame, board in zip(frames, boards, strict=True)}

    def read(self, bgr, board, look=None):
        self.boards = [self._by_picture[id(bgr)]]
        return super().read(np.zeros_like(bgr), board, look)


def test_next_game_begins_with_its_starting_position():
    game = random_game(random.Random(4))
    frames, script, boards = recording(game)
    again, more, others = recording(game[:1])
    hands = Frame(np.zeros((48, 64, 3), np.uint8), 999.0, len(frames))
    script |= {len(frames) + 1 + number: one for number, one in more.items()}
    frames += [hands, *(Frame(one.bgr, one.at_s + 1_000, one.number + len(frames) + 1) for one in again)]
    checkers = CheckersByPicture(frames, [*boards, START, *others])
    follower = GameFollower(ScriptedWatcher(script), checkers, PROFILES["modern"])
    seen = [one for frame in frames for one in follower.feed(frame)] + follower.finish(frames[-1])
    assert sum(isinstance(one, StartSeen) for one in seen) == 2
    assert [one.winner for one in seen if isinstance(one, GameEnded)] == [game[-1].side]
    assert [one.after for one in follower.turns] == [game[0].after]


def test_recording_that_begins_in_the_middle_of_a_game_has_no_start():
    game = random_game(random.Random(6), most=20)
    frames, _, boards = recording(game)
    checkers = ScriptedCheckers(boards[60:] + boards[:60])
    follower = GameFollower(ScriptedWatcher({0: [], 1: []}), checkers, PROFILES["modern"])
    assert [one for frame in frames[:2] for one in follower.feed(frame)] == []
    assert follower.turns == []


def test_nothing_is_read_while_the_board_is_out_of_view():
    frames, script, _ = recording(random_game(random.Random(6), most=1))
    follower = GameFollower(ScriptedWatcher(script, board=None), ScriptedCheckers([]), PROFILES["modern"])
    seen = [one for frame in frames for one in follower.feed(frame)]
    assert {type(one) for one in seen} == {ThrowRuled, DiceLifted}


@pytest.mark.parametrize("name", ["rendered_990001"])
def test_rendered_game_is_followed_as_it_was_played(name):
    game = StoredGame(GAMES / f"{name}.json")
    follower = GameFollower(game, game, PROFILES["modern"])
    frames = list(game.frames())
    seen = [one for frame in frames for one in follower.feed(frame)] + follower.finish(frames[-1])
    orientation = next(one.orientation for one in seen if isinstance(one, StartSeen))
    decided = {one.made.number: one.made for one in seen if isinstance(one, TurnSeen)}
    played = [turn for turn in game.turns if turn["category"] != "cocked"]
    assert sorted(decided) == list(range(len(played)))
    for made, turn in zip((decided[number] for number in sorted(decided)), played, strict=True):
        assert (made.side.value, [*made.roll]) == (turn["player"], turn["roll"])
        assert (made.kind is Kind.LEGAL) is turn["legal"]
        a, b = zip(*physical_counts(made.after, orientation), strict=True)
        south, north = (a, b) if orientation.south == "light" else (b, a)
        assert ([*south], [*north]) == (turn["after"]["A"], turn["after"]["B"])


@pytest.mark.parametrize(("was_found", "is_moved"), [(True, True), (False, False)])
def test_starting_position_tells_the_place_of_a_board_that_was_found(was_found, is_moved):
    bgr, place, found = start_picture()
    watcher = ScriptedWatcher({0: []}, board=found)
    follower = GameFollower(watcher, CheckerReader(), PROFILES["modern"], was_found=was_found)
    follower.feed(Frame(bgr, 0.0, 0))
    assert (watcher.board is not found) is is_moved
    if is_moved:
        assert farthest_px(watcher.board, place) < 0.5 * farthest_px(found, place)


@pytest.mark.parametrize(
    ("is_open", "ruling"),
    [
        (False, Cocked((Reason.WRONG_HALF,))),
        (True, Unread((Reason.WRONG_HALF, Reason.DOUBT))),
    ],
    ids=["turn decided", "turn open"],
)
def test_wrong_half_is_not_called_while_the_turn_before_is_open(is_open, ruling):
    game = random_game(random.Random(3), most=2)
    frames, script, boards = recording(game)
    if is_open:
        script[len(boards) - 4] = [throw(game[1].side, (None, None))]
    script[len(boards)] = [throw(game[1].side, (6, 4))]
    frames.append(Frame(np.full((48, 64, 3), len(boards), np.uint8), 99.0, len(boards)))
    boards.append(boards[-1])
    follower = GameFollower(ScriptedWatcher(script), ScriptedCheckers(boards), PROFILES["modern"])
    seen = [one for frame in frames for one in follower.feed(frame)]
    assert [one.ruling for one in seen if isinstance(one, ThrowRuled)][-1] == ruling


def test_wrong_half_is_not_called_after_an_unread_throw_without_a_play():
    game = random_game(random.Random(3), most=2)
    frames, script, boards = recording(game)
    boards[-3:] = [game[1].before] * 3
    script[len(boards) - 4] = [throw(game[1].side, (None, 4))]
    script[len(boards)] = [throw(game[1].side.other, (6, 4))]
    frames.append(Frame(np.full((48, 64, 3), len(boards), np.uint8), 99.0, len(boards)))
    boards.append(boards[-1])
    follower = GameFollower(ScriptedWatcher(script), ScriptedCheckers(boards), PROFILES["modern"])
    seen = [one for frame in frames for one in follower.feed(frame)]
    assert [one.ruling for one in seen if isinstance(one, ThrowRuled)][-1] == Unread(
        (Reason.WRONG_HALF, Reason.DOUBT)
    )
