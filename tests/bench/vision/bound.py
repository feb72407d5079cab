"""The promise that no wrong roll passes, as a bound: throws of two dice on painted boards of families never learned.

On the board of each seed, its corners given, pairs of dice are thrown one after another: half of them flat, of the
others one die is carried by something. A wrong roll accepted is a valid ruling on other numbers than the dice show, or
on a die that does not lie flat. With k wrong of n, the rate is at most 3/n for k = 0 and Poisson's bound for more, both
with 95 %. Pictures of the wrong ones are kept, to be looked at.
"""

import math
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.commands._seeing import answer
from vision.board.calibration import Board
from vision.board.findboard import board_from_points
from vision.dice.evidence import Evidence
from vision.dice.flat.camera import UNKNOWN, CameraEstimate
from vision.dice.reader import Reader, single_thread
from vision.errors import BadBoard
from vision.training.painted.pairs import pairs
from vision.training.samples.sample import Sample

SEEDS, WIDER_SEEDS = range(940000, 941400), range(1200100, 1200400)
"""Boards of the usual range, and of the wider one: see `vision/training/painted/throws.py`."""
GAMES, WIDER_GAMES = SEEDS[:200], WIDER_SEEDS[:100]
"""Those of them that are read as in a game."""
AT_A_TIME = 25
"""Boards that a process takes at a time."""
Pair = tuple[str, Sample, NDArray[np.float64]]
"""A throw: its kind, picture with dice, and the board's marks."""
BECAME = ("exact", "unread", "cocked", "wrong")


def verdict(sample: Sample, kind: str, said: dict[str, object]) -> str:
    """What became of a throw."""
    if said["ruling"] != "valid":
        return str(said["ruling"])
    right = kind == "flat" and said["roll"] == sorted((die.value for die in sample.dice), reverse=True)
    return "exact" if right else "wrong"


def count(
    seeds: Sequence[int], kept: Path, wider: bool = False, game: bool = False
) -> Counter[tuple[str, str]]:
    """Throws by kind and by what became of them; pictures of the wrong ones go into a folder."""
    reader, args = Reader(), Namespace(profile="modern", config=None, roller=None, phase="turn")
    counts: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        throws = list(pairs(seed, wider)) if game else pairs(seed, wider)
        camera = camera_after(throws, reader) if game else UNKNOWN
        for kind, sample, marks in throws:
            board = _board(sample, marks)
            if board is None:
                break
            became = verdict(sample, kind, answer(reader.read(sample.image, board, camera=camera), args))
            counts[kind, became] += 1
            if became == "wrong":
                cv2.imwrite(str(kept / f"{sample.name}_{kind}.png"), sample.image)
    return counts


def camera_after(throws: Iterable[Pair], reader: Reader) -> CameraEstimate:
    """What throws have said of the camera, read one after another."""
    camera = UNKNOWN
    for _, sample, marks in throws:
        if (board := _board(sample, marks)) is not None:
            evidence = Evidence()
            reader.read(sample.image, board, evidence=evidence, camera=camera)
            camera = camera.with_dice(board, evidence.looks)
    return camera


def count_all(seeds: Sequence[int], kept: Path, wider: bool, game: bool = False) -> Counter[tuple[str, str]]:
    """The counts of all these seeds, in as many processes as there are cores."""
    kept.mkdir(parents=True, exist_ok=True)
    counts: Counter[tuple[str, str]] = Counter()
    parts = [seeds[k : k + AT_A_TIME] for k in range(0, len(seeds), AT_A_TIME)]
    with ProcessPoolExecutor(initializer=single_thread, mp_context=get_context("spawn")) as pool:
        for done, some in enumerate(pool.map(partial(count, kept=kept, wider=wider, game=game), parts), 1):
            counts += some
            print(f"{done * AT_A_TIME} boards of {len(seeds)}: {dict(counts)}", file=sys.stderr, flush=True)
    return counts


def _board(sample: Sample, marks: NDArray[np.float64]) -> Board | None:
    """The board as the net for boards of every make would find it; None where its outline is no board's."""
    h, w = sample.image.shape[:2]
    try:
        return replace(board_from_points((w, h), marks), unfamiliar=True)
    except BadBoard:
        return None


def report(kept: Path) -> str:
    """The tables, by kind of throw: of the usual range, then of the wider one."""
    usual = (
        f"Throws of two dice on painted boards of families never learned, seeds {SEEDS[0]}-{SEEDS[-1]}, the corners "
        "given, the lens unknown; a kind is how the worse of the two dice rests."
    )
    wide = (
        f"The same with cameras, lamps and dice of a wider range, seeds {WIDER_SEEDS[0]}-{WIDER_SEEDS[-1]}: half of "
        "the cameras far away, a fifth of them 25 to 48 degrees aslant, long shadows, rounder dice."
    )
    games = (
        f"Throws on the first of these boards, seeds {GAMES[0]}-{GAMES[-1]}, as in a game: with what all throws of a "
        "board, the one that is read among them, have said of the camera."
    )
    wide_games = f"The same on the first boards of the wider range, seeds {WIDER_GAMES[0]}-{WIDER_GAMES[-1]}."
    tables = (
        (usual, SEEDS, False, False),
        (wide, WIDER_SEEDS, True, False),
        (games, GAMES, False, True),
        (wide_games, WIDER_GAMES, True, True),
    )
    return "\n\n".join(
        line
        for title, seeds, wider, game in tables
        for line in _table(title, count_all(seeds, kept, wider, game))
    )


def _table(title: str, counts: Counter[tuple[str, str]]) -> list[str]:
    """A table of throws by kind, with its title and what was accepted."""
    kinds = sorted({kind for kind, _ in counts})
    rows = [
        f"| kind | throws | {' | '.join(BECAME)} | wrong at most, with 95 % |",
        "|---" * (len(BECAME) + 3) + "|",
    ]
    for name, some in [*((kind, [kind]) for kind in kinds), ("all", kinds)]:
        cells = [sum(counts[kind, became] for kind in some) for became in BECAME]
        numbers = " | ".join(map(str, cells))
        rows.append(f"| {name} | {sum(cells)} | {numbers} | {bound(cells[-1], sum(cells))} |")
    accepted = sum(n for (_, became), n in counts.items() if became in ("exact", "wrong"))
    wrong = sum(n for (_, became), n in counts.items() if became == "wrong")
    said = f"Of {accepted} rolls accepted {wrong} were wrong: at most {bound(wrong, accepted)}."
    return [title, "\n".join(rows), said]


def bound(wrong: int, of: int) -> str:
    """The rate that so many events among so many leave possible with 95 %, by Poisson: 3/n without any."""
    most = 0.0
    while sum(most**k / math.factorial(k) for k in range(wrong + 1)) * math.exp(-most) > 0.05:
        most += 0.01
    return f"{most / max(1, of):.5f}"
