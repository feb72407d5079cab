"""The shape of the actions: each type is one action of docs/PROTOCOL.md, checked here and nowhere else.

/api/openapi.json is derived from these types. `null` for a field is as good as leaving it out; fields that an action
does not have are passed over, so that a newer page can talk to an older table.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from companion.errors import BadShapeError
from companion.protocol.shapes import Checkers, Face, Hop, Schema, Seat, components
from companion.rules.board import Side

LONGEST_MATCH = 99
"""Points; the match formats of the field write no longer ones."""
LONGEST_NAME = 80
"""Letters of a player's name."""
MOST_MOVES = 8
"""A doublet of the entry game has four moves of the top and four of the bottom."""

Seq = Annotated[int, Meta(ge=0, le=2**53, description="the state's seq that the action was made for")]
Length = Annotated[int, Meta(ge=0, le=LONGEST_MATCH, description="points; 0 is money play")]
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Amount = Annotated[int, Meta(ge=0, le=2**31)]
Reason = Annotated[str, Meta(max_length=200)]
TwoDice = Annotated[list[Face], Meta(min_length=2, max_length=2)]
OpeningThrow = Annotated[
    Face | Annotated[list[Face], Meta(min_length=1, max_length=2)],
    Meta(description="one die, or the list of both where each side throws two"),
]
Moves = Annotated[list[Hop], Meta(max_length=MOST_MOVES)]


class Names(Struct, frozen=True):
    """The players' names; a name that is left out stays the usual one."""

    south: Name | None = None
    north: Name | None = None


class Points(Struct, frozen=True):
    """A score; a number that is left out stays as it is."""

    south: Amount | None = None
    north: Amount | None = None


class Laid(Struct, frozen=True):
    """On which side south's home board is, and which checkers south has."""

    home: Literal["right", "left"] = "right"
    south: Literal["light", "dark"] = "light"


class CubeSet(Struct, frozen=True):
    """The cube's value and place."""

    value: Amount | None = None
    owner: Literal["south", "north", "middle"] | None = None


class Penalty(Struct, frozen=True):
    """A director's penalty points: so many, or those for minutes of lateness; 1 without either."""

    to: Seat
    points: Amount | None = None
    minutes: Amount | None = None
    why: Reason = ""


class Act(Struct, frozen=True, kw_only=True, tag_field="type"):
    """The fields that all actions have."""

    seq: Seq

    @property
    def kind(self) -> str:
        """The action's `type`."""
        return str(self.__struct_config__.tag)


class Sided(Act, frozen=True, kw_only=True):
    """An action of one side; without `side` the table knows whose it is."""

    side: Seat | None = None

    @property
    def given_side(self) -> Side | None:
        """The side that is named."""
        return Side(self.side) if self.side else None


class NewMatch(Act, frozen=True, kw_only=True, tag="new_match"):
    """A new match begins; fields that are left out are as usual."""

    length: Length | None = None
    players: Names | None = None
    profile: Annotated[str, Meta(max_length=40)] | None = None
    overrides: (
        Annotated[dict[str, Any], Meta(description="single settings of the profile, by name")] | None
    ) = None
    orientation: Laid | None = None


class Opening(Act, frozen=True, kw_only=True, tag="opening"):
    """The opening dice are typed in; either side may be left out while it has not thrown."""

    south: OpeningThrow | None = None
    north: OpeningThrow | None = None


class Roll(Sided, frozen=True, kw_only=True, tag="roll"):
    """A roll is typed in."""

    dice: TwoDice


class Rule(Act, frozen=True, kw_only=True, tag="rule"):
    """The machine is overruled, or penalty points are given."""

    dice: TwoDice | None = None
    ruling: Literal["cocked", "valid"] | None = None
    penalty: Penalty | None = None


class Play(Act, frozen=True, kw_only=True, tag="play"):
    """A play, by its moves so far, its text, or the position that it leaves."""

    moves: Moves | None = None
    text: Annotated[str, Meta(max_length=120)] | None = None
    result: Checkers | None = None
    made: Annotated[bool, Meta(description="it is on the board, legal or not")] = False


class Undo(Act, frozen=True, kw_only=True, tag="undo"):
    """The last move of a half-made play, or the last step, is taken back."""


class Done(Sided, frozen=True, kw_only=True, tag="done"):
    """The turn has ended; the play stands."""


class Lift(Sided, frozen=True, kw_only=True, tag="lift"):
    """The dice are picked up."""


class Double(Sided, frozen=True, kw_only=True, tag="double"):
    """The side on roll doubles."""


class Take(Sided, frozen=True, kw_only=True, tag="take"):
    """The double is taken."""


class Pass(Sided, frozen=True, kw_only=True, tag="pass"):
    """The double is passed."""


class Beaver(Sided, frozen=True, kw_only=True, tag="beaver"):
    """The double is taken and doubled at once."""


class Raccoon(Sided, frozen=True, kw_only=True, tag="raccoon"):
    """The beaver is doubled once more."""


class Resign(Sided, frozen=True, kw_only=True, tag="resign"):
    """A side gives the game up, or offers a settlement."""

    worth: Literal[1, 2, 3] = 1
    points: Annotated[Amount, Meta(description="a settlement for so many points instead")] | None = None


class Accept(Sided, frozen=True, kw_only=True, tag="accept"):
    """The resignation, or the dispute's question, is accepted."""


class Refuse(Sided, frozen=True, kw_only=True, tag="refuse"):
    """The resignation, or the dispute's question, is refused."""


class Condone(Sided, frozen=True, kw_only=True, tag="condone"):
    """An illegal play or a wrong start stands."""


class Correct(Sided, frozen=True, kw_only=True, tag="correct"):
    """An illegal play or a wrong start is taken back."""


