"""Makes the training pictures and learns every net from seeds by one command; `make nets` runs it.

    python -m vision.training.recipe --out DIR --photos DIR --renderer DIR [--renderer-python FILE] [--small]
        [--only STAGE ...]
    python -m vision.training.recipe --plan

A stage is one command that makes pictures in DIR/data or one net in DIR/nets. A finished stage is entered in
DIR/manifest.json and skipped by the next run; one that was cut off is run again, and makes no picture twice. For each
stage the manifest has its command, with seeds and steps, the digests of what it made and of what it learned from.
`--small` makes a few pictures and learns for a few steps: a rehearsal in minutes, whose nets are worth nothing.
`--plan` prints the commands of the stages and runs none.
"""

import argparse
import hashlib
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODELS = Path(__file__).parents[1] / "models"
MANIFEST = "manifest.json"
SMALL_SEEDS, SMALL_STEPS = 2, 3
SMALL_TURNS = 2
RENDERER = "rendered.boards"
"""The module that runs under the renderer's own Python, as the renderer's scripts do."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One command of the recipe.

    Attributes:
        name: of the stage.
        module: of `vision.training`, or a script of the renderer (`.py`).
        makes: a folder of pictures, or a net's file, under the recipe's folder.
        arguments: of the module; `{data}`, `{nets}`, `{renderer}` and `{photos}` stand for folders.
        seeds: first and last, for pictures.
        steps: of learning, for nets.
        needs: what has to be there, as `makes`.
        turns: of a game.
    """

    name: str
    module: str
    makes: str
    arguments: tuple[str, ...] = ()
    seeds: tuple[int, int] | None = None
    steps: int | None = None
    needs: tuple[str, ...] = ()
    turns: int | None = None

    def command(self, folders: dict[str, Path], small: bool) -> list[str]:
        """The command's words; `small` cuts seeds, steps and turns."""
        by_renderer = self.module == RENDERER or self.module.endswith(".py")
        words = [str(folders["renderer_python"]) if by_renderer else sys.executable]
        if self.module.endswith(".py"):
            words += [str(folders["renderer"] / self.module)]
        else:
            words += ["-m", f"vision.training.{self.module}"]
        words += [word.format(**folders) for word in self.arguments]
        if self.seeds is not None:
            first, last = self.seeds
            words += ["--seeds", f"{first}-{min(last, first + SMALL_SEEDS - 1) if small else last}"]
        if self.steps is not None:
            words += ["--steps", str(SMALL_STEPS if small else self.steps)]
        if self.turns is not None:
            words += ["--turns", str(SMALL_TURNS if small else self.turns)]
        return words


def _scenes(name: str, seeds: tuple[int, int], *more: str, folder: str = "scenes") -> Stage:
    return Stage(name, "rendered.scenes", f"data/{folder}", ("--out", f"{{data}}/{folder}", *more), seeds)


def _boards(name: str, seeds: tuple[int, int], *more: str, folder: str = "boards") -> Stage:
    arguments = ("--renderer", "{renderer}", "--out", f"{{data}}/{folder}", *more)
    return Stage(name, RENDERER, f"data/{folder}", arguments, seeds)


def _net(
    name: str, module: str, steps: int, arguments: str, needs: Sequence[str], data: Sequence[str]
) -> Stage:
    words = (*arguments.split(), "--data", "{data}", "--out", f"{{nets}}/{name}.onnx")
    inputs = (*(f"data/{one}" for one in data), *(f"nets/{one}.onnx" for one in needs))
    return Stage(name, f"nets.{module}", f"nets/{name}.onnx", words, None, steps, inputs)


def _carried(name: str, steps: int, more: str, begun: str = "") -> Stage:
    """A run of the net for carried dice on boards of any make, from where another one ended."""
    words = f"--rendered {{photos}}/../rendered --planes 24 --batch 128 {more}"
    if begun:
        words += f" --begin {{nets}}/{begun}.onnx"
    return _net(name, "carried", steps, words, (begun,) if begun else (), ("throws", "boards", "photos"))


def _faces(name: str, steps: int, begun: str) -> Stage:
    """A run of the reading net for boards of any make, from where another one ended."""
    words = f"--rendered {{photos}}/../rendered --boards 5000 --begin {{nets}}/{begun}.onnx"
    return _net(name, "faces_wide", steps, words, (begun,), ("throws", "scenes", "photos"))


