"""A game by keyboard and screen reader alone: what is typed, and what the accessibility tree says."""

import random
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from web.roles import Role

DOUBLETS = 0.7
"""Of the rolls of a whole game, which is over in half as many turns so."""


class Blind:
    """A person with a keyboard and a screen reader: nothing is pointed at, and no pixel is looked at."""

    def __init__(self, tablet: Any) -> None:
        self.tablet = tablet

    def press(self, keys: str) -> None:
        """Type where the focus is."""
        self.tablet.driver.switch_to.active_element.send_keys(keys)

    def tree(self) -> list[dict[str, Any]]:
        """The nodes that a screen reader is given."""
        nodes = self.tablet.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        return [node for node in nodes if not node.get("ignored")]

    def focused(self) -> tuple[str, str]:
        """Role and name of what has the focus."""
        for node in self.tree():
            has_focus = any(
                one["name"] == "focused" and one["value"]["value"] for one in node.get("properties", [])
            )
            if has_focus and node["role"]["value"] != "RootWebArea":
                return node["role"]["value"], node["name"]["value"]
        return "", ""

    def heard(self) -> dict[int, str]:
        """Every line of the log, the live region of the answers, by its number in the document."""
        nodes = {node["nodeId"]: node for node in self.tree()}
        [log] = [node for node in nodes.values() if node["role"]["value"] == "log"]
        assert any(one["name"] == "live" and one["value"]["value"] == "polite" for one in log["properties"])
        lines = {
            nodes[child]["backendDOMNodeId"]: self._text(nodes, child)
            for child in log["childIds"]
            if child in nodes
        }
        return {number: text for number, text in lines.items() if text}

    def _text(self, nodes: dict[str, Any], number: str) -> str:
        node = nodes.get(number)
        if node is None:
            return ""
        if node["role"]["value"] == "StaticText":
            return str(node["name"]["value"])
        return "\n".join(filter(None, (self._text(nodes, child) for child in node.get("childIds", []))))

    def hears(self, text: str, known: Collection[int] = ()) -> str:
        """Wait for a new line with these words, and give all the new ones; `known` are the numbers of earlier lines."""
        new: list[str] = []

        def came() -> bool:
            new[:] = [line for number, line in self.heard().items() if number not in known]
            return any(text in line for line in new)

        self.tablet.until(came, repr(text))
        return "\n".join(new)

    def command(self, text: str, answer: str) -> str:
        """Send a command and wait for its answer."""
        known = set(self.heard())
        self.press(text + Keys.ENTER)
        return self.hears(answer, known)


@pytest.fixture
def blind(tablet, house) -> Blind:
    """The page in words, reached from the table's page by keys."""
    house.begin(length=3)
    tablet.open(house.link())
    person = Blind(tablet)
    tablet.until(lambda: "Mehmet" in tablet.text("#strip-top"), "the table")
    for _ in range(5):
        person.press(Keys.TAB)
        if person.focused() == ("link", "Play in words"):
            break
    person.press(Keys.ENTER)
    tablet.until(lambda: person.focused() == ("textbox", "Command"), "the command line")
    person.hears("Anna rolled 6-4.")
    return person


def test_a_whole_game_from_the_opening_to_its_result(blind, house) -> None:
    rng, turns, doubled = random.Random(1), 0, False
    now = blind.command("n", "Now: a play")
    while "next" not in now and "new" not in now:
        if "double" in now and turns > 6 and not doubled:
            blind.command("double", "take or pass?")
            now, doubled = blind.command("take", "Now: "), True
        elif "r and both dice" in now:
            turns, high = turns + 1, rng.randint(2, 6)
            low = high if rng.random() < DOUBLETS else rng.randint(1, 6)
            now = blind.command(f"r {high} {low}", "Now: ")
        elif "a play" in now:
            found = re.search(r"plays?: ([^;.]+)", blind.command("m", "play"))
            assert found
            now = blind.command(found[1], "Now: ")
        else:
            now = blind.command("done", "Now: ")
    result = house.table.state()["result"]
    assert (result["how"], result["cube"], doubled) == ("borne_off", 2, True)
    winner = {"south": "Anna", "north": "Mehmet"}[result["winner"]]
    assert f"{winner} wins" in blind.command("d", "wins")
    blind.command("s", f"{winner} {result['points']}")


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("b", "Anna: 24 2, 13 5, 8 3, 6 5."),
        ("p 8", "Anna’s 8: Anna 3 checkers."),
        ("p 1", "Anna’s 1: Mehmet 2 checkers."),
        ("p bar", "Anna’s bar: empty."),
        ("p 31", "Name a point"),
        ("m 24", "7 plays: 24/14; "),
        ("m 23", "No legal move."),
        ("u", "Cube at 1, in the middle."),
        ("s", "Anna 0, Mehmet 0. Match to 3. Game 1"),
        ("c", "This match is played without a clock."),
        ("i", "Anna 167 pips, Mehmet 167 pips"),
        ("l", "There is no play before this turn."),
        ("w", "South: Anna, light checkers. North: Mehmet, dark checkers."),
        ("h", "resign single, resign gammon, resign backgammon"),
        ("B", "Anna: 24 2"),
        ("juggle", "There is no command “juggle”"),
        ("r 7 1", "Type both dice"),
        ("resign 4", "Type resign single"),
        ("new 5 Anna", "Name both players"),
        ("new 5 Anna, Ben, Cem", "Name both players"),
        ("new 5! Kim, kim", "Both players are called Kim"),
        ("start", "This match is played without a clock."),
        ("new 5 Anna Ben", "To begin another one type new 5 Anna Ben!"),
        ("new", "Type the number of points"),
        ("new 5", "The match is not over."),
        ("r 6 2", "Anna rolled 6-2."),
        ("r 26", "Mehmet rolled 6-2."),
        ("double", "A double is offered before the roll."),
        ("24/17 13/9", "type it again with ! at its end"),
    ],
)
def test_what_is_heard(blind, command: str, answer: str) -> None:
    blind.command(command, answer)


