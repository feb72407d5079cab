"""The hall's director on a table's own page: let in once by a ticket that the hub signs, and by no other."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.hall.broker import Credentials
from companion.hall.broker_users import BrokerUsers, hashed
from companion.hall.protocol.messages import About, encoded
from companion.hall.protocol.ticket import (
    CLOCKS_MS,
    FORGED,
    LATE,
    LIFE_MS,
    Door,
    Ticket,
    as_text,
    new_ticket,
    page_address,
)
from companion.hall.protocol.topics import HUB
from companion.service.hall.inviting import Invitations
from companion.service.hall.link import door_of_hall
from companion.service.hall.orders import NO_RULINGS, HallDirector
from companion.settings import HallSettings, Settings
from sentence import Sentence
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, inviting_hub_settings
from tests.support.hall.ends import until
from tests.support.hall.pages import Hub
from tests.support.hall.program import HALL, invited_on_page
from tests.support.running import Visitor, companion, one_command, settings_file
from web.page import ok
from web.roles import Role

NOW_MS = 1_700_000_000_000
SALT = "c2FsdHNhbHRzYWx0"
ADDRESS = "http://192.168.1.7:8000"


def key_of(password: str) -> Callable[[str], str]:
    return lambda salt: hashed(password, salt.encode())


class Clock:
    """A table's clock, turned by hand."""

    now_ms = NOW_MS

    def __call__(self) -> int:
        return self.now_ms


def door(table: str = "1", session: str = "s", password: str = "secret", now_ms: Clock | None = None) -> Door:
    return Door(HALL, table, session, key_of(password), now_ms or Clock())


def ticket(table: str = "1", session: str = "s") -> Ticket:
    return new_ticket(HALL, table, session, "Eva", SALT, NOW_MS)


def text_of(one: Ticket, password: str = "secret") -> str:
    return as_text(one, key_of(password)(SALT))


def test_ticket_lets_in_once() -> None:
    table, one = door(), ticket()
    assert table.enter(text_of(one)) == one
    assert table.enter(text_of(one)) == LATE
    assert isinstance(table.enter(text_of(ticket())), Ticket)


@pytest.mark.parametrize(
    ("change", "password", "why"),
    [
        ({}, "another table's", FORGED),
        ({"table": "2"}, "secret", FORGED),
        ({"hall": "other"}, "secret", FORGED),
        ({"session": "former"}, "secret", LATE),
        ({"until_ms": NOW_MS}, "secret", LATE),
        ({"until_ms": NOW_MS + LIFE_MS + CLOCKS_MS + 1}, "secret", LATE),
        ({"salt": ""}, "secret", FORGED),
        ({"salt": "ü"}, "secret", FORGED),
    ],
)
def test_no_other_ticket_lets_in(change: dict[str, object], password: str, why: Sentence) -> None:
    table = door()
    assert table.enter(text_of(replace(ticket(), **change), password)) == why
    assert isinstance(table.enter(text_of(ticket())), Ticket)


def test_changed_text_is_forged() -> None:
    good = text_of(ticket())
    body, _, signature = good.partition(".")
    others = text_of(replace(ticket(), by="Mallory")).partition(".")[0]
    for text in (
        "", ".", "ü", body, good[:-1], f"{others}.{signature}", f"{body}.{'0' * 64}", "A." + signature, good + "0",
        f"W10.{signature}", "A" * 5000 + "." + signature,
    ):  # fmt: skip
        assert door().enter(text) == FORGED, text


def test_clock_that_is_set_back_brings_no_used_ticket_back() -> None:
    clock = Clock()
    table, good = door(now_ms=clock), text_of(ticket())
    assert isinstance(table.enter(good), Ticket)
    for later_ms in (LIFE_MS + 1, -1, 0):
        clock.now_ms = NOW_MS + later_ms
        assert table.enter(good) == LATE


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (ADDRESS, ADDRESS),
        ("https://board.local/", "https://board.local"),
        ("http://[fe80::1]:8000", "http://[fe80::1]:8000"),
        ("", ""),
        ("javascript:alert(1)", ""),
        ("http://", ""),
        ("http://hall.local@evil.example", ""),
        ("http://h:8000000", ""),
        ("http://h/?to=", ""),
        ("http://h/#a", ""),
        ("http://h\n.example", ""),
        ("http://h\\@evil.example", ""),
        ("http://" + "h" * 300, ""),
    ],
)
def test_only_the_address_of_a_page_is_taken_from_a_table(text: str, address: str) -> None:
    assert page_address(text) == address


def test_table_that_takes_no_rulings_lets_nobody_in() -> None:
    for may_rule, expected in ((True, f"Eva, hall {HALL}"), (False, NO_RULINGS)):
        director = HallDirector(HALL, may_rule, lambda *a: ok({}), lambda notice: None, door())
        assert director.visit(text_of(ticket())) == expected
    assert HallDirector(HALL, True, lambda *a: ok({}), lambda notice: None).visit("x") == FORGED


