"""The command line: `companion <command>`; user errors become one sentence and exit status 2."""

import argparse
import errno
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from companion import commands

# Before numpy comes: on matrices as small as ours more threads only spin, a seventh of the processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

OF_ALL = "completion"
"""The command that describes all of them."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one sentence."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.register("type", Path, _path)

    def error(self, message: str) -> NoReturn:
        """Print the error as a sentence and end with exit status 2 (raises SystemExit)."""
        sentence = message[:1].upper() + message[1:]
        _complain(f"{sentence.rstrip('.')}; see '{self.prog} --help'.")
        raise SystemExit(2)


class _Version(argparse.Action):
    """The version, looked up only where it is asked for: that takes longer than to build the parser."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print it and end."""
        from importlib.metadata import version

        print(f"companion {version('board-companion')}")
        raise SystemExit(0)


def _path(text: str) -> Path:
    """The path of an argument; a shell's empty variable is an error, not the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)


def parser(first: str = "") -> Parser:
    """The parser with every module of `companion.commands`; building it imports nothing heavy.

    Args:
        first: the first word of the command line. If it names a command, the parser has that one alone, so that
            nothing is imported for the others.
    """
    top = Parser(prog="companion", description="Reads the dice, knows the rules and keeps the record.")
    top.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND")
    modules = sorted(module.name for module in pkgutil.iter_modules(commands.__path__))
    names = {module.replace("_", "-"): module for module in modules if not module.startswith("_")}
    for name in [first] if first in names and first != OF_ALL else names:
        command = importlib.import_module(f"companion.commands.{names[name]}")
        options = subparsers.add_parser(name, help=command.HELP, description=vars(command).get("DESCRIPTION"))
        command.add_options(options)
        options.set_defaults(run=command.run, top=top, parser=options)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        0 done, 1 done with findings, 2 bad input or usage (one sentence on standard error).
    """
    words = sys.argv[1:] if arguments is None else arguments
    top = parser(words[0] if words else "")
    args: Any
    args, unknown = top.parse_known_args(arguments)
    if unknown:
        getattr(args, "parser", top).error(f"unrecognized arguments: {' '.join(unknown)}")
    if args.command is None:
        top.print_help()
        return 0
    try:
        status = int(args.run(args))
        if sys.stdout is not None:  # None if it was closed
            sys.stdout.flush()
        return status
    except _user_errors() as error:
        _complain(str(error))
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _stop_writing()  # the reader of our output has gone
        return 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _stop_writing()
        _complain(f"The output cannot be written: {error.strerror}.")
        return 2


def _stop_writing() -> None:
    """Redirect standard output to the null device: Python would report the error again when it flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(sentence: str) -> None:
    """Print on standard error; if that fails (a full disk, a reader who has gone), the exit status alone remains."""
    with suppress(OSError):
        print(sentence, file=sys.stderr, flush=True)


def _user_errors() -> tuple[type[Exception], ...]:
    """The errors reported in one sentence; any other is a fault of the program and keeps its traceback."""
    from companion.errors import GameError, UserError
    from hardware.errors import HardwareError
    from vision.errors import VisionError
    from web.errors import WebError

    return (GameError, HardwareError, VisionError, WebError, UserError)


if __name__ == "__main__":
    sys.exit(main())
