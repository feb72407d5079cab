"""The games of a match: how a match and a game begin, how a game ends, and its worth."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from companion.errors import GameError, OutOfTurnError
from companion.game.events import MatchBegan, NextGame, Orientation
from companion.game.state import GameLog, GameOver, MatchOver, OnRoll, Opening, State, Terms, Transition, info
from companion.rules.board import BAR, HOME, OFF, Board, Side
from companion.rules.cube_and_score import Crawford, Cube, Ending, Result, Score, Worth, crawford_for
from companion.rules.family.chouette import (
    Chouette,
    Party,
    anew,
    chouette_of,
    common_stake,
    following,
    play_out,
    points_won,
)
from companion.rules.family.outcome import Outcome, outcome_of
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.family.rotation import profile_of_game, variant_of_game
from companion.rules.former import without_former
from companion.rules.profile import Profile
from companion.rules.profiles import title_of
from companion.rules.setting_values import Backgammon, BoardLies, JacobyEnds, NextGameBegins, Rotation
from sentence import Sentence, say, say_n, verbatim

WON_WORDS: Mapping[int, Sentence] = {1: say("a single game"), 2: say("a gammon"), 3: say("a backgammon")}
"""Words for a game that is won or resigned, by its worth."""
_SIDES = {Party.BOX: Side.SOUTH, Party.TEAM: Side.NORTH}


class Figures(NamedTuple):
    """What a finished game counted; a draw has no winner, and all are None where a chouette's stakes differ."""

    winner: Side | None
    worth: int | None
    cube: int | None
    points: int | None


def match_begun(event: MatchBegan) -> Transition:
    """Begin a match by the rules that its first event records.

    Raises:
        GameError: a negative length, an orientation that the profile does not allow, or an impossible chouette.
        BadSettingError: an unknown setting or value.
    """
    if event.length < 0:
        raise GameError(say("A match is for 1 point or more; 0 is money play."))
    base = ALL_PROFILES.get(event.profile, ALL_PROFILES["modern"])
    named = replace(base, name=event.profile, title=rules_title(event))
    profile = named.with_overrides(
        without_former({setting.name: setting.value for setting in event.settings})
    )
    terms = Terms(event.match_id, event.south, event.north, event.length, profile, event.orientation)
    begun = first_game(terms)
    if event.chouette:
        begun = seated(begun, _chouette_begun(event, profile))
    return Transition(begun, (info(say("Roll for the start.")),))


def rules_title(event: MatchBegan) -> Sentence:
    """The title of a match's rules: the recorded one, else that of the shipped profile, else the profile's name."""
    return verbatim(event.title) or title_of(event.profile, ALL_PROFILES)


def first_game(terms: Terms) -> State:
    """The state at the start of a match; GameError if the profile does not allow the orientation."""
    check_orientation(terms.profile, terms.orientation)
    terms = replace(terms, profile=profile_of_game(terms.profile, 1))
    crawford = Crawford.AHEAD if terms.profile.crawford and terms.length > 0 else Crawford.OFF
    crawford = crawford_for(crawford, Score(), terms.length)
    return State(terms, terms.profile.start_board, Opening(), crawford=crawford)


def party_of(side: Side) -> Party:
    """The party of a chouette that sits at this side: the box at South, the team at North."""
    return Party.BOX if side is Side.SOUTH else Party.TEAM


def _chouette_begun(event: MatchBegan, profile: Profile) -> Chouette:
    """The chouette that a match begins with.

    Raises:
        GameError: names that make none, a length, or rules without a cube or with several games in turn.
    """
    now = chouette_of(event.chouette)
    if event.length:
        raise GameError(say("A chouette is money play, without a number of points."))
    check_cube(profile, had_one=ALL_PROFILES.get(event.profile, profile).cube)
    if profile.rotation is not Rotation.NONE:
        raise GameError(say("A chouette is one game; {title} is several in turn.", title=profile.title))
    return now


def check_cube(profile: Profile, *, had_one: bool) -> None:
    """Raise GameError if this profile leaves a chouette without cubes; `had_one`: it had one before settings."""
    if profile.cube:
        return
    if had_one:
        raise GameError(say("Every partner of a chouette has a cube, so that it cannot be switched off."))
    raise GameError(say("A chouette needs a game with a cube; {title} has none.", title=profile.title))


def seated(state: State, now: Chouette) -> State:
    """The state with this standing of the chouette: box and captain at the board, the captain's cube beside it."""
    stake = now.stakes[now.captain]
    cube = Cube(stake.cube, stake.owner and _SIDES[stake.owner])
    terms = replace(state.terms, south=now.box, north=now.captain)
    return replace(state, chouette=now, terms=terms, cube=cube)


