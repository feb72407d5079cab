"""The rolls that a throw in doubt may be."""

from collections.abc import Sequence

from companion.rules.board import ROLLS, Roll

HARDLY = 0.05
"""Least chance of a number of the die that was not read, beside one that was, for a play to tell it."""
LIKELY = 0.9
"""The same of both dice where none was read."""


def possible_rolls(faces: Sequence[int | None]) -> tuple[Roll, ...]:
    """The rolls that these dice can show, of which one may not have been seen; () for all."""
    known = [face for face in faces if face is not None]
    if len(faces) > 2 or (len(faces) < 2 and not known):
        return ()
    if len(known) == 2:
        return (Roll.of(*known),)
    return tuple(roll for roll in ROLLS if not known or known[0] in roll)


def told_rolls(faces: Sequence[int | None], chances: Sequence[Sequence[float]] = ()) -> frozenset[Roll]:
    """The rolls that a play may tell of two dice that lie in doubt or were not read; none for other throws.

    An illegal play may be a legal one of another roll: what the dice hardly show is not told.

    Args:
        faces: the values of the dice, None where one was not read.
        chances: for each die the chances of its six numbers, () where they are not known; () for all.
    """
    known = [face for face in faces if face is not None]
    if len(faces) != 2:
        return frozenset()
    least = HARDLY if known else LIKELY
    rows = chances or ((),) * len(faces)
    one, other = (
        [face] if face is not None else _numbers(row, least, known)
        for face, row in zip(faces, rows, strict=True)
    )
    return frozenset(Roll.of(a, b) for a in one for b in other)


def _numbers(row: Sequence[float], least: float, known: Sequence[int]) -> list[int]:
    """The numbers that a die may show; where no chances are known, all of them beside a die that was read."""
    if not row:
        return list(range(1, 7)) if known else []
    return [n for n, chance in enumerate(row, 1) if chance >= least]
