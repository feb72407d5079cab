"""Random matches through the real GNU Backgammon: winners and scores as it reads them from our files.

`python -m tests.support.records.gnubg_files --matches 200 --seed 1 --interfered` tries as many as one likes and prints
each difference.
"""

import argparse
import random
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from companion.errors import GameError
from companion.game.events import (
    NextGame,
    PenaltyGiven,
    PositionSet,
    ResignationAnswered,
    Resigned,
    TimeRanOut,
)
from companion.game.state import GameOver, MatchOver, OnRoll, Resigning
from companion.game.state_machine import step
from companion.game.table import Table
from companion.records.export import mat_text, sgf_text
from companion.records.to_transcript import player_of
from companion.rules.board import Side
from companion.rules.profiles import PROFILES
from companion.service.gnubg import run_gnubg
from tests.support.selfplay import any_event, began

PROFILE_NAMES = tuple(name for name, profile in PROFILES.items() if profile.start[25] == 0)
"""All rules whose matches a `.mat` or an SGF can hold: all but the entry game."""
LENGTHS = (0, 0, 1, 2, 3, 5, 7, 9)


class Told(NamedTuple):
    """A match as its games' scores, winners and points, its last score, and its winner; player 0 is the first south."""

    games: tuple[tuple[tuple[int, int], int | None, int], ...]
    score: tuple[int, int]
    winner: int | None


def random_matches(rng, count, interfered=False):
    """Matches of all rules in turn; Jacoby's rule holds in matches too in every third round."""
    for at in range(count):
        round_, nth = divmod(at, len(PROFILE_NAMES))
        profile = PROFILE_NAMES[nth]
        jacoby = {"jacoby": "everywhere"} if round_ % 3 == 2 and PROFILES[profile].cube else {}
        yield random_match(rng, profile, interfered, **jacoby)


def random_match(rng, profile, interfered=False, games=3, **changes):
    """The table after a random match; `interfered`: a director sets cube and score, gives penalties, and so on."""
    if PROFILES[profile].cube:
        changes = {
            "cube_beyond_64": False,
            **changes,
        }  # GNU Backgammon 1.07 crashes at a score of 1,540 points
    table = step(Table(), began(rng.choice(LENGTHS), profile, **changes)).table
    while not _is_over(table, games):
        event = any_event(table, rng, 0, 0.05)
        if interfered and rng.random() < 0.02:
            event = _interference(table, rng) or event
        if isinstance(event, Resigned) and table.state.turns < 2:
            continue  # a game given up after a single move shows no score in GNU Backgammon, though it counts
        try:
            table = step(table, event).table
        except GameError:
            continue  # not possible now, as a cube in a game without one
    return table


def _is_over(table, games):
    state = table.state
    done = isinstance(state.phase, GameOver) and state.game >= games and not state.terms.length
    return done or isinstance(state.phase, MatchOver)


def _interference(table, rng):
    """Something beside the play that can happen now, but nothing that ADR 42 excepts; None if nothing can."""
    state, side = table.state, rng.choice(list(Side))
    match state.phase:
        case GameOver():
            return rng.choice([NextGame(swap_seats=True), PenaltyGiven(side, rng.randint(1, 2))])
        case Resigning():
            return ResignationAnswered(True)
        case OnRoll(side=on_roll):
            cube = rng.choice([1, 2, 4, 8])
            south, north = state.board.south, state.board.north
            return rng.choice(
                [
                    PositionSet(
                        cube_value=cube, cube_owner=rng.choice(["south", "north"]) if cube > 1 else "middle"
                    ),
                    PositionSet(south, north, on_roll.other, cube, "middle"),
                    PositionSet(north, south),
                    PositionSet(south_points=rng.randint(0, 4), north_points=rng.randint(0, 4)),
                    Resigned(side, points=rng.choice([0, 1, 2, 3, 4, 6, 8])),
                    PenaltyGiven(side, rng.randint(1, 2)),
                    TimeRanOut(side),
                ]
            )
    return None


