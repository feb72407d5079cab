"""Follows a game by its throws and by views of the checkers between them.

Each turn's legal results, no change and illegal results are weighed by the pictures after the dice were lifted, in
every explanation of the game so far that is still possible. A turn is decided once one of them is clearly ahead. The
explanations that it beat are kept for one more turn: the next picture has to fit a legal play of the next roll, or
both turns are weighed together anew.
"""

from collections.abc import Mapping, Sequence

from companion.game.events import Orientation
from companion.inference.decisions import SURE, SURE_OTHERWISE, Decisions
from companion.inference.doubted_dice import possible_rolls, told_rolls
from companion.inference.explaining.explanations import Explanations
from companion.inference.explaining.turn import TurnInProgress, Weighed
from companion.inference.explaining.weighing import WIDE, Weighing
from companion.inference.findings import Answer, Finding, GameEnded, Kind, Line, Made, TurnOpen, TurnSeen
from companion.inference.fitting import Fitting
from companion.inference.known_view import BEFORE_BEARING_OFF, KnownView, Trays
from companion.inference.missed import MissedTurns
from companion.inference.revision import Revision
from companion.inference.views import BoardView, combined
from companion.rules.board import Board, Roll, Side
from companion.rules.profile import Profile
from companion.rules.referee import Cocked, Reason, Ruling, Unread, Valid
from sentence import Sentence, say, say_n

