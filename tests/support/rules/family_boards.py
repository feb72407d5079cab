"""Positions of the family's games as stacks (family_brute_force), random ones of every kind, and their counts."""

import random
from collections import Counter

from companion.rules.board import BAR, OFF, ROLLS, Checkers, Position, Roll
from companion.rules.family.outcome import outcome_of
from companion.rules.plays import plays_for
from companion.rules.positions import EnteringPosition, RunningPosition
from companion.rules.profile import Profile
from companion.rules.setting_values import BearOffWithMore
from tests.support.rules import brute_force as slow_hitting
from tests.support.rules import entering_brute_force as slow_entering
from tests.support.rules import family_brute_force as slow

PLAYED = (*sorted(slow.GAMES), "acey_deucey", "acey_europe")
"""The games with a second, slow statement."""


def as_stacks(position: Position) -> slow.Stacks:
    """The position as stacks of checkers, the mover's `m` and the opponent's `t`."""
    stacks = ["m" * position.mine[OFF]]
    for point in range(1, 25):
        own, others = "m" * position.mine[point], "t" * position.opposing(point)
        stacks.append(own + others if position.pinned >> point & 1 else others + own)
    return tuple(stacks)


def as_position(stacks: slow.Stacks, like: Position) -> Position:
    """The position of these stacks, after a play of the mover's from another one."""
    mine = [len(stacks[0]), *(stack.count("m") for stack in stacks[1:]), 0]
    return like.with_checkers(tuple(mine), like.theirs)


def as_places(position: Position) -> slow_entering.Checkers:
    """The position as the places of both sides' checkers."""
    return slow_entering.Checkers(
        *(
            _places(side, waiting)
            for side, waiting in zip((position.mine, position.theirs), position.not_entered, strict=True)
        )
    )


def _places(side: Checkers, waiting: int) -> tuple[int, ...]:
    points = [place for place in range(BAR) for _ in range(side[place])]
    hit = [slow_entering.HIT] * (side[BAR] - waiting)
    return (*points, *hit, *[slow_entering.WAITING] * waiting)


def of_places(places: slow_entering.Checkers) -> Position:
    """The position of these places."""
    sides = [[one if one < BAR else BAR for one in side] for side in places]
    mine, theirs = (tuple(side.count(place) for place in range(BAR + 1)) for side in sides)
    waiting = tuple(side.count(slow_entering.WAITING) for side in places)
    return EnteringPosition(mine, theirs, waiting)


def as_ints(position: Position) -> slow_hitting.Board:
    """The position of a hitting game as signed numbers, and the mover's checkers borne off."""
    return tuple(position.ints()), position.mine[OFF]


def slowly(
    profile: Profile, position: Position, roll: Roll, times: int = 4
) -> tuple[int, set[slow.Stacks] | set[slow_entering.Checkers] | set[slow_hitting.Board]]:
    """What the slow statement of a game finds: the numbers that must be played, and what the plays leave."""
    if profile.positions is Position:
        return slow_hitting.modern(as_ints(position), *roll)
    if profile.positions is EnteringPosition:
        exact = profile.bear_off_with_more is BearOffWithMore.NONE
        return slow_entering.plays(as_places(position), *roll, exact)
    return slow.plays(slow.GAMES[profile.name], as_stacks(position), *roll, times)


def differs(profile: Profile, position: Position, roll: Roll, times: int = 4) -> str:
    """What the fast and the slow generator differ in, empty if they agree; `times` as in `plays_for`."""
    found = plays_for(profile, position, roll, times=times)
    used, results = slowly(profile, position, roll, times)
    if found.numbers_used != used:
        return f"{position} {roll}: {found.numbers_used} numbers, slowly {used}"
    written = {EnteringPosition: as_places, Position: as_ints}.get(profile.positions, as_stacks)
    ours = {written(after) for after in found}
    return "" if ours == results else f"{position} {roll}: {ours ^ results}"


