"""What a fault did: one row of the table in docs/RELIABILITY.md. Times are figures; no test fails for them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.running import Visitor


@dataclass
class Outcome:
    """One kind of fault, tried some times.

    Attributes:
        fault: what went wrong.
        how: how it was injected.
        times: how often.
        lost: what was lost, "nothing" as it should be.
        may_lose: what this fault takes with it, whatever the program does.
        slowest_s: the slowest of each thing that was timed, by its name.
        limits_s: what each of them may take; `make faults` fails beyond it, `make test` does not look at it.
    """

    fault: str
    how: str
    times: int = 0
    lost: str = "nothing"
    may_lose: str = "nothing"
    slowest_s: dict[str, float] = field(default_factory=dict)
    limits_s: dict[str, float] = field(default_factory=dict)

    def timed(self, name: str, took_s: float, limit_s: float) -> None:
        """Something took so long, and may take so long."""
        self.slowest_s[name] = max(took_s, self.slowest_s.get(name, 0.0))
        self.limits_s[name] = limit_s

    def late(self) -> list[str]:
        """What took longer than it may, a sentence each."""
        return [
            f"{name} {took_s:.1f} s, more than {self.limits_s[name]:g} s"
            for name, took_s in self.slowest_s.items()
            if took_s > self.limits_s[name]
        ]

    def row(self) -> str:
        """The row of the table."""
        worst = ", ".join(f"{name} {took_s:.1f} s" for name, took_s in self.slowest_s.items())
        return f"| {self.fault} | {self.how} | {self.times} | {self.lost} | {worst} |"


def seconds_until(visitor: Visitor, until: Callable[[dict[str, Any]], object]) -> float:
    """How long it takes until the state is like this."""
    began_s = time.monotonic()
    visitor.wait(until)
    return time.monotonic() - began_s
