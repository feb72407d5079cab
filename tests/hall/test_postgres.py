"""The hub's record in a real PostgreSQL: the same as in SQLite, also when the server is killed."""

import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.game.events import RollTyped
from companion.hall.broker import HallError
from companion.hall.hub import Hub
from companion.hall.protocol.pairings import Pairing
from companion.hall.record.databases import StoreError, database_of
from companion.hall.record.draw_list import KeptDraw
from companion.hall.record.store import Store
from companion.records.rows import GENESIS, row_of
from companion.rules.board import Roll
from companion.service.hall.hub import opened
from sentence import NOTHING
from tests.hall.test_signatures import Hall
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, hub_settings
from tests.support.hall.ends import table_of, until
from tests.support.hall.postgres import Postgres, missing
from tests.support.often import TIMES
from tests.support.running import Visitor, companion
from tests.support.selfplay import began
from web.app import create_app
from web.hall.all_pages import HALL as PAGES
from web.page import Page, refused
from web.roles import Roles

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture
def store(server: Postgres) -> Iterator[Store]:
    database = database_of(server.store)
    for table in (
        "picture",
        "picture_asked",
        "event",
        "fault",
        "statement",
        "signer",
        "match_list",
        "event_draw",
        "pairing",
    ):
        database.ask(f"DROP TABLE IF EXISTS {table}")
    with closing(Store(database)) as one:
        yield one


def test_keeps_what_was_committed_and_nothing_twice(store: Store, server: Postgres) -> None:
    first = row_of(began(5, "modern", 1_770_000_000_000, "m1", "Gül 100 %", "Ben?"), "m1", 1, GENESIS)
    second = row_of(RollTyped(Roll(5, 1)), "m1", 2, first.digest)
    store.add("1", first)
    store.commit()
    store.add("1", second)
    store.rollback()
    with closing(Store(database_of(server.store))) as other:
        assert other.rows("1", "m1") == [first]
        assert other.held()["1"].is_row(first)
    with pytest.raises(StoreError):
        store.add("1", first)
    store.rollback()
    store.refuse("1", "Match m0 differs.", ("m0",))
    store.refuse("1", "Match m9 differs.", ("m0", "m9"))
    store.commit()
    assert store.held()["1"].refused == ("m0", "m9")
    assert store.faults() == {"1": "Match m9 differs."}
    for player, found in (("GÜL", 1), ("100 %", 1), ("l_1", 0), ("BEN?", 1), ("", 1)):
        assert store.listed.find({"player": player}, 1)[1] == found, player


def test_nul_that_no_text_has_there_is_not_found_and_no_error(store: Store) -> None:
    store.add("1", row_of(began(5, "modern", 1_770_000_000_000, "m1"), "m1", 1, GENESIS))
    store.commit()
    assert store.listed.find({"player": "\0"}, 1) == ([], 0)
    assert store.listed.get("1", "m1\0") is None
    store.pair([Pairing("1", "", "A\0nn", "Ben")])
    assert [one.south for one in store.pairings.all()] == ["A\ufffdnn"]


def test_list_of_pairings_is_taken_as_a_whole_or_not_at_all(store: Store) -> None:
    with pytest.raises(StoreError):
        store.pair([Pairing("1", "", "Ann", "Ben"), Pairing("1", "", "Eva", "Jun", 10**30)])
    assert store.pairings.all() == []


def test_process_for_spectators_reads_and_writes_nothing(store: Store, server: Postgres) -> None:
    with closing(Store(database_of(server.store, read_only=True))) as other:
        store.add("1", row_of(began(5, "modern", 1_770_000_000_000, "m1"), "m1", 1, GENESIS))
        store.commit()
        assert other.held()["1"].match == "m1"
        [line] = other.listed.all({})
        other.listed.count(line._replace(winner="south"))
        assert [one.winner for one in store.listed.all({})] == [""]
        with pytest.raises(StoreError, match="read-only"):
            other.refuse("1", "It differs.", ())


def test_draws_of_events_are_kept_the_newest_first_and_each_once(store: Store) -> None:
    club, monday = (KeptDraw(event, "swiss", "Gül\nBen", "7", "") for event in ("Club 100 %?", "Monday"))
    for one in (club, monday, club._replace(names="Gül\nBen\nEva")):
        store.draws.put(one)
    assert store.draws.last() == [club._replace(names="Gül\nBen\nEva"), monday]