def random_positions(profile: Profile, chance: random.Random, count: int) -> list[tuple[Position, Roll]]:
    """Positions with rolls: a third each from random games, scattered over the board, and around a prime."""
    spread = [(scattered(profile, chance), chance.choice(ROLLS)) for _ in range(count // 3)]
    if profile.positions is RunningPosition:
        spread += [(near_prime(chance), chance.choice(ROLLS)) for _ in range(count // 3)]
    return spread + random_games(profile, chance, count - len(spread))


def random_games(profile: Profile, chance: random.Random, count: int) -> list[tuple[Position, Roll]]:
    """The positions and rolls of games in which every play is chosen at random."""
    found: list[tuple[Position, Roll]] = []
    position = profile.start_position
    while len(found) < count:
        roll = chance.choice(ROLLS)
        found.append((position, roll))
        after = chance.choice(list(plays_for(profile, position, roll)))
        position = profile.start_position if outcome_of(profile, after) else after.flipped()
    return found


def scattered(profile: Profile, chance: random.Random) -> Position:
    """A random position: crowds, blots, pins, primes, home boards, checkers borne off."""
    kind, highest = profile.positions, chance.choice((24, 24, 24, 12, 8, 6))
    mine, theirs, pinned = [0] * 26, [0] * 26, 0
    off = chance.choice((0, 0, 0, chance.randint(0, 14)))
    favourites = [chance.randint(1, highest) for _ in range(chance.randint(2, 9))]
    for _ in range(15 - off):
        mine[chance.choice(favourites)] += 1
    mine[OFF] = off
    free = [point for point in range(1, 25) if not mine[point]]
    alone = [point for point in range(1, 25) if mine[point] == 1]
    held = [point for point in range(1, 25) if mine[point]]
    left = 15 - chance.choice((0, 0, chance.randint(0, 14)))
    if profile.pinned_mother_loses:
        for point in chance.sample(held, min(len(held), chance.randint(0, 2), left)):
            if point in alone and chance.random() < 0.6:
                pinned |= 1 << point
            theirs[kind.OPPOSITE[point]] += 1
            left -= 1
        free += [point for point in range(1, 25) if pinned >> point & 1]
    crowd = [chance.choice(free) for _ in range(chance.choice((1, 2, 6, 9)))]
    for _ in range(left):
        theirs[kind.OPPOSITE[chance.choice(crowd)]] += 1
    theirs[OFF] = 15 - sum(theirs)
    position = kind.with_pins(tuple(mine), tuple(theirs), pinned)
    return _some_off_the_board(position, chance) if kind is EnteringPosition else position


def _some_off_the_board(position: Position, chance: random.Random) -> Position:
    """The position with some checkers of both sides on place 25, of which some were hit."""
    sides = [list(position.mine), list(position.theirs)]
    for side in sides:
        held = [point for point in range(1, 25) if side[point]]
        for point in chance.sample(held, min(len(held), chance.choice((0, 0, 1, 2, 4)))):
            taken = chance.randint(1, side[point])
            side[point] -= taken
            side[BAR] += taken
    mine, theirs = (tuple(side) for side in sides)
    not_entered = tuple(max(0, side[BAR] - chance.choice((0, 0, 1, 2))) for side in sides)
    return EnteringPosition(mine, theirs, not_entered)


def near_prime(chance: random.Random) -> Position:
    """A position of a running game with five or six of six points in a row held, in front of most opposing checkers."""
    behind = chance.randint(7, 24)
    crowd = RunningPosition.OPPOSITE[behind]
    row = [RunningPosition.OPPOSITE[one] for one in range(behind - 6, behind)]
    mine, theirs = [0] * 26, [0] * 26
    for point in chance.sample(row, chance.choice((5, 6))):
        mine[point] += 1
    others = [point for point in range(1, 25) if point not in (*row, crowd)]
    extras = chance.sample(others, 3) + chance.sample(row, 2)
    for _ in range(15 - sum(mine)):
        mine[chance.choice(extras)] += 1
    theirs[behind] = 15
    if chance.random() < 0.4:
        free = [point for point in others if not mine[point]]
        theirs[behind] -= 1
        theirs[chance.choice([OFF, *(RunningPosition.OPPOSITE[point] for point in free)])] += 1
    return RunningPosition(tuple(mine), tuple(theirs))


def counts(profile: Profile, depth: int) -> list[int]:
    """The number of plays of all 21 rolls one, two … deep, each position as often as it is reached."""
    reached, found = Counter({profile.start_position: 1}), []
    for _ in range(depth - 1):
        following: Counter[Position] = Counter()
        for position, times in reached.items():
            for roll in ROLLS:
                for after in plays_for(profile, position, roll):
                    following[after.flipped()] += times
        found.append(following.total())
        reached = following
    last = sum(times * len(plays_for(profile, one, roll)) for one, times in reached.items() for roll in ROLLS)
    return [*found, last]


def _left(after: slow.Stacks | slow_entering.Checkers | slow_hitting.Board, position: Position) -> Position:
    """The position after a play that the slow generator has found in another one."""
    if type(position) is Position:
        return Position.of_ints(after[0], (after[1], position.theirs[OFF]))
    return of_places(after) if len(after) == 2 else as_position(after, position)


def slow_counts(profile: Profile, depth: int) -> list[int]:
    """The same by the slow generator; the positions of the last depth are counted, not kept."""
    reached, found = Counter({profile.start_position: 1}), []
    for _ in range(depth - 1):
        following: Counter[Position] = Counter()
        for position, times in reached.items():
            for roll in ROLLS:
                _, results = slowly(profile, position, roll)
                for after in results:
                    following[_left(after, position).flipped()] += times
        found.append(following.total())
        reached = following
    last = sum(times * len(slowly(profile, one, roll)[1]) for one, times in reached.items() for roll in ROLLS)
    return [*found, last]
