"""The page's actions to events of the game: the words of docs/PROTOCOL.md, checked against the table.

Every refusal is a GameError with a sentence; one that is about who asks and not about what is a RoleError.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, cast

from companion.dice import Die, Roll, die
from companion.errors import (
    BadPositionError,
    BadTextError,
    GameError,
    IllegalPlayError,
    OutOfTurnError,
    RoleError,
)
from companion.events import (
    Amended,
    Answer,
    AnyEvent,
    ClockOrder,
    ClockSet,
    DirectorCalled,
    DisputeAnswered,
    DoubleAnswered,
    DoubleOffered,
    Event,
    Lifted,
    MatchBegan,
    NextGame,
    OpeningThrown,
    Orientation,
    Overruled,
    PenaltyGiven,
    PlainEvent,
    PlayEntered,
    PositionSet,
    Remedy,
    ResignationAnswered,
    Resigned,
    RollTyped,
    Setting,
    SettingsChanged,
    Thrown,
    TurnEnded,
    Undone,
    WrongStartFound,
)
from companion.identify import told_by_id
from companion.lawful import Turn
from companion.notation import carry_out, find_play, read_hops
from companion.position import Position
from companion.profile import Profile
from companion.profiles import PROFILES, profile_named
from companion.side import Side
from companion.state import Board, OnRoll, Opening, Played, Resigning, Rolled, State
from companion.table import Table
from companion.turn import turn_of

Act: TypeAlias = Mapping[str, Any]
RoleName: TypeAlias = Literal["viewer", "player", "scorekeeper", "director"]

PLAYERS_MAY = frozenset(
    {"take", "pass", "beaver", "raccoon", "accept", "refuse", "condone", "correct", "call_director"}
)
"""A player answers what he is asked and calls the director (the contract's words)."""
DIRECTOR_ONLY = frozenset({"amend", "settings"})


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


@dataclass(frozen=True, slots=True)
class Usual:
    """What a new match begins with where nobody says otherwise."""

    profile: str = "modern"
    length: int = 5
    south: str = ""
    north: str = ""
    overrides: Mapping[str, object] | None = None


def may_ask(role: RoleName, kind: str) -> bool:
    """Whether a role may ever send this type of action."""
    if role == "player":
        return kind in PLAYERS_MAY
    if role == "scorekeeper":
        return kind not in DIRECTOR_ONLY
    return role == "director"


def event_of(
    act: Act,
    table: Table,
    asker: Asker,
    profiles: Mapping[str, Profile] = PROFILES,
    usual: Usual | None = None,
) -> AnyEvent:
    """The event that an action tells; whether the rules allow it now is for `step` to say.

    Args:
        act: `{"type", …}` as docs/PROTOCOL.md lists them.
        table: as it is now, to know whose moves and which event are meant.
        asker: who asks, and the time that the event is to carry.
        profiles: the rules that may be named for a new match.
        usual: what is left out of a new match.

    Raises:
        RoleError: this role may not do that, or it is another side's to answer.
        GameError: the action makes no sense; the sentence says why.
    """
    kind = _text(act, "type")
    if not may_ask(asker.role, kind):
        raise RoleError(f"A {asker.role} cannot do this.")
    if kind == "new_match":
        event: AnyEvent = _new_match(act, table, asker, profiles, usual or Usual())
    elif kind == "amend":
        event = _amend(act, table, asker)
    else:
        event = _plain(kind, act, _state(table), asker)
    return replace(event, at_ms=asker.at_ms, by=asker.said_by)


def _state(table: Table) -> State:
    if table.state is None:
        raise OutOfTurnError("No match has begun.")
    return table.state


def _plain(kind: str, act: Act, state: State, asker: Asker) -> PlainEvent:
    handler = _HANDLERS.get(kind)
    if handler is None:
        raise BadTextError(f"There is no action “{kind}”.")
    return handler(act, state, asker)


# New matches


def _new_match(
    act: Act, table: Table, asker: Asker, profiles: Mapping[str, Profile], usual: Usual
) -> MatchBegan:
    name = act.get("profile", usual.profile)
    overrides = act.get("overrides", usual.overrides if name == usual.profile else None) or {}
    if not isinstance(name, str) or not isinstance(overrides, Mapping):
        raise BadTextError("A match has a profile's name, and settings by their names.")
    profile = profile_named(name, profiles).with_overrides(overrides)
    players = act.get("players") or {}
    length = act.get("length", usual.length)
    if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= 99:
        raise BadTextError("A match is for 1 to 99 points; 0 is money play.")
    south, north = (_name(players, side, getattr(usual, side)) for side in ("south", "north"))
    return MatchBegan(
        _new_id(asker.at_ms),
        south,
        north,
        length,
        profile.name,
        settings_of(profile),
        _orientation(act) or Orientation(),
    )


def settings_of(profile: Profile) -> tuple[Setting, ...]:
    """All settings of a profile, as a match's first event keeps them."""
    return tuple(Setting(name, _kept(name, value, profile)) for name, value in profile.settings().items())


def _kept(name: str, value: object, profile: Profile) -> bool | int | str | tuple[int | str, ...]:
    if isinstance(value, Mapping):
        return profile.start
    if isinstance(value, (list, tuple)):
        return tuple(value)
    assert isinstance(value, (bool, int, str)), name
    return value


def _new_id(at_ms: int) -> str:
    """A match is called by the moment at which it began."""
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y%m%d-%H%M%S}-{at_ms % 1000:03d}"


