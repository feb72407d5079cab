"""A scripted match for rows 1 to 23 of docs/rules/play.md, named after them, in each profile they tell apart."""

import pytest

from companion.errors import GameError, IllegalPlayError, OutOfTurnError
from companion.rules.board import Side
from companion.rules.profiles import PROFILES
from companion.rules.referee import Half, Rest
from tests.support.rules.rules_pages import PLAY, rows_of
from tests.support.script import Script

FIVE = ("modern", "vip", "tournament", "tavla", "spielestart")
WITH_CUBE = ("modern", "vip", "tournament")
CARD_GAMES = ("modern", "vip", "tournament", "tavla")
"""All but the entry game."""
RACE = {6: 1}
"""A checker that one good roll bears off."""


@pytest.mark.parametrize("profile", CARD_GAMES)
def test_start__the_standard_position(profile):
    view = Script(profile).view
    assert view["position"]["pos"] == [
        0,
        -2,
        0,
        0,
        0,
        0,
        5,
        0,
        3,
        0,
        0,
        0,
        -5,
        5,
        0,
        0,
        0,
        -3,
        0,
        -5,
        0,
        0,
        0,
        0,
        2,
        0,
    ]


def test_start__spielestart_has_all_fifteen_in_the_tray():
    assert Script("spielestart").view["position"]["board"]["bar"] == {"south": 15, "north": 15}


@pytest.mark.parametrize("profile", CARD_GAMES)
def test_who_begins__one_die_each_and_ties_thrown_again(profile):
    script = Script(profile).opening(4, 4)
    assert script.phase == "opening"
    assert script.notice_texts == ["Doubles: roll again for the start."]
    assert script.opening(2, 5).turn_of == "north"


def test_who_begins__spielestart_by_the_higher_total_of_both_dice():
    script = Script("spielestart").opening([6, 2], [5, 3])
    assert script.phase == "opening"
    script.opening([6, 2], [4, 3])
    assert (script.turn_of, script.phase, script.view["roll"]) == ("south", "on_roll", None)


@pytest.mark.parametrize("profile", ["modern", "vip", "tavla"])
def test_opening_roll__as_thrown(profile):
    script = Script(profile).opening(3, 1)
    assert (script.phase, script.view["roll"]) == ("rolled", [3, 1])
    with pytest.raises(OutOfTurnError):
        script.roll(6, 6)


def test_opening_roll__tournament_plays_it_or_throws_both_anew():
    assert Script("tournament").opening(3, 1).play("8/5 6/5").phase == "played"
    anew = Script("tournament").opening(3, 1).roll(6, 6)
    assert anew.view["roll"] == [6, 6]
    with pytest.raises(OutOfTurnError):
        anew.roll(5, 5)
    lifted = Script("tournament").opening(3, 1).lifted()
    assert (lifted.phase, lifted.view["cube"]["may_double"]) == ("on_roll", False)
    assert lifted.thrown(6, 6).view["roll"] == [6, 6]
    kept = Script("tournament").opening(3, 1).lifted().play("8/5 6/5")
    assert (kept.phase, kept.turn_of) == ("on_roll", "north")


def test_opening_roll__spielestart_throws_afresh():
    assert "roll" in Script("spielestart").opening([6, 2], [4, 3]).view["may"]


@pytest.mark.parametrize("profile", FIVE)
def test_direction__each_side_counts_down_in_its_own_numbering(profile):
    script = Script(profile).south_begins()
    if script.phase == "on_roll":
        script.roll(2, 1)
    mover = script.state.board.seen_by(Side.SOUTH)
    for play in script.view["plays"]:
        assert all(source > target for source, target in play["moves"])
    assert mover == script.state.board.seen_by(Side.SOUTH)


@pytest.mark.parametrize("profile", CARD_GAMES)
def test_doublets__the_number_four_times(profile):
    script = Script(profile).ready().roll(1, 1)
    assert all(len(play["moves"]) == 4 for play in script.view["plays"])
    assert script.play("8/7(2) 6/5(2)").do("done").turn_of == "north"


def test_doublets__spielestart_by_top_and_bottom_with_a_growing_count_and_again():
    script = Script("spielestart").south_begins().roll(6, 6)
    first = max(len(play["moves"]) for play in script.view["plays"])
    assert first == 4  # two of the top, then two of the bottom
    script.play("bar/19(2) bar/24(2)").do("done")
    assert (script.turn_of, script.phase) == ("south", "on_roll")
    assert script.roll(6, 6).state.doublets == (1, 0)
    script.do("play", moves=[[25, 19]] * 4)
    assert (script.phase, len(script.view["making"]["next"])) == ("played", 1)
    assert script.do("play", moves=[[25, 19]] * 4 + [[25, 24]]).do("done").turn_of == "south"
    assert script.state.doublets == (2, 0)


