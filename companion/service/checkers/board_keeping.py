"""Keeps the board by camera: plays for the record from the checkers seen, and questions where they leave a doubt.

It changes nothing itself: the keeper applies the events that it gives, as those of the source "camera".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.camera.checkers import CheckersSeen, Reads, Wanted
from companion.game.events import AnyEvent, Lifted, OpeningThrown, Orientation, Overruled, PlayEntered
from companion.game.state import Notice, OnRoll, Opening, Rolled, State, Throw, TurnMade
from companion.game.throws import dice_each
from companion.game.turns import is_in_parts
from companion.inference.findings import Kind, Made, TurnSeen
from companion.inference.live import (
    Doubted,
    Known,
    Owed,
    Pictures,
    board_shown,
    can_be_kept,
    differing,
    judged,
    likely,
    told_by_play,
)
from companion.inference.opening import StartSeen
from companion.inference.views import BoardView, physical_point
from companion.protocol.shapes import CheckersView, PlayAsked, PlayQuestion
from companion.protocol.view import board_map
from companion.rules.board import BAR, Board, Position, Roll, Side
from companion.rules.notation import write_play
from companion.rules.positions import EnteringPosition
from companion.rules.referee import Unread, right_half
from companion.rules.setting_values import OpeningRoll
from sentence import NOTHING, Sentence, say, say_n, translatable

WRONG_WAY = say(
    "The checkers are set up the other way round than the match says; correct the side or the colours, or the board."
)
KEEPS = say("The camera keeps the board.")
NOT_FOLLOWED = say("The camera does not follow the checkers of this game; plays are entered by taps.")
IN_PARTS = say("This turn has more numbers than were thrown; its plays are entered by taps.")
NOT_YET = say("The camera keeps the board as soon as it sees the position of the record.")

READ: Mapping[Reads, Sentence] = {
    "off": say("Nothing is read in the camera’s pictures."),
    "dice": say("The camera reads the dice."),
    "dice and checkers": say("The camera reads the dice and the checkers."),
}
NONE_YET = Pictures(None, ())


@dataclass(frozen=True, slots=True)
class Question:
    """Plays among which people choose.

    Attributes:
        plays: the most likely first.
        why: the reason of the doubt.
        instead: a play is in the record already, and the choice takes its place.
    """

    plays: tuple[Made, ...]
    why: Sentence
    instead: bool = False


@dataclass(frozen=True, slots=True)
class _TurnKey:
    """What stays the same during a turn, and comes back when its end is taken back; no roll before the throw."""

    match: str
    game: int
    turns: int
    board: Board
    roll: Roll | None


@dataclass(frozen=True, slots=True)
class _Entered:
    """A play that the camera has entered: its turn, the views that showed it, and what was known before it."""

    key: _TurnKey | None
    owed: Owed
    after: Board
    pictures: Pictures
    known: Known | None


class BoardKeeping:
    """Compares what the camera sees with the table, turn by turn.

    Attributes:
        agrees: whether the last picture showed the board of the record.
        trouble: why it does not, empty for no trouble.
        question: what people are asked, None for nothing.
        shown: the board of the last picture at rest where no play explains it: turns may have been missed. None for
            none.
    """

    def __init__(self, wanted: Wanted) -> None:
        """Begin; `wanted` has the setting, and takes the starting position that is awaited."""
        self._wanted = wanted
        self.agrees = False
        self.trouble: Sentence = NOTHING
        self.question: Question | None = None
        self.shown: Board | None = None
        self._key: _TurnKey | None = None
        self._pictures = NONE_YET
        self._known: Known | None = None
        self._entered: _Entered | None = None
        self._doubt: Throw | None = None  # a throw in which a die was in doubt
        self._played: tuple[BoardView, ...] | None = None  # the views since its dice were lifted; None before
        self._taken_back = False  # the roll of the turn that is due was in the record, and is not any more
        self._thrown: _TurnKey | None = None  # the turn, without its roll, of the last throw
        self._lifted: _TurnKey | None = None  # the same once its dice were lifted; None before
        self._rolled_late = False  # the roll was entered by hand after that
        self._instead: Board | None = None  # after a play by hand in place of the camera's

    @property
    def is_on(self) -> bool:
        """Whether the setting asks for the checkers."""
        return self._wanted.reads == "dice and checkers"

    @property
    def differs(self) -> bool:
        """Whether the last picture showed another board than that of the record."""
        return self.trouble not in (NOTHING, NOT_FOLLOWED, IN_PARTS)

    def follow(self, state: State | None) -> None:
        """Take the table's state after each change; a play that was taken back is asked about."""
        kept = state is not None and can_be_kept(state.terms.profile)
        self._wanted.start = _awaited(state) if kept and state is not None else None
        if state is not None:
            self._wanted.south = state.terms.orientation.south
        if state is not None and not kept:
            self.agrees, self.trouble = False, NOT_FOLLOWED
        elif state is not None and is_in_parts(state):
            self.agrees, self.trouble = False, IN_PARTS
        elif self.trouble in (NOT_FOLLOWED, IN_PARTS):
            self.trouble = NOTHING
        key = _key_of(state) if kept and state is not None else None
        self._follow_doubt(_doubt_of(state) if key is not None and state is not None else None)
        if key == self._key:
            return
        if self._taken_back:
            self.trouble = NOTHING
        self._taken_back = _lost_its_roll(self._key, key)
        if self._taken_back:
            self._entered, self._instead = None, None  # the play was taken back for the sake of its roll
        if key is None or self._key is None or key.board != self._key.board:
            self.shown = None
        self._key, self._pictures, self.question = key, NONE_YET, None
        self._rolled_late = key is not None and key.roll is not None and _before_roll(key) == self._lifted
        back = self._entered
        if back is not None and back.key is not None and key is not None and key.turns == back.key.turns + 1:
            self._instead = key.board if key.board != back.after else None
        if state is not None and back is not None and back.key == key and isinstance(state.phase, Rolled):
            self._pictures = back.pictures
            self._ask(state, back.owed, say("The play was taken back: which one was it?"))

    def _follow_doubt(self, doubt: Throw | None) -> None:
        if doubt is not self._doubt:
            self._doubt, self._played = doubt, None

    def note_throw(self) -> None:
        """Dice have come to rest."""
        self._thrown, self._lifted, self._rolled_late = _before_roll(self._key), None, False

    def lift(self) -> None:
        """The dice were picked up: the views from now on may show what was played of a throw in doubt."""
        self._lifted = self._thrown
        if self._doubt is not None and self._played is None:
            self._played = ()

    def tell(self, seen: CheckersSeen, state: State | None) -> tuple[AnyEvent, ...]:
        """What a view says of the dice; `see` comes after these events.

        The dice of a roll that was entered by hand may have been lifted before. A throw in doubt counts where its play
        tells the roll; the board has to be at rest for some time, or the next throw to lie there.
        """
        if state is None or not self.is_on or is_in_parts(state) or state.pending or state.dispute:
            return ()
        if self._rolled_late and isinstance(state.phase, Rolled):
            self._rolled_late = False
            return () if state.phase.lifted else (Lifted(by="camera"),)
        doubt, played = self._doubt, self._played
        if doubt is None or played is None:
            return ()
        self._played = played if seen.at_throw else (*played, seen.view)
        if not (seen.again or seen.at_throw):
            return ()
        terms, side = state.terms, state.phase.side if isinstance(state.phase, OnRoll) else None
        pictures = Pictures(None, self._played, seen.view if seen.at_throw else None)
        faces, chances = tuple(one.face for one in doubt.dice), doubt.evidence.chances
        doubted = Doubted(state.board, side, faces, chances)
        made = told_by_play(terms.profile, terms.orientation, doubted, pictures, self._known)
        counts = _counting(doubt, made, state) if made is not None else None
        return () if counts is None else (counts, Lifted(by="camera"))

    def see(self, seen: CheckersSeen, state: State | None) -> PlayEntered | None:
        """Take a reading; returns the play to enter, None for none."""
        if state is None or not self.is_on or not can_be_kept(state.terms.profile):
            return None
        match state.phase:
            case Opening() if seen.start is not None:
                self._see_start(seen.start, seen.view, state)
            case Rolled(lifted=False):
                self._pictures = Pictures(seen.view, ())
            case Rolled(lifted=True) as phase if state.pending is None and not is_in_parts(state):
                before = self._pictures
                if seen.at_throw:
                    self._pictures = replace(before, throw=seen.view)
                else:
                    self._pictures = replace(before, lifted=(*before.lifted, seen.view))
                return self._play(state, Owed(state.board, phase.side, phase.roll), seen)
            case OnRoll() if not is_in_parts(state) and not self._may_tell(seen):
                self._compare(seen, state)
        return None

    def _may_tell(self, seen: CheckersSeen) -> bool:
        """Whether a play of a throw in doubt may still be made, so that the board need not be the record's."""
        lying = self._doubt is not None and self._played is None
        return lying or (self._doubt is not None and not (seen.again or seen.at_throw))

    def _see_start(self, start: StartSeen, view: BoardView, state: State) -> None:
        """Check the starting position, and begin with it; a point that is only misread is known by its look."""
        self.agrees, self._known, self._entered = False, Known(view, start.board), None
        if start.orientation != state.terms.orientation:
            self.trouble, self._known = WRONG_WAY, None
        elif start.wrong:
            points = tuple(n for n in range(1, 25) if physical_point(n, start.orientation) in start.wrong)
            self.trouble = say_n(
                "The starting position is not right on point {points}, as {name} counts.",
                "The starting position is not right on points {points}, as {name} counts them.",
                len(points),
                points=_listed(points),
                name=_south(state),
            )
        else:
            self.agrees, self.trouble = True, NOTHING

    def _play(self, state: State, owed: Owed, seen: CheckersSeen) -> PlayEntered | None:
        """The play of a turn if it is clear; else a question, once nothing more is to come."""
        terms = state.terms
        back = self._entered if self._entered and self._entered.key == self._key else None
        pictures = Pictures(None, (seen.view,)) if back else self._pictures
        found = judged(terms.profile, terms.orientation, owed, pictures, self._known, final=seen.again)
        if found is None:
            return None
        unchecked = self._known is None and terms.profile.positions is EnteringPosition
        if unchecked and isinstance(found, TurnSeen) and found.made.kind is not Kind.LEGAL:
            self._ask(state, owed, say("The checkers are not where any play leaves them."))
            return None
        if isinstance(found, TurnSeen) and (back is None or back.after != found.made.after):
            after, known = found.made.after, self._known
            self._entered, self._instead = _Entered(self._key, owed, after, self._pictures, known), None
            view = self._pictures.lifted[-1] if self._pictures.lifted else seen.view
            self._take_known(view, after, terms.orientation)
            self.agrees, self.trouble, self.question = True, NOTHING, None
            left = after.seen_by(owed.side)
            return PlayEntered(mine=left.mine, theirs=left.theirs, made=True, by="camera")
        if back is None:
            self._ask(state, owed, NOTHING if isinstance(found, TurnSeen) else found.why)
            if self.question is None:
                self._show_board(seen.view, state)
            elif self.shown is not None:
                self.shown = board_shown(seen.view, state.board, terms.orientation, self._known)
        return None

    def _show_board(self, view: BoardView, state: State) -> None:
        """Say where a board at rest that no play explains differs from the record, and offer it."""
        points = differing(view, state.board, state.terms.orientation, self._known)
        if points:
            self.trouble = say_n(
                "Camera and record differ at point {points}, as {name} counts. Play goes on by taps.",
                "Camera and record differ at points {points}, as {name} counts them. Play goes on by taps.",
                len(points),
                points=_listed(points),
                name=_south(state),
            )
        self.shown = board_shown(view, state.board, state.terms.orientation, self._known)

    def _ask(self, state: State, owed: Owed, why: Sentence) -> None:
        """Ask for the play; the one that was taken back last is not offered again."""
        why = _naming_south(why, state)
        terms, back = state.terms, self._entered
        refused = (self._instead or back.after) if back is not None and back.key == self._key else None
        known = back.known if back is not None and refused else self._known
        pictures = self._pictures
        views = pictures.lifted or tuple(one for one in (pictures.lying, pictures.throw) if one is not None)
        plays = likely(terms.profile, terms.orientation, owed, views, known, refused)
        self.question = Question(plays, why) if plays else None
        self.agrees = False
        self.trouble = NOTHING if plays else why

    def _take_known(self, view: BoardView, board: Board, orientation: Orientation) -> None:
        """Compare with this view of a board that is certain from now on."""
        known = self._known
        self._known = known.then(view, board, orientation) if known is not None else Known(view, board)

    def _compare(self, seen: CheckersSeen, state: State) -> None:
        """Compare the board at rest with the record: a play that was entered stays open until the next throw."""
        orientation = state.terms.orientation
        self.shown = None
        points = differing(seen.view, state.board, orientation, self._known)
        if not points:
            self.agrees, self.trouble, self.question = True, NOTHING, None
            self._take_known(seen.view, state.board, orientation)
            return
        self.agrees = False
        if self._is_to_be_made(seen, state):
            self.trouble = NOTHING
            return
        if self._taken_back:
            self.trouble = say_n(
                "The roll was taken back, but point {points} shows its play, as {name} counts.",
                "The roll was taken back, but points {points} show its play, as {name} counts them.",
                len(points),
                points=_listed(points),
                name=_south(state),
            )
        elif (other := self._shown_instead(seen, state)) is not None:
            why = say("The last picture shows another play than the record.")
            self.question = Question((other,), why, instead=True)
        elif seen.again or seen.at_throw:
            self._show_board(seen.view, state)

    def _is_to_be_made(self, seen: CheckersSeen, state: State) -> bool:
        """Whether the last play was entered by hand, and its checkers stand as before it."""
        last = state.log[-1] if state.log else None
        if not isinstance(last, TurnMade) or self._is_by_camera(last):
            return False
        return not differing(seen.view, last.before, state.terms.orientation, self._known)

    def _is_by_camera(self, turn: TurnMade) -> bool:
        return self._entered is not None and self._entered.after == turn.after

    def _shown_instead(self, seen: CheckersSeen, state: State) -> Made | None:
        """The play that a picture shows instead of the one in the record; None for none.

        Where people have tapped, the board must be at rest: they may tap before they move the checkers.
        """
        last, entered = state.log[-1] if state.log else None, self._entered
        if not isinstance(last, TurnMade) or last.roll is None or last.part or last.after != state.board:
            return None
        by_camera = self._is_by_camera(last)
        if not by_camera and not seen.again:
            return None
        owed = Owed(last.before, last.side, last.roll)
        known = entered.known if entered is not None and by_camera else self._known
        pictures = Pictures(None, (seen.view,))
        found = judged(state.terms.profile, state.terms.orientation, owed, pictures, known)
        changed = isinstance(found, TurnSeen) and found.made.after not in (last.before, last.after)
        return found.made if isinstance(found, TurnSeen) and changed else None


