"""A second opinion on whether a die lies flat, where the lens is not known and the board may be of any make.

The reading net after it has learned painted boards of every make (`models/faces_wide.onnx`, trained by
`vision/training/nets/faces_wide.py`) looks at each die again; `witnesses.py` adds up what it and others say. Dice that
this leaves open are looked at once more with the camera that the dice say (`camera.py`), by all nets: where the
camera's height is taken wrong, dice that lie flat seem to lean. What is still open, or in doubt, lies flat where
nothing could carry it (`_leans_on_nothing`). On a board that is not familiar a small net adds up all that is said of a
die with both cameras (`flatness.py`), and settles what it is sure of. On a familiar one it is asked before a die
is called leaning or on a checker, and of what is open though the first net sees it plainly flat; two dice that the
first nets see plainly flat in the open need no second opinion (`at_once`).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from vision.board.calibration import Board
from vision.dice.candidates import IS_DIE, MAYBE_DIE
from vision.dice.faces import MODEL_WIDE, Look, PipReader, Seen
from vision.dice.finder import Spot
from vision.dice.flat.beneath import Ground
from vision.dice.flat.camera import camera_of, with_camera
from vision.dice.flat.carried import CARRIED as MAY_BE_CARRIED
from vision.dice.flat.carried import Carrier, Carrying
from vision.dice.flat.flatness import FlatnessNet, is_flat, with_odds
from vision.dice.flat.supported import by_picture, is_out_of_reach
from vision.dice.flat.witnesses import (
    FITTED,
    USUAL,
    USUAL_WIDE,
    Situation,
    Weights,
    of_carrying,
    of_look,
    of_nets,
    of_number,
    of_picture,
    of_place,
    of_up,
    of_wall,
    situation_of,
)
from vision.dice.rest import PLAINLY_TILTED_DEG, READABLE, SEEMS_ON_CHECKER_UNKNOWN
from vision.pyramid import Halves

SURELY: dict[Situation, float] = {"open": 0.95, "at a wall": 0.98, "touching": 0.97}
"""Chance from which a die lies flat, whatever the first opinion is. At a wall or a die one that leans by less than ten
degrees looks much like one that does not."""
HARDLY = 0.3
"""Chance below which it is in doubt that a die lies flat, whatever the first opinion is."""
SURELY_FITTED: dict[Situation, float] = {"open": 0.9, "at a wall": 0.95, "touching": 0.99}
"""The same as SURELY with the camera that the dice say. A leaning die bends that, so the following bounds
hold as well, for all nets."""
MOST_TILT_DEG, MOST_LEANING, MOST_CARRIED, MOST_CHECKER = 6.0, 0.2, 0.8, 0.4
BENT = 0.15
"""A die bends that camera if its own up is further than this from where the one that the other dice say has it: 0.25
for one that leaned by 23 degrees on a rim and that all nets saw flat, at most 0.065 for 23 real ones taken for flat."""
SEEMS_DEG, SEEMS_LEANING = 6.0, 0.4
"""What the net for every make sees lean by more than both, with either camera, is in doubt."""
ON_CHECKER, CARRIED_TOO, NO_FIELD = 0.5, 0.6, 0.5
"""What it sees on a checker by more than the first is in doubt if the net for carried dice agrees by the second, or if
less than the third part of the ring around the die is the field."""
HARDLY_BY_ALL = 0.45
"""Chance by all that is said, as on a board that is not familiar, below which a die on a familiar one hardly lies flat.
Of 56 dice on rendered boards that were rightly said to lean or to lie on a checker one has more than 0.1."""
NOT_AGAINST_BY_ALL = 0.93
"""The same from which what is open on a familiar board lies flat if the first net sees it plainly flat."""
ALL_SEE_IT_LEAN = 0.8
"""A die that all looks see lean by more is not believed to lie flat, whatever adds up: of 2,233 believed flat ones on
painted boards that costs 7. A die in a rendered game leaned by 20 degrees on the rim of a checker, which the net for
carried dice did not see; all together said 0.996."""
CARRIED, CARRIED_WIDE, UNLESS = 0.85, 0.98, 0.94
"""What the net for carried dice says alone, by more than the first, or by the second on a board that is not familiar,
is a doubt below this chance of all together."""
LEANS_ON_DIE = 0.5
"""Of a die that touches another: the net for every make sees it lean."""
AGREED, AGREED_READABLE = 0.9, 0.8
"""A die that lies flat for sure is readable, whatever the first net says of that, if both nets see the same number by
the first, and it as readable by the second."""


class Plain(NamedTuple):
    """What is said of a die on a familiar board that needs no second opinion.

    Attributes:
        die: least chance that it is one.
        floor: least share of the floor below it.
        leaning: most chance that it leans.
        tilt_deg: most tilt.
        carried: most chance that something carries it.
    """

    die: float
    floor: float
    leaning: float
    tilt_deg: float
    carried: float


PLAINLY = Plain(die=0.98, floor=0.95, leaning=0.05, tilt_deg=5.0, carried=0.5)
"""Two such dice in the open: 79 of 110 flat throws on rendered boards, none of 108 others, nor of 728 on painted boards
of families never learned that were taken for familiar (docs/adr/0090-plain-dice-need-no-second-opinion.md)."""
SURELY_DIE = 0.98
"""What leans on nothing must be a die for both nets: letters of a logo and inlays lie in the open, too."""


@dataclass(frozen=True)
class Around:
    """Around a die: where the board lies, and what is seen there."""

    spot: Spot
    board: Board
    ground: Ground

    @cached_property
    def words(self) -> tuple[float, ...]:
        """What the picture says, see `witnesses.of_picture`."""
        return of_picture(self.spot, self.board, self.ground)

    @property
    def up(self) -> tuple[float, float]:
        """Where up is at the die, see `Board.up`."""
        x, y = self.board.up(np.array([(self.spot.x, self.spot.y)]))[0].tolist()
        return x, y


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a die: the look of the net for every make, what may carry it, where it is."""

    look: Look
    carrying: Carrying
    situation: Situation

    @property
    def carried(self) -> float:
        """The chance that something carries it."""
        return self.carrying.chance

    @property
    def of_nets(self) -> tuple[float, ...]:
        """What the nets say, see `witnesses.of_nets`."""
        return of_nets(self.look, self.carried)

    @property
    def leans(self) -> bool:
        """Whether it seems to lean."""
        return self.look.leaning > SEEMS_LEANING and (self.look.tilt_deg or 0.0) > SEEMS_DEG


