"""A rule profile: one frozen value with a field for every setting, and the user's changes to it.

docs/PROFILES.md explains each setting; companion/rules/profiles.py has the shipped profiles.

A new setting is a field of `Profile` with its values in setting_values.py (and what excludes it, `_exclusions`; one
of the cube in `_NO_CUBE`), and the rule that reads it: for dice through `RollingRules` in referee.py, for plays through
`MovingRules` in moves.py, filled in plays.py, else from `state.terms.profile`. Tests ask for its rows in
docs/PROFILES.md and docs/rules, for its words in every language, and for a game whose outcome it changes
(tests/game/test_settings_obeyed.py). Record, menu, page and commands need nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from enum import Enum

from companion.errors import BadSettingError, shown
from companion.rules.board import BAR, CHECKERS, OFF, Board, Checkers, Position, Side, checkers_on
from companion.rules.cube_and_score import LARGEST_CUBE, LARGEST_SHOWN
from companion.rules.former import former_sentence, is_former
from companion.rules.positions import BlockingPosition, EnteringPosition, PinningPosition, RunningPosition
from companion.rules.referee import RollingRules
from companion.rules.setting_values import (
    Aids,
    Backgammon,
    BearOffWithMore,
    BoardLies,
    ClockKind,
    ClockStop,
    ClosedOut,
    CubeAfterCocked,
    DieOnChecker,
    Doublets,
    EndOfTurn,
    Entering,
    GameType,
    IllegalPlayStands,
    JacobyEnds,
    LeavingStart,
    NextGameBegins,
    OneTwo,
    OpeningRoll,
    Option,
    PointedOutBy,
    PrematureRoll,
    Primes,
    ReserveUsedUp,
    RestOfDoublet,
    RollArea,
    Rotation,
    ThrownByHand,
    UseOfNumbers,
    Where,
    WhoBegins,
    WrongStartStands,
    setting,
)
from companion.rules.words import Word
from sentence import Sentence, say

STARTS: Mapping[str, Checkers] = {
    "standard": checkers_on({24: 2, 13: 5, 8: 3, 6: 5}),
    "nackgammon": checkers_on({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    "hypergammon": checkers_on({24: 1, 23: 1, 22: 1}),
    "tray": checkers_on({BAR: 15}),
    "all_on_24": checkers_on({24: 15}),
}
"""Starting positions that a configuration file may name."""
POSITIONS: Mapping[GameType, type[Position]] = {
    GameType.HITTING: Position,
    GameType.PINNING: PinningPosition,
    GameType.RUNNING: RunningPosition,
    GameType.BLOCKING: BlockingPosition,
}
"""The kind of position of each type of game; of hitting ones `EnteringPosition`, where checkers enter at any time."""
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
OF_CUBE: frozenset[str] = frozenset(_NO_CUBE) | {"jacoby_ends_with", "cube_after_cocked"}
"""Names of the settings that change nothing in a game without a cube."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of one game as settings; every field but the first five can be overridden one by one.

    Defaults are those of `modern`. Lengths of time are in seconds or minutes as their names say.

    Attributes:
        name: by which the settings file and a record know the profile.
        title: by which the page offers it.
        about: its difference from other games, a line for players.
        description: what it is, and where its facts were read.
        words: its players' own words, beside the line about it.
    """

    name: str
    title: Sentence
    about: Sentence
    description: str
    words: tuple[Word, ...] = ()

    # start of a game
    start: Checkers = setting(STARTS["standard"], say("Starting position"))
    who_begins: WhoBegins = setting(WhoBegins.ONE_DIE_EACH, say("Who begins"))
    opening_roll: OpeningRoll = setting(OpeningRoll.PLAYED, say("Opening roll"))
    next_game_begins: NextGameBegins = setting(NextGameBegins.THROWN, say("Who begins the next game"))
    rotation: Rotation = setting(Rotation.NONE, say("Games in turn"))

    # kind of game
    game_type: GameType = setting(GameType.HITTING, say("Hitting or pinning or running"))
    leaving_start: LeavingStart = setting(LeavingStart.FREE, say("Leaving the start"), of_a_play=True)
    primes: Primes = setting(Primes.FREE, say("Forbidden primes"), of_a_play=True)
    pinned_mother_loses: bool = setting(False, say("Pinned mother loses"))
    bear_off_while_pinned: bool = setting(False, say("Bearing off while pinned"), of_a_play=True)
    entering: Entering = setting(Entering.BEFORE_MOVING, say("Time of entering"))

    # play of a roll
    doublets: Doublets = setting(Doublets.FOUR_TIMES, say("What doublets are worth"), of_a_play=True)
    rolls_before_running_on: int = setting(0, say("Rolls before doublets run on"), of_a_play=True)
    rest_of_doublet: RestOfDoublet = setting(
        RestOfDoublet.LOST, say("Rest of a doublet that runs on"), of_a_play=True
    )
    throw_again_after_doublet: bool = setting(False, say("Another throw after a doublet"))
    one_two: OneTwo = setting(OneTwo.ORDINARY, say("Roll of 2-1"), of_a_play=True)
    unplayed_ends_turn: bool = setting(False, say("Turn ends with an unplayable number"), of_a_play=True)
    use_of_numbers: UseOfNumbers = setting(
        UseOfNumbers.AS_MANY_AS_POSSIBLE, say("Order of the numbers"), of_a_play=True
    )
    forced_bear_off: bool = setting(False, say("Forced bearing off"), of_a_play=True)
    bear_off_with_more: BearOffWithMore = setting(
        BearOffWithMore.HIGHEST_ONLY, say("Bearing off with a higher number"), of_a_play=True
    )

    # worth of a game
    gammon: bool = setting(True, say("Gammon counts two"), at_table=True)
    backgammon: Backgammon = setting(
        Backgammon.ON_BAR_OR_IN_HOME, say("Backgammon counts three"), at_table=True
    )
    counts_checkers: bool = setting(False, say("Each checker left counts one"), at_table=True)
    cube: bool = setting(True, say("Doubling cube"), at_table=True)
    cube_beyond_64: bool = setting(True, say("Cube beyond 64"))
    beaver: Where = setting(Where.NEVER, say("Beaver"), at_table=True)
    raccoon: Where = setting(Where.NEVER, say("Raccoon"), at_table=True)
    jacoby: Where = setting(Where.MONEY_PLAY, say("Jacoby rule"), at_table=True)
    jacoby_ends_with: JacobyEnds = setting(JacobyEnds.DOUBLE_TAKEN, say("End of the Jacoby rule"))
    automatic_doubles: int = setting(0, say("Automatic doubles"), at_table=True)
    crawford: bool = setting(True, say("Crawford game"), at_table=True)
    cube_after_cocked: CubeAfterCocked = setting(
        CubeAfterCocked.FREE, say("Cube after cocked dice"), at_table=True
    )

    # validity of a roll
    roll_area: RollArea = setting(RollArea.RIGHT_HALF, say("Where the dice count"), at_table=True)
    opening_area: RollArea = setting(RollArea.RIGHT_HALF, say("Where the opening dice count"))
    die_on_checker: DieOnChecker = setting(DieOnChecker.COCKED, say("Die flat on a checker"), at_table=True)
    premature_roll: PrematureRoll = setting(
        PrematureRoll.VOID, say("Roll before the opponent has finished"), at_table=True
    )
    thrown_by_hand: ThrownByHand = setting(ThrownByHand.VOID, say("Dice thrown by hand"), at_table=True)
    board_lies: BoardLies = setting(BoardLies.ANY_WAY, say("Board orientation"))
    end_of_turn: EndOfTurn = setting(EndOfTurn.DICE_PICKED_UP, say("End of a turn"), at_table=True)
    closed_out: ClosedOut = setting(ClosedOut.MUST_ROLL, say("Closed-out player"), at_table=True)

    # errors and disputes
    illegal_play_pointed_out_by: PointedOutBy = setting(
        PointedOutBy.NOBODY, say("Illegal plays"), at_table=True
    )
    illegal_play_stands_after: IllegalPlayStands = setting(
        IllegalPlayStands.VALID_ROLL, say("Until when an illegal play can be corrected"), at_table=True
    )
    wrong_start_stands_after: WrongStartStands = setting(
        WrongStartStands.SECOND_TURN_BEGUN, say("Until when a wrong start can be corrected")
    )

    # time and help
    clock: ClockKind = setting(ClockKind.OFF, say("Clock"), at_table=True)
    clock_delay_s: int = setting(12, say("Delay of the clock in seconds"), at_table=True)
    clock_reserve_s_per_point: int = setting(120, say("Reserve per point in seconds"), at_table=True)
    clock_reserve_s_less_per_point_scored: int = setting(60, say("Reserve in seconds lost per point scored"))
    clock_stops_for: frozenset[ClockStop] = setting(frozenset(ClockStop), say("What stops the clock"))
    reserve_used_up: ReserveUsedUp = setting(ReserveUsedUp.MATCH_LOST, say("Reserve used up"), at_table=True)
    late_penalty_after_min: int = setting(5, say("First penalty for lateness"))
    late_penalty_every_min: int = setting(5, say("Penalty interval for lateness"))
    late_match_lost_beyond_half: bool = setting(True, say("Match lost by lateness"))
    aids: Aids = setting(Aids.SHOWN, say("Aids (plays and pips)"), at_table=True)

    def __post_init__(self) -> None:
        """Refuse settings that exclude each other.

        Raises:
            BadSettingError: one sentence names the settings and the reason.
        """
        for why in _exclusions(self):
            raise BadSettingError(say("Profile “{name}”: {why}", name=self.name, why=why))

    @property
    def largest_cube(self) -> int:
        """The value beyond which the cube cannot be turned."""
        return LARGEST_CUBE if self.cube_beyond_64 else LARGEST_SHOWN

    @property
    def most_worth(self) -> int:
        """The most that a game counts before the cube: 1 single, 2 gammon, 3 backgammon."""
        if not self.gammon and not self.pinned_mother_loses:
            return 1
        return 2 if self.backgammon is Backgammon.NEVER else 3

    @property
    def checkers(self) -> int:
        """Number of checkers of each side."""
        return sum(self.start)

    @property
    def positions(self) -> type[Position]:
        """The kind of position of this game."""
        waits = self.game_type is GameType.HITTING and self.entering is Entering.ANY_TIME
        return EnteringPosition if waits else POSITIONS[self.game_type]

    @property
    def start_position(self) -> Position:
        """The position at the start of a game, the same for both sides."""
        return self.positions.at_start(self.start)

    @property
    def start_board(self) -> Board:
        """The board at the start of a game."""
        return Board.of(Side.SOUTH, self.start_position)

    @property
    def fits_files(self) -> bool:
        """Whether other programs' files can hold a match.

        They know hitting games only, one throughout a match, and numbers that were thrown.
        """
        if self.doublets in (Doublets.RUNNING_ON, Doublets.WITH_COMPLEMENT) or self.names_doublet:
            return False
        return self.positions is Position and self.rotation is Rotation.NONE and not self.counts_checkers

    @property
    def names_doublet(self) -> bool:
        """Whether a roll of 2-1 lets its player name a doublet and throw again."""
        return self.one_two is OneTwo.NAMES_DOUBLET

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

    def with_chosen(self, overrides: Mapping[str, object]) -> "Profile":
        """As `with_overrides`, for settings that somebody chooses now: those without effect are refused, too.

        Raises:
            BadSettingError: as `with_overrides`, or a setting that each game of a rotation brings itself.
        """
        rotates = value_of("rotation", overrides.get("rotation", self.rotation)) is not Rotation.NONE
        for key in OF_A_GAME if rotates else ():
            if key in overrides:
                raise in_turn(key)
        return self.with_overrides(overrides)


def in_turn(key: str) -> BadSettingError:
    """The refusal of a setting that each game of a rotation brings itself."""
    return BadSettingError(
        say("Each of the games in turn brings its own “{key}”: it cannot be changed.", key=key)
    )


OF_A_GAME = ("start", "game_type", "leaving_start", "primes", "pinned_mother_loses")
"""Settings that each game of a rotation brings (family/rotation.py); all others are the match's."""

