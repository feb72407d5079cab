"""The minute after the last checker: how soon after a match's end its summary has everything.

    python -m tests.bench.load.summary [--between SECONDS]

Enters tests/data/matches/gnubg_sample7.mat, a match to seven points, play by play into the real program over HTTP,
waits so long after each game (15 s; people take minutes for one), and asks for the summary page until the analysis is
on it. Then the page's numbers are held against GNU Backgammon's own about the same record, asked by hand.
"""

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path

from companion.game.state import CubeAction
from companion.records.replay import transcript_in
from companion.records.transcript import CubeDecision, Game, RollMade, Won
from companion.service.gnubg import run_gnubg
from tests.support.running import Visitor, companion, settings_file

FILE = Path(__file__).parents[2] / "data" / "matches" / "gnubg_sample7.mat"
SIDES = ("south", "north")
LONGEST_S = 900
LIMIT_S = 60
NEAR = 0.15
"""The page's rate and GNU Backgammon's, a loss with a minus, are both rounded to one decimal."""


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
                kind = {CubeAction.DOUBLE: "double", CubeAction.TAKE: "take", CubeAction.PASS: "pass"}[
                    action.kind
                ]
                visitor.act(kind)
            case Won() if phase not in ("game_over", "match_over"):  # the file leaves out how
                worth = action.points // visitor.state()["cube"]["value"]
                visitor.act("resign", side=SIDES[1 - action.player], worth=worth)
                visitor.act("accept")
            case _:
                pass


def by_hand(record: Path) -> dict[str, float]:
    """GNU Backgammon's overall error rate of each player, thousandths of a point, from its own statistics."""
    commands = [
        "set analysis chequerplay evaluation plies 2",
        "set analysis cubedecision evaluation plies 2",
        f'import mat "{record.name}"',
        "analyse match",
        "show statistics match",
    ]
    said = run_gnubg(commands, record.parent, timeout_s=LONGEST_S)
    names = next(line for line in said if line.startswith("Player ")).split()[1:]
    rates = [line for line in said if line.startswith("Error rate mEMG")][-1]
    return dict(zip(names, (float(one) for one in re.findall(r"-?\d+\.\d+(?= +\()", rates)), strict=True))


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
            while '<th scope="col">PR</th>' not in (
                page := visitor.get(f"/matches/{name}/summary")[1].decode()
            ):
                assert time.monotonic() - ended_s < LONGEST_S, "no analysis"
                time.sleep(0.2)
            took_s = time.monotonic() - ended_s
            status, mat = visitor.get(f"/matches/{name}/export/mat")
            assert status == 200
            (home / "match.mat").write_bytes(mat)
            rows = re.findall(r'<th scope="row">([^<]+)</th><td>([\d.]+)</td><td>([\d.]+)</td>', page)
            shown = {name: float(rate) for name, _, rate in rows[:2]}
            own = by_hand(home / "match.mat")
            running.kill()
    print(f"{len(games)} games; the summary is complete {took_s:.1f} s after the last play")
    print(f"error rates: {shown} on the page, {own} by hand")
    same = shown.keys() == own.keys() and all(abs(shown[name] + own[name]) <= NEAR for name in shown)
    return 0 if took_s <= LIMIT_S and same else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load.summary")
    parser.add_argument("--between", type=float, default=15.0, help="seconds after each game")
    sys.exit(main(parser.parse_args().between))
