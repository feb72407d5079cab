"""Reader of `.mat` files, in every layout in use.

It tells left from right by the columns; the rest is plain words: `64: 24/14`, `Doubles => 2`, `Takes`, `Drops`,
`Wins 2 points`, `Illegal play (…)`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from companion.game.state import CubeAction
from companion.records.mat.positions import STRUCK_OUT, placed_by_cell, placed_by_line, without_fields
from companion.records.transcript import (
    MAT_STARTS,
    Action,
    BadFileError,
    CubeDecision,
    Game,
    Player,
    Resignation,
    RollMade,
    Transcript,
    Won,
    opponent_of,
    with_beavers,
    with_set_ups,
)

_HEADER = re.compile(r";\s*\[\s*(?P<name>[^\"\]]+?)\s+\"(?P<value>.*?)\"\s*\]")
_LENGTH = re.compile(r"\s*(?P<length>\d{1,6})\s+point\s+match", re.IGNORECASE)
_UNLIMITED = re.compile(r"\s*(unlimited|money)\b.*(match|game|session)", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+(?P<number>\d{1,6})\s*$", re.IGNORECASE)
_SCORE = re.compile(r"\s*(?P<left>.*?)\s*:\s*(?P<a>\d{1,6})\s+(?P<right>.*?)\s*:\s*(?P<b>\d{1,6})\s*$")
_NUMBERED = re.compile(r"\s*(?P<number>\d{1,6})\)")
_SECOND = re.compile(r"(?<=\s)\d+\)(?=\s)")
_CELL = re.compile(
    r"(?P<dice>[1-6][1-6]|00)\s*:|(?P<word>doubles|redoubles|takes|accepts|drops|passes|rejects|beavers|raccoons"
    r"|resigns|concedes|wins|losses|loses)|(?P<given_up>(?<!:) \?\?+)",
    re.IGNORECASE,
)
_WORDS = {
    "doubles": CubeAction.DOUBLE,
    "redoubles": CubeAction.DOUBLE,
    "takes": CubeAction.TAKE,
    "accepts": CubeAction.TAKE,
    "drops": CubeAction.PASS,
    "passes": CubeAction.PASS,
    "rejects": CubeAction.PASS,
    "beavers": CubeAction.BEAVER,
    "raccoons": CubeAction.RACCOON,
}
_STARTS = {name.lower(): start for start, name in MAT_STARTS.items()} | {
    "hypergammon": "hypergammon",
    "hyper-backgammon": "hypergammon",
}
_NO_PLAY = re.compile(r"\s*(cannot\s+move|\?\?+)\s*$", re.IGNORECASE)
_GAP = 10
"""At least this many blanks after the move's number mean an empty left column; a left cell has one or two before it."""
_MOST_LETTERS = 4000
"""A longer line has no meaning; the patterns take a time that grows with the square of its length."""
_MIDDLE = 22
"""A line without a number that begins before this column is the left player's; the right column begins at 33 or
after."""


@dataclass
class _Reading:
    """State of the reader."""

    players: tuple[str, str] = ("", "")
    length: int = 0
    games: list[Game] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    number: int = 0
    struck_out: list[str] = field(default_factory=list)
    """Fields of the illegal plays of the line that are not yet used."""


def read_mat(text: str) -> Transcript:
    """Read the text of a `.mat` file; a line without meaning in a match becomes a remark.

    Raises:
        BadFileError: there is no match in it.
    """
    reading, strange = _Reading(), []
    for at, line in enumerate(text.replace("\r", "").lstrip("\ufeff").split("\n"), 1):
        if len(line) > _MOST_LETTERS or not _line(reading, line.expandtabs()):
            strange.append(f"Line {at} means nothing here: “{line.strip()[:60]}”.")
    _close(reading)
    if not reading.games:
        raise BadFileError("This is no match record: there is no game in it.")
    if len(strange) > sum(1 + len(game.actions) for game in reading.games):
        raise BadFileError(f"This is no match record. {strange[0]}")
    _trust_scores(reading.games)
    left, right = reading.players
    headers = reading.headers
    return Transcript(
        (left or headers.get("Player 1", ""), right or headers.get("Player 2", "")),
        reading.length,
        tuple(reading.games),
        headers,
        _STARTS.get(headers.get("Variation", "").lower(), "standard"),
        tuple(strange),
    )


def _trust_scores(games: list[Game]) -> None:
    """Correct each winner by the score before the next game; the column of “Wins” is only a hint."""
    for at, (game, following) in enumerate(pairwise(tuple(games))):
        left, right = (after - before for before, after in zip(game.score, following.score, strict=True))
        if (left > 0) is (right > 0) or min(left, right) < 0:
            continue  # nobody gained, or both did: a penalty, or a score that was set
        won = Won(0, left) if left else Won(1, right)
        if game.won is None or game.won.player != won.player:
            rest = tuple(action for action in game.actions if not isinstance(action, Won))
            games[at] = replace(game, actions=(*rest, won))


def _line(reading: _Reading, line: str) -> bool:
    """Process one line; False if it has no meaning."""
    if line.lower().startswith("; set pos"):
        placed = placed_by_line(line) if reading.games else None
        reading.actions += [placed] if placed else []
        return placed is not None
    if not line.strip() or line.lstrip().startswith(";"):
        _remark(reading, line)
        return True
    if found := _LENGTH.match(line):
        reading.length = int(found["length"])
        return True
    if _UNLIMITED.match(line):
        reading.length = 0
        return True
    if found := _GAME.fullmatch(line):
        _close(reading)
        reading.games.append(Game(int(found["number"]), (0, 0), ()))
        return True
    if not reading.games:
        return False
    if (found := _SCORE.fullmatch(line)) and not reading.actions and not _NUMBERED.match(line):
        reading.players = (found["left"], found["right"])
        reading.games[-1] = replace(reading.games[-1], score=(int(found["a"]), int(found["b"])))
        return True
    line, reading.struck_out = without_fields(line)
    return _cells(reading, line) and not reading.struck_out


