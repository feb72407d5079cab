"""`companion completion`: a script that lets a shell complete commands, options and file names."""

import argparse
from collections.abc import Iterator

HELP = "print the completion script of a shell"
DESCRIPTION = (
    "Prints a script for a shell. An installed service has all three in place; elsewhere: bash: eval "
    '"$(companion completion bash)" in ~/.bashrc; zsh: into a file _companion in a folder of $fpath; fish: into '
    "~/.config/fish/completions/companion.fish."
)
FILES, FOLDERS = ("FILE", "IMAGE", "SOURCE"), ("FOLDER",)
"""Placeholders of arguments that a shell completes with the names of files, and of folders."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def run(args: argparse.Namespace) -> int:
    """Print the script, built from the parser of all commands."""
    import shtab

    for action in _actions(args.top):
        if action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    print(shtab.complete(args.top, shell=args.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every option and argument of a parser and of the commands below it."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