def test_play_without_a_roll_is_refused_and_no_other_way_to_type_it_is_named(blind, house) -> None:
    known = set(blind.heard())
    house.act("play", text="24/18 13/9")
    house.act("done")
    blind.hears("to roll", known)
    known = set(blind.heard())
    blind.command("24/18 13/9", "roll")
    blind.command("n", "undo, resign")
    assert not [line for number, line in blind.heard().items() if number not in known and "with !" in line]


def test_an_illegal_play_is_entered_disputed_and_taken_back(blind, house) -> None:
    blind.command("24/18 13/5!", "condone: ")
    assert house.table.state()["phase"] == "dispute"
    blind.command("correct", "Now: a play")
    blind.command("24/18 13/9", "Played 24/18 13/9.")
    blind.command("undo", "Anna rolled 6-4.")


def test_checkers_that_were_hit_are_counted_apart_from_those_that_may_enter_later(blind, house) -> None:
    known = set(blind.heard())
    house.begin(profile="acey_deucey")
    blind.hears("Anna", known)
    blind.command("b", "Anna: bar 15 (0 hit, 15 not entered).")
    where = {"on_roll": "south", "not_entered": {"south": 3, "north": 15}}
    house.act("set_position", pos=[-15, *[0] * 20, 2, 8, 0, 0, 5], **where)
    blind.command(
        "p bar", "Anna 5 checkers (2 hit, 3 not entered), Mehmet 15 checkers (0 hit, 15 not entered)."
    )
    blind.command("b", "Anna: bar 5 (2 hit, 3 not entered), 22 8, 21 2.")


def test_the_game_of_tavli_that_is_played_is_heard(blind, house) -> None:
    known = set(blind.heard())
    house.begin(profile="tavli")
    blind.hears("Anna", known)
    assert "Game 1. Portes" in blind.command("s", "Match to")
    house.act("resign", side="north", worth=1)
    house.act("accept")
    known = set(blind.heard())
    house.act("next_game")
    blind.hears("Anna", known)
    blind.command("b", "Plakoto.")
    assert blind.command("d", "to roll").startswith("Plakoto.")
    blind.command("s", "Game 2. Plakoto")


def test_a_turn_is_ended_by_its_command_and_by_nothing_that_one_presses(blind, house) -> None:
    closed = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
    blind.command("24/18 13/9", "Played")
    blind.command("done", "Mehmet to roll")
    house.table.stand(closed, {25: 1, 13: 5, 8: 3, 6: 6}, "north")
    blind.command("r 6 5", "No legal move. Pick up the dice or type done.")
    house.table.camera("none")
    assert "No legal move. Type done." in blind.command("d", "No legal move")
    assert not re.search("press", " ".join(blind.heard().values()), re.IGNORECASE)


def test_the_clock_is_heard_stopped_and_started(blind, house) -> None:
    known = set(blind.heard())
    house.act("settings", overrides={"clock": "simple_delay"})
    blind.hears("Settings changed: Clock.", known)
    assert "Anna’s time runs." in blind.command("c", "Mehmet ")
    blind.command("stop", "The clock stands. It was stopped by hand; to start it type start.")
    blind.command("c", "It was stopped by hand")
    assert "to start it type start" in blind.command("n", "Now: ")
    blind.command("start", "Anna’s time runs.")
    blind.command("start", "Anna’s time runs.")  # nothing to start: it says so
    blind.command("c", "Anna’s time runs.")


