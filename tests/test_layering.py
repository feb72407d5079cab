"""The floor plan, kept: who may import whom. The import contracts in pyproject.toml say the same to `make check`."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LEAVES = {"vision", "hardware", "web"}
TRANSLATORS = {
    "__main__",
    "app",
    "doorways",
    "examine",
    "eye",
    "keeper",
    "links",
    "lying",
    "serving",
    "showing",
    "sight",
    "translate",
    "watching",
    "wires",
}
"""The modules of `companion` that may know the leaves, besides its commands."""
SHELL = TRANSLATORS | {
    "analyst",
    "backlog",
    "backup",
    "certificate",
    "folderlock",
    "gleaning",
    "gnubg",
    "health",
    "journal",
    "notify",
    "outlet",
    "pictures",
    "restoring",
    "salvage",
    "settings",
    "soundness",
    "sqlitelog",
    "statefolder",
    "stopgap",
    "throws",
    "walltime",
    "watchdog",
    "wholefile",
}
"""The modules of `companion` that touch files, processes or threads; every other one is the pure core."""


def modules(package: str) -> list[Path]:
    return sorted(file for file in (ROOT / package).rglob("*.py") if "training" not in file.parts)


def imported(file: Path) -> set[str]:
    """Every module named in an import, wherever in the file it stands; annotations' imports too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def roots(file: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(file)}


CORE = [
    file
    for file in modules("companion")
    if file.parent.name == "companion" and file.stem not in SHELL and file.stem != "__init__"
]


@pytest.mark.parametrize("leaf", sorted(LEAVES))
def test_leaf_knows_neither_the_game_nor_the_other_leaves(leaf: str) -> None:
    for file in modules(leaf):
        assert not roots(file) & ((LEAVES | {"companion"}) - {leaf}), file


@pytest.mark.parametrize("file", CORE, ids=lambda file: file.stem)
def test_core_is_pure(file: Path) -> None:
    assert roots(file) <= set(sys.stdlib_module_names) | {"companion"}, file
    shell = {f"companion.{name}" for name in SHELL} | {"companion.commands"}
    assert not imported(file) & shell
    # The core reads no clock, no disk, no chance and starts no thread: everything comes in as an argument.
    assert not roots(file) & {
        "os",
        "time",
        "socket",
        "threading",
        "subprocess",
        "sqlite3",
        "random",
        "pathlib",
    }


def test_only_translators_and_commands_know_the_leaves() -> None:
    for file in modules("companion"):
        if file.parent.name != "commands" and file.stem not in TRANSLATORS:
            assert not roots(file) & LEAVES, file


def test_every_core_module_stands_in_the_import_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    pure = next(contract for contract in contracts if contract["name"] == "the game is pure")
    assert set(pure["source_modules"]) == {f"companion.{file.stem}" for file in CORE}
    forbidden = set(pure["forbidden_modules"])
    assert forbidden >= LEAVES | {"cv2", "numpy", "gpiozero", "flask"}
    assert forbidden >= {
        f"companion.{name}" for name in SHELL if (ROOT / "companion" / f"{name}.py").exists()
    }


def test_every_package_that_is_shipped_is_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    assert set(project["mypy"]["packages"]) == LEAVES | {"companion"}
    assert set(project["setuptools"]["packages"]) == LEAVES | {"companion", "companion.commands"}
