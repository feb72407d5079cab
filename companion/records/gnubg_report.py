"""GNU Backgammon's analysis of a match: error rates, luck, and the costliest plays.

It analyses game by game; the results are parsed from its text export and its statistics.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.game.history_lines import play_text
from companion.game.state import State, TurnMade
from companion.records.to_transcript import logs_of, player_of
from companion.records.transcript import Game, Player, RollMade, Transcript
from sentence import Sentence, say, spoken, verbatim

WORST = 5
"""Number of costliest plays shown."""


@dataclass(frozen=True, slots=True)
class Graded:
    """One play graded by GNU Backgammon; `loss` is in equity, 0 for its own choice.

    `equity` is the mover's after the play; `number` counts the legal plays of the game from 0, dances included.
    """

    game: int
    player: Player
    dice: tuple[int, int]
    played: str
    best: str
    loss: float
    gnubg_id: str
    diagram: tuple[str, ...]
    luck: float | None
    equity: float | None = None
    number: int = 0


CUBE_ERRORS: Mapping[str, Sentence] = {
    "missed double": say("missed double"),
    "missed redouble": say("missed redouble"),
    "wrong double": say("wrong double"),
    "wrong redouble": say("wrong redouble"),
    "wrong take": say("wrong take"),
    "wrong pass": say("wrong pass"),
}
"""What GNU Backgammon calls a mistake with the cube."""


@dataclass(frozen=True, slots=True)
class CubeError:
    """A mistake with the cube; `number` counts the legal plays of the game before it, as in `Graded`.

    `kind` is one of CUBE_ERRORS, else GNU Backgammon's own words; `loss` is in equity.
    """

    game: int
    number: int
    player: str
    kind: str
    loss: float

    @property
    def error(self) -> Sentence:
        """What it is, in words."""
        return CUBE_ERRORS.get(self.kind) or verbatim(self.kind)

    @property
    def sentence(self) -> Sentence:
        """What went wrong, and what it cost."""
        return say(
            "Game {game}, {name}: {error}, cost {cost}",
            game=self.game,
            name=self.player,
            error=self.error,
            cost=f"{self.loss:.3f}",
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """One player's totals over one or more games; errors and luck in equity (EMG)."""

    moves: int = 0
    decisions: int = 0
    error: float = 0.0
    luck: float = 0.0

    def plus(self, other: "Figures") -> "Figures":
        """Sum of both."""
        moves, decisions = self.moves + other.moves, self.decisions + other.decisions
        return Figures(moves, decisions, self.error + other.error, self.luck + other.luck)

    @property
    def error_rate(self) -> float:
        """Thousandths of a point lost per unforced play or close cube decision; gnubg's mEMG."""
        return 1000 * self.error / self.decisions if self.decisions else 0.0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A play that was left out because it was illegal."""

    game: int
    player: Player
    dice: str
    play: Sentence
    why: Sentence


@dataclass
class Report:
    """Analysis of a match."""

    players: tuple[str, str]
    plies: int
    figures: list[Figures] = field(default_factory=lambda: [Figures(), Figures()])
    graded: list[Graded] = field(default_factory=list)
    cube: list[CubeError] = field(default_factory=list)
    illegal: list[LeftOut] = field(default_factory=list)
    pictures: dict[int, str] = field(default_factory=dict)

    @property
    def worst(self) -> list[Graded]:
        """The costliest plays, the worst first."""
        return sorted((one for one in self.graded if one.loss > 0), key=lambda one: -one.loss)[:WORST]

    def plays(self) -> list[dict[str, Any]]:
        """Every graded play as plain data, by game and number in it."""
        return [
            {
                "turn": [one.game, one.number],
                "player": one.player,
                "dice": list(one.dice),
                "played": one.played,
                "best": one.best,
                "loss": round(one.loss, 4),
                "luck": one.luck,
                "equity": one.equity,
            }
            for one in self.graded
        ]

    def cube_errors(self) -> list[dict[str, Any]]:
        """Every mistake with the cube as plain data, `turn` as in `plays`: the play that it came before."""
        return [
            {
                "turn": [one.game, one.number],
                "player": one.player,
                "kind": one.kind,
                "loss": round(one.loss, 4),
                **spoken(text=one.sentence, error=one.error),
            }
            for one in self.cube
        ]

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "players": list(self.players),
            "plies": self.plies,
            "figures": [
                {
                    "moves": one.moves,
                    "decisions": one.decisions,
                    "error_total": round(one.error, 3),
                    "error_rate_memg": round(one.error_rate, 1),
                    "luck_total": round(one.luck, 3),
                }
                for one in self.figures
            ],
            "worst": [
                {
                    "game": one.game,
                    "player": one.player,
                    "dice": list(one.dice),
                    "played": one.played,
                    "best": one.best,
                    "loss": round(one.loss, 3),
                    "gnubgid": one.gnubg_id,
                    "diagram": list(one.diagram),
                    "picture": self.pictures.get(self.graded.index(one)),
                }
                for one in self.worst
            ],
            **spoken(cube=[one.sentence for one in self.cube]),
            "illegal": [
                {
                    "game": one.game,
                    "player": one.player,
                    "dice": one.dice,
                    **spoken(play=one.play, why=one.why),
                }
                for one in self.illegal
            ],
        }

    def lines(self) -> list[str]:
        """The report for people, by line."""
        found = [
            f"{name}: {sums.moves} plays, error rate {sums.error_rate:.1f} mEMG over {sums.decisions} decisions, "
            f"luck {sums.luck:+.3f}"
            for name, sums in zip(self.players, self.figures, strict=True)
        ]
        for at, one in enumerate(self.worst, 1):
            dice = "-".join(map(str, one.dice))
            cost = f"played {one.played}, better {one.best}; this cost {one.loss:.3f}."
            found += ["", f"{at}. Game {one.game}, {self.players[one.player]}, {dice}: {cost}"]
            picture = self.pictures.get(self.graded.index(one))
            found += [f"   picture: {picture}"] if picture else []
            found += [f"   {line}" for line in one.diagram]
        found += ["", *(str(one.sentence) for one in self.cube)] if self.cube else []
        for illegal in self.illegal:
            play = f"{self.players[illegal.player]}, {illegal.dice}: {illegal.play}"
            found += ["", f"Left out: game {illegal.game}, {play}, which was not legal. {illegal.why}"]
        return found


# Input of GNU Backgammon


def single_games(match: Transcript) -> list[Transcript]:
    """Each game of a match as a separate file, at the score at which it was played."""
    return [
        replace(match, games=(game,))
        for game in match.games
        if any(isinstance(action, RollMade) and action.text for action in game.actions)
    ]


def commands(plies: int, cores: int = 1) -> list[str]:
    """GNU Backgammon's commands for one game, `game.sgf`; its figures are the same on any number of cores."""
    return [
        *([f"set threads {cores}"] if cores > 1 else []),
        f"set analysis chequerplay evaluation plies {plies}",
        f"set analysis cubedecision evaluation plies {plies}",
        'load match "game.sgf"',
        "analyse match",
        "show statistics match",
        'export match text "game.txt"',
    ]