LABELS: Mapping[str, Sentence] = {one.name: one.metadata["label"] for one in fields(Profile) if one.metadata}
"""Label of each setting by its name, in the order of display."""

SETTINGS: tuple[str, ...] = tuple(LABELS)
"""Names of all settings, in the order of display."""

AT_TABLE: tuple[str, ...] = tuple(one.name for one in fields(Profile) if one.metadata.get("at_table"))
"""Names of the settings that the page offers."""

_DEFAULTS: Mapping[str, object] = {f.name: f.default for f in fields(Profile)}


def _exclusions(p: Profile) -> Iterator[Sentence]:
    """The reasons why settings of this profile exclude each other."""
    if not p.cube:
        if p.cube_beyond_64:
            yield say("without a cube nothing goes beyond 64.")
        if p.beaver is not Where.NEVER:
            yield say("without a cube there is no beaver.")
        if p.jacoby is not Where.NEVER:
            yield say("without a cube there is no Jacoby rule.")
        if p.automatic_doubles > 0:
            yield say("without a cube there are no automatic doubles.")
        if p.crawford:
            yield say("without a cube there is no Crawford game.")
    if any(p.raccoon.holds(money_play=kind) > p.beaver.holds(money_play=kind) for kind in (True, False)):
        yield say("a raccoon answers a beaver, so it cannot be on where beavers are off.")
    if p.backgammon is not Backgammon.NEVER and not p.gammon:
        yield say("a backgammon cannot count three where a gammon does not count two.")
    if p.who_begins is WhoBegins.BOTH_DICE_EACH:
        if p.opening_roll is not OpeningRoll.THROWN_ANEW:
            yield say("where both throw two dice for the start, the beginner throws anew.")
        if p.automatic_doubles > 0:
            yield say(
                "automatic doubles follow equal opening dice, so each side has to throw one die for the "
                "start."
            )
    if p.closed_out is ClosedOut.NEED_NOT_ROLL and p.end_of_turn is EndOfTurn.DICE_PICKED_UP:
        yield say("who need not roll has no dice to pick up, so the clock has to end the turn.")
    if (p.throw_again_after_doublet or p.names_doublet) and p.end_of_turn is EndOfTurn.CLOCK_PRESSED:
        yield say("who throws again after a doublet lifts the dice, so the clock cannot end the turn.")
    if p.forced_bear_off and p.doublets is Doublets.TOP_AND_BOTTOM:
        yield say("where doublets count by top and bottom, bearing off cannot be forced.")
    if p.unplayed_ends_turn and p.doublets is Doublets.TOP_AND_BOTTOM:
        yield say("where doublets count by top and bottom, an unplayable number cannot end the turn.")
    if not 1 <= p.checkers <= CHECKERS or p.start[OFF] > 0:
        yield say("a side starts with 1 to 15 checkers in play.")
    if any(p.start[n] and p.start[p.positions.OPPOSITE[n]] for n in range(1, 25)):
        yield say("both sides would start on the same points.")
    if p.game_type is not GameType.RUNNING and (p.leaving_start, p.primes) != (
        LeavingStart.FREE,
        Primes.FREE,
    ):
        yield say("limits on leaving the start and on primes belong to running games.")
    off_while_pinned = p.bear_off_while_pinned and p.rotation is Rotation.NONE
    if p.game_type is not GameType.PINNING and (p.pinned_mother_loses or off_while_pinned):
        yield say("without pinning there is no pinned checker.")
    if p.game_type is not GameType.HITTING and (p.start[BAR] or p.doublets is Doublets.TOP_AND_BOTTOM):
        yield say("a tray, and doublets by top and bottom, belong to hitting games.")
    if p.entering is Entering.ANY_TIME and (
        p.game_type is not GameType.HITTING
        or not p.start[BAR]
        or p.doublets is Doublets.TOP_AND_BOTTOM
        or p.use_of_numbers is UseOfNumbers.LOWER_FIRST
    ):
        yield say(
            "checkers can enter at any time only in hitting games with a tray, where neither number comes first and "
            "doublets do not count by top and bottom."
        )
    runs_on = p.doublets is Doublets.RUNNING_ON
    if not runs_on and (p.rolls_before_running_on or p.rest_of_doublet is not RestOfDoublet.LOST):
        yield say("where doublets do not run on they have no rest.")
    if runs_on and (p.throw_again_after_doublet or p.names_doublet):
        yield say("after a doublet that runs on nobody throws again.")


