"""Which rows a table sends next: the journal is the outbox, and this remembers only how far it has been sent."""

from collections import deque
from collections.abc import Iterable

from companion.hall.protocol.messages import Held
from companion.records.rows import Row

WINDOW = 100
"""Most rows sent and not held yet: a broker queues a thousand, and a hub that is away shall not fill its memory."""
RETRY_S, LONGEST_RETRY_S = 10.0, 160.0
"""Seconds without an answer after which rows are sent again, each time twice as many: the answer takes milliseconds,
and a broker that cannot keep up shall not get more for it."""


class Outbox:
    """The state of sending between a connection's begin and its end.

    Attributes:
        cursor: the row sent last, or the row held that nothing has been sent after; None until the hub has spoken.
        signed: signature of the statement that the hub took last; "" for none.
    """

    def __init__(self) -> None:
        self.cursor: Held | None = None
        self.signed = ""
        self._held = Held()
        self._flying: deque[str] = deque()
        self._since_s, self._patience_s = 0.0, RETRY_S

    def disconnected(self) -> None:
        """Forget what is under way: nobody knows what arrived."""
        self.cursor = None
        self._flying.clear()

    def take(self, held: Held, now_s: float) -> None:
        """Take the hub's answer."""
        self.signed = held.signed
        if self.cursor is None or held.again:
            self._restart(held)
        elif held.digest in self._flying:
            while self._flying.popleft() != held.digest:
                pass
            self._held = held
        self._since_s, self._patience_s = now_s, RETRY_S

    @property
    def is_idle(self) -> bool:
        """Whether the hub has spoken, and holds all that was sent."""
        return self.cursor is not None and not self._flying

    def room(self, now_s: float) -> int:
        """How many rows may be sent after the cursor now; rows without an answer for long are sent again.

        None while less than half of the window is free: the hub puts what comes together on disk at once.
        """
        if self.cursor is None:
            return 0
        if self._flying and now_s - self._since_s >= self._patience_s:
            self._restart(self._held)
            self._since_s, self._patience_s = now_s, min(2 * self._patience_s, LONGEST_RETRY_S)
        free = WINDOW - len(self._flying)
        return free if 2 * free >= WINDOW else 0

    def sent(self, rows: Iterable[Row], now_s: float) -> None:
        """Note that these rows, which follow the cursor, were sent."""
        assert self.cursor is not None
        for row in rows:
            if not self._flying:
                self._since_s = now_s
            self._flying.append(row.digest)
            self.cursor = Held(row.match_id, row.number, row.digest, refused=self._held.refused)

    def _restart(self, held: Held) -> None:
        self.cursor = self._held = held
        self._flying.clear()