def checkers_view(keeping: BoardKeeping) -> CheckersView | None:
    """The keeping of the board in the page's JSON; None while the checkers are not read."""
    if not keeping.is_on:
        return None
    text = keeping.trouble or (KEEPS if keeping.agrees else NOT_YET)
    return {
        "keeps": keeping.agrees,
        "differs": keeping.differs,
        "text": str(text),
        "say": translatable(text=text),
        "question": _question(keeping.question) if keeping.question else None,
        "board": board_map(keeping.shown) if keeping.shown else None,
    }


def _question(question: Question) -> PlayQuestion:
    """A question about a play in the page's JSON."""
    roll = question.plays[0].roll
    assert roll is not None, "a play that is offered has a roll"
    plays = [_asked(made) for made in question.plays]
    return {
        "why": str(question.why),
        "say": translatable(why=question.why),
        "roll": list(roll),
        "instead": question.instead,
        "plays": plays,
    }


def _asked(made: Made) -> PlayAsked:
    """A play to choose in the page's JSON."""
    after = made.after.seen_by(made.side)
    asked: PlayAsked = {
        "text": write_play(made.play or ()),
        "legal": made.play is not None,
        "result": after.ints(),
        "board": board_map(made.after),
    }
    under = after.under()
    return asked if under is None else {**asked, "under": under}


