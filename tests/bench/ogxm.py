"""Matches to OGXM and back by the reference codec: .venv/bin/python -m tests.bench.ogxm [MATCHES]

Random matches of eight profiles, every other one with illegal plays that stand; money play with beavers and raccoons
everywhere and many doubles. Prints each difference, and the sums.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from companion.errors import GameError
from companion.game.state import CubeTurn, LogEntry, TurnMade
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.records.ogxm.document import document
from companion.records.ogxm.signed import Signer, checked, ogxm_bytes
from companion.rules.family.profiles import ALL_PROFILES
from companion.storage.signing import holds
from tests.support.records.ogxm_file import differences
from tests.support.selfplay import began, played_match, with_illegal_plays

PROFILES = ("modern", "tournament", "usbgf", "wbgf", "nackgammon", "hypergammon", "tavla", "portes")
BEGAN_MS = 1_790_000_000_123


def random_match(seed: int) -> Table:
    """A random match; those with an odd seed have illegal plays."""
    rng = random.Random(seed)
    profile = PROFILES[seed // 2 % len(PROFILES)]
    length = rng.choice((0, 1, 3, 5))
    wild = (
        {} if length or not ALL_PROFILES[profile].cube else {"beaver": "everywhere", "raccoon": "everywhere"}
    )
    first = began(length=length, profile=profile, at_ms=BEGAN_MS, **wild)
    if seed % 2:
        return with_illegal_plays(rng, first)
    return fold(list(played_match(rng, first, cube=0.5 if wild else 0.1)))


def table_signer() -> Signer:
    """A new key."""
    key = Ed25519PrivateKey.generate()
    return Signer(key.public_key().public_bytes_raw().hex(), key.sign)


def faults(table: Table, signer: Signer) -> Iterator[str]:
    """Everything that a match loses on the way to a file and back."""
    found = checked(ogxm_bytes(document(table), signer, BEGAN_MS), holds, signer.key)
    yield from found.problems
    if found.document is not None:
        yield from differences(table, found.document)


def kind_of(entry: LogEntry) -> str:
    """What an entry of a log is, as it is counted."""
    if isinstance(entry, CubeTurn):
        return entry.action.value
    return "illegal play" if isinstance(entry, TurnMade) and entry.fault else "other"


def main(matches: int) -> int:
    """Write and read so many matches."""
    signer, wrong, seed, done, plies, found_of = table_signer(), 0, 0, 0, 0, Counter[str]()
    while done < matches:
        try:
            table = random_match(seed)
        except GameError:  # the random players of illegal plays know no rule by which one cannot stand
            seed += 1
            continue
        found = list(faults(table, signer))
        entries = [one for log in table.state.games for one in log.entries] if table.state else []
        plies += len(entries)
        found_of.update(kind_of(one) for one in entries)
        wrong += len(found)
        for one in found:
            print(f"match {seed}: {one}")
        seed, done = seed + 1, done + 1
    special = ", ".join(f"{found_of[kind]} {kind}s" for kind in ("illegal play", "beaver", "raccoon"))
    print(
        f"{done} matches, {plies} turns and cube actions of finished games ({special}), differences: {wrong}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
