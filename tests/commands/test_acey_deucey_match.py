"""A whole match of Acey-Deucey through the running program: page, record, archive, statistics."""

import json
import random
from pathlib import Path

from tests.support.running import companion, lasting, next_act, one_command, settings_file


def test_a_whole_match_over_http(tmp_path: Path) -> None:
    file, chance, named = settings_file(tmp_path), random.Random(22), 0
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor = running.visitor()
        state = visitor.act("new_match", length=1, profile="acey_europe")
        while not state["naming"]:
            state = visitor.act(**_act(state, chance))
        running.kill()
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor = running.visitor()
        assert lasting(visitor.state()) == lasting(state), "the question is asked again"
        while state["phase"] != "match_over":
            named += state["naming"]
            state = visitor.act(**_act(state, chance))
        match = state["match"]["id"]
        assert named
        assert state["result"]["how"] == "borne_off"
        status, record = visitor.get("/export/json")
        kinds = [row["kind"] for row in json.loads(record)["rows"]] if status == 200 else []
        assert kinds.count("DoubletNamed") == named
        assert visitor.get("/export/mat")[0] == 422
        assert visitor.get(f"/matches/{match}")[0] == 200
        assert visitor.get(f"/matches/{match}/summary")[0] == 200
        assert running.stop() == 0
    assert one_command("verify", "last", "--state", str(tmp_path / "board-companion")).returncode == 0
    told = one_command("stats", "--state", str(tmp_path / "board-companion"))
    assert told.returncode == 0, told.stderr


def _act(state: dict[str, object], chance: random.Random) -> dict[str, object]:
    """The next action of a player who chooses at random."""
    action = next_act(state, chance.randrange(10_000))
    return {"kind" if key == "type" else key: value for key, value in action.items()}
