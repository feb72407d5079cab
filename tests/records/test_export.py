"""Our own matches as the field's files, read back by our own readers."""

import random
import re

import pytest

from companion.game.events import (
    Answer,
    DoubleAnswered,
    DoubleOffered,
    NextGame,
    OpeningThrown,
    PenaltyGiven,
    PlayEntered,
    PositionSet,
    ResignationAnswered,
    Resigned,
    RollTyped,
    TurnEnded,
)
from companion.game.state import CubeAction
from companion.game.state_machine import fold
from companion.records.export import mat_text, sgf_text
from companion.records.mat.reader import read_mat
from companion.records.mat.writer import write_mat
from companion.records.replay import replay, transcript_in
from companion.records.sgf import read_sgf, write_sgf
from companion.records.to_transcript import transcribe
from companion.records.transcript import CubeDecision, Placed, RollMade, Transcript, Won
from companion.rules.board import BAR, Position, Roll, Side
from tests.support.records.gnubg_files import random_matches
from tests.support.selfplay import began, played_match, with_illegal_plays


def mat_of(state):
    told = transcribe(state, placing=False)
    return told, write_mat(told.transcript, told.remarks)


def without_breaks(text):
    """A file with each of its comments in one line."""
    return re.sub(r"\)\s*\n; \(", " ", text)


def comments_of(text):
    """All comments in the games of a file, as one text."""
    return " ".join(" ".join(game.remarks) for game in transcript_in(text).games)


def actions(game):
    """A game's actions, comparable: plays as sets of steps; giving up is told in its result only."""
    found = []
    for action in game.actions:
        if isinstance(action, RollMade):
            steps = sorted(action.text.replace("*", "").split())
            found.append((action.player, sorted(action.dice), steps))
        elif isinstance(action, CubeDecision):
            found.append((action.player, action.kind))
        elif isinstance(action, (Won, Placed)):
            found.append(action)
    return found


@pytest.mark.parametrize("length", [0, 1, 5])
@pytest.mark.parametrize("seed", range(4))
def test_a_match_is_read_back_as_it_was_played(length, seed):
    first = began(length, beaver="money_play", raccoon="money_play")
    state = fold(played_match(random.Random(seed), first, cube=0.05)).state
    told, text = mat_of(state)
    for again in (read_mat(text), read_sgf(write_sgf(told.transcript))):
        assert replay(again).illegal == []
        assert (again.players, again.length, again.score) == (("Ann", "Bob"), length, told.transcript.score)
        assert [game.score for game in again.games] == [game.score for game in told.transcript.games]
        for one, other in zip(told.transcript.games, again.games, strict=True):
            assert actions(one) == actions(other)
    assert told.transcript.score == (state.score.south, state.score.north)


@pytest.mark.parametrize("start", ["nackgammon", "hypergammon"])
def test_a_start_of_other_rules_is_written_and_read_whatever_the_rules_are_called(start):
    state = fold(played_match(random.Random(1), began(3, start=start))).state
    assert state.terms.profile.name == "modern"
    told, _ = mat_of(state)
    again = read_sgf(write_sgf(told.transcript))
    assert (told.transcript.start, again.start) == (start, start)
    assert replay(again).illegal == []


@pytest.mark.parametrize("seed", range(6))
def test_with_illegal_plays_the_score_is_right_and_they_are_named(seed):
    state = with_illegal_plays(random.Random(seed), began(3)).state
    told, text = mat_of(state)
    again = read_mat(text)
    assert again.score == (state.score.south, state.score.north)
    assert [game.won for game in again.games] == [game.won for game in told.transcript.games]
    whole = read_sgf(write_sgf(transcribe(state, placing=True).transcript))
    assert whole.score == again.score
    faults = sum(1 for log in state.games for entry in log.entries if getattr(entry, "fault", ""))
    assert comments_of(text).count("not legal") == faults > 0
    assert len(replay(again).illegal) == len(replay(whole).illegal) == faults
    for one, other in zip(told.transcript.games, again.games, strict=True):
        assert actions(one) == actions(other)


def test_a_line_is_as_long_as_any_other_and_names_break_nothing():
    first = began(3, south="Zoë: the “great”  player of the whole western hemisphere", north="")
    _, text = mat_of(fold(played_match(random.Random(1), first)).state)
    inside = text.split(" Game 1\n")[1].splitlines()
    rows = [line for line in inside if line.strip()[:1].isdigit() and ")" in line[:5]]
    assert {len(row) for row in rows} == {72}
    assert read_mat(text).players == ("Zoë the “great” player o", "North")


