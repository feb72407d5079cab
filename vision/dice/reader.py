"""Reading of the dice in single pictures: find, refine, look at faces, judge."""

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from vision.board.calibration import Board
from vision.change import STEP, Stir
from vision.dice.evidence import Evidence
from vision.dice.faces import MODEL_ANYWHERE as PIPS_ANYWHERE
from vision.dice.faces import PipReader, Seen
from vision.dice.finder import DIE_MM, EDGE_PX, MODEL_ANYWHERE, NEAR, Finder, Spot, apart, same_place
from vision.dice.flat.beneath import Ground
from vision.dice.flat.both_ways import (
    SURELY_BRIGHTENED,
    SURELY_STRANGE,
    either,
    is_only_rest_open,
    is_plainly_cocked,
    settled,
)
from vision.dice.flat.camera import UNKNOWN, CameraEstimate
from vision.dice.flat.carried import Carrier
from vision.dice.flat.second_opinion import SecondOpinion
from vision.dice.flat.supported import by_picture
from vision.dice.judge import reading_of
from vision.dice.numbers import NumberReader
from vision.dice.reading import DiceReading
from vision.dice.refine import MAYBE_DIE
from vision.errors import BadPicture
from vision.frame import Bgr
from vision.pyramid import Halves

LOOKED_AT = 10
"""Spots examined on a known board. Two are dice; if the finder sees them they are among these, even on a board whose
rim is inlaid with pip-like ornaments."""


WORTH_A_LOOK = 0.45
"""Least score relative to the best spot's. Hardly any die found on the rendered boards had less."""


class LookedAt(NamedTuple):
    """What is looked at where the lens is not known.

    Attributes:
        most: so many spots on the surface, which may have dots at its 24 points.
        maybe: of these what the placing net takes for a die by this logit.
        worth: least score relative to that of the best spot.
        odds: that a die lies flat, as a multiple of the usual ones.
    """

    most: int
    maybe: float
    worth: float = WORTH_A_LOOK
    odds: float = 1.0


LOOKED_AT_FIRST, LOOKED_AT_LONGER = LookedAt(30, MAYBE_DIE), LookedAt(90, -3.0)
"""The second where fewer than two dice are read among the first on a board that is not familiar: the ornaments of some
look more like dice than their dice do, and the placing net never saw such dice (5 % instead of 30). See
docs/adr/0078-a-net-adds-up-what-is-said-of-a-die.md for what that reads."""
LOOKED_AT_HARDEST = LookedAt(120, -3.0, worth=0.0, odds=0.1)
"""At last, where there are still fewer than two: all that is found in the HARDEST_SIZES with at least HARDEST_SCORE. Of
94 throws on painted boards that were then seen as two dice 66 had one that something carried, so that what would be
flat by 0.975 must be so by 0.9975."""
BRIGHTER = (255 * np.sqrt(np.arange(256) / 255)).round().astype(np.uint8)
"""The brightness in the brightened picture: shadows, which are darker on real boards than on painted ones, show what is
in them."""
HARDEST_SIZES, HARDEST_SCORE = (0.72, 1.0, 1.2), 0.12
HARDEST_PX = (0.55, 1.86)
"""Widths, in dice of 14.5 mm, between which such a spot counts."""
LOOKED_AT_BESIDE = 5
"""Spots examined beside the surface: what is printed there crowds out no die on it."""
LARGER, LARGER_PX = 1.45, (1.25, 1.86)
"""Dice on boards with narrow points seem this much larger, as all boards are taken to have points 41 mm wide: what the
second search finds counts between these widths, in dice of 14.5 mm. Wider ones are checkers."""
AS_GOOD = 0.7
"""A die that both searches find is where the first says, unless its score is below this part of the other's."""
LOOKED_AT_ANYWHERE = 120
EDGE_SHARE = 0.4
"""In widths: a spot whose middle is closer to the picture's edge is no die, or one that nobody could read."""
FRESH_SHARE = 0.1
"""Least part of a spot's square that differs from the picture without dice. A die of the board's own colour still has a
shadow and pips."""