def test_doublets__spielestart_bottom_numbers_may_be_added_after_the_dice_were_lifted():
    def owed():
        return Script("spielestart").south_begins().roll(6, 6).lifted()

    tops = [[25, 19]] * 2
    script = owed().do("play", moves=tops)
    assert (script.phase, script.view["owed"], script.view["making"]["complete"]) == ("rolled", True, True)
    assert "done" in script.view["may"]
    assert script.do("play", moves=[*tops, [25, 24]]).phase == "rolled"
    assert script.do("play", moves=[*tops, [25, 24], [25, 24]]).view["roll"] is None
    assert owed().do("play", moves=tops).do("done").view["roll"] is None
    assert owed().do("play", moves=tops, made=True).view["roll"] is None
    assert owed().play("bar/19(2)").view["roll"] is None
    with pytest.raises(OutOfTurnError):
        owed().do("done")
    assert "done" not in owed().do("play", moves=tops[:1]).view["may"]


@pytest.mark.parametrize("profile", CARD_GAMES)
def test_use_of_numbers__as_many_as_possible_and_of_one_the_higher(profile):
    script = Script(profile).set({24: 1, 1: 2}, {1: 2, 2: 2, 17: 2, 12: 2}).roll(6, 4)
    assert script.view["plays"]
    for play in script.view["plays"]:
        assert len(play["moves"]) == max(len(one["moves"]) for one in script.view["plays"])
    lone = Script(profile).set({20: 1}, {16: 2, 6: 13}).roll(6, 5)
    assert lone.texts() == {"20/14"}


def test_use_of_numbers__spielestart_the_lower_first():
    script = Script("spielestart").south_begins()
    script.set({24: 1, 20: 2, 1: 12}, {2: 15}).roll(5, 2)
    with pytest.raises(IllegalPlayError, match="lower number comes first"):
        script.do("play", moves=[[24, 19]])
    assert script.do("play", moves=[[24, 22]]).phase == "rolled"


@pytest.mark.parametrize("profile", CARD_GAMES)
def test_forced_bear_off__any_other_legal_move_is_allowed(profile):
    script = Script(profile).set({6: 2, 3: 1}, {6: 5}).roll(3, 1)
    assert "6/3 6/5" in script.texts() or "6/5 6/3" in script.texts()
    assert any("off" in text for text in script.texts())


@pytest.mark.parametrize("profile", CARD_GAMES)
def test_number_higher_than_needed__from_the_highest_point(profile):
    script = Script(profile).set({4: 1, 2: 2}, {6: 5}).roll(6, 1)
    assert script.texts() == {"4/off 2/1", "4/off"}
    with pytest.raises(IllegalPlayError, match="highest point"):
        script.do("play", moves=[[2, 0]])


def test_number_higher_than_needed__spielestart_any_checker_in_the_last_quarter():
    script = Script("spielestart").south_begins().set({5: 1, 2: 2}, {6: 15}).roll(6, 3)
    assert script.do("play", moves=[[2, 0], [2, 0]]).phase in ("played", "game_over")


GAMMON = ({1: 1}, {6: 5, 13: 10})
BACKGAMMON_HOME = ({1: 1}, {6: 5, 13: 9, 23: 1})
BACKGAMMON_BAR = ({1: 1}, {6: 5, 13: 9, 25: 1})
SAVED = ({1: 1}, {6: 5, 13: 8, 23: 1})


def worth(profile, south, north, **overrides):
    """What south wins by bearing his last checker off."""
    script = Script(profile, 9, **overrides).set(south, north).roll(2, 1)
    return script.do("play", moves=[[1, 0]]).view["result"]["worth"]


@pytest.mark.parametrize(
    ("profile", "gammon"), [("modern", 2), ("vip", 2), ("tournament", 2), ("tavla", 1), ("spielestart", 1)]
)
def test_gammon__loser_bore_off_none(profile, gammon):
    assert worth(profile, *GAMMON) == gammon
    assert worth(profile, *SAVED) == 1


def test_gammon__tavla_can_have_it_switched_on():
    assert worth("tavla", *GAMMON, gammon=True) == 2
    assert worth("tavla", *BACKGAMMON_BAR, gammon=True, backgammon="on_bar") == 3


