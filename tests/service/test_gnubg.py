"""Our files in the hands of the real GNU Backgammon, which has to read out of them what we wrote."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from companion.game.state import CubeAction
from companion.game.state_machine import fold
from companion.records.export import mat_text, sgf_text
from companion.records.ids import position_of_id
from companion.records.mat.reader import read_mat
from companion.records.mat.writer import write_mat
from companion.records.replay import replay, transcript_in
from companion.records.sgf import read_sgf, write_sgf
from companion.records.to_transcript import transcribe
from companion.records.transcript import CubeDecision, Placed, Resignation, RollMade, Won
from companion.rules.board import Roll, Side
from companion.rules.notation import read_hops
from companion.service.gnubg import GnubgError, analysed, find_gnubg, run_gnubg
from tests.support.often import TIMES
from tests.support.records.gnubg_files import PROFILE_NAMES, differences, random_matches
from tests.support.script import Script
from tests.support.selfplay import began, played_match, with_illegal_plays

MATCHES = 40 if TIMES == 1 else 100


@pytest.fixture(scope="module")
def gnubg():
    try:
        return find_gnubg()
    except GnubgError as error:
        pytest.skip(str(error))


def through_gnubg(states, folder):
    """What GNU Backgammon makes of each match's `.mat` and of its `.sgf`, as it saves them itself."""
    commands, ours = [], []
    for at, state in enumerate(states):
        mat, sgf = transcribe(state, placing=False), transcribe(state, placing=True)
        (folder / f"{at}.mat").write_text(write_mat(mat.transcript, mat.remarks), "utf-8")
        (folder / f"{at}-own.sgf").write_text(write_sgf(sgf.transcript), "utf-8")
        commands += [f'import mat "{at}.mat"', f'save match "{at}-mat.sgf"']
        commands += [f'load match "{at}-own.sgf"', f'save match "{at}-sgf.sgf"']
        ours.append((mat.transcript, sgf.transcript))
    run_gnubg(commands, folder)
    for at, (mat_match, sgf_match) in enumerate(ours):
        yield mat_match, read_sgf((folder / f"{at}-mat.sgf").read_text("utf-8"))
        yield sgf_match, read_sgf((folder / f"{at}-sgf.sgf").read_text("utf-8"))


@pytest.mark.parametrize("interfered", [False, True], ids=["as played", "with a director"])
def test_matches_of_all_rules_keep_their_winners_and_scores(gnubg, tmp_path, interfered):
    tables = list(random_matches(random.Random(30), 3 * len(PROFILE_NAMES), interfered))
    assert {table.state.terms.profile.name for table in tables} == set(PROFILE_NAMES)
    assert differences(tables, tmp_path) == []


def test_what_it_writes_itself_is_the_same_match_to_us(gnubg, tmp_path):
    """In money play its `.mat` has a gammon's points where Jacoby's rule made it count single."""
    tables = [table for table in random_matches(random.Random(32), 18) if table.state.terms.length]
    commands, files = [], []
    for at, table in enumerate(tables):
        for kind, text, read in (("mat", mat_text, "import mat"), ("sgf", sgf_text, "load match")):
            (tmp_path / f"{at}.{kind}").write_text(text(table), "utf-8")
            theirs = (f"{at}-{kind}.mat", f"{at}-{kind}.sgf")
            commands += [
                f'{read} "{at}.{kind}"',
                f'export match mat "{theirs[0]}"',
                f'save match "{theirs[1]}"',
            ]
            files += [(f"{at}.{kind}", name) for name in theirs]
    run_gnubg(commands, tmp_path)
    for ours, theirs in (
        [transcript_in((tmp_path / name).read_text("utf-8")) for name in pair] for pair in files
    ):
        assert (theirs.players, theirs.length, theirs.start) == (ours.players, ours.length, ours.start)
        assert [told(without_resignation(game)) for game in theirs.games] == [
            told(without_resignation(game)) for game in ours.games
        ]
        assert [result(game) for game in theirs.games] == [result(game) for game in ours.games]
        assert replay(theirs).illegal == []


