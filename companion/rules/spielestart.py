"""The entry game's way of spending a roll: the lower number first, and doublets that count twice over.

The rule numbers are those of the rules table («spielestart in detail»). The tray is place 25, like the bar
of the other games: what stands there has to enter before anything advances, and what is hit goes back there.
"""

from collections.abc import Collection, Iterator

from companion.rules.dice import Roll
from companion.rules.listing import Plays, Steps, listed, one_number, steps_of_one_number
from companion.rules.moves import BearOffRules, Packed, Ways, movable, pack, places, ways
from companion.rules.position import BAR, OFF, Checkers, Position

LAST_QUARTER = BearOffRules(any_checker=True)
"""Rule 10: a number at least as large as the distance bears off any checker it reaches."""


def lower_first_plays(position: Position, roll: Roll, rules: BearOffRules = LAST_QUARTER) -> Plays:
    """Every legal play of two different numbers, of which the lower is played first.

    Rule 4: without the lower the higher may not be played, and if only the lower can, the higher is lost.
    Rules 2 and 4: while checkers are in the tray either number may enter one, so a higher number played as
    an entry does not wait. Rule 11: as many numbers as possible.
    """
    where = places(position.mine, roll)
    low = ways(roll.low, position.theirs, where, rules)
    high = ways(roll.high, position.theirs, where, rules)
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
        return listed(position, both, orders)
    return listed(position, {one for ones, _, _ in firsts for one in ones}, [(first,) for first, _ in orders])


class DoubletPlays(Plays):
    """The legal plays of a doublet by top and bottom (rules 5 and 6), listed only when they have to be.

    The top number n is played as often as legally possible, at most `times`; then the bottom number 7 - n
    as often as the player likes, at most `times` and only if a top number was played. There can be tens of
    thousands of plays; `after in plays` and `plays[after]` answer without listing them.
    """

    __slots__ = ("_bottom", "_start", "_times", "_top", "_tops_of")

    def __init__(
        self, position: Position, number: int, times: int, rules: BearOffRules = LAST_QUARTER
    ) -> None:
        where = places(position.mine, [number] * times + [7 - number] * times)
        self._top = ways(number, position.theirs, where, rules)
        self._bottom = ways(7 - number, position.theirs, where, rules)
        self._start = pack(position.mine)
        self._times = times
        tops = most_playable(self._start, self._top, times)
        super().__init__(position, set(), tops, self._spelled)
        self._tops_of: dict[Packed, Packed] = {}

    def _all(self) -> Collection[Packed]:
        """Every result, and for each the position after its top numbers."""
        if not self._tops_of:
            bottoms = self._times if self.numbers_used else 0
            for top in one_number(self._start, self._top, self._times)[-1]:
                for level in one_number(top, self._bottom, bottoms):
                    self._tops_of.update(dict.fromkeys(level, top))
        return self._tops_of.keys()

    def _holds(self, packed: Packed) -> bool:
        return packed in self._tops_of if self._tops_of else self._steps_to(packed) is not None

    def _spelled(self, packed: Packed) -> Steps:
        """How a result is reached, top numbers first."""
        if not self._tops_of:
            return self._steps_to(packed) or []
        top = self._tops_of[packed]
        between = tuple(top.to_bytes(30, "little"))
        return steps_of_one_number(self.position.mine, top, self._top.number) + steps_of_one_number(
            between, packed, self._bottom.number
        )

    def _steps_to(self, packed: Packed) -> Steps | None:
        """The same without listing anything; None when this is no result of a legal play."""
        bottoms = self._times if self.numbers_used else 0
        for top, bottom in splits(self.position.mine, packed, self._top.number, self.numbers_used, bottoms):
            if _played(self._start, [(self._top, top), (self._bottom, bottom)]) == packed:
                numbers = [self._top.number] * len(top) + [self._bottom.number] * len(bottom)
                return list(zip(top + bottom, numbers, strict=True))
        return None


def most_playable(packed: Packed, ways: Ways, times: int, last: int = BAR) -> int:
    """How often a number can be played at most, up to `times`; the first line that gets there settles it."""
    most = 0
    if times:
        for source, step, hit in movable(packed, ways):
            if source <= last:
                most = max(most, 1 + most_playable(packed + step | hit, ways, times - 1, source))
                if most == times:
                    break
    return most


def splits(
    mine: Checkers, after: Packed, number: int, tops: int, bottoms: int
) -> Iterator[tuple[list[int], list[int]]]:
    """Every way to share out what left each place between `tops` top numbers and at most `bottoms` bottoms.

    From the highest place down it is known how many checkers came to a place and how many remain, so how
    many left it; open is only by which number each of them did. Yields the sources of the tops and of the
    bottoms, each from the highest down.
    """
    left = after.to_bytes(30, "little")

    def below(place: int, top: list[int], bottom: list[int]) -> Iterator[tuple[list[int], list[int]]]:
        if place == OFF:
            if len(top) == tops:
                yield top, bottom
            return
        came = top.count(place + number) + bottom.count(place + 7 - number)
        gone = mine[place] + came - left[place]
        for by_top in range(max(0, gone - bottoms + len(bottom)), min(gone, tops - len(top)) + 1):
            yield from below(place - 1, top + [place] * by_top, bottom + [place] * (gone - by_top))

    return below(BAR, [], [])


def _played(packed: Packed, phases: list[tuple[Ways, list[int]]]) -> Packed | None:
    """What is reached by moving these sources, number by number; None when one of the moves is not allowed."""
    for number, sources in phases:
        for wanted in sources:
            allowed = [(step, hit) for source, step, hit in movable(packed, number) if source == wanted]
            if not allowed:
                return None
            packed = packed + allowed[0][0] | allowed[0][1]
    return packed
