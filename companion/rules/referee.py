"""The referee's ruling on a throw: valid, cocked or unread.

A ruling is a value. `Cocked` means that the rules have the dice thrown again; `Unread` is no ruling on the
dice at all but the admission that the picture does not settle the matter. Doubt never becomes a roll and
never "cocked". A roll out of turn, premature or thrown by hand is known by the match: game/throws.py rules on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Literal, TypeAlias

from companion.rules.board import Die, Roll, Side
from companion.rules.setting_values import RollArea
from sentence import NOTHING, Sentence, say, verbatim


class Rest(Enum):
    """Support of a die; leaning means tilted, against whatever."""

    FLAT = "flat"
    LEANING = "leaning"
    ON_CHECKER = "on_checker"
    ON_DIE = "on_die"
    ON_BAR = "on_bar"
    ON_RIM = "on_rim"
    OFF_BOARD = "off_board"


class Half(Enum):
    """Left or right of the bar, as seen in the picture with south at its bottom."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> "Half":
        """The half on the other side of the bar."""
        return Half.LEFT if self is Half.RIGHT else Half.RIGHT


class Reason(Enum):
    """Reasons why a throw does not count, or cannot be read."""

    LEANING = "leaning"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    ON_RIM = "on_rim"
    ON_DIE = "on_die"
    OFF_BOARD = "off_board"
    SPLIT_HALVES = "split_halves"
    WRONG_HALF = "wrong_half"
    ONE_DIE = "one_die"
    MORE_THAN_TWO = "more_than_two"
    NO_DICE = "no_dice"
    NO_BOARD = "no_board"
    DOUBT = "doubt"
    PREMATURE = "premature"
    WRONG_PLAYER = "wrong_player"
    BY_HAND = "by_hand"


class ThrowKind(Enum):
    """Kind of throw: an opening throw is one die from each side, a turn's throw is both dice of one."""

    OPENING = "opening"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class DieAtRest:
    """One die at rest, as far as the camera could judge it; None: seen, not judged.

    Attributes:
        face: number on its upper face.
        rest: its support.
        half: its half of the board; None also for a die on the bar or off the board.
        tilt_deg: angle between its upper face and the board.
    """

    face: Die | None
    rest: Rest | None = Rest.FLAT
    half: Half | None = None
    tilt_deg: float | None = None


@dataclass(frozen=True, slots=True)
class RollingRules:
    """A profile's conditions on a throw.

    Attributes:
        area: area for a turn's dice.
        opening_area: area for the opening dice; RIGHT_HALF is each thrower's own.
        on_checker_counts: a die flat on a checker is as good as one on the surface.
    """

    area: RollArea = RollArea.RIGHT_HALF
    opening_area: RollArea = RollArea.RIGHT_HALF
    on_checker_counts: bool = False


@dataclass(frozen=True, slots=True)
class Valid:
    """The throw counts; `south` and `north` are the dice of an opening throw, if the halves identify them."""

    word: ClassVar[Literal["valid"]] = "valid"
    roll: Roll
    south: Die | None = None
    north: Die | None = None

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Empty: nothing counts against a valid throw."""
        return ()


@dataclass(frozen=True, slots=True)
class Cocked:
    """The throw does not count: both dice are thrown again."""

    word: ClassVar[Literal["cocked"]] = "cocked"
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """The camera cannot decide: the people at the table enter the roll, or throw again."""

    word: ClassVar[Literal["unread"]] = "unread"
    reasons: tuple[Reason, ...]


Ruling: TypeAlias = Valid | Cocked | Unread
"""The verdict on a throw; `word` is its name in commands, in the page's JSON and in recorded throws."""

_UNREAD_REASONS = frozenset(
    {Reason.ONE_DIE, Reason.MORE_THAN_TWO, Reason.NO_DICE, Reason.NO_BOARD, Reason.DOUBT}
)
MAX_TILT_DEG = 5.0
"""A larger tilt is leaning. The surface of a real board dips by a degree or two; a die that leans on anything stands
at ten degrees or more."""


def right_half(side: Side) -> Half:
    """The half on the right hand of the player on this side."""
    return Half.RIGHT if side is Side.SOUTH else Half.LEFT


def rule(
    dice: Sequence[DieAtRest],
    rules: RollingRules,
    *,
    roller: Side | None = None,
    kind: ThrowKind = ThrowKind.TURN,
    doubt: bool = False,
    board_found: bool = True,
    home: Half = Half.RIGHT,
) -> Ruling:
    """Rule on a throw under the profile's rolling rules.

    Args:
        dice: all dice at rest, in any order.
        rules: the profile's conditions.
        roller: the side that threw; None: unknown, then either half will do, the same for both dice.
        kind: an opening throw, one die each, or a turn's.
        doubt: the reader's doubt that the picture settles the matter.
        board_found: False: without a board the dice's places are unknown.
        home: the half with both home boards, if the opening is thrown into it.

    Returns:
        Valid, or Cocked or Unread with every reason that holds. A pair with a certain reason against it is
        cocked even if a value could not be read: both dice are thrown again whatever they show.
    """
    area = rules.opening_area if kind is ThrowKind.OPENING else rules.area
    each_his_own = kind is ThrowKind.OPENING and area is RollArea.RIGHT_HALF
    wanted = home if area is RollArea.HOME_HALF else right_half(roller) if roller else None
    reasons = {reason for one in dice for reason in _rest_reasons(one, rules)}
    if len(dice) != 2:
        reasons.add({0: Reason.NO_DICE, 1: Reason.ONE_DIE}.get(len(dice), Reason.MORE_THAN_TWO))
    if not board_found:
        reasons.add(Reason.NO_BOARD)
    elif len(dice) == 2 and area is not RollArea.WHOLE_SURFACE:
        reasons |= _half_reasons(dice, wanted, each_his_own)
    needs_half = board_found and area is not RollArea.WHOLE_SURFACE
    unsettled = any(None in (one.face, one.rest, one.half if needs_half else True) for one in dice)
    if doubt or (unsettled and reasons <= _UNREAD_REASONS):
        reasons.add(Reason.DOUBT)
    named = tuple(reason for reason in Reason if reason in reasons)
    if reasons & _UNREAD_REASONS:
        return Unread(named)
    if reasons:
        return Cocked(named)
    return _valid(dice, each_his_own)


