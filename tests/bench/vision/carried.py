"""Dice that something carries, on painted boards of families never learned: how many are taken for flat.

A board of a dozen dice is painted and read for each seed, a second or two of one core. The bounds of `vision/dice/`
were set with other seeds of the same families in view (910000-910069 and 920000-920119).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.board.findboard import board_from_points
from vision.dice import reader as reading
from vision.dice.reader import Reader
from vision.dice.reading import DieReading
from vision.errors import BadBoard
from vision.training.nets.witnesses import CROWD, OWN_PLACE
from vision.training.painted.throws import painted_board
from vision.training.rendered.scenes import TrueDie

SEEDS = range(930000, 930120)
HEAD = "| rest | dice | called | in doubt | not found | accepted as flat |\n|---|---|---|---|---|---|"


def verdicts(reader: Reader, seed: int) -> list[tuple[str, str]]:
    """Rest of each die of a seed's board, and what became of it; none where the board's outline is no board's."""
    sample, marks = painted_board(seed, held_out=True)
    h, w = sample.image.shape[:2]
    try:
        board = replace(board_from_points((w, h), marks), unfamiliar=True)
    except BadBoard:
        return []
    said = reader.read(sample.image, board).dice
    return [(die.rest, verdict(die, said)) for die in sample.dice]


def verdict(true: TrueDie, said: Sequence[DieReading]) -> str:
    """What became of one die: a roll counts it only if it is flat, shows a number and is in a half."""
    x, y = true.centre_px
    near = [(float(np.hypot(die.centre_px[0] - x, die.centre_px[1] - y)), k) for k, die in enumerate(said)]
    away, nearest = min(near, default=(np.inf, 0))
    if away > OWN_PLACE * true.width_px:
        return "not found"
    die = said[nearest]
    if die.rest == "flat" and die.value and die.half:
        return "accepted as flat"
    return "in doubt" if die.rest in (None, "flat") else "called"


def report() -> str:
    """The table: by how the dice rest, how many are called by a rest but flat, in doubt, or accepted as flat."""
    reader, usual = Reader(), reading.LOOKED_AT_FIRST
    reading.LOOKED_AT_FIRST = CROWD
    try:
        count = Counter(one for seed in SEEDS for one in verdicts(reader, seed))
    finally:
        reading.LOOKED_AT_FIRST = usual
    rows = [
        f"Dice on painted boards of families held out, seeds {SEEDS[0]}-{SEEDS[-1]}, their corners given:",
        "",
        HEAD,
    ]
    for rest in sorted({rest for rest, _ in count}):
        cells = [count[rest, became] for became in ("called", "in doubt", "not found", "accepted as flat")]
        rows.append(f"| {rest} | {sum(cells)} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(rows)
