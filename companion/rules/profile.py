"""A rule profile: one frozen value with a field for every setting, and the user's changes to it.

docs/PROFILES.md explains each setting; companion/rules/profiles.py has the shipped profiles.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from enum import Enum
from types import MappingProxyType
from typing import TypeVar

from companion.errors import BadSettingError
from companion.rules.board import (
    BAR,
    CHECKERS,
    OFF,
    Checkers,
    checkers_on,
)
from companion.rules.options import (
    Aids,
    Backgammon,
    BearOffWithMore,
    BoardLies,
    ClockKind,
    ClockStop,
    ClosedOut,
    CrawfordDouble,
    CubeAfterCocked,
    DeclinedDouble,
    DicePairs,
    DieOnChecker,
    Direction,
    Dispute,
    Doublets,
    EndOfTurn,
    IllegalPlayStands,
    InvalidRoll,
    JacobyEnds,
    OpeningRoll,
    PointedOutBy,
    PrematureRoll,
    ReserveUsedUp,
    UseOfNumbers,
    Where,
    WhoBegins,
    WrongStartStands,
)
from companion.rules.referee import RollArea, RollingRules

STARTS: Mapping[str, Checkers] = MappingProxyType(
    {
        "standard": checkers_on({24: 2, 13: 5, 8: 3, 6: 5}),
        "nackgammon": checkers_on({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
        "hypergammon": checkers_on({24: 1, 23: 1, 22: 1}),
        "tray": checkers_on({BAR: 15}),
    }
)
"""Starting positions that a configuration file may name."""
MOST = 1_000_000
"""Upper limit of every number in a setting: eleven days in seconds."""
_NO_CUBE: Mapping[str, object] = {
    "cube_beyond_64": False,
    "beaver": Where.NEVER,
    "raccoon": Where.NEVER,
    "jacoby": Where.NEVER,
    "automatic_doubles": 0,
    "crawford": False,
}


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of one game as settings; every field but the first two can be overridden one by one.

    Defaults are those of `modern`. Lengths of time are in seconds or minutes as their names say.
    """

    name: str
    description: str

    # start of a game
    start: Checkers = STARTS["standard"]
    who_begins: WhoBegins = WhoBegins.ONE_DIE_EACH
    opening_roll: OpeningRoll = OpeningRoll.PLAYED

    # play of a roll
    direction: Direction = Direction.OPPOSED
    doublets: Doublets = Doublets.FOUR_TIMES
    throw_again_after_doublet: bool = False
    use_of_numbers: UseOfNumbers = UseOfNumbers.AS_MANY_AS_POSSIBLE
    forced_bear_off: bool = False
    bear_off_with_more: BearOffWithMore = BearOffWithMore.HIGHEST_ONLY

    # worth of a game
    gammon: bool = True
    backgammon: Backgammon = Backgammon.ON_BAR_OR_IN_HOME
    cube: bool = True
    cube_beyond_64: bool = True
    declined_double: DeclinedDouble = DeclinedDouble.CUBE_AS_BEFORE
    beaver: Where = Where.NEVER
    raccoon: Where = Where.NEVER
    jacoby: Where = Where.MONEY_PLAY
    jacoby_ends_with: JacobyEnds = JacobyEnds.DOUBLE_TAKEN
    automatic_doubles: int = 0
    crawford: bool = True
    double_in_crawford_game: CrawfordDouble = CrawfordDouble.ANNULLED
    cube_after_cocked: CubeAfterCocked = CubeAfterCocked.FREE

    # validity of a roll
    roll_area: RollArea = RollArea.RIGHT_HALF
    opening_area: RollArea = RollArea.RIGHT_HALF
    die_on_checker: DieOnChecker = DieOnChecker.COCKED
    invalid_roll: InvalidRoll = InvalidRoll.BOTH_THROWN_AGAIN
    premature_roll: PrematureRoll = PrematureRoll.VOID
    dice: DicePairs = DicePairs.PAIR_EACH
    board_lies: BoardLies = BoardLies.ANY_WAY
    end_of_turn: EndOfTurn = EndOfTurn.DICE_PICKED_UP
    closed_out: ClosedOut = ClosedOut.MUST_ROLL

    # errors and disputes
    illegal_play_pointed_out_by: PointedOutBy = PointedOutBy.NOBODY
    illegal_play_stands_after: IllegalPlayStands = IllegalPlayStands.VALID_ROLL
    wrong_start_stands_after: WrongStartStands = WrongStartStands.SECOND_TURN_BEGUN
    dispute: Dispute = Dispute.LEFT_AS_IT_LIES

    # time and help
    clock: ClockKind = ClockKind.OFF
    clock_delay_s: int = 12
    clock_reserve_s_per_point: int = 120
    clock_reserve_s_less_per_point_scored: int = 60
    clock_stops_for: frozenset[ClockStop] = frozenset(ClockStop)
    reserve_used_up: ReserveUsedUp = ReserveUsedUp.MATCH_LOST
    late_penalty_after_min: int = 5
    late_penalty_every_min: int = 5
    late_match_lost_beyond_half: bool = True
    aids: Aids = Aids.SHOWN

    def __post_init__(self) -> None:
        """Refuse settings that exclude each other.

        Raises:
            BadSettingError: one sentence names the settings and the reason.
        """
        for holds, sentence in _impossible(self):
            if holds:
                raise BadSettingError(f"Profile «{self.name}»: {sentence}")

    @property
    def checkers(self) -> int:
        """Number of checkers of each side."""
        return sum(self.start)

    @property
    def rolling_rules(self) -> RollingRules:
        """The settings that the referee needs for a throw."""
        counts = self.die_on_checker is DieOnChecker.VALID
        return RollingRules(self.roll_area, self.opening_area, counts)

    def settings(self) -> dict[str, object]:
        """Every setting by its name, in plain words and numbers as in a configuration file."""
        return {key: _plain(key, getattr(self, key)) for key in SETTINGS}

    def with_overrides(self, overrides: Mapping[str, object]) -> "Profile":
        """The profile with some settings changed, as in the configuration file.

        Args:
            overrides: {setting: value}; a value is its plain word or number, or the enum itself. Taking
                the cube away also takes away what only a cube can have, unless it is named explicitly.

        Raises:
            BadSettingError: no such setting, an invalid value, or settings that exclude each other.
        """
        changes = {key: value_of(key, value) for key, value in overrides.items()}
        if changes.get("cube") is False:
            changes = {**_NO_CUBE, **changes}
        return replace(self, **changes)  # type: ignore[arg-type]  # checked one by one in value_of


