"""The history on the page: its rows, their pictures, earlier games."""

from web.roles import Role

NEWEST = "#history tbody tr:first-child td:last-child button:last-child"
HISTORY = """const shown = (cell) => cell.querySelector('button') ? [...cell.querySelectorAll('button')] : [cell];
return [...document.querySelectorAll('#history tr')].map((row) =>
    [...row.children].map((cell) => shown(cell).map((one) => one.textContent.trim()).filter(Boolean)))"""


def test_history_opens_the_picture(tablet, house) -> None:
    house.to_roll()
    house.table.thrown(6, 3)
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#tab-history")
    tablet.find(NEWEST).click()
    tablet.find("dialog .marked image")  # of the throw on the table it is known where its dice are
    assert len(tablet.all("dialog .marked rect")) == 2
    line = tablet.find("dialog input[name=low]")
    line.clear()
    line.send_keys("2")
    tablet.find("dialog .amend input[name=why]").send_keys("it lay under the light ")
    tablet.tap("dialog .amend button")
    tablet.sees("6-2", "#verdict h2")
    assert house.table.acted[-1]["to"] == {"dice": [6, 2]}
    assert house.table.acted[-1]["why"] == "it lay under the light"
    house.act("play", moves=[[24, 16]])
    house.act("done")
    house.table.thrown(5, 2)
    tablet.sees("5-2", "#verdict h2")
    tablet.tap(f"#event-{next(line['n'] for line in tablet.state()['history'] if line['picture'])}")
    shot = tablet.find("dialog img.shot")
    tablet.until(lambda: tablet.script("return arguments[0].naturalWidth", shot) == 640, "the picture")


def test_history_has_a_column_for_each_player_and_a_row_for_a_turn_of_both(tablet, house) -> None:
    house.to_roll()
    house.table.thrown(6, 3)
    house.act("play", moves=[[24, 15]])
    house.act("done")
    house.act("double")
    house.act("take")
    tablet.open(house.link())
    tablet.tap("#tab-history")
    told = [
        [[], ["Anna"], ["Mehmet"]],
        [["2)"], ["doubles"], ["take"]],
        [["1)"], ["24/18 13/9"], ["6-3", "24/15"]],
        [[], ["opening: Anna 6, Mehmet 4"]],
        [[], ["Anna against Mehmet, 7 points, Modern backgammon"]],
    ]
    tablet.gives(told, HISTORY)
    assert tablet.all(".games") == []


def test_a_game_too_long_for_the_history_is_opened_whole(tablet, house) -> None:
    house.begin()
    for call in range(130):
        house.act("call_director", over=bool(call % 2))
    tablet.open(house.link())
    tablet.tap("#tab-history")
    tablet.sees("The whole game", "#game-1")
    tablet.tap("#game-1")
    tablet.sees("opening: Anna 6, Mehmet 4", "dialog .history")


def test_an_earlier_game_is_opened_and_corrected_by_the_director(tablet, second, house) -> None:
    house.game_over()
    house.act("next_game", swap_seats=True)
    house.act("opening", south=5, north=2)
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#tab-history")
    tablet.sees("opening: Mehmet 5, Anna 2", "#history")
    assert "24/18 13/9" not in tablet.text("#history")
    tablet.tap("#game-1")
    tablet.sees("24/18 13/9", "dialog .history")
    assert tablet.script(
        "return [...document.querySelectorAll('dialog th')].slice(0, 2).map((one) => one.textContent.trim())"
    ) == ["Anna", "Mehmet"]
    resigned = next(line["n"] for line in tablet.state()["history"] if line["text"].startswith("resigns"))
    tablet.tap(f"dialog #event-{resigned}")
    tablet.sees("Mehmet: resigns a single game", "dialog .big")
    tablet.choose("dialog select[name=worth]", "2")
    tablet.tap("dialog .amend button[type=submit]")
    tablet.until(lambda: house.table.state()["match"]["score"] == {"south": 0, "north": 2}, "the gammon")
    second.open(house.link(Role.VIEWER))
    second.tap("#game-1")
    second.sees("24/18 13/9", "dialog .history")
    second.tap(f"dialog #event-{resigned}")
    second.sees("resigns", "dialog .big")
    assert second.all("dialog .amend") == []


def test_directors_ruling_stands_in_the_history(tablet, house) -> None:
    house.begin()
    house.act("call_director")
    tablet.open(house.link(Role.DIRECTOR))
    tablet.tap("#menu")
    tablet.tap("#menu-director")
    tablet.find("#visit input[name=question]").send_keys("Was the checker touched?")
    tablet.find("#visit input[name=why]").send_keys("It may go back.")
    tablet.tap("#visit button")
    tablet.tap("#tab-history")
    tablet.sees("It may go back.", "#history")