@pytest.mark.parametrize(
    ("profile", "in_home", "on_bar"),
    [("modern", 3, 3), ("vip", 2, 3), ("tournament", 3, 3), ("tavla", 1, 1), ("spielestart", 1, 1)],
)
def test_backgammon__on_the_bar_or_in_the_winners_home(profile, in_home, on_bar):
    assert worth(profile, *BACKGAMMON_HOME) == in_home
    assert worth(profile, *BACKGAMMON_BAR) == on_bar


@pytest.mark.parametrize("profile", WITH_CUBE)
def test_cube__one_in_the_middle_then_its_owners_and_beyond_64(profile):
    script = Script(profile, 99).ready()
    assert script.view["cube"] == {
        "in_play": True,
        "value": 1,
        "owner": None,
        "offered": None,
        "may_double": True,
    }
    script.do("double")
    assert (script.view["cube"]["offered"], script.view["asked"]) == (2, "north")
    script.do("take")
    assert script.view["cube"] == {
        "in_play": True,
        "value": 2,
        "owner": "north",
        "offered": None,
        "may_double": False,
    }
    with pytest.raises(OutOfTurnError, match="cube is"):
        script.do("double")
    script.turn(6, 1, "13/7 8/7")
    assert script.view["cube"]["may_double"]
    script.ready().do("set_position", cube={"value": 64, "owner": "south"})
    assert script.do("double").do("take").view["cube"]["value"] == 128


@pytest.mark.parametrize("profile", ["tavla", "spielestart"])
def test_cube__none(profile):
    script = Script(profile).south_begins()
    assert "double" not in script.view["may"]
    with pytest.raises(OutOfTurnError, match="without a cube"):
        script.ready().do("double")


def test_cube__not_before_the_opening_play_nor_after_the_roll():
    script = Script().opening(3, 1)
    with pytest.raises(OutOfTurnError):
        script.do("double")
    script.play("8/5 6/5").do("done")
    assert script.do("double").do("take").roll(6, 4).phase == "rolled"
    with pytest.raises(OutOfTurnError):
        script.do("double")


@pytest.mark.parametrize("profile", WITH_CUBE)
def test_declined_double__the_offerer_wins_what_the_cube_showed_before(profile):
    assert Script(profile).ready().do("double").do("pass").score == (1, 0)
    script = Script(profile, 9).ready().do("set_position", cube={"value": 4, "owner": "south"})
    assert script.do("double").do("pass").score == (4, 0)


@pytest.mark.parametrize(
    ("profile", "length", "allowed"),
    [
        ("modern", 0, False),
        ("modern", 5, False),
        ("vip", 0, False),
        ("tournament", 0, True),
        ("tournament", 5, True),
    ],
)
def test_beaver__tournament_only_in_matches_too(profile, length, allowed):
    script = Script(profile, length).ready().do("double")
    assert ("beaver" in script.view["may"]) is allowed
    if not allowed:
        with pytest.raises(OutOfTurnError):
            script.do("beaver")
        return
    script.do("beaver")
    assert (script.view["asked"], script.view["cube"]["offered"]) == ("south", 4)
    with pytest.raises(OutOfTurnError):
        script.do("raccoon")
    assert script.do("take").view["cube"] == {
        "in_play": True,
        "value": 4,
        "owner": "north",
        "offered": None,
        "may_double": False,
    }


def test_beaver__the_offerer_who_passes_loses_what_the_cube_showed_before_it():
    assert Script("tournament").ready().do("double").do("beaver").do("pass").score == (0, 2)


@pytest.mark.parametrize(
    ("profile", "length", "single"),
    [
        ("modern", 0, True),
        ("modern", 9, False),
        ("vip", 0, False),
        ("tournament", 0, True),
        ("tournament", 9, False),
    ],
)
def test_jacoby__gammons_count_single_while_nobody_has_doubled(profile, length, single):
    script = Script(profile, length).set(*GAMMON).roll(2, 1).do("play", moves=[[1, 0]])
    assert script.view["result"]["worth"] == (1 if single else 2)
    doubled = Script(profile, length).set(*GAMMON).do("double").do("take").roll(2, 1)
    assert doubled.do("play", moves=[[1, 0]]).view["result"]["points"] == 4


def test_jacoby__in_matches_too_where_it_is_asked_for():
    script = Script("tournament", 9, jacoby="everywhere").set(*GAMMON).roll(2, 1)
    assert script.do("play", moves=[[1, 0]]).view["result"]["worth"] == 1


