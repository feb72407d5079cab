"""Rulings from the desk: carried out once at the table, in its record with name and reason, or refused and said so."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game.state import Notice
from companion.hall.protocol.messages import BadMessageError, decoded, encoded
from companion.hall.protocol.orders import STARTED_ANEW, Answers, Order, OrderAnswer, Orders, OrderTaker
from companion.hall.record.order_list import MOST_WAITING
from companion.service.hall.orders import HallDirector
from sentence import NOTHING, Sentence, say
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, hub_settings
from tests.support.hall.ends import store_in, until
from tests.support.hall.program import HALL, table_settings
from tests.support.running import Visitor, companion
from web.page import Answer, ok, refused


def order(number: int, session: str = "s", **action: object) -> Order:
    return Order(number, session, 7, "Eva", {"type": "clock", "order": "stop"} | action)


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 5)), max_size=12))
def test_each_order_is_carried_out_once_and_in_order_however_often_it_comes(
    sent: list[tuple[int, int]],
) -> None:
    done: list[int] = []

    def carry_out(one: Order) -> Sentence:
        done.append(one.number)
        return NOTHING

    taker = OrderTaker("s", carry_out)
    for first, more in sent:
        given = Orders(tuple(map(order, range(first, first + more))))
        answers = taker.take(decoded(encoded(given), Orders))
        assert [one.number for one in answers.answers] == [one.number for one in given.orders]
    assert done == sorted(set(done))


def test_order_to_a_former_start_of_the_table_is_refused_and_one_that_came_keeps_its_answer() -> None:
    taker = OrderTaker("new", lambda one: say("No."))
    [late] = taker.take(Orders((order(1, "old"),))).answers
    assert late.refusal == STARTED_ANEW.to_json()
    both = Orders((order(1, "old"), order(2, "new")))
    assert taker.take(both) == taker.take(both)
    assert taker.take(both).answers[1] == OrderAnswer(2, say("No.").to_json())


@pytest.mark.parametrize(
    ("may_rule", "action", "said", "acted"),
    [
        (True, {"type": "clock", "order": "stop"}, "", ["clock"]),
        (True, {"type": "rule", "penalty": {"to": "south"}}, "", ["rule"]),
        (True, {"type": "call_director", "over": True}, "", ["call_director", "call_director"]),
        (True, {"type": "roll", "dice": [6, 6]}, "decided at the table", []),
        (True, {"type": "new_match"}, "decided at the table", []),
        (True, {}, "decided at the table", []),
        (True, {"type": "correct"}, "There is no dispute.", ["correct"]),
        (False, {"type": "clock", "order": "stop"}, "takes no rulings", []),
        (False, {"type": "coming"}, "", []),
    ],
)
def test_table_carries_out_what_its_own_rules_of_permission_allow(may_rule, action, said, acted) -> None:
    kinds, names, shown = list[str](), set[str](), list[Notice]()

    def act(visitor, body) -> Answer:
        kinds.append(body["type"])
        names.add(visitor.label)
        assert body["seq"] == 7
        return refused(422, "No", "There is no dispute.") if body["type"] == "correct" else ok({"seq": 7})

    director = HallDirector("club", may_rule, act, shown.append)
    assert said in str(director.carry_out(Order(1, "s", 7, "Eva", action)))
    assert (kinds, names <= {"Eva, hall club"}) == (acted, True)
    assert [str(one.text) for one in shown] == ["The director is coming."] * (action.get("type") == "coming")


def test_orders_wait_for_their_first_answer_and_for_no_other(tmp_path: Path) -> None:
    with closing(store_in(tmp_path / "hall.sqlite")) as store:
        orders = store.orders
        first = orders.give("1", "s", 7, "Eva", {"type": "coming"}, 1000)
        second = orders.give("1", "s", 7, "", {"type": "clock", "order": "stop"}, 1000)
        assert (first, second) == (1000, 1001)
        assert [one.number for one in orders.waiting()["1"].orders] == [1000, 1001]
        store.answer("2", Answers((OrderAnswer(1000),)))  # another table's
        store.answer("1", Answers((OrderAnswer(1001, say("No.").to_json()),)))
        store.answer("1", Answers((OrderAnswer(1001),)))
        store.commit()
        assert [one.number for one in orders.waiting()["1"].orders] == [1000]
        newest, oldest = orders.last("1")
        assert (str(newest.refusal), oldest.answer) == ("No.", "")
        with pytest.raises(BadMessageError):
            store.answer("1", Answers((OrderAnswer(1000, {"x": 1}),)))
        store.rollback()
        for _ in range(MOST_WAITING - 1):
            assert orders.give("1", "s", 7, "", {"type": "coming"}, 1000) is not None
        assert orders.give("1", "s", 7, "", {"type": "coming"}, 1000) is None


# Over the real programs


def post(director: Visitor, **form: str) -> int:
    """Send a form of the table's page at the desk; the status of the answer."""
    return director.send_form("/desk/1", **form)


