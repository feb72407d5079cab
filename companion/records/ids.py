"""Ids of positions and matches: GNU Position ID, Match ID, and XGID, read and written.

The bit layouts are those of GNU Backgammon 1.07; companion/records/snapshot.py describes the content. At our table
south is player 1, the one at the bottom.
"""

import base64
import binascii
import re
from dataclasses import fields
from typing import Any

from companion.errors import BadPositionError, BadTextError, shown
from companion.game.events import PositionSet
from companion.game.state import (
    Doubled,
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Played,
    Resigning,
    Rolled,
    State,
)
from companion.records.snapshot import GAME_OVER, NOBODY, PLAYING, Snapshot
from companion.rules.board import CHECKERS, OFF, Board, Checkers, Position, Roll, Side
from companion.rules.cube_and_score import Crawford
from sentence import say

_MATCH_WIDTHS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)
"""Bits of a match id's fields, the lowest first: cube, its owner, on roll, Crawford, game state, turn, doubled,
resigned, both dice, match length, both scores, no Jacoby."""
_MATCH_BYTES, _POSITION_BYTES = 9, 10
_OWNER_NOBODY = 3
_XGID = re.compile(
    r"(?:XGID=)?(?P<points>[A-Pa-p-]{26}):(?P<cube>\d{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1)"
    r":(?P<dice>\d\d|D|B|R):(?P<score_1>\d{1,5}):(?P<score_0>\d{1,5}):(?P<options>[0-3]):(?P<length>\d{1,5})"
    r"(?::(?P<max>\d{1,2}))?",
    re.ASCII,
)
_PLAYER = {Side.NORTH: 0, Side.SOUTH: 1, None: NOBODY}
_SIDES = (Side.NORTH, Side.SOUTH)
_NO_GAME = 0
LARGEST_CUBE, LARGEST_SCORE = 1 << 15, (1 << 15) - 1
"""The ids have four bits for the cube's power of two and fifteen for a score."""


def position_id(position: Position) -> str:
    """GNU's Position ID: points and bar of the opponent, then of the mover, each count as that many ones and a zero.

    Raises:
        BadPositionError: more than fifteen checkers.
    """
    bits, length = 0, 0
    for side in (position.theirs, position.mine):
        for count in side[1:]:
            bits |= (1 << count) - 1 << length
            length += count + 1
    if length > 8 * _POSITION_BYTES:
        raise BadPositionError(say("A side has more than fifteen checkers."))
    return _text(bits, _POSITION_BYTES)


def position_of_id(text: str) -> Position:
    """The position of a GNU Position ID, as the player on roll sees it.

    Raises:
        BadTextError: this is no Position ID.
        BadPositionError: a side has more than fifteen checkers.
    """
    bits = _bits(text, _POSITION_BYTES, "Position ID")
    counts = [len(run) for run in f"{bits:080b}"[::-1].split("0")]
    if any(counts[50:]):
        raise BadTextError(
            say("“{text}” is no GNU Position ID: there is more in it than two sides.", text=text)
        )
    if len(counts) < 50 or (len(counts) == 50 and counts[49]):
        raise BadTextError(
            say("“{text}” is no GNU Position ID: it ends before both sides are complete.", text=text)
        )
    return Position(_side(counts[25:50]), _side(counts[:25]))


def match_id(s: Snapshot) -> str:
    """GNU's Match ID; the higher die comes first, in whatever order the dice were thrown."""
    values = (
        *(s.cube_value.bit_length() - 1, _OWNER_NOBODY if s.cube_owner == NOBODY else s.cube_owner),
        *(s.player_on_roll, s.crawford, s.gamestate, s.turn, s.doubled, s.resigned),
        *(max(s.dice), min(s.dice), s.match_length, *s.score, not s.jacoby),
    )
    bits = 0
    for value, width in zip(reversed(values), reversed(_MATCH_WIDTHS), strict=True):
        bits = bits << width | value
    return _text(bits, _MATCH_BYTES)


def gnubgid(s: Snapshot) -> str:
    """Position ID and Match ID, joined by a colon."""
    return f"{position_id(s.position)}:{match_id(s)}"


def snapshot_of_gnubgid(text: str) -> Snapshot:
    """The snapshot of a Position ID and a Match ID joined by a colon; a Position ID alone is before the first roll.

    Raises:
        BadTextError, BadPositionError: no such id, or an impossible value in it.
    """
    first, colon, second = text.strip().partition(":")
    position = position_of_id(first)
    if not colon:
        return Snapshot(position)
    values, bits = [], _bits(second, _MATCH_BYTES, "Match ID")
    for width in _MATCH_WIDTHS:
        values.append(bits & (1 << width) - 1)
        bits >>= width
    cube_log, owner, on_roll, crawford, gamestate, turn, doubled, resigned, high, low, *rest = values
    length, score_0, score_1, no_jacoby = rest
    if owner == 2:
        raise BadTextError(
            say("“{text}” is no GNU Match ID: nobody can own the cube like that.", text=second)
        )
    return Snapshot(
        position,
        player_on_roll=on_roll,
        turn=turn,
        dice=(high, low),
        cube_value=1 << cube_log,
        cube_owner=NOBODY if owner == _OWNER_NOBODY else owner,
        match_length=length,
        score=(score_0, score_1),
        crawford=bool(crawford),
        jacoby=not no_jacoby,
        doubled=bool(doubled),
        resigned=resigned,
        gamestate=gamestate,
    )


