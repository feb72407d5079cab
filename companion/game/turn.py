"""How a turn begins with a valid roll and how it ends."""

from dataclasses import replace

from companion.game.gamelog import TurnMade
from companion.game.results import finish, worth_of
from companion.game.state import DisputeKind, OnRoll, Played, Rolled, State, Throw
from companion.game.told import Told, info, warn
from companion.rules.dice import Roll
from companion.rules.lawful import Turn
from companion.rules.match import Ending
from companion.rules.options import IllegalPlayStands
from companion.rules.side import Side


def turn_of(state: State, side: Side, roll: Roll) -> Turn:
    """What the rules have to know about this side's roll on the board as it stands."""
    position = state.board.seen_by(side)
    return Turn(state.terms.profile, position, roll, state.doublets_of(side))


def rolled(state: State, side: Side, roll: Roll, throw: Throw | None, opening: bool = False) -> Told:
    """A valid roll of the side whose turn it is; a dance is played by itself."""
    told = _made_final_by_roll(state, side)
    picture = throw.evidence.picture if throw else None
    state = replace(told.state, throw=throw, picture=picture, pending=None)
    if turn_of(state, side, roll).is_dance:
        phase = Played(side, roll, (), state.board, opening=opening)
        return Told(replace(state, phase=phase), told.notices).also(
            info(f"{state.name(side)} cannot play {roll.high}-{roll.low}.")
        )
    return Told(replace(state, phase=Rolled(side, roll, opening=opening)), told.notices)


def _made_final_by_roll(state: State, side: Side) -> Told:
    """A valid roll lets the opponent's illegal play stand, unless the profile waits for the next play."""
    dispute = state.dispute
    if dispute is None or dispute.kind is not DisputeKind.ILLEGAL_PLAY or dispute.by is side:
        return Told(state)
    if state.terms.profile.illegal_play_stands_after is IllegalPlayStands.PLAY_COMPLETED:
        return Told(state)
    return _stands(state, f"{state.name(side)} has rolled")


def made_final_by_double(state: State, side: Side) -> Told:
    """Where the profile says so, a double too lets the opponent's illegal play stand."""
    dispute = state.dispute
    if dispute is None or dispute.kind is not DisputeKind.ILLEGAL_PLAY or dispute.by is side:
        return Told(state)
    if state.terms.profile.illegal_play_stands_after is not IllegalPlayStands.VALID_ROLL_OR_DOUBLE:
        return Told(state)
    return _stands(state, f"{state.name(side)} has doubled")


def _stands(state: State, because: str) -> Told:
    after = replace(state, dispute=None, lapsed=state.dispute)
    return Told(after, (warn(f"{because}: the illegal play stands."),))


def end_turn(state: State, played: Played) -> Told:
    """The play is final as far as its player is concerned: the other side is on roll, or the game is won."""
    notices = []
    dispute = state.dispute
    if dispute is not None and dispute.kind is DisputeKind.ILLEGAL_PLAY and dispute.by is not played.side:
        state = replace(state, dispute=None)
        notices.append(warn(f"{state.name(played.side)} has played on: the illegal play stands."))
    made = TurnMade(
        played.side, played.roll, played.play, played.before, state.board, played.fault, state.picture
    )
    state = replace(
        state.with_deed(made),
        lapsed=None,
        doublets=_doublets_after(state, played),
        turns=state.turns + 1,
        turns_in_match=state.turns_in_match + 1,
    )
    if state.board.seen_by(played.side).is_won:
        worth = worth_of(state.board, played.side, state.terms.profile)
        return Told(*finish(state, played.side, worth, Ending.BORNE_OFF)).also(*notices)
    again = throws_again(state, played)
    following = played.side if again else played.side.other
    after = replace(state, phase=OnRoll(following, again=again))
    pending = after.pending
    if pending is None or pending.side is not following:
        return Told(replace(after, pending=None), tuple(notices))
    told = rolled(after, following, pending.roll, pending.throw)
    return Told(told.state, (*notices, *told.notices))


def throws_again(state: State, played: Played) -> bool:
    """After a doublet the player throws once more where the profile says so."""
    if played.roll is None or not state.terms.profile.throw_again_after_doublet:
        return False
    return played.roll.is_doubles


def _doublets_after(state: State, played: Played) -> tuple[int, int]:
    """A doublet counts when it was thrown, whether it could be played or not (RULES.md, spielestart 5)."""
    south, north = state.doublets
    if played.roll is None or not played.roll.is_doubles:
        return south, north
    return (south + 1, north) if played.side is Side.SOUTH else (south, north + 1)


def next_to_throw(state: State, phase: Rolled | Played) -> Side:
    """Whose throw follows this turn."""
    roll = phase.roll
    again = roll is not None and roll.is_doubles and state.terms.profile.throw_again_after_doublet
    return phase.side if again else phase.side.other
