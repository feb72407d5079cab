import random
from dataclasses import replace

import pytest

from companion.game.events import MatchBegan
from companion.game.state import GameOver, MatchOver
from companion.inference.findings import Kind, Made
from companion.inference.record import table_of
from companion.records.export import mat_text, sgf_text
from companion.records.mat.reader import read_mat
from companion.records.replay import replay, transcript_in
from companion.rules.board import Board, Side
from companion.rules.play_legality import Turn
from companion.rules.plays import legal_plays
from companion.rules.profiles import PROFILES
from tests.support.camera.checker_views import moved, random_game

FIRST = MatchBegan("m", "Ann", "Bob", 99, "modern", at_ms=1_000)


def made_of(game):
    """The turns of a random game as the follower would decide them."""
    for number, turn in enumerate(game):
        before, after = turn.before.seen_by(turn.side), turn.after.seen_by(turn.side)
        if turn.legal:
            play = legal_plays(before, turn.roll)[after]
            yield Made(number, turn.side, turn.roll, Kind.LEGAL, turn.before, turn.after, play)
        else:
            fault = Turn(PROFILES["modern"], before, turn.roll).fault_of(after)
            yield Made(number, turn.side, turn.roll, Kind.ILLEGAL, turn.before, turn.after, fault=fault)


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_are_written_as_they_were_played(seed):
    games = [random_game(random.Random(2 * seed + k)) for k in (0, 1)]
    table = table_of(FIRST, [list(made_of(game)) for game in games], {})
    logs = [log.entries for log in table.state.games]
    assert [[(one.side, one.roll, one.after) for one in log] for log in logs] == [
        [(one.side, one.roll, one.after) for one in game] for game in games
    ]
    found = replay(read_mat(mat_text(table)))
    assert (found.plays, found.illegal) == (sum(map(len, games)), [])


def test_match_ends_with_its_length():
    game = list(made_of(random_game(random.Random(5))))
    table = table_of(MatchBegan("m", "Ann", "Bob", 1, "modern"), [game], {})
    assert isinstance(table.state.phase, MatchOver)


def test_illegal_play_stands_in_the_record():
    game = random_game(random.Random(3), illegal=0.2)
    wrong = [one for one in game if not one.legal]
    assert wrong
    table = table_of(FIRST, [list(made_of(game))], {})
    (log,) = table.state.games
    assert [one.after for one in log.entries if one.fault] == [one.after for one in wrong]
    assert isinstance(table.state.phase, GameOver)
    assert transcript_in(sgf_text(table)).games


def test_unexplained_positions_are_set_and_the_game_goes_on():
    first, second, third, *_ = made_of(random_game(random.Random(8)))
    south = second.after.south
    free = [n for n in range(1, 25) if not second.after.north[25 - n] and not south[n]]
    disorder = Board(moved(south, (6, free[0])), second.after.north)
    unread = Made(1, second.side, None, Kind.DISORDER, first.after, disorder)
    after = Board.of(third.side, next(iter(legal_plays(disorder.seen_by(third.side), third.roll))))
    going_on = Made(2, third.side, third.roll, Kind.LEGAL, disorder, after, ())
    table = table_of(FIRST, [[first, unread, going_on]], {})
    assert (table.state.board, table.state.phase.side) == (after, third.side.other)


def test_play_that_is_only_the_best_guess_is_marked_so():
    game = list(made_of(random_game(random.Random(8))))
    marked = [replace(one, is_open=number == 4) for number, one in enumerate(game)]
    guess = game[4]
    remark = f"What {guess.side.value} played with {guess.roll.text} is not sure."
    plain, table = (table_of(FIRST, [turns], {}) for turns in (game, marked))
    for text_of in (mat_text, sgf_text):
        assert remark in text_of(table)
        assert remark not in text_of(plain)
    found = replay(read_mat(mat_text(table)))
    assert (found.plays, found.illegal) == (len(game), [])
    assert sgf_text(table).count("AE[") == sgf_text(plain).count("AE[")


def test_turns_keep_their_times():
    game = list(made_of(random_game(random.Random(1), most=3)))
    table = table_of(FIRST, [game], {(0, 0): 5_000, (0, 1): 9_000, (0, 2): 14_000})
    assert sorted({entry.event.at_ms for entry in table.entries}) == [1_000, 5_000, 9_000, 14_000]
    assert table.entries[1].event.by == "camera"
    assert game[0].side in Side
