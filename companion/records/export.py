"""Export of a match: `.mat`, `.sgf`, JSON, the score sheet, or the dossier as one ZIP.

The dossier is for a ruling committee and needs nothing but a browser: an HTML index with the score sheet and every
event in order, the rows of the record with their chain, the match in the field's formats, and the picture of each roll.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from html import escape

from companion.errors import UserError
from companion.game.events import Evidence, MatchBegan, Thrown
from companion.game.history import flag_of, line_of, quiet_words, ruling_sentence, throw_of
from companion.game.state import Opening, State
from companion.game.step import Entry, Table
from companion.records.mat import write_mat
from companion.records.rows import Row
from companion.records.sgf import write_sgf
from companion.records.transcribe import scribed
from companion.rules.board import Side
from companion.rules.referee import Cocked, Unread, Valid
from sentence import say

Pictures = Callable[[str], bytes | None]
FORMATS = ("mat", "sgf", "json", "zip")
_README = """This is the dossier of one backgammon match, kept by a board companion.

index.html    everything in order, with the pictures; open it in a browser
events.json   the record: each row with the digest of the row before it
match.mat     the match for GNU Backgammon and other programs
match.sgf     the same with everything that a .mat file cannot say
pictures/     the board at each roll, by game and roll

The record's head, the digest of its last row, is
  {head}
A row's digest is SHA-256 over the JSON list [match_id, number, at_ms, kind, body, previous], written without blanks,
keys sorted, UTF-8. `companion verify` checks all of it against the program's own journal.
"""
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8886;padding:.3rem .5rem;"
    "text-align:left;vertical-align:top}code{font-size:.85em;word-break:break-all}img{max-width:24rem;width:100%}"
    ".cocked,.unread{background:#fa02}.misfit,.undone{opacity:.65}.warn{color:#b00}"
)


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture in the dossier.

    Attributes:
        number: of its event.
        name: in the dossier, such as `pictures/game-3-roll-17.jpg`.
        kept: its name in the program's own folder.
        state: `there`, `gone` (removed by the quota) or `changed` (its digest differs).
    """

    number: int
    name: str
    kept: str
    state: str


def date_of(table: Table) -> str:
    """Day on which the match began, as 2026-11-21 (UTC)."""
    return f"{datetime.fromtimestamp(table.entries[0].event.at_ms / 1000, UTC):%Y-%m-%d}"


def mat_text(table: Table) -> str:
    """The match as a `.mat` file."""
    state = _state(table)
    scribe = scribed(state, placing=False)
    profile, money = state.terms.profile, state.terms.money_play
    headers = {
        "EventDate": date_of(table).replace("-", "."),
        "Variation": "Backgammon"
        if scribe.transcript.start == "standard"
        else scribe.transcript.start.capitalize(),
        "Crawford": "On" if profile.crawford and not money else "Off",
        "Jacoby": "On" if profile.jacoby.holds(money_play=money) else "Off",
        "Beaver": "On" if profile.beaver.holds(money_play=money) else "Off",
    }
    return write_mat(scribe.transcript, scribe.remarks, headers)


def sgf_text(table: Table) -> str:
    """The match as an SGF file."""
    scribe = scribed(_state(table), placing=True)
    comments: dict[tuple[int, int], str] = {}
    for remark in scribe.remarks:
        key = (remark.game, remark.at)
        comments[key] = f"{comments[key]} {remark.text}" if key in comments else remark.text
    return write_sgf(scribe.transcript, date_of(table), comments)


def json_text(rows: Sequence[Row], table: Table) -> str:
    """The match as one JSON object: its rows as stored, and its score sheet."""
    return json.dumps(
        {
            "match": rows[0].match_id if rows else None,
            "head": rows[-1].digest if rows else None,
            "sheet": score_sheet(table),
            "rows": [
                {
                    "number": row.number,
                    "at_ms": row.at_ms,
                    "kind": row.kind,
                    "body": json.loads(row.body),
                    "previous": row.previous,
                    "digest": row.digest,
                }
                for row in rows
            ],
        },
        ensure_ascii=False,
        indent=1,
    )