SETTINGS: tuple[str, ...] = tuple(f.name for f in fields(Profile) if f.name not in ("name", "description"))
"""Names of all settings, in the order of display."""

_DEFAULTS: Mapping[str, object] = {f.name: f.default for f in fields(Profile)}


def _impossible(p: Profile) -> list[tuple[bool, str]]:
    """Pairs (whether these settings exclude each other in this profile, the sentence)."""
    no_cube = not p.cube
    return [
        (no_cube and p.cube_beyond_64, "without a cube nothing goes beyond 64."),
        (no_cube and p.beaver is not Where.NEVER, "without a cube there is no beaver."),
        (no_cube and p.jacoby is not Where.NEVER, "without a cube there is no Jacoby rule."),
        (no_cube and p.automatic_doubles > 0, "without a cube there are no automatic doubles."),
        (no_cube and p.crawford, "without a cube there is no Crawford game."),
        (
            _wider(p.raccoon, p.beaver),
            "a raccoon answers a beaver, so it cannot be on where beavers are off.",
        ),
        (
            p.backgammon is not Backgammon.NEVER and not p.gammon,
            "a backgammon cannot count three where a gammon does not count two.",
        ),
        (
            p.who_begins is WhoBegins.BOTH_DICE_EACH and p.opening_roll is not OpeningRoll.THROWN_ANEW,
            "where both throw two dice for the start, the beginner throws anew.",
        ),
        (
            p.who_begins is WhoBegins.BOTH_DICE_EACH and p.automatic_doubles > 0,
            "automatic doubles follow equal opening dice, so each side has to throw one die for the start.",
        ),
        (
            p.closed_out is ClosedOut.NEED_NOT_ROLL and p.end_of_turn is EndOfTurn.DICE_PICKED_UP,
            "who need not roll has no dice to pick up, so the clock has to end the turn.",
        ),
        (
            p.throw_again_after_doublet and p.end_of_turn is EndOfTurn.CLOCK_PRESSED,
            "who throws again after a doublet lifts the dice, so the clock cannot end the turn.",
        ),
        (
            p.forced_bear_off and p.doublets is Doublets.TOP_AND_BOTTOM,
            "where doublets count by top and bottom, bearing off cannot be forced.",
        ),
        (not 1 <= p.checkers <= CHECKERS or p.start[OFF] > 0, "a side starts with 1 to 15 checkers in play."),
        (
            any(p.start[n] and p.start[25 - n] for n in range(1, 25)),
            "both sides would start on the same points.",
        ),
    ]


