"""Trains the reading net for boards of every make, on painted boards: it goes on from the one for rendered boards.

    python -m vision.training.nets.faces_wide --data DIR --rendered DIR --begin vision/models/faces.onnx
        --out vision/models/faces_wide.onnx --steps 12000

Input and answers are those of `faces.py`, and so is the net, in its slim form. The first folder has throws/
(`painted/throws.py`), scenes/ with dice on dice (`rendered/scenes.py --stacked`) and photos/, labelled photographs; the
second has the renderer's boards, of which the palettes that `checkers/quadrants.py` holds out are left out. The board's
“up” is shown as it is known where the lens is not.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from vision.dice.faces import PipReader
from vision.dice.finder import Finder as SpotFinder
from vision.training.batches import Batches, Drawn, single_threads
from vision.training.learn import begin_from, export_onnx, learn, training_parser
from vision.training.nets import faces
from vision.training.nets.carried import read_rendered
from vision.training.nets.faces import FACE_PATCH, Cut, Faces, cuts_of, drawing, loss_of, mined
from vision.training.samples.pasted import with_up
from vision.training.samples.photoboxes import photo_boxes
from vision.training.samples.sample import Sample, read_photographs, read_scene, read_scenes

EMPTIES = {"painted": (2, 10), "rendered": (3, 20), "photo": (3, 40), "scene": (2, 0)}
"""Places without a die that are learned from each picture, by its origin: random ones, and false finds at most."""
RENDERED_SHARE = 0.36
"""Looks at rendered boards for one at painted ones, so that what is known of those is kept."""
UP_SD, UP_STRETCH = 0.022, 0.15
"""How far “up” is off where the lens is not known, and by how much its length, as a natural logarithm."""


def read_pools(
    data: Path, rendered: Path, most: int, rng: np.random.Generator, finder: SpotFinder
) -> dict[str, list[Cut]]:
    """The training pieces by origin: dice, places without one, and the finder's false finds.

    Args:
        data: holds throws/, scenes/ and photos/.
        rendered: the renderer's boards.
        most: painted boards that are read.
        rng: chooses the places without a die.
        finder: the finding net whose false finds are learned from.
    """
    photographs = with_up(
        read_photographs(data / "photos", photo_boxes(data / "photos"), scoring=False), PipReader()
    )
    pools: dict[str, list[Cut]] = {origin: [] for origin in EMPTIES}
    start = time.time()
    for origin, sample in _samples(data, rendered, most, photographs):
        empties, false_finds = EMPTIES[origin]
        pools[origin] += cuts_of(sample, rng, empties)
        pools[origin] += mined(sample, finder, rng, false_finds) if false_finds else []
    print({origin: len(pool) for origin, pool in pools.items()}, round(time.time() - start), flush=True)
    return pools


def _samples(
    data: Path, rendered: Path, most: int, photographs: list[Sample]
) -> Iterator[tuple[str, Sample]]:
    """The pictures with their origin; the finding net takes painted ones as it takes boards."""
    for truth in sorted((data / "throws").glob("*.json"))[:most]:
        yield "painted", replace(read_scene(truth), origin="board")
    yield from (("scene", sample) for sample in read_scenes(data / "scenes"))
    yield from (("rendered", sample) for sample in read_rendered(rendered))
    yield from (("photo", sample) for sample in photographs)


def grouped(pools: dict[str, list[Cut]]) -> dict[str, tuple[float, list[Cut]]]:
    """The pieces in groups with their weights: dice that something carries are drawn as often as flat ones."""
    out: dict[str, tuple[float, list[Cut]]] = {}

    def add(name: str, weight: float, pieces: list[Cut]) -> None:
        if pieces:
            out[name] = (weight, pieces)

    for origin, share in (("painted", 1.0), ("rendered", RENDERED_SHARE)):
        dice = [piece for piece in pools[origin] if piece.die]
        add(f"{origin} flat", 0.28 * share, [p for p in dice if p.support == 0 and p.leaning == 0])
        add(f"{origin} leaning", 0.17 * share, [p for p in dice if p.leaning == 1])
        add(f"{origin} on a checker", 0.14 * share, [p for p in dice if p.support == 1])
        add(f"{origin} on a die", 0.04 * share, [p for p in dice if p.support == 2])
        add(f"{origin} on a ledge", 0.03 * share, [p for p in dice if p.support == 3])
        add(f"{origin} empty", 0.16 * share, [p for p in pools[origin] if not p.die])
    add("scene on a die", 0.05, [p for p in pools["scene"] if p.support == 2])
    add("scene on the floor", 0.03, [p for p in pools["scene"] if p.support == 0])
    add("scene leaning", 0.03, [p for p in pools["scene"] if p.die and p.leaning == 1])
    add("photo dice", 0.05, [p for p in pools["photo"] if p.die])
    add("photo empty", 0.02, [p for p in pools["photo"] if not p.die])
    return out


def draw(rng: np.random.Generator, piece: Cut) -> Drawn:
    """A look at a piece, see `faces.draw`, with the board's “up” as it is known without the lens."""
    if piece.up is not None and piece.origin != "photo":
        up = np.array(piece.up) * np.exp(rng.normal(0, UP_STRETCH)) + rng.normal(0, UP_SD, 2)
        piece = piece._replace(up=(float(up[0]), float(up[1])))
    return faces.draw(rng, piece)


def main() -> None:
    """Train and export the net; prints the loss every 250 steps."""
    parser = training_parser(__doc__, steps=12000, batch=128, rate=1.5e-3, seed=21)
    parser.add_argument("--rendered", type=Path, required=True)
    parser.add_argument("--begin", type=Path, help="an exported reading net (.onnx) to begin with")
    parser.add_argument("--boards", type=int, default=2500, help="painted boards to learn from, at most")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    single_threads()
    rng = np.random.default_rng(args.seed)
    pools = read_pools(args.data, args.rendered, args.boards, rng, SpotFinder())
    batches = Batches(drawing(grouped(pools), draw, args.batch), args.steps + 1, args.seed)
    net, (first, _) = Faces(slim=True), batches.get()
    if args.begin:
        begin_from(net, args.begin, first)
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    batches.count = args.steps
    learned = learn(net, loss_of, batches, args.rate, 2e-3, args.out.with_suffix(".pt"))
    export_onnx(learned, args.out, torch.zeros(1, 9, FACE_PATCH, FACE_PATCH), {0: "n"})


if __name__ == "__main__":
    main()