def page(director: Visitor) -> str:
    """The table's page at the desk."""
    return director.get("/desk/1")[1].decode()


def settled(director: Visitor, keeper: Visitor) -> None:
    """Wait until the desk shows the table as it is."""
    until(lambda: director.state()["tables"][0]["state"]["seq"] == keeper.state()["seq"], "the desk")


@pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)
def test_call_is_answered_from_the_desk_and_the_record_names_who_ruled(
    tmp_path: Path, broker: Broker
) -> None:
    table_file, hub_file = table_settings(tmp_path, broker, "1"), hub_settings(tmp_path, HALL, broker)
    run, hall = ("run", "--config", str(table_file)), ("hall", "--config", str(hub_file))
    with companion(*run, home=tmp_path / "table") as table, companion(*hall, home=tmp_path / "hub") as hub:
        director, keeper = hub.visitor(), table.visitor()
        keeper.act("new_match", length=5, overrides={"clock": "simple_delay"})
        keeper.act("opening", south=6, north=1)
        keeper.act("call_director", side="south")
        until(
            lambda: director.get("/desk/1")[0] == 200 and "The director is called." in page(director),
            "the call",
        )

        assert post(director, do="coming") == 303
        keeper.wait(lambda state: any("is coming" in one["text"] for one in state["notices"]))
        assert post(director, do="decide", question="Cocked die?", why="It lay flat") == 303
        state = keeper.wait(lambda state: not state["match"]["director"])
        last = state["history"][-1]
        assert (last["by"], last["question"], last["why"]) == (
            f"director: hall {HALL}",
            "Cocked die?",
            "It lay flat",
        )
        until(lambda: page(director).count("done") >= 2, "the answers")
        settled(director, keeper)
        assert post(director, do="penalty", to="north", points="1", why="Late") == 303
        state = keeper.wait(lambda state: state["match"]["score"]["north"] == 1)
        assert "Late" in state["history"][-1]["text"]
        settled(director, keeper)
        assert post(director, do="set", north="12:30", why="Agreed") == 303
        keeper.wait(lambda state: state["clock"] and state["clock"]["north"]["reserve_ms"] == 750_000)
        assert post(director, do="set", north="noon") == 422
        settled(director, keeper)
        status, refused = director.answer_to_form("/desk/1", do="correct", why="An illegal play")
        assert (status, "An illegal play" in refused) == (422, True)
        assert "Refused by the table:" in page(director)

        settled(director, keeper)
        before = keeper.state()["match"]["score"]
        broker.kill()  # what is decided now reaches a table that has gone on
        assert post(director, do="penalty", to="south", points="2") == 303
        assert "waits for the table" in page(director)
        keeper.act("call_director", side="south")
        broker.start()
        until(lambda: "waits for the table" not in page(director), "the late answer")
        assert "has changed in the meantime" in page(director)
        assert keeper.state()["match"]["score"] == before