def values_of(key: str) -> list[str | bool] | None:
    """Values of a setting as a settings file writes them; None for a number, a list or a start."""
    default = _DEFAULTS[key]
    if isinstance(default, bool):
        return [True, False]
    return [member.value for member in type(default)] if isinstance(default, Enum) else None


def labels_of(key: str) -> list[Sentence] | None:
    """Labels of `values_of`, in the same order; empty for a value that no page offers."""
    default = _DEFAULTS[key]
    if isinstance(default, bool):
        return [say("yes"), say("no")]
    return [member.label for member in type(default)] if isinstance(default, Option) else None


def changed_settings(base: Profile, own: Profile) -> list[str]:
    """Names of the settings in which a profile differs from another, without those that go with the cube."""
    implied = OF_CUBE if base.cube and not own.cube else frozenset()
    return [key for key in SETTINGS if key not in implied and getattr(own, key) != getattr(base, key)]


def setting_in_words(key: str, value: object) -> Sentence:
    """A setting as the page says it: its label with its value, or with "another value" where that has no words."""
    values, labels, plain = values_of(key), labels_of(key), _plain(key, value)
    found: int | Sentence = say("another value")
    if values is None and isinstance(plain, int):
        found = plain
    elif values is not None and labels:
        found = labels[values.index(plain)] or found  # type: ignore[arg-type]  # one of its values
    return say("“{label}: {value}”", label=LABELS[key], value=found)


