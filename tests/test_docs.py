"""The documents are checked by the same functions as in `make check`, and the check itself can fail."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def _load():  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location("check_docs", ROOT / "scripts" / "check_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_docs"] = module
    spec.loader.exec_module(module)
    return module


check_docs = _load()


@pytest.mark.parametrize("file", check_docs.documents(), ids=lambda file: file.name)
def test_links_files_and_commands_of_a_document_exist(file: Path) -> None:
    found = [*check_docs.dead_links(file), *check_docs.dead_files(file), *check_docs.dead_commands(file)]
    assert found == []


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("companion doctor --lamps", ""),
        ("companion run --config FILE", ""),
        ("companion juggle", "there is no command juggle"),
        ("companion doctor --colour", "there is no option --colour"),
        ("make test", ""),
        ("make run ARGS=x", ""),
        ("make coffee", "there is no target coffee"),
    ],
)
def test_command_in_a_document_is_tried(command: str, fault: str) -> None:
    assert check_docs.command_fault(command) == fault


def test_dead_link_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_docs, "ROOT", tmp_path)
    file = tmp_path / "a.md"
    file.write_text("# One\n[x](b.md) [y](#one) [z](#two) `docs/none.md` `scripts/setup`\n")
    assert len(list(check_docs.dead_links(file))) == 2
    assert len(list(check_docs.dead_files(file))) == 2
