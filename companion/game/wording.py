"""The lines of the history and the reasons of a ruling, as sentences for people."""

from collections.abc import Iterable, Mapping

from companion.game.director import penalty_reason
from companion.game.disputes import rolls_after
from companion.game.events import (
    ANSWER_WORDS,
    ORDER_WORDS,
    REMEDY_WORDS,
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
from companion.game.state import SEAT_WORDS, Played, State, Throw, TurnMade
from companion.game.table import Entry
from companion.game.turn_order import side_of, side_to_answer, side_to_play, side_to_throw
from companion.rules.board import Position, Side
from companion.rules.moves import Play, play_of
from companion.rules.notation import write_play
from companion.rules.profile import LABELS
from companion.rules.profiles import title_of
from companion.rules.referee import Reason, Ruling, Unread, Valid
from sentence import NOTHING, Sentence, joined, say, say_n, verbatim

REASON_TEXTS: Mapping[Reason, Sentence] = {
    Reason.LEANING: say("a die leans"),
    Reason.ON_CHECKER: say("a die lies on a checker"),
    Reason.ON_BAR: say("a die lies on the bar"),
    Reason.ON_RIM: say("a die lies on the rim"),
    Reason.ON_DIE: say("one die lies on the other"),
    Reason.OFF_BOARD: say("a die has left the board"),
    Reason.SPLIT_HALVES: say("the dice lie in different halves"),
    Reason.WRONG_HALF: say("the dice lie in the wrong half"),
    Reason.ONE_DIE: say("only one die is to be seen"),
    Reason.MORE_THAN_TWO: say("more than two dice are to be seen"),
    Reason.NO_DICE: say("no dice are to be seen"),
    Reason.NO_BOARD: say("the board is not found"),
    Reason.DOUBT: say("the picture does not settle it"),
    Reason.PREMATURE: say("it was rolled before the other had ended the turn"),
    Reason.WRONG_PLAYER: say("it was the other's turn"),
}


def ruling_sentence(ruling: Ruling | None) -> Sentence:
    """The reasons why a throw does not count or cannot be read, in one sentence; empty for a valid one."""
    if ruling is None or isinstance(ruling, Valid):
        return NOTHING
    reasons = tuple(REASON_TEXTS[reason] for reason in ruling.reasons)
    if isinstance(ruling, Unread):
        return say("Please look: {reasons}.", reasons=reasons) if reasons else say("Please look at the dice.")
    return (
        say("Cocked: {reasons}. Both dice are thrown again.", reasons=reasons)
        if reasons
        else say("Both dice are thrown again.")
    )


def play_text(play: Play | None) -> Sentence:
    """A play in notation; words for a dance, and for a play known only by its result."""
    if play is None:
        return say("a play of which only the outcome is known")
    return verbatim(write_play(play)) or say("no play")


def line_of(entry: Entry, before: State | None) -> tuple[Side | None, Sentence]:
    """The side that an entry belongs to, and its line in the history; empty for an entry without a line."""
    side, text = _line(entry.event, before, entry.state)
    if entry.misfit:
        side = entry.meant_for or side or side_of(entry.event, before)
        text = text or _own_line(entry.event, before, entry.state)  # it did not change the state
    if entry.was:
        was = joined(*(_own_line(old, before, entry.state) for old in entry.was), by=" → ")
        why = "; ".join(filter(None, entry.whys))
        text = (
            say("{text} (corrected; it said: {was}; why: {why})", text=text, was=was, why=why)
            if why
            else say("{text} (corrected; it said: {was})", text=text, was=was)
        )
    if entry.undone:
        text = say("taken back: {text}", text=text) if text else NOTHING
    flag = flag_of(entry)
    if flag and text:
        text = say("{text} (no longer fits: {flag})", text=text, flag=flag)
    return side, text


def flag_of(entry: Entry) -> Sentence:
    """The reason why an entry does not fully fit after an earlier correction; empty if it fits."""
    if entry.is_of_other_side:
        assert entry.meant_for is not None
        return say("It was {name}'s roll when it was told.", name=entry.state.called(entry.meant_for))
    return entry.misfit


def _own_line(event: AnyEvent, before: State | None, after: State) -> Sentence:
    """The text of a corrected or misfit event, from the event itself and not from the state after it."""
    match event:
        case Thrown():
            return verbatim("-".join(str(one.face or "?") for one in event.dice)) or say("no dice")
        case PlayEntered(moves=None):
            return play_text(None)
        case PlayEntered(moves=moves):
            assert moves is not None
            return play_text(_moves_on(_board_of(before), moves))
        case MatchBegan():
            return _match_line(event)
    return _line(event, before, after)[1] or quiet_words(event)


def quiet_words(event: AnyEvent) -> Sentence:
    """Words for an event that has no line as long as everything fits."""
    match event:
        case TurnEnded():
            return say("ends the turn")
        case Lifted():
            return say("lifts the dice")
        case PlayEntered():
            return say("a part of the play")
        case Thrown():
            return say("dice that were not to be thrown")
        case Undone():
            return say("a step back")
    return say("nothing")


def _board_of(before: State | None) -> Position | None:
    """The position before the play, as the side on roll sees it."""
    side = side_to_play(before)
    if before is None or side is None:
        return None
    board = before.phase.before if isinstance(before.phase, Played) else before.board
    return board.seen_by(side)


def _moves_on(position: Position | None, moves: Iterable[tuple[int, int]]) -> Play:
    """Moves with their hits, the rearmost checker first."""
    theirs = position.theirs if position else (0,) * 26
    return play_of(((source, source - target) for source, target in sorted(moves, reverse=True)), theirs)


def _match_line(event: MatchBegan) -> Sentence:
    length = say_n("1 point", "{n} points", event.length) if event.length else say("money play")
    south, north = event.south or SEAT_WORDS[Side.SOUTH], event.north or SEAT_WORDS[Side.NORTH]
    return say(
        "{south} against {north}, {length}, {profile}",
        south=south,
        north=north,
        length=length,
        profile=title_of(event.profile),
    )


def _line(event: AnyEvent, before: State | None, after: State) -> tuple[Side | None, Sentence]:
    match event:
        case MatchBegan():
            return None, _match_line(event)
        case OpeningThrown():
            south, north = _die_text(event.south), _die_text(event.north)
            return None, say("start: south {south}, north {north}", south=south, north=north)
        case Thrown():
            throw = throw_of(before, after)
            return (throw.roller if throw else None) or side_to_throw(before), throw_text(throw)
        case RollTyped():
            return event.side or side_to_throw(before), say("{roll} (told)", roll=event.roll.text)
        case Overruled(roll=None):
            return side_to_play(before), say("the throw does not count")
        case Overruled(roll=roll):
            assert roll is not None
            return side_to_play(before), say("the throw counts as {roll}", roll=roll.text)
        case PlayEntered():
            return _play_line(before, after)
        case _:
            return _other(event, before)


def _other(event: AnyEvent, before: State | None) -> tuple[Side | None, Sentence]:
    """The side and the line of an event other than a throw or a play."""
    match event:
        case DoubleOffered():
            return side_to_play(before), say("doubles")
        case DoubleAnswered():
            return side_to_answer(before), ANSWER_WORDS[event.answer]
        case Resigned(points=None):
            worth = {1: say("a single game"), 2: say("a gammon"), 3: say("a backgammon")}[event.worth]
            return event.side, say("resigns {worth}", worth=worth)
        case Resigned():
            assert event.points is not None
            return event.side, say("offers to settle for {points}", points=event.points)
        case ResignationAnswered():
            return side_to_answer(before), say("accepts") if event.accepted else say("refuses")
        case DisputeAnswered():
            return event.side, _answer_line(event.remedy, before)
        case WrongStartFound():
            return None, say("the game was begun from a wrong position")
        case PositionSet(doubled=True):
            return None, say("position, cube or score set, with a double to answer")
        case PositionSet(roll=None):
            return None, say("position, cube or score set")
        case PositionSet(roll=roll):
            assert roll is not None
            return None, say("position, cube or score set, {roll} to play", roll=roll.text)
        case NextGame():
            return None, say("next game, seats changed") if event.swap_seats else say("next game")
        case PenaltyGiven():
            return event.side, _penalty_line(event)
        case ClockSet():
            return None, say("clock: {order}", order=ORDER_WORDS[event.order])
        case TimeRanOut():
            return event.side, say("has no time left")
        case SettingsChanged():
            return None, say(
                "settings: {settings}",
                settings=tuple(LABELS.get(change.name, change.name) for change in event.changes),
            )
        case DirectorCalled():
            return event.side, say("the director has been") if event.over else say("calls the director")
        case Amended():
            return None, _amended_line(event)
        case Undone():
            return None, NOTHING
    return None, NOTHING


def _answer_line(remedy: Remedy, before: State | None) -> Sentence:
    """The answer to a dispute, with the rolls that became void by taking a play back."""
    void = rolls_after(before) if before and remedy is Remedy.CORRECT else ()
    line = say("dispute: {remedy}", remedy=REMEDY_WORDS[remedy])
    return (
        say("{line} (with the play before it taken back this no longer counts: {void})", line=line, void=void)
        if void
        else line
    )


def _penalty_line(event: PenaltyGiven) -> Sentence:
    why = penalty_reason(event)
    if not why:
        return say_n("1 penalty point", "{n} penalty points", event.points)
    return say_n("1 penalty point ({why})", "{n} penalty points ({why})", event.points, why=why)


def _amended_line(event: Amended) -> Sentence:
    if event.why:
        return say("event {number} corrected: {why}", number=event.number, why=event.why)
    return say("event {number} corrected", number=event.number)


def _die_text(dice: tuple[int, ...]) -> Sentence:
    return verbatim("-".join(map(str, dice))) or say("not yet")


def throw_of(before: State | None, after: State) -> Throw | None:
    """The throw added by an event, also one that waits or is disputed; None without one."""
    known = [] if before is None else _throws_of(before)
    return next((one for one in _throws_of(after) if not any(one is old for old in known)), None)


def _throws_of(state: State) -> list[Throw]:
    early = state.dispute.early if state.dispute else None
    found = (state.throw, *(waiting.throw for waiting in (state.pending, early) if waiting))
    return [throw for throw in found if throw is not None]


def throw_text(throw: Throw | None) -> Sentence:
    """The roll of a throw, or the reasons why it does not count; empty without a throw."""
    if throw is None:
        return NOTHING
    if isinstance(throw.ruling, Valid):
        return verbatim(throw.ruling.roll.text)
    reasons = tuple(REASON_TEXTS[reason] for reason in throw.ruling.reasons)
    if isinstance(throw.ruling, Unread):
        return say("unread: {reasons}", reasons=reasons) if reasons else say("unread")
    return say("cocked: {reasons}", reasons=reasons) if reasons else say("cocked")


def play_of_entry(entry: Entry, before: State | None) -> Play | None:
    """The play made by an event, or intended by one that no longer fits; None if its moves are not known."""
    made = _play_made(before, entry.state)
    if made is not None:
        return made.play
    moves = entry.event.moves if entry.misfit and isinstance(entry.event, PlayEntered) else None
    return None if moves is None else _moves_on(_board_of(before), moves)


def _play_made(before: State | None, after: State) -> TurnMade | Played | None:
    """The play completed by an event; None while it is half made."""
    # a play entered late ends its turn at once, and the next roll may have come already
    ended = next(iter(after.log[len(before.log) if before else 0 :]), None)
    made = ended if isinstance(ended, TurnMade) else after.phase
    if not isinstance(made, (TurnMade, Played)) or (before is not None and before.phase is made):
        return None
    return made


def _play_line(before: State | None, after: State) -> tuple[Side | None, Sentence]:
    """The side and the line of a complete play; a half-made play has no line."""
    side, made = side_to_play(before), _play_made(before, after)
    if made is None:
        return side, NOTHING
    text = play_text(made.play)
    return side, say("{text} (not legal: {fault})", text=text, fault=made.fault) if made.fault else text
