"""A new match, a corrected beginning, positions and settings: actions to events, and the rules menu."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, cast

from companion.errors import BadTextError
from companion.game.events import (
    MatchBegan,
    NextGame,
    Orientation,
    PlainEvent,
    PositionSet,
    Setting,
    SettingsChanged,
    WrongStartFound,
)
from companion.game.state import State
from companion.game.step import Table
from companion.protocol.fields import Act, count_in, mapping_in, side_in, text_in
from companion.protocol.permissions import Asker
from companion.records.ids import told_by_id
from companion.rules.board import Board, Position, Side
from companion.rules.profile import AT_TABLE, LABELS, Profile, labels_of, values_of
from companion.rules.profiles import PROFILES, profile_named
from sentence import say, spoken

_AS_USUAL = Orientation()


@dataclass(frozen=True, slots=True)
class Usual:
    """What a new match begins with where nobody says otherwise."""

    profile: str = "modern"
    length: int = 5
    south: str = ""
    north: str = ""
    overrides: Mapping[str, object] | None = None
    orientation: Orientation = _AS_USUAL


def new_match(
    act: Act, table: Table, asker: Asker, profiles: Mapping[str, Profile], usual: Usual
) -> MatchBegan:
    name = act.get("profile", usual.profile)
    overrides = act.get("overrides", usual.overrides if name == usual.profile else None) or {}
    if not isinstance(name, str) or not isinstance(overrides, Mapping):
        raise BadTextError(say("A match has a profile's name, and settings by their names."))
    profile = profile_named(name, profiles).with_overrides(overrides)
    players = mapping_in(act, "players")
    length = act.get("length", usual.length)
    if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= 99:
        raise BadTextError(say("A match is for 1 to 99 points; 0 is money play."))
    south, north = (name_in(players, side, getattr(usual, side)) for side in ("south", "north"))
    return MatchBegan(
        _new_id(asker.at_ms),
        south,
        north,
        length,
        profile.name,
        settings_of(profile),
        orientation_in(act) or usual.orientation,
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


def name_in(players: object, side: str, usual: str) -> str:
    given = players.get(side, usual) if isinstance(players, Mapping) else usual
    if not isinstance(given, str):
        raise BadTextError(say("A player's name is a text."))
    return " ".join("".join(c if c.isprintable() else " " for c in given).split())[:60]


def orientation_in(act: Act) -> Orientation | None:
    given = mapping_in(act, "orientation")
    if not given:
        return None
    home, south = given.get("home", "right"), given.get("south", "light")
    if home not in ("right", "left") or south not in ("light", "dark"):
        raise BadTextError(say("South's home lies right or left, and his checkers are light or dark."))
    return Orientation(home, south)


def corrected_beginning(began: MatchBegan, to: Act) -> MatchBegan:
    """The beginning of the match with other names, another length, or the board lying otherwise.

    Its rules are changed with `settings`, which leaves what was ruled before as it was.
    """
    if not set(to) & {"players", "length", "orientation"}:
        raise BadTextError(
            say("Of a match's beginning the players, the length and the orientation can be corrected.")
        )
    players, length = mapping_in(to, "players"), to.get("length", began.length)
    if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= 99:
        raise BadTextError(say("A match is for 1 to 99 points; 0 is money play."))
    south, north = (name_in(players, side, getattr(began, side)) for side in ("south", "north"))
    orientation = orientation_in(to) or began.orientation
    return replace(began, south=south, north=north, length=length, orientation=orientation)


def rules_menu(
    usual: Mapping[str, Any], now: Profile | None, profiles: Mapping[str, Profile] = PROFILES
) -> dict[str, Any]:
    """What a page offers when a match is begun or its rules are changed.

    Args:
        usual: what a new match begins with where nobody says otherwise; handed on as it is.
        now: the rules of the running match; None without one.
        profiles: the rules there are.

    Returns:
        {"profiles": [{"name", "title", "settings": {switch: value}}], "switches": [{"name", "label", "values": words,
        true and false, or null for a number, "labels": one for each value, or null}], "usual",
        "now": {switch: value} or null}; with "say" beside titles and labels.
    """
    return {
        "profiles": [
            {"name": one.name, **spoken(title=one.title), "settings": _at_table(one)}
            for one in profiles.values()
        ],
        "switches": [_switch(name) for name in AT_TABLE],
        "usual": dict(usual),
        "now": _at_table(now) if now else None,
    }


def _at_table(profile: Profile) -> dict[str, Any]:
    every = profile.settings()
    return {name: every[name] for name in AT_TABLE}


def _switch(name: str) -> dict[str, Any]:
    labels = labels_of(name)
    said = spoken(label=LABELS[name]) if labels is None else spoken(label=LABELS[name], labels=labels)
    return {"name": name, "values": values_of(name), "labels": None, **said}


def set_position(act: Act, state: State, asker: Asker) -> PlainEvent:
    for name in ("xgid", "gnubgid"):
        if name in act:
            return told_by_id(text_in(act, name), state.terms.length, state.terms.profile.checkers)
    board, on_roll = None, side_in({"side": act.get("on_roll")})
    if "pos" in act:
        position = Position.of_ints(act["pos"], checkers=state.terms.profile.checkers)
        board = Board.of(on_roll or Side.SOUTH, position)
    if act.get("wrong_start") is True:
        if board is None:
            raise BadTextError(say("Say how the checkers stand."))
        return WrongStartFound(board.south, board.north)
    cube, score = mapping_in(act, "cube"), mapping_in(act, "score")
    owner = cube.get("owner", "middle") or "middle" if cube else None
    if owner not in (None, "south", "north", "middle"):
        raise BadTextError(say("The cube is south's, north's or in the middle."))
    return PositionSet(
        board.south if board else None,
        board.north if board else None,
        on_roll,
        count_in(cube, "value"),
        cast(Literal["south", "north", "middle"] | None, owner),
        count_in(score, "south"),
        count_in(score, "north"),
        act["crawford"] if isinstance(act.get("crawford"), bool) else None,
    )


def next_game_begun(act: Act, state: State, asker: Asker) -> NextGame:
    return NextGame(act.get("swap_seats", False) is True, orientation_in(act))


def settings_changed(act: Act, state: State, asker: Asker) -> SettingsChanged:
    overrides = act.get("overrides")
    if not isinstance(overrides, Mapping) or not overrides:
        raise BadTextError(say("Say which settings are to change, as {name: value}."))
    changed = state.terms.profile.with_overrides(overrides)
    every = {setting.name: setting for setting in settings_of(changed)}
    before = {setting.name: setting for setting in settings_of(state.terms.profile)}
    changes = tuple(
        setting for name, setting in every.items() if before[name] != setting or name in overrides
    )
    return SettingsChanged(changes)