def _wider(one: Where, other: Where) -> bool:
    """Whether the first option holds in a kind of play in which the second does not."""
    return any(one.holds(money_play=kind) and not other.holds(money_play=kind) for kind in (True, False))


_E = TypeVar("_E", bound=Enum)


def value_of(key: str, value: object) -> object:
    """A setting's typed value from the plain one; BadSettingError for an unknown setting or an invalid value."""
    if key not in SETTINGS:
        meant = get_close_matches(key[:60], SETTINGS, n=1)
        hint = f" Did you mean «{meant[0]}»?" if meant else " docs/PROFILES.md lists them all."
        raise BadSettingError(f"There is no setting «{key[:60]}».{hint}")
    if key == "start":
        return _start_of(value)
    default = _DEFAULTS[key]
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise BadSettingError(f"«{key}» is true or false, not {_said(value)}.")
        return value
    if isinstance(default, int):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
            raise BadSettingError(f"«{key}» is a whole number from 0 to {MOST}, not {_said(value)}.")
        return value
    if isinstance(default, frozenset):
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise BadSettingError(f"«{key}» is a list of words, not {_said(value)}.")
        return frozenset(_word_of(key, ClockStop, word) for word in value)
    assert isinstance(default, Enum)
    return _word_of(key, type(default), value)


def _word_of(key: str, kind: type[_E], value: object) -> _E:
    """The enum value of a word; BadSettingError, naming the valid words, for any other."""
    if isinstance(value, kind):
        return value
    words = {str(member.value): member for member in kind}
    if not isinstance(value, str) or value not in words:
        raise BadSettingError(f"«{key}» is one of {', '.join(words)}, not {_said(value)}.")
    return words[value]


def _said(value: object) -> str:
    """A value in a refusal, as a settings file writes it, cut where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) > MOST:
        return "a number that large" if value > 0 else "a number that small"
    text = f"«{value}»" if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _start_of(value: object) -> Checkers:
    """Starting checkers from a name, {point: count} or 26 counts."""
    if isinstance(value, str) and value in STARTS:
        return STARTS[value]
    if isinstance(value, Mapping):
        points = {_point_of(point): _count_of(count) for point, count in value.items()}
        if len(points) < len(value):
            raise BadSettingError("«start» names a point twice.")
        return checkers_on(points)
    if isinstance(value, (list, tuple)) and len(value) == 26:
        return tuple(_count_of(count) for count in value)
    raise BadSettingError(f"«start» is one of {', '.join(STARTS)}, or a table of points and counts.")


def _point_of(point: object) -> int:
    """A point of a start table; its keys are texts in a configuration file."""
    text = str(point)[:3]
    if text.isascii() and text.isdecimal() and OFF < int(text) <= BAR:
        return int(text)
    raise BadSettingError(f"«start» names points 1 to 24, or 25 for the bar, not {_said(point)}.")


def _count_of(count: object) -> int:
    """A count of a start table."""
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= CHECKERS:
        raise BadSettingError(f"«start» puts 0 to 15 checkers on a point, not {_said(count)}.")
    return count


def _plain(key: str, value: object) -> object:
    """A setting's value as in a configuration file."""
    if key == "start":
        named = [name for name, start in STARTS.items() if start == value]
        assert isinstance(value, tuple)
        return named[0] if named else {str(point): count for point, count in enumerate(value) if count}
    if isinstance(value, frozenset):
        return [stop.value for stop in ClockStop if stop in value]
    return value.value if isinstance(value, Enum) else value
