"""A chouette through the running program: power fails while answers are awaited; the record, the sheet, the archive."""

import json
from pathlib import Path

from tests.support.running import companion, lasting, one_command, settings_file

FOUR = ["Ann", "Bob", "Cem", "Dora"]


def test_a_chouette_over_http(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor = running.visitor()
        visitor.act("new_match", chouette=FOUR)
        visitor.act("opening", south=3, north=1)
        visitor.act("play", text="8/5 6/5")
        visitor.act("done")
        visitor.act("double")
        state = visitor.act("take", partner="Cem")
        running.kill()
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor = running.visitor()
        assert lasting(visitor.state()) == lasting(state), "the same two answers are awaited"
        assert [one["name"] for one in state["chouette"] if one["asked"]] == ["Bob", "Dora"]
        visitor.act("pass", partner="Bob")
        state = visitor.act("pass", partner="Dora")
        assert state["match"]["players"] == {"south": "Ann", "north": "Cem"}
        visitor.act("resign", side="south", worth=2)
        state = visitor.act("accept")
        assert {one["name"]: one["account"] for one in state["chouette"]} == {
            "Ann": -6,
            "Bob": 1,
            "Cem": 4,
            "Dora": 1,
        }
        state = visitor.act("next_game")
        assert [one["name"] for one in state["chouette"]] == ["Cem", "Bob", "Dora", "Ann"]
        match = state["match"]["id"]
        status, record = visitor.get("/export/json")
        assert status == 200
        assert json.loads(record)["sheet"]["chouette"] == {"Ann": -6, "Bob": 1, "Cem": 4, "Dora": 1}
        for kind in ("mat", "sgf", "ogxm"):
            status, why = visitor.get(f"/export/{kind}")
            assert (status, "Chouette" in str(why)) == (422, True)
        assert visitor.get("/export/zip")[0] == 200
        status, sheet = visitor.get("/sheet")
        assert status == 200
        assert all(name in str(sheet) for name in FOUR)
        assert visitor.get(f"/matches/{match}")[0] == 200
        assert running.stop() == 0
    folder = str(tmp_path / "board-companion")
    assert one_command("verify", "last", "--state", folder).returncode == 0
    told = one_command("stats", "--state", folder)
    assert told.returncode == 0, told.stderr
    refused = one_command("analyse", "last", "--state", folder)
    assert refused.returncode == 2
    assert "does not know Chouette" in refused.stderr
