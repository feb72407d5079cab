"""The director's decisions: position, settings, penalties, calls and time that has run out."""

from dataclasses import fields, replace

from companion.errors import GameError, OutOfTurnError
from companion.game import events
from companion.game.cube import cube_set, double_offered, withdrawn
from companion.game.disputes import checked_board
from companion.game.games import check_cube, match_won
from companion.game.state import (
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Played,
    Resigning,
    Rolled,
    SetUp,
    State,
    Throw,
    Transition,
    alarm,
    info,
    warn,
)
from companion.game.turns import rolled
from companion.rules.board import Side
from companion.rules.cube_and_score import MOST_POINTS, Crawford, Ending, Score, crawford_for
from companion.rules.former import without_former
from companion.rules.profile import LABELS, Profile
from companion.rules.referee import Valid
from companion.rules.setting_values import ReserveUsedUp
from sentence import Sentence, say, say_n

MOST_PENALTY = 99
"""Bound of a penalty in money play, in points."""
CAMERA = "camera"
"""The source of a position that was seen and not set by hand."""
NO_SCORE = say("A chouette has accounts and no score: points are not given by hand.")
_OF_A_PLAY = tuple(one.name for one in fields(Profile) if one.metadata.get("of_a_play"))


def position_set(state: State, event: events.PositionSet) -> Transition:
    """Set board, cube or score; the turn begins before the roll, or with the roll or the double of the event.

    Raises:
        GameError: the match is over, or the cube, the score or the Crawford game is impossible.
        OutOfTurnError: no side is on roll, the game is over, or there is no doubling.
        BadPositionError: the board is impossible.
    """
    if isinstance(state.phase, MatchOver):
        raise GameError(say("The match is over."))
    after = _with_score(cube_set(state, event), event)
    if event.south is None and event.north is None and event.on_roll is None:
        if after.cube != state.cube:
            after = after.with_logged(SetUp(after.board, after.cube, _on_roll(state)))
        return Transition(after, (warn(say("Cube and score are set.")),))
    south, north = event.south or state.board.south, event.north or state.board.north
    board = checked_board(state, south, north, event.pinned, event.not_entered)
    side = event.on_roll or _on_roll(state)
    if side is None or isinstance(state.phase, GameOver):
        raise OutOfTurnError(say("Say who is on roll; a game that is over is not set up again."))
    set_up = replace(
        after.with_logged(SetUp(board, after.cube, side, event.why if event.by == CAMERA else "")),
        board=board,
        phase=OnRoll(side),
        dispute=None,
        lapsed=None,
        pending=None,
        throw=None,
    )
    set_up = withdrawn(set_up)
    transition = Transition(set_up)
    if event.doubled:
        transition = double_offered(set_up, events.DoubleOffered(side))
    elif event.roll is not None:
        transition = rolled(set_up, side, event.roll, Throw(Valid(event.roll), roller=side))
    return transition.after(warn(say("The position is set.")))


def _on_roll(state: State) -> Side | None:
    phase = state.phase
    return phase.side if isinstance(phase, (OnRoll, Rolled, Played)) else None


def _with_score(state: State, event: events.PositionSet) -> State:
    south = state.score.south if event.south_points is None else event.south_points
    north = state.score.north if event.north_points is None else event.north_points
    length = state.terms.length
    if state.chouette is not None and (south, north) != (state.score.south, state.score.north):
        raise GameError(NO_SCORE)
    if not length and not 0 <= min(south, north) <= max(south, north) <= MOST_POINTS:
        raise GameError(say("A score is 0 to {most} points.", most=MOST_POINTS))
    if length and not 0 <= min(south, north) <= max(south, north) < length:
        text = say("A score in a match of {length} points lies below {length} for both sides.", length=length)
        raise GameError(text)
    score, crawford = Score(south, north), state.crawford
    if event.crawford is not None:
        crawford = _crawford_set(state, score, event.crawford)
    elif score != state.score and crawford is not Crawford.OFF:
        crawford = crawford_for(Crawford.AHEAD, score, length)
    return replace(state, score=score, crawford=crawford)


def _crawford_set(state: State, score: Score, is_crawford: bool) -> Crawford:
    one_away = any(score.away(side, state.terms.length) == 1 for side in Side)
    if is_crawford and (not one_away or state.crawford is Crawford.OFF):
        raise GameError(say("It can only be the Crawford game when a side is one point short of the match."))
    if is_crawford:
        return Crawford.NOW
    return Crawford.PAST if one_away else state.crawford


def time_ran_out(state: State, event: events.TimeRanOut) -> Transition:
    """Lose the match on time, or call the director, as the profile says (row T15); OutOfTurnError between games."""
    if isinstance(state.phase, (MatchOver, GameOver)):
        raise OutOfTurnError(say("No game is being played."))
    name, other = state.called(event.side), event.side.other
    if state.terms.profile.reserve_used_up is ReserveUsedUp.DIRECTOR_DECIDES:
        text = say("{name} has no time left: the director decides.", name=name)
        return Transition(replace(state, director=True), (alarm(text),))
    over = replace(state, phase=MatchOver(other, Ending.TIME, None), dispute=None, pending=None)
    champion = state.called(other)
    text = say("{name} has no time left: {champion} wins the match.", name=name, champion=champion)
    return Transition(over, (alarm(text),))


