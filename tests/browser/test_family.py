"""The other games, and Tavli, played by tapping in a real Chromium: docs/rules/family.md."""

import pytest

from companion.rules.board import Side
from web.roles import Role

PINNED = "This checker is pinned"
FIRST = "The first checker must pass"
HEAD = "Only one checker may leave the head (голова)"
PRIME = "This would block points that must stay open"
OPEN = "All the opponent’s checkers are behind the prime: it must be opened"


def new_match(tablet, house, profile: str, length: int) -> None:
    """Begin a match in the form of the page; Anna at South wins the opening with 3-1."""
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.find("input[name=south]").send_keys("Anna")
    tablet.find("input[name=north]").send_keys("Mehmet")
    tablet.tap(f".choice:has(input[name=length][value='{length}'])")
    tablet.choose("select[name=profile]", profile)
    tablet.tap("#start-match")
    tablet.tap("#die-0-3")
    tablet.tap("#die-1-1")
    tablet.sees("3-1" if profile == "long_nardy" else "Anna to roll", "#verdict h2")


def lay(house, south: dict[int, int], north: dict[int, int], on_roll: str = "south") -> None:
    """Set up the checkers of both sides as {point: count}; the rest is borne off."""
    checkers = [(15 - sum(one.values()), *(one.get(n, 0) for n in range(1, 26))) for one in (south, north)]
    seen = house.table.keeper.table.state.board.with_checkers(*checkers).seen_by(Side(on_roll))
    house.act("set_position", pos=seen.ints(), under=seen.under(), on_roll=on_roll)


def play(tablet, house, roll: tuple[int, int] | None, *moves: tuple[int, int]) -> None:
    """Report a roll, if one is given, and tap its moves."""
    if roll:
        house.table.thrown(*roll)
        tablet.sees("{}-{}".format(*roll), "#verdict h2")
    state = house.table.state()
    running = state["position"]["board"]["game"] == "running"
    for at, (source, target) in enumerate(moves, 1):
        tablet.move(state["on_roll"], source, target, running=running)
        tablet.until(
            lambda at=at: len(house.table.moves) >= at or house.table.state()["roll"] != state["roll"],
            f"move {at}",
        )


def done(tablet, house) -> None:
    """End the turn."""
    tablet.until(lambda: house.table.state()["phase"] == "played", "the play to be complete")
    tablet.tap("#done")
    tablet.sees("to roll", "#verdict h2")


def refused(tablet, point: int, why: str) -> None:
    """Tap a point that a rule of the game keeps from moving: the card and the notice give the rule."""
    tablet.sees(f"{point}: {why}", "#verdict .rule")
    tablet.tap(f"#spot-p{point}")
    tablet.sees(why, "#toast")


def test_nobody_wins_a_drawn_game(tablet, house) -> None:
    house.begin(south=3, north=1, profile="plakoto", length=3)
    lay(house, {24: 1, 6: 13, 3: 1}, {1: 2, 13: 12, 24: 1})
    house.act("roll", dice=[2, 1])
    house.act("play", moves=[[3, 1], [6, 5]])
    tablet.open(house.link())
    tablet.sees("Nobody wins", "#verdict h2")
    tablet.open(house.address + "/sheet")
    assert [one.text for one in tablet.all(".games td")][1:5] == ["–", "–", "1", "0"]


WHOLE_HOME = ({2: 2}, {24: 15})
FEVGA = ((6, 5), (24, 18), FIRST, (18, 13), (24, 18))
NARDY = (None, (24, 23), HEAD, (23, 20), (24, 18))


@pytest.mark.parametrize(
    ("profile", "turns"), [("fevga", FEVGA), ("moultezim", FEVGA), ("long_nardy", NARDY)]
)
def test_running_game_by_tapping(tablet, house, profile, turns) -> None:
    roll, one, why, other, theirs = turns
    new_match(tablet, house, profile, 1)
    play(tablet, house, roll, one)
    refused(tablet, 24, why)
    play(tablet, house, None, other)
    done(tablet, house)
    play(tablet, house, (6, 2), theirs)
    assert (
        house.table.state()["position"]["board"]["points"][11] == -15
    )  # North's 24-point, before the whole play
    tablet.until(lambda: "24: 14" in tablet.text("#position"), "the checker to be moved on the page")
    if profile == "moultezim":
        lay(house, {24: 5, 13: 1, 10: 2, 9: 2, 8: 2, 7: 3}, {24: 15})
        house.table.thrown(2, 2)
        refused(tablet, 13, PRIME)
    lay(house, *WHOLE_HOME)
    play(tablet, house, (6, 5), (2, 0), (2, 0))
    tablet.sees("Anna wins the match", "#verdict")
    tablet.sees("gammon, 2 points", "#verdict")
    assert tablet.all("#board .cube rect") == []
    assert tablet.complaints() == []


