"""The legal plays of one turn, whatever the profile: what the referee asks of the rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import BadTextError, IllegalPlayError
from companion.rules.dice import Roll
from companion.rules.faults import fault_of
from companion.rules.making import Making
from companion.rules.notation import Hop, find_play
from companion.rules.options import Doublets
from companion.rules.plays import Move, Play, Plays, plays_for
from companion.rules.position import BAR, OFF, Position
from companion.rules.profile import Profile


@dataclass(frozen=True, slots=True)
class Turn:
    """A roll to be played: the rules, where the checkers stand, the roll, the mover's doublets before it."""

    profile: Profile
    position: Position
    roll: Roll
    doublets: int = 0

    def plays(self) -> Plays:
        """Every legal play by the position it leaves; looking one up is quick where listing them is not."""
        return plays_for(self.profile, self.position, self.roll, doublets=self.doublets)

    def is_legal(self, left: Position) -> bool:
        """Whether a legal play leaves this position."""
        return left in self.plays()

    def play_leaving(self, left: Position) -> Play | None:
        """A legal play that leaves this position; None: there is none."""
        return self.plays().get(left)

    @property
    def is_dance(self) -> bool:
        """Nothing can be played."""
        return self.plays().is_dance

    @property
    def is_long(self) -> bool:
        """A doublet that counts by top and bottom: listing its plays can take seconds."""
        return self.roll.is_doubles and self.profile.doublets is Doublets.TOP_AND_BOTTOM

    def making(self, steps: Sequence[tuple[int, int]]) -> Making:
        """The play after these moves; IllegalPlayError, with the reason, when one of them is refused."""
        return Making.of_moves(self.profile, self.position, self.roll, steps, self.doublets)

    def meant(self, steps: Sequence[tuple[int, int]]) -> Play | None:
        """The legal play that these moves make in whatever order; None: there is none."""
        try:
            return find_play([Hop(step) for step in steps], self.plays())
        except (IllegalPlayError, BadTextError):
            return None

    def fault_of(self, left: Position) -> str:
        """Why the play that leaves this position is not legal, a sentence; "" for a legal one."""
        return fault_of(self.profile, self.position, self.roll, left, doublets=self.doublets)


def carried_out(position: Position, steps: Sequence[tuple[int, int]]) -> tuple[Position, Play]:
    """The position after some moves, whether the rules allow them or not, with the hits they make.

    Raises:
        IllegalPlayError: a move that cannot be made with checkers at all: none stands there, the target is no
            place on the board, or two or more opposing checkers hold it.
    """
    play: list[Move] = []
    for source, target in steps:
        move = _carried(position, source, target)
        play.append(move)
        position = after(position, move)
    return position, tuple(play)


def _carried(position: Position, source: int, target: int) -> Move:
    if not (OFF < source <= BAR and OFF <= target <= 24) or source == target:
        raise IllegalPlayError(f"{source}/{target} is no move on a board.")
    if not position.mine[source]:
        place = "on the bar" if source == BAR else f"on the {source} point"
        raise IllegalPlayError(f"There is no checker of the mover's {place}.")
    opposing = position.theirs[25 - target] if target != OFF else 0
    if opposing > 1:
        raise IllegalPlayError(f"The {target} point is held by {opposing} opposing checkers.")
    return Move(source, target, opposing == 1)


def after(position: Position, move: Move) -> Position:
    """The position that a move leaves; a checker that was hit stands on its owner's bar."""
    mine, theirs = list(position.mine), list(position.theirs)
    mine[move.source] -= 1
    mine[move.target] += 1
    if move.hits:
        theirs[25 - move.target] -= 1
        theirs[BAR] += 1
    return Position(tuple(mine), tuple(theirs))