def left_out(state: State) -> list[LeftOut]:
    """The illegal plays that stood; no analysis grades them."""
    found = []
    for log, _ in logs_of(state):
        for entry in log.entries:
            if isinstance(entry, TurnMade) and entry.fault:
                player, dice = player_of(log, entry.side), entry.roll.text if entry.roll else ""
                found.append(LeftOut(log.number, player, dice, play_text(entry.play), entry.fault))
    return found


def pictures_of(state: State) -> dict[int, list[str | None]]:
    """For each game the pictures of the graded rolls, in order; None for a roll without one."""
    return {
        log.number: [
            entry.picture
            for entry in log.entries
            if isinstance(entry, TurnMade) and entry.roll and not entry.fault
        ]
        for log, _ in logs_of(state)
    }


# Output of GNU Backgammon

_BLOCK = re.compile(r"Move number \d+:\s+.*? to play (?P<dice>[1-6]{2})\s*$", re.MULTILINE)
_CHOICE = re.compile(
    r"^(?P<star>\*?)\s*\d+\.\s+\S+\s+\S+\s+(?P<play>.*?)\s+(?:Eq\.|MWC):\s*(?P<eq>[+-][\d.]+)"
)
_LOSS = re.compile(r"\(\s*(?P<loss>-[\d.]+)\)\s*$")
_LUCK = re.compile(r"^Rolled [1-6]{2} \((?P<luck>[+-][\d.]+)\)")
_CUBE = re.compile(
    r"^Alert: (?P<what>(?:missed|wrong|bad)[^(]*(?:double|redouble|take|pass)[^(]*)\((?P<loss>-[\d.]+)\)",
    re.MULTILINE,
)


