"""A chouette in a real Chromium: entered, doubled, answered cube by cube, and its next game; docs/rules/family.md."""

import pytest
from selenium.webdriver.common.keys import Keys

from web.languages import LANGUAGES
from web.roles import Role

FITS = """const one = document.querySelector('.chouette');
    return one.scrollWidth <= one.parentElement.clientWidth"""
SIZES = {"phone": (360, 640), "tablet": (1180, 820)}


def button(name: str, deed: str) -> str:
    return f".chouette tr[data-name={name}] button[data-act={deed}]"


def account(tablet, name: str) -> str:
    return tablet.text(f".chouette tr[data-name={name}] .points")


@pytest.mark.parametrize("size", SIZES)
def test_a_game_with_a_double_that_some_take(tablet, house, size: str) -> None:
    tablet.resize(*SIZES[size], touch=size == "phone")
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.tap("input[name=chouette]")
    assert not tablet.find(".new-match").find_elements("css selector", "#points:not([hidden])")
    for field, name in (("south", "Ann"), ("north", "Bob"), ("player-3", "Cem"), ("player-4", "Dora")):
        tablet.find(f"input[name={field}]").send_keys(name)
    tablet.tap("#start-match")
    tablet.tap("#die-0-3")
    tablet.tap("#die-1-1")
    tablet.sees("Ann to roll" if house.table.state()["phase"] == "on_roll" else "3-1", "#verdict h2")
    house.act("play", text="8/5 6/5")
    house.act("done")
    tablet.tap(button("Dora", "double"))
    tablet.tap(button("Dora", "take"))
    tablet.until(lambda: "2" in tablet.text(".chouette tr[data-name=Dora] .owned"), "the turned cube")
    house.act("roll", dice=[6, 2])
    house.act("play", text="24/18 13/11")
    house.act("done")
    tablet.tap("#double")  # the box doubles on all cubes that it may turn
    tablet.sees("On each cube: take or pass?", "#verdict")
    assert not tablet.all("#take")
    tablet.sees("answers", "#strip-top")
    tablet.tap(button("Bob", "pass"))
    tablet.until(
        lambda: "answers" not in tablet.text("#strip-top"), "the captain’s strip unlit after his answer"
    )
    assert "active" not in tablet.find("#strip-top").get_attribute("class").split()
    tablet.tap(button("Cem", "take"))
    tablet.tap(button("Dora", "pass"))
    tablet.sees("Ann to roll", "#verdict h2")
    tablet.sees("Cem", "#strip-top .name")  # the captain has passed
    assert [account(tablet, name) for name in ("Ann", "Bob", "Cem", "Dora")] == ["+3", "−1", "0", "−2"]
    house.act("resign", side="south", worth=1)
    tablet.tap("#accept")
    tablet.sees("Ann +1, Bob −1, Cem +2, Dora −2", "#verdict")
    assert tablet.text("#verdict h2") == "The game is over"  # neither party has won every cube
    assert not tablet.all("#swap-seats")
    tablet.tap("#next-game")
    tablet.until(lambda: tablet.text("#strip-bottom .name") == "Cem", "the captain in the box")
    assert tablet.script(FITS)
    assert tablet.complaints() == []


def test_spectators_see_the_accounts(tablet, house) -> None:
    house.act("new_match", chouette=["Ann", "Bob", "Cem"])
    house.act("opening", south=3, north=1)
    house.act("resign", side="north", worth=1)
    house.act("accept")
    tablet.open(house.link(Role.VIEWER))
    tablet.sees("Chouette", "#match-line")
    tablet.until(lambda: tablet.text("#strip-bottom .score") == "2", "the box's account")
    assert tablet.text("#strip-top .score") == "\N{MINUS SIGN}1"


def test_device_that_comes_during_an_open_double_has_the_answers(tablet, house) -> None:
    house.act("new_match", chouette=["Ann", "Bob", "Cem"])
    house.act("opening", south=6, north=4)
    house.act("play", moves=house.table.state()["plays"][0]["moves"])
    house.act("done")
    house.act("double")
    for _ in range(2):
        tablet.open(house.link())
        assert tablet.find(".chouette button[data-act=take]").is_displayed()


def begun_double(house, answer: str = "pass") -> None:
    """The box's double, after Cem has answered the team's."""
    house.act("new_match", chouette=["Ann", "Bob", "Cem", "Dora"])
    house.act("opening", south=3, north=1)
    house.act("play", text="8/5 6/5")
    house.act("done")
    house.act("double", partners=["Cem"])
    house.act(answer, partner="Cem")
    house.act("roll", dice=[6, 2])
    house.act("play", text="24/18 13/11")
    house.act("done")
    house.act("double")


LINES = """const text = document.createRange();
    text.selectNodeContents(document.querySelector('.chouette .owned'));
    return new Set([...text.getClientRects()].filter((one) => one.height > 5).map((one) => Math.round(one.top))).size"""


