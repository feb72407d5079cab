"""Throws: the opening, rolls seen or typed, early rolls, and rulings by people."""

from dataclasses import replace

from companion.errors import BadTextError, GameError, OutOfTurnError
from companion.game.cube import automatic_double, may_double_automatically
from companion.game.events import OpeningThrown, Overruled, RollTyped, Thrown, Void
from companion.game.state import (
    Dispute,
    DisputeKind,
    Doubled,
    OnRoll,
    Opening,
    Pending,
    Played,
    Rolled,
    State,
    Throw,
    Transition,
    alarm,
    check_side,
    info,
    warn,
)
from companion.game.turn_order import may_throw_anew, next_to_throw
from companion.game.turns import rolled
from companion.rules.board import Die, Roll, Side
from companion.rules.referee import (
    Cocked,
    Half,
    Reason,
    Rest,
    Ruling,
    ThrowKind,
    Valid,
    right_half,
    rule,
)
from companion.rules.setting_values import (
    CubeAfterCocked,
    OpeningRoll,
    PrematureRoll,
    RollArea,
    ThrownByHand,
    WhoBegins,
)
from sentence import say


def dice_each(state: State) -> int:
    """Number of dice that each side throws for the start (docs/rules/play.md, row 2)."""
    return 1 if state.terms.profile.who_begins is WhoBegins.ONE_DIE_EACH else 2


def opening_thrower(state: State, opening: Opening) -> Side | None:
    """The side that throws next in the opening, south first; None if each throws one die at once."""
    if dice_each(state) == 1:
        return None
    return Side.NORTH if opening.south else Side.SOUTH


def opening_thrown(state: State, event: OpeningThrown) -> Transition:
    """Enter typed opening dice, which replace earlier ones.

    Raises:
        OutOfTurnError: the opening throw is over.
        BadTextError: no dice, or another number of dice than a side throws.
    """
    opening = _reopened(state)
    if not event.south and not event.north:
        raise BadTextError(say("Enter the die that South or North rolled."))
    wanted = dice_each(state)
    for dice in filter(None, (event.south, event.north)):
        if len(dice) != wanted:
            raise BadTextError(
                say("For the start each side throws {wanted}, not {given}.", wanted=wanted, given=len(dice))
            )
    south, north = event.south or opening.south, event.north or opening.north
    if event.void is not None:
        left = Opening(() if event.south else opening.south, () if event.north else opening.north)
        return Transition(replace(_board_before(state), phase=left, throw=Throw(_void(state, event.void))))
    throw = state.throw if opening.unassigned else None
    back = replace(_board_before(state), phase=Opening(), throw=throw)
    return _settle_opening(back, south, north, throw)


def _void(state: State, void: Void) -> Cocked:
    """The ruling of a person that a throw does not count; GameError where it may be thrown by hand (row T19)."""
    if void is Void.COCKED:
        return Cocked(())
    if state.terms.profile.thrown_by_hand is ThrownByHand.STANDS:
        raise GameError(say("Under the rules of this match dice may be thrown by hand."))
    return Cocked((Reason.BY_HAND,))


def _reopened(state: State) -> Opening:
    """The opening throw so far; empty to correct one that is settled. OutOfTurnError once it is final."""
    match state.phase:
        case Opening():
            return state.phase
        case Rolled(opening=True, lifted=False) | OnRoll(first=True) | Played(opening=True):
            return Opening()
    raise OutOfTurnError(say("The opening throw is over."))


def _opening_rolled(state: State, opening: Opening, throw: Throw) -> Transition:
    """Enter opening dice seen by the camera."""
    shown, ruling = replace(state, throw=throw), throw.ruling
    if not isinstance(ruling, Valid):
        return Transition(shown)
    high, low = ruling.roll
    if dice_each(state) == 2:
        both = (high, low)
        south, north = (opening.south, both) if opening.south else (both, opening.north)
        return _settle_opening(shown, south, north, throw)
    if ruling.south is not None and ruling.north is not None:
        return _settle_opening(shown, (ruling.south,), (ruling.north,), throw)
    if ruling.roll.is_doubles:
        return _settle_opening(shown, (high,), (low,), throw)
    asked = replace(shown, phase=Opening(unassigned=ruling.roll))
    return Transition(asked, (warn(say("Who rolled the {number}?", number=high)),))


