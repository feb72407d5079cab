"""Reports of the watcher's events: throws with a picture to keep, liftings, bumps. Loads OpenCV."""

from collections.abc import Mapping, Sequence

from companion.camera.checkers import CheckerEye
from companion.camera.eye import CameraReport, Report, Saw
from sentence import Sentence, say
from vision.board.calibration import Board
from vision.capture.picture import jpeg_of
from vision.frame import Frame
from vision.watch.blank import Fault
from vision.watch.crop import cropped
from vision.watch.watcher import BoardMoved, Seeing, ThrowSeen, Watcher

FAULT_TEXTS: Mapping[Fault, Sentence] = {
    Fault.FROZEN: say(
        "The camera keeps sending the same picture; unplug it and plug it in again, or restart its app."
    ),
    Fault.BLACK: say("The camera sends only black pictures; is the lens covered or the light off?"),
    Fault.WHITE: say("The camera sends only white pictures; is a light shining into it?"),
    Fault.EMPTY: say("The camera’s pictures show nothing at all; is the lens covered?"),
    Fault.NOISE: say("The camera sends only noise; check its cable and power."),
    Fault.TRUNCATED: say("The camera’s pictures are cut off at the bottom; check its cable and power."),
}


def reports_of(seeings: Sequence[Seeing], board: Board | None, whole: bool) -> list[Report]:
    """The reports of the watcher's events in one frame.

    Args:
        seeings: the events.
        board: the board in the frame, None if its place is unknown.
        whole: keep the whole picture of a throw; False: crop it to the board.
    """
    return [_report_of(seeing, board, whole) for seeing in seeings]


def seen_in(frame: Frame, watcher: Watcher, checkers: CheckerEye, whole: bool) -> list[Report]:
    """The reports of the dice and checkers in a frame: the checkers after lifted dice and before a new throw."""
    seeings, board = watcher.feed(frame), watcher.board
    throws = [one for one in seeings if isinstance(one, ThrowSeen)]
    others = [one for one in seeings if not isinstance(one, ThrowSeen)]
    at = (
        throws[-1].frame if throws else frame
    )  # a throw in doubt is reported when its picture is no longer quiet
    read = checkers.see(at, board, watcher.is_quiet or bool(throws), bool(seeings), bool(throws))
    return [*reports_of(others, board, whole), *read, *reports_of(throws, board, whole)]


def _report_of(seeing: Seeing, board: Board | None, whole: bool) -> Report:
    if isinstance(seeing, BoardMoved):
        if seeing.board is not None:
            text = say("The board or the camera was bumped; the board has been found again.")
            return CameraReport("live", text)
        text = say("The board or the camera has moved, and the board is not in view. Dice can be typed in.")
        return CameraReport("lost", text)
    if not isinstance(seeing, ThrowSeen):
        return Saw(seeing, None)
    kept = seeing if whole else cropped(seeing, board)
    if kept is None:
        return Saw(seeing, None, seeing, board)
    return Saw(kept, jpeg_of(kept.frame.bgr), seeing, board)
