"""A recording on tape is followed once more as it was, and what people say of it changes what follows."""

import random
from pathlib import Path

import pytest

from companion.inference.findings import GameEnded, TurnOpen, TurnSeen
from companion.rules.profiles import PROFILES
from companion.service.checkers.following import GameFollower, Said
from companion.service.checkers.tape import Tape
from tests.support.camera.checker_views import random_game
from tests.support.camera.scripted_game import ScriptedCheckers, ScriptedWatcher, recording
from tests.support.camera.stored_game import GAMES, StoredGame

MODERN = PROFILES["modern"]
TOLD = (TurnSeen, TurnOpen, GameEnded)


class Counting(ScriptedCheckers):
    """Counts the pictures that are read."""

    reads = 0

    def read(self, bgr, board, look=None):
        self.reads += 1
        return super().read(bgr, board, look)


def followed(tape, frames):
    """What a recording gave at first, and its follower."""
    follower = GameFollower(tape, tape, MODERN)
    found = [one for frame in frames for one in follower.feed(frame)] + follower.finish(frames[-1])
    return [one for one in found if isinstance(one, TOLD)], follower


def once_more(tape, said=None):
    """What the tape gives."""
    again = tape.again()
    follower = GameFollower(again, again, MODERN, said)
    found = []
    for frame, last in again.frames():
        found += follower.finish(frame) if last else follower.feed(frame)
    return [one for one in found if isinstance(one, TOLD)], follower


def test_tape_gives_the_same_once_more_and_no_picture_is_read_anew(tmp_path: Path) -> None:
    frames, script, boards = recording(random_game(random.Random(3), most=12))
    checkers = Counting(boards)
    tape = Tape(ScriptedWatcher(script), checkers, tmp_path)
    found, follower = followed(tape, frames)
    reads = checkers.reads
    again, other = once_more(tape)
    assert again == found
    assert (other.turns, other.shown) == (follower.turns, follower.shown)
    assert (checkers.reads, len(checkers.learned)) == (reads, 1)


@pytest.mark.parametrize("name", ["rendered_990001", "rendered_990002"])
def test_tape_of_a_rendered_game_gives_the_same_once_more(name: str, tmp_path: Path) -> None:
    game = StoredGame(GAMES / f"{name}.json")
    tape = Tape(game, game, tmp_path)
    found, _ = followed(tape, list(game.frames()))
    assert once_more(tape)[0] == found


def test_each_turn_has_the_picture_of_its_throw_and_one_after_its_play(tmp_path: Path) -> None:
    game = random_game(random.Random(4), most=5)
    frames, script, boards = recording(game)
    tape = Tape(ScriptedWatcher(script), ScriptedCheckers(boards), tmp_path)
    _, follower = followed(tape, frames)
    for number, turn in enumerate(game):
        shown = follower.shown[0, number]
        assert shown.after is not None
        assert (boards[shown.before], boards[shown.after]) == (turn.before, turn.after)
        assert tape.jpeg(shown.before) is not None
        assert tape.at_s(shown.after) == pytest.approx(shown.after * 0.2)
    assert tape.jpeg(len(frames)) is None


def test_throw_that_did_not_count_is_no_turn(tmp_path: Path) -> None:
    """The last throw, as people say; nothing was played after it."""
    game = random_game(random.Random(4), most=3)
    frames, script, boards = recording(game)
    tape = Tape(ScriptedWatcher(script), ScriptedCheckers(boards), tmp_path)
    _, follower = followed(tape, frames)
    last = follower.shown[0, 2].before
    found, other = once_more(tape, Said(not_thrown=frozenset({last})))
    assert len(other.turns) == 2
    assert {one.made.number for one in found if isinstance(one, TurnSeen)} == {0, 1}


def test_picture_is_read_where_it_was_not_read_so_before(tmp_path: Path) -> None:
    """Pictures that were looked at for a new game's start are read as a board once the game before goes on."""
    frames, script, boards = recording(random_game(random.Random(4), most=2))
    checkers = Counting(boards)
    tape = Tape(ScriptedWatcher(script), checkers, tmp_path)
    followed(tape, frames)
    again = tape.again()
    for frame, _ in again.frames():
        assert again.feed(frame) is not None
        if frame.number == frames[-1].number:
            reads = checkers.reads
            for _ in range(2):
                again.read(frame.bgr, tape.board, None)  # it was read with the look of the start
            assert checkers.reads == reads + 1
            return
    raise AssertionError("the tape has the last frame")