def xgid(s: Snapshot) -> str:
    """The snapshot's XGID: the board from player 1's seat, player 1's score first; it omits resignations and ends."""
    seen = s.position if s.player_on_roll == 1 else s.position.flipped()
    points = "".join(_letter(count) for count in seen.ints())
    money = s.match_length == 0
    options = (int(s.jacoby) | int(s.beaver) << 1) if money else int(s.crawford)
    dice = "D" if s.doubled else f"{s.dice[0]}{s.dice[1]}"
    owner = {NOBODY: 0, 0: -1, 1: 1}[s.cube_owner]
    turn = 1 if s.player_on_roll == 1 else -1
    cube = (s.cube_value.bit_length() - 1, owner)
    parts = (points, *cube, turn, dice, s.score[1], s.score[0], options, s.match_length, s.max_cube)
    return "XGID=" + ":".join(map(str, parts))


def snapshot_of_xgid(text: str) -> Snapshot:
    """The snapshot of an XGID; the letters “XGID=” and the cube's limit may be missing.

    Raises:
        BadTextError, BadPositionError: no XGID, or an impossible value in it.
    """
    found = _XGID.fullmatch(text.strip())
    if not found:
        raise BadTextError(say("“{text}” is no XGID.", text=shown(text.strip())))
    if found["dice"] in ("B", "R"):
        raise BadTextError(say("A pending beaver or raccoon cannot be expressed here."))
    cube, owner, turn, score_1, score_0, options, length = (
        int(found[name]) for name in ("cube", "owner", "turn", "score_1", "score_0", "options", "length")
    )
    seen = position_of_xgid_board(found["points"])
    if length and options > 1:
        raise BadTextError(
            say("“{text}” is no XGID: a match has a Crawford game or none.", text=shown(text.strip()))
        )
    on_roll, doubled = (1 if turn == 1 else 0), found["dice"] == "D"
    dice = (0, 0) if doubled else (int(found["dice"][0]), int(found["dice"][1]))
    # An XGID has no field for the end of a match: it has all its points then, and no dice.
    is_over = length and max(score_0, score_1) >= length and found["dice"] == "00"
    return Snapshot(
        seen if on_roll else seen.flipped(),
        gamestate=GAME_OVER if is_over else PLAYING,
        player_on_roll=on_roll,
        turn=1 - on_roll if doubled else on_roll,
        dice=dice,
        cube_value=1 << cube,
        cube_owner={0: NOBODY, -1: 0, 1: 1}[owner],
        match_length=length,
        score=(score_0, score_1),
        crawford=bool(length and options),
        jacoby=bool(not length and options & 1),
        beaver=bool(not length and options & 2),
        doubled=doubled,
        max_cube=int(found["max"] or 10),
    )


def position_of_xgid_board(letters: str) -> Position:
    """The position of the 26 letters of an XGID's board, as the player at the bottom sees it.

    Raises:
        BadPositionError: more checkers than a side has.
    """
    return Position.of_ints(list(map(_count, letters)))


def _letter(count: int) -> str:
    """A point of an XGID: capitals for the player at the bottom, small letters for the other."""
    if count == 0:
        return "-"
    return chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1)


def _count(letter: str) -> int:
    """Number of checkers for a letter of an XGID; negative for the player at the top."""
    if letter == "-":
        return 0
    return ord(letter) - ord("A") + 1 if letter.isupper() else ord("a") - ord(letter) - 1


def _side(counts: list[int]) -> Checkers:
    """One side's checkers from its 24 points and bar; the rest has been borne off."""
    off = CHECKERS - sum(counts)
    if off < 0:
        raise BadPositionError(
            say("A side has {sum} checkers, more than {checkers}.", sum=sum(counts), checkers=CHECKERS)
        )
    return (off, *counts)


def _text(bits: int, length_bytes: int) -> str:
    """Bits, the lowest first, in base 64 without padding."""
    return base64.b64encode(bits.to_bytes(length_bytes, "little")).decode().rstrip("=")


