"""The hub's end: takes the rows of all tables into the store, answers with what it holds, and keeps the overview."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Literal
from urllib.parse import quote

from companion.hall.broker import Line
from companion.hall.pictures import PictureRules, take_picture, wanted_now
from companion.hall.protocol.discovery import sensor_of
from companion.hall.protocol.holding import Known, Missing, Refused, Taken, judge
from companion.hall.protocol.messages import (
    NOTHING_HELD,
    About,
    Availability,
    BadMessageError,
    Held,
    TableState,
    decoded,
    encoded,
)
from companion.hall.protocol.orders import Answers
from companion.hall.protocol.pictures import ThrowAt
from companion.hall.protocol.topics import FROM_TABLE, ROOT, Topics, discovery_topic, table_and_kind
from companion.hall.record.store import Store, StoreError
from companion.hall.signatures import OTHER_KEY, take_signed
from companion.records.rows import Row
from companion.storage.lines import parsed

AGAIN_S = 1.0
"""Least seconds between two calls to one table to send again; what it had sent before is still arriving."""

TWIN = "Two machines are this table, and cut each other off: make a new invitation for one of them, under another name."
TWIN_S = 60.0
"""So long after a former program of a table was heard again it counts as two: they meet every few seconds."""
MOST_SESSIONS = 8

SHOW_S = 0.1
"""Least seconds between two views of the hall."""


@dataclass(slots=True)
class HallTable:
    """A table as the hub knows it.

    Attributes:
        held: the last row in the store.
        last: digest of the row taken or known last.
        fault: what does not hold of its record, a sentence; "" for nothing.
        sessions: those of the programs that were this table, the present one last.
        twin_s: when a former one of them was heard again, on the monotonic clock.
        picture: the newest picture that the hub has of it.
        since_ms: when the availability changed last, milliseconds since 1970.
    """

    held: Held = NOTHING_HELD
    last: str = NOTHING_HELD.digest
    fault: str = ""
    status: str = "offline"
    since_ms: int = 0
    state: TableState | None = None
    about: About | None = None
    again_s: float = float("-inf")
    sessions: tuple[str, ...] = ()
    twin_s: float | None = None
    picture: ThrowAt | None = None

    def as_json(self, name: str) -> dict[str, Any]:
        """The table for wall and desk."""
        return {
            "table": name,
            "status": self.status,
            "since_ms": self.since_ms,
            "state": self.state,
            "about": self.about,
            "held": {"match": self.held.match, "number": self.held.number},
            "picture": self._picture_of(name),
            "fault": self.fault if self.twin_s is None else TWIN,
        }

    def _picture_of(self, name: str) -> str | None:
        """The address of the newest picture of the match on the table."""
        if self.picture is None or self.picture.match != self.held.match:
            return None
        return f"/matches/{quote(f'{name}.{self.picture.match}', safe='')}/pictures/{self.picture.number}"


class Hub:
    """What the hub says to the tables of its hall.

    Args:
        hall: the hall's name.
        store: the record.
        show: called with all tables, by name, after each change.
        log: writes a line about an outage, at its begin and its end.
        each_turn: call `show` once a second as well, for those who see the tables later.
        pictures: which pictures of its tables the hall has.
        home_automation: publish what Home Assistant finds by MQTT discovery.
        now_s, now_ms: monotonic clock in seconds, wall clock in milliseconds.

    Attributes:
        tables: by name.
        trouble: what the director is told of: the broker is not reached, or the record cannot be written.
    """

    def __init__(
        self,
        hall: str,
        store: Store,
        show: Callable[[Mapping[str, HallTable]], None],
        log: Callable[[str], None],
        now_s: Callable[[], float] = time.monotonic,
        now_ms: Callable[[], int] = lambda: round(time.time() * 1000),
        each_turn: bool = False,
        home_automation: bool = False,
        pictures: PictureRules = PictureRules(),  # noqa: B008
    ) -> None:
        self._each_turn, self._home_automation = each_turn, home_automation
        self._pictures = pictures
        self._hall, self._store, self._show, self._log = hall, store, show, log
        self._now_s, self._now_ms = now_s, now_ms
        faults = store.faults()
        self.tables = {
            name: HallTable(held, held.digest, faults.get(name, "")) for name, held in store.held().items()
        }
        self._answers: dict[str, bool] = {}  # tables to be answered, and whether they send again
        self._reports: SimpleQueue[tuple[str, str]] = SimpleQueue()
        self._changed, self._shown_s = True, float("-inf")
        self._trouble = ""
        self.trouble: Literal["", "broker", "record"] = ""
        self._is_unsure = False
        self._kept: dict[str, bytes] = {}  # what the broker keeps for the tables, by topic
        self._kept_due = threading.Event()

    def connected(self, line: Line) -> None:
        """Listen to all tables, and have each send again what follows the last row held."""
        self._mend("The broker is reached again.")
        self.trouble = ""
        line.subscribe(*(f"{ROOT}/{self._hall}/+/{kind}" for kind in FROM_TABLE))
        for name, table in self.tables.items():
            table.status = "offline"  # whoever is there says so, or has left it with the broker
            self._answers[name] = True
        self._forget_kept()
        self._changed = True

    def disconnected(self, why: str) -> None:
        """Say that the tables are out of reach."""
        self._warn(f"The broker is not reached ({why}). The tables play on, and send later.")
        self.trouble = "broker"
        for table in self.tables.values():
            table.status = "offline"
        self._changed, self._shown_s = True, float("-inf")
        self._publish()

    def arrived(self, line: Line, topic: str, payload: bytes, after: str) -> None:
        """Take a table's message; one that is none of the hall's is ignored."""
        found = table_and_kind(self._hall, topic)
        if found is None:
            return
        name, kind = found
        try:
            if kind == "event":
                self._take_event(name, payload, after)
            elif kind == "signed":
                self._take_signed(name, payload)
            elif kind == "answers":
                self._take_answers(name, payload)
            elif kind == "picture":
                self._take_picture(name, payload)
            elif payload:
                self._take_status(name, kind, payload)
        except BadMessageError as error:
            self._log(f"Table {name}: {error}")

    def report(self, name: str, why: str) -> None:
        """Note what does not hold of a table's stored record; from any thread."""
        self._reports.put((name, why))

    def invited(self, name: str) -> None:
        """Note that a table has a new invitation, with which another key is taken; from any thread."""
        self._reports.put((name, ""))

    def show_again(self) -> None:
        """Have all of it shown anew; from any thread."""
        self._changed = True

    def tell(self) -> None:
        """Have pairings and orders published as they are now; from any thread."""
        self._kept_due.set()

    def turned(self, line: Line) -> None:
        """Put the new rows on disk, and then answer the tables they came from."""
        try:
            with suppress(Empty):
                while True:
                    name, why = self._reports.get_nowait()
                    if why:
                        self._note_fault(name, self._table(name), why)
                    elif name in self.tables:
                        self._forgive_key(name, self.tables[name])
            self._store.commit()
            self._look_again()
            self._publish_kept(line)
        except StoreError as error:
            self._fail(error)
            self._publish()
            return  # nothing is acknowledged that may not be on disk
        self._forget_twins()
        answers, self._answers = self._answers, {}
        for name, again in answers.items():
            held = replace(self.tables[name].held, again=again)
            line.publish(Topics(self._hall, name).held, encoded(held), retain=True)
        self._publish()

    def _forget_kept(self) -> None:
        """Have all that the broker keeps for the tables published anew."""
        self._kept = {}
        for name in self.tables:
            self._forget_kept_of(name)
        self._kept_due.set()

    def _forget_kept_of(self, name: str) -> None:
        topics = Topics(self._hall, name)
        for topic in (topics.offer, topics.orders, topics.pictures, discovery_topic(self._hall, name)):
            self._kept[topic] = b"unknown"
        self._kept_due.set()

    def _publish_kept(self, line: Line) -> None:
        """Publish to each table its next match and its orders and what is found of it, as far as it is new."""
        if not self._kept_due.is_set():
            return
        self._kept_due.clear()
        try:
            offers, orders = self._store.pairings.offers(), self._store.orders.waiting()
            pictures = wanted_now(self._store, self._pictures, list(self.tables))
            newest = self._store.pictures.newest()
        except StoreError:
            self._kept_due.set()
            raise
        for name, table in self.tables.items():
            self._changed |= table.picture != newest.get(name)
            table.picture = newest.get(name)
        kept = {Topics(self._hall, name).offer: encoded(offer) for name, offer in offers.items()}
        kept |= {Topics(self._hall, name).orders: encoded(some) for name, some in orders.items()}
        kept |= {Topics(self._hall, name).pictures: some for name, some in pictures.items()}
        if self._home_automation:
            hall = self._hall
            kept |= {discovery_topic(hall, name): encoded(sensor_of(hall, name)) for name in self.tables}
        for topic in {*self._kept, *kept}:
            if kept.get(topic) != self._kept.get(topic):
                line.publish(topic, kept.get(topic, b""), retain=True)
        self._kept = kept

    def _take_event(self, name: str, payload: bytes, after: str) -> None:
        table = self._table(name)
        row = parsed(payload)
        if row is None:
            raise BadMessageError("An event is not spelled as a row of the record.")
        store = self._store
        try:
            self._look_again()
            if row.match_id != table.held.match and store.deletions.has(name, row.match_id):
                table.last = row.digest  # the last match of a table is never deleted, so another one follows
                self._answers.setdefault(name, False)
                return
            judgement = judge(row, after, table.held, table.last, partial(self._digest_at, name, table.held))
            match judgement:
                case Taken():
                    store.add(name, row)
                    table.held = replace(table.held, match=row.match_id, number=row.number, digest=row.digest)
                    table.last = row.digest
                    self._check_signed(name, table, row)
                    if row.number == 1:  # it may be the match on offer
                        self._kept_due.set()
                    self._answers.setdefault(name, False)
                    self._changed = True
                case Known():
                    table.last = row.digest
                    self._answers.setdefault(name, False)
                case Missing():
                    self._ask_again(name, table)
                case Refused(why, refused):
                    self._refuse(name, table, why, refused)
        except StoreError as error:
            self._fail(error)

    def _digest_at(self, name: str, held: Held, match: str, number: int) -> str | None:
        """The digest of a row of a table, None if it is not held; the database is not asked about the last one.

        A match is taken in order, so none of its rows follows its last one.
        """
        if match == held.match and number >= held.number > 0:
            return held.digest if number == held.number else None
        return self._store.digest_at(name, match, number)

    def _check_signed(self, name: str, table: HallTable, row: Row) -> None:
        """Note a row that is another one than the table had signed before it sent it."""
        heads = self._store.heads_at(name, row.match_id, row.number)
        if heads and heads != [row.digest]:
            why = f"Event {row.number} of match {row.match_id} is not the one that was signed."
            self._note_fault(name, table, why)

    def _take_signed(self, name: str, payload: bytes) -> None:
        table = self._table(name)
        try:
            self._look_again()
            latest, faults = take_signed(self._store, name, payload)
            table.held = replace(table.held, signed=latest)
            self._answers.setdefault(name, False)
            for why in faults:
                self._note_fault(name, table, why)
        except StoreError as error:
            self._fail(error)

    def _take_answers(self, name: str, payload: bytes) -> None:
        try:
            self._store.answer(name, decoded(payload, Answers))
            self._kept_due.set()
        except StoreError as error:
            self._fail(error)

    def _take_picture(self, name: str, payload: bytes) -> None:
        try:
            self._look_again()
            self._kept_due.set()
            take_picture(self._store, name, payload, self._pictures, self._now_ms())
        except StoreError as error:
            self._fail(error)

    def _note_fault(self, name: str, table: HallTable, why: str) -> None:
        if why != table.fault:
            table.fault = why
            self._store.refuse(name, why, table.held.refused)
            self._log(f"Table {name}: {why or 'with its new invitation another key is taken.'}")
            self._changed = True

    def _forgive_key(self, name: str, table: HallTable) -> None:
        """Forget that a table signs with another key, unless its rows contradict the record as well."""
        if table.fault.endswith(OTHER_KEY) and not table.held.refused:
            self._note_fault(name, table, "")

    def _ask_again(self, name: str, table: HallTable) -> None:
        if self._now_s() - table.again_s >= AGAIN_S:
            table.again_s, table.last = self._now_s(), table.held.digest
            self._answers[name] = True

    def _refuse(self, name: str, table: HallTable, why: str, match: str | None) -> None:
        """Note on the desk what does not hold; of a match that contradicts the record no more is taken."""
        if match is not None and match not in table.held.refused:
            table.held = replace(table.held, refused=(*table.held.refused, match))
        self._note_fault(name, table, why)
        self._ask_again(name, table)

    def _take_status(self, name: str, kind: str, payload: bytes) -> None:
        table = self._table(name)
        if kind == "availability":
            status = decoded(payload, Availability).status
            if status != table.status:
                table.status, table.since_ms = status, self._now_ms()
        elif kind == "state":
            table.state = decoded(payload, TableState)
        else:
            table.about = decoded(payload, About)
            self._note_session(name, table, table.about.session)
            # The table has come, or this hub: it goes on from the last row held here.
            self._answers[name] = True
        self._changed = True

    def _note_session(self, name: str, table: HallTable, session: str) -> None:
        """Each start of a program has another session: one that comes back was never gone."""
        if session in table.sessions[:-1]:
            if table.twin_s is None:
                self._log(f"Table {name}: {TWIN}")
            table.twin_s = self._now_s()
        others = tuple(one for one in table.sessions if one != session)
        table.sessions = (*others, session)[-MOST_SESSIONS:]

    def _forget_twins(self) -> None:
        for table in self.tables.values():
            if table.twin_s is not None and self._now_s() - table.twin_s > TWIN_S:
                table.twin_s, self._changed = None, True

    def _table(self, name: str) -> HallTable:
        if name not in self.tables:
            self.tables[name] = HallTable()
            self._forget_kept_of(name)
        return self.tables[name]

    def _fail(self, error: StoreError) -> None:
        """Forget what may not be on disk; the tables send it again."""
        self._warn(str(error))
        self._changed |= self.trouble != "record"
        self.trouble = "record"
        self._store.rollback()
        self._is_unsure = True

    def _look_again(self) -> None:
        """After a failure go on from what is on disk; StoreError while it cannot be read."""
        if not self._is_unsure:
            return
        held = self._store.held()
        self._is_unsure = False
        for name, table in self.tables.items():
            table.held = held.get(name, NOTHING_HELD)
            table.last = table.held.digest
            self._answers[name] = True
        self._forget_kept()
        self._mend("The hall's record is written again.")
        self.trouble = ""

    def _publish(self) -> None:
        """Show what has changed, at most every `SHOW_S`: a hundred tables change fifty times a second."""
        now_s = self._now_s()
        if (self._changed or self._each_turn) and now_s - self._shown_s >= SHOW_S:
            self._changed, self._shown_s = False, now_s
            self._show(self.tables)

    def _warn(self, text: str) -> None:
        """Log a trouble once, until it is over or another one comes."""
        if text != self._trouble:
            self._log(text)
        self._trouble = text

    def _mend(self, text: str) -> None:
        if self._trouble:
            self._log(text)
        self._trouble = ""
