"""Positions in a `.mat` file, as eXtreme Gammon adds them and GNU Backgammon 1.07.001 reads them (ADR 89).

An illegal play is a cell with the position after it, `34: Illegal play (…)`, in the fields of Snowie's text files, each
closed by a semicolon: match length, Jacoby's rule, two flags, the number of the player who made it, his name and the
other's, Crawford game, his score and the other's, the cube and its owner (1 he, -1 the other, 0 nobody), the position
as the other sees it (`Position.ints`), and the dice of the next roll.

A position set by hand is such a cell of the player on roll, with the dice that he throws then, before the roll itself:
to GNU Backgammon it is a roll, another position, and the play. The line `; Set Pos=` of eXtreme Gammon, with the board
of an XGID and the cube, is read at the beginning of a game and not written: in the midst GNU Backgammon turns the board
round at it, if the second player was to move.
"""

import re
from collections.abc import Sequence

from companion.errors import BadPositionError
from companion.records.ids import position_of_xgid_board
from companion.records.transcript import Game, Placed, Player, RollMade, Transcript, opponent_of
from companion.rules.board import Position

_SET_POS = re.compile(r"; Set Pos=(?P<points>[A-Pa-p-]{26})/(?P<is_left>-?)(?P<log>[0-<])\s*$")
_ILLEGAL = re.compile(r"illegal\s+play\s*\((?P<fields>(?:[^;]{0,99};){40})\s*\)?", re.IGNORECASE)
STRUCK_OUT = "#"


def placed_by_line(line: str) -> Placed | None:
    """The position that a line sets, None if it sets none.

    The first player's checkers are capitals, his cube has a minus. Who is on roll is not told: it is the next to act.
    """
    found = _SET_POS.match(line)
    if not found:
        return None
    log = ord(found["log"]) - ord("0")
    owner: Player | None = None if not log else 0 if found["is_left"] else 1
    try:
        return Placed(position_of_xgid_board(found["points"]), 0, 1 << log, owner)
    except BadPositionError:
        return None


def illegal_cell(
    made: RollMade, placed: Placed, transcript: Transcript, game: Game, names: Sequence[str]
) -> str:
    """What stands after the dice of an illegal play.

    A semicolon in a name would end its field, and “Game ” begins the next game to GNU Backgammon: both are changed.

    Args:
        made: the roll.
        placed: the position that the play left.
        transcript: the match.
        game: the game.
        names: of both players.
    """
    player, other = made.player, opponent_of(made.player)
    named = [name.replace(";", ",").replace("Game ", "game ") for name in names]
    owner = 0 if placed.cube_owner is None else 1 if placed.cube_owner == player else -1
    jacoby = int("Jacoby" in transcript.headers.get("rules", ""))
    fields = [
        *(transcript.length, jacoby, 0, int(not transcript.length), player, named[player], named[other]),
        *(int(game.crawford), game.score[player], game.score[other], placed.cube_value, owner),
        *(placed.position if other == 0 else placed.position.flipped()).ints(),
        *(0, 0),
    ]
    return f"Illegal play ({''.join(f'{one};' for one in fields)})"


def placed_by_cell(fields: str, player: Player) -> Placed | None:
    """The position after an illegal play, from its fields; None if they are no position.

    Args:
        fields: the text within the brackets.
        player: who made the play.
    """
    values = fields.split(";")
    try:
        by, cube_value, owner, *ints = map(int, [values[4], *values[10:38]])
        seen = Position.of_ints([-abs(ints[0]), *ints[1:25], abs(ints[25])])
    except (ValueError, BadPositionError):
        return None
    if by not in (0, 1) or owner not in (-1, 0, 1) or cube_value.bit_count() != 1 or cube_value < 1:
        return None
    holder: Player | None = None if not owner else 0 if (owner > 0) is (by == 0) else 1
    position = seen.flipped() if by == 0 else seen
    return Placed(position, opponent_of(player), cube_value, holder, is_play=True)


def without_fields(line: str) -> tuple[str, list[str]]:
    """A line with its illegal plays struck out by as many `#`, as names in them may look like anything, and the fields
    of each.
    """
    found = list(_ILLEGAL.finditer(line))
    for one in found:
        line = line[: one.start()] + STRUCK_OUT * len(one[0]) + line[one.end() :]
    return line, [one["fields"] for one in found]