def without_resignation(game):
    """The game without the resignation that only an SGF has."""
    return replace(
        game, actions=tuple(action for action in game.actions if not isinstance(action, Resignation))
    )


def told(game):
    """A game as both sides can tell it; a beaver is one more double to SGF, and so is a raccoon."""
    turned = (CubeAction.DOUBLE, CubeAction.BEAVER, CubeAction.RACCOON)
    found = []
    for at, action in enumerate(game.actions):
        match action:
            case RollMade(text="") if isinstance(game.actions[min(at + 1, len(game.actions) - 1)], Won):
                pass  # a roll over which the game was given up is no move to it
            case RollMade():
                found.append(
                    (action.player, sorted(action.dice), sorted(action.text.replace("*", "").split()))
                )
            case CubeDecision(kind=what) if what in turned:
                found.append((action.player, "turns the cube"))
            case CubeDecision(kind=what):
                found.append((action.player, what))
            case Won():
                found.append(action)
    return found


def result(game):
    return game.score, game.won


def test_every_play_cube_winner_and_score_is_read_back(gnubg, tmp_path):
    rng = random.Random(20)
    states = []
    for _ in range(MATCHES):
        length, profile = (
            rng.choice([0, 0, 1, 3, 5, 7]),
            rng.choice(["modern", "modern", "tournament", "vip"]),
        )
        raccoon = "money_play" if profile == "tournament" else "never"
        first = began(length, profile, beaver="money_play", raccoon=raccoon)
        states.append(fold(played_match(rng, first, cube=0.05)).state)
    kinds = {log.result.how for state in states for log in state.games}
    assert len(kinds) >= 3
    assert any(log.crawford for state in states for log in state.games)
    for ours, theirs in through_gnubg(states, tmp_path):
        assert (theirs.players, theirs.length) == (ours.players, ours.length)
        for one, other in zip(ours.games, theirs.games, strict=True):
            assert told(one) == told(other)
            assert result(one) == result(other)


def test_with_illegal_plays_winner_and_score_are_still_right(gnubg, tmp_path):
    rng = random.Random(21)
    states = [
        with_illegal_plays(rng, began(rng.choice([0, 1, 3, 5]), cube_beyond_64=False)).state
        for _ in range(16 * TIMES)
    ]
    for ours, theirs in through_gnubg(states, tmp_path):
        assert [result(game) for game in ours.games] == [result(game) for game in theirs.games]


def settled(points, length=7):
    """South gives up so many points; where that does not end the match another game follows."""
    script = begun(length)
    if points > 3:
        script.do("double").do("take")
    script.turn(6, 4, "24/14")
    if points > 6:
        script.do("double").do("take")
    script.do("resign", points=points, side="south").do("accept")
    return gives_up(begun_again(script)) if script.phase == "game_over" else script


def begun(length, **overrides):
    return Script(length=length, **overrides).opening(3, 1).play("8/5 6/5").do("done")


def begun_again(script, **more):
    return script.do("next_game", **more).opening(1, 3).play("8/5 6/5").do("done")


def gives_up(script, worth=1, side="north"):
    return script.do("resign", worth=worth, side=side).do("accept")


def passed(script):
    return script.do("double").do("pass")


def joined():
    """Found at 3-2 to 5 with the cube at 2 on north's side."""
    told = {"cube": {"value": 2, "owner": "north"}, "score": {"south": 3, "north": 2}}
    script = Script(length=5).set({13: 3, 8: 4, 6: 5, 4: 3}, {20: 2, 13: 4, 8: 4, 6: 5}, **told)
    return passed(script.turn(6, 1, "13/7 8/7"))


def with_penalty():
    script = gives_up(begun(7)).do("rule", penalty={"to": "north", "points": 2})
    return passed(begun_again(script))


def started_wrong():
    script = begun(3)
    position = script.state.board.seen_by(Side.NORTH).ints()
    script.do("set_position", pos=position, on_roll="north", wrong_start=True).do("condone")
    return passed(script.turn(6, 4, "24/14"))


