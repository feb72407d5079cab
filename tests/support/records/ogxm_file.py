"""What the reference codec reads in an OGXM file, held against the match it was written from."""

from collections.abc import Iterator, Mapping
from typing import Any

from companion.game.state import CubeTurn, SetUp, TurnMade
from companion.game.table import Table
from companion.records.ogxm.document import is_implied, moments_of, takes_raccoon
from companion.records.to_transcript import logs_of, player_of
from companion.rules.board import Board, Side

SIGNS = "0123456789abcdefghijklmnop"
CUBE = {21: "double", 22: "take", 23: "pass", 32: "beaver", 33: "raccoon"}
STEP_MS = 10


def counts(ogid: str) -> tuple[int, ...]:
    """White's and Black's checkers by absolute place, from an OGID that the codec has replayed."""
    white, black = ogid.split(":")[:2]
    return tuple(white.count(sign) for sign in SIGNS) + tuple(black.count(sign) for sign in SIGNS)


def differences(table: Table, document: Mapping[str, Any]) -> Iterator[str]:
    """Everything in which a file that was read differs from its match."""
    state = table.state
    names = (state.name(Side.SOUTH), state.name(Side.NORTH))
    names = names[::-1] if state.swapped else names
    if (document["player_white"], document["player_black"]) != names:
        yield "names"
    if document["match_length"] != state.terms.length:
        yield "length"
    notes = {(note["scope"], note["ref"], note["key"]): note["value"] for note in document["annotations"]}
    if notes["match", 0, "x-companion-match"] != state.terms.match_id:
        yield "match id"
    logs, moments = list(logs_of(state)), moments_of(table)
    if len(logs) != len(document["games"]):
        yield f"{len(document['games'])} games for {len(logs)}"
    ref, first_ms = 0, None
    for (log, result), game in zip(logs, document["games"], strict=False):
        white = Side.NORTH if log.swapped else Side.SOUTH
        plies = iter(game["plies"])
        board = state.terms.profile.start_board
        for at, entry in enumerate(log.entries):
            if is_implied(log.entries, at):
                continue
            moment = moments[log.number, at]
            first_ms = moment.at_ms if first_ms is None else first_ms
            where = f"game {log.number}, entry {at}"
            if isinstance(entry, TurnMade) and entry.before != board:
                next(plies)
                ref += 1
            if isinstance(entry, SetUp) and entry.board != board:
                ply = next(plies)
                ref += 1
                yield from _same(where, "set", counts(ply["ogid_after"]), _of(entry.board, white))
            ply = next(plies)
            yield from _same(
                where, "time", ply["timestamp_ms"], (moment.at_ms - first_ms) // STEP_MS * STEP_MS
            )
            picture = notes.get(("ply", ref, "x-companion-picture"))
            yield from _same(where, "picture", picture, f"sha256:{moment.digest}" if moment.digest else None)
            ref += 1
            colour = 1 if isinstance(entry, SetUp) or player_of(log, entry.side) == 0 else 0
            match entry:
                case CubeTurn() if takes_raccoon(log.entries, at):
                    owner = {
                        "action": ply["action_id"],
                        "value": ply["cube_value"],
                        "owner": ply["cube_owner"],
                    }
                    colours = {0: "black", 1: "white"}
                    yield from _same(
                        where, "cube", owner, {"action": 36, "value": entry.value, "owner": colours[colour]}
                    )
                    letter = "W" if colour else "B"
                    yield from _same(where, "owner", ply["ogid_after"].split(":")[2][0], letter)
                case CubeTurn():
                    action = CUBE.get(ply["action_id"], "pass" if ply["action_id"] == 27 else None)
                    yield from _same(where, "cube", action, entry.action.value)
                    yield from _same(where, "side", ply["color"], colour)
                case SetUp():
                    yield from _same(where, "cube set", ply.get("cube_value"), entry.cube.value)
                    board = entry.board
                case TurnMade(roll=None):
                    yield from _same(where, "no roll", ply["action_id"], 37)
                    board = entry.after
                case TurnMade():
                    illegal = ply.get("illegal", False)
                    yield from _same(where, "illegal", illegal, bool(entry.fault))
                    yield from _same(where, "side", ply["color"], 1 - colour if illegal else colour)
                    dice = sorted((ply["d1"], ply["d2"]))
                    yield from _same(where, "dice", dice, sorted((entry.roll.high, entry.roll.low)))
                    yield from _same(where, "board", counts(ply["ogid_after"]), _of(entry.after, white))
                    board = entry.after
        left = list(plies)
        ref += len(left)
        if result is not None:
            winner = None if not result.points else 0 if player_of(log, result.winner) == 0 else 1
            yield from _same(f"game {log.number}", "winner", game.get("winner"), winner)
            yield from _same(f"game {log.number}", "points", game.get("points_won", 0), result.points)


def _of(board: Board, white: Side) -> tuple[int, ...]:
    """Our board as `counts` gives it: points and bars."""
    seen = board.seen_by(white)
    whites = [seen.mine[25 - place] if place < 25 else 0 for place in range(26)]
    blacks = [seen.theirs[place] if place > 0 else 0 for place in range(26)]
    return tuple(whites) + tuple(blacks)


def _same(where: str, what: str, read: object, meant: object) -> Iterator[str]:
    if read != meant:
        yield f"{where}: {what} {read!r} instead of {meant!r}"
