"""Judges by some tried throws whether board, lamp and camera are good enough, and else what is to be changed.

Facts in, verdict out: each limit stands here with its reason. They were set on the recorded throws made worse step by
step (`tests/vision/watch/test_tried.py` does the same): a limit is where throws that were read begin to be lost.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from vision.watch.conditions import Conditions

THROWS, GOOD = 12, 10
"""So many are tried, and so many have to be read as they lie: a camera that reads nine throws of ten does so nine times
of ten, one that reads seven of ten once in four times."""
EARLY, PLAIN = 6, 4
"""If so many of the first ones fail it is plain: a camera that reads nine of ten does that once in 800 times."""
LEAST_DIE_PX = 12.0
"""Dice of 8 pixels are read in clean rendered pictures (11 throws of 14), of 7 not (3): a real camera's need more."""
MOST_BLUR = 0.08
"""Of a die's width: at 0.07 12 throws of 14 are read, at 0.095 two. A spot is twice as wide as such a blur."""
LENS_BLUR_PX = 1.0
"""A smaller blur is the sensor's own, and of dice too small: no turn of the lens makes it less."""
MOST_SMEAR = 1.9
"""A lens blurs all directions alike: focus gives at most 1.8, a movement of five pixels 2.3 and more."""
LEAST_LIGHT = 50.0
"""Grey levels of the brightest parts: clean rendered throws are lost from 19 on, with a sensor's noise from 31 on."""
MOST_NOISE = 0.08
"""Of the contrast: at 0.075 11 throws of 14 are read, at 0.094 five."""
MOST_CLIPPED, MOST_GLARE = 0.15, 0.05
"""Of the surface, in all and in one piece: at 0.19 and at 0.06 throws begin to be lost. A heap of five white checkers,
blown out as a whole, is 0.027."""
LEAST_DIE_CONTRAST = 0.25
"""Of the picture's contrast: the recorded dice have 0.6 and more, those that glare has bleached 0.2."""
MOST_SLANT_DEG = 35.0
"""Seen further aslant a die shows its side as large as its top, and hides what it leans on."""
MOST_OUTSIDE = 0.005
"""Of the surface: a corner that is cut off by a die's width. Dice there cannot be seen."""
FILLS = 0.75
"""A board that takes this part of the picture's width or height leaves a camera no room to come nearer."""
SHOWN = 3
"""A shortcoming is shown in at most so many pictures."""


class Shortcoming(Enum):
    """What is wrong with the conditions."""

    NO_BOARD = "no_board"
    """The board was not found."""
    OUTSIDE = "outside"
    """Part of the board is outside of the picture."""
    FAR = "far"
    """The dice are small, and the board leaves room: the camera can come nearer."""
    COARSE = "coarse"
    """The dice are small in a picture that the board fills: it has too few pixels."""
    UNSHARP = "unsharp"
    SMEARED = "smeared"
    """Blurred in one direction: something moves while the picture is taken."""
    DARK = "dark"
    NOISY = "noisy"
    """Too little light for the sensor, which makes up for it."""
    BLOWN_OUT = "blown_out"
    """Part of the board is white with glare."""
    SLANTED = "slanted"
    FAINT = "faint"
    """The spots on the dice hardly stand out."""


class Outcome(Enum):
    """What became of a tried throw, by what people say of it."""

    RIGHT = "right"
    UNREAD = "unread"
    MISSED = "missed"
    """Nothing was seen."""
    COCKED = "cocked"
    """Dice that lay flat were called cocked."""
    WRONG = "wrong"
    """Other numbers were read, or cocked dice were taken for flat."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A tried throw: the conditions in its picture, and what became of it."""

    conditions: Conditions
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be changed: the shortcoming, and the indexes of the throws that show it best."""

    what: Shortcoming
    throws: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on tried throws.

    Attributes:
        is_good: board, lamp and camera are good enough.
        right: how many throws were read as they lie.
        changes: what is to be changed, or may be if it is good enough, the worst first; without one, and not good, the
            pictures themselves show nothing wrong.
    """

    is_good: bool
    right: int
    changes: tuple[Change, ...]


