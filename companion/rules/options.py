"""Values of a rule profile's settings, and the settings' English names.

Each value is its word in the settings file. docs/PROFILES.md explains every setting. No name contains a
comma, because names are listed.
"""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType


class WhoBegins(Enum):
    """Throw that decides who plays first."""

    ONE_DIE_EACH = "one_die_each"
    BOTH_DICE_EACH = "both_dice_each"


class OpeningRoll(Enum):
    """First roll of the winner of the opening throw."""

    PLAYED = "played"
    WINNER_CHOOSES = "winner_chooses"
    THROWN_ANEW = "thrown_anew"


class Direction(Enum):
    """Directions in which the two sides move."""

    OPPOSED = "opposed"


class Doublets(Enum):
    """Value of equal dice."""

    FOUR_TIMES = "four_times"
    TOP_AND_BOTTOM = "top_and_bottom"


class UseOfNumbers(Enum):
    """Rule for using the two numbers of a roll."""

    AS_MANY_AS_POSSIBLE = "as_many_as_possible"
    LOWER_FIRST = "lower_first"


class BearOffWithMore(Enum):
    """Checkers that a number higher than needed may bear off."""

    HIGHEST_ONLY = "highest_only"
    ANY_CHECKER = "any_checker"


class Backgammon(Enum):
    """Condition that makes a gammon a backgammon."""

    NEVER = "never"
    ON_BAR = "on_bar"
    ON_BAR_OR_IN_HOME = "on_bar_or_in_home"


class Where(Enum):
    """Kinds of play in which an option holds."""

    NEVER = "never"
    MONEY_PLAY = "money_play"
    EVERYWHERE = "everywhere"

    def holds(self, *, money_play: bool) -> bool:
        """Whether the option is on in this kind of play."""
        return self is Where.EVERYWHERE or (self is Where.MONEY_PLAY and money_play)


class JacobyEnds(Enum):
    """Event after which gammons count under Jacoby's rule."""

    DOUBLE_TAKEN = "double_taken"
    DOUBLE_OFFERED = "double_offered"


class DeclinedDouble(Enum):
    """Price of passing a double."""

    CUBE_AS_BEFORE = "cube_as_before"


class CrawfordDouble(Enum):
    """Treatment of a double offered in the Crawford game."""

    ANNULLED = "annulled"


class CubeAfterCocked(Enum):
    """Whether a player with cocked dice may turn the cube instead of throwing again."""

    FREE = "free"
    LOCKED = "locked"


class DieOnChecker(Enum):
    """Ruling on a die flat on a checker."""

    COCKED = "cocked"
    VALID = "valid"


class InvalidRoll(Enum):
    """Consequence of an invalid roll."""

    BOTH_THROWN_AGAIN = "both_thrown_again"


class DicePairs(Enum):
    """Number of pairs of dice."""

    PAIR_EACH = "pair_each"
    SHARED_PAIR = "shared_pair"


class BoardLies(Enum):
    """Orientations of the board, as a player sees his own home."""

    ANY_WAY = "any_way"
    HOME_RIGHT = "home_right"
    HOME_RIGHT_LIGHT_NEAR = "home_right_light_near"


class EndOfTurn(Enum):
    """Event that ends a turn."""

    DICE_PICKED_UP = "dice_picked_up"
    CLOCK_PRESSED = "clock_pressed"


class PrematureRoll(Enum):
    """Treatment of a roll before the end of the opponent's turn."""

    VOID = "void"
    STANDS = "stands"
    OPPONENT_CHOOSES = "opponent_chooses"


class PointedOutBy(Enum):
    """Players who have to point out an illegal play."""

    NOBODY = "nobody"
    BOTH = "both"
    RESPONSIBLE = "responsible"


class IllegalPlayStands(Enum):
    """Event on the opponent's side that makes an illegal play final."""

    VALID_ROLL = "valid_roll"
    VALID_ROLL_OR_DOUBLE = "valid_roll_or_double"
    PLAY_COMPLETED = "play_completed"


class WrongStartStands(Enum):
    """Event that makes a wrong starting position final."""

    SECOND_TURN_BEGUN = "second_turn_begun"
    SECOND_ROLL_MOVED = "second_roll_moved"


class ClosedOut(Enum):
    """Duty of a player who cannot enter with any roll."""

    MUST_ROLL = "must_roll"
    NEED_NOT_ROLL = "need_not_roll"


class ClockKind(Enum):
    """Kind of clock, if any."""

    OFF = "off"
    SIMPLE_DELAY = "simple_delay"


class ClockStop(Enum):
    """Reasons to stop the clock; cocked dice never do."""

    BETWEEN_GAMES = "between_games"
    DICE_OFF_TABLE = "dice_off_table"
    DISPUTE = "dispute"
    DIRECTOR_CALLED = "director_called"
    BREAK = "break"


class ReserveUsedUp(Enum):
    """Consequence of a side's time running out."""

    MATCH_LOST = "match_lost"
    DIRECTOR_DECIDES = "director_decides"


class Aids(Enum):
    """Visibility of legal plays, pip counts and hints for players and spectators."""

    SHOWN = "shown"
    WITHHELD = "withheld"


class Dispute(Enum):
    """Treatment of the table during a dispute."""

    LEFT_AS_IT_LIES = "left_as_it_lies"


SETTING_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "start": "Starting position",
        "who_begins": "Who begins",
        "opening_roll": "Opening roll",
        "direction": "Direction of play",
        "doublets": "What doublets are worth",
        "throw_again_after_doublet": "Another throw after a doublet",
        "use_of_numbers": "Use of the numbers",
        "forced_bear_off": "Forced bearing off",
        "bear_off_with_more": "Bearing off with a higher number",
        "gammon": "Worth of a gammon",
        "backgammon": "Worth of a backgammon",
        "cube": "Doubling cube",
        "cube_beyond_64": "Cube beyond 64",
        "declined_double": "Price of a pass",
        "beaver": "Beaver",
        "raccoon": "Raccoon",
        "jacoby": "Jacoby rule",
        "jacoby_ends_with": "End of the Jacoby rule",
        "automatic_doubles": "Automatic doubles",
        "crawford": "Crawford game",
        "double_in_crawford_game": "Double in the Crawford game",
        "cube_after_cocked": "Cube after cocked dice",
        "roll_area": "Where the dice count",
        "opening_area": "Where the opening dice count",
        "die_on_checker": "Die flat on a checker",
        "invalid_roll": "What follows an invalid roll",
        "premature_roll": "Roll before the opponent has finished",
        "dice": "Pairs of dice",
        "board_lies": "How the board lies",
        "end_of_turn": "End of a turn",
        "closed_out": "Closed-out player",
        "illegal_play_pointed_out_by": "Illegal plays",
        "illegal_play_stands_after": "Until when an illegal play can be corrected",
        "wrong_start_stands_after": "Until when a wrong start can be corrected",
        "dispute": "Course of a dispute",
        "clock": "Clock",
        "clock_delay_s": "Delay of the clock",
        "clock_reserve_s_per_point": "Reserve per point",
        "clock_reserve_s_less_per_point_scored": "Reserve lost per point scored",
        "clock_stops_for": "What stops the clock",
        "reserve_used_up": "Reserve used up",
        "late_penalty_after_min": "When lateness is first punished",
        "late_penalty_every_min": "How often lateness is punished",
        "late_match_lost_beyond_half": "Match lost by lateness",
        "aids": "Aids at the table",
    }
)
"""By the name in the settings file; a page's label that is a name is the same."""
