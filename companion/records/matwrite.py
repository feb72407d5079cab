"""Jellyfish text, the `.mat` files of the field, as GNU Backgammon 1.07 reads them without a loss.

Its reader looks at fixed columns, also beyond the end of a short line, where it finds what an earlier line left there
(tried with 1.07.001). So every line inside a game is filled up with blanks to the same length.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.records.transcribe import Remark
from companion.records.transcript import CubeSaid, Deed, Game, RollMade, Said, Transcript, Won

_LEFT, _RIGHT = 28, 72
"""Width of the left cell, and of a whole line: as long as the longest remark's line may be."""


def write_mat(
    transcript: Transcript, remarks: Sequence[Remark] = (), headers: Mapping[str, str] | None = None
) -> str:
    """The match as a `.mat` file.

    Args:
        transcript: what to write.
        remarks: sentences that go beside the lines of its games, as comments.
        headers: what stands at the top, such as {"Event": …, "EventDate": "2026.11.21"}.
    """
    named = {"Player 1": transcript.players[0], "Player 2": transcript.players[1], **(headers or {})}
    lines = [f'; [{name} "{_plain(value)}"]' for name, value in named.items() if value]
    lines += ["", f" {transcript.length} point match", ""]
    for at, game in enumerate(transcript.games):
        mine = [remark for remark in remarks if remark.game == game.number]
        wins_match = transcript.winner is not None and at == len(transcript.games) - 1
        lines += [*_game(transcript, game, mine, wins_match), ""]
    return "\n".join(lines) + "\n"


def _game(transcript: Transcript, game: Game, remarks: Sequence[Remark], wins_match: bool) -> Iterator[str]:
    left, right = (_name(player) for player in transcript.players)
    yield f" Game {game.number}"
    yield f" {f'{left} : {game.score[0]}':<{_LEFT + 5}} {right} : {game.score[1]}"
    row: list[str] = ["", ""]
    number = 1
    for at, deed in enumerate(game.deeds):
        said = [remark.text for remark in remarks if remark.at == at]
        if isinstance(deed, CubeSaid) and deed.what is Said.RESIGNS:
            yield from _comments(said)
            continue
        player = 0 if isinstance(deed, Won) else getattr(deed, "player", 0)
        full = row[player] or row[1] or isinstance(deed, Won) or said
        if full and any(row):
            yield _row(number, row)
            number, row = number + 1, ["", ""]
        yield from _comments(said)
        if isinstance(deed, Won):
            yield _won(deed, wins_match)
        else:
            row[player] = _cell(deed, _is_taken(game.deeds[at + 1 :]))
    if any(row):
        yield _row(number, row)
    yield from _comments([remark.text for remark in remarks if remark.at >= len(game.deeds)])


def _row(number: int, row: Sequence[str]) -> str:
    return f"{number:3d}) {row[0]:<{_LEFT}} {row[1]}".ljust(_RIGHT)


def _won(deed: Won, wins_match: bool) -> str:
    points = "1 point" if deed.points == 1 else f"{deed.points} points"
    match = " and the match" if wins_match else ""
    return (" " * (6 if deed.player == 0 else 6 + _LEFT) + f"Wins {points}{match}").ljust(_RIGHT)


def _is_taken(rest: Sequence[Deed]) -> bool:
    """Whether the cube that was turned is taken in the end."""
    answers = (Said.TAKES, Said.DROPS)
    end = next((deed.what for deed in rest if isinstance(deed, CubeSaid) and deed.what in answers), None)
    return end is Said.TAKES


def _cell(deed: Deed, taken: bool) -> str:
    """What stands in a column.

    A beaver that is not taken is written as a double: after the word «Beavers» the reader of GNU Backgammon 1.07 waits
    for the take, into the next game, and loses that game's moves up to its first double.
    """
    match deed:
        case RollMade(dice=dice, text=text):
            return f"{dice[0]}{dice[1]}: {text}".rstrip() if text else f"{dice[0]}{dice[1]}:"
        case CubeSaid(what=Said.TAKES | Said.DROPS):
            return str(deed.what.value)
        case CubeSaid(what=Said.DOUBLES, value=value):
            return f"Doubles => {value}"
        case CubeSaid(value=value):
            return f"{'Beavers' if taken else 'Doubles'} => {value}"
    raise AssertionError(f"a .mat file has no place for {deed}")


def _comments(said: Sequence[str]) -> Iterator[str]:
    """Comment lines; as long as any other, or their reader would see the end of an earlier line behind them."""
    for text in said:
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
    """A colon in a name breaks the file, and so does a name as wide as a column or without any letter."""
    return _plain(player.replace(":", " "))[: _LEFT - 4].strip() or "?"
