"""The transition that belongs to each event in the middle of a match: the state machine's table of dispatch.

States are in state.py, events in events.py; each kind of event has its transition in the file of its subject.
"""

from collections.abc import Callable, Mapping

from companion.errors import GameError
from companion.game import cube, director, disputes, events, games, throws, turns
from companion.game.state import State, Transition
from sentence import say

TRANSITIONS: Mapping[type[events.Event], Callable[..., Transition]] = {
    events.OpeningThrown: throws.opening_thrown,
    events.Thrown: throws.thrown,
    events.RollTyped: throws.roll_typed,
    events.Overruled: throws.overruled,
    events.Lifted: turns.lifted,
    events.TurnEnded: turns.turn_ended,
    events.PlayEntered: turns.play_entered,
    events.DoubletNamed: turns.doublet_named,
    events.DoubleOffered: cube.double_offered,
    events.DoubleAnswered: cube.double_answered,
    events.Resigned: cube.resigned,
    events.ResignationAnswered: cube.resignation_answered,
    events.DisputeAnswered: disputes.dispute_answered,
    events.WrongStartFound: disputes.wrong_start_found,
    events.PositionSet: director.position_set,
    events.NextGame: games.next_game,
    events.PenaltyGiven: director.penalty,
    events.TimeRanOut: director.time_ran_out,
    events.SettingsChanged: director.settings_changed,
    events.DirectorCalled: director.director_called,
}
"""The transition of each event in the middle of a match, a function of the state and the event."""


def advance(state: State, event: events.PlainEvent) -> Transition:
    """The state after an event; GameError, with a sentence, if the rules do not allow it.

    An event that changes nothing, such as dice lifted twice, returns the same state, by identity.
    """
    if type(event) not in TRANSITIONS:
        raise GameError(say("This cannot happen in the middle of a match."))
    disputes.check_not_waiting(state, event)
    return TRANSITIONS[type(event)](state, event)
