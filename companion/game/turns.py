"""Turns: a valid roll, its play, dice lifted, and the end of the turn."""

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import IllegalPlayError, OutOfTurnError
from companion.game.events import DoubletNamed, Lifted, PlayEntered, TurnEnded
from companion.game.games import outcome, played_out
from companion.game.state import (
    Dispute,
    DisputeKind,
    Doubled,
    GameOver,
    MatchOver,
    Notice,
    OnRoll,
    Opening,
    Played,
    Resigning,
    Rolled,
    State,
    Throw,
    Transition,
    TurnMade,
    alarm,
    check_side,
    info,
    warn,
)
from companion.game.turn_order import may_throw_anew, next_to_throw
from companion.rules.board import HOME, Board, Position, Roll, Side, problem_sentence
from companion.rules.family.bonus import complement_of, names_next
from companion.rules.family.outcome import awaits_own_mother
from companion.rules.family.running_on import Onward, Part, onward
from companion.rules.moves import DOUBLET_TIMES, Play, carried_out
from companion.rules.play_legality import Turn
from companion.rules.setting_values import ClosedOut, Doublets, EndOfTurn, IllegalPlayStands
from sentence import Sentence, say, say_n


def turn_of(state: State, side: Side, roll: Roll, part: Part | None = None) -> Turn:
    """This side's roll on the current board, for the rules of legal play."""
    south, north = state.doublets
    doublets = south if side is Side.SOUTH else north
    position, times = state.board.seen_by(side), part.times if part else DOUBLET_TIMES
    return Turn(state.terms.profile, position, roll, doublets, times)


def turn_to_play(state: State) -> Turn | None:
    """The roll to play, or the roll of a play that may still be changed, on the board before it; None without one."""
    match state.phase:
        case Rolled(side=side, roll=roll, part=part):
            return turn_of(state, side, roll, part)
        case OnRoll(side=side, kept=Roll() as roll):
            return turn_of(state, side, roll)
        case Played(side=side, roll=Roll() as roll, before=before, part=part):
            return turn_of(replace(state, board=before), side, roll, part)
    return None


def rolled(state: State, side: Side, roll: Roll, throw: Throw | None, opening: bool = False) -> Transition:
    """Begin the play of a valid roll; a dance is played automatically."""
    state, notices = made_final(state, side)
    picture = throw.evidence.picture if throw else None
    state = replace(state, throw=throw, picture=picture, pending=None)
    to_play = Rolled(side, roll, opening=opening)
    dance = dance_of(state, to_play)
    transition = Transition(replace(state, phase=dance or to_play), notices)
    return transition.also(cannot_play(state, side, roll)) if dance else transition


def dance_of(state: State, rolled: Rolled) -> Played | None:
    """The empty play of a roll with which nothing can be played; None if something can."""
    if not _turn_of(state, rolled).is_dance:
        return None
    return Played(rolled.side, rolled.roll, (), state.board, opening=rolled.opening, part=rolled.part)


def _turn_of(state: State, rolled: Rolled) -> Turn:
    return turn_of(state, rolled.side, rolled.roll, rolled.part)


def cannot_play(state: State, side: Side, roll: Roll) -> Notice:
    """A notice of a dance."""
    return info(say("{name} cannot play {roll}.", name=state.called(side), roll=roll.text))


def made_final(state: State, side: Side, *, by_double: bool = False) -> Transition:
    """Let the opponent's illegal play stand after a valid roll or a double, as the profile says (row T5)."""
    dispute, until = state.disputed(DisputeKind.ILLEGAL_PLAY), state.terms.profile.illegal_play_stands_after
    waits = until is IllegalPlayStands.PLAY_COMPLETED or (by_double and until is IllegalPlayStands.VALID_ROLL)
    if dispute is None or dispute.by is side or waits:
        return Transition(state)
    name = state.called(side)
    because = say("{name} has doubled", name=name) if by_double else say("{name} has rolled", name=name)
    after = replace(state, dispute=None, lapsed=None if by_double else dispute)
    return Transition(after, (warn(say("{because}: the illegal play stands.", because=because)),))


