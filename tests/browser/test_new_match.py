"""The forms of a match on the page: a new one, its rules and settings, a position."""

import pytest

from web.roles import Role

NEWEST = "#history tbody tr:first-child td:last-child button:last-child"
SEEN = """const {top, bottom, left, width} = arguments[0].getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && arguments[0].contains(there)"""


def test_new_match_from_nothing(tablet, house) -> None:
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.find("input[name=south]").send_keys("Anna")
    tablet.find("input[name=north]").send_keys("Mehmet")
    tablet.tap(".choice:has(input[name=length][value='5'])")
    tablet.tap(".choice:has(input[value='left dark'])")
    tablet.tap("#start-match")
    tablet.sees("Opening roll", "#verdict")
    assert house.table.acted[-1] == {
        "type": "new_match",
        "seq": 1,
        "length": 5,
        "players": {"south": "Anna", "north": "Mehmet"},
        "profile": "modern",
        "orientation": {"home": "left", "south": "dark"},
    }
    tablet.tap("#die-0-3")
    tablet.tap("#die-1-1")
    tablet.sees("3-1", "#verdict h2")
    assert tablet.complaints() == []


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
def test_one_tap_leads_back_to_the_match_before(tablet, house, over: bool) -> None:
    if over:
        house.game_over(length=1)
    else:
        house.to_roll(length=1)
    former = house.table.state()["match"]["id"]
    house.act("new_match", length=3)
    tablet.open(house.link())
    tablet.tap("#resume")
    tablet.sees("Mehmet to roll" if not over else "Anna wins the match", "#verdict h2")
    assert house.table.state()["match"]["id"] == former
    house.act("new_match", length=3)
    house.act("opening", south=3)
    tablet.sees("North rolls one die.", "#verdict")
    assert tablet.all("#resume") == []


def test_a_match_that_is_not_over_is_left_only_when_asked_for_twice(tablet, house) -> None:
    house.begin()
    house.act("set_position", score={"south": 0, "north": 2})
    before = len(house.table.acted)
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    tablet.tap("#start-match")
    tablet.sees("Anna against Mehmet is not over; the score is 0-2.", "#start .offer")
    assert tablet.script("return document.activeElement.className") == "ask-no"
    tablet.tap("#start .ask-no")
    tablet.find("#start-match")
    assert len(house.table.acted) == before
    tablet.tap("#start-match")
    tablet.tap("#start .ask-yes")
    tablet.sees("Opening roll", "#verdict h2")
    assert [one["type"] for one in house.table.acted[before:]] == ["new_match"]
    house.act("set_position", score={"south": 6, "north": 0})
    house.act("opening", south=6, north=4)
    house.act("resign", side="north", worth=1)
    house.act("accept")
    tablet.sees("wins the match", "#verdict h2")
    tablet.tap("#new-match")
    tablet.tap("#start-match")  # nothing is left behind now: it begins at once
    tablet.sees("Opening roll", "#verdict h2")


@pytest.mark.parametrize("size", [(1280, 800), (1180, 820), (390, 844)])
def test_a_form_that_is_not_right_says_so_in_view_before_it_asks_to_leave_a_match(
    tablet, house, size: tuple[int, int]
) -> None:
    tablet.resize(*size)
    house.to_roll()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    tablet.tap("input[name=chouette]")
    tablet.tap("#start-match")
    tablet.sees("A chouette has 3 to 8 players", "dialog .error")
    tablet.until(lambda: tablet.script(SEEN, tablet.find("dialog .error")), "the error in view")
    assert not tablet.all("#start .offer"), "it asks to leave a match although none can begin"
    tablet.find("input[name=player-3]").send_keys("Cem")
    tablet.tap("#start-match")
    tablet.sees("is not over", "#start .offer")
    assert not tablet.text("dialog .error")
    tablet.tap("#start .ask-yes")
    tablet.sees("Opening roll", "#verdict h2")


