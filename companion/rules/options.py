"""How a setting of a rule profile is declared, and its values; docs/PROFILES.md says what each of them does."""

from dataclasses import field
from enum import Enum
from typing import Self, TypeVar

_T = TypeVar("_T")


class Option(Enum):
    """A value by its word in the settings file, with the English label by which a page offers it.

    Attributes:
        label: "" where no setting that a page offers can have the value.
    """

    _value_: str
    label: str

    def __new__(cls, word: str, label: str = "") -> Self:
        """A member from its word, or from its word and its label."""
        member = object.__new__(cls)
        member._value_ = word
        member.label = label
        return member


def setting(default: _T, label: str, *, at_table: bool = False) -> _T:
    """Declare a setting of a profile.

    Args:
        default: the value in `modern`.
        label: its English name; unlike any other's, and without a comma, because names are listed.
        at_table: the page offers it when a match is begun and to the director; each value needs a label then. The
            others make another game of it, or nobody changes them at a table.
    """
    return field(default=default, metadata={"label": label, "at_table": at_table})


class WhoBegins(Option):
    """How it is decided who plays first."""

    ONE_DIE_EACH = "one_die_each"
    BOTH_DICE_EACH = "both_dice_each"


class OpeningRoll(Option):
    """What the winner of the opening throw plays."""

    PLAYED = "played"
    WINNER_CHOOSES = "winner_chooses"
    THROWN_ANEW = "thrown_anew"


class Doublets(Option):
    """What equal dice are worth."""

    FOUR_TIMES = "four_times"
    TOP_AND_BOTTOM = "top_and_bottom"


class UseOfNumbers(Option):
    """How the two numbers of a roll have to be used."""

    AS_MANY_AS_POSSIBLE = "as_many_as_possible"
    LOWER_FIRST = "lower_first"


class BearOffWithMore(Option):
    """Which checkers a number higher than needed bears off."""

    HIGHEST_ONLY = "highest_only"
    ANY_CHECKER = "any_checker"


class Backgammon(Option):
    """When a gammon becomes a backgammon."""

    NEVER = "never", "never"
    ON_BAR = "on_bar", "with a checker on the bar"
    ON_BAR_OR_IN_HOME = "on_bar_or_in_home", "on the bar or in the winner's home"


class Where(Option):
    """Where an option of play holds."""

    NEVER = "never", "never"
    MONEY_PLAY = "money_play", "in money play"
    EVERYWHERE = "everywhere", "always"

    def holds(self, *, money_play: bool) -> bool:
        """The option is on in this kind of play."""
        return self is Where.EVERYWHERE or (self is Where.MONEY_PLAY and money_play)


class JacobyEnds(Option):
    """What makes gammons count where Jacoby's rule holds."""

    DOUBLE_TAKEN = "double_taken"
    DOUBLE_OFFERED = "double_offered"


class CubeAfterCocked(Option):
    """May one who threw cocked dice turn the cube instead of throwing again?"""

    FREE = "free", "free"
    LOCKED = "locked", "locked until the next roll"


class DieOnChecker(Option):
    """A die that lies flat on a checker."""

    COCKED = "cocked", "cocked"
    VALID = "valid", "valid"


class BoardLies(Option):
    """How a board may lie, as a player sees his own home."""

    ANY_WAY = "any_way"
    HOME_RIGHT = "home_right"
    HOME_RIGHT_LIGHT_NEAR = "home_right_light_near"


class EndOfTurn(Option):
    """What ends a turn."""

    DICE_PICKED_UP = "dice_picked_up", "the dice are picked up"
    CLOCK_PRESSED = "clock_pressed", "the button is pressed"


class PrematureRoll(Option):
    """A roll made before the opponent ended his turn."""

    VOID = "void", "is void"
    STANDS = "stands", "stands"
    OPPONENT_CHOOSES = "opponent_chooses", "the opponent chooses"


class PointedOutBy(Option):
    """Who has to point out an illegal play."""

    NOBODY = "nobody", "the opponent may let them stand"
    BOTH = "both", "both have to point them out (legal moves)"
    RESPONSIBLE = "responsible", "each answers for his own (responsible moves)"


class IllegalPlayStands(Option):
    """What of the opponent's makes an illegal play final."""

    VALID_ROLL = "valid_roll", "the opponent's roll"
    VALID_ROLL_OR_DOUBLE = "valid_roll_or_double", "the opponent's roll or double"
    PLAY_COMPLETED = "play_completed", "the opponent's play"


class WrongStartStands(Option):
    """What makes a wrong starting position final."""

    SECOND_TURN_BEGUN = "second_turn_begun"
    SECOND_ROLL_MOVED = "second_roll_moved"


class ClosedOut(Option):
    """A player who cannot enter whatever he throws."""

    MUST_ROLL = "must_roll", "rolls all the same"
    NEED_NOT_ROLL = "need_not_roll", "only presses the button"


class ClockKind(Option):
    """Is there a clock, and of which kind?"""

    OFF = "off", "none"
    SIMPLE_DELAY = "simple_delay", "delay 12 s, reserve by score"


class ClockStop(Option):
    """What stops the clock; cocked dice never do."""

    DICE_OFF_TABLE = "dice_off_table"
    DISPUTE = "dispute"
    DIRECTOR_CALLED = "director_called"
    BREAK = "break"


class ReserveUsedUp(Option):
    """What follows when a side's time is used up."""

    MATCH_LOST = "match_lost", "the match is lost"
    DIRECTOR_DECIDES = "director_decides", "the director decides"


class Aids(Option):
    """Do players and spectators see legal plays, pip counts and hints?"""

    SHOWN = "shown", "shown"
    WITHHELD = "withheld", "withheld"