def truth(table):
    """The match as the table counted it: its finished games, score and the winner by that score."""
    state = table.state
    games = []
    for log in state.games:
        south, north = log.score.south, log.score.north
        score = (north, south) if log.swapped else (south, north)
        points = log.result.points
        games.append((score, player_of(log, log.result.winner) if points else None, points))
    south, north = state.score.south, state.score.north
    winner = state.score.winner(state.terms.length)
    return Told(
        tuple(games),
        (north, south) if state.swapped else (south, north),
        None if winner is None else (0 if (winner is Side.SOUTH) is not state.swapped else 1),
    )


def read_by_gnubg(tables, folder):
    """For each table what GNU Backgammon reads from its `.mat` and its `.sgf`: {"mat": Told, "sgf": Told}.

    The winners are those of the SGF that it saves. It repeats there what the file says even of a game that it takes for
    unfinished: so each game is read alone too, and the score that it shows afterwards has to have grown as much.
    """
    commands = []
    for at, table in enumerate(tables):
        for kind, text in (("mat", mat_text(table)), ("sgf", sgf_text(table))):
            read = "import mat" if kind == "mat" else "load match"
            for nth, part in enumerate((text, *_alone(text))):
                name = f"{at}.{kind}" if nth == 0 else f"{at}-{nth}.{kind}"
                (folder / name).write_text(part, "utf-8")
                commands += [f'{read} "{name}"', "show score"]
                commands += [f'save match "{at}-{kind}-read.sgf"'] if nth == 0 else []
    lines = run_gnubg(commands, folder, timeout_s=600)
    shown = iter([tuple(map(int, found.groups())) for line in lines if (found := _SHOWN.match(line))])
    for at in range(len(tables)):
        found = {}
        for kind in ("mat", "sgf"):
            score = next(shown)
            alone = [next(shown) for _ in _alone((folder / f"{at}.{kind}").read_text("utf-8"))]
            found[kind] = _told((folder / f"{at}-{kind}-read.sgf").read_text("utf-8"), score, alone)
        yield found
    assert next(shown, None) is None, "a score for each file"


_SHOWN = re.compile(r"The score \(after \d+ games?\) is: Ann (\d+), Bob (\d+)")
_ROOT = re.compile(r"MI\[length:(\d+)\]\[game:\d+\]\[ws:(\d+)\]\[bs:(\d+)\]")


def _alone(text):
    """Each game of a file as a file."""
    if text.startswith("("):
        return re.split(r"^(?=\(;)", text, flags=re.MULTILINE)[1:]
    head, *games = re.split(r"^(?= Game \d+$)", text, flags=re.MULTILINE)
    return [head + game for game in games]


def _told(sgf, score, alone):
    """A match from the SGF that GNU Backgammon saved, the score that it shows, and those after each game alone."""
    games, length = [], 0
    for root, after in zip(re.findall(r"^\(;.*", sgf, re.MULTILINE), alone, strict=True):
        length, *before = map(int, _ROOT.search(root).groups())
        won = re.search(r"RE\[([WB])\+(\d+)", root)
        winner, points = ("WB".index(won[1]), int(won[2])) if won else (None, 0)
        expected = tuple(had + (points if player == winner else 0) for player, had in enumerate(before))
        games.append((tuple(before), winner, points if after == expected else f"{points}, alone {after}"))
    winner = next((player for player in (0, 1) if 0 < length <= score[player]), None)
    return Told(tuple(games), score, winner)


def differences(tables, folder):
    """A sentence for each file from which GNU Backgammon reads another result, score or winner than the table's.

    A game that goes on, and the one that only has the score, come after the finished ones.
    """
    found = []
    for at, (table, read) in enumerate(zip(tables, read_by_gnubg(tables, folder), strict=True)):
        known = truth(table)
        for kind, theirs in read.items():
            if theirs._replace(games=theirs.games[: len(known.games)]) != known:
                found.append(f"{at}.{kind}, {table.state.terms.profile.name}: {known} is read as {theirs}")
    return found


def main():
    """Try random matches, 100 at a time; exit status 1 if one is read wrongly."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--interfered", action="store_true")
    asked = parser.parse_args()
    tables = list(random_matches(random.Random(asked.seed), asked.matches, asked.interfered))
    found = []
    for begin in range(0, len(tables), 100):
        with tempfile.TemporaryDirectory() as folder:
            found += differences(tables[begin : begin + 100], Path(folder))
    games = sum(len(table.state.games) for table in tables)
    print(*found, f"{len(tables)} matches, {games} games, {len(found)} files read wrongly", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
