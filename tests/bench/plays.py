"""How fast plays are listed, side by side with other engines, and the counted truth three plays deep.

Run as `python -m tests.bench.plays [--rounds N] [--no-perft]`; prints Markdown. The other engines are
development dependencies (`pip install .[bench]`); one that is not there is named as not installed.

Positions a second are those of the development cases: every engine gets all of them once a round, in turn,
so that a machine's mood strikes all alike; each engine's best round counts.
"""

import argparse
import gc
import gzip
import importlib
import importlib.util
import json
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.rules.board import OFF, ROLLS, Position, Roll, checkers_on
from companion.rules.plays import legal_plays, plays_for
from companion.rules.profiles import PROFILES

CASES = Path(__file__).resolve().parents[3] / "shared" / "oracle" / "legal_dev.jsonl.gz"
PERFT = (447, 202_782, 116_154_993)

Engine = Callable[[], None]


def cases() -> list[dict[str, Any]]:
    """The development cases; generated ones, without their answers, where the folder `shared` is missing."""
    if CASES.is_file():
        with gzip.open(CASES, "rt") as lines:
            return [json.loads(line) for line in lines]
    chance = random.Random(4)
    position, found = Position.start(), []
    while len(found) < 5_000:
        roll = chance.choice(ROLLS)
        found.append(
            {"pos": position.ints(), "off": [position.mine[OFF], position.theirs[OFF]], "dice": [*roll]}
        )
        position = chance.choice(list(legal_plays(position, roll))).flipped()
        if position.is_won or position.flipped().is_won:
            position = Position.start()
    return found


def ours_found(asked: list[dict[str, Any]]) -> Engine:
    """All distinct results found, none taken out: what looking one play up costs."""
    given = [(Position.of_ints(one["pos"], one["off"]), Roll.of(*one["dice"])) for one in asked]

    def run() -> None:
        for position, roll in given:
            legal_plays(position, roll)

    return run


def ours_listed(asked: list[dict[str, Any]]) -> Engine:
    """The same, and every result taken out as a Position: what the page and the record do."""
    given = [(Position.of_ints(one["pos"], one["off"]), Roll.of(*one["dice"])) for one in asked]

    def run() -> None:
        for position, roll in given:
            list(legal_plays(position, roll))

    return run


def ours_for_profile(asked: list[dict[str, Any]]) -> Engine:
    """Listed through the call that takes a profile."""
    modern = PROFILES["modern"]
    given = [(Position.of_ints(one["pos"], one["off"]), Roll.of(*one["dice"])) for one in asked]

    def run() -> None:
        for position, roll in given:
            list(plays_for(modern, position, roll))

    return run


def bgsage(asked: list[dict[str, Any]]) -> Engine:
    """The compiled engine, called from Python: lists of 26 ints."""
    possible_moves = importlib.import_module("bgsage").possible_moves
    given = [(one["pos"], *one["dice"]) for one in asked]

    def run() -> None:
        for board, one, other in given:
            possible_moves(board, one, other)

    return run


