"""Turns frames into throws and liftings, each reported once."""

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.board.findboard import BoardFinder
from vision.change import Stir, colour_thumb, stir
from vision.dice.evidence import Evidence
from vision.dice.flat.camera import UNKNOWN, CameraEstimate
from vision.dice.reader import Reader
from vision.dice.reading import DiceReading
from vision.frame import Frame
from vision.watch.moved import bumped, found_again
from vision.watch.reported import ReportedDice
from vision.watch.stillness import Stillness


@dataclass(frozen=True, slots=True, eq=False)
class ThrowSeen:
    """Dice have come to rest. `frame` is the picture in which they were read."""

    reading: DiceReading
    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class LiftedSeen:
    """The dice of the last throw have been picked up."""

    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class BoardMoved:
    """The board or the camera was bumped: nothing is read until the board is found again.

    `board` is the board at its new place, None until it is found.
    """

    frame: Frame
    board: Board | None


Seeing: TypeAlias = ThrowSeen | LiftedSeen | BoardMoved


INTRUDER_SHARE = 0.015
"""Part of the picture; an arm over the board covers more, a moved checker less."""


STAYS = 0.02
"""Part of what reaches in that may look different after a movement elsewhere; a hand does not lie so still."""


BUMP_SHARE = 0.02
"""Least part of the picture that has changed after a bump."""


BLANK = 3.0
"""Grey levels out of 255: a thumb with a smaller standard deviation shows neither board nor dice."""


INTRUDER_PATIENCE_S = 15.0
"""After this time the change is no hand but a new light or a coat on the table, and the picture is read as it is."""


AGAIN_S, PATIENCE_S = 0.15, 1.5
"""A throw at rest that its pictures leave in doubt is read again so often, and reported as it is after so long: nobody
waits for the answer to a question that need not be asked."""


NEARLY = 0.03
"""In diagonals of the picture: a board that is placed further away was known at a wrong place, and so its dice told
nothing of the camera."""


@dataclass(slots=True, eq=False)
class _Scene:
    """Everything known about pictures of one size.

    Attributes:
        board: the board as given, or as found after a bump; None while its place is unknown.
        camera: what the throws so far have said of the camera.
        lost: the board was bumped and has not been found again.
        quiet: the thumb in colour of the last quiet picture.
        quiet_at_s: its time.
        bare: that of the last quiet picture without dice.
        reached: that of a quiet picture with something that reaches in, and the number of the movement before it.
    """

    board: Board | None
    camera: CameraEstimate = UNKNOWN
    lost: bool = False
    quiet: NDArray[np.int16] | None = None
    quiet_at_s: float = 0.0
    bare: NDArray[np.int16] | None = None
    reached: tuple[NDArray[np.int16], int] | None = None


@dataclass(slots=True, eq=False)
class _Doubtful:
    """A throw at rest that is in doubt so far, and is read again and again.

    Attributes:
        evidence: its pictures.
        seen: its report as it would be now.
        since: change since a picture without dice.
        began_s: when it was read first.
    """

    evidence: Evidence
    seen: ThrowSeen
    since: Stir | None
    began_s: float


