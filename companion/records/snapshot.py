"""One moment of a match: position, dice, cube and score together, as in an id or a record.

Players are numbered as in GNU Backgammon: player 1 is the one XGID writes in capitals and at the bottom,
player 0 the other. At our table south is player 1 and north player 0.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
        player_on_roll: 0 or 1.
        turn: the player to decide; the other one while a double or a resignation is considered.
        dice: as thrown, (0, 0) before the throw.
        cube_value: 1, 2, 4, …
        cube_owner: 0, 1 or NOBODY.
        match_length: points to win; 0 is money play.
        score: of player 0 and of player 1.
        crawford: this is the Crawford game.
        jacoby: Jacoby's rule is on.
        beaver: beavers are on (XGID only, money play only).
        doubled: a double has been offered.
        resigned: 0, or the worth of the resignation offered.
        gamestate: 0 no game, 1 playing, 2 over, 3 resigned, 4 dropped.
        max_cube: the cube's limit as a power of two (XGID only).
    """

    position: Position
    player_on_roll: int = 1
    turn: int = 1
    dice: tuple[int, int] = (0, 0)
    cube_value: int = 1
    cube_owner: int = NOBODY
    match_length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beaver: bool = False
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
        for holds, sentence in _wrong(self):
            if holds:
                raise BadTextError(sentence)


def _wrong(s: Snapshot) -> Iterator[tuple[bool, Sentence]]:
    """Pairs (whether the fault is present, its sentence) for the values of a snapshot."""
    log = s.cube_value.bit_length() - 1
    yield (
        s.player_on_roll not in (0, 1),
        say("Players are 0 and 1, not {given}.", given=shown(s.player_on_roll)),
    )
    yield s.turn not in (0, 1), say("Players are 0 and 1, not {given}.", given=shown(s.turn))
    for number in s.dice:
        yield not 0 <= number <= 6, say("A die shows 1 to 6, not {given}.", given=shown(number))
    yield (0 in s.dice) != (s.dice == (0, 0)), say("Either both dice have been thrown or none.")
    yield (
        s.cube_value < 1 or s.cube_value != 1 << log or log > 15,
        say("No cube shows {given}.", given=shown(s.cube_value)),
    )
    owner = shown(s.cube_owner)
    yield (
        s.cube_owner not in (NOBODY, 0, 1),
        say("The cube is owned by 0, 1 or nobody (-1), not {owner}.", owner=owner),
    )
    yield (
        not 0 <= s.match_length < 1 << 15,
        say("A match cannot be {given} points long.", given=shown(s.match_length)),
    )
    yield any(not 0 <= n < 1 << 15 for n in s.score), say("A score is 0 to 32767.")
    # Only after the end of a game may its winner have the points of the match, or more.
    there = sum(n >= s.match_length for n in s.score) if s.match_length else 0
    short = say(
        "A match of {match_length} points is over before the score is {first} to {second}.",
        match_length=s.match_length,
        first=s.score[0],
        second=s.score[1],
    )
    yield there > (1 if s.gamestate >= GAME_OVER else 0), short
    yield not 0 <= s.max_cube <= 99, say("The cube's limit is a power of two from 0 to 99.")
    yield (
        not 0 <= s.resigned <= 3,
        say("One resigns 1, 2 or 3 times the cube, not {given}.", given=shown(s.resigned)),
    )
    yield not 0 <= s.gamestate <= 4, say("There is no game state {given}.", given=shown(s.gamestate))


def snapshot_of_fields(fields: Mapping[str, Any]) -> Snapshot:
    """The snapshot of `pos` and the other fields; a missing field is as at the start of a money game.

    Raises:
        BadTextError, BadPositionError: a field of the wrong type, or an impossible value.
    """
    position = Position.of_ints(fields["pos"], fields.get("off"))
    on_roll = _number(fields, "player_on_roll", 1)
    doubled, resigned = _flag(fields, "doubled"), _number(fields, "resigned", 0)
    turn = 1 - on_roll if doubled or resigned else on_roll
    return Snapshot(
        position,
        player_on_roll=on_roll,
        turn=_number(fields, "turn", turn),
        dice=_pair(fields, "dice"),
        cube_value=_number(fields, "cube_value", 1),
        cube_owner=_number(fields, "cube_owner", NOBODY),
        match_length=_number(fields, "match_length", 0),
        score=_pair(fields, "score"),
        crawford=_flag(fields, "crawford"),
        jacoby=_flag(fields, "jacoby"),
        beaver=_flag(fields, "beaver"),
        doubled=doubled,
        resigned=resigned,
        gamestate=_number(fields, "gamestate", 1),
        max_cube=_number(fields, "max_cube", 10),
    )


def _number(fields: Mapping[str, Any], name: str, default: int) -> int:
    """A field that is a whole number."""
    value = fields.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadTextError(say("«{name}» is a whole number, not {given}.", name=name, given=shown(value)))
    return value


def _flag(fields: Mapping[str, Any], name: str) -> bool:
    """A field that is 0 or 1, true or false."""
    value = fields.get(name, 0)
    if value not in (0, 1) or isinstance(value, float):
        raise BadTextError(say("«{name}» is 0 or 1, not {given}.", name=name, given=shown(value)))
    return bool(value)


def _pair(fields: Mapping[str, Any], name: str) -> tuple[int, int]:
    """A field that is a pair of whole numbers; (0, 0) if missing."""
    value = fields.get(name, [0, 0])
    if not isinstance(value, list) or len(value) != 2:
        raise BadTextError(say("«{name}» is a list of two whole numbers.", name=name))
    first, second = (_number({name: one}, name, 0) for one in value)
    return first, second
