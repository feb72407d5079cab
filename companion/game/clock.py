"""The clock: reserve and simple delay as a pure function of event times, and the side whose time runs.

Every turn begins with a delay; the reserve runs only after it. Unused delay is not added to the
reserve (docs/rules/tournaments.md, row T13).
"""

from dataclasses import dataclass, replace

from companion.errors import GameError
from companion.game.events import ClockOrder, ClockSet
from companion.game.state import Doubled, OnRoll, Opening, Played, Resigning, Rolled, State
from companion.game.turn_order import next_to_throw
from companion.rules.board import Side
from companion.rules.referee import Reason
from companion.rules.setting_values import ClockKind, ClockStop
from sentence import say

MINUTE_MS = 60_000


def minutes(time_ms: int) -> str:
    """A time in minutes and seconds, as 12:30."""
    return "{}:{:02}".format(*divmod(time_ms // 1000, 60))


@dataclass(frozen=True, slots=True)
class ClockRules:
    """Delay at the start of every turn, and reserve of a side by the length of the match.

    `less_ms_per_point_scored` is the deduction for each point that either side has already scored, and
    `fixed_reserve_ms` a reserve regardless of the length, as in money play.
    """

    delay_ms: int = 12_000
    reserve_ms_per_point: int = 2 * MINUTE_MS
    less_ms_per_point_scored: int = MINUTE_MS
    fixed_reserve_ms: int | None = None

    def reserve_ms(self, length: int, points_scored: int) -> int:
        """The reserve of a side at the start of the match, or of a game of money play."""
        if self.fixed_reserve_ms is not None:
            return self.fixed_reserve_ms
        by_length = self.reserve_ms_per_point * length
        return max(0, by_length - self.less_ms_per_point_scored * points_scored)


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' reserves at the wall time `at_ms`.

    Attributes:
        running: the side whose time runs; None: stopped.
        turn_of: the side of `delay_left_ms`; None: the next side to run gets a whole delay.
        delay_left_ms: rest of its delay.
        held: stopped by hand; play does not start it again.
    """

    rules: ClockRules
    south_ms: int
    north_ms: int
    running: Side | None = None
    turn_of: Side | None = None
    delay_left_ms: int = 0
    held: bool = False
    at_ms: int = 0

    def reserve_of(self, side: Side) -> int:
        """Reserve of a side in milliseconds."""
        return self.south_ms if side is Side.SOUTH else self.north_ms

    def with_reserve(self, side: Side, reserve_ms: int) -> "Clock":
        """The clock with one reserve set."""
        if side is Side.SOUTH:
            return replace(self, south_ms=reserve_ms)
        return replace(self, north_ms=reserve_ms)


def at(clock: Clock, at_ms: int) -> Clock:
    """The clock at a later time; a wall clock set back costs neither side time."""
    gone_ms = max(0, at_ms - clock.at_ms)
    if clock.running is None:
        return replace(clock, at_ms=at_ms)
    from_delay_ms = min(gone_ms, clock.delay_left_ms)
    reserve_ms = max(0, clock.reserve_of(clock.running) - (gone_ms - from_delay_ms))
    after = clock.with_reserve(clock.running, reserve_ms)
    return replace(after, delay_left_ms=clock.delay_left_ms - from_delay_ms, at_ms=at_ms)


def run(clock: Clock, side: Side | None, at_ms: int) -> Clock:
    """The clock with this side's time running from now on (None: stopped).

    The delay begins anew when the other side's time starts, not when the same side continues after a stop.
    """
    now = at(clock, at_ms)
    if side is None or clock.held:
        return replace(now, running=None)
    if side is now.turn_of:
        return replace(now, running=side)
    return replace(now, running=side, turn_of=side, delay_left_ms=now.rules.delay_ms)


def out_of_time(clock: Clock, at_ms: int) -> Side | None:
    """The side whose time runs, if its delay and its reserve are used up; else None."""
    now = at(clock, at_ms)
    side = now.running
    has_time = now.delay_left_ms > 0 or (side is not None and now.reserve_of(side) > 0)
    return None if has_time else side


def _is_off(state: State) -> bool:
    return state.terms.profile.clock is ClockKind.OFF or state.chouette is not None


def clock_for(state: State, at_ms: int) -> Clock | None:
    """The clock of the profile, stopped; None if it has none (docs/rules/tournaments.md, row T13), or in a chouette."""
    profile = state.terms.profile
    if _is_off(state):
        return None
    per_point_ms = 1000 * profile.clock_reserve_s_per_point
    rules = ClockRules(
        delay_ms=1000 * profile.clock_delay_s,
        reserve_ms_per_point=per_point_ms,
        less_ms_per_point_scored=1000 * profile.clock_reserve_s_less_per_point_scored,
        # money play has no length, so each of its games begins with the reserve of one point
        fixed_reserve_ms=per_point_ms if state.terms.money_play else None,
    )
    reserve_ms = rules.reserve_ms(state.terms.length, state.score.south + state.score.north)
    return Clock(rules, reserve_ms, reserve_ms, at_ms=at_ms)


def ticked(clock: Clock | None, before: State, after: State, at_ms: int) -> Clock | None:
    """The clock after an event: created or removed with the setting, else run on for the side that is due."""
    if _is_off(after):
        return None
    if clock is None:
        clock = clock_for(after, at_ms)
        assert clock is not None
    if after.game != before.game:
        clock = replace(clock, turn_of=None)
        fresh_ms = clock.rules.fixed_reserve_ms
        if fresh_ms is not None:
            clock = replace(clock, south_ms=fresh_ms, north_ms=fresh_ms)
    if not before.turns_in_match and isinstance(before.phase, Opening) and before.game == 1:
        clock = _less_for_points(clock, before, after)
    if after.swapped is not before.swapped:
        clock = replace(clock, south_ms=clock.north_ms, north_ms=clock.south_ms, turn_of=None)
    return run(clock, running_side(after), at_ms)


def _less_for_points(clock: Clock, before: State, after: State) -> Clock:
    """The clock after points given before the first throw of the match: a late start has less reserve (row T13)."""
    scored = [state.score.south + state.score.north for state in (before, after)]
    was_ms, is_ms = (clock.rules.reserve_ms(after.terms.length, points) for points in scored)
    south_ms, north_ms = (
        max(0, clock.reserve_of(side) - was_ms + is_ms) for side in (Side.SOUTH, Side.NORTH)
    )
    return replace(clock, south_ms=south_ms, north_ms=north_ms)


def running_side(state: State) -> Side | None:
    """The side whose time runs now; None while it is stopped (docs/rules/tournaments.md, row T14)."""
    stops = state.terms.profile.clock_stops_for
    is_stopped = {
        ClockStop.DIRECTOR_CALLED: state.director,
        ClockStop.DISPUTE: state.dispute is not None,
        ClockStop.DICE_OFF_TABLE: _dice_off_table(state),
    }
    if any(is_stopped.get(stop) for stop in stops):
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
    """Whether a die has left the board and has to be fetched; other cocked dice stop no clock (row T14)."""
    reasons = state.throw.ruling.reasons if state.throw else ()
    return isinstance(state.phase, OnRoll) and Reason.OFF_BOARD in reasons


def clock_set(clock: Clock | None, state: State, event: ClockSet) -> Clock:
    """The clock after an order by hand: start, stop or a reserve.

    Raises:
        GameError: there is no clock, or a reserve is negative.
    """
    if clock is None:
        raise GameError(say("This match is played without a clock."))
    for side, reserve_ms in ((Side.SOUTH, event.south_ms), (Side.NORTH, event.north_ms)):
        if reserve_ms is not None:
            if reserve_ms < 0:
                raise GameError(say("A reserve cannot lie below zero."))
            clock = run(clock, clock.running, event.at_ms).with_reserve(side, reserve_ms)
    if event.order is ClockOrder.STOP:
        return replace(run(clock, None, event.at_ms), held=True)
    if event.order is ClockOrder.START:
        return run(replace(clock, held=False), running_side(state), event.at_ms)
    return clock