def scripted(*events, **changes):
    return fold([began(**changes), *events]).state


OPENING = (OpeningThrown((3,), (1,)), PlayEntered(((8, 5), (6, 5))), TurnEnded())
START = tuple({6: 5, 8: 3, 13: 5, 24: 2}.get(place, 0) for place in range(26))


def test_players_who_change_seats_stay_in_their_columns():
    state = scripted(
        *OPENING,
        Resigned(Side.NORTH),
        ResignationAnswered(True),
        NextGame(swap_seats=True),
        OpeningThrown((3,), (1,)),
        PlayEntered(((8, 5), (6, 5))),
        TurnEnded(),
        Resigned(Side.NORTH, 2),
        ResignationAnswered(True),
        length=5,
    )
    assert (state.name(Side.SOUTH), state.score.south, state.score.north) == ("Bob", 2, 1)
    match = read_mat(mat_of(state)[1])
    assert (match.players, match.score) == (("Ann", "Bob"), (1, 2))
    assert match.games[1].actions[0].player == 1
    assert match.games[1].won == Won(1, 2)


def test_a_position_set_by_hand_is_told_with_its_cube():
    state = scripted(
        *OPENING,
        PositionSet(START, START, Side.SOUTH, cube_value=2, cube_owner="south"),
        RollTyped(Roll(6, 1)),
        PlayEntered(((13, 7), (8, 7))),
        TurnEnded(),
        Resigned(Side.NORTH),
        ResignationAnswered(True),
        length=5,
    )
    told, text = mat_of(state)
    sgf = write_sgf(transcribe(state, placing=True).transcript)
    placed = Placed(Position(START, START), 0, 2, 0)
    for game in (read_mat(text).games[0], read_sgf(sgf).games[0]):
        rolls = [action.text for action in game.actions if isinstance(action, RollMade)]
        assert (rolls, [action for action in game.actions if isinstance(action, Placed)]) == (
            ["8/5 6/5", "13/7 8/7"],
            [placed],
        )
    assert "set by hand" in comments_of(text)
    assert told.transcript.score == (2, 0)


def test_an_automatic_double_breaks_no_mat():
    state = scripted(
        OpeningThrown((4,), (4,)),
        *OPENING,
        DoubleOffered(),
        DoubleAnswered(Answer.PASS),
        length=0,
        automatic_doubles=1,
    )
    game = read_mat(mat_of(state)[1]).games[0]
    said = [(action.player, action.kind) for action in game.actions if isinstance(action, CubeDecision)]
    assert said == [
        (0, CubeAction.DOUBLE),
        (1, CubeAction.TAKE),
        (1, CubeAction.DOUBLE),
        (0, CubeAction.PASS),
    ]
    assert sum(isinstance(action, RollMade) and bool(action.text) for action in game.actions) == 1
    assert game.won == Won(1, 2)


def test_a_game_settled_for_nothing_has_no_winner_in_a_file():
    state = scripted(*OPENING, Resigned(Side.NORTH, points=0), ResignationAnswered(True), length=0)
    for text in (mat_of(state)[1], write_sgf(transcribe(state, placing=True).transcript)):
        assert transcript_in(text).games[0].won is None


def test_a_beaver_that_is_passed_is_written_as_a_double():
    state = scripted(
        *OPENING,
        DoubleOffered(),
        DoubleAnswered(Answer.BEAVER),
        DoubleAnswered(Answer.PASS),
        length=0,
        profile="tournament",
    )
    text = mat_of(state)[1]
    assert "Beavers" not in text
    said = [action.kind for action in read_mat(text).games[0].actions if isinstance(action, CubeDecision)]
    assert said == [CubeAction.DOUBLE, CubeAction.BEAVER, CubeAction.PASS]
    assert state.score.south == 2


def fold_table(seed):
    return fold(played_match(random.Random(seed), began(1, "tavla")))


def test_a_gammon_that_counts_single_is_not_left_for_others_to_count():
    for seed in range(40):
        state = fold_table(seed).state
        told, text = mat_of(state)
        if told.remarks:
            assert "count the game differently" in without_breaks(text)
            assert read_mat(text).score in ((1, 0), (0, 1))
            sgf = sgf_text(fold_table(seed))
            assert re.search(r"RE\[[WB]\+1R\]", sgf)
            assert "count the game differently" in sgf
            return
    raise AssertionError("no gammon among the matches")


