"""Weighs the explanations of a game, each continued by the candidates of one turn, by a view of the checkers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp, log

from companion.game.events import Orientation
from companion.inference.explaining.candidates import NOTHING as UNMOVED_PRIOR
from companion.inference.explaining.candidates import Candidate, candidates, chances
from companion.inference.explaining.turn import TurnInProgress, Weighed
from companion.inference.findings import Kind, Line, Made
from companion.inference.views import BoardView, MoverView, physical_point, read_alike, seen_by
from companion.rules.board import OFF, Board, Position, Roll, Side
from companion.rules.play_legality import Turn
from companion.rules.plays import Plays, plays_for
from companion.rules.profile import Profile
from sentence import NOTHING

LINES = 24
"""Explanations of the game that are kept."""
KEPT = 9.0
"""Range of their weights, in nats."""
WIDE = 30.0
"""Range of candidates, in nats, when two turns are weighed together."""
STALE = 0.95
"""Share of a point's reading that says nothing new if the same was read there one turn before: a misreading comes again
with the next picture, and must not become certain by that."""
UNSURE_THROW = 4.0
"""How much more likely, in nats, an unchanged board is after a throw that did not count or was not read."""


class Weighing:
    """Weighs the turns of games under one profile, seen on a board that lies one way round.

    Attributes:
        profile: the rules.
        orientation: how the board lies in the picture.
    """

    def __init__(self, profile: Profile, orientation: Orientation) -> None:
        self.profile, self.orientation = profile, orientation

    def seen(self, view: BoardView, side: Side = Side.SOUTH) -> MoverView:
        """The view in a side's numbering."""
        return seen_by(view, side, self.orientation, self.profile.positions)

    def plays(self, position: Position, roll: Roll) -> Plays:
        """The legal plays of a roll."""
        return plays_for(self.profile, position, roll)

    def weigh(
        self,
        lines: Sequence[Line],
        turn: TurnInProgress,
        view: BoardView,
        former: BoardView | None = None,
        keep: float = KEPT,
    ) -> Weighed:
        """Every explanation so far, continued by the candidates of this turn.

        Args:
            lines: the explanations before it.
            turn: the turn.
            view: the checkers after it.
            former: those after the turn before it; what this view only repeats of it says nothing new.
            keep: how much less likely than the best an explanation may be, in nats.
        """
        repeated, found = self._repeated(lines, view, former), []
        off = _tells_off_again(view, former)
        mover = self.seen(view)
        for line in lines:
            for made, weight in self._continued(line, turn, view, keep):
                turns = {**line.turns, turn.number: made}
                excused = _excused(mover, repeated, made) + _excused_off(mover, made) * off
                found.append(Line(made.after, line.weight + weight + excused, turns))
        found.sort(key=lambda line: -line.weight)
        top = found[0].weight
        kept = [replace(line, weight=line.weight - top) for line in found if line.weight > top - keep]
        kept = kept[: LINES if keep == KEPT else None]
        return Weighed(tuple(kept), tuple(chances([line.weight for line in kept])))

    def _repeated(self, lines: Sequence[Line], view: BoardView, former: BoardView | None) -> dict[int, float]:
        """The share of this view that only repeats the last turn's, on each of south's points where the explanations
        differ: what decided between them there must not count twice.
        """
        if former is None or len(lines) < 2:
            return {}
        boards = [line.board.seen_by(Side.SOUTH) for line in lines]
        same = read_alike(view, former)
        differing = [n for n in range(1, 25) if len({one.on(n) for one in boards}) > 1]
        return {n: STALE for n in differing if same[physical_point(n, self.orientation) - 1]}

    def _continued(
        self, line: Line, turn: TurnInProgress, view: BoardView, keep: float
    ) -> Iterable[tuple[Made, float]]:
        if turn.answer is not None and turn.answer.before == line.board:
            yield turn.answer, 0.0
            return
        for side in turn.sides:
            before = line.board.seen_by(side)
            for one in candidates(self.seen(view, side), before, turn.rolls, self.plays, keep):
                made = self._made(turn.number, side, line.board, before, one)
                if turn.next_side is side:
                    made = replace(made, roll=None, kind=Kind.MISSED, play=None, fault=NOTHING)
                unmoved = made.kind is Kind.UNMOVED and not turn.sure
                yield made, one.weight + (UNSURE_THROW - UNMOVED_PRIOR if unmoved else 0.0)

    def _made(self, number: int, side: Side, board: Board, before: Position, one: Candidate) -> Made:
        after = Board.of(side, one.after)
        if one.play is not None:
            return Made(number, side, one.roll, Kind.LEGAL, board, after, one.play)
        moved = Kind.DISORDER if one.roll is None else Kind.ILLEGAL
        kind = Kind.UNMOVED if one.after == before else moved
        fault = Turn(self.profile, before, one.roll).fault_of(one.after) if one.roll else NOTHING
        return Made(number, side, one.roll, kind, board, after, fault=fault)


def _tells_off_again(view: BoardView, former: BoardView | None) -> bool:
    """Whether a view tells the same of checkers borne off as the view of the last turn."""
    if former is None:
        return False
    return all((now[-1] > 0) == (then[-1] > 0) for now, then in zip(view.off, former.off, strict=True))


def _excused_off(view: MoverView, made: Made) -> float:
    """What is taken back of this view's say on checkers borne off, of sides of which none was in this turn, in nats."""
    before, after = (board.seen_by(Side.SOUTH) for board in (made.before, made.after))
    told = [
        row[new[OFF]]
        for row, old, new in (
            (view.my_off, before.mine, after.mine),
            (view.their_off, before.theirs, after.theirs),
        )
        if old[OFF] == new[OFF]
    ]
    return sum(log(1 - STALE + STALE / exp(one)) for one in told)


def _excused(view: MoverView, repeated: Mapping[int, float], made: Made) -> float:
    """What a repeated reading takes back of this view's say on the points that the turn left as they were, in nats."""
    before, after = (board.seen_by(Side.SOUTH) for board in (made.before, made.after))
    same = (n for n in repeated if before.on(n) == after.on(n))
    return sum(log(1 - repeated[n] + repeated[n] / exp(view.at(n, after))) for n in same)
