"""Errors of the record on disk."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import UserError


class JournalError(UserError, OSError):
    """The record cannot be read or written; the text is a sentence."""


class UnsalvagedError(JournalError):
    """The record needs repair or takeover, and its disk cannot be written; can be tried again."""


@contextmanager
def reported_as(kind: type[UserError], text: str) -> Iterator[None]:
    """Report an OSError as an error of this kind: the text with the system's reason in place of "{why}"."""
    try:
        yield
    except UserError:
        raise
    except OSError as error:
        raise kind(text.replace("{why}", str(error.strerror or error))) from error


@contextmanager
def as_journal_error(path: Path) -> Iterator[None]:
    """Report an error of the disk or the state folder as a JournalError."""
    try:
        with reported_as(JournalError, f"The journal {path} cannot be used: {{why}}."):
            yield
    except JournalError:
        raise
    except UserError as error:
        raise JournalError(str(error)) from error
