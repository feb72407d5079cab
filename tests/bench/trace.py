"""A call trace: how many files, calls and changes of file of `companion` one message takes.

    python -m tests.bench.trace [TREE]

TREE is another checkout of this repository, older ones from before the packages included. Traced is the way through
the keeper, with a journal on disk and no camera, network or page script: the shape of an action, its event, the
table, the disk, the lamps and the answer. A call counts where the function called is written in `companion`;
a change of file is a call whose function is in another file than that of the call before.
"""

import importlib
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import Any

PLACES = {
    "ActionRequest": ("companion.service.inbox", "companion.keeper"),
    "Backlog": ("companion.storage.fallback", "companion.storage.backlog", "companion.backlog"),
    "CameraReport": ("companion.camera.eye", "companion.eye"),
    "DieReading": ("vision.dice.reading", "vision.reading"),
    "DiceReading": ("vision.dice.reading", "vision.reading"),
    "Journal": ("companion.storage.journal", "companion.journal"),
    "Keeper": ("companion.service.keeper", "companion.keeper"),
    "Desk": ("companion.service.keeper", "companion.keeper"),
    "Pictures": ("companion.storage.pictures", "companion.pictures"),
    "Role": ("web.roles", "web.views"),
    "Saw": ("companion.camera.eye", "companion.eye"),
    "Table": ("companion.game.table", "companion.game.state_machine", "companion.table"),
    "ThrowSeen": ("vision.watch.watcher", "vision.pipeline"),
    "Usual": ("companion.protocol.match_setup", "companion.acts"),
    "Visitor": ("web.roles", "web.views"),
    "WallTime": ("companion.service.inbox", "companion.walltime"),
}
"""The modules in which a name may be found, the newest first."""
FORMER = {"ActionRequest": "Asked", "CameraReport": "CameraSaid"}
"""Names of classes in older trees."""


def part(name: str) -> Any:
    """A class of the traced tree, wherever it is there; StopIteration where none of the known places has it."""
    place = next(place for place in PLACES[name] if _is_there(place))
    module = importlib.import_module(place)
    return getattr(module, name if hasattr(module, name) else FORMER[name])


def _is_there(module: str) -> bool:
    """Whether the traced tree has a module, whatever else is installed."""
    return (Path(sys.path[0]) / f"{module.replace('.', '/')}.py").exists()