def test_no_event_is_lost_when_the_server_is_killed(store, server, tmp_path, player) -> None:
    """A table, a hub and a database that is killed in the middle: nothing lost, doubled or out of order."""
    rng, one = random.Random(TIMES), player("1")
    hall = Hall(tmp_path, one)
    hall.store.close()
    hall.store = store
    said: list[str] = []
    hall.hub = Hub("club", store, lambda tables: None, said.append)
    hall.connect()
    for _ in range(TIMES):
        hall.play(rng.randint(1, 30))
        server.kill()
        hall.play(rng.randint(1, 30))
        assert "PostgreSQL cannot be used" in said[-1]
        server.start()
        hall.talk()
        hall.connect()
        assert said[-1] == "The hall's record is written again."
    archive = one.journal.archive
    sent = [row for match in archive.matches(counted=False) for row in archive.rows(match.match_id)]
    assert [row for match in store.matches("1") for row in store.rows("1", match)] == sent
    assert store.problems("1") == []
    assert hall.fault == ""


FORMS = (
    ("/pairings", {"list": "1,,Ann,Ben"}),
    ("/pairings", {"pairing": "x", "do": "drop"}),
    ("/pairings/draw", {"event": "Open", "kind": "elimination", "names": "Ann\nBen"}),
    ("/tables", {"table": "1"}),
    ("/desk/1", {"do": "coming"}),
    ("/matches/1.m1/pictures", {"number": "1"}),
    ("/matches/1.m1/delete", {"sure": "yes"}),
)


@pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)
def test_every_page_says_that_the_server_is_away_and_is_back_with_it(
    server: Postgres, tmp_path: Path, broker: Broker, player
) -> None:
    file = hub_settings(tmp_path, "club", broker)
    store = server.store.replace("/postgres?", "/pages?")
    file.write_text(file.read_text() + f'store = "{store}"\n')
    with closing(database_of(server.store)) as database:
        database.ask("CREATE DATABASE pages")
    with ExitStack() as parts:
        hub = parts.enter_context(companion("hall", "--config", str(file), home=tmp_path / "hub"))
        table = table_of(parts, player, broker, "1")
        table.play(2)
        director = Visitor(hub.lines[-1])
        until(lambda: b"/matches/1.m" in director.get("/matches")[1], "the match")
        match = director.get("/matches")[1].partition(b"/matches/")[2].partition(b'"')[0].decode()
        values = {"table": "1", "name": match, "kind": "json", "number": 1, "path": "x", "filename": "x"}
        app = create_app(
            Page(lambda visitor, body: refused(403, "x", NOTHING)), Roles(tmp_path / "r"), of=PAGES
        )
        routes = [rule for rule in app.url_map.iter_rules() if "GET" in rule.methods]
        paths = [
            rule.build(values, append_unknown=False)[1] for rule in routes if rule.arguments <= set(values)
        ]
        paths = ["/results.csv", *(path for path in paths if path != "/api/events")]  # which does not end
        before = {path: director.get(path)[0] for path in paths}
        assert {"/pairings", "/results.json", "/desk/1", "/matches", f"/matches/{match}"} <= set(before)
        server.kill()
        away = {path: director._ask("GET", path, Cookie=director.cookie) for path in paths}
        forms = {str(form): director.answer_to_form(*form[:1], **form[1]) for form in FORMS}
        server.start()
        after = {path: director.get(path)[0] for path in paths}
    missing_now = {path for path, (status, _, _) in away.items() if status == 503}
    assert {
        "/pairings",
        "/results.json",
        "/results.csv",
        "/desk/1",
        "/matches",
        f"/matches/{match}",
    } <= missing_now
    assert {path: status for path, (status, _, _) in away.items() if path not in missing_now} == {
        path: status for path, status in before.items() if path not in missing_now
    }
    for path in missing_now:
        _status, headers, content = away[path]
        assert headers["Retry-After"] == "1"
        is_json = path.startswith("/api/") or path.endswith(".json")
        assert ("problem+json" in headers["Content-Type"]) == is_json, path
        assert "record cannot be reached just now" in content.decode(), path
    for form, (status, said) in forms.items():
        assert (status, "record cannot be reached just now" in said) == (503, True), form
    assert after == before


def test_server_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(StoreError, match=r"^The hall's record in PostgreSQL cannot be used: "):
        database_of("postgresql://hub@127.0.0.1:1/x")
    with pytest.raises(HallError, match="must be sqlite"):
        database_of("mysql://x")


def test_hub_waits_for_a_server_that_starts_after_it(
    server: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    server.kill()
    late = threading.Timer(0.5, server.start)
    late.start()
    with closing(opened(server.store, wait_s=0.05)) as one:
        assert one.problems("1") == []
    late.join()
    said = capfd.readouterr().err
    assert said.count("The hub waits for it.") == 1


def test_hub_does_not_wait_for_what_waiting_cannot_mend(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for store in (
        "postgresql://hub@127.0.0.1/x?nonsense=1",
        f"sqlite:///{tmp_path / 'file' / 'hall.sqlite'}",
    ):
        with pytest.raises(StoreError):
            opened(store)