def test_hub_signs_with_the_table_s_last_invitation(tmp_path: Path) -> None:
    hub = Credentials(HUB, "x")
    users = BrokerUsers(tmp_path / "passwords", HALL, hub)
    maker = Invitations(HallSettings("mqtts://h", HALL), hub, users, lambda name: None, lambda shown: True)

    def at_table(name: str) -> Door:
        maker.invite(name)
        made = maker.invite(name)  # only the last one counts
        assert not isinstance(made, Sentence)
        shown = json.loads(made.file.content)
        (tmp_path / "table.json").write_bytes(encoded(Credentials(name, shown["password"])))
        hall = HallSettings("mqtts://h", HALL, name, str(tmp_path / "table.json"))
        found = door_of_hall(Settings(hall=hall), "s")
        assert found is not None
        return found

    def link(name: str) -> str:
        about = {"session": "s", "address": ADDRESS}
        address = maker.visit(visitor, {"table": name, "about": about})
        assert isinstance(address, str)
        start, _, text = address.partition("/visit/")
        assert start == ADDRESS
        return text

    visitor = Hub(tmp_path).roles.issue(Role.DIRECTOR, label="Eva").visitor
    first, second = at_table("1"), at_table("2")
    assert second.enter(link("1")) == FORGED
    entered = first.enter(link("1"))
    assert isinstance(entered, Ticket)
    assert entered.by == "Eva"
    late = link("1")
    maker.invite("1")
    assert isinstance(first.enter(late), Ticket)  # signed before the new invitation
    assert first.enter(link("1")) == FORGED  # which is another machine's now
    assert isinstance(maker.visit(visitor, {"table": "9", "about": {"address": ADDRESS}}), Sentence)
    assert isinstance(maker.visit(visitor, {"table": "1", "about": None}), Sentence)


# The hub's page


def test_desk_links_to_the_table_s_own_page_for_the_director_only(tmp_path: Path) -> None:
    hall = Hub(tmp_path)
    with closing(hall.store):
        hall.play("1", 5)
        director, keeper = hall.join(Role.DIRECTOR), hall.join(Role.SCOREKEEPER)
        assert "/desk/1/page" not in director.get("/desk/1").text
        answer = director.get("/desk/1/page")
        assert (answer.status_code, "has not told where its own page is" in answer.text) == (422, True)
        director.post("/tables", data={"table": "1", "as": "code"})
        hall.tables["1"].about = About("1", "s", address=ADDRESS)
        hall.show()
        page = director.get("/desk/1").text
        assert 'href="/desk/1/page"' in page
        assert f"at {ADDRESS}" in page
        assert director.get("/desk/1/page").headers["Location"].startswith(f"{ADDRESS}/visit/")
        assert keeper.get("/desk/1/page").status_code == 403
        hall.tables["1"].about = About("1", "s", address="http://127.0.0.1:8000")
        hall.show()
        assert director.get("/desk/1/page").status_code == 303  # the browser is on the same machine
        far, elsewhere = hall.app.test_client(), "http://hall.local"
        far.get(f"/join/{hall.roles.issue(Role.DIRECTOR).code}", base_url=elsewhere)
        answer = far.get("/desk/1/page", base_url=elsewhere)
        assert (answer.status_code, "Location" in answer.headers) == (422, False)
        assert "open on its own machine only" in answer.text


# Over the real programs


@pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)
def test_one_tap_at_the_desk_opens_the_table_s_own_page_as_its_director(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", HALL, [])
    hub_file, table_file = inviting_hub_settings(tmp_path, HALL, broker), settings_file(tmp_path)
    run = ("run", "--config", str(table_file))
    try:
        with companion("hall", "--config", str(hub_file), home=tmp_path / "hub") as hub:
            director = hub.visitor()
            code = invited_on_page(director, "1")
            broker.start()
            assert one_command("join-hall", code, "--config", str(table_file)).returncode == 0

            def link() -> str:
                status, headers, _ = director._ask("GET", "/desk/1/page", Cookie=director.cookie)
                return headers["Location"] if status == 303 else ""

            with companion(*run, home=tmp_path / "table") as table:
                keeper = table.visitor()
                keeper.act("new_match", length=3)
                until(lambda: director.get("/desk/1")[0] == 200 and link(), "the table's address")
                used, later = link(), link()
                assert urlsplit(used).port == keeper.port
                there = Visitor(used)
                there.act("rule", penalty={"to": "south"}, why="Late")
                last = keeper.state()["history"][-1]
                assert last["by"] == f"director: hall {HALL}"
                assert there._ask("GET", urlsplit(used).path)[0] == 403
                forged = urlsplit(later).path[:-1] + ("0" if later[-1] != "0" else "1")
                assert there._ask("GET", forged)[0] == 403
            with companion(*run, home=tmp_path / "table") as table:  # started anew, with the same codes
                stranger = table.visitor()
                assert stranger._ask("GET", urlsplit(later).path)[0] == 403
                until(lambda: urlsplit(link()).port == stranger.port, "its new address")
                Visitor(link()).act("rule", penalty={"to": "north"}, why="Late")
    finally:
        broker.kill()
