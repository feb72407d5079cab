"""The program on a Pi's processor: its wheels, nets and a sample of tests, emulated (`scripts/try-arm64`).

    python -m tests.faults.arm64 write FILE     what the nets and the reader say on this machine
    python -m tests.faults.arm64 compare A B    1 if two such files differ by more than `SAME`, or in any ruling

Emulation takes a hundred times as long, so it shows that the numbers are right and nothing about speed.
"""

import json
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.faults.disk import can_mount
from tests.faults.outcome import Outcome

ROOT = Path(__file__).resolve().parents[2]
SAME = 1e-4
"""Most by which a net's outputs may differ between two processors."""
ROUNDED = 0.11
"""Most by which a reading's figures may: they are written with one to three decimals, and either side may round up."""
PLACED_PX = 1.0
"""The same for places in the picture: a net's eight-bit number rounded the other way moves a die a little."""
PHOTOGRAPHS = ("damiantab_dice05", "epanemu_valid_dice_149", "matteop65_valid_27")
THROWS = ("01_opening", "03_south", "05_south_leaning", "14_south_unread")


def nets() -> Iterator[tuple[str, list[float]]]:
    """Each net's outputs for an input that is the same everywhere."""
    import numpy as np

    from tests.vision.test_net import NETS, SHAPES
    from vision.net import load_net

    for model in NETS:
        shape = SHAPES[model.stem]
        picture = (np.arange(np.prod(shape), dtype=np.int64) * 2654435761 % 1000 / 1000).astype(np.float32)
        yield model.stem, [float(one) for one in load_net(model)(picture.reshape(shape)).ravel()]


def readings() -> Iterator[tuple[str, Any]]:
    """What the reader says of some pictures, without the time it took."""
    from argparse import Namespace

    import cv2

    from companion.commands._seeing import answer
    from vision.board.calibration import load_board
    from vision.dice.reader import Reader

    reader = Reader()
    throws = ROOT / "companion" / "camera" / "recorded_throws"
    for name in (*THROWS, *PHOTOGRAPHS):
        is_throw = name in THROWS
        path = throws / name / "frame_02.jpg" if is_throw else ROOT / f"tests/golden/photographs/{name}.jpg"
        board = load_board(throws / name / "board.json") if is_throw else None
        phase = "opening" if "opening" in name else "turn"
        said = answer(
            reader.read(cv2.imread(str(path)), board),
            Namespace(profile="modern", config=None, roller=None, phase=phase),
        )
        yield name, {key: value for key, value in said.items() if key != "ms"}


def differences(here: Any, there: Any, most: float, where: str = "") -> Iterator[str]:
    """Everything in which two answers differ, numbers with a fraction by more than `most`, pixels by more than one."""
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        for key in here:
            bound = PLACED_PX if key.endswith("_px") else most
            yield from differences(here[key], there[key], bound, f"{where} {key}")
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for number, pair in enumerate(zip(here, there, strict=True)):
            yield from differences(*pair, most, f"{where} {number}")
    elif isinstance(here, float) and isinstance(there, float):
        if not abs(here - there) <= most:
            yield f"{where.strip()}: {here:.7g} and {there:.7g}"
    elif here != there:
        yield f"{where.strip()}: {here} and {there}"


def largest(here: dict[str, list[float]], there: dict[str, list[float]]) -> float:
    """The largest difference between two machines' outputs of the nets."""
    return max(abs(a - b) for net in here for a, b in zip(here[net], there[net], strict=True))


def write(path: Path) -> int:
    """Write what this machine says."""
    said = {"machine": platform.machine(), "nets": dict(nets()), "readings": dict(readings())}
    path.write_text(json.dumps(said), "utf-8")
    return 0


def compare(first: Path, second: Path) -> int:
    """Hold two machines' answers against each other and print the result."""
    here, there = (json.loads(path.read_text("utf-8")) for path in (first, second))
    found = [
        *differences(here["nets"], there["nets"], SAME, "net"),
        *differences(here["readings"], there["readings"], ROUNDED, "reading"),
    ]
    for one in found[:40]:
        print(one)
    if not found:
        numbers = sum(len(outputs) for outputs in here["nets"].values())
        print(
            f"{here['machine']} and {there['machine']}: {len(here['nets'])} nets, {numbers} numbers, largest "
            f"difference {largest(here['nets'], there['nets']):.1e}; {len(here['readings'])} readings, the same rulings"
        )
    return 1 if found else 0


def can_emulate() -> bool:
    """Whether `scripts/try-arm64` can run here; it names what is missing by itself."""
    return can_mount() and all(shutil.which(name) for name in ("mmdebstrap", "qemu-aarch64-static"))


def emulated() -> Outcome:
    """Run the whole script once."""
    outcome = Outcome(
        "the processor is a Pi's (arm64), not this machine's",
        "the arm64 wheels, all nets, seven readings and a sample of tests under qemu-user (`scripts/try-arm64`)",
        1,
    )
    began_s = time.monotonic()
    said = subprocess.run([ROOT / "scripts" / "try-arm64"], capture_output=True, text=True, check=False)
    assert said.returncode == 0, (said.stdout + said.stderr)[-2000:]
    outcome.timed("all of it took", time.monotonic() - began_s, 7200)
    return outcome


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["write", file]:
            sys.exit(write(Path(file)))
        case ["compare", one, other]:
            sys.exit(compare(Path(one), Path(other)))
        case _:
            sys.exit(__doc__)