def _rules_of_gym_backgammon() -> Any:
    """Its rules alone: the package itself would import a window system and an unmaintained gym."""
    package = importlib.util.find_spec("gym_backgammon")
    if package is None or not package.submodule_search_locations:
        raise ImportError("gym_backgammon")
    file = Path(package.submodule_search_locations[0]) / "envs" / "backgammon.py"
    spec = importlib.util.spec_from_file_location("gym_backgammon_rules", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def gym_backgammon(asked: list[dict[str, Any]]) -> Engine:
    """The pure Python engine: sets of move sequences, from a board that is set up beforehand."""
    module = _rules_of_gym_backgammon()
    games = []
    for one in asked:
        game = module.Backgammon()
        game.board = [
            (abs(n), module.WHITE if n > 0 else module.BLACK if n < 0 else None) for n in one["pos"][1:25]
        ]
        game.bar, game.off = [one["pos"][25], -one["pos"][0]], list(one["off"])
        game.players_positions = game.get_players_positions()
        games.append((game, (-one["dice"][0], -one["dice"][1])))

    def run() -> None:
        for game, roll in games:
            game.get_valid_plays(module.WHITE, roll)

    return run


ENGINES: dict[str, tuple[str, Callable[[list[dict[str, Any]]], Engine]]] = {
    "companion, found": ("`legal_plays(position, roll)`", ours_found),
    "companion, listed": ("`list(legal_plays(position, roll))`", ours_listed),
    "companion, by profile": ("`list(plays_for(profile, position, roll))`", ours_for_profile),
    "bgsage (compiled)": ("`possible_moves(board, a, b)`", bgsage),
    "gym-backgammon (Python)": ("`get_valid_plays(player, roll)`", gym_backgammon),
}


def seconds(asked: list[dict[str, Any]], rounds: int) -> dict[str, float | None]:
    """The best round of every engine, in seconds; None for one that is not installed."""
    engines: dict[str, Engine | None] = {}
    for name, (_, make) in ENGINES.items():
        try:
            engines[name] = make(asked)
        except ImportError:
            engines[name] = None
    best: dict[str, float | None] = dict.fromkeys(engines)
    for _ in range(rounds):
        for name, run in engines.items():
            if run is not None:
                begun = time.perf_counter()
                run()
                took = time.perf_counter() - begun
                best[name] = min(took, best[name] or took)
    return best


def speed_table(rounds: int) -> str:
    """Positions a second, and as a share of the compiled engine."""
    asked = cases()
    best = seconds(asked, rounds)
    compiled = best["bgsage (compiled)"]
    rows = [
        "| engine | call timed | positions a second | of the compiled one |",
        "| --- | --- | ---: | ---: |",
    ]
    for name, took in best.items():
        if took is None:
            rows.append(f"| {name} | {ENGINES[name][0]} | not installed | – |")
        else:
            share = f"{compiled / took:.2f}" if compiled else "–"
            rows.append(f"| {name} | {ENGINES[name][0]} | {len(asked) / took:,.0f} | {share} |")
    return "\n".join(rows)


def perft(depth: int) -> Iterator[int]:
    """Plays counted from the opening position, summed over the 21 rolls; a dance counts one."""
    reached = Counter({Position.start(): 1})
    for level in range(depth):
        total = 0
        further: Counter[Position] = Counter()
        for position, times in reached.items():
            for roll in ROLLS:
                plays = legal_plays(position, roll)
                total += times * len(plays)
                if level + 1 < depth:
                    for after in plays:
                        further[after.flipped()] += times
        yield total
        reached = further


def perft_table(depth: int) -> str:
    """Plays counted, beside what they have to be."""
    rows = ["| plays deep | counted | must be | seconds so far |", "| ---: | ---: | ---: | ---: |"]
    begun = time.perf_counter()
    for level, count in enumerate(perft(depth)):
        rows.append(f"| {level + 1} | {count:,} | {PERFT[level]:,} | {time.perf_counter() - begun:.0f} |")
    return "\n".join(rows)


def doublets_worth_fearing() -> list[tuple[Position, Roll]]:
    """Doublets of the entry game with as many results as can be: checkers one by one, few bands against them."""
    chance = random.Random(11)
    found = [(Position(checkers_on(dict.fromkeys(range(10, 25), 1)), checkers_on({0: 15})), Roll.of(4, 4))]
    while len(found) < 40:
        tray = chance.choice((0, 0, 1, 3, 5))
        mine = Counter(chance.sample(range(1, 25), 15 - tray)) if chance.random() < 0.6 else Counter()
        while mine.total() < 15 - tray:
            mine[chance.randint(1, 24)] += 1
        mine[25] = tray
        free = [n for n in range(1, 25) if not mine[n]]
        blots = chance.sample(free, min(len(free), chance.randint(0, 5)))
        theirs = checkers_on({0: 15 - len(blots), **{25 - n: 1 for n in blots}})
        found.append((Position(checkers_on(mine), theirs), Roll.of(*[chance.randint(1, 6)] * 2)))
    return found


def after_table() -> str:
    """How long it takes to say whether one play of a big doublet is legal."""
    entry = PROFILES["spielestart"]
    times_ms, most = [], 0
    feared = doublets_worth_fearing()
    for position, roll in feared:
        listed = plays_for(entry, position, roll, doublets=3)
        results = list(listed)
        most = max(most, len(results))
        asked = {after: after in listed for after in (*results[:: len(results) // 3 or 1], position)}
        del listed, results
        gc.collect()
        for after, legal in asked.items():
            begun = time.perf_counter()
            answer = after in plays_for(entry, position, roll, doublets=3)
            times_ms.append(1_000 * (time.perf_counter() - begun))
            assert answer == legal
    return (
        "| doublets | most results | answers | median ms | worst ms |\n| ---: | ---: | ---: | ---: | ---: |\n"
        f"| {len(feared)} | {most:,} | {len(times_ms)} | {statistics.median(times_ms):.2f} | {max(times_ms):.2f} |"
    )


def report(rounds: int = 7, depth: int = 3) -> str:
    """All tables as Markdown."""
    return "\n\n".join(
        [
            "### Listing every legal play (5,000 development cases, one core, best of the rounds)",
            speed_table(rounds),
            "### One play of an entry-game doublet: legal or not, without listing",
            after_table(),
            "### Counted truth from the opening position",
            perft_table(depth),
        ]
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--no-perft", action="store_true", help="leave the third play out, which takes minutes"
    )
    args = parser.parse_args()
    print(report(args.rounds, 2 if args.no_perft else 3))


if __name__ == "__main__":
    main()
