"""Legal plays of a roll, keyed by the position they leave: the modern game and the entry game.

The entry game follows the rows S1 to S11 of docs/rules/play.md. Its tray is place 25, like the bar of the other games:
checkers there have to enter before any other moves, and hit checkers return there.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from companion.rules.board import BAR, OFF, Checkers, Position, Roll
from companion.rules.family.limits import limit_of, opening_of
from companion.rules.moves import (
    DOUBLET_TIMES,
    MODERN,
    MovingRules,
    Packed,
    Play,
    Ways,
    after_each,
    after_each_below,
    movable,
    pack,
    pack_after,
    places,
    play_of,
    unpack,
    ways,
)
from companion.rules.profile import Profile
from companion.rules.setting_values import BearOffWithMore, Doublets, UseOfNumbers

Steps: TypeAlias = list[tuple[int, int]]
"""The (source, number) of each move of a play, in an order in which they can be made."""


class Plays(Mapping[Position, Play]):
    """The legal plays of one roll: {the position that a play leaves: the play}, not flipped.

    A roll with which nothing can be played holds one play, the dance: {position: ()}. So it is never empty,
    and `after in plays` always tests legality. Positions and plays are made on demand.

    Attributes:
        position: before the play.
        numbers_used: count of numbers that every legal play uses; 0 is a dance.
    """

    __slots__ = ("_found", "_positions", "_spell", "numbers_used", "position")

    def __init__(
        self, position: Position, found: Collection[Packed], used: int, spell: Callable[[Packed], Steps]
    ) -> None:
        self.position = position
        self.numbers_used = used
        self._found = found
        self._spell = spell
        self._positions: list[Position] | None = None

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Position]:
        if self._positions is None:
            self._positions = unpack(self._all(), self.position)
        return iter(self._positions)

    def __contains__(self, after: object) -> bool:
        if not isinstance(after, Position):
            return False
        packed = pack_after(self.position, after)
        return packed is not None and self._holds(packed)

    def __getitem__(self, after: Position) -> Play:
        packed = pack_after(self.position, after)
        if packed is None or not self._holds(packed):
            raise KeyError(after)
        return play_of(self._spell(packed), self.position)

    def only_those(self, wanted: Callable[[Packed], bool]) -> "Plays":
        """The plays with a wanted result, or all if there is none."""
        found = [packed for packed in self._all() if wanted(packed)]
        return Plays(self.position, found, self.numbers_used, self._spell) if found else self

    def _all(self) -> Collection[Packed]:
        return self._found

    def _holds(self, packed: Packed) -> bool:
        return packed in self._found

    @property
    def is_dance(self) -> bool:
        """Whether nothing can be played."""
        return not self.numbers_used


def _plays_of(position: Position, found: Collection[Packed], orders: Sequence[tuple[Ways, ...]]) -> Plays:
    """Plays found by playing the numbers in one of these orders; a dance if none was found."""
    if not found:
        return Plays(position, [pack(position.mine)], 0, lambda packed: [])
    return Plays(position, found, len(orders[0]), lambda packed: _steps_to(packed, position, orders))


def _steps_to(packed: Packed, position: Position, orders: Sequence[tuple[Ways, ...]]) -> Steps:
    """Steps to a position that was found, higher sources first if the order makes no difference."""
    start = pack(position.mine)
    paths = [path for order in orders for path in _paths(start, packed, order)]
    any_order = len(orders) > 1 and not orders[0][0].rules.in_order
    return sorted(paths[0], reverse=True) if any_order else paths[0]


def _paths(before: Packed, after: Packed, to_play: tuple[Ways, ...]) -> Iterator[Steps]:
    """Every path from one position to the other that uses these numbers in this order."""
    if not to_play:
        if before == after:
            yield []
        return
    for source, step, hit in movable(before, to_play[0]):
        for rest in _paths(before + step | hit, after, to_play[1:]):
            yield [(source, to_play[0].number), *rest]


def one_number(start: Packed, ways: Ways, times: int) -> list[list[Packed]]:
    """Positions reachable by one number: [start], after one move, after two, and so on up to `times`.

    The moves go from the highest place down, so each position comes once: the position shows which checkers moved,
    and in that order they can always be made.
    """
    levels = [[start]]
    reached = [(start, BAR)]
    while len(levels) <= times:
        reached = [after for one, last in reached for after in after_each_below(one, ways, last)]
        if not reached:
            break
        levels.append([one for one, _ in reached])
    return levels


def steps_of_one_number(mine: Checkers, packed: Packed, number: int) -> Steps:
    """Steps of the checkers that moved by one number, from the highest place down.

    A checker that is missing on a place, arrivals included, was moved from there.
    """
    left = packed.to_bytes(30, "little")
    moved = [0] * (BAR + 1 + number)
    for place in range(BAR, OFF, -1):
        moved[place] = mine[place] + moved[place + number] - left[place]
    return [(place, number) for place in range(BAR, OFF, -1) for _ in range(moved[place])]


def _lower_first(position: Position, roll: Roll, rules: MovingRules) -> Plays:
    """Every legal play of two different numbers, of which the lower is played first.

    Row S4: without the lower the higher may not be played, and if only the lower can, the higher is lost.
    Rows S2 and S4: while checkers are in the tray either number may enter one, so a higher number played as
    an entry does not wait. Row S11: as many numbers as possible.
    """
    high, low = _both_ways(position, roll, rules)
    orders = [(low, high), (high, low)] if position.mine[BAR] else [(low, high)]
    start = pack(position.mine)
    firsts = [
        ({start + step | hit for _, step, hit in movable(start, first)}, first, second)
        for first, second in orders
    ]
    both = {
        one + step | hit
        for ones, _, second in firsts
        for one in ones
        for _, step, hit in movable(one, second)
    }
    if both:
        return _plays_of(position, both, orders)
    either = {one for ones, _, _ in firsts for one in ones}
    return _plays_of(position, either, [(first,) for first, _ in orders])


class DoubletPlays(Plays):
    """The legal plays of a doublet by top and bottom (rows S5 and S6), listed only on demand.

    The top number n is played as often as legally possible, at most `times`; then the bottom number 7 - n
    as often as the player likes, at most `times` and only if a top number was played. There can be tens of
    thousands of plays; `after in plays` and `plays[after]` answer without listing them.
    """

    __slots__ = ("_bottom", "_bottoms", "_start", "_top", "_tops_of")

    def __init__(self, position: Position, number: int, times: int, rules: MovingRules) -> None:
        where = places(position.mine, [number] * times + [7 - number] * times)
        self._top = ways(number, position, where, rules)
        self._bottom = ways(7 - number, position, where, rules)
        self._start = pack(position.mine)
        tops = most_playable(self._start, self._top, times)
        super().__init__(position, set(), tops, self._spelled)
        self._bottoms = times if tops else 0
        self._tops_of: dict[Packed, Packed] = {}

    def _all(self) -> Collection[Packed]:
        """Every result; also stores for each the position after its top numbers."""
        if not self._tops_of:
            for top in one_number(self._start, self._top, self.numbers_used)[-1]:
                for level in one_number(top, self._bottom, self._bottoms):
                    self._tops_of.update(dict.fromkeys(level, top))
        return self._tops_of.keys()

    def _holds(self, packed: Packed) -> bool:
        return packed in self._tops_of if self._tops_of else self._steps_to(packed) is not None

    def _spelled(self, packed: Packed) -> Steps:
        """Steps to a result, top numbers first."""
        if not self._tops_of:
            return self._steps_to(packed) or []
        top = self._tops_of[packed]
        between = tuple(top.to_bytes(30, "little"))
        return steps_of_one_number(self.position.mine, top, self._top.number) + steps_of_one_number(
            between, packed, self._bottom.number
        )

    def _steps_to(self, packed: Packed) -> Steps | None:
        """The same without listing anything; None if no legal play has this result."""
        number = self._top.number
        for steps in splits(self.position.mine, packed, number, self.numbers_used, self._bottoms):
            if _played(self._start, steps, {number: self._top, 7 - number: self._bottom}) == packed:
                return steps
        return None


def most_playable(packed: Packed, ways: Ways, times: int, last: int = BAR) -> int:
    """The most times that a number can be played, up to `times`; the first line that reaches it ends the search."""
    most = 0
    if times:
        for source, step, hit in movable(packed, ways):
            if source <= last:
                most = max(most, 1 + most_playable(packed + step | hit, ways, times - 1, source))
                if most == times:
                    break
    return most


def splits(mine: Checkers, after: Packed, number: int, tops: int, bottoms: int) -> Iterator[Steps]:
    """Every split of the moved checkers between `tops` top numbers and at most `bottoms` bottom numbers.

    From the highest place down it is known how many checkers came to a place and how many remain, so how
    many left it; only the number that each used is open. Yields the steps of the tops, then of the
    bottoms, each from the highest down.
    """
    left = after.to_bytes(30, "little")

    def below(place: int, top: list[int], bottom: list[int]) -> Iterator[Steps]:
        if place == OFF:
            if len(top) == tops:
                yield [(source, number) for source in top] + [(source, 7 - number) for source in bottom]
            return
        came = top.count(place + number) + bottom.count(place + 7 - number)
        gone = mine[place] + came - left[place]
        for by_top in range(max(0, gone - bottoms + len(bottom)), min(gone, tops - len(top)) + 1):
            yield from below(place - 1, top + [place] * by_top, bottom + [place] * (gone - by_top))

    return below(BAR, [], [])


def _played(packed: Packed, steps: Steps, ways: Mapping[int, Ways]) -> Packed | None:
    """The position after these steps; None if one is not allowed."""
    for wanted, number in steps:
        way = next((way for way in movable(packed, ways[number]) if way[0] == wanted), None)
        if way is None:
            return None
        packed = packed + way[1] | way[2]
    return packed


def plays_for(
    profile: Profile, position: Position, roll: Roll, *, doublets: int = 0, times: int = DOUBLET_TIMES
) -> Plays:
    """Every legal play of a roll under the rules of a profile.

    Args:
        profile: the rules of the game.
        position: as the player on roll sees it.
        roll: his roll.
        doublets: his doublets in this game before this roll; used only if doublets count by top and bottom.
        times: most plays of the number of a doublet; fewer for what is left of one (docs/rules/family.md, row F18).

    Raises:
        BadPositionError: a count below zero.
    """
    rules = moving_rules(profile, position, roll)
    if roll.is_doubles and profile.doublets is Doublets.TOP_AND_BOTTOM:
        return DoubletPlays(position, roll.high, doublet_times(doublets), rules)
    if not roll.is_doubles and profile.use_of_numbers is UseOfNumbers.LOWER_FIRST:
        return _lower_first(position, roll, rules)
    plays = legal_plays(position, roll, rules, times)
    opens = opening_of(profile, position)
    return plays.only_those(opens) if opens else plays


def moving_rules(profile: Profile, position: Position, roll: Roll) -> MovingRules:
    """A profile's rules of moving for one turn."""
    return MovingRules(
        profile.bear_off_with_more is BearOffWithMore.ANY_CHECKER,
        profile.forced_bear_off,
        profile.bear_off_while_pinned,
        limit_of(profile, position, roll),
        profile.bear_off_with_more is BearOffWithMore.NONE,
        position.not_entered[0],
    )