def test_two_players_of_the_same_name_are_not_begun_with(tablet, house) -> None:
    tablet.open(house.link())
    tablet.tap("#new-match")
    for side, name in (("south", "Kim"), ("north", " kim ")):
        tablet.find(f"input[name={side}]").send_keys(name)
    tablet.tap("#start-match")
    tablet.sees("Both players are called Kim", "dialog .error")
    assert house.table.state()["phase"] == "no_match"
    tablet.find("input[name=north]").send_keys("berly")
    tablet.tap("#start-match")
    tablet.sees("Opening roll", "#verdict h2")


def test_a_wrong_number_is_told_in_the_pages_own_words(tablet, house) -> None:
    house.to_roll()
    house.table.thrown(6, 3)
    tablet.open(house.link(Role.DIRECTOR))
    tablet.choose_language("de")
    tablet.tap("#tab-history")
    tablet.find(NEWEST).click()
    line = tablet.find("dialog input[name=low]")
    before = len(house.table.acted)
    for typed, said in (("7", "Eine Zahl von 1 bis 6 eingeben."), ("", "Dieses Feld darf nicht leer sein.")):
        line.clear()
        line.send_keys(typed)
        tablet.tap("dialog .amend .send button")
        tablet.until(lambda said=said: tablet.text("dialog .error") == said, said)
        assert tablet.script("return document.activeElement.name") == "low"
    assert len(house.table.acted) == before
    tablet.tap("dialog .close")
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    tablet.tap("#more-rules summary")
    tablet.find("input[name=automatic_doubles]").send_keys("two")
    tablet.tap("#start-match")
    tablet.until(lambda: tablet.text("dialog .error") == "Eine ganze Zahl eingeben.", "a number")


def test_director_changes_the_settings(tablet, house) -> None:
    house.begin()
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#menu")
    tablet.tap("#menu-settings")
    tablet.find("select[name=aids]").send_keys("withheld")
    tablet.tap("dialog button[type=submit]")
    tablet.until(lambda: house.table.acted[-1].get("overrides") == {"aids": "withheld"}, "the change")


def test_new_match_with_a_rule_played_differently(tablet, house) -> None:
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.tap("#more-rules summary")
    tablet.find("select[name=clock]").send_keys("delay")
    tablet.find("input[name=automatic_doubles]").send_keys("1")
    tablet.tap("#start-match")
    tablet.sees("Opening roll", "#verdict")
    assert house.table.acted[-1]["overrides"] == {"clock": "simple_delay", "automatic_doubles": 1}


def test_what_a_rule_set_allows_is_no_side_remark(tablet, house) -> None:
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.choose("select[name=profile]", "tournament")
    tablet.sees("beavers are allowed", "#about-rules")
    colour = "return getComputedStyle(document.querySelector(arguments[0])).color"
    assert tablet.script(colour, "#about-rules") == tablet.script(colour, "#match-form, dialog form")


def test_a_rule_is_turned_off_for_a_new_match(tablet, house) -> None:
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.tap("#more-rules summary")
    tablet.find("select[name=cube]").send_keys("no")
    tablet.tap("#start-match")
    tablet.sees("Opening roll", "#verdict")
    assert house.table.acted[-1]["overrides"] == {"cube": False}


def test_director_turns_a_rule_off_in_a_running_match(tablet, house) -> None:
    house.begin()
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#menu")
    tablet.tap("#menu-settings")
    tablet.find("dialog select[name=crawford]").send_keys("no")
    tablet.tap("dialog .send button")
    tablet.until(lambda: not tablet.all("dialog[open]"), "the settings to be taken")
    assert house.table.acted[-1]["overrides"] == {"crawford": False}


def test_other_rules_change_what_the_switches_stand_at(tablet, house) -> None:
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.tap("#more-rules summary")
    chosen = "return document.querySelector('select[name=aids]').selectedOptions[0].textContent"
    tablet.gives("shown", chosen)
    tablet.sees("Aids (plays and pips): shown", "#rules-line")
    tablet.find("select[name=profile]").send_keys("WBGF")
    tablet.until(lambda: tablet.script(chosen) == "withheld", "the other rules")
    tablet.script("document.querySelector('select[name=profile]').value = 'tournament'")
    tablet.script("document.querySelector('select[name=profile]').dispatchEvent(new Event('change'))")
    tablet.sees("Beaver: always", "#rules-line")
    assert tablet.text("#rules-line").endswith("Aids (plays and pips): shown")
    tablet.find("select[name=aids]").send_keys("withheld")
    tablet.sees("Aids (plays and pips): withheld", "#rules-line")


