"""Rulings keep their question, their reason and the one who ruled (docs/rules/tournaments.md, row T18)."""

import json

import pytest

from companion.errors import BadShapeError, GameError
from companion.game.state_machine import fold
from companion.protocol.permissions import Asker
from companion.protocol.view import view_of
from companion.records.export import json_text
from companion.records.rows import GENESIS, event_in, event_of, row_of
from companion.rules.board import Side
from companion.rules.referee import Rest
from companion.service.translate import asker_of
from tests.support.script import Script, event_from
from web.roles import Role, Roles

QUESTION, WHY = "Was the 4 flat?", "It stood on the rim."


def cocked():
    return Script().ready().thrown(6, 4, rest=Rest.LEANING)


def illegal():
    return Script().ready().roll(3, 1).play("13/7", made=True)


def early():
    script = Script(premature_roll="opponent_chooses").ready().roll(3, 1).play("8/5 6/5")
    return script.thrown(6, 4, by=Side.NORTH)


def resigned():
    return Script().ready().do("resign")


DECISIONS = [
    (cocked, {"type": "rule", "void": "by_hand"}, "the throw does not count, it was thrown by hand"),
    (
        cocked,
        {"type": "settings", "overrides": {"die_on_checker": "valid"}},
        "settings: “Die flat on a checker: valid”",
    ),
    (
        cocked,
        {"type": "set_position", "score": {"south": 2}},
        "position, cube or score set",
    ),
    (
        cocked,
        {"type": "set_position", "xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"},
        "position, cube or score set",
    ),
    (
        cocked,
        {
            "type": "set_position",
            "pos": [0, -2, *[0] * 4, 5, 0, 3, *[0] * 3, -5, 5, *[0] * 3, -3, 1, -5, *[0] * 4, 1, 0],
            "on_roll": "south",
            "wrong_start": True,
        },
        "the game was started from a wrong position",
    ),
    (cocked, {"type": "rule", "dice": [6, 4]}, "the throw counts as 6-4"),
    (cocked, {"type": "rule", "ruling": "cocked"}, "the throw does not count"),
    (cocked, {"type": "rule", "penalty": {"to": "north", "points": 2}}, "2 penalty points"),
    (illegal, {"type": "condone"}, "dispute, North: Let it stand"),
    (illegal, {"type": "correct"}, "dispute, North: Take it back"),
    (early, {"type": "accept"}, "dispute, South: The roll stands"),
    (early, {"type": "refuse"}, "dispute, South: Roll again"),
    (resigned, {"type": "accept"}, "accepts the resignation"),
    (resigned, {"type": "refuse"}, "refuses the resignation"),
    (cocked, {"type": "call_director"}, "the director is called"),
]


def rows_of(table):
    rows, previous = [], GENESIS
    for entry in table.entries:
        rows.append(row_of(entry.event, "m", entry.number, previous))
        previous = rows[-1].digest
    return rows


def decided(situation, action, asker=None):
    script = situation()
    given = {**action, "question": QUESTION, "why": WHY}
    return script.take(event_from(given, script.table, asker or Asker("director", name="Anna")))


@pytest.mark.parametrize(
    ("situation", "action", "text"), DECISIONS, ids=lambda one: getattr(one, "__name__", str(one))
)
def test_a_decision_keeps_question_reason_and_who_decided(situation, action, text):
    script = decided(situation, action)
    line = script.view["history"][-1]
    assert (line["by"], line["question"], line["why"]) == ("director: Anna", QUESTION, WHY)
    assert line["text"].startswith(text)
    assert QUESTION in line["text"]
    assert WHY in line["text"]
    again = fold(map(event_of, rows_of(script.table)))
    assert view_of(again, Asker("director"))["history"] == script.view["history"]
    body = json.loads(json_text(rows_of(script.table), script.table))["rows"][-1]["body"]
    assert (body["by"], body["question"], body["why"]) == ("director: Anna", QUESTION, WHY)


def test_without_a_reason_a_line_is_as_short_as_before():
    assert illegal().do("condone").view["history"][-1]["text"] == "dispute, North: Let it stand"


def test_a_reason_alone_and_a_question_alone():
    reason = illegal().do("correct", why="seen at once").view["history"][-1]["text"]
    question = illegal().do("call_director", question="May he?").view["history"][-1]["text"]
    assert (reason, question) == (
        "dispute, North: Take it back (reason: seen at once)",
        "the director is called (question: May he?)",
    )


def test_a_penalty_has_its_own_reason_before_that_of_the_ruling():
    penalty = {"to": "north", "minutes": 11, "why": "car"}
    line = Script().do("rule", penalty=penalty, why="else").view["history"][-1]
    assert line["text"] == "2 penalty points (11 minutes late, car)"


def test_a_correction_of_a_ruling_may_give_it_another_reason():
    script = decided(cocked, {"type": "rule", "dice": [6, 4]})
    to = {"type": "rule", "dice": [6, 3], "why": "the other die"}
    script.do("amend", event=len(script.table.entries), to=to, why="misheard")
    line = script.view["history"][-2]
    assert line["why"] == "the other die"
    assert "reason: the other die" in line["text"]
    assert f"reason: {WHY}" in line["text"]


@pytest.mark.parametrize("field", ["question", "why"])
def test_a_reason_is_a_short_text(field):
    with pytest.raises(BadShapeError, match="at most 200 letters"):
        illegal().do("condone", **{field: "x" * 201})


def test_the_name_on_a_join_code_is_recorded_with_the_role(tmp_path):
    roles = Roles(tmp_path / "roles.json")
    named = asker_of(roles.lookup(roles.issue(Role.DIRECTOR, label="Anna").code))
    nameless = asker_of(roles.lookup(roles.issue(Role.PLAYER, "south").code))
    assert (named.recorded_as, nameless.recorded_as) == ("director: Anna", "player south")


@pytest.mark.parametrize("kind", ["undo", "new_match", "amend"])
def test_an_event_cannot_be_corrected_to_a_step_back_a_match_or_a_correction(kind):
    script = Script().opening(3, 1)
    with pytest.raises(GameError, match=f"“{kind}” cannot be the corrected version of an event"):
        script.do("amend", event=2, to={"type": kind})


def test_records_from_before_reasons_are_read():
    old = '{"at_ms":5,"by":"director","event":"Overruled","roll":[6,4]}'
    event = event_in(old)
    assert (event.roll, event.question, event.why) == ((6, 4), "", "")
