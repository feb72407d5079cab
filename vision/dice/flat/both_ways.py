"""One picture read in two ways: by the lens, and as if that were not known.

The first way measures how much a die leans, the second adds up what several nets and the picture say of it
(`second_opinion.py`). Each leaves something open that the other settles, and where they contradict there is a doubt.
Or read twice in one way, as it is and brightened (docs/adr/0102-a-brightened-picture-settles-doubts.md), or on a
familiar board as if its make were unknown (docs/adr/0103-familiar-boards-are-read-as-strange-ones-too.md).
"""

from collections.abc import Sequence
from dataclasses import replace

from vision.board.calibration import Board
from vision.dice.places import wall_mm_of
from vision.dice.reading import DiceReading, DieReading, Rest
from vision.dice.rest import PLAINLY_TILTED_DEG, WALL_MM

_COCKED = frozenset[Rest | None](("leaning", "on_checker", "on_die", "on_bar", "on_rim", "off_board"))

SURELY_BRIGHTENED = 0.992
"""Chance from which a die lies flat in the brightened picture, where the picture as it is leaves the throw open: of
3,471 throws on painted boards 15 are so read rightly and none wrong, by 0.985 it would be 36 and 2."""
SURELY_STRANGE = 0.985
"""The same in a throw on a familiar board, read as if its make were unknown."""


def either(one: DiceReading, other: DiceReading) -> DiceReading:
    """What one of two ways to read a picture says where the other leaves it open; a doubt where they contradict.

    A number that the first leaves open stays in doubt: the second asks less of it.

    Args:
        one: the first way, by the lens.
        other: the second way, which doubts it.
    """
    pairs = one.pairs_with(other)
    if one.is_open or not one.dice:
        untold = any(first.value is None for first, _ in pairs)
        return replace(other, doubt=True) if other.is_plain and untold else other
    if any(first.rest in _COCKED and second.rest in _COCKED for first, second in pairs):
        return one
    if other.is_open:
        is_believed = any(_is_believed(first, second) for first, second in pairs)
        return one if is_believed and not _contradict(pairs) else replace(one, doubt=True)
    is_another = other.is_plain and len(pairs) < len(one.dice)
    return replace(one, doubt=True) if is_another or _contradict(pairs) else one


def settled(one: DiceReading, other: DiceReading, surely: float) -> DiceReading:
    """What another reading says where the first leaves something open: two dice that surely lie flat and nothing else,
    no contradiction.

    Where both dice are read and only their sizes, or what may be a third one, leave it open, it stays so: that is not
    what another reading makes clearer.

    Args:
        one: the first reading, which is open.
        other: that of the brightened picture, or as if the board were of an unknown make.
        surely: chance from which a die surely lies flat in it.
    """
    pairs = one.pairs_with(other)
    plain = sum(die.is_plain for die in one.dice)
    has_all = plain == sum(first.is_plain for first, _ in pairs)
    is_die_open = len(one.dice) < 2 or plain < len(one.dice)
    is_sure = other.is_plain and all((die.flat_chance or 0.0) >= surely for die in other.dice)
    return other if is_sure and has_all and is_die_open and not _contradict(pairs) else one


def is_only_rest_open(reading: DiceReading, board: Board) -> bool:
    """Whether two dice away from all walls are read, and all that is open is how one of them rests, or both."""
    rests = [die.rest for die in reading.dice]
    return (
        not reading.doubt
        and len(rests) == 2
        and None in rests
        and all(
            die.value is not None
            and die.rest in ("flat", None)
            and die.half is not None
            and die.centre_mm is not None
            and wall_mm_of(die.centre_mm, board) > WALL_MM
            for die in reading.dice
        )
    )


def is_plainly_cocked(reading: DiceReading) -> bool:
    """Whether a reading is settled, and one of its dice is plainly cocked, whatever the other way says."""
    return not reading.is_open and any(map(_is_plainly_cocked, reading.dice))


def _is_plainly_cocked(die: DieReading) -> bool:
    leans = die.rest == "leaning" and (die.tilt_deg or 0.0) > PLAINLY_TILTED_DEG
    return leans or die.rest in ("on_bar", "off_board")


def _contradict(pairs: Sequence[tuple[DieReading, DieReading]]) -> bool:
    """Whether the two readings of a die have different numbers, or only one has it flat."""
    return any(
        (None not in (first.rest, second.rest) and (first.rest == "flat") != (second.rest == "flat"))
        or (None not in (first.value, second.value) and first.value != second.value)
        for first, second in pairs
    )


def _is_believed(first: DieReading, second: DieReading) -> bool:
    """Whether a die makes a throw cocked although the second way leaves it open: plainly, or as all that was asked then
    is against it.
    """
    return _is_plainly_cocked(first) or (first.rest in _COCKED and not second.may_be_flat)