def score_sheet(table: Table) -> dict[str, object]:
    """Players, rules (`profile` by name, `rules` by title), and each game's result."""
    state = _state(table)
    return {
        "players": {"south": state.name(Side.SOUTH), "north": state.name(Side.NORTH)},
        "length": state.terms.length,
        "profile": state.terms.profile.name,
        "rules": str(state.terms.profile.title),
        "date": date_of(table),
        "score": {"south": state.score.south, "north": state.score.north},
        "games": [
            {
                "game": log.number,
                "winner": log.south if log.result.winner is Side.SOUTH else log.north,
                "worth": int(log.result.worth),
                "cube": log.result.cube,
                "points": log.result.points,
                "how": log.result.how.value,
                "crawford": log.crawford,
            }
            for log in state.games
        ],
    }


def _state(table: Table) -> State:
    assert table.state is not None, "a match has a state"
    return table.state


def shots_of(table: Table, pictures: Pictures) -> list[Shot]:
    """Pictures of a match by game and roll; cocked and unread throws are numbered before the roll that they precede."""
    found = []
    game, roll, tries = 0, 0, 0
    for entry in table.entries:
        if entry.state.game != game:
            game, roll, tries = entry.state.game, 0, 0
        evidence = evidence_of(entry)
        valid = entry.state.throw is not None and isinstance(entry.state.throw.ruling, Valid)
        if evidence is None or evidence.picture is None:
            continue
        if valid and not isinstance(entry.state.phase, Opening):
            roll, tries = roll + 1, 0
            name = f"pictures/game-{game}-roll-{roll}.jpg"
        else:
            tries += 1
            name = f"pictures/game-{game}-before-roll-{roll + 1}-throw-{tries}.jpg"
        found.append(Shot(entry.number, name, evidence.picture, _picture_state(evidence, pictures)))
    return found


def evidence_of(entry: Entry) -> Evidence | None:
    """The evidence for a throw's ruling, also if the throw was corrected later."""
    versions = (entry.event, *entry.was)
    return next((event.evidence for event in versions if isinstance(event, Thrown)), None)


def _picture_state(evidence: Evidence, pictures: Pictures) -> str:
    assert evidence.picture is not None
    data = pictures(evidence.picture)
    if data is None:
        return "gone"
    changed = evidence.sha256 is not None and sha256(data).hexdigest() != evidence.sha256
    return "changed" if changed else "there"


def dossier(rows: Sequence[Row], table: Table, pictures: Pictures) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file of the dossier."""
    shots = shots_of(table, pictures)
    yield "index.html", index_html(rows, table, shots).encode()
    yield "events.json", json_text(rows, table).encode()
    yield "match.mat", mat_text(table).encode()
    yield "match.sgf", sgf_text(table).encode()
    yield "README.txt", _README.format(head=rows[-1].digest).encode()
    for shot in shots:
        data = pictures(shot.kept)
        if data is not None:
            yield shot.name, data


def index_html(rows: Sequence[Row], table: Table, shots: Sequence[Shot]) -> str:
    """The dossier's index page."""
    began = table.entries[0].event
    assert isinstance(began, MatchBegan)
    state = _state(table)
    south, north = escape(state.name(Side.SOUTH)), escape(state.name(Side.NORTH))
    length = f"{state.terms.length} points" if state.terms.length else "money play"
    by_entry = {shot.number: shot for shot in shots}
    body = "".join(_line(entry, before, rows, by_entry) for entry, before in _pairs(table))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{south} - {north}</title><style>{_STYLE}</style>"
        f"<h1>{south} - {north}</h1>"
        f"<p>{length}, rules: {escape(state.terms.profile.name)}, begun {_time(began.at_ms)} UTC. "
        f"Score {state.score.south}-{state.score.north}.</p>"
        f"<p>Head of the record: <code>{rows[-1].digest if rows else ''}</code></p>"
        f"{_sheet_html(table)}"
        f"<h2>What happened</h2><table><tr><th>No.<th>Time (UTC)<th>Game<th>Who<th>What<th>Told by<th>Picture</tr>"
        f"{body}</table></html>"
    )


