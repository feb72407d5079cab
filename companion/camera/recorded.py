"""Recorded throws of the program, played when the table waits for one."""

import json
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from companion.camera.eye import CameraReport, Eye, Look, Report, Saw
from companion.errors import UserError
from sentence import say

if TYPE_CHECKING:
    from vision.dice.reader import Reader

Kind: TypeAlias = Literal["opening", "turn"]
THROWS = Path(__file__).parent / "recorded_throws"
"""The folder of the program's recorded throws."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """The throw that the table waits for.

    Attributes:
        kind: the throw that is due, of the opening or of a turn; None if none is due.
        roller: the side that throws, "south" or "north"; None in the opening.
        ruling: the ruling on the last throw.
        busy: a roll is being played, so its dice stay on the board.
        disputed: people have to settle a question.
        may_double: the side that throws may turn the cube first.
        over: the game, or the match, is over.
        owed: the dice were lifted, and people are to say which play it was.
    """

    kind: Kind | None = None
    roller: str | None = None
    ruling: str | None = None
    busy: bool = False
    disputed: bool = False
    may_double: bool = False
    over: bool = False
    owed: bool = False


@dataclass(slots=True)
class Waiting:
    """What the table waits for: set in the keeper's thread, read in the eye's.

    Attributes:
        awaited: the awaited throw.
        handled: number of throws and liftings dealt with; counted after `awaited` is set.
    """

    awaited: Awaited = Awaited()
    handled: int = 0


@dataclass(frozen=True, slots=True)
class RecordedThrow:
    """A folder of frames with their board.

    Attributes:
        folder: the frames, in the order of their names.
        board: the board file.
        kind: a turn's throw, or one die from each side.
        roller: the side that throws, "south" or "north"; None for the opening.
        fps: frames per second.
    """

    folder: Path
    board: Path
    kind: Kind = "turn"
    roller: str | None = None
    fps: float = 5.0

    def fits(self, awaited: Awaited) -> bool:
        """Whether this throw is of the kind that is due."""
        return self.kind == awaited.kind and self.roller in (None, awaited.roller)


def recorded_throws(folder: Path) -> list[RecordedThrow]:
    """Every throw in a folder of folders, in the order of their names.

    Each holds its frames, `board.json`, and optionally `throw.json` with `{"kind", "roller", "fps"}`, all of them
    optional.

    Raises:
        UserError: there is no recorded throw, or a `throw.json` is no JSON.
    """
    throws = [_throw(one) for one in sorted(folder.glob("*/")) if (one / "board.json").is_file()]
    if not throws:
        raise UserError(f"There are no recorded throws in {folder}.")
    return throws


def _throw(folder: Path) -> RecordedThrow:
    file = folder / "throw.json"
    try:
        about = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    except ValueError as error:
        raise UserError(f"{file} is no JSON: {error}.") from None
    return RecordedThrow(folder, folder / "board.json", **about)


@dataclass(frozen=True, slots=True)
class Pauses:
    """Pauses of recorded throws, in seconds."""

    before_s: float = 1.5  # after the table began to wait
    doubling_s: float = 6.0  # the same where the cube may be turned first
    again_s: float = 0.5  # the same with nothing to decide: in the opening, after a cocked or unread throw
    cocked_s: float = 2.5  # cocked dice stay before they are picked up
    unread_s: float = 5.0  # unread dice stay, so that somebody can enter their numbers
    played_s: float = 2.0  # after the play: a slip can be taken back


USUAL = Pauses()


def play_throws(
    throws: list[RecordedThrow],
    waiting: Waiting,
    speed: float = 1.0,
    pauses: Pauses = USUAL,
    whole: bool = False,
) -> Look:
    """Play a recorded throw whenever the table waits for one, over and over.

    Args:
        throws: played in turn.
        waiting: the throw that the table waits for.
        speed: factor for the pace of recordings and pauses.
        pauses: times for people to look at the dice.
        whole: keep whole pictures of throws, not cropped to the board.
    """

    def look(eye: Eye) -> None:
        from vision.dice.reader import Reader, single_thread

        single_thread()
        player = _Player(eye, Reader(), waiting, speed, pauses, whole)
        played = Counter[str | None]()  # by the side that throws
        while not eye.stop.is_set():
            eye.beat()
            awaited = waiting.awaited
            throw = choose(throws, awaited, played[awaited.roller])
            if throw is None:
                eye.stop.wait(0.05)
                continue
            nothing_to_decide = awaited.kind == "opening" or awaited.ruling in ("cocked", "unread")
            deciding_s = pauses.doubling_s if awaited.may_double else pauses.before_s
            pause_s = pauses.again_s if nothing_to_decide else deciding_s
            if eye.stop.wait(pause_s / speed) or waiting.awaited != awaited:
                continue
            played[awaited.roller] += 1
            player.play(throw)

    return look


def choose(throws: list[RecordedThrow], awaited: Awaited, played: int) -> RecordedThrow | None:
    """The next throw of the awaited kind, each in turn; None if the table waits for none.

    `played` counts those that were played for the same side before.
    """
    if awaited.kind is None:
        return None
    fitting = [throw for throw in throws if throw.fits(awaited)]
    return fitting[played % len(fitting)] if fitting else None


@dataclass(frozen=True, slots=True)
class _Player:
    """Plays recorded throws through a live camera's pipeline."""

    eye: Eye
    reader: "Reader"
    waiting: Waiting
    speed: float
    pauses: Pauses
    whole: bool

    def play(self, throw: RecordedThrow) -> None:
        """Play one throw, held at its resting dice."""
        from companion.camera.reports import reports_of
        from vision.board.calibration import load_board
        from vision.capture.camera import FolderCamera, paced
        from vision.watch.watcher import Watcher

        eye, watcher = self.eye, Watcher(load_board(throw.board), self.reader)
        frames = FolderCamera(throw.folder, throw.fps).frames()
        seen = 0
        for frame in paced(frames, eye.stop, self.speed):
            eye.beat()
            eye.board_place.show(frame, watcher.board)
            seen += self._report(reports_of(watcher.feed(frame), watcher.board, self.whole), hold=True)
        seen += self._report(reports_of(watcher.finish(), watcher.board, self.whole), hold=False)
        if not seen and not eye.stop.is_set():
            text = say("The recorded throw {name} was not seen.", name=throw.folder.name)
            eye.report([CameraReport("recorded", text)])

    def _report(self, reports: list[Report], hold: bool) -> int:
        """Report, and hold the dice until the table has dealt with it; returns the number of throws and liftings."""
        handled = self.waiting.handled
        self.eye.report(reports)
        seen = sum(isinstance(one, Saw) for one in reports)
        if seen and hold:
            self._hold(handled + seen)
        return seen

    def _hold(self, handled: int) -> None:
        """Let the dice rest until the table has dealt with this number of reports, and the roll is played."""
        eye, waiting, pauses = self.eye, self.waiting, self.pauses
        while waiting.handled < handled and not eye.stop.wait(0.02):
            eye.beat()
        pause_s = {"cocked": pauses.cocked_s, "unread": pauses.unread_s}.get(
            waiting.awaited.ruling or "", 0.0
        )
        until_s = time.monotonic() + pause_s / self.speed
        was_played = False
        while (now := waiting.awaited).busy or (now.kind is not None and time.monotonic() < until_s):
            eye.beat()
            was_played = was_played or now.busy
            if eye.stop.wait(0.05):
                return
        if was_played:
            eye.stop.wait(pauses.played_s / self.speed)