def end_turn(state: State, played: Played, *, lifted: bool = False) -> Transition:
    """End the turn: the play is final for its player, and the other side is on roll or the game is won.

    If the turn has another part that begins instead; `lifted`: the dice are off the board already.
    """
    side, notices, dispute = played.side, [], state.disputed(DisputeKind.ILLEGAL_PLAY)
    if dispute is not None and dispute.by is not side:
        state = replace(state, dispute=None)
        notices.append(warn(say("{name} has played on: the illegal play stands.", name=state.called(side))))
    coming, ends = next_part(state, played), outcome(state, side)
    state = _logged(state, played)
    if ends is None and coming is not None:
        return _gone_on(state, coming, lifted).after(*notices)
    state = replace(state, turns=state.turns + 1, turns_in_match=state.turns_in_match + 1)
    if ends is not None:
        return played_out(state, side, ends).also(*notices)
    notices += _pinned_mother(state, played)
    following = next_to_throw(state, played)
    is_own = played.part is None or played.part.thrower is side
    state = replace(state, phase=OnRoll(following, again=following is side and is_own))
    pending = state.pending
    if pending is not None and pending.side is not following:
        notices.append(warn(say("It is {name}’s turn: the roll is void.", name=state.called(following))))
    if pending is None or pending.side is not following:
        return Transition(replace(state, pending=None), tuple(notices))
    return rolled(state, following, pending.roll, pending.throw).after(*notices)


def _pinned_mother(state: State, played: Played) -> list[Notice]:
    """Why a mother that this play has pinned does not end the game (docs/rules/family.md, row F4)."""
    profile, side = state.terms.profile, played.side
    if not awaits_own_mother(profile, state.board.seen_by(side)):
        return []
    if awaits_own_mother(profile, played.before.seen_by(side)):
        return []
    text = say(
        "{other}’s mother is pinned: the game goes on while {name} has checkers on {name}’s own start.",
        other=state.called(side.other),
        name=state.called(side),
    )
    return [info(text)]


def _logged(state: State, played: Played) -> State:
    """The state with a turn, or a part of one, that has ended."""
    picture = None if played.part else state.picture
    roll, play, before = played.roll, played.play, played.before
    made = TurnMade(played.side, roll, play, before, state.board, played.fault, picture, played.part)
    return replace(state.with_logged(made), lapsed=None, doublets=_doublets_after(state, played))


def next_part(state: State, played: Played) -> Onward | OnRoll | None:
    """The part that follows a play: numbers of a doublet, or a doublet to name; None if its turn ends.

    docs/rules/family.md, rows F18, F19, F21 and F22.
    """
    roll, side, profile = played.roll, played.side, state.terms.profile
    if roll is None:
        return None
    if profile.doublets is Doublets.RUNNING_ON and roll.is_doubles:
        return _running_on(state, played, roll)
    coming: Onward | OnRoll | None = complement_of(profile, side, roll, played.part)
    if played.part is None and names_next(profile, roll):
        coming = OnRoll(side, again=True, names=True)
    before = replace(state, board=played.before)
    return coming if coming and turn_of(before, side, roll, played.part).goes_on else None


def is_in_parts(state: State) -> bool:
    """Whether the turn in progress has parts that were not thrown, or may have some after its roll.

    docs/rules/family.md, rows F18, F19, F21 and F22.
    """
    profile = state.terms.profile
    match state.phase:
        case OnRoll(names=names):
            return names
        case Rolled(part=Part()):
            return True
        case Rolled(side=side, roll=roll) if profile.doublets is Doublets.RUNNING_ON:
            return roll.is_doubles and _runs_on(state, side)
        case Rolled(side=side, roll=roll):
            return names_next(profile, roll) or complement_of(profile, side, roll, None) is not None
    return False


def _runs_on(state: State, side: Side) -> bool:
    """Whether a doublet that this side throws now runs on."""
    thrown = sum(isinstance(one, TurnMade) and one.side is side and not one.part for one in state.log)
    return thrown >= state.terms.profile.rolls_before_running_on


