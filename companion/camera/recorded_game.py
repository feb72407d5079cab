"""A recorded game of the program: a film with dice and checkers, played through a live camera's pipeline."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.camera.checkers import CheckerEye, Wanted
from companion.camera.eye import Eye, GameBegins, Look
from companion.camera.recorded import Awaited, Waiting
from companion.game.state import Notice
from companion.settings import MatchSettings
from sentence import say

if TYPE_CHECKING:
    from vision.frame import Bgr, Frame

FILM = Path(__file__).parent / "recorded_game"
"""The folder of the program's film."""
GAME = "game.json"
"""The film's list of shots, in its folder."""
FRAME_S = 0.2
"""Time between two frames of the film, in seconds."""
DISPUTE_S = 20.0
"""An illegal play may be ruled on for so long; then the recording goes on, and the play stands."""
HELD_S = 180.0
"""Time for whatever else the table waits for; then the recording begins anew."""
END_S = 10.0
"""The last picture stays for so long."""

NOT_RULED = say("Nobody ruled on it: the illegal play stands, and the recording goes on.")
ENDS = say("The recording ends here, in the middle of the game, and begins anew.")
LEFT = say("The table waits for something else than the recording shows: the recording begins anew.")


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of the film.

    Attributes:
        picture: its file.
        seconds: how long it stays at least.
        throw: the throw that it is the first to show, as the table awaits it; None without one.
    """

    picture: Path
    seconds: float
    throw: Awaited | None


@dataclass(frozen=True, slots=True)
class Film:
    """A recorded game: its shots in order, and the terms of its match."""

    shots: tuple[Shot, ...]
    match: MatchSettings


def film_in(folder: Path) -> Film:
    """The film in a folder, which tests/support/camera/film_game.py has written."""
    about = json.loads((folder / GAME).read_text("utf-8"))
    shots = (Shot(folder / one["picture"], one["seconds"], _throw_of(one)) for one in about["shots"])
    return Film(tuple(shots), MatchSettings(**about["match"]))


def _throw_of(shot: dict[str, Any]) -> Awaited | None:
    if "roller" not in shot:
        return None
    return Awaited("turn", shot["roller"]) if shot["roller"] else Awaited("opening")


def play_film(film: Film, waiting: Waiting, wanted: Wanted, speed: float = 1.0, whole: bool = False) -> Look:
    """Play a film over and over, a new match each time; it stays at its picture while the table waits for people.

    Args:
        film: the game.
        waiting: the throw that the table waits for.
        wanted: what is to be read in the pictures.
        speed: factor for the film's pace.
        whole: keep whole pictures of throws, not cropped to the board.
    """

    def look(eye: Eye) -> None:
        from companion.camera.reports import seen_in
        from vision.board.findboard import BoardFinder
        from vision.capture.camera import paced
        from vision.dice.reader import Reader, single_thread
        from vision.watch.watcher import Watcher

        single_thread()
        reader = Reader()
        while not eye.stop.is_set():
            _begin(eye, waiting)
            watcher, checkers = Watcher(None, reader), CheckerEye(wanted)
            for frame in paced(_Projector(film, eye, waiting).frames(), eye.stop, speed):
                eye.beat()
                if watcher.board is None and (board := BoardFinder().find(frame.bgr)) is not None:
                    watcher.place(board)
                eye.board_place.show(frame, watcher.board)
                eye.report(seen_in(frame, watcher, checkers, whole))

    return look


def _loaded(picture: Path) -> "Bgr":
    """A picture of the film, WebP; BadPicture if it cannot be read."""
    import cv2
    import numpy as np

    from vision.errors import BadPicture

    bgr = cv2.imread(str(picture))
    if bgr is None:
        raise BadPicture(f"{picture} cannot be read.")
    return np.asarray(bgr, np.uint8)


def _begin(eye: Eye, waiting: Waiting) -> None:
    """Have a match at its opening throw."""
    if waiting.awaited.kind != "opening":
        eye.report([GameBegins()])
    while waiting.awaited.kind != "opening" and not eye.stop.wait(0.02):
        eye.beat()


@dataclass(slots=True)
class _Projector:
    """Turns shots into frames, and stays at one while the table does not wait for the next throw."""

    film: Film
    eye: Eye
    waiting: Waiting
    number: int = field(default=0, init=False)

    def frames(self) -> "Iterator[Frame]":
        """The film's frames from its beginning; ends early where the table does not come back to it."""
        bgr = None
        for shot in self.film.shots:
            if shot.throw is not None and bgr is not None:
                yield from self._until(shot.throw, bgr)
                if not self._fits(shot.throw) and not self.waiting.awaited.disputed:
                    return
            bgr = _loaded(shot.picture)
            yield from self._for(shot.seconds, bgr)
        assert bgr is not None, "a film has shots"
        yield from self._until(None, bgr)
        self.eye.report([Notice(ENDS)])
        yield from self._for(END_S, bgr)

    def _until(self, throw: Awaited | None, bgr: "Bgr") -> "Iterator[Frame]":
        """Stay until the table waits for a throw, any for None; for a limited time, which is said."""
        disputed_s = held_s = 0.0
        while not self._fits(throw):
            disputed = self.waiting.awaited.disputed
            disputed_s, held_s = disputed_s + FRAME_S * disputed, held_s + FRAME_S * (not disputed)
            if disputed_s > DISPUTE_S or held_s > HELD_S:
                self.eye.report([Notice(NOT_RULED if disputed else LEFT)])
                return
            yield from self._for(FRAME_S, bgr)

    def _fits(self, throw: Awaited | None) -> bool:
        """Whether the table waits for a throw, any for None."""
        now = self.waiting.awaited
        if throw is None:
            return now.kind is not None
        return (now.kind, now.roller) == (throw.kind, throw.roller)

    def _for(self, seconds: float, bgr: "Bgr") -> "Iterator[Frame]":
        from vision.frame import Frame

        for _ in range(round(seconds / FRAME_S)):
            yield Frame(bgr, self.number * FRAME_S, self.number)
            self.number += 1
