"""What can go wrong in the game, as the person's mistake and not the machine's.

    GameError
    ├── BadPositionError     (ValueError)   this cannot stand on a board
    ├── BadTextError         (ValueError)   this is no play, no roll, no id
    ├── IllegalPlayError     (ValueError)   the rules forbid this play
    └── OutOfTurnError                      not now, or not by this side

Verdicts (cocked, unread, an illegal play that lies on the board) are values, not errors.
"""


class GameError(Exception):
    """Something the rules of the game do not allow; the text is a sentence for people."""


class BadPositionError(GameError, ValueError):
    """A position that cannot stand on a board."""


class BadTextError(GameError, ValueError):
    """Text that is no play, no roll and no id."""


class IllegalPlayError(GameError, ValueError):
    """A play, or a move of one, that the rules forbid."""


class OutOfTurnError(GameError):
    """An action that is not possible in this phase or not open to this side."""
