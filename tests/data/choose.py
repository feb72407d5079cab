"""Choose the sample in this folder from the team's folder `shared`, which some checkouts have beside them.

    python -m tests.data.choose ../shared

One seed draws the choice, so that the same folder gives the same sample. Every kind of row is in it: each tag of the
legal plays, each cube, owner, length and option of the ids, each count of doublets of the entry game.
tests/data/README.md describes the files.
"""

import argparse
import gzip
import json
import random
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.collection import Row, read_rows

HERE = Path(__file__).resolve().parent
SEED = 16
LEGAL, OF_EACH_TAG = 800, 20
ENTRY, OF_EACH_COUNT = 150, 5
IDS, OF_EACH_FIELD = 100, 2
BOARDS, BOARD_WIDTH_PX, JPEG_QUALITY = 6, 960, 80

NOT_KEPT = {"split", "source", "confirmed_by"}
"""Fields about how a row was made, which no test reads."""
ANALYSIS = {"A", "DA", "GS", "MR", "LU"}
"""The properties of an SGF record that hold GNU Backgammon's analysis, statistics and marks for luck and skill."""


def chosen(
    rows: Sequence[Row], kinds: Callable[[Row], Iterable[object]], of_each: int, total: int
) -> list[Row]:
    """At least `of_each` rows of every kind (all of them where there are fewer), and others up to `total`."""
    chance = random.Random(SEED)
    order = chance.sample(range(len(rows)), len(rows))
    found: dict[object, int] = {}
    taken = set()
    for index in order:
        of_row = set(kinds(rows[index]))
        if any(found.get(kind, 0) < of_each for kind in of_row):
            taken.add(index)
            for kind in of_row:
                found[kind] = found.get(kind, 0) + 1
    rest = [index for index in order if index not in taken]
    taken.update(rest[: max(0, total - len(taken))])
    return [rows[index] for index in sorted(taken)]


def kinds_of_id(row: Mapping[str, Any]) -> list[object]:
    """The kinds an id belongs to: one for each of its fields' values."""
    fields = ("match_length", "crawford", "jacoby", "cube_value", "cube_owner", "player_on_roll", "dice")
    return [(field, str(row[field])) for field in fields]


def write_rows(file: Path, rows: Iterable[Row]) -> None:
    """Write rows as JSON lines, compressed without a time of day where the name ends in .gz."""
    kept = ({key: value for key, value in row.items() if key not in NOT_KEPT} for row in rows)
    data = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in kept).encode()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(data, mtime=0) if file.suffix == ".gz" else data)


def without_analysis(sgf: str) -> str:
    """Remove the analysis from an SGF record; plays, cube actions and results stay."""
    value = r"\s*\[(?:\\.|[^\\\]])*\]"
    return re.sub(rf"(?<![A-Z])(?:{'|'.join(sorted(ANALYSIS))})((?:{value})+)", "", sgf)


def copy_oracle(source: Path, target: Path) -> None:
    """Choose positions with their plays, and ids."""
    legal = read_rows(source / "legal_dev.jsonl.gz")
    write_rows(target / "legal_dev.jsonl.gz", chosen(legal, lambda row: row["tags"], OF_EACH_TAG, LEGAL))
    entry = read_rows(source / "spielestart_dev.jsonl.gz")
    by_count = chosen(entry, lambda row: (row["doublets"], row["again"]), OF_EACH_COUNT, ENTRY)
    write_rows(target / "spielestart_dev.jsonl.gz", by_count)
    ids = read_rows(source / "ids_dev.jsonl")
    write_rows(target / "ids_dev.jsonl", chosen(ids, kinds_of_id, OF_EACH_FIELD, IDS))
    for name in ("spielestart_after_dev.jsonl.gz", "ids_extra_dev.jsonl"):
        write_rows(target / name, read_rows(source / name))


def copy_matches(source: Path, target: Path) -> None:
    """Copy the match records, the games alone."""
    target.mkdir(parents=True, exist_ok=True)
    for file in sorted(source.glob("*.mat")):
        shutil.copyfile(file, target / file.name)
    for file in sorted(source.glob("*.sgf")):
        (target / file.name).write_text(without_analysis(file.read_text("utf-8")), "utf-8")


def copy_boards(source: Path, target: Path) -> None:
    """Choose rendered boards, make them smaller, and keep where their corners and their checkers are."""
    import cv2

    target.mkdir(parents=True, exist_ok=True)
    for truth in sorted(random.Random(SEED).sample(sorted(source.glob("*.json")), BOARDS)):
        known, bgr = json.loads(truth.read_text("utf-8")), cv2.imread(str(truth.with_suffix(".jpg")))
        scale = BOARD_WIDTH_PX / bgr.shape[1]
        small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        name = "playing_corners_px_TL_TR_BR_BL"
        corners = [[round(scale * place, 2) for place in corner] for corner in known[name]]
        truth_here = {"image_size": [small.shape[1], small.shape[0]], name: corners}
        truth_here |= {"board_mm": {key: known["board_mm"][key] for key in ("W", "H", "bar_w")}}
        truth_here |= {"checker_A_B": known["palettes"]["checker_A_B"], "position": known["position"]}
        (target / truth.name).write_text(json.dumps(truth_here) + "\n", "utf-8")
        picture = str(target / truth.with_suffix(".jpg").name)
        cv2.imwrite(picture, small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])


def main() -> None:
    """Write the sample anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder with oracle, matches and vision in it")
    folder = parser.parse_args().folder
    copy_oracle(folder / "oracle", HERE / "oracle")
    copy_matches(folder / "matches", HERE / "matches")
    copy_boards(folder / "vision" / "rendered", HERE / "vision" / "rendered")


if __name__ == "__main__":
    main()
