"""Numbers from outside have the bounds that the game gives them, and no change of the rules leaves a state that cannot
be shown."""

import json

import pytest

from companion.errors import GameError
from companion.game import events
from companion.protocol.permissions import Asker
from companion.protocol.view import view_of
from companion.rules.board import Side
from companion.rules.cube_and_score import LARGEST_CUBE, MOST_POINTS
from tests.support.script import Script

ABSURD = (-1, 10**20, 2**14284)


@pytest.mark.parametrize(
    ("length", "body", "largest"),
    [
        pytest.param(0, lambda n: {"type": "set_position", "cube": {"value": n}}, LARGEST_CUBE, id="cube"),
        pytest.param(
            0, lambda n: {"type": "set_position", "score": {"south": n}}, MOST_POINTS, id="score, money"
        ),
        pytest.param(7, lambda n: {"type": "set_position", "score": {"north": n}}, 6, id="score, match"),
        pytest.param(
            0, lambda n: {"type": "rule", "penalty": {"to": "south", "points": n}}, 99, id="penalty, money"
        ),
        pytest.param(
            7, lambda n: {"type": "rule", "penalty": {"to": "south", "points": n}}, 7, id="penalty, match"
        ),
        pytest.param(0, lambda n: {"type": "resign", "side": "south", "points": n}, 3, id="settlement"),
    ],
)
def test_a_number_has_the_bound_of_the_game(length, body, largest):
    def taken(number):
        script = Script(length=length).ready()
        wanted = body(number)
        try:
            script.do(wanted.pop("type"), **wanted)
        except GameError:
            return False
        json.dumps(script.view)
        return True

    assert taken(largest)
    assert not any(map(taken, (2 * largest, *ABSURD)))


def test_the_largest_cube_is_not_turned():
    script = Script(length=0).ready().do("set_position", cube={"value": LARGEST_CUBE})
    assert "double" not in script.view["may"]
    with pytest.raises(GameError, match="beyond 4096"):
        script.do("double")


def test_a_beaver_stops_at_the_largest_cube():
    script = (
        Script(length=0, beaver="money_play").ready().do("set_position", cube={"value": LARGEST_CUBE // 2})
    )
    assert "beaver" not in script.do("double").view["may"]


@pytest.mark.parametrize(
    ("change", "entered"),
    [
        pytest.param({"doublets": "top_and_bottom"}, None, id="roll not played yet"),
        pytest.param({"doublets": "top_and_bottom"}, [[24, 18], [24, 18], [13, 7], [13, 7]], id="played"),
        pytest.param({"use_of_numbers": "lower_first"}, [[24, 18]], id="half made"),
        pytest.param({"bear_off_with_more": "any_checker"}, [[24, 18]], id="bearing off"),
    ],
)
def test_how_checkers_move_stays_while_a_roll_is_played(change, entered):
    script = Script(length=5).ready().roll(6, 6)
    if entered:
        script.do("play", moves=entered)
    before = script.view
    with pytest.raises(GameError, match="while a roll is being played"):
        script.do("settings", overrides=change)
    assert script.view == before
    script.do("settings", overrides={"aids": "withheld"})


def test_a_record_with_numbers_beyond_the_bounds_is_refused_as_a_whole():
    """Such a record could be written before; a start then says that the match cannot be replayed."""
    script = Script(length=0).ready()
    with pytest.raises(GameError):
        script.take(events.PositionSet(cube_value=2**14284))
    with pytest.raises(GameError):
        script.take(events.PenaltyGiven(Side.SOUTH, 2**14284))
    assert json.dumps(view_of(script.table, Asker("director")))
