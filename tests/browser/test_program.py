"""The whole program behind the page: started as a user starts it, tapped through in a real Chromium."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from companion.rules.family.profiles import ALL_PROFILES

ROOT = Path(__file__).resolve().parents[2]


def new_match(tablet, length: int = 5) -> None:
    """Begin a match by the form."""
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    for name, text in (("south", "Anna"), ("north", "Mehmet")):
        line = tablet.find(f"input[name={name}]")
        line.clear()
        line.send_keys(text)
    tablet.tap(f".choice:has(input[name=length][value='{length}'])")
    tablet.tap("#start-match")
    tablet.sees("Opening roll", "#verdict h2")


def typed(tablet, high: int, low: int) -> None:
    """Tap a roll on the two rows of dice."""
    tablet.tap(f"#die-0-{high}")
    tablet.tap(f"#die-1-{low}")
    tablet.sees(f"{high}-{low}", "#verdict h2")


def play_first(tablet) -> None:
    """Choose the first play of the list as soon as it is there, found and clicked in one breath."""
    code = "const one = document.querySelector('#plays .play-list button'); one?.click(); return one !== null"
    tablet.until(lambda: tablet.script(code), "a play to choose")


def on_roll(tablet) -> bool:
    """Whether a side is to roll."""
    return tablet.state()["phase"] == "on_roll"


def turn_ended(tablet) -> bool:
    """Press Done as long as there is a turn to end."""
    tablet.script("document.getElementById('done')?.click()")
    return on_roll(tablet)


def test_recorded_throws_are_read_ruled_and_played(tablet, start) -> None:
    tablet.open(start("demo", "--throws", "--port", "0", "--speed", "3"))
    tablet.find("#verdict .cutout")
    assert len(tablet.all("#verdict .cutout image")) == 2
    for words in ("The camera reads each roll.", "Tap a checker with a ring", "Undo takes back"):
        tablet.sees(words, "#tour p")
        tablet.tap("#tour .primary")
    tablet.until(lambda: not tablet.all("#tour"), "the tour to end")
    played = 0
    while played < 3:
        tablet.until(lambda: tablet.state()["phase"] != "opening", "the opening")
        told = False
        if (
            tablet.state()["phase"] == "on_roll"
        ):  # a throw that was not read, or one that is cocked: told by hand
            tablet.until(lambda: tablet.state()["ruling"] or tablet.state()["phase"] != "on_roll", "a throw")
            tablet.script("for (const id of ['die-0-3', 'die-1-1']) document.getElementById(id)?.click()")
            told = True
        play_first(tablet)
        # recorded dice are lifted when the play is made, which ends the turn; told ones are not
        ended = turn_ended if told else on_roll
        tablet.until(lambda check=ended: check(tablet), "the turn to end")
        played += 1
    assert not tablet.all("#tour"), "the bubbles explain the first turn only"
    assert tablet.complaints() == []


def test_player_gets_no_tour_of_what_he_cannot_do(tablet, second, start) -> None:
    tablet.open(start("demo", "--throws", "--port", "0", "--speed", "3"))
    tablet.sees("The camera reads each roll.", "#tour p")
    asked = """const said = arguments[arguments.length - 1];
        const body = JSON.stringify({ role: 'player', seat: 'south' });
        fetch('/api/joins', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
            .then(() => fetch('/api/joins')).then((answer) => answer.json())
            .then(({ joins }) => said(joins.find((one) => one.seat === 'south').link))"""
    link = tablet.answer(asked)
    second.open(link.replace(link.split("/join/")[0], tablet.driver.current_url.rstrip("/")))
    second.find("#verdict .cutout")
    assert second.all("#tour") == []


COVERED = """const [a, b] = ['#tour', arguments[0]].map((one) => document.querySelector(one).getBoundingClientRect());
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom"""


def test_bubbles_stay_until_answered_and_cover_nothing_to_be_tapped(tablet, start) -> None:
    tablet.open(start("demo", "--port", "0", "--speed", "4"))
    for n, words in enumerate(("plays by itself", "enters each play", "Undo takes back"), 1):
        tablet.sees(words, "#tour p")
        plays = len(tablet.state()["history"])
        tablet.until(lambda plays=plays: len(tablet.state()["history"]) > plays + 2, "the game goes on")
        assert words in tablet.text("#tour p"), "it went with the roll"
        tablet.find("#tour .primary")
        for size in ((1180, 820), (1280, 800), (1024, 768), (390, 844), (360, 640)):
            tablet.resize(*size)
            tablet.until(lambda: not tablet.script(COVERED, "#asks"), f"bubble {n} off the buttons at {size}")
        tablet.tap("#tour .primary")
    tablet.until(lambda: not tablet.all("#tour"), "the tour to end")


def test_bubble_about_buttons_is_shown_only_while_they_are_there(tablet, start) -> None:
    tablet.open(start("demo", "--throws", "--port", "0", "--speed", "3"))
    tablet.tap("#tour .primary")
    tablet.tap("#tour .primary")
    tablet.sees("Done ends the turn.", "#tour p")
    tablet.until(lambda: tablet.state()["phase"] != "opening", "the opening")
    shown = "return document.getElementById('tour').checkVisibility()"
    assert tablet.script(shown)
    tablet.tap("#undo")
    tablet.until(lambda: not tablet.all("#fix"), "the roll taken back")
    assert not tablet.script(shown)
    tablet.tap("#die-0-3")
    tablet.tap("#die-1-1")
    tablet.until(lambda: tablet.script(shown), "the buttons are back")


def test_camera_keeps_the_board_of_the_demo_with_no_tap(tablet, start) -> None:
    tablet.open(start("demo", "--port", "0", "--speed", "4"))
    tablet.sees("Anna", "#strip-bottom")
    tablet.until(lambda: len(tablet.state()["history"]) > 6, "two turns")
    tablet.sees("camera keeps the board", "header")
    assert tablet.complaints() == []


def test_three_turns_by_tapping_with_a_hit_and_an_entry(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    typed(tablet, 6, 4)
    tablet.move("south", 24, 18)
    tablet.until(lambda: "24/18" in tablet.state()["making"]["text"], "24/18")
    tablet.move("south", 13, 9)
    tablet.tap("#done.primary")
    tablet.sees("Mehmet to roll", "#verdict")
    typed(tablet, 6, 1)
    tablet.move("north", 13, 7)  # south's 18-point: a hit
    tablet.until(lambda: "13/7*" in tablet.state()["making"]["text"], "the hit")
    tablet.move("north", 8, 7)
    tablet.tap("#done.primary")
    tablet.sees("Anna to roll", "#verdict")
    typed(tablet, 5, 2)
    tablet.move("south", 25, 20)
    tablet.until(lambda: "bar/20" in tablet.state()["making"]["text"], "the entry")
    tablet.move("south", 13, 11)
    tablet.tap("#done.primary")
    tablet.sees("Mehmet to roll", "#verdict")
    assert tablet.complaints() == []


CLOSED_OUT = [0, 0, 0, 0, 0, 0, 5, 0, 4, 0, -3, 0, 0, 5, 0, 0, 0, 0, 0, -2, -2, -2, -2, -2, -2, 1]


def test_what_ones_own_action_brings_about_stays_to_be_read(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    tablet.tap("#die-0-4")
    tablet.tap("#die-1-4")
    tablet.until(
        lambda: tablet.text("#toast.shown") == "Doubles: roll again for the start.", "the equal throw"
    )
    typed(tablet, 6, 4)
    tablet.act("set_position", pos=CLOSED_OUT, on_roll="north")
    tablet.sees("Mehmet to roll", "#verdict")
    tablet.tap("#die-0-6")
    tablet.tap("#die-1-5")
    tablet.sees("Mehmet rolled 6-5. No legal move.", "#live")  # the roll, too, had not been said
    tablet.until(lambda: tablet.text("#toast.shown") == "Mehmet cannot play 6-5.", "the dance to be said")
    assert tablet.complaints() == []


def test_last_play_is_shown_whole(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    tablet.act("opening", south=6, north=1)
    tablet.act("play", text="13/7 8/7")
    tablet.act("done")
    tablet.act("roll", dice=[4, 4])
    tablet.act("play", text="24/20(2) 13/9(2)")
    tablet.act("done")
    tablet.sees("Mehmet: 24/20(2) 13/9(2)", "#verdict")


def test_double_take_pass_resign_and_the_score(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    typed(tablet, 3, 1)
    tablet.move("south", 8, 5)
    tablet.until(lambda: tablet.state()["making"]["text"] == "8/5", "8/5")
    tablet.move("south", 6, 5)
    tablet.tap("#done.primary")
    tablet.tap("#double")
    tablet.sees("Anna: take or pass?", "#verdict")
    tablet.tap("#take")
    tablet.find("#strip-bottom .owned")
    typed(tablet, 6, 5)
    play_first(tablet)
    tablet.tap("#done.primary")
    tablet.sees("Double to 4", "#asks")
    tablet.tap("#double")
    tablet.tap("#pass")
    tablet.sees("Anna wins", "#verdict h2")
    tablet.until(lambda: tablet.find("#strip-bottom .score").text == "2", "two points")
    tablet.tap("#next-game")
    tablet.sees("Opening roll", "#verdict h2")


def by_taps(tablet, side: str) -> None:
    """Play the roll by tapping single moves, whichever the table names first, until it is played."""
    while True:
        state = tablet.state()
        coming = (state["making"] or {}).get("next") or []
        if state["phase"] != "rolled" or not coming:
            return
        made = len(state["making"]["moves"])
        tablet.move(side, coming[-1]["from"], coming[-1]["to"])
        tablet.until(lambda made=made: has_moved(tablet.state(), made), "the move")


def has_moved(state: dict, made: int) -> bool:
    """Whether more moves are made than that, or the whole play is."""
    return state["phase"] != "rolled" or len(state["making"]["moves"]) > made


def test_whole_game_by_tapping_on_a_phone(tablet, by_hand) -> None:
    tablet.resize(390, 844, touch=True)
    tablet.open(by_hand)
    new_match(tablet, length=1)
    tablet.tap("#die-0-6")
    tablet.tap("#die-1-5")
    tablet.until(lambda: tablet.state()["phase"] == "rolled", "the opening to be played")
    rolls = [(6, 6), (4, 4), (5, 5), (3, 3), (6, 6), (2, 2), (5, 4)]
    for turn in range(60):
        state = tablet.state()
        side = state["on_roll"]
        by_taps(tablet, side)
        if tablet.state()["phase"] == "match_over":
            break
        tablet.tap("#done:not(:disabled)")
        tablet.until(lambda: tablet.state()["phase"] in ("on_roll", "match_over"), "the turn to end")
        if tablet.state()["phase"] == "match_over":
            break
        high, low = rolls[turn % len(rolls)]
        tablet.tap(f"#die-0-{high}")
        tablet.tap(f"#die-1-{low}")
        tablet.until(lambda: tablet.state()["phase"] in ("rolled", "played"), "the roll")
    tablet.sees("wins the match", "#verdict h2")
    state = tablet.state()
    assert 15 in state["position"]["board"]["off"].values()
    assert sorted(state["match"]["score"].values())[0] == 0
    assert tablet.complaints() == []


@pytest.fixture
def as_director(start, settings, tmp_path) -> str:
    """The director's link to a table without a camera."""
    config = settings(tmp_path)
    link = start("run", "--config", str(config))
    said = subprocess.run(
        [sys.executable, "-m", "companion", "links", "--config", str(config), "--role", "director"],
        cwd=ROOT,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return f"{link.rsplit('/', 1)[0]}/{said.strip().rsplit('/', 1)[1]}"


def test_director_corrects_three_plays_back(tablet, as_director) -> None:
    tablet.open(as_director)
    new_match(tablet)
    typed(tablet, 3, 1)
    for side, high, low in (("south", 3, 1), ("north", 6, 2), ("south", 5, 4), ("north", 4, 2)):
        if tablet.state()["phase"] == "on_roll":
            typed(tablet, high, low)
        by_taps(tablet, side)
        tablet.tap("#done:not(:disabled)")
        tablet.until(lambda: tablet.state()["phase"] == "on_roll", "the turn to end")
    before = tablet.state()["position"]
    tablet.tap("#tab-history")
    entry = next(one for one in tablet.state()["history"] if one["text"].startswith("6-2"))
    tablet.tap(f"#event-{entry['n']}")
    line = tablet.find("dialog input[name=low]")
    line.clear()
    line.send_keys("1")
    tablet.find("dialog .amend input[name=why]").send_keys("misread")
    tablet.tap("dialog .amend button")
    tablet.until(lambda: any("6-1" in one["text"] for one in tablet.state()["history"]), "the correction")
    after = tablet.state()
    changed = next(one for one in after["history"] if one["n"] == entry["n"])
    assert changed["corrected"]
    assert "reason: misread" in changed["text"]
    assert before["board"] == after["position"]["board"] or any(one["misfit"] for one in after["history"])


def test_illegal_play_is_disputed_and_taken_back(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    typed(tablet, 6, 4)
    tablet.move("south", 24, 21)
    tablet.tap("#lies-so")
    tablet.move("south", 13, 6)
    tablet.sees("24/21 13/6", "#asks")
    tablet.tap("#free-record")
    tablet.sees("is not legal", "#verdict")
    assert tablet.state()["phase"] == "dispute"
    assert tablet.text("#answer-correct") == "Take it backMehmet"
    tablet.tap("#answer-correct")
    tablet.sees("6-4", "#verdict h2")
    tablet.until(lambda: tablet.state()["phase"] == "rolled", "the roll to be played again")
    assert tablet.state()["position"]["pips"] == {"south": 167, "north": 167}


def test_a_roll_that_waits_is_seen_to_wait(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    typed(tablet, 6, 4)
    tablet.act("lift")
    tablet.act("roll", dice=[2, 1])
    tablet.sees("2-1 waits until this is settled.", "#waiting")
    tablet.act("play", text="24/14")
    tablet.sees("2-1", "#verdict h2")
    assert tablet.all("#waiting") == []


def test_a_typed_play_against_the_rules_stays_in_its_line_and_can_be_entered_so(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    typed(tablet, 6, 4)
    tablet.find("#typed-play").send_keys("13/7 8/7")
    tablet.tap("#typed-send")
    tablet.find("#asks #lies-so")
    assert tablet.find("#typed-play").get_attribute("value") == "13/7 8/7"
    tablet.tap("#lies-so")
    tablet.sees("is not legal", "#verdict")


def test_an_illegal_play_that_stands_is_not_called_a_dance(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    tablet.act("opening", south=6, north=4)
    left = [0, -2, 0, 0, 0, 0, 5, 0, 4, 0, 0, 0, -5, 4, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    tablet.act("play", result=left, made=True)
    tablet.tap("#answer-condone")
    tablet.sees("Played. Press Done.", "#verdict")


def test_names_are_typed_without_wiping_others_first(tablet, by_hand) -> None:
    tablet.open(by_hand)
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    tablet.find("input[name=south]").send_keys("Anna")
    tablet.tap("#start-match")
    tablet.sees("Anna", "#strip-bottom")
    assert tablet.state()["match"]["players"] == {"south": "Anna", "north": "North"}
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    assert tablet.find("input[name=north]").get_attribute("value") == ""
    tablet.tap("input[name=south]")
    selected = "const {selectionStart: from, selectionEnd: to} = document.activeElement; return to - from"
    tablet.until(lambda: tablet.script(selected) == len("Anna"), "the old name to be selected")
    tablet.find("input[name=south]").send_keys("Mehmet")
    tablet.tap("#start-match")
    tablet.sees("Mehmet", "#strip-bottom")
    assert tablet.state()["match"]["players"]["south"] == "Mehmet"


def test_only_what_the_program_opens_is_offered(tablet, by_hand) -> None:
    tablet.open(by_hand)
    tablet.tap("#menu")
    tablet.find("#menu-joins")
    doors = str(tablet.script("return document.body.dataset.doors")).split()
    assert bool(tablet.all("#menu-camera")) == ("place" in doors)
    for path, door in (("/api/camera.jpg", "look"), ("/export/mat", "export")):
        ask = "fetch(arguments[0]).then((answer) => arguments[1](answer.status))"
        assert tablet.answer(ask, path) in ((200, 404) if door in doors else (404,))


def test_nothing_is_hinted_to_players_with_aids_withheld(tablet, by_hand) -> None:
    tablet.open(by_hand)
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    tablet.tap("#more-rules summary")
    tablet.find("select[name=aids]").send_keys("withheld")
    tablet.tap("#start-match")
    tablet.sees("Opening roll", "#verdict h2")
    typed(tablet, 6, 4)
    assert tablet.all("#board .source, .pips, #plays button") == []
    joined = """const done = arguments[arguments.length - 1];
        fetch('/api/joins', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"role": "viewer"}'})
        .then((answer) => answer.json()).then((said) => done(said.link))"""
    tablet.open(tablet.answer(joined))
    tablet.tap("form button")  # the device gives up a higher role
    tablet.sees("6-4", "#verdict h2")
    state = tablet.state()
    assert (state["plays"], state["position"]["pips"], state["making"]["next"]) == (None, None, None)
    assert tablet.all(".pips") == []


def test_director_corrects_an_answer_gives_points_and_sets_the_clock(tablet, as_director) -> None:
    tablet.open(as_director)
    tablet.act("new_match", length=25, overrides={"clock": "simple_delay"})
    tablet.act("opening", south=3, north=1)
    tablet.act("play", text="8/5 6/5")
    tablet.act("done")
    tablet.act("double")
    tablet.act("pass")
    tablet.sees("North wins", "#verdict h2")
    tablet.tap("#tab-history")
    passed = next(one for one in tablet.state()["history"] if one["text"] == "pass")
    tablet.tap(f"#event-{passed['n']}")
    tablet.find("dialog select[name=type]").send_keys("Take")
    tablet.tap("dialog .amend button")
    tablet.until(lambda: tablet.state()["phase"] == "on_roll", "the double to be taken")
    assert tablet.state()["cube"] == {
        "in_play": True,
        "value": 2,
        "owner": "south",
        "offered": None,
        "may_double": False,
    }
    tablet.sees("(corrected; was: pass)", "#history")
    tablet.tap("#menu")
    tablet.tap("#menu-penalty")
    tablet.tap("#penalty .choice:has(input[value=north])")
    tablet.find("#penalty input[name=why]").send_keys("late")
    tablet.tap("#penalty button")
    tablet.until(
        lambda: tablet.text("#penalty .error") == "Enter points or minutes.", "no penalty without a number"
    )
    tablet.find("#penalty input[name=points]").send_keys("1")
    tablet.tap("#penalty button")
    tablet.until(lambda: tablet.state()["match"]["score"] == {"south": 0, "north": 1}, "the penalty point")
    tablet.tap("#menu")
    tablet.tap("#menu-penalty")
    tablet.find("#penalty input[name=minutes]").send_keys("49")
    tablet.tap("#penalty button")
    tablet.until(
        lambda: tablet.state()["match"]["score"] == {"south": 9, "north": 1}, "the points for lateness"
    )
    tablet.tap("#menu")
    tablet.tap("#menu-penalty")
    line = tablet.find("#set-clock input[name=south]")
    line.clear()
    line.send_keys("7:30")
    tablet.tap("#set-clock button")
    tablet.until(lambda: tablet.state()["clock"]["south"]["reserve_ms"] == 450_000, "the clock to be set")
    assert tablet.complaints() == []


def test_rules_of_the_settings_file_are_offered_and_named_by_their_title(
    tablet, start, settings, tmp_path
) -> None:
    config = settings(tmp_path)
    own = '[profiles.club]\nbased_on = "portes"\ntitle = "Tuesday Portes"\n[profiles.plain]\ndice = "pair_each"\n'
    config.write_text(config.read_text() + own)
    tablet.open(start("run", "--config", str(config)))
    assert "line 13: “dice” is no longer a setting" in (tmp_path / "log").read_text()
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    tablet.find("select[name=profile]")
    offered = {one.get_attribute("value"): one.text for one in tablet.all("select[name=profile] option")}
    assert offered == {name: str(profile.title) for name, profile in ALL_PROFILES.items()} | {
        "club": "Tuesday Portes",
        "plain": "plain",
    }
    tablet.find("select[name=profile]").send_keys("Tuesday")
    tablet.tap("#start-match")
    tablet.until(lambda: (tablet.state()["match"] or {}).get("profile") == "club", "the match by these rules")
    tablet.driver.get(tablet.driver.current_url.rstrip("/") + "/sheet")
    assert "Tuesday Portes" in tablet.text("body")


def test_a_match_that_time_has_ended_says_so(tablet, by_hand) -> None:
    tablet.open(by_hand)
    overrides = {"clock": "simple_delay", "clock_delay_s": 1, "clock_reserve_s_per_point": 0}
    tablet.act("new_match", length=3, players={"south": "Anna", "north": "Mehmet"}, overrides=overrides)
    tablet.act("opening", south=3, north=1)
    tablet.sees("Mehmet wins the match", "#verdict h2")
    assert tablet.text("#verdict .why") == "Anna: no time left"


def test_director_corrects_penalty_points_and_a_position(tablet, as_director) -> None:
    tablet.open(as_director)
    tablet.act("new_match", length=5)
    tablet.act("rule", penalty={"to": "north", "points": 1, "why": "late (twice)"})
    tablet.act("set_position", xgid=f"XGID={'-b----E-C---eE---c-e----B-'}:0:0:1:63:0:0:0:5:10")
    tablet.tap("#tab-history")
    given, placed = (one["n"] for one in tablet.state()["history"][-2:])
    tablet.tap(f"#event-{given}")
    tablet.find("dialog select[name=to]").send_keys("South")
    line = tablet.find("dialog input[name=points]")
    assert line.get_attribute("value") == "1"
    line.clear()
    line.send_keys("2")
    tablet.tap("dialog .amend button")
    tablet.sees(
        "2 penalty points (late (twice)) (corrected; was: 1 penalty point (late (twice)))", "#history"
    )
    tablet.tap(f"#event-{given}")
    assert tablet.find("dialog input[name=points]").get_attribute("value") == "2"
    tablet.tap("dialog .close")
    tablet.tap(f"#event-{placed}")
    tablet.find("dialog input[name=id]").send_keys("XGID=-b----E-C---eE---c-e----B-:1:1:1:D:2:0:0:5:10")
    tablet.tap("dialog .amend button")
    tablet.sees("with a double to answer", "#history")
    tablet.sees("take or pass?", "#verdict")
    tablet.sees("Double to 4", "#verdict")
    assert tablet.complaints() == []


def test_director_corrects_what_was_resigned(tablet, as_director) -> None:
    tablet.open(as_director)
    tablet.act("new_match", length=5)
    tablet.act("opening", south=3, north=1)
    tablet.act("resign", worth=1, side="north")
    tablet.act("accept")
    tablet.tap("#tab-history")
    resigned = next(one for one in tablet.state()["history"] if one["text"].startswith("resigns"))
    tablet.tap(f"#event-{resigned['n']}")
    tablet.find("dialog select[name=worth]").send_keys("gammon")
    tablet.tap("dialog .amend button")
    tablet.until(lambda: tablet.state()["match"]["score"]["south"] == 2, "the gammon to count")
    correction = tablet.state()["history"][-1]
    tablet.tap(f"#event-{correction['n']}")  # leads to the event that was corrected
    tablet.sees(f"Event {resigned['n']}", "#dialog-title")
    tablet.find("dialog select[name=worth]")


def test_settlement_and_changed_seats(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet, length=9)
    tablet.act("opening", south=3, north=1)
    tablet.act("play", text="8/5 6/5")
    tablet.act("done")
    tablet.tap("#resign")
    tablet.tap(".choice:has(input[name=side][value=north])")
    tablet.tap("#settle")
    tablet.sees("This field must not be empty.", "dialog .error")
    tablet.find("dialog input[name=points]").send_keys("2", Keys.ENTER)
    tablet.sees("Anna: accept 2 points?", "#verdict")
    tablet.tap("#accept")
    tablet.sees("Anna wins", "#verdict h2")
    assert tablet.text("#verdict .why") == "2 points", "a settlement is no single game"
    assert tablet.state()["match"]["score"] == {"south": 2, "north": 0}
    tablet.tap("#swap-seats")
    tablet.sees("Opening roll", "#verdict h2")
    assert tablet.state()["match"]["players"] == {"south": "Mehmet", "north": "Anna"}
    assert tablet.state()["match"]["score"] == {"south": 0, "north": 2}


def test_wrong_start_is_told_by_setting_the_checkers(tablet, by_hand) -> None:
    tablet.open(by_hand)
    new_match(tablet)
    tablet.act("opening", south=3, north=1)
    tablet.act("play", text="8/5 6/5")
    tablet.act("done")
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    tablet.tap(".choice:has(input[value='north -1'])")
    tablet.tap("#set-spot-p19")  # north's 6-point
    tablet.tap(".choice:has(input[value='north 1'])")
    tablet.tap("#set-spot-p20")
    beside = """return [...document.querySelectorAll('dialog :is([name=cube], [name=owner], [name^=score])')]
        .map((one) => one.checkVisibility())"""
    tablet.gives([True] * 4, beside)
    tablet.tap("dialog input[name=wrong]")
    tablet.gives([False] * 4, beside)  # how the game was begun is about the checkers alone
    tablet.tap("#setup-done")
    tablet.sees("Wrong start", "#verdict h2")
    tablet.tap("#answer-condone")
    tablet.until(lambda: tablet.state()["phase"] == "on_roll", "play to go on")
    assert tablet.state()["position"]["board"]["points"][19] == -1


def test_early_roll_is_for_the_opponent_to_settle(tablet, by_hand) -> None:
    tablet.open(by_hand)
    tablet.act("new_match", profile="usbgf")
    tablet.act("opening", south=3, north=1)
    tablet.act("roll", dice=[6, 5], side="north")
    tablet.sees("Rolled too early", "#verdict h2")
    assert tablet.text("#answer-accept") == "The roll standsSouth"
    tablet.tap("#answer-refuse")
    tablet.sees("3-1", "#verdict h2")
