"""The other games' generators against their slow statement, their counts from the start, and their pace.

Run as `python -m tests.bench.family [--positions N] [--depth N] [--slow-depth N] [NAME ...]`; prints Markdown, exits
with 1 if the two generators ever differ.
"""

import argparse
import random
import time

from companion.rules.board import Position, Roll
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.plays import plays_for
from companion.rules.profile import Profile
from tests.support.rules.family_boards import (
    PLAYED,
    counts,
    differs,
    random_games,
    random_positions,
    slow_counts,
)

SEED = 22
LISTED = 3_000
"""Positions of random games whose plays are listed for the pace."""


def compared(profile: Profile, positions: int) -> int:
    """The number of random positions on which the generators differ; prints each."""
    asked = random_positions(profile, random.Random(SEED), positions)
    faults = [fault for position, roll in asked if (fault := differs(profile, position, roll))]
    for fault in faults:
        print(fault)
    return len(faults)


def pace_us(profile: Profile) -> float:
    """Microseconds to list all plays of a roll, the best of three rounds over the same random games."""
    asked: list[tuple[Position, Roll]] = random_games(profile, random.Random(SEED), LISTED)
    rounds = []
    for _ in range(3):
        begun = time.perf_counter()
        for position, roll in asked:
            list(plays_for(profile, position, roll))
        rounds.append(time.perf_counter() - begun)
    return min(rounds) / LISTED * 1e6


def main() -> int:
    """Compare, count and time; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*PLAYED, "portes"])
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--slow-depth", type=int, default=2)
    given = parser.parse_args()
    print(f"Listing a roll's plays in the modern game: {pace_us(ALL_PROFILES['modern']):.0f} µs.\n")
    print(
        "| game | positions compared | differing | plays from the start | as the slow statement | µs a roll |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    wrong = 0
    for name in given.names:
        profile = ALL_PROFILES[name]
        differing = compared(profile, given.positions)
        fast, slow = counts(profile, given.depth), slow_counts(profile, given.slow_depth)
        same = fast[: given.slow_depth] == slow[: given.depth]
        wrong += differing + (not same)
        counted = ", ".join(f"{count:,}" for count in fast)
        agreed = f"{'equal' if same else 'DIFFERENT'} to depth {given.slow_depth}"
        row = (
            f"| {name} | {given.positions:,} | {differing} | {counted} | {agreed} | {pace_us(profile):.0f} |"
        )
        print(row, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
