"""Why a play that lies on the board is no legal one, in one sentence for the people at the table."""

from companion.rules.dice import Roll
from companion.rules.listing import Plays, Steps, steps_of_one_number
from companion.rules.making import Making, Why
from companion.rules.moves import Packed, pack_after, play_of
from companion.rules.plays import plays_for
from companion.rules.position import BAR, OFF, Checkers, Position, problem_sentence
from companion.rules.profile import Profile
from companion.rules.spending import Line, Spending
from companion.rules.spielestart import splits


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
    spending = Spending(profile, position, roll, doublets)
    return _by_its_moves(spending, packed, plays) or _by_its_pips(spending, left)


def _numbers(plays: Plays) -> str:
    """How many numbers have to be played, in words."""
    return "a number" if plays.numbers_used == 1 else f"{plays.numbers_used} numbers"


def _by_its_moves(spending: Spending, left: Packed, plays: Plays) -> str:
    """What is wrong where moves by the roll's numbers lead there: the first that is refused, or too few."""
    steps = _steps_leading_to(spending, left)
    if steps is None:
        return ""
    making = Making(spending.profile, spending.position, spending.roll, spending.doublets)
    for move in play_of(steps, spending.position.theirs):
        refused = making.refusal(move.source, move.target)
        if refused is not None:
            return refused.sentence
        making = making.with_move(move.source, move.target)
    played, must = len(steps), plays.numbers_used
    if played >= must:
        return ""
    return (
        f"Only {played} of the {must} numbers that can be played {'was' if played == 1 else 'were'} played."
    )


def _steps_leading_to(spending: Spending, left: Packed) -> Steps | None:
    """Moves by some of the roll's numbers that would leave this, as far as the mover's checkers tell."""
    mine, number = spending.position.mine, spending.roll.high
    times = spending.start.left.count(number)
    if spending.has_bottom:
        for tops in range(times, -1, -1):
            for top, bottom in splits(mine, left, number, tops, times):
                return [(source, number) for source in top] + [(source, 7 - number) for source in bottom]
        return None
    if spending.roll.is_doubles:
        steps = steps_of_one_number(mine, left, number)
        return steps if len(steps) <= times and _leaves(mine, steps, left) else None
    return _steps_of_two_numbers(spending, left)


def _leaves(mine: Checkers, steps: Steps, left: Packed) -> bool:
    """These steps leave the mover's checkers like that."""
    moved = list(mine)
    for source, number in steps:
        moved[source] -= 1
        moved[max(OFF, source - number)] += 1
    return moved == list(left.to_bytes(30, "little")[:26])


def _steps_of_two_numbers(spending: Spending, left: Packed) -> Steps | None:
    """The same for two different numbers: each of them tried alone, and both in either order."""
    tried: list[tuple[Line, Steps]] = [(spending.start, [])]
    for line, steps in tried:
        if line.packed == left:
            return steps if spending.is_lower_first else sorted(steps, reverse=True)
        for number in line.left:
            further = spending.single(line, number)
            tried += [(step.line, [*steps, (step.source, number)]) for step in further]
    return None


def _by_its_pips(spending: Spending, left: Position) -> str:
    """What is wrong where no moves by the roll's numbers lead there."""
    position, roll = spending.position, spending.roll
    if position.mine[BAR] and left.mine[BAR] == position.mine[BAR]:
        return "A checker waits on the bar, and it must enter first."
    rolled, paid = "-".join(map(str, roll)), position.pip_count() - left.pip_count()
    total = sum(roll.numbers)
    if paid < 0:
        return "Checkers moved backwards."
    if left.mine[OFF] == position.mine[OFF] and paid != total and not spending.has_bottom:
        return f"The checkers moved {paid} {'pip' if paid == 1 else 'pips'}; {rolled} gives {total}."
    return f"No legal play of {rolled} leaves this."
