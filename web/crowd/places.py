"""Places for connections and streams, shared fairly between those who ask for them."""

from collections.abc import Iterator
from typing import Generic, TypeVar

Holder = TypeVar("Holder")


class Places(Generic[Holder]):
    """At most `most` holders, each with a key: the visitor's address, or his join code and address.

    When all places are taken, a key with the most holders gives one up, so that nobody keeps the others out. Not safe
    for several threads at once.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: dict[str, dict[Holder, None]] = {}  # both in the order of arrival
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Holder]:
        return (holder for held in self._held.values() for holder in held)

    @property
    def full(self) -> bool:
        """Whether a newcomer takes a place from somebody."""
        return self._count >= self.most

    def count(self, key: str) -> int:
        """How many places the key has."""
        return len(self._held.get(key, ()))

    def oldest(self) -> Holder:
        """The oldest holder of the key with the most; of several such keys, the one that came first."""
        return next(iter(self._heaviest()))

    def yields(self, key: str) -> Holder | None:
        """`oldest`, if its key has more than `key` would have with one more; else None."""
        heaviest = self._heaviest()
        return next(iter(heaviest)) if len(heaviest) > self.count(key) + 1 else None

    def _heaviest(self) -> dict[Holder, None]:
        return max(self._held.values(), key=lambda held: len(held), default={})

    def enter(self, key: str, holder: Holder) -> None:
        """Give a place to the holder; whether one is free is the caller's business."""
        held = self._held.setdefault(key, {})
        self._count += holder not in held
        held[holder] = None

    def leave(self, key: str, holder: Holder) -> None:
        """Take the holder's place back, if he has one."""
        held = self._held.get(key)
        if held is not None and holder in held:
            del held[holder]
            self._count -= 1
            if not held:
                del self._held[key]