def doubled_by_the_dice():
    script = Script(length=0, automatic_doubles=2).opening(4, 4).opening(2, 2).opening(3, 1)
    return script.play("8/5 6/5").do("done").do("double").do("take").turn(6, 4, "24/14")


COURSES = {
    "settled for 2": lambda: settled(2),
    "settled for 6": lambda: settled(6),
    "settled for nothing": lambda: settled(0),
    "settled for 12, money play": lambda: settled(12, 0),
    "seats changed": lambda: passed(begun_again(gives_up(begun(7), 2), swap_seats=True)),
    "a score corrected": lambda: passed(begun(5).do("set_position", score={"south": 2, "north": 1})),
    "joined in the middle": joined,
    "penalty points": with_penalty,
    "a wrong start": started_wrong,
    "automatic doubles, a pass": lambda: passed(begun_again(gives_up(doubled_by_the_dice(), 2))),
    "automatic doubles, a gammon": lambda: gives_up(doubled_by_the_dice(), 2),
}


@pytest.mark.parametrize("course", COURSES)
def test_what_a_file_cannot_say_leaves_winner_and_score_right(gnubg, tmp_path, course):
    state = COURSES[course]().state
    for ours, theirs in through_gnubg([state], tmp_path):
        assert [result(game) for game in ours.games] == [result(game) for game in theirs.games]
        assert (theirs.score, theirs.winner) == (ours.score, ours.winner)


def test_a_settlement_that_no_cube_can_say_leaves_all_else_right(gnubg, tmp_path):
    for ours, theirs in through_gnubg([settled(5).state], tmp_path):
        assert theirs.games[1].score == (0, 5)
        assert theirs.score == ours.score
        assert theirs.games[0].won.player == ours.games[0].won.player
    for ours, theirs in through_gnubg([settled(9).state], tmp_path):
        assert theirs.winner == ours.winner == 1


def test_every_position_after_an_illegal_play_is_read_back(gnubg, tmp_path):
    rng = random.Random(22)
    first = [began(rng.choice([0, 1, 3, 5]), cube_beyond_64=False) for _ in range(10 * TIMES)]
    states = [with_illegal_plays(rng, one).state for one in first]
    by_position, by_moves = 0, 0
    for state, (ours, theirs) in zip(twice(states), through_gnubg(states, tmp_path), strict=True):
        for one, other in zip(ours.games, theirs.games, strict=True):
            assert moves_of(one) == moves_of(other)
            assert positions_of(one) == positions_of(other)
            assert result(one) == result(other)
            by_position += len(positions_of(one))
        faults = [entry for log in state.games for entry in log.entries if getattr(entry, "fault", "")]
        by_moves += len(faults)
    assert by_moves > by_position > 0


def twice(items):
    return [item for item in items for _ in range(2)]


def moves_of(game):
    """Players of the plays, and how many checkers each brought to a place; without moves it is no play there."""
    return [
        (action.player, brought(action.text))
        for action in game.actions
        if isinstance(action, RollMade) and action.text
    ]


def brought(text):
    """Checkers that came and went, by place; a stop on the way is neither."""
    change = Counter()
    for hop in read_hops(text):
        change[hop.source] -= 1
        change[hop.target] += 1
    return {place: count for place, count in change.items() if count}


def positions_of(game):
    return [action.position for action in game.actions if isinstance(action, Placed)]


def test_every_position_set_by_hand_is_read_back(gnubg, tmp_path):
    """In an SGF at once; in a `.mat` with the next roll, whoever was to move."""
    states = []
    for side in ("south", "north"):
        for acts in ("double", "roll"):
            script = begun(5).turn(6, 4, "24/14") if side == "south" else begun(5)
            script.set({13: 3, 8: 4, 6: 5, 4: 3}, {20: 2, 13: 4, 8: 4, 6: 5}, on_roll=side)
            if acts == "double":
                script.do("double").do("take")
            states.append(passed(script.turn(6, 1, "13/7 8/7")).state)
    for ours, theirs in through_gnubg(states, tmp_path):
        assert [positions_of(game) for game in ours.games] == [positions_of(game) for game in theirs.games]
        assert [moves_of(game) for game in ours.games] == [moves_of(game) for game in theirs.games]
        assert len(positions_of(ours.games[0])) == 1