def test_a_match_that_has_only_begun_is_an_sgf_of_one_game_without_a_move():
    back = read_sgf(write_sgf(Transcript(("Anna", "Mehmet"), 7, ())))
    assert (back.players, back.length) == (("Anna", "Mehmet"), 7)
    assert [game.actions for game in back.games] == [()]


def test_starts_and_a_missing_cube_have_the_names_that_gnubg_knows():
    named = {"hypergammon": ("HyperGammon (3)", "Hypergammon3"), "nackgammon": ("NackGammon", "Nackgammon")}
    for profile, (in_mat, in_sgf) in named.items():
        table = fold([began(3, profile)])
        mat, sgf = mat_text(table), sgf_text(table)
        assert f'[Variation "{in_mat}"]' in mat
        assert in_sgf in re.search(r"RU\[(.*?)\]", sgf)[1].split(":")
        assert {transcript_in(sgf).start, transcript_in(sgf_of_former(sgf)).start} == {profile}
    table = fold([began(3, "portes")])
    assert '[CubeLimit "1"]' in mat_text(table)
    assert "RU[NoCube]" in sgf_text(table)


def sgf_of_former(text):
    """The file as versions until November 2026 wrote it."""
    return text.replace("Hypergammon3", "Hypergammon")


def test_whatever_the_director_does_our_own_readers_find_score_and_winner():
    for table in random_matches(random.Random(31), 60, interfered=True):
        score, state = table.state.score, table.state
        ours = (score.north, score.south) if state.swapped else (score.south, score.north)
        for text in (mat_text(table), sgf_text(table)):
            again = transcript_in(text)
            assert again.score == ours
            assert (again.winner is None) is (score.winner(state.terms.length) is None)


def test_penalty_points_that_end_a_match_are_a_passed_double():
    first = began(3, late_match_lost_beyond_half=False)
    table = fold([first, *OPENING, PenaltyGiven(Side.NORTH, 2), PenaltyGiven(Side.NORTH, 2)])
    for text in (mat_text(table), sgf_text(table)):
        last = transcript_in(text).games[-1]
        assert (last.score, last.won) == ((0, 2), Won(1, 2))
        assert "ended by penalty points" in without_breaks(text)


def test_penalty_points_that_no_cube_makes_lead_to_the_right_score():
    first = began(3, late_match_lost_beyond_half=False)
    gammon = (Resigned(Side.NORTH, 2), ResignationAnswered(True))
    table = fold([first, *OPENING, *gammon, PenaltyGiven(Side.SOUTH, 3)])
    for text in (mat_text(table), sgf_text(table)):
        again = transcript_in(text)
        assert (again.score, again.winner) == ((5, 0), 0)


def test_a_match_lost_without_the_score_has_no_winner_in_a_file_and_says_so():
    table = fold([began(5), *OPENING, PenaltyGiven(Side.NORTH, 3)])
    assert table.state.phase.winner is Side.NORTH
    for text in (mat_text(table), sgf_text(table)):
        again = transcript_in(text)
        assert (again.score, again.winner) == ((0, 3), None)
        assert "Bob wins the match by penalty points" in without_breaks(text)


def test_penalty_points_after_a_game_stand_in_the_next_heading():
    resigned = (Resigned(Side.NORTH), ResignationAnswered(True))
    table = fold([began(0), *OPENING, *resigned, PenaltyGiven(Side.NORTH, 2)])
    for text in (mat_text(table), sgf_text(table)):
        again = transcript_in(text)
        assert [(game.score, game.won) for game in again.games] == [((0, 0), Won(0, 1)), ((1, 2), None)]


def test_a_cube_that_is_set_down_is_the_last_one_in_a_mat():
    events = [PositionSet(cube_value=8, cube_owner="south"), PositionSet(cube_value=2, cube_owner="south")]
    table = fold([began(7), *OPENING, *events, Resigned(Side.NORTH), ResignationAnswered(True)])
    game = read_mat(mat_text(table)).games[0]
    assert [action.value for action in game.actions if isinstance(action, CubeDecision) and action.value] == [
        2
    ]
    assert game.won == Won(0, 2)


FAR = ((24, 22), (22, 13))