def _mean(name: str, *of: str) -> Stage:
    """The mean of the weights of nets of the same make."""
    words = (*(f"{{nets}}/{one}.onnx" for one in of), "--out", f"{{nets}}/{name}.onnx")
    return Stage(name, "mean", f"nets/{name}.onnx", words, needs=tuple(f"nets/{one}.onnx" for one in of))


def _checkers(
    name: str, kind: str, *more: str, seeds: tuple[int, int] | None = None, folder: str = "checkers"
) -> Stage:
    arguments = ("--out", f"{{data}}/{folder}/{kind}", *more)
    return Stage(name, "checkers.quadrants", f"data/{folder}/{kind}", arguments, seeds)


def _count(name: str, steps: int, begun: str = "", more: str = "", folder: str = "checkers") -> Stage:
    """A run of learning to count checkers, from where another one ended."""
    words = f"--data {{data}}/{folder} --out {{nets}}/{name}.onnx {more}".split()
    needs = tuple(f"data/{folder}/{kind}" for kind in ("painted", "ornate", "rendered"))
    before = (f"nets/{begun}.onnx",) if begun else ()
    return Stage(name, "nets.checkers", f"nets/{name}.onnx", tuple(words), None, steps, (*needs, *before))


def _said(name: str, first: int, last: int, *more: str) -> Stage:
    """What is said of dice on the painted boards of these seeds."""
    return Stage(name, "nets.flatness", "data/said", ("--words", "{data}/said", *more), (first, last))


def _game(seed: int) -> Stage:
    arguments = ("--out", "{data}/games", "--seed", str(seed), "--split", "u", "--illegal", "0.04")
    return Stage(f"game {seed}", "match.py", f"data/games/u_match_{seed}", arguments, turns=60)


def _changes(name: str, steps: int, begun: str = "", more: str = "") -> Stage:
    """A run of learning to tell changes, from where another one ended."""
    games = tuple(stage.makes for stage in GAMES)
    words = f"--data {{data}}/moves --out {{nets}}/{name}.onnx {more}".split()
    words += ["--games", *("{data}/" + game.removeprefix("data/") for game in games)]
    before = (f"nets/{begun}.onnx",) if begun else ()
    needs = ("data/moves", *games, *before)
    return Stage(name, "nets.changes", f"nets/{name}.onnx", tuple(words), None, steps, needs)


