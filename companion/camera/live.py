"""Follows a live camera: its losses, blank pictures, and the search for the board. Loads OpenCV."""

from contextlib import closing

from companion.camera.eye import CameraSaid, Eye, Look
from companion.camera.showing import Showing
from sentence import NOTHING, Sentence, joined, say
from vision.board.calibration import Board
from vision.board.findboard import BoardFinder
from vision.capture.camera import Camera
from vision.capture.source import without_secret
from vision.dice.reader import Reader, single_thread
from vision.errors import BadBoard
from vision.frame import Frame
from vision.watch.watcher import Watcher


def follow(camera: "Camera", board: "Board | None", speed: float = 1.0, fixed: bool = False) -> Look:
    """Look through a camera until stopped; each loss and each return is said once.

    Args:
        camera: the source; a recorded one is played at its own pace.
        board: where the board lies; None: it is looked for in the picture.
        speed: a recorded source goes so many times as fast.
        fixed: the settings say where the board lies; it is not looked for anew when the pictures change their shape.
    """

    def look(eye: Eye) -> None:
        from vision.capture.camera import paced
        from vision.errors import CameraLost

        eye.camera = camera
        watching = LiveFrames(eye, camera, board, fixed)
        with closing(camera):
            while not eye.stop.is_set():
                try:
                    frames = camera.frames()
                    for frame in frames if camera.live else paced(frames, eye.stop, speed):
                        watching.see(frame)
                except CameraLost as lost:
                    watching.lost(lost.sentence)
                    continue
                if not camera.live:
                    watching.end()
                    return

    return look


FIND_BOARD_S = 3.0
"""So often a board is looked for while none is known; a search takes a tenth of a second on a Pi."""


OTHER_SHAPE_S = 5.0
"""Pictures of another shape for so long are a camera that was turned to stay: the board is looked for in them."""


SLOW_S = 1.5
"""A picture in so long is rare enough to be said: dice are seen that late."""


OTHER_SHAPE = say(
    "The camera's pictures have another shape than before; turn it back, or place the board anew on the page."
)


class LiveFrames:
    """Frames of one camera through the pipeline, the board being looked for where it is not known."""

    def __init__(self, eye: Eye, camera: Camera, board: Board | None, fixed: bool) -> None:
        single_thread()
        self._showing = Showing(camera.name) if camera.live else None  # a recording may hold any picture
        self._eye, self._camera, self._name = eye, camera, without_secret(camera.name)
        self._fixed = fixed
        if board is not None:
            eye.sight.found(board)
        self._placed: Board | None = None
        self._reader = Reader()
        self._watcher = Watcher(board, self._reader)
        self._former: Watcher | None = None  # of pictures of another size
        self._other_since_s: float | None = None
        self._said: CameraSaid | None = None
        self._looked_s = -FIND_BOARD_S
        self._last: Frame | None = None
        self._slow = NOTHING

    def see(self, frame: Frame) -> None:
        """One frame, with the board where it was last placed; one that shows nothing is told, not read."""
        if self._showing is not None and not self._showing.look(frame):
            if self._showing.why:
                self._say_lost(self._showing.why)
            return
        placed = self._eye.sight.placed
        if placed is not None and placed is not self._placed:
            self._placed = placed
            self._use(placed)
        board = self._watcher.board
        if board is None:
            self._find_board(frame)
        elif board.image_size != frame.size_px and not self._turned(board, frame):
            self._say_lost(OTHER_SHAPE)
            return
        self._other_since_s = None
        said = [say("{name} is watching.", name=self._name)]
        if self._camera.live:
            said += self._pace(frame)
        if self._watcher.board is None:
            said.append(
                say("The board is not found yet; place it on the page, or with 'companion calibrate'.")
            )
        self._say(CameraSaid("live" if self._camera.live else "recorded", joined(*said)))
        self._eye.see(self._watcher, frame)

    def _turned(self, board: Board, frame: Frame) -> bool:
        """Whether the board's place is known in pictures of this other size; in another shape it is looked for in time.

        Raises:
            BadBoard: it is not, in a recording, which has no former pictures to wait for.
        """
        former = self._former
        if former is not None and former.board is not None and former.board.image_size == frame.size_px:
            self._use(former.board, former)
            return True
        try:
            self._use(board.for_picture(frame.size_px))
            return True
        except BadBoard:
            if not self._camera.live:
                raise
        self._eye.sight.show(frame)  # so that the board can be placed in it
        if self._other_since_s is None:
            self._other_since_s = frame.at_s
        lasts = frame.at_s - self._other_since_s >= OTHER_SHAPE_S
        return lasts and not self._fixed and self._find_board(frame)

    def _find_board(self, frame: Frame) -> bool:
        """Look for the board in this frame, if it is time to; whether it was found."""
        if frame.at_s - self._looked_s < FIND_BOARD_S:
            return False
        self._looked_s = frame.at_s
        board = BoardFinder().find(frame.bgr)
        if board is not None:
            self._use(board)
        return board is not None

    def _use(self, board: Board, watcher: Watcher | None = None) -> None:
        """Go on with the board there; a watcher that knows it there notices whether it has moved since.

        The one of pictures of another size is kept for their return.
        """
        before = self._watcher.board
        if before is not None and before.image_size != board.image_size:
            self._former = self._watcher
            self._eye.lying.bumped()
        self._eye.sight.found(board)
        self._watcher = watcher or Watcher(board, self._reader, dice_lay=self._eye.lying.any)

    def _pace(self, frame: Frame) -> list[Sentence]:
        """A sentence while pictures come rarely, none else; said with the first pace, not with each."""
        last, self._last = self._last, frame
        if last is not None and frame.number > last.number:
            pace_s = (frame.at_s - last.at_s) / (frame.number - last.number)
            if pace_s < SLOW_S / 2:
                self._slow = NOTHING
            elif pace_s >= SLOW_S and not self._slow:
                self._slow = say(
                    "It sends a picture only every {pace} s, so dice are seen late.", pace=f"{pace_s:.1f}"
                )
        return [self._slow] if self._slow else []

    def lost(self, why: Sentence) -> None:
        """The camera gives nothing."""
        self._last = None
        if self._showing is not None:
            self._showing.forget()
        self._say_lost(why)

    def _say_lost(self, why: Sentence) -> None:
        self._say(CameraSaid("lost", say("{why} Dice can be typed in meanwhile.", why=why)))

    def end(self) -> None:
        """The recording is over; what is pending is settled."""
        self._eye.tell(self._watcher.finish())
        self._say(CameraSaid("none", say("{name} has ended.", name=self._name)))

    def _say(self, said: CameraSaid) -> None:
        if said != self._said:
            self._said = said
            self._eye.put(said)
