"""Anything may happen at the table, in any order: whole matches and wild events through `step`."""

import json
import random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.errors import GameError
from companion.game import events as ev
from companion.game.state import GameOver, MatchOver, OnRoll, Played, Rolled
from companion.game.state_machine import fold, step
from companion.game.table import Table
from companion.protocol.permissions import Asker, possible_acts
from companion.protocol.view import view_of
from companion.records.rows import event_in, text_of
from companion.rules.board import Position, Problem, Roll, Side
from companion.rules.profiles import PROFILES
from companion.rules.referee import DieAtRest, Half, Rest
from sentence import NOTHING
from tests.game.test_settings_obeyed import FIELDS, values_to_turn
from tests.support.often import TIMES
from tests.support.script import event_from
from tests.support.selfplay import any_event, began
from tests.support.translated import left_english, untranslated

SIDES = st.sampled_from([None, *Side])
FACES = st.integers(1, 6)
ROLLS = st.builds(Roll.of, FACES, FACES)
DICE = st.lists(
    st.builds(
        DieAtRest,
        st.sampled_from([1, 2, 3, 4, 5, 6, None]),
        st.sampled_from([Rest.FLAT, Rest.FLAT, Rest.FLAT, Rest.LEANING, Rest.OFF_BOARD, None]),
        st.sampled_from([*Half, None]),
        st.sampled_from([0.0, 30.0, None]),
    ),
    max_size=3,
).map(tuple)
MOVES = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), max_size=4).map(tuple)
SETTINGS = st.sampled_from(
    [
        ev.Setting(name, tuple(value) if isinstance(value, list) else value)
        for name in FIELDS
        for value in values_to_turn(name)
    ]
)
NUMBERS = st.one_of(st.integers(-1, 4), st.sampled_from([64, 2**12, 2**13, 10**20, 2**14284]))
START = Position.start().mine
RACE = (9, 2, 2, 1, 1, *[0] * 21)
WILD = st.one_of(
    st.builds(ev.OpeningThrown, FACES.map(lambda n: (n,)), FACES.map(lambda n: (n,))),
    st.builds(ev.Thrown, DICE, st.booleans(), st.booleans()),
    st.builds(ev.RollTyped, ROLLS, SIDES),
    st.builds(ev.Overruled, st.one_of(st.none(), ROLLS)),
    st.just(ev.Lifted()),
    st.builds(ev.TurnEnded, SIDES),
    st.builds(ev.PlayEntered, MOVES, made=st.booleans()),
    st.builds(
        ev.PlayEntered, mine=st.just((-1, *[0] * 22, 1, 14, 1)), theirs=st.just(START), made=st.booleans()
    ),
    st.builds(ev.PlayEntered, mine=st.just(RACE), theirs=st.just(START), made=st.just(True)),
    st.builds(ev.DoubletNamed, FACES),
    st.builds(ev.DoubleOffered, SIDES),
    st.builds(ev.DoubleAnswered, st.sampled_from(list(ev.Answer)), SIDES),
    st.builds(
        ev.Resigned, st.sampled_from(list(Side)), st.sampled_from([1, 2, 3]), st.one_of(st.none(), NUMBERS)
    ),
    st.builds(ev.ResignationAnswered, st.booleans(), SIDES),
    st.builds(ev.DisputeAnswered, st.sampled_from(list(ev.Remedy)), SIDES),
    st.builds(ev.WrongStartFound, st.just(START), st.sampled_from([START, RACE])),
    st.builds(ev.PositionSet, st.just(RACE), st.just(RACE), st.sampled_from(list(Side))),
    st.builds(ev.PositionSet, cube_value=NUMBERS, cube_owner=st.just("south")),
    st.builds(ev.PositionSet, south_points=NUMBERS, north_points=NUMBERS),
    st.builds(ev.NextGame, st.booleans()),
    st.builds(ev.PenaltyGiven, st.sampled_from(list(Side)), NUMBERS),
    st.builds(ev.ClockSet, st.sampled_from(list(ev.ClockOrder)), st.sampled_from([None, 0, 1000, 2**31])),
    st.builds(ev.TimeRanOut, st.sampled_from(list(Side))),
    st.builds(ev.SettingsChanged, SETTINGS.map(lambda one: (one,))),
    st.builds(ev.DirectorCalled, SIDES, st.booleans()),
    st.just(ev.Undone()),
)


PLAIN = (
    *("done", "double", "take", "pass", "beaver", "raccoon"),
    *("accept", "refuse", "condone", "correct", "undo", "next_game"),
)
"""The actions that need nothing more to be said. Dice that are lifted twice are no mistake, so lift is none of them."""


