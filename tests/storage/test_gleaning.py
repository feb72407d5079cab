"""Rows found in bare bytes: each is as it was written, or it is none."""

import random
from contextlib import closing
from pathlib import Path

import pytest

from companion.game.events import Lifted
from companion.storage.gleaning import chains_in, rows_in
from companion.storage.journal import FILE_NAME, Journal
from tests.support.evening import EVENTS, LOG, Evening, evening
from tests.support.selfplay import began


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return evening(tmp_path_factory.mktemp("evening"))


@pytest.mark.parametrize("folder", ["stopped", "killed", "unfolded"])
def test_every_row_is_found_in_its_order_wherever_it_lies(played: Evening, folder: str) -> None:
    lies = getattr(played, folder)
    log = (lies / LOG).read_bytes() if (lies / LOG).exists() else b""
    chains = chains_in((lies / FILE_NAME).read_bytes(), log)
    assert [row for chain in chains for row in chain] == played.rows
    places = {found.place: found.row for found in rows_in((lies / FILE_NAME).read_bytes(), log)}
    assert [places[number] for number in range(1, EVENTS + 1)] == played.rows


def test_pages_that_lie_anywhere_and_twice_give_each_row_once(played: Evening) -> None:
    data = (played.stopped / FILE_NAME).read_bytes()
    pages = [data[at : at + 4096] for at in range(0, len(data), 4096)]
    random.Random(1).shuffle(pages)
    chains = chains_in(b"".join(pages), data[7:])
    assert [row for chain in chains for row in chain] == played.rows


@pytest.mark.parametrize("names", [10, 4000, 4061, 5000, 9000, 30_000])
@pytest.mark.parametrize("lies", ["file", "log"])
def test_row_longer_than_a_page_is_put_together(tmp_path: Path, names: int, lies: str) -> None:
    path = tmp_path / FILE_NAME
    with closing(Journal(path)) as journal:
        rows = [
            journal.append("m", began(3, match_id="m", south="Ä" * (names // 2), north="B" * (names % 7))),
            journal.append("m", Lifted()),
        ]
        if lies == "file":
            journal.fold()
        data, log = path.read_bytes(), path.with_name(LOG).read_bytes()
    assert chains_in(data if lies == "file" else b"", log) == [rows]


def test_bytes_that_only_look_like_a_row_are_none(played: Evening) -> None:
    chance = random.Random(2)
    data = bytearray((played.stopped / FILE_NAME).read_bytes())
    for _ in range(40):
        data[chance.randrange(4096 * 5, len(data))] ^= chance.randrange(1, 256)
    known = set(played.rows)
    found = [one.row for one in rows_in(bytes(data), chance.randbytes(9000) + b"\x81\x0d\x81\x0d" * 50)]
    assert set(found) <= known
    assert EVENTS - 40 <= len(found) < EVENTS