@pytest.mark.parametrize(
    ("profile", "south", "roll", "first", "kept", "why", "moves"),
    [
        pytest.param(
            "fevga",
            {24: 8, 23: 1, 22: 1, 21: 1, 20: 1, 10: 2, 8: 1},
            (5, 5),
            (),
            24,
            PRIME,
            ((20, 15), (10, 5), (10, 5), (8, 3)),
            id="F6: one's own start is never filled",
        ),
        pytest.param(
            "fevga",
            {**dict.fromkeys(range(6, 12), 1), 24: 9},
            (5, 4),
            ((24, 20),),
            20,
            OPEN,
            ((10, 5),),
            id="F6: a prime in front of all of them is opened",
        ),
        pytest.param(
            "long_nardy",
            {24: 8, 23: 1, 11: 1, 10: 1, 9: 1, 8: 1, 7: 2},
            (1, 1),
            (),
            7,
            PRIME,
            ((10, 9), (9, 8), (8, 7), (8, 7)),
            id="F9: six in a row with none of his ahead",
        ),
    ],
)
def test_a_prime_is_refused_with_its_rule_by_tapping(
    tablet, house, profile, south, roll, first, kept, why, moves
) -> None:
    new_match(tablet, house, profile, 3)
    lay(house, south, {24: 15})
    play(tablet, house, roll, *first)
    refused(tablet, kept, why)
    play(tablet, house, None, *moves)
    done(tablet, house)
    assert house.table.state()["dispute"] is None
    assert tablet.complaints() == []


def test_words_of_a_games_players_stand_beside_the_line_about_it(tablet, house) -> None:
    tablet.open(house.link(), language="de")
    tablet.tap("#new-match")
    tablet.find("#about-rules")
    assert tablet.text("#players-words") == ""
    tablet.choose("select[name=profile]", "long_nardy")
    tablet.sees("Russisch", "#players-words")
    tablet.sees("голова (der Punkt, auf dem alle Steine beginnen)", "#players-words")
    assert [one.text for one in tablet.all("#players-words [lang=ru]")][1:3] == ["шашка", "лунка"]
    tablet.choose("select[name=profile]", "gul_bara")
    tablet.sees("капия (ein Punkt)", "#players-words")
    assert [one.text for one in tablet.all("#players-words b")] == ["Bulgarisch", "Türkisch"]
    assert tablet.complaints() == []


def test_jioul_by_tapping_with_a_doublet_that_runs_on(tablet, house) -> None:
    new_match(tablet, house, "jioul", 1)
    lay(house, {24: 1, 23: 1, 2: 13}, {14: 2, 7: 1, 6: 12})
    play(tablet, house, (4, 4), (24, 20), (20, 16), (16, 12), (12, 8))
    tablet.sees("5-5", "#verdict h2")
    tablet.sees("Anna plays on after the doublet", "#verdict")
    tablet.tap("#undo")
    tablet.sees("4-4", "#verdict h2")
    play(tablet, house, None, (12, 8))
    tablet.sees("5-5", "#verdict h2")
    play(tablet, house, None, (8, 3))
    tablet.until(lambda: house.table.state()["phase"] == "played", "the five that can be played")
    tablet.tap("#done")
    tablet.sees("5 × 3", "#verdict h2")
    tablet.sees("Mehmet plays what Anna could not", "#verdict")
    assert tablet.all("#done") == []
    play(tablet, house, None, (14, 9), (14, 9), (9, 4))
    tablet.sees("6-6", "#verdict h2")
    play(tablet, house, None, (9, 3), (7, 1), (6, 0), (6, 0))
    tablet.sees("Mehmet to roll", "#verdict h2")
    assert "5-5: 8/3" in [line["text"] for line in house.table.state()["history"]]
    assert tablet.complaints() == []


