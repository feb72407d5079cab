"""Match records that others wrote: read in every layout, replayed, and told what is illegal in them."""

import json
from contextlib import suppress

import pytest

from companion.game.state import CubeAction
from companion.records.analysers.match_files import transcript_of
from companion.records.gnubg_report import CubeError, cube_errors_in
from companion.records.mat.reader import read_mat
from companion.records.replay import replay, summary, transcript_in
from companion.records.sgf import read_sgf, write_sgf
from companion.records.transcript import BadFileError, CubeDecision, Game, Placed, RollMade, Won

RECORDS = {
    "gammonview_3WNK_7p.mat": (3, 45, [1, 2], None),
    "gammonview_illegal_play_7p.mat": (6, 229, [2, 7], "right"),
    "gnubg_beaver.mat": (1, 6, [0, 0], None),
    "gnubg_sample7.mat": (8, 383, [1, 7], "right"),
    "gnubg_sample7.sgf": (8, 383, [1, 7], "right"),
    "kevung_charlot.mat": (4, 189, [9, 2], "left"),
    "kevung_charlot.sgf": (4, 189, [9, 2], "left"),
}


@pytest.mark.parametrize("name", RECORDS)
def test_the_records_of_others_are_replayed(collection, name):
    told = summary(name, transcript_in((collection / "matches" / name).read_text("utf-8")))
    assert (told["games"], told["plays"], told["score"], told["winner"]) == RECORDS[name]
    illegal = [(one["game"], one["move"], one["side"], one["dice"], one["play"]) for one in told["illegal"]]
    assert illegal == ([(1, 11, "left", [1, 3], "14/10 13/12")] if "illegal" in name else [])


def test_two_formats_of_one_match_say_the_same(collection):
    for name in ("kevung_charlot", "gnubg_sample7"):
        mat, sgf = (
            transcript_in((collection / "matches" / f"{name}{end}").read_text("utf-8"))
            for end in (".mat", ".sgf")
        )
        for one, other in zip(mat.games, sgf.games, strict=True):
            rolls = [
                [(d.player, d.dice) for d in game.actions if isinstance(d, RollMade)] for game in (one, other)
            ]
            assert rolls[0] == rolls[1]
            assert (one.score, one.won) == (other.score, other.won)


HEAD = " 5 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"


@pytest.mark.parametrize(
    ("lines", "plays", "illegal"),
    [
        pytest.param("  1) 31: 8/5 6/5                  42: 8/4 6/4\n", 2, 0, id="our own columns"),
        pytest.param("1) 31: 8/5 6/5 42: 8/4 6/4\n", 2, 0, id="one blank between the columns"),
        pytest.param("  1)\t31: 8/5 6/5\t\t42: 8/4 6/4\r\n", 2, 0, id="tabs and carriage returns"),
        pytest.param("  1)                              13: 5/8 6/5\n", 1, 1, id="a checker going backwards"),
        pytest.param("  1)                              13: 8/5, 6/5\n", 1, 0, id="right begins, a comma"),
        pytest.param("  1) 31: 8/5 6/5\n", 1, 0, id="left alone"),
        pytest.param("  1) 66: 24/18(2) 13/7(2)\n", 1, 0, id="counted"),
        pytest.param("  1) 66: 24/18(2)\n", 1, 1, id="too little"),
        pytest.param("  1) 64: 24/14\n", 1, 0, id="joined"),
        pytest.param("  1) 64: 24/15\n", 1, 1, id="one too few"),
        pytest.param("  1) 64:\n  2) Resigns   Wins 1 point\n", 0, 0, id="given up over a roll"),
        pytest.param("  1) 64: ????\n", 0, 0, id="broken off"),
        pytest.param("  1) 64:                        31: 8/5 6/5\n", 2, 1, id="a play left out"),
    ],
)
def test_layouts_of_the_field(lines, plays, illegal):
    found = replay(read_mat(HEAD + lines))
    assert (found.plays, len(found.illegal)) == (plays, illegal)


def test_after_a_checker_went_backwards_the_game_is_followed_from_where_it_stands():
    text = HEAD + (
        "  1) 31: 8/5 6/5                    42: 8/4 6/4\n"
        "  2) 65: 13/7 13/8 5/6              31: 24/23 13/10\n"
        "  3) 11: 6/5 6/5 8/7 8/7            66: 24/18 13/7 13/7\n"
    )
    found = replay(read_mat(text))
    assert [(one.move, one.player, one.play) for one in found.illegal] == [
        (2, 0, "13/7 13/8 5/6"),
        (3, 1, "24/18 13/7 13/7"),
    ]


