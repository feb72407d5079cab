"""A clock with a reserve and simple delay, as a pure function of times that it is told.

Every turn begins with a delay that runs down first; only then the reserve does. Unused delay is not added
to the reserve (US clock rules 2013, 2.1 and 2.2, as TOURNAMENT.md quotes them).
"""

from dataclasses import dataclass, replace

from companion.rules.side import Side

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class ClockRules:
    """How much time a side has.

    Attributes:
        delay_ms: free time at the start of every turn.
        reserve_ms_per_point: reserve for each point of the match length.
        less_ms_per_point_scored: taken off for each point that either side has already scored.
        fixed_reserve_ms: this reserve whatever the length, as in money play; None: by length.
    """

    delay_ms: int = 12_000
    reserve_ms_per_point: int = 2 * MINUTE_MS
    less_ms_per_point_scored: int = MINUTE_MS
    fixed_reserve_ms: int | None = None

    def reserve_ms(self, length: int, points_scored: int) -> int:
        """The reserve that a side begins with."""
        if self.fixed_reserve_ms is not None:
            return self.fixed_reserve_ms
        by_length = self.reserve_ms_per_point * length
        return max(0, by_length - self.less_ms_per_point_scored * points_scored)


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' time as it was at `at_ms`.

    Attributes:
        rules: delay and reserve.
        south_ms: south's reserve.
        north_ms: north's.
        running: whose time runs; None: stopped.
        turn_of: whose delay `delay_left_ms` is; None: the next one to run gets a whole delay.
        delay_left_ms: what is left of it.
        held: stopped by hand, so that play does not start it again.
        at_ms: the wall time for which all this holds.
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
        """The reserve of a side in milliseconds."""
        return self.south_ms if side is Side.SOUTH else self.north_ms

    def with_reserve(self, side: Side, reserve_ms: int) -> "Clock":
        """The clock with one reserve set."""
        if side is Side.SOUTH:
            return replace(self, south_ms=reserve_ms)
        return replace(self, north_ms=reserve_ms)


def at(clock: Clock, at_ms: int) -> Clock:
    """The clock at a later time; a wall clock that was set back takes nobody's time."""
    gone_ms = max(0, at_ms - clock.at_ms)
    if clock.running is None:
        return replace(clock, at_ms=at_ms)
    from_delay_ms = min(gone_ms, clock.delay_left_ms)
    reserve_ms = max(0, clock.reserve_of(clock.running) - (gone_ms - from_delay_ms))
    after = clock.with_reserve(clock.running, reserve_ms)
    return replace(after, delay_left_ms=clock.delay_left_ms - from_delay_ms, at_ms=at_ms)


def run(clock: Clock, side: Side | None, at_ms: int) -> Clock:
    """The clock with this side's time running from now on (None: stopped).

    The delay begins anew when the other side's time starts, not when the same side goes on after a stop.
    """
    now = at(clock, at_ms)
    if side is None or clock.held:
        return replace(now, running=None)
    if side is now.turn_of:
        return replace(now, running=side)
    return replace(now, running=side, turn_of=side, delay_left_ms=now.rules.delay_ms)


def out_of_time(clock: Clock, at_ms: int) -> Side | None:
    """The side whose time runs and is used up, the delay as well as the reserve."""
    now = at(clock, at_ms)
    side = now.running
    used_up = side is not None and now.delay_left_ms <= 0 and now.reserve_of(side) <= 0
    return side if used_up else None