class Counted:
    """The calls of one message."""

    def __init__(self, tree: Path) -> None:
        self._root = str(tree / "companion") + "/"
        self._files: list[str] = []

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Take note of a call; for `sys.setprofile`."""
        if event == "call" and frame.f_code.co_filename.startswith(self._root):
            self._files.append(frame.f_code.co_filename)

    def row(self) -> tuple[int, int, int]:
        """How many files, calls, and changes of file there were."""
        changes = sum(one != other for one, other in zip(self._files, self._files[1:], strict=False))
        return len(set(self._files)), len(self._files), changes


class House:
    """A keeper with a journal in a folder, and a scorekeeper and a director before it."""

    def __init__(self, tree: Path, folder: Path, journal: Any) -> None:
        from hardware.buttons import Gestures
        from web.page import Answer, Page

        self._tree = tree
        self.page = Page(lambda visitor, body: Answer(500))
        now = part("WallTime")(wall_s=lambda: 1_000.0, steady_s=lambda: 1_000.0)
        (folder / "pictures").mkdir()
        pictures = part("Pictures")(folder / "pictures", 1 << 20)
        backlog = part("Backlog")(journal)
        desk = part("Desk")(SimpleQueue(), backlog, pictures, self.page, now, part("Usual")())
        desk.gestures = Gestures(("south_cube", "north_cube"), 0.05, 1.5)
        self.gestures = desk.gestures
        self.keeper = part("Keeper")(desk, part("Table")(), 100, part("CameraReport")("none", ""))

    def state(self, role: str = "SCOREKEEPER") -> Any:
        """The state as this role sees it."""
        return self.page.state(part("Visitor")(part("Role")[role]))

    def act(self, kind: str, role: str = "SCOREKEEPER", **more: object) -> None:
        """An action with its answer, from the check of its shape on."""
        body = {"type": kind, "seq": self.page.newest().seq, **more}
        answer: SimpleQueue[Any] = SimpleQueue()
        visitor = part("Visitor")(part("Role")[role])
        self.keeper.handle(part("ActionRequest")(visitor, _read(body), answer))
        done = answer.get_nowait()
        assert done.status == 200, done.sentence

    def throw(self, one: int, other: int) -> None:
        """A throw that the camera has read, in south's half."""
        import numpy as np

        from vision.frame import Frame

        dice = tuple(
            part("DieReading")(
                face, 0.99, (x, 10, x + 9, 19), (x + 4, 14), (100.0, -50.0), 0.5, "flat", "right", True
            )
            for x, face in ((10, one), (40, other))
        )
        frame = Frame(np.zeros((48, 64, 3), np.uint8), 1.0, 1)
        reading = part("DiceReading")(dice, False, True)
        self.keeper.handle(part("Saw")(part("ThrowSeen")(reading, frame), b"jpeg"))

    def press(self, button: str) -> None:
        """A button is pressed and let go."""
        from hardware.buttons import Edge

        at_s = time.monotonic()
        for down in (True, False):
            self.keeper.handle(Edge(button, down, at_s + 0.2 * (not down)))
        self.keeper._press(self.gestures.tick(at_s + 1))

    def counted(self, deed: Callable[[], object]) -> tuple[int, int, int]:
        """The figures of one message."""
        counted = Counted(self._tree)
        sys.setprofile(counted)
        try:
            deed()
        finally:
            sys.setprofile(None)
        return counted.row()


def _read(body: dict[str, object]) -> Any:
    """The action in a body, where the traced tree has types for that; else the body."""
    if not _is_there("companion.protocol.action_shapes"):
        return body
    return importlib.import_module("companion.protocol.action_shapes").read_action(body)


def figures(tree: Path) -> dict[str, tuple[int, int, int]]:
    """Files, calls and changes of file by what happens: a round of two turns, everything loaded by one before it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journal_path = folder if _is_there("companion.storage.lines") else folder / "journal.sqlite"
        with closing(part("Journal")(journal_path)) as journal:
            house = House(tree, folder, journal)
            _round(house)
            return _round(house)


def _round(house: House) -> dict[str, tuple[int, int, int]]:
    found = {}
    house.act("new_match", length=5)
    house.act("opening", south=3, north=1)
    house.act("play", moves=[[8, 5], [6, 5]])
    house.act("done")
    house.act("roll", dice=[6, 5])
    house.act("play", moves=[[24, 18], [18, 13]])
    house.act("done")
    found["a throw"] = house.counted(lambda: house.throw(4, 2))
    found["a page view"] = house.counted(house.state)
    found["a tap: a play with its answer"] = house.counted(lambda: house.act("play", moves=[[8, 4], [6, 4]]))
    found["a button press that ends the turn"] = house.counted(lambda: house.press("south_turn"))
    number = next(line["n"] for line in house.state()["history"] if line["text"].startswith("6-5"))
    found["a correction of an earlier roll"] = house.counted(
        lambda: house.act("amend", "DIRECTOR", event=number, to={"dice": [5, 6]})
    )
    return found


def main(arguments: list[str]) -> None:
    """Print the table for a tree, this one unless another is named."""
    tree = Path(arguments[0] if arguments else Path(__file__).parents[2]).resolve()
    sys.path.insert(0, str(tree))
    print("| | files | calls | changes of file |\n|---|---|---|---|")
    for name, row in figures(tree).items():
        print(f"| {name} | {' | '.join(f'{number:,}' for number in row)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
