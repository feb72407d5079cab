"""`make hall` in small: it starts, its tables are on the wall, and it ends in order with nothing behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM
from tests.support.running import PATIENCE_S, Visitor

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)
def test_small_hall_starts_shows_its_tables_and_ends_in_order() -> None:
    command = [sys.executable, "-m", "tests.hall_show", "--tables", "3", "--port", "0"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as hall:
        try:
            assert hall.stdout is not None
            director = Visitor(hall.stdout.readline().strip())
            assert "3 tables play" in hall.stdout.readline()
            there = director.wait(lambda state: len(playing(state)) == 3)
            assert [table["table"] for table in there["tables"]] == ["1", "2", "3"]
            assert [director.get(path)[0] for path in ("/wall", "/desk", "/t/2")] == [200, 200, 200]
            outage = director.wait(lambda state: state["webhook"])["webhook"]
            assert (outage["why"], outage["waiting"] >= 1) == ("status 500", True)
            director.wait(lambda state: not state["webhook"])
            assert "and its correction" in hall.stdout.readline()
            [result] = json.loads(director.get("/results.json")[1])["results"]
            assert result["table"] == "1"
            hall.send_signal(signal.SIGTERM)
            lines, _ = hall.communicate(timeout=2 * PATIENCE_S)
        except BaseException:
            os.killpg(hall.pid, signal.SIGKILL)
            raise
    last = json.loads(lines.splitlines()[-1])
    assert (hall.returncode, last["tables_behind"], last["events"] > 0) == (0, 0, True)
    assert (last["results_taken"], last["results_corrected"]) == (2, 1)
    with pytest.raises(ProcessLookupError):  # hub and broker have ended with it
        os.killpg(hall.pid, 0)


def playing(state: dict) -> list[dict]:
    """The tables that are there with a match."""
    return [
        one for one in state["tables"] if one["status"] == "online" and one["state"] and one["state"]["match"]
    ]
