"""Plays as text: writes one style, reads every usual spelling.

The writer follows GNU Backgammon: the highest checker first, the moves of one checker joined, a stop on
the way shown only if it hits, equal ones counted: `24/18*/16`, `bar/20*`, `8/4(2)`, `6/off(2)`. The reader also
accepts `25/20`, `3/0`, `Bar/20`, stops without a hit, any order, missing stars, a roll in front, dashes and wide
characters; the legal plays settle the rest.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from companion.errors import BadTextError, IllegalPlayError
from companion.rules.board import BAR, OFF, Checkers, Position
from companion.rules.moves import Move, Play, moved, with_hits
from companion.rules.plays import Plays
from sentence import say

_PLAIN = {wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)} | {
    ord(dash): "-" for dash in "\u2010\u2011\u2012\u2013\u2014\u2212"
}
"""Typographic dashes and full-width characters of Japanese keyboards, each with its plain one."""
_ROLL_IN_FRONT = re.compile(r"^(?:[1-6]\s*-?\s*[1-6]\s*:|[1-6]{2}\s)")
_SPACE_INSIDE = re.compile(r"\s*(/)\s*|\s+(?=\(\s*\d+\s*\))")
_WORD = re.compile(r"(?P<path>[a-z0-9]+\*?(?:[/-]-?[a-z0-9]+\*?)+)(?:\((?P<count>[1-8])\)(?P<star>\*?))?")
_MOST_DIGITS = 9
"""Python reads no number of more than 4,300 digits, and no point needs as many as this."""
_DANCES = frozenset(
    {"", "-", "--", "dance", "dances", "fan", "no move", "no play", "(no play)", "cannot move", "can't move"}
)
_BAR_NAMES = frozenset({"bar", "b", "tray"})
_OFF_NAMES = frozenset({"off", "o"})


class Hop(NamedTuple):
    """The path of one checker as written: the places it stops at, its source included, and those where it hits."""

    path: tuple[int, ...]
    hits: frozenset[int] = frozenset()

    @property
    def source(self) -> int:
        """First place of the path."""
        return self.path[0]

    @property
    def target(self) -> int:
        """Last place of the path."""
        return self.path[-1]


def write_play(play: Iterable[Move]) -> str:
    """A play in our one style; a dance is the empty text."""
    counted: dict[tuple[int, ...], int] = {}
    hits: dict[tuple[int, ...], set[int]] = {}
    for path, hit in _joined(play):
        counted[path] = counted.get(path, 0) + 1
        hits.setdefault(path, set()).update(hit)
    return " ".join(_word(path, hits[path], count) for path, count in counted.items())


def read_hops(text: str) -> tuple[Hop, ...]:
    """The hops in a text, in its order; () for a dance.

    Raises:
        BadTextError: this is no play.
    """
    bare = _ROLL_IN_FRONT.sub("", text.translate(_PLAIN).strip()).strip().rstrip(".!?")
    if bare.lower() in _DANCES:
        return ()
    words = _SPACE_INSIDE.sub(r"\1", bare.replace(",", " ").replace(";", " ")).split()
    return tuple(hop for word in words for hop in _hops_of(word, text))


def find_play(play: str | Sequence[Hop], plays: Plays) -> Play:
    """The legal play that fits a text or hops.

    Missing stars and omitted stops do not matter if only one legal play fits; if several do, the stars decide.

    Raises:
        BadTextError: the text is no play.
        IllegalPlayError: no legal play fits.
    """
    hops = read_hops(play) if isinstance(play, str) else play
    for after in _possible_results(plays.position, hops):
        if after in plays:
            return plays[after]
    if not hops:
        raise IllegalPlayError(say("There is a play with this roll, so it has to be made."))
    if whole := _continued(hops, plays):
        text = say(
            "“{play}” is only a part of a play: enter the whole one, such as {whole}.",
            play=write_hops(hops),
            whole=write_play(whole),
        )
        raise IllegalPlayError(text)
    raise IllegalPlayError(say("“{play}” is no legal play with this roll.", play=write_hops(hops)))


def _continued(hops: Sequence[Hop], plays: Plays) -> Play | None:
    """A legal play that has these moves and more; None if there is none."""
    made = Counter(step for hop in hops for step in pairwise(hop.path))
    return next((play for play in plays.values() if made < Counter(map(_ends, play))), None)


def _ends(move: Move) -> tuple[int, int]:
    return move.source, move.target


def carry_out(position: Position, hops: Sequence[Hop]) -> Position:
    """The position after these hops, legal or not: a blot at an end or a star is hit.

    Raises:
        IllegalPlayError: there is no checker at a source.
    """
    mine = _moved(position, hops)
    ends = {hop.target for hop in hops} | {place for hop in hops for place in hop.hits}
    return position.with_checkers(mine, with_hits(position.theirs, ends & position.blots()))


def write_hops(hops: Iterable[Hop]) -> str:
    """Hops as text in our style, but in the given order."""
    return " ".join("/".join(_name(place) + "*" * (place in hop.hits) for place in hop.path) for hop in hops)


def _hops_of(word: str, text: str) -> list[Hop]:
    """The hops of one word such as `24/18*/16` or `6/off(2)`; BadTextError for any other."""
    found = _WORD.fullmatch(word.lower())
    if not found:
        raise BadTextError(say("“{text}” is no play: “{word}” cannot be read.", text=text.strip(), word=word))
    path = found["path"] + (found["star"] or "")
    stops = path.split("/" if "/" in path else "-")
    places = [_place(stop.rstrip("*"), text) for stop in stops]
    if any(one <= other for one, other in pairwise(places)):
        raise BadTextError(
            say(
                "“{text}” is no play: in “{word}” a checker would go backwards.",
                text=text.strip(),
                word=word,
            )
        )
    starred = frozenset(place for stop, place in zip(stops, places, strict=True) if stop.endswith("*"))
    return [Hop(tuple(places), starred)] * int(found["count"] or 1)


def _place(name: str, text: str) -> int:
    """The place of a name or number; BadTextError if there is none."""
    if name in _BAR_NAMES:
        return BAR
    if name in _OFF_NAMES or re.fullmatch(r"-\d+", name):
        return OFF
    if name.isdecimal() and len(name) <= _MOST_DIGITS and OFF <= int(name) <= BAR:
        return int(name)
    raise BadTextError(say("“{text}” is no play: there is no place “{name}”.", text=text.strip(), name=name))


def _name(place: int) -> str:
    """A place as text."""
    return "bar" if place == BAR else "off" if place == OFF else str(place)


def _joined(play: Iterable[Move]) -> Iterator[tuple[tuple[int, ...], set[int]]]:
    """The stops and hits of each checker, its moves joined, the highest first."""
    left = sorted(play, key=lambda move: (-move.source, -move.target))
    while left:
        first = left.pop(0)
        path, hits = [first.source, first.target], {first.target} if first.hits else set()
        while onward := next((move for move in left if move.source == path[-1]), None):
            left.remove(onward)
            path.append(onward.target)
            hits |= {onward.target} if onward.hits else set()
        yield tuple(path), hits


def _word(path: tuple[int, ...], hits: set[int], count: int) -> str:
    """The word for one checker or several equal ones, stops without a hit omitted: `24/18*/16`, `6/off(2)`."""
    shown = [place for n, place in enumerate(path) if n in (0, len(path) - 1) or place in hits]
    text = "/".join(_name(place) + "*" * (place in hits) for place in shown)
    return f"{text}({count})" if count > 1 else text


def _possible_results(position: Position, hops: Sequence[Hop]) -> Iterator[Position]:
    """Positions after these hops: first with the hits as starred, then with each choice of blots on the way."""
    mine = _moved(position, hops)
    blots = position.blots()
    sure = {place for place in blots if mine[place]}
    open_ = {place for place in blots - sure if any(hop.target <= place < hop.source for hop in hops)}
    starred = open_ & {place for hop in hops for place in hop.hits}
    yield position.with_checkers(mine, with_hits(position.theirs, sure | starred))
    for count in range(len(open_) + 1):
        for some in combinations(sorted(open_), count):
            yield position.with_checkers(mine, with_hits(position.theirs, sure | set(some)))


def _moved(position: Position, hops: Sequence[Hop]) -> Checkers:
    """The mover's checkers after the hops; IllegalPlayError if there is none to move."""
    mine = moved(position.mine, ((hop.source, hop.target) for hop in hops))
    for place, count in enumerate(mine):
        if count < 0:
            raise IllegalPlayError(say("There is no such checker to move from {place}.", place=_name(place)))
    return mine
