"""The end of a game: by bearing off, and in Plakoto by a pinned mother; docs/rules/family.md, row F4."""

from enum import Enum

from companion.rules.board import Position
from companion.rules.family.limits import HEAD
from companion.rules.profile import Profile


class Outcome(Enum):
    """An end of a game, as the side that has just played sees it."""

    BORNE_OFF = "borne_off"
    MOTHER_PINNED = "mother_pinned"
    MOTHER_LOST = "mother_lost"
    TIE = "tie"


def outcome_of(profile: Profile, position: Position) -> Outcome | None:
    """The end of the game in a position that a play has left; None while it goes on.

    The mother is the last checker on the starting point. Pinned there she loses the game, unless the opponent has
    checkers on his starting point still; with both mothers pinned nobody wins.
    """
    if position.is_won:
        return Outcome.BORNE_OFF
    if not profile.pinned_mother_loses:
        return None
    mine = bool(position.pinned >> HEAD & 1)
    theirs = bool(position.flipped().pinned >> HEAD & 1)
    if mine and theirs:
        return Outcome.TIE
    if theirs and not awaits_own_mother(profile, position):
        return Outcome.MOTHER_PINNED
    if mine and not position.theirs[HEAD]:
        return Outcome.MOTHER_LOST
    return None


def awaits_own_mother(profile: Profile, position: Position) -> bool:
    """Whether the opponent's mother is pinned and the game goes on: the side to move has checkers on its own start."""
    theirs = bool(position.flipped().pinned >> HEAD & 1)
    return profile.pinned_mother_loses and theirs and bool(position.mine[HEAD])
