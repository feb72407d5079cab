"""Random matches through the real GNU Backgammon: winners and scores as it reads them from our files.

`python -m tests.support.gnubg_files --matches 200 --seed 1` tries as many as one likes and prints each difference.
"""

import argparse
import random
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from companion.errors import GameError
from companion.game.events import NextGame, PenaltyGiven, PositionSet, ResignationAnswered, Resigned, TimeRanOut
from companion.game.state import GameOver, MatchOver, OnRoll, Resigning
from companion.game.step import step
from companion.game.table import Table
from companion.records.export import mat_text, sgf_text
from companion.records.transcribe import player_of
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


def random_match(rng, profile, interfered=False, games=3, **changes):
    """The table after a random match; `interfered`: a director sets cube and score, gives penalties, and so on."""
    table = step(Table(), began(rng.choice(LENGTHS), profile, **changes)).table
    while not _is_over(table, games):
        event = any_event(table, rng, 0, 0.05)
        if interfered and rng.random() < 0.02:
            event = _interference(table, rng) or event
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
    """Something that happens at a table beside the play; None if it does not happen now."""
    state, side = table.state, rng.choice(list(Side))
    match state.phase:
        case GameOver():
            return rng.choice([NextGame(swap_seats=True), PenaltyGiven(side, rng.randint(1, 3))])
        case Resigning():
            return ResignationAnswered(True)
        case OnRoll(side=on_roll):
            cube = rng.choice([1, 2, 4, 8])
            south, north = state.board.south, state.board.north
            return rng.choice(
                [
                    PositionSet(cube_value=cube, cube_owner=rng.choice(["south", "north"]) if cube > 1 else "middle"),
                    PositionSet(south, north, on_roll.other, cube, "middle"),
                    PositionSet(south_points=rng.randint(0, 4), north_points=rng.randint(0, 4)),
                    Resigned(side, points=rng.randint(0, 8)),
                    PenaltyGiven(side, rng.randint(1, 3)),
                    TimeRanOut(side),
                ]
            )
    return None


def truth(table):
    """The match as the table counted it."""
    state = table.state
    games = []
    for log in state.games:
        south, north = log.score.south, log.score.north
        score = (north, south) if log.swapped else (south, north)
        points = log.result.points
        games.append((score, player_of(log, log.result.winner) if points else None, points))
    south, north = state.score.south, state.score.north
    winner = state.phase.winner if isinstance(state.phase, MatchOver) else None
    return Told(
        tuple(games),
        (north, south) if state.swapped else (south, north),
        None if winner is None else (0 if (winner is Side.SOUTH) is not state.swapped else 1),
    )


def read_by_gnubg(tables, folder):
    """For each table what GNU Backgammon reads from its `.mat` and its `.sgf`: {"mat": Told, "sgf": Told}.

    It is judged by the `.mat` that GNU Backgammon writes from what it has read and by the score that it shows, as an SGF
    that it saves repeats the result of the file even where it has not understood the game's end.
    """
    commands = []
    for at, table in enumerate(tables):
        (folder / f"{at}.mat").write_text(mat_text(table), "utf-8")
        (folder / f"{at}.sgf").write_text(sgf_text(table), "utf-8")
        for kind, read in (("mat", "import mat"), ("sgf", "load match")):
            commands += [f'{read} "{at}.{kind}"', "show score", f'export match mat "{at}-{kind}.mat"']
    lines = run_gnubg(commands, folder, timeout_s=600)
    scores = [tuple(map(int, found.groups())) for line in lines if (found := _SHOWN.match(line))]
    assert len(scores) == 2 * len(tables), "a score for each file"
    shown = iter(scores)
    for at in range(len(tables)):
        yield {
            kind: _told((folder / f"{at}-{kind}.mat").read_text("utf-8"), next(shown)) for kind in ("mat", "sgf")
        }


_SHOWN = re.compile(r"The score \(after \d+ games?\) is: Ann (\d+), Bob (\d+)")
_GAME = re.compile(r"^ Game \d+\n Ann : (\d+) +Bob : (\d+)$", re.MULTILINE)
_WINS = re.compile(r"^(?: *\d+\))?(?P<left>.*)\bWins (?P<points>\d+) point", re.MULTILINE)


def _told(text, score):
    """What a `.mat` written by GNU Backgammon says; read here by hand, as our reader makes up for a missing winner."""
    length = int(re.search(r"^ (\d+) point match", text, re.MULTILINE)[1])
    _, *chunks = re.split(r"(?=^ Game \d+$)", text, flags=re.MULTILINE)
    games = []
    for chunk in chunks:
        before, wins = _GAME.match(chunk), _WINS.search(chunk)
        winner = None if wins is None else int(len(wins["left"]) > 20)
        games.append((tuple(map(int, before.groups())), winner, int(wins["points"]) if wins else 0))
    winner = next((player for player in (0, 1) if 0 < length <= score[player]), None)
    return Told(tuple(games), score, winner)