def _name(players: object, side: str, usual: str) -> str:
    given = players.get(side, usual) if isinstance(players, Mapping) else usual
    if not isinstance(given, str):
        raise BadTextError("A player's name is a text.")
    return " ".join("".join(c if c.isprintable() else " " for c in given).split())[:60]


def _orientation(act: Act) -> Orientation | None:
    given = act.get("orientation")
    if given is None:
        return None
    home, south = given.get("home", "right"), given.get("south", "light")
    if home not in ("right", "left") or south not in ("light", "dark"):
        raise BadTextError("South's home lies right or left, and his checkers are light or dark.")
    return Orientation(home, south)


# The turn


def _opening(act: Act, state: State, asker: Asker) -> OpeningThrown:
    return OpeningThrown(_dice(act.get("south")), _dice(act.get("north")))


def _dice(given: object) -> tuple[Die, ...]:
    if given is None:
        return ()
    return tuple(die(one) for one in given) if isinstance(given, list) else (die(cast(int, given)),)


def _roll(act: Act, state: State, asker: Asker) -> RollTyped:
    return RollTyped(_roll_in(act), _side(act))


def _roll_in(act: Act) -> Roll:
    dice = act.get("dice")
    if not isinstance(dice, list) or len(dice) != 2:
        raise BadTextError("A roll is two dice.")
    return Roll.of(*dice)


def _rule(act: Act, state: State, asker: Asker) -> PlainEvent:
    if "penalty" in act:
        return _penalty(act["penalty"], asker)
    if "dice" in act:
        return Overruled(_roll_in(act))
    if act.get("ruling") == "cocked":
        return Overruled(None)
    if act.get("ruling") == "valid":
        faces = [one.face for one in state.throw.dice] if state.throw else []
        if len(faces) != 2 or None in faces:
            raise BadTextError("Say what the dice show.")
        return Overruled(Roll.of(cast(int, faces[0]), cast(int, faces[1])))
    raise BadTextError("Say what the throw counts as, or that it is cocked.")


def _penalty(given: object, asker: Asker) -> PenaltyGiven:
    """Penalty points are the director's: {"to", "points", "why"}."""
    if asker.role != "director":
        raise RoleError("Penalty points are for the director to give.")
    if not isinstance(given, Mapping):
        raise BadTextError("A penalty says to whom how many points go.")
    points, side = given.get("points", 1), _side({"side": given.get("to")})
    if side is None or isinstance(points, bool) or not isinstance(points, int):
        raise BadTextError("A penalty says to whom how many points go.")
    return PenaltyGiven(side, points, _text(given, "why", ""))


def _play(act: Act, state: State, asker: Asker) -> PlayEntered:
    made = act.get("made", False) is True
    if "moves" in act:
        return PlayEntered(tuple(_move(one) for one in act["moves"]), made=made)
    if "result" in act:
        left = _left(act["result"], state.terms.profile.checkers, made)
        return PlayEntered(mine=left.mine, theirs=left.theirs, made=made)
    if "text" in act:
        return _play_of_text(_text(act, "text"), _turn(state), made)
    raise BadTextError("A play is told by its moves, its text or the position that it leaves.")


def _left(ints: object, checkers: int, made: bool) -> Position:
    """The position that a play leaves; one that is said to lie on the board may have too many checkers."""
    given = cast(list[int], ints)
    if not made:
        return Position.of_ints(given, checkers=checkers)
    bare = Position.of_ints(given, (0, 0))
    mine, theirs = (max(0, checkers - sum(side[1:])) for side in (bare.mine, bare.theirs))
    return Position.of_ints(given, (mine, theirs))