def _bits(text: str, length_bytes: int, name: str) -> int:
    """The bits of an id; BadTextError unless the text is exactly such an id."""
    letters = -(-length_bytes * 8 // 6)
    if len(text) != letters:
        raise BadTextError(
            say(
                "“{text}” is no GNU {name}: it has {count} letters and not {letters}.",
                text=shown(text),
                name=name,
                count=len(text),
                letters=letters,
            )
        )
    try:
        data = base64.b64decode(text + "=" * (-letters % 4), validate=True)
    except (binascii.Error, ValueError):
        raise BadTextError(
            say(
                "“{text}” is no GNU {name}: there is a letter in it that ids do not have.",
                text=text,
                name=name,
            )
        ) from None
    bits = int.from_bytes(data, "little")
    if _text(bits, length_bytes) != text or (name == "Match ID" and bits >> 67):
        raise BadTextError(
            say("“{text}” is no GNU {name}: it says more than such an id can.", text=text, name=name)
        )
    return bits


def fields_of(s: Snapshot) -> dict[str, Any]:
    """All fields of a snapshot, under the names that `companion ids` uses, the ids included."""
    values = {one.name: getattr(s, one.name) for one in fields(s)[1:]}
    return {
        "pos": s.position.ints(),
        "off": [s.position.mine[OFF], s.position.theirs[OFF]],
        **{name: list(value) if isinstance(value, tuple) else int(value) for name, value in values.items()},
        "position_id": position_id(s.position),
        "match_id": match_id(s),
        "gnubgid": gnubgid(s),
        "xgid": xgid(s),
    }


def snapshot_of(state: State) -> Snapshot:
    """The table's snapshot; seen from south if nobody is on roll."""
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    side, dice, turn, cube, gamestate = Side.SOUTH, (0, 0), None, state.cube.value, PLAYING
    match phase:
        case OnRoll() | Played():
            side = phase.side
        case Rolled():
            side, dice = phase.side, (phase.roll.high, phase.roll.low)
        case Doubled():
            side, turn, cube = phase.back.side, phase.offer.asked, phase.offer.value // 2
        case Opening():
            gamestate = _NO_GAME
        case GameOver() | MatchOver():
            gamestate = GAME_OVER
    profile, money = state.terms.profile, state.terms.money_play
    return Snapshot(
        state.board.seen_by(side),
        player_on_roll=_PLAYER[side],
        turn=_PLAYER[turn or side],
        dice=dice,
        cube_value=min(cube, LARGEST_CUBE),
        cube_owner=_PLAYER[state.cube.owner],
        match_length=state.terms.length,
        score=(min(state.score.north, LARGEST_SCORE), min(state.score.south, LARGEST_SCORE)),
        crawford=state.crawford is Crawford.NOW,
        jacoby=profile.jacoby.holds(money_play=money),
        beaver=money and profile.beaver.holds(money_play=money),
        doubled=isinstance(phase, Doubled),
        resigned=int(state.phase.worth) if isinstance(state.phase, Resigning) else 0,
        gamestate=gamestate,
    )


def xgid_of(state: State) -> str:
    """The table's XGID; "" in a game whose positions no id can hold."""
    return xgid(snapshot_of(state)) if state.board.kind is Position else ""


def gnubgid_of(state: State) -> str:
    """The table's GNU id; "" as `xgid_of`."""
    return gnubgid(snapshot_of(state)) if state.board.kind is Position else ""


def position_set_of_id(text: str, length: int, checkers: int = CHECKERS) -> PositionSet:
    """The content of an XGID or a GNU id as an event: board, cube, score, side on roll, and his roll or his double.

    Args:
        text: the id; one of money play has no score.
        length: of the running match, 0 for money play; the score of a match of another length is used if it fits.
        checkers: of each side.

    Raises:
        BadTextError, BadPositionError: no such id, a score that only fits a match of another length, or a board that is
            impossible with so many checkers.
    """
    is_xgid = "=" in text or "-" in text.split(":")[0] or text.count(":") > 2
    snapshot = snapshot_of_xgid(text) if is_xgid else snapshot_of_gnubgid(text)
    _check_length(snapshot, length)
    side, missing = _SIDES[snapshot.player_on_roll], CHECKERS - checkers
    sides = snapshot.position.mine, snapshot.position.theirs
    mine, theirs = ((counts[OFF] - missing, *counts[1:]) for counts in sides)
    if mine[OFF] < 0 or theirs[OFF] < 0:
        raise BadPositionError(say("There are more than {checkers} checkers on a side.", checkers=checkers))
    board, score = Board.of(side, Position(mine, theirs)), snapshot.score
    return PositionSet(
        board.south,
        board.north,
        side,
        snapshot.cube_value,
        "middle" if snapshot.cube_owner == NOBODY else _SIDES[snapshot.cube_owner].value,
        score[1] if snapshot.match_length else None,
        score[0] if snapshot.match_length else None,
        snapshot.crawford if snapshot.match_length else None,
        Roll.of(*snapshot.dice) if all(snapshot.dice) else None,
        snapshot.doubled,
    )


def _check_length(snapshot: Snapshot, length: int) -> None:
    """Raise BadTextError, with both lengths, if the score of a match of another length does not fit."""
    given = snapshot.match_length
    fits = not snapshot.crawford and (not length or max(snapshot.score) < length)
    if given in (0, length) or fits:
        return
    raise BadTextError(
        say(
            "This id is of a match of {match_length} points; this match goes to {length}.",
            match_length=given,
            length=length,
        )
        if length
        else say("This id is of a match of {match_length} points; this is money play.", match_length=given)
    )
