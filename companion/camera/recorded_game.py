"""A recorded game of the program: a film with dice and checkers, played through a live camera's pipeline."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.camera.checkers import CheckerEye, Wanted
from companion.camera.eye import Eye, GameBegins, Look, Played
from companion.camera.recorded import Awaited, Waiting
from companion.game.state import Notice
from companion.rules.board import Board
from companion.settings import MatchSettings
from sentence import say

if TYPE_CHECKING:
    from vision.frame import Bgr, Frame

FILM = Path(__file__).parent / "recorded_game"
"""The folder of the program's film."""
GAME, VIDEO = "game.json", "game.webm"
"""The film's list of shots in its folder, and their pictures: one frame of the video for each."""
FRAME_S = 0.2
"""Time between two frames of the film, in seconds."""
DISPUTE_S = 20.0
"""An illegal play may be ruled on for so long; then the recording goes on, and the play stands."""
ASKED_S = 20.0
"""People are asked for a play so long; then the recording's own is entered."""
HELD_S = 180.0
"""Time for whatever else the table waits for; then the recording begins anew."""
END_S = 60.0
"""The last picture stays for so long: time to look at the summary."""

NOT_RULED = say("Nobody ruled on it: the illegal play stands, and the recording goes on.")
ENDS = say("The recorded game is over; in a minute it begins anew.")
NOT_SAID = say("Nobody said which play it was: that of the recording is entered.")
LEFT = say("The table waits for something else than the recording shows: the recording begins anew.")


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of the film.

    Attributes:
        seconds: how long it stays at least.
        throw: the throw that it is the first to show, as the table awaits it; None without one.
        after: the board after the play of this throw; None for any other shot.
    """

    seconds: float
    throw: Awaited | None
    after: Board | None


@dataclass(frozen=True, slots=True)
class Film:
    """A recorded game: the video with its pictures, its shots in order, and the terms of its match."""

    video: Path
    shots: tuple[Shot, ...]
    match: MatchSettings

    def pictures(self) -> "Iterator[tuple[Shot, Bgr]]":
        """Each shot with its picture, (H, W, 3) uint8; BadPicture if one cannot be read."""
        import cv2
        import numpy as np

        from vision.errors import BadPicture

        video = cv2.VideoCapture(str(self.video))
        try:
            for shot in self.shots:
                done, bgr = video.read()
                if not done:
                    raise BadPicture(f"{self.video} cannot be read, or has too few pictures.")
                yield shot, np.asarray(bgr, np.uint8)
        finally:
            video.release()


def film_in(folder: Path) -> Film:
    """The film in a folder, which tests/support/camera/film_game.py has written."""
    about = json.loads((folder / GAME).read_text("utf-8"))
    shots = (Shot(one["seconds"], _throw_of(one), _after(one)) for one in about["shots"])
    return Film(folder / VIDEO, tuple(shots), MatchSettings(**about["match"]))


def _after(shot: dict[str, Any]) -> Board | None:
    after = shot.get("after")
    return after and Board(tuple(after["south"]), tuple(after["north"]))


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
                _wait_for_reading(eye, wanted)
                eye.report(seen_in(frame, watcher, checkers, whole))

    return look


def _wait_for_reading(eye: Eye, wanted: Wanted) -> None:
    """Stay at this picture while nothing is to be read."""
    while wanted.reads == "off" and not eye.stop.wait(0.05):
        eye.beat()


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
        bgr = after = None
        for shot, picture in self.film.pictures():
            if shot.throw is not None and bgr is not None:
                yield from self._until(shot.throw, bgr, after)
                if not self._fits(shot.throw) and not self.waiting.awaited.disputed:
                    return
            bgr, after = picture, shot.after if shot.throw else after
            yield from self._for(shot.seconds, bgr)
        assert bgr is not None, "a film has shots"
        yield from self._until(None, bgr, after)
        self.eye.report([Notice(ENDS)])
        yield from self._for(END_S, bgr)

    def _until(self, throw: Awaited | None, bgr: "Bgr", after: Board | None) -> "Iterator[Frame]":
        """Stay until the table waits for a throw, for None until the last turn has ended; for a limited time, which is
        said.

        Args:
            throw: the film's next one.
            bgr: the picture that stays.
            after: the board after the turn that it shows.
        """
        disputed_s = asked_s = held_s = 0.0
        while not self._fits(throw):
            now = self.waiting.awaited
            disputed_s, held_s = disputed_s + FRAME_S * now.disputed, held_s + FRAME_S * (not now.disputed)
            asked_s += FRAME_S * now.owed
            if asked_s > ASKED_S and after is not None:
                self.eye.report([Notice(NOT_SAID), Played(after)])
                asked_s = 0.0
            if disputed_s > DISPUTE_S or held_s > HELD_S:
                self.eye.report([Notice(NOT_RULED if now.disputed else LEFT)])
                return
            yield from self._for(FRAME_S, bgr)

    def _fits(self, throw: Awaited | None) -> bool:
        """Whether the table waits for a throw; for None, whether the last turn has ended."""
        now = self.waiting.awaited
        if throw is None:
            return now.over or now.kind is not None
        return (now.kind, now.roller) == (throw.kind, throw.roller)

    def _for(self, seconds: float, bgr: "Bgr") -> "Iterator[Frame]":
        from vision.frame import Frame

        for _ in range(round(seconds / FRAME_S)):
            yield Frame(bgr, self.number * FRAME_S, self.number)
            self.number += 1
