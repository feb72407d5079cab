"""A recording whose watcher and reader of checkers are scripted: a game as frames that say what is seen in them."""

from dataclasses import dataclass, field

import numpy as np

from companion.game.events import Orientation
from companion.inference.views import MOST, colour_of, physical_counts
from companion.rules.board import BAR, Board, Position, Side
from companion.rules.referee import right_half
from tests.support.camera.stored_game import COLOURS, PLACE
from vision.board.calibration import Board as Place
from vision.checkers.hues import NO_HUES
from vision.checkers.reading import STATES, BoardReading, Look, PointChances
from vision.dice.reading import DiceReading, DieReading
from vision.frame import Frame
from vision.watch.watcher import LiftedSeen, ThrowSeen

SEATS = Orientation("left", "dark")
START = Board(Position.start().mine, Position.start().theirs)


@dataclass
class ScriptedWatcher:
    """Reports what the script says of each frame; without an entry the frame is stirred."""

    script: dict[int, list]
    board: Place | None = PLACE
    is_quiet: bool = False

    def place(self, board):
        self.board = board

    def feed(self, frame):
        self.is_quiet = frame.number in self.script
        return [one(frame) for one in self.script.get(frame.number, [])]

    def finish(self):
        return []


@dataclass
class ScriptedCheckers:
    """Reads the board of each frame, by the level of its pixels; counts what it was taught."""

    boards: list[Board]
    learned: list = field(default_factory=list)

    def read(self, bgr, board, look=None):
        shown = self.boards[int(bgr[0, 0, 0])]
        points = tuple(_point(a or (MOST + b if b else 0)) for a, b in physical_counts(shown, SEATS))
        sides = sorted(Side, key=lambda side: colour_of(side, SEATS))
        a, b = (shown.seen_by(side).mine[BAR] for side in sides)
        return BoardReading(points, (_point(a), _point(MOST + b if b else 0)), COLOURS, board)

    def learn_look(self, pictures, board, points):
        self.learned.append(points)
        return Look(np.zeros((2, 1)), COLOURS, np.ones(3), NO_HUES)


def _point(state):
    chances = np.full(STATES, 0.002 / STATES)
    chances[state] += 0.998
    return PointChances(chances)


def throw(side, values, opening=False):
    """A function that reports a throw in a frame."""
    halves = ("right", "left") if opening else (right_half(side).value,) * 2
    dice = tuple(
        DieReading(value, 1.0, (0.0, 0.0, 9.0, 9.0), (4.0, 4.0), rest="flat", half=half)
        for value, half in zip(values, halves, strict=True)
    )
    return lambda frame: ThrowSeen(DiceReading(dice, False, True), frame)


def recording(game):
    """The frames of a game and the script of its watcher: the start; then for each turn throw, hand, play, lifting."""
    boards, script = [START, START], {0: [], 1: []}
    for number, turn in enumerate(game):
        values = (turn.roll.high, turn.roll.low)
        values = values if turn.side is Side.SOUTH or number else values[::-1]
        boards.append(turn.before)
        script[len(boards) - 1] = [throw(turn.side, values, opening=number == 0)]
        boards += [turn.after, turn.after, turn.after]
        script[len(boards) - 2] = []
        script[len(boards) - 1] = [LiftedSeen]
    frames = [
        Frame(np.full((48, 64, 3), number % 250, np.uint8), number * 0.2, number)
        for number in range(len(boards))
    ]
    return frames, script, boards