@pytest.mark.parametrize("profile", WITH_CUBE)
def test_crawford__the_game_after_a_player_first_stands_one_point_short(profile):
    script = Script(profile, 3).ready().do("set_position", score={"south": 1}).do("double").do("pass")
    assert script.do("next_game").view["match"]["crawford"]
    script.south_begins()
    script.play("8/5 6/5").do("done")
    with pytest.raises(OutOfTurnError, match="Crawford"):
        script.do("double")
    script.do("resign", worth=1, side="south").do("accept").do("next_game")
    assert not script.view["match"]["crawford"]
    assert script.ready().view["cube"]["may_double"]


PLACES = {
    "leaning": {"rest": Rest.LEANING},
    "on_checker": {"rest": Rest.ON_CHECKER},
    "on_bar": {"rest": Rest.ON_BAR, "half": None},
    "on_rim": {"rest": Rest.ON_RIM},
    "on_die": {"rest": Rest.ON_DIE},
    "off_board": {"rest": Rest.OFF_BOARD, "half": None},
}


@pytest.mark.parametrize("profile", FIVE)
@pytest.mark.parametrize("reason", PLACES)
def test_valid_roll__both_dice_flat_on_the_playing_surface(profile, reason):
    script = (
        Script(profile).south_begins().ready() if profile != "spielestart" else Script(profile).south_begins()
    )
    script.thrown(6, 4, **PLACES[reason])
    assert (script.view["ruling"], script.reasons) == ("cocked", {reason})
    assert script.phase == "on_roll"


@pytest.mark.parametrize(
    ("profile", "ruling"),
    [
        ("modern", "cocked"),
        ("vip", "cocked"),
        ("tavla", "cocked"),
        ("tournament", "valid"),
        ("spielestart", "valid"),
    ],
)
def test_valid_roll__in_the_rollers_right_half_where_the_profile_asks_for_it(profile, ruling):
    for changes, reason in (({"half": Half.LEFT}, "split_halves"), ({}, "wrong_half")):
        script = Script(profile).south_begins()
        script = script if profile == "spielestart" else script.ready()
        script.thrown(6, 4, by=Side.SOUTH if changes else Side.NORTH, **changes)
        assert script.view["ruling"] == ruling
        assert script.reasons == (set() if ruling == "valid" else {reason})


@pytest.mark.parametrize("profile", FIVE)
def test_invalid_roll__both_dice_are_thrown_again(profile):
    script = Script(profile).south_begins()
    script = script if profile == "spielestart" else script.ready()
    script.thrown(6, 4, rest=Rest.LEANING).lifted()
    assert (script.phase, script.turn_of) == ("on_roll", "south")
    assert "again" in script.view["reason_text"]
    assert script.thrown(5, 4).view["roll"] == [5, 4]


@pytest.mark.parametrize("profile", ["modern", "vip", "tavla"])
def test_opening_dice__each_throwers_own_right_half(profile):
    script = Script(profile).opening_thrown(5, 2)
    assert (script.turn_of, script.view["roll"]) == ("south", [5, 2])
    both = Script(profile).thrown(5, 2)
    assert (both.phase, both.reasons) == ("opening", {"wrong_half"})


def test_opening_dice__tournament_the_half_with_both_homes_and_people_say_who_threw_which():
    script = Script("tournament").thrown(5, 2)
    assert (script.phase, script.view["reason_text"]) == ("opening", "Who rolled the 5?")
    assert script.opening(2, 5).turn_of == "north"
    assert Script("tournament").thrown(5, 2, by=Side.NORTH).reasons == {"wrong_half"}
    assert Script("tournament").thrown(4, 4).notice_texts == ["Doubles: roll again for the start."]


@pytest.mark.parametrize(
    ("profile", "pair"),
    [
        ("modern", "a pair of dice each"),
        ("vip", "one shared pair of dice"),
        ("tournament", "a pair of dice each"),
        ("tavla", "one shared pair of dice"),
        ("spielestart", "one shared pair of dice"),
    ],
)
def test_dice__a_pair_each_or_one_shared(profile, pair):
    assert pair in Script(profile).state.terms.profile.description


@pytest.mark.parametrize(
    ("profile", "left", "dark"),
    [
        ("modern", True, True),
        ("vip", False, True),
        ("tournament", False, False),
        ("tavla", False, True),
        ("spielestart", True, True),
    ],
)
def test_board_orientation__as_the_profile_allows(profile, left, dark):
    for orientation, allowed in (({"home": "left"}, left), ({"south": "dark"}, dark)):
        script = Script("modern")
        if allowed:
            script.do("new_match", profile=profile, orientation=orientation)
            assert orientation.items() <= script.view["orientation"].items()
        else:
            with pytest.raises(GameError, match=f"Under {PROFILES[profile].title} "):
                script.do("new_match", profile=profile, orientation=orientation)