class Watcher:
    """Turns frames into throws and liftings, each reported once. Times are those of the frames."""

    def __init__(self, board: Board | None, reader: Reader | None = None, still_s: float = 0.35) -> None:
        """Begin to watch.

        Args:
            board: the board in the pictures; None: dice are read without one.
            reader: reads the dice in quiet pictures.
            still_s: seconds without change after which a picture is quiet.
        """
        self._reader = reader or Reader()
        self._stillness = Stillness(still_s)
        self._rest: list[Frame] = []
        self._settled = False
        self._movements = 0
        self._doubtful: _Doubtful | None = None
        self._reported = ReportedDice()
        self._finder: BoardFinder | None = None
        self._scene = _Scene(board)
        self._former: _Scene | None = None

    @property
    def board(self) -> Board | None:
        """The board as given, or as found after a bump; None while its place is unknown."""
        return self._scene.board

    @property
    def is_quiet(self) -> bool:
        """Whether the last picture was quiet, with nothing reaching into it."""
        return self._settled

    def place(self, board: Board) -> None:
        """Use the board at this place. The reported dice stay reported and are read once more.

        For a board in pictures of another size, the knowledge about the present ones is kept for `go_back`.
        """
        before = self._scene.board
        camera = self._scene.camera if before is not None and _is_near(before, board) else UNKNOWN
        if before is not None and before.image_size != board.image_size:
            self._former = self._scene
            self._reported.board_moved()
        self._use(_Scene(board, camera))

    def go_back(self, size_px: tuple[int, int]) -> bool:
        """Resume with former pictures of this size (width, height); a bump since then is detected.

        Returns:
            False if no board is known from former pictures of this size.
        """
        former = self._former
        if former is None or former.board is None or former.board.image_size != size_px:
            return False
        self._former = self._scene
        self._reported.board_moved()
        self._use(former)
        return True

    def _use(self, scene: _Scene) -> None:
        self._scene, self._settled = scene, False
        self._reported.lose_places()
        if self._doubtful is not None:
            self._doubtful = None
            self._reported.remember(None)

    def feed(self, frame: Frame) -> list[Seeing]:
        """Take the next frame; returns the reports that it completes, usually none."""
        still = self._stillness.feed(frame)
        out: list[Seeing] = []
        if self._stillness.stirred:
            out = self._report()
            self._rest, self._settled = [], False
            self._movements += 1
        self._rest = [*self._rest[-2:], frame]
        if not still or self._settled:
            return out
        return out + (self._settle(frame) if self._doubtful is None else self._again(self._doubtful, frame))

    def finish(self) -> list[Seeing]:
        """The pending reports at the end of a source: its last picture counts as quiet."""
        if self._doubtful is not None:
            return self._report()
        if self._settled or not self._rest:
            return []
        return [*self._settle(self._rest[-1]), *self._report()]

    def _settle(self, frame: Frame) -> list[Seeing]:
        now, scene = colour_thumb(frame.bgr), self._scene
        if now[..., 1].std() < BLANK:
            return []
        change = None if scene.quiet is None or scene.quiet.shape != now.shape else stir(scene.quiet, now)
        if change is not None:
            bump = self._look_for_bump(now, frame, change)
            if bump is not None:
                return bump
            patient = frame.at_s - scene.quiet_at_s < INTRUDER_PATIENCE_S
            if patient and self._may_be_a_hand(now, change):
                return []
            if len(self._reported.seen) >= 2 and not self._reported.touched(change):
                self._settled = True
                scene.quiet_at_s = frame.at_s
                return []
        self._settled = True
        scene.quiet, scene.quiet_at_s = now, frame.at_s
        bare = scene.bare
        return self._read(frame, now, None if bare is None or bare.shape != now.shape else stir(bare, now))

    def _may_be_a_hand(self, now: NDArray[np.int16], change: Stir) -> bool:
        """Whether something reaches in that may be a hand: not checkers beside the board, which stay through movement.

        What covers reported dice may always be one.
        """
        scene, arm = self._scene, _reaching_in(change)
        if arm is None or scene.reached is None or scene.reached[0].shape != now.shape:
            scene.reached = None if arm is None else (now, self._movements)
            return arm is not None
        before, movement = scene.reached
        stays = (stir(before, now).moved & arm).sum() <= STAYS * arm.sum()
        if stays and movement == self._movements:
            return True
        scene.reached = now, self._movements
        return not stays or self._reported.touched(Stir(arm, float(arm.mean())))

    def _read(self, frame: Frame, now: NDArray[np.int16], since: Stir | None) -> list[Seeing]:
        """Read the dice at rest in the last two pictures, and in the one before if those leave something open."""
        evidence, reading = Evidence(), DiceReading((), doubt=False, board_found=False)
        for number, picture in enumerate(reversed(self._rest)):
            if number < 2 or reading.is_open:
                reading = self._reader.read(
                    picture.bgr, self._scene.board, since, evidence, self._scene.camera
                )
        if not reading.dice:
            self._scene.bare = now
        lifted, thrown = self._reported.compare(reading)
        out: list[Seeing] = [LiftedSeen(frame)] if lifted else []
        if not thrown:
            return out
        seen = ThrowSeen(reading, frame)
        if not reading.is_open:
            self._learn_camera(evidence, frame)
            return [*out, seen]
        self._settled, self._doubtful = False, _Doubtful(evidence, seen, since, frame.at_s)
        return out

    def _again(self, doubtful: _Doubtful, frame: Frame) -> list[Seeing]:
        """Read a throw in doubt once more, if it is time; its report once it is settled or has been for long enough."""
        if frame.at_s - doubtful.seen.frame.at_s < AGAIN_S - 1e-6:
            return []
        reading = self._reader.read(
            frame.bgr, self._scene.board, doubtful.since, doubtful.evidence, self._scene.camera
        )
        doubtful.seen = ThrowSeen(reading, frame)
        if reading.is_open and frame.at_s - doubtful.began_s < PATIENCE_S:
            return []
        self._settled = True
        return self._report()

    def _report(self) -> list[Seeing]:
        """The report of a throw in doubt as its pictures have left it; none if there are no dice after all."""
        doubtful, self._doubtful = self._doubtful, None
        if doubtful is None:
            return []
        reading = doubtful.seen.reading
        self._learn_camera(doubtful.evidence, doubtful.seen.frame)
        self._reported.remember(reading if reading.dice else None)
        return [doubtful.seen] if reading.dice else []

    def _learn_camera(self, evidence: Evidence, frame: Frame) -> None:
        """Let a throw that was reported say where the camera is, where its lens is not known."""
        scene = self._scene
        if scene.board is not None and scene.board.distortion is None:
            board = scene.board.for_picture(frame.size_px)
            scene.camera = scene.camera.with_dice(board, evidence.looks)

    def _look_for_bump(self, now: NDArray[np.int16], frame: Frame, change: Stir) -> list[Seeing] | None:
        """The reports of a bump; None if there was none. A lost board is looked for in every quiet picture."""
        scene = self._scene
        if scene.board is None or scene.quiet is None:
            return None
        way = bumped(scene.quiet[..., 1], now[..., 1]) if change.share > BUMP_SHARE else None
        if way is None and not scene.lost:
            return None
        self._finder = self._finder or BoardFinder()
        board = found_again(frame.bgr, scene.board, None if scene.lost else way, self._finder)
        was_lost, scene.lost = scene.lost, board is None
        self._settled = True
        self._reported.board_moved()
        if board is None:
            return [] if was_lost else [BoardMoved(frame, None)]
        self._reported.lose_places()
        scene.board, scene.quiet, scene.bare = board, None, None
        return [BoardMoved(frame, board)]


def _is_near(before: Board, board: Board) -> bool:
    """Whether a board lies in pictures of the same size, and hardly elsewhere than before."""
    away = np.linalg.norm(np.subtract(before.corners_px, board.corners_px), axis=1)
    return before.image_size == board.image_size and away.max() <= NEARLY * np.hypot(*board.image_size)


def _reaching_in(change: Stir) -> NDArray[np.bool_] | None:
    """What reaches in over the picture's edge, (h, w) bool, if it is large: a hand, an arm, a head; None without it."""
    found = np.zeros_like(change.moved)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(change.moved.astype(np.uint8), connectivity=8)
    high, wide = change.moved.shape
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        at_edge = x <= 1 or y <= 1 or x + w >= wide - 1 or y + h >= high - 1
        if at_edge and area > INTRUDER_SHARE * high * wide:
            found |= labels == k
    return found if found.any() else None