LOOKS = ("scenes", "boards", "photos")
IN_EIGHT_BITS = (
    "carried", "carried_wide", "checkers", "corners", "corners_cut", "corners_squared", "corners_wide", "faces",
    "faces_anywhere", "faces_wide", "finder", "finder_anywhere", "numbers", "placing",
)  # fmt: skip
"""Nets that have a form in eight-bit numbers."""
GAMES = tuple(map(_game, (991110, 991113, 991114, 991118, 991126, 991127, 991128)))
RECIPE: tuple[Stage, ...] = (
    _scenes("scenes", (1000, 1700)),
    _scenes("slanted scenes", (10000, 10667), "--slanted"),
    _scenes("stacked scenes", (20000, 20352), "--stacked"),
    _scenes("smooth scenes", (40000, 49999), "--smooth", folder="smooth"),
    _boards("boards", (100000, 100022)),
    _boards("leaning boards", (120000, 120142), "--leaning"),
    _boards("raised boards", (140000, 140034), "--raised"),
    _boards("empty boards", (160000, 160016), "--empty", folder="low"),
    _net("finder_anywhere", "finder", 9000, "", (), LOOKS),
    _net("finder_wide", "finder", 9000, "--resume {nets}/finder_anywhere.pt --rate 3e-3", ("finder_anywhere",), LOOKS),
    _net("faces_anywhere", "faces", 40000, "--finder {nets}/finder_wide.onnx --batch 128", ("finder_wide",), LOOKS),
    _net("finder", "slim", 9000, "finder --wide {nets}/finder_wide.pt", ("finder_wide",), LOOKS),
    _net(
        "faces", "slim", 12000, "faces --wide {nets}/faces_anywhere.pt --finder {nets}/finder.onnx",
        ("faces_anywhere", "finder"), LOOKS,
    ),
    _net("placing", "placing", 12000, "--finder {nets}/finder.onnx", ("finder",), LOOKS),
    Stage("painted throws", "painted.throws", "data/throws", ("--out", "{data}/throws"), (20001, 22001)),
    _net("carried", "carried", 9000, "--rendered {photos}/../rendered", (), ("throws", "boards", "photos")),
    _carried("carried_wide_usual", 16790, "--seed 41"),
    _faces("faces_wide_usual", 24000, "faces"),
    Stage(
        "wider painted throws", "painted.throws", "data/throws", ("--out", "{data}/throws", "--wider"),
        (62001, 64847),
    ),
    _carried("carried_wide_wider", 14000, "--rate 2e-3 --seed 111", "carried_wide_usual"),
    _faces("faces_wide_wider", 9000, "faces_wide_usual"),
    _mean("carried_wide", "carried_wide_usual", "carried_wide_wider"),
    _mean("faces_wide", "faces_wide_usual", "faces_wide_wider"),
    _net("numbers", "numbers", 20000, "", (), ("smooth", "throws", "photos")),
    _net("corners", "corners", 4000, "", (), ("low", "photos")),
    _checkers("painted checkers", "painted", "--painted", seeds=(1, 3000)),
    _checkers("ornate checkers", "ornate", "--painted", "--ornate", seeds=(20001, 24000)),
    _checkers("rendered checkers", "rendered", "--rendered", "{photos}/../rendered", "--repeat", "4"),
    _count("checkers_begun", 24000),
    _count("checkers_near", 9000, "checkers_begun", "--resume {nets}/checkers_begun.pt --rate 1.5e-3 --seed 2"),
    _checkers("more painted checkers", "painted", "--painted", seeds=(30001, 36000), folder="more_checkers"),
    _checkers("more ornate checkers", "ornate", "--painted", "--ornate", seeds=(40001, 44000), folder="more_checkers"),
    _checkers(
        "rendered checkers again", "rendered", "--rendered", "{photos}/../rendered", "--repeat", "4",
        folder="more_checkers",
    ),
    _count(
        "checkers", 14000, "checkers_near", "--begin {nets}/checkers_near.onnx --rate 2e-3 --seed 71", "more_checkers",
    ),
    Stage("moved checkers", "checkers.moves", "data/moves", ("--out", "{data}/moves"), (1, 3400)),
    *GAMES,
    _changes("changes_begun", 6750),
    _changes("changes", 7500, "changes_begun", "--resume {nets}/changes_begun.pt --seed 2"),
    _net("corners_wide", "corners", 3300, "--begin {nets}/corners.onnx --rate 2e-3", ("corners",), ("low", "photos")),
    _net(
        "corners_squared", "corners", 2600,
        "--squared --rendered {photos}/../rendered --begin {nets}/corners_wide.onnx --rate 1.5e-3 --seed 51",
        ("corners_wide",), ("low", "photos"),
    ),
    _net(
        "corners_cut", "corners", 4200,
        "--cut --rendered {photos}/../rendered --begin {nets}/corners_wide.onnx --rate 2e-3 --seed 141",
        ("corners_wide",), ("low", "photos"),
    ),
    _said("what is said of dice", 1040000, 1040899),
    _said("what is said of more dice", 1140000, 1140899),
    _said("what is said of still more dice", 1160000, 1160599),
    _said("what is said with corners moved", 1020000, 1020449, "--moved"),
    _said("more with corners moved", 1030000, 1030449, "--moved"),
    _said("most with corners moved", 1150000, 1150899, "--moved"),
    _said("still more with corners moved", 1170000, 1170599, "--moved"),
    _said("what is said of the wider range", 1210000, 1210299, "--wider"),
    _said("more of the wider range", 1220000, 1220599, "--wider"),
    _said("still more of the wider range", 1240000, 1240449, "--wider"),
    _said("the wider range with corners moved", 1210300, 1210599, "--wider", "--moved"),
    _said("more of that", 1230000, 1230599, "--wider", "--moved"),
    _said("still more of that", 1250000, 1250449, "--wider", "--moved"),
    Stage(
        "flatness", "nets.flatness", "nets/flatness.onnx", ("--words", "{data}/said", "--out", "{nets}/flatness.onnx"),
        None, None, ("data/said",),
    ),
    Stage(
        "nets of eight-bit numbers", "eight_bit", "nets/eight_bit",
        (
            *(f"{{nets}}/{name}.onnx" for name in IN_EIGHT_BITS),
            "--out", "{nets}/eight_bit", "--rendered", "{photos}/../rendered",
        ),
        (60001, 60060), None, tuple(f"nets/{name}.onnx" for name in IN_EIGHT_BITS),
    ),
)  # fmt: skip
"""In the order in which they are run. `finder_wide`, `checkers_begun`, `checkers_near`, `changes_begun` and those whose
mean is taken are only learned from; what is said of dice is said by the nets of the tree, which also read what the
scales of eight-bit numbers are taken from."""


