"""A match as text: `.mat`, `.sgf`, JSON, and its score sheet."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from companion.game.games import figures_of
from companion.game.state import GameLog, MatchOver, State
from companion.game.table import Table
from companion.records.mat.writer import write_mat
from companion.records.rows import Row, date_of
from companion.records.sgf import write_sgf
from companion.records.to_transcript import transcribe
from companion.records.transcript import MAT_STARTS
from companion.rules.board import Side
from companion.rules.family.chouette import points_won


def _day_of(table: Table) -> str:
    """Day on which the match began, as 2026-11-21 (UTC)."""
    return date_of(table.entries[0].event.at_ms)


def mat_text(table: Table) -> str:
    """The match as a `.mat` file."""
    state = _state(table)
    transcript, remarks = transcribe(state, placing=False)
    profile, money = state.terms.profile, state.terms.money_play
    headers = {
        "EventDate": _day_of(table).replace("-", "."),
        "Variation": MAT_STARTS[transcript.start],
        "Crawford": "On" if profile.crawford and not money else "Off",
        "Jacoby": "On" if profile.jacoby.holds(money_play=money) else "Off",
        "Beaver": "On" if profile.beaver.holds(money_play=money) else "Off",
    }
    headers |= {} if profile.cube else {"CubeLimit": "1"}
    return write_mat(transcript, remarks, headers)


def sgf_text(table: Table) -> str:
    """The match as an SGF file."""
    match = transcribe(_state(table), placing=True)
    return write_sgf(match.transcript, _day_of(table), match.comments())


def json_text(rows: Sequence[Row], table: Table, signed: Sequence[Mapping[str, Any]] = ()) -> str:
    """The match as one JSON object: its rows as stored, its score sheet, and what the table signed about it."""
    return json.dumps(
        {
            "match": rows[0].match_id if rows else None,
            "head": rows[-1].digest if rows else None,
            "sheet": score_sheet(table),
            "signed": list(signed),
            "rows": [_plain(row) for row in rows],
        },
        ensure_ascii=False,
        indent=1,
    )


def _plain(row: Row) -> dict[str, Any]:
    """A row's columns but the match's id, its body as an object."""
    columns = {**asdict(row), "body": json.loads(row.body)}
    del columns["match_id"]
    return columns


def score_sheet(table: Table) -> dict[str, object]:
    """Players, rules (`profile` by name, `rules` by title), and each game's result; a chouette's accounts by player.

    A drawn game has no winner. A game of a chouette has `accounts`, what each player won or lost in it, and the other
    figures of each partner's stake, None where these differ. `variant` is the game where a match plays several in turn.
    """
    state = _state(table)
    winner = state.phase.winner.value if isinstance(state.phase, MatchOver) else None
    accounts = {} if state.chouette is None else {"chouette": dict(state.chouette.accounts)}
    return {
        **accounts,
        "players": {"south": state.name(Side.SOUTH), "north": state.name(Side.NORTH)},
        "length": state.terms.length,
        "profile": state.terms.profile.name,
        "rules": str(state.terms.profile.title),
        "date": _day_of(table),
        "score": {"south": state.score.south, "north": state.score.north},
        "winner": winner,
        "games": [_game(log) for log in state.games],
    }


def _game(log: GameLog) -> dict[str, object]:
    """The row of a finished game."""
    winner, worth, cube, points = figures_of(log.result, log.chouette)
    accounts = {} if log.chouette is None else {"accounts": points_won(log.chouette)}
    return {
        "game": log.number,
        **({"variant": str(log.variant)} if log.variant else {}),
        "winner": _name_of(log, winner),
        "worth": worth,
        "cube": cube,
        "points": points,
        **accounts,
        "how": log.result.how.value,
        "crawford": log.crawford,
    }


def _name_of(log: GameLog, winner: Side | None) -> str | None:
    if winner is None:
        return None
    return log.south if winner is Side.SOUTH else log.north


def _state(table: Table) -> State:
    assert table.state is not None, "a match has a state"
    return table.state
