"""Pictures go to the hub only when asked for, or with disputes where the hall wants them; attacks on the way there."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest

from companion.game.events import Evidence, Thrown
from companion.game.state_machine import fold
from companion.game.table import Table as Game
from companion.hall.broker import Line
from companion.hall.journal_rows import JournalRows
from companion.hall.picture_sender import TRIES, PictureSender
from companion.hall.pictures import PictureRules, take_picture
from companion.hall.protocol.messages import BadMessageError, encoded
from companion.hall.protocol.outbox import RETRY_S
from companion.hall.protocol.pictures import (
    MOST_JPEG_BYTES,
    MOST_WANTED,
    PictureHead,
    PicturesWanted,
    ThrowAt,
    picture_in,
    picture_message,
)
from companion.hall.protocol.topics import HOME, HUB, ROOT, Topics
from companion.hall.record.picture_list import CAME, MOST_OF_MATCH, WAITING
from companion.hall.record.store import Store
from companion.protocol.permissions import Asker
from companion.protocol.view import ServiceStatus, view_of
from companion.records.rows import GENESIS, row_of
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, credentials, hub_settings
from tests.support.hall.ends import HALL, RunningHub, Table, check, store_in, until
from tests.support.hall.program import table_settings
from tests.support.running import companion
from tests.support.selfplay import began

TABLES = ["1", "2", HOME]
"""The users that the broker knows."""

needs_broker = pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)


def jpeg(number: int, size: int = 2000) -> bytes:
    """Bytes that begin and end as a JPEG does."""
    return b"\xff\xd8\xff\xe0" + bytes([number % 251]) * (size - 6) + b"\xff\xd9"


class Camera:
    """Throws with pictures at a table: written into its journal, the pictures kept by their names."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def throw(self, picture: bytes) -> Thrown:
        digest = sha256(picture).hexdigest()
        name = f"{digest[:32]}.jpg"
        self.kept[name] = picture
        return Thrown((), doubt=True, evidence=Evidence(name, digest), at_ms=1_700_000_000_000, by="camera")


def thrown_at(table: Table, camera: Camera, picture: bytes) -> ThrowAt:
    """A throw with this picture in the match on the table."""
    journal = table.player.journal
    row = journal.append(journal.last_match_id, camera.throw(picture))
    table.line.wake()
    return ThrowAt(row.match_id, row.number)


def disputed(throw: ThrowAt, *, is_open: bool = True) -> dict[str, object]:
    """The page's state during a dispute in a match."""
    view = view_of(fold_of(throw.match), Asker("viewer"), ServiceStatus(seq=next(_SEQ)))
    return {**view, "dispute": {"kind": "illegal_play"} if is_open else None}


_SEQ = count(1)


def fold_of(match: str) -> Game:
    return fold([began(5, match_id=match)])


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def hub_with(parts, tmp_path: Path, broker: Broker) -> Callable[..., RunningHub]:
    """Makes a hub with these rules on pictures."""
    return lambda when="asked", **more: parts.enter_context(
        closing(RunningHub(tmp_path, broker, PictureRules(when, **more)))
    )


class Listener:
    """A client that notes what it hears."""

    def __init__(self, broker: Broker, user: str, *topics: str) -> None:
        self._topics, self.heard, self.said = topics, list[tuple[str, bytes]](), list[str]()
        self.line = Line(broker.address, credentials(user), self, name=f"{user}-listens")
        self.line.start()

    def connected(self, line: Line) -> None:
        line.subscribe(*self._topics)
        self.said.append("connected")

    def disconnected(self, why: str) -> None:
        self.said.append(why)

    def arrived(self, line: Line, topic: str, payload: bytes, after: str) -> None:
        self.heard.append((topic, payload))

    def turned(self, line: Line) -> None:
        pass

    def close(self) -> None:
        self.line.close()


def listener(parts: ExitStack, broker: Broker, user: str, *topics: str) -> Listener:
    one = parts.enter_context(closing(Listener(broker, user, *topics)))
    until(lambda: "connected" in one.said, f"{user}: {one.said}")
    return one


def pictured(parts, player, broker, name: str = "1", gives: bool = True) -> tuple[Table, Camera]:
    """A table with a camera, in a match."""
    camera = Camera()
    table = Table(name, player(name, int(name)), broker, camera.kept.get, gives)
    parts.enter_context(closing(table))
    table.play(3)
    return table, camera


def asks(hub: RunningHub, throw: ThrowAt, table: str = "1") -> None:
    """The director asks for a picture."""
    with closing(store_in(hub._file)) as pages:
        assert pages.pictures.ask(table, throw, "Eva", 1)
    hub.hub.tell()
    hub.line.wake()


