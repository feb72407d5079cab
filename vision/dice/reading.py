"""The reading of a throw: facts and doubt, no ruling."""

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Rest: TypeAlias = Literal["flat", "leaning", "on_checker", "on_die", "on_bar", "on_rim", "off_board"]
Half: TypeAlias = Literal["left", "right"]

SAME_PLACE = 0.35
"""In widths of the die: two readings of an untouched die differ by less."""


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die as seen.

    Attributes:
        value: number of the upper face, None if the picture does not settle it.
        confidence: that the value is right, 0 to 1.
        box_px: x0, y0, x1, y1 around the upper face.
        centre_px: of the upper face.
        centre_mm: in the board frame, None without a board.
        tilt_deg: angle of the upper face to the level, None if unknown.
        tilt_sd_deg: its standard deviation, None with it.
        rest: how it rests, None if unknown.
        half: left or right of the bar as the picture shows it; None on the bar, beside the surface, or without a board.
        on_surface: whether its middle is over the playing surface, None without a board.
        chances: of each number from 1 to 6, in sum 1; () where its face was not looked at. Where `value` is None they
            order the numbers for the question, and answer nothing.
        may_be_flat: False where all that was asked of it leaves hardly a chance that it lies flat, see
            `vision/dice/flat/second_opinion.py`.
        flat_chance: that it lies flat, see `vision/dice/flat/flatness.py`; None where that was not asked.
    """

    value: int | None
    confidence: float
    box_px: tuple[float, float, float, float]
    centre_px: tuple[float, float]
    centre_mm: tuple[float, float] | None = None
    tilt_deg: float | None = None
    rest: Rest | None = None
    half: Half | None = None
    on_surface: bool | None = None
    tilt_sd_deg: float | None = None
    chances: tuple[float, ...] = ()
    may_be_flat: bool = True
    flat_chance: float | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it lies flat, with its number."""
        return self.rest == "flat" and self.value is not None

    def to_json(self) -> dict[str, Any]:
        """The output of `companion read`."""
        return {
            "value": self.value,
            "confidence": round(self.confidence, 3),
            "box_px": [round(v, 1) for v in self.box_px],
            "centre_px": [round(v, 1) for v in self.centre_px],
            "centre_mm": self.centre_mm and [round(v, 1) for v in self.centre_mm],
            "tilt_deg": self.tilt_deg if self.tilt_deg is None else round(self.tilt_deg, 1),
            "tilt_sd_deg": self.tilt_sd_deg if self.tilt_sd_deg is None else round(self.tilt_sd_deg, 1),
            "rest": self.rest,
            "half": self.half,
        }


@dataclass(frozen=True, slots=True)
class DiceReading:
    """All dice in one picture.

    Attributes:
        dice: from left to right.
        doubt: something in the picture may or may not be a die, or a die could not be judged.
        board_found: the dice's places on a board are known.
    """

    dice: tuple[DieReading, ...]
    doubt: bool
    board_found: bool

    @property
    def is_open(self) -> bool:
        """Whether another picture of the same dice may settle what is in doubt."""
        if not self.dice or not self.board_found:
            return False
        rests = [die.rest for die in self.dice]
        is_cocked = any(rest not in ("flat", "on_checker", None) for rest in rests)
        is_read = None not in rests and all(die.value is not None for die in self.dice)
        return self.doubt or len(rests) != 2 or not (is_cocked or is_read)

    @property
    def is_plain(self) -> bool:
        """Whether it shows two dice that lie flat, with their numbers, and nothing else."""
        return all(die.is_plain for die in self.dice) and len(self.dice) == 2 and not self.doubt

    def pairs_with(self, other: "DiceReading") -> list[tuple[DieReading, DieReading]]:
        """The dice that another reading of the same picture has, too, each as both see it."""
        return [(one, there) for one in self.dice for there in other.dice if same_place(one, there)]


def same_place(one: DieReading, other: DieReading) -> bool:
    """Whether two readings are of one die, judged by its place in the picture."""
    width = one.box_px[2] - one.box_px[0]
    return math.dist(one.centre_px, other.centre_px) < SAME_PLACE * width
