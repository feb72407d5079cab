"""Rolls on the page: rulings, corrections, pictures of the dice, throws by hand."""

from tests.support.camera import dice
from web.roles import Role

NEWEST = "#history tbody tr:first-child td:last-child button:last-child"


def test_strip_tells_who_still_throws_for_the_start(tablet, house) -> None:
    house.act("new_match", length=7, players={"south": "Anna", "north": "Mehmet"})
    tablet.open(house.link())
    tablet.sees("Each player rolls one die.", "#verdict")
    assert tablet.all(".strip.active") == []
    house.act("opening", south=6)
    tablet.sees("Mehmet rolls one die.", "#verdict")
    assert "Mehmet" in tablet.text(".strip.active")
    house.act("opening", south=6, north=1)
    tablet.sees("6-1", "#verdict h2")
    assert "Anna" in tablet.text(".strip.active")


def test_cocked_and_unread_are_said_with_the_reason(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    house.table.thrown(6, 3, why="on_checker")
    tablet.sees("Cocked – roll again", "#verdict h2")
    tablet.sees("A die is on a checker.", "#verdict")
    assert len(tablet.all("#verdict .cutout image")) == 2
    tablet.until(lambda: "Cocked" in tablet.text("#live"), "the screen reader to be told")
    house.table.thrown(6, None)
    tablet.sees("What was rolled?", "#verdict h2")
    tablet.tap("#die-0-6")
    tablet.tap("#die-1-2")
    tablet.sees("6-2", "#verdict h2")
    assert house.table.acted[-1]["type"] == "rule"


def test_wrongly_read_die_is_corrected_with_one_tap(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    house.table.thrown(6, 3)
    tablet.tap("#fix")
    tablet.tap("#die-1-5")
    tablet.sees("6-5", "#verdict h2")
    assert house.table.acted[-1]["dice"] == [6, 5]


def test_equal_opening_dice_stay_on_the_card(tablet, house) -> None:
    house.act("new_match", players={"south": "Anna", "north": "Mehmet"})
    tablet.open(house.link())
    tablet.sees("Each player rolls one die.", "#verdict")
    house.table.thrown(3, 3)
    tablet.sees("Equal dice: both roll again.", "#verdict")


def test_misread_opening_roll_is_corrected_with_one_tap_for_the_side_that_threw_it(tablet, house) -> None:
    house.act("new_match", players={"south": "Anna", "north": "Mehmet"})
    house.table.thrown(6, 4)
    tablet.open(house.link())
    tablet.tap("#fix")
    assert tablet.find("#die-0-6").get_attribute("aria-label") == "Anna: 6"
    tablet.tap("#die-0-3")  # south's die shows a 3, so north begins
    tablet.sees("4-3", "#verdict h2")
    tablet.sees("Mehmet to play", "#verdict")
    assert house.table.acted[-1] == {"type": "opening", "south": 3, "north": 4, "seq": house.table.seq - 1}
    tablet.move("north", 24, 20)
    tablet.move("north", 13, 10)
    tablet.sees("Played", "#verdict .why")
    tablet.tap("#fix")
    tablet.tap("#die-0-4")  # equal for now: nothing is sent
    tablet.sees("4-4: roll again", "#equal")
    tablet.tap("#die-1-1")
    tablet.sees("4-1", "#verdict h2")
    assert house.table.state()["position"]["pips"] == {"south": 167, "north": 167}
    tablet.tap("#fix")
    tablet.tap("#die-0-1")
    tablet.tap("#equal")
    tablet.sees("Opening roll", "#verdict h2")


def test_cocked_opening_throw_shows_its_picture_and_can_be_counted(tablet, house) -> None:
    house.act("new_match", players={"south": "Anna", "north": "Mehmet"})
    tablet.open(house.link())
    house.table.thrown(3, 5, why="split_halves")  # both lie in one half
    tablet.sees("Cocked – roll again", "#verdict h2")
    assert len(tablet.all("#verdict .open-throw")) == 2
    tablet.sees("Count it: Mehmet begins", "#threw-north")
    tablet.tap("#threw-north")
    tablet.sees("5-3", "#verdict h2")
    tablet.sees("Mehmet to play", "#verdict")
    assert house.table.acted[-1]["north"] == 5


def test_cocked_throw_of_both_dice_for_the_start_can_be_counted(tablet, house) -> None:
    house.act("new_match", profile="spielestart", players={"south": "Anna", "north": "Mehmet"})
    tablet.open(house.link())
    house.table.thrown(3, 5, why="on_rim")
    tablet.sees("Cocked – roll again", "#verdict h2")
    tablet.sees("Count it: 5-3", "#count")
    tablet.tap("#count")
    tablet.until(lambda: house.table.state()["opening"]["south"] == 8, "south's dice")


def test_dice_are_named_high_first_each_beside_its_own_picture(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    shown = """return [...document.querySelectorAll('#verdict .seen')].map((one) =>
        [one.querySelector('.face').getAttribute('aria-label'), one.querySelector('.cutout').viewBox.baseVal.x])"""

    def dice() -> list[tuple[str, str]]:
        return [(value, "left" if x < 200 else "right") for value, x in tablet.script(shown)]

    house.table.thrown(3, 6, why="on_checker")
    tablet.sees("Cocked", "#verdict h2")
    assert dice() == [("6", "right"), ("3", "left")]
    assert tablet.text("#count") == "Count it: 6-3"
    house.table.thrown(None, 4)
    tablet.sees("What was rolled?", "#verdict h2")
    assert dice() == [("4", "right"), ("not read", "left")]
    house.table.thrown(3, 6)
    tablet.sees("6-3", "#verdict h2")
    assert dice() == [("6", "right"), ("3", "left")]
    tablet.tap("#fix")
    tablet.sees("Tap the right number:", "#asks")
    tablet.tap("#die-0-2")  # the first one, seen on the right, shows a 2
    tablet.sees("3-2", "#verdict h2")
    tablet.tap("#fix")
    assert dice() == [("3", "left"), ("2", "right")]


def test_the_picture_of_a_throw_opens_large_with_its_dice_marked(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    house.table.thrown(6, None)
    tablet.tap("#verdict .open-throw")
    tablet.find("dialog .marked image")
    marks = "return [...document.querySelectorAll('.marked text')].map((one) => one.textContent)"
    assert sorted(tablet.script(marks)) == ["6", "?"]
    assert len(tablet.all(".marked .unread rect")) == 1
    boxes = tablet.script(
        "return [...document.querySelectorAll('.marked rect')].map((one) => one.getBoundingClientRect().width)"
    )
    assert min(boxes) > 40
    tablet.tap("dialog .close")
    tablet.until(lambda: not tablet.all("dialog[open]"))
    tablet.tap("#verdict .die")  # elsewhere on the card
    tablet.find("dialog .marked image")
    assert tablet.complaints() == []


def test_an_early_roll_is_recorded_by_hand_and_stands_on_its_card(tablet, house) -> None:
    house.begin(overrides={"premature_roll": "opponent_chooses"})
    house.act("play", moves=[[24, 18], [13, 9]])
    tablet.open(house.link())
    tablet.tap("#fix")
    tablet.sees("Mehmet rolled too early", "#early")
    tablet.tap("#early")
    tablet.tap("#die-0-5")
    tablet.tap("#die-1-2")
    tablet.sees("Rolled too early", "#verdict h2")
    faces = (
        "return [...document.querySelectorAll('#verdict .face')].map((one) => one.getAttribute('aria-label'))"
    )
    assert tablet.script(faces) == ["5", "2"]
    tablet.tap("#answer-accept")
    tablet.sees("5-2 waits until this turn is over.", "#waiting")
    tablet.tap("#done")
    tablet.sees("5-2", "#verdict h2")


def test_no_picture_of_an_early_throw_stands_beside_the_roll_that_is_played(tablet, house) -> None:
    house.begin(overrides={"premature_roll": "void"})
    house.act("play", moves=[[24, 18], [13, 9]])
    tablet.open(house.link())
    tablet.find("body[data-line=open]")
    house.table.handle(dice.throw((6, 5), ("left", "left")))  # Mehmet's half
    tablet.sees("Mehmet rolled before Anna had ended the turn", "#toast")
    tablet.until(
        lambda: tablet.find("#undo").get_attribute("title") == "Undo: the early roll", "the early roll"
    )
    tablet.sees("6-4", "#verdict h2")
    assert tablet.all("#verdict .open-throw") == []


def test_a_cocked_throw_is_amended_by_the_director(tablet, house) -> None:
    house.to_roll()
    house.table.thrown(6, None, why="on_checker")
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#tab-history")
    tablet.find(NEWEST).click()
    tablet.find("dialog input[name=low]").send_keys("3")
    tablet.tap("dialog .amend button")
    tablet.sees("6-3", "#verdict h2")


def test_a_throw_by_hand_is_made_again(tablet, house) -> None:
    house.to_roll()
    house.act("roll", dice=[6, 3])
    tablet.open(house.link())
    tablet.tap("#fix")
    tablet.tap("#by-hand")
    tablet.sees("Thrown by hand – roll again", "#verdict h2")
    tablet.sees("not from a cup", "#verdict .why")
    tablet.sees("thrown by hand", "#history")


def test_a_roll_is_amended_to_one_that_was_cocked(tablet, house) -> None:
    house.to_roll()
    house.act("roll", dice=[6, 3])
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#tab-history")
    tablet.find(NEWEST).click()
    tablet.find("dialog select[name=void]").send_keys("No, it was cocked")
    tablet.tap("dialog .amend button")
    tablet.sees("Cocked", "#verdict h2")


def test_winner_of_the_opening_rolls_both_dice_again(tablet, house) -> None:
    house.begin(overrides={"opening_roll": "winner_chooses"})
    tablet.open(house.link())
    tablet.sees("plays it or rolls again", "#verdict")
    tablet.tap("#anew")
    tablet.tap("#die-0-6")
    tablet.tap("#die-1-6")
    tablet.sees("6-6", "#verdict h2")
