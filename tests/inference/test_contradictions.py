"""Laws of the follower where board and record part: a throw that is misread or did not count, a knocked checker."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.game.events import Orientation
from companion.inference.findings import Finding, TurnOpen, TurnSeen
from companion.inference.follower import Follower
from companion.inference.views import physical_point, seen_by
from companion.rules.board import BAR, Board, Roll, Side
from companion.rules.plays import legal_plays
from companion.rules.profiles import PROFILES
from companion.rules.referee import Cocked, Reason, Valid
from tests.support.camera.checker_views import (
    FakeReader,
    TurnPlayed,
    clear_view,
    moved,
    random_game,
    with_checker_aside,
)
from tests.support.often import TIMES

SEATS = Orientation()
FIRST = 3
"""Turns before anything goes wrong."""


@dataclass(frozen=True)
class Step:
    """What became known of one picture, and the boards that were shown up to it, the last one now."""

    found: list[Finding]
    shown: list[Board]


def middle(seed: int, turns: int = 12) -> list[TurnPlayed]:
    """Turns from the middle of a random game."""
    game = random_game(random.Random(seed))
    first = random.Random(seed).randrange(max(1, len(game) - turns))
    return game[first : first + turns]


def knocked(board: Board, rng: random.Random) -> Board:
    """The board after a checker of either side was knocked on to another point that is free or has its own checkers."""
    while True:
        side = rng.choice(list(Side))
        mine, theirs = board.seen_by(side).mine, board.seen_by(side.other).mine
        source, target = rng.randint(1, 24), rng.randint(1, 24)
        in_sight = 0 < mine[source] <= 4 and mine[target] < 4
        if in_sight and source != target and not theirs[25 - target]:
            left = moved(mine, (source, target))
            return Board(left, theirs) if side is Side.SOUTH else Board(theirs, left)


def on_with(game: list[TurnPlayed], board: Board, rng: random.Random) -> list[TurnPlayed]:
    """The same number of turns played from another board."""
    turns, side = [], game[0].side
    for _ in game:
        roll = Roll.of(rng.randint(1, 6), rng.randint(1, 6))
        after = Board.of(side, rng.choice(list(legal_plays(board.seen_by(side), roll))))
        turns.append(TurnPlayed(side, roll, board, after, True))
        board, side = after, side.other
        if after.seen_by(side.other).is_won:
            break
    return turns


class Table:
    """A follower that is shown one picture after the other."""

    def __init__(self, start: TurnPlayed, reader: FakeReader) -> None:
        self.reader, self.shown = reader, [start.before]
        self.follower = Follower.taken_up(
            PROFILES["modern"], SEATS, start.before, start.side, reader.view(start.before, SEATS)
        )

    def view(self, board: Board):
        if board != self.shown[-1]:
            self.shown.append(board)
        return self.reader.view(board, SEATS)

    def throw(self, board: Board, roll: Roll, side: Side, counts: bool = True) -> Step:
        """A throw of a side, ruled for the side that the follower expects."""
        faces = (roll.high, roll.low)
        found = self.follower.before_throw(self.view(board), faces, side)
        expected = self.follower.roller in (None, side)
        ruling = Valid(roll) if expected and counts else Cocked((Reason.WRONG_HALF,))
        self.follower.thrown(ruling, faces, side)
        return Step(found, list(self.shown))

    def play(self, board: Board, seen_as: Board | None = None) -> Iterator[Step]:
        """A play that leaves this board, and the dice lifted."""
        for lift in (False, True):
            if lift:
                self.follower.lifted()
            view = self.view(board) if seen_as is None else self.reader.view(seen_as, SEATS)
            yield Step(self.follower.settled(view), list(self.shown))

    def turn(self, turn: TurnPlayed, told: Roll | None = None) -> Iterator[Step]:
        """A turn, with the roll that the dice are read as."""
        yield self.throw(turn.before, told or turn.roll, turn.side)
        yield from self.play(turn.after)


def check(steps: list[Step], since: int) -> list[TurnSeen]:
    """What was decided in these steps; each board of it, from the step on where something went wrong, was shown, and
    each that was not corrected was the one shown then, or when its turn was open.
    """
    decided, lately = [], dict[int, list[Board]]()
    for at, step in enumerate(steps):
        for one in step.found:
            if isinstance(one, TurnOpen):
                lately.setdefault(one.number, step.shown[-3:])
            if isinstance(one, TurnSeen):
                decided.append(one)
                if at >= since:
                    then = lately.get(one.made.number, [])
                    assert one.made.after in step.shown, (at, one.made)
                    assert one.corrected or one.made.after in [*then, *step.shown[-3:]], (at, one.made)
    return decided


laws = settings(
    max_examples=5 * TIMES, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate]
)
seeds = st.integers(0, 10**6)


@laws
@given(seeds, st.sampled_from([0.0, 0.005]))
def test_knocked_checker_is_in_no_turn_that_is_accepted(seed, error):
    rng = random.Random(seed)
    game = middle(seed)
    table = Table(game[0], FakeReader(rng, error, least=0.9))
    steps = [step for turn in game[:FIRST] for step in table.turn(turn)]
    if len(game) <= FIRST + 1:
        return
    since = len(steps)
    last = game[FIRST]
    board = knocked(last.after, rng)
    steps.append(table.throw(last.before, last.roll, last.side))
    table.shown.append(
        last.after
    )  # the play itself, before the checker was knocked: accepting it is no fault
    steps += table.play(board)
    for turn in on_with(game[FIRST + 1 :], board, rng):
        steps += table.turn(turn)
    check(steps, since)


@laws
@given(seeds)
def test_throw_that_did_not_count_and_was_read_as_valid_makes_no_wrong_board(seed):
    rng = random.Random(seed)
    game = middle(seed)
    table = Table(game[0], FakeReader(rng, 0.0, least=0.9))
    steps = [step for turn in game[:FIRST] for step in table.turn(turn)]
    since = len(steps)
    for number, turn in enumerate(game[FIRST:]):
        if number == 0:
            wrong = Roll.of(rng.randint(1, 6), rng.randint(1, 6))
            steps.append(table.throw(turn.before, wrong, turn.side))
            steps += table.play(turn.before)
        steps += table.turn(turn)
    check(steps, since)


@laws
@given(seeds)
def test_misread_roll_makes_no_wrong_board(seed):
    rng = random.Random(seed)
    game = middle(seed)
    table = Table(game[0], FakeReader(rng, 0.0, least=0.9))
    steps = [step for turn in game[:FIRST] for step in table.turn(turn)]
    since = len(steps)
    for number, turn in enumerate(game[FIRST:]):
        told = Roll.of(rng.randint(1, 6), rng.randint(1, 6)) if number == 0 else None
        steps += table.turn(turn, told)
    check(steps, since)


@laws
@given(seeds)
def test_hit_checker_beside_the_board_is_in_no_wrong_turn(seed):
    rng = random.Random(seed)
    game = middle(seed, 20)
    table = Table(game[0], FakeReader(rng, 0.0, least=0.9))
    steps = []
    for turn in game:
        steps.append(table.throw(turn.before, turn.roll, turn.side))
        aside = with_checker_aside(turn.after, turn.side.other)
        table.shown.append(turn.after)
        steps += table.play(turn.after, aside if aside != turn.after else None)
    check(steps, 0)


def entered_from_a_throw_for_nobody():
    """The boards around a throw that was taken for nobody's, with which a checker entered."""
    south = [0] * 26
    north = [0] * 26
    for n, count in {6: 5, 5: 4, 4: 4, BAR: 2}.items():
        south[n] = count
    for n, count in {2: 2, 3: 2, 4: 2, 1: 2, 5: 2, 8: 3, 13: 2}.items():
        north[n] = count
    before = Board(tuple(south), tuple(north))
    entered = Board(moved(south, (BAR, 19)), tuple(north))
    return before, entered