def test_after_a_call_for_the_director_play_goes_on_by_words_alone(blind, house) -> None:
    known = set(blind.heard())
    house.act("settings", overrides={"clock": "simple_delay"})
    blind.hears("Settings changed: Clock.", known)
    stands = "The clock stands. The director is called; once he has come, type start."
    blind.command("director", stands)
    assert house.table.state()["clock"]["running"] is None
    blind.command("c", stands)
    blind.command("n", stands)
    blind.command("director", "once he has come, type start")  # he is called already
    assert house.table.state()["match"]["director"]
    heard = blind.command("24/18 13/9", "Played 24/18 13/9.")
    assert stands in heard, "nothing is entered without a word that the clock stands"
    blind.command("start", "Anna’s time runs.")
    assert not house.table.state()["match"]["director"]
    assert "The clock stands" not in blind.command("n", "Now: ")
    known = set(blind.heard())
    house.act("clock", order="stop")
    blind.hears("It was stopped by hand", known)
    blind.command("start", "Anna’s time runs.")


def test_call_for_the_director_ends_where_there_is_no_clock(blind, house) -> None:
    assert "The clock" not in blind.command("director", "once he has come, type start")
    blind.command("start", "The director has come; play goes on.")
    assert not house.table.state()["match"]["director"]


def test_player_and_spectator_hear_that_the_clock_waits_and_cannot_start_it(tablet, house) -> None:
    house.begin(length=3, overrides={"clock": "simple_delay"})
    person = Blind(tablet)
    tablet.open(f"{house.link(Role.PLAYER, 'north')}?to=/text")
    person.hears("Anna rolled 6-4.")
    person.command("director", "The clock stands. The director is called.")
    assert "type start" not in "".join(person.heard().values())
    person.command("start", "Only the scorekeeper or the director can say that the director has come.")


def test_a_throw_that_is_not_read_is_typed_and_a_cocked_one_thrown_again(blind, house) -> None:
    blind.command("24/18 13/9", "Played")
    blind.command("done", "Mehmet to roll")
    known = set(blind.heard())
    house.table.thrown(6, 3, why="on_checker")
    blind.hears("Cocked – roll again", known)
    known = set(blind.heard())
    house.table.thrown(5, None)
    blind.hears("What was rolled?", known)
    blind.command("r 52", "Mehmet rolled 5-2.")
    blind.command("r 5-3", "Mehmet rolled 5-3.")


def test_the_document_has_the_commands_that_are_heard(blind) -> None:
    heard = blind.command("h", "director: ")
    document = (Path(__file__).resolve().parents[2] / "docs" / "TEXT.md").read_text()
    assert re.findall(r"^([^:\n]+): ", heard, re.MULTILINE) == re.findall(
        r"^\| `([^`]+)` \|", document, re.MULTILINE
    )


def test_earlier_commands_come_back_with_the_arrow_keys(blind) -> None:
    blind.command("s", "Match to 3")
    blind.command("u", "Cube at 1")
    known = set(blind.heard())
    blind.press(Keys.ARROW_UP + Keys.ARROW_UP + Keys.ENTER)
    blind.hears("Match to 3", known)


def test_a_spectator_listens_and_a_player_answers_for_himself(tablet, house) -> None:
    house.begin(length=3)
    person = Blind(tablet)
    tablet.open(f"{house.link(Role.VIEWER)}?to=/text")
    person.hears("Nothing to do now but wait.")
    person.command("done", "Spectators only watch; to play or keep score, ask the director for a code.")
    tablet.open(f"{house.link(Role.PLAYER, 'north')}?to=/text")
    person.hears("Anna rolled 6-4.")
    house.act("play", moves=[[24, 18], [13, 9]])
    house.act("done")
    house.table.thrown(3, 1)
    house.act("play", moves=[[8, 5], [6, 5]])
    house.act("done")
    known = set(person.heard())
    house.act("double")
    person.hears("Mehmet: take or pass?", known)
    person.command("take", "Anna to roll")


def test_match_is_begun_anew_and_resigned_for_a_side(blind, tablet, house) -> None:
    blind.command("new 3 Eve Dan!", "")
    tablet.until(
        lambda: house.table.state()["match"]["players"] == {"south": "Eve", "north": "Dan"}, "the match"
    )
    house.act("opening", south=3, north=1)
    blind.command("resign north gammon", "")
    tablet.until(lambda: (house.table.state()["resigning"] or {}).get("by") == "north", "the resignation")
    assert house.table.state()["resigning"]["worth"] == 2