def test_new_match_keeps_the_settings_of_the_one_before(tablet, house) -> None:
    house.game_over(length=1, overrides={"clock": "simple_delay", "clock_delay_s": 8})
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.sees("Delay of the clock in seconds: 8", "#rules-line")
    assert "12 s" not in tablet.text(".new-match"), "one delay is named"
    tablet.tap("#start-match")
    tablet.sees("Opening roll", "#verdict h2")
    assert house.table.acted[-1]["overrides"] == {"clock": "simple_delay", "clock_delay_s": 8}
    tablet.tap("#change-match")
    tablet.find("select[name=profile]").send_keys("Tavla")  # other rules begin anew
    tablet.sees("Doubling cube: no", "#rules-line")
    tablet.tap("#start-match")
    tablet.until(lambda: house.table.acted[-1]["profile"] == "tavla", "the match")
    assert "overrides" not in house.table.acted[-1]


def test_a_match_started_by_mistake_is_changed_at_once_while_nothing_has_happened_in_it(
    tablet, house
) -> None:
    house.act("new_match", length=3, players={"south": "Anna", "north": "Mehmet"})
    tablet.open(house.link())
    tablet.tap("#change-match")
    tablet.tap(".choice:has(input[name=length][value='9'])")
    tablet.tap("#start-match")
    tablet.sees("Match to 9", "#match-line")
    assert house.table.acted[-1]["players"] == {"south": "Anna", "north": "Mehmet"}
    tablet.tap("#die-0-3")
    tablet.tap("#die-1-1")
    tablet.sees("3-1", "#verdict h2")
    assert tablet.all("#change-match") == []


def test_start_button_covers_no_switch(tablet, house) -> None:
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.tap("#more-rules summary")
    tablet.until(
        lambda: tablet.script(
            """const box = document.querySelector('select[name=gammon]').getBoundingClientRect();
            const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            return top?.name === 'gammon' && box.bottom < document.querySelector('.send').getBoundingClientRect().top"""
        ),
        "the first switch in sight",
    )
    seen = """return [...document.querySelectorAll('.switches select, .switches input')].filter((one) => {
        one.scrollIntoView({block: 'nearest'});
        const box = one.getBoundingClientRect();
        return document.elementFromPoint(box.left + box.width / 2, box.bottom - 2) !== one;
    }).map((one) => one.name)"""
    assert tablet.script(seen) == []


def test_position_is_set_by_tapping(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    tablet.tap("#setup-clear")
    for _ in range(2):
        tablet.tap("#set-spot-p6")
    tablet.tap(".choice:has(input[value='north 1'])")
    tablet.tap("#set-spot-bar-north")
    tablet.tap("#set-spot-p24")  # north's 1-point
    tablet.tap(".choice:has(input[value='south -1'])")
    tablet.tap("#set-spot-p6")
    tablet.sees("Anna: 14 borne off", "dialog")
    tablet.find("select[name=cube]").send_keys("4")
    tablet.find("select[name=owner]").send_keys("Mehmet")
    tablet.tap("#setup-done")
    tablet.until(lambda: house.table.acted[-1]["type"] == "set_position", "the position")
    told = house.table.acted[-1]
    pos = [0] * 26
    pos[0], pos[6], pos[24] = -1, 1, -1
    assert (told["pos"], told["on_roll"], told["cube"]) == (pos, "south", {"value": 4, "owner": "north"})


def test_ruling_that_was_begun_outlasts_a_reload(tablet, house) -> None:
    house.begin()
    house.act("call_director")
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#menu")
    tablet.tap("#menu-director")
    tablet.find("#visit input[name=why]").send_keys("It may go back.")
    tablet.open(house.address)
    tablet.tap("#menu")
    tablet.tap("#menu-director")
    assert tablet.find("#visit input[name=why]").get_attribute("value") == "It may go back."