def read_from_now(wanted: Wanted, show: Callable[[Notice], None], reads: Reads) -> Sentence:
    """Change what is read in the camera's pictures, and say it; returns why not, else an empty sentence."""
    if not wanted.refusal:
        wanted.reads = reads
        show(Notice(READ[reads]))
    return wanted.refusal


def _key_of(state: State) -> _TurnKey:
    roll = state.phase.roll if isinstance(state.phase, Rolled) else None
    return _TurnKey(state.terms.match_id, state.game, state.turns_in_match, state.board, roll)


def _before_roll(key: _TurnKey | None) -> _TurnKey | None:
    return None if key is None else replace(key, roll=None)


def _lost_its_roll(before: _TurnKey | None, now: _TurnKey | None) -> bool:
    """Whether this is the same turn without the roll it had."""
    return before is not None and before.roll is not None and now == _before_roll(before)


def _doubt_of(state: State) -> Throw | None:
    """The throw that is due, in which one of two dice was not read, or not surely; None for none."""
    throw, is_opening = state.throw, state.phase == Opening()
    side = state.phase.side if isinstance(state.phase, OnRoll) else None
    if throw is None or not (is_opening or side) or throw.roller is not side:
        return None
    if is_opening and (dice_each(state) != 1 or state.terms.profile.opening_roll is OpeningRoll.THROWN_ANEW):
        return None
    told = [one for one in throw.dice if one.face is not None]
    return throw if isinstance(throw.ruling, Unread) and told and len(throw.dice) == 2 else None