class Reader:
    """Reads the dice in single pictures; loaded once, used by one thread.

    Args:
        second: says what is asked of dice where the lens is not known.
        brightens: read what stays open on a board of an unknown make once more, brightened.
    """

    def __init__(self, second: SecondOpinion | None = None, brightens: bool = True) -> None:
        self._brightens = brightens
        self._finder = Finder()
        self._finder_anywhere = Finder(MODEL_ANYWHERE)
        self._pips = PipReader()
        self._pips_anywhere = PipReader(PIPS_ANYWHERE)
        self._carrier = Carrier()
        self._numbers = NumberReader()
        self._second = second or SecondOpinion(self._carrier, self._pips)

    def read(
        self,
        bgr: Bgr,
        board: Board | None = None,
        since: Stir | None = None,
        evidence: Evidence | None = None,
        camera: CameraEstimate = UNKNOWN,
    ) -> DiceReading:
        """Read the dice in a picture (H, W, 3) uint8, on a board if one is known.

        Args:
            bgr: the picture.
            board: the board's place in it.
            since: change since a picture without dice; a spot without change is no die.
            evidence: earlier pictures of the same dice, which are read together with this one; it is added to them.
            camera: what is known of the camera, where the board's lens is not.

        Raises:
            BadPicture: the picture is too small to hold a die.
            BadBoard: the board belongs to pictures of other proportions.
        """
        h, w = bgr.shape[:2]
        if min(h, w) < 24:
            raise BadPicture(f"A picture of {w}x{h} pixels is too small to show dice.")
        picture = Halves(bgr)
        if board is None:
            spots = self._finder_anywhere.search(picture, max(9.0, max(h, w) / 110), max(h, w) / 5, 0.15)
            spots = [spot for spot in _fresh(spots, since)[:LOOKED_AT_ANYWHERE] if _inside(spot, w, h)]
            return _reading_of(self._pips_anywhere.look(picture, spots), None, evidence)
        board = board.for_picture((w, h))
        was_given = board.distortion is not None
        if not was_given:
            board = camera.as_read(board)
        if board.unfamiliar:
            return self._strange(picture, board, since, evidence)
        reading = self._familiar(picture, board, since, evidence, was_given)
        if not is_only_rest_open(reading, board):
            return reading
        strange = replace(board, unfamiliar=True)
        other = self._strange(picture, strange, since, evidence and evidence.strange)
        return settled(reading, other, SURELY_STRANGE)

    def _familiar(
        self, picture: Halves, board: Board, since: Stir | None, evidence: Evidence | None, was_given: bool
    ) -> DiceReading:
        """The reading on a board of a make that the nets know, `was_given` with its lens."""
        found, doubted = self._found(picture, board, since), replace(board, doubted=True)
        if board.distortion is None:
            return self._on_board(found, picture, doubted, since, evidence)
        reading = self._on_board(found, picture, board, since, evidence)
        if reading.is_plain or (was_given and (not reading.dice or is_plainly_cocked(reading))):
            return reading
        other = self._on_board(found, picture, doubted, since, evidence and evidence.second)
        return either(reading, other)

    def _strange(
        self, picture: Halves, board: Board, since: Stir | None, evidence: Evidence | None
    ) -> DiceReading:
        """The reading on a board of any make, of the brightened picture too where the picture as it is stays open."""
        found, doubted = self._found(picture, board, since), replace(board, doubted=True)
        reading = self._on_board(found, picture, doubted, since, evidence)
        if not (self._brightens and reading.is_open):
            return reading
        brightened = self._brightened(picture.level(0), doubted, since, evidence)
        return settled(reading, brightened, SURELY_BRIGHTENED)

    def _on_board(
        self,
        found: list[Spot],
        picture: Halves,
        board: Board,
        since: Stir | None,
        evidence: Evidence | None,
    ) -> DiceReading:
        """The reading of the dice on a board."""
        seen = self._judged(found, LOOKED_AT_FIRST, picture, board)
        if board.unfamiliar and len(reading_of(seen, board).dice) < 2:
            seen = self._judged(found, LOOKED_AT_LONGER, picture, board)
        if board.unfamiliar and len(reading_of(seen, board).dice) < 2:
            hardest = self._judged(
                self._found_hardest(picture, board, since), LOOKED_AT_HARDEST, picture, board
            )
            if len(reading_of(hardest, board).dice) == 2:
                seen = hardest
        return _reading_of(seen, board, evidence)

    def _brightened(
        self, bgr: Bgr, board: Board, since: Stir | None, evidence: Evidence | None
    ) -> DiceReading:
        """The reading of the brightened picture, on a board that is not familiar."""
        picture = Halves(np.asarray(cv2.LUT(bgr, BRIGHTER), np.uint8))
        found = self._found(picture, board, since)
        return self._on_board(found, picture, board, since, evidence and evidence.brightened)

    def _judged(self, found: list[Spot], looked_at: LookedAt, picture: Halves, board: Board) -> list[Seen]:
        """What all nets say of the spots that are worth a look."""
        spots = _first(found, board, looked_at)
        up = board.up(np.array([(s.x, s.y) for s in spots])) if spots else None
        seen = self._pips.look(picture, spots, up, looked_at.maybe)
        if board.trusts_lens:
            return self._numbers.given(seen, picture)
        if board.distortion is None and (flat := self._second.at_once(seen, picture, board)):
            flat = self._numbers.given(flat, picture)
            if reading_of(flat, board).is_plain:
                return flat
        ground = Ground(picture, board)
        first = {one.spot: one.look.die for one in seen}
        seen = [by_picture(one, board, ground) for one in seen]
        seen = self._carrier.marked(seen, picture, board, ground)
        seen = self._second.given(seen, picture, board, ground, looked_at.odds)
        return self._numbers.given(seen, picture, first)

    def _found_hardest(self, picture: Halves, board: Board, since: Stir | None) -> list[Spot]:
        """The spots on a board that look little like a die, or are of another size."""
        edge, (low, high) = DIE_MM * board.px_per_mm(), HARDEST_PX
        spots = [
            spot
            for size in HARDEST_SIZES
            for spot in self._finder.find(picture, EDGE_PX / (edge * size), HARDEST_SCORE)
            if low < spot.width / edge < high
        ]
        return _fresh(apart(spots), since)

    def _found(self, picture: Halves, board: Board, since: Stir | None) -> list[Spot]:
        """The spots on a board, the most certain first."""
        edge = DIE_MM * board.px_per_mm()
        spots = self._finder.find(picture, EDGE_PX / edge, near=NEAR)
        if not board.unfamiliar:
            return _fresh(spots, since)
        larger = self._finder.find(picture, EDGE_PX / (edge * LARGER), near=NEAR)
        low, high = LARGER_PX
        larger = [spot for spot in larger if low < spot.width / edge < high]
        usual = spots
        spots = [
            s for s in usual if not any(same_place(s, k) and s.score < AS_GOOD * k.score for k in larger)
        ]
        spots += [k for k in larger if not any(same_place(k, s) for s in spots)]
        spots.sort(key=lambda spot: -spot.score)
        return _fresh(spots, since)