class SecondOpinion:
    """The net, loaded once; not thread-safe."""

    def __init__(self, carrier: Carrier, pips: PipReader, flatness: FlatnessNet | None = None) -> None:
        self._carrier, self._first, self._pips = carrier, pips, PipReader(MODEL_WIDE)
        self._flatness = flatness or FlatnessNet()

    def at_once(self, seen: Sequence[Seen], picture: Halves, board: Board) -> list[Seen]:
        """The looks, if by what the first nets say they are at two dice that plainly lie flat in the open.

        Empty where more has to be asked, as always on a board that is not familiar.

        Args:
            seen: spots and looks.
            picture: the picture.
            board: where the board lies in it.
        """
        dice = [one for one in seen if one.look.die >= MAYBE_DIE]
        if (
            board.unfamiliar
            or len(dice) != 2
            or not all(_is_plainly_flat(one) and situation_of(one, dice, board) == "open" for one in dice)
        ):
            return []
        if max(self._carrier.chances(picture, [one.spot for one in dice], board)) > PLAINLY.carried:
            return []
        return [replace(one, look=replace(one.look, flat=True)) if one in dice else one for one in seen]

    def given(
        self, seen: Sequence[Seen], picture: Halves, board: Board, ground: Ground, odds: float = 1.0
    ) -> list[Seen]:
        """The looks at dice with what this net says of them.

        `die` is the less sure of both nets: what only one of them takes for a die is none. `flat` is True where the die
        lies flat for sure, False where it hardly does. `may_be_flat` is False where all words added up, with the usual
        camera, leave hardly a chance that it does: only such a die is said to lean or to lie on a checker.

        Args:
            seen: spots and looks.
            picture: the picture.
            board: where the board lies in it.
            ground: what is around the dice.
            odds: that a die lies flat, as a multiple of the usual ones; counts on a board that is not familiar.
        """
        said = self.said(seen, picture, board)
        dice = [one for one in seen if one.spot in said]
        around = {spot: Around(spot, board, ground) for spot in said}
        first = {spot: opinion(one, around[spot]) for spot, one in said.items()}
        open_first = {spot for spot, one in first.items() if one is None or (one and said[spot].leans)}
        again = [one for one in dice if board.unfamiliar or one.spot in open_first]
        fitted = self._fitted(again, seen, said, picture, board, ground)
        flat = {
            one.spot: _with_fitted(
                first[one.spot], one, said[one.spot], fitted.get(one.spot), around[one.spot], seen
            )
            for one in dice
        }
        chances: dict[Spot, float] = {}
        may_be_flat = {spot for spot, one in first.items() if one is not False}
        if board.distortion is not None:  # a lens that is known, or that the throws of a game have said
            may_be_flat -= {
                one.spot
                for one in dice
                if one.spot in fitted and fitted[one.spot].all_see_it_lean(one.look, said[one.spot].look)
            }
        if board.unfamiliar:
            by_all = self._by_all(seen, said, fitted, around)
            chances = {spot: with_odds(chance, odds) for spot, chance in by_all.items()}
            by_chance = {spot: is_flat(chance) for spot, chance in chances.items()}
            flat |= {spot: one for spot, one in by_chance.items() if one is not None}
        else:
            plain = {one.spot for one in dice if flat[one.spot] is None and _is_plainly_flat(one)}
            asked = [one for one in dice if one.spot in plain or one.spot not in may_be_flat]
            by_all = self._by_all_as_strange(asked, seen, said, picture, board, ground)
            may_be_flat |= {spot for spot, chance in by_all.items() if chance >= HARDLY_BY_ALL}
            flat |= {spot: True for spot in plain & by_all.keys() if by_all[spot] >= NOT_AGAINST_BY_ALL}
        settled = {
            one.spot: _settled(
                replace(one.look, flat_chance=chances.get(one.spot)),
                said[one.spot],
                flat[one.spot],
                one.spot in may_be_flat,
            )
            for one in dice
        }
        return [replace(one, look=settled.get(one.spot, one.look)) for one in seen]

    def _by_all_as_strange(
        self,
        asked: Sequence[Seen],
        seen: Sequence[Seen],
        said: Mapping[Spot, Said],
        picture: Halves,
        board: Board,
        ground: Ground,
    ) -> dict[Spot, float]:
        """The chances of these dice on a familiar board that they lie flat, as if it were not familiar."""
        if not asked:
            return {}
        strange = replace(board, unfamiliar=True)
        spots = [one.spot for one in asked]
        carrying = self._carrier.said(picture, spots, strange)
        as_strange = {
            spot: replace(said[spot], carrying=one) for spot, one in zip(spots, carrying, strict=True)
        }
        around = {spot: Around(spot, strange, ground) for spot in spots}
        fitted = self._fitted(asked, seen, as_strange, picture, strange, ground)
        return self._by_all(seen, as_strange, fitted, around)

    def _by_all(
        self,
        seen: Sequence[Seen],
        said: Mapping[Spot, Said],
        fitted: Mapping[Spot, "Fitted"],
        around: Mapping[Spot, Around],
    ) -> dict[Spot, float]:
        """The chances of fitted dice that they lie flat, by all that is said of each with both cameras; 0 where
        all looks of both reading nets see it lean.
        """
        asked = [one for one in seen if one.spot in fitted]
        dice = [one for one in seen if one.look.die >= IS_DIE]
        words = [fitted[one.spot].words(one, said[one.spot], around[one.spot], dice) for one in asked]
        chances = self._flatness.chances(words)
        return {
            one.spot: 0.0 if fitted[one.spot].all_see_it_lean(one.look, said[one.spot].look) else chance
            for one, chance in zip(asked, chances, strict=True)
        }

    def said(self, seen: Sequence[Seen], picture: Halves, board: Board) -> dict[Spot, Said]:
        """What is said of each die among these looks."""
        dice = [one for one in seen if one.look.die >= IS_DIE]
        return self._said(dice, dice, picture, board)

    def _said(
        self, asked: Sequence[Seen], dice: Sequence[Seen], picture: Halves, board: Board
    ) -> dict[Spot, Said]:
        spots = [one.spot for one in asked]
        up = board.up(np.array([(spot.x, spot.y) for spot in spots]).reshape(-1, 2))
        looks, carrying = self._pips.again(picture, spots, up), self._carrier.said(picture, spots, board)
        return {
            one.spot: Said(look, carrier, situation_of(one, dice, board))
            for one, look, carrier in zip(asked, looks, carrying, strict=True)
        }

    def _fitted(
        self,
        asked: Sequence[Seen],
        seen: Sequence[Seen],
        said: Mapping[Spot, Said],
        picture: Halves,
        board: Board,
        ground: Ground,
    ) -> Mapping[Spot, "Fitted"]:
        """What both nets say of the dice asked for, with the camera that all dice say.

        On a board that is not familiar these looks say the camera once more, see `camera.TOLD`.
        """
        if not asked:
            return {}
        found, away = camera_of(board, asked, seen)
        spots = [one.spot for one in asked]
        looks = self._first.again(picture, spots, found.up(np.array([(spot.x, spot.y) for spot in spots])))
        first = [by_picture(Seen(spot, look), found, ground) for spot, look in zip(spots, looks, strict=True)]
        if found is not board:  # otherwise the others would say the same again
            dice = [one for one in seen if one.look.die >= IS_DIE]
            said = self._said([one for one in first if one.look.die >= IS_DIE], dice, picture, found)
        refined = with_camera(found, first) if board.unfamiliar else found
        return {
            one.spot: Fitted(one.look, said[one.spot], Around(one.spot, refined, ground), far)
            for one, far in zip(first, away, strict=True)
            if one.look.die >= IS_DIE
        }


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is said of a die with the camera that the dice say: by the reading net, and by the others.

    `away` is how far its own up is from the board's by the camera that the other dice say.
    """

    first: Look
    second: Said
    around: Around
    away: float

    @property
    def surely_flat(self) -> bool:
        """Whether it lies flat, by all of them."""
        looks = (self.first, self.second.look)
        if (
            self.away > BENT
            or max(look.tilt_deg or 0.0 for look in looks) > MOST_TILT_DEG
            or max(look.leaning for look in looks) > MOST_LEANING
            or max(look.supports[1] for look in looks) > MOST_CHECKER
            or self.second.carried > MOST_CARRIED
        ):
            return False
        return FITTED.chance(_words(self.second, self.around)) >= SURELY_FITTED[self.second.situation]

    def all_see_it_lean(self, *usual: Look) -> bool:
        """Whether both reading nets surely see it lean with both cameras, of which the usual one is given."""
        return min(look.leaning for look in (*usual, self.first, self.second.look)) > ALL_SEE_IT_LEAN

    def words(self, seen: Seen, usual: Said, around: Around, dice: Sequence[Seen]) -> tuple[float, ...]:
        """All that is said of the die, for `flatness.py`: also by the reading net and by the one for every make with
        the usual camera, and of where it is among these dice.
        """
        return (
            *_words(usual, around),
            *_words(self.second, self.around),
            *of_look(seen.look),
            *of_look(self.first),
            *of_number(seen.look),
            *of_number(usual.look),
            *of_carrying(usual.carrying),
            *of_carrying(self.second.carrying),
            *of_up((seen.look, usual.look), around.up),
            *of_up((self.first, self.second.look), self.around.up),
            math.log(self.around.board.focal_widths),
            *of_wall(
                seen,
                around.board,
                (
                    _lean((seen.look, usual.look), around.up),
                    _lean((self.first, self.second.look), self.around.up),
                ),
            ),
            *of_place(seen, dice, around.board, self.away),
        )


def _lean(looks: Sequence[Look], up: tuple[float, float]) -> tuple[float, float]:
    """The die's own up by the mean of these looks, less the board's."""
    own_x, own_y = (
        math.fsum(part) / len(looks) for part in zip(*(look.own_up for look in looks), strict=True)
    )
    return own_x - up[0], own_y - up[1]


def opinion(said: Said, around: Around) -> bool | None:
    """Whether a die lies flat of which this was said; None where that settles nothing."""
    weights = _usual(around.board)
    ends = {_settles(weights.chance((*said.of_nets, *end)), said.situation) for end in weights.ends()}
    flat = ends.pop()
    if ends:  # only then does the picture around the die settle it
        flat = _settles(_chance(said, around), said.situation)
    return flat


def _with_fitted(
    first: bool | None, one: Seen, said: Said, fitted: Fitted | None, around: Around, seen: Sequence[Seen]
) -> bool | None:
    """Whether a die lies flat by the first opinion and by what is said with the camera that the dice say, if it
    was asked for; None where that settles nothing.
    """
    if _is_in_doubt(said, around):
        return False
    flat = first
    if fitted is not None and fitted.second.leans and said.leans:
        flat = False
    elif fitted is not None and flat is None and fitted.surely_flat:
        flat = True
    if not flat and _leans_on_nothing(one, said, around, seen):
        return True
    return flat


def _settles(chance: float, situation: Situation) -> bool | None:
    if chance >= SURELY[situation]:
        return True
    return False if chance < HARDLY else None


def _chance(said: Said, around: Around) -> float:
    return _usual(around.board).chance(_words(said, around))


def _words(said: Said, around: Around) -> tuple[float, ...]:
    """What all WITNESSES say."""
    return (*said.of_nets, *around.words)


def _usual(board: Board) -> Weights:
    return USUAL_WIDE if board.unfamiliar else USUAL


def _settled(look: Look, said: Said, flat: bool | None, may_be_flat: bool) -> Look:
    """The first net's look with what was said."""
    both = (look, said.look)
    if (
        flat
        and len({int(np.argmax(one.values)) for one in both}) == 1
        and min(max(one.values) for one in both) >= AGREED
        and min(one.readable for one in both) >= AGREED_READABLE
    ):
        look = replace(look, readable=max(look.readable, READABLE))
    return replace(
        look,
        die=min(one.die for one in both),
        flat=flat,
        may_be_flat=may_be_flat,
        wide_values=said.look.values,
        wide_readable=said.look.readable,
    )