def test_cannot_move_is_a_dance():
    closed = (
        "; a comment\n"
        + HEAD
        + (
            "  1) 66: 24/18(2) 13/7(2)           11: 8/7(2) 6/5(2)\n"
            "  2) 66: Cannot Move                22: 24/22(2) 13/11(2)\n"
        )
    )
    game = read_mat(closed).games[0]
    assert [action.text for action in game.actions][2] == ""


def test_cube_and_result_in_one_line():
    text = HEAD + (
        "  1) 31: 8/5 6/5                    Doubles => 2\n"
        "  2) Takes                          64: 24/14\n"
        "  3) Doubles => 4                   Drops\n"
        "      Wins 2 points and the match\n"
    )
    match = read_mat(text)
    assert match.games[0].actions[1:3] == (
        CubeDecision(1, 1, CubeAction.DOUBLE, 2),
        CubeDecision(0, 2, CubeAction.TAKE),
    )
    assert match.games[0].won == Won(0, 2)
    assert match.score == (2, 0)


GALAXY = """; [Site "BackgammonGalaxy"]
 3 point match

 Game 1
 Ann : {ann}                        Bob : {bob}
  1)                             31: 8/5 6/5
  2) 42: 8/4 6/4                 {end}
"""


@pytest.mark.parametrize(
    ("end", "winner"),
    [
        pytest.param(" Losses 2 point\n      Wins 2 point and the match", "left", id="below each other"),
        pytest.param(
            "61: 13/7 8/7\n  3)  Losses 2 point    Wins 2 point and the match", "right", id="side by side"
        ),
        pytest.param("  3)  Losses 2 point    Wins 2 point and the match", "right", id="two lines in one"),
        pytest.param(
            "61: 13/7 8/7\n Losses 2 point\n\n      Wins 2 point and the match", "left", id="no number"
        ),
        pytest.param(" Losses 2 point", "left", id="the loser alone"),
        pytest.param(
            "61: 13/7 8/7\n  3) 32: Concedes                      Wins 2 point", "right", id="a roll given up"
        ),
        pytest.param("61: Concedes\n  4)  Wins 2 point", "left", id="on the right"),
        pytest.param(
            "61: 13/7 8/7\n  3) ????                              Wins 2 point and the match",
            "right",
            id="no roll",
        ),
        pytest.param("00: ????\n      Wins 2 point", "left", id="dice that were not thrown"),
        pytest.param("???? Wins 2 point and the match", "left", id="no roll, three in a row"),
        pytest.param("61: ????      Wins 2 point", "left", id="a roll given up, three in a row"),
        pytest.param("61: Concedes      Wins 2 point", "left", id="resigned, four in a row"),
        pytest.param("61: 13/7 8/7      Wins 2 point", "right", id="played, three in a row"),
        pytest.param("61: 13/7 8/7  Losses 2 point", "right", id="the loser alone, three in a row"),
        pytest.param("61: 13/7 8/7  Losses 2 point  Wins 2 point", "right", id="four in a row"),
        pytest.param(
            "61: 13/7 8/7\n  3) Doubles => 2  Drops  Wins 2 point", "left", id="passed, three in a row"
        ),
    ],
)
def test_the_winner_of_records_from_galaxy_and_studio(end, winner):
    found = summary("a.txt", transcript_in(GALAXY.format(ann=1, bob=1, end=end)))
    assert (found["winner"], found["illegal"], found["remarks"]) == (winner, [], [])
    assert sorted(found["score"]) == [1, 3]


@pytest.mark.parametrize(
    ("end", "winner"), [(" ???? Wins 1 point", Won(1, 1)), ("      Wins 1 point", Won(1, 1)), (" ????", None)]
)
def test_the_right_player_alone_in_a_line_keeps_his_roll(end, winner):
    game = read_mat(HEAD + f"  1)                             31: 8/5 6/5{end}\n").games[0]
    assert (game.actions[0], game.won) == (RollMade(1, 1, (3, 1), "8/5 6/5"), winner)


def test_the_next_score_says_who_won_whatever_the_column():
    text = (
        HEAD + "  1) 31: 8/5 6/5                    Doubles => 2\n  2) Drops\n"
        "      Wins 1 point\n\n Game 2\n Ann : 0 Bob : 1\n  1) 31: 8/5 6/5\n"
    )
    match = read_mat(text)
    assert match.games[0].won == Won(1, 1)
    assert match.games[1].score == (0, 1)


