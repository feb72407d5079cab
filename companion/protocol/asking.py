"""Who asks, and how the fields of an action are read: each one checked, each refusal a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from companion.errors import BadPositionError, BadTextError, RoleError
from companion.game.events import AnyEvent, PenaltyGiven, SettingsChanged
from companion.rules.dice import Die, Roll, die
from companion.rules.side import Side

Act: TypeAlias = Mapping[str, Any]


RoleName: TypeAlias = Literal["viewer", "player", "scorekeeper", "director"]


PLAYERS_MAY = frozenset(
    {"take", "pass", "beaver", "raccoon", "accept", "refuse", "condone", "correct", "call_director"}
)
"""A player answers what he is asked and calls the director (the contract's words)."""


DIRECTOR_ONLY = frozenset({"amend", "settings"})
RULED = (PenaltyGiven, SettingsChanged)
"""What the director alone decides, and so alone takes back."""
MOST_MOVES = 8
"""A doublet of the entry game has four moves of the top and four of the bottom."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: the role, a player's seat, and when."""

    role: RoleName
    seat: Side | None = None
    at_ms: int = 0

    @property
    def said_by(self) -> str:
        """Who said so, as the record keeps it."""
        return f"{self.role} {self.seat.value}" if self.seat else self.role


def may_ask(role: RoleName, kind: str) -> bool:
    """Whether a role may ever send this type of action."""
    if role == "player":
        return kind in PLAYERS_MAY
    if role == "scorekeeper":
        return kind not in DIRECTOR_ONLY
    return role == "director"


def may_take_back(role: RoleName, event: AnyEvent) -> bool:
    """Whether a role may undo this step."""
    return role == "director" or (may_ask(role, "undo") and not isinstance(event, RULED))


def side_in(act: Act, asker: Asker | None = None) -> Side | None:
    """The side an action names; a player speaks for his own seat only."""
    given = act.get("side")
    if given not in (None, "south", "north"):
        raise BadTextError("A side is south or north.")
    side = Side(given) if given else None
    if asker is None or asker.seat is None:
        return side
    if side is not None and side is not asker.seat:
        raise RoleError("A player answers for himself only.")
    return asker.seat


def text_in(act: Act, name: str, default: str | None = None) -> str:
    given = act.get(name, default)
    if not isinstance(given, str):
        raise BadTextError(f"“{name}” is a text.")
    return given


def count_in(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if type(value) is not int or value < 0:
        raise BadPositionError(f"“{name}” is a whole number from 0 up.")
    return value


def dice_in(given: object) -> tuple[Die, ...]:
    if given is None:
        return ()
    return tuple(die(one) for one in given) if isinstance(given, list) else (die(cast(int, given)),)


def roll_in(act: Act) -> Roll:
    dice = act.get("dice")
    if not isinstance(dice, list) or len(dice) != 2:
        raise BadTextError("A roll is two dice.")
    return Roll.of(*dice)


def moves_in(act: Act) -> tuple[tuple[int, int], ...]:
    """The moves of an action, each from a point to a point."""
    given = act.get("moves")
    if not isinstance(given, list) or len(given) > MOST_MOVES:
        raise BadTextError("The moves of a play are a short list.")
    return tuple(_move(one) for one in given)


def _move(given: object) -> tuple[int, int]:
    whole = isinstance(given, list) and len(given) == 2 and all(type(place) is int for place in given)
    if not whole or not all(0 <= place <= 25 for place in cast(list[int], given)):
        raise BadTextError("A move is the point it leaves and the point it comes to.")
    return cast(list[int], given)[0], cast(list[int], given)[1]


def mapping_in(act: Act, name: str) -> Mapping[str, Any]:
    """A field that is an object; {} where it is left out."""
    value = act.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadTextError(f"“{name}” is an object with names and values.")
    return value
