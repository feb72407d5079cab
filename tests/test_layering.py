"""The floors of the program, tested: who may import whom. Import contracts in pyproject.toml say the same by folder."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LEAVES = {"vision", "hardware", "web"}
PURE = ("rules", "game", "inference", "records", "protocol")
"""The folders of `companion` that read no clock, no disk and no chance, and start no thread."""
IMPURE_LIBRARIES = {"os", "time", "socket", "threading", "subprocess", "sqlite3", "random", "pathlib"}
LIBRARIES = {"protocol": {"msgspec"}, "records": {"msgspec", "ogxm", "gvformat"}}
"""The libraries that a pure folder may use besides: they read and write nothing (ADR 48, ADR 58, ADR 63)."""
MOST_FILES = 15
"""A folder with more modules than this wants to be two."""
LONG_FOLDERS = {"companion/commands", "tests/browser"}
"""Folders with one module for each command, and for each subject of the page: these may be longer."""


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imported(file: Path) -> set[str]:
    """The modules named in any import of a file, those for annotations included."""
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


@pytest.mark.parametrize("leaf", sorted(LEAVES))
def test_leaf_knows_neither_the_game_nor_the_other_leaves(leaf: str) -> None:
    for file in modules(leaf):
        assert not roots(file) & ((LEAVES | {"companion"}) - {leaf}), file


def test_sentence_knows_nobody() -> None:
    for file in modules("sentence"):
        assert roots(file) <= set(sys.stdlib_module_names), file


@pytest.mark.parametrize("folder", PURE)
def test_pure_folder_needs_hardly_more_than_the_standard_library(folder: str) -> None:
    for file in modules(f"companion/{folder}"):
        allowed = set(sys.stdlib_module_names) | {"companion", "sentence"} | LIBRARIES.get(folder, set())
        assert roots(file) <= allowed - IMPURE_LIBRARIES, file


def test_pure_folder_imports_pure_folders_only() -> None:
    allowed = {*PURE, "errors"}
    for folder in PURE:
        for file in modules(f"companion/{folder}"):
            ours = {name.split(".")[1] for name in imported(file) if name.startswith("companion.")}
            assert ours <= allowed, file


def crowded(root: Path) -> dict[str, int]:
    """The folders of a tree, by their names within it, that hold too many modules, and how many they hold."""
    folders = {file.parent for file in root.rglob("*.py")}
    held = {
        folder.relative_to(root.parent).as_posix(): sum(one.stem != "__init__" for one in folder.glob("*.py"))
        for folder in folders
    }
    return {name: many for name, many in held.items() if many > MOST_FILES and name not in LONG_FOLDERS}


@pytest.mark.parametrize("package", ["companion", "sentence", "tests", *sorted(LEAVES)])
def test_no_folder_holds_more_modules_than_one_can_survey(package: str) -> None:
    assert crowded(ROOT / package) == {}


def test_a_crowded_folder_is_found_below_another_one(tmp_path: Path) -> None:
    folder = tmp_path / "web" / "hall"
    folder.mkdir(parents=True)
    for number in range(MOST_FILES + 1):
        (folder / f"module_{number}.py").touch()
    assert crowded(tmp_path / "web") == {"web/hall": MOST_FILES + 1}
    (folder / "module_0.py").rename(folder / "__init__.py")
    assert crowded(tmp_path / "web") == {}


@pytest.mark.parametrize("folder", sorted(LONG_FOLDERS))
def test_a_folder_that_may_be_long_is_there_and_long(folder: str) -> None:
    assert len(list((ROOT / folder).glob("*.py"))) > MOST_FILES


def test_every_package_that_is_shipped_is_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    assert set(project["mypy"]["packages"]) == LEAVES | {"companion", "sentence"}
