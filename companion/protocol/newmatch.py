"""The beginning of a match as the page tells it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from companion.errors import BadTextError
from companion.game.events import MatchBegan, Orientation, Setting
from companion.game.table import Table
from companion.protocol.asking import Act, Asker, mapping_in
from companion.rules.profile import Profile
from companion.rules.profiles import profile_named

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
        raise BadTextError("A match has a profile's name, and settings by their names.")
    profile = profile_named(name, profiles).with_overrides(overrides)
    players = mapping_in(act, "players")
    length = act.get("length", usual.length)
    if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= 99:
        raise BadTextError("A match is for 1 to 99 points; 0 is money play.")
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
        raise BadTextError("A player's name is a text.")
    return " ".join("".join(c if c.isprintable() else " " for c in given).split())[:60]


def orientation_in(act: Act) -> Orientation | None:
    given = mapping_in(act, "orientation")
    if not given:
        return None
    home, south = given.get("home", "right"), given.get("south", "light")
    if home not in ("right", "left") or south not in ("light", "dark"):
        raise BadTextError("South's home lies right or left, and his checkers are light or dark.")
    return Orientation(home, south)


def corrected_beginning(began: MatchBegan, to: Act) -> MatchBegan:
    """The beginning of the match with other names, another length, or the board lying otherwise.

    Its rules are changed with `settings`, which leaves what was ruled before as it was.
    """
    if not set(to) & {"players", "length", "orientation"}:
        raise BadTextError(
            "Of a match's beginning the players, the length and the orientation can be corrected."
        )
    players, length = mapping_in(to, "players"), to.get("length", began.length)
    if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= 99:
        raise BadTextError("A match is for 1 to 99 points; 0 is money play.")
    south, north = (name_in(players, side, getattr(began, side)) for side in ("south", "north"))
    orientation = orientation_in(to) or began.orientation
    return replace(began, south=south, north=north, length=length, orientation=orientation)