def _play_of_text(text: str, turn: Turn, made: bool) -> PlayEntered:
    """A play in any usual spelling; one that is not legal only if it is said to lie on the board."""
    hops = read_hops(text)
    try:
        play = find_play(hops, turn.plays())
    except IllegalPlayError:
        if not made:
            raise
        left = carry_out(turn.position, hops)
        return PlayEntered(mine=left.mine, theirs=left.theirs, made=True)
    return PlayEntered(tuple((move.source, move.target) for move in play), made=made)


def _turn(state: State) -> Turn:
    """The roll that is to be played, or that has been and may still be played otherwise."""
    match state.phase:
        case Rolled(side=side, roll=roll) | OnRoll(side=side, kept=Roll() as roll):
            return turn_of(state, side, roll)
        case Played(side=side, roll=Roll() as roll, before=before):
            return turn_of(replace(state, board=before), side, roll)
    raise OutOfTurnError("There is no roll to be played now.")


def _move(given: object) -> tuple[int, int]:
    whole = isinstance(given, list) and len(given) == 2 and all(type(place) is int for place in given)
    if not whole or not all(0 <= place <= 25 for place in cast(list[int], given)):
        raise BadTextError("A move is the point it leaves and the point it comes to.")
    return cast(list[int], given)[0], cast(list[int], given)[1]


def _end(act: Act, state: State, asker: Asker) -> TurnEnded:
    return TurnEnded(_side(act))


# Cube, resignations, disputes


def _double(act: Act, state: State, asker: Asker) -> DoubleOffered:
    return DoubleOffered(_side(act) or asker.seat)


def _answered(answer: Answer) -> "Handler":
    return lambda act, state, asker: DoubleAnswered(answer, _side(act, asker))


def _resign(act: Act, state: State, asker: Asker) -> Resigned:
    side = _side(act) or getattr(state.phase, "side", None)
    if side is None:
        raise BadTextError("Say which side resigns.")
    worth, points = act.get("worth", 1), act.get("points")
    if type(worth) is not int or worth not in (1, 2, 3):
        raise BadTextError("A resignation is for a single game, a gammon or a backgammon.")
    if points is not None and type(points) is not int:
        raise BadTextError("A settlement is for a whole number of points.")
    return Resigned(side, cast(Literal[1, 2, 3], worth), points)


def _agree(accepted: bool) -> "Handler":
    def handler(act: Act, state: State, asker: Asker) -> PlainEvent:
        if isinstance(state.phase, Resigning):
            return ResignationAnswered(accepted, _side(act, asker))
        remedy = Remedy.ACCEPT if accepted else Remedy.REFUSE
        return DisputeAnswered(remedy, _side(act, asker))

    return handler


def _settle(remedy: Remedy) -> "Handler":
    return lambda act, state, asker: DisputeAnswered(remedy, _side(act, asker))


# Director and set-up


def _set_position(act: Act, state: State, asker: Asker) -> PlainEvent:
    for name in ("xgid", "gnubgid"):
        if name in act:
            return told_by_id(_text(act, name), state.terms.profile.checkers)
    board, on_roll = None, _side({"side": act.get("on_roll")})
    if "pos" in act:
        position = Position.of_ints(act["pos"], checkers=state.terms.profile.checkers)
        board = Board.of(on_roll or Side.SOUTH, position)
    if act.get("wrong_start") is True:
        if board is None:
            raise BadTextError("Say how the checkers stand.")
        return WrongStartFound(board.south, board.north)
    cube, score = act.get("cube") or {}, act.get("score") or {}
    owner = cube.get("owner", "middle") or "middle" if cube else None
    if owner not in (None, "south", "north", "middle"):
        raise BadTextError("The cube is south's, north's or in the middle.")
    return PositionSet(
        board.south if board else None,
        board.north if board else None,
        on_roll,
        _count(cube, "value"),
        cast(Literal["south", "north", "middle"] | None, owner),
        _count(score, "south"),
        _count(score, "north"),
        act["crawford"] if isinstance(act.get("crawford"), bool) else None,
    )


def _next_game(act: Act, state: State, asker: Asker) -> NextGame:
    return NextGame(act.get("swap_seats", False) is True, _orientation(act))


def _clock(act: Act, state: State, asker: Asker) -> ClockSet:
    orders = {order.value: order for order in ClockOrder}
    order = act.get("order")
    if order not in orders:
        raise BadTextError(f"The clock is told to {', '.join(orders)}.")
    return ClockSet(orders[order], _count(act, "south_ms"), _count(act, "north_ms"), _text(act, "why", ""))


