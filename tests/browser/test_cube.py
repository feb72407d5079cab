"""The cube on the page: doubles and their answers, resignations, where it lies."""


def test_points_are_numbered_for_the_side_that_answers_a_double(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    one = "return document.querySelector('#board .numbers text').getBoundingClientRect().top"
    tablet.until(lambda: tablet.all("#board .numbers text"), "the numbers")
    tablet.sees("Mehmet to roll", "#verdict")
    before = tablet.script(one)  # where the 1-point of the side that rolls is
    house.act("double")
    tablet.sees("take or pass?", "#verdict")
    tablet.until(lambda: abs(tablet.script(one) - before) > 200, "the numbers of who answers")
    tablet.tap("#take")
    tablet.until(lambda: abs(tablet.script(one) - before) < 50, "the roller's numbers")


def test_centred_cube_shows_64_and_an_owned_one_lies_at_its_owners_rim(tablet, house) -> None:
    tablet.media(prefers_reduced_motion="reduce")
    house.to_roll()
    tablet.open(house.link())
    tablet.sees("64", "#board .cube text")
    place = """const cube = document.querySelector('#board .cube rect').getBoundingClientRect();
        const board = document.querySelector('#board .frame').getBoundingClientRect();
        const [x, y] = [cube.x + cube.width / 2 - board.x, cube.y + cube.height / 2 - board.y];
        return [x / board.width, y / board.height]"""

    def lies(*wanted: float) -> None:
        def there() -> bool:
            return all(abs(one - at) < 0.03 for one, at in zip(tablet.script(place), wanted, strict=True))

        tablet.until(there, f"the cube at {wanted}")

    lies(0.94, 0.5)
    house.act("double")
    tablet.sees("2", "#board .cube.offered text")
    lies(0.94, 0.55)  # towards Anna, who is asked
    house.act("take")
    tablet.sees("2", "#board .cube:not(.offered) text")
    lies(0.46, 0.95)  # at Anna's rim, below
    tablet.tap("#menu")
    tablet.tap("#menu-turn")
    lies(0.54, 0.05)


def test_double_take_and_pass(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    tablet.tap("#double")
    tablet.sees("Anna: take or pass?", "#verdict")
    tablet.tap("#take")
    tablet.sees("Mehmet to roll", "#verdict")
    assert tablet.find("#strip-bottom .owned").text == "2"
    house.act("roll", dice=[3, 1])
    house.act("play", text="8/5 6/5")
    house.act("done")
    tablet.tap("#double")
    tablet.sees("Double to 4")
    tablet.tap("#pass")
    tablet.sees("Anna wins", "#verdict h2")
    assert tablet.find("#strip-bottom .score").text == "2"
    tablet.tap("#next-game")
    tablet.sees("Opening roll", "#verdict h2")


def test_resignation(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    tablet.tap("#resign")
    tablet.tap("dialog button[value='2']")
    tablet.sees("Anna: accept a gammon (2 points)?", "#verdict")
    tablet.tap("#refuse")
    tablet.sees("Mehmet to roll", "#verdict")


def test_a_double_while_an_illegal_play_is_open_can_be_answered(tablet, house) -> None:
    house.begin(overrides={"illegal_play_stands_after": "play_completed"})
    house.illegal_play()
    house.act("done")
    tablet.open(house.link())
    tablet.sees("Illegal play", "#verdict h2")
    tablet.tap("#double")
    tablet.find("#take")
    shown = {button.get_attribute("id") for button in tablet.all("#asks button") if button.is_displayed()}
    assert {"take", "pass", "answer-condone", "answer-correct"} <= shown, "both questions have their answers"
    tablet.tap("#take")
    tablet.until(lambda: house.table.state()["cube"]["value"] == 2, "the take")


def test_both_questions_are_in_sight_on_a_small_phone(tablet, house) -> None:
    house.begin(overrides={"illegal_play_stands_after": "play_completed"}, players={"north": "Mehmet Özgür"})
    house.illegal_play()
    house.act("done")
    house.act("double")
    tablet.resize(360, 640, touch=True)
    tablet.open(house.link())
    for answer in ("take", "pass", "answer-correct", "answer-condone"):
        bottom = tablet.script(
            "return arguments[0].getBoundingClientRect().bottom", tablet.find(f"#{answer}")
        )
        assert bottom <= 640, answer


def test_crawford_game_says_that_there_is_no_doubling(tablet, house) -> None:
    house.begin(length=2)
    house.act("resign", worth=1)
    house.act("accept")
    house.act("next_game")
    tablet.open(house.link())
    tablet.sees("This is the Crawford game: no doubling.", "#verdict")