def test_a_double_without_the_cube_is_remarked_on():
    text = HEAD + (
        "  1) 31: 8/5 6/5                    Doubles => 2\n"
        "  2) Takes                          64: 24/14\n"
        "  3) 11: 24/23(2) 6/5(2)            Doubles => 4\n"
    )
    assert replay(read_mat(text)).remarks == ["Game 1, move 3: right doubles without the cube."]


def test_a_line_that_means_nothing_is_remarked_on():
    match = read_mat(HEAD + "  1) 31: 8/5 6/5\n@@@\n  2) 31: 8/5 6/5\n")
    assert match.remarks == ("Line 6 means nothing here: “@@@”.",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello\nworld\n",
        "\x00\x01",
        "(;GM[1]FF[4])",
        "(;GM[6]",
        "(;GM[6];W[zz])",
        "(;GM[6]MI[length:x])",
        "()))",
        "( ;W[31hefe] [ ",
        "(;GM[6]AW[A])",
        " Game 1\n" + "?\n" * 9,
    ],
)
def test_what_is_no_match_record_is_refused_with_a_sentence(text):
    with pytest.raises(BadFileError) as refusal:
        transcript_in(text)
    assert str(refusal.value).endswith(".")


def test_sgf_is_read_back_as_it_was_written(collection):
    for name in ("gnubg_sample7.mat", "gammonview_3WNK_7p.mat"):
        match = transcript_in((collection / "matches" / name).read_text("utf-8"))
        again = read_sgf(write_sgf(match))
        assert (again.players, again.length, again.score) == (match.players, match.length, match.score)
        assert replay(again).illegal == []
        for one, other in zip(match.games, again.games, strict=True):
            cube = [
                [(d.player, d.kind) for d in game.actions if isinstance(d, CubeDecision)]
                for game in (one, other)
            ]
            assert cube[0] == cube[1]


def test_a_position_set_by_hand_is_replayed_from():
    sgf = "(;GM[6]MI[length:0];AE[a:y]AW[f][f][e]AB[s][s]PL[W]CV[2]CP[w];W[65fzez];B[65szsx])"
    match = read_sgf(sgf)
    placed = match.games[0].actions[0]
    assert isinstance(placed, Placed)
    assert (placed.position.mine[6], placed.position.mine[0], placed.cube_owner) == (2, 12, 0)
    assert replay(match).illegal == []


N = "9" * 5000
LINE = "  1) 31: 8/5 6/5"


@pytest.mark.parametrize(
    "text",
    [
        f" {N} point match\n\n Game 1\n{LINE}\n",
        f" 5 point match\n\n Game {N}\n{LINE}\n",
        f" 5 point match\n\n Game 1\n A : {N}    B : {N}\n{LINE}\n",
        f" 5 point match\n\n Game 1\n A : 0    B : {'9' * 3000}{'8' * 1500}\n{LINE}\n",
        f" 5 point match\n\n Game 1\n  {'7' * 4301}) 31: 8/5 6/5\n",
        f" 5 point match\n\n Game 1\n  1) 31: {N}/5 6/5\n",
        f" 5 point match\n\n Game 1\n  1) 31: 8/5 6/{N}({N})\n",
        f" 5 point match\n\n Game 1\n{LINE}\n  2) Doubles => {N}\n",
        f" 5 point match\n\n Game 1\n{LINE}\n   Wins {N} points\n",
        f"(;GM[6]MI[length:5]RE[W+{N}];W[31hefe])",
        f"(;GM[6]MI[length:5];AE[a:y]AW[a]AB[x]CV[{N}];W[31hefe])",
        "(;GM[6];W[31" + "ab" * 100_000 + "])",
        "(;GM[6];AW" + "[a:\U0010ffff]" * 1000 + ")",
        " : " * 1_000_000,
    ],
)
def test_numbers_and_lines_without_end_are_read_within_bounds(text):
    with suppress(BadFileError):
        assert json.dumps(summary("file", transcript_in(text)))


def test_mistakes_with_the_cube_are_found_in_the_analysis_with_the_play_that_they_came_before() -> None:
    game = Game(1, (0, 0), (RollMade(1, 1, (3, 1), "8/5 6/5"), RollMade(0, 2, (6, 4), "24/14")))
    exported = """
Move number 1:  Mehmet Ali to play 31

* Mehmet Ali moves 8/5 6/5

Move number 2:  Anna on roll, cube decision?

* Anna doubles

Alert: wrong double (-0.166)!
 [very bad]
Move number 3:  Anna doubles to 2

* Mehmet Ali rejects

Alert: wrong pass (-2.460)!
"""
    assert cube_errors_in(exported, game, ("Anna", "Mehmet Ali")) == [
        CubeError(1, 1, "Anna", "wrong double", 0.166),
        CubeError(1, 1, "Mehmet Ali", "wrong pass", 2.46),
    ]


