"""A bump under dice that lie: what was told of them is told once, whatever they look like afterwards."""

from dataclasses import replace

import numpy as np
import pytest

from companion.camera.eye import CameraSaid, Eye, Saw
from vision.board.calibration import Board
from vision.dice.reading import DiceReading, DieReading
from vision.frame import Frame
from vision.watch.watcher import BoardMoved, LiftedSeen, ThrowSeen

FRAME = Frame(np.full((480, 640, 3), 90, np.uint8), 0.0, 0)
BOARD = Board((640, 480), ((40, 30), (600, 30), (600, 450), (40, 450)), (560, 420), 40)
SIX = DieReading(6, 1.0, (400, 200, 420, 220), (410, 210), (90, 30), 0.0, "flat", "right")
FOUR = DieReading(4, 1.0, (500, 300, 520, 320), (510, 310), (190, -70), 0.0, "flat", "right")
BUMP, LOST = BoardMoved(FRAME, BOARD), BoardMoved(FRAME, None)


def at(die: DieReading, x_mm: float, y_mm: float, **more: object) -> DieReading:
    """A die pushed by so much, in a picture that has moved as well."""
    assert die.centre_mm is not None
    x, y = die.centre_mm
    return replace(
        die,
        centre_mm=(x + x_mm, y + y_mm),
        centre_px=(die.centre_px[0] + x_mm + 40, die.centre_px[1] - y_mm + 25),
        **more,  # type: ignore[arg-type]
    )


def told(*seeings: ThrowSeen | LiftedSeen | BoardMoved) -> list[str]:
    """The names of what reaches the table, bumps left out."""
    out: list[str] = []

    def put(what: CameraSaid | Saw) -> None:
        if isinstance(what, Saw):
            out.append(type(what.seeing).__name__)

    eye = Eye(lambda eye: None, put)
    eye.sight.show(FRAME)
    eye.tell(list(seeings))
    return out


def thrown(*dice: DieReading, doubt: bool = False) -> ThrowSeen:
    return ThrowSeen(DiceReading(dice, doubt, True), FRAME)


SEEN = ["ThrowSeen"]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        pytest.param(thrown(SIX, FOUR), thrown(at(SIX, 0, 0), at(FOUR, 0, 0)), id="camera moved, dice lie"),
        pytest.param(thrown(SIX, FOUR), thrown(at(SIX, 14, -9), at(FOUR, 8, 3)), id="dice slid"),
        pytest.param(thrown(SIX, FOUR), thrown(at(SIX, 9, 0, value=3), at(FOUR, 0, 0)), id="turned over"),
        pytest.param(thrown(SIX, FOUR), thrown(at(SIX, 0, 0), doubt=True), id="one is hidden now"),
        pytest.param(
            thrown(replace(SIX, rest="leaning"), FOUR),
            thrown(at(SIX, 3, 3), at(FOUR, 0, 0)),
            id="cocked, fell flat",
        ),
        pytest.param(
            thrown(replace(SIX, value=None), FOUR, doubt=True),
            thrown(at(SIX, 2, 0), at(FOUR, 0, 0)),
            id="unread: people say it",
        ),
    ],
)
def test_bumped_dice_are_not_thrown_once_more(first: ThrowSeen, again: ThrowSeen) -> None:
    assert told(first, BUMP, again) == SEEN
    assert told(first, LOST, BUMP, again, again) == SEEN
    assert told(first, BUMP, again, LiftedSeen(FRAME)) == ["ThrowSeen", "LiftedSeen"]


def test_dice_thrown_after_a_bump_are_told() -> None:
    elsewhere = thrown(at(SIX, -200, 40), at(FOUR, -260, 90))
    assert told(thrown(SIX, FOUR), BUMP, LiftedSeen(FRAME), elsewhere) == [
        "ThrowSeen",
        "LiftedSeen",
        "ThrowSeen",
    ]
    # Lifted while the board was looked for: the turn has ended all the same.
    assert told(thrown(SIX, FOUR), LOST, BUMP, elsewhere) == ["ThrowSeen", "LiftedSeen", "ThrowSeen"]
    assert told(BUMP, thrown(SIX, FOUR)) == SEEN


def test_third_die_after_a_bump_is_told() -> None:
    three = thrown(at(SIX, 0, 0), at(FOUR, 0, 0), at(SIX, -200, 0))
    assert told(thrown(SIX, FOUR), BUMP, three) == ["ThrowSeen", "ThrowSeen"]


def test_without_a_bump_a_new_throw_near_the_last_one_is_told() -> None:
    assert told(thrown(SIX, FOUR), thrown(at(SIX, 14, -9), at(FOUR, 8, 3))) == ["ThrowSeen", "ThrowSeen"]
