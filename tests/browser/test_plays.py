"""Plays entered by hand on the page: taps, drags, keys, typed words, and those against the rules."""

import pytest

from web.roles import Role


def test_three_turns_by_tapping_with_a_hit_and_an_entry(tablet, house) -> None:
    house.begin(south=6, north=4)
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    tablet.move("south", 24, 18)
    tablet.sees("Played 24/18.", "#live")
    tablet.move("south", 13, 9)
    tablet.sees("24/18 13/9", "#verdict .made")
    tablet.tap("#done")
    tablet.sees("Mehmet to roll", "#verdict")
    house.table.thrown(6, 1)
    tablet.sees("6-1", "#verdict h2")
    tablet.move("north", 13, 7)  # hits the checker on south's 18-point
    tablet.sees("Played 13/7*.", "#live")
    tablet.move("north", 8, 7)
    tablet.until(lambda: house.table.state()["phase"] == "played", "the play to be complete")
    assert house.table.state()["position"]["board"]["bar"]["south"] == 1
    tablet.tap("#done")
    tablet.sees("Anna to roll", "#verdict")
    house.table.thrown(5, 2)
    tablet.move("south", 25, 20)
    tablet.sees("Played bar/20.", "#live")
    tablet.move("south", 13, 11)
    tablet.tap("#done")
    tablet.sees("Mehmet to roll", "#verdict")
    assert house.table.state()["position"]["board"]["bar"]["south"] == 0
    assert tablet.complaints() == []


def test_one_checker_with_both_numbers_in_two_taps(tablet, house) -> None:
    house.begin(south=6, north=5)
    tablet.open(house.link())
    tablet.move("south", 24, 13)
    tablet.sees("24/13", "#verdict .made")
    assert house.table.moves == [(24, 18), (18, 13)]
    tablet.tap("#undo")
    tablet.sees("Anna to play", "#verdict")
    assert house.table.moves == []


def test_a_tap_is_not_lost_while_the_answer_to_the_last_is_on_its_way(tablet, house) -> None:
    house.begin(south=6, north=5)
    tablet.open(house.link())
    tablet.find("#spot-p24")
    tablet.script(
        """const ask = window.fetch;
        window.fetch = async (...asked) => {
            const answer = await ask(...asked);
            if (asked[0] === '/api/act') await new Promise((done) => { window.arrive = done; });
            return answer;
        };"""
    )
    tablet.move("south", 24, 13)
    tablet.sees("24/13", "#verdict .made")  # the stream was faster than the answer
    tablet.tap("#undo", at_once=True)
    tablet.tap("#undo", at_once=True)  # a finger that trembles takes the play back, not the roll as well
    tablet.until(lambda: tablet.script("return window.arrive !== undefined"), "the answer")
    tablet.script("window.arrive()")
    tablet.until(lambda: house.table.moves == [], "the play to be taken back")
    tablet.sees("Anna to play", "#verdict")
    assert house.table.state()["roll"] == [6, 5]
    assert [one["type"] for one in house.table.acted].count("undo") == 1