def _pairs(table: Table) -> Iterator[tuple[Entry, State | None]]:
    before = None
    for entry in table.entries:
        yield entry, before
        before = entry.state


def _sheet_html(table: Table) -> str:
    lines = []
    for log in _state(table).games:
        result = log.result
        winner = escape(log.south if result.winner is Side.SOUTH else log.north)
        crawford = " (Crawford)" if log.crawford else ""
        lines.append(
            f"<tr><td>{log.number}{crawford}<td>{winner}<td>{result.worth.name.lower()}<td>{result.cube}"
            f"<td>{result.points}<td>{result.how.value.replace('_', ' ')}</tr>"
        )
    head = "<tr><th>Game<th>Winner<th>Worth<th>Cube<th>Points<th>How</tr>"
    return f"<h2>Score sheet</h2><table>{head}{''.join(lines)}</table>"


def _line(entry: Entry, before: State | None, rows: Sequence[Row], shots: dict[int, Shot]) -> str:
    side, text = line_of(entry, before)
    line = escape(str(text or quiet_words(entry.event)))
    who = escape(entry.state.name(side)) if side else ""
    classes = [name for name, holds in (("undone", entry.undone), ("misfit", flag_of(entry))) if holds]
    throw = throw_of(before, entry.state) if isinstance(entry.event, Thrown) else None
    reason = ""
    if throw is not None and throw.ruling.reasons:
        reason = f"<br><small>{escape(str(ruling_sentence(throw.ruling)))}</small>"
        classes.append(
            "unread"
            if isinstance(throw.ruling, Unread)
            else "cocked"
            if isinstance(throw.ruling, Cocked)
            else ""
        )
    digest = rows[entry.number - 1].digest if entry.number <= len(rows) else ""
    return (
        f'<tr class="{" ".join(filter(None, classes))}" title="{digest}"><td>{entry.number}'
        f"<td>{_time(entry.event.at_ms)}<td>{entry.state.game}<td>{who}<td>{line}{reason}"
        f"<td>{escape(entry.event.by)}<td>{_picture_html(shots.get(entry.number))}</tr>\n"
    )


def _picture_html(shot: Shot | None) -> str:
    if shot is None:
        return ""
    if shot.state == "gone":
        return "no longer kept"
    warning = '<br><b class="warn">this picture has been changed</b>' if shot.state == "changed" else ""
    return f'<a href="{shot.name}"><img src="{shot.name}" alt="the board" loading="lazy"></a>{warning}'


def _time(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M:%S}"


def exported(
    kind: str, rows: Sequence[Row], table: Table, picture: Callable[[str], bytes | None] = lambda name: None
) -> bytes:
    """The match in one of the formats.

    Args:
        kind: one of FORMATS.
        rows: the record as stored.
        table: the table that the rows lead to; it has a state.
        picture: the bytes of a picture by its name, None if it is gone.

    Raises:
        UserError: the format cannot hold such a match.
    """
    assert table.state is not None
    if kind in ("mat", "sgf") and table.state.terms.profile.start[25] > 0:
        raise UserError(say("No .{kind} can hold the entry game; export it as json or zip.", kind=kind))
    if kind == "mat":
        return mat_text(table).encode()
    if kind == "sgf":
        return sgf_text(table).encode()
    if kind == "json":
        return (json_text(rows, table) + "\n").encode()
    return zipped(dossier(rows, table, picture))


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Files as one ZIP; pictures are compressed already and only stored."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files:
            how = zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, how)
    return out.getvalue()
