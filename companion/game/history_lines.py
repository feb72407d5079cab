"""The lines of the history, as sentences for people."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.game import events
from companion.game.clock import minutes
from companion.game.director import penalty_reason
from companion.game.disputes import choices, void_after
from companion.game.games import WON_WORDS, rules_title
from companion.game.state import SEAT_WORDS, Opening, Played, Resigning, State, Throw, TurnMade
from companion.game.table import NOT_GIVEN, Entry
from companion.game.throws import opening_of_roll
from companion.game.turn_order import side_of, side_to_play
from companion.rules.board import Position, Roll, Side
from companion.rules.family.chouette import Party
from companion.rules.moves import Play, play_of
from companion.rules.notation import write_play
from companion.rules.profile import LABELS, setting_in_words, values_of
from companion.rules.referee import Valid, short_ruling
from sentence import NOTHING, Sentence, joined, say, say_n, verbatim


def play_text(play: Play | None) -> Sentence:
    """A play in notation; words for a dance, and for a play known only by its result."""
    if play is None:
        return say("a play of which only the outcome is known")
    return verbatim(write_play(play)) or say("no move")


def line_of(entry: Entry, before: State | None) -> tuple[Side | None, Sentence]:
    """The side that an entry belongs to, and its line in the history; empty for an entry without a line.

    The answer of a chouette's partner is his and not his side's, for which the captain moves: his line names him.
    """
    event, after = entry.event, entry.state
    text, side = _line(event, before, after), side_of(event, before)
    if isinstance(event, events.Thrown):
        throw = throw_of(before, after)
        side = (throw.roller if throw else None) or side
    if entry.misfit:
        side = entry.meant_for or side
    if isinstance(event, events.DoubleAnswered) and _answering_partner(event, before):
        side = None
    if entry.misfit and isinstance(event, events.PlayEntered) and event.moves is not None:
        made = _play_made(before, after)
        is_unknown = made is None or made.play is None
        text = _own_line(event, before, after) if is_unknown else _play_line(before, after, is_flagged=True)
    if entry.misfit or entry.was:
        text = text or _own_line(event, before, after)
    if entry.play is not None and not entry.undone:
        made, brought = _play_made(before, entry.state), play_of_entry(entry, before)
        is_unknown = made is not None and made.play is None and brought is not None
        text = say(
            "{roll}: {play}",
            roll=text,
            play=play_text(brought)
            if is_unknown
            else _play_line(before, entry.state, is_flagged=bool(flag_of(entry))),
        )
    if entry.was:
        was = joined(*(_own_line(old, before, after) for old in entry.was), by=" → ")
        why = "; ".join(filter(None, entry.whys))
        text = (
            say("{text} (corrected; was: {was}; reason: {why})", text=text, was=was, why=why)
            if why
            else say("{text} (corrected; was: {was})", text=text, was=was)
        )
    if entry.undone:
        text = say("undone: {text}", text=text) if text else NOTHING
    flag = flag_of(entry)
    if flag and text:
        text = say("{text} (no longer consistent: {flag})", text=text, flag=flag)
    return side, text


def short_line(entry: Entry, before: State | None) -> Sentence:
    """An entry's line without question, reason and corrections: there is little room on a button."""
    if entry.misfit or entry.was:
        return _own_line(entry.event, before, entry.state)
    event = entry.event
    if isinstance(event, events.Amended | events.PenaltyGiven):
        event = replace(event, why="")
    return _bare_line(event, before, entry.state) or quiet_words(event)


def flag_of(entry: Entry) -> Sentence:
    """The reason why an entry does not fully fit after an earlier correction; empty if it fits."""
    if entry.is_of_other_side:
        assert entry.meant_for is not None
        return say("It was {name}’s roll when it was entered.", name=entry.state.called(entry.meant_for))
    if entry.misfit or entry.play is None or entry.undone:
        return entry.misfit
    if entry.play == NOT_GIVEN:
        return say("It can be played now; correct it with its play.")
    return NOTHING if entry.play.made else _last_fault(entry.state)


