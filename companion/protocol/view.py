"""The state of docs/PROTOCOL.md for one kind of visitor: the table as JSON, with the shell's part of the state."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.game.clock import Clock
from companion.game.cube import turnable, why_no_double
from companion.game.disputes import choices
from companion.game.events import Evidence, Orientation
from companion.game.games import counted, figures_of
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
    TurnMade,
)
from companion.game.table import Table
from companion.game.throws import dice_each
from companion.game.turn_order import asked, may_throw_anew, on_roll, phase_word
from companion.game.turns import turn_to_play
from companion.protocol import shapes
from companion.protocol.history import last_lines
from companion.protocol.lamps_and_buttons import lamps_of
from companion.protocol.permissions import Asker, may_ask, may_now
from companion.protocol.undo_and_amend import undo_text
from companion.records.ids import xgid_of
from companion.records.ogxm.document import formats_of
from companion.rules.board import BAR, OFF, Board, Position, Roll, Side, points_in
from companion.rules.cube_and_score import Crawford
from companion.rules.family.chouette import points_won
from companion.rules.family.rotation import title_of_game
from companion.rules.family.running_on import Part
from companion.rules.moves import Play
from companion.rules.notation import write_play
from companion.rules.referee import REASON_TEXTS, DieAtRest, Ruling, Valid, ruling_sentence
from companion.rules.restrictions import restrictions
from companion.rules.setting_values import Aids, ThrownByHand
from sentence import NOTHING, Sentence, say, translatable

MOST_PLAYS = 400
"""Limit of listed plays. A high doublet of the entry game has tens of thousands; the page follows its moves instead."""
NO_CUBE: shapes.CubeState = {"in_play": True, "value": 1, "owner": None, "offered": None, "may_double": False}
START = Board(Position.start().mine, Position.start().theirs)


def camera_view(
    state: shapes.CameraWord, text: Sentence, reads: shapes.Reads = "dice", board_found: bool = True
) -> shapes.CameraView:
    """The camera's state as JSON, with its sentence, what is read in its pictures, and whether there is a board."""
    said = translatable(text=text)
    return {"state": state, "reads": reads, "board_found": board_found, "text": str(text), "say": said}


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """The part of the state that the game does not know.

    Attributes:
        head: the digest of the last row on disk.
        signed: the head of this match that was signed last.
        checkers: the keeping of the board by camera; None while the checkers are not read.
        resumable: whether there is a match before this one to return to.
        offer: the match that the hall gives this table next.
        unclaimed: the match was begun for recorded throws, and nobody has done anything in it.
    """

    seq: int = 0
    durable: bool = True
    camera: shapes.CameraView = field(default_factory=lambda: camera_view("none", say("No camera is used.")))
    notices: Sequence[shapes.NoticeLine] = ()
    head: str | None = None
    signed: shapes.SignedHead | None = None
    health: Sequence[shapes.HealthLine] = ()
    resumable: bool = False
    checkers: shapes.CheckersView | None = None
    offer: shapes.HallOffer | None = None
    unclaimed: bool = False


