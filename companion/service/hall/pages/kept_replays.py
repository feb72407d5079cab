"""The replays that were asked for last, for all who ask for the same; so many steps and no more."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Seen: TypeAlias = tuple[str, str, int, bool]
"""Table, match, number of its last event, and whether all of it is shown."""
MOST_STEPS = 10_000
"""Steps kept of all replays. One has 2.6 kB and a match some hundreds, so this is 26 MB; the last replay is kept
whatever its length, as all spectators of a table ask for it at the same moment."""


class KeptReplays:
    """Replays in the order in which they were asked for. Not safe for several threads at once."""

    def __init__(self) -> None:
        self._kept: dict[Seen, Mapping[str, Any]] = {}

    @property
    def steps(self) -> int:
        """How many steps are kept."""
        return sum(len(one["steps"]) for one in self._kept.values())

    def get(self, seen: Seen, made: Callable[[], Mapping[str, Any] | None]) -> Mapping[str, Any] | None:
        """The replay, made if it is not kept; None if there is none, which is not kept."""
        replay = self._kept.pop(seen, None) or made()
        if replay is None:
            return None
        self._kept[seen] = replay
        while len(self._kept) > 1 and self.steps > MOST_STEPS:
            del self._kept[next(iter(self._kept))]
        return replay

    def forget(self) -> None:
        """Forget all of them."""
        self._kept.clear()
