"""Follows a game by its throws and by views of the checkers between them.

Each turn's legal results, no change and illegal results are weighed by the pictures after the dice were lifted, in
every explanation of the game so far that is still possible. A turn is decided once one of them is clearly ahead. The
explanations that it beat are kept for one more turn: the next picture has to fit a legal play of the next roll, or
both turns are weighed together anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log

from companion.game.events import Orientation
from companion.inference.candidates import NOTHING as UNMOVED_PRIOR
from companion.inference.candidates import (
    Candidate,
    candidates,
    chances,
    has_uncounted,
    lag,
    rests_on_little,
    shows_more,
)
from companion.inference.findings import Answer, Finding, GameEnded, Kind, Line, Made, TurnOpen, TurnSeen
from companion.inference.search import MISFIT
from companion.inference.views import (
    HEAP,
    TALL,
    BoardView,
    MoverView,
    combined,
    physical_counts,
    physical_point,
    read_alike,
    recalled,
    seen_by,
)
from companion.rules.board import BAR, OFF, ROLLS, Board, Position, Roll, Side
from companion.rules.play_legality import Turn
from companion.rules.plays import Plays, plays_for
from companion.rules.profile import Profile
from companion.rules.referee import Ruling, Unread, Valid
from sentence import NOTHING, Sentence, say, say_n

SURE_AT_ONCE = 0.999
"""Chance at which a legal play is accepted as soon as the dice are lifted."""
SURE = 0.995
"""Chance at which a turn is decided when the next throw has come to rest. Below it people are asked."""
SURE_OTHERWISE = 0.9999
"""Chance at which a turn is decided or corrected by the next one. A point that is misread once is usually misread
again in the next picture, which therefore says less than a new one would."""
CALLED = 0.9
"""Least chance of the position after an illegal play. That the play is illegal has to be as sure as a legal one."""
WIDE = 30.0
"""Range of candidates, in nats, when two turns are weighed together."""
LINES = 24
"""Explanations of the game that are kept."""
KEPT = 9.0
"""Range of their weights, in nats."""
UNSETTLED = 4.5
"""Largest misfit, in nats, of a point that an open turn before it may have changed, for which no other play of this
turn speaks; for any other point it is SURPRISE."""
RIVALLED = 1.0
"""How much better, in nats, another position may fit than one that is accepted. That illegal plays are rare must not
outweigh what is seen."""
STALE = 0.95
"""Share of a point's reading that says nothing new if the same was read there one turn before: a misreading comes again
with the next picture, and must not become certain by that."""
SHOWN = 6
"""Candidates of an open turn that are reported."""
UNSURE_THROW = 4.0
"""How much more likely, in nats, an unchanged board is after a throw that did not count or was not read."""


@dataclass
class _Turn:
    """The turn in progress.

    Attributes:
        number: in the game, from 0.
        sides: the side on roll, or both where it is not known.
        rolls: the possible rolls; one if the throw counts.
        sure: whether the throw counts.
        unread: no dice were read that tell the roll.
        told_by_play: a die was in doubt or not seen, the turn was due, and the play may tell the roll.
        follows: the only side for which the next throw would count where it lies; None: both, or neither.
        next_side: the side that throws next, if the next throw tells it.
        again: the next throw lies where its own side throws: a turn of the other side was perhaps not seen.
        fitted: the board before it did not contradict the picture of its throw.
        lying: the last view while the dice lie.
        after: the views since they were lifted, of the last position that they show.
        earlier: those of the position before that one.
        accepted: the play that was accepted before the next throw.
        agreed: the views that showed it.
        last: the last view as it was read, without correction; of an accepted play the last one that shows it.
        answer: what people say of it; None: nothing.
    """

    number: int
    sides: tuple[Side, ...]
    rolls: tuple[Roll, ...]
    sure: bool
    unread: bool = False
    told_by_play: bool = False
    follows: Side | None = None
    next_side: Side | None = None
    again: bool = False
    fitted: bool = True
    lifted: bool = False
    lying: BoardView | None = None
    accepted: Made | None = None
    agreed: BoardView | None = None
    last: BoardView | None = None
    after: list[BoardView] = field(default_factory=list)
    earlier: list[BoardView] = field(default_factory=list)
    answer: Made | None = None

    @property
    def may_call(self) -> bool:
        """Whether an illegal play may be called. Where a change was seen before the throw, or more than one after it,
        or this side throws again, another turn was perhaps not seen: together they look like an illegal play.
        """
        return self.fitted and not self.again and not self.earlier


@dataclass(frozen=True, slots=True)
class _Weighed:
    """The explanations after a turn with their chances, the most likely first."""

    lines: tuple[Line, ...]
    chances: tuple[float, ...]

    def of_turn(self, number: int) -> list[tuple[Made, float]]:
        """The explanations of one turn, each with its chance, the most likely first."""
        found: dict[Made, float] = {}
        for line, chance in zip(self.lines, self.chances, strict=True):
            made = line.turns.get(number)
            if made is not None:
                found[made] = found.get(made, 0.0) + chance
        return sorted(found.items(), key=lambda one: -one[1])

    def has(self, made: Made) -> bool:
        """Whether an explanation has this turn so."""
        return any(line.turns.get(made.number) == made for line in self.lines)

    def illegal(self, number: int) -> float:
        """The chance that the play of this turn was illegal."""
        return sum(chance for made, chance in self.of_turn(number) if made.kind is Kind.ILLEGAL)


class Follower:
    """Follows one game from its starting position. The caller gives it every throw and view in their order.

    Attributes:
        roller: the side whose throw is awaited, None for the opening.
        over: whether a side has borne off everything.
        unseen: the numbers of the turns whose throw was not seen.
    """

    def __init__(
        self,
        profile: Profile,
        orientation: Orientation,
        start: BoardView | None = None,
        answers: Mapping[int, Answer] | None = None,
    ) -> None:
        """Begin a game under a profile, with the checkers at its starting position, seen in the view `start`.

        `answers` are what people have said of its turns, by number, when it is followed once more. One whose board
        before it no explanation has any more is left out.
        """
        self.roller: Side | None = None
        self.over = False
        self.unseen: set[int] = set()
        self._profile, self._orientation = profile, orientation
        self._start = profile.start_board
        self._lines: tuple[Line, ...] = (Line(self._start),)
        self._turn: _Turn | None = None
        self._number = 0
        self._decided: dict[int, Made | None] = {}  # None: open
        self._rolls: dict[int, Roll | None] = {}  # as dice have told them
        self._shown: dict[int, BoardView] = {}  # what the pictures after each turn showed
        self._uncalled: set[int] = set()  # the turns of which an illegal play is never called
        self._doubted: set[int] = set()  # the turns that perhaps were none
        self._guessed: set[int] = (
            set()
        )  # the turns that no play explains, after which the game goes on as seen
        self._fitted = True  # whether the board fitted the picture of the last throw
        self._known = (start, self.best.board) if start else None
        self._misread = self._misread_in(start, self._start) if start else frozenset[int]()
        self._former: tuple[tuple[Line, ...], _Turn, BoardView] | None = None
        self._answers = answers or {}

    @classmethod
    def taken_up(
        cls,
        profile: Profile,
        orientation: Orientation,
        board: Board,
        roller: Side | None,
        known: BoardView | None,
    ) -> "Follower":
        """A follower in the middle of a game: on this board, before a throw of `roller`, None in the opening.

        `known` is a view of this board, None if there is none.
        """
        follower = cls(profile, orientation)
        follower._start, follower._lines, follower.roller = board, (Line(board),), roller
        follower._known = (known, board) if known else None
        follower._misread = follower._misread_in(known, board) if known else frozenset()
        return follower

    def _misread_in(self, view: BoardView, board: Board) -> frozenset[int]:
        """South's points on which a view of this board clearly shows something else: it will be misread there again."""
        return self._seen(view, Side.SOUTH).otherwise(board.seen_by(Side.SOUTH))

    @property
    def best(self) -> Line:
        """The most likely explanation of the game so far that agrees with what was decided."""
        return next((line for line in self._lines if self._contradicted(line) is None), self._lines[0])

    @property
    def turns(self) -> list[Made]:
        """The turns for the record, in order. One that is open is marked so; it has no roll that no dice told."""
        return [self._for_record(made) for _, made in sorted(self.best.turns.items())]

    def _for_record(self, made: Made) -> Made:
        decided = self._decided.get(made.number)
        if decided is not None:
            return decided
        roll = self._rolls[made.number]
        if roll is not None or made.kind is Kind.MISSED:
            return replace(made, roll=roll, is_open=True)
        return replace(made, roll=None, kind=Kind.DISORDER, play=None, fault=NOTHING, is_open=True)

    def _contradicted(self, line: Line) -> int | None:
        """The last decided turn that this explanation has otherwise; None for none."""
        decided = sorted(self._decided.items(), reverse=True)
        return next((n for n, made in decided if made is not None and line.turns.get(n) != made), None)

    @property
    def in_progress(self) -> int | None:
        """The number of the turn in progress, None between two turns."""
        return self._turn.number if self._turn is not None else None

    def drop(self) -> None:
        """Forget the turn in progress: its throw did not count, and nothing was played."""
        self._turn = None

    def settled(self, view: BoardView) -> list[Finding]:
        """Take the view of a quiet picture; a play that is clear after the dice were lifted is accepted."""
        turn = self._turn
        if turn is None or self.over:
            return []
        read, view = view, self.compared(view)
        if turn.accepted is None or self._explains(turn.accepted, view):
            turn.last = read
        if not turn.lifted:
            turn.lying = view
            return []
        if turn.after and self._changed(turn, view):
            turn.earlier, turn.after = turn.after, []
        turn.after.append(view)
        if turn.accepted is not None:
            return []
        if self._answered(turn):
            return self._taken_at_once(turn)
        return self._at_once(turn) if turn.sure else []

    def lifted(self) -> None:
        """The dice were picked up."""
        if self._turn is not None:
            self._turn.lifted = True

    def before_throw(
        self,
        view: BoardView | None,
        faces: Sequence[int | None] = (),
        thrower: Side | None = None,
        complete: bool = False,
    ) -> list[Finding]:
        """Settle the turn before a throw that has come to rest.

        Args:
            view: of the picture of the throw; None: there is no throw, the recording has ended.
            faces: the values of its dice, None where they were not read.
            thrower: the only side for which this throw would count where it lies; None: both, or neither.
            complete: people say that no turn was played since the last throw that was seen.
        """
        if self.over:
            return []
        is_end, view = view is None, view and self.compared(view)
        if self._is_thrown_again(view, thrower):
            self._turn = None
            return []
        turn = self._turn
        if turn is not None and thrower is not None:
            turn.again, turn.follows = turn.sides == (thrower,), thrower
        earlier = turn.after[-1] if turn is not None and turn.after else None
        found = self._settle(turn, view) if turn is not None else []
        if view is None and turn is not None and turn.accepted is not None and turn.answer is None:
            view = turn.after[-1]  # people have seen the pictures after a turn that they answered
        if view is not None and not self.over:
            if turn is not None and self._is_in_disorder(turn.number):
                self.roller = thrower or self.roller
            found += [] if complete else self._settle_missed(view, earlier, _rolls_of(faces), thrower, is_end)
            self._fitted = self._fits_board(self.best.board, view)
        return found + self._taken_back()

    def _is_in_disorder(self, number: int) -> bool:
        """Whether a turn is open in which the checkers of both sides were moved: more than one was played."""
        made = self.best.turns.get(number)
        return made is not None and made.kind is Kind.DISORDER

    def settle(self, view: BoardView | None) -> list[Finding]:
        """Settle the turn in progress, with the view of the next throw's picture, if there is one."""
        if self._turn is None:
            return []
        return self._settle(self._turn, view and self.compared(view))

    def thrown(self, ruling: Ruling, faces: Sequence[int | None] = (), thrower: Side | None = None) -> None:
        """Take a throw and its ruling; `before_throw` comes first.

        Args:
            ruling: by the referee, with `roller` as the roller, or as an opening throw if it is None.
            faces: the values of the dice, None where they were not read.
            thrower: as for `before_throw`; where it is the other side, the checkers tell whose turn it was.
        """
        if self.over:
            return
        is_known = self.roller is not None and thrower in (None, self.roller)
        sides: tuple[Side, ...] = (self.roller,) if is_known and self.roller else tuple(Side)
        if not isinstance(ruling, Valid):
            rolls = _rolls_of(faces)
            self._turn = self._begun(sides, rolls, sure=False, unread=len(rolls) != 1)
            is_due = is_known or (self.roller is None and self._number == 0)
            self._turn.told_by_play = is_due and isinstance(ruling, Unread) and bool(rolls) and any(faces)
            return
        if self.roller is None and ruling.south is not None and ruling.north is not None:
            if ruling.south == ruling.north:
                return
            sides = (Side.SOUTH if ruling.south > ruling.north else Side.NORTH,)
        self._turn = self._begun(sides, (ruling.roll,), sure=len(sides) == 1)

    def _begun(
        self,
        sides: tuple[Side, ...],
        rolls: tuple[Roll, ...],
        sure: bool,
        unread: bool = False,
        unseen: bool = False,
    ) -> _Turn:
        """The next turn, with what people say of it."""
        said = self._answers.get(self._number)
        answer = said.made if said is not None and said.unseen is unseen else None
        fitted = unseen or self._fitted
        return _Turn(
            self._number, sides, rolls, sure, unread=unread, fitted=fitted, lifted=unseen, answer=answer
        )

    def finish(self) -> list[Finding]:
        """Settle the last turn at the end of the recording."""
        return self.before_throw(None)

    def compared(self, view: BoardView) -> BoardView:
        """The view, corrected by the last one of a position that was decided."""
        if self._known is None:
            return view
        before, board = self._known
        return recalled(view, before, physical_counts(board, self._orientation))

    def explanations(self, view: BoardView) -> list[tuple[Made, float]]:
        """What this view may show of the turn in progress, each with its chance, the most likely first."""
        turn = self._turn
        return self._weigh(self._lines, turn, view, WIDE).of_turn(turn.number) if turn is not None else []

    def _changed(self, turn: _Turn, view: BoardView) -> bool:
        """Whether checkers were moved since the last view."""
        before, now = (self._weigh(self._lines, turn, one) for one in (combined(turn.after), view))
        return now.chances[0] >= CALLED and now.lines[0].board != before.lines[0].board

    def _at_once(self, turn: _Turn) -> list[Finding]:
        """Accept a legal play that is clear before the next throw."""
        view = combined(turn.after)
        weighed = self._weigh(self._lines, turn, view)
        made, chance = weighed.of_turn(turn.number)[0]
        enough = max(SURE_AT_ONCE, self._needed(turn.number))
        if made.kind is not Kind.LEGAL or chance < enough or not self._fits(made, view):
            return []
        if not self._is_in_step(turn, weighed):
            return []
        turn.accepted, turn.agreed = made, view
        found: list[Finding] = [TurnSeen(made, chance)]
        if made.after.seen_by(made.side).is_won:
            self._keep(turn, view, weighed, made)
            found = [*self._revised(turn, weighed, view), *found, *self._ended(made)]
        return found

    def _ended(self, made: Made) -> list[Finding]:
        self.over = made.after.seen_by(made.side).is_won
        return [GameEnded(made.side)] if self.over else []

    def _is_thrown_again(self, view: BoardView | None, thrower: Side | None) -> bool:
        """Whether a valid throw did not count at the table: nothing was played, and its side throws again."""
        turn = self._turn
        if turn is None or not turn.sure or turn.accepted is not None or turn.sides != (thrower,):
            return False
        if self._answered(turn):
            return False
        pooled = self._pooled(turn, view)
        if pooled is None:
            return False
        made, chance = self._weigh(self._lines, turn, pooled).of_turn(turn.number)[0]
        return made.kind is Kind.UNMOVED and chance >= CALLED and self._fits(made, pooled)

    def _settle(self, turn: _Turn, view: BoardView | None) -> list[Finding]:
        """Decide a turn, or report it as open."""
        pooled = self._pooled(turn, view)
        if pooled is None:
            self._turn = None
            return []
        if lines := self._answered(turn):
            return self._take_answer(turn, lines, pooled)
        if not turn.sure:
            return self._settle_unsure(turn, pooled)
        return self._confirm(turn, pooled, view) if turn.accepted else self._decide(turn, pooled)

    def _pooled(self, turn: _Turn, view: BoardView | None) -> BoardView | None:
        """The views after a turn as one. The view of the next throw, in which the next play may be made already, and
        the last one before the dice were lifted count if they show the same.
        """
        others = [one for one in (view, turn.lying) if one is not None]
        chosen = list(turn.after) or others[:1]
        if not chosen:
            return None
        board = self._weigh(self._lines, turn, combined(chosen)).lines[0].board
        for other in others:
            same = other not in chosen and self._weigh(self._lines, turn, other).lines[0].board == board
            chosen += [other] if same else []
        return combined(chosen)

    def _settle_unsure(self, turn: _Turn, view: BoardView) -> list[Finding]:
        """Whether a turn was played although its throw did not count or was not read."""
        weighed = self._weigh(self._lines, turn, view)
        made, chance = weighed.of_turn(turn.number)[0]
        is_again = turn.again and made.before == made.after  # where no play was possible, too
        if made.kind is Kind.UNMOVED or is_again:
            self._turn = None
            return []
        if self._tells_roll(turn, made, chance, view) and self._is_in_step(turn, weighed):
            self._keep(turn, view, weighed, made)
            self._remember(turn)
            return [*self._revised(turn, weighed, view), TurnSeen(made, chance), *self._ended(made)]
        self._keep(turn, view, weighed, None)
        opened = self._open(turn, weighed, say("The roll was not read."))
        return [*self._doubted_dance(turn.number), opened, *self._revised(turn, weighed, view)]

    def _tells_roll(self, turn: _Turn, made: Made, chance: float, view: BoardView) -> bool:
        """Whether a play tells the roll of a throw of which one die was read: no other roll that it may have been
        leads there, the turn before it is decided, and the throw after it is the other side's.
        """
        in_turn = turn.told_by_play and turn.may_call and made.side is not turn.follows
        in_turn = in_turn and self._decided.get(turn.number - 1, True) is not None
        is_play = made.kind is Kind.LEGAL and bool(made.play) and made.roll is not None
        if self.roller is None and made.roll is not None and made.roll.is_doubles:
            is_play = False  # it would have been thrown again
        return in_turn and is_play and chance >= SURE_OTHERWISE and self._fits(made, view)

    def _doubted_dance(self, number: int) -> list[Finding]:
        """Open the turn before this one again if it was a dance of the same side: perhaps that throw did not count, and
        was thrown again.
        """
        former, made = self._decided.get(number - 1), self.best.turns[number]
        if former is None or former.side is not made.side or former.before != former.after:
            return []
        if self._profile.throw_again_after_doublet or number - 1 in self._answers:
            return []
        self._decided[number - 1] = None
        self._doubted.add(number - 1)
        why = say("The same side threw again: perhaps this throw did not count.")
        return [TurnOpen(number - 1, former.side, former.roll, ((former, 0.0),), why)]

    def _settle_missed(
        self,
        view: BoardView,
        earlier: BoardView | None,
        rolls: tuple[Roll, ...],
        thrower: Side | None,
        is_end: bool,
    ) -> list[Finding]:
        """The turns that were played although their throws were not seen; () for none.

        People may say of them what was played, one after the other. Then the rest is one turn, which stays open.
        """
        found: list[Finding] = []
        while not self.over and self._is_after_more(view, earlier):
            sides = (self.roller,) if self.roller else (thrower.other,) if thrower else tuple(Side)
            turn = self._begun(sides, (), sure=False, unread=True, unseen=True)
            lines = self._answered(turn)
            if not lines:
                return [*found, *self._open_missed(turn, view, rolls, thrower, is_end)]
            self.unseen.add(turn.number)
            found += self._take_answer(turn, lines, view)
        return found

    def _open_missed(
        self, turn: _Turn, view: BoardView, rolls: tuple[Roll, ...], thrower: Side | None, is_end: bool
    ) -> list[Finding]:
        """A turn whose throw was not seen, if there was one: a play of the roll that lies there now is not one."""
        if rolls:
            present = self._weigh(self._lines, _Turn(self._number, turn.sides, rolls, sure=False), view)
            made = present.lines[0].turns[self._number]
            if made.kind is Kind.LEGAL and self._explains(made, view):
                return []
        weighed = self._explaining(turn, view)
        if weighed is None:
            return []
        made = weighed.lines[0].turns[turn.number]
        if self.roller is not None and thrower is self.roller:
            if self._is_by(made, thrower):
                return []  # he has begun to play the roll that lies there
            turn.next_side = thrower
            weighed = self._explaining(turn, view) or weighed
        elif made.kind is Kind.DISORDER and thrower is None and not (is_end and self._may_be_played(made)):
            return []
        why = say("The throw was not seen.")
        if turn.next_side is not None or not self._is_by(made, made.side):
            why = say("More than one throw was not seen.")
        self.unseen.add(turn.number)
        self._keep(turn, view, weighed, None)
        self.roller = thrower or self.roller
        return [self._open(turn, weighed, why)]

    def _explaining(self, turn: _Turn, view: BoardView) -> _Weighed | None:
        """A turn whose throw was not seen, weighed by a view: the explanations with a board that the view fits; None
        if no play and no movement of checkers leads to one.

        Without a hit nobody puts a checker on the bar, and more than was borne off is not on the board again: then
        the point is misread, or the checker fell, and no other board is better than that of the record.
        """
        weighed = self._weigh(self._lines, turn, view)
        made = weighed.lines[0].turns[turn.number]
        if made.kind is not Kind.UNMOVED and self._explains(made, view):
            return weighed
        wide = self._weigh(self._lines, turn, view, WIDE)
        fitting = tuple(
            (line, chance)
            for line, chance in zip(wide.lines, wide.chances, strict=True)
            if _keeps_checkers(line.turns[turn.number]) and self._is_clear(line, view)
        )
        if not fitting:
            return None
        self._guessed.add(turn.number)
        return _Weighed(*zip(*fitting, strict=True))

    def _is_clear(self, line: Line, view: BoardView) -> bool:
        """Whether a board that no play explains is shown without a doubt on any point: a reading that errs elsewhere
        errs there, too.
        """
        return self._seen(view, Side.SOUTH).misfit(line.board.seen_by(Side.SOUTH)) <= UNSETTLED

    def _may_be_played(self, made: Made) -> bool:
        """Whether a disorder at the end may be several turns: checkers were neither put away nor set up anew."""
        off = [(board.south[OFF], board.north[OFF]) for board in (made.before, made.after)]
        return off[0] == off[1] and made.after != self._profile.start_board

    @staticmethod
    def _is_by(made: Made, side: Side) -> bool:
        """Whether only checkers of this side were moved, others at most hit."""
        before, after = (board.seen_by(side.other).mine[1:BAR] for board in (made.before, made.after))
        own = made.before.seen_by(side).mine != made.after.seen_by(side).mine
        return own and all(now in (was, 0) and was - now < 2 for was, now in zip(before, after, strict=True))

    def _answered(self, turn: _Turn) -> tuple[Line, ...]:
        """The explanations from which the answer of people goes on; () where they said nothing, or it fits none."""
        if turn.answer is None:
            return ()
        before = turn.answer.before
        found = tuple(line for line in self._lines if line.board == before)
        if not found and self._former is not None:
            wide = self._weigh(*self._former, WIDE).lines
            found = tuple(line for line in wide if line.board == before)
        return found

    def _taken_at_once(self, turn: _Turn) -> list[Finding]:
        """Take the answer as soon as the dice are lifted: the game may end with it."""
        assert turn.answer is not None, "people have said what was played"
        turn.accepted, turn.agreed = turn.answer, combined(turn.after)
        if not turn.answer.after.seen_by(turn.answer.side).is_won:
            return [TurnSeen(turn.answer, 1.0)]
        turn.accepted = None
        return self._take_answer(turn, self._answered(turn), combined(turn.after))

    def _take_answer(self, turn: _Turn, lines: tuple[Line, ...], view: BoardView) -> list[Finding]:
        """Go on from what people say; it is not corrected by any later picture."""
        made = turn.answer
        assert made is not None, "people have said what was played"
        self._lines = lines
        weighed = self._weigh(lines, turn, view)
        self._keep(turn, view, weighed, made)
        self._remember(turn)
        found: list[Finding] = [] if turn.accepted else [TurnSeen(made, 1.0)]
        return [*self._revised(turn, weighed, view), *found, *self._ended(made)]

    def _confirm(self, turn: _Turn, pooled: BoardView, view: BoardView | None) -> list[Finding]:
        """Go on from a play that was accepted at once, unless a later picture clearly shows another one, or none.

        What else is seen later belongs to a turn after it, whose throw was not seen.
        """
        weighed, agreed = self._weigh(self._lines, turn, pooled), turn.agreed
        accepted, later = turn.accepted, view or turn.after[-1]
        assert accepted is not None, "a play was accepted"
        assert agreed is not None, "views showed it"
        found: list[Finding] = []
        if not self._fits(accepted, later):
            anew = self._weigh(self._lines, turn, later)
            made, chance = anew.of_turn(turn.number)[0]
            if self._replaces(made, chance, anew, later):
                weighed, pooled = anew, later
                accepted = made if made.kind is Kind.LEGAL else None
                found = [self._open(turn, anew, say("Later pictures do not fit the play that was accepted."))]
                found = [TurnSeen(accepted, chance, corrected=True)] if accepted else found
        if accepted is not None and not weighed.has(accepted):
            weighed, pooled = self._weigh(self._lines, turn, agreed), agreed
        self._keep(turn, pooled, weighed, accepted)
        self._remember(turn)
        return [*found, *self._revised(turn, weighed, pooled)]

    def _replaces(self, made: Made, chance: float, weighed: _Weighed, view: BoardView) -> bool:
        """Whether a picture shows this instead of a play that was accepted before it."""
        sure = chance
        if made.kind is Kind.ILLEGAL:
            sure = weighed.illegal(made.number) if chance >= CALLED and self._is_seen(made) else 0.0
        return made.kind is not Kind.DISORDER and sure >= SURE_OTHERWISE and self._fits(made, view)

    def _decide(self, turn: _Turn, view: BoardView) -> list[Finding]:
        """Decide a turn that was not clear at once, together with the one before it if need be."""
        weighed, sure = self._judged(turn, view, turn.may_call)
        in_disorder = weighed.lines[0].turns[turn.number].kind is Kind.DISORDER
        if not sure and turn.earlier and (in_disorder or turn.again):
            before = combined(turn.earlier)  # what was seen later belongs to a turn whose throw was not seen
            known, known_sure = self._judged(turn, before, turn.fitted)
            if known_sure:
                weighed, sure, view = known, known_sure, before
        made, chance = weighed.of_turn(turn.number)[0]
        self._keep(turn, view, weighed, made if sure else None)
        revised = self._revised(turn, weighed, view)
        if not sure:
            return [*revised, self._open(turn, weighed, self._why(made, chance, view))]
        self._remember(turn)
        return [*revised, TurnSeen(made, chance), *self._ended(made)]

    def _judged(self, turn: _Turn, view: BoardView, may_call: bool) -> tuple[_Weighed, bool]:
        """A turn weighed by a view, and whether that decides it; whether an illegal play may be called."""
        weighed = self._weigh(self._lines, turn, view)
        made, chance = weighed.of_turn(turn.number)[0]
        if self._former is not None and not (
            self._fits(made, view) and made.kind is Kind.LEGAL and chance >= SURE
        ):
            weighed = self._weighed_together(turn, view)
            made, chance = weighed.of_turn(turn.number)[0]
        enough = self._needed(turn.number)
        if made.kind is Kind.LEGAL:
            return weighed, chance >= enough and self._fits(made, view) and self._is_in_step(turn, weighed)
        may_call = may_call and self._decided.get(turn.number - 1, True) is not None
        called = may_call and chance >= CALLED and weighed.illegal(turn.number) >= enough
        called = called and made.kind is Kind.ILLEGAL
        return weighed, called and self._fits(made, view) and self._is_seen(made)

    def _weigh(self, lines: Sequence[Line], turn: _Turn, view: BoardView, keep: float = KEPT) -> _Weighed:
        """Every explanation so far, continued by the candidates of this turn."""
        repeated, found = self._repeated(lines, view), []
        mover = self._seen(view, Side.SOUTH)
        for line in lines:
            for made, weight in self._continued(line, turn, view, keep):
                turns = {**line.turns, turn.number: made}
                excused = _excused(mover, repeated, made)
                found.append(Line(made.after, line.weight + weight + excused, turns))
        found.sort(key=lambda line: -line.weight)
        top = found[0].weight
        kept = [replace(line, weight=line.weight - top) for line in found if line.weight > top - keep]
        kept = kept[: LINES if keep == KEPT else None]
        return _Weighed(tuple(kept), tuple(chances([line.weight for line in kept])))

    def _repeated(self, lines: Sequence[Line], view: BoardView) -> dict[int, float]:
        """The share of this view that only repeats the last turn's, on each of south's points where the explanations
        differ: what decided between them there must not count twice.
        """
        if self._former is None or len(lines) < 2:
            return {}
        boards = [line.board.seen_by(Side.SOUTH) for line in lines]
        same = read_alike(view, self._former[2])
        differing = [n for n in range(1, 25) if len({_on(n, one) for one in boards}) > 1]
        return {n: STALE for n in differing if same[physical_point(n, self._orientation) - 1]}

    def _continued(
        self, line: Line, turn: _Turn, view: BoardView, keep: float
    ) -> Iterable[tuple[Made, float]]:
        if turn.answer is not None and turn.answer.before == line.board:
            yield turn.answer, 0.0
            return
        for side in turn.sides:
            before = line.board.seen_by(side)
            mover = self._seen(view, side)
            for one in candidates(mover, before, turn.rolls, self._plays, keep):
                made = self._made(turn.number, side, line.board, before, one)
                if turn.next_side is side:
                    made = replace(made, roll=None, kind=Kind.MISSED, play=None, fault=NOTHING)
                unmoved = made.kind is Kind.UNMOVED and not turn.sure
                yield made, one.weight + (UNSURE_THROW - UNMOVED_PRIOR if unmoved else 0.0)

    def _seen(self, view: BoardView, side: Side) -> MoverView:
        return seen_by(view, side, self._orientation, self._profile.positions)

    def _plays(self, position: Position, roll: Roll) -> Plays:
        return plays_for(self._profile, position, roll)

    def _made(self, number: int, side: Side, board: Board, before: Position, one: Candidate) -> Made:
        after = Board.of(side, one.after)
        if one.play is not None:
            return Made(number, side, one.roll, Kind.LEGAL, board, after, one.play)
        moved = Kind.DISORDER if one.roll is None else Kind.ILLEGAL
        kind = Kind.UNMOVED if one.after == before else moved
        fault = Turn(self._profile, before, one.roll).fault_of(one.after) if one.roll else NOTHING
        return Made(number, side, one.roll, kind, board, after, fault=fault)

    def _weighed_together(self, turn: _Turn, view: BoardView) -> _Weighed:
        """This turn and the one before weighed together, with every legal result of both."""
        assert self._former is not None
        lines, former, former_view = self._former
        wide = self._weigh(lines, former, former_view, WIDE)
        return self._weigh(wide.lines, turn, view)

    def _fits(self, made: Made, view: BoardView) -> bool:
        """Whether a turn explains the reading, and no other position does clearly better."""
        return self._explains(made, view) and self._lag(made, view) <= RIVALLED

    def _explains(self, made: Made, view: BoardView) -> bool:
        """Whether the position after a turn explains the whole reading, each point by itself, and more closely those
        that may have changed in open turns since the last position that is certain.
        """
        mover = self._seen(view, Side.SOUTH)
        boards = (self._certain(made.number), made.before, made.after)
        certain, before, after = (board.seen_by(Side.SOUTH) for board in boards)
        left = [n for n in range(1, 25) if _on(n, before) == _on(n, after) != _on(n, certain)]
        near = not mover.otherwise(after)
        near = near and all(self._is_certain(n, mover, after) for n in left)
        if near and has_uncounted(made.before.seen_by(made.side)):
            near = not shows_more(self._seen(view, made.side), made.after.seen_by(made.side))
        return near and mover.misfit(after) <= MISFIT

    @staticmethod
    def _is_certain(n: int, view: MoverView, position: Position) -> bool:
        """Whether a point that an open turn changed is seen to hold this: a covered one would fit everything, and of a
        heap it is not seen how many lie below.
        """
        in_sight = n not in view.covered and max(_on(n, position)) <= HEAP
        return in_sight and view.surprise(n, position) <= UNSETTLED

    def _is_seen(self, made: Made) -> bool:
        """Whether a play is legal, or its fault is one that a picture shows."""
        if made.kind is Kind.LEGAL or made.roll is None:
            return True
        before, after = made.before.seen_by(made.side), made.after.seen_by(made.side)
        misread = self._misread
        if made.side is Side.NORTH:
            misread = frozenset(before.OPPOSITE[n] for n in misread)
        legal = self._plays(before, made.roll)
        return not (has_uncounted(before) or rests_on_little(after, legal, misread))

    def _lag(self, made: Made, view: BoardView) -> float:
        before, after = made.before.seen_by(made.side), made.after.seen_by(made.side)
        legal = self._plays(before, made.roll) if made.roll else ()
        return lag(self._seen(view, made.side), before, after, legal)

    def _certain(self, number: int) -> Board:
        """The board after the last turn before this one that is decided."""
        decided = (self._decided.get(one) for one in range(number - 1, -1, -1))
        return next((made.after for made in decided if made is not None), self._start)

    def _is_after_more(self, view: BoardView, earlier: BoardView | None) -> bool:
        """Whether more was played than the last turn, by the most likely explanation and every other play of it."""
        if not self._is_another(self.best.board, view, earlier):
            return False
        played = (
            line
            for line in self._lines
            if self._contradicted(line) is None
            and (made := line.turns.get(self._number - 1)) is not None
            and made.kind in (Kind.LEGAL, Kind.ILLEGAL)
        )
        return all(self._is_another(line.board, view, earlier) for line in played)

    def _is_another(self, board: Board, view: BoardView, earlier: BoardView | None) -> bool:
        """Whether a picture shows another board: as a whole, or on some points as the picture before it did."""
        if not self._fits_board(board, view):
            return True
        position = board.seen_by(Side.SOUTH)
        shown = [self._seen(one, Side.SOUTH).otherwise(position) for one in (view, earlier) if one]
        return len(shown) > 1 and not shown[0].isdisjoint(shown[1])

    def _fits_board(self, board: Board, view: BoardView) -> bool:
        mover = self._seen(view, Side.SOUTH)
        return mover.misfit(board.seen_by(Side.SOUTH)) <= MISFIT

    def _keep(self, turn: _Turn, view: BoardView, weighed: _Weighed, decided: Made | None) -> None:
        """Go on from these explanations, with the turn decided or, for None, open."""
        self._former = (self._lines, turn, view)
        self._lines = self._frozen(weighed.lines, turn.number - 2)
        self._decided[turn.number], self._shown[turn.number] = decided, view
        self._rolls[turn.number] = None if turn.unread else turn.rolls[0]
        if turn.accepted is not None or not turn.may_call:
            self._uncalled.add(turn.number)
        made = self.best.turns[turn.number]
        again = self._profile.throw_again_after_doublet and made.roll is not None and made.roll.is_doubles
        self.roller = made.side if again else made.side.other
        self._number, self._turn = turn.number + 1, None

    def _taken_back(self) -> list[Finding]:
        """The decided turns that no explanation agrees with any more: each is open again, which is said."""
        found: list[Finding] = []
        while (number := self._contradicted(self.best)) is not None:
            former = self._decided[number]
            assert former is not None, "it was decided"
            self._decided[number] = None
            known = _Weighed(self._lines, tuple(chances([line.weight for line in self._lines])))
            others = tuple(known.of_turn(number)[:SHOWN])
            why = say("Later pictures do not fit the play that was accepted.")
            found.append(TurnOpen(number, former.side, former.roll, (*others, (former, 0.0)), why))
        return found

    def _remember(self, turn: _Turn) -> None:
        """Keep the last view of a decided position, to which later ones are compared."""
        made = self._decided[turn.number]
        if turn.last is None or not turn.lifted or made is None:
            return
        if self._known is None or made == turn.answer:
            self._known = turn.last, made.after
            return
        shown = self._seen(self.compared(turn.last), Side.SOUTH)
        other = shown.otherwise(made.after.seen_by(Side.SOUTH))
        doubted = frozenset(physical_point(n, self._orientation) for n in other)
        self._known = self._without(turn.last, made.after, doubted), made.after

    def _without(self, view: BoardView, board: Board, points: frozenset[int]) -> BoardView:
        """A view that has these physical points, which contradict the board, as they were known before; one that has
        changed since says nothing.
        """
        assert self._known is not None, "a board was known before"
        before, known = self._known
        counts = [physical_counts(one, self._orientation) for one in (known, board)]
        rows = [
            row if n not in points else then if was == now else (0.0,) * len(row)
            for n, (row, then, was, now) in enumerate(
                zip(view.points, before.points, *counts, strict=True), 1
            )
        ]
        return BoardView(tuple(rows), view.bar, view.covered)

    def _frozen(self, lines: tuple[Line, ...], number: int) -> tuple[Line, ...]:
        """The explanations that agree with the turn of this number, which is no longer open to correction."""
        decided = self._decided.get(number)
        agreeing = tuple(line for line in lines if decided is None or line.turns.get(number) == decided)
        return agreeing or lines

    def _needed(self, number: int) -> float:
        """Chance at which a turn is decided; higher while the one before it is open, of which it cannot be surer."""
        return SURE if self._decided.get(number - 1, True) else SURE_OTHERWISE

    def _revised(self, turn: _Turn, weighed: _Weighed, view: BoardView) -> list[Finding]:
        """Earlier turns that are decided now, or decided otherwise: none as long as the turn itself does not fit.

        Only the last two may be decided otherwise. One that is open is decided however many turns later a heap is
        counted in which its explanations differ, if every turn since is decided with it.
        """
        best = weighed.lines[0].turns[turn.number]
        if best != turn.answer and not self._fits(best, view):
            return []
        before, late = dict(self._decided), range(max(0, turn.number - 2), turn.number)
        far: list[TurnSeen] = []
        for number in [n for n in range(late.start) if before[n] is None]:
            if found := self._decided_late(number, weighed):
                far += found
            else:
                self._decided, far = dict(before), []
        near = [one for number in late for one in self._decided_late(number, weighed)]
        if far and any(self._decided[number] is None for number in late):
            self._decided, far = before, []
            near = [one for number in late for one in self._decided_late(number, weighed)]
        return [*far, *near]

    def _decided_late(self, number: int, weighed: _Weighed) -> list[TurnSeen]:
        """An earlier turn, if it is decided now, or otherwise than before."""
        known = weighed.of_turn(number)
        if not known or self._rolls[number] is None or number in self._doubted:
            return []
        (made, chance), before = known[0], self._decided[number]
        former = self._decided.get(number - 1)
        settled = made.kind in (Kind.LEGAL, Kind.ILLEGAL) and made.roll is not None and self._is_seen(made)
        settled = settled and (made.kind is Kind.LEGAL or number not in self._uncalled)
        settled = settled and (number == 0 or (former is not None and self._follows(made, former)))
        shown = settled and self._explains(made, self._shown[number])
        if made == before or not shown or chance < SURE_OTHERWISE:
            return []
        self._decided[number] = made
        return [TurnSeen(made, chance, corrected=before is not None)]

    def _follows(self, made: Made, former: Made) -> bool:
        """Whether no turn can have been missed between these two: a side plays twice only where the rules say so."""
        in_turn = made.side is not former.side or self._profile.throw_again_after_doublet
        return in_turn and former.after == made.before

    def _open(self, turn: _Turn, weighed: _Weighed, why: Sentence) -> TurnOpen:
        known = tuple(weighed.of_turn(turn.number)[:SHOWN])
        roll = None if turn.unread else turn.rolls[0]
        return TurnOpen(turn.number, known[0][0].side, roll, known, why)

    def _is_in_step(self, turn: _Turn, weighed: _Weighed) -> bool:
        """Whether the turn need not follow a disorder that nobody saw, or a board that no play explains: then it would
        be judged from a guessed board.
        """
        line = weighed.lines[0]
        if turn.number - 1 in self._guessed or self._is_on_uncounted_changes(line, turn.number):
            return False
        former = line.turns.get(turn.number - 1)
        return turn.fitted or former is None or former.kind is not Kind.DISORDER

    def _is_on_uncounted_changes(self, line: Line, number: int) -> bool:
        """Whether a change that is no legal play, and that nobody has decided, came since the last turn decided, and a
        tall heap was on the board. How many lie in the heap is not seen, and a checker too few there is one too many
        elsewhere: the board is guessed until somebody has said what was played.
        """
        changed, tall = False, _has_tall_heap(line.turns[number].before)
        for earlier in range(number - 1, -1, -1):
            if self._decided.get(earlier) is not None:
                break
            made = line.turns.get(earlier)
            if made is not None:
                changed = changed or made.kind not in (Kind.LEGAL, Kind.UNMOVED)
                tall = tall or _has_tall_heap(made.before)
        return changed and tall

    def _why(self, made: Made, chance: float, view: BoardView) -> Sentence:
        """Why a turn is not decided."""
        if made.kind is Kind.UNMOVED:
            return say("Nothing was played, as far as the pictures show.")
        if made.kind is Kind.DISORDER:
            return say("The checkers are not where any play leaves them.")
        position = made.after.seen_by(Side.SOUTH)
        points = sorted(self._seen(view, Side.SOUTH).otherwise(position))
        if points:
            return say_n(
                "Board and record differ at point {points}, as {name} counts.",
                "Board and record differ at points {points}, as {name} counts them.",
                len(points),
                points=", ".join(map(str, points)),
                name=say("South"),
            )
        if chance < SURE:
            return say("The pictures fit more than one play.")
        return say("Too many points look different.")