def _last_fault(state: State) -> Sentence:
    """The fault of the last play, on the board or of a turn that has ended; empty for a legal one."""
    if isinstance(state.phase, Played):
        return state.phase.fault
    return next((one.fault for one in reversed(state.log) if isinstance(one, TurnMade)), NOTHING)


def _own_line(event: events.AnyEvent, before: State | None, after: State) -> Sentence:
    """The text of a corrected or misfit event, from the event itself and not from the state after it."""
    match event:
        case events.Thrown():
            return verbatim("-".join(str(one.face or "?") for one in event.dice)) or say("no dice")
        case events.RollTyped(roll=roll) if not (before and isinstance(before.phase, Opening)):
            return _with_void(say("{roll} (entered)", roll=roll.text), event.void)
        case events.PlayEntered(moves=moves):
            return play_text(None if moves is None else _moves_on(_board_of(before), moves))
    return _line(event, before, after) or quiet_words(event)


def quiet_words(event: events.AnyEvent) -> Sentence:
    """Words for an event that has no line as long as everything fits."""
    return _QUIET_WORDS.get(type(event), say("nothing"))


_QUIET_WORDS: Mapping[type[events.Event], Sentence] = {
    events.TurnEnded: say("ends the turn"),
    events.Lifted: say("lifts the dice"),
    events.PlayEntered: say("part of the play"),
    events.Thrown: say("dice out of turn"),
    events.Undone: say("a step back"),
}


def _board_of(before: State | None) -> Position | None:
    """The position before the play, as the side on roll sees it."""
    side = side_to_play(before)
    if before is None or side is None:
        return None
    board = before.phase.before if isinstance(before.phase, Played) else before.board
    return board.seen_by(side)


def _moves_on(position: Position | None, moves: Iterable[tuple[int, int]]) -> Play:
    """Moves with their hits, the rearmost checker first."""
    on = position or Position((0,) * 26, (0,) * 26)
    return play_of(((source, source - target) for source, target in sorted(moves, reverse=True)), on)


def decision_of(event: events.AnyEvent) -> tuple[str, str]:
    """The question and the reason given with an event, as typed; "" for what was not given."""
    return getattr(event, "question", ""), getattr(event, "why", "")


def _line(event: events.AnyEvent, before: State | None, after: State) -> Sentence:
    """The line of an event without its side, with question and reason; empty for an event without a line."""
    text = _bare_line(event, before, after)
    question, why = decision_of(event)
    if not isinstance(event, events.Decision):  # the lines of other events have their reasons
        why = ""
    if question and why:
        return say("{text} (question: {question}; reason: {why})", text=text, question=question, why=why)
    if why:
        return say("{text} (reason: {why})", text=text, why=why)
    return say("{text} (question: {question})", text=text, question=question) if question else text