def _settings(act: Act, state: State, asker: Asker) -> SettingsChanged:
    overrides = act.get("overrides")
    if not isinstance(overrides, Mapping) or not overrides:
        raise BadTextError("Say which settings are to change, as {name: value}.")
    changed = state.terms.profile.with_overrides(overrides)
    every = {setting.name: setting for setting in settings_of(changed)}
    before = {setting.name: setting for setting in settings_of(state.terms.profile)}
    changes = tuple(
        setting for name, setting in every.items() if before[name] != setting or name in overrides
    )
    return SettingsChanged(changes)


def _call_director(act: Act, state: State, asker: Asker) -> DirectorCalled:
    over = act.get("over", False) is True
    if over and asker.role == "player":
        raise RoleError("Only the scorekeeper or the director can say that the director has been.")
    return DirectorCalled(asker.seat or _side(act), over)


def _amend(act: Act, table: Table, asker: Asker) -> Amended:
    """An earlier event in the words of an action; without `type` it stays the kind of event it was."""
    number, to = act.get("event"), act.get("to")
    if type(number) is not int or not 1 <= number <= len(table.entries):
        raise BadTextError("There is no event of this number.")
    if not isinstance(to, Mapping):
        raise BadTextError("Say what the event should have said.")
    entry = table.entries[number - 1]
    if isinstance(entry.event, MatchBegan):
        beginning = replace(_beginning(entry.event, to), by=asker.said_by)
        return Amended(number, beginning, _text(act, "why", ""))
    before = table.entries[number - 2].state
    kind = to.get("type") or _kind_of(entry.event, before)
    event = _plain(str(kind), {**to, "type": kind}, before, asker)
    kept = replace(event, at_ms=entry.event.at_ms, by=asker.said_by)
    return Amended(number, kept, _text(act, "why", ""))


def _beginning(began: MatchBegan, to: Act) -> MatchBegan:
    """The beginning of the match with other names, another length, or the board lying otherwise.

    Its rules are changed with `settings`, which leaves what was ruled before as it was.
    """
    if not set(to) & {"players", "length", "orientation"}:
        raise BadTextError(
            "Of a match's beginning the players, the length and the orientation can be corrected."
        )
    players, length = to.get("players") or {}, to.get("length", began.length)
    if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= 99:
        raise BadTextError("A match is for 1 to 99 points; 0 is money play.")
    south, north = (_name(players, side, getattr(began, side)) for side in ("south", "north"))
    orientation = _orientation(to) or began.orientation
    return replace(began, south=south, north=north, length=length, orientation=orientation)


def _kind_of(event: Event, before: State) -> str:
    """The type of action that tells this kind of event; a throw is told as what it counts."""
    if isinstance(event, Thrown):
        return "opening" if isinstance(before.phase, Opening) else "roll"
    kinds: Mapping[type, str] = {
        OpeningThrown: "opening",
        RollTyped: "roll",
        Overruled: "rule",
        PlayEntered: "play",
        PositionSet: "set_position",
        NextGame: "next_game",
        PenaltyGiven: "rule",
        SettingsChanged: "settings",
        Resigned: "resign",
    }
    if type(event) not in kinds:
        raise GameError("Say with a type what this event should have been.")
    return kinds[type(event)]


# Small things


def _side(act: Act, asker: Asker | None = None) -> Side | None:
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


def _text(act: Act, name: str, default: str | None = None) -> str:
    given = act.get(name, default)
    if not isinstance(given, str):
        raise BadTextError(f"“{name}” is a text.")
    return given


def _count(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if type(value) is not int or value < 0:
        raise BadPositionError(f"“{name}” is a whole number from 0 up.")
    return value


Handler: TypeAlias = Callable[[Act, State, Asker], PlainEvent]
_HANDLERS: Mapping[str, Handler] = {
    "opening": _opening,
    "roll": _roll,
    "rule": _rule,
    "play": _play,
    "undo": lambda act, state, asker: Undone(),
    "done": _end,
    "lift": lambda act, state, asker: Lifted(),
    "double": _double,
    "take": _answered(Answer.TAKE),
    "pass": _answered(Answer.PASS),
    "beaver": _answered(Answer.BEAVER),
    "raccoon": _answered(Answer.RACCOON),
    "resign": _resign,
    "accept": _agree(True),
    "refuse": _agree(False),
    "condone": _settle(Remedy.CONDONE),
    "correct": _settle(Remedy.CORRECT),
    "set_position": _set_position,
    "next_game": _next_game,
    "clock": _clock,
    "settings": _settings,
    "call_director": _call_director,
}
