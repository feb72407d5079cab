"""Earlier turns that a later one decides, or decides otherwise."""

from companion.inference.decisions import SURE_OTHERWISE, Decisions
from companion.inference.explaining.turn import TurnInProgress, Weighed
from companion.inference.findings import Kind, Made, TurnSeen
from companion.inference.fitting import Fitting
from companion.inference.views import BoardView


class Revision:
    """Decides earlier turns of one game anew by the explanations after a later one."""

    def __init__(self, decisions: Decisions, fitting: Fitting, again_after_doublet: bool) -> None:
        """`again_after_doublet`: whether a side throws again after a doublet, under this game's rules."""
        self._decisions, self._fitting = decisions, fitting
        self._again_after_doublet = again_after_doublet

    def after(self, turn: TurnInProgress, weighed: Weighed, view: BoardView) -> list[TurnSeen]:
        """Earlier turns that are decided now, or decided otherwise: none as long as the turn itself does not fit.

        Only the last two may be decided otherwise. One that is open is decided however many turns later a heap is
        counted in which its explanations differ, if every turn since is decided with it.
        """
        best = weighed.lines[0].turns[turn.number]
        if best != turn.answer and not self._fitting.fits(best, view):
            return []
        decided = self._decisions.turns
        before, late = dict(decided), range(max(0, turn.number - 2), turn.number)
        far: list[TurnSeen] = []
        for number in [n for n in range(late.start) if before[n] is None]:
            if found := self._decided_late(number, weighed):
                far += found
            else:
                decided.update(before)
                far = []
        near = [one for number in late for one in self._decided_late(number, weighed)]
        if far and any(decided[number] is None for number in late):
            decided.update(before)
            far = []
            near = [one for number in late for one in self._decided_late(number, weighed)]
        return [*far, *near]

    def _decided_late(self, number: int, weighed: Weighed) -> list[TurnSeen]:
        """An earlier turn, if it is decided now, or otherwise than before."""
        known, decisions = weighed.of_turn(number), self._decisions
        if not known or decisions.rolls[number] is None or number in decisions.doubted:
            return []
        (made, chance), before = known[0], decisions.turns[number]
        if made == before or chance < SURE_OTHERWISE or not self._may_be_decided(made):
            return []
        decisions.turns[number] = made
        return [TurnSeen(made, chance, corrected=before is not None)]

    def _may_be_decided(self, made: Made) -> bool:
        """Whether an earlier turn is a play that its own pictures explain, with no turn missed before it."""
        number, decisions = made.number, self._decisions
        if made.kind not in (Kind.LEGAL, Kind.ILLEGAL) or made.roll is None:
            return False
        if made.kind is Kind.ILLEGAL and number in decisions.uncalled:
            return False
        former = decisions.turns.get(number - 1)
        if number and (former is None or not self._follows(made, former)):
            return False
        fitting, shown = self._fitting, decisions.shown[number]
        explained = fitting.explains(made, shown) and fitting.counts_heaps(made, shown)
        return explained and fitting.is_told_without_piles(made) and fitting.shows_fault(made, shown)

    def _follows(self, made: Made, former: Made) -> bool:
        """Whether no turn can have been missed between these two: a side plays twice only where the rules say so."""
        in_turn = made.side is not former.side or self._again_after_doublet
        return in_turn and former.after == made.before