class TableMachine(RuleBasedStateMachine):
    """Sensible players, with anybody interfering."""

    @initialize(
        length=st.sampled_from([0, 1, 3, 5]),
        profile=st.sampled_from([*PROFILES, "acey_deucey", "acey_europe"]),
        seed=st.integers(0, 2**16),
    )
    def begin(self, length, profile, seed):
        self.rng = random.Random(seed)
        self.now_ms = 0
        self.kept = []
        self.table = Table()
        self.told(began(length, profile))

    def told(self, event):
        """Tell the table; a refusal leaves it as it was."""
        before, refusal = self.table, NOTHING
        try:
            stepped = step(before, event)
        except GameError as error:
            refusal = error.sentence
        said = [refusal] if refusal else [notice.text for notice in stepped.notices]
        assert [one for sentence in said for one in untranslated(sentence.to_json())] == []
        if refusal:
            assert str(refusal).endswith(".")
            return False
        if stepped.table is not before:
            self.kept.append(event)
        self.table = stepped.table
        return True

    def later(self, event):
        self.now_ms += self.rng.randrange(20_000)
        return type(event)(
            **{name: getattr(event, name) for name in event.__dataclass_fields__} | {"at_ms": self.now_ms}
        )

    @rule(turns=st.integers(1, 12))
    def play_on(self, turns):
        """Some sensible events; then a dispute, if one is open, has its answer."""
        for _ in range(turns):
            if isinstance(self.table.state.phase, MatchOver):
                return
            done = self.told(any_event(self.table, self.rng, self.now_ms, 0.1))
            if not done and self.table.state.dispute is not None:
                for remedy in ev.Remedy:
                    self.told(ev.DisputeAnswered(remedy, at_ms=self.now_ms))

    @rule(event=WILD)
    def interfere(self, event):
        """Anything, whether it makes sense now or not."""
        self.told(self.later(event))

    @rule(back=st.integers(1, 40), event=WILD)
    def amend(self, back, event):
        """Some earlier event is said to have been something else."""
        number = len(self.table.entries) - back
        if number > 1:
            self.told(ev.Amended(number, event, at_ms=self.now_ms))

    @precondition(lambda self: isinstance(self.table.state.phase, Rolled))
    @rule(roll=ROLLS)
    def amend_the_roll(self, roll):
        """The roll that is being played was misread."""
        for entry in reversed(self.table.entries):
            if isinstance(entry.event, ev.RollTyped) and not entry.undone:
                self.told(ev.Amended(entry.number, ev.RollTyped(roll), at_ms=self.now_ms))
                return

    @invariant()
    def the_board_is_whole(self):
        state = self.table.state
        for side in (state.board.south, state.board.north):
            assert sum(side) == state.terms.profile.checkers
            assert min(side) >= 0
        seen = state.board.seen_by(Side.SOUTH)
        assert not seen.problems(state.terms.profile.checkers) & Problem.BOTH_ON_ONE_POINT

    @invariant()
    def the_cube_and_the_score_follow_from_what_happened(self):
        state = self.table.state
        assert state.cube.value & (state.cube.value - 1) == 0
        set_by_hand = [one.event for one in self.table.entries if isinstance(one.event, ev.PositionSet)]
        if any((one.south_points, one.north_points) != (None, None) for one in set_by_hand):
            return
        points = dict.fromkeys((0, 1), 0)
        for log in state.games:
            assert log.result.points >= 0
            points[(log.result.winner is Side.SOUTH) is log.swapped] += log.result.points
        south, north = state.score.south, state.score.north
        first, second = (north, south) if state.swapped else (south, north)
        given = sum(state.penalties)
        assert first + second == sum(points.values()) + given
        assert first >= points[0]
        assert second >= points[1]
        over = isinstance(state.phase, MatchOver)
        assert over or not state.terms.length or max(south, north) < state.terms.length
        assert len(state.games) <= state.game

    @invariant()
    def everybody_can_look(self):
        for asker in (Asker("viewer"), Asker("player", Side.NORTH), Asker("director")):
            view = view_of(self.table, asker)
            assert json.loads(json.dumps(view)) is not None
            assert view["phase"] != "rolled" or view["roll"]
            assert list(left_english(view)) == []
        if isinstance(self.table.state.phase, (OnRoll, Played, Rolled)):
            assert view["on_roll"] in ("south", "north")
        if isinstance(self.table.state.phase, GameOver):
            assert view["result"]

    @invariant()
    def what_is_offered_is_taken_and_what_is_not_is_refused(self):
        taken = {kind for kind in PLAIN if self.takes(kind)}
        assert taken == set(possible_acts(self.table)) & set(PLAIN)

    def takes(self, kind):
        director = Asker("director", at_ms=self.now_ms)
        try:
            step(self.table, event_from({"type": kind}, self.table, director))
        except GameError:
            return False
        return True

    def teardown(self):
        """The record, written and read back, leads to the very same table."""
        if hasattr(self, "kept"):
            assert fold(event_in(text_of(event)) for event in self.kept) == self.table


TestTable = TableMachine.TestCase
TestTable.settings = settings(
    max_examples=12 * TIMES,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
