"""What of a game is decided, turn by turn."""

from dataclasses import replace

from companion.inference.findings import Kind, Line, Made
from companion.inference.views import TALL, BoardView, is_told_by_rest
from companion.rules.board import BAR, Board, Roll
from sentence import NOTHING

SURE = 0.995
"""Chance at which a turn is decided when the next throw has come to rest. Below it people are asked."""
SURE_OTHERWISE = 0.9999
"""Chance at which a turn is decided or corrected by the next one. A point that is misread once is usually misread
again in the next picture, which therefore says less than a new one would."""
OPEN_CHANGES = 2
"""Most changes since the last decided turn that are no legal plays, after which a board may still be known."""


class Decisions:
    """The turns of a game that are decided, and what is known of the others.

    Attributes:
        start: the board before the first turn.
        turns: the turns by number, None for one that is open.
        rolls: their rolls as dice have told them, None where no dice did.
        shown: what the pictures after each turn showed.
        uncalled: the turns of which an illegal play is never called.
        doubted: the turns that perhaps were none.
        guessed: the turns that no play explains, after which the game goes on as seen.
    """

    def __init__(self, start: Board) -> None:
        self.start = start
        self.turns: dict[int, Made | None] = {}
        self.rolls: dict[int, Roll | None] = {}
        self.shown: dict[int, BoardView] = {}
        self.uncalled: set[int] = set()
        self.doubted: set[int] = set()
        self.guessed: set[int] = set()

    def certain(self, number: int) -> Board:
        """The board after the last turn before this one that is decided."""
        decided = (self.turns.get(one) for one in range(number - 1, -1, -1))
        return next((made.after for made in decided if made is not None), self.start)

    def is_open(self, number: int) -> bool:
        """Whether there is such a turn and it is not decided."""
        return number in self.turns and self.turns[number] is None

    def needed(self, number: int) -> float:
        """Chance at which a turn is decided; higher while the one before it is open, of which it cannot be surer."""
        return SURE_OTHERWISE if self.is_open(number - 1) else SURE

    def contradicted(self, line: Line) -> int | None:
        """The last decided turn that this explanation has otherwise; None for none."""
        decided = sorted(self.turns.items(), reverse=True)
        return next((n for n, made in decided if made is not None and line.turns.get(n) != made), None)

    def agreeing(self, lines: tuple[Line, ...], number: int) -> tuple[Line, ...]:
        """The explanations that agree with the turn of this number, which is no longer open to correction."""
        decided = self.turns.get(number)
        agreeing = tuple(line for line in lines if decided is None or line.turns.get(number) == decided)
        return agreeing or lines

    def for_record(self, made: Made) -> Made:
        """A turn of an explanation as the record has it. One that is open is marked so; it has no roll that no dice
        told.
        """
        decided = self.turns.get(made.number)
        if decided is not None:
            return decided
        roll = self.rolls[made.number]
        if roll is not None or made.kind is Kind.MISSED:
            return replace(made, roll=roll, is_open=True)
        return replace(made, roll=None, kind=Kind.DISORDER, play=None, fault=NOTHING, is_open=True)

    def is_guessed_before(self, line: Line, number: int) -> bool:
        """Whether the board before a turn of this explanation is guessed.

        It is after a board that no play explains. Otherwise the changes since the last decided turn count that are no
        legal plays: how many lie in a tall heap is not seen, and a checker too few there is one too many elsewhere.
        After one such change the board is guessed if a heap may hide a checker, after two if there is any tall heap,
        and after more in any case.
        """
        if number - 1 in self.guessed:
            return True
        changes, boards = 0, [line.turns[number].before]
        for earlier in range(number - 1, -1, -1):
            if self.turns.get(earlier) is not None:
                break
            made = line.turns.get(earlier)
            if made is not None:
                changes += made.kind not in (Kind.LEGAL, Kind.UNMOVED)
                boards.append(made.before)
        if changes in (0, 1):
            return changes == 1 and any(map(_hides_one, boards))
        return changes > OPEN_CHANGES or any(map(_has_tall_heap, boards))


def _has_tall_heap(board: Board) -> bool:
    """Whether more checkers lie on a point than a picture counts to one more or less."""
    return max(*board.south[1:BAR], *board.north[1:BAR]) >= TALL


def _hides_one(board: Board) -> bool:
    """Whether a tall heap may hold one checker more or fewer: the side's others do not tell how many."""
    return any(max(side[1:BAR]) >= TALL and not is_told_by_rest(side) for side in (board.south, board.north))
