"""Matches to OGXM and back by the reference codec: .venv/bin/python -m tests.bench.ogxm [MATCHES]

Random matches of eight profiles, every other one with illegal plays that stand; prints each difference, and the sum.
"""

import random
import sys
from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from companion.errors import GameError
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.records.ogxm.document import document
from companion.records.ogxm.signed import Signer, checked, ogxm_bytes
from companion.storage.signing import holds
from tests.support.records.ogxm_file import differences
from tests.support.selfplay import began, played_match, with_illegal_plays

PROFILES = ("modern", "tournament", "usbgf", "wbgf", "nackgammon", "hypergammon", "tavla", "portes")
BEGAN_MS = 1_790_000_000_123


def random_match(seed: int) -> Table:
    """A random match; those with an odd seed have illegal plays."""
    rng = random.Random(seed)
    profile = PROFILES[seed // 2 % len(PROFILES)]
    first = began(length=rng.choice((0, 1, 3, 5)), profile=profile, at_ms=BEGAN_MS)
    return with_illegal_plays(rng, first) if seed % 2 else fold(list(played_match(rng, first)))


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


def main(matches: int) -> int:
    """Write and read so many matches."""
    signer, wrong, seed, done, plies = table_signer(), 0, 0, 0, 0
    while done < matches:
        try:
            table = random_match(seed)
        except GameError:  # the random players of illegal plays know no rule by which one cannot stand
            seed += 1
            continue
        found = list(faults(table, signer))
        plies += sum(len(log.entries) for log in table.state.games) if table.state else 0
        wrong += len(found)
        for one in found:
            print(f"match {seed}: {one}")
        seed, done = seed + 1, done + 1
    print(f"{done} matches, {plies} turns and cube actions of finished games, differences: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
