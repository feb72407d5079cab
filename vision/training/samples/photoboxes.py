"""Places of the dice in the labelled photographs: the table's own boxes of upper faces, and ours for the rest."""

import csv
import json
from pathlib import Path


def photo_boxes(folder: Path) -> dict[str, list[list[float]]]:
    """By file name: x, y (middle of the upper face, pixels), width (pixels, 0: unknown) and value of each die."""
    ours = Path(__file__).with_name("photoboxes.json")
    known: dict[str, list[list[float]]] = json.loads(ours.read_text()) if ours.exists() else {}
    for row in csv.DictReader((folder / "labels.csv").open()):
        if row["file"] in known or not row["file"].startswith("matteop65"):
            continue
        dice = []
        for box in row["boxes"].split(";"):
            x0, y0, x1, y1, value = (float(v) for v in box.split(","))
            dice.append([(x0 + x1) / 2, (y0 + y1) / 2, 0.0, value])
        known[row["file"]] = dice
    return known
