"""Follows a game in frames: throws and liftings from the watcher, the checkers in the quiet pictures between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from companion.camera.checkers import Reader, checkers_of, place_by_start, start_in
from companion.inference.findings import Answer, Finding, GameEnded, Made
from companion.inference.follower import Follower
from companion.inference.opening import StartSeen
from companion.inference.views import BoardView
from companion.rules.board import Side
from companion.rules.profile import Profile
from companion.rules.referee import Reason, Ruling, ThrowKind, Unread, Valid, rule
from companion.service.translate import chances_of, dice_at_rest
from vision.board.calibration import Board
from vision.checkers.reading import Look
from vision.dice.reading import DiceReading
from vision.frame import Frame
from vision.watch.watcher import BoardMoved, LiftedSeen, Seeing, ThrowSeen


@dataclass(frozen=True, slots=True, eq=False)
class ThrowRuled:
    """A throw at rest with its ruling."""

    reading: DiceReading
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class DiceLifted:
    """The dice of the last throw were picked up."""


Seen: TypeAlias = StartSeen | ThrowRuled | DiceLifted | BoardMoved | Finding
"""What a frame has made known."""


NOT_HIS = frozenset({Reason.WRONG_HALF, Reason.SPLIT_HALVES, Reason.NO_BOARD})
"""Reasons of a ruling for a side that tell that the dice do not lie where it throws, or that it is not known."""

TurnKey: TypeAlias = tuple[int, int]
"""A turn of a recording: its game and its number in the game, both from 0."""


@dataclass(frozen=True, slots=True)
class Said:
    """What people say of the turns of a recording, when it is followed once more.

    Attributes:
        turns: how turns were played.
        not_thrown: numbers of the frames whose throw did not count.
        complete: numbers of the frames with a throw before which no turn was missed.
    """

    turns: Mapping[TurnKey, Answer] = field(default_factory=dict)
    not_thrown: frozenset[int] = frozenset()
    complete: frozenset[int] = frozenset()

    def of_game(self, game: int) -> dict[int, Answer]:
        """What is said of the turns of a game, by number."""
        return {number: answer for (one, number), answer in self.turns.items() if one == game}


@dataclass(frozen=True, slots=True)
class Shown:
    """The pictures of a turn.

    Attributes:
        before: the number of the frame that shows the board before the play: that of its throw, if it was seen.
        after: the number of the last frame that shows the board after it; None: there is none.
        view: the checkers in that frame.
        unseen: the throw was not seen; `after` shows the next one.
    """

    before: int
    after: int | None = None
    view: BoardView | None = None
    unseen: bool = False


class Watching(Protocol):
    """A watcher: `vision.watch.watcher.Watcher`, or what one has reported before."""

    @property
    def board(self) -> Board | None:
        """The place of the board, None while it is unknown."""
        ...

    @property
    def is_quiet(self) -> bool:
        """Whether nothing moved in the last frame."""
        ...

    def place(self, board: Board) -> None:
        """Use the board at this place."""
        ...

    def feed(self, frame: Frame) -> Sequence[Seeing]:
        """Take a frame; returns what has happened."""
        ...

    def finish(self) -> Sequence[Seeing]:
        """What is pending at the end of the source."""
        ...


class GameFollower:
    """Turns frames into throws, plays and the end of each game, in the order in which they become known.

    Attributes:
        shown: the pictures of the turns.
    """

    def __init__(
        self,
        watcher: Watching,
        checkers: Reader,
        profile: Profile,
        said: Said | None = None,
        was_found: bool = False,
    ) -> None:
        """Follow the games in the watcher's frames, which begin at a starting position, under a profile.

        Where the board `was_found` in the picture, not given, the starting position tells its place more exactly.
        """
        self._watcher, self._checkers, self._profile = watcher, checkers, profile
        self._said, self._games, self._was_found = said or Said(), 0, was_found
        self.shown: dict[TurnKey, Shown] = {}
        self._lifted = False
        self._look: Look | None = None
        self._game: Follower | None = None
        self._quiet = False
        self._last: tuple[int, BoardView] | None = None  # the last frame that was read, by its number

    @property
    def turns(self) -> list[Made]:
        """The turns of the present game for its record, in order."""
        return self._game.turns if self._game is not None else []

    def feed(self, frame: Frame) -> list[Seen]:
        """Take the next frame; returns what it has made known, usually nothing."""
        return self._take(self._watcher.feed(frame), frame)

    def finish(self, frame: Frame) -> list[Seen]:
        """What is still pending at the end of the source, whose last frame this was."""
        found = self._take(self._watcher.finish(), frame)
        if self._game is None:
            return found
        if self._last is None or self._game.over:
            return found
        number, view = self._last
        self._show(self._game, number, view, only_first=True)
        found += self._game.finish()
        self._show_unseen(self._game, number, number, view)
        return found

    def _take(self, seeings: Sequence[Seeing], frame: Frame) -> list[Seen]:
        found: list[Seen] = []
        for seeing in seeings:
            match seeing:
                case ThrowSeen():
                    found += self._thrown(seeing)
                case LiftedSeen():
                    found.append(DiceLifted())
                    self._lifted = True
                    if self._game is not None:
                        self._game.lifted()
                case BoardMoved():
                    found.append(seeing)
        was_quiet, self._quiet = self._quiet, self._watcher.is_quiet
        if (
            self._quiet
            and (seeings or not was_quiet)
            and not any(isinstance(one, ThrowSeen) for one in seeings)
        ):
            found += self._settled(frame)
        return found

    def _thrown(self, throw: ThrowSeen) -> list[Seen]:
        """Settle the turn before, and rule on the throw."""
        found: list[Seen] = []
        if self._game is None or self._game.over:
            found += self._start(throw.frame)
        game, reading = self._game, throw.reading
        faces = [one.value for one in reading.dice]
        thrower = self._thrower(reading)
        if game is not None:
            found += self._settled_before(game, throw.frame, faces, thrower)
        ruling = self._ruled(reading, game.roller if game else thrower)
        if game is not None and game.may_be_others_turn and ruling.reasons == (Reason.WRONG_HALF,):
            ruling = Unread((Reason.WRONG_HALF, Reason.DOUBT))  # the turn may be the other side's
        found.append(ThrowRuled(reading, ruling))
        if game is not None:
            game.thrown(ruling, faces, thrower, chances_of(reading))
            self._lifted = False
            if throw.frame.number in self._said.not_thrown:
                game.drop()
            if game.in_progress is not None:
                self.shown[self._games - 1, game.in_progress] = Shown(throw.frame.number)
        return found

    def _settled_before(
        self, game: Follower, frame: Frame, faces: Sequence[int | None], thrower: Side | None
    ) -> list[Finding]:
        """Settle the turn before the throw in a frame."""
        last, view = self._last, self._view(frame)
        self._show(game, frame.number, view, only_first=True)
        found = game.before_throw(view, faces, thrower, frame.number in self._said.complete)
        if last is not None:
            self._show_unseen(game, last[0], frame.number, view)
        return found

    def _show_unseen(self, game: Follower, before: int, after: int, view: BoardView | None) -> None:
        """Keep the frames, by their numbers, between which turns were played whose throws were not seen."""
        for number in game.unseen:
            key = self._games - 1, number
            if not (key in self.shown and self.shown[key].unseen):
                self.shown[key] = Shown(before, after, view, unseen=True)

    def _show(self, game: Follower, frame: int, view: BoardView | None, only_first: bool = False) -> None:
        """Keep a frame, by its number, as the one after the turn in progress."""
        if game.in_progress is None:
            return
        key = self._games - 1, game.in_progress
        if not only_first or self.shown[key].after is None:
            self.shown[key] = replace(self.shown[key], after=frame, view=view)

    def _ruled(self, reading: DiceReading, roller: Side | None) -> Ruling:
        """The ruling on a throw of this side, or of the opening."""
        return rule(
            dice_at_rest(reading),
            self._profile.rolling_rules,
            roller=roller,
            kind=ThrowKind.TURN if roller else ThrowKind.OPENING,
            doubt=reading.doubt,
            board_found=reading.board_found,
        )

    def _thrower(self, reading: DiceReading) -> Side | None:
        """The only side that throws where these dice lie, whether the throw counts or not; None: both, or neither."""
        rulings = {side: self._ruled(reading, side) for side in Side}
        sides = [side for side, ruling in rulings.items() if isinstance(ruling, Valid)]
        if not sides:
            sides = [side for side, ruling in rulings.items() if not set(ruling.reasons) & NOT_HIS]
        return sides[0] if len(sides) == 1 else None

    def _settled(self, frame: Frame) -> list[Seen]:
        """Read a quiet picture without a new throw."""
        if self._game is None or self._game.over:
            return self._start(frame)
        view = self._view(frame)
        if view is None:
            return []
        if self._lifted:
            self._show(self._game, frame.number, view)
        return list(self._game.settled(view))

    def _start(self, frame: Frame) -> list[Seen]:
        """Begin a game if the picture shows its starting position; learn the look of the checkers from it."""
        board = self._watcher.board
        if board is not None and self._was_found:
            exact = place_by_start(self._checkers, frame.bgr, board, self._profile.start_position)
            if exact is not None:
                self._watcher.place(exact)
                board = exact
        begun = board and start_in(self._checkers, frame.bgr, board, self._profile.start_position)
        if not begun:
            return []
        start, self._look, view = begun
        self._last = frame.number, view
        self._game = Follower(self._profile, start.orientation, view, self._said.of_game(self._games))
        self._games += 1
        return [start]

    def _view(self, frame: Frame) -> BoardView | None:
        """The checkers in a frame, None while the place of the board is unknown."""
        board = self._watcher.board
        if board is None:
            return None
        if self._last is None or self._last[0] != frame.number:
            self._last = frame.number, checkers_of(self._checkers.read(frame.bgr, board, self._look))
        return self._last[1]


def ended(found: Sequence[Seen]) -> bool:
    """Whether a game has ended."""
    return any(isinstance(one, GameEnded) for one in found)
