"""Events of new matches, positions and settings from actions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from companion.errors import BadTextError
from companion.game import events
from companion.game.events import MatchBegan, Orientation, Setting
from companion.game.state import State
from companion.protocol.action_shapes import Laid, Names, NewMatch, Points, SetPosition, Settings
from companion.protocol.permissions import Asker
from companion.records.ids import position_set_of_id
from companion.rules.board import Board, Position, Roll, Side, points_in
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.profile import Profile
from companion.rules.profiles import profile_named
from sentence import say

_AS_USUAL = Orientation()

_JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiner: between letters, and between the parts of one emoji."""


@dataclass(frozen=True, slots=True)
class Usual:
    """Default terms of a new match."""

    profile: str = "modern"
    length: int = 5
    south: str = ""
    north: str = ""
    overrides: Mapping[str, object] | None = None
    orientation: Orientation = _AS_USUAL


def new_match(action: NewMatch, asker: Asker, profiles: Mapping[str, Profile], usual: Usual) -> MatchBegan:
    """The first event of a match; missing fields are as usual. BadSettingError for unknown rules or settings."""
    name = usual.profile if action.profile is None else action.profile
    overrides = action.overrides
    if overrides is None:
        overrides = dict(usual.overrides or {}) if name == usual.profile else {}
    profile = profile_named(name, profiles).with_chosen(overrides)
    chouette = tuple(map(_plain, action.chouette or ()))
    south, north = chouette[:2] if chouette[1:] else names_of(action.players, usual.south, usual.north)
    length = (0 if chouette else usual.length) if action.length is None else action.length
    orientation = orientation_of(action.orientation) or usual.orientation
    settings, title = settings_of(profile), "" if name in ALL_PROFILES else str(profile.title)
    return MatchBegan(
        _new_id(asker.at_ms),
        south,
        north,
        length,
        profile.name,
        settings,
        orientation,
        title,
        action.pairing or "",
        chouette,
    )


def settings_of(profile: Profile) -> tuple[Setting, ...]:
    """All settings of a profile in the form of a match's first event."""
    return tuple(Setting(name, _kept(name, value, profile)) for name, value in profile.settings().items())


def _kept(name: str, value: object, profile: Profile) -> bool | int | str | tuple[int | str, ...]:
    if isinstance(value, Mapping):
        return profile.start
    if isinstance(value, (list, tuple)):
        return tuple(value)
    assert isinstance(value, (bool, int, str)), name
    return value


def _new_id(at_ms: int) -> str:
    """The id of a match, from the time of its beginning (UTC)."""
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y%m%d-%H%M%S}-{at_ms % 1000:03d}"


def names_of(given: Names | None, south: str, north: str) -> tuple[str, str]:
    """The players' names, with the usual ones for those not given."""
    given = given or Names()
    south = south if given.south is None else given.south
    north = north if given.north is None else given.north
    return _plain(south), _plain(north)


def _plain(name: str) -> str:
    """A name on one line, with single spaces and what joins the letters of a word."""
    kept = "".join(c if c.isprintable() or c in _JOINERS else " " for c in name)
    return " ".join(word for part in kept.split() if (word := part.strip(_JOINERS)))


def orientation_of(given: Laid | None) -> Orientation | None:
    """The orientation in an action; None without one."""
    return Orientation(given.home, given.south) if given else None


def set_position(action: SetPosition, state: State) -> events.PositionSet | events.WrongStartFound:
    """The event that sets a position, from an id or from checkers.

    Raises:
        BadTextError: a wrong start without checkers, a roll without a side on roll, or an id of a game that no id can
            hold.
        BadPositionError: impossible checkers, or more that have not entered than are on the bar.
    """
    profile = state.terms.profile
    for text in (action.xgid, action.gnubgid):
        if text is not None:
            if profile.positions is not Position:
                raise BadTextError(say("No id can hold a position of {title}.", title=profile.title))
            return position_set_of_id(text, state.terms.length, profile.checkers)
    on_roll = Side(action.on_roll) if action.on_roll else None
    board = None
    if action.pos is not None:
        seen = profile.positions.of_shown(action.pos, action.under, checkers=profile.checkers)
        board = Board.of(on_roll or Side.SOUTH, seen)
    if action.wrong_start:
        if board is None:
            raise BadTextError(say("Say how the checkers stand."))
        rest = (action.cube, action.score, action.crawford, action.not_entered, action.dice)
        if any(one is not None for one in rest):
            raise BadTextError(
                say("A wrong start says only how the checkers stood; set cube and score apart.")
            )
        return events.WrongStartFound(board.south, board.north)
    south, north = (board.south, board.north) if board else (None, None)
    pinned = points_in(board.pinned) if board and board.kind.GAME == "pinning" else None
    given = action.not_entered
    not_entered = (given.south or 0, given.north or 0) if given else None
    if not_entered is not None:
        side = on_roll or Side.SOUTH
        seen_by_side = (board or state.board).seen_by(side)
        seen_by_side.told_not_entered(not_entered if side is Side.SOUTH else not_entered[::-1])
    if action.dice is not None and on_roll is None:
        raise BadTextError(say("Say who is on roll."))
    value, owner = (action.cube.value, action.cube.owner or "middle") if action.cube else (None, None)
    score = action.score or Points()
    return events.PositionSet(
        south,
        north,
        on_roll,
        value,
        owner,
        score.south,
        score.north,
        action.crawford,
        roll=Roll.of(*action.dice) if action.dice else None,
        pinned=pinned,
        not_entered=not_entered,
    )


def settings_changed(action: Settings, state: State) -> events.SettingsChanged:
    """The event of changed settings, including those that change with them."""
    profile = state.terms.profile
    before, after = settings_of(profile), settings_of(profile.with_chosen(action.overrides))
    changes = zip(before, after, strict=True)
    return events.SettingsChanged(
        tuple(now for was, now in changes if now != was or now.name in action.overrides)
    )