def doublet_times(doublets: int) -> int:
    """Most plays of each number of a doublet by top and bottom; a player's first one counts half (row S5)."""
    return 4 if doublets else 2


def legal_plays(
    position: Position, roll: Roll, rules: MovingRules = MODERN, times: int = DOUBLET_TIMES
) -> Plays:
    """Every legal play where as many numbers as possible must be played, as in the modern game.

    Doubles are played four times, or as often as `times` says. Of two numbers of which either but not both can be
    played, the higher must be. (Rules table, “use of numbers” and “doublets”.)

    Raises:
        BadPositionError: a count below zero.
    """
    return _doubles(position, roll, rules, times) if roll.is_doubles else _two_numbers(position, roll, rules)


def _two_numbers(position: Position, roll: Roll, rules: MovingRules) -> Plays:
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
        return _plays_of(position, by_both, [(high, low), (low, high)])
    if by_high:
        return _plays_of(position, by_high, [(high,)])
    return _plays_of(position, by_low, [(low,)])


def _both_ways(position: Position, roll: Roll, rules: MovingRules) -> tuple[Ways, Ways]:
    """Possible moves of the high number, and of the low one."""
    where = places(position.mine, roll)
    return ways(roll.high, position, where, rules), ways(roll.low, position, where, rules)


def _doubles(position: Position, roll: Roll, rules: MovingRules, times: int) -> Plays:
    """The plays of one number, up to so many times."""
    number = roll.high
    by_number = ways(number, position, places(position.mine, roll.numbers), rules)
    start = pack(position.mine)
    if rules.in_order:
        levels = _one_number_any_order(start, by_number, times)
        return _plays_of(position, levels[-1], [(by_number,) * (len(levels) - 1)])
    levels = one_number(start, by_number, times)
    used = len(levels) - 1
    return Plays(
        position, levels[-1], used, lambda packed: steps_of_one_number(position.mine, packed, number)
    )


def _one_number_any_order(start: Packed, ways: Ways, times: int) -> list[list[Packed]]:
    """The same where the order of the moves can matter, so each is tried."""
    levels = [[start]]
    while len(levels) <= times:
        reached = {after for one in levels[-1] for after in after_each(one, ways)}
        if not reached:
            break
        levels.append(list(reached))
    return levels