def next_game(state: State, event: NextGame) -> Transition:
    """Set up the next game, with the players in the same or in swapped seats.

    Raises:
        OutOfTurnError: the game is not over, or the match is; a chouette's players do not change their seats.
        GameError: the profile does not allow the orientation.
    """
    if isinstance(state.phase, MatchOver):
        raise OutOfTurnError(say("The match is over; begin a new one."))
    if not isinstance(state.phase, GameOver):
        raise OutOfTurnError(say("The game is not over yet."))
    terms, score, penalties = state.terms, state.score, state.penalties
    winner = state.phase.result.winner
    if event.swap_seats and state.chouette is not None:
        raise OutOfTurnError(say("In a chouette the box sits at South."))
    if event.swap_seats:
        terms, score, penalties = terms.swapped(), score.swapped(), penalties[::-1]
        winner = winner and winner.other
    terms = replace(terms, profile=profile_of_game(terms.profile, state.game + 1))
    if event.orientation is not None:
        terms = replace(terms, orientation=event.orientation)
        check_orientation(terms.profile, terms.orientation)
    fresh = replace(
        begun_anew(replace(state, terms=terms)),
        score=score,
        penalties=penalties,
        swapped=state.swapped != event.swap_seats,
        game=state.game + 1,
        crawford=crawford_for(state.crawford, score, terms.length),
    )
    if state.chouette is not None:
        fresh, winner = seated(fresh, following(state.chouette)), None
    begun = _with_beginner(fresh, winner)
    if fresh.crawford is Crawford.NOW:
        return begun.also(info(say("This is the Crawford game: no doubling.")))
    if state.crawford is Crawford.NOW:
        return begun.also(info(say("The Crawford game is over: doubling is allowed again.")))
    return begun


def _with_beginner(state: State, winner: Side | None) -> Transition:
    """The next game with the side that begins it: the winner of the last one, or one decided by a throw."""
    profile, game = state.terms.profile, state.game
    title = variant_of_game(profile, game)
    if winner is None or profile.next_game_begins is NextGameBegins.THROWN:
        text = say("Game {game}: roll for the start.", game=game)
        if title:
            text = say("Game {game}, {title}: roll for the start.", game=game, title=title)
        return Transition(state, (info(text),))
    name = state.called(winner)
    text = say("Game {game}: {name} begins.", game=game, name=name)
    if title:
        text = say("Game {game}, {title}: {name} begins.", game=game, title=title, name=name)
    return Transition(replace(state, phase=OnRoll(winner, first=True)), (info(text),))


