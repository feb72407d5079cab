"""How well the board is kept by camera in every game: painted boards of families held out, judged as in a running game.

    python -m tests.bench.vision.kept [--games NAME ...] [--seeds A-B] [--turns N]

Each seed is a board under a camera and a game of random plays, whose turns go through the state machine. After each
turn the picture of the board is read by the nets and judged by the keeping of the board; whatever it says, the game
goes on with the true play. Now and then an illegal play is shown besides.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace

import numpy as np

from companion.camera.checkers import CheckersSeen, Wanted, checkers_of, start_in
from companion.game.events import (
    AnyEvent,
    DoubletNamed,
    Lifted,
    OpeningThrown,
    PlayEntered,
    RollTyped,
    TurnEnded,
)
from companion.game.state import GameOver, MatchOver, OnRoll, Opening, Rolled, State
from companion.game.state_machine import step
from companion.game.table import Table
from companion.game.throws import dice_each
from companion.game.turns import is_in_parts, turn_to_play
from companion.rules.board import Board, Die, Position, Roll, Side, die
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.play_legality import Turn
from companion.rules.plays import plays_for
from companion.service.checkers.board_keeping import BoardKeeping
from tests.bench.vision.painted_game import PaintedTable, Shown
from tests.support.selfplay import after, began
from vision.board.calibration import Board as BoardFile
from vision.checkers.reader import CheckerReader
from vision.checkers.reading import Look
from vision.frame import Bgr

GAMES = (
    "modern",
    "plakoto",
    "fevga",
    "moultezim",
    "long_nardy",
    "gul_bara",
    "jioul",
    "acey_deucey",
    "acey_europe",
)
ILLEGAL = 0.15
"""Share of the turns at which an illegal play is shown besides."""
HEAD = (
    "| game | boards | start known | turns | by taps | right by themselves | asked, the play offered | "
    "asked without it | wrong | illegal shown | called | passed as legal |"
)


class Keeping:
    """A painted table, and the keeping of its board during a game."""

    def __init__(self, seed: int, profile: str, reader: CheckerReader) -> None:
        """Begin a game; ValueError if not even the start of backgammon is recognised on this board."""
        self.rng, self.reader = random.Random(seed), reader
        self.painted = PaintedTable(seed)
        self.place: BoardFile = self.painted.board()
        self.look: Look | None = None
        self.shown: tuple[Board, Shown] | None = None
        usual = start_in(
            reader, self.picture(Board.of(Side.SOUTH, Position.start())), self.place, Position.start()
        )
        if usual is None:
            raise ValueError("no start")
        self.orientation = usual[0].orientation
        self.wanted = Wanted("dice and checkers")
        self.keeping, self.counts = BoardKeeping(self.wanted), Counter[str](boards=1)
        self.table = after(Table(), replace(began(5, profile), orientation=self.orientation))
        self.keeping.follow(self.state)

    @property
    def state(self) -> State:
        """The game."""
        assert self.table.state is not None
        return self.table.state

    def apply(self, event: AnyEvent) -> None:
        """Change the game."""
        self.table = step(self.table, event).table
        self.keeping.follow(self.state)

    def picture(self, board: Board) -> Bgr:
        """A picture of a board."""
        if self.shown is None or self.shown[0] != board:
            self.shown = board, self.painted.scene(board)
        return np.asarray(self.painted.frame(self.shown[1].picture), np.uint8)

    def seen(self, board: Board, again: bool = False) -> CheckersSeen:
        """The reading of a picture of a board."""
        picture = self.picture(board)
        if self.wanted.start is not None:
            begun = start_in(self.reader, picture, self.place, self.wanted.start)
            if begun is not None:
                start, self.look, view = begun
                return CheckersSeen(view, start)
        return CheckersSeen(checkers_of(self.reader.read(picture, self.place, self.look)), again=again)

    def play(self, turns: int) -> Counter[str]:
        """A game of random plays until its end, or for so many turns."""
        while self.counts["turns"] < turns:
            match self.state.phase:
                case Opening():
                    if not self.counts["turns"]:
                        self.keeping.see(self.seen(self.state.board), self.state)
                        self.counts["start known"] += self.look is not None
                    each = dice_each(self.state)
                    south, north = (tuple(self.die() for _ in range(each)) for _ in "ab")
                    self.apply(OpeningThrown(south, north))
                case OnRoll(names=True):
                    self.apply(DoubletNamed(self.die()))
                case OnRoll():
                    self.keeping.see(self.seen(self.state.board), self.state)
                    self.apply(RollTyped(Roll.of(self.die(), self.die())))
                case Rolled() as rolled:
                    self.turn(rolled)
                case GameOver() | MatchOver():
                    return self.counts
                case _:
                    self.apply(TurnEnded())
        return self.counts

    def die(self) -> Die:
        """A thrown die."""
        return die(self.rng.randint(1, 6))

    def turn(self, rolled: Rolled) -> None:
        """A roll, its play and what the keeping makes of it."""
        turn = turn_to_play(self.state)
        assert turn is not None
        true = self.rng.choice(list(turn.plays()))
        board = Board.of(rolled.side, true)
        self.counts["turns"] += rolled.part is None
        if is_in_parts(self.state):
            self.counts["by taps"] += rolled.part is None
        else:
            if not rolled.lifted:
                self.keeping.see(self.seen(self.state.board), self.state)
                self.apply(Lifted())
            if isinstance(self.state.phase, Rolled):
                self.judge(rolled, turn, true, board)
        self.apply(PlayEntered(mine=true.mine, theirs=true.theirs, made=True))

    def judge(self, rolled: Rolled, turn: Turn, true: Position, board: Board) -> None:
        """Count what the keeping says of the true play, and of an illegal one."""
        other = plays_for(self.state.terms.profile, turn.position, Roll.of(self.die(), self.die()))
        wrong = [one for one in other if one not in turn.plays() and one != turn.position and not one.is_won]
        if wrong and self.rng.random() < ILLEGAL:
            self.illegal(Board.of(rolled.side, self.rng.choice(wrong)), turn)
        entered = self.shown_twice(self.keeping, board)
        if entered is not None:
            made = turn.position.with_checkers(entered.mine or (), entered.theirs or ())
            self.counts["right" if made == true else "wrong"] += 1
            if made != true:
                print(
                    "wrong:",
                    self.painted.seed,
                    self.state.terms.profile.name,
                    turn.position,
                    turn.roll,
                    made,
                    true,
                )
        else:
            question = self.keeping.question
            offered = question is not None and any(one.after == board for one in question.plays)
            self.counts["offered" if offered else "not offered"] += 1

    def illegal(self, board: Board, turn: Turn) -> None:
        """Show an illegal play to a copy of the keeping."""
        self.counts["illegal"] += 1
        entered = self.shown_twice(copy(self.keeping), board)
        if entered is not None:
            made = turn.position.with_checkers(entered.mine or (), entered.theirs or ())
            legal = turn.play_leaving(made) is not None
            self.counts["passed" if legal else "called"] += 1
            if legal:
                print("passed:", self.painted.seed, turn.position, turn.roll, made, board)

    def shown_twice(self, keeping: BoardKeeping, board: Board) -> PlayEntered | None:
        """The play that is entered by two pictures of a board, the second after some seconds."""
        return keeping.see(self.seen(board), self.state) or keeping.see(self.seen(board, True), self.state)


SHOWN = (
    "boards",
    "start known",
    "turns",
    "by taps",
    "right",
    "offered",
    "not offered",
    "wrong",
    "illegal",
    "called",
    "passed",
)


def table(games: Sequence[str], seeds: Sequence[int], turns: int) -> Iterator[str]:
    """The table, row by row."""
    yield HEAD
    yield "|---" * (len(SHOWN) + 1) + "|"
    reader = CheckerReader()
    for game in games:
        counts = Counter[str]()
        for seed in seeds:
            try:
                counts += Keeping(seed, game, reader).play(turns)
            except ValueError:
                continue
        yield f"| {game} | " + " | ".join(str(counts[one]) for one in SHOWN) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", default=GAMES, choices=sorted(ALL_PROFILES), metavar="NAME")
    parser.add_argument("--seeds", default="970000-970003", metavar="A-B")
    parser.add_argument("--turns", type=int, default=40, metavar="N")
    args = parser.parse_args()
    first, last = (int(one) for one in args.seeds.split("-"))
    for row in table(args.games, range(first, last + 1), args.turns):
        print(row, flush=True)


if __name__ == "__main__":
    main()
