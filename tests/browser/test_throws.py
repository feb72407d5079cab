"""The check with twelve throws from its start to its verdict, and the question about a die that was not read."""

from typing import Any

import pytest

from tests.support.camera import dice


def order(tablet: Any, row: int, numbers: str = "") -> list[int]:
    """The numbers of a row of dice as they stand there."""
    code = "return [...document.querySelectorAll(arguments[0])].map((one) => Number(one.id.at(-1)))"
    return list(tablet.script(code, f"{numbers}[id^=die-{row}-], {numbers}[id^=die-tried-{row}-]"))


def check(tablet: Any) -> dict[str, Any]:
    """The check as the program tells it."""
    asked = "fetch('/api/throws').then((answer) => answer.json()).then(arguments[0])"
    return dict(tablet.answer(asked))


def answered(tablet: Any) -> None:
    """Wait until the tap has arrived; dice thrown before that would be asked about instead."""
    tablet.until(lambda: check(tablet)["state"] != "asking", "the answer")


def test_twelve_recorded_throws_from_the_start_to_the_verdict(tablet, start) -> None:
    tablet.open(start("demo", "--throws", "--port", "0", "--speed", "6"))
    tablet.find("#verdict .cutout")
    tablet.script("document.querySelector('#tour .primary')?.click()")
    tablet.tap("#menu")
    tablet.tap("#menu-camera")
    tablet.tap("#try-throws")
    rows = len(tablet.state()["history"])
    tablet.tap("#throws-begin")
    answered = 0
    while not tablet.all("#throws-verdict"):
        tablet.sees(f"Throw {answered + 1} of 12", "#throws-progress")
        tablet.find("dialog .marked image")
        thrown = check(tablet)["throws"][-1]
        assert len(tablet.all("dialog .marked rect")) == len(thrown["dice"])
        if thrown["ruling"] == "unread":
            tablet.find("dialog .doubts .cutout rect")
            assert not tablet.all("#throws-right"), "nothing was read that could be right"
            for row, one in enumerate(sorted(thrown["dice"], key=lambda die: -(die["value"] or 0))):
                number = one["value"] or order(tablet, row)[0]
                tablet.script(f"document.getElementById('die-tried-{row}-{number}').click()")
        else:
            tablet.tap("#throws-right")
        answered += 1
        tablet.until(
            lambda told=answered: (
                len(tablet.all("dialog .mark:is(.right, .failed)")) == told or tablet.all("#throws-verdict")
            ),
            "the next throw",
        )
    found = check(tablet)
    assert len(found["throws"]) == answered == 12
    assert found["verdict"]["good"]
    assert {one["outcome"] for one in found["throws"]} <= {"right", "unread"}
    tablet.sees(found["verdict"]["text"], "#throws-verdict")
    tablet.sees("Good enough", "#throws-verdict")
    assert len(tablet.state()["history"]) == rows, "the match has heard of none of them"
    tablet.tap("dialog .close", at_once=True)
    tablet.find("#asks button")
    assert tablet.complaints() == []


def opened(tablet: Any, house: Any) -> None:
    """The check on the page, begun from its own address."""
    tablet.open(house.link())
    tablet.open(f"{house.address}/?set-up#throws")  # as from another page: "/" is there already
    tablet.tap("#throws-begin")
    tablet.sees("Throw 1 of 12", "#throws-progress")