def _running_on(state: State, played: Played, doublet: Roll) -> Onward | None:
    """The part that follows a play of a doublet that runs on (rows F18 and F19).

    An illegal play that stands leaves no rest of its number.
    """
    side, profile = played.side, state.terms.profile
    if played.part is None and not _runs_on(state, side):
        return None
    part = played.part or Part(side)
    left = 0 if played.fault or played.play is None else part.times - len(played.play)
    return onward(profile, side, doublet.high, part, left)


def _gone_on(state: State, coming: Onward | OnRoll, lifted: bool) -> Transition:
    """Begin the next part of a turn; a dance ends at once if no dice are to be picked up."""
    if isinstance(coming, OnRoll):
        notice = info(say("{name} names a doublet.", name=state.called(coming.side)))
        return Transition(replace(state, phase=replace(coming, lifted=lifted)), (notice,))
    passed = coming.side is not coming.part.thrower
    to_play = Rolled(coming.side, coming.roll, lifted=lifted or passed, part=coming.part)
    return _part_begun(state, to_play, info(_part_sentence(state, to_play)))


def _part_begun(state: State, to_play: Rolled, notice: Notice | None = None) -> Transition:
    """Begin a part of a turn, with a notice if it can be played."""
    dance = dance_of(state, to_play)
    if dance is None:
        return Transition(replace(state, phase=to_play), (notice,) if notice else ())
    notice = cannot_play(state, to_play.side, to_play.roll)
    if not to_play.lifted:
        return Transition(replace(state, phase=dance), (notice,))
    return end_turn(state, dance, lifted=True).after(notice)


def doublet_named(state: State, event: DoubletNamed) -> Transition:
    """Name the doublet to be played after 2-1; one that cannot be played at all is a dance (row F21).

    Raises:
        OutOfTurnError: no doublet is to be named now.
    """
    match state.phase:
        case OnRoll(side=side, names=True, lifted=lifted):
            roll = Roll(event.number, event.number)
            return _part_begun(state, Rolled(side, roll, lifted=lifted, part=Part(side, named=True)))
    raise OutOfTurnError(say("No doublet is to be named now."))


def _part_sentence(state: State, rolled: Rolled) -> Sentence:
    """A sentence about a part that begins."""
    assert rolled.part is not None, "only a part begins without a throw"
    name, thrower, number = state.called(rolled.side), state.called(rolled.part.thrower), rolled.roll.high
    if rolled.side is rolled.part.thrower:
        return say("{name} plays on: {roll}.", name=name, roll=rolled.roll.text)
    return say_n(
        "{name} plays what {other} could not: {number} once.",
        "{name} plays what {other} could not: {number}, {n} times.",
        rolled.part.times,
        name=name,
        other=thrower,
        number=number,
    )


def _doublets_after(state: State, played: Played) -> tuple[int, int]:
    """Doublets of both sides including this roll, even an unplayable one (docs/rules/play.md, row S5)."""
    south, north = state.doublets
    if played.roll is None or not played.roll.is_doubles or played.part is not None:
        return south, north
    return (south + 1, north) if played.side is Side.SOUTH else (south, north + 1)


def play_entered(state: State, event: PlayEntered) -> Transition:
    """Enter a play, or its moves so far.

    A complete legal play is on the board and can be changed until the turn ends. An illegal one is refused, unless
    it is `made`: then it is on the board, and the opponent decides (docs/rules/play.md, rows 23 and R4).

    Raises:
        OutOfTurnError: there is no roll to play.
        IllegalPlayError: the play is illegal, physically impossible or empty.
    """
    before, rolled = _to_be_played(state, event.made)
    turn = _turn_of(before, rolled)
    if event.moves is not None:
        return _moves_entered(before, rolled, turn, event.moves, event.made)
    if event.mine is not None and event.theirs is not None:
        return _position_entered(
            before, rolled, turn, turn.position.with_checkers(event.mine, event.theirs), event.made
        )
    raise IllegalPlayError(say("Say the moves, or the position that the play leaves."))