def test_value_of_an_owned_cube_stands_in_one_line(tablet, house) -> None:
    """Beside two answers to a double, where room is shortest."""
    begun_double(house, "take")
    tablet.open(house.link())
    tablet.find(".chouette button[data-act=take]")
    for size in ((1180, 820), (390, 844)):
        tablet.resize(*size)
        tablet.gives(1, LINES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_largest_chouette_has_its_dice_within_reach_on_a_tablet(tablet, house, language: str) -> None:
    """What has no room is scrolled to, and lies over nothing."""
    house.act("new_match", chouette=["Ann", "Bob", "Cem", "Dora", "Eve", "Finn", "Gül", "Hans"])
    house.act("opening", south=3, north=1)
    house.act("play", text="8/5 6/5")
    house.act("done")
    tablet.open(house.link(), language)
    tablet.tap("#die-1-6")
    tablet.tap("#die-0-5")
    tablet.until(lambda: tablet.state()["roll"] == [6, 5], "the roll")


def test_replay_tells_the_accounts_of_the_moment_and_the_result_of_a_game(tablet, house) -> None:
    begun_double(house)
    house.act("pass", partner="Dora")
    house.act("take", partner="Bob")
    house.act("resign", side="south", worth=1)
    house.act("accept")
    tablet.open(house.link(Role.VIEWER))
    tablet.open(f"{house.address}/matches/{house.table.state()['match']['id']}#1")
    tablet.sees("Accounts: Ann 0, Bob 0, Cem 0, Dora 0", "#step")
    tablet.driver.switch_to.active_element.send_keys(Keys.END)
    tablet.sees("Result of the game: Ann −2, Bob +2, Cem +1, Dora −1", "#step")
    assert "account −2" in tablet.text("#strip-bottom")
    assert "account +2" in tablet.text("#strip-top")
    listed = tablet.text("#list")
    assert "Dora: pass" in listed
    assert "Bob: Dora" not in listed
    assert tablet.complaints() == []


def test_a_chouette_is_played_in_words(tablet, house) -> None:
    begun_double(house)
    tablet.open(house.link())
    tablet.open(f"{house.address}/text")
    tablet.sees("Still to answer: Bob, Dora. Type take Bob or pass Bob.", "#log")

    def typed(text: str) -> None:
        tablet.find("#command").send_keys(f"{text}\n")

    typed("take bob")
    tablet.sees("Still to answer: Dora. Type take Dora or pass Dora.", "#log")
    typed("u")
    tablet.sees("Bob: Cube at 2, owned by Bob.", "#log")
    tablet.sees("Cem: +1.", "#log")
    tablet.sees("Dora: Cube at 1, in the middle. Its double awaits an answer.", "#log")
    typed("pass Dora")
    typed("s")
    tablet.sees("Ann 0, Bob 0, Cem +1, Dora −1. Money play", "#log")
    typed("h")
    tablet.sees("in a chouette take Ben", "#log")


def test_phone_of_another_player_answers_for_nobody(tablet, house) -> None:
    """The captain drops out, and his phone is no other partner's; nor is the box's that of who takes its place."""
    house.table.do("new_match", length=0, chouette=["Ann", "Bob", "Cem"])
    house.act("opening", south=3, north=1)
    house.act("play", text="8/5 6/5")
    house.act("done")
    tablet.open(house.link(Role.PLAYER, "north"))
    tablet.sees("Bob", "#strip-bottom .name")
    house.act("roll", dice=[6, 2])
    house.act("play", text="24/18 13/11")
    house.act("done")
    house.act("double")
    tablet.tap(button("Bob", "pass"))
    tablet.until(lambda: not tablet.all(button("Bob", "pass")), "the pass")
    house.act("take", partner="Cem")
    tablet.sees("Cem sits here now", "#reseated")
    house.act("roll", dice=[6, 2])
    house.act("resign", side="south", worth=1)
    tablet.sees("resign", "#verdict")
    assert tablet.all("#accept") == []
    tablet.tap("#claim")
    tablet.tap("#accept")
    tablet.until(lambda: not tablet.all("#accept"), "the end of the game")
    house.act("next_game")
    tablet.sees("sits here now", "#reseated")
    house.act("call_director")
    tablet.open(f"{house.address}/text")
    tablet.sees("type me", "#log")
    tablet.find("#command").send_keys("me\n")
    tablet.open(house.address)
    tablet.find("#verdict h2")
    assert tablet.all("#reseated") == []


def test_only_games_with_a_cube_are_listed_for_a_chouette(tablet, house) -> None:
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.choose("select[name=profile]", "plakoto")
    tablet.tap("input[name=chouette]")
    tablet.sees("With a cube only", "#fitting-rules:not([hidden])")
    names = [one.get_attribute("value") for one in tablet.all("select[name=profile] option")]
    assert "modern" in names
    assert not {"tavli", "plakoto", "portes", "acey_deucey"} & {*names}
    assert tablet.script("return document.querySelector('select[name=profile]').value") == names[0]
    tablet.tap("input[name=chouette]")
    tablet.until(lambda: tablet.all("select[name=profile] option[value=plakoto]"), "all games again")
    assert tablet.all("#fitting-rules:not([hidden])") == []
    assert tablet.complaints() == []
