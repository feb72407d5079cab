"""Chouette: more than two players at one board, and their accounts; docs/rules/family.md, rows F13 to F16.

One player, the box, plays against all others, the team, for whom the captain moves. Each partner has a stake of his own
against the box, with a cube of his own.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from companion.errors import GameError
from sentence import say

MOST_PLAYERS = 8
"""Ours; no source gives a limit, and with more a turn as captain comes round too late."""


class Party(Enum):
    """The two parties of a game."""

    BOX = "box"
    TEAM = "team"

    @property
    def other(self) -> "Party":
        """The opponent."""
        return Party.TEAM if self is Party.BOX else Party.BOX


@dataclass(frozen=True, slots=True)
class Stake:
    """A partner's game against the box.

    Attributes:
        cube: its value.
        owner: the party that may double next; None: both.
        won: points that the partner won from the box, negative for lost ones; None while it is open.
    """

    cube: int = 1
    owner: Party | None = None
    won: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is still played for."""
        return self.won is None


@dataclass(frozen=True, slots=True)
class Chouette:
    """The players, their accounts, and the stakes of the present game.

    Attributes:
        queue: the box, then the team in the order in which they become captain.
        accounts: points of each player; they sum to nought.
        stakes: of each partner in the present game.
        captain: the partner who moves for the team.
        doubled: the party whose double awaits answers; None without one.
        asked: partners on whose cubes an answer is awaited.
    """

    queue: tuple[str, ...]
    accounts: Mapping[str, int]
    stakes: Mapping[str, Stake]
    captain: str
    doubled: Party | None = None
    asked: frozenset[str] = frozenset()

    @property
    def box(self) -> str:
        """The player who plays alone."""
        return self.queue[0]

    @property
    def playing(self) -> tuple[str, ...]:
        """The partners whose stakes are open, the first in the queue first."""
        return tuple(name for name in self.queue[1:] if self.stakes[name].is_open)

    @property
    def awaited(self) -> tuple[str, ...]:
        """The partners on whose cubes an answer is awaited, the first in the queue first."""
        return tuple(name for name in self.queue if name in self.asked)

    @property
    def is_over(self) -> bool:
        """Whether every stake of the game is settled."""
        return not self.playing


def chouette_of(players: Sequence[str]) -> Chouette:
    """A chouette before its first game; the first player is the box, the second the captain.

    Raises:
        GameError: fewer than three players, more than `MOST_PLAYERS`, one without a name, or two of one name.
    """
    fits = 3 <= len(players) <= MOST_PLAYERS
    if not fits or not all(players) or len(set(players)) < len(players):
        raise GameError(
            say("A chouette has 3 to {most} players, each with a name of his own.", most=MOST_PLAYERS)
        )
    return _game(tuple(players), dict.fromkeys(players, 0))


def double(now: Chouette, by: Party, partners: Collection[str] | None = None) -> Chouette:
    """Offer a double on the cubes of some partners, of all whose cube this party may turn if none are named.

    Raises:
        GameError: an answer is awaited, the game is over, or this party may not turn one of the cubes.
    """
    if now.doubled:
        raise GameError(say("A double awaits its answer."))
    can = {name for name in now.playing if now.stakes[name].owner in (None, by)}
    asked = can if partners is None else set(partners)
    if not asked or asked - can:
        raise GameError(say("This cube cannot be turned now."))
    return replace(now, doubled=by, asked=frozenset(asked))


def answer(now: Chouette, partner: str, *, take: bool) -> Chouette:
    """Take or pass the double on one partner's cube: the partner if the box has doubled, else the box.

    A pass settles this stake by its cube before the double. If the captain's stake is settled and others are not, the
    next in the queue who still plays moves for the team, once no answer is awaited any more.

    Raises:
        GameError: no answer is awaited on this cube.
    """
    if now.doubled is None or partner not in now.asked:
        raise GameError(say("No answer is awaited on this cube."))
    stake, by, asked = now.stakes[partner], now.doubled, now.asked - {partner}
    if take:
        stakes = {**now.stakes, partner: replace(stake, cube=2 * stake.cube, owner=by.other)}
        now = replace(now, stakes=stakes)
    else:
        now = _settled(now, partner, stake.cube if by is Party.TEAM else -stake.cube)
    keeps = asked or now.is_over or now.stakes[now.captain].is_open
    return replace(
        now, captain=now.captain if keeps else now.playing[0], asked=asked, doubled=by if asked else None
    )


def play_out(now: Chouette, winner: Party, worth: int, *, jacoby: bool = False) -> Chouette:
    """Settle every open stake by the end of the game on the board.

    Args:
        now: the game.
        winner: of the game.
        worth: 1, or 2 for a gammon, 3 for a backgammon.
        jacoby: a gammon counts only where the cube was turned.

    Raises:
        GameError: an answer is awaited, or the game is over.
    """
    if now.doubled or now.is_over:
        raise GameError(say("A double awaits its answer.") if now.doubled else say("The game is over."))
    for name in now.playing:
        cube = now.stakes[name].cube
        points = cube * (1 if jacoby and cube == 1 else worth)
        now = _settled(now, name, points if winner is Party.TEAM else -points)
    return now


def points_won(now: Chouette) -> dict[str, int]:
    """Points of each player in the present game, the box first."""
    partners = {name: now.stakes[name].won or 0 for name in now.queue[1:]}
    return {now.box: -sum(partners.values()), **partners}


def common_stake(now: Chouette) -> Stake | None:
    """The stake of every partner where all are settled alike; None where their cubes or results differ."""
    stakes = set(now.stakes.values())
    return stakes.pop() if len({(one.cube, one.won) for one in stakes}) == 1 and now.is_over else None


def following(now: Chouette) -> Chouette:
    """The next game: a box that lost goes to the end of the queue and the captain takes its place.

    The box has lost if the last captain won from it. If it won, the first captain goes to the end.

    Raises:
        GameError: the game is not over.
    """
    if not now.is_over:
        raise GameError(say("The game is not over yet."))
    box, *team = now.queue
    if (now.stakes[now.captain].won or 0) > 0:
        team.remove(now.captain)
        queue = (now.captain, *team, box)
    else:
        queue = (box, *team[1:], team[0])
    return _game(queue, now.accounts)


def anew(now: Chouette) -> Chouette:
    """The same game before its first throw, without what was won in it."""
    accounts = dict(now.accounts)
    for name, stake in now.stakes.items():
        accounts[name] -= stake.won or 0
        accounts[now.box] += stake.won or 0
    return _game(now.queue, accounts)


def _game(queue: tuple[str, ...], accounts: Mapping[str, int]) -> Chouette:
    """A game before its first throw."""
    return Chouette(queue, accounts, {name: Stake() for name in queue[1:]}, queue[1])


def _settled(now: Chouette, partner: str, won: int) -> Chouette:
    """The stake of a partner settled, in his account and the box's."""
    stakes = {**now.stakes, partner: replace(now.stakes[partner], won=won)}
    accounts = dict(now.accounts)
    accounts[partner] += won
    accounts[now.box] -= won
    return replace(now, stakes=stakes, accounts=accounts)