def value_of(key: str, value: object) -> object:
    """A setting's typed value from the plain one; BadSettingError for an unknown setting or an invalid value."""
    if is_former(key, value):
        raise BadSettingError(former_sentence(key, value))
    if key not in SETTINGS:
        meant = get_close_matches(key[:60], SETTINGS, n=1)
        hint = (
            say("Did you mean “{key}”?", key=meant[0]) if meant else say("docs/PROFILES.md lists them all.")
        )
        raise BadSettingError(say("There is no setting “{key}”. {hint}", key=key[:60], hint=hint))
    if key == "start":
        return _start_of(value)
    default = _DEFAULTS[key]
    given = _quoted(value)
    if isinstance(default, Enum):
        return _word_of(key, type(default), value)
    if isinstance(default, frozenset):
        if isinstance(value, (list, tuple, set, frozenset)):
            return frozenset(_word_of(key, ClockStop, word) for word in value)
        raise BadSettingError(say("“{key}” is a list of words, not {given}.", key=key, given=given))
    if isinstance(default, bool):
        if isinstance(value, bool):
            return value
        raise BadSettingError(say("“{key}” is true or false, not {given}.", key=key, given=given))
    if type(value) is int and 0 <= value <= MOST:
        return value
    text = say("“{key}” is a whole number from 0 to {most}, not {given}.", key=key, most=MOST, given=given)
    raise BadSettingError(text)


