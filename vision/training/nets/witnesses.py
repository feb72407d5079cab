"""Fits the weights of what speaks for and against a die that lies flat, for `vision/dice/flat/witnesses.py`.

    python -m vision.training.nets.witnesses --seeds 920000-920119 --familiar                   # USUAL
    python -m vision.training.nets.witnesses --seeds 920000-920119 --familiar --cameras dice    # FITTED
    python -m vision.training.nets.witnesses --seeds 920000-920119                              # USUAL_WIDE

Dice on painted boards of the families held out, their corners given, are read; a logistic regression is fitted to the
witnesses of those found, and printed, with a table of what each least chance costs: fitted on four fifths of the boards
and counted on the fifth, five times. Dice at rims and dice that touch are counted apart. With the usual camera a
dozen dice lie on each board; otherwise two, thrown eight times, and the board is seen by the camera that they say. With
`--familiar` the net for carried dice is asked that knows fewer painted boards.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.board.findboard import board_from_points
from vision.dice import reader as reading
from vision.dice.faces import PipReader, Seen
from vision.dice.finder import Spot
from vision.dice.flat.beneath import Ground
from vision.dice.flat.camera import with_camera
from vision.dice.flat.carried import Carrier
from vision.dice.flat.second_opinion import SecondOpinion
from vision.dice.flat.witnesses import Situation, of_picture
from vision.dice.reader import LOOKED_AT_FIRST, Reader
from vision.errors import BadBoard
from vision.pyramid import Halves
from vision.training.painted.pairs import pairs
from vision.training.painted.throws import painted_board
from vision.training.rendered.scenes import TrueDie
from vision.training.samples.sample import Sample

Array = NDArray[np.float64]
CROWD = LOOKED_AT_FIRST._replace(most=60)
"""What is looked at: a painted board has a dozen dice instead of two."""
OWN_PLACE = 0.5
"""In widths: a die found so close to a true one is that one."""
PARTS = 5
PENALTY = 1e-3
"""On the squares of the weights."""
COUNTED = ("flat", "leaning", "on_checker")
"""Dice on the bar are told by their place."""
CHANCES = (0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of a die: its board, the witnesses, the situation, and whether it lies flat."""

    seed: int
    words: tuple[float, ...]
    situation: Situation
    flat: bool


class Listening(SecondOpinion):
    """Keeps what is said of the dice of the last picture."""

    last: Mapping[Spot, tuple[tuple[float, ...], Situation]]

    def __init__(self, cameras: str) -> None:
        super().__init__(Carrier(), PipReader())
        self._cameras = cameras

    def at_once(self, seen: Sequence[Seen], picture: Halves, board: Board) -> list[Seen]:
        """Nothing: also of dice that plainly lie flat all is to be said."""
        return []

    def given(self, seen: Sequence[Seen], picture: Halves, board: Board, ground: Ground) -> list[Seen]:
        """The looks as they are; all that is said of the dice among them is kept."""
        if self._cameras == "dice":
            board = with_camera(board, seen)
        self.last = {
            spot: ((*one.of_nets, *of_picture(spot, board, ground)), one.situation)
            for spot, one in self.said(seen, picture, board).items()
        }
        return list(seen)


def pictures(seed: int, cameras: str) -> Iterator[tuple[Sample, Array]]:
    """The pictures of a seed's board with dice, and its marks, see `Plan.marks`."""
    if cameras == "usual":
        yield painted_board(seed, held_out=True)
        return
    for _, sample, marks in pairs(seed):
        yield sample, marks


def said_on(seed: int, reader: Reader, listening: Listening, cameras: str, familiar: bool) -> Iterator[Said]:
    """What is said of the dice on the board of a seed; nothing where its outline is no board's."""
    for sample, marks in pictures(seed, cameras):
        h, w = sample.image.shape[:2]
        try:
            board = replace(board_from_points((w, h), marks), unfamiliar=not familiar)
        except BadBoard:
            return
        reader.read(sample.image, board)
        for true in sample.dice:
            spot = own_spot(listening.last, true)
            if spot is not None and true.rest in COUNTED:
                words, situation = listening.last[spot]
                yield Said(seed, words, situation, true.rest == "flat")


def own_spot(spots: Iterable[Spot], true: TrueDie) -> Spot | None:
    """The one of these spots where a die is, None where it was not found."""
    near = [spot for spot in spots if _away(spot, true) < OWN_PLACE]
    return min(near, key=lambda spot: _away(spot, true), default=None)


def _away(spot: Spot, true: TrueDie) -> float:
    return float(np.hypot(spot.x - true.centre_px[0], spot.y - true.centre_px[1])) / true.width_px


def fitted(words: Array, flat: NDArray[np.bool_]) -> tuple[Array, float]:
    """The weights (N,) and the constant of a logistic regression, by Newton's steps."""
    x = np.column_stack([words, np.ones(len(words))])
    beta, keep = np.zeros(x.shape[1]), np.diag([PENALTY] * words.shape[1] + [0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ beta))
        slope = x.T @ (p - flat) / len(x) + keep @ beta
        bend = (x * (p * (1 - p))[:, None]).T @ x / len(x) + keep + 1e-9 * np.eye(len(beta))
        beta = beta - np.linalg.solve(bend, slope)
    return beta[:-1], float(beta[-1])


def chances(said: Sequence[Said]) -> Array:
    """The chance that each lies flat, by weights that were fitted without its board."""
    words, flat = np.array([one.words for one in said]), np.array([one.flat for one in said])
    part = np.array([one.seed % PARTS for one in said])
    out = np.zeros(len(said))
    for k in range(PARTS):
        weights, constant = fitted(words[part != k], flat[part != k])
        out[part == k] = 1 / (1 + np.exp(-words[part == k] @ weights - constant))
    return out


def table(places: Sequence[str], flat: NDArray[np.bool_], by: Array, least: Sequence[float]) -> Iterator[str]:
    """For each situation and least chance, how many flat dice are believed, and how many that something carries.

    Args:
        places: the situation of each die.
        flat: whether it lies flat.
        by: the chance that it does.
        least: the chances to count from.
    """
    where = np.array(places)
    for place in sorted(set(places)):
        here = where == place
        yield f"{place}: {int((here & flat).sum())} flat, {int((here & ~flat).sum())} carried"
        for bound in least:
            over = here & (by >= bound)
            yield f"  {bound:.3f}: {int((over & flat).sum())} flat, {int((over & ~flat).sum())} carried"


def main() -> None:
    """Print the weights and the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", required=True, metavar="A-B")
    parser.add_argument("--cameras", choices=("usual", "dice"), default="usual", help="where the camera is")
    parser.add_argument("--familiar", action="store_true")
    args = parser.parse_args()
    first, last = (int(v) for v in args.seeds.split("-"))
    if args.cameras == "usual":
        reading.LOOKED_AT_FIRST = CROWD
    listening = Listening(args.cameras)
    reader = Reader(listening, brightens=False)
    said = [
        one
        for seed in range(first, last + 1)
        for one in said_on(seed, reader, listening, args.cameras, args.familiar)
    ]
    weights, constant = fitted(np.array([one.words for one in said]), np.array([one.flat for one in said]))
    print(f"Weights({tuple(round(float(weight), 3) for weight in weights)}, {constant:.3f})")
    flat = np.array([one.flat for one in said])
    for line in table([one.situation for one in said], flat, chances(said), CHANCES):
        print(line)


if __name__ == "__main__":
    main()