def settings_changed(state: State, event: events.SettingsChanged) -> Transition:
    """Change settings of the profile; earlier rulings stay.

    An event without effect is kept too: a record may have changed a setting that no longer exists, and corrections
    name events by their number.

    Raises:
        GameError: the change removes a cube that has been turned, changes the start in the middle of a game, or how
            checkers move while a roll is being played.
        BadSettingError: no such setting or value, or settings that exclude each other.
    """
    changes = {setting.name: setting.value for setting in event.changes}
    profile = state.terms.profile.with_overrides(without_former(changes))
    after = replace(state, terms=replace(state.terms, profile=profile))
    if state.chouette is not None:
        check_cube(profile, had_one=True)
    if not profile.cube and state.cube.value > 1:
        raise GameError(say("The cube cannot be taken away in a game in which it has been turned."))
    game, other_game = ((one.start, one.positions) for one in (profile, state.terms.profile))
    if game != other_game and not isinstance(state.phase, (GameOver, Opening)):
        raise GameError(say("The starting position cannot be changed in the middle of a game."))
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    moves_differ = any(getattr(profile, name) != getattr(state.terms.profile, name) for name in _OF_A_PLAY)
    if moves_differ and isinstance(phase, (Rolled, Played)):
        raise GameError(say("How checkers move cannot be changed while a roll is being played."))
    if isinstance(state.phase, Opening):
        after = replace(after, board=profile.start_board)
    names = tuple(LABELS.get(name, name) for name in changes)
    return Transition(after, (warn(say("Settings changed: {names}.", names=names)),))


def director_called(state: State, event: events.DirectorCalled) -> Transition:
    """Call the director, or resume play after his visit; until then dice, checkers and cube stay (row T18)."""
    if event.over is not state.director:
        return Transition(state)
    after = replace(state, director=not event.over)
    if event.over:
        return Transition(after, (info(say("The director has come; play goes on.")),))
    who = say("{name} calls", name=state.called(event.side)) if event.side else say("Somebody calls")
    return Transition(after, (alarm(say("{who} the director. Leave everything as it is.", who=who)),))


def penalty_reason(event: events.PenaltyGiven) -> tuple[Sentence | str, ...]:
    """Reasons for penalty points, as a list in a sentence; empty without a reason."""
    late = () if event.late_min is None else (say_n("1 minute late", "{n} minutes late", event.late_min),)
    return (*late, *filter(None, (event.why,)))


def late_points(profile: Profile, late_min: int) -> int:
    """Penalty points for a side that arrives this many minutes late (docs/rules/tournaments.md, row T16)."""
    beyond_min = late_min - profile.late_penalty_after_min
    if beyond_min < 0 or late_min < 1:
        return 0
    every_min = profile.late_penalty_every_min
    return 1 + (beyond_min // every_min if every_min else 0)


def penalty(state: State, event: events.PenaltyGiven) -> Transition:
    """Give points to a side as a penalty against the other.

    Beyond half the match length the match is lost if the profile says so (docs/rules/tournaments.md, row T16).

    Raises:
        GameError: the match is over, or a chouette; the penalty is below 1 point, or above the length of the match
            (in money play above `MOST_PENALTY`).
    """
    if isinstance(state.phase, MatchOver):
        raise GameError(say("The match is over."))
    if state.chouette is not None:
        raise GameError(NO_SCORE)
    most = state.terms.length or MOST_PENALTY
    if not 1 <= event.points <= most:
        raise GameError(say("A penalty is 1 to {most} points.", most=most))
    against_south, against_north = state.penalties
    if event.side is Side.SOUTH:
        against = against_north = against_north + event.points
    else:
        against = against_south = against_south + event.points
    score, crawford = state.score.plus(event.side, event.points), state.crawford
    if isinstance(state.phase, Opening) and crawford is Crawford.AHEAD:  # the game begins at this score
        crawford = crawford_for(crawford, score, state.terms.length)
    after = replace(state, score=score, penalties=(against_south, against_north), crawford=crawford)
    why, name = penalty_reason(event), state.called(event.side)
    points = say_n("1 penalty point", "{n} penalty points", event.points)
    text = say("{name} gets {points}.", name=name, points=points)
    if why:
        text = say("{name} gets {points}: {why}.", name=name, points=points, why=why)
    lost = state.terms.profile.late_match_lost_beyond_half and 2 * against > state.terms.length > 0
    champion = event.side if lost else score.winner(state.terms.length)
    if champion is None:
        return Transition(after, (warn(text),))
    return match_won(after, champion, Ending.PENALTY).after(warn(text))