def answer(hub: RunningHub, throw: ThrowAt, table: str = "1") -> str:
    with closing(store_in(hub._file)) as pages:
        return next(
            one.answer for one in pages.pictures.asked(table, throw.match) if one.number == throw.number
        )


def loaded(hub: RunningHub, throw: ThrowAt, table: str = "1") -> bytes | None:
    with closing(store_in(hub._file)) as pages:
        return pages.pictures.load(table, throw)


# When a picture goes


@needs_broker
def test_picture_goes_when_it_is_asked_for_and_no_other_one(parts, broker, player, hub_with) -> None:
    hub, (table, camera) = hub_with("asked"), pictured(parts, player, broker)
    everybody = listener(parts, broker, HUB, f"{ROOT}/{HALL}/+/picture")
    one, two = (thrown_at(table, camera, jpeg(n)) for n in (1, 2))
    table.view = disputed(one)  # nor by itself with a dispute
    table.line.wake()
    check(hub, table)
    assert everybody.heard == []
    asks(hub, two)
    until(lambda: answer(hub, two) == CAME, f"{table.log} {hub.log}")
    assert (loaded(hub, one), loaded(hub, two)) == (None, jpeg(2))
    address = f"/matches/1.{two.match}/pictures/{two.number}"
    until(lambda: hub.hub.tables["1"].as_json("1")["picture"] == address, f"{table.log} {hub.log}")
    until(lambda: everybody.heard, f"{table.log} {hub.log}")
    assert [topic for topic, _ in everybody.heard] == [Topics(HALL, "1").picture]


@needs_broker
def test_picture_of_a_dispute_goes_by_itself_once_where_the_hall_wants_it(
    parts, broker, player, hub_with
) -> None:
    hub, (table, camera) = hub_with("disputes"), pictured(parts, player, broker)
    everybody = listener(parts, broker, HUB, f"{ROOT}/{HALL}/+/picture")
    one, two = (thrown_at(table, camera, jpeg(n)) for n in (1, 2))
    table.player.journal.append(one.match, Thrown(()))  # no picture of this one
    table.view = disputed(two)
    table.line.wake()
    until(lambda: loaded(hub, two) == jpeg(2), f"{table.log} {hub.log}")
    table.view = disputed(two, is_open=False)
    check(hub, table)
    table.restart()
    table.play(1)
    check(hub, table)
    assert loaded(hub, one) is None
    assert len(everybody.heard) == 1


@needs_broker
@pytest.mark.parametrize(
    ("when", "gives", "said"), [("never", True, WAITING), ("asked", False, "kept"), ("asked", True, "gone")]
)
def test_table_or_hall_that_gives_no_picture_says_so(
    when, gives, said, parts, broker, player, hub_with
) -> None:
    hub, (table, camera) = hub_with(when), pictured(parts, player, broker, gives=gives)
    everybody = listener(parts, broker, HUB, f"{ROOT}/{HALL}/+/picture")
    throw = thrown_at(table, camera, jpeg(1))
    if said == "gone":
        camera.kept.clear()
    check(hub, table)
    asks(hub, throw)
    if said != WAITING:
        until(lambda: answer(hub, throw) == said, f"{table.log} {hub.log}")
    table.play(2)
    check(hub, table)
    assert (answer(hub, throw), loaded(hub, throw)) == (said, None)
    assert all(b"\xff\xd8" not in payload for _, payload in everybody.heard)


@needs_broker
def test_picture_that_was_asked_for_comes_after_outages_of_both(parts, broker, player, hub_with) -> None:
    hub, (table, camera) = hub_with("asked"), pictured(parts, player, broker)
    throw = thrown_at(table, camera, jpeg(1))
    check(hub, table)
    table.cable.cut()
    asks(hub, throw)
    hub.restart()
    broker.kill()
    broker.start()
    assert answer(hub, throw) == WAITING
    table.cable.mend()
    until(lambda: answer(hub, throw) == CAME, f"{table.log} {hub.log}")
    assert loaded(hub, throw) == jpeg(1)


# Attacks


