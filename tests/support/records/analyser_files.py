"""Writes `.xg` and `.bgf` files of a match, for tests; the layouts are those that `gammonview` reads.

`.xg`: https://www.extremegammon.com/XGformat.aspx. `.bgf`: a line of JSON, then a JSON document in the binary form
Smile, packed.
"""

import gzip
import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from companion.game.state import CubeAction
from companion.records.analysers.match_files import XG_HEAD, XG_MARK, XG_ROW
from companion.records.transcript import CubeDecision, Game, RollMade, Transcript
from companion.rules.notation import read_hops

START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
UNSEEN = -1000.0


def steps_of(made: RollMade) -> list[tuple[int, int]]:
    """A play's moves in the mover's numbering, 25 his bar and 0 off, one for each checker and hop."""
    return [pair for hop in read_hops(made.text) for pair in zip(hop.path, hop.path[1:], strict=False)]


def moved(board: list[int], steps: list[tuple[int, int]], mine: bool) -> list[int]:
    """XG's board after these moves: [0] the opponent's bar, negative counts his; `mine` for the first player."""
    seen = list(board) if mine else [-count for count in reversed(board)]
    for source, target in steps:
        seen[source] -= 1
        if target > 0:
            if seen[target] == -1:
                seen[target] = 0
                seen[0] -= 1
            seen[target] += 1
    return seen if mine else [-count for count in reversed(seen)]


class XgFile:
    """A `.xg` file of a transcript."""

    def __init__(
        self, match: Transcript, variation: int = 0, start: list[int] | None = None, analysed: bool = True
    ) -> None:
        self._match, self._variation, self._start = match, variation, start or START
        self._analysed = analysed

    def content(self) -> bytes:
        """The file."""
        head = bytearray(XG_HEAD)
        head[:4] = XG_MARK
        rows = b"".join(self._rows())
        return bytes(head) + zlib.compress(rows)

    def _rows(self) -> Iterator[bytes]:
        match = self._match
        first = self._row(0, (92, "<i", match.length), (96, "<i", self._variation), (612, "<i", 10))
        for at, name in zip((880, 1138), match.players, strict=True):
            struct.pack_into(f"<{len(name)}H", first, at, *map(ord, name))
        yield bytes(first)
        for game in match.games:
            yield from self._game(game)
        left, right = match.score
        yield bytes(self._row(5, (12, "<i", left), (16, "<i", right)))

    def _game(self, game: Game) -> Iterator[bytes]:
        left, right = game.score
        begun = self._row(1, (12, "<i", left), (16, "<i", right), (20, "<B", game.crawford), (48, "<i", 1))
        struct.pack_into("<26b", begun, 21, *self._start)
        yield bytes(begun)
        board = list(self._start)
        cubes = [one for one in game.actions if isinstance(one, CubeDecision)]
        for action in game.actions:
            match action:
                case RollMade():
                    after = moved(board, steps_of(action), action.player == 0)
                    yield self._move(action, board, after)
                    board = after
                case CubeDecision(kind=CubeAction.DOUBLE):
                    taken = cubes[cubes.index(action) + 1].kind is CubeAction.TAKE
                    yield self._cube(1 if action.player == 0 else -1, taken)
        assert game.won is not None
        winner = 1 if game.won.player == 0 else -1
        yield bytes(self._row(4, (24, "<i", winner), (28, "<i", game.won.points), (32, "<i", 1)))

    def _move(self, made: RollMade, before: list[int], after: list[int]) -> bytes:
        """A roll with its play, analysed: the play is the only candidate, with the position that it leaves."""
        row = self._row(3, (64, "<i", 1 if made.player == 0 else -1), (100, "<2i", *made.dice))
        mine = made.player == 0
        left = after if mine else [-count for count in reversed(after)]
        struct.pack_into("<26b", row, 9, *(before if mine else [-count for count in reversed(before)]))
        struct.pack_into("<26b", row, 35, *left)
        if self._analysed:
            flat = [point - 1 for step in steps_of(made) for point in step]  # from 0 on, 24 the bar, -1 off
            struct.pack_into("<i", row, 120, 1)
            struct.pack_into("<26b", row, 192, *left)
            struct.pack_into("<8b", row, 1024, *(flat + [-1] * 8)[:8])
        for at in (2312, 2320):
            struct.pack_into("<d", row, at, UNSEEN)
        return bytes(row)

    def _cube(self, doubler: int, taken: bool) -> bytes:
        row = self._row(2, (12, "<i", doubler), (16, "<i", 1), (20, "<i", int(taken)))
        for at in (200, 216):
            struct.pack_into("<d", row, at, UNSEEN)
        return bytes(row)

    @staticmethod
    def _row(kind: int, *fields: Any) -> bytearray:
        row = bytearray(XG_ROW)
        row[8] = kind
        for at, layout, *values in fields:
            struct.pack_into(layout, row, at, *values)
        return row


