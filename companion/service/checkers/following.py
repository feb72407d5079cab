"""Follows a game in frames: throws and liftings from the watcher, the checkers in the quiet pictures between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from companion.camera.checkers import Reader, checkers_of, start_in
from companion.inference.findings import Finding, GameEnded, Made
from companion.inference.follower import Follower
from companion.inference.opening import StartSeen
from companion.inference.views import BoardView
from companion.rules.board import Side
from companion.rules.profile import Profile
from companion.rules.referee import Ruling, ThrowKind, Valid, rule
from companion.service.translate import dice_at_rest
from vision.checkers.reading import Look
from vision.dice.reading import DiceReading
from vision.frame import Frame
from vision.watch.watcher import BoardMoved, LiftedSeen, Seeing, ThrowSeen, Watcher


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


class GameFollower:
    """Turns frames into throws, plays and the end of each game, in the order in which they become known."""

    def __init__(self, watcher: Watcher, checkers: Reader, profile: Profile) -> None:
        """Follow the games in the watcher's frames, which begin at a starting position, under a profile."""
        self._watcher, self._checkers, self._profile = watcher, checkers, profile
        self._look: Look | None = None
        self._game: Follower | None = None
        self._quiet = False
        self._last: tuple[int, BoardView] | None = None  # the last frame that was read, by its number

    @property
    def turns(self) -> list[Made]:
        """The turns of the present game in the likeliest explanation, in order."""
        if self._game is None:
            return []
        return [made for _, made in sorted(self._game.best.turns.items())]

    def feed(self, frame: Frame) -> list[Seen]:
        """Take the next frame; returns what it has made known, usually nothing."""
        return self._take(self._watcher.feed(frame), frame)

    def finish(self, frame: Frame) -> list[Seen]:
        """What is still pending at the end of the source, whose last frame this was."""
        found = self._take(self._watcher.finish(), frame)
        return [*found, *self._game.finish()] if self._game else found

    def _take(self, seeings: Sequence[Seeing], frame: Frame) -> list[Seen]:
        found: list[Seen] = []
        for seeing in seeings:
            match seeing:
                case ThrowSeen():
                    found += self._thrown(seeing)
                case LiftedSeen():
                    found.append(DiceLifted())
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
            found += game.before_throw(self._view(throw.frame), faces, thrower)
        ruling = self._ruled(reading, game.roller if game else None)
        found.append(ThrowRuled(reading, ruling))
        if game is not None:
            game.thrown(ruling, faces, thrower)
        return found

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
        """The only side for which a throw counts where it lies; None: both, or neither."""
        sides = [side for side in Side if isinstance(self._ruled(reading, side), Valid)]
        return sides[0] if len(sides) == 1 else None

    def _settled(self, frame: Frame) -> list[Seen]:
        """Read a quiet picture without a new throw."""
        if self._game is None or self._game.over:
            return self._start(frame)
        view = self._view(frame)
        return list(self._game.settled(view)) if view is not None else []

    def _start(self, frame: Frame) -> list[Seen]:
        """Begin a game if the picture shows its starting position; learn the look of the checkers from it."""
        board = self._watcher.board
        begun = board and start_in(self._checkers, frame.bgr, board, self._profile.start_position)
        if not begun:
            return []
        start, self._look, view = begun
        self._last = frame.number, view
        self._game = Follower(self._profile, start.orientation, view)
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
