"""Pairings: the list as text, the hub's record of them, and the way to the table and back over a real Mosquitto."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.game.events import MatchBegan
from companion.hall.protocol.messages import decoded, encoded
from companion.hall.protocol.pairings import BadPairingsError, Offer, Pairing, pairings_in
from companion.hall.record.pairing_list import USUAL
from companion.records.rows import GENESIS, event_in, row_of, text_of
from companion.service.hall.pages.matches import HallMatches
from companion.service.hall.pages.pairings import HallPairings
from tests.support.hall.broker import HOST, MISSING, PASSWORDS, PROGRAM, Broker, hub_settings
from tests.support.hall.ends import store_in, until
from tests.support.hall.program import HALL, table_settings
from tests.support.hall.receiver import Receiver
from tests.support.running import Running, Visitor, companion
from tests.support.selfplay import began

RULES = ("modern", "tournament")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "1,3,Ann,Ben,7,tournament,Club Open",
            [Pairing("1", "3", "Ann", "Ben", 7, "tournament", "Club Open")],
        ),
        ("1,3,Ann,Ben", [Pairing("1", "3", "Ann", "Ben")]),
        ("Round;Table;Player;Player\n;;Ann;Ben;0", [Pairing("", "", "Ann", "Ben", 0)]),
        (
            "1\t\tAnn\tBen\n\n1\t4\tEva\tJun\t",
            [Pairing("1", "", "Ann", "Ben"), Pairing("1", "4", "Eva", "Jun")],
        ),
        ('\ufeff1,3,"von W., Max",  Ben  O ,5', [Pairing("1", "3", "von W., Max", "Ben O", 5)]),
        ('1,3,"Ann\nM.",B\0en\x07,0007', [Pairing("1", "3", "Ann M.", "B en", 7)]),
    ],
    ids=["whole", "short", "semicolons-header", "tabs", "quoted-bom", "controls"],
)
def test_list_of_pairings_is_read(text: str, found: list[Pairing]) -> None:
    assert pairings_in(text, ("3", "4"), RULES) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1 to 2000 pairings"),
        ("round,table,player,player", "1 to 2000 pairings"),
        ("1,3,Ann", "Line 1: write round"),
        ("1,3,Ann,Ben,7,modern,Open,more", "Line 1: write round"),
        ("1,3,Ann,", "Line 1: two players"),
        ("1,3,Ann, ANN ", "Line 1: both players are called Ann"),
        ("1,3,Ann,ann", "Line 1: both players are called Ann"),
        ("1,3,Ann,Ben\n1,9,Ann,Ben", "Line 2: no table “9”"),
        ("1,3,Ann,Ben,-1", "“-1” is no length"),
        ("1,3,Ann,Ben,100", "“100” is no length"),
        ("1,3,Ann,Ben,٧", "is no length"),
        ("1,3,Ann,Ben,00071234", "Line 1: “00071234” is no length"),
        (f"1,3,Ann,Ben,0000{'9' * 5000}", "Line 1: “0000999"),
        ('1,3,Ann,Ben,7,modern,"Open\n1,4,Eva,Jun', "Line 1: write round"),
        ('1,,A,B\n\n1,,"Ann,Ben\n' + "1,,Eva,Jun\n" * 9, "Line 3: write round"),
        ("1,3,Ann,Ben,7,nonesuch", "no rules “nonesuch”"),
        (f"1,3,{'x' * 81},Ben", "two players"),
        (f"{'1' * 41},3,Ann,Ben", "too long"),
    ],
)
def test_list_that_cannot_be_used_names_its_line(text: str, said: str) -> None:
    with pytest.raises(BadPairingsError, match=said):
        pairings_in(text, ("3", "4"), RULES)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "1,3,Ann,Ben\n1,4,Eva,Jun\n1,,Ann,Ben",
            "Line 3: Ann and Ben are paired in this round already (line 1).",
        ),
        ("1,3,Ann,Ben\n1,4,BEN,Ann", "Line 2: BEN and Ann are paired in this round already (line 1)."),
        (",,Ann,Ben\n,,Ben,Ann", "Line 2: Ben and Ann are paired in this round already (line 1)."),
        ("1,,Ann,Ben\n\n1,,Eva,ann", "Line 3: ann plays in round 1 already (line 1)."),
        ("1,3,Ann,Ben\n1,3,Ann,Eva", "Line 2: Ann plays in round 1 already (line 1)."),
        (
            ",3,Ann,Ben\n,4,Eva,Ben",
            "Line 2: Ben would be at the tables 4 and 3 at once (line 1); write different rounds.",
        ),
        (
            "1,3,Ann,Ben,,,Open\n1,4,Eva,Ben,,,Side",
            "Line 2: Ben would be at the tables 4 and 3 at once (line 1); write different rounds.",
        ),
    ],
)
def test_nobody_is_paired_twice_at_once(text: str, said: str) -> None:
    with pytest.raises(BadPairingsError) as caught:
        pairings_in(text, ("3", "4"), RULES)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    "text",
    [
        "1,3,Ann,Ben\n2,4,Ann,Ben",
        "1,,Ann,Ben,,,Open\n1,,Ann,Ben,,,Side",
        ",3,Ann,Ben\n,3,Ann,Eva",  # one after the other
        ",,Ann,Ben\n,,Ann,Eva",
    ],
)
def test_several_matches_one_after_another_are_taken(text: str) -> None:
    assert len(pairings_in(text, ("3", "4"), RULES)) == 2


def test_list_is_held_against_the_pairings_that_have_not_begun(tmp_path: Path) -> None:
    with closing(store_in(tmp_path / "hall.sqlite")) as store:
        taken = HallPairings(store, HallMatches(store), lambda: ("3", "4"), RULES)
        assert not taken.take("1,3,Ann,Ben")
        said = str(taken.take("1,4,Ann,Eva"))
        assert said == "Line 1: Ann plays in round 1 already (a pairing taken before)."
        assert not taken.take("1,4,Ann,Ben")  # the same once more: it is changed
        assert [one.board for one in store.pairings.all()] == ["4"]
        begun = store.pairings.all()[0]
        store.add("4", row_of(replace(began(7, match_id="m1"), pairing=begun.id), "m1", 1, GENESIS))
        store.commit()
        assert not taken.take("1,4,Ann,Eva")  # the evening after, in the club's round 1


def test_match_that_is_no_pairing_is_spelled_as_before() -> None:
    plain, paired = began(5), replace(began(5), pairing="abc")
    assert "pairing" not in json.loads(text_of(plain))
    assert event_in(text_of(plain)) == plain
    assert json.loads(text_of(paired))["pairing"] == "abc"
    assert event_in(text_of(paired)) == paired


def test_offer_is_read_back() -> None:
    offer = Offer("abc", "Ann", "Ben", None, None, "1", "")
    assert decoded(encoded(offer), Offer) == offer


def test_match_that_is_taken_up_again_is_that_of_the_pairing(tmp_path: Path) -> None:
    first, corrected = "20261123-101500-042", "20261123-101500-042-2"
    with closing(store_in(tmp_path / "hall.sqlite")) as store:
        pairings = store.pairings
        pairings.put(pairings_in("1,3,Ann,Ben,7", ("3", "4"), RULES))
        pairing = pairings.all()[0].id
        for table, match in (("3", first), ("4", corrected), ("3", corrected)):
            store.add(table, row_of(replace(began(7, match_id=match), pairing=pairing), match, 1, GENESIS))
            store.commit()
            expected = first if (table, match) != ("3", corrected) else corrected
            assert (pairings.all()[0].board, pairings.all()[0].match) == ("3", expected)


def test_pairings_are_offered_in_order_and_bound_to_the_match_that_names_them(tmp_path: Path) -> None:
    with closing(store_in(tmp_path / "hall.sqlite")) as store:
        pairings = store.pairings
        pairings.put(pairings_in("1,3,Ann,Ben,7\n2,3,Ann,Eva\n2,,Ben,Jun", ("3", "4"), RULES))
        first, second, third = pairings.all()
        assert {name: offer.pairing for name, offer in pairings.offers().items()} == {"3": first.id}
        assert (second.length, third.board) == (USUAL, "")
        store.add("3", row_of(replace(began(7, match_id="m1"), pairing=first.id), "m1", 1, GENESIS))
        store.commit()
        assert pairings.all()[0].match == "m1"
        assert pairings.offers()["3"].pairing == second.id
        store.add("4", row_of(replace(began(7, match_id="m9"), pairing=first.id), "m9", 1, GENESIS))
        store.commit()
        assert (pairings.all()[0].board, pairings.all()[0].match) == ("3", "m1")
        pairings.put(pairings_in("1,4,Ann,Ben,9\n2,4,Ann,Eva,9\n2,,Ben,Jun", ("3", "4"), RULES))
        assert [(one.board, one.length) for one in pairings.all()] == [("3", 7), ("4", 9), ("", USUAL)]
        pairings.give(pairings.all()[0].id, "4")
        assert (pairings.all()[0].match, pairings.all()[0].id == first.id) == ("", False)
        pairings.drop(pairings.all()[0].id)
        assert [one.round for one in pairings.all()] == ["2", "2"]


# Over the real programs


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver()
    yield one
    one.end()


def post(visitor: Visitor, **form: str) -> int:
    """Send the form of /pairings; the status of the answer."""
    return visitor.send_form("/pairings", **form)


def offered(table: Running, south: str) -> str:
    """The pairing that the table's page offers, once it is this player's."""
    there = table.visitor().wait(lambda state: state["offer"] and state["offer"]["players"]["south"] == south)
    return str(there["offer"]["pairing"])


def resign(keeper: Visitor) -> None:
    """End the match on the table, which is for one point."""
    keeper.act("opening", south=6, north=1)
    keeper.act("resign", side="north", worth=1)
    keeper.act("accept")


@pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)
def test_match_from_the_hall_is_offered_begun_once_and_its_result_comes_back(
    tmp_path: Path, broker: Broker, receiver: Receiver
) -> None:
    table_file, hub_file = table_settings(tmp_path, broker, "1"), hub_settings(tmp_path, HALL, broker)
    BrokerFile(tmp_path).knows("1")
    with hub_file.open("a") as file:
        file.write(f'webhook = "http://{HOST}:{receiver.server_port}/results"\n')
    run, hall = ("run", "--config", str(table_file)), ("hall", "--config", str(hub_file))
    with companion(*run, home=tmp_path / "table") as table, companion(*hall, home=tmp_path / "hub") as hub:
        director, keeper = hub.visitor(), table.visitor()
        assert post(director, list="1,9,Ann,Ben") == 422
        assert post(director, list="1,1,Ann,Ben,1,tournament,Club Open\n2,1,Ann,Eva,1") == 303
        first = offered(table, "Ann")
        status, answer = keeper.post(
            {"type": "new_match", "seq": keeper.state()["seq"], "pairing": "made-up"}
        )
        assert (status, "does not offer" in answer["detail"]) == (422, True)
        state = keeper.act("new_match", pairing=first, players={"south": "Somebody"}, length=25)
        match = state["match"]
        assert (match["players"], match["length"], match["profile"]) == (
            {"south": "Ann", "north": "Ben"},
            1,
            "tournament",
        )
        second = director_sees(director, "Eva")
        assert keeper.state()["offer"] is None  # a match in play is never replaced
        assert keeper.post({"type": "new_match", "seq": keeper.state()["seq"], "pairing": second})[0] == 422
        broker.kill()  # the table goes on without the hall
        resign(keeper)
        broker.start()
        until(lambda: "· over" in director.get("/pairings")[1].decode(), "the result")
        keeper.wait(lambda state: state["offer"] and state["offer"]["players"]["north"] == "Eva")
        labels = (tmp_path / "table" / "board-companion" / "matches" / "labels.json").read_text()
        assert json.loads(labels) == {match["id"]: "Club Open"}
        [one] = results(director)
        assert (one["south"], one["south_points"], one["match"]) == ("Ann", 1, match["id"])
        assert (one["round"], one["event"]) == ("1", "Club Open")
        until(lambda: results(director)[0]["key"] != "", "the signature")
        until(lambda: bool(receiver.got), "what runs the event")
        posted = receiver.got[0]
        assert (posted["kind"], posted["match"], posted["event"]) == ("result", match["id"], "Club Open")


def results(director: Visitor) -> list[dict[str, Any]]:
    """The results of the hall."""
    return list(json.loads(director.get("/results.json")[1])["results"])


def director_sees(director: Visitor, player: str) -> str:
    """The id of the pairing of this player on the director's page."""
    page = director.get("/pairings")[1].decode()
    return page.partition(player)[2].partition('name="pairing" value="')[2].partition('"')[0]