def with_illegal_play(roll, moves, south="Ann", north="Bob"):
    """A match to 1 whose second play is not legal, and stands."""
    opened = (OpeningThrown((6,), (1,)), PlayEntered(((13, 7), (8, 7))), TurnEnded())
    events = [RollTyped(roll), PlayEntered(moves, made=True), TurnEnded()]
    more = [RollTyped(Roll(4, 2)), PlayEntered(((8, 4), (6, 4))), TurnEnded()]
    return fold([began(1, south=south, north=north), *opened, *events, *more])


@pytest.mark.parametrize("write", [mat_text, sgf_text])
@pytest.mark.parametrize(("moves", "play"), [(FAR, "24/13"), (((13, 10), (13, 10)), "13/10 13/10")])
def test_an_illegal_play_stands_in_the_file_and_the_game_goes_on_after_it(write, moves, play):
    table = with_illegal_play(Roll(3, 1), moves)
    match = transcript_in(write(table))
    found = replay(match)
    assert found.plays == 3
    assert [(one.player, one.dice) for one in found.illegal] == [(1, (3, 1))]
    fault = next(entry.fault for entry in table.state.log if entry.side is Side.NORTH)
    assert found.illegal[0].why == str(fault)
    assert found.illegal[0].play == play
    assert match.games[0].actions[-1].text.replace("*", "") == "8/4 6/4"


@pytest.mark.parametrize("south", ["Ann", "Game Boy wins", "a;b;c", "(Takes", "64: 24/14"])
def test_names_break_no_cell_of_an_illegal_play(south):
    table = with_illegal_play(Roll(3, 1), FAR, south=south, north="2) Doubles")
    match = read_mat(mat_text(table))
    told = transcribe(table.state, placing=False).transcript
    assert actions(match.games[0]) == actions(told.games[0])
    assert any(isinstance(action, Placed) and action.is_play for action in match.games[0].actions)


def test_comments_are_lines_that_gnubg_passes_over():
    text = mat_text(with_illegal_play(Roll(3, 1), FAR, north="Game (3): 12:30:15"))
    inside = [line for line in text.split(" Game 1\n")[1].splitlines() if line.startswith(";")]
    assert len(inside) > 1
    for line in inside:
        assert line.rstrip().index(")") == len(line.rstrip()) - 1
        assert line.count(":") < 2
        assert "Game " not in line
        assert len(line) == 72
    assert "This play was not legal and stood" in comments_of(text)


XG_CELL = (
    "  1) 31: 8/5 6/5                 64: 24/14\n"
    "  2) 11:    Illegal play (15;0;1;0;0;Ann;Bob;0;9;9;1;0;"
    "-1;0;0;0;0;3;5;0;3;0;0;0;-4;4;0;0;0;-3;0;-5;-1;0;0;0;-1;0;6;4;)"
    " 64: 13/7 24/20\n"
)


def test_illegal_play_as_extreme_gammon_writes_it_is_read():
    """The position is as the player sees it who is on roll after it."""
    match = read_mat(f" 15 point match\n\n Game 1\n Ann : 9      Bob : 9\n{XG_CELL}")
    _, _, made, placed, last = match.games[0].actions
    assert (made.player, made.dice, made.text) == (0, (1, 1), "")
    assert (placed.position.theirs[6], placed.position.mine[BAR], placed.is_play) == (5, 1, True)
    assert (last.player, last.text) == (1, "13/7 24/20")


@pytest.mark.parametrize("fields", ["", "1;2;3;", ";" * 40, "15;" * 40, "x;" * 40])
def test_illegal_play_without_a_position_is_an_illegal_play(fields):
    match = read_mat(
        f" 5 point match\n\n Game 1\n Ann : 0      Bob : 0\n  1) 31: Illegal play ({fields}) 64: 24/14\n"
    )
    assert [one.dice for one in replay(match).illegal] == [(3, 1)]
    assert match.games[0].actions[1].text == "24/14"


def test_a_beaver_without_an_answer_is_taken_when_a_roll_follows():
    text = (
        " 0 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
        "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
        "  2)  Doubles => 2                Beavers => 4\n"
        "  3) 63: 24/18 18/15\n"
    )
    said = [
        (action.player, action.kind)
        for action in read_mat(text).games[0].actions
        if isinstance(action, CubeDecision)
    ]
    assert said == [(0, CubeAction.DOUBLE), (1, CubeAction.BEAVER), (0, CubeAction.TAKE)]