def test_refused_move_is_explained(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.move("south", 24, 22)
    tablet.sees("There is no 2 in this roll.", "#toast")
    tablet.find("#toast.shown")
    assert house.table.moves == []


def test_play_from_the_list_and_typed(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.find("#plays .play-list button").click()
    tablet.until(lambda: house.table.state()["phase"] == "played", "the chosen play")
    tablet.tap("#undo")
    tablet.until(lambda: house.table.moves == [], "the undo")
    tablet.sees("Anna to play", "#verdict")
    tablet.find("#typed-play").send_keys("8/2 6/2\n")
    tablet.sees("8/2 6/2", "#verdict .made")
    tablet.find("#typed-play").send_keys("nonsense\n")
    tablet.sees("cannot be read", "#toast")
    assert house.table.moves == [(8, 2), (6, 2)]


def test_keyboard_alone_plays_a_turn(tablet, house) -> None:
    from selenium.webdriver.common.keys import Keys

    house.begin(south=3, north=1)
    tablet.open(house.link())
    tablet.find("#spot-p24")
    active = tablet.driver.switch_to

    def press(*keys: str) -> None:
        for key in keys:
            active.active_element.send_keys(key)

    def focused() -> str:
        return str(tablet.script("return document.activeElement.id"))

    for _ in range(12):
        press(Keys.TAB)
        if focused().startswith("spot-"):
            break
    assert focused() == "spot-p24"
    assert "24-point" in str(active.active_element.get_attribute("aria-label"))
    press(Keys.ARROW_DOWN)
    for _ in range(8):
        if focused() == "spot-p8":
            break
        press(Keys.ARROW_LEFT)
    assert focused() == "spot-p8"
    press(Keys.ENTER, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert focused() == "spot-p5"
    press(Keys.SPACE)
    tablet.until(lambda: house.table.moves == [(8, 5)], "8/5")
    press(Keys.ARROW_LEFT, Keys.ENTER, Keys.ARROW_RIGHT, Keys.ENTER)
    tablet.until(lambda: house.table.moves == [(8, 5), (6, 5)], "6/5")
    for _ in range(20):
        if focused() == "done":
            break
        press(Keys.TAB)
    press(Keys.ENTER)
    tablet.sees("Mehmet to roll", "#verdict")


def test_after_a_dance_nothing_is_offered_but_to_go_on(tablet, house) -> None:
    house.to_roll()
    closed = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
    house.table.stand(closed, {25: 1, 13: 5, 8: 3, 6: 6}, "north")
    house.table.thrown(6, 5)
    tablet.open(house.link())
    tablet.sees("No legal move. Pick up the dice or press Done.", "#verdict")
    assert tablet.text("#plays") == "No legal move."
    house.table.camera("none")
    tablet.sees("No legal move. Press Done.", "#verdict")


@pytest.mark.parametrize(("role", "way"), [(Role.SCOREKEEPER, "/watch"), (Role.PLAYER, "/")])
def test_nobody_is_told_to_press_what_his_page_does_not_have(tablet, house, role: Role, way: str) -> None:
    house.begin()
    house.act("play", moves=[[24, 18], [13, 9]])
    tablet.open(f"{house.link(role, 'south' if role is Role.PLAYER else None)}?to={way}")
    tablet.sees("Played.", "#verdict")
    assert "Done" not in tablet.text("#verdict")


@pytest.mark.parametrize(
    ("camera", "end"), [("live", "Pick up the dice or press Done."), ("lost", "Press Done.")]
)
def test_a_turn_ends_as_the_page_says(tablet, house, camera: str, end: str) -> None:
    house.table.camera(camera)
    house.begin()
    house.act("play", moves=[[24, 18], [13, 9]])
    tablet.open(house.link())
    tablet.sees(f"Played. {end}", "#verdict")
    assert tablet.text("#plays") == "Undo to enter another play."
    if camera == "live":
        house.table.lifted()
    else:
        tablet.tap("#done")
    tablet.sees("Mehmet to roll", "#verdict")


def test_undo_says_what_it_takes_back(tablet, house) -> None:
    def said(what: str) -> None:
        label = f"Undo: {what}"
        tablet.until(lambda: tablet.find("#undo").get_attribute("title") == label, label)
        assert tablet.text("#undo") in (
            "",
            f"Undo{what}",
        )  # where there is no room, the button has its icon only

    house.begin(south=6, north=4)
    tablet.open(house.link())
    said("Opening roll")
    tablet.move("south", 13, 9)
    said("13/9")
    tablet.move("south", 24, 18)
    tablet.sees("24/18 13/9", "#verdict .made")
    said("24/18")
    tablet.driver.refresh()
    said("24/18")  # the table knows it, not the page
    tablet.tap("#undo")
    said("13/9")
    tablet.tap("#undo")
    tablet.tap(".play-list button")  # a whole play at once
    tablet.find("#done:enabled")
    said(tablet.text("#verdict .made"))
    tablet.tap("#done")
    said("end of the turn")
    house.table.thrown(6, 3, why="on_checker")
    said("cocked")
    house.table.thrown(6, 2)
    said("6-2")
    tablet.tap("#undo")
    said("cocked")
    tablet.tap("#undo")
    said("end of the turn")
    house.act("double")
    said("doubles")


def test_dispute_is_settled(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    house.illegal_play()
    tablet.sees("play is not legal: the checkers moved 14 pips", "#verdict")
    tablet.tap("#answer-correct")
    tablet.sees("6-4", "#verdict h2")
    assert house.table.acted[-1]["type"] == "correct"


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_undo_says_the_whole_of_what_it_takes_back_on_a_phone(tablet, house, size: tuple[int, int]) -> None:
    tablet.resize(*size, touch=True)
    house.begin(players={"south": "Maximiliane von Wolkenstein", "north": "Mehmet"}, south=6, north=4)
    house.act("play", moves=[[24, 18], [13, 9]])
    tablet.open(house.link())
    cut = """const one = document.querySelector('#undo small');
        return one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"""
    tablet.sees("24/18 13/9", "#undo")
    assert not tablet.script(cut)
    house.act("undo")
    tablet.sees("Opening roll", "#undo")
    assert not tablet.script(cut)


def test_with_aids_withheld_the_tablet_hints_at_nothing(tablet, house) -> None:
    house.begin(overrides={"aids": "withheld"})
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    assert tablet.all("#board .source, #plays button, .pips") == []
    tablet.tap("#spot-p24")
    tablet.until(lambda: tablet.all("#board .selected"), "the checker chosen")
    assert tablet.all("#board .landing, #board .target") == []
    tablet.tap("#spot-p18")
    tablet.until(lambda: house.table.moves == [(24, 18)], "24/18")


def test_a_play_against_the_rules_is_entered_as_it_lies(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.move("south", 24, 22)
    tablet.tap("#lies-so")
    tablet.sees("24/22", "#asks")
    tablet.move("south", 13, 3)
    tablet.sees("24/22 13/3", "#asks")
    tablet.tap("#free-record")
    tablet.until(lambda: house.table.moves == [(24, 22), (13, 3)], "the play as it lies")
    assert house.table.acted[-1]["made"] is True


def test_what_is_entered_as_it_lies_goes_back_step_by_step_and_shows_its_hits(tablet, house) -> None:
    house.begin()
    house.table.stand(north={24: 1, 3: 1, 13: 5, 8: 3, 6: 5})
    house.act("roll", dice=[6, 4])
    tablet.open(house.link())
    tablet.move("south", 24, 22)
    tablet.tap("#lies-so")
    tablet.sees("24/22*", "#free")
    tablet.move("south", 6, 1)
    tablet.sees("24/22* 6/1*", "#free")
    tablet.move("south", 13, 12)
    tablet.tap("#free-undo")
    tablet.until(lambda: tablet.text("#free") == "24/22* 6/1*", "one step back")
    tablet.tap("#free-undo")
    tablet.tap("#free-undo")
    tablet.until(lambda: tablet.text("#free") == "…", "nothing entered")
    assert not tablet.find("#free-undo").is_enabled()
    tablet.sees("Anna. 24: 2, 13: 5", "#position")


def test_the_way_to_enter_it_stays_until_it_is_answered_or_moot(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.move("south", 24, 22)
    tablet.find("#lies-so")
    tablet.script("document.getElementById('toast').className = 'toast'")  # as after six seconds
    house.table.notice("The camera is back.")
    tablet.sees("The camera is back.", "#toast")
    assert len(tablet.all("#asks #lies-so")) == 1
    tablet.tap("#lies-so")
    tablet.tap("#free-cancel")
    assert len(tablet.all("#asks #lies-so")) == 1
    tablet.tap("#otherwise")
    tablet.until(lambda: not tablet.all("#lies-so"), "the offer to go")
    tablet.move("south", 24, 22)
    tablet.find("#lies-so")
    tablet.move("south", 24, 18)
    tablet.until(lambda: not tablet.all("#lies-so"), "the offer to be moot")
    assert house.table.moves == [(24, 18)]


def test_one_pip_is_one(tablet, house) -> None:
    house.begin()
    house.table.stand({1: 1}, {2: 1})
    tablet.open(house.link())
    tablet.sees("1 pip", "#strip-bottom .pips")
    assert tablet.text("#strip-bottom .pips") == "1 pip"
    assert tablet.text("#strip-top .pips") == "2 pips"


def test_what_was_played_before_the_position_was_set_is_no_last_play(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    tablet.sees("Anna: 24/18 13/9", "#verdict .why")
    house.table.stand(on_roll="north")
    tablet.until(lambda: tablet.text("#verdict .why") == "", "the play before to be gone")


def test_what_was_played_in_the_game_before_is_no_last_play(tablet, house) -> None:
    house.begin(overrides={"opening_roll": "thrown_anew"})
    house.table.stand({1: 1}, {13: 2})
    house.act("roll", dice=[6, 4])
    house.act("play", text="1/off")
    house.act("next_game")
    house.act("opening", south=4, north=6)
    tablet.open(house.link())
    tablet.sees("Mehmet to roll", "#verdict h2")
    assert tablet.text("#verdict .why") == ""


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_dragging_a_checker(tablet, house, touch: bool) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    from selenium.webdriver.common.actions.pointer_input import PointerInput

    tablet.resize(1180, 820, touch=touch)
    house.begin()
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    source, target = tablet.find("#spot-p24"), tablet.find("#spot-p18")
    if touch:
        finger = ActionBuilder(tablet.driver, mouse=PointerInput("touch", "finger"))
        finger.pointer_action.move_to(source).pointer_down().move_to(target).pointer_up()
        finger.perform()
    else:
        ActionChains(tablet.driver).click_and_hold(source).move_to_element(target).release().perform()
    tablet.until(lambda: house.table.moves == [(24, 18)], "24/18")
    assert tablet.all("#board .dragged") == []


def test_a_finger_beside_a_point_hits_it_where_no_other_can_be_meant(tablet, house) -> None:
    tablet.resize(360, 640, touch=True)
    house.begin()
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    edge = """const box = document.querySelector(arguments[0]).getBoundingClientRect();
        return [box.left + box.width * arguments[1], box.top + box.height / 2]"""

    def touch(spot: str, across: float) -> None:
        x, y = tablet.script(edge, spot, across)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            tablet.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("#spot-p23", 0.9)  # no checker of Anna's; the 24-point is beside it
    tablet.find("#board .hints .selected")
    assert tablet.find("#spot-p24").get_attribute("aria-pressed") == "true"
    touch("#spot-p19", 0.1)  # Mehmet's point; the 18-point is across the bar
    tablet.until(lambda: house.table.moves == [(24, 18)], "24/18")
    touch("#spot-p14", 0.5)  # in the middle of an empty point: nothing is meant, the 13-point neither
    touch("#spot-p7", 0.9)
    tablet.find("#board .hints .selected")
    assert tablet.find("#spot-p6").get_attribute("aria-pressed") == "true"


def test_dispute_says_whose_answer_it_is(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    house.illegal_play()
    tablet.sees("Illegal play", "#verdict h2")
    assert [one.text for one in tablet.all("#asks .answer")] == [
        "Take it back\nMehmet",
        "Let it stand\nMehmet",
    ]