def _settle_opening(
    state: State, south: tuple[Die, ...], north: tuple[Die, ...], throw: Throw | None
) -> Transition:
    """Settle the opening from its dice so far: wait, throw again, or begin the winner's turn."""
    if not south or not north:
        return Transition(replace(state, phase=Opening(south, north)))
    if sum(south) == sum(north):
        return _tie(state)
    winner = Side.SOUTH if sum(south) > sum(north) else Side.NORTH
    notice = info(say("{name} begins.", name=state.called(winner)))
    if state.terms.profile.opening_roll is OpeningRoll.THROWN_ANEW:
        return Transition(replace(state, phase=OnRoll(winner, first=True)), (notice,))
    roll = Roll.of(south[0], north[0])
    valid = throw or Throw(Valid(roll, south[0], north[0]))
    return rolled(state, winner, roll, valid, opening=True).after(notice)


def _tie(state: State) -> Transition:
    """Throw again after equal dice, with an automatic double if the profile has them (row T8)."""
    again = replace(state, phase=Opening(again=True))
    if dice_each(state) == 1 and may_double_automatically(again):
        return automatic_double(again)
    return Transition(again, (info(say("Doubles: roll again for the start.")),))


NOBODY_ROLLS = say("Nobody is on roll now.")


def thrown(state: State, event: Thrown) -> Transition:
    """Rule on a throw seen by the camera; a throw outside any turn changes nothing."""
    match state.phase:
        case Opening() as opening:
            kind = ThrowKind.OPENING if dice_each(state) == 1 else ThrowKind.TURN
            throw = _ruled(state, event, opening_thrower(state, opening), kind)
            return _opening_rolled(state, opening, replace(throw, roller=None))
        case OnRoll(side=side, names=True, lifted=True):
            return _early(state, side, _ruled(state, event, side))
        case OnRoll(names=True):
            return Transition(state)
        case OnRoll(side=side) as turn:
            return _on_roll_throws(state, turn, _ruled(state, event, side))
        case Rolled(side=side) if may_throw_anew(state):
            # instead of playing the opening roll (docs/rules/play.md, row 3)
            turn = OnRoll(side, first=True)
            return _on_roll_throws(replace(state, phase=turn), turn, _ruled(state, event, side))
        case Rolled(lifted=True) as phase:
            side = next_to_throw(state, phase)
            return _early(state, side, _ruled(state, event, side))
        case Rolled() | Played() as phase:
            other = next_to_throw(state, phase)
            if other is not phase.side and _belongs_to(state, event, phase, other):
                return _premature(state, phase, other, _ruled(state, event, other))
        case Doubled(back=back):
            return _early(state, back.side, _ruled(state, event, back.side))
    return Transition(state)


def _ruled(state: State, event: Thrown, roller: Side | None, kind: ThrowKind = ThrowKind.TURN) -> Throw:
    """The throw with the referee's ruling under the match's profile and orientation."""
    ruling = rule(
        event.dice,
        state.terms.profile.rolling_rules,
        roller=roller,
        kind=kind,
        doubt=event.doubt,
        board_found=event.board_found,
        home=Half.RIGHT if state.terms.orientation.home == "right" else Half.LEFT,
    )
    return Throw(ruling, event.dice, event.evidence, roller=roller)


def _on_roll_throws(state: State, turn: OnRoll, throw: Throw) -> Transition:
    if isinstance(throw.ruling, Valid):
        return rolled(state, turn.side, throw.ruling.roll, throw)
    shown = replace(state, throw=throw)
    return Transition(_after_cocked(shown, turn) if isinstance(throw.ruling, Cocked) else shown)


def _after_cocked(state: State, turn: OnRoll) -> State:
    """The turn after a cocked throw, with the cube locked if the profile says so (row T7)."""
    locks = state.terms.profile.cube_after_cocked is CubeAfterCocked.LOCKED
    return replace(state, phase=replace(turn, locked=turn.locked or locks))