def _reading_of(seen: list[Seen], board: Board | None, evidence: Evidence | None) -> DiceReading:
    return reading_of(seen, board) if evidence is None else evidence.reading(seen, board)


def _first(spots: list[Spot], board: Board, looked_at: LookedAt) -> list[Spot]:
    """The spots that are worth a look, where the lens is not known at most so many on the surface."""
    if board.trusts_lens:
        return _worth_a_look(spots[:LOOKED_AT])
    on, beside = _parted(spots, board)
    return _worth_a_look(on[: looked_at.most], looked_at.worth) + _worth_a_look(beside[:LOOKED_AT_BESIDE])


def _parted(spots: list[Spot], board: Board) -> tuple[list[Spot], list[Spot]]:
    """The spots on the surface, and those beside it."""
    if not spots:
        return [], []
    at = board.lowered(board.to_mm(np.array([(spot.x, spot.y) for spot in spots])), DIE_MM)
    on = np.all(np.abs(at) < np.divide(board.surface_mm, 2), axis=1, keepdims=False).tolist()
    return [s for s, k in zip(spots, on, strict=True) if k], [
        s for s, k in zip(spots, on, strict=True) if not k
    ]


def _worth_a_look(spots: list[Spot], least: float = WORTH_A_LOOK) -> list[Spot]:
    """The spots that have at least this part of the score of the first, the best."""
    return [spot for spot in spots if spot.score >= least * spots[0].score]


def _inside(spot: Spot, w: int, h: int) -> bool:
    """Whether the middle of the face is in the picture, and not at its very edge."""
    edge = EDGE_SHARE * spot.width
    return edge < spot.x < w - edge and edge < spot.y < h - edge


def _fresh(spots: list[Spot], since: Stir | None) -> list[Spot]:
    """The spots that changed."""
    return spots if since is None else [spot for spot in spots if _changed(since, spot) >= FRESH_SHARE]


def _changed(since: Stir, spot: Spot) -> float:
    """The part of a spot's square that changed, 0 to 1."""
    x0, y0, x1, y1 = (
        max(0, round((v + way * spot.width / 2) / STEP))
        for v, way in ((spot.x, -1), (spot.y, -1), (spot.x, 1), (spot.y, 1))
    )
    square = since.moved[y0 : y1 + 1, x0 : x1 + 1]
    return float(square.mean()) if square.size else 0.0


def single_thread() -> None:
    """Keep OpenCV to one core, so that page and camera keep theirs."""
    cv2.setNumThreads(1)
