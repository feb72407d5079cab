"""The clock for a tablet between the players."""

import pytest

from web.roles import Role

CLOCK = {"overrides": {"clock": "simple_delay"}}


def opened(tablet, link: str) -> None:
    tablet.open(f"{link}?to=/clock")
    tablet.find(".half .time")


def test_a_tap_on_ones_half_ends_ones_turn(tablet, house) -> None:
    house.begin(**CLOCK)
    house.act("play", moves=[[24, 18], [13, 9]])
    opened(tablet, house.link())
    tablet.sees("plays 6-4", "#half-bottom.active")
    assert tablet.all("#half-top .press") == [], "the other side has no turn to end"
    tablet.tap("#end-south")
    tablet.sees("rolls", "#half-top.active")
    done = house.table.acted[-1]
    assert (done["type"], done["side"]) == ("done", "south")
    assert house.table.state()["clock"]["running"] == "north"
    assert tablet.complaints() == []


def test_a_turn_ended_before_its_play_is_entered_asks_for_the_play(tablet, house) -> None:
    house.begin(**CLOCK)
    opened(tablet, house.link())
    tablet.tap("#end-south")
    tablet.sees("Enter the play", "#half-bottom")
    tablet.find("#half-top.active")
    assert house.table.state()["owed"]


def test_each_half_faces_its_player_and_the_clock_can_be_turned_round(tablet, house) -> None:
    house.begin(**CLOCK)
    opened(tablet, house.link())
    turned = "return getComputedStyle(document.querySelector(arguments[0])).rotate"
    assert (tablet.script(turned, "#half-top"), tablet.script(turned, "#half-bottom")) == ("180deg", "none")
    tablet.sees("Anna", "#half-bottom h2")
    tablet.tap("#turn")
    tablet.sees("Anna", "#half-top h2")
    tablet.sees("Mehmet", "#half-bottom h2")


@pytest.mark.parametrize(("role", "seat"), [(Role.VIEWER, None), (Role.PLAYER, "south")])
def test_who_keeps_no_record_only_sees_the_clock(tablet, house, role: Role, seat) -> None:
    house.begin(**CLOCK)
    opened(tablet, house.link(role, seat))
    tablet.sees("only to look at", "#standing")
    assert tablet.all(".press") == []
    assert not tablet.all("#pause")[0].is_displayed()


def test_the_clock_is_stopped_and_started_between_the_players(tablet, house) -> None:
    house.begin(**CLOCK)
    opened(tablet, house.link())
    tablet.tap("#pause")
    for half in ("#half-top", "#half-bottom"):
        tablet.sees("clock stopped", half)
    assert house.table.state()["clock"]["running"] is None
    tablet.sees("Start the clock", "#pause")
    tablet.tap("#pause")
    tablet.until(lambda: house.table.state()["clock"]["running"] == "south", "a running clock")
    tablet.until(lambda: "clock stopped" not in tablet.text("main"), "no word of a stop")


def test_clock_that_a_call_stopped_offers_no_stop(tablet, house) -> None:
    """Neither stop nor start would do anything before the director has come."""
    house.begin(**CLOCK)
    opened(tablet, house.link())
    tablet.find("#pause")
    house.act("call_director")
    tablet.sees("clock stopped", "#half-bottom")
    tablet.until(lambda: not tablet.all("#pause")[0].is_displayed(), "no button")
    house.act("call_director", over=True)
    tablet.sees("Stop the clock", "#pause")


def test_clock_of_a_match_that_is_over_offers_no_stop(tablet, house) -> None:
    house.begin(**CLOCK, length=1)
    opened(tablet, house.link())
    tablet.sees("Stop the clock", "#pause")
    house.act("play", text="24/18 13/9")
    house.act("done")
    house.act("resign", side="north", worth=1)
    house.act("accept")
    tablet.until(lambda: not tablet.all("#pause")[0].is_displayed(), "no button")


def test_little_time_and_none_are_said_in_words(tablet, house) -> None:
    house.begin(**CLOCK)
    house.act("clock", order="stop", south_ms=59_000, north_ms=0)
    opened(tablet, house.link())
    tablet.sees("under a minute", "#half-bottom .low")
    tablet.sees("no time left", "#half-top .flag")
    tablet.sees("0:59", "#half-bottom .time")


def test_a_tap_that_does_nothing_is_answered_in_that_half(tablet, house) -> None:
    house.begin(**CLOCK)
    opened(tablet, house.link())
    tablet.script("window.fetch = () => Promise.reject(new Error('away'))")
    tablet.tap("#end-south")
    tablet.sees("nothing was done", "#half-bottom [role=alert]")
    assert "nothing was done" not in tablet.text("#half-top")


@pytest.mark.parametrize("clock", ["off", "simple_delay"])
def test_the_menu_leads_to_the_clock_of_a_match_that_has_one(tablet, house, clock: str) -> None:
    house.begin(overrides={"clock": clock})
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    tablet.tap("#menu")
    tablet.sees("Menu", "#dialog-title")
    if clock == "off":
        assert tablet.all("#menu-clock-face") == []
        return
    tablet.tap("#menu-clock-face")
    tablet.find(".half .time")
    tablet.tap("#back")
    tablet.sees("6-4", "#verdict h2")


def test_a_match_without_a_clock_says_so(tablet, house) -> None:
    house.begin()
    tablet.open(f"{house.link()}?to=/clock")
    tablet.sees("without a clock", "#standing")
    assert tablet.all(".time") == []
    assert tablet.complaints() == []
