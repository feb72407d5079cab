"""The end of a game, its worth, and the beginning of the next one."""

from dataclasses import replace

from companion.errors import GameError, OutOfTurnError
from companion.game.events import NextGame, Orientation
from companion.game.log import GameLog
from companion.game.state import GameOver, MatchOver, Opening, State, Terms, Transition, info, result_sentence
from companion.rules.board import BAR, HOME, OFF, Board, Side
from companion.rules.cube_and_score import Crawford, Cube, Ending, Result, Score, Worth, crawford_for
from companion.rules.profile import Profile
from companion.rules.profile_settings import Backgammon, BoardLies, JacobyEnds
from sentence import say


def worth_of(board: Board, winner: Side, profile: Profile) -> Worth:
    """Worth of a game that was played to its end, before cube and Jacoby's rule (docs/rules/play.md, rows 9 and 10).

    A loser who has borne off a checker loses a single game, wherever his other checkers are (row 10).
    """
    loser = board.seen_by(winner.other).mine
    if not profile.gammon or loser[OFF]:
        return Worth.SINGLE
    in_home = any(loser[25 - HOME : BAR])
    if profile.backgammon is not Backgammon.NEVER and loser[BAR]:
        return Worth.BACKGAMMON
    if profile.backgammon is Backgammon.ON_BAR_OR_IN_HOME and in_home:
        return Worth.BACKGAMMON
    return Worth.GAMMON


def most_worth(profile: Profile) -> Worth:
    """The highest worth of a game under this profile (docs/rules/play.md, rows 9 and 10)."""
    if not profile.gammon:
        return Worth.SINGLE
    return Worth.GAMMON if profile.backgammon is Backgammon.NEVER else Worth.BACKGAMMON


def counted(state: State, worth: Worth) -> Worth:
    """The worth after Jacoby's rule: single until a double ends it (`jacoby_ends_with`; docs/rules/play.md, row 14)."""
    profile = state.terms.profile
    jacoby = profile.jacoby.holds(money_play=state.terms.money_play)
    ended = state.doubled if profile.jacoby_ends_with is JacobyEnds.DOUBLE_OFFERED else state.taken
    return Worth.SINGLE if jacoby and not ended else worth


def finish(
    state: State, winner: Side, worth: Worth, how: Ending, cube: int | None = None, points: int | None = None
) -> Transition:
    """End the game: add its points to the score, and end the match if a side has won it.

    Args:
        state: the table.
        winner: the side that won.
        worth: single, gammon or backgammon, before Jacoby's rule.
        how: cause of the end.
        cube: value of the cube that counts (after a pass, that before the double); None: the table's cube.
        points: points of a settlement; None: worth times cube.
    """
    value = state.cube.value if cube is None else cube
    kept = worth if how is Ending.SETTLED else counted(state, worth)
    won = int(kept) * value if points is None else points
    result = Result(winner, kept, value, won, how)
    score = state.score.plus(winner, won)
    log = _log_of(state, result)
    after = replace(state, score=score, games=(*state.games, log), dispute=None, lapsed=None, pending=None)
    champion = score.winner(state.terms.length)
    if champion is None:
        ended = replace(after, phase=GameOver(result))
        return Transition(ended, (info(result_sentence(state, result)),))
    over = replace(after, phase=MatchOver(champion, how, result))
    return Transition(
        over,
        (
            info(result_sentence(state, result)),
            info(say("{name} wins the match.", name=state.called(champion))),
        ),
    )


def _log_of(state: State, result: Result) -> GameLog:
    terms, crawford = state.terms, state.crawford is Crawford.NOW
    names = (terms.name(Side.SOUTH), terms.name(Side.NORTH))
    return GameLog(state.game, *names, state.score, crawford, state.log, result, state.swapped)


def check_orientation(profile: Profile, orientation: Orientation) -> None:
    """Raise GameError if the profile does not allow this orientation (docs/rules/play.md, row 20)."""
    allowed = profile.board_lies
    if allowed is not BoardLies.ANY_WAY and orientation.home != "right":
        raise GameError(
            say("Under {name} the board lies with south's home at his right hand.", name=profile.name)
        )
    if allowed is BoardLies.HOME_RIGHT_LIGHT_NEAR and orientation.south != "light":
        raise GameError(say("Under {name} south has the light checkers.", name=profile.name))


def first_game(terms: Terms) -> State:
    """The state at the start of a match; GameError if the profile does not allow the orientation."""
    check_orientation(terms.profile, terms.orientation)
    start = terms.profile.start
    crawford = Crawford.AHEAD if terms.profile.crawford and terms.length > 0 else Crawford.OFF
    score = Score()
    return State(terms, Board(start, start), Opening(), crawford=crawford_for(crawford, score, terms.length))


def next_game(state: State, event: NextGame) -> Transition:
    """Set up the next game, with the players in the same or in swapped seats.

    Raises:
        OutOfTurnError: the game is not over, or the match is.
        GameError: the profile does not allow the orientation.
    """
    if isinstance(state.phase, MatchOver):
        raise OutOfTurnError(say("The match is over; begin a new one."))
    if not isinstance(state.phase, GameOver):
        raise OutOfTurnError(say("The game is not over yet."))
    swap = event.swap_seats
    terms = state.terms.swapped() if swap else state.terms
    if event.orientation is not None:
        terms = replace(terms, orientation=event.orientation)
        check_orientation(terms.profile, terms.orientation)
    score = state.score.swapped() if swap else state.score
    penalties = (state.penalties[1], state.penalties[0]) if swap else state.penalties
    start = terms.profile.start
    fresh = replace(
        _cleared(state),
        terms=terms,
        board=Board(start, start),
        score=score,
        penalties=penalties,
        swapped=state.swapped != swap,
        game=state.game + 1,
        crawford=crawford_for(state.crawford, score, terms.length),
    )
    notices = [info(say("Game {game}: throw for the start.", game=fresh.game))]
    if fresh.crawford is Crawford.NOW:
        notices.append(info(say("This is the Crawford game: no doubling.")))
    return Transition(fresh, tuple(notices))


def begun_anew(state: State) -> State:
    """The same game from its starting position, after the correction of a wrong start."""
    start = state.terms.profile.start
    return replace(_cleared(state), board=Board(start, start))


def _cleared(state: State) -> State:
    """The state without anything that belongs to one game."""
    return replace(
        state,
        phase=Opening(),
        log=(),
        cube=Cube(),
        doubled=False,
        taken=False,
        automatic=0,
        doublets=(0, 0),
        turns=0,
        throw=None,
        dispute=None,
        lapsed=None,
        pending=None,
    )