def _to_be_played(state: State, made: bool) -> tuple[State, Rolled]:
    """The state before the play, and the roll to play; a dance allows only an illegal play."""
    match state.phase:
        case Rolled() as rolled:
            return _without_own_dispute(state, rolled.side), rolled
        case Played(roll=roll, play=play) as played if roll is not None and (play != () or made):
            rolled = Rolled(played.side, roll, opening=played.opening, part=played.part)
            before = _without_own_dispute(state, played.side)
            return replace(before, board=played.before), rolled
        case OnRoll(kept=roll) as turn if roll is not None:
            return state, Rolled(turn.side, roll, opening=True, lifted=True)
        case Played(roll=roll) if roll is not None:
            raise OutOfTurnError(say("Nothing can be played with this roll."))
    raise OutOfTurnError(say("There is no roll to be played now."))


def _without_own_dispute(state: State, side: Side) -> State:
    """The state without a dispute about this side, which a new play settles; one about the opponent stays."""
    return replace(state, dispute=None) if state.dispute and state.dispute.by is side else state


def _moves_entered(
    state: State, rolled: Rolled, turn: Turn, steps: Sequence[tuple[int, int]], made: bool
) -> Transition:
    try:
        partial = turn.partial_play(steps)
    except IllegalPlayError:
        return _in_another_order(state, rolled, turn, steps, made)
    # With lifted dice no button follows the last move; while more may be played, the play stays open.
    if partial.is_complete and (made or partial.is_over or not rolled.lifted):
        return _legal(state, rolled, partial.now, partial.made)
    if made:
        return _illegal(state, rolled, partial.now, partial.made, turn.fault_of(partial.now))
    return Transition(replace(state, phase=replace(rolled, moves=partial.made)))


def _in_another_order(
    state: State, rolled: Rolled, turn: Turn, steps: Sequence[tuple[int, int]], made: bool
) -> Transition:
    """Enter moves that are impossible in this order, by the position after them."""
    play = turn.meant(steps)
    if play is not None:
        left, _ = carried_out(turn.position, [(move.source, move.target) for move in play])
        return _legal(state, rolled, left, play)
    if not made:
        turn.partial_play(steps)  # raises IllegalPlayError with the reason
    left, as_entered = carried_out(turn.position, steps)
    return _illegal(state, rolled, left, as_entered, turn.fault_of(left))


def _position_entered(state: State, rolled: Rolled, turn: Turn, left: Position, made: bool) -> Transition:
    problems = left.problems(state.terms.profile.checkers)
    if problems:
        if not made:
            raise IllegalPlayError(problem_sentence(problems))
        text = say("{problem} It has to be corrected.", problem=problem_sentence(problems))
        dispute = Dispute(DisputeKind.IMPOSSIBLE_POSITION, rolled.side, text)
        return Transition(replace(state, phase=replace(rolled, moves=()), dispute=dispute), (alarm(text),))
    play = turn.play_leaving(left)
    if play is not None:
        return _legal(state, rolled, left, play)
    if made:
        return _illegal(state, rolled, left, None, turn.fault_of(left))
    raise IllegalPlayError(turn.fault_of(left))


def _legal(state: State, rolled: Rolled, left: Position, play: Play) -> Transition:
    """Put a legal play on the board; one that ends the game, or after which its side plays on, ends at once."""
    side = rolled.side
    played = Played(side, rolled.roll, play, state.board, opening=rolled.opening, part=rolled.part)
    after = replace(state, board=Board.of(side, left), phase=played)
    coming = next_part(after, played)
    plays_on = coming is not None and coming.side is side
    if rolled.lifted or plays_on or outcome(after, side) is not None:
        return end_turn(after, played, lifted=rolled.lifted)
    return Transition(after)


def _illegal(state: State, rolled: Rolled, left: Position, play: Play | None, fault: Sentence) -> Transition:
    """Put an illegal play on the board, with an alarm and a dispute (docs/rules/play.md, row R4)."""
    played = Played(rolled.side, rolled.roll, play, state.board, fault, rolled.opening, part=rolled.part)
    text = say("{name}’s play is not legal: {why}", name=state.called(rolled.side), why=fault.inside())
    back = replace(state, phase=replace(rolled, moves=()), dispute=None, pending=None)
    dispute = Dispute(DisputeKind.ILLEGAL_PLAY, rolled.side, text, back=back)
    after = replace(state, board=Board.of(rolled.side, left), phase=played, dispute=dispute)
    if rolled.lifted and not must_be_settled(after, played):
        return end_turn(after, played).also(alarm(text))
    return Transition(after, (alarm(text),))


