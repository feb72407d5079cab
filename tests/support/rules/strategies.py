"""Positions and rolls for hypothesis, of every kind: opening, contact, bar, bear-off, race."""

from hypothesis import strategies as st

from companion.rules.board import BAR, OFF, ROLLS, Position, Roll

rolls: st.SearchStrategy[Roll] = st.sampled_from(ROLLS)


@st.composite
def positions(draw: st.DrawFn, highest: int = BAR, most_off: int = 15) -> Position:
    """Positions of fifteen checkers a side, with no point held by both.

    Args:
        draw: hypothesis's function.
        highest: the highest place of the mover's checkers; 6 gives bear-offs.
        most_off: most checkers of the mover borne off already.
    """
    off = draw(st.integers(0, most_off))
    some = st.lists(st.integers(1, highest), min_size=15 - off, max_size=15 - off)
    mine, theirs = [0] * 26, [0] * 26
    for place in draw(some):
        mine[place] += 1
    mine[OFF] = off
    for place in draw(st.lists(st.integers(0, BAR), min_size=15, max_size=15)):
        theirs[OFF if 0 < place < BAR and mine[25 - place] else place] += 1
    return Position(tuple(mine), tuple(theirs))


any_position = st.one_of(positions(), positions(highest=12), positions(highest=6))
