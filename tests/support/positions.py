"""Positions written briefly: `pos({6: 2, 5: 1}, {20: 2})`."""

from companion.rules.board import OFF, Checkers, Position, checkers_on


def pos(mine: dict[int, int], theirs: dict[int, int] | None = None) -> Position:
    """Position from both sides' points in the mover's numbering; checkers not listed have been borne off."""
    ours = {n: count for n, count in mine.items() if n}
    others = {25 - n: count for n, count in (theirs or {}).items()}
    return Position(
        checkers_on({OFF: 15 - sum(ours.values()), **ours}),
        checkers_on({OFF: 15 - sum(others.values()), **others}),
    )


def side(points: dict[int, int]) -> Checkers:
    """A side's checkers in its own numbering; those not listed have been borne off."""
    checkers = checkers_on(points)
    return (15 - sum(checkers), *checkers[1:])