def _early(state: State, side: Side, throw: Throw) -> Transition:
    """Keep a throw that comes before the last play or answer is entered; it counts after that."""
    after = replace(state, throw=throw)
    if not isinstance(throw.ruling, Valid):
        return Transition(after)
    roll = throw.ruling.roll
    text = say("{name}’s {roll} waits until this is settled.", name=state.called(side), roll=roll.text)
    return Transition(replace(after, pending=Pending(side, roll, throw)), (info(text),))


def _belongs_to(state: State, event: Thrown, phase: Rolled | Played, other: Side) -> bool:
    """Whether dice at rest before the end of a turn are the other side's early roll, and not dice that were pushed.

    The half that they are in says so, or else that a play is on the board.
    """
    if state.terms.profile.roll_area is not RollArea.RIGHT_HALF:
        return isinstance(phase, Played)
    halves = {one.half for one in event.dice if one.rest is not Rest.OFF_BOARD}
    return halves == {right_half(other)} and right_half(other) is not right_half(phase.side)


def _premature(state: State, phase: Rolled | Played, other: Side, throw: Throw) -> Transition:
    """Treat a roll before the end of the opponent's turn: void, valid, or for him to choose (row T3)."""
    if not isinstance(throw.ruling, Valid):
        return Transition(state)
    name, opponent = state.called(other), state.called(phase.side)
    early = say("{name} rolled before {other} had ended the turn", name=name, other=opponent)
    pending = Pending(other, throw.ruling.roll, throw)
    match state.terms.profile.premature_roll:
        case PrematureRoll.VOID:
            void = replace(throw, ruling=Cocked((Reason.PREMATURE,)))
            return Transition(replace(state, throw=void), (warn(say("{early}: roll again.", early=early)),))
        case PrematureRoll.STANDS:
            text = say("{early}: the roll stands.", early=early)
            return Transition(replace(state, pending=pending), (warn(text),))
        case PrematureRoll.OPPONENT_CHOOSES:
            # a second early roll replaces the first
            first = state.disputed(DisputeKind.PREMATURE_ROLL)
            over = first.over if first else state.dispute
            text = say("{early}. Should the roll stand, or be rolled again?", early=early)
            dispute = Dispute(DisputeKind.PREMATURE_ROLL, other, text, early=pending, over=over)
            return Transition(replace(state, dispute=dispute), (alarm(text),))


def roll_typed(state: State, event: RollTyped) -> Transition:
    """Enter a typed roll.

    Raises:
        OutOfTurnError: no side may roll now, or the given side may not.
    """
    ruling = _void(state, event.void) if event.void else Valid(event.roll)
    throw = Throw(ruling, roller=event.side)
    match state.phase:
        case Opening():
            return _opening_typed(state, event)
        case OnRoll(side=side, names=True):
            raise OutOfTurnError(say("{name} names a doublet first.", name=state.called(side)))
        case OnRoll(side=side) if event.side is not None and event.side is not side:
            wrong = replace(throw, ruling=Cocked((Reason.WRONG_PLAYER,)))
            notice = warn(say("It is {name}’s turn: the roll is void.", name=state.called(side)))
            return Transition(replace(state, throw=wrong), (notice,))
        case OnRoll(side=side) as turn:
            return _on_roll_throws(state, turn, replace(throw, roller=side))
        case Rolled() as phase if may_throw_anew(state):
            check_side(state, event.side, phase.side, say("throw"))
            turn = OnRoll(phase.side, first=True)
            return _on_roll_throws(replace(state, phase=turn), turn, replace(throw, roller=phase.side))
        case Rolled(lifted=True) as phase:
            side = next_to_throw(state, phase)
            check_side(state, event.side, side, say("roll"))
            return _early(state, side, replace(throw, roller=side))
        case Rolled() | Played() as phase if event.side is next_to_throw(state, phase):
            return _premature(state, phase, event.side, throw)
        case Rolled() as phase:
            text = say("{name} has {roll} to play.", name=state.called(phase.side), roll=phase.roll.text)
            raise OutOfTurnError(text)
        case Played() as phase:
            raise OutOfTurnError(say("{name} has not ended the turn yet.", name=state.called(phase.side)))
        case Doubled():
            raise OutOfTurnError(say("The double has to be answered first."))
    raise OutOfTurnError(NOBODY_ROLLS)


