"""The draw of an event: who plays whom in its next round; pure.

What has been played is read from the results alone, so a draw can be made again at any time and is the same.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal, TypeAlias

import msgspec

from companion.errors import UserError
from companion.hall.protocol.pairings import COLUMNS, in_one_line
from companion.protocol.action_shapes import LONGEST_NAME
from sentence import say, verbatim

Kind: TypeAlias = Literal["round-robin", "swiss", "elimination"]
CONSOLATION = "consolation"
"""What follows an event's name in the name of its consolation."""
MOST_PLAYERS = 512
INSTALL_SWISS = "pip install 'board-companion[hall]'"
"""Installs what a Swiss draw needs."""
_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?:(,)([^",]*))?')
_WHOLE, _STEP = 10**9, 10**4
"""Weights of a pair in Swiss: that there is one, and a point's difference, squared; less than a step is the order."""


class DrawError(UserError, ValueError):
    """A draw that cannot be made."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of an event, from a round on."""

    name: str
    first: int = 1


@dataclass(frozen=True, slots=True)
class Result:
    """A match that is over."""

    event: str
    round: str
    winner: str
    loser: str

    @property
    def players(self) -> frozenset[str]:
        """Both."""
        return frozenset((self.winner, self.loser))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A match to be played."""

    event: str
    round: str
    south: str
    north: str


def entrants_in(text: str) -> list[Entrant]:
    """The players of a text, a name on each line, the strongest first; a number after a comma is the first round.

    A name with a comma in it stands in quotation marks.

    Raises:
        DrawError: a line cannot be used, or there are too few or too many.
    """
    found: dict[str, Entrant] = {}  # by the name as lists of pairings compare it
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        quoted = _QUOTED.fullmatch(line)
        if quoted:
            name, comma, first = quoted[1].replace('""', '"'), quoted[2] or "", (quoted[3] or "").strip()
        else:
            name, comma, first = (
                (part.strip() for part in line.rpartition(",")) if "," in line else (line, "", "")
            )
        name = in_one_line(name)
        if not name and not comma:
            continue
        if comma and not (first.isascii() and first.isdecimal() and 1 <= int(first[:6]) <= MOST_PLAYERS):
            raise DrawError(
                say("Line {line}: write a name, or a name, a comma and the first round.", line=number)
            )
        if not name or name.casefold() in found:
            raise DrawError(say("Line {line}: each player once, by another name each.", line=number))
        if len(name) > LONGEST_NAME:
            raise DrawError(
                say("Line {line}: a name has up to {most} letters.", line=number, most=LONGEST_NAME)
            )
        found[name.casefold()] = Entrant(name, int(first or 1))
    if not 2 <= len(found) <= MOST_PLAYERS:
        raise DrawError(say("A draw needs 2 to {most} players, one on each line.", most=MOST_PLAYERS))
    return list(found.values())


def as_line(name: str) -> str:
    """The line of a text that names this player."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"' if "," in name or name.startswith('"') else name


class _HallResult(msgspec.Struct):
    """A result of a hall as in `/results.json`, what is read of it."""

    event: str
    round: str
    over_at: str
    south: str
    north: str
    winner: str | None


class _HallResults(msgspec.Struct):
    """A hall's results."""

    results: list[_HallResult]


def results_in(text: str, event: str) -> list[Result]:
    """The results of an event and of its consolation in those of a hall, the text of `/results.json`.

    Of a match that was played again under the same round the one that ended last counts.

    Raises:
        DrawError: the text is none of a hall's results.
    """
    try:
        results = msgspec.json.decode(text, type=_HallResults).results
    except msgspec.DecodeError as error:
        fault = f"The results are none of a hall's results.json: {error}."
        raise DrawError(verbatim(fault)) from None
    found: dict[tuple[str, str, frozenset[str]], Result] = {}
    for one in sorted(results, key=lambda one: one.over_at):
        if one.event in (event, consolation_of(event)) and one.winner in ("south", "north"):
            names = (one.south, one.north) if one.winner == "south" else (one.north, one.south)
            result = Result(one.event, one.round, *names)
            found[result.event, result.round, result.players] = result
    return list(found.values())


def consolation_of(event: str) -> str:
    """The name of an event's consolation."""
    return f"{event} {CONSOLATION}".strip()


def list_of(drawn: Iterable[Drawn], length: str, rules: str) -> str:
    """The matches as a list of pairings, with the names of its columns; `length`, `rules`: "" as usual at the table."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)  # without them a semicolon in the first name would be taken for the separator
    writer.writerows((one.round, "", one.south, one.north, length, rules, one.event) for one in drawn)
    return out.getvalue()


def has_swiss() -> bool:
    """Whether a Swiss draw can be made here."""
    return find_spec("networkx") is not None


def draw(
    kind: Kind, event: str, entrants: Sequence[Entrant], results: Sequence[Result], turn: int | None = None
) -> list[Drawn]:
    """The matches that can be played now and have no result: of a round robin all, in Swiss those of the next round.

    With a number of the round only those of it.

    Raises:
        DrawError: the round before is not over, or nobody is left for somebody to play.
    """
    if kind == "swiss":
        return _swiss(event, entrants, results, turn)
    found = (_elimination if kind == "elimination" else _open_of_all)(event, entrants, results)
    return [one for one in found if turn is None or one.round == str(turn)]


def _open_of_all(event: str, entrants: Sequence[Entrant], results: Sequence[Result]) -> list[Drawn]:
    """The matches of a round robin that have no result."""
    played = {(one.round, one.players) for one in results if one.event == event}
    return [
        one
        for one in _round_robin(event, entrants)
        if (one.round, frozenset((one.south, one.north))) not in played
    ]


def _round_robin(event: str, entrants: Sequence[Entrant]) -> list[Drawn]:
    """Everybody against everybody once: the circle method, in which one stays and the others move on by a seat."""
    seats = [one.name for one in entrants] + [""] * (len(entrants) % 2)
    found = []
    for turn in range(len(seats) - 1):
        half = len(seats) // 2
        for place, (one, other) in enumerate(zip(seats[:half], reversed(seats[half:]), strict=True)):
            pair = (other, one) if (turn + place) % 2 else (one, other)
            if all(pair):
                found.append(Drawn(event, str(turn + 1), *pair))
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return found


def _swiss(
    event: str, entrants: Sequence[Entrant], results: Sequence[Result], wanted: int | None
) -> list[Drawn]:
    """Players with the same number of wins, who have not met: a matching of the greatest weight."""
    own = [one for one in results if one.event == event]
    turn = 1 + max((int(one.round) for one in own if one.round.isdecimal()), default=0)
    wins, byes = _standing(entrants, own, turn)
    if wanted not in (None, turn):
        raise DrawError(say("The round to be drawn next is {number}.", number=turn))
    here = [one.name for one in entrants if one.first <= turn]
    if not here:
        raise DrawError(say("No match of this event is left to be drawn."))
    ranked = sorted(here, key=lambda name: -wins[name])  # the order of the list among equals
    met = {one.players for one in own}
    pairs = _matched(ranked, wins, met, byes)
    return [Drawn(event, str(turn), *pair) for pair in pairs]


def _standing(
    entrants: Sequence[Entrant], own: Sequence[Result], turn: int
) -> tuple[dict[str, int], set[str]]:
    """The wins of each, a bye is one, and who has had a bye: of an odd number the one who did not play."""
    wins, byes = {one.name: 0 for one in entrants}, set[str]()
    for number in range(1, turn):
        of_round = [one for one in own if one.round == str(number)]
        for one in of_round:
            wins[one.winner] = wins.get(one.winner, 0) + 1
        there = {name for one in of_round for name in one.players}
        free = [one.name for one in entrants if one.first <= number and one.name not in there]
        if len(free) > 1:
            raise DrawError(
                say(
                    "Round {number} is not over: there is no result of {names}.",
                    number=number,
                    names=", ".join(free),
                )
            )
        for name in free:
            wins[name] += 1
            byes.add(name)
    return wins, byes


def _matched(
    ranked: Sequence[str], wins: Mapping[str, int], met: set[frozenset[str]], byes: set[str]
) -> list[tuple[str, str]]:
    """The pairs, those with the most wins first."""
    try:
        from networkx import Graph, max_weight_matching
    except ImportError:
        raise DrawError(
            say("A Swiss draw needs the package networkx: {command}", command=INSTALL_SWISS)
        ) from None
    seats, place = [*ranked, *[""] * (len(ranked) % 2)], {name: at for at, name in enumerate(ranked)}
    groups = Counter(wins[name] for name in ranked)
    lowest = min(wins[name] for name in ranked)
    graph = Graph()
    graph.add_nodes_from(seats)
    for at, one in enumerate(ranked):
        for other in seats[at + 1 :]:
            if not other:
                if one not in byes:
                    graph.add_edge(one, other, weight=_WHOLE - _STEP * (wins[one] - lowest) ** 2 * 4 + at)
            elif frozenset((one, other)) not in met:
                off = abs(place[other] - at - groups[wins[one]] // 2)
                graph.add_edge(one, other, weight=_WHOLE - _STEP * (wins[one] - wins[other]) ** 2 - off)
    chosen = max_weight_matching(graph, maxcardinality=True)
    if 2 * len(chosen) < len(seats):
        raise DrawError(say("There is no round left in which nobody meets the same player again."))
    found = [
        tuple(sorted(pair, key=lambda name: place.get(name, len(place)))) for pair in chosen if all(pair)
    ]
    return sorted(found, key=lambda pair: place[pair[0]])


def _elimination(event: str, entrants: Sequence[Entrant], results: Sequence[Result]) -> list[Drawn]:
    """The open matches of the main draw, and of the consolation of those who lost their first match."""
    bracket = _Bracket(event, [one.name for one in entrants], results)
    open_matches, first_losers = bracket.open, bracket.first_losers
    if first_losers is None or len(first_losers) < 2:
        return open_matches
    return open_matches + _Bracket(consolation_of(event), first_losers, results).open


class _Bracket:
    """An elimination, played on by the results as far as they go.

    Attributes:
        open: the matches whose players are known and that have no result.
        first_losers: who lost their first match, in the order of the draw; None while one of these is open.
    """

    def __init__(self, event: str, players: Sequence[str], results: Sequence[Result]) -> None:
        won = {(one.round, one.players): one for one in results if one.event == event}
        line: list[str | None] = [players[at] if at < len(players) else "" for at in _seeding(len(players))]
        self.open: list[Drawn] = []
        losers: list[str] = []
        have_played, is_first_open, turn = set[str](), False, 0
        while len(line) > 1:
            turn += 1
            ahead: list[str | None] = []
            for one, other in zip(line[::2], line[1::2], strict=True):
                if one is None or other is None:
                    ahead.append(None)  # not known yet
                    is_first_open = is_first_open or any(
                        name and name not in have_played for name in (one, other)
                    )
                    continue
                if not one or not other:
                    ahead.append(one or other)  # a bye
                    continue
                over = won.get((str(turn), frozenset((one, other))))
                if over is None:
                    self.open.append(Drawn(event, str(turn), one, other))
                    is_first_open = is_first_open or not {one, other} <= have_played
                elif over.loser not in have_played:
                    losers.append(over.loser)
                ahead.append(over.winner if over else None)
                have_played |= {one, other}
            line = ahead
        self.first_losers = None if is_first_open else losers


def _seeding(players: int) -> list[int]:
    """The places of the seeds in a draw: the first two meet in the final, and the first ones have the byes."""
    places = [0]
    while len(places) < players:
        size = 2 * len(places)
        places = [seed for each in places for seed in (each, size - 1 - each)]
    return places