@needs_broker
def test_nobody_but_the_hub_has_a_table_send_a_picture(parts, broker, player, hub_with) -> None:
    hub, (table, camera) = hub_with("asked"), pictured(parts, player, broker)
    everybody = listener(parts, broker, HUB, f"{ROOT}/{HALL}/+/picture")
    throw = thrown_at(table, camera, jpeg(1))
    check(hub, table)
    theirs = Topics(HALL, "1")
    thieves = [
        listener(parts, broker, user, theirs.picture, theirs.pictures, f"{ROOT}/{HALL}/+/picture", "#")
        for user in ("2", HOME)
    ]
    for thief in thieves:
        thief.line.publish(theirs.pictures, encoded(PicturesWanted((throw,), disputes=True)), retain=True)
        thief.line.publish(theirs.pictures, encoded(PicturesWanted((throw,))))
    table.view = disputed(throw)
    table.play(3)
    check(hub, table)
    assert everybody.heard == []
    asks(hub, throw)  # the hub itself gets it, and they do not hear it
    until(lambda: answer(hub, throw) == CAME, f"{table.log} {hub.log}")
    table.play(3)
    check(hub, table)
    heard = {topic for thief in thieves for topic, _ in thief.heard}
    assert not {topic for topic in heard if "picture" in topic}


def oversized(throw: ThrowAt) -> bytes:
    return picture_message(PictureHead(*throw), jpeg(1, MOST_JPEG_BYTES + 1))


def no_jpeg(throw: ThrowAt) -> bytes:
    return picture_message(PictureHead(*throw), b"<svg onload='x()'/>")


def another(throw: ThrowAt) -> bytes:
    return picture_message(PictureHead(*throw), jpeg(9))


def of_nothing(throw: ThrowAt) -> bytes:
    return picture_message(PictureHead(throw.match, 2), jpeg(1))


def of_another_table(throw: ThrowAt) -> bytes:
    return picture_message(PictureHead("m2-001", 4), jpeg(2))


def headless(throw: ThrowAt) -> bytes:
    return jpeg(1)


def huge_head(throw: ThrowAt) -> bytes:
    return encoded(PictureHead("m" * 2000, 1)) + b"\n" + jpeg(1)


@needs_broker
@pytest.mark.parametrize("when", ["disputes", "asked"])
@pytest.mark.parametrize(
    "payload", [oversized, no_jpeg, another, of_nothing, of_another_table, headless, huge_head]
)
def test_what_is_no_picture_of_a_throw_of_this_table_is_not_kept(
    payload, when, parts, broker, player, hub_with
) -> None:
    hub = hub_with(when)
    (one, camera), (two, other) = (pictured(parts, player, broker, name) for name in ("1", "2"))
    throw, foreign = thrown_at(one, camera, jpeg(1)), thrown_at(two, other, jpeg(2))
    assert foreign == ("m2-001", 4)
    check(hub, one, two)
    one.line.publish(Topics(HALL, "1").picture, payload(throw))
    until(lambda: any(line.startswith("Table 1:") for line in hub.log), "the log")
    one.play(2)
    check(hub, one, two)
    with closing(store_in(hub._file)) as pages:
        assert pages.pictures.newest() == {}


def test_picture_in_a_message_is_read_strictly() -> None:
    head = PictureHead("m", 3)
    assert picture_in(picture_message(head, jpeg(10))) == (
        head,
        jpeg(10),
    )  # a line feed in it is the picture's
    gone = PictureHead("m", 3, missing="gone")
    assert picture_in(picture_message(gone)) == (gone, b"")
    for wrong in (picture_message(head), picture_message(gone, jpeg(1)), b"", b"\n", b"[]\n" + jpeg(1)):
        with pytest.raises(BadMessageError):
            picture_in(wrong)


# Bounds


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(store_in(tmp_path / "hall.sqlite")) as one:
        yield one


def played(store: Store, camera: Camera, match: str, pictures: int, start: int = 0) -> list[ThrowAt]:
    """A match of table 1 of throws with pictures, in the record."""
    row = row_of(began(5, match_id=match), match, 1, GENESIS)
    store.add("1", row)
    for n in range(start, start + pictures):
        row = row_of(camera.throw(jpeg(n)), match, row.number + 1, row.digest)
        store.add("1", row)
    store.commit()
    return [ThrowAt(match, n + 2) for n in range(pictures)]


def test_pictures_of_a_match_and_of_all_are_bounded(store: Store) -> None:
    camera, rules = Camera(), PictureRules("disputes", quota_bytes=10 * 2000)
    many = PictureRules("disputes")
    throws = played(store, camera, "m1", MOST_OF_MATCH + 1)
    for n, throw in enumerate(throws[:MOST_OF_MATCH]):
        take_picture(store, "1", picture_message(PictureHead(*throw), jpeg(n)), many, n)
    with pytest.raises(BadMessageError, match="too many"):
        take_picture(
            store, "1", picture_message(PictureHead(*throws[-1]), jpeg(MOST_OF_MATCH)), many, MOST_OF_MATCH
        )
    assert len(store.pictures.numbers("1", "m1")) == MOST_OF_MATCH
    [new] = played(store, camera, "m2", 1, start=100)
    take_picture(store, "1", picture_message(PictureHead(*new), jpeg(100)), rules, 1000)
    assert len(store.pictures.numbers("1", "m1")) == 9
    assert store.pictures.numbers("1", "m1")[-1] == throws[MOST_OF_MATCH - 1].number
    assert store.pictures.load("1", new) == jpeg(100)