@pytest.mark.parametrize("profile", FIVE)
def test_end_of_turn__the_dice_are_picked_up(profile):
    script = Script(profile).south_begins()
    if profile == "spielestart":
        script.thrown(2, 1).play("bar/23 bar/24")
    else:
        script.ready().thrown(3, 1).play("8/5 6/5")
    assert script.phase == "played"
    assert (script.lifted().phase, script.turn_of) == ("on_roll", "north")


def test_end_of_turn__lifted_before_the_play_was_entered_it_is_owed():
    script = Script().ready().thrown(3, 1).lifted()
    assert (script.phase, script.view["owed"]) == ("rolled", True)
    script.thrown(6, 4, by=Side.NORTH)
    script.play("8/5 6/5")
    assert (script.turn_of, script.view["roll"], script.view["owed"]) == ("north", [6, 4], False)


@pytest.mark.parametrize("profile", FIVE)
def test_premature_roll__is_void(profile):
    script = Script(profile).south_begins()
    if profile == "spielestart":
        script.roll(2, 1).play("bar/23 bar/24")
    else:
        script.ready().roll(3, 1).play("8/5 6/5")
    script.thrown(6, 4, by=Side.NORTH)
    assert (script.view["ruling"], script.reasons) == ("cocked", {"premature"})
    assert (script.phase, script.turn_of) == ("played", "south")
    assert script.do("done").roll(5, 4).turn_of == "north"


@pytest.mark.parametrize("profile", FIVE)
def test_illegal_play__the_opponent_may_demand_correction(profile):
    script = illegal(profile)
    assert (script.phase, script.view["asked"]) == ("dispute", "north")
    assert {answer["type"] for answer in script.view["dispute"]["answers"]} == {"correct", "condone"}
    assert all(answer["by"] == "north" for answer in script.view["dispute"]["answers"])
    with pytest.raises(OutOfTurnError):
        script.do("condone", side="south")
    before = script.do("correct")
    assert (before.phase, before.turn_of, before.view["owed"]) == ("rolled", "south", True)


@pytest.mark.parametrize("profile", FIVE)
def test_illegal_play__or_let_it_stand_by_saying_so_or_by_rolling(profile):
    told = illegal(profile).do("condone")
    assert (told.phase, told.turn_of, told.view["dispute"]) == ("on_roll", "north", None)
    rolled = illegal(profile).roll(2, 1)
    assert (rolled.view["dispute"], rolled.notice_texts) == (
        None,
        ["North has rolled: the illegal play stands."],
    )
    assert rolled.state.log[-1].fault
    with pytest.raises(OutOfTurnError):
        rolled.do("correct")


@pytest.mark.parametrize("profile", FIVE)
def test_illegal_play__an_invalid_roll_does_not_make_it_final(profile):
    script = illegal(profile).thrown(6, 4, by=Side.NORTH, rest=Rest.LEANING)
    assert script.phase == "dispute"
    overruled = illegal(profile).roll(2, 1).do("rule", ruling="cocked")
    assert (overruled.phase, overruled.view["dispute"]["kind"]) == ("dispute", "illegal_play")


@pytest.mark.parametrize(("profile", "final"), [("modern", False), ("vip", False), ("tournament", True)])
def test_illegal_play__final_by_a_double_in_tournament(profile, final):
    script = illegal(profile).do("double")
    assert (script.view["dispute"] is None) is final


def test_illegal_play__also_of_a_roll_with_which_nothing_can_be_played():
    script = Script().set({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3}).roll(6, 5)
    with pytest.raises(OutOfTurnError, match="Nothing can be played"):
        script.do("play", moves=[[6, 1]])
    script.play("6/1", made=True)
    assert (script.phase, script.view["dispute"]["kind"]) == ("dispute", "illegal_play")
    assert "Nothing can be played" in script.view["dispute"]["text"].replace("nothing", "Nothing")
    assert script.do("correct").view["making"]["text"] == ""
    assert script.play("6/1", made=True).do("lift").do("correct").turn_of == "north"


def illegal(profile):
    """South has made a play that no rule allows, and picked up the dice."""
    script = Script(profile).south_begins()
    if profile == "spielestart":
        script.roll(2, 1).play("bar/22(2)", made=True)
    else:
        script.ready().roll(3, 1).play("13/7", made=True)
    return script.do("lift")


def test_every_row_has_its_match():
    rows = rows_of(PLAY)
    assert [row.number for row in rows] == [str(number) for number in range(1, 24)]
    named = {name.removeprefix("test_").split("__")[0] for name in globals() if "__" in name}
    assert {row.name for row in rows} <= named
