"""The minute after the last checker: how soon after a match's end its summary has everything.

    python -m tests.bench.load.summary [--between SECONDS]

Enters tests/data/matches/gnubg_sample7.mat, a match to seven points, play by play into the real program over HTTP, waits so
long after each game (15 s; people take minutes for one), and asks for the summary page until the analysis is on it. Then
the page's numbers are held against GNU Backgammon's own words about the same record, asked by hand.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from companion.game.state import CubeAction
from companion.records.replay import transcript_in
from companion.records.transcript import CubeDecision, Game, Resignation, RollMade
from companion.service.gnubg import find_gnubg
from tests.support.running import Visitor, companion, settings_file

FILE = Path(__file__).parents[2] / "data" / "matches" / "gnubg_sample7.mat"
SIDES = ("south", "north")
LONGEST_S = 900
LIMIT_S = 60


def enter(visitor: Visitor, game: Game) -> None:
    """Enter a game as the page's taps would."""
    for action in game.actions:
        phase = visitor.state()["phase"]
        match action:
            case RollMade():
                if phase == "opening":
                    high, low = max(action.dice), min(action.dice)
                    throws = (high, low) if action.player == 0 else (low, high)
                    visitor.act("opening", **dict(zip(SIDES, throws, strict=True)))
                else:
                    visitor.act("roll", dice=list(action.dice))
                if visitor.state()["phase"] == "rolled":
                    visitor.act("play", **({"text": action.text} if action.text else {"moves": []}))
                if visitor.state()["phase"] == "played":
                    visitor.act("done")
            case CubeDecision():
                kind = {CubeAction.DOUBLE: "double", CubeAction.TAKE: "take", CubeAction.PASS: "pass"}[action.kind]
                visitor.act(kind)
            case Resignation():
                visitor.act("resign", side=SIDES[action.player], worth=1)
                visitor.act("accept")
            case _:
                pass


def by_hand(record: Path) -> list[float]:
    """GNU Backgammon's error rate of each player, thousandths of a point, from its own statistics of a record."""
    commands = ["set analysis chequerplay evaluation plies 2", "set analysis cubedecision evaluation plies 2"]
    commands = [*commands, "set analysis luckanalysis plies 0", f'import mat "{record}"', "analyse match", "show statistics match"]
    script = record.with_suffix(".commands")
    script.write_text("\n".join([*commands, "quit", "y", ""]), "utf-8")
    said = subprocess.run(
        [find_gnubg(), "-t", "-q", "-c", str(script)], capture_output=True, text=True, check=False, timeout=LONGEST_S
    ).stdout
    line = next(line for line in said.splitlines() if line.startswith("Error rate mEMG") and "/" not in line or "Overall" in line)
    return [float(number) for number in re.findall(r"-?\d+\.\d+", line)[:2]]


def main(between_s: float) -> int:
    """Play, wait, and print one line."""
    games = transcript_in(FILE.read_text("utf-8")).games
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        home = Path(folder)
        with companion("run", "--config", str(settings_file(home)), home=home) as running:
            visitor = running.visitor()
            visitor.act("new_match", length=7, players={"south": "Anna", "north": "Ben"})
            for number, game in enumerate(games):
                if number:
                    time.sleep(between_s)
                    visitor.act("next_game")
                enter(visitor, game)
            state = visitor.state()
            assert state["phase"] == "match_over", state["phase"]
            ended_s, name = time.monotonic(), state["match"]["id"]
            while "<th scope=\"col\">PR</th>" not in (page := visitor.get(f"/matches/{name}/summary")[1].decode()):
                assert time.monotonic() - ended_s < LONGEST_S, "no analysis"
                time.sleep(0.2)
            took_s = time.monotonic() - ended_s
            status, mat = visitor.get(f"/matches/{name}/export/mat")
            assert status == 200
            (home / "match.mat").write_bytes(mat)
            if len(sys.argv) > 1 and os.environ.get("KEEP"):
                Path(os.environ["KEEP"]).write_text(page, "utf-8")
            rows = re.findall(r'<th scope="row">([^<]+)</th><td>([\d.]+)</td><td>([\d.]+)</td>', page)
            shown = [float(rate) for _, _, rate in rows[:2]]
            own = by_hand(home / "match.mat")
            running.kill()
    print(f"{len(games)} games; the summary is complete {took_s:.1f} s after the last play; error rates {shown}, by hand {own}")
    same = all(abs(one - other) <= 0.1 for one, other in zip(shown, own, strict=True))
    return 0 if took_s <= LIMIT_S and same else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load.summary")
    parser.add_argument("--between", type=float, default=15.0, help="seconds after each game")
    sys.exit(main(parser.parse_args().between))
