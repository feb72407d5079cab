"""What a table does with the orders of its hall's director: as its own director's actions, or refused."""

from collections.abc import Callable, Mapping

from companion.game.state import Level, Notice
from companion.hall.protocol.orders import Order
from sentence import NOTHING, Sentence, say, verbatim
from web.page import Answer
from web.roles import Role, Visitor

COMING = "coming"
FROM_DESK = frozenset({"call_director", "rule", "clock", "accept", "refuse", "condone", "correct"})
"""Actions of the page that the hall's director may order; who plays what, and how, is the table's."""


class HallDirector:
    """The hall's director at this table.

    Args:
        hall: the hall's name.
        may_rule: whether this table takes rulings from the hall's desk (`hall.rulings`).
        act: carries out an action of the page.
        show: shows a notice at the table.
    """

    def __init__(
        self,
        hall: str,
        may_rule: bool,
        act: Callable[[Visitor, Mapping[str, object]], Answer],
        show: Callable[[Notice], None],
    ) -> None:
        self._hall, self._may_rule, self._act, self._show = hall, may_rule, act, show

    def carry_out(self, order: Order) -> Sentence:
        """Carry out an order; a sentence why not, else an empty one."""
        kind = order.action.get("type")
        if kind == COMING:
            self._show(Notice(say("The director is coming."), Level.INFO))
            return NOTHING
        if not self._may_rule:
            return say("This table takes no rulings from the hall’s desk; its own director decides.")
        if kind not in FROM_DESK:
            return say("This is decided at the table, not from the hall’s desk.")
        label = ", ".join(filter(None, (order.by[:80], f"hall {self._hall}")))
        answer = self._done(Visitor(Role.DIRECTOR, label=label), order.action, order.seq)
        if answer.status == 200:
            return NOTHING
        return verbatim(answer.sentence) if isinstance(answer.sentence, str) else answer.sentence

    def _done(self, visitor: Visitor, action: Mapping[str, object], seq: int) -> Answer:
        """Act; the end of a visit that nobody called for calls first, as only such an end is in the record."""
        if action.get("type") == "call_director" and action.get("over"):
            called = self._act(visitor, {**action, "over": False, "seq": seq})
            if called.status != 200 or called.state is None:
                return called
            seq = called.state["seq"]
        return self._act(visitor, {**action, "seq": seq})