def test_pictures_go_with_their_match(store: Store) -> None:
    camera, rules = Camera(), PictureRules("asked")
    [one], [two] = played(store, camera, "m1", 1), played(store, camera, "m2", 1, start=5)
    for n, throw in ((0, one), (5, two)):
        store.pictures.ask("1", throw, "Eva", 1)
        take_picture(store, "1", picture_message(PictureHead(*throw), jpeg(n)), rules, 1)
    store.commit()
    store._ask("DELETE FROM event WHERE board = '1' AND match = 'm1'")
    assert (store.pictures.load("1", one), store.pictures.asked("1", "m1")) == (None, [])
    assert store.pictures.load("1", two) == jpeg(5)
    store.pictures.delete("1", "m2")
    assert (store.pictures.load("1", two), store.pictures.newest()) == (None, {})


def test_table_is_asked_for_a_few_pictures_at_once(store: Store) -> None:
    throws = played(store, Camera(), "m1", MOST_WANTED + 1)
    assert [store.pictures.ask("1", throw, "Eva", 1) for throw in throws] == [True] * MOST_WANTED + [False]
    assert store.pictures.ask("1", throws[0], "Eva", 2)
    assert len(store.pictures.wanted(False)["1"].wanted) == MOST_WANTED


def test_picture_is_sent_again_a_few_times_until_the_hub_says_that_it_has_it(player) -> None:
    one, camera, now_s = player("1"), Camera(), [0.0]
    one.play(1)
    row = one.journal.append(one.journal.last_match_id, camera.throw(jpeg(1)))
    throw = ThrowAt(row.match_id, row.number)
    rows = JournalRows(lambda: one.journal, one.journal.path.parent, HALL)
    sender = PictureSender(rows, camera.kept.get, now_s=lambda: now_s[0])
    wanted = encoded(PicturesWanted((throw,)))
    sender.take(wanted)
    sent = 0
    for _ in range(10):
        sent += len(list(sender.due(None)))
        assert list(sender.due(None)) == []
        now_s[0] += RETRY_S
    assert sent == TRIES
    sender.take(wanted)  # the hub was started anew
    assert list(sender.due(None)) == [picture_message(PictureHead(*throw), jpeg(1))]
    sender.take(b"")
    now_s[0] += RETRY_S
    assert list(sender.due(None)) == []
    sender.take(encoded(PicturesWanted((ThrowAt("another", 1),))))
    assert list(sender.due(None)) == [picture_message(PictureHead("another", 1, "gone"))]


# The programs


@needs_broker
def test_director_asks_for_the_picture_of_a_recorded_throw_and_sees_it_at_the_desk(
    tmp_path: Path, broker: Broker
) -> None:
    table_file, hub_file = table_settings(tmp_path, broker, "1"), hub_settings(tmp_path, HALL, broker)
    table_file.write_text(table_file.read_text().replace('source = "none"', 'source = "recorded"'))
    run, hall = ("run", "--config", str(table_file)), ("hall", "--config", str(hub_file))
    with companion(*run, home=tmp_path / "table") as table, companion(*hall, home=tmp_path / "hub") as hub:
        director, keeper = hub.visitor(), table.visitor()
        keeper.act("new_match", length=5)
        keeper.wait(lambda state: any(line["picture"] for line in state["history"]))
        match = keeper.state()["match"]["id"]
        until(lambda: b"Ask the table for it" in director.get(f"/matches/1.{match}/pictures")[1], "the throw")
        assert director.send_form(f"/matches/1.{match}/pictures", number="0", back="desk") == 303
        shown = '<img class="shot" src="'
        until(lambda: shown in director.get("/desk/1")[1].decode(), "the picture on the desk")
        address = director.get("/desk/1")[1].decode().partition(shown)[2].partition('"')[0]
        status, content = director.get(address)
        assert (status, content[:3], content[-2:]) == (200, b"\xff\xd8\xff", b"\xff\xd9")
        assert content in {file.read_bytes() for file in (tmp_path / "table").rglob("pictures/*.jpg")}
