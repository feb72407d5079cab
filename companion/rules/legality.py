"""The legal plays of one turn under any profile, and the fault of an illegal play."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import BadTextError, IllegalPlayError
from companion.rules.board import BAR, OFF, Position, Roll, problem_sentence
from companion.rules.moves import Packed, Play, moved, pack_after, play_of
from companion.rules.notation import Hop, find_play
from companion.rules.partial_play import Line, PartialPlay, RefusalReason, RollUse
from companion.rules.plays import Plays, Steps, plays_for, splits, steps_of_one_number
from companion.rules.profile import Profile
from companion.rules.profile_settings import Doublets
from sentence import NOTHING, Sentence, say, say_n


@dataclass(frozen=True, slots=True)
class Turn:
    """A roll to be played: rules, position, roll, and the mover's doublets before it."""

    profile: Profile
    position: Position
    roll: Roll
    doublets: int = 0

    def plays(self) -> Plays:
        """Every legal play by the position it leaves; a lookup is fast even where listing is slow."""
        return plays_for(self.profile, self.position, self.roll, doublets=self.doublets)

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
        return self.roll.is_doubles and self.profile.doublets is Doublets.TOP_AND_BOTTOM

    def partial_play(self, steps: Sequence[tuple[int, int]]) -> PartialPlay:
        """The play after these (source, target) moves; IllegalPlayError, with the reason, if one of them is refused."""
        return PartialPlay.of_moves(self.profile, self.position, self.roll, steps, self.doublets)

    def meant(self, steps: Sequence[tuple[int, int]]) -> Play | None:
        """The legal play made of these moves in whatever order, None if there is none."""
        try:
            return find_play([Hop(step) for step in steps], self.plays())
        except (IllegalPlayError, BadTextError):
            return None

    def fault_of(self, left: Position) -> Sentence:
        """The fault of the play that leaves this position, a sentence; "" for a legal play."""
        return fault_of(self.profile, self.position, self.roll, left, doublets=self.doublets)


def fault_of(
    profile: Profile, position: Position, roll: Roll, left: Position, *, doublets: int = 0
) -> Sentence:
    """The fault of a play that leaves this position, a sentence; "" if it is legal.

    Args:
        profile: the rules.
        position: before the play, as the mover sees it.
        roll: the mover's roll.
        left: after the play, as the mover sees it.
        doublets: as for `plays_for`.
    """
    plays = plays_for(profile, position, roll, doublets=doublets)
    if left in plays:
        return NOTHING
    impossible = problem_sentence(left.problems(profile.checkers))
    if impossible:
        return impossible
    packed = pack_after(position, left)
    if packed is None:
        return say("The opponent's checkers are not where they stood, or where a hit would have put them.")
    if plays.is_dance:
        return say(
            "{NOTHING_PLAYABLE} All checkers stay where they are.",
            NOTHING_PLAYABLE=RefusalReason.NOTHING_PLAYABLE.value,
        )
    if left == position:
        return say("Nothing was played, but {numbers} can be.", numbers=_numbers(plays))
    roll_use = RollUse(profile, position, roll, doublets)
    return _by_its_moves(roll_use, packed, plays) or _by_its_pips(roll_use, left)


def _numbers(plays: Plays) -> Sentence:
    """The count of numbers that have to be played, in words."""
    return say_n("a number", "{n} numbers", plays.numbers_used)


def _by_its_moves(roll_use: RollUse, left: Packed, plays: Plays) -> Sentence:
    """The fault of a play by the roll's numbers: the first refused move, or too few moves; "" for any other play."""
    steps = _steps_leading_to(roll_use, left)
    if steps is None:
        return NOTHING
    partial = PartialPlay(roll_use.profile, roll_use.position, roll_use.roll, roll_use.doublets)
    for move in play_of(steps, roll_use.position.theirs):
        refused = partial.refusal(move.source, move.target)
        if refused is not None:
            return refused.sentence
        partial = partial.with_move(move.source, move.target)
    played, must = len(steps), plays.numbers_used
    if played >= must:
        return NOTHING
    return say_n(
        "Only 1 of the {must} numbers that can be played was played.",
        "Only {n} of the {must} numbers that can be played were played.",
        played,
        must=must,
    )


def _steps_leading_to(roll_use: RollUse, left: Packed) -> Steps | None:
    """Steps by some of the roll's numbers that would leave this, judged by the mover's checkers only; None without
    any."""
    mine, number = roll_use.position.mine, roll_use.roll.high
    times = roll_use.start.left.count(number)
    if roll_use.has_bottom:
        for tops in range(times, -1, -1):
            for top, bottom in splits(mine, left, number, tops, times):
                return [(source, number) for source in top] + [(source, 7 - number) for source in bottom]
        return None
    if roll_use.roll.is_doubles:
        steps = steps_of_one_number(mine, left, number)
        after = moved(mine, ((source, max(OFF, source - number)) for source, number in steps))
        return steps if len(steps) <= times and after == tuple(left.to_bytes(30, "little")[:26]) else None
    return _steps_of_two_numbers(roll_use, left)


def _steps_of_two_numbers(roll_use: RollUse, left: Packed) -> Steps | None:
    """The same for two different numbers: tries each of them alone, and both in either order."""
    tried: list[tuple[Line, Steps]] = [(roll_use.start, [])]
    for line, steps in tried:
        if line.packed == left:
            return steps if roll_use.is_lower_first else sorted(steps, reverse=True)
        for number in line.left:
            further = roll_use.single(line, number)
            tried += [(step.line, [*steps, (step.source, number)]) for step in further]
    return None


def _by_its_pips(roll_use: RollUse, left: Position) -> Sentence:
    """The fault of a play that is not made of moves by the roll's numbers."""
    position, roll = roll_use.position, roll_use.roll
    if position.mine[BAR] and left.mine[BAR] == position.mine[BAR]:
        return say("A checker waits on the bar, and it must enter first.")
    rolled, paid = roll.text, position.pip_count() - left.pip_count()
    total = sum(roll.numbers)
    if paid < 0:
        return say("Checkers moved backwards.")
    if left.mine[OFF] == position.mine[OFF] and paid != total and not roll_use.has_bottom:
        return say_n(
            "The checkers moved 1 pip; {rolled} gives {total}.",
            "The checkers moved {n} pips; {rolled} gives {total}.",
            paid,
            rolled=rolled,
            total=total,
        )
    return say("No legal play of {rolled} leaves this.", rolled=rolled)
