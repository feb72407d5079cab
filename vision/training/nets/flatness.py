"""Trains the net that adds up all that is said of a die, for `vision/dice/flat/flatness.py`.

    python -m vision.training.nets.flatness --words DIR --seeds 1040000-1040899      # collects what is said in DIR
    python -m vision.training.nets.flatness --words DIR --seeds 1210000-1210299 --wider
    python -m vision.training.nets.flatness --words DIR --seeds 1020000-1020449 --moved
    python -m vision.training.nets.flatness --words DIR --out vision/models/flatness.onnx

Pairs of dice on painted boards of the families held out, their corners given, are read, not brightened; the net learns
from what is said of those found whether they lie flat. On half of the boards the corners are moved (`--moved`), as
those are that a person taps or the search finds: how far a wall is, is not known better. It prints what each least
chance costs, for dice in the open, at walls and touching others: learned on four fifths of the boards and counted on
the fifth, five times.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.board.calibration import Board
from vision.board.findboard import board_from_points
from vision.dice.candidates import IS_DIE
from vision.dice.faces import PipReader, Seen
from vision.dice.finder import Spot
from vision.dice.flat.carried import Carrier
from vision.dice.flat.flatness import WORDS, FlatnessNet
from vision.dice.flat.second_opinion import Around, Fitted, Said, SecondOpinion
from vision.dice.flat.witnesses import SITUATIONS
from vision.dice.reader import Reader
from vision.errors import BadBoard
from vision.training.batches import single_threads
from vision.training.learn import export_onnx
from vision.training.nets.witnesses import COUNTED, PARTS, own_spot, table
from vision.training.painted.pairs import pairs

PLANES, DROPPED = 128, 0.3
EPOCHS, BATCH, RATE, DECAY = 20, 256, 3e-3, 1e-2
NOISE = 0.3
"""Added to each input at each step of learning, in its standard deviations: the dice are many, their boards are not."""
SEEDS = (5, 6, 7)
"""Of nets that learn the same and of which the mean counts."""
MOVED, MOVED_OFTEN = (0.001, 0.003, 0.006, 0.012), (0.25, 0.3, 0.3, 0.15)
"""Standard deviations by which both coordinates of a moved corner are off, in diagonals of the surface, one for each
throw; and how often each is taken."""
MOVED_SEED = 77
BEYOND = 0.01
"""Part of the dice beyond the range of each input, at either end: inputs are cut there."""
LEAST_SPREAD = 1e-6
CHANCES = (0.88, 0.92, 0.95, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.997)


class Unlearned(FlatnessNet):
    """In the place of the net that is to be learned; there is no file to load."""

    def __init__(self) -> None:
        pass


class Listening(SecondOpinion):
    """Keeps what is said of the dice of the last picture."""

    last: Mapping[Spot, tuple[float, ...]]

    def __init__(self) -> None:
        super().__init__(Carrier(), PipReader(), Unlearned())

    def _by_all(
        self,
        seen: Sequence[Seen],
        said: Mapping[Spot, Said],
        fitted: Mapping[Spot, Fitted],
        around: Mapping[Spot, Around],
    ) -> dict[Spot, float]:
        dice = [one for one in seen if one.look.die >= IS_DIE]
        self.last = {
            one.spot: fitted[one.spot].words(one, said[one.spot], around[one.spot], dice)
            for one in seen
            if one.spot in fitted
        }
        return {}


def said_on(
    seed: int, wider: bool, hard: bool, moved: bool, reader: Reader, listening: Listening
) -> Iterator[tuple[float, ...]]:
    """All that is said of each die on the board of a seed, and 1 if it lies flat; nothing of a board that is none."""
    for number, (_, sample, marks) in enumerate(pairs(seed, wider, hard)):
        h, w = sample.image.shape[:2]
        try:
            board = replace(board_from_points((w, h), marks), unfamiliar=True)
        except BadBoard:
            return
        if moved:
            try:
                board = with_corners_moved(board, np.random.default_rng([seed, number, MOVED_SEED]))
            except BadBoard:
                continue
        listening.last = {}
        reader.read(sample.image, board)
        for die in sample.dice:
            spot = own_spot(listening.last, die)
            if spot is not None and die.rest in COUNTED:
                yield (*listening.last[spot], float(die.rest == "flat"))


def with_corners_moved(board: Board, rng: np.random.Generator) -> Board:
    """The board with its corners as far off as those of one that was tapped or found.

    Raises:
        BadBoard: the moved corners make no board.
    """
    corners = np.array(board.corners_px)
    off = float(rng.choice(MOVED, p=MOVED_OFTEN)) * float(np.hypot(*(corners[2] - corners[0])))
    corners = corners + rng.normal(0, off, corners.shape)
    return replace(board, corners_px=tuple((x, y) for x, y in corners.tolist()))


def collect(first: int, last: int, wider: bool, hard: bool, moved: bool, folder: Path) -> None:
    """Write what is said on the boards of these seeds: `words` (N, WORDS), `flat` (N,) and `seed` (N,)."""
    listening = Listening()
    reader = Reader(listening, brightens=False)
    seeds = range(first, last + 1)
    said = [(seed, *one) for seed in seeds for one in said_on(seed, wider, hard, moved, reader, listening)]
    table = np.array(said, np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"said_{first}-{last}.npz"
    np.savez(file, words=table[:, 1:-1], flat=table[:, -1] > 0, seed=np.array([one[0] for one in said]))


class Adding(nn.Module):
    """What is said (N, WORDS) to the logits (N, 1) that the dice lie flat."""

    def __init__(self, words: NDArray[np.float32]) -> None:
        super().__init__()
        low, high = np.quantile(words, [BEYOND, 1 - BEYOND], 0)
        for name, values in (
            ("low", low),
            ("high", high),
            ("mean", words.mean(0)),
            ("scale", 1 / (words.std(0) + LEAST_SPREAD)),
        ):
            self.register_buffer(name, torch.from_numpy(values.astype(np.float32)))
        self.net = nn.Sequential(
            nn.Linear(WORDS, PLANES), nn.SiLU(), nn.Dropout(DROPPED),
            nn.Linear(PLANES, PLANES), nn.SiLU(), nn.Dropout(DROPPED), nn.Linear(PLANES, 1),
        )  # fmt: skip

    def near(self, x: torch.Tensor) -> torch.Tensor:
        """What is said, cut to the usual range and of the size of one."""
        cut: torch.Tensor = self.low + torch.relu(x - self.low) - torch.relu(x - self.high)
        return (cut - self.mean) * self.scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        out: torch.Tensor = self.net(self.near(x))
        return out


class Together(nn.Module):
    """The mean of what nets that learned from the same dice answer to what is said (N, WORDS): logits (N, 1)."""

    def __init__(self, nets: Sequence[Adding]) -> None:
        super().__init__()
        self.first, self.nets = nets[0], nn.ModuleList([one.net for one in nets])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        near = self.first.near(x)
        total = self.nets[0](near)
        for net in list(self.nets)[1:]:
            total = total + net(near)
        out: torch.Tensor = total * (1 / len(self.nets))
        return out


def learned(words: NDArray[np.float32], flat: NDArray[np.bool_]) -> Together:
    """Nets that learned from these dice."""
    return Together([_learned(words, flat, seed) for seed in SEEDS]).eval()


def _learned(words: NDArray[np.float32], flat: NDArray[np.bool_], seed: int) -> Adding:
    torch.manual_seed(seed)
    x, y = torch.from_numpy(words), torch.from_numpy(flat.astype(np.float32))
    noise = NOISE * x.std(0)
    net = Adding(words)
    adam = torch.optim.AdamW(net.parameters(), RATE, weight_decay=DECAY)
    batches = -(-len(x) // BATCH)
    plan = torch.optim.lr_scheduler.OneCycleLR(adam, RATE, EPOCHS * batches)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(x)).split(BATCH):
            seen = x[some] + noise * torch.randn(len(some), x.shape[1])
            loss = functional.binary_cross_entropy_with_logits(net(seen)[:, 0], y[some])
            adam.zero_grad()
            loss.backward()
            adam.step()
            plan.step()
    return net


def chances(
    words: NDArray[np.float32], flat: NDArray[np.bool_], board: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The chance that each die lies flat, by a net that did not learn from its board."""
    out = np.zeros(len(words))
    for part in range(PARTS):
        here = board % PARTS == part
        net = learned(words[~here], flat[~here])
        with torch.no_grad():
            out[here] = torch.sigmoid(net(torch.from_numpy(words[here])))[:, 0].numpy()
    return out


def main() -> None:
    """Collect what is said, or learn from it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--words", type=Path, required=True)
    parser.add_argument("--seeds", metavar="A-B")
    parser.add_argument(
        "--wider", action="store_true", help="boards of the wider range, see `painted/throws.py`"
    )
    parser.add_argument("--hard", action="store_true", help="boards in hard light, see `painted/throws.py`")
    parser.add_argument("--moved", action="store_true", help="with their corners moved")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    single_threads()
    if args.seeds:
        first, last = (int(v) for v in args.seeds.split("-"))
        collect(first, last, args.wider, args.hard, args.moved, args.words)
    if args.out:
        files = [np.load(file) for file in sorted(args.words.glob("said_*.npz"))]
        words, flat, board = (
            np.concatenate([file[name] for file in files]) for name in ("words", "flat", "seed")
        )
        print(len(words), "dice on", len(set(board.tolist())), "boards")
        places = [SITUATIONS[k] for k in words[:, -len(SITUATIONS) :].argmax(1)]
        for line in table(places, flat, chances(words, flat, board), CHANCES):
            print(line)
        export_onnx(learned(words, flat), args.out, torch.zeros(3, WORDS), {0: "dice"})


if __name__ == "__main__":
    main()