def graded_in(text: str, game: Game, players: Sequence[str]) -> list[tuple[int, Graded]]:
    """The graded plays in GNU Backgammon's text export of a game, each with its index among the game's rolls."""
    rolls = _rolls_of(game)
    return [
        (at, replace(_graded(block.splitlines(), game.number, rolls[at]), number=at))
        for block, at, is_roll in _blocks(text, rolls)
        if is_roll
    ]


def _rolls_of(game: Game) -> list[RollMade]:
    return [action for action in game.actions if isinstance(action, RollMade)]


def _blocks(text: str, rolls: Sequence[RollMade]) -> Iterator[tuple[str, int, bool]]:
    """Each decision in the text export, the number of the roll that it is about or comes before, and which of both."""
    begin = 0
    for block in re.split(r"^(?=Move number)", text, flags=re.MULTILINE):
        head = _BLOCK.match(block)
        if head is None:
            yield block, begin, False
            continue
        dice = sorted(map(int, head["dice"]))
        at = next((n for n in range(begin, len(rolls)) if sorted(rolls[n].dice) == dice), None)
        if at is not None:
            begin = at + 1
            yield block, at, True


def _graded(block: Sequence[str], game: int, roll: RollMade) -> Graded:
    choices = [(found, line) for line in block if (found := _CHOICE.match(line))]
    best = choices[0][0]["play"] if choices else ""
    played, loss = best, 0.0
    equity = float(choices[0][0]["eq"]) if choices else None
    for found, line in choices:
        if found["star"]:
            lost = _LOSS.search(line)
            played, loss = found["play"], -float(lost["loss"]) if lost else 0.0
            equity = float(found["eq"])
    luck = next((float(found["luck"]) for line in block if (found := _LUCK.match(line))), None)
    ids = [line.split(":", 1)[1].strip() for line in block if "Position ID:" in line or "Match ID" in line]
    first = next((at for at, line in enumerate(block) if line.lstrip().startswith("+")), len(block))
    diagram = tuple(line.rstrip() for line in block[first : first + 13])
    return Graded(game, roll.player, roll.dice, played, best, loss, ":".join(ids[:2]), diagram, luck, equity)


_DONE = re.compile(r"^\* (?P<words>.+)$", re.MULTILINE)


def cube_errors_in(text: str, game: Game, players: Sequence[str]) -> list[CubeError]:
    """What GNU Backgammon says against cube decisions of one game, in its text export."""
    found = []
    for block, number, _ in _blocks(text, _rolls_of(game)):
        alert, done = _CUBE.search(block), _DONE.search(block)
        if alert and done:
            player = _named(done["words"], players)
            found.append(CubeError(game.number, number, player, alert["what"].strip(), -float(alert["loss"])))
    return found


def _named(words: str, players: Sequence[str]) -> str:
    """The player with whose name these words begin; else the first word."""
    mine = [name for name in players if words.startswith(f"{name} ")]
    return max(mine, key=len, default=words.split(" ")[0])


_FIGURE = re.compile(
    r"^(?P<name>[A-Za-z][\w ()]*?)\s{2,}(?P<a>[+-]?[\d.]+)[^+-]*?(?:\([^)]*\))?\s{2,}(?P<b>[+-]?[\d.]+)"
)


def figures_in(lines: Iterable[str]) -> tuple[Figures, Figures]:
    """Both players' totals from `show statistics`."""
    rows: dict[str, tuple[float, float]] = {}
    section = ""
    for line in lines:
        if line.rstrip().endswith("statistics"):
            section = line.split()[0]
        found = _FIGURE.match(line)
        if found:
            rows.setdefault(f"{section}: {found['name'].strip()}", (float(found["a"]), float(found["b"])))
    return _figures(rows, 0), _figures(rows, 1)


def _figures(rows: dict[str, tuple[float, float]], player: int) -> Figures:
    def row(name: str) -> float:
        return next((values[player] for key, values in rows.items() if key.startswith(name)), 0.0)

    return Figures(
        int(row("Chequerplay: Total moves")),
        int(row("Chequerplay: Unforced moves") + row("Cube: Close or actual cube decisions")),
        -(row("Chequerplay: Error total") + row("Cube: Error total")),
        row("Luck: Luck total"),
    )