def _bare_line(event: events.AnyEvent, before: State | None, after: State) -> Sentence:
    """The line of an event without side, question and reason; empty for an event without a line."""
    match event:
        case events.MatchBegan():
            return _match_line(event)
        case events.OpeningThrown():
            return _with_void(_opening_line(event.south, event.north, after), event.void)
        case events.Thrown():
            throw = throw_of(before, after)
            match throw.ruling if throw else None:
                case Valid(south=int(south), north=int(north)) if before and isinstance(
                    before.phase, Opening
                ):
                    return _opening_line((south,), (north,), after)
            return throw_text(throw)
        case events.RollTyped(side=Side() as side) if before and isinstance(before.phase, Opening):
            thrown = opening_of_roll(before, event.roll, side)
            return _with_void(_opening_line(thrown.south, thrown.north, after), event.void)
        case events.RollTyped():
            throw, roll = throw_of(before, after), event.roll.text
            if throw is None or isinstance(throw.ruling, Valid):
                return verbatim(roll) if event.by == events.FROM_FILE else say("{roll} (entered)", roll=roll)
            return say("{roll} (entered): {why}", roll=roll, why=throw_text(throw))
        case events.Overruled(roll=None, void=events.Void.BY_HAND):
            return say("the throw does not count, it was thrown by hand")
        case events.Overruled(roll=None):
            return say("the throw does not count")
        case events.Overruled(roll=Roll() as roll, by="camera"):
            return say("the play tells the roll: {roll}", roll=roll.text)
        case events.Overruled(roll=roll):
            assert roll is not None
            return say("the throw counts as {roll}", roll=roll.text)
        case events.PlayEntered():
            return _play_line(before, after)
        case events.DoubletNamed(number=number):
            return say("names {roll}", roll=Roll.of(number, number).text)
        case events.DoubleOffered(partners=()):
            return say("doubles")
        case events.DoubleOffered(partners=partners):
            return say("doubles: {partners}", partners=partners)
        case events.DoubleAnswered():
            return _answer_to_double(event, before)
        case events.Resigned(points=None):
            return say("resigns {worth}", worth=WON_WORDS[event.worth])
        case events.Resigned():
            assert event.points is not None
            return say("offers to settle for {points}", points=event.points)
        case events.ResignationAnswered():
            return _resignation_line(before, event.accepted)
        case events.DisputeAnswered():
            return _answer_line(event, before)
    return _director_line(event, after)


def _answer_to_double(event: events.DoubleAnswered, before: State | None) -> Sentence:
    """The answer to a double; in a chouette with the partner's cube that the box answers on, or by a partner's name."""
    answer = event.answer.label
    if name := _answering_partner(event, before):
        return say("{name}: {answer}", name=name, answer=answer)
    return (
        say("{answer} on {partner}’s cube", answer=answer, partner=event.partner) if event.partner else answer
    )


def _answering_partner(event: events.DoubleAnswered, before: State | None) -> str:
    """The partner of a chouette who answers for himself; "" if the box answers, or one side of two."""
    chouette = before and before.chouette
    if not chouette or chouette.doubled is Party.TEAM:
        return ""
    return event.partner or next(iter(chouette.awaited), "")


def _resignation_line(before: State | None, accepted: bool) -> Sentence:
    """The answer to a resignation, or to an offer to settle for points."""
    settles = before is not None and isinstance(before.phase, Resigning) and before.phase.points is not None
    if settles:
        return say("accepts the settlement") if accepted else say("refuses the settlement")
    return say("accepts the resignation") if accepted else say("refuses the resignation")


def _with_void(line: Sentence, void: events.Void | None) -> Sentence:
    """The line of a typed roll, with the reason why it does not count."""
    return say("{line}: {why}", line=line, why=void.label) if void else line


def _opening_line(south: tuple[int, ...], north: tuple[int, ...], after: State) -> Sentence:
    return say(
        "opening: {first} {south}, {second} {north}",
        first=after.called(Side.SOUTH),
        south=_die_text(south),
        second=after.called(Side.NORTH),
        north=_die_text(north),
    )


def _director_line(event: events.AnyEvent, after: State) -> Sentence:
    """The line of an event that is no part of play, or of a director's decision."""
    match event:
        case events.WrongStartFound():
            return say("the game was started from a wrong position")
        case events.PositionSet(doubled=True):
            return say("position, cube or score set, with a double to answer")
        case events.PositionSet(roll=None):
            return say("position, cube or score set")
        case events.PositionSet(roll=roll):
            assert roll is not None
            return say("position, cube or score set, {roll} to play", roll=roll.text)
        case events.NextGame():
            return say("next game, seats changed") if event.swap_seats else say("next game")
        case events.PenaltyGiven():
            why = penalty_reason(event)
            if not why:
                return say_n("1 penalty point", "{n} penalty points", event.points)
            return say_n("1 penalty point ({why})", "{n} penalty points ({why})", event.points, why=why)
        case events.ClockSet():
            times = tuple(
                say("{name} {time}", name=after.called(side), time=minutes(reserve_ms))
                for side, reserve_ms in ((Side.SOUTH, event.south_ms), (Side.NORTH, event.north_ms))
                if reserve_ms is not None
            )
            line = say("clock: {order}", order=event.order.label)
            return say("{line}: {times}", line=line, times=times) if times else line
        case events.TimeRanOut():
            return say("no time left")
        case events.SettingsChanged():
            return say("settings: {settings}", settings=tuple(map(_setting_text, event.changes)))
        case events.DirectorCalled():
            if event.over:
                return say("the director has come")
            return say("calls the director") if event.side else say("the director is called")
        case events.Amended(number=number, why=""):
            return say("event {number} corrected", number=number)
        case events.Amended(number=number, why=given):
            return say("event {number} corrected: {why}", number=number, why=given)
    return NOTHING


