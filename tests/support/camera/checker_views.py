"""A camera that behaves: random games, and readings of their checkers with misreadings, hands and wandering shadows."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from math import log

from companion.game.events import Orientation
from companion.inference.follower import Follower
from companion.inference.views import CLASSES, MOST, POINTS, BoardView, colour_of, physical_counts
from companion.rules.board import BAR, OFF, Board, Position, Roll, Side
from companion.rules.plays import legal_plays
from companion.rules.profiles import PROFILES
from companion.rules.referee import Valid


@dataclass(frozen=True)
class FakePictures:
    """Pictures of the points: what lies on each, and how often that was put straight."""

    points: tuple[tuple[int, int], ...]
    left_out: frozenset[int] = frozenset()

    @classmethod
    def of(cls, states: Sequence[int]) -> "FakePictures":
        """The pictures of these states of points 1 and up; the others are empty."""
        return cls(tuple((one, 0) for one in [*states, *[0] * POINTS][:POINTS]))

    def changes_since(
        self, before: "FakePictures", counts: Sequence[tuple[int, int]]
    ) -> dict[int, tuple[float, ...]]:
        """How much likelier each state is than the known one, as rendered points show it."""
        known = [a or (MOST + b if b else 0) for a, b in counts]
        pairs = zip(known, before.points, self.points, strict=True)
        left_out = self.left_out | before.left_out
        return {n: _said(*one) for n, one in enumerate(pairs, 1) if n not in left_out}

    def without(self, points: Collection[int]) -> "FakePictures":
        """The same, but for some points."""
        return replace(self, left_out=self.left_out | frozenset(points))


def _said(known: int, then: tuple[int, int], now: tuple[int, int]) -> tuple[float, ...]:
    """What two pictures of a point say of its states: a change shows which, but for checkers that were put straight."""
    if now == then:
        said = dict.fromkeys(range(CLASSES), -4.0)
    elif now[0] == then[0]:
        said = {k: 1.0 if abs(k - known) == 1 else -2.0 for k in range(CLASSES)}
    else:
        said = {k: 3.0 if k == now[0] else -1.0 for k in range(CLASSES)}
    return tuple(0.0 if k == known else said[k] for k in range(CLASSES))


@dataclass(frozen=True)
class FakeTray:
    """A picture of a tray: how many checkers lie in it."""

    off: int

    def change_since(self, before: "FakeTray") -> float:
        """How much likelier it is that some were put there than that none was, as rendered trays show it."""
        return 4.0 if self.off > before.off else -3.0


@dataclass
class FakeReader:
    """Readings of positions.

    Attributes:
        rng: all chance.
        error: share of the points that are misread in a picture, by one checker or as another colour.
        covered: share of the points under a hand.
        stubborn: share of the misreadings that come again in the next picture of the same point.
        least: lowest chance given to what was read rightly.
        wild: share of the misreadings that show anything at all, not one checker more or fewer.
        shaken: share of the points that look otherwise from a picture on although nothing came or left; None: there are
            no pictures.
    """

    rng: random.Random
    error: float = 0.02
    covered: float = 0.0
    stubborn: float = 0.8
    least: float = 0.7
    wild: float = 0.0
    shaken: float | None = None
    _shown: dict = field(default_factory=dict)
    _shaken: list = field(default_factory=lambda: [0] * 24)

    def view(self, board: Board, orientation: Orientation) -> BoardView:
        """A reading of one picture."""
        points = [self._point(n, a, b) for n, (a, b) in enumerate(physical_counts(board, orientation))]
        sides = sorted(Side, key=lambda side: colour_of(side, orientation))
        bar = [self._bar(board.seen_by(side).must_enter) for side in sides]
        states = [a or (MOST + b if b else 0) for a, b in physical_counts(board, orientation)]
        return BoardView.of(points, bar, self._pictures(states))

    def _pictures(self, states):
        if self.shaken is None:
            return None
        self._shaken = [times + (self.rng.random() < self.shaken) for times in self._shaken]
        return FakePictures(tuple(zip(states, self._shaken, strict=True)))

    def _point(self, n, a, b):
        if self.rng.random() < self.covered:
            return None
        truth = a or (MOST + b if b else 0)
        shown = self._shown.get((n, truth), truth)
        if self.rng.random() > self.stubborn or (n, truth) not in self._shown:
            shown = self._misread(truth) if self.rng.random() < self.error else truth
            self._shown = {key: old for key, old in self._shown.items() if key[0] != n} | {(n, truth): shown}
        sure = self.rng.uniform(self.least, 0.999) if shown == truth else self.rng.uniform(0.5, 0.97)
        row = [(1 - sure) * 0.2 / CLASSES] * CLASSES
        near = {one for one in (shown - 1, shown + 1) if _colour(one) == _colour(shown)} | {truth}
        for one in near:
            row[one] += (1 - sure) * 0.8 / len(near)
        row[shown] += sure
        return row

    def _misread(self, truth):
        """One checker more or fewer, more often on high stacks; sometimes another colour."""
        if self.rng.random() < self.wild:
            return self.rng.randrange(CLASSES)
        near = [
            one for one in (truth - 1, truth + 1) if 0 <= one < CLASSES and _colour(one) == _colour(truth)
        ]
        return self.rng.choice(near or [1, MOST + 1])

    def _bar(self, count):
        row = [0.01] * (MOST + 1)
        row[count if self.rng.random() > self.error else 0] += 0.8
        return row


def _colour(one):
    return None if not 0 <= one < CLASSES else 0 if one == 0 else 1 if one <= MOST else 2


def clear_view(board: Board, orientation: Orientation) -> BoardView:
    """A reading without any misreading or doubt."""
    return FakeReader(random.Random(1), error=0.0, least=0.998).view(board, orientation)


def pictured(board: Board, on_ace: int) -> BoardView:
    """A view of a board in which a heap on the ace point is read as five or six, with a picture that shows so many."""
    view = FakeReader(random.Random(1), error=0.0, least=0.998, shaken=0.0).view(board, Orientation())
    ace = list(view.points[0])
    ace[5], ace[6] = (log(share) for share in ((0.2, 0.8) if on_ace == 6 else (0.55, 0.45)))
    shown = FakePictures(((on_ace, 0), *view.pictures.points[1:]))
    return replace(view, points=(tuple(ace), *view.points[1:]), pictures=shown)


def with_trays(view: BoardView, lower_right: int = 0, upper_right: int = 0) -> BoardView:
    """The view with so many checkers in the trays on the right."""
    return replace(view, trays={1: FakeTray(lower_right), 24: FakeTray(upper_right)})


def hidden(view: BoardView, points: set[int]) -> BoardView:
    """The view with these physical points covered."""
    rows = tuple((0.0,) * CLASSES if n in points else row for n, row in enumerate(view.points, 1))
    return BoardView(rows, view.bar, view.covered | points)


@dataclass(frozen=True)
class TurnPlayed:
    """A turn of a game: what was thrown, and the board before and after it."""

    side: Side
    roll: Roll
    before: Board
    after: Board
    legal: bool


def random_game(rng: random.Random, illegal: float = 0.0, most: int = 400) -> list[TurnPlayed]:
    """A game of random plays to its end, with some plays made by another roll."""
    board, turns = Board(Position.start().mine, Position.start().theirs), []
    one, other = rng.sample(range(1, 7), 2)
    side, roll = (Side.SOUTH if one > other else Side.NORTH), Roll.of(one, other)
    while len(turns) < most:
        before = board.seen_by(side)
        plays = legal_plays(before, roll)
        after, legal = rng.choice(list(plays)), True
        if rng.random() < illegal:
            wrong = legal_plays(before, Roll.of(rng.randint(1, 6), rng.randint(1, 6)))
            wrong = [one for one in wrong if one not in plays and one != before and not one.is_won]
            if wrong:
                after, legal = rng.choice(wrong), False
        turns.append(TurnPlayed(side, roll, board, Board.of(side, after), legal))
        board = turns[-1].after
        if after.is_won:
            return turns
        side, roll = side.other, Roll.of(rng.randint(1, 6), rng.randint(1, 6))
    return turns


def with_checker_aside(board: Board, side: Side) -> Board:
    """The board with a hit checker of a side laid beside it instead of on the bar."""
    checkers = list(board.south if side is Side.SOUTH else board.north)
    if checkers[BAR]:
        checkers[BAR] -= 1
        checkers[OFF] += 1
    moved = tuple(checkers)
    return Board(moved, board.north) if side is Side.SOUTH else Board(board.south, moved)


def moved(checkers, *moves: tuple[int, int]):
    """One side's checkers after these (source, target) moves, without regard to any rule."""
    after = list(checkers)
    for source, target in moves:
        after[source] -= 1
        after[target] += 1
    assert min(after) >= 0, "there is no such checker"
    return tuple(after)


def followed(game: list[TurnPlayed], reader: FakeReader, orientation: Orientation):
    """The follower and its findings after a game: a picture at each throw, one after the play, one after the dice."""
    start = reader.view(game[0].before, orientation)
    follower, found = Follower(PROFILES["modern"], orientation, start), []
    for number, turn in enumerate(game):
        faces = (turn.roll.high, turn.roll.low)
        by_side = faces if turn.side is Side.SOUTH else faces[::-1]
        found += follower.before_throw(reader.view(turn.before, orientation), faces)
        follower.thrown(Valid(turn.roll, *by_side) if number == 0 else Valid(turn.roll), faces)
        found += follower.settled(reader.view(turn.after, orientation))
        follower.lifted()
        found += follower.settled(reader.view(turn.after, orientation))
    return follower, found + follower.finish()
