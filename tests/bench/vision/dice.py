"""How well the eye reads: every set of pictures with truth, as tables, and a sheet of what went wrong.

Needs the shared pictures beside the checkout; says so where they are missing.
"""

import csv
import json
import tempfile
import time
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np

from companion.commands._seeing import answer, board_in
from tests.bench.vision import peak, realboards
from tests.bench.vision.spoiling import SPOILINGS
from vision.board.calibration import Board, Distortion
from vision.capture.camera import FolderCamera
from vision.dice.faces import PipReader
from vision.dice.reader import Reader
from vision.frame import Frame
from vision.training.rendered.scenes import TrueDie
from vision.training.samples.pasted import RealDie, real_dice, replaced, with_up
from vision.training.samples.sample import Sample, held_out
from vision.watch.watcher import ThrowSeen, Watcher

REASONS = {
    "tilted": {"leaning"},
    "on_checker": {"on_checker"},
    "on_die": {"on_die"},
    "on_bar": {"on_bar"},
    "off_board": {"off_board", "on_rim"},
}


@dataclass
class Score:
    """Counts of one set, with the same counts by what the pictures show."""

    name: str
    total: Counter[str] = field(default_factory=Counter)
    groups: dict[str, dict[str, Counter[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    wrong: list[tuple[Path, str, dict[str, Any]]] = field(default_factory=list)

    def add(self, verdicts: list[str], about: dict[str, str]) -> None:
        """Count one picture."""
        for verdict in ["pictures", *verdicts]:
            self.total[verdict] += 1
            for key, value in about.items():
                self.groups[key][value][verdict] += 1


def board_of_truth(known: dict[str, Any]) -> Board:
    """The board file's content as the renderer knows it."""
    lens = known["camera"]
    corners = tuple((x, y) for x, y in known["playing_corners_px_TL_TR_BR_BL"])
    k = tuple(tuple(row) for row in lens["K"])
    size, field_mm = known["image_size"], known["board_mm"]
    return Board(
        (size[0], size[1]),
        corners,
        (field_mm["W"], field_mm["H"]),
        field_mm["bar_w"],
        Distortion(k, tuple(lens["dist_k1k2p1p2k3"])),
    )


def boards(folder: Path, given: bool) -> Score:
    """Score rendered boards with the board file given, or found by ourselves."""
    score = Score("rendered boards, board " + ("given" if given else "not given"))
    reader, args = Reader(), Namespace(profile="modern", config=None, roller=None, phase="turn")
    for truth in sorted(folder.glob("*.json")):
        known = json.loads(truth.read_text())
        bgr = cv2.imread(str(truth.with_suffix(".jpg")))
        board = board_of_truth(known) if given else board_in(bgr)
        args.roller = None
        said = answer(reader.read(bgr, board), args)
        verdicts = _verdicts(known, said)
        if not given:
            verdicts += ["board found"] if board else []
        schemes = {d["scheme"].split(":")[0].rstrip("_01") for d in known["dice"]}
        about = {
            "category": known["throw"]["category"],
            "light": known["palettes"]["light"],
            "surface": known["palettes"]["surface"],
            "dice": schemes.pop() if len(schemes) == 1 else "two schemes",
        }
        score.add(verdicts, about)
        if "exact" not in verdicts and "right reason" not in verdicts:
            score.wrong.append((truth.with_suffix(".jpg"), " ".join(verdicts), said))
    return score


def real_dice_on_boards(rendered: Path, photographed: Path) -> Score:
    """Score the rendered throws whose dice lie upright with dice of the held-out photographs in their place.

    The nearest to real frames of a board that is at hand: neither these dice nor these boards were learned from.
    """
    score = Score("the same with photographed dice put there")
    reader, args = Reader(), Namespace(profile="modern", config=None, roller=None, phase="turn")
    rng, real = np.random.default_rng(1), _photographed_dice(photographed, reader)
    for truth in sorted(rendered.glob("*.json")):
        known = json.loads(truth.read_text())
        shown = replaced(cv2.imread(str(truth.with_suffix(".jpg"))), known, real, rng)
        if shown is None:
            continue
        for die, value in zip(known["dice"], shown[1], strict=True):
            die["value"] = value
        args.roller = None
        said = answer(reader.read(shown[0], board_of_truth(known)), args)
        score.add(_verdicts(known, said), {"category": known["throw"]["category"]})
    return score


def spoiled_boards(folder: Path) -> Score:
    """Score the rendered boards, each spoiled in every way: what nobody can read is to be unread, and never wrong."""
    score = Score("the same, spoiled")
    reader, args = Reader(), Namespace(profile="modern", config=None, roller=None, phase="turn")
    rng = np.random.default_rng(1)
    for truth in sorted(folder.glob("*.json")):
        known = json.loads(truth.read_text())
        bgr, board = cv2.imread(str(truth.with_suffix(".jpg"))), board_of_truth(known)
        for name, spoiling in SPOILINGS.items():
            args.roller = None
            said = answer(reader.read(spoiling(bgr, known, rng), board), args)
            score.add(_verdicts(known, said), {"way": name})
    return score


def _photographed_dice(folder: Path, reader: Reader) -> list[RealDie]:
    """The dice of the held-out photographs that are read right, as they lie there."""
    found = []
    for row in csv.DictReader((folder / "labels.csv").open()):
        if not held_out(row["file"]):
            continue
        bgr = cv2.imread(str(folder / row["file"]))
        dice = reader.read(bgr).dice
        if sorted(str(d.value) for d in dice) == sorted(row["values"].split()):
            middles = [
                TrueDie(d.value or 0, d.centre_px, d.box_px[2] - d.box_px[0], "flat", 0, 90) for d in dice
            ]
            found += real_dice(with_up([Sample(bgr, tuple(middles), "photo", row["file"])], PipReader()))
    return found


def _verdicts(known: dict[str, Any], said: dict[str, Any]) -> list[str]:
    """What became of one picture, in the words of the results table."""
    values = sorted((d["value"] for d in known["dice"]), reverse=True)
    if known["throw"]["valid"]:
        if said["ruling"] == "valid":
            return ["valid", "exact" if said["roll"] == values else "wrong"]
        return ["valid", "called cocked" if said["ruling"] == "cocked" else "unread"]
    if said["ruling"] == "valid":
        return ["invalid", "wrong", "accepted"]
    if said["ruling"] == "unread":
        return ["invalid", "unread"]
    wanted = set().union(*(REASONS.get(d["state"], set()) for d in known["dice"]))
    halves = {d["half"] for d in known["dice"]}
    if halves == {"left", "right"}:
        wanted |= {"split_halves"}
    right = bool(wanted & set(said["reasons"]))
    return ["invalid", "called", *(["right reason"] if right else [])]


def photographs(folder: Path) -> Score:
    """Score the held-out photographs: every die valued and all of them right, or not."""
    score = Score("real photographs, no board (held out)")
    reader = Reader()
    for row in csv.DictReader((folder / "labels.csv").open()):
        if not held_out(row["file"]):
            continue
        reading = reader.read(cv2.imread(str(folder / row["file"])))
        truth = sorted(int(v) for v in row["values"].split())
        seen = [d.value for d in reading.dice]
        if None in seen or not seen or reading.doubt:
            verdict = "unread"
        else:
            verdict = "exact" if sorted(v for v in seen if v) == truth else "wrong"
        score.add([verdict], {"source": row["source_repo"], "dice": row["n_dice"]})
        if verdict != "exact":
            said = {"dice": [d.to_json() for d in reading.dice], "values": truth}
            score.wrong.append((folder / row["file"], verdict, said))
    return score


def sequences(folder: Path) -> Score:
    """Score recordings: the throw once, the lifting once, nothing else; and what became of the throw."""
    score = Score("rendered sequences")
    reader, args = Reader(), Namespace(profile="modern", config=None, roller=None, phase="turn")
    for truth in sorted(folder.glob("*/sequence.json")):
        known = json.loads(truth.read_text())
        watcher = Watcher(board_of_truth(known), reader)
        seen: list[Any] = []
        for frame in FolderCamera(truth.parent).frames():
            seen += watcher.feed(frame)
        seen += watcher.finish()
        frames = known["frames"]
        rolls = [one for one in seen if isinstance(one, ThrowSeen)]
        lifts = [frames[one.frame.number]["phase"] for one in seen if not isinstance(one, ThrowSeen)]
        once = [frames[one.frame.number]["phase"] for one in rolls] == ["settled"]
        verdicts = [
            *(["throw once"] if once else []),
            *(["lifting once"] if len(lifts) == 1 and lifts[0] in ("picked_up", "moved") else []),
            *(["phantom"] if len(seen) > 2 else []),
        ]
        if once:
            known["dice"] = frames[rolls[0].frame.number]["dice"]
            verdicts += _verdicts(known, answer(rolls[0].reading, args))
        score.add(verdicts, {"size": "x".join(map(str, known["image_size"]))})
    return score


def speed(folder: Path, pictures: int = 25, rounds: int = 5) -> dict[str, float]:
    """Processor time of readings at rest and of a quiet frame, as ratios to decoding the same picture; medians."""
    cv2.setNumThreads(1)
    reader, ratios = Reader(), defaultdict(list)
    truths = [
        t for t in sorted(folder.glob("*.json")) if json.loads(t.read_text())["image_size"] == [1280, 720]
    ]
    for truth in truths[:pictures]:
        data = np.frombuffer(truth.with_suffix(".jpg").read_bytes(), np.uint8)
        board = board_of_truth(json.loads(truth.read_text()))
        bgr = cv2.imdecode(data, cv2.IMREAD_COLOR)
        reader.read(bgr, board)
        watcher = Watcher(board, reader)
        for n in range(4):
            watcher.feed(Frame(bgr, n * 0.2, n))
        frames, bare = iter(range(4, 10**6)), replace(board, distortion=None)
        calls = {
            "reading": lambda bgr=bgr, board=board: reader.read(bgr, board),
            "lens unknown": lambda bgr=bgr, bare=bare: reader.read(bgr, bare),
            "search": lambda bgr=bgr: board_in(bgr),
            "search and reading": lambda bgr=bgr: reader.read(bgr, board_in(bgr)),
            "quiet frame": lambda w=watcher, b=bgr, f=frames: w.feed(Frame(b, (n := next(f)) * 0.2, n)),
        }
        decode = _best(rounds, lambda data=data: cv2.imdecode(data, cv2.IMREAD_COLOR))
        for name, call in calls.items():
            ratios[name].append(_best(rounds, call) / decode)
    return {name: median(some) for name, some in ratios.items()}


def _best(rounds: int, call: Any) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


MEMORY_ROUNDS = 6
"""A recording is watched so often in a row: what grows with every throw shows after a few."""


def memory(folder: Path) -> tuple[float, int, int] | None:
    """The most memory, in MB, that `companion watch` takes on recordings of 1280 by 720; its frames and throws. None
    where there is no recording, or no Linux.
    """
    recordings = [
        truth.parent
        for truth in sorted(folder.glob("*/sequence.json"))
        if json.loads(truth.read_text())["image_size"] == [1280, 720]
    ]
    if not recordings or not peak.STATUS.exists():
        return None
    with tempfile.TemporaryDirectory() as place:
        frames = [frame for one in recordings for frame in sorted(one.glob("*.jpg")) * MEMORY_ROUNDS]
        for number, frame in enumerate(frames):
            (Path(place) / f"{number:05}.jpg").symlink_to(frame.resolve())
        most_mb, lines = peak.of_command("watch", "--json", place)
    throws = sum(json.loads(line)["event"] == "roll" for line in lines)
    return most_mb, len(frames), throws


def report(shared: Path, sheet: Path) -> Iterator[str]:
    """The section of docs/RESULTS.md, line by line."""
    vision = shared / "vision"
    if not vision.is_dir():
        yield "The shared pictures are not beside this checkout: nothing was scored."
        return
    yield from realboards.report(vision / "boards" / "sources.csv", realboards.pictures_at(shared))
    yield ""
    given, found = boards(vision / "rendered", True), boards(vision / "rendered", False)
    real = real_dice_on_boards(vision / "rendered", vision / "real")
    spoiled = spoiled_boards(vision / "rendered")
    photos, runs = photographs(vision / "real"), sequences(vision / "sequences")
    yield "| set | pictures | exact | unread | wrong | called | right reason | valid called cocked |"
    yield "|---|---|---|---|---|---|---|---|"
    for score in (given, found, real, spoiled):
        t = score.total
        yield (
            f"| {score.name} | {t['pictures']} | {_part(t['exact'], t['valid'])} of valid | {t['unread']} | "
            f"**{t['wrong']}** | {_part(t['called'], t['invalid'])} | {_part(t['right reason'], t['invalid'])} | "
            f"{_part(t['called cocked'], t['valid'])} |"
        )
    t = photos.total
    yield (
        f"| {photos.name} | {t['pictures']} | {_part(t['exact'], t['pictures'])} | {_part(t['unread'], t['pictures'])} "
        f"| {_part(t['wrong'], t['pictures'])} | | | |"
    )
    t = runs.total
    yield ""
    yield (
        f"Sequences: {t['throw once']} of {t['pictures']} throws reported once, {t['lifting once']} liftings once, "
        f"{t['phantom']} with phantom events; {t['exact']} of {t['valid']} valid ones exact, {t['called']} of "
        f"{t['invalid']} others called, {t['wrong']} wrong. Board found by itself in {found.total['board found']} of "
        f"{found.total['pictures']} pictures."
    )
    ratios = speed(vision / "rendered")
    yield (
        f"One core, 1280x720: reading at rest takes {ratios['reading']:.2f} times as long as decoding the picture "
        f"({ratios['lens unknown']:.2f} where the lens is not known), the board's search {ratios['search']:.2f} times, "
        f"search and reading {ratios['search and reading']:.2f} times, a quiet frame {ratios['quiet frame']:.2f} times."
    )
    most = memory(vision / "sequences")
    if most is not None:
        yield (
            f"Memory of the whole process while watching, 1280x720: {most[0]:.0f} MB at most in {most[1]} frames with "
            f"{most[2]} throws; to reach: 250 MB or less."
        )
    for score in (given, real, spoiled, photos):
        for key, groups in score.groups.items():
            yield ""
            yield f"{score.name}, by {key}:"
            yield ""
            yield "| | pictures | exact | unread | wrong | called cocked | called | right reason |"
            yield "|---|---|---|---|---|---|---|---|"
            for value, c in sorted(groups.items()):
                cells = ("pictures", "exact", "unread", "wrong", "called cocked", "called", "right reason")
                yield f"| {value} | " + " | ".join(str(c[k]) for k in cells) + " |"
    contact_sheet([*given.wrong, *photos.wrong], sheet)


def _part(count: int, of: int) -> str:
    return f"{count / of:.3f} ({count}/{of})" if of else "–"


def contact_sheet(wrong: list[tuple[Path, str, dict[str, Any]]], sheet: Path) -> None:
    """Every picture that was not read as it should, with the dice as they were seen."""
    tiles = []
    for path, verdict, said in wrong:
        bgr = cv2.imread(str(path))
        for die in said["dice"]:
            x0, y0, x1, y1 = (int(v) for v in die["box_px"])
            cv2.rectangle(bgr, (x0 - 4, y0 - 4), (x1 + 4, y1 + 4), (0, 255, 255), 2)
            label = f"{die['value']} {die['rest']}"
            cv2.putText(bgr, label, (x1 + 6, y1), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 255, 255), 2)
        scale = min(640 / bgr.shape[1], 360 / bgr.shape[0])
        small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        tile = np.zeros((384, 640, 3), np.uint8)
        tile[: small.shape[0], : small.shape[1]] = small
        cv2.putText(tile, f"{path.stem}: {verdict}", (6, 378), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (255,) * 3, 1)
        tiles.append(tile)
    if not tiles:
        return
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 4)
    sheet.parent.mkdir(parents=True, exist_ok=True)
    rows = [np.hstack(tiles[k : k + 4]) for k in range(0, len(tiles), 4)]
    cv2.imwrite(str(sheet), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 80])
