"""One moment of a match: position, dice, cube and score together, as in an id or a record.

Players are numbered as in GNU Backgammon: player 1 is the one XGID writes in capitals and at the bottom,
player 0 the other. At our table south is player 1 and north player 0.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from companion.errors import BadPositionError, BadTextError, shown
from companion.rules.board import Position, Problem, problem_sentence
from sentence import Sentence, say

NOBODY = -1
"""The cube's owner while it is in the middle."""
PLAYING, GAME_OVER = 1, 2
"""Two of GNU's game states; those above are over, too, by a resignation or a pass."""
_IMPOSSIBLE = Problem.MINE_TOO_MANY | Problem.THEIRS_TOO_MANY | Problem.BOTH_ON_ONE_POINT | Problem.BELOW_ZERO


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of a match, with all that the ids can express.

    Attributes:
        position: as `player_on_roll` sees it; it stays the doubler's view while a double is considered.
        dice: as thrown, (0, 0) before the throw.
        match_length: points to win; 0 is money play.
        score: of player 0 and of player 1.
        crawford: this is the Crawford game.
        jacoby: Jacoby's rule is on.
        beaver: beavers are on (XGID only, money play only).
        cube_value: 1, 2, 4, …
        cube_owner: 0, 1 or NOBODY.
        player_on_roll: 0 or 1.
        turn: the player to decide; the other one while a double or a resignation is considered.
        doubled: a double has been offered.
        resigned: 0, or the worth of the resignation offered.
        gamestate: 0 no game, 1 playing, 2 over, 3 resigned, 4 dropped.
        max_cube: the cube's limit as a power of two (XGID only).
    """

    position: Position
    dice: tuple[int, int] = (0, 0)
    match_length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beaver: bool = False
    cube_value: int = 1
    cube_owner: int = NOBODY
    player_on_roll: int = 1
    turn: int = 1
    doubled: bool = False
    resigned: int = 0
    gamestate: int = 1
    max_cube: int = 10

    def __post_init__(self) -> None:
        """Refuse impossible values.

        Raises:
            BadPositionError: too many checkers, or both sides on one point.
            BadTextError: any other value that no id can hold.
        """
        wrong = self.position.problems() & _IMPOSSIBLE
        if wrong:
            raise BadPositionError(problem_sentence(wrong))
        for fault in _faults(self):
            raise BadTextError(fault)


def _faults(s: Snapshot) -> Iterator[Sentence]:
    """The faults in a snapshot's values, each a sentence."""
    for player in (s.player_on_roll, s.turn):
        if player not in (0, 1):
            yield say("Players are 0 and 1, not {given}.", given=shown(player))
    for number in s.dice:
        if not 0 <= number <= 6:
            yield say("A die shows 1 to 6, not {given}.", given=shown(number))
    if (0 in s.dice) != (s.dice == (0, 0)):
        yield say("Either both dice have been thrown or none.")
    if s.cube_value not in [1 << log for log in range(16)]:
        yield say("No cube shows {given}.", given=shown(s.cube_value))
    if s.cube_owner not in (NOBODY, 0, 1):
        yield say("The cube is owned by 0, 1 or nobody (-1), not {owner}.", owner=shown(s.cube_owner))
    if not 0 <= s.match_length < 1 << 15:
        yield say("A match cannot be {given} points long.", given=shown(s.match_length))
    if any(not 0 <= n < 1 << 15 for n in s.score):
        yield say("A score is 0 to 32767.")
    # Only after the end of a game may its winner have the points of the match, or more.
    if s.match_length and sum(n >= s.match_length for n in s.score) > (s.gamestate >= GAME_OVER):
        yield say(
            "A match of {match_length} points is over before the score is {first} to {second}.",
            match_length=s.match_length,
            first=s.score[0],
            second=s.score[1],
        )
    if not 0 <= s.max_cube <= 99:
        yield say("The cube’s limit is a power of two from 0 to 99.")
    if not 0 <= s.resigned <= 3:
        yield say("One resigns 1, 2 or 3 times the cube, not {given}.", given=shown(s.resigned))
    if not 0 <= s.gamestate <= 4:
        yield say("There is no game state {given}.", given=shown(s.gamestate))


def snapshot_of_fields(given: Mapping[str, Any]) -> Snapshot:
    """The snapshot of `pos`, `off` and the other fields; a missing field is as at the start of a money game.

    Raises:
        BadTextError, BadPositionError: a field of the wrong type, or an impossible value.
    """
    position = Position.of_ints(given["pos"], given.get("off"))
    read: Mapping[type, Callable[[str, object], Any]] = {bool: _flag, int: _number, tuple: _pair}
    values = {
        one.name: read[type(one.default)](one.name, given[one.name])
        for one in fields(Snapshot)[1:]
        if one.name in given
    }
    on_roll = values.get("player_on_roll", 1)
    is_asked = values.get("doubled") or values.get("resigned")
    return Snapshot(position, **{"turn": 1 - on_roll if is_asked else on_roll, **values})


def _number(name: str, value: object) -> int:
    if type(value) is not int:
        raise BadTextError(say("“{name}” is a whole number, not {given}.", name=name, given=shown(value)))
    return value


def _flag(name: str, value: object) -> bool:
    """A field that is 0 or 1, true or false."""
    if value not in (0, 1) or isinstance(value, float):
        raise BadTextError(say("“{name}” is 0 or 1, not {given}.", name=name, given=shown(value)))
    return bool(value)


def _pair(name: str, value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise BadTextError(say("“{name}” is a list of two whole numbers.", name=name))
    return _number(name, value[0]), _number(name, value[1])
