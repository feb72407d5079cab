"""Who begins: the opening throw, ties, and what the winner then plays."""

from dataclasses import replace

from companion.errors import BadTextError, OutOfTurnError
from companion.game.events import OpeningThrown
from companion.game.gamelog import SetUp
from companion.game.state import OnRoll, Opening, Played, Rolled, State, Throw
from companion.game.told import Told, info, warn
from companion.game.turn import rolled
from companion.rules.cube import Cube
from companion.rules.dice import Die, Roll
from companion.rules.options import OpeningRoll, WhoBegins
from companion.rules.referee import Ruling, ThrowKind, Valid
from companion.rules.side import Side


def dice_each(state: State) -> int:
    """How many dice each side throws for the start."""
    return 1 if state.terms.profile.who_begins is WhoBegins.ONE_DIE_EACH else 2


def throw_kind(state: State) -> ThrowKind:
    """What the referee is to expect on the board in the opening."""
    return ThrowKind.OPENING if dice_each(state) == 1 else ThrowKind.TURN


def whose_opening_throw(state: State, opening: Opening) -> Side | None:
    """Where both throw both dice, south throws first; None where each throws one die at once."""
    if dice_each(state) == 1:
        return None
    return Side.NORTH if opening.south else Side.SOUTH


def opening_thrown(state: State, event: OpeningThrown) -> Told:
    """Opening dice told by a person; a die that was there already is replaced.

    Raises:
        OutOfTurnError: the game is past its opening throw.
        BadTextError: not as many dice as each side throws.
    """
    opening = _reopened(state)
    if not event.south and not event.north:
        raise BadTextError("Say which die south threw, or north.")
    for dice in (event.south, event.north):
        if dice and len(dice) != dice_each(state):
            raise BadTextError(f"For the start each side throws {dice_each(state)}, not {len(dice)}.")
    south, north = event.south or opening.south, event.north or opening.north
    throw = state.throw if opening.unassigned else None
    back = replace(state, phase=Opening(), throw=throw)
    return settle_opening(back, south, north, throw)


def _reopened(state: State) -> Opening:
    """The opening throw so far; one that was just settled may still be told otherwise."""
    match state.phase:
        case Opening():
            return state.phase
        case Rolled(opening=True, lifted=False) | OnRoll(first=True) | Played(opening=True):
            return Opening()
    raise OutOfTurnError("The opening throw is over.")


def opening_rolled(state: State, opening: Opening, ruling: Ruling, throw: Throw) -> Told:
    """Opening dice seen by the camera."""
    shown = replace(state, throw=throw)
    if not isinstance(ruling, Valid):
        return Told(shown)
    if dice_each(state) == 2:
        both = (ruling.roll.high, ruling.roll.low)
        south, north = (opening.south, both) if opening.south else (both, opening.north)
        return settle_opening(shown, south, north, throw)
    if ruling.south is not None and ruling.north is not None:
        return settle_opening(shown, (ruling.south,), (ruling.north,), throw)
    if ruling.roll.is_doubles:
        return settle_opening(shown, (ruling.roll.high,), (ruling.roll.low,), throw)
    asked = replace(shown, phase=Opening(unassigned=ruling.roll))
    return Told(asked, (warn(f"Who threw the {ruling.roll.high}?"),))


def settle_opening(state: State, south: tuple[Die, ...], north: tuple[Die, ...], throw: Throw | None) -> Told:
    """The opening throw as far as it is known: wait, throw again, or the winner's turn."""
    if not south or not north:
        return Told(replace(state, phase=Opening(south, north)))
    if sum(south) == sum(north):
        return _tie(state)
    winner = Side.SOUTH if sum(south) > sum(north) else Side.NORTH
    said = info(f"{state.name(winner)} begins.")
    if state.terms.profile.opening_roll is OpeningRoll.THROWN_ANEW:
        return Told(replace(state, phase=OnRoll(winner, first=True)), (said,))
    roll = Roll.of(south[0], north[0])
    valid = throw or Throw(Valid(roll, south[0], north[0]))
    told = rolled(state, winner, roll, valid, opening=True)
    return Told(told.state, (said, *told.notices))


def _tie(state: State) -> Told:
    """Equal dice: thrown again, with the cube turned first where automatic doubles are played."""
    profile = state.terms.profile
    again = replace(state, phase=Opening())
    turns = state.terms.money_play and profile.cube and dice_each(state) == 1
    if not turns or state.automatic >= profile.automatic_doubles:
        return Told(again, (info("Equal: throw again for the start."),))
    cube = Cube(state.cube.value * 2)
    logged = again.with_deed(SetUp(state.board, cube, None))
    doubled = replace(logged, cube=cube, automatic=state.automatic + 1)
    return Told(doubled, (info(f"Equal: the cube shows {cube.value}; throw again for the start."),))
