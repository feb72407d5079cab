"""`companion plays`: the legal plays of positions and rolls, one JSON object a line."""

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from companion.commands._options import FOR_PROFILES, add_config, profile_of
from companion.errors import BadPositionError, BadTextError, shown
from sentence import verbatim

HELP = "list the legal plays of positions given as JSON lines"
DESCRIPTION = (
    'Reads JSON lines {"id", "pos", "dice"} and answers each with its legal plays, or with '
    '"legal" where the line has "after". Each line has one answer: a bad or empty one an error, the rest '
    "go on, exit status 1."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--profile", default="modern", metavar="NAME", help="the rules (default: %(default)s)"
    )
    add_config(parser, FOR_PROFILES)
    parser.add_argument("--json", action="store_true", help="JSON lines, as always with this command")


def run(args: argparse.Namespace) -> int:
    """Answer standard input line by line; returns 1 if a line was bad."""
    from companion.commands._lines import answer_lines

    profile = profile_of(args.profile, args.config)
    return answer_lines(sys.stdin.buffer, lambda request: _answer(profile, request))


def _answer(profile: Any, request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one line.

    Raises:
        BadTextError, BadPositionError: a field is missing, of another shape, or impossible.
    """
    from companion.rules.family.bonus import throws_again
    from companion.rules.notation import write_play
    from companion.rules.partial_play import RollUse
    from companion.rules.plays import plays_for

    position = _position(profile, request, "pos").told_not_entered(_not_entered(request))
    roll = _roll(request)
    plays = plays_for(profile, position, roll, doublets=_doublets(request))
    if "after" in request:
        after = _position(profile, request, "after").with_not_entered(position.not_entered)
        return {"legal": after in plays}
    pins = profile.positions.GAME == "pinning"
    again, use = profile.throw_again_after_doublet or profile.names_doublet, RollUse(profile, position, roll)
    listed = sorted((after.ints(), write_play(play), after.under()) for after, play in plays.items())
    return {
        "n_plays": 0 if plays.is_dance else len(listed),
        "dice_used": plays.numbers_used,
        **({"again": throws_again(profile, roll, None) and use.goes_on} if again else {}),
        "plays": [
            {"text": text, "result": result, **({"under": under} if pins else {})}
            for result, text, under in listed
        ],
    }


def _position(profile: Any, request: Mapping[str, Any], name: str) -> Any:
    """The position in a field, checked against the profile's number of checkers; errors as in `_answer`."""
    from companion.rules.board import Problem, problem_sentence

    if name not in request:
        raise BadTextError(verbatim(f"The line has no “{name}”."))
    off = request.get("off") if name == "pos" else None
    under = request.get("under" if name == "pos" else "after_under")
    position = profile.positions.of_shown(request[name], under, off, profile.checkers)
    wrong = position.problems(profile.checkers) & ~Problem.NOBODY_CAN_EVER_MOVE
    if wrong:
        raise BadPositionError(problem_sentence(wrong))
    return position


def _not_entered(request: Mapping[str, Any]) -> tuple[int, int]:
    """The counts in a line's `not_entered`, none by default; BadTextError if they are not two numbers from 0 up."""
    given = request.get("not_entered", [0, 0])
    if not isinstance(given, list) or len(given) != 2 or any(type(n) is not int or n < 0 for n in given):
        raise BadTextError(verbatim("“not_entered” is a list of two whole numbers from 0 up."))
    return given[0], given[1]


def _roll(request: Mapping[str, Any]) -> Any:
    """The roll in a line's `dice`; BadTextError if it is no list of two numbers."""
    from companion.rules.board import Roll

    dice = request.get("dice")
    if not isinstance(dice, list) or len(dice) != 2:
        raise BadTextError(verbatim("“dice” is a list of two numbers from 1 to 6."))
    return Roll.of(*dice)


def _doublets(request: Mapping[str, Any]) -> int:
    """The mover's doublets so far in a line, 0 if the field is missing; BadTextError if it is no whole number."""
    doublets = request.get("doublets", 0)
    if isinstance(doublets, bool) or not isinstance(doublets, int) or doublets < 0:
        raise BadTextError(verbatim(f"“doublets” is a whole number from 0 up, not {shown(doublets)}."))
    return doublets
