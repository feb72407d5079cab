"""The way back from a match begun by mistake: the one before goes on as it was, in play and after a start."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.game.table import Table
from companion.records.rows import event_of
from companion.service.archive.former import FormerMatch
from companion.storage.archive import Archive, verify_all
from companion.storage.fallback import Backlog
from companion.storage.journal import Journal
from companion.storage.recovery import open_journal
from companion.storage.signing import read_statements
from tests.support.real_page import RealTable
from web.roles import Role, Visitor


@pytest.fixture
def table(tmp_path: Path):
    one = RealTable(tmp_path / "table")
    yield one
    one.close()


def shown(table: RealTable) -> dict[str, object]:
    changing = {"seq", "notices"}
    state = {name: value for name, value in table.state().items() if name not in changing}
    return {**state, "match": {**state["match"], "signed": None}}  # another match after it signs its head


def played(table: RealTable, over: bool) -> None:
    """A match in the middle of a game, or over."""
    table.begin(length=1)
    table.do("play", moves=[[24, 18], [13, 9]])
    table.do("done")
    if over:
        table.do("resign", side="north", worth=1)
        table.do("accept")


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
@pytest.mark.parametrize("begun", [1, 2])
def test_former_match_is_resumed_as_it_was(table: RealTable, tmp_path: Path, over: bool, begun: int) -> None:
    played(table, over)
    before = shown(table)
    for _ in range(begun):
        table.do("new_match", length=9, players={"south": "Ida", "north": "Ben"})
    assert "resume" in table.state()["may"]
    table.do("resume")
    assert shown(table) == before
    table.do("undo")
    with closing(Archive(tmp_path / "table")) as archive:
        assert [match.match_id for match in archive.matches()] == [before["match"]["id"]]
        assert list(verify_all(archive)) == []


def test_nothing_stays_signed_of_matches_that_were_begun_by_mistake(table: RealTable, tmp_path: Path) -> None:
    played(table, over=True)
    match_id = table.state()["match"]["id"]
    for _ in range(3):
        table.do("new_match", length=9)
    about = [one.match for one in read_statements(tmp_path / "table")[0] if one.about == "match"]
    assert len(set(about)) == 3
    table.do("resume")
    statements, bad = read_statements(tmp_path / "table")
    assert ({one.match for one in statements if one.about == "match"}, bad) == ({match_id}, 0)
    table.do("new_match", length=3)
    assert table.state()["match"]["signed"] is None


def test_there_is_no_way_back_once_the_first_roll_is_there(table: RealTable) -> None:
    played(table, over=False)
    table.do("new_match", length=9)
    table.do("opening", south=3)
    assert "resume" not in table.state()["may"]
    answer = table.act(Visitor(Role.DIRECTOR), {"type": "resume", "seq": table.seq})
    assert answer.status == 422
    table.do("undo")
    assert "resume" not in table.state()["may"], "a roll stays in the record, also one taken back"


def test_only_those_who_may_begin_a_match_may_take_it_back(table: RealTable) -> None:
    played(table, over=False)
    table.do("new_match", length=9)
    for role in (Role.VIEWER, Role.PLAYER):
        assert table.act(Visitor(role, None), {"type": "resume", "seq": table.seq}).status == 403
    assert "resume" in table.state(Visitor(Role.SCOREKEEPER))["may"]


def test_first_match_has_none_before_it(table: RealTable) -> None:
    table.do("new_match", length=9)
    assert "resume" not in table.state()["may"]
    assert table.act(Visitor(Role.DIRECTOR), {"type": "resume", "seq": table.seq}).status == 422


def test_match_begun_on_a_full_disk_is_taken_back_unwritten(table: RealTable, tmp_path: Path) -> None:
    played(table, over=False)
    before = shown(table)
    table.journal.full = True
    table.do("new_match", length=9)
    table.do("resume")
    table.journal.full = False
    table.do("call_director")
    assert table.state()["match"]["id"] == before["match"]["id"]
    with closing(Archive(tmp_path / "table")) as archive:
        assert [match.match_id for match in archive.matches()] == [before["match"]["id"]]


def test_former_match_is_known_after_a_start(table: RealTable, tmp_path: Path) -> None:
    played(table, over=True)
    former = table.keeper.table
    table.do("new_match", length=9)
    table.do("new_match", length=11)
    table.close()
    journal, present, _ = open_journal(tmp_path / "table")
    with closing(journal):
        found = FormerMatch(Backlog(journal), present)
        assert found.table == former
        assert found.take(present) == former
        assert journal.last_match_id == former.state.terms.match_id
    with closing(Journal(tmp_path / "table")) as again:
        assert [event_of(row) for row in again.rows(again.last_match_id or "")] == [
            entry.event for entry in former.entries
        ]


def test_no_former_match_of_an_empty_journal(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        assert FormerMatch(Backlog(journal), Table()).table is None
