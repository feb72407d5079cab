"""Fields of an action, read and checked."""

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from companion.errors import BadPositionError, BadTextError, RoleError
from companion.protocol.permissions import Asker
from companion.rules.board import Die, Roll, Side, die
from sentence import say

Act: TypeAlias = Mapping[str, Any]


MOST_MOVES = 8
"""A doublet of the entry game has four moves of the top and four of the bottom."""


def side_in(act: Act, asker: Asker | None = None) -> Side | None:
    """The side an action names; a player speaks for his own seat only."""
    given = act.get("side")
    if given not in (None, "south", "north"):
        raise BadTextError(say("A side is south or north."))
    side = Side(given) if given else None
    if asker is None or asker.seat is None:
        return side
    if side is not None and side is not asker.seat:
        raise RoleError(say("A player answers for himself only."))
    return asker.seat


def text_in(act: Act, name: str, default: str | None = None) -> str:
    given = act.get(name, default)
    if not isinstance(given, str):
        raise BadTextError(say("“{name}” is a text.", name=name))
    return given


def count_in(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if type(value) is not int or value < 0:
        raise BadPositionError(say("“{name}” is a whole number from 0 up.", name=name))
    return value


def dice_in(given: object) -> tuple[Die, ...]:
    if given is None:
        return ()
    return tuple(die(one) for one in given) if isinstance(given, list) else (die(cast(int, given)),)


def roll_in(act: Act) -> Roll:
    dice = act.get("dice")
    if not isinstance(dice, list) or len(dice) != 2:
        raise BadTextError(say("A roll is two dice."))
    return Roll.of(*dice)


def moves_in(act: Act) -> tuple[tuple[int, int], ...]:
    """The moves of an action, each from a point to a point."""
    given = act.get("moves")
    if not isinstance(given, list) or len(given) > MOST_MOVES:
        raise BadTextError(say("The moves of a play are a short list."))
    return tuple(_move(one) for one in given)


def _move(given: object) -> tuple[int, int]:
    whole = isinstance(given, list) and len(given) == 2 and all(type(place) is int for place in given)
    if not whole or not all(0 <= place <= 25 for place in cast(list[int], given)):
        raise BadTextError(say("A move is the point it leaves and the point it comes to."))
    return cast(list[int], given)[0], cast(list[int], given)[1]


def mapping_in(act: Act, name: str) -> Mapping[str, Any]:
    """A field that is an object; {} where it is left out."""
    value = act.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadTextError(say("“{name}” is an object with names and values.", name=name))
    return value
