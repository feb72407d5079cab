"""Orders of a hall's director to a table, and the table's answers; pure.

An order names the table's session and the state that it was given for, so a table that was started anew, or went on in
the meantime, refuses it: it is carried out once or not at all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sentence import Sentence, say

STARTED_ANEW = say("The table was started again in the meantime; look at it before you decide.")


@dataclass(frozen=True, slots=True)
class Order:
    """What the director orders.

    Attributes:
        number: rises with each order to this table.
        session: of the table, as in `About`.
        seq: the table's state that it was given for.
        by: who ordered it; "" without a name.
        action: an action of the page (docs/PROTOCOL.md) without its `seq`, or `{"type": "coming"}`.
    """

    number: int
    session: str
    seq: int
    by: str
    action: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Orders:
    """All orders to a table that the hub has no answer to, in their order."""

    orders: tuple[Order, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderAnswer:
    """The table's answer: None if it was carried out, else the reason why not as `Sentence.to_json` writes it."""

    number: int
    refusal: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to all orders that the table got last."""

    answers: tuple[OrderAnswer, ...] = ()


class OrderTaker:
    """Carries out each order once, in order.

    Args:
        session: of the table's program; the orders of another one are refused.
        carry_out: carries out an order; a sentence why not, else an empty one.
    """

    def __init__(self, session: str, carry_out: Callable[[Order], Sentence]) -> None:
        self._session, self._carry_out = session, carry_out
        self._known: Mapping[int, OrderAnswer] = {}
        self._last = 0

    def take(self, given: Orders) -> Answers:
        """The answers to these orders, of which those are carried out now that have not come before."""
        found: dict[int, OrderAnswer] = {}
        for order in sorted(given.orders, key=lambda one: one.number):
            if order.number > self._last:
                self._last = order.number
                found[order.number] = self._answered(order)
            else:
                found[order.number] = self._known.get(order.number) or _refused(order, STARTED_ANEW)
        self._known = found
        return Answers(tuple(found.values()))

    def _answered(self, order: Order) -> OrderAnswer:
        if order.session != self._session:
            return _refused(order, STARTED_ANEW)
        why = self._carry_out(order)
        return _refused(order, why) if why else OrderAnswer(order.number)


def _refused(order: Order, why: Sentence) -> OrderAnswer:
    return OrderAnswer(order.number, why.to_json())
