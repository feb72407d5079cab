"""The table as GNU's ids and XGID tell it, with south as player 1, the one at the bottom, and back."""

from companion.errors import BadPositionError, BadTextError
from companion.game.events import PositionSet
from companion.game.gamelog import Board
from companion.game.state import (
    Doubled,
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Played,
    Resigning,
    Rolled,
    State,
)
from companion.records.ids import gnubgid, snapshot_of_gnubgid, snapshot_of_xgid, xgid
from companion.records.snapshot import NOBODY, Snapshot
from companion.rules.dice import Roll
from companion.rules.match import Crawford
from companion.rules.position import CHECKERS
from companion.rules.side import Side

_PLAYER = {Side.NORTH: 0, Side.SOUTH: 1, None: NOBODY}
_SIDE = {0: Side.NORTH, 1: Side.SOUTH, NOBODY: None}
_NONE, _PLAYING, _OVER = range(3)
LARGEST_CUBE, LARGEST_SCORE = 1 << 15, (1 << 15) - 1
"""The ids have four bits for the cube's power of two and fifteen for a score."""


def snapshot_of(state: State) -> Snapshot:
    """What an id tells of the table: where nobody is on roll it is seen from south."""
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    side, dice, turn, doubled = Side.SOUTH, (0, 0), None, False
    match phase:
        case OnRoll():
            side = phase.side
        case Rolled():
            side, dice = phase.side, (phase.roll.high, phase.roll.low)
        case Played():
            side = phase.side
        case Doubled():
            side, turn, doubled = phase.back.side, phase.offer.asked, True
    profile, money = state.terms.profile, state.terms.money_play
    offered = phase.offer.value // 2 if isinstance(phase, Doubled) else state.cube.value
    return Snapshot(
        state.board.seen_by(side),
        player_on_roll=_PLAYER[side],
        turn=_PLAYER[turn or side],
        dice=dice,
        cube_value=min(offered, LARGEST_CUBE),
        cube_owner=_PLAYER[state.cube.owner],
        match_length=state.terms.length,
        score=(min(state.score.north, LARGEST_SCORE), min(state.score.south, LARGEST_SCORE)),
        crawford=state.crawford is Crawford.NOW,
        jacoby=profile.jacoby.holds(money_play=money),
        beaver=money and profile.beaver.holds(money_play=money),
        doubled=doubled,
        resigned=int(state.phase.worth) if isinstance(state.phase, Resigning) else 0,
        gamestate=_NONE
        if isinstance(phase, Opening)
        else _OVER
        if isinstance(phase, (GameOver, MatchOver))
        else _PLAYING,
    )


def xgid_of(state: State) -> str:
    """The table's XGID."""
    return xgid(snapshot_of(state))


def gnubgid_of(state: State) -> str:
    """The table's GNU Position ID and Match ID."""
    return gnubgid(snapshot_of(state))


def told_by_id(text: str, length: int, checkers: int = CHECKERS) -> PositionSet:
    """What an XGID or a GNU id says: board, cube, score, who is on roll, and his roll or his double.

    Args:
        text: the id; one of money play says nothing of the score.
        length: of the running match, 0 for money play; the score of a match of another length is taken where it fits.
        checkers: of each side.

    Raises:
        BadTextError, BadPositionError: it is no such id, its score is one of a match of another length only, or its
            board cannot be with so many checkers.
    """
    is_xgid = "=" in text or "-" in text.split(":")[0] or text.count(":") > 2
    said = snapshot_of_xgid(text) if is_xgid else snapshot_of_gnubgid(text)
    _check_length(said, length)
    side = _SIDE[said.player_on_roll]
    assert side is not None, "an id always says who is on roll"
    mine, theirs = said.position.mine, said.position.theirs
    if checkers != CHECKERS:
        missing = CHECKERS - checkers
        mine, theirs = ((counts[0] - missing, *counts[1:]) for counts in (mine, theirs))
        if mine[0] < 0 or theirs[0] < 0:
            raise BadPositionError(f"There are more than {checkers} checkers on a side.")
    south, north = (mine, theirs) if side is Side.SOUTH else (theirs, mine)
    board = Board(south, north)
    owner = _SIDE[said.cube_owner]
    return PositionSet(
        board.south,
        board.north,
        side,
        said.cube_value,
        owner.value if owner else "middle",
        said.score[1] if said.match_length else None,
        said.score[0] if said.match_length else None,
        said.crawford if said.match_length else None,
        Roll.of(*said.dice) if all(said.dice) else None,
        said.doubled,
    )


def _check_length(said: Snapshot, length: int) -> None:
    """Raise BadTextError, with both lengths, where the score of a match of another length does not fit in."""
    fits = not said.crawford and (not length or max(said.score) < length)
    if said.match_length in (0, length) or fits:
        return
    if length:
        raise BadTextError(
            f"This id is of a match of {said.match_length} points; this match goes to {length}."
        )
    raise BadTextError(f"This id is of a match of {said.match_length} points; this is money play.")
