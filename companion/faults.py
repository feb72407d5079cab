"""Why a play that lies on the board is no legal one, in one sentence for the people at the table."""

from itertools import islice

from companion.dice import Roll
from companion.listing import Plays, Steps
from companion.making import Making, Why
from companion.moves import Packed, pack_after, play_of
from companion.plays import plays_for
from companion.position import BAR, OFF, Position, problem_sentence
from companion.profile import Profile
from companion.spending import Line, Spending

_LINES_TRIED = 5_000
"""Half-legal lines looked at before giving up: a sentence must come at once, and few rolls have more."""


def fault_of(profile: Profile, position: Position, roll: Roll, left: Position, *, doublets: int = 0) -> str:
    """What is wrong with leaving this position; "" when it is legal.

    Args:
        profile: the rules.
        position: where the play began, as the mover sees it.
        roll: what he threw.
        left: what lies on the board now, as the mover sees it.
        doublets: as for `plays_for`.
    """
    plays = plays_for(profile, position, roll, doublets=doublets)
    if left in plays:
        return ""
    impossible = problem_sentence(left.problems(profile.checkers))
    if impossible:
        return impossible
    packed = pack_after(position, left)
    if packed is None:
        return "The opponent's checkers are not where they stood, or where a hit would have put them."
    if plays.is_dance:
        return f"{Why.NOTHING_PLAYABLE.value} All checkers stay where they are."
    if left == position:
        return f"Nothing was played, but {_numbers(plays)} can be."
    return _by_its_moves(Spending(profile, position, roll, doublets), packed, plays) or _by_its_pips(
        position, roll, left
    )


def _numbers(plays: Plays) -> str:
    """How many numbers have to be played, in words."""
    return "a number" if plays.numbers_used == 1 else f"{plays.numbers_used} numbers"


def _by_its_moves(spending: Spending, left: Packed, plays: Plays) -> str:
    """What is wrong where single moves by the roll's numbers lead there: the first that is refused, or too few."""
    found = _moves_leading_to(spending, left)
    if found is None:
        return ""
    making = Making(spending.profile, spending.position, spending.roll, spending.doublets)
    for source, target in found:
        refused = making.refusal(source, target)
        if refused is not None:
            return refused.sentence
        making = making.with_move(source, target)
    played, must = len(found), plays.numbers_used
    return (
        f"Only {played} of the {must} numbers that can be played {'was' if played == 1 else 'were'} played."
    )


def _moves_leading_to(spending: Spending, left: Packed) -> list[tuple[int, int]] | None:
    """Moves by some of the roll's numbers, in any order, that leave this; None: there are none, or too many."""
    reached: dict[Line, Steps] = {spending.start: []}
    lines: dict[Packed, Steps] = {}
    while reached and len(lines) < _LINES_TRIED:
        further: dict[Line, Steps] = {}
        for line, steps in islice(reached.items(), _LINES_TRIED):
            lines.setdefault(line.packed, steps)
            for number in dict.fromkeys(line.left):
                for step in spending.single(line, number):
                    further.setdefault(step.line, [*steps, (step.source, number)])
        reached = further
    if left not in lines:
        return None
    made = play_of(_in_good_order(spending, lines[left]), spending.position.theirs)
    return [(move.source, move.target) for move in made]


def _in_good_order(spending: Spending, steps: Steps) -> Steps:
    """The steps in the order that has least against it: top numbers first, else the highest checker first."""
    if spending.is_lower_first:
        return steps
    top = spending.roll.high
    return sorted(steps, key=lambda step: (spending.has_bottom and step[1] != top, -step[0]))


def _by_its_pips(position: Position, roll: Roll, left: Position) -> str:
    """What is wrong where no moves by the roll's numbers lead there."""
    if position.mine[BAR] and left.mine[BAR] == position.mine[BAR]:
        return "A checker waits on the bar, and it must enter first."
    rolled, paid = "-".join(map(str, roll)), position.pip_count() - left.pip_count()
    total = sum(roll.numbers)
    if left.mine[OFF] == position.mine[OFF] and paid != total:
        return f"The checkers moved {paid} pips; {rolled} gives {total}."
    return f"No legal play of {rolled} leaves this."