def test_acey_deucey_by_tapping_with_a_named_doublet(tablet, house) -> None:
    new_match(tablet, house, "acey_europe", 1)
    play(tablet, house, (2, 1), (25, 24), (25, 23))
    tablet.sees("Anna names a doublet", "#verdict h2")
    tablet.sees("bar: 13, not entered 13", "#position")
    assert tablet.all("#die-0-1") == []
    tablet.tap("#name-4")
    tablet.sees("4-4", "#verdict h2")
    tablet.sees("Anna plays the named doublet", "#verdict")
    play(tablet, house, None, (25, 21), (25, 21), (24, 20))
    tablet.tap("#undo")
    play(tablet, house, None, (25, 21), (25, 21))
    tablet.sees("3-3", "#verdict h2")
    tablet.sees("Anna plays the complement", "#verdict")
    play(tablet, house, None, (25, 22), (25, 22), (25, 22), (25, 22))
    done(tablet, house)
    tablet.sees("Anna to roll", "#verdict h2")
    play(tablet, house, (6, 5), (25, 19), (25, 20))
    done(tablet, house)
    tablet.sees("Mehmet to roll", "#verdict h2")
    lay(house, {25: 2, 20: 1, 5: 12}, {25: 3, 6: 2, 8: 10}, "north")
    play(tablet, house, (2, 1), (6, 5), (8, 6))
    tablet.sees("Mehmet names a doublet", "#verdict h2")
    tablet.tap("#name-6")
    play(tablet, house, None, (25, 19), (25, 19), (25, 19), (8, 2))
    tablet.sees("1-1", "#verdict h2")
    play(tablet, house, None, *[(8, 7)] * 4)
    done(tablet, house)
    play(tablet, house, (6, 5), (8, 2), (7, 2))
    done(tablet, house)
    house.table.thrown(4, 3)
    refused(tablet, 5, "A checker on the bar must enter first")
    assert "names 6-6" in [line["text"] for line in house.table.state()["history"]]
    assert tablet.complaints() == []


def test_plakoto_by_tapping_to_a_pinned_mother(tablet, house) -> None:
    new_match(tablet, house, "plakoto", 1)
    play(tablet, house, (6, 5), (24, 18), (24, 19))
    done(tablet, house)
    play(tablet, house, (5, 2), (24, 19), (24, 22))
    done(tablet, house)
    lay(house, {24: 6, 18: 1, 9: 2, 6: 3}, {24: 4, 22: 1, 13: 1, 7: 3, 5: 2})
    play(tablet, house, (6, 3))
    refused(tablet, 18, PINNED)
    play(tablet, house, None, (9, 3), (9, 6))  # South's 3-point is North's 22-point
    assert house.table.state()["position"]["board"]["pinned"] == {"south": [18], "north": [22]}
    tablet.sees("22: pinned", "#position")
    done(tablet, house)
    lay(house, {24: 1, 6: 13, 3: 1}, {24: 1, 13: 14})
    play(tablet, house, (2, 1), (3, 1), (6, 5))
    done(tablet, house)
    tablet.sees("Mehmet’s mother is pinned: the game goes on", "#toast")
    house.table.thrown(6, 5)
    tablet.sees("24: The mother (μάνα) is pinned and cannot move; the game goes on", "#verdict .rule")
    lay(house, {6: 14, 3: 1}, {24: 1, 13: 14})
    play(tablet, house, (2, 1), (3, 1), (6, 5))
    tablet.sees("gammon, 2 points, the mother is pinned", "#verdict")
    assert tablet.complaints() == []


def test_named_doublet_is_corrected_and_no_id_is_offered_for_a_position(tablet, house) -> None:
    house.begin(south=3, north=1, profile="acey_deucey", length=1)
    house.act("roll", dice=[2, 1])
    house.act("play", text="bar/23 bar/24")
    house.act("name", number=6)
    tablet.open(house.link(Role.DIRECTOR))
    line = next(line["n"] for line in tablet.state()["history"] if line["text"] == "names 6-6")
    tablet.tap("#tab-history")
    tablet.tap(f"#event-{line}")
    number = tablet.find("input[name=number]")
    assert number.get_attribute("value") == "6"
    number.clear()
    number.send_keys("5")
    tablet.tap(".amend button[type=submit]")
    tablet.sees("5-5", "#verdict h2")
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    assert tablet.find("#setup-done")
    assert tablet.all("dialog details") == []


def test_tavli_to_five_by_tapping(tablet, house) -> None:
    new_match(tablet, house, "tavli", 5)
    begins = {
        "Portes": ((6, 5), (24, 18), (18, 13)),
        "Plakoto": ((6, 5), (24, 18), (24, 19)),
        "Fevga": ((6, 5), (24, 18), (18, 13)),
    }
    for score, (title, turn) in enumerate(begins.items(), 1):
        tablet.sees(title, "#match-line")
        play(tablet, house, *turn)
        done(tablet, house)
        lay(house, *WHOLE_HOME)
        play(tablet, house, (6, 5), (2, 0), (2, 0))
        tablet.sees("gammon, 2 points", "#verdict")
        assert house.table.state()["match"]["score"] == {"south": 2 * score, "north": 0}
        if score < 3:
            tablet.tap("#next-game")
            tablet.sees("Anna to roll", "#verdict")
    tablet.sees("Anna wins the match", "#verdict")
    match = house.table.state()["match"]["id"]
    tablet.open(f"{house.address}/matches/{match}")
    tablet.sees("Anna against Mehmet", "#step")
    tablet.script("location.hash = '#9999'")
    tablet.sees("No id can hold a position of this game.")
    assert tablet.all("#board .cube rect") == []
    assert tablet.complaints() == []