@pytest.mark.parametrize("cube", ["0", "-1", "1", "-3"])
def test_a_position_set_at_the_start_is_read_as_gnubg_reads_it(gnubg, tmp_path, cube):
    text = (
        " 7 point match\n\n Game 1\n Ann : 0                           Bob : 0\n"
        f"; Set Pos=ab----E-C---eE---c-d---AA-/{cube}\n"
        "  1) 31: 8/5 6/5                 42: 25/21 13/11\n"
    )
    (tmp_path / "set.mat").write_text(text)
    run_gnubg(['import mat "set.mat"', 'save match "set.sgf"'], tmp_path)
    ours, theirs = read_mat(text).games[0], read_sgf((tmp_path / "set.sgf").read_text()).games[0]
    assert positions_of(ours) == positions_of(theirs)
    assert moves_of(ours) == moves_of(theirs)
    _, *nodes = (tmp_path / "set.sgf").read_text().split("\n;")
    placed = ours.actions[0]
    assert any(f"CV[{placed.cube_value}]" in node for node in nodes)
    assert any(
        f"CP[{'c' if placed.cube_owner is None else 'wb'[placed.cube_owner]}]" in node for node in nodes
    )


def test_a_position_is_not_turned_round_when_the_same_player_is_on_roll_again(gnubg, tmp_path):
    script = begun(5)
    script.set({13: 3, 8: 4, 6: 5, 4: 3}, {20: 2, 13: 4, 8: 4, 6: 5}, on_roll="south").turn(6, 1, "13/7 8/7")
    *_, (ours, theirs) = through_gnubg([passed(script).state], tmp_path)
    placed = [
        [action.position for action in match.games[0].actions if isinstance(action, Placed)]
        for match in (ours, theirs)
    ]
    assert placed[0] == placed[1] != []


def test_an_analysis_leaves_illegal_plays_out_and_names_them(gnubg):
    script = begun(3).turn(6, 4, "24/14").roll(5, 5).play("13/7 13/8", made=True).do("condone").do("done")
    script.turn(2, 1, "13/11 6/5").turn(4, 2, "8/4 6/4")
    told = []
    state = gives_up(script, side="south").state
    report = analysed(state, 0, lambda done, games: told.append((done, games)))
    named = [(one.game, one.player, one.dice, str(one.play)) for one in report.illegal]
    assert [(*one[:3], str(one[3])) for one in named] == [(1, 0, "5-5", "13/8 13/7")]
    assert report.illegal[0].why
    graded = [(one.player, tuple(one.dice)) for one in report.graded]
    assert sorted(graded) == [(0, (3, 1)), (0, (4, 2)), (1, (2, 1)), (1, (6, 4))]
    assert told[-1] == (1, 1)
    before = {entry.roll: entry.before.seen_by(entry.side) for entry in state.games[0].entries}
    for one in report.graded:
        assert position_of_id(one.gnubg_id.partition(":")[0]) == before[Roll.of(*one.dice)]


def test_what_it_drops_is_an_error_and_not_passed_over(gnubg, tmp_path):
    (tmp_path / "bad.mat").write_text(
        " 3 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
        "  1) 31: 8/5 6/5                 42: 11/7 6/4                 \n"
    )
    with pytest.raises(GnubgError, match="Invalid move"):
        run_gnubg(['import mat "bad.mat"'], tmp_path)


def test_without_it_the_way_to_install_it_is_said(monkeypatch):
    monkeypatch.setattr("companion.service.gnubg.PLACES", ())
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GnubgError, match="apt install gnubg"):
        find_gnubg()
