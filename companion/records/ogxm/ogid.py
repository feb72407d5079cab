"""OGID, OpenGammon's id of a position: both sides' checkers, cube, dice, who acted last, score and length.

Points, players and colours as in `document.py`. Checked against what the reference codec replays
(tests/records/test_ogxm.py).
"""

from collections.abc import Sequence

from companion.game.state import Doubled, OnRoll, Played, Rolled, State
from companion.rules.board import BAR, Position, Side
from companion.rules.cube_and_score import Crawford

_PLACES = "0123456789abcdefghijklmnop"
_ROUNDS = {Crawford.NOW: "C", Crawford.PAST: "L"}
"""Marks of the Crawford game and of those after it."""


def ogid_of(state: State) -> str:
    """The OGID of the table, without the count of moves.

    "" between games, on the opening roll, in a resignation, and in a game whose positions no id can hold.

    Of the opening roll the codec and the format's own example differ in the stage, so none is given.
    """
    if state.board.kind is not Position:
        return ""
    white = Side.NORTH if state.swapped else Side.SOUTH
    phase, dice, stage, action, value = state.phase, "", "C", "N", state.cube.value
    match phase:
        case Rolled(opening=False):
            dice, reached, stage = f"{phase.roll.low}{phase.roll.high}", phase.side.other, "R"
        case OnRoll():
            reached = phase.side.other
        case Played():
            reached = phase.side
        case Doubled():
            reached, stage, action, value = phase.offer.asked.other, "D", "O", phase.offer.value // 2
        case _:
            return ""
    owner = "N" if state.cube.owner is None else "W" if state.cube.owner is white else "B"
    score = (state.score.south, state.score.north)
    seen = state.board.seen_by(white)
    fields = (
        _checkers(seen.mine[::-1], range(BAR)),
        _checkers(seen.theirs, range(1, BAR + 1)),
        f"{owner}{value.bit_length() - 1}{action}",
        dice,
        "W" if reached is white else "B",
        stage,
        *(score[::-1] if state.swapped else score),
        f"{state.terms.length}{_ROUNDS.get(state.crawford, '')}",
    )
    return ":".join(str(one) for one in fields)


def _checkers(counts: Sequence[int], places: Sequence[int]) -> str:
    """A letter for each checker; `counts` by absolute place, of which one is the tray, left out of `places`."""
    return "".join(_PLACES[place] * counts[place] for place in places)