def _word_of(key: str, kind: type[Enum], value: object) -> Enum:
    """The enum value of a word; BadSettingError, naming the valid words, for any other."""
    if isinstance(value, kind):
        return value
    words = {member.value: member for member in kind}
    if isinstance(value, str) and value in words:
        return words[value]
    given, among = _quoted(value), ", ".join(words)
    raise BadSettingError(say("“{key}” is one of {words}, not {given}.", key=key, words=among, given=given))


def _quoted(value: object) -> str | Sentence:
    """A value in a refusal, as a settings file writes it, cut where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) > MOST:
        return say("a number that large") if value > 0 else say("a number that small")
    return shown(f"“{value}”" if isinstance(value, str) else value)


def _start_of(value: object) -> Checkers:
    """Starting checkers from a name, {point: count} or 26 counts."""
    if isinstance(value, str) and value in STARTS:
        return STARTS[value]
    if isinstance(value, Mapping):
        points = {_point_of(point): _count_of(count) for point, count in value.items()}
        if len(points) < len(value):
            raise BadSettingError(say("“start” names a point twice."))
        return checkers_on(points)
    if isinstance(value, (list, tuple)) and len(value) == 26:
        return tuple(_count_of(count) for count in value)
    raise BadSettingError(
        say("“start” is one of {words}, or a table of points and counts.", words=", ".join(STARTS))
    )


def _point_of(point: object) -> int:
    """A point of a start table; its keys are texts in a configuration file."""
    text = str(point)[:3]
    if text.isascii() and text.isdecimal() and OFF < int(text) <= BAR:
        return int(text)
    given = _quoted(point)
    raise BadSettingError(say("“start” names points 1 to 24, or 25 for the bar, not {given}.", given=given))


def _count_of(count: object) -> int:
    """A count of a start table."""
    if type(count) is int and 0 <= count <= CHECKERS:
        return count
    raise BadSettingError(say("“start” puts 0 to 15 checkers on a point, not {given}.", given=_quoted(count)))


def _plain(key: str, value: object) -> object:
    """A setting's value as in a configuration file."""
    if key == "start":
        named = [name for name, start in STARTS.items() if start == value]
        assert isinstance(value, tuple)
        return named[0] if named else {str(point): count for point, count in enumerate(value) if count}
    if isinstance(value, frozenset):
        return [stop.value for stop in ClockStop if stop in value]
    return value.value if isinstance(value, Enum) else value
