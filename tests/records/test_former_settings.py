"""A record written while the profiles had more settings is replayed as it was kept."""

import json
from pathlib import Path

from companion.game.history_lines import line_of
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.records.rows import GENESIS, Row, event_of, problems_of
from companion.rules.former import FORMER_SETTINGS
from companion.rules.setting_values import ClockStop, Where

FILE = Path(__file__).resolve().parents[1] / "data" / "records" / "before_former_settings.jsonl"


def old_rows() -> list[Row]:
    return [Row(**json.loads(line)) for line in FILE.read_text("utf-8").splitlines()]


def replayed() -> Table:
    return fold(event_of(row) for row in old_rows())


def test_record_names_all_that_is_former() -> None:
    bodies = "".join(row.body for row in old_rows())
    assert [name for name in (*FORMER_SETTINGS, "between_games") if f'"{name}"' not in bodies] == []


def test_rows_are_whole_and_each_is_an_entry_of_the_table() -> None:
    rows = old_rows()
    assert rows[0].previous == GENESIS
    assert problems_of(rows) == []
    # a change of a former setting changes nothing; left out, it would shift the numbers that corrections name
    assert [entry.number for entry in replayed().entries] == [row.number for row in rows]


def test_match_is_replayed_by_the_settings_that_still_are() -> None:
    table = replayed()
    assert table.state is not None
    profile = table.state.terms.profile
    assert (profile.name, str(profile.title)) == ("wbgf", "WBGF tournament")
    assert profile.clock_stops_for == frozenset(ClockStop)
    assert (profile.jacoby, profile.beaver) == (Where.NEVER, Where.MONEY_PLAY)
    assert (table.state.score.south, table.state.score.north) == (2, 0)


def test_its_history_still_tells_that_a_former_setting_was_changed() -> None:
    entries = replayed().entries
    assert str(line_of(entries[4], entries[3].state)[1]) == "settings: dice"
    assert str(line_of(entries[6], entries[5].state)[1]) == "settings: “Jacoby rule: never”, dice"
