"""A table's end: publishes its rows and its state, and sends again from what the hub holds after any outage."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.errors import UserError
from companion.hall.broker import Line
from companion.hall.journal_rows import JournalRows
from companion.hall.picture_sender import PictureSender
from companion.hall.protocol.messages import (
    About,
    Availability,
    BadMessageError,
    Held,
    about_now,
    decoded,
    encoded,
    state_in_short,
)
from companion.hall.protocol.orders import Order, Orders, OrderTaker
from companion.hall.protocol.outbox import RETRY_S, Outbox
from companion.hall.protocol.pairings import Offer
from companion.hall.protocol.topics import Topics
from companion.hall.signatures import SignedLines, message_of
from companion.storage.lines import line_of
from sentence import NOTHING, Sentence

ONLINE, OFFLINE = encoded(Availability("online")), encoded(Availability("offline"))


class TableLink:
    """What a table says to its hall.

    Args:
        topics: the table's.
        rows: its rows on disk.
        signed: what it has signed.
        view: gives the newest state of the page as a viewer sees it; None before the first.
        about: this start of the program, with the rules that a match has as usual.
        log: writes a line about an outage, at its begin and its end.
        offered: takes the match that the hall gives this table next; None for none.
        carry_out: carries out an order of the hall's director; a sentence why not, else an empty one.
        now_s: monotonic clock in seconds.
        pictures: what is sent of the pictures of throws; None for nothing.
        address: start of links to the table's own page, asked at each connection.
    """

    def __init__(
        self,
        topics: Topics,
        rows: JournalRows,
        signed: SignedLines,
        view: Callable[[], Mapping[str, Any] | None],
        about: About,
        log: Callable[[str], None],
        now_s: Callable[[], float] = time.monotonic,
        offered: Callable[[Offer | None], None] = lambda offer: None,
        carry_out: Callable[[Order], Sentence] = lambda order: NOTHING,
        address: Callable[[], str] = lambda: "",
        pictures: PictureSender | None = None,
    ) -> None:
        self._topics, self._rows, self._signed = topics, rows, signed
        self._view, self._about = view, about
        self._log, self._now_s, self._offered = log, now_s, offered
        self._address, self._pictures = address, pictures
        self._orders = OrderTaker(about.session, carry_out)
        self._outbox = Outbox()
        self._asked: tuple[str, float] | None = (
            None  # the last signature held when more were sent, and the time
        )
        self._seq: int | None = None
        self._about_sent: About | None = None
        self._trouble = ""

    def connected(self, line: Line) -> None:
        """Say that the table is there, and ask what the hub holds."""
        self._mend("The hall is reached again.")
        line.subscribe(self._topics.held, self._topics.offer, self._topics.orders, self._topics.pictures)
        if self._pictures is not None:
            self._pictures.connected()
        line.publish(self._topics.availability, ONLINE, retain=True)
        self._seq = self._about_sent = None
        self._about = replace(self._about, address=self._address())
        self._publish_about(line, self._view())

    def disconnected(self, why: str) -> None:
        """Forget what is under way; the journal has it."""
        self._outbox.disconnected()
        self._asked = None
        self._warn(
            f"The hall's broker is not reached ({why}). Play goes on, and the hall gets all of it later."
        )

    def arrived(self, line: Line, topic: str, payload: bytes, after: str) -> None:
        """Take the hub's answer, or the match that it gives; anything else is ignored."""
        if topic == self._topics.offer:
            self._take_offer(payload)
        elif topic == self._topics.orders:
            self._take_orders(line, payload)
        elif topic == self._topics.pictures:
            self._take_wanted(payload)
        elif topic == self._topics.held:
            try:
                self._outbox.take(decoded(payload, Held), self._now_s())
            except BadMessageError as error:
                self._warn(f"The hub's answer cannot be read: {error}")

    def _take_offer(self, payload: bytes) -> None:
        """Hand on the match on offer, unless it has been begun here: the hub may not know yet."""
        try:
            offer = decoded(payload, Offer) if payload else None
            is_begun = offer is not None and offer.pairing in self._rows.pairings()
            self._offered(None if is_begun else offer)
        except BadMessageError as error:
            self._warn(f"The hall's match cannot be read: {error}")
        except (UserError, OSError) as error:
            self._warn(f"The hall's match cannot be taken up: {error}")

    def _take_orders(self, line: Line, payload: bytes) -> None:
        """Carry out what has not come before, and answer all of it."""
        try:
            answers = self._orders.take(decoded(payload, Orders) if payload else Orders())
        except BadMessageError as error:
            self._warn(f"The hall's orders cannot be read: {error}")
            return
        line.publish(self._topics.answers, encoded(answers), retain=True)

    def _take_wanted(self, payload: bytes) -> None:
        """Note which pictures the hub wants."""
        try:
            if self._pictures is not None:
                self._pictures.take(payload)
        except BadMessageError as error:
            self._warn(f"What the hall wants of the pictures cannot be read: {error}")

    def turned(self, line: Line) -> None:
        """Publish the state if it has changed, and the rows that there is room for."""
        self._publish_state(line)
        room = self._outbox.room(self._now_s())
        cursor = self._outbox.cursor
        if cursor is None or room <= 0:
            return
        try:
            rows = self._rows.after(cursor, room)
        except (UserError, OSError) as error:
            self._warn(f"The hall gets nothing for the time being: {error}")
            return
        after = cursor.digest
        for row in rows:
            line.publish(self._topics.event, line_of(row).rstrip(b"\n"), after=after)
            after = row.digest
        self._outbox.sent(rows, self._now_s())
        if self._outbox.is_idle:
            self._publish_signed(line)
            self._publish_pictures(line)

    def _publish_pictures(self, line: Line) -> None:
        """Send the pictures that are due, once the hub has the rows of their throws."""
        if self._pictures is None:
            return
        try:
            for message in self._pictures.due(self._view()):
                line.publish(self._topics.picture, message)
        except (UserError, OSError) as error:
            self._warn(f"The hall gets no pictures for the time being: {error}")

    def _publish_signed(self, line: Line) -> None:
        """Send the next statements, once the hub has all the rows that they are about."""
        held, now_s = self._outbox.signed, self._now_s()
        if self._asked is not None and self._asked[0] == held and now_s - self._asked[1] < RETRY_S:
            return
        try:
            statements = self._signed.after(held, self._rows.first())
        except OSError as error:
            self._warn(f"The hall does not get what is signed for the time being: {error}")
            return
        if statements:
            line.publish(self._topics.signed, message_of(statements))
            self._asked = held, now_s

    def _publish_state(self, line: Line) -> None:
        view = self._view()
        if view is not None and view["seq"] != self._seq:
            self._seq = view["seq"]
            self._publish_about(line, view)
            line.publish(self._topics.state, encoded(state_in_short(view, self._about.session)), retain=True)

    def _publish_about(self, line: Line, view: Mapping[str, Any] | None) -> None:
        """Publish version, camera and rules, unless the broker has them as they are."""
        about = about_now(self._about, view) if view is not None else self._about
        if about != self._about_sent:
            self._about_sent = about
            line.publish(self._topics.about, encoded(about), retain=True)

    def _warn(self, text: str) -> None:
        """Log a trouble, unless one was logged that is not over."""
        if not self._trouble:
            self._log(text)
        self._trouble = text

    def _mend(self, text: str) -> None:
        if self._trouble:
            self._log(text)
        self._trouble = ""
