"""The documentation cannot lie: its links lead somewhere, its commands exist, its folders are there.

Run by `make check`; a test calls the same functions.
"""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`((?:companion|make) [^`\n]+)`")
_FILE = re.compile(r"`((?:companion|vision|hardware|web|tests|docs|scripts|systemd)/[\w./-]+|[A-Z]+\.md)`")
_SHELL_WORDS = re.compile(r"^(?:sudo\s+)?(?:\.venv/bin/|/[\w/.-]*/bin/)?(companion|make)\b")


def documents() -> list[Path]:
    """Every Markdown file of the project."""
    here = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("systemd/*.md")]
    return sorted(file for file in here if ".venv" not in file.parts)


def headings(text: str) -> set[str]:
    """The anchors of a Markdown text, as they are commonly made from its headings."""
    anchors = set()
    for title in re.findall(r"^#+ +(.*)$", re.sub(_FENCE, "", text), re.MULTILINE):
        anchors.add(re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-"))
    return anchors


def dead_links(file: Path) -> Iterator[str]:
    """Links to files or headings that are not there; the wide web is not asked."""
    text = file.read_text("utf-8")
    for found in _LINK.finditer(re.sub(_FENCE, "", text)):
        link = found[1] or found[2]
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (file.parent / path) if path else file
        if not target.exists():
            yield f"{file.relative_to(ROOT)}: the link {link} leads nowhere"
        elif anchor and target.suffix == ".md" and anchor not in headings(target.read_text("utf-8")):
            yield f"{file.relative_to(ROOT)}: there is no heading #{anchor} in {target.name}"


def dead_files(file: Path) -> Iterator[str]:
    """Files of the project that are named and not there."""
    for name in _FILE.findall(file.read_text("utf-8")):
        if not (ROOT / name).exists() and not list(ROOT.glob(name)):
            yield f"{file.relative_to(ROOT)}: there is no {name}"


def commands(file: Path) -> Iterator[str]:
    """Every `companion …` and `make …` that the text shows, as a command line."""
    text = file.read_text("utf-8")
    for language, body in _FENCE.findall(text):
        if language in ("sh", "console", "bash"):
            for line in body.replace("\\\n", " ").splitlines():
                line = line.removeprefix("$ ").strip()
                if _SHELL_WORDS.match(line):
                    yield re.sub(r"^(?:sudo\s+)?(?:\S*/)?(companion|make)\b", r"\1", line)
    yield from _INLINE.findall(re.sub(_FENCE, "", text))


def dead_commands(file: Path) -> Iterator[str]:
    """Commands and options that do not exist."""
    for command in commands(file):
        fault = command_fault(command)
        if fault:
            yield f"{file.relative_to(ROOT)}: `{command}`: {fault}"


def command_fault(command: str) -> str:
    """What is wrong with a command line; empty when nothing is."""
    words = shlex.split(command.split("|")[0].split(">")[0].split("&&")[0], comments=True)
    if words[0] == "make":
        targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
        unknown = [word for word in words[1:] if "=" not in word and word not in targets]
        return f"there is no target {unknown[0]}" if unknown else ""
    return _companion_fault(words[1:])


def _companion_fault(words: list[str]) -> str:
    from companion.__main__ import parser

    top = parser()
    choices = next(action for action in top._actions if action.choices is not None).choices
    assert isinstance(choices, dict)
    if not words or words[0].startswith("-"):
        return "" if words in ([], ["--help"]) else f"there is no option {words[0]}"
    if words[0] not in choices:
        return f"there is no command {words[0]}"
    known = set(choices[words[0]]._option_string_actions)
    unknown = [word for word in words[1:] if word.startswith("--") and word.split("=")[0] not in known]
    return f"there is no option {unknown[0]}" if unknown else ""


def faults() -> list[str]:
    """Everything that is wrong in all documents."""
    return [
        fault
        for file in documents()
        for look in (dead_links, dead_files, dead_commands)
        for fault in look(file)
    ]


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    found = faults()
    print("\n".join(found) or f"{len(documents())} documents: links, files and commands exist.")
    sys.exit(1 if found else 0)
