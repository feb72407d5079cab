"""Errors of the game and of the user, as the person's mistakes and not the machine's.

    GameError
    ├── BadPositionError     (ValueError)   a position that is impossible on a board
    ├── BadTextError         (ValueError)   no play, no roll, no id
    │   └── BadShapeError                   no action of the page
    ├── BadSettingError      (ValueError)   no such setting, or not with this value
    ├── IllegalPlayError     (ValueError)   a play that the rules forbid
    ├── OutOfTurnError                      not now, or not by this side
    └── RoleError                           not in this role

    UserError                            a file, a setting, a port: outside the game

Verdicts (cocked, unread, an illegal play found on the board) are values, not errors.
"""

import json
from types import NoneType

from sentence import Sentence, SpokenError, verbatim


def shown(value: object, most: int = 60) -> str:
    """A value as quoted in a sentence, cut to `most` characters; other than a text as in JSON and TOML."""
    try:
        text = value if isinstance(value, str) else written(value)
    except ValueError:  # Python writes whole numbers of up to 4,300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= most else f"{text[: most - 1]}…"


def written(value: object) -> str:
    """A value as JSON and TOML write it, on one line; ValueError for a number of more than 4,300 digits."""
    if not isinstance(value, (str, int, list, tuple, dict, NoneType)):
        return str(value)  # TOML's dates, and its nan and inf
    text = json.dumps(value, ensure_ascii=False, default=str)
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)


class GameError(SpokenError):
    """Something that the rules of the game forbid, with a sentence for people."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)


class BadPositionError(GameError, ValueError):
    """A position that is impossible on a board."""


class BadTextError(GameError, ValueError):
    """Text that is no play, no roll and no id."""


class BadShapeError(BadTextError):
    """An action of the page that lacks a field, or has one of another shape; its text is English only.

    The page sends no such action: the text is for programmers.
    """

    def __init__(self, text: str) -> None:
        super().__init__(verbatim(text))


class BadSettingError(GameError, ValueError):
    """A setting of a rule profile that does not exist, cannot have this value, or excludes another."""


class IllegalPlayError(GameError, ValueError):
    """A play, or a move of one, that the rules forbid."""


class OutOfTurnError(GameError):
    """An action that is not possible in this phase or not open to this side."""


class RoleError(GameError):
    """An action that this visitor of the page may not take, whatever the rules say."""


class UserError(SpokenError):
    """Something outside the game that the user has to correct, in a sentence.

    A `Sentence` can be shown by the page; a text is for the command line alone, which is in English.
    """
