"""The legal plays of one turn under any profile, and the fault of an illegal play."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from companion.errors import BadTextError, IllegalPlayError
from companion.rules.board import BAR, OFF, Checkers, Position, points_in, problem_sentence
from companion.rules.moves import Packed, Play, moved, pack_after
from companion.rules.notation import Hop, find_play
from companion.rules.partial_play import Line, PartialPlay, RefusalReason, RollUse
from companion.rules.plays import Plays, Steps, plays_for, splits, steps_of_one_number
from companion.rules.setting_values import GameType
from sentence import NOTHING, Sentence, say, say_n


@dataclass(frozen=True)
class Turn(RollUse):
    """A roll to be played: rules, position, roll, and the mover's doublets before it."""

    def plays(self) -> Plays:
        """Every legal play by the position it leaves; a lookup is fast even where listing is slow."""
        return plays_for(self.profile, self.position, self.roll, doublets=self.doublets, times=self.times)

    def play_leaving(self, left: Position) -> Play | None:
        """A legal play that leaves this position, None if there is none."""
        return self.plays().get(left)

    @property
    def is_dance(self) -> bool:
        """Whether nothing can be played."""
        return self.plays().is_dance

    @property
    def is_long(self) -> bool:
        """Whether the roll is a doublet by top and bottom: listing its plays can take seconds."""
        return bool(self.bottom)

    def partial_play(self, moves: Iterable[tuple[int, int]] = ()) -> PartialPlay:
        """The play after these (source, target) moves; a move by several numbers is split into steps.

        Raises:
            IllegalPlayError: one of them is refused; the text gives the reason.
        """
        partial = PartialPlay(self)
        for source, target in moves:
            partial = partial.with_move(source, target)
        return partial

    def meant(self, steps: Sequence[tuple[int, int]]) -> Play | None:
        """The legal play made of these moves in whatever order, None if there is none."""
        try:
            return find_play([Hop(step) for step in steps], self.plays())
        except (IllegalPlayError, BadTextError):
            return None

    def fault_of(self, left: Position) -> Sentence:
        """The fault of a play that leaves this position, as the mover sees it, a sentence; "" for a legal play."""
        plays = self.plays()
        if left in plays:
            return NOTHING
        impossible = problem_sentence(left.problems(self.profile.checkers))
        if impossible:
            return impossible
        packed = pack_after(self.position, left)
        if packed is None:
            return _by_the_game(self, left) or _by_the_opponent(self.position, left)
        if plays.is_dance:
            return say(
                "{NOTHING_PLAYABLE} All checkers stay where they are.",
                NOTHING_PLAYABLE=RefusalReason.NOTHING_PLAYABLE.value,
            )
        if left == self.position:
            numbers = say_n("a number", "{n} numbers", plays.numbers_used)
            return say("Nothing was played, but {numbers} can be.", numbers=numbers)
        return _by_its_moves(self, packed, plays) or _by_the_game(self, left) or _by_its_pips(self, left)


def _by_its_moves(turn: Turn, left: Packed, plays: Plays) -> Sentence:
    """The fault of a play by the roll's numbers: the first refused move, or too few moves; "" for any other play."""
    steps = _steps_leading_to(turn, left)
    if steps is None:
        return NOTHING
    try:
        turn.partial_play((source, max(OFF, source - number)) for source, number in steps)
    except IllegalPlayError as refused:
        return refused.sentence
    played, must = len(steps), plays.numbers_used
    if played >= must:
        return NOTHING
    return say_n(
        "Only 1 of the {must} numbers that can be played was played.",
        "Only {n} of the {must} numbers that can be played were played.",
        played,
        must=must,
    )


def _steps_leading_to(turn: Turn, left: Packed) -> Steps | None:
    """Steps by some of the roll's numbers that would leave this, judged by the mover's checkers only; None without
    any."""
    mine, number = turn.position.mine, turn.roll.high
    times = turn.start.left.count(number)
    if turn.bottom:
        for tops in range(times, -1, -1):
            for steps in splits(mine, left, number, tops, times):
                return steps
        return None
    if turn.roll.is_doubles:
        steps = steps_of_one_number(mine, left, number)
        after = moved(mine, ((source, max(OFF, source - number)) for source, number in steps))
        return steps if len(steps) <= times and after == tuple(left.to_bytes(30, "little")[:26]) else None
    return _steps_of_two_numbers(turn, left)


def _steps_of_two_numbers(turn: Turn, left: Packed) -> Steps | None:
    """The same for two different numbers: tries each of them alone, and both in either order."""
    tried: list[tuple[Line, Steps]] = [(turn.start, [])]
    for line, steps in tried:
        if line.packed == left:
            return steps if turn.is_lower_first else sorted(steps, reverse=True)
        for number in line.left:
            further = turn.single(line, number)
            tried += [(step.line, [*steps, (step.source, number)]) for step in further]
    return None


def _by_the_game(turn: Turn, left: Position) -> Sentence:
    """The rule of a game without hitting that moves by both numbers break, "" if there is none."""
    if turn.profile.game_type is GameType.HITTING or turn.roll.is_doubles:
        return NOTHING
    for steps in _bare_steps(turn, left.mine):
        try:
            turn.partial_play(steps)
        except IllegalPlayError as refused:
            return refused.sentence
    return NOTHING


def _by_the_opponent(before: Position, left: Position) -> Sentence:
    """The fault of a result that no move of the mover can leave: by opposing checkers, or by where those now stand."""
    if not before.HITS and left.theirs == before.theirs:
        for source in points_in(before.pinned):
            if left.mine[source] < before.mine[source]:
                return say("The checker on the {source} point is pinned and cannot move.", source=source)
        for target in range(24, OFF, -1):
            if left.mine[target] > before.mine[target] and before.is_closed(target):
                return say("The opponent holds the {target} point.", target=target)
    if not before.HITS:
        return say("The opponent’s checkers are not where they stood.")
    return say("The opponent’s checkers are not where they stood, or where a hit would have put them.")


def _bare_steps(turn: Turn, left: Checkers) -> Iterator[list[tuple[int, int]]]:
    """(source, target) moves by one or both of two different numbers that would leave the mover's checkers so."""
    high, low = turn.roll.high, turn.roll.low
    for numbers in ((high, low), (low, high), (high,), (low,)):
        made: list[tuple[Checkers, list[tuple[int, int]]]] = [(turn.position.mine, [])]
        for number in numbers:
            made = [
                (moved(mine, [step]), [*steps, step])
                for mine, steps in made
                for step in (
                    (source, max(OFF, source - number)) for source in range(BAR, OFF, -1) if mine[source]
                )
            ]
        yield from (steps for mine, steps in made if mine == left)


def _by_its_pips(turn: Turn, left: Position) -> Sentence:
    """The fault of a play that is not made of moves by the roll's numbers."""
    position, roll = turn.position, turn.roll
    if position.must_enter and left.mine[BAR] == position.mine[BAR]:
        return say("A checker waits on the bar, and it must enter first.")
    rolled, paid = roll.text, position.pip_count() - left.pip_count()
    total = sum(roll.numbers[: turn.times])
    if paid < 0:
        return say("Checkers moved backwards.")
    if left.mine[OFF] == position.mine[OFF] and paid != total and not turn.bottom:
        return say_n(
            "The checkers moved 1 pip; {rolled} gives {total}.",
            "The checkers moved {n} pips; {rolled} gives {total}.",
            paid,
            rolled=rolled,
            total=total,
        )
    return say("No legal play of {rolled} leaves this.", rolled=rolled)