def _rest_reasons(one: DieAtRest, rules: RollingRules) -> set[Reason]:
    """Reasons against this die by itself: its support and its tilt."""
    if one.tilt_deg is not None and one.tilt_deg > MAX_TILT_DEG:
        kept = {Reason(one.rest.value)} if one.rest in (Rest.ON_DIE, Rest.OFF_BOARD) else set()
        return kept | {Reason.LEANING}
    if one.rest in (None, Rest.FLAT) or (one.rest is Rest.ON_CHECKER and rules.on_checker_counts):
        return set()
    beside = {Reason.OFF_BOARD} if one.rest is Rest.ON_RIM and one.half is None else set()
    return {Reason(one.rest.value)} | beside


def _half_reasons(dice: Sequence[DieAtRest], wanted: Half | None, each_his_own: bool) -> set[Reason]:
    """Reasons against a pair by its halves: both have to lie in the wanted one, or each in its thrower's own."""
    halves = [one.half for one in dice if one.half is not None]
    same = len(set(halves)) == 1
    if each_his_own:
        return {Reason.WRONG_HALF} if same and len(halves) == 2 else set()
    if len(set(halves)) == 2:
        return {Reason.SPLIT_HALVES}
    return {Reason.WRONG_HALF} if same and wanted not in (None, halves[0]) else set()


def _valid(dice: Sequence[DieAtRest], each_his_own: bool) -> Valid:
    one, other = dice
    assert one.face is not None
    assert other.face is not None
    roll = Roll.of(one.face, other.face)
    if each_his_own:
        south, north = (one, other) if one.half is Half.RIGHT else (other, one)
        return Valid(roll, south.face, north.face)
    return Valid(roll)


REASON_TEXTS: Mapping[Reason, Sentence] = {
    Reason.LEANING: say("a die is cocked against something"),
    Reason.ON_CHECKER: say("a die is on a checker"),
    Reason.ON_BAR: say("a die is on the bar"),
    Reason.ON_RIM: say("a die is on the rim"),
    Reason.ON_DIE: say("one die is on top of the other"),
    Reason.OFF_BOARD: say("a die has left the board"),
    Reason.SPLIT_HALVES: say("the dice are in different halves"),
    Reason.WRONG_HALF: say("the dice are in the wrong half"),
    Reason.ONE_DIE: say("only one die is visible"),
    Reason.MORE_THAN_TWO: say("more than two dice are visible"),
    Reason.NO_DICE: say("no dice are visible"),
    Reason.NO_BOARD: say("the board was not found"),
    Reason.DOUBT: say("the picture is not clear enough"),
    Reason.PREMATURE: say("it was rolled before the other had ended the turn"),
    Reason.WRONG_PLAYER: say("it was the other’s turn"),
    Reason.BY_HAND: say("it was thrown by hand and not from a cup"),
}


def ruling_sentence(ruling: Ruling | None) -> Sentence:
    """The reasons why a throw does not count or cannot be read, in one sentence; empty for a valid one.

    The table's page has the heading of its card in web/static/js/table/say.js, with the same reasons below.
    """
    if ruling is None or isinstance(ruling, Valid):
        return NOTHING
    reasons = tuple(REASON_TEXTS[reason] for reason in ruling.reasons)
    if isinstance(ruling, Unread):
        return say("Please look: {reasons}.", reasons=reasons) if reasons else say("Please look at the dice.")
    if is_out_of_turn(ruling):
        return say("The roll does not count: {reasons}.", reasons=reasons)
    if Reason.BY_HAND in ruling.reasons:
        return say("The roll does not count: {reasons}. Roll both dice again.", reasons=reasons)
    return (
        say("Cocked: {reasons}. Roll both dice again.", reasons=reasons)
        if reasons
        else say("Roll both dice again.")
    )


def short_ruling(ruling: Ruling) -> Sentence:
    """The roll, or the reasons why it does not count, as a line of the history has them."""
    if isinstance(ruling, Valid):
        return verbatim(ruling.roll.text)
    reasons = tuple(REASON_TEXTS[reason] for reason in ruling.reasons)
    if isinstance(ruling, Unread):
        return say("unread: {reasons}", reasons=reasons) if reasons else say("unread")
    if not is_for_the_dice(ruling):
        return say("does not count: {reasons}", reasons=reasons)
    return say("cocked: {reasons}", reasons=reasons) if reasons else say("cocked")


def is_for_the_dice(ruling: Ruling) -> bool:
    """Whether a roll does not count for how its dice rest, and not for when or how they were thrown."""
    return not is_out_of_turn(ruling) and Reason.BY_HAND not in ruling.reasons


def is_out_of_turn(ruling: Ruling) -> bool:
    """Whether a roll does not count because it was not due, however the dice rest."""
    return Reason.WRONG_PLAYER in ruling.reasons or Reason.PREMATURE in ruling.reasons
