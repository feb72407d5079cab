"""Random legal players that drive matches through `step`, and terms for such matches."""

import random
from collections.abc import Iterator

from companion.errors import GameError
from companion.game.cube import answers_to, why_no_double
from companion.game.events import (
    Answer,
    AnyEvent,
    DisputeAnswered,
    DoubleAnswered,
    DoubleOffered,
    DoubletNamed,
    MatchBegan,
    NextGame,
    OpeningThrown,
    PlayEntered,
    Remedy,
    ResignationAnswered,
    Resigned,
    RollTyped,
    Setting,
    TurnEnded,
)
from companion.game.games import most_worth
from companion.game.state import (
    Doubled,
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Played,
    Resigning,
    Rolled,
)
from companion.game.state_machine import step
from companion.game.table import Table
from companion.game.throws import dice_each
from companion.game.turns import turn_to_play
from companion.rules.board import Board, Roll, Side
from companion.rules.family.profiles import ALL_PROFILES


def began(length=0, profile="modern", at_ms=0, match_id="m1", south="Ann", north="Bob", **changes):
    """The first event of a match, with some settings of the profile changed."""
    known = ALL_PROFILES[profile].with_overrides(changes)
    settings = tuple(
        Setting(name, tuple(value) if isinstance(value, list) else value)
        for name, value in known.settings().items()
    )
    return MatchBegan(match_id, south, north, length, profile, settings, at_ms=at_ms)


def after(table: Table, *events: AnyEvent) -> Table:
    """The table after these events."""
    for event in events:
        table = step(table, event).table
    return table


def any_event(table: Table, rng: random.Random, at_ms: int = 0, cube: float = 0.1) -> AnyEvent:
    """A random event that is possible now, mostly rolling and playing."""
    state = table.state
    phase = state.phase
    die = lambda: rng.randint(1, 6)  # noqa: E731
    match phase:
        case Opening():
            each = dice_each(state)
            south, north = (tuple(die() for _ in range(each)) for _ in "ab")
            return OpeningThrown(south, north, at_ms=at_ms)
        case OnRoll(names=True):
            return DoubletNamed(die(), at_ms=at_ms)
        case OnRoll(side=side):
            if not why_no_double(state, side) and rng.random() < cube:
                return DoubleOffered(at_ms=at_ms)
            if rng.random() < cube / 20:
                return Resigned(side, rng.randint(1, most_worth(state.terms.profile)), at_ms=at_ms)
            return RollTyped(Roll.of(die(), die()), at_ms=at_ms)
        case Doubled(offer=offer):
            choices = [Answer.TAKE, *answers_to(state, offer)]
            return DoubleAnswered(rng.choice(choices), at_ms=at_ms)
        case Rolled():
            left = rng.choice(list(turn_to_play(state).plays()))
            return PlayEntered(mine=left.mine, theirs=left.theirs, at_ms=at_ms)
        case Played():
            return TurnEnded(at_ms=at_ms)
        case Resigning():
            return ResignationAnswered(rng.random() < 0.7, at_ms=at_ms)
        case GameOver():
            return NextGame(at_ms=at_ms)
    raise AssertionError(f"nothing to do in {phase}")


def played_match(
    rng: random.Random, first: MatchBegan, games: int = 3, cube: float = 0.1
) -> Iterator[AnyEvent]:
    """The events of a random match; money play ends after `games` games."""
    table = step(Table(), first).table
    yield first
    at_ms = first.at_ms
    while True:
        state = table.state
        if isinstance(state.phase, MatchOver) or (
            not state.terms.length and isinstance(state.phase, GameOver) and state.game >= games
        ):
            return
        at_ms += 1000
        event = any_event(table, rng, at_ms, cube)
        table = step(table, event).table
        yield event


def with_illegal_plays(rng: random.Random, first: MatchBegan, share: float = 0.08, games: int = 3) -> Table:
    """The table after a random match with some illegal plays that stand."""
    table = step(Table(), first).table
    while not _over(table, games):
        event = any_event(table, rng, 0, 0.05)
        if isinstance(table.state.phase, Rolled) and rng.random() < share:
            event = _anything(table, rng)
        try:
            table = step(table, event).table
        except GameError:  # an illegal play that would win has to be settled first
            table = step(table, DisputeAnswered(Remedy.CONDONE)).table
    return table


def _over(table: Table, games: int) -> bool:
    state = table.state
    done = isinstance(state.phase, GameOver) and state.game >= games
    return isinstance(state.phase, MatchOver) or (not state.terms.length and done)


def _anything(table: Table, rng: random.Random) -> PlayEntered:
    """Up to four checkers moved to any point free for them, sometimes backwards."""
    position = table.state.board.seen_by(table.state.phase.side)
    mine, theirs = list(position.mine), list(position.theirs)
    backwards = rng.random() < 0.1
    for _ in range(rng.randint(1, 4)):
        source = rng.choice([place for place in range(1, 26) if mine[place]] or [0])
        free = [to for to in range(25) if to != source and (to == 0 or theirs[25 - to] < 2)]
        target = rng.choice([to for to in free if to < source or backwards] or [source])
        if source in (0, target):
            continue
        mine[source] -= 1
        mine[target] += 1
        if target and theirs[25 - target] == 1:
            theirs[25 - target] = 0
            theirs[25] += 1
    return PlayEntered(mine=tuple(mine), theirs=tuple(theirs), made=True)


def moved_forward(before: Board, after: Board) -> Side | None:
    """The side whose checkers have come nearer to their home, None if nothing moved; a hit only throws back."""
    gone = {side: _pips(before, side) - _pips(after, side) for side in Side}
    return next((side for side, pips in gone.items() if pips > 0), None)


def _pips(board: Board, side: Side) -> int:
    checkers = board.south if side is Side.SOUTH else board.north
    return sum(place * count for place, count in enumerate(checkers))