@pytest.mark.parametrize("pictures", [1, 3])
def test_point_that_contradicts_the_record_keeps_turns_open_and_is_named(pictures):
    before, entered = entered_from_a_throw_for_nobody()
    follower = Follower.taken_up(PROFILES["modern"], SEATS, before, Side.NORTH, clear_view(before, SEATS))
    follower.before_throw(clear_view(entered, SEATS), (3, 1))
    follower.thrown(Valid(Roll(3, 1)), (3, 1))
    follower.lifted()
    left = Board(entered.south, moved(entered.north, (13, 10), (13, 12)))
    assert [follower.settled(clear_view(left, SEATS)) for _ in range(pictures)] == [[]] * pictures
    found = follower.before_throw(clear_view(left, SEATS), (2, 1))
    assert not [one for one in found if isinstance(one, TurnSeen)]
    assert any(isinstance(one, TurnOpen) and "19" in str(one.why) for one in found)
    follower.thrown(Valid(Roll(2, 1)), (2, 1))
    assert follower.best.board == left


def test_view_of_a_contradicting_point_is_not_the_look_of_the_record():
    before, entered = entered_from_a_throw_for_nobody()
    follower = Follower.taken_up(PROFILES["modern"], SEATS, before, Side.NORTH, clear_view(before, SEATS))
    follower.thrown(Valid(Roll(3, 1)), (3, 1))
    follower.lifted()
    left = Board(before.south, moved(before.north, (13, 10), (13, 12)))
    assert [type(one) for one in follower.settled(clear_view(left, SEATS))] == [TurnSeen]
    fell = Board(entered.south, left.north)
    follower.settled(clear_view(fell, SEATS))
    follower.before_throw(clear_view(left, SEATS), (2, 1))
    position = left.seen_by(Side.SOUTH)
    compared = follower.compared(clear_view(fell, SEATS))
    shown = seen_by(compared, Side.SOUTH, SEATS, PROFILES["modern"].positions)
    assert shown.otherwise(position) == {19}
    assert physical_point(19, SEATS) == 19


def test_dance_of_the_side_that_throws_again_is_open():
    before, entered = entered_from_a_throw_for_nobody()
    table = Table(TurnPlayed(Side.SOUTH, Roll(4, 3), before, before, True), FakeReader(random.Random(1), 0.0))
    steps = [table.throw(before, Roll(4, 3), Side.SOUTH), *table.play(before)]
    assert check(steps, 0)
    steps = [table.throw(before, Roll(6, 4), Side.SOUTH), *table.play(entered)]
    steps.append(table.throw(entered, Roll(3, 1), Side.NORTH))
    opened = [one.number for step in steps for one in step.found if isinstance(one, TurnOpen)]
    assert opened == [0, 1]
    assert table.follower.roller is Side.NORTH
    assert all(made.is_open for made in table.follower.turns)
