"""The program's camera: the loop of each source, and the eye that runs one, which can be exchanged while it runs."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from companion.camera.board_place import BoardPlace
from companion.camera.checkers import Wanted
from companion.camera.eye import CameraReport, Eye, Look, Report
from companion.camera.recorded import THROWS, Waiting, play_throws, recorded_throws
from companion.camera.recorded_game import Film, play_film
from companion.camera.sources import open_as_set, wait_for_camera
from companion.game.state import Level, Notice
from companion.settings import CameraSettings
from sentence import NOTHING, Sentence, say
from vision.capture.source import find_camera, is_live
from vision.errors import BadSource, CameraLost, VisionError

if TYPE_CHECKING:
    from vision.capture.camera import Camera

LOOKED_FOR = CameraReport("none", say("Looking for the camera."))
OPENED = CameraReport("none", say("Opening the camera."))
NO_CAMERA = CameraReport("none", say("Rolls are entered by hand."))
CHANGEABLE = ("auto", "plugged")
"""Values of the setting `camera.source` that leave the choice to the page."""


class OpensCamera(Protocol):
    """Opens a source by its name, as `companion.camera.sources.open_as_set`."""

    def __call__(self, source: str, wanted: CameraSettings, /) -> "Camera":
        """The named source; BadSource if there is none."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop for the eye's thread.

    Attributes:
        look: the loop itself.
        report: the camera's first status.
        place_refusal: why the board cannot be placed in its pictures, empty if it can.
        reads_refusal: why only the dice can be read in them, empty if the checkers can be read too.
    """

    look: Look
    report: CameraReport
    place_refusal: Sentence = NOTHING
    reads_refusal: Sentence = NOTHING


class Loops:
    """Makes the loop of a source.

    Args:
        settings: the camera's settings; what the page has chosen stands in their `source`.
        waiting: the throw that the table waits for, which recorded ones follow.
        wanted: what is to be read.
        warn: takes a notice for people.
        to_user: prints a line for the user who started the program.
        speed: factor for the pace of recordings.
        whole: keep whole pictures of throws, not cropped to the board.
        open_camera: opens a camera.
        find: names the connected camera, None without one; True: ask for the Pi's own, too, which takes seconds.
    """

    def __init__(
        self,
        settings: CameraSettings,
        waiting: Waiting,
        wanted: Wanted,
        warn: Callable[[Notice], None],
        to_user: Callable[[str], None],
        speed: float = 1.0,
        whole: bool = False,
        open_camera: OpensCamera = open_as_set,
        find: Callable[[bool], str | None] = find_camera,
    ) -> None:
        self._settings, self._waiting, self._wanted = settings, waiting, wanted
        self._warn, self._to_user, self._speed, self._whole = warn, to_user, speed, whole
        self._open, self._find = open_camera, find

    def of_settings(self) -> Loop:
        """The loop of the source in the settings, which need not have a camera yet.

        Raises:
            BadSource, CameraLost: there is no such source.
        """
        source = self._settings.source
        if source == "none":
            return Loop(lambda eye: None, NO_CAMERA)
        if source == "recorded":
            return self._recorded(say("Recorded throws are played."))
        if source == "plugged":
            return Loop(wait_for_camera(self._find, self._through), LOOKED_FOR)
        if source != "auto":
            return Loop(self._through(source), OPENED)
        if find_spec("picamera2") is not None:
            # picamera2 takes seconds to answer; the page need not wait for it.
            return Loop(self._look_for_camera, LOOKED_FOR)
        return self._found()

    def of_film(self, film: Film) -> Loop:
        """The loop that plays a recorded game."""
        look = play_film(film, self._waiting, self._wanted, self._speed, self._whole)
        refusal = say("The recorded game comes with a board of its own.")
        return Loop(look, CameraReport("recorded", say("A recorded game is played.")), refusal)

    def opened(self, choice: str, trying: Callable[["Camera"], None]) -> "tuple[str, Loop]":
        """The name and the loop of a source chosen on the page; a camera has given its first picture.

        Args:
            choice: "auto", "none", "recorded", or the name of a live camera (`vision.capture.source`).
            trying: takes the camera before its first picture, to close it where the program ends meanwhile.

        Raises:
            BadSource, CameraLost: it does not open; nothing of it stays open.
        """
        if choice == "none":
            return choice, Loop(lambda eye: None, NO_CAMERA)
        if choice == "recorded":
            return choice, self._recorded(say("Recorded throws are played."))
        source = self.name_of(choice)
        camera = self._open(source, self._settings)
        trying(camera)
        try:
            next(camera.frames())
        except StopIteration:
            camera.close()
            raise CameraLost(say("The camera shows no picture at the moment.")) from None
        except VisionError:
            camera.close()
            raise
        return source, Loop(partial(self._follow, camera), OPENED)

    def name_of(self, choice: str) -> str:
        """The name of the live camera for a choice.

        Raises:
            BadSource, CameraLost: it names none, or none is connected.
        """
        if choice == "auto":
            found = self._find(True)
            if found is None:
                raise CameraLost(say("No camera is plugged in."))
            return found
        if not is_live(choice):
            raise BadSource(f"{choice} is no camera's number or address.")
        return choice

    def _found(self) -> Loop:
        """The loop of the connected camera, else of recorded throws, with a line for the user."""
        source = self._find(True)
        if source is not None:
            return Loop(self._through(source), OPENED)
        text = say("There is no camera: recorded throws are played.")
        self._to_user(str(text))
        return self._recorded(text)

    def _look_for_camera(self, eye: Eye) -> None:
        loop = self._found()
        allow(loop, eye.board_place, self._wanted)
        eye.report([loop.report])
        loop.look(eye)

    def _recorded(self, text: Sentence) -> Loop:
        throws = recorded_throws(THROWS)
        return Loop(
            play_throws(throws, self._waiting, self._speed, whole=self._whole),
            CameraReport("recorded", text),
            say("Recorded throws come with a board of their own."),
            say("In recorded throws only the dice are read."),
        )

    def _through(self, source: str) -> Look:
        """The loop of a source; the eye opens a live one, so that the page need not wait for OpenCV."""
        camera = source if is_live(source) else self._open(source, self._settings)
        return partial(self._follow, camera)

    def _follow(self, camera: "Camera | str", eye: Eye) -> None:
        from companion.camera.live import follow  # loads OpenCV; the page need not wait for it

        if isinstance(camera, str):
            camera = self._open(camera, self._settings)
        place = eye.board_place
        trouble = place.recall()
        if trouble:
            self._warn(Notice(trouble, Level.WARN))
        fixed = bool(self._settings.board)
        follow(camera, place.board, self._speed, fixed, self._whole, self._wanted)(eye)


def allow(loop: Loop, place: BoardPlace, wanted: Wanted) -> None:
    """Set what the page may change about a loop's pictures: the board's place, and what is read."""
    place.refuse(loop.place_refusal)
    wanted.refusal = loop.reads_refusal
    if loop.reads_refusal:
        wanted.reads = "dice"


class EyeHolder:
    """Holds the eye that looks now, and exchanges it; `change` may be called from any thread.

    Attributes:
        eye: the eye that looks now; its board place is its own.
        report: the camera's status at the start.
        fixed: why the camera cannot be changed, empty if it can.
    """

    def __init__(
        self,
        loops: Loops,
        begun: Loop,
        place: Callable[[], BoardPlace],
        wanted: Wanted,
        put: Callable[[Report], None],
        *,
        fixed: Sentence = NOTHING,
    ) -> None:
        """Prepare to look.

        Args:
            loops: makes further loops.
            begun: the first loop.
            place: makes the board's place for a new eye: as the settings or the board file have it.
            wanted: what is to be read.
            put: takes the reports.
            fixed: why the camera cannot be changed, empty if it can.
        """
        self._loops, self._place, self._wanted, self._put = loops, place, wanted, put
        self.fixed, self._reads = fixed, wanted.reads
        self._changing = threading.Lock()
        self._trying: Camera | None = None
        self._closed = False
        self._name = ""
        self.report = begun.report
        self.eye = self._eye_of(begun)

    def start(self) -> None:
        """Begin to look."""
        self.eye.start()

    def turns(self) -> bool:
        """Whether the present eye is alive."""
        return self.eye.turns()

    def stop(self) -> None:
        """Have the present eye end, without waiting for it; none is exchanged any more."""
        self._closed = True
        self.eye.stop.set()
        if self._trying is not None:
            self._trying.close()

    def close(self) -> None:
        """Stop looking; waits up to 1.5 s for the thread."""
        self.stop()
        self.eye.close()

    def change(self, choice: str) -> Sentence:
        """Look through another camera from now on, if it gives a picture; else the present one goes on undisturbed.

        Waits for the new camera's first picture, for some 20 s where it is silent.

        Args:
            choice: as for `Loops.opened`.

        Returns:
            Empty, or a sentence why the camera was not changed.
        """
        if self.fixed:
            return self.fixed
        with self._changing:
            try:
                if not self._is_here(choice):
                    self._exchange(*self._loops.opened(choice, self._try))
            except VisionError as error:
                return error.sentence
            finally:
                self._trying = None
        return NOTHING

    def _is_here(self, choice: str) -> bool:
        """Whether that camera is open already; a second time it could not be opened."""
        if choice in ("none", "recorded"):
            return choice == self._name
        camera = self.eye.camera
        return camera is not None and not self.eye.ended and camera.name == self._loops.name_of(choice)

    def _try(self, camera: "Camera") -> None:
        self._trying = camera
        if self._closed:
            camera.close()

    def _exchange(self, name: str, loop: Loop) -> None:
        """End the present eye, whose late reports are dropped, and start one with this loop."""
        self.eye.close()
        if not self._wanted.refusal:
            self._reads = self._wanted.reads
        self._wanted.reads = self._reads
        self.eye, self._name = self._eye_of(loop), name
        self._put(loop.report)
        if self._closed:
            self.eye.stop.set()
        self.eye.start()

    def _eye_of(self, loop: Loop) -> Eye:
        place = self._place()
        allow(loop, place, self._wanted)
        return Eye(loop.look, self._put, place)
