"""The fields of `--json`: docs/COMMANDS.md and the program have the same."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.__main__ import main
from companion.rules.profile import SETTINGS
from companion.service.gnubg import GnubgError, find_gnubg
from companion.storage.lines import match_files

DOCS = Path(__file__).parents[2] / "docs" / "COMMANDS.md"
FREE = {"stats": {"players": "NAME"}, "verify": {"heads": "MATCH", "signed": "MATCH"}}
"""Objects whose fields are names of players or matches."""


def documented(command: str) -> set[str]:
    """The fields in the first column of a command's table."""
    text = DOCS.read_text("utf-8")
    section = re.split(rf"^### `{command}`.*$", text, flags=re.MULTILINE)[1]
    table = re.split(r"^#", section, flags=re.MULTILINE)[0]
    rows = re.findall(r"^\| (`[^|]*`) \|", table, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def paths(value: Any, free: dict[str, str], here: str = "") -> Iterator[str]:
    """The path of every field, inner ones too."""
    if here:
        yield here
    if isinstance(value, dict):
        for key, inner in value.items():
            name = free.get(here, key)
            yield from paths(inner, free, f"{here}.{name}".strip("."))
    elif isinstance(value, list):
        for one in value:
            if isinstance(one, dict):
                yield from paths(one, free, f"{here}[]")


def covered(path: str, fields: set[str]) -> bool:
    """Whether a field, one around it, or one inside it is documented."""
    return any(
        f"{path}.".startswith((f"{field}.", f"{field}[")) or field.startswith(path) for field in fields
    )


def with_one_damaged(kept: Path, tmp_path: Path) -> Path:
    """A copy of the state folder in which the second match lacks its beginning."""
    folder = tmp_path / "state"
    shutil.copytree(kept, folder)
    file = match_files(folder)[1]
    file.write_bytes(file.read_bytes().partition(b"\n")[2])
    return folder


@pytest.fixture
def broken_record(tmp_path):
    """A match record with an illegal play."""
    file = tmp_path / "illegal.mat"
    file.write_text(" 1 point match\n\n Game 1\n Ann : 0      Ben : 0\n  1) 31: 8/5 6/4      42: 8/4 6/4\n")
    return file


@pytest.mark.parametrize("command", ["replay", "matches", "verify", "stats", "analyse", "doctor", "profiles"])
def test_fields_are_those_documented(command, kept, broken_record, tmp_path, capsys) -> None:
    fields = documented(command)
    assert len(fields) > 1
    with_state = ["--state", str(with_one_damaged(kept, tmp_path) if command == "matches" else kept)]
    arguments = {
        "replay": [str(broken_record), str(tmp_path / "none.mat")],
        "analyse": ["last", "--plies", "0", *with_state],
        "profiles": [],
    }.get(command, with_state)
    if command == "analyse":
        try:
            find_gnubg()
        except GnubgError as error:
            pytest.skip(str(error))
    main([command, "--json", *arguments])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = {path for line in lines for path in paths(line, FREE.get(command, {}))}
    if command == "profiles":
        fields |= set(SETTINGS)
    if command == "analyse" and not any(line["illegal"] for line in lines):
        fields -= {field for field in fields if field.startswith("illegal[]")}
        fields.add("illegal")
    assert fields - found == set(), "documented, but not in the output"
    assert {path for path in found if not covered(path, fields)} == set(), "in the output, but not documented"
