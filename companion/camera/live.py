"""Follows a camera: losses, blank pictures, and the search for the board. Loads OpenCV."""

from collections.abc import Iterator
from contextlib import closing

from companion.camera.board_check import BoardCheck
from companion.camera.board_place import BoardPlace
from companion.camera.checkers import CheckerEye, CheckersSeen, Wanted
from companion.camera.exact_place import ExactPlace
from companion.camera.eye import CameraReport, Eye, Look, Report, lost
from companion.camera.reports import FAULT_TEXTS, reports_of, seen_in
from sentence import NOTHING, Sentence, joined, say
from vision.board.calibration import Board
from vision.board.findboard import BoardFinder
from vision.capture.camera import Camera, paced
from vision.capture.source import without_secret
from vision.dice.reader import Reader, single_thread
from vision.errors import BadBoard, BadPicture, CameraLost
from vision.frame import Frame
from vision.watch.blank import BlankCheck
from vision.watch.watcher import Watcher

FIND_BOARD_S = 3.0
"""Interval between searches for an unknown board; a search takes a tenth of a second on a Pi."""
OTHER_SHAPE_S = 5.0
"""After pictures of another shape for this long the camera was turned for good: the board is looked for in them."""
SLOW_S = 1.5
"""Interval between pictures from which on it is reported, because dice are seen that late."""
OTHER_SHAPE = say(
    "The camera’s pictures have a different shape than before; turn it back, or place the board again on the page."
)

ELSEWHERE = say(
    "The board is not where it was in the picture, or it is another board; place it again in the menu under "
    "“Camera and board”."
)


def follow(
    camera: Camera,
    board: Board | None,
    speed: float = 1.0,
    fixed: bool = False,
    whole: bool = False,
    wanted: Wanted | None = None,
) -> Look:
    """Look through a camera until stopped; each loss and each return is reported once.

    Args:
        camera: the source; a recorded one is played at its own pace.
        board: the known board; None: it is looked for in the picture.
        speed: factor for the pace of a recorded source.
        fixed: the settings give the board's place: no new search when the pictures change their shape, and a board
            found elsewhere is only reported.
        whole: keep whole pictures of throws, not cropped to the board.
        wanted: what is to be read in the pictures; None: the dice.
    """

    def look(eye: Eye) -> None:
        eye.camera = camera
        live = LiveFrames(eye.board_place, camera, board, fixed, whole, wanted)
        with closing(camera):
            while not eye.stop.is_set():
                try:
                    frames = camera.frames()
                    for frame in frames if camera.live else paced(frames, eye.stop, speed):
                        eye.beat()
                        eye.report(live.see(frame))
                except CameraLost as error:
                    eye.report(live.lost(error.sentence))
                    continue
                except BadPicture:
                    if not camera.live:
                        eye.report(live.end())
                    raise
                if not camera.live:
                    eye.report(live.end())
                    return

    return look


