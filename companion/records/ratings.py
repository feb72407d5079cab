"""Ratings by the formula of FIBS, the First Internet Backgammon Server (help formula, 1992).

Everybody begins at 1500. A match to N points moves both by 4 K P sqrt(N), where P is the winner's probability of
losing by the difference D of the ratings, 1 - 1 / (10^(-D sqrt(N) / 2000) + 1), and K = max(1, 5 - experience / 100);
experience counts the points of all matches played. Money play is not rated.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

BEGINNING = 1500.0
SETTLED = 400
"""Experience from which a rating changes at the usual pace; below it is provisional."""


class Result(NamedTuple):
    """A finished match to a length in points."""

    match: str
    winner: str
    loser: str
    length: int


@dataclass(slots=True)
class Rating:
    """A player's rating after some matches; `course`, if asked for, has the rating after each."""

    value: float = BEGINNING
    experience: int = 0
    course: list[float] = field(default_factory=list)

    @property
    def is_provisional(self) -> bool:
        """Whether the rating still moves faster than later."""
        return self.experience < SETTLED

    @property
    def pace(self) -> float:
        """The factor K: 5 for a beginner, 1 from an experience of 400."""
        return max(1.0, 5.0 - self.experience / 100)


def ratings(results: Iterable[Result], course_of: str | None = None) -> dict[str, Rating]:
    """Every player's rating after these matches, oldest first; with the course of one player's, or of none."""
    found: dict[str, Rating] = defaultdict(Rating)
    for _match, winner, loser, length in results:
        won, lost = found[winner], found[loser]
        root = length**0.5
        surprise = 1 - 1 / (10 ** (-(won.value - lost.value) * root / 2000) + 1)
        gain, loss = (4 * rating.pace * root * surprise for rating in (won, lost))
        for name, rating, change in ((winner, won, gain), (loser, lost, -loss)):
            rating.value += change
            rating.experience += length
            if name == course_of:
                rating.course.append(rating.value)
    return dict(found)
