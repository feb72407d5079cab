"""Declaration and values of a rule profile's settings; docs/PROFILES.md explains every setting."""

from dataclasses import field
from enum import Enum
from typing import Self, TypeVar

from sentence import NOTHING, Sentence, say

_T = TypeVar("_T")


class Option(Enum):
    """A value by its word in the settings file, with the English label by which a page offers it.

    Attributes:
        label: empty where no setting that a page offers can have the value.
    """

    _value_: str
    label: Sentence

    def __new__(cls, word: str, label: Sentence = NOTHING) -> Self:
        """A member from its word, or from its word and its label."""
        member = object.__new__(cls)
        member._value_ = word
        member.label = label
        return member


def setting(default: _T, label: Sentence, *, at_table: bool = False, of_a_play: bool = False) -> _T:
    """Declare a setting of a profile.

    Args:
        default: the value in `modern`.
        label: its English name; unlike any other's, and without a comma, because names are listed.
        at_table: the page offers it when a match is begun and to the director; each value needs a label then. The
            others make another game of it, or nobody changes them at a table.
        of_a_play: it governs how checkers move, so it cannot change while a roll is being played.
    """
    return field(default=default, metadata={"label": label, "at_table": at_table, "of_a_play": of_a_play})


class GameType(Option):
    """What happens to a single checker on which an opposing one lands, and the directions of travel."""

    HITTING = "hitting"
    PINNING = "pinning"
    RUNNING = "running"
    BLOCKING = "blocking"


class LeavingStart(Option):
    """Restriction on moving checkers off the starting point."""

    FREE = "free"
    FIRST_CHECKER_PASSES = "first_checker_passes"
    ONE_A_TURN = "one_a_turn"


class Primes(Option):
    """Primes that are forbidden."""

    FREE = "free"
    OWN_START_OPEN = "own_start_open"
    FOUR_IN_THEIR_START = "four_in_their_start"
    ONE_AHEAD = "one_ahead"


class NextGameBegins(Option):
    """Side that begins the second and later games of a match."""

    THROWN = "thrown"
    WINNER = "winner"


class Rotation(Option):
    """Games that a match plays in turn."""

    NONE = "none"
    TAVLI = "tavli"


class WhoBegins(Option):
    """Throw that decides who plays first."""

    ONE_DIE_EACH = "one_die_each"
    BOTH_DICE_EACH = "both_dice_each"


class OpeningRoll(Option):
    """First roll of the winner of the opening throw."""

    PLAYED = "played"
    WINNER_CHOOSES = "winner_chooses"
    THROWN_ANEW = "thrown_anew"


class Doublets(Option):
    """Value of equal dice."""

    FOUR_TIMES = "four_times"
    TOP_AND_BOTTOM = "top_and_bottom"
    RUNNING_ON = "running_on"
    WITH_COMPLEMENT = "with_complement"


class RestOfDoublet(Option):
    """Use of the numbers of a doublet that runs on which its thrower cannot play."""

    LOST = "lost"
    OPPONENT_PLAYS = "opponent_plays"


class Entering(Option):
    """Time at which checkers that start off the board enter."""

    BEFORE_MOVING = "before_moving"
    ANY_TIME = "any_time"


class OneTwo(Option):
    """Consequence of a roll of 2-1."""

    ORDINARY = "ordinary"
    NAMES_DOUBLET = "names_doublet"


class RollArea(Option):
    """Area in which both dice have to be for the roll to count."""

    RIGHT_HALF = "right_half", say("in the roller’s right half")
    WHOLE_SURFACE = "whole_surface", say("on the whole board")
    HOME_HALF = "home_half", say("in the half of the home boards")


class UseOfNumbers(Option):
    """Rule for using the two numbers of a roll."""

    AS_MANY_AS_POSSIBLE = "as_many_as_possible"
    LOWER_FIRST = "lower_first"


class BearOffWithMore(Option):
    """Checkers that a number higher than needed may bear off."""

    HIGHEST_ONLY = "highest_only"
    ANY_CHECKER = "any_checker"
    NONE = "none"