class LiveFrames:
    """Turns the frames of one camera into reports, and looks for an unknown board."""

    def __init__(
        self,
        board_place: BoardPlace,
        camera: Camera,
        board: Board | None,
        fixed: bool = False,
        whole: bool = False,
        wanted: Wanted | None = None,
    ) -> None:
        """Load the nets; `board_place` takes the frames, the other arguments are those of `follow`."""
        single_thread()
        self._blank = BlankCheck(camera.name) if camera.live else None  # a recording may hold any picture
        self._board_place, self._camera, self._name = board_place, camera, without_secret(camera.name)
        self._fixed, self._whole = fixed, whole
        self._watcher = Watcher(board, Reader())
        self._wanted = wanted or Wanted()
        self._checkers = CheckerEye(self._wanted)
        self._other_since_s: float | None = None
        self._reported: CameraReport | None = None
        self._looked_s = -FIND_BOARD_S
        self._last: Frame | None = None
        self._slow = NOTHING
        self._check = BoardCheck(board_place.beside)
        self._exact_place = ExactPlace()

    def see(self, frame: Frame) -> Iterator[Report]:
        """The reports of one frame, read with the board at its last place; a blank frame is not read."""
        if self._blank is not None and not self._blank.passes(frame):
            if self._blank.fault is not None:
                yield from self._say(lost(FAULT_TEXTS[self._blank.fault]))
            return
        placed = self._board_place.take_placed()
        if placed is not None:
            self._watcher.place(placed)
            self._check.trust()
            self._exact_place.was_found = False
        board = self._watcher.board
        if board is None:
            self._find_board(frame)
        elif board.image_size != frame.size_px and not self._turned(board, frame):
            self._board_place.show(frame, board)  # so that the page can place the board in it
            yield from self._say(lost(OTHER_SHAPE))
            return
        self._other_since_s = None
        self._board_place.show(frame, self._watcher.board)
        if self._is_elsewhere(frame) and not self._fixed:
            yield from self._say(lost(ELSEWHERE))
            return
        yield from self._say(self._state(frame))
        if self._wanted.reads != "off":
            for one in seen_in(frame, self._watcher, self._checkers, self._whole):
                self._seek_exact_place(one, frame)
                yield one
            exact = self._exact_place.go_on(self._watcher.board) if self._watcher.is_quiet else None
            if exact is not None:
                self._watcher.place(exact)

    def _seek_exact_place(self, seen: Report, frame: Frame) -> None:
        """Begin to look for the board's exact place where the starting position is seen."""
        board, reader = self._watcher.board, self._checkers.reader
        if board is None or reader is None or not isinstance(seen, CheckersSeen):
            return
        if seen.start is not None and not seen.view.covered:
            self._exact_place.begin(reader, frame.bgr, board, seen.start)

    def _state(self, frame: Frame) -> CameraReport:
        """The camera's state while its pictures are read."""
        text, unknown = say("{name} is watching.", name=self._name), NOTHING
        if self._wanted.reads == "off":
            text = say("{name} is connected; nothing is read from it.", name=self._name)
        if self._watcher.board is None:
            unknown = say(
                "The board has not been found yet; bring all of it into the camera’s picture, or place it in the menu "
                "under “Camera and board”."
            )
        elif self._check.is_elsewhere:
            unknown = ELSEWHERE
        found = self._watcher.board is not None or self._wanted.reads == "off"
        if self._camera.live:
            return CameraReport("live", joined(text, self._pace(frame), unknown), found)
        return CameraReport("recorded", joined(text, unknown), found)

    def _turned(self, board: Board, frame: Frame) -> bool:
        """Whether the board's place is known in pictures of this other size; another shape starts a search in time.

        Raises:
            BadBoard: it is unknown, in a recording, which has no former pictures to wait for.
        """
        if self._watcher.go_back(frame.size_px):
            return True
        try:
            self._watcher.place(board.for_picture(frame.size_px))
            return True
        except BadBoard:
            if not self._camera.live:
                raise
        if self._other_since_s is None:
            self._other_since_s = frame.at_s
        lasts = frame.at_s - self._other_since_s >= OTHER_SHAPE_S
        return lasts and not self._fixed and self._find_board(frame)

    def _find_board(self, frame: Frame) -> bool:
        """Look for the board in this frame, if a search is due; whether it was found."""
        if frame.at_s - self._looked_s < FIND_BOARD_S:
            return False
        self._looked_s = frame.at_s
        board = BoardFinder().find(frame.bgr)
        if board is not None:
            self._watcher.place(board)
            self._check.trust()
            self._exact_place.was_found = True
        return board is not None

    def _is_elsewhere(self, frame: Frame) -> bool:
        """Whether the board in a camera's pictures is not where it is known to be; in its place it may prove familiar.

        The finder is not asked about a board that it put beside its place, as it may do so otherwise each time.
        """
        board = self._watcher.board
        if not self._camera.live or board is None or self._exact_place.is_sought_or_found(board):
            return False
        checked = self._check.look(frame, board)
        if checked is not board:
            self._watcher.place(checked)
        return self._check.is_elsewhere

    def _pace(self, frame: Frame) -> Sentence:
        """A sentence while pictures come rarely, else empty; it names the first slow pace, not every new one."""
        last, self._last = self._last, frame
        if last is not None and frame.number > last.number:
            pace_s = (frame.at_s - last.at_s) / (frame.number - last.number)
            if pace_s < SLOW_S / 2:
                self._slow = NOTHING
            elif pace_s >= SLOW_S and not self._slow:
                pace = f"{pace_s:.1f}"
                self._slow = say(
                    "It sends only one picture every {pace} s, so dice are seen late.", pace=pace
                )
        return self._slow

    def lost(self, why: Sentence) -> list[Report]:
        """The reports of a camera without frames, with the reason."""
        self._last = None
        if self._blank is not None:
            self._blank.forget()
        return self._say(lost(why))

    def end(self) -> list[Report]:
        """The reports at the end of a recording, pending ones included."""
        seen = reports_of(self._watcher.finish(), self._watcher.board, self._whole)
        return [*seen, *self._say(CameraReport("none", say("{name} has ended.", name=self._name)))]

    def _say(self, state: CameraReport) -> list[Report]:
        """The report of the camera's state, if it differs from the last one."""
        if state == self._reported:
            return []
        self._reported = state
        return [state]