def _counting(doubt: Throw, made: Made, state: State) -> AnyEvent | None:
    """The event by which a throw counts as its play tells; None where a die lies in the half of the other side."""
    assert made.roll is not None, "the play tells it"
    if isinstance(state.phase, OnRoll):
        return Overruled(made.roll, by="camera")
    numbers = {made.side: made.roll.high, made.side.other: made.roll.low}
    for one in doubt.dice:
        owner = next((side for side in Side if right_half(side) is one.half), None)
        if one.face is not None and (owner is None or numbers[owner] != one.face):
            return None
    return OpeningThrown((numbers[Side.SOUTH],), (numbers[Side.NORTH],), by="camera")


def _awaited(state: State) -> Position | None:
    """The starting position that is awaited; None during a game, and where the start shows no checkers."""
    start = state.terms.profile.start_position
    return start if isinstance(state.phase, Opening) and any(start.mine[1:BAR]) else None


def _south(state: State) -> str | Sentence:
    return state.called(Side.SOUTH)


def _naming_south(why: Sentence, state: State) -> Sentence:
    """The sentence of the follower, which knows seats, with the player's name for south."""
    values = dict(why.values)
    return replace(why, values=tuple((values | {"name": _south(state)}).items())) if "name" in values else why


def _listed(points: tuple[int, ...]) -> str:
    return ", ".join(map(str, points))