def turn_ended(state: State, event: TurnEnded) -> Transition:
    """End a turn by hand; the play stands.

    Raises:
        OutOfTurnError: there is no turn to end, it is the other side's, or a play or a dispute comes first.
    """
    phase = state.phase
    match phase:
        case OnRoll(side=side, names=True):
            raise OutOfTurnError(say("{name} names a doublet first.", name=state.called(side)))
        case OnRoll(side=side) if not need_not_roll(state, side):
            raise OutOfTurnError(say("{name} has not rolled yet.", name=state.called(side)))
        case Rolled(lifted=True) if not is_whole(state, phase):
            raise OutOfTurnError(say("The turn is over; its play is still to be entered."))
        case Opening() | Doubled() | Resigning():
            raise OutOfTurnError(say("There is no turn to end now."))
        case GameOver() | MatchOver():
            raise OutOfTurnError(say("The game is over."))
    check_side(state, event.side, phase.side, say("end the turn"))
    match phase:
        case OnRoll(side=side):
            return end_turn(replace(state, throw=None, picture=None), Played(side, None, (), state.board))
        case Rolled(lifted=False):
            return _owed(state, phase)
        case Rolled():
            turn = _turn_of(state, phase)
            return _moves_entered(state, phase, turn, _steps(phase), made=True)
        case Played():
            if must_be_settled(state, phase):
                raise OutOfTurnError(
                    say("First settle the illegal play: it would win the game.")
                    if outcome(state, phase.side)
                    else say("First settle the illegal play: the turn goes on.")
                )
            return end_turn(state, phase)


def is_whole(state: State, rolled: Rolled) -> bool:
    """Whether the moves entered of an owed play are a whole play; the entry game may allow more."""
    turn = _turn_of(state, rolled)
    return bool(rolled.moves) and turn.partial_play(_steps(rolled)).is_complete


def _steps(rolled: Rolled) -> list[tuple[int, int]]:
    return [(move.source, move.target) for move in rolled.moves]


def lifted(state: State, event: Lifted) -> Transition:
    """Pick up the dice; this ends the turn if the profile says so (docs/rules/play.md, row 21)."""
    if (
        state.disputed(DisputeKind.PREMATURE_ROLL)
        or state.terms.profile.end_of_turn is not EndOfTurn.DICE_PICKED_UP
    ):
        return Transition(state)
    match state.phase:
        case OnRoll(names=True, lifted=False) as turn:
            return Transition(replace(state, phase=replace(turn, lifted=True)))
        case Played() as played if not must_be_settled(state, played):
            return end_turn(state, played, lifted=True)
        case Rolled(lifted=False) as rolled:
            return _owed(state, rolled)
    return Transition(state)


def must_be_settled(state: State, played: Played) -> bool:
    """Whether an open illegal play would end the game, or its turn goes on; it keeps the turn from ending."""
    is_open = bool(played.fault) and not played.condoned
    return is_open and (outcome(state, played.side) is not None or next_part(state, played) is not None)


def _owed(state: State, rolled: Rolled) -> Transition:
    """End the turn of a play that is not entered, or not whole; the play is owed."""
    if may_throw_anew(state):
        return Transition(replace(state, phase=OnRoll(rolled.side, first=True, kept=rolled.roll)))
    return Transition(replace(state, phase=replace(rolled, lifted=True)))


def need_not_roll(state: State, side: Side) -> bool:
    """Whether this side is closed out and need not roll: on the bar, all six entry points held (row T12)."""
    if state.terms.profile.closed_out is not ClosedOut.NEED_NOT_ROLL:
        return False
    position = state.board.seen_by(side)
    return position.must_enter > 0 and min(position.theirs[1 : HOME + 1]) >= 2
