"""Shapes of the actions: each type is one action of docs/PROTOCOL.md, checked here and nowhere else.

/api/openapi.json is derived from these types. `null` equals a missing field; unknown fields are ignored, so that a
newer page can talk to an older table.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from companion.errors import BadShapeError
from companion.protocol.shapes import Checkers, Face, Hop, Pinned, Seat
from companion.rules.board import Side

LONGEST_MATCH = 99
"""Points; the usual match formats go no further."""
LONGEST_NAME = 80
"""Length limit of a player's name, in letters."""
MOST_MOVES = 8
"""A doublet of the entry game has four top and four bottom moves (docs/rules/play.md, row S5)."""

Seq = Annotated[int, Meta(ge=0, le=2**53, description="the state's seq that the action was made for")]
Length = Annotated[int, Meta(ge=0, le=LONGEST_MATCH, description="points; 0 is money play")]
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Partner = Annotated[Name, Meta(description="of a chouette: the one on whose cube it is")]
Partners = Annotated[list[Name], Meta(max_length=20)]
Amount = Annotated[int, Meta(ge=0, le=2**31)]
Reason = Annotated[str, Meta(max_length=200)]
TwoDice = Annotated[list[Face], Meta(min_length=2, max_length=2)]
OpeningThrow = Annotated[
    Face | Annotated[list[Face], Meta(min_length=1, max_length=2)],
    Meta(description="one die, or the list of both where each side throws two"),
]
VoidWord = Annotated[
    Literal["cocked", "by_hand"],
    Meta(description="the dice do not count: they were cocked, or thrown by hand and not from a cup"),
]
Moves = Annotated[list[Hop], Meta(max_length=MOST_MOVES)]


class Names(Struct, frozen=True):
    """The players' names; a missing name stays the usual one."""

    south: Name | None = None
    north: Name | None = None


class Points(Struct, frozen=True):
    """A number for each side; a missing one stays unchanged."""

    south: Amount | None = None
    north: Amount | None = None


class Laid(Struct, frozen=True):
    """The side of south's home board, and the shade of south's checkers."""

    home: Literal["right", "left"] = "right"
    south: Literal["light", "dark"] = "light"


class CubeSet(Struct, frozen=True):
    """Value and place of the cube."""

    value: Amount | None = None
    owner: Literal["south", "north", "middle"] | None = None


class Penalty(Struct, frozen=True):
    """A director's penalty: a number of points, or minutes of lateness; 1 point without either."""

    to: Seat
    points: Amount | None = None
    minutes: Amount | None = None
    why: Reason = ""


