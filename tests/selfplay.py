"""Players who do anything legal, for driving matches through `step` in tests, and terms for such matches."""

import random
from collections.abc import Iterator

from companion.dice import Roll
from companion.doubling import answers_to, why_no_double
from companion.events import (
    Answer,
    AnyEvent,
    DoubleAnswered,
    DoubleOffered,
    MatchBegan,
    NextGame,
    OpeningThrown,
    PlayEntered,
    ResignationAnswered,
    Resigned,
    RollTyped,
    Setting,
    TurnEnded,
)
from companion.opening import dice_each
from companion.profiles import PROFILES
from companion.results import most_worth
from companion.state import Doubled, GameOver, MatchOver, OnRoll, Opening, Played, Resigning, Rolled
from companion.table import Table, step
from companion.turn import turn_of


def began(length=0, profile="modern", at_ms=0, match_id="m1", south="Ann", north="Bob", **changes):
    """The first event of a match, with some settings of the profile changed."""
    known = PROFILES[profile].with_overrides(changes)
    settings = tuple(
        Setting(name, tuple(value) if isinstance(value, list) else value)
        for name, value in known.settings().items()
    )
    return MatchBegan(match_id, south, north, length, profile, settings, at_ms=at_ms)


def any_event(table: Table, rng: random.Random, at_ms: int = 0, cube: float = 0.1) -> AnyEvent:
    """Something that a player could do now, mostly rolling and playing."""
    state = table.state
    phase = state.phase
    die = lambda: rng.randint(1, 6)  # noqa: E731
    match phase:
        case Opening():
            each = dice_each(state)
            south, north = (tuple(die() for _ in range(each)) for _ in "ab")
            return OpeningThrown(south, north, at_ms=at_ms)
        case OnRoll(side=side):
            if not why_no_double(state, side) and rng.random() < cube:
                return DoubleOffered(at_ms=at_ms)
            if rng.random() < cube / 20:
                return Resigned(side, rng.randint(1, most_worth(state.terms.profile)), at_ms=at_ms)
            return RollTyped(Roll.of(die(), die()), at_ms=at_ms)
        case Doubled(offer=offer):
            choices = [Answer.TAKE, *answers_to(state, offer)]
            return DoubleAnswered(rng.choice(choices), at_ms=at_ms)
        case Rolled(side=side, roll=roll):
            left = rng.choice(list(turn_of(state, side, roll).plays()))
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
    """The events of a random match; money play ends after so many games."""
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
