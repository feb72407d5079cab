"""The score sheet of a match, with the digest of its record's last row and what the table signed about it."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.state import MatchOver, State
from companion.game.table import Table
from companion.records.export import score_sheet
from companion.records.rows import Row
from companion.rules.cube_and_score import Ending
from companion.rules.profile import Profile
from companion.rules.profiles import title_of
from companion.storage.fallback import Backlog
from companion.storage.signing import Statement
from sentence import NOTHING, Sentence, say


def sheet_of(table: Table, backlog: Backlog, profiles: Mapping[str, Profile]) -> Mapping[str, Any] | None:
    """The score sheet of a match of this table, with its rows and signatures; None if no match has begun."""
    if table.state is None:
        return None
    match_id, signing = table.state.terms.match_id, backlog.signing
    return sheet_from(
        table, backlog.rows(match_id), signing.newest_of(match_id) if signing else None, profiles
    )


def sheet_from(
    table: Table, rows: Sequence[Row], signed: Statement | None, profiles: Mapping[str, Profile]
) -> Mapping[str, Any]:
    """The score sheet (docs/PROTOCOL.md).

    Args:
        table: the match; it has begun.
        rows: its record.
        signed: what the table signed last about it.
        profiles: the rules there are, for the title of its own.
    """
    assert table.state is not None
    terms, (south, north) = table.state.terms, table.state.penalties
    return {
        **score_sheet(table),
        "rules": _title(terms.profile, profiles),
        "match": terms.match_id,
        "events": len(rows),
        "head": rows[-1].digest if rows else None,
        "signed": signed.as_head() if signed else None,
        "penalties": {"south": south, "north": north},
        "won": _won(table.state),
    }


def _won(state: State) -> Sentence:
    """Who won the match, and that it was on time; empty before its end."""
    if not isinstance(state.phase, MatchOver):
        return NOTHING
    winner = state.phase.winner
    name, other = state.name(winner), state.name(winner.other)
    if state.phase.how is Ending.TIME:
        return say("{name} has no time left: {champion} wins the match.", name=other, champion=name)
    return say("{name} wins the match.", name=name)


def _title(rules: Profile, profiles: Mapping[str, Profile]) -> Sentence:
    """The title of a match's rules; of a profile of one's own recorded without title, that of the settings."""
    recorded = str(rules.title) != rules.name
    return rules.title if recorded else title_of(rules.name, profiles)