def _keeps_checkers(made: Made) -> bool:
    """Whether a change moved checkers between points, or from the bar, and took none away."""
    return made.kind is not Kind.UNMOVED and all(
        after[OFF] == before[OFF] and (made.kind is not Kind.DISORDER or after[BAR] <= before[BAR])
        for before, after in (
            (made.before.south, made.after.south),
            (made.before.north, made.after.north),
        )
    )


def _has_tall_heap(board: Board) -> bool:
    """Whether more checkers lie on a point than a picture counts to one more or less."""
    return max(*board.south[1:BAR], *board.north[1:BAR]) >= TALL


def _on(n: int, position: Position) -> tuple[int, int, int]:
    """Own and opposing checkers on a point, and 1 if the own one is pinned."""
    return position.mine[n], position.opposing(n), position.pinned >> n & 1


def _excused(view: MoverView, repeated: Mapping[int, float], made: Made) -> float:
    """What a repeated reading takes back of this view's say on the points that the turn left as they were, in nats."""
    before, after = (board.seen_by(Side.SOUTH) for board in (made.before, made.after))
    same = (n for n in repeated if _on(n, before) == _on(n, after))
    return sum(log(1 - repeated[n] + repeated[n] / exp(view.at(n, after))) for n in same)


def _rolls_of(faces: Sequence[int | None]) -> tuple[Roll, ...]:
    """The rolls that these dice can show, of which one may not have been seen; () for all."""
    known = [face for face in faces if face is not None]
    if len(faces) > 2 or (len(faces) < 2 and not known):
        return ()
    if len(known) == 2:
        return (Roll.of(*known),)
    return tuple(roll for roll in ROLLS if not known or known[0] in roll)