def bgf_file(match: Transcript) -> bytes:
    """A `.bgf` file of a transcript; the first player is Green."""
    left, right = match.score
    document = {
        "nameGreen": match.players[0],
        "nameRed": match.players[1],
        "matchlen": match.length,
        "finalGreen": left,
        "finalRed": right,
        "games": [_bgf_game(game) for game in match.games],
    }
    head = json.dumps({"format": "BGF", "version": "1.0"}).encode()
    return head + b"\n" + gzip.compress(b":)\n\x00" + smile(document), mtime=0)


def _bgf_game(game: Game) -> dict[str, Any]:
    assert game.won is not None
    points = [-count for count in START[1:25]]  # positive is Green's, from Red's first point on
    return {
        "scoreGreen": game.score[0],
        "scoreRed": game.score[1],
        "isCrawford": game.crawford,
        "wonPoints": game.won.points,
        "initial": {"cube": 1, "cubeOwner": 0, "points": [*points, 0, 0]},
        "moves": list(_bgf_moves(game)),
    }


def _bgf_moves(game: Game) -> Iterator[dict[str, Any]]:
    cubes = [one for one in game.actions if isinstance(one, CubeDecision)]
    for action in game.actions:
        player = -1 if getattr(action, "player", 0) == 0 else 1
        match action:
            case RollMade(dice=(first, second)):
                steps = steps_of(action)
                if steps:
                    sources = [source for source, _ in steps] + [-1] * (4 - len(steps))
                    targets = [target for _, target in steps] + [-1] * (4 - len(steps))
                    yield {"player": player, "red": first, "green": second, "from": sources, "to": targets}
                else:
                    pair = {"from": [first, -1, -1, -1], "to": [second, -1, -1, -1]}
                    yield {"player": player, "dancingEquity": 0, **pair}
            case CubeDecision(kind=CubeAction.DOUBLE):
                taken = cubes[cubes.index(action) + 1].kind is CubeAction.TAKE
                decision = {"cubeDecision": {"hasDoubled": True, "hasAccepted": taken}}
                for side in (player, -player):
                    yield {"player": side, "from": [-1] * 4, "to": [-1] * 4, "equity": decision}


def smile(value: object) -> bytes:
    """A value in Smile, without shared names: objects, lists, short texts, whole numbers, true, false and null."""
    match value:
        case Mapping():
            pairs = (
                bytes([0x80 + len(name) - 1]) + name.encode("ascii") + smile(one)
                for name, one in value.items()
            )
            return b"\xfa" + b"".join(pairs) + b"\xfb"
        case list():
            return b"\xf8" + b"".join(map(smile, value)) + b"\xf9"
        case bool():
            return b"\x23" if value else b"\x22"
        case None:
            return b"\x21"
        case str():
            return bytes([0x40 + len(value) - 1]) + value.encode("ascii") if value else b"\x20"
        case int():
            return _whole(value)
    raise TypeError(value)


def _whole(number: int) -> bytes:
    """Fifteen to minus sixteen in one byte, others as a variable number of them, the last with six bits."""
    zigzag = 2 * number if number >= 0 else -2 * number - 1
    if zigzag < 32:
        return bytes([0xC0 + zigzag])
    parts = [0x80 | zigzag & 0x3F]
    zigzag >>= 6
    while zigzag:
        parts.append(zigzag & 0x7F)
        zigzag >>= 7
    return b"\x24" + bytes(reversed(parts))