class Act(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Fields of all actions."""

    seq: Seq

    @property
    def kind(self) -> str:
        """The action's `type`."""
        return str(self.__struct_config__.tag)


class Sided(Act, frozen=True, kw_only=True):
    """An action of one side; without `side`, of the side whose turn or answer it is."""

    side: Seat | None = None

    @property
    def given_side(self) -> Side | None:
        """The side in the field `side`, None without one."""
        return Side(self.side) if self.side else None


class Decision(Sided, frozen=True, kw_only=True):
    """An action of one side with the question that it decides, and the reason."""

    question: Reason = ""
    why: Reason = ""


class NewMatch(Act, frozen=True, kw_only=True, tag="new_match"):
    """Begin a match; missing fields have the usual values."""

    length: Length | None = None
    players: Names | None = None
    profile: Annotated[str, Meta(max_length=40)] | None = None
    overrides: (
        Annotated[dict[str, Any], Meta(description="single settings of the profile, by name")] | None
    ) = None
    orientation: Laid | None = None
    pairing: (
        Annotated[str, Meta(max_length=40, description="the offer's, to begin the hall's match")] | None
    ) = None
    chouette: (
        Annotated[Partners, Meta(description="a chouette's players, the box first, then the captain")] | None
    ) = None
    dry_run: Annotated[
        bool, Meta(description="only say whether the match can begin; the table stays as it is")
    ] = False


class Opening(Act, frozen=True, kw_only=True, tag="opening"):
    """Enter the opening dice; a side that has not thrown yet may be missing."""

    south: OpeningThrow | None = None
    north: OpeningThrow | None = None
    void: VoidWord | None = None


class Roll(Sided, frozen=True, kw_only=True, tag="roll"):
    """Enter a roll."""

    dice: TwoDice
    void: VoidWord | None = None


class Rule(Act, frozen=True, kw_only=True, tag="rule"):
    """Overrule the machine, or give penalty points."""

    dice: TwoDice | None = None
    ruling: Literal["cocked", "valid"] | None = None
    void: VoidWord | None = None
    penalty: Penalty | None = None
    question: Reason = ""
    why: Reason = ""


class Play(Act, frozen=True, kw_only=True, tag="play"):
    """Enter a play by its moves so far, its text, or the position after it."""

    moves: Moves | None = None
    text: Annotated[str, Meta(max_length=120)] | None = None
    result: Checkers | None = None
    under: Pinned | None = None
    made: Annotated[bool, Meta(description="it is on the board, legal or not")] = False


class NameDoublet(Act, frozen=True, kw_only=True, tag="name"):
    """Name the doublet to be played after 2-1."""

    number: Face


class Undo(Act, frozen=True, kw_only=True, tag="undo"):
    """Take back the last move of a half-made play, or the last step."""


class Resume(Act, frozen=True, kw_only=True, tag="resume"):
    """Return to the match before, as long as nothing was played in this one."""


class Done(Sided, frozen=True, kw_only=True, tag="done"):
    """End the turn; the play stands."""


class Lift(Sided, frozen=True, kw_only=True, tag="lift"):
    """Pick up the dice."""


class Double(Sided, frozen=True, kw_only=True, tag="double"):
    """Offer a double for the side on roll."""

    partners: (
        Annotated[Partners, Meta(description="of a chouette: on whose cubes; without it on all")] | None
    ) = None


class Take(Sided, frozen=True, kw_only=True, tag="take"):
    """Take the double."""

    partner: Partner | None = None


class Pass(Sided, frozen=True, kw_only=True, tag="pass"):
    """Pass the double."""

    partner: Partner | None = None


class Beaver(Sided, frozen=True, kw_only=True, tag="beaver"):
    """Take the double and redouble at once."""


class Raccoon(Sided, frozen=True, kw_only=True, tag="raccoon"):
    """Double the beaver once more."""


class Resign(Sided, frozen=True, kw_only=True, tag="resign"):
    """Resign the game, or offer a settlement."""

    worth: Literal[1, 2, 3] = 1
    points: Annotated[Amount, Meta(description="a settlement for so many points instead")] | None = None


class Accept(Decision, frozen=True, kw_only=True, tag="accept"):
    """Accept the resignation, or the dispute's question."""


class Refuse(Decision, frozen=True, kw_only=True, tag="refuse"):
    """Refuse the resignation, or the dispute's question."""


class Condone(Decision, frozen=True, kw_only=True, tag="condone"):
    """Let an illegal play or a wrong start stand."""


class Correct(Decision, frozen=True, kw_only=True, tag="correct"):
    """Take back an illegal play or a wrong start."""


class Amend(Act, frozen=True, kw_only=True, tag="amend"):
    """Correct an earlier event."""

    event: Annotated[int, Meta(ge=0, le=2**31, description="its number `n` in the history")]
    to: Annotated[dict[str, Any], Meta(description="the fields of an action; without `type` of the same one")]
    why: Reason = ""


class SetPosition(Act, frozen=True, kw_only=True, tag="set_position"):
    """Set the board, the cube or the score; missing fields stay unchanged."""

    xgid: Annotated[str, Meta(max_length=120)] | None = None
    gnubgid: Annotated[str, Meta(max_length=120)] | None = None
    pos: Checkers | None = None
    under: Pinned | None = None
    not_entered: Annotated[Points, Meta(description="checkers on the bar that were not hit")] | None = None
    on_roll: Seat | None = None
    dice: Annotated[TwoDice, Meta(description="thrown by the side on roll")] | None = None
    cube: CubeSet | None = None
    score: Points | None = None
    crawford: bool | None = None
    wrong_start: Annotated[bool, Meta(description="the game was begun from this wrong position")] = False
    question: Reason = ""
    why: Reason = ""


class NextGame(Act, frozen=True, kw_only=True, tag="next_game"):
    """Begin the next game of the match."""

    swap_seats: bool = False
    orientation: Laid | None = None


class Clock(Act, frozen=True, kw_only=True, tag="clock"):
    """Start, stop or set the clock."""

    order: Literal["start", "stop", "set"]
    south_ms: Amount | None = None
    north_ms: Amount | None = None
    why: Reason = ""


class Settings(Act, frozen=True, kw_only=True, tag="settings"):
    """Change rules during the match."""

    overrides: Annotated[dict[str, Any], Meta(min_length=1, description="settings by name")]
    question: Reason = ""
    why: Reason = ""


class CallDirector(Decision, frozen=True, kw_only=True, tag="call_director"):
    """Call the director, or end his visit."""

    over: Annotated[bool, Meta(description="the director has come")] = False


Action: TypeAlias = (
    NewMatch
    | Opening
    | Roll
    | Rule
    | Play
    | NameDoublet
    | Undo
    | Resume
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

_NO_SIDE = "A side is south or north."
_NO_ID = "A position's id is a text of at most 120 letters."

SENTENCES: Mapping[str, str] = {
    "seq": "“seq” is the number of the state that the action was made for.",
    "side": _NO_SIDE,
    "why": "A reason is a text of at most 200 letters.",
    "question": "A question is a text of at most 200 letters.",
    "length": f"A match is for 1 to {LONGEST_MATCH} points; 0 is money play.",
    "players": f"A player's name is a text of at most {LONGEST_NAME} letters.",
    "profile": "A match has a profile's name, and settings by their names.",
    "overrides": "Say which settings are to change, as {name: value}.",
    "pairing": "A pairing is a text of at most 40 letters.",
    "chouette": "The players of a chouette are a list of names.",
    "partners": "The partners are a list of names.",
    "partner": f"A player's name is a text of at most {LONGEST_NAME} letters.",
    "orientation": "South's home lies right or left, and his checkers are light or dark.",
    "south": "The opening is one die for each side, 1 to 6, or a list of two.",
    "north": "The opening is one die for each side, 1 to 6, or a list of two.",
    "dice": "A roll is two dice.",
    "ruling": "A ruling is “valid” or “cocked”.",
    "void": "A throw does not count because it was “cocked” or thrown “by_hand”.",
    "penalty": "A penalty says to whom how many points go.",
    "moves": f"The moves of a play are a list of at most {MOST_MOVES}, each from a point and to a point.",
    "text": "The text of a play has at most 120 letters.",
    "result": "A position is 26 numbers of checkers.",
    "worth": "A resignation is for a single game, a gammon or a backgammon.",
    "points": "A settlement is for a whole number of points.",
    "event": "There is no event of this number.",
    "to": "Say what the event should have said.",
    "xgid": _NO_ID,
    "gnubgid": _NO_ID,
    "pos": "A position is 26 numbers of checkers.",
    "under": "The pinned checkers are 26 numbers, -1, 0 or 1.",
    "on_roll": _NO_SIDE,
    "cube": "A cube has a value, and is south's, north's or in the middle.",
    "score": "A score is a whole number of points for each side.",
    "dry_run": "“dry_run” is true or false.",
    "order": "The clock is started, stopped or set.",
    "south_ms": "A reserve is a whole number of milliseconds.",
    "north_ms": "A reserve is a whole number of milliseconds.",
    "number": "A doublet has a number, 1 to 6.",
    "not_entered": "A count of checkers is a whole number for each side.",
    "made": "“made” is true or false.",
    "crawford": "“crawford” is true or false.",
    "wrong_start": "“wrong_start” is true or false.",
    "swap_seats": "“swap_seats” is true or false.",
    "over": "“over” is true or false.",
}
"""The refusal of a missing or misshapen field, by the field's name."""


def read_action(body: object) -> Action:
    """The action in a JSON object.

    Raises:
        BadShapeError: it is no action, or a field is missing or misshapen; the sentence names the field.
    """
    try:
        action: Action = msgspec.convert(body, Action)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # half a surrogate pair is no text
        raise BadShapeError(_fault(body)) from error
    return action


def _fault(body: object) -> str:
    """The refusal of the first field that does not fit."""
    if not isinstance(body, Mapping):
        return "An action is a JSON object."
    kind = body.get("type")
    if not isinstance(kind, str) or kind not in BY_TYPE:
        return f"An action has a “type”, one of {', '.join(BY_TYPE)}."
    for field in msgspec.structs.fields(BY_TYPE[kind]):
        if field.required or field.name in body:
            try:
                msgspec.convert(body.get(field.name), field.type)
            except (msgspec.ValidationError, UnicodeEncodeError):
                return SENTENCES[field.name]
    return "The action does not have the shape of one."