def verdict_of(tried: Sequence[Tried]) -> Verdict | None:
    """The verdict on tried throws, in their order; None as long as it is not plain."""
    failed = [one.outcome is not Outcome.RIGHT for one in tried]
    is_plain = sum(failed[:EARLY]) >= PLAIN
    if len(tried) < THROWS and not is_plain:
        return None
    right = failed.count(False)
    is_wrong = any(one.outcome is Outcome.WRONG for one in tried)
    return Verdict(right >= GOOD and not is_wrong, right, changes_of(tried))


def changes_of(tried: Sequence[Tried]) -> tuple[Change, ...]:
    """What half of the failed throws show, or of all if none failed; the worst first, each once."""
    failed = [at for at, one in enumerate(tried) if one.outcome is not Outcome.RIGHT]
    among = failed or list(range(len(tried)))
    found: dict[Shortcoming, dict[int, float]] = {}
    for at in among:
        for what, excess in shortcomings(tried[at].conditions).items():
            found.setdefault(what, {})[at] = excess
    usual = {what: by for what, by in found.items() if 2 * len(by) >= len(among)}
    means = {what: math.fsum(by.values()) / len(by) for what, by in usual.items()}
    return tuple(
        Change(what, _worst(usual[what])) for what in sorted(means, key=means.__getitem__, reverse=True)
    )


def _worst(excess: Mapping[int, float]) -> tuple[int, ...]:
    """The throws that are furthest beyond a limit, in their order."""
    return tuple(sorted(sorted(excess, key=excess.__getitem__, reverse=True)[:SHOWN]))


def shortcomings(conditions: Conditions) -> Mapping[Shortcoming, float]:
    """What is wrong in one picture, each with how far it is beyond its limit: 1 is at the limit."""
    found = {what: excess(conditions) for what, excess in _EXCESS.items()}
    return {what: by for what, by in found.items() if by is not None and by > 1}


def _over(fact: float | None, most: float) -> float | None:
    return None if fact is None else fact / most


def _under(fact: float | None, least: float) -> float | None:
    return None if fact is None else least / max(fact, 1e-3)


def _no_board(now: Conditions) -> float | None:
    return math.inf if now.die_px is None else None


def _far(now: Conditions) -> float | None:
    return None if (now.fills or 0.0) >= FILLS else _under(now.die_px, LEAST_DIE_PX)


def _coarse(now: Conditions) -> float | None:
    return _under(now.die_px, LEAST_DIE_PX) if (now.fills or 0.0) >= FILLS else None


def _blurred(now: Conditions) -> float | None:
    if now.blur_px is None or now.die_px is None or now.blur_px <= LENS_BLUR_PX:
        return None
    return now.blur_px / (MOST_BLUR * now.die_px)


def _unsharp(now: Conditions) -> float | None:
    return _blurred(now) if (now.smear or 1.0) <= MOST_SMEAR else None


def _smeared(now: Conditions) -> float | None:
    return _blurred(now) if (now.smear or 1.0) > MOST_SMEAR else None


def _noisy(now: Conditions) -> float | None:
    return None if now.noise is None else _over(now.noise / max(now.contrast or 0.0, 1.0), MOST_NOISE)


def _blown_out(now: Conditions) -> float | None:
    if now.clipped is None or now.glare is None:
        return None
    return max(now.clipped / MOST_CLIPPED, now.glare / MOST_GLARE)


def _faint(now: Conditions) -> float | None:
    if now.die_contrast is None:
        return None
    return _under(now.die_contrast / max(now.contrast or 0.0, 1.0), LEAST_DIE_CONTRAST)


_EXCESS: Mapping[Shortcoming, Callable[[Conditions], float | None]] = {
    Shortcoming.NO_BOARD: _no_board,
    Shortcoming.OUTSIDE: lambda now: _over(now.outside, MOST_OUTSIDE),
    Shortcoming.FAR: _far,
    Shortcoming.COARSE: _coarse,
    Shortcoming.UNSHARP: _unsharp,
    Shortcoming.SMEARED: _smeared,
    Shortcoming.DARK: lambda now: _under(now.light, LEAST_LIGHT),
    Shortcoming.NOISY: _noisy,
    Shortcoming.BLOWN_OUT: _blown_out,
    Shortcoming.SLANTED: lambda now: _over(now.slant_deg, MOST_SLANT_DEG),
    Shortcoming.FAINT: _faint,
}
