"""Jellyfish text, the field's `.mat` files: reads every layout in use, writes one that gnubg reads.

The reader tells left from right by the columns; the rest is plain words: `64: 24/14`, `Doubles => 2`, `Takes`,
`Drops`, `Wins 2 points`. GNU Backgammon reads fixed columns, even beyond the end of a short line, where it finds
the rest of an earlier line (tried with 1.07.001). So every line inside a game is padded to the same length.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from companion.game.state import CubeAction
from companion.records.to_transcript import Remark
from companion.records.transcript import (
    MAT_STARTS,
    Action,
    BadFileError,
    CubeDecision,
    Game,
    Placed,
    Player,
    Resignation,
    RollMade,
    Transcript,
    Won,
    opponent_of,
    with_beavers,
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
    return _cells(reading, line)


def _remark(reading: _Reading, line: str) -> None:
    found = _HEADER.search(line)
    if found:
        reading.headers[found["name"]] = found["value"]
    elif line.strip(" ;"):
        reading.remarks.append(line.strip().lstrip("; "))


def _close(reading: _Reading) -> None:
    """Finish the current game."""
    if reading.games:
        actions = tuple(with_beavers(reading.actions))
        reading.games[-1] = replace(reading.games[-1], actions=actions, remarks=tuple(reading.remarks))
    reading.actions, reading.remarks, reading.number = [], [], 0


def _cells(reading: _Reading, line: str) -> bool:
    """Process a line of moves or the line with the winner; False if it is neither."""
    numbered = _NUMBERED.match(line)
    if numbered:
        reading.number = int(numbered["number"])
    begin = numbered.end() if numbered else 0
    if second := _SECOND.search(line, begin):  # two lines without a break between them
        return _cells(reading, line[: second.start()]) and _cells(reading, line[second.start() :])
    cells = list(_CELL.finditer(line, begin))
    if not cells:
        return numbered is not None and not line[begin:].strip()
    if line[begin : cells[0].start()].strip():
        return False
    placed = _placed(line, begin, cells, numbered is not None)
    if placed is None:
        return False
    for player, cell, rest in placed:
        action = _action(reading.number, player, cell, rest)
        if isinstance(action, Won):
            reading.actions = [old for old in reading.actions if not isinstance(old, Won)]
        if action is not None:
            reading.actions.append(action)
    return True


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


_LEFT, _RIGHT = 28, 72
"""Width of the left cell, and of a whole line, which is the limit of a remark's line."""


def write_mat(
    transcript: Transcript, remarks: Sequence[Remark] = (), headers: Mapping[str, str] | None = None
) -> str:
    """The match as a `.mat` file.

    Args:
        transcript: the match.
        remarks: sentences beside the lines of its games, written as comments.
        headers: entries at the top, such as {"Event": …, "EventDate": "2026.11.21"}.
    """
    named = {"Player 1": transcript.players[0], "Player 2": transcript.players[1], **(headers or {})}
    lines = [f'; [{name} "{_plain(value)}"]' for name, value in named.items() if value]
    lines += ["", f" {transcript.length} point match", ""]
    for at, game in enumerate(transcript.games):
        mine = [remark for remark in remarks if remark.game == game.number]
        wins_match = transcript.winner is not None and at == len(transcript.games) - 1
        lines += [*_game(transcript, game, mine, wins_match), ""]
    return "\n".join(lines) + "\n"


@dataclass
class _Rows:
    """The numbered lines of a game; `cells` are the left and right cell of the line in progress."""

    number: int = 1
    cells: list[str] = field(default_factory=lambda: ["", ""])

    def finish(self) -> Iterator[str]:
        """The line in progress, unless it is empty; then start the next one."""
        if any(self.cells):
            yield f"{self.number:3d}) {self.cells[0]:<{_LEFT}} {self.cells[1]}".ljust(_RIGHT)
            self.number, self.cells = self.number + 1, ["", ""]


def _game(transcript: Transcript, game: Game, remarks: Sequence[Remark], wins_match: bool) -> Iterator[str]:
    """Heading, score, numbered lines and result of a game; each remark goes before its line."""
    left, right = (_name(player) for player in transcript.players)
    yield f" Game {game.number}"
    yield f" {f'{left} : {game.score[0]}':<{_LEFT + 5}} {right} : {game.score[1]}"
    rows = _Rows()
    for at, action in enumerate(game.actions):
        comments = list(_comments([remark.text for remark in remarks if remark.at == at]))
        match action:
            case Resignation():
                yield from comments
            case Won():
                yield from [*rows.finish(), *comments, _won(action, wins_match)]
            case RollMade() | CubeDecision():
                if comments or rows.cells[action.player] or rows.cells[1]:
                    yield from rows.finish()
                yield from comments
                rows.cells[action.player] = _cell(action, game.actions[at + 1 :])
            case Placed():
                raise AssertionError(f"a .mat file has no place for {action}")
    yield from rows.finish()
    yield from _comments([remark.text for remark in remarks if remark.at >= len(game.actions)])


def _won(action: Won, wins_match: bool) -> str:
    points = "1 point" if action.points == 1 else f"{action.points} points"
    match = " and the match" if wins_match else ""
    return (" " * (6 if action.player == 0 else 6 + _LEFT) + f"Wins {points}{match}").ljust(_RIGHT)


def _cell(action: RollMade | CubeDecision, rest: Sequence[Action]) -> str:
    """A cell of a column, with the rest of the game after it.

    A beaver that is not taken is written as a double: after the word “Beavers” the reader of GNU Backgammon 1.07 waits
    for the take, even into the next game, and loses that game's moves up to its first double.
    """
    if isinstance(action, RollMade):
        return f"{action.dice[0]}{action.dice[1]}: {action.text}".rstrip()
    if not action.turns_cube:
        return "Takes" if action.kind is CubeAction.TAKE else "Drops"
    answers = (one.kind for one in rest if isinstance(one, CubeDecision) and not one.turns_cube)
    is_beaver = action.kind is not CubeAction.DOUBLE and next(answers, None) is CubeAction.TAKE
    return f"{'Beavers' if is_beaver else 'Doubles'} => {action.value}"


def _comments(remarks: Sequence[str]) -> Iterator[str]:
    """Comment lines, padded like all others, or the reader would see the end of an earlier line behind them."""
    for text in remarks:
        words = _plain(text).split()
        line = ";"
        for word in words:
            if len(line) + 1 + len(word) > _RIGHT and line != ";":
                yield line.ljust(_RIGHT)
                line = ";"
            line += f" {word}"
        yield line.ljust(_RIGHT)


def _plain(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


def _name(player: str) -> str:
    """A player's name without what would break the file: a colon, the width of a column, or no letter at all."""
    return _plain(player.replace(":", " "))[: _LEFT - 4].strip() or "?"
