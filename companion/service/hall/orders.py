"""What a table does with the orders of its hall's director, and with his visits: as its own director's, or refused."""

from collections.abc import Callable, Mapping

from companion.game.state import Level, Notice
from companion.hall.protocol.orders import Order
from companion.hall.protocol.ticket import FORGED, Door
from sentence import NOTHING, Sentence, say, verbatim
from web.page import Answer
from web.roles import Role, Visitor

COMING = "coming"
FROM_DESK = frozenset({"call_director", "rule", "clock", "accept", "refuse", "condone", "correct"})
"""Actions of the page that the hall's director may order; who plays what, and how, is the table's."""

NO_RULINGS = say("This table takes no rulings from the hall’s desk; its own director decides.")


class HallDirector:
    """The hall's director at this table.

    Args:
        hall: the hall's name.
        may_rule: whether this table takes rulings from the hall's desk (`hall.rulings`).
        act: carries out an action of the page.
        show: shows a notice at the table.
        door: lets the hall's director in on the table's own page; None without a hall.
    """

    def __init__(
        self,
        hall: str,
        may_rule: bool,
        act: Callable[[Visitor, Mapping[str, object]], Answer],
        show: Callable[[Notice], None],
        door: Door | None = None,
    ) -> None:
        self._hall, self._may_rule, self._act, self._show = hall, may_rule, act, show
        self._door = door

    def carry_out(self, order: Order) -> Sentence:
        """Carry out an order; a sentence why not, else an empty one."""
        kind = order.action.get("type")
        if kind == COMING:
            self._show(Notice(say("The director is coming."), Level.INFO))
            return NOTHING
        if not self._may_rule:
            return NO_RULINGS
        if kind not in FROM_DESK:
            return say("This is decided at the table, not from the hall’s desk.")
        answer = self._done(Visitor(Role.DIRECTOR, label=self._label(order.by)), order.action, order.seq)
        if answer.status == 200:
            return NOTHING
        return verbatim(answer.sentence) if isinstance(answer.sentence, str) else answer.sentence

    def visit(self, ticket: str) -> str | Sentence:
        """The label of the director who comes with this ticket, which is used by it; a sentence why he does not."""
        if self._door is None:
            return FORGED
        if not self._may_rule:
            return NO_RULINGS
        found = self._door.enter(ticket)
        return found if isinstance(found, Sentence) else self._label(found.by)

    def _label(self, by: str) -> str:
        return ", ".join(filter(None, (by[:80], f"hall {self._hall}")))

    def _done(self, visitor: Visitor, action: Mapping[str, object], seq: int) -> Answer:
        """Act; the end of a visit that nobody called for calls first, as only such an end is in the record."""
        if action.get("type") == "call_director" and action.get("over"):
            called = self._act(visitor, {**action, "over": False, "seq": seq})
            if called.status != 200 or called.state is None:
                return called
            seq = called.state["seq"]
        return self._act(visitor, {**action, "seq": seq})