def view_of(table: Table, asker: Asker, status: ServiceStatus | None = None) -> shapes.State:
    """The state as this visitor of the page may see it.

    With aids withheld by the profile, players and viewers get no plays, pips or hints (row T17).
    """
    status, state = status or ServiceStatus(), table.state
    aids = state.terms.profile.aids if state else Aids.SHOWN
    by_hand = state.terms.profile.thrown_by_hand if state else ThrownByHand.STANDS
    withheld = aids is Aids.WITHHELD and asker.role in ("viewer", "player")
    ruling = _ruling(state) if state else None
    reasons = ruling.reasons if ruling else ()
    texts = [REASON_TEXTS[one] for one in reasons]
    text = _reason(state, ruling) if state else NOTHING
    orientation = state.terms.orientation if state else Orientation()
    may = may_now(table, asker, resumable=status.resumable)
    undo = undo_text(table, asker.role) if "undo" in may else NOTHING
    return {
        "seq": status.seq,
        "durable": status.durable,
        "phase": phase_word(state) if state else "no_match",
        "on_roll": _seat(on_roll(state)) if state else None,
        "asked": _seat(asked(state)) if state else None,
        "may": may,
        "undo_text": str(undo),
        "roll": _roll(state) if state else None,
        "opening": _opening(state) if state else None,
        "anew": state is not None and may_throw_anew(state),
        "ruling": ruling.word if ruling else None,
        "reasons": [one.value for one in reasons],
        "reason_text": str(text),
        "reason_texts": [str(one) for one in texts],
        "say": translatable(reason_text=text, reason_texts=texts, undo_text=undo),
        "throw": _throw(state) if state else None,
        "position": _position(state, withheld),
        "plays": _plays(state) if state and not withheld else None,
        "making": _making(state, withheld) if state else None,
        "last_play": _last_play(state) if state else None,
        "owed": state is not None and isinstance(state.phase, Rolled) and state.phase.is_owed,
        "part": _part(state) if state else None,
        "naming": state is not None and isinstance(state.phase, OnRoll) and state.phase.names,
        "waiting": _waiting(state) if state else None,
        "cube": _cube(state) if state else NO_CUBE,
        "dispute": _dispute(state) if state else None,
        "resigning": _resigning(state) if state else None,
        "result": _result(state) if state else None,
        "match": _match(state, status) if state else None,
        "clock": _clock(table.clock) if state and table.clock else None,
        "lamps": lamps_of(state, status.camera["state"]),
        "camera": status.camera,
        "checkers": _checkers(status.checkers, asker),
        "aids": aids.value,
        "thrown_by_hand": by_hand.value,
        "orientation": {"home": orientation.home, "south": orientation.south},
        "offer": status.offer if table.is_free and may_ask(asker.role, "new_match") else None,
        "chouette": _chouette(state) if state and state.chouette else None,
        "history": last_lines(table, amendable=asker.role == "director"),
        "health": list(status.health) if asker.role == "director" else None,
        "notices": list(status.notices),
    }


def _checkers(view: shapes.CheckersView | None, asker: Asker) -> shapes.CheckersView | None:
    """The keeping of the board; only those who keep the score are asked."""
    if view is None or asker.role in ("scorekeeper", "director"):
        return view
    return {**view, "question": None}


def _seat(side: Side | None) -> shapes.Seat | None:
    return side.value if side else None


def _roll(state: State) -> list[int] | None:
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    roll = getattr(phase, "roll", None) or getattr(phase, "kept", None)
    return list(roll) if isinstance(roll, Roll) else None


def _part(state: State) -> shapes.PartOfTurn | None:
    """The part of a turn whose numbers were not thrown; None for numbers that were."""
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    part = getattr(phase, "part", None)
    if not isinstance(part, Part):
        return None
    named, complement = part.named, part.complement
    return {"thrower": part.thrower.value, "times": part.times, "named": named, "complement": complement}


def _opening(state: State) -> shapes.OpeningDice | None:
    if not isinstance(state.phase, Opening):
        return None
    south, north = (sum(dice) or None for dice in (state.phase.south, state.phase.north))
    return {"south": south, "north": north, "each": dice_each(state), "again": state.phase.again}


def _ruling(state: State) -> Ruling | None:
    """The ruling of the last throw; None for a valid one once its turn is over."""
    ruling = state.throw.ruling if state.throw else None
    waits = isinstance(state.phase, Opening) or state.pending is not None
    return None if isinstance(ruling, Valid) and _roll(state) is None and not waits else ruling


def _reason(state: State, ruling: Ruling | None) -> Sentence:
    if isinstance(state.phase, Opening) and state.phase.unassigned:
        return say("Who rolled the {number}?", number=state.phase.unassigned.high)
    return ruling_sentence(ruling)


def _waiting(state: State) -> shapes.WaitingRoll | None:
    """The early roll, which counts once everything before it is settled."""
    pending = state.pending
    return {"side": pending.side.value, "roll": list(pending.roll)} if pending else None


def _throw(state: State) -> shapes.ThrowRead | None:
    throw = state.throw
    if throw is None or not throw.dice or getattr(state.phase, "part", None):
        return None
    evidence = throw.evidence
    return {
        "dice": dice_read(throw.dice, evidence),
        "picture": _address(evidence.picture),
        "size": list(evidence.size_px or (0, 0)),
    }


