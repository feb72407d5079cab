"""A recorded game as it was read: the dice and checkers of its quiet pictures, as watcher and reader at once."""

import json
from pathlib import Path

import numpy as np

from companion.inference.views import physical_point
from vision.board.calibration import Board
from vision.checkers.hues import NO_HUES
from vision.checkers.reading import STATES, BoardReading, Look, PointChances
from vision.dice.reading import DiceReading, DieReading
from vision.frame import Frame
from vision.watch.watcher import LiftedSeen, ThrowSeen

GAMES = Path(__file__).parents[2] / "data" / "games"
PLACE = Board((64, 48), ((0, 0), (64, 0), (64, 48), (0, 48)), (520.0, 390.0), 36.0, None)
REST = 20
COLOURS = ((230.0, 230.0, 230.0), (20.0, 20.0, 20.0))


class StoredGame:
    """A recording as it was read: the dice and checkers of its quiet pictures; both watcher and reader."""

    board = PLACE
    is_quiet = False

    def __init__(self, path):
        stored = json.loads(path.read_text())
        self.turns = stored["turns"]
        self._frames = {one["frame"]: one for one in stored["frames"]}

    def frames(self):
        """All frames up to the last stored one, which then stays for four seconds; a number stands for the picture."""
        last = max(self._frames)
        for number in range(last + 1 + REST):
            yield Frame(np.full((48, 64, 3), min(number, last), np.uint8), number * 0.2, number)

    def feed(self, frame):
        stored = self._frames.get(frame.number, {"quiet": frame.number > max(self._frames)})
        self.is_quiet = stored.get("quiet", False)
        return [
            LiftedSeen(frame) if one == "lifted" else ThrowSeen(_dice_of(one), frame)
            for one in stored.get("seen", [])
        ]

    def finish(self):
        return []

    def read(self, bgr, board, look=None):
        stored = self._frames[int(bgr[0, 0, 0])]
        points, bar = (tuple(map(_chances_of, stored[name])) for name in ("points", "bar"))
        return BoardReading(points, bar, COLOURS, board)

    def learn_look(self, pictures, board, points):
        return Look(np.zeros((2, 1)), COLOURS, np.ones(3), NO_HUES)


def _dice_of(stored):
    box, centre = (0.0, 0.0, 9.0, 9.0), (4.0, 4.0)
    dice = (DieReading(box_px=box, centre_px=centre, confidence=1.0, **one) for one in stored["dice"])
    return DiceReading(tuple(dice), stored["doubt"], True)


def _chances_of(stored):
    if stored == "covered":
        return PointChances(np.full(STATES, 1 / STATES), covered=True)
    chances = np.full(STATES, 1e-5)
    chances[[int(k) for k in stored]] = list(stored.values())
    return PointChances(chances / chances.sum())


def map_of(turn, seats):
    """The board after a turn of the truth, which has physical points, as the page draws it."""
    left = turn["after"]
    where = [physical_point(n, seats) - 1 for n in range(1, 25)]
    points = [left["A"][at] - left["B"][at] for at in where]
    bar, off = ({"south": left[one]["A"], "north": left[one]["B"]} for one in ("bar", "off"))
    pinned: dict[str, list[int]] = {"south": [], "north": []}
    waiting = {"south": 0, "north": 0}
    return {
        "points": points,
        "bar": bar,
        "off": off,
        "game": "hitting",
        "pinned": pinned,
        "not_entered": waiting,
    }