def _remark(reading: _Reading, line: str) -> None:
    found = _HEADER.search(line)
    if found:
        reading.headers[found["name"]] = found["value"]
    elif text := line.strip().lstrip("; ").strip():
        is_ours = text.startswith("(") and text.endswith(")")
        reading.remarks.append(text[1:-1] if is_ours else text)


def _close(reading: _Reading) -> None:
    """Finish the current game."""
    if reading.games:
        actions = tuple(with_beavers(with_set_ups(reading.actions)))
        reading.games[-1] = replace(reading.games[-1], actions=actions, remarks=tuple(reading.remarks))
    reading.actions, reading.remarks, reading.number = [], [], 0


def _cells(reading: _Reading, line: str) -> bool:
    """Process a line of moves or the line with the winner; False if it is neither, or a part of it has no meaning."""
    numbered = _NUMBERED.match(line)
    if numbered:
        reading.number = int(numbered["number"])
    begin = numbered.end() if numbered else 0
    if second := _SECOND.search(line, begin):  # two lines without a break between them
        return all([_cells(reading, line[: second.start()]), _cells(reading, line[second.start() :])])
    cells = list(_CELL.finditer(line, begin))
    if not cells:
        return numbered is not None and not line[begin:].strip()
    if line[begin : cells[0].start()].strip():
        return False
    placed = _placed(line, begin, cells, numbered is not None)
    if placed is None:
        return False
    has_meaning = True
    for player, cell, rest in placed:
        action = _action(reading.number, player, cell, rest)
        is_illegal = isinstance(action, RollMade) and STRUCK_OUT in rest and bool(reading.struck_out)
        if isinstance(action, Won):
            reading.actions = [old for old in reading.actions if not isinstance(old, Won)]
        if isinstance(action, RollMade) and is_illegal:
            made = _illegal(action, reading.struck_out.pop(0))
            has_meaning = has_meaning and len(made) > 1 and not rest.strip(STRUCK_OUT)
            reading.actions += made
        elif action is not None:
            reading.actions.append(action)
    return has_meaning


def _illegal(made: RollMade, fields: str) -> list[Action]:
    """An illegal play: the roll and the position after it, if its fields are one."""
    placed = placed_by_cell(fields, made.player)
    return [replace(made, text="Illegal play")] if placed is None else [replace(made, text=""), placed]


def _placed(
    line: str, begin: int, cells: Sequence["re.Match[str]"], numbered: bool
) -> list[tuple[Player, "re.Match[str]", str]] | None:
    """The cells with their players and the text after each; None if the line has more than two columns.

    A roll that was given up, `32: Concedes`, is two cells of one column. Beyond the second column only the end of the
    game may be: `????` of the next line, or the result.
    """
    ends = [cell.start() for cell in cells[1:]] + [len(line)]
    if numbered:
        only_ends = all(cell["given_up"] or _is_result(cell) for cell in cells[1:])
        first: Player = 1 if only_ends and cells[0].start() - begin >= _GAP else 0
    else:
        first = 0 if cells[0].start() < _MIDDLE else 1
    placed: list[tuple[Player, re.Match[str], str]] = []
    column = first - 1
    given_up = False
    for cell, end in zip(cells, ends, strict=True):
        rest = line[cell.end() : end]
        column += 0 if given_up else 1
        given_up = bool(cell["dice"]) and not rest.strip() and len(rest) < _GAP
        player: Player = 1 if column % 2 else 0
        if column > 1 and _is_result(cell):
            player = _player_of_result(cell, *placed[-1])
        elif column > 1 and not cell["given_up"]:
            return None
        placed.append((player, cell, rest.strip()))
    return placed


def _is_result(cell: "re.Match[str]") -> bool:
    return (cell["word"] or "").lower() in ("wins", "losses", "loses")


def _player_of_result(cell: "re.Match[str]", player: Player, before: "re.Match[str]", rest: str) -> Player:
    """The player whose result this is, by the player, the cell and the text before it.

    Who rolled and moved last has won, who gave up, resigned or passed has lost; of two results the second is the
    opponent's.
    """
    has_moved = bool(before["dice"]) and "?" not in rest
    is_his = not _is_result(before) and has_moved == (cell["word"].lower() == "wins")
    return player if is_his else opponent_of(player)


def _action(number: int, player: Player, cell: "re.Match[str]", rest: str) -> Action | None:
    """What a cell records; None for `????` in the place of a roll, and for dice that were not thrown (`00:`)."""
    points = re.match(r"(\d{1,6})(?!\d)", rest)
    match (cell["word"] or "").lower():
        case "":
            if not cell["dice"] or cell["dice"] == "00":
                return None
            one, other = map(int, cell["dice"])
            return RollMade(player, number, (one, other), _NO_PLAY.sub("", rest))
        case "wins":
            return Won(player, int(points[1]) if points else 1)
        case "losses" | "loses":
            return Won(opponent_of(player), int(points[1]) if points else 1)
        case "resigns" | "concedes":
            return Resignation(player, number)
        case word:
            value = re.search(r"(?<!\d)(\d{1,6})(?!\d)", rest)
            return CubeDecision(player, number, _WORDS[word], int(value[1]) if value else None)
