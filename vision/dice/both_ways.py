"""One picture read in two ways: by the lens, and as if that were not known.

The first way measures how much a die leans, the second adds up what several nets and the picture say of it
(`second_opinion.py`). Each leaves something open that the other settles, and where they contradict there is a doubt.
"""

from collections.abc import Sequence
from dataclasses import replace

from vision.dice.reading import DiceReading, DieReading, Rest
from vision.dice.rest import PLAINLY_TILTED_DEG

_COCKED = frozenset[Rest | None](("leaning", "on_checker", "on_die", "on_bar", "on_rim", "off_board"))


def either(one: DiceReading, other: DiceReading) -> DiceReading:
    """What one of two ways to read a picture says where the other leaves it open; a doubt where they contradict.

    Args:
        one: the first way, by the lens.
        other: the second way, which doubts it.
    """
    if one.is_open or not one.dice:
        return other
    pairs = one.pairs_with(other)
    if any(first.rest in _COCKED and second.rest in _COCKED for first, second in pairs):
        return one
    if other.is_open:
        is_believed = any(_is_believed(first, second) for first, second in pairs)
        return one if is_believed and not _contradict(pairs) else replace(one, doubt=True)
    is_another = other.is_plain and len(pairs) < len(one.dice)
    return replace(one, doubt=True) if is_another or _contradict(pairs) else one


def _contradict(pairs: Sequence[tuple[DieReading, DieReading]]) -> bool:
    """Whether the two readings of a die have different numbers, or only one has it flat."""
    return any(
        (None not in (first.rest, second.rest) and (first.rest == "flat") != (second.rest == "flat"))
        or (None not in (first.value, second.value) and first.value != second.value)
        for first, second in pairs
    )


def _is_believed(first: DieReading, second: DieReading) -> bool:
    """Whether a die makes a throw cocked although the second reading leaves it open: where it is on the bar or beside
    the board, it leans plainly, or all that was asked then is against it.
    """
    leans = first.rest == "leaning" and (first.tilt_deg or 0.0) > PLAINLY_TILTED_DEG
    return (
        first.rest in ("on_bar", "off_board") or leans or (first.rest in _COCKED and not second.may_be_flat)
    )