SURE_AT_ONCE = 0.999
"""Chance at which a legal play is accepted as soon as the dice are lifted."""
CALLED = 0.9
"""Least chance of the position after an illegal play. That the play is illegal has to be as sure as a legal one."""
SHOWN = 6
"""Candidates of an open turn that are reported."""


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
        board: Board | None = None,
        trays: Trays = BEFORE_BEARING_OFF,
    ) -> None:
        """Begin a game under a profile, at its starting position or on another board, seen in the view `start`.

        `answers` are what people have said of its turns, by number, when it is followed once more. One whose board
        before it no explanation has any more is left out. `trays` is what the game has told of its trays.
        """
        board = board or profile.start_board
        self.roller: Side | None = None
        self.over = False
        self.unseen: set[int] = set()
        self._profile, self._answers = profile, answers or {}
        self._turn: TurnInProgress | None = None
        self._number = 0
        self._unread_passed = False  # whether no play was seen after the last throw, which was not read
        self._fitted = True  # whether the board fitted the picture of the last throw
        self._known = KnownView(orientation, trays)
        weighing = Weighing(profile, orientation)
        self._explanations = Explanations(board, weighing)
        self._decisions = Decisions(board)
        self._fitting = Fitting(weighing, self._decisions)
        self._missed = MissedTurns(self._explanations, self._decisions, self._fitting, profile.start_board)
        self._revision = Revision(self._decisions, self._fitting, profile.throw_again_after_doublet)
        if start is not None:
            self._known.take(start, board)
            self._fitting.misread = self._fitting.otherwise(board, start)

    @classmethod
    def taken_up(
        cls,
        profile: Profile,
        orientation: Orientation,
        board: Board,
        roller: Side | None,
        known: BoardView | None,
        trays: Trays = BEFORE_BEARING_OFF,
    ) -> "Follower":
        """A follower in the middle of a game: on this board, before a throw of `roller`, None in the opening.

        `known` is a view of this board, None if there is none; `trays` is what the game has told of its trays.
        """
        follower = cls(profile, orientation, known, board=board, trays=trays)
        follower.roller = roller
        return follower

    @property
    def best(self) -> Line:
        """The most likely explanation of the game so far that agrees with what was decided."""
        lines = self._explanations.lines
        return next((line for line in lines if self._decisions.contradicted(line) is None), lines[0])

    @property
    def turns(self) -> list[Made]:
        """The turns for the record, in order. One that is open is marked so; it has no roll that no dice told."""
        return [self._decisions.for_record(made) for _, made in sorted(self.best.turns.items())]

    @property
    def in_progress(self) -> int | None:
        """The number of the turn in progress, None between two turns."""
        return self._turn.number if self._turn is not None else None

    @property
    def may_be_others_turn(self) -> bool:
        """Whether a turn may have been missed, so that the other side is on roll: the last turn is not decided, or no
        play was seen after a throw that was not read.
        """
        return self._unread_passed or self._decisions.is_open(self._number - 1)

    def drop(self) -> None:
        """Forget the turn in progress: its throw did not count, and nothing was played."""
        self._turn = None

    def settled(self, view: BoardView) -> list[Finding]:
        """Take the view of a quiet picture; a play that is clear after the dice were lifted is accepted."""
        turn = self._turn
        if turn is None or self.over:
            return []
        read, view = view, self.compared(view)
        if turn.accepted is None or self._fitting.explains(turn.accepted, view):
            turn.last = read
        if not turn.lifted:
            turn.lying = view
            return []
        if turn.after and self._explanations.show_change(turn, view):
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
            if not complete:
                found += self._settle_missed(view, earlier, possible_rolls(faces), thrower, is_end)
            self._fitted = self._fitting.shows(self.best.board, view)
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

    def thrown(
        self,
        ruling: Ruling,
        faces: Sequence[int | None] = (),
        thrower: Side | None = None,
        die_chances: Sequence[Sequence[float]] = (),
    ) -> None:
        """Take a throw and its ruling; `before_throw` comes first.

        Args:
            ruling: by the referee, with `roller` as the roller, or as an opening throw if it is None.
            faces: the values of the dice, None where they were not read.
            thrower: as for `before_throw`; where it is the other side, the checkers tell whose turn it was.
            die_chances: of the six numbers of each die, () for one that was read or of which they are not known.
        """
        self._unread_passed = False
        if self.over:
            return
        is_known = self.roller is not None and thrower in (None, self.roller)
        sides: tuple[Side, ...] = (self.roller,) if is_known and self.roller else tuple(Side)
        if not isinstance(ruling, Valid):
            rolls = possible_rolls(faces)
            self._turn = self._begun(sides, rolls, sure=False, unread=len(rolls) != 1)
            self._turn.cocked = isinstance(ruling, Cocked) and Reason.WRONG_HALF not in ruling.reasons
            is_due = is_known or (self.roller is None and self._number == 0)
            if is_due and isinstance(ruling, Unread):
                self._turn.told_by_play = told_rolls(faces, die_chances)
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
    ) -> TurnInProgress:
        """The next turn, with what people say of it."""
        said = self._answers.get(self._number)
        answer = said.made if said is not None and said.unseen is unseen else None
        fitted = unseen or self._fitted
        return TurnInProgress(
            self._number, sides, rolls, sure, unread=unread, fitted=fitted, lifted=unseen, answer=answer
        )

    def finish(self) -> list[Finding]:
        """Settle the last turn at the end of the recording."""
        return self.before_throw(None)

    def compared(self, view: BoardView) -> BoardView:
        """The view, corrected by the last one of a position that was decided."""
        return self._known.compared(view)

    def explanations(self, view: BoardView) -> list[tuple[Made, float]]:
        """What this view may show of the turn in progress, each with its chance, the most likely first."""
        turn = self._turn
        return (
            self._explanations.weigh(turn, view, keep=WIDE).of_turn(turn.number) if turn is not None else []
        )

    def _at_once(self, turn: TurnInProgress) -> list[Finding]:
        """Accept a legal play that is clear before the next throw."""
        view = combined(turn.after)
        weighed = self._explanations.weigh(turn, view)
        made, chance = weighed.of_turn(turn.number)[0]
        enough = max(SURE_AT_ONCE, self._decisions.needed(turn.number))
        if made.kind is not Kind.LEGAL or chance < enough or not self._fitting.fits(made, view):
            return []
        if not self._is_in_step(turn, weighed):
            return []
        turn.accepted, turn.agreed = made, view
        found: list[Finding] = [TurnSeen(made, chance)]
        if made.after.seen_by(made.side).is_won:
            self._keep(turn, view, weighed, made)
            found = [*self._revision.after(turn, weighed, view), *found, *self._ended(made)]
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
        pooled = self._explanations.pooled(turn, view)
        if pooled is None:
            return False
        made, chance = self._explanations.weigh(turn, pooled).of_turn(turn.number)[0]
        return made.kind is Kind.UNMOVED and chance >= CALLED and self._fitting.fits(made, pooled)

    def _settle(self, turn: TurnInProgress, view: BoardView | None) -> list[Finding]:
        """Decide a turn, or report it as open."""
        pooled = self._explanations.pooled(turn, view)
        if pooled is None:
            self._turn = None
            return []
        if lines := self._answered(turn):
            return self._take_answer(turn, lines, pooled)
        if not turn.sure:
            return self._settle_unsure(turn, pooled, is_end=view is None)
        if turn.accepted:
            return self._confirm(turn, pooled, view)
        return self._decide(turn, pooled, is_over=turn.lifted or view is not None)

    def _settle_unsure(self, turn: TurnInProgress, view: BoardView, is_end: bool) -> list[Finding]:
        """Whether a turn was played although its throw did not count or was not read. A dance is told only by the throw
        after it.
        """
        weighed = self._explanations.weigh(turn, view)
        made, chance = weighed.of_turn(turn.number)[0]
        is_again = turn.again or is_end or (turn.cocked and turn.follows is None)
        is_unchanged = made.before == made.after  # a dance, too, where no play is possible
        if made.kind is Kind.UNMOVED or (is_again and is_unchanged):
            self._turn, self._unread_passed = None, not turn.cocked
            return []
        if self._tells_roll(turn, made, chance, view) and self._is_in_step(turn, weighed):
            self._keep(turn, view, weighed, made)
            self._remember(turn)
            return [*self._revision.after(turn, weighed, view), TurnSeen(made, chance), *self._ended(made)]
        self._keep(turn, view, weighed, None)
        why = (
            say("The roll was not read.") if turn.unread else say("It is in doubt whether this throw counts.")
        )
        opened = self._open(turn, weighed, why)
        return [*self._doubted_dance(turn.number), opened, *self._revision.after(turn, weighed, view)]

    def _tells_roll(self, turn: TurnInProgress, made: Made, chance: float, view: BoardView) -> bool:
        """Whether a play tells the roll of a throw whose dice were not both read: no other roll that it may have been
        leads there, the turn before it is decided, and the throw after it is the other side's.
        """
        in_turn = made.roll in turn.told_by_play and turn.may_call and made.side is not turn.follows
        in_turn = in_turn and not self._decisions.is_open(turn.number - 1)
        is_play = made.kind is Kind.LEGAL and bool(made.play) and made.roll is not None
        if self.roller is None and made.roll is not None and made.roll.is_doubles:
            is_play = False  # it would have been thrown again
        return in_turn and is_play and chance >= SURE_OTHERWISE and self._fitting.fits(made, view)

    def _doubted_dance(self, number: int) -> list[Finding]:
        """Open the turn before this one again if it was a dance of the same side: perhaps that throw did not count, and
        was thrown again.
        """
        former, made = self._decisions.turns.get(number - 1), self.best.turns[number]
        if former is None or former.side is not made.side or former.before != former.after:
            return []
        if self._profile.throw_again_after_doublet or number - 1 in self._answers:
            return []
        self._decisions.turns[number - 1] = None
        self._decisions.doubted.add(number - 1)
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
        while not self.over and self._missed.are_shown(self.best, self._number, view, earlier):
            sides = (self.roller,) if self.roller else (thrower.other,) if thrower else tuple(Side)
            turn = self._begun(sides, (), sure=False, unread=True, unseen=True)
            lines = self._answered(turn)
            if not lines:
                return [*found, *self._open_missed(turn, view, rolls, thrower, is_end)]
            self.unseen.add(turn.number)
            found += self._take_answer(turn, lines, view)
        return found

    def _open_missed(
        self,
        turn: TurnInProgress,
        view: BoardView,
        rolls: tuple[Roll, ...],
        thrower: Side | None,
        is_end: bool,
    ) -> list[Finding]:
        """A turn whose throw was not seen, if there was one: a play of the roll that lies there now is not one."""
        if rolls:
            present = self._explanations.weigh(
                TurnInProgress(self._number, turn.sides, rolls, sure=False), view
            )
            made = present.lines[0].turns[self._number]
            if made.kind is Kind.LEGAL and self._fitting.explains(made, view):
                return []
        weighed = self._missed.explained(turn, view)
        if weighed is None:
            return []
        made = weighed.lines[0].turns[turn.number]
        if self.roller is not None and thrower is self.roller:
            if made.moves_only(thrower):
                return []  # he has begun to play the roll that lies there
            turn.next_side = thrower
            weighed = self._missed.explained(turn, view) or weighed
        elif (
            made.kind is Kind.DISORDER
            and thrower is None
            and not (is_end and self._missed.may_be_played(made))
        ):
            return []
        why = say("The throw was not seen.")
        if turn.next_side is not None or not made.moves_only(made.side):
            why = say("More than one throw was not seen.")
        self.unseen.add(turn.number)
        self._keep(turn, view, weighed, None)
        self.roller = thrower or self.roller
        return [self._open(turn, weighed, why)]

    def _answered(self, turn: TurnInProgress) -> tuple[Line, ...]:
        """The explanations from which the answer of people goes on; () where they said nothing, or it fits none."""
        return self._explanations.with_board(turn.answer.before) if turn.answer is not None else ()

    def _taken_at_once(self, turn: TurnInProgress) -> list[Finding]:
        """Take the answer as soon as the dice are lifted: the game may end with it."""
        assert turn.answer is not None, "people have said what was played"
        turn.accepted, turn.agreed = turn.answer, combined(turn.after)
        if not turn.answer.after.seen_by(turn.answer.side).is_won:
            return [TurnSeen(turn.answer, 1.0)]
        turn.accepted = None
        return self._take_answer(turn, self._answered(turn), combined(turn.after))

    def _take_answer(self, turn: TurnInProgress, lines: tuple[Line, ...], view: BoardView) -> list[Finding]:
        """Go on from what people say; it is not corrected by any later picture."""
        made = turn.answer
        assert made is not None, "people have said what was played"
        self._explanations.lines = lines
        weighed = self._explanations.weigh(turn, view)
        self._keep(turn, view, weighed, made)
        self._remember(turn)
        found: list[Finding] = [] if turn.accepted else [TurnSeen(made, 1.0)]
        return [*self._revision.after(turn, weighed, view), *found, *self._ended(made)]

    def _confirm(self, turn: TurnInProgress, pooled: BoardView, view: BoardView | None) -> list[Finding]:
        """Go on from a play that was accepted at once, unless a later picture clearly shows another one, or none.

        What else is seen later belongs to a turn after it, whose throw was not seen.
        """
        weighed, agreed = self._explanations.weigh(turn, pooled), turn.agreed
        accepted, later = turn.accepted, view or turn.after[-1]
        assert accepted is not None, "a play was accepted"
        assert agreed is not None, "views showed it"
        found: list[Finding] = []
        if not self._fitting.fits(accepted, later):
            anew = self._explanations.weigh(turn, later)
            made, chance = anew.of_turn(turn.number)[0]
            if self._replaces(made, chance, anew, later):
                weighed, pooled = anew, later
                accepted = made if made.kind is Kind.LEGAL else None
                found = [self._open(turn, anew, say("Later pictures do not fit the play that was accepted."))]
                found = [TurnSeen(accepted, chance, corrected=True)] if accepted else found
        if accepted is not None and not weighed.has(accepted):
            weighed, pooled = self._explanations.weigh(turn, agreed), agreed
        self._keep(turn, pooled, weighed, accepted)
        self._remember(turn)
        return [*found, *self._revision.after(turn, weighed, pooled)]

    def _replaces(self, made: Made, chance: float, weighed: Weighed, view: BoardView) -> bool:
        """Whether a picture shows this instead of a play that was accepted before it."""
        sure = chance
        if made.kind is Kind.ILLEGAL:
            shown = chance >= CALLED and self._fitting.shows_fault(made, view)
            sure = weighed.illegal(made.number) if shown else 0.0
        return made.kind is not Kind.DISORDER and sure >= SURE_OTHERWISE and self._fitting.fits(made, view)

    def _decide(self, turn: TurnInProgress, view: BoardView, is_over: bool) -> list[Finding]:
        """Decide a turn that was not clear at once, together with the one before it if need be; no illegal play is
        called in one that is not over, as its dice lie there still.
        """
        weighed, sure = self._judged(turn, view, turn.may_call and is_over)
        in_disorder = weighed.lines[0].turns[turn.number].kind is Kind.DISORDER
        if not sure and turn.earlier and (in_disorder or turn.again):
            before = combined(turn.earlier)  # what was seen later belongs to a turn whose throw was not seen
            known, known_sure = self._judged(turn, before, turn.fitted)
            if known_sure:
                weighed, sure, view = known, known_sure, before
        made, chance = weighed.of_turn(turn.number)[0]
        self._keep(turn, view, weighed, made if sure else None)
        revised = self._revision.after(turn, weighed, view)
        if not sure:
            why = self._why(made, chance, view)
            if not is_over and made.kind is Kind.ILLEGAL:
                why = say("The recording ended before the dice were lifted.")
            return [*revised, self._open(turn, weighed, why)]
        self._remember(turn)
        return [*revised, TurnSeen(made, chance), *self._ended(made)]

    def _judged(self, turn: TurnInProgress, view: BoardView, may_call: bool) -> tuple[Weighed, bool]:
        """A turn weighed by a view, and whether that decides it; whether an illegal play may be called."""
        weighed = self._explanations.weigh(turn, view)
        made, chance = weighed.of_turn(turn.number)[0]
        if self._explanations.has_former and not (
            self._fitting.fits(made, view) and made.kind is Kind.LEGAL and chance >= SURE
        ):
            weighed = self._explanations.weigh_with_former(turn, view)
            made, chance = weighed.of_turn(turn.number)[0]
        enough = self._decisions.needed(turn.number)
        if made.kind is Kind.LEGAL:
            return weighed, chance >= enough and self._fitting.fits(made, view) and self._is_in_step(
                turn, weighed
            )
        may_call = may_call and not self._decisions.is_open(turn.number - 1)
        called = may_call and chance >= CALLED and weighed.illegal(turn.number) >= enough
        called = called and made.kind is Kind.ILLEGAL
        return weighed, called and self._fitting.fits(made, view) and self._fitting.shows_fault(made, view)

    def _keep(self, turn: TurnInProgress, view: BoardView, weighed: Weighed, decided: Made | None) -> None:
        """Go on from these explanations, with the turn decided or, for None, open."""
        decisions, number = self._decisions, turn.number
        self._explanations.go_on(turn, view, decisions.agreeing(weighed.lines, number - 2))
        decisions.turns[number], decisions.shown[number] = decided, view
        decisions.rolls[number] = None if turn.unread else turn.rolls[0]
        if turn.accepted is not None or not turn.may_call:
            decisions.uncalled.add(number)
        made = self.best.turns[number]
        again = self._profile.throw_again_after_doublet and made.roll is not None and made.roll.is_doubles
        self.roller = made.side if again else made.side.other
        self._number, self._turn = number + 1, None

    def _taken_back(self) -> list[Finding]:
        """The decided turns that no explanation agrees with any more: each is open again, which is said."""
        found: list[Finding] = []
        while (number := self._decisions.contradicted(self.best)) is not None:
            former = self._decisions.turns[number]
            assert former is not None, "it was decided"
            self._decisions.turns[number] = None
            known = self._explanations.as_they_are
            others = tuple(known.of_turn(number)[:SHOWN])
            why = say("Later pictures do not fit the play that was accepted.")
            found.append(TurnOpen(number, former.side, former.roll, (*others, (former, 0.0)), why))
        return found

    def _remember(self, turn: TurnInProgress) -> None:
        """Keep the last view of a decided position, to which later ones are compared."""
        made = self._decisions.turns[turn.number]
        if turn.last is None or not turn.lifted or made is None:
            return
        if made == turn.answer:
            self._known.take(turn.last, made.after)
            return
        contradicting = self._fitting.otherwise(made.after, self.compared(turn.last))
        self._known.take_in_part(turn.last, made.after, contradicting)

    def _open(self, turn: TurnInProgress, weighed: Weighed, why: Sentence) -> TurnOpen:
        known = tuple(weighed.of_turn(turn.number)[:SHOWN])
        roll = None if turn.unread else turn.rolls[0]
        return TurnOpen(turn.number, known[0][0].side, roll, known, why)

    def _is_in_step(self, turn: TurnInProgress, weighed: Weighed) -> bool:
        """Whether the turn need not follow a disorder that nobody saw, or a board that no play explains: then it would
        be judged from a guessed board.
        """
        line = weighed.lines[0]
        if self._decisions.is_guessed_before(line, turn.number):
            return False
        former = line.turns.get(turn.number - 1)
        return turn.fitted or former is None or former.kind is not Kind.DISORDER

    def _why(self, made: Made, chance: float, view: BoardView) -> Sentence:
        """Why a turn is not decided."""
        if made.kind is Kind.UNMOVED:
            return say("Nothing was played, as far as the pictures show.")
        if made.kind is Kind.DISORDER:
            return say("The checkers are not where any play leaves them.")
        points = sorted(self._fitting.otherwise(made.after, view))
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
