"""Make the film of `companion demo` from a recorded game with its truth.

    python -m tests.support.camera.film_game FOLDER

FOLDER is a recording as the shared renderer writes it (`match.py --seed 990002 --split w`), its south below. Each
quiet phase becomes one picture that stays for some seconds; the arm's pictures are blurred, because nobody reads them.
"""

import argparse
import json
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2

from companion.camera.recorded_game import FILM, GAME

SECONDS = {"start": 3.0, "settled": 3.0, "arm": 0.2, "moved": 1.6, "lifted": 2.4}
DICE_QUALITY, QUIET_QUALITY, ARM_QUALITY = 88, 62, 10
ARM_BLUR_PX = 2.0
PLAYERS = {"south": "Anna", "north": "Mehmet"}


def shots_of(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """The shots of a film: of each quiet phase the last frame, of an arm all."""
    shots = []
    for (turn, phase), group in groupby(truth["frames"], lambda frame: (frame["turn"], frame["phase"])):
        frames = list(group)
        for frame in frames if phase == "arm" else frames[-1:]:
            shot = {"picture": frame["image"].replace(".jpg", ".webp"), "seconds": SECONDS[phase]}
            if phase == "settled":
                shot["roller"] = None if turn == 0 else truth["turns"][turn]["player"]
            shots.append(shot)
    return shots


def write_film(folder: Path, home: str, south: str, out: Path = FILM) -> None:
    """Write the pictures and the list of shots."""
    out.mkdir(exist_ok=True)
    shots = shots_of(json.loads((folder / "match.json").read_text("utf-8")))
    for shot in shots:
        bgr = cv2.imread(str(folder / shot["picture"].replace(".webp", ".jpg")))
        assert bgr is not None, shot["picture"]
        moves = shot["seconds"] == SECONDS["arm"]
        if moves:
            bgr = cv2.GaussianBlur(bgr, (0, 0), ARM_BLUR_PX)
        quality = ARM_QUALITY if moves else DICE_QUALITY if "roller" in shot else QUIET_QUALITY
        assert cv2.imwrite(str(out / shot["picture"]), bgr, [cv2.IMWRITE_WEBP_QUALITY, quality])
    lines = ",\n".join(f"  {json.dumps(shot)}" for shot in shots)
    about = {"home": home, "south_checkers": south, **PLAYERS}
    (out / GAME).write_text(f'{{"match": {json.dumps(about)},\n "shots": [\n{lines}\n]}}\n', "utf-8")


def main() -> None:
    """Write the film."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home", choices=("left", "right"), default="left", help="south's home board")
    parser.add_argument("--south", choices=("dark", "light"), default="dark", help="south's checkers")
    args = parser.parse_args()
    write_film(args.folder, args.home, args.south)


if __name__ == "__main__":
    main()
