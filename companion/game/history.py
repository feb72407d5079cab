"""What happened, in sentences for people: the lines of the history and the reasons of a ruling."""

from collections.abc import Iterable, Mapping

from companion.game.director import penalty_reason
from companion.game.disputes import rolls_after
from companion.game.events import (
    Amended,
    AnyEvent,
    ClockSet,
    DirectorCalled,
    DisputeAnswered,
    DoubleAnswered,
    DoubleOffered,
    Lifted,
    MatchBegan,
    NextGame,
    OpeningThrown,
    Overruled,
    PenaltyGiven,
    PlayEntered,
    PositionSet,
    Remedy,
    ResignationAnswered,
    Resigned,
    RollTyped,
    SettingsChanged,
    Thrown,
    TimeRanOut,
    TurnEnded,
    Undone,
    WrongStartFound,
)
from companion.game.log import TurnMade
from companion.game.state import Played, State, Throw
from companion.game.step import Entry
from companion.game.turn_order import whose, whose_answer, whose_roll, whose_turn
from companion.rules.board import Position, Roll, Side
from companion.rules.moves import Play, play_of
from companion.rules.notation import write_play
from companion.rules.profile import LABELS
from companion.rules.profiles import title_of
from companion.rules.referee import Reason, Ruling, Unread, Valid

REASON_TEXTS: Mapping[Reason, str] = {
    Reason.LEANING: "a die leans",
    Reason.ON_CHECKER: "a die lies on a checker",
    Reason.ON_BAR: "a die lies on the bar",
    Reason.ON_RIM: "a die lies on the rim",
    Reason.ON_DIE: "one die lies on the other",
    Reason.OFF_BOARD: "a die has left the board",
    Reason.SPLIT_HALVES: "the dice lie in different halves",
    Reason.WRONG_HALF: "the dice lie in the wrong half",
    Reason.ONE_DIE: "only one die is to be seen",
    Reason.MORE_THAN_TWO: "more than two dice are to be seen",
    Reason.NO_DICE: "no dice are to be seen",
    Reason.NO_BOARD: "the board is not found",
    Reason.DOUBT: "the picture does not settle it",
    Reason.PREMATURE: "it was rolled before the other had ended the turn",
    Reason.WRONG_PLAYER: "it was the other's turn",
}


def ruling_sentence(ruling: Ruling | None) -> str:
    """Why a throw does not count, or cannot be read, in one sentence; "" for a valid one."""
    if ruling is None or isinstance(ruling, Valid):
        return ""
    reasons = ", ".join(REASON_TEXTS[reason] for reason in ruling.reasons)
    if isinstance(ruling, Unread):
        return f"Please look: {reasons}." if reasons else "Please look at the dice."
    return f"Cocked: {reasons}. Both dice are thrown again." if reasons else "Both dice are thrown again."


def roll_text(roll: Roll) -> str:
    """A roll as people say it."""
    return f"{roll.high}-{roll.low}"


def play_text(play: Play | None) -> str:
    """A play in our one style of notation, a dance in a word."""
    if play is None:
        return "a play of which only the outcome is known"
    return write_play(play) or "no play"


def line_of(entry: Entry, before: State | None) -> tuple[Side | None, str]:
    """Whose doing an entry is, and its line in the history; "" for what needs none."""
    side, text = _told(entry.event, before, entry.state)
    if entry.misfit:
        side = entry.whose or side or whose(entry.event, before)
        text = text or _said_before(entry.event, before, entry.state)  # it left no trace on the table
    if entry.was:
        was = " → ".join(_said_before(old, before, entry.state) for old in entry.was)
        why = "; ".join(filter(None, entry.whys))
        text = (
            f"{text} (corrected; it said: {was}; why: {why})"
            if why
            else f"{text} (corrected; it said: {was})"
        )
    if entry.undone:
        text = f"taken back: {text}" if text else ""
    flag = flag_of(entry)
    if flag and text:
        text = f"{text} (no longer fits: {flag})"
    return side, text


def flag_of(entry: Entry) -> str:
    """Why an entry does not fit, or not quite, what was corrected before it; "" for one that does."""
    if entry.is_of_other_side:
        assert entry.whose is not None
        return f"It was {entry.state.name(entry.whose)}'s roll when it was told."
    return entry.misfit


def _said_before(event: AnyEvent, before: State | None, after: State) -> str:
    """What an event said that was corrected, or no longer fits: told from itself, not from the table after it."""
    match event:
        case Thrown():
            return "-".join(str(one.face or "?") for one in event.dice) or "no dice"
        case PlayEntered(moves=None):
            return play_text(None)
        case PlayEntered(moves=moves):
            assert moves is not None
            return play_text(_moves_on(_board_of(before), moves))
        case MatchBegan():
            return _match_line(event)
    return _told(event, before, after)[1] or quiet_words(event)


def quiet_words(event: AnyEvent) -> str:
    """Words for what needs no line as long as everything fits."""
    match event:
        case TurnEnded():
            return "ends the turn"
        case Lifted():
            return "lifts the dice"
        case PlayEntered():
            return "a part of the play"
        case Thrown():
            return "dice that were not to be thrown"
        case Undone():
            return "a step back"
    return "nothing"


def _board_of(before: State | None) -> Position | None:
    """The board from which the side on roll plays, as it sees it."""
    side = whose_turn(before)
    if before is None or side is None:
        return None
    board = before.phase.before if isinstance(before.phase, Played) else before.board
    return board.seen_by(side)


