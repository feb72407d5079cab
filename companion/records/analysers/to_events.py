"""A match file's transcript as the events of a match, so that it is shown, analysed and exported as our own are.

What the rules do not allow as it stands (an illegal play, a position set by hand, a score that follows from nothing in
the file) is entered as it would be at the table: the illegal play stands, the rest is set by hand.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Literal

from companion.errors import GameError
from companion.game.events import (
    Answer,
    AnyEvent,
    DisputeAnswered,
    DoubleAnswered,
    DoubleOffered,
    MatchBegan,
    NextGame,
    OpeningThrown,
    PlayEntered,
    PositionSet,
    Remedy,
    ResignationAnswered,
    Resigned,
    RollTyped,
    TurnEnded,
)
from companion.game.state import (
    CubeAction,
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Played,
    Rolled,
    State,
)
from companion.game.state_machine import step
from companion.game.table import Table
from companion.records.replay import play_of, position_left
from companion.records.transcript import (
    Action,
    BadFileError,
    CubeDecision,
    Game,
    Placed,
    Player,
    Resignation,
    RollMade,
    Transcript,
    Won,
    opponent_of,
)
from companion.rules.board import Position, Roll, Side

SIDES = (Side.SOUTH, Side.NORTH)
"""Player 0 sits at south."""
WORTHS: tuple[Literal[1, 2, 3], ...] = (1, 2, 3)
ANSWERS = {
    CubeAction.TAKE: Answer.TAKE,
    CubeAction.PASS: Answer.PASS,
    CubeAction.BEAVER: Answer.BEAVER,
    CubeAction.RACCOON: Answer.RACCOON,
}
BAR_TO_1 = slice(1, None)
"""The checkers of a side that are not borne off."""
MOST_ACTIONS = 20_000
"""Many times those of the longest matches, which have some thousands; a second or so on a Pi for each thousand."""


class SeveralMatchesError(BadFileError):
    """A file with more than one match."""


def events_of(transcript: Transcript, first: MatchBegan) -> list[AnyEvent]:
    """The events of a transcript's match.

    Args:
        transcript: the match.
        first: its first event, with the names, the length and the rules; all events get its time and source.

    Raises:
        SeveralMatchesError: the transcript begins anew in its midst.
        BadFileError: it is longer than any match, or goes on after its end.
    """
    _check(transcript)
    course = _Course(first)
    for at, game in enumerate(transcript.games):
        course.begin_game(game, is_first=not at)
        following = transcript.games[at + 1] if at + 1 < len(transcript.games) else None
        course.enter(game.actions)
        if following:
            course.close(game, following)
    return course.events


def _check(transcript: Transcript) -> None:
    if sum(len(game.actions) for game in transcript.games) > MOST_ACTIONS:
        raise BadFileError("This record is longer than any match.")
    for game, following in pairwise(transcript.games):
        anew = following.score == (0, 0) and game.score_after != (0, 0)
        if anew and (transcript.length or following.number == 1):
            raise SeveralMatchesError("This file has several matches.")


class _Course:
    """A table on which the actions are entered one after the other."""

    def __init__(self, first: MatchBegan) -> None:
        self._first = first
        self._table = Table()
        self.events: list[AnyEvent] = []
        self._do(first)

    @property
    def _state(self) -> State:
        assert self._table.state is not None
        return self._table.state

    def _do(self, *events: AnyEvent) -> None:
        """Enter events, all or none; GameError if one of them is not allowed."""
        table = self._table
        for event in events:
            table = step(table, event).table
        self._table = table
        self.events += events

    def _first_allowed(self, *ways: Sequence[AnyEvent]) -> bool:
        """Enter the first of these lists of events that is allowed; whether one was."""
        for events in ways:
            with suppress(GameError):
                self._do(*events)
                return True
        return False

    def _set(self, **values: object) -> PositionSet:
        return PositionSet(at_ms=self._first.at_ms, by=self._first.by, **values)  # type: ignore[arg-type]

    # Games

    def begin_game(self, game: Game, *, is_first: bool) -> None:
        """Set up the next game at the score that the file gives it."""
        if not is_first:
            if isinstance(self._state.phase, MatchOver):
                raise BadFileError("This file has games after the end of the match.")
            self._do(NextGame(at_ms=self._first.at_ms, by=self._first.by))
        south, north = game.score
        if (self._state.score.south, self._state.score.north) == (south, north):
            return
        try:
            self._do(self._set(south_points=south, north_points=north))
        except GameError as error:
            raise BadFileError(
                f"This file is damaged: game {game.number} begins at {south}-{north}."
            ) from error

    def enter(self, actions: Sequence[Action]) -> None:
        """Enter the actions of a game."""
        skips = False
        for at, action in enumerate(actions):
            if skips:
                skips = False
                continue
            if isinstance(self._state.phase, (GameOver, MatchOver)):
                break  # what follows says who won
            match action:
                case RollMade():
                    following = actions[at + 1] if at + 1 < len(actions) else None
                    skips = self._roll(action, following, is_last=_ends(actions[at + 1 :]))
                case CubeDecision():
                    self._cube(action)
                case Placed():
                    self._place(action)
                case Won():
                    self._win(action.player, action.points)
                case Resignation():
                    pass  # its points stand with the end of the game

    def close(self, game: Game, following: Game) -> None:
        """End a game that the file leaves open, with the points by which the next one's score differs."""
        if isinstance(self._state.phase, (GameOver, MatchOver)):
            return
        left, right = (after - before for before, after in zip(game.score, following.score, strict=True))
        self._win(0 if left > 0 else 1, max(left, right, 0))

    # Actions

    def _roll(self, made: RollMade, following: Action | None, *, is_last: bool) -> bool:
        """Enter a roll and its play; whether that used the following action too, the position that the play left."""
        side = SIDES[made.player]
        roll = Roll.of(*made.dice)
        at_ms, by = self._first.at_ms, self._first.by
        high, low = roll.high, roll.low
        throws = ((high,), (low,)) if made.player == 0 else ((low,), (high,))
        opening: list[AnyEvent] = [OpeningThrown(*throws, at_ms=at_ms, by=by)]
        if not (isinstance(self._state.phase, Opening) and high != low and self._first_allowed(opening)):
            typed = RollTyped(roll, side, at_ms=at_ms, by=by)
            ways: list[list[AnyEvent]] = [[typed]] if self._on_roll() is side else []
            ways.append([TurnEnded(at_ms=at_ms, by=by), typed])  # a side that is closed out need not roll
            if not self._first_allowed(*ways, [self._set(on_roll=side, roll=roll)]):
                raise BadFileError(f"This file is damaged: move {made.number} cannot be entered.")
        return self._play(made, side, roll, following, is_last=is_last)

    def _on_roll(self) -> Side | None:
        phase = self._state.phase
        return phase.side if isinstance(phase, OnRoll) else None

    def _play(
        self, made: RollMade, side: Side, roll: Roll, following: Action | None, *, is_last: bool
    ) -> bool:
        phase = self._state.phase
        board = phase.before if isinstance(phase, Played) else self._state.board
        position = board.seen_by(side)
        left, _, is_dance = play_of(position, roll, made.text)
        at_ms, by = self._first.at_ms, self._first.by
        if is_last and not made.text and not is_dance:
            return False  # given up, and not played
        set_after = position_left(made, [following] if following else [], is_dance=is_dance)
        if set_after is not None:
            left = self._whole(set_after)
        if not (isinstance(phase, Played) and left == position):
            entered = PlayEntered(mine=left.mine, theirs=left.theirs, made=True, at_ms=at_ms, by=by)
            placed = self._placed_after(made.player, left)
            if not self._first_allowed([entered], [placed]):
                raise BadFileError(f"This file is damaged: move {made.number} cannot be entered.")
        if self._state.dispute is not None:
            condoned = DisputeAnswered(Remedy.CONDONE, at_ms=at_ms, by=by)
            if not self._first_allowed([condoned], [self._placed_after(made.player, left)]):
                raise BadFileError(f"This file is damaged: move {made.number} cannot be entered.")
        if isinstance(self._state.phase, (Played, Rolled)):
            ended = TurnEnded(at_ms=at_ms, by=by)
            if not self._first_allowed([ended], [self._placed_after(made.player, left)]):
                raise BadFileError(f"This file is damaged: move {made.number} cannot be entered.")
        return set_after is not None

    def _placed_after(self, player: Player, left: Position) -> PositionSet:
        """The position that a player left, set by hand, with the other on roll."""
        seen = left if player == 0 else left.flipped()
        return self._set(south=seen.mine, north=seen.theirs, on_roll=SIDES[opponent_of(player)])

    def _cube(self, decision: CubeDecision) -> None:
        side = SIDES[decision.player]
        at_ms, by = self._first.at_ms, self._first.by
        if decision.kind is not CubeAction.DOUBLE:
            done = self._first_allowed([DoubleAnswered(ANSWERS[decision.kind], side, at_ms=at_ms, by=by)])
        else:
            offered = DoubleOffered(side, at_ms=at_ms, by=by)
            done = self._first_allowed(
                [offered],
                [TurnEnded(at_ms=at_ms, by=by), offered],
                [self._set(crawford=False), offered],
                [self._set(on_roll=side), offered],
                [self._set(on_roll=side, cube_owner=side.value), offered],
            )
        if not done:
            raise BadFileError(
                f"This file is damaged: the cube’s turn in move {decision.number} cannot be entered."
            )

    def _whole(self, position: Position) -> Position:
        """A position of a file with as many checkers borne off as are missing, also in a game with fewer."""
        most = sum(self._state.terms.profile.start)
        mine, theirs = (
            (max(0, most - sum(one[BAR_TO_1])), *one[BAR_TO_1]) for one in (position.mine, position.theirs)
        )
        return Position(mine, theirs)

    def _place(self, placed: Placed) -> None:
        position = self._whole(placed.position)
        owner = "middle" if placed.cube_owner is None else SIDES[placed.cube_owner].value
        event = self._set(
            south=position.mine,
            north=position.theirs,
            on_roll=SIDES[placed.on_roll],
            cube_value=placed.cube_value,
            cube_owner=owner,
        )
        if not self._first_allowed([event]):
            raise BadFileError("This file is damaged: a position set in it is impossible.")

    def _win(self, player: Player, points: int) -> None:
        """The other player gives up, for these points."""
        winner, loser = SIDES[player], SIDES[opponent_of(player)]
        at_ms, by = self._first.at_ms, self._first.by
        accepted = ResignationAnswered(True, at_ms=at_ms, by=by)
        begun = [self._set(on_roll=winner)] if isinstance(self._state.phase, Opening) else []
        worth = {self._state.cube.value * one: one for one in WORTHS}.get(points)
        if worth:
            before = self._table, len(self.events), getattr(self._state.score, winner.value)
            resigned = Resigned(loser, worth, at_ms=at_ms, by=by)
            if self._first_allowed([*begun, resigned, accepted]):
                if getattr(self._state.score, winner.value) - before[2] == points:
                    return
                self._table = before[0]  # the Jacoby rule took a gammon's points; the file counted them
                del self.events[before[1] :]
        settled = Resigned(loser, points=points, at_ms=at_ms, by=by)
        if not self._first_allowed([*begun, settled, accepted]):
            raise BadFileError("This file is damaged: a game’s end cannot be entered.")


def _ends(actions: Sequence[Action]) -> bool:
    """Whether nothing but the end of the game follows."""
    return all(isinstance(action, (Won, Resignation)) for action in actions)