def test_a_position_with_a_pinned_checker_is_set_by_tapping(tablet, house) -> None:
    new_match(tablet, house, "plakoto", 3)
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    tablet.tap("#setup-clear")
    tablet.tap(".choice:has(input[value='north 1'])")
    tablet.tap("#set-spot-p5")
    for _ in range(2):
        tablet.tap(".choice:has(input[value='south 1'])")
        tablet.tap("#set-spot-p5")
    tablet.tap("#setup-done")
    tablet.until(lambda: house.table.state()["position"]["board"]["pinned"]["north"] == [20], "the position")
    assert house.table.state()["position"]["board"]["points"][4] == 2
    assert house.table.state()["position"]["under"][5] == -1


def test_position_in_which_checkers_wait_to_enter_is_set_by_tapping(tablet, house) -> None:
    house.begin(profile="acey_deucey")
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    for field in ("waiting-south", "waiting-north"):
        assert tablet.find(f"input[name={field}]").get_attribute("value") == "15"
    tablet.tap(".choice:has(input[value='south -1'])")
    for _ in range(3):
        tablet.tap("#set-spot-bar-south")
    tablet.tap(".choice:has(input[value='south 1'])")
    for _ in range(3):
        tablet.tap("#set-spot-p20")
    tablet.tap("#setup-done")
    tablet.sees("Anna: only 12 on the bar.", "dialog .error[role]")
    waiting = tablet.find("input[name=waiting-south]")
    waiting.clear()
    waiting.send_keys("11")  # one of the twelve was hit
    tablet.tap("#setup-done")

    def board():
        return house.table.state()["position"]["board"]

    tablet.until(lambda: board()["not_entered"] == {"south": 11, "north": 15}, "the position")
    assert (board()["bar"]["south"], board()["points"][19]) == (12, 3)


@pytest.mark.parametrize("profile", ["nackgammon", "hypergammon", "fevga"])
def test_starting_position_is_the_games_own(tablet, house, profile: str) -> None:
    house.begin(profile=profile)
    start = house.table.state()["match"]["start"]
    if profile == "fevga":
        house.act("roll", dice=[6, 4])
    house.act("play", moves=house.table.state()["plays"][0]["moves"])
    house.act("done")
    assert house.table.state()["position"]["board"] != start
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    tablet.tap("#setup-start")
    tablet.tap("#setup-done")
    tablet.until(lambda: house.table.state()["position"]["board"] == start, "the starting position")


def test_correction_of_a_dance_asks_for_the_play_that_it_makes_possible(tablet, house) -> None:
    house.begin(south=3, north=1, profile="portes")
    lay(house, {25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, {24: 3, 22: 2, 13: 2, 8: 3, 4: 2, 3: 3})
    house.act("roll", dice=[3, 3])
    number = house.table.state()["history"][-1]["n"]
    house.act("done")
    house.act("roll", dice=[1, 1])
    house.act("play", text="22/21(2) 8/7(2)")
    house.act("done")
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#tab-history")
    tablet.tap(f"#event-{number}")
    for name, value in (("high", "5"), ("low", "2")):
        field = tablet.find(f"input[name={name}]")
        field.clear()
        field.send_keys(value)
    tablet.tap(".amend button[type=submit]")
    tablet.sees("can play 5-2: enter that play with the correction.", ".amend .error")
    tablet.find("input[name=play]").send_keys("bar/20 8/6")
    tablet.tap(".amend button[type=submit]")
    tablet.until(lambda: house.table.state()["history"][-1]["text"].startswith("event"), "the correction")
    assert not any(one["misfit"] for one in house.table.state()["history"])
    assert house.table.state()["on_roll"] == "south"
    tablet.open(f"{house.address}/matches/{house.table.state()['match']['id']}#{number}")
    tablet.sees("5-2 (entered): bar/20 8/6 (corrected; was: 3-3 (entered))", "#step")
    tablet.sees("bar/20 8/6", "#list")
