"""The field's match files by their text: which of them it is shows in its first letters."""

from companion.records.matread import read_mat
from companion.records.sgf import read_sgf
from companion.records.transcript import BadFileError, Transcript


def transcript_in(text: str) -> Transcript:
    """The match in the text of a `.mat`, Jellyfish or SGF file.

    Raises:
        BadFileError: it is none of them, or damaged.
    """
    bare = text.lstrip("\ufeff \t\r\n")
    if not bare:
        raise BadFileError("The file is empty.")
    if "\x00" in text:
        raise BadFileError("This is no text, so no match record.")
    return read_sgf(text) if bare.startswith("(;") or bare.startswith("(") else read_mat(text)
