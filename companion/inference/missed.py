"""Turns of which nobody saw the throw: the checkers show more than the last turn."""

from companion.inference.decisions import Decisions
from companion.inference.explaining.explanations import Explanations
from companion.inference.explaining.turn import TurnInProgress, Weighed
from companion.inference.explaining.weighing import WIDE
from companion.inference.findings import Kind, Line, Made
from companion.inference.fitting import Fitting
from companion.inference.views import BoardView
from companion.rules.board import OFF, Board


class MissedTurns:
    """Tells from views of one game whether turns were missed, and what was played in them."""

    def __init__(
        self, explanations: Explanations, decisions: Decisions, fitting: Fitting, start: Board
    ) -> None:
        """`start` is the board at which a game begins: one that is set up anew is no turn."""
        self._explanations, self._decisions, self._fitting = explanations, decisions, fitting
        self._start = start

    def are_shown(self, best: Line, number: int, view: BoardView, earlier: BoardView | None) -> bool:
        """Whether more was played than the turns before this number, by the best explanation and every other play of
        the last of them; `earlier` is the view before this one.
        """
        if not self._fitting.is_another(best.board, view, earlier):
            return False
        played = (
            line
            for line in self._explanations.lines
            if self._decisions.contradicted(line) is None
            and (made := line.turns.get(number - 1)) is not None
            and made.kind in (Kind.LEGAL, Kind.ILLEGAL)
        )
        return all(self._fitting.is_another(line.board, view, earlier) for line in played)

    def explained(self, turn: TurnInProgress, view: BoardView) -> Weighed | None:
        """A turn whose throw was not seen, weighed by a view: the explanations with a board that the view fits; None
        if no play and no movement of checkers leads to one.

        Without a hit nobody puts a checker on the bar, and more than was borne off is not on the board again: then
        the point is misread, or the checker fell, and no other board is better than that of the record.
        """
        weighed = self._explanations.weigh(turn, view)
        made = weighed.lines[0].turns[turn.number]
        if made.kind is not Kind.UNMOVED and self._fitting.explains(made, view):
            return weighed
        wide = self._explanations.weigh(turn, view, keep=WIDE)
        fitting = tuple(
            (line, chance)
            for line, chance in zip(wide.lines, wide.chances, strict=True)
            if line.turns[turn.number].keeps_checkers and self._fitting.shows_clearly(line.board, view)
        )
        if not fitting:
            return None
        self._decisions.guessed.add(turn.number)
        return Weighed(*zip(*fitting, strict=True))

    def may_be_played(self, made: Made) -> bool:
        """Whether a disorder at the end may be several turns: checkers were neither put away nor set up anew."""
        off = [(board.south[OFF], board.north[OFF]) for board in (made.before, made.after)]
        return off[0] == off[1] and made.after != self._start