class BrokerFile:
    """The hub's own list of the broker's users, in its state folder."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "hub" / "board-companion" / "hall" / "broker" / "passwords"

    def knows(self, *tables: str) -> None:
        """Write these tables, as if they had been invited."""
        self._file.parent.mkdir(parents=True)
        self._file.write_text("".join(f"{table}:x\n" for table in tables))


@pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)
def test_match_begun_and_played_while_the_hub_is_away_is_not_offered_again(
    tmp_path: Path, broker: Broker
) -> None:
    table_file, hub_file = table_settings(tmp_path, broker, "1"), hub_settings(tmp_path, HALL, broker)
    BrokerFile(tmp_path).knows("1")
    run, hall = ("run", "--config", str(table_file)), ("hall", "--config", str(hub_file))
    with companion(*hall, home=tmp_path / "hub") as hub:
        assert post(hub.visitor(), list="1,1,Ann,Ben,1") == 303  # the table is not there yet
        until(lambda: hub.visitor().state()["hall"] == HALL, "the hub")
        with companion(*run, home=tmp_path / "table") as table:
            pairing = offered(table, "Ann")
            hub.kill()
            keeper = table.visitor()
            keeper.act("new_match", pairing=pairing)
            resign(keeper)
            assert keeper.state()["offer"] is None
    with companion(*run, home=tmp_path / "table") as table:  # the broker still has the offer
        keeper = table.visitor()
        assert keeper.state()["phase"] == "match_over"
        with companion(*hall, home=tmp_path / "hub") as hub:
            until(lambda: "· over" in hub.visitor().get("/pairings")[1].decode(), "the result")
            assert keeper.state()["offer"] is None
    with closing(store_in(tmp_path / "hub" / "board-companion" / "hall" / "hall.sqlite")) as store:
        [one] = store.pairings.all()
        [row, *_rest] = store.rows("1", one.match)
        began_there = event_in(row.body)
        assert isinstance(began_there, MatchBegan)
        assert began_there.pairing == one.id == pairing