def dice_read(dice: Sequence[DieAtRest], evidence: Evidence) -> list[shapes.DieRead]:
    """The dice of a throw as they were read, with their places in its picture."""
    return [_die(one, evidence, at) for at, one in enumerate(dice)]


def _die(die: DieAtRest, evidence: Evidence, at: int) -> shapes.DieRead:
    return {
        "value": die.face,
        "rest": die.rest.value if die.rest else None,
        "half": die.half.value if die.half else None,
        "tilt_deg": die.tilt_deg,
        "confidence": evidence.confidences[at] if at < len(evidence.confidences) else 0.0,
        "box": list(evidence.boxes_px[at]) if at < len(evidence.boxes_px) else None,
        "chances": list(evidence.chances[at]) or None if at < len(evidence.chances) else None,
    }


def _address(picture: str | None) -> str | None:
    return f"/pictures/{picture}" if picture else None


def _position(state: State | None, withheld: bool) -> shapes.PositionSeen:
    """The checkers; those of the usual start without a match."""
    board = state.board if state else START
    seen = board.seen_by((on_roll(state) if state else None) or Side.SOUTH)
    south, north = (board.seen_by(side).pip_count() for side in Side)
    return {
        "xgid": xgid_of(state) if state else "",
        "pos": seen.ints(),
        "under": seen.under(),
        "pips": None if withheld else {"south": south, "north": north},
        "board": board_map(board),
    }


def board_map(board: Board) -> shapes.BoardMap:
    """The checkers as the page draws them: south's counts on his points positive, north's negative."""
    south, north = board.seen_by(Side.SOUTH), board.seen_by(Side.NORTH)
    return {
        "points": south.ints()[1:BAR],
        "bar": {"south": south.mine[BAR], "north": north.mine[BAR]},
        "off": {"south": south.mine[OFF], "north": north.mine[OFF]},
        "game": south.GAME,
        "pinned": {"south": [*points_in(south.pinned)], "north": [*points_in(north.pinned)]},
        "not_entered": {"south": south.not_entered[0], "north": north.not_entered[0]},
    }


def _plays(state: State) -> list[shapes.LegalPlay] | None:
    """The legal plays of the roll, sorted by text; None without a roll, or for a doublet with too many."""
    turn = None if isinstance(state.phase, Played) else turn_to_play(state)
    if turn is None:
        return None
    plays = turn.plays()
    if turn.is_long and len(plays) > MOST_PLAYS:
        return None
    listed = [_listed(play, left) for left, play in plays.items()]
    return sorted(listed, key=lambda play: play["text"])


def _listed(play: Play, left: Position) -> shapes.LegalPlay:
    listed: shapes.LegalPlay = {"text": write_play(play), "moves": _pairs(play), "result": left.ints()}
    under = left.under()
    return listed if under is None else {**listed, "under": under}


def _pairs(play: Play) -> list[list[int]]:
    return [[move.source, move.target] for move in play]


def _making(state: State, withheld: bool) -> shapes.Making | None:
    """The half-made play, or the whole one, to which the entry game may allow more moves; None without a roll."""
    turn = turn_to_play(state)
    made: Play | None = ()
    match state.phase:
        case Played(play=made, fault=fault) if made is not None and (fault or turn is None):
            return _made(made, [], [], complete=True)
        case Played(play=made) | Rolled(moves=made):
            pass
    if turn is None or made is None:
        return None
    partial = turn.partial_play([(move.source, move.target) for move in made])
    coming: list[shapes.NextMove] = [
        {"from": move.source, "to": move.target, "number": move.number, "hits": move.hits}
        for move in partial.next
    ]
    kept: list[shapes.Restriction] = [
        {"from": points, "text": str(why.value), "say": translatable(text=why.value)}
        for why, points in ({} if withheld else restrictions(partial)).items()
    ]
    return _made(made, None if withheld else coming, kept, partial.is_complete)


def _made(
    play: Play, coming: list[shapes.NextMove] | None, kept: list[shapes.Restriction], complete: bool
) -> shapes.Making:
    return {
        "moves": _pairs(play),
        "text": write_play(play),
        "next": coming,
        "complete": complete,
        "refused": "",
        "restrictions": kept,
    }