def begun_anew(state: State) -> State:
    """The same game from its starting position, without anything that has happened in it."""
    fresh = replace(
        state,
        board=state.terms.profile.start_board,
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
    return fresh if fresh.chouette is None else seated(fresh, anew(fresh.chouette))


def check_orientation(profile: Profile, orientation: Orientation) -> None:
    """Raise GameError if the profile does not allow this orientation (docs/rules/play.md, row 20)."""
    allowed, name = profile.board_lies, profile.title
    if allowed is not BoardLies.ANY_WAY and orientation.home != "right":
        raise GameError(say("Under {name} South’s home board is on his right.", name=name))
    if allowed is BoardLies.HOME_RIGHT_LIGHT_NEAR and orientation.south != "light":
        raise GameError(say("Under {name} south has the light checkers.", name=name))


def outcome(state: State, side: Side) -> Outcome | None:
    """The end of the game on the board that this side has just played; None while it goes on."""
    return outcome_of(state.terms.profile, state.board.seen_by(side))


def played_out(state: State, side: Side, ends: Outcome) -> Transition:
    """End the game as the board that this side has played says (docs/rules/family.md, row F4)."""
    match ends:
        case Outcome.BORNE_OFF:
            return finish(state, side, worth_of(state.board, side, state.terms.profile), Ending.BORNE_OFF)
        case Outcome.MOTHER_PINNED:
            return finish(state, side, Worth.GAMMON, Ending.MOTHER_PINNED)
        case Outcome.MOTHER_LOST:
            return finish(state, side.other, Worth.GAMMON, Ending.MOTHER_PINNED)
        case Outcome.TIE:
            return finish(state, side, Worth.SINGLE, Ending.TIE, points=0)


def finish(
    state: State, winner: Side, worth: Worth, how: Ending, cube: int | None = None, points: int | None = None
) -> Transition:
    """End the game: add its points to the score, and end the match if a side has won it.

    `worth` is that before Jacoby's rule; `cube` is the value that counts if it is not the table's, as after a pass;
    `points` are those of a settlement, instead of worth times cube.
    """
    if state.chouette is not None:
        return _chouette_finished(state, winner, worth, how)
    value = state.cube.value if cube is None else cube
    kept = worth if how is Ending.SETTLED else counted(state, worth)
    won = _points(state, winner, kept, how) * value if points is None else points
    result = Result(winner, kept, value, won, how)
    score = state.score.plus(winner, won)
    games = (*state.games, _log_of(state, result))
    after = replace(state, score=score, games=games, dispute=None, lapsed=None, pending=None)
    notice, champion = info(_result_sentence(state, result)), score.winner(state.terms.length)
    if champion is None:
        return Transition(replace(after, phase=GameOver(result)), (notice,))
    return match_won(after, champion, how, result).after(notice)


def _chouette_finished(state: State, winner: Side, worth: Worth, how: Ending) -> Transition:
    """End a game of a chouette: every open stake is settled (docs/rules/family.md, rows F14 and F16).

    The result's points are the box's, won or lost; the score of the two sides stays, because the players change.
    """
    now = state.chouette
    assert now is not None
    if not now.is_over:
        jacoby = state.terms.profile.jacoby.holds(money_play=True)
        now = play_out(now, party_of(winner), int(worth), jacoby=jacoby)
    won = points_won(now)
    result = Result(winner, counted(state, worth), state.cube.value, abs(won[now.box]), how)
    log = replace(_log_of(state, result), chouette=now)
    over = replace(
        state,
        chouette=now,
        games=(*state.games, log),
        phase=GameOver(result),
        dispute=None,
        lapsed=None,
        pending=None,
    )
    points = ", ".join(f"{name} {won[name]:+d}" for name in now.queue)
    return Transition(over, (info(say("The game is over: {points}.", points=points)),))


def _points(state: State, winner: Side, worth: Worth, how: Ending) -> int:
    """Points of a game before the cube: its worth, or the loser's checkers (docs/rules/family.md, row F24).

    A pass counts the cube alone.
    """
    if state.terms.profile.counts_checkers and how is not Ending.PASSED:
        return sum(state.board.seen_by(winner.other).mine[1:])
    return int(worth)


def match_won(state: State, champion: Side, how: Ending, result: Result | None = None) -> Transition:
    """End the match; `result` is that of the game that ended it."""
    over = replace(state, phase=MatchOver(champion, how, result), dispute=None, lapsed=None, pending=None)
    return Transition(over, (info(say("{name} wins the match.", name=state.called(champion))),))


def _log_of(state: State, result: Result) -> GameLog:
    names = (state.name(Side.SOUTH), state.name(Side.NORTH))
    is_crawford, variant = state.crawford is Crawford.NOW, variant_of_game(state.terms.profile, state.game)
    return GameLog(state.game, *names, state.score, is_crawford, state.log, result, state.swapped, variant)


def figures_of(result: Result, chouette: Chouette | None = None) -> Figures:
    """What a finished game counted: of a chouette what each partner's stake did, where all were settled alike."""
    if chouette is None:
        return Figures(result.winner, int(result.worth), result.cube, result.points)
    stake = common_stake(chouette)
    if stake is None or not stake.won:
        return Figures(None, None, None, None)
    points = abs(stake.won)
    return Figures(
        _SIDES[Party.TEAM if stake.won > 0 else Party.BOX], points // stake.cube, stake.cube, points
    )


def _result_sentence(state: State, result: Result) -> Sentence:
    """A sentence about a game that has just ended."""
    if result.how is Ending.TIE:
        return say("Both mothers are pinned: nobody wins this game.")
    if result.winner is None:
        return say("The game is settled for nothing: nobody wins it.")
    name, worth = state.called(result.winner), WON_WORDS[result.worth]
    points = say_n("1 point", "{n} points", result.points)
    return say("{name} wins {worth}: {points}.", name=name, worth=worth, points=points)


def worth_of(board: Board, winner: Side, profile: Profile) -> Worth:
    """Worth of a game that was played to its end, before cube and Jacoby's rule (docs/rules/play.md, rows 9 and 10).

    A loser who has borne off a checker loses a single game, wherever his other checkers are (row 10).
    """
    loser = board.seen_by(winner.other).mine
    if most_worth(profile) is Worth.SINGLE or loser[OFF]:
        return Worth.SINGLE
    in_home = any(loser[25 - HOME : BAR])
    if profile.backgammon is not Backgammon.NEVER and loser[BAR]:
        return Worth.BACKGAMMON
    if profile.backgammon is Backgammon.ON_BAR_OR_IN_HOME and in_home:
        return Worth.BACKGAMMON
    return Worth.GAMMON


def most_worth(profile: Profile) -> Worth:
    """The highest worth of a game under this profile (docs/rules/play.md, rows 9 and 10)."""
    if not profile.gammon or profile.counts_checkers:
        return Worth.SINGLE
    return Worth.GAMMON if profile.backgammon is Backgammon.NEVER else Worth.BACKGAMMON


def counted(state: State, worth: Worth) -> Worth:
    """The worth after Jacoby's rule: single until a double ends it (`jacoby_ends_with`; docs/rules/play.md, row 14)."""
    profile = state.terms.profile
    jacoby = profile.jacoby.holds(money_play=state.terms.money_play)
    ended = state.doubled if profile.jacoby_ends_with is JacobyEnds.DOUBLE_OFFERED else state.taken
    return Worth.SINGLE if jacoby and not ended else worth