def digest(path: Path) -> str:
    """SHA-256 of a file, or of the names and contents of all files in a folder; "" where nothing is."""
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    whole = hashlib.sha256()
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else []
    for file in files:
        whole.update(str(file.relative_to(path)).encode() + b"\0" + file.read_bytes())
    return whole.hexdigest() if files else ""


def cook(stages: Sequence[Stage], out: Path, folders: dict[str, Path], small: bool) -> None:
    """Run the stages that are not in the manifest of `out` yet, and enter each when it is done.

    Raises:
        FileNotFoundError: a stage needs what is not there.
        subprocess.CalledProcessError: a command failed.
    """
    folders = {**folders, "data": out / "data", "nets": out / "nets"}
    for folder in (folders["data"], folders["nets"]):
        folder.mkdir(parents=True, exist_ok=True)
    done = read_manifest(out / MANIFEST)
    for stage in stages:
        words = stage.command(folders, small)
        if done.get(stage.name, {}).get("command") == words:
            continue
        missing = [name for name in stage.needs if not (out / name).exists()]
        if missing:
            raise FileNotFoundError(f"{stage.name} needs {', '.join(missing)} in {out}.")
        print(stage.name, flush=True)
        subprocess.run(words, check=True)
        done[stage.name] = {
            "command": words,
            "sha256": digest(out / stage.makes),
            "from": {name: digest(out / name) for name in stage.needs},
        }
        (out / MANIFEST).write_text(json.dumps(done, indent=1) + "\n", "utf-8")


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest's entries by stage, none where there is no file."""
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


def plan(stages: Sequence[Stage], folders: dict[str, Path], small: bool) -> str:
    """The stages with their commands, as `cook` would run them."""
    return "\n".join(f"{stage.name}: {shlex.join(stage.command(folders, small))}" for stage in stages)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the recipe, or the stages that are named, or print their commands."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help="for pictures, nets and the manifest")
    parser.add_argument("--renderer", type=Path, help="the renderer's folder")
    parser.add_argument(
        "--renderer-python", type=Path, default=Path(sys.executable), help="a Python that has what it needs"
    )
    parser.add_argument("--photos", type=Path, help="the labelled photographs")
    parser.add_argument("--small", action="store_true", help="a rehearsal")
    parser.add_argument("--only", nargs="*", metavar="STAGE", help="these stages alone")
    parser.add_argument("--plan", action="store_true", help="print the commands and run none")
    args = parser.parse_args(arguments)
    unknown = set(args.only or ()) - {stage.name for stage in RECIPE}
    if unknown:
        parser.error(
            f"There is no stage {min(unknown)!r}; there are {', '.join(stage.name for stage in RECIPE)}."
        )
    missing = [name for name in ("out", "renderer", "photos") if getattr(args, name) is None]
    if missing and not args.plan:
        parser.error(f"--{missing[0]} is needed, unless --plan is given.")
    out: Path = args.out or Path("OUT")
    folders = {
        "renderer": args.renderer or Path("RENDERER"), "renderer_python": args.renderer_python,
        "photos": args.photos or Path("PHOTOS"), "data": out / "data", "nets": out / "nets",
    }  # fmt: skip
    stages = [stage for stage in RECIPE if not args.only or stage.name in args.only]
    if args.plan:
        print(plan(stages, folders, args.small))
        return
    folders["data"].mkdir(parents=True, exist_ok=True)
    if not (folders["data"] / "photos").exists():
        (folders["data"] / "photos").symlink_to(args.photos.resolve())
    try:
        cook(stages, out, folders, args.small)
    except FileNotFoundError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
