"""What was read in a recording, kept so that its game can be followed once more without reading any picture anew."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from companion.camera.checkers import Reader
from companion.service.checkers.following import Watching
from companion.storage.wholefile import write_whole
from vision.board.calibration import Board
from vision.capture.picture import jpeg_of, load_picture
from vision.checkers.reading import BoardReading, Counts, Look
from vision.frame import Bgr, Frame
from vision.watch.watcher import Seeing

_Key: TypeAlias = tuple[int, int]
"""The number of a frame, and that of the look with which it was read, 0 for none."""


@dataclass(frozen=True, slots=True)
class _Step:
    """What the watcher reported of one frame, and how it stood after it."""

    frame: Frame
    seeings: tuple[Seeing, ...]
    is_quiet: bool
    board: Board | None
    last: bool = False


@dataclass(slots=True)
class Tape:
    """A watcher and a reader of checkers, and what they have reported: stands in the place of both.

    Attributes:
        watcher: of the recording's frames.
        checkers: reads the quiet pictures.
        folder: takes the pictures that were read, as JPEG files named by their frame.
    """

    watcher: Watching
    checkers: Reader
    folder: Path
    _steps: list[_Step] = field(default_factory=list)
    _blanks: dict[int, Frame] = field(default_factory=dict)
    _here: dict[int, int] = field(default_factory=dict)
    _readings: dict[_Key, BoardReading] = field(default_factory=dict)
    _looks: list[tuple[int, tuple[Counts, ...], Look]] = field(default_factory=list)

    @property
    def board(self) -> Board | None:
        """The place of the board, None while it is unknown."""
        return self.watcher.board

    @property
    def is_quiet(self) -> bool:
        """Whether nothing moved in the last frame."""
        return self.watcher.is_quiet

    def place(self, board: Board) -> None:
        """Use the board at this place; the readings with a former one of the same frame do not count."""
        self.watcher.place(board)

    def feed(self, frame: Frame) -> Sequence[Seeing]:
        """Take a frame; returns what has happened."""
        return self._noted(self.watcher.feed(frame), frame)

    def finish(self) -> Sequence[Seeing]:
        """What is pending at the end of the source."""
        end = self._steps[-1].frame
        return self._noted(self.watcher.finish(), end, last=True)

    def _noted(self, seeings: Sequence[Seeing], frame: Frame, last: bool = False) -> Sequence[Seeing]:
        """Keep a step, if anything has changed."""
        self._here = {id(one.bgr): one.number for one in (frame, *(seeing.frame for seeing in seeings))}
        before = self._steps[-1] if self._steps else None
        same = before is not None and (before.is_quiet, before.board) == (self.is_quiet, self.board)
        if seeings or last or not same:
            kept = tuple(replace(one, frame=self._blank(one.frame)) for one in seeings)
            self._steps.append(_Step(self._blank(frame), kept, self.is_quiet, self.board, last))
        return seeings

    def _blank(self, frame: Frame) -> Frame:
        """A frame of the same number and time without its picture."""
        return self._blanks.setdefault(
            frame.number, Frame(np.zeros((1, 1, 3), np.uint8), frame.at_s, frame.number)
        )

    def read(self, bgr: Bgr, board: Board, look: Look | None = None) -> BoardReading:
        """Read a picture, (H, W, 3) uint8, of the frame that was just fed; it is kept."""
        number = self._here[id(bgr)]
        if not self._picture(number).exists():
            write_whole(self._picture(number), jpeg_of(bgr))
        reading = self.checkers.read(bgr, board, look)
        self._readings[number, self._number_of(look)] = reading
        return reading

    def learn_look(self, pictures: Sequence[Bgr], board: Board, points: Sequence[Counts]) -> Look:
        """What the checkers look like, from pictures of a known position; it is kept."""
        look = self.checkers.learn_look(pictures, board, points)
        self._looks.append((self._here[id(pictures[0])], tuple(points), look))
        return look

    def _number_of(self, look: Look | None) -> int:
        return next((n for n, (_, _, one) in enumerate(self._looks, 1) if one is look), 0)

    def _picture(self, number: int) -> Path:
        return self.folder / f"{number:06}.jpg"

    def at_s(self, number: int) -> float:
        """The time of a frame that was read, in seconds of the recording."""
        return self._blanks[number].at_s

    def jpeg(self, number: int) -> bytes | None:
        """The picture of a frame that was read; None for any other."""
        file = self._picture(number)
        return file.read_bytes() if file.exists() else None

    def again(self) -> "TapeAgain":
        """Watcher and reader that report the same once more."""
        return TapeAgain(self)


@dataclass(slots=True)
class TapeAgain:
    """Reports what a tape holds, step by step: a watcher and a reader of checkers.

    Attributes:
        tape: what was read.
        board: the place of the board at this step.
        is_quiet: whether nothing moved in it.
    """

    tape: Tape
    board: Board | None = None
    is_quiet: bool = False
    _step: _Step | None = None

    def frames(self) -> Iterator[tuple[Frame, bool]]:
        """The frames of the steps, without pictures, and whether the recording ends there."""
        for step in self.tape._steps:
            self._step = step
            yield step.frame, step.last

    def place(self, board: Board) -> None:
        """Use the board at this place, until the next step."""
        self.board = board

    def feed(self, frame: Frame) -> Sequence[Seeing]:
        """What was reported of the step's frame."""
        return self._told()

    def finish(self) -> Sequence[Seeing]:
        """What was pending at the end."""
        return self._told()

    def _told(self) -> Sequence[Seeing]:
        assert self._step is not None, "frames() goes on to a step"
        self.board, self.is_quiet = self._step.board, self._step.is_quiet
        return self._step.seeings

    def read(self, bgr: Bgr, board: Board, look: Look | None = None) -> BoardReading:
        """The reading of a frame; its picture is read where a game now begins or ends elsewhere than before."""
        tape, number = self.tape, self._number(bgr)
        key = number, tape._number_of(look)
        if key not in tape._readings:
            tape._readings[key] = tape.checkers.read(load_picture(tape._picture(number)), board, look)
        return tape._readings[key]

    def learn_look(self, pictures: Sequence[Bgr], board: Board, points: Sequence[Counts]) -> Look:
        """What the checkers look like in a frame, as it was learned."""
        tape, number, known = self.tape, self._number(pictures[0]), tuple(points)
        found = next(
            (look for frame, counts, look in tape._looks if (frame, counts) == (number, known)), None
        )
        if found is None:
            found = tape.checkers.learn_look([load_picture(tape._picture(number))], board, points)
            tape._looks.append((number, known, found))
        return found

    def _number(self, bgr: Bgr) -> int:
        assert self._step is not None, "frames() goes on to a step"
        frames = (self._step.frame, *(one.frame for one in self._step.seeings))
        return next(one.number for one in frames if one.bgr is bgr)
