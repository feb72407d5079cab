"""Whose time runs: the clock of a match from what happens at the table."""

from dataclasses import replace

from companion.errors import GameError
from companion.game.clock import Clock, ClockRules, run
from companion.game.events import ClockOrder, ClockSet
from companion.game.state import Doubled, OnRoll, Played, Resigning, Rolled, State
from companion.game.turn import next_to_throw
from companion.rules.options import ClockKind, ClockStop
from companion.rules.profile import Profile
from companion.rules.referee import Reason
from companion.rules.side import Side


def clock_for(state: State, at_ms: int) -> Clock | None:
    """The clock that the profile asks for, stopped; None: it is played without."""
    profile = state.terms.profile
    if profile.clock is ClockKind.OFF:
        return None
    rules = _rules(profile, money_play=state.terms.money_play)
    reserve_ms = rules.reserve_ms(state.terms.length, state.score.south + state.score.north)
    return Clock(rules, reserve_ms, reserve_ms, at_ms=at_ms)


def _rules(profile: Profile, *, money_play: bool) -> ClockRules:
    """Money play has no length: there each game begins with the reserve of one point."""
    per_point_ms = 1000 * profile.clock_reserve_s_per_point
    return ClockRules(
        delay_ms=1000 * profile.clock_delay_s,
        reserve_ms_per_point=per_point_ms,
        less_ms_per_point_scored=1000 * profile.clock_reserve_s_less_per_point_scored,
        fixed_reserve_ms=per_point_ms if money_play else None,
    )


def ticked(clock: Clock | None, before: State, after: State, at_ms: int) -> Clock | None:
    """The clock after an event: taken up or put away with the setting, else run on for whom it is due."""
    if after.terms.profile.clock is ClockKind.OFF:
        return None
    if clock is None:
        clock = clock_for(after, at_ms)
        assert clock is not None
    if after.game != before.game:
        clock = replace(clock, turn_of=None)
        fresh_ms = clock.rules.fixed_reserve_ms
        if fresh_ms is not None:
            clock = replace(clock, south_ms=fresh_ms, north_ms=fresh_ms)
    if after.swapped is not before.swapped:
        clock = replace(clock, south_ms=clock.north_ms, north_ms=clock.south_ms, turn_of=None)
    return run(clock, whose_time(after), at_ms)


def whose_time(state: State) -> Side | None:
    """Whose time runs now, as the rules for clocks have it; None: nobody's."""
    stops = state.terms.profile.clock_stops_for
    if state.director and ClockStop.DIRECTOR_CALLED in stops:
        return None
    if state.dispute is not None and ClockStop.DISPUTE in stops:
        return None
    if _dice_off_table(state) and ClockStop.DICE_OFF_TABLE in stops:
        return None
    match state.phase:
        case Doubled(offer=offer):
            return offer.asked
        case Rolled(lifted=True) as phase:
            return next_to_throw(state, phase)
        case OnRoll(side=side) | Rolled(side=side) | Played(side=side):
            return side
        case Resigning(by=by) if ClockStop.BREAK not in stops:
            return by.other
    return None


def _dice_off_table(state: State) -> bool:
    """A die has left the board and has to be fetched; merely cocked dice stop no clock."""
    throw = state.throw
    waits = isinstance(state.phase, OnRoll) and throw is not None
    return waits and throw is not None and Reason.OFF_BOARD in throw.ruling.reasons


def clock_set(clock: Clock | None, state: State, event: ClockSet) -> Clock:
    """The clock after an order by hand.

    Raises:
        GameError: there is no clock, or a reserve below nothing.
    """
    if clock is None:
        raise GameError("This match is played without a clock.")
    for side, reserve_ms in ((Side.SOUTH, event.south_ms), (Side.NORTH, event.north_ms)):
        if reserve_ms is not None:
            if reserve_ms < 0:
                raise GameError("A reserve cannot lie below zero.")
            clock = run(clock, clock.running, event.at_ms).with_reserve(side, reserve_ms)
    if event.order is ClockOrder.STOP:
        return replace(run(clock, None, event.at_ms), held=True)
    if event.order is ClockOrder.START:
        return run(replace(clock, held=False), whose_time(state), event.at_ms)
    return clock
