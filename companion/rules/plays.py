"""Every legal play of a roll, keyed by the position it leaves."""

from companion.rules.dice import Roll
from companion.rules.listing import Plays, listed, one_number, steps_of_one_number
from companion.rules.moves import (
    MODERN,
    BearOffRules,
    Move,
    Packed,
    Play,
    Ways,
    after_each,
    pack,
    places,
    ways,
)
from companion.rules.options import BearOffWithMore, Doublets, UseOfNumbers
from companion.rules.position import Position
from companion.rules.profiles import Profile
from companion.rules.spielestart import DoubletPlays, lower_first_plays

_BEAR_OFF = {
    (more, forced): BearOffRules(any_checker=more is BearOffWithMore.ANY_CHECKER, forced=forced)
    for more in BearOffWithMore
    for forced in (False, True)
}

__all__ = ["Move", "Play", "Plays", "bear_off_rules", "legal_plays", "plays_for", "times_played"]


def plays_for(profile: Profile, position: Position, roll: Roll, *, doublets: int = 0) -> Plays:
    """Every legal play of a roll under the rules of a profile.

    Args:
        profile: the rules of the game.
        position: as the player on roll sees it.
        roll: what he threw.
        doublets: how many doublets he has thrown in this game before this roll; it matters only where
            doublets count by top and bottom.

    Raises:
        BadPositionError: a count below zero.
    """
    rules = bear_off_rules(profile)
    if roll.is_doubles and profile.doublets is Doublets.TOP_AND_BOTTOM:
        return DoubletPlays(position, roll.high, times_played(profile, doublets), rules)
    if not roll.is_doubles and profile.use_of_numbers is UseOfNumbers.LOWER_FIRST:
        return lower_first_plays(position, roll, rules)
    return legal_plays(position, roll, rules)


def bear_off_rules(profile: Profile) -> BearOffRules:
    """How a profile bears off."""
    return _BEAR_OFF[profile.bear_off_with_more, profile.forced_bear_off]


def times_played(profile: Profile, doublets: int) -> int:
    """How often each number of a doublet may be played: by top and bottom the first one counts half."""
    return 2 if profile.doublets is Doublets.TOP_AND_BOTTOM and not doublets else 4


def legal_plays(position: Position, roll: Roll, rules: BearOffRules = MODERN) -> Plays:
    """Every legal play where as many numbers as possible must be played, as in the modern game.

    Doubles are played four times. Of two numbers of which either but not both can be played, the higher
    must be. (Rules table, «use of numbers» and «doublets».)

    Raises:
        BadPositionError: a count below zero.
    """
    return _doubles(position, roll, rules) if roll.is_doubles else _two_numbers(position, roll, rules)


def _two_numbers(position: Position, roll: Roll, rules: BearOffRules) -> Plays:
    """The plays of two different numbers, in either order."""
    high, low = _both_ways(position, roll, rules)
    start = pack(position.mine)
    by_high, by_low = after_each(start, high), after_each(start, low)
    by_both: set[Packed] = set()
    for after in by_high:
        by_both.update(after_each(after, low))
    for after in by_low:
        by_both.update(after_each(after, high))

    if by_both:
        return listed(position, by_both, [(high, low), (low, high)])
    if by_high:
        return listed(position, by_high, [(high,)])
    return listed(position, by_low, [(low,)])


def _both_ways(position: Position, roll: Roll, rules: BearOffRules) -> tuple[Ways, Ways]:
    """What the high and what the low number could do."""
    where = places(position.mine, roll)
    return ways(roll.high, position.theirs, where, rules), ways(roll.low, position.theirs, where, rules)


def _doubles(position: Position, roll: Roll, rules: BearOffRules) -> Plays:
    """The plays of one number, up to four times."""
    number = roll.high
    by_number = ways(number, position.theirs, places(position.mine, roll.numbers), rules)
    start = pack(position.mine)
    if rules.forced:
        levels = _one_number_any_order(start, by_number, 4)
        return listed(position, levels[-1], [(by_number,) * (len(levels) - 1)])
    levels = one_number(start, by_number, 4)
    used = len(levels) - 1
    return Plays(
        position, levels[-1], used, lambda packed: steps_of_one_number(position.mine, packed, number)
    )


def _one_number_any_order(start: Packed, ways: Ways, times: int) -> list[list[Packed]]:
    """The same where bearing off is forced: there the order of the moves can matter, so each is tried."""
    levels = [[start]]
    while len(levels) <= times:
        reached = {after for one in levels[-1] for after in after_each(one, ways)}
        if not reached:
            break
        levels.append(list(reached))
    return levels