class Backgammon(Option):
    """Condition that makes a gammon a backgammon."""

    NEVER = "never", say("never")
    ON_BAR = "on_bar", say("with a checker on the bar")
    ON_BAR_OR_IN_HOME = "on_bar_or_in_home", say("on the bar or in the winner’s home")


class Where(Option):
    """Kinds of play in which an option holds."""

    NEVER = "never", say("never")
    MONEY_PLAY = "money_play", say("in money play")
    EVERYWHERE = "everywhere", say("always")

    def holds(self, *, money_play: bool) -> bool:
        """Whether the option is on in this kind of play."""
        return self is Where.EVERYWHERE or (self is Where.MONEY_PLAY and money_play)


class JacobyEnds(Option):
    """Event after which gammons count under Jacoby's rule."""

    DOUBLE_TAKEN = "double_taken"
    DOUBLE_OFFERED = "double_offered"


class CubeAfterCocked(Option):
    """Whether a player with cocked dice may turn the cube instead of throwing again."""

    FREE = "free", say("free")
    LOCKED = "locked", say("locked until the next roll")


class DieOnChecker(Option):
    """Ruling on a die flat on a checker."""

    COCKED = "cocked", say("cocked")
    VALID = "valid", say("valid")


class BoardLies(Option):
    """Orientations of the board, as a player sees his own home."""

    ANY_WAY = "any_way"
    HOME_RIGHT = "home_right"
    HOME_RIGHT_LIGHT_NEAR = "home_right_light_near"


class ThrownByHand(Option):
    """Consequence of dice thrown by hand and not from a cup, when somebody says so."""

    VOID = "void", say("do not count")
    DIRECTOR_DECIDES = "director_decides", say("the director decides")
    STANDS = "stands", say("count")


class EndOfTurn(Option):
    """Event that ends a turn."""

    DICE_PICKED_UP = "dice_picked_up", say("the dice are picked up")
    CLOCK_PRESSED = "clock_pressed", say("the button is pressed")


class PrematureRoll(Option):
    """Treatment of a roll before the end of the opponent's turn."""

    VOID = "void", say("is void")
    STANDS = "stands", say("stands")
    OPPONENT_CHOOSES = "opponent_chooses", say("the opponent chooses")


class PointedOutBy(Option):
    """Players who have to point out an illegal play."""

    NOBODY = "nobody", say("the opponent may let them stand")
    BOTH = "both", say("both have to point them out (legal moves)")
    RESPONSIBLE = "responsible", say("each answers for his own (responsible moves)")


class IllegalPlayStands(Option):
    """Event on the opponent's side that makes an illegal play final."""

    VALID_ROLL = "valid_roll", say("the opponent’s roll")
    VALID_ROLL_OR_DOUBLE = "valid_roll_or_double", say("the opponent’s roll or double")
    PLAY_COMPLETED = "play_completed", say("the opponent’s play")


class WrongStartStands(Option):
    """Event that makes a wrong starting position final."""

    SECOND_TURN_BEGUN = "second_turn_begun"
    SECOND_ROLL_MOVED = "second_roll_moved"


class ClosedOut(Option):
    """Duty of a player who cannot enter with any roll."""

    MUST_ROLL = "must_roll", say("still rolls")
    NEED_NOT_ROLL = "need_not_roll", say("only presses the button")


class ClockKind(Option):
    """Kind of clock, if any."""

    OFF = "off", say("none")
    SIMPLE_DELAY = "simple_delay", say("delay, then a reserve by score")


class ClockStop(Option):
    """Reasons to stop the clock; cocked dice never do."""

    DICE_OFF_TABLE = "dice_off_table"
    DISPUTE = "dispute"
    DIRECTOR_CALLED = "director_called"
    BREAK = "break"


class ReserveUsedUp(Option):
    """Consequence of a side's time running out."""

    MATCH_LOST = "match_lost", say("the match is lost")
    DIRECTOR_DECIDES = "director_decides", say("the director decides")


class Aids(Option):
    """Visibility of legal plays, pip counts and hints for players and spectators."""

    SHOWN = "shown", say("shown")
    WITHHELD = "withheld", say("withheld")
