"""Nets of eight-bit numbers answer as those that they were made of, on what they are given while pictures are read."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import net
from vision.board.calibration import load_board
from vision.board.findboard import BoardFinder
from vision.checkers.reader import CheckerReader
from vision.dice.reader import Reader
from vision.net import EIGHT_BIT, by_onnxruntime, load_net

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "vision" / "models"
SHORT = sorted((MODELS / EIGHT_BIT).glob("*.onnx"))
AS_LEARNED = ("changes", "flatness")
"""Nets without a form in eight-bit numbers."""
LEAST_ALIKE = 0.995
"""Correlation of the answers."""
Answers = NDArray[np.float32]

pytest.importorskip("onnxruntime")


def read_some_pictures() -> None:
    """Read a throw, its board given, found and found turned by a quarter, and a photograph without a board."""
    throw = ROOT / "companion" / "camera" / "recorded_throws" / "03_south"
    finder, dice, checkers = BoardFinder(), Reader(), CheckerReader()
    bgr = np.asarray(cv2.imread(str(throw / "frame_02.jpg")), np.uint8)
    turned = np.ascontiguousarray(np.rot90(bgr))
    for picture, board in (
        (bgr, load_board(throw / "board.json")), (bgr, finder.find(bgr)), (turned, finder.find(turned))
    ):  # fmt: skip
        assert board is not None
        dice.read(picture, board)
        checkers.read(picture, board)
    file = ROOT / "tests" / "golden" / "photographs" / "matteop65_five_49.jpg"
    photograph = np.asarray(cv2.imread(str(file)), np.uint8)
    dice.read(photograph)
    assert finder.find(photograph) is None  # after the last net has looked for it


@pytest.fixture(scope="module")
def answers() -> dict[str, list[tuple[Answers, Answers]]]:
    """What each net says in eight-bit numbers and as it was learned."""
    said: dict[str, list[tuple[Answers, Answers]]] = defaultdict(list)

    def both(model: Path) -> Callable[[Answers], Answers]:
        short, learned = by_onnxruntime(model), by_onnxruntime(MODELS / model.name)

        def run(picture: Answers) -> Answers:
            said[model.stem].append((short(picture), learned(picture)))
            return said[model.stem][-1][0]

        return run

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(net, "by_onnxruntime", both)
        read_some_pictures()
    return said


@pytest.mark.parametrize("model", SHORT, ids=lambda model: model.stem)
def test_a_net_answers_as_it_was_learned(
    model: Path, answers: dict[str, list[tuple[Answers, Answers]]]
) -> None:
    short, learned = (np.concatenate([pair[k].ravel() for pair in answers[model.stem]]) for k in (0, 1))
    assert not np.array_equal(short, learned)
    assert np.corrcoef(short, learned)[0, 1] > LEAST_ALIKE


def test_every_net_but_two_has_such_a_form() -> None:
    learned = {path.stem for path in MODELS.glob("*.onnx")}
    assert {path.stem for path in SHORT} == learned - set(AS_LEARNED)


def test_opencv_is_given_the_learned_net(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, str]] = []
    monkeypatch.setattr(net, "by_opencv", lambda model: ran.append(("by_opencv", model.parent.name)))
    monkeypatch.setattr(
        net, "by_onnxruntime", lambda model: ran.append(("by_onnxruntime", model.parent.name))
    )
    load_net(MODELS / "placing.onnx")
    monkeypatch.setattr(net, "onnxruntime", None)
    load_net(MODELS / "placing.onnx")
    assert ran == [("by_onnxruntime", EIGHT_BIT), ("by_opencv", "models")]