def test_ogxm_file_is_named_as_what_it_is() -> None:
    with pytest.raises(BadFileError, match="verify"):
        transcript_of(b"OGXM\x02\x00")


CUBE = (
    " 5 point match\n\n Game 1\n Ann : 0                           Bob : 0\n"
    "  1) 31: 8/5 6/5                   {right}\n{rest}"
)


@pytest.mark.parametrize(
    ("right", "rest", "said"),
    [
        ("Doubles => 3", "  2) Takes", "right turns the cube from 1 to 3"),
        ("Doubles => 2", "  2) 31: 24/23 13/10", "left rolls before the double is answered"),
        ("Takes", "", "right answers a double that was not made"),
        ("42: 8/4 6/4", "      Wins 99 points", "left wins 99 points with the cube at 1"),
        ("42: 8/4 6/4", "  2)                               31: 24/23 13/10", "right rolls twice in a row"),
        ("42: 8/4 6/4", f"; Set Pos=-b{'-' * 22}B-/0\n  2) 31: 24/23", "move 1: a position is set by hand"),
        ("42: 8/4 6/4", "; Set Pos=XGID\n", "Line 6 means nothing here"),
        ("42: Illegal play (1;2;) hello", "", None),
    ],
)
def test_what_cannot_be_with_cube_and_points_is_remarked_on(right, rest, said):
    match = read_mat(CUBE.format(right=right, rest=rest))
    found = summary("a.mat", match)
    assert any(said in remark for remark in found["remarks"]) if said else found["illegal"]


def test_exchanges_of_beavers_are_no_fault():
    rest = (
        "  2) Beavers => 4                  Raccoons => 8\n  3) Takes                         42: 8/4 6/4\n"
    )
    assert summary("a.mat", read_mat(CUBE.format(right="Doubles => 2", rest=rest)))["remarks"] == []


GNUBG_SGF = (
    "(;GM[6]MI[length:3]PW[Ann]PB[Bob];W[31hefe];PL[B]DI[42]{cube}"
    ";PL[W]AE[a:y]AW[e][e][f][f][f][f]{black}{then})"
)


def test_illegal_play_as_gnubg_keeps_it_in_an_sgf_is_found():
    sgf = GNUBG_SGF.format(cube=";CP[b];CV[2]", black="AB[s][s][t]", then=";W[21fded]")
    match = read_sgf(sgf)
    _, made, placed, _ = match.games[0].actions
    assert (made.player, made.dice, made.text) == (1, (4, 2), "")
    assert (placed.is_play, placed.on_roll, placed.cube_value, placed.cube_owner) == (True, 0, 2, 1)
    assert [(one.player, one.dice) for one in replay(match).illegal] == [(1, (4, 2))]


def test_position_between_a_roll_and_its_move_was_set_by_hand():
    match = read_sgf(GNUBG_SGF.format(cube="", black="AB[s][s][t]", then=";B[42swsu]"))
    _, placed, made = match.games[0].actions
    assert (placed.is_play, placed.on_roll, made.player) == (False, 1, 1)
    assert replay(match).illegal == []


def test_roll_told_before_its_move_is_one_roll():
    match = read_sgf("(;GM[6]MI[length:3];PL[W]DI[31];W[31hefe];PL[B]DI[42];B[42suqu];PL[W]DI[66])")
    assert [(one.player, one.dice, bool(one.text)) for one in match.games[0].actions] == [
        (0, (3, 1), True),
        (1, (4, 2), True),
        (0, (6, 6), False),
    ]


@pytest.mark.parametrize(
    "node", ["PL[W]DI[77]", "PL[Q]DI[31]", f"AE[a:y]AW{'[f]' * 16}", "AE[a:y]AW[f]CV[3]"]
)
def test_sgf_with_an_impossible_node_is_refused(node):
    with pytest.raises(BadFileError, match="damaged"):
        read_sgf(f"(;GM[6]MI[length:3];{node})")


@pytest.mark.parametrize("line", ["\x0c", ";", "; \xa0", "; (", "; )", "; ()"])
def test_comment_without_a_word_is_passed_over(line):
    match = read_mat(CUBE.format(right="42: 8/4 6/4", rest=line + "\n"))
    assert (len(match.games[0].actions), summary("a.mat", match)["remarks"]) == (2, [])