def _setting_text(change: events.Setting) -> Sentence | str:
    """A changed setting with its value; of a setting or value that this version does not know the bare name."""
    if change.name not in LABELS:
        return change.name
    values = values_of(change.name)
    if values is not None and change.value not in values:
        return LABELS[change.name]
    return setting_in_words(change.name, change.value)


def _match_line(event: events.MatchBegan) -> Sentence:
    if event.chouette:
        return say("chouette: {players}, {profile}", players=event.chouette, profile=rules_title(event))
    length = say_n("1 point", "{n} points", event.length) if event.length else say("money play")
    return say(
        "{south} against {north}, {length}, {profile}",
        south=event.south or SEAT_WORDS[Side.SOUTH],
        north=event.north or SEAT_WORDS[Side.NORTH],
        length=length,
        profile=rules_title(event),
    )


def _answer_line(event: events.DisputeAnswered, before: State | None) -> Sentence:
    """The answer to a dispute in its button's words, with who gave it if known, and the rolls that became void."""
    void = void_after(before) if before and event.remedy is events.Remedy.CORRECT else ()
    offered = [one for one in choices(before) if one.remedy is event.remedy] if before else []
    words = offered[0].label if offered else event.remedy.label
    line = say("dispute: {remedy}", remedy=words)
    if before and (event.side or len(offered) == 1):
        name = before.called(event.side or offered[0].by)
        line = say("dispute, {name}: {remedy}", name=name, remedy=words)
    if not void:
        return line
    return say(
        "{line} (with the play before it taken back this no longer counts: {void})", line=line, void=void
    )


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
    return short_ruling(throw.ruling) if throw else NOTHING


def play_of_entry(entry: Entry, before: State | None) -> Play | None:
    """The play made by an event, or intended by one that no longer fits; None if its moves are not known."""
    made = _play_made(before, entry.state)
    if made is not None and (made.play is not None or not flag_of(entry)):
        return made.play
    entered = entry.play or entry.event
    moves = entered.moves if flag_of(entry) and isinstance(entered, events.PlayEntered) else None
    return None if moves is None else _moves_on(_board_of(before), moves)


def _play_made(before: State | None, after: State) -> TurnMade | Played | None:
    """The play completed by an event; None while it is half made."""
    # a play entered late ends its turn at once, and the next roll may have come already
    ended = next(iter(after.log[len(before.log) if before else 0 :]), None)
    made = ended if isinstance(ended, TurnMade) else after.phase
    if not isinstance(made, (TurnMade, Played)) or (before is not None and before.phase is made):
        return None
    return made


def _play_line(before: State | None, after: State, is_flagged: bool = False) -> Sentence:
    """The line of a complete play, with its fault unless a flag will say it; a half-made play has none."""
    made = _play_made(before, after)
    if made is None:
        return NOTHING
    text = play_text(made.play)
    if made.part is not None and made.roll is not None:
        text = say("{roll}: {play}", roll=made.roll.text, play=text)
    is_faulty = bool(made.fault) and not is_flagged
    return say("{text} (not legal: {fault})", text=text, fault=made.fault) if is_faulty else text