def _last_play(state: State) -> shapes.LastPlay | None:
    """The turn that ended last; None if the cube or the board was changed after it."""
    last = state.log[-1] if state.log else None
    if not isinstance(last, TurnMade):
        return None
    roll: list[int] | None = list(last.roll) if last.roll else None
    return {"side": last.side.value, "roll": roll, "play": write_play(last.play or ())}


def _cube(state: State) -> shapes.CubeState:
    side, phase = on_roll(state), state.phase
    return {
        "in_play": state.terms.profile.cube,
        "value": state.cube.value,
        "owner": _seat(state.cube.owner),
        "offered": phase.offer.value if isinstance(phase, Doubled) else None,
        "may_double": side is not None and not why_no_double(state, side),
    }


def _dispute(state: State) -> shapes.DisputeOpen | None:
    dispute = state.dispute
    if dispute is None:
        return None
    answers: list[shapes.DisputeAnswer] = [
        {
            "type": choice.remedy.value,
            "label": str(choice.label),
            "say": translatable(label=choice.label),
            "by": choice.by.value,
        }
        for choice in choices(state)
    ]
    return {
        "kind": dispute.kind.value,
        "by": dispute.by.value,
        "text": str(dispute.text),
        "say": translatable(text=dispute.text),
        "roll": list(dispute.early.roll) if dispute.early else None,
        "answers": answers,
    }


def _resigning(state: State) -> shapes.ResignationOpen | None:
    phase = state.phase
    if not isinstance(phase, Resigning):
        return None
    worth = phase.worth if phase.points is not None else counted(state, phase.worth)
    return {"by": phase.by.value, "worth": int(phase.worth), "counts": int(worth), "points": phase.points}


def _result(state: State) -> shapes.GameResult | None:
    result = state.phase.result if isinstance(state.phase, (GameOver, MatchOver)) else None
    if result is None:
        return None
    winner, worth, cube, points = figures_of(result, state.chouette)
    return {
        "winner": _seat(winner),
        "worth": worth,
        "cube": cube,
        "points": points,
        "how": result.how.value,
    }


def _match(state: State, status: ServiceStatus) -> shapes.MatchState:
    terms = state.terms
    variant = NOTHING if state.fits_files else title_of_game(terms.profile, state.game)
    if state.chouette is not None:
        variant = state.title
    return {
        "id": terms.match_id,
        "length": terms.length,
        "crawford": state.crawford is Crawford.NOW,
        "score": {"south": state.score.south, "north": state.score.north},
        "players": {"south": state.name(Side.SOUTH), "north": state.name(Side.NORTH)},
        "profile": terms.profile.name,
        "most_worth": terms.profile.most_worth,
        "start": board_map(terms.profile.start_board),
        "game": state.game,
        "variant": str(variant),
        "say": translatable(variant=variant),
        "winner": state.phase.winner.value if isinstance(state.phase, MatchOver) else None,
        "director": state.director,
        "unclaimed": status.unclaimed,
        "formats": formats_of(state),
        "head": status.head,
        "signed": status.signed,
    }


def _chouette(state: State) -> list[shapes.ChouettePlayer]:
    """The players in the order of the queue, the box first."""
    now, side = state.chouette, on_roll(state)
    assert now is not None
    may = turnable(state, side) if side is not None and not why_no_double(state, side) else ()
    won = points_won(now)
    settled = isinstance(state.phase, GameOver)
    return [
        {
            "name": name,
            "role": "box" if name == now.box else "captain" if name == now.captain else "partner",
            "account": now.accounts[name],
            "cube": None
            if stake is None
            else {"value": stake.cube, "owner": stake.owner and stake.owner.value},
            "may_double": name in may,
            "asked": name in now.asked,
            "won": won[name] if settled or (stake is not None and not stake.is_open) else None,
        }
        for name in now.queue
        for stake in (now.stakes.get(name),)
    ]


def _clock(clock: Clock) -> shapes.ClockState:
    return {
        "running": _seat(clock.running),
        "south": _bank(clock, Side.SOUTH),
        "north": _bank(clock, Side.NORTH),
        "at_ms": clock.at_ms,
        "held": clock.held,
    }


def _bank(clock: Clock, side: Side) -> shapes.Bank:
    delay_ms = clock.delay_left_ms if side is clock.turn_of else clock.rules.delay_ms
    return {"reserve_ms": clock.reserve_of(side), "delay_ms": delay_ms}