def _moves_on(position: Position | None, moves: Iterable[tuple[int, int]]) -> Play:
    """Moves with their hits, the rearmost checker first."""
    theirs = position.theirs if position else (0,) * 26
    return play_of(((source, source - target) for source, target in sorted(moves, reverse=True)), theirs)


def _match_line(event: MatchBegan) -> str:
    length = f"{event.length} points" if event.length else "money play"
    length = "1 point" if event.length == 1 else length
    south, north = event.south or "South", event.north or "North"
    return f"{south} against {north}, {length}, {title_of(event.profile)}"


def _told(event: AnyEvent, before: State | None, after: State) -> tuple[Side | None, str]:
    match event:
        case MatchBegan():
            return None, _match_line(event)
        case OpeningThrown():
            dice = (_die_text(event.south), _die_text(event.north))
            return None, f"start: south {dice[0]}, north {dice[1]}"
        case Thrown():
            throw = throw_told(before, after)
            return (throw.roller if throw else None) or whose_roll(before), throw_text(throw)
        case RollTyped():
            return event.side or whose_roll(before), f"{roll_text(event.roll)} (told)"
        case Overruled(roll=None):
            return whose_turn(before), "the throw does not count"
        case Overruled(roll=roll):
            assert roll is not None
            return whose_turn(before), f"the throw counts as {roll_text(roll)}"
        case PlayEntered():
            return _play_line(before, after)
        case _:
            return _other(event, before)


def _other(event: AnyEvent, before: State | None) -> tuple[Side | None, str]:
    """Everything that is not a throw or a play."""
    match event:
        case DoubleOffered():
            return whose_turn(before), "doubles"
        case DoubleAnswered():
            return whose_answer(before), event.answer.value
        case Resigned(points=None):
            worth = {1: "a single game", 2: "a gammon", 3: "a backgammon"}[event.worth]
            return event.side, f"resigns {worth}"
        case Resigned():
            return event.side, f"offers to settle for {event.points}"
        case ResignationAnswered():
            return whose_answer(before), "accepts" if event.accepted else "refuses"
        case DisputeAnswered():
            return event.side, _answer_line(event.remedy, before)
        case WrongStartFound():
            return None, "the game was begun from a wrong position"
        case PositionSet(doubled=True):
            return None, "position, cube or score set, with a double to answer"
        case PositionSet(roll=None):
            return None, "position, cube or score set"
        case PositionSet(roll=roll):
            assert roll is not None
            return None, f"position, cube or score set, {roll_text(roll)} to play"
        case NextGame():
            return None, "next game, seats changed" if event.swap_seats else "next game"
        case PenaltyGiven():
            return event.side, _penalty_line(event)
        case ClockSet():
            return None, f"clock: {event.order.value}"
        case TimeRanOut():
            return event.side, "has no time left"
        case SettingsChanged():
            return (
                None,
                f"settings: {', '.join(LABELS.get(change.name, change.name) for change in event.changes)}",
            )
        case DirectorCalled():
            return event.side, "the director has been" if event.over else "calls the director"
        case Amended():
            return None, _amended_line(event)
        case Undone():
            return None, ""
    return None, ""


def _answer_line(remedy: Remedy, before: State | None) -> str:
    """How a dispute was settled, and the roll that went with a play that was taken back."""
    void = rolls_after(before) if before and remedy is Remedy.CORRECT else ""
    line = f"dispute: {remedy.value}"
    return f"{line} (with the play before it taken back this no longer counts: {void})" if void else line


def _penalty_line(event: PenaltyGiven) -> str:
    why = penalty_reason(event)
    if event.points == 1:
        return f"1 penalty point ({why})" if why else "1 penalty point"
    return f"{event.points} penalty points ({why})" if why else f"{event.points} penalty points"


def _amended_line(event: Amended) -> str:
    if event.why:
        return f"event {event.number} corrected: {event.why}"
    return f"event {event.number} corrected"


def _die_text(dice: tuple[int, ...]) -> str:
    return "-".join(map(str, dice)) or "not yet"


def throw_told(before: State | None, after: State) -> Throw | None:
    """The throw that an event brought, one that only waits or is only asked about as well."""
    known = [] if before is None else _throws_of(before)
    return next((one for one in _throws_of(after) if not any(one is old for old in known)), None)


def _throws_of(state: State) -> list[Throw]:
    early = state.dispute.early if state.dispute else None
    found = (state.throw, *(waiting.throw for waiting in (state.pending, early) if waiting))
    return [throw for throw in found if throw is not None]


def throw_text(throw: Throw | None) -> str:
    """What a throw was, and why it does not count; "" for none."""
    if throw is None:
        return ""
    if isinstance(throw.ruling, Valid):
        return roll_text(throw.ruling.roll)
    reasons = ", ".join(REASON_TEXTS[reason] for reason in throw.ruling.reasons)
    # each whole, for a translator: of a word and reasons put together the page could make nothing
    if isinstance(throw.ruling, Unread):
        return f"unread: {reasons}" if reasons else "unread"
    return f"cocked: {reasons}" if reasons else "cocked"


def _play_line(before: State | None, after: State) -> tuple[Side | None, str]:
    """A play once it lies on the board; while it is half made it has no line."""
    side = whose_turn(before)
    # a play told late ends its turn at once, and then the next roll may lie there already
    made = next(iter(after.deeds[len(before.deeds) if before else 0 :]), None)
    lies = made if isinstance(made, TurnMade) else after.phase
    if not isinstance(lies, (TurnMade, Played)) or (before is not None and before.phase is lies):
        return side, ""
    text = play_text(lies.play)
    return side, f"{text} (not legal: {lies.fault})" if lies.fault else text
