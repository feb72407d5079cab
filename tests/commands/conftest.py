"""A state folder with two matches, for the commands about kept matches."""

import random
from hashlib import sha256

import pytest

from companion.game.events import Evidence, RollTyped, Thrown
from companion.game.state import OnRoll
from companion.game.state_machine import step
from companion.game.table import Table
from companion.rules.board import Side
from companion.rules.referee import DieAtRest, Half, Rest
from companion.storage.journal import Journal
from tests.support.selfplay import any_event, began, played_match

JPEG = b"\xff\xd8 a picture of a board \xff\xd9"


def with_pictures(rng, first, folder):
    """A random match whose rolls were seen by the camera, some of them cocked at first."""
    table = step(Table(), first).table
    yield first
    at_ms = first.at_ms
    while len(table.entries) < 60:
        at_ms += 1500
        event = any_event(table, rng, at_ms, 0.0)
        if isinstance(table.state.phase, OnRoll) and isinstance(event, RollTyped):
            half = Half.RIGHT if table.state.phase.side is Side.SOUTH else Half.LEFT
            rest = Rest.LEANING if rng.random() < 0.2 else Rest.FLAT
            dice = (
                DieAtRest(event.roll.high, rest, half, 0.0),
                DieAtRest(event.roll.low, Rest.FLAT, half, 0.0),
            )
            data = JPEG + str(at_ms).encode()
            name = f"{sha256(data).hexdigest()[:32]}.jpg"
            (folder / name).write_bytes(data)
            boxes = ((1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0))
            seen = Evidence(name, sha256(data).hexdigest(), (640, 360), boxes, (0.9, 0.8))
            event = Thrown(dice, evidence=seen, at_ms=at_ms, by="camera")
        table = step(table, event).table
        yield event


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A state folder with two matches: one typed in and finished, one seen by the camera."""
    folder = tmp_path_factory.mktemp("state")
    (folder / "pictures").mkdir()
    journal = Journal(folder)
    first = began(3, at_ms=1_700_000_000_000, match_id="20231114-one", south="Ann", north="Bo <b>")
    for event in played_match(random.Random(2), first):
        journal.append("20231114-one", event)
    second = began(5, at_ms=1_700_100_000_000, match_id="20231116-two")
    for event in with_pictures(random.Random(4), second, folder / "pictures"):
        journal.append("20231116-two", event)
    journal.close()
    return folder