def _is_plainly_flat(one: Seen) -> bool:
    """Whether a die lies flat by the first net alone."""
    look = one.look
    return (
        look.die >= PLAINLY.die
        and look.supports[0] >= PLAINLY.floor
        and look.leaning <= PLAINLY.leaning
        and (look.tilt_deg or 0.0) <= PLAINLY.tilt_deg
    )


def _leans_on_nothing(one: Seen, said: Said, around: Around, seen: Sequence[Seen]) -> bool:
    """Whether a die lies flat, whatever the nets see of its tilt, as nothing that could carry it is within reach.

    With walls and dice too far away (`supported.is_out_of_reach`) a checker is left, and another die wholly below it:
    all have to see neither, and the field around it. One alone may hide another, and what plainly leans where there is
    nothing is no die, or leans on what is not seen.
    """
    looks = (one.look, said.look)
    tilt_deg = max(look.tilt_deg or 0.0 for look in looks)
    return (
        min(look.die for look in looks) >= SURELY_DIE
        and tilt_deg <= PLAINLY_TILTED_DEG
        and max(look.supports[1] for look in looks) <= SEEMS_ON_CHECKER_UNKNOWN
        and said.carried <= MAY_BE_CARRIED
        and any(other.look.die >= IS_DIE for other in seen if other.spot != one.spot)
        and is_out_of_reach(one.spot, tilt_deg, seen, around.board)
        and around.words[0] >= NO_FIELD
    )


def _is_in_doubt(said: Said, around: Around) -> bool:
    """Whether one witness alone speaks so plainly against it that the sum does not count."""
    if said.look.supports[1] > ON_CHECKER and (said.carried > CARRIED_TOO or around.words[0] < NO_FIELD):
        return True
    carried = CARRIED_WIDE if around.board.unfamiliar else CARRIED
    if said.carried > carried and _chance(said, around) < UNLESS:
        return True
    return said.situation == "touching" and said.look.leaning > LEANS_ON_DIE
