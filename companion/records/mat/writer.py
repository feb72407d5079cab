"""Writer of `.mat` files that GNU Backgammon reads as they are meant.

It reads fixed columns, even beyond the end of a short line, where it finds the rest of an earlier line (tried with
1.07.001). So every line inside a game is padded to the same length.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.game.state import CubeAction
from companion.records.mat.positions import illegal_cell
from companion.records.to_transcript import Remark
from companion.records.transcript import (
    Action,
    CubeDecision,
    Game,
    Placed,
    Resignation,
    RollMade,
    Transcript,
    Won,
)

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
            left = f"{self.cells[0]:<{_LEFT - 1}}"
            yield f"{self.number:3d}) {left}  {self.cells[1]}".ljust(_RIGHT)
            self.number, self.cells = self.number + 1, ["", ""]


def _game(transcript: Transcript, game: Game, remarks: Sequence[Remark], wins_match: bool) -> Iterator[str]:
    """Heading, score, numbered lines and result of a game; each remark goes before its line."""
    names = [_name(player) for player in transcript.players]
    left, right = names
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
                rest = game.actions[at + 1 :]
                rows.cells[action.player] = _cell(action, rest)
                if isinstance(action, RollMade) and rest and isinstance(rest[0], Placed) and rest[0].is_play:
                    rows.cells[action.player] += f" {illegal_cell(action, rest[0], transcript, game, names)}"
            case Placed(is_play=True):
                pass  # it is in the cell of its roll
            case Placed():
                yield from [*rows.finish(), *comments]
                made = next((one for one in game.actions[at:] if isinstance(one, RollMade)), None)
                if made is not None:
                    cell = illegal_cell(made, action, transcript, game, names)
                    rows.cells[made.player] = f"{made.dice[0]}{made.dice[1]}: {cell}"
                    yield from rows.finish()
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
    """Comment lines in the form that GNU Backgammon 1.07.001 passes over without a word.

    It looks for a move after the first `)` of any line, for the right player's after a second colon, and for the next
    game after “Game ”. Each line is padded like all others, or it would see the end of an earlier line behind it.
    """
    for text in remarks:
        line = ""
        for word in _plain(text).replace("Game ", "game ").translate(_BRACKETS).split():
            word = word if word.count(":") < 2 else word.replace(":", ".")
            longer = f"{line} {word}".lstrip()
            if line and (len(longer) > _RIGHT - len("; ()") or longer.count(":") > 1):
                yield _comment(line)
                longer = word
            line = longer
        yield _comment(line)


def _comment(text: str) -> str:
    return f"; ({text})".ljust(_RIGHT)


_BRACKETS = str.maketrans("()", "[]")


def _plain(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


def _name(player: str) -> str:
    """A player's name without what would break the file: a colon, the width of a column, or no letter at all."""
    return _plain(player.replace(":", " "))[: _LEFT - 4].strip() or "?"