class Amend(Act, frozen=True, kw_only=True, tag="amend"):
    """An earlier event is corrected."""

    event: Annotated[int, Meta(ge=0, le=2**31, description="its number `n` in the history")]
    to: Annotated[dict[str, Any], Meta(description="the fields of an action; without `type` of the same one")]
    why: Reason = ""


class SetPosition(Act, frozen=True, kw_only=True, tag="set_position"):
    """The board, the cube or the score is set; fields that are left out stay as they are."""

    xgid: Annotated[str, Meta(max_length=120)] | None = None
    gnubgid: Annotated[str, Meta(max_length=120)] | None = None
    pos: Checkers | None = None
    on_roll: Seat | None = None
    cube: CubeSet | None = None
    score: Points | None = None
    crawford: bool | None = None
    wrong_start: Annotated[bool, Meta(description="the game was begun from this wrong position")] = False


class NextGame(Act, frozen=True, kw_only=True, tag="next_game"):
    """The next game of the match begins."""

    swap_seats: bool = False
    orientation: Laid | None = None


class Clock(Act, frozen=True, kw_only=True, tag="clock"):
    """The clock is started, stopped or set."""

    order: Literal["start", "stop", "set"]
    south_ms: Amount | None = None
    north_ms: Amount | None = None
    why: Reason = ""


class Settings(Act, frozen=True, kw_only=True, tag="settings"):
    """Rules are changed in the middle of the match."""

    overrides: Annotated[dict[str, Any], Meta(min_length=1, description="settings by name")]


class CallDirector(Sided, frozen=True, kw_only=True, tag="call_director"):
    """The director is called, or has been."""

    over: Annotated[bool, Meta(description="the director has been")] = False


Action: TypeAlias = (
    NewMatch
    | Opening
    | Roll
    | Rule
    | Play
    | Undo
    | Done
    | Lift
    | Double
    | Take
    | Pass
    | Beaver
    | Raccoon
    | Resign
    | Accept
    | Refuse
    | Condone
    | Correct
    | Amend
    | SetPosition
    | NextGame
    | Clock
    | Settings
    | CallDirector
)

BY_TYPE: Mapping[str, type[Act]] = {str(one.__struct_config__.tag): one for one in get_args(Action)}
"""The actions by their `type`."""

_NO_NAME = f"A player's name is a text of at most {LONGEST_NAME} letters."
_NO_SIDE = "A side is south or north."
_NO_REASON = "A reason is a text of at most 200 letters."
_NO_ID = "A position's id is a text of at most 120 letters."

SENTENCES: Mapping[str, str] = {
    "seq": "“seq” is the number of the state that the action was made for.",
    "side": _NO_SIDE,
    "why": _NO_REASON,
    "length": f"A match is for 1 to {LONGEST_MATCH} points; 0 is money play.",
    "players": _NO_NAME,
    "profile": "A match has a profile's name, and settings by their names.",
    "overrides": "Say which settings are to change, as {name: value}.",
    "orientation": "South's home lies right or left, and his checkers are light or dark.",
    "south": "The opening is one die for each side, 1 to 6, or a list of two.",
    "north": "The opening is one die for each side, 1 to 6, or a list of two.",
    "dice": "A roll is two dice.",
    "ruling": "A ruling is “valid” or “cocked”.",
    "penalty": "A penalty says to whom how many points go.",
    "moves": f"The moves of a play are a list of at most {MOST_MOVES}, each from a point and to a point.",
    "text": "The text of a play has at most 120 letters.",
    "result": "A position is 26 numbers of checkers.",
    "made": "“made” is true or false.",
    "worth": "A resignation is for a single game, a gammon or a backgammon.",
    "points": "A settlement is for a whole number of points.",
    "event": "There is no event of this number.",
    "to": "Say what the event should have said.",
    "xgid": _NO_ID,
    "gnubgid": _NO_ID,
    "pos": "A position is 26 numbers of checkers.",
    "on_roll": _NO_SIDE,
    "cube": "A cube has a value, and is south's, north's or in the middle.",
    "score": "A score is a whole number of points for each side.",
    "crawford": "“crawford” is true or false.",
    "wrong_start": "“wrong_start” is true or false.",
    "swap_seats": "“swap_seats” is true or false.",
    "order": "The clock is started, stopped or set.",
    "south_ms": "A reserve is a whole number of milliseconds.",
    "north_ms": "A reserve is a whole number of milliseconds.",
    "over": "“over” is true or false.",
}
"""The refusal of a field that is missing or has another shape, by the field's name."""


def read_action(body: object) -> Action:
    """The action in a JSON object.

    Raises:
        BadShapeError: it is no action, or a field is missing or has another shape; the sentence says which.
    """
    try:
        action: Action = msgspec.convert(body, Action)
    except msgspec.ValidationError as error:
        raise BadShapeError(_fault(body)) from error
    return action


def _fault(body: object) -> str:
    """The sentence about the first field that does not fit."""
    if not isinstance(body, Mapping):
        return "An action is a JSON object."
    kind = body.get("type")
    if not isinstance(kind, str) or kind not in BY_TYPE:
        return f"An action has a “type”, one of {', '.join(BY_TYPE)}."
    for field in msgspec.structs.fields(BY_TYPE[kind]):
        try:
            if field.name in body:
                msgspec.convert(body[field.name], field.type)
        except msgspec.ValidationError:
            return SENTENCES[field.name]
        if field.required and field.name not in body:
            return SENTENCES[field.name]
    return "The action does not have the shape of one."


def action_components() -> dict[str, Schema]:
    """The JSON Schema of each action and its parts, by name, for OpenAPI 3.1."""
    return components(*BY_TYPE.values())
