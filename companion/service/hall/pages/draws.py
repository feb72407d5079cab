"""The draw on the director's page: an event's next round is proposed, and becomes a list of pairings when taken."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from companion.errors import GameError, UserError
from companion.hall.protocol.draw import (
    INSTALL_SWISS,
    MOST_PLAYERS,
    DrawError,
    Drawn,
    Kind,
    Result,
    as_line,
    draw,
    entrants_in,
    has_swiss,
    list_of,
    results_in,
)
from companion.hall.protocol.pairings import pairings_in
from companion.hall.record.draw_list import KeptDraw
from companion.hall.record.store import Store, StoreError
from companion.service.hall.pages.matches import HallMatches
from sentence import Sentence, say
from web.services import Drawing


class HallDraws:
    """The draws of events; callable from any thread.

    Args:
        store: the hall's record.
        matches: those of the record.
        profiles: names of the rules.
    """

    def __init__(self, store: Store, matches: HallMatches, profiles: Iterable[str]) -> None:
        self._draws, self._pairings, self._matches = store.draws, store.pairings, matches
        self._profiles = tuple(profiles)

    def choices(self) -> Mapping[str, Any]:
        """What the form offers: `former` draws, `events` with results, `rules`; `install`: what Swiss waits for."""
        played = dict.fromkeys(one.event for one in self._pairings.all() if one.match and one.event)
        return {
            "former": [one._asdict() for one in self._draws.last()],
            "events": list(played),
            "rules": self._profiles,
            "install": "" if has_swiss() else INSTALL_SWISS,
        }

    def players(self, event: str) -> str:
        """The players of an event's results, a line each, those with the most wins first."""
        results = [one for one in self._results(event) if one.event == event]
        wins = Counter(one.winner for one in results)
        names = {name for one in results for name in one.players}
        return "\n".join(as_line(name) for name in sorted(names, key=lambda name: (-wins[name], name)))

    def propose(self, wanted: Mapping[str, str]) -> Drawing | Sentence:
        """The matches of `event` that can be played now, drawn as `kind` from `names`; or a sentence why not.

        `round` is the one that is expected, "" for the next one; `length` and `rules` go into each line.
        """
        try:
            return self._proposed(wanted)
        except StoreError:
            raise  # the database is away: that is no fault of what was asked
        except (GameError, UserError) as error:
            return error.sentence

    def keep(self, wanted: Mapping[str, str]) -> None:
        """Keep how an event is drawn, for its next round."""
        self._draws.put(KeptDraw(*(wanted.get(name, "") for name in KeptDraw._fields)))

    def _proposed(self, wanted: Mapping[str, str]) -> Drawing:
        event, kind = wanted["event"], wanted["kind"]
        if not event:
            raise DrawError(say("An event needs a name: its results are found by it."))
        known: Kind | None = next((one for one in get_args(Kind) if one == kind), None)
        if known is None:
            raise DrawError(say("Choose how the event is played."))
        entrants, results = entrants_in(wanted["names"]), self._results(event)
        drawn = draw(known, event, entrants, results, _round_in(wanted["round"]))
        new = self._new(drawn, results)
        text = list_of(new, wanted["length"], wanted["rules"])
        pairings_in(text, (), self._profiles)  # BadPairingsError for what the list could not take
        there = {name for one in drawn for name in (one.south, one.north)}
        here = [one.name for one in entrants if kind == "swiss" and one.first <= int(drawn[0].round)]
        shown = [
            {"round": one.round, "event": one.event, "south": one.south, "north": one.north} for one in new
        ]
        return Drawing(text, shown, [name for name in here if name not in there])

    def _new(self, drawn: Sequence[Drawn], results: Sequence[Result]) -> list[Drawn]:
        """What was drawn and is not in the list yet.

        Raises:
            DrawError: nothing is left, or the list has other pairings of these rounds.
        """
        if not drawn:
            raise DrawError(say("No match of this event is left to be drawn."))
        wanted = {_named(one.event, one.round, one.south, one.north) for one in drawn}
        wanted |= {(one.event, one.round, one.players) for one in results}
        rounds = {(one.event, one.round) for one in drawn}
        listed = set()
        for one in self._pairings.all():
            named = _named(one.event, one.round, one.south, one.north)
            listed.add(named)
            if named[:2] in rounds and named not in wanted:
                raise DrawError(
                    say(
                        "The list has {south} against {north} in round {round}, which is not drawn. Delete it, or "
                        "correct the names.",
                        south=one.south,
                        north=one.north,
                        round=one.round,
                    )
                )
        new = [one for one in drawn if _named(one.event, one.round, one.south, one.north) not in listed]
        if not new:
            raise DrawError(say("All that can be drawn now is in the list already."))
        return new

    def _results(self, event: str) -> list[Result]:
        found = self._matches.results({}, "json")
        return results_in(found.content.decode(), event) if found else []


def _round_in(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= MOST_PLAYERS):
        raise DrawError(say("A round is a number from 1 to {most}.", most=MOST_PLAYERS))
    return int(text)


def _named(event: str, turn: str, south: str, north: str) -> tuple[str, str, frozenset[str]]:
    return event, turn, frozenset((south, north))
