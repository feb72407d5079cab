"""Players: list, pages, names joined, their usual errors, ratings before and after a match, deletion on request."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Any

from companion.records.dice_stats import statistics
from companion.records.ratings import BEGINNING, Rating, Result, ratings
from companion.storage.catalogue import tallies_of
from companion.storage.errors import JournalError, as_journal_error
from companion.storage.listing import Listing, MatchLine, aliases_in, join_names
from sentence import NOTHING, Sentence, say

STUDIED = 50
"""Newest analysed matches whose errors are counted: reading each analysis takes a millisecond."""
OPENING_ROLLS = 6
"""The first rolls of a game, three of each side."""


@dataclass(frozen=True, slots=True)
class Players:
    """What the pages know of players.

    Attributes:
        listing: searches over the archive.
        analysis: the analysis of a match, as `Studies.kept`.
        delete: deletes a match; a sentence why not, else an empty one.
    """

    listing: Listing
    analysis: Callable[[str], Mapping[str, Any] | None]
    delete: Callable[[str], Sentence]

    def all(self) -> Sequence[Mapping[str, Any]]:
        """Every player with matches, results, error rate and rating."""
        rated = self._rated()
        return [
            {
                **line._asdict(),
                "error_rate": 1000 * line.error / line.decisions if line.decisions else None,
                "rating": rated.get(line.name),
            }
            for line in self.listing.players()
        ]

    def one(self, name: str) -> Mapping[str, Any] | None:
        """One player: matches, results against each opponent, error rate and rating over time, errors, dice."""
        aliases = aliases_in(self.listing.folder)
        name = aliases.get(name, name)
        matches = self.listing.matches_of(name)
        if not matches:
            return None
        tallies = tallies_of(self.listing.throws_of(name))
        return {
            "name": name,
            "also": sorted(old for old, new in aliases.items() if new == name),
            "matches": matches,
            "opponents": _opponents(matches),
            "rating": self._rated(course_of=name).get(name),
            "decisions": sum(match.decisions or 0 for match in matches),
            "error": sum(match.error or 0.0 for match in matches),
            "luck": sum(match.luck or 0.0 for match in matches),
            "errors": self._errors(name, aliases, matches),
            "dice": statistics(tallies)["all"] if tallies else None,
        }

    def join(self, old: str, new: str) -> Sentence:
        """Count a name as another one from now on, or by itself again if both are the same; a sentence why not."""
        new = " ".join(new.split())
        if not new:
            return say("A player needs a name.")
        try:
            with as_journal_error(self.listing.folder):
                join_names(self.listing.folder, old, new)
        except JournalError as error:
            return error.sentence
        return NOTHING

    def forget(self, name: str) -> Sentence:
        """Delete all matches of a player; a sentence about the first that cannot be, the others are deleted."""
        failed = NOTHING
        for match in self.listing.matches_of(name, continued=True):
            why = self.delete(match.match)
            failed = failed or why
        if failed:
            return failed
        aliases = aliases_in(self.listing.folder)
        for old in [name, *(old for old, new in aliases.items() if new == name)]:
            why = self.join(old, old)
            failed = failed or why
        return failed

    def rating_change(self, match_id: str) -> list[tuple[str, float, float]]:
        """Each player's rating before and after a match; none if it is not rated."""

        def earlier() -> Iterator[Result]:
            return takewhile(lambda one: one.match != match_id, map(Result._make, self.listing.results()))

        result = next(
            (one for one in map(Result._make, self.listing.results()) if one.match == match_id), None
        )
        if result is None:
            return []
        before, after = ratings(earlier()), ratings(chain(earlier(), [result]))
        return [
            (name, before[name].value if name in before else BEGINNING, after[name].value)
            for name in (result.winner, result.loser)
        ]

    def _rated(self, course_of: str | None = None) -> Mapping[str, Rating]:
        return ratings((Result(*one) for one in self.listing.results()), course_of)

    def _errors(
        self, name: str, aliases: Mapping[str, str], matches: Sequence[MatchLine]
    ) -> list[tuple[str, int, float]]:
        """Kinds of decision with the number of errors and the equity lost by them, the costliest kind first."""
        sums: dict[str, list[float]] = {}
        analysed = [match.match for match in matches if match.decisions]
        for made in filter(None, map(self.analysis, analysed[:STUDIED])):
            for player, given in enumerate(made["report"]["players"]):
                if aliases.get(given, given) != name:
                    continue
                own = [play for play in made["plays"] if play["player"] == player]
                cube = made["report"]["figures"][player]["error_total"] - sum(play["loss"] for play in own)
                lost = [(_kind(play), play["loss"]) for play in own if play["loss"] > 0]
                for kind, loss in [*lost, *([("cube", cube)] if cube > 0.001 else [])]:
                    one = sums.setdefault(kind, [0, 0.0])
                    one[0] += 1
                    one[1] += loss
        return sorted(((kind, int(n), lost) for kind, (n, lost) in sums.items()), key=lambda one: -one[2])


def _kind(play: Mapping[str, Any]) -> str:
    """The kind of a checker play: of those that fit the first."""
    if "bar/" in play["played"] or "bar/" in play["best"]:
        return "entering"
    if "off" in play["best"]:
        return "bearing_off"
    if play["turn"][1] < OPENING_ROLLS:
        return "opening"
    return "doubles" if play["dice"][0] == play["dice"][1] else "middle"


def _opponents(matches: Sequence[MatchLine]) -> list[tuple[str, int, int]]:
    """Each opponent with the number of finished matches against him, and of those won, most first; no chouettes."""
    found: dict[str, list[int]] = {}
    for match in matches:
        if match.over and match.against is not None:
            count = found.setdefault(match.opponent, [0, 0])
            count[0] += 1
            count[1] += match.won
    return sorted(((name, *count) for name, count in found.items()), key=lambda one: (-one[1], one[0]))  # type: ignore[misc]
