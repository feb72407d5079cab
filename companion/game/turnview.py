"""Whose turn it is, who is asked, and in which phase the table is, in the page's words."""

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
from companion.rules.side import Side


def phase_word(state: State) -> str:
    """The phase in the page's words; an open dispute comes before all that is still to be played."""
    over = isinstance(state.phase, (Resigning, GameOver, MatchOver))
    if state.dispute is not None and not over:
        return "dispute"
    return _PHASES[type(state.phase)]


_PHASES: dict[type, str] = {
    Opening: "opening",
    OnRoll: "on_roll",
    Doubled: "doubled",
    Rolled: "rolled",
    Played: "played",
    Resigning: "resigning",
    GameOver: "game_over",
    MatchOver: "match_over",
}


def on_roll(state: State) -> Side | None:
    """Whose turn it is."""
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    match phase:
        case OnRoll(side=side) | Rolled(side=side) | Played(side=side):
            return side
        case Doubled(back=back):
            return back.side
    return None


def asked(state: State) -> Side | None:
    """Which side has to answer now."""
    match state.phase:
        case Resigning(by=by):
            return by.other
        case GameOver() | MatchOver():
            return None
    if state.dispute is not None:
        return state.dispute.by.other
    return state.phase.offer.asked if isinstance(state.phase, Doubled) else None


def side_word(side: Side | None) -> str | None:
    return side.value if side else None