def test_a_poor_verdict_says_what_to_change_with_pictures(tablet, house) -> None:
    house.table.shows_board()
    frame, board = house.table.board_place.newest()
    opened(tablet, house)
    for number in range(1, 5):
        house.table.handle(dice.in_picture((6, None), (frame.bgr * 0.06).astype("uint8"), board))
        tablet.sees(f"Throw {number} of 12", "#throws-progress")
        tablet.sees("not read", "#throws-read")
        assert tablet.find("#die-tried-0-6").get_attribute("aria-pressed") == "true", "that one was read"
        tablet.tap("#die-tried-1-2")
        answered(tablet)
    tablet.sees("Not good enough yet: 0 of 4 throws were read right.", "#throws-verdict")
    tablet.sees("Give more light, best from two sides.", ".change[data-what=dark]")
    assert len(tablet.all(".change[data-what=dark] figure image")) >= 3
    tablet.tap("#throws-again")
    tablet.sees("Throw 1 of 12", "#throws-progress")
    assert house.table.check.is_running
    tablet.tap("dialog .close", at_once=True)
    tablet.until(lambda: not house.table.check.is_running, "closing stops it")
    assert tablet.complaints() == []


def test_nothing_seen_falsely_cocked_and_wrong_are_told_by_taps(tablet, house) -> None:
    opened(tablet, house)
    tablet.tap("#throws-missed")
    tablet.sees("Throw 2 of 12", "#throws-progress")
    house.table.thrown(6, 4, why="leaning")
    tablet.sees("cocked", "#throws-read")
    tablet.tap("#die-tried-0-6")
    tablet.tap("#die-tried-1-4")
    tablet.sees("Throw 3 of 12", "#throws-progress")
    house.table.thrown(6, 4)
    tablet.sees("6-4", "#throws-read")
    tablet.tap("#throws-cocked")
    tablet.sees("Throw 4 of 12", "#throws-progress")
    assert [one["outcome"] for one in check(tablet)["throws"]] == ["missed", "cocked", "wrong"]
    tablet.tap("#throws-stop")
    tablet.find("#throws-begin")


@pytest.mark.parametrize("language", ["de", "ja"])
def test_it_speaks_the_language_of_the_page(tablet, house, language: str) -> None:
    house.table.shows_board()
    frame, board = house.table.board_place.newest()
    tablet.open(house.link())
    tablet.open(f"{house.address}/?{language}#throws", language)
    tablet.tap("#throws-begin")
    for number in range(1, 5):
        house.table.handle(dice.in_picture((6, None), (frame.bgr * 0.06).astype("uint8"), board))
        marks = f".tried:not(:has(.mark:nth-child({number}).failed))" + (
            f":has(.mark:nth-child({number - 1}).failed)" if number > 1 else ""
        )
        tablet.find(f"{marks} #throws-cocked")
        tablet.tap("#throws-cocked")
        answered(tablet)
    words = tablet.find(".tried").text
    for english in ("Light", "Give", "good", "Throw", "read"):
        assert english not in words


# The question at the table


def test_the_die_in_doubt_is_marked_with_its_likeliest_numbers_first(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    house.table.thrown(6, None, chances={3: 0.6, 5: 0.3})
    tablet.sees("The number of the marked die is not clear.", "#verdict")
    assert order(tablet, 1)[:2] == [3, 5]
    assert sorted(order(tablet, 1)) == order(tablet, 0) == [1, 2, 3, 4, 5, 6]
    assert tablet.find("#die-0-6").get_attribute("aria-pressed") == "true", "this one was read"
    assert not tablet.all("[id^=die-1-][aria-pressed=true]"), "the likeliest is no answer"
    assert house.table.state()["roll"] is None
    assert len(tablet.all("#verdict .cutout.doubtful rect")) == 1
    tablet.tap("#die-1-5")
    tablet.sees("6-5", "#verdict h2")
    assert house.table.acted[-1]["dice"] == [6, 5]


def test_where_no_die_was_read_both_are_asked(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    house.table.thrown(None, None, chances={2: 0.5})
    tablet.sees("The numbers of both marked dice are not clear.", "#verdict")
    assert [order(tablet, row)[0] for row in (0, 1)] == [2, 2]
    assert not tablet.all(".die-button[aria-pressed=true]")
    tablet.tap("#die-0-2")
    tablet.tap("#die-1-1")
    tablet.sees("2-1", "#verdict h2")