def _opening_typed(state: State, event: RollTyped) -> Transition:
    """Enter a roll typed in the opening; OutOfTurnError without its side."""
    if event.side is None:
        raise OutOfTurnError(say("For the opening, enter which side rolled which die."))
    return opening_thrown(state, replace(opening_of_roll(state, event.roll, event.side), void=event.void))


def opening_of_roll(state: State, roll: Roll, side: Side) -> OpeningThrown:
    """The opening dice of a roll typed for a side: its higher die and the other's lower, or both of its own."""
    both = (roll.high, roll.low)
    mine, theirs = (both, ()) if dice_each(state) == 2 else ((both[0],), (both[1],))
    return OpeningThrown(mine, theirs) if side is Side.SOUTH else OpeningThrown(theirs, mine)


def overruled(state: State, event: Overruled) -> Transition:
    """Overrule the machine: the last throw counts as this roll, or not at all (docs/rules/play.md, row R3).

    Raises:
        OutOfTurnError: there is no throw, or a later event has made it final.
    """
    throw = state.throw
    void = None if event.void is None else _void(state, event.void)
    match state.phase:
        case OnRoll(side=side, names=False) as turn if throw and not isinstance(throw.ruling, Valid):
            if event.roll is None:
                kept = _over(throw, void or Cocked(_reasons(throw)))
                return Transition(_after_cocked(replace(state, throw=kept), turn))
            counted = replace(_over(throw, Valid(event.roll)), roller=side)
            return rolled(state, side, event.roll, counted)
        case Rolled(opening=True, lifted=False) | Played(opening=True) if event.roll is None:
            before = _board_before(state)
            return Transition(replace(before, phase=Opening(), throw=_over(throw, void or Cocked(()))))
        case Opening() if throw is not None and event.roll is None:
            return Transition(
                replace(state, phase=Opening(), throw=_over(throw, void or Cocked(_reasons(throw))))
            )
        case Opening() | Rolled(opening=True, lifted=False) | Played(opening=True):
            raise OutOfTurnError(say("For the opening, enter which side rolled which die."))
        case Rolled(lifted=False, part=None) | Played(roll=Roll(), part=None):
            return _roll_again(_board_before(state), state.phase, event.roll or void or Cocked(()))
    raise OutOfTurnError(say("There is no throw that could still be overruled."))


def _roll_again(state: State, phase: Rolled | Played, counts: Roll | Cocked) -> Transition:
    """Replace the roll that is being played, or have it thrown again."""
    side, throw = phase.side, played_throw(state, phase)
    if isinstance(counts, Roll):
        transition = rolled(state, side, counts, _over(throw, Valid(counts)))
        after = replace(transition.state, picture=state.picture, pending=state.pending)
        return transition._replace(state=after)
    again = replace(state, throw=_over(throw, counts), dispute=state.lapsed, lapsed=None)
    return Transition(_after_cocked(again, OnRoll(side, first=state.turns == 0)))


def played_throw(state: State, phase: Rolled | Played) -> Throw | None:
    """The throw of the roll being played; the last throw may be the opponent's early and void one."""
    if phase.roll is None or (state.throw is not None and state.throw.roller is phase.side):
        return state.throw
    return Throw(Valid(phase.roll), roller=phase.side)


def early_and_void(state: State, phase: Rolled | Played) -> bool:
    """Whether the last throw is the opponent's, rolled before the end of this turn and void."""
    throw = state.throw
    return throw is not None and throw.roller is not phase.side and Reason.PREMATURE in throw.ruling.reasons


def _board_before(state: State) -> State:
    """The state before the play, complete or half made."""
    board = state.phase.before if isinstance(state.phase, Played) else state.board
    return replace(state, board=board, dispute=None)


def _reasons(throw: Throw) -> tuple[Reason, ...]:
    """The machine's reasons without its own doubt."""
    doubts = {Reason.DOUBT, Reason.NO_BOARD}
    return tuple(reason for reason in throw.ruling.reasons if reason not in doubts)


def _over(throw: Throw | None, ruling: Ruling) -> Throw:
    """The throw with a person's ruling beside the machine's first one."""
    if throw is None:
        return Throw(ruling)
    return replace(throw, ruling=ruling, overruled=throw.overruled or throw.ruling)
