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
def as_journal_error(path: Path) -> Iterator[None]:
    """Turn errors of the disk and of the state folder into JournalErrors of one sentence."""
    try:
        yield
    except JournalError:
        raise
    except UserError as error:
        raise JournalError(str(error)) from error
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be used: {error.strerror or error}.") from error
