"""Shared by the commands that look at pictures: options, a board from a file, answers printed a line each."""

import argparse
import functools
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands._options import FOR_PROFILES, add_config, profile_of

if TYPE_CHECKING:
    from companion.rules.referee import Ruling
    from vision.board.calibration import Board
    from vision.board.findboard import BoardFinder
    from vision.dice.reading import DiceReading
    from vision.frame import Bgr, Frame

FIRST_WAIT_S = 1.0
"""After this time of the source a board that was not found in its first frame is sought again, then after twice, four
times … as long: on a Pi that takes a tenth of a second."""


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for reading and ruling."""
    parser.add_argument("--board", type=Path, metavar="FILE", help="the board file `calibrate` wrote")
    parser.add_argument("--roller", choices=("south", "north"), help="whose throw it is")
    parser.add_argument(
        "--phase", choices=("turn", "opening"), default="turn", help="opening: one die in each half"
    )
    parser.add_argument("--profile", default="modern", metavar="NAME", help="the rules, modern if left out")
    add_config(parser, FOR_PROFILES)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def board_of(args: Any) -> "Board | None":
    """The board of `--board`, None without it; BadBoard if the file describes none."""
    from vision.board.calibration import load_board

    return load_board(args.board) if args.board else None


def positive(text: str) -> float:
    """An option's number above 0; argparse.ArgumentTypeError for any other."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"a number above 0 is wanted, not {text[:40]}.")
    return value


@functools.cache
def rolling_rules(profile: str, config: Path | None) -> Any:
    """A profile's rules for a throw; errors as for `profile_of`."""
    return profile_of(profile, config).rolling_rules


def answer(reading: "DiceReading", args: Any) -> dict[str, Any]:
    """The reading and its ruling under the profile, in the form of docs/COMMANDS.md."""
    from companion.rules.board import Side
    from companion.rules.referee import ThrowKind, rule
    from companion.service.translate import dice_at_rest

    ruling = rule(
        dice_at_rest(reading),
        rolling_rules(args.profile, args.config),
        roller=Side(args.roller) if args.roller else None,
        kind=ThrowKind(args.phase),
        doubt=reading.doubt,
        board_found=reading.board_found,
    )
    return answer_with(reading, ruling)


def answer_with(reading: "DiceReading", ruling: "Ruling") -> dict[str, Any]:
    """A reading and its ruling in the form of docs/COMMANDS.md."""
    from companion.rules.referee import Valid

    return {
        "ruling": ruling.word,
        "roll": [ruling.roll.high, ruling.roll.low] if isinstance(ruling, Valid) else None,
        "reasons": [reason.value for reason in ruling.reasons],
        "dice": [die.to_json() for die in reading.dice],
        "board_found": reading.board_found,
    }


def in_words(known: dict[str, Any]) -> str:
    """An answer for people, on one line: a roll that counts as 3-1, else the dice as they lie."""
    seen = " ".join(str(die["value"] or "?") for die in known["dice"]) or "no dice"
    dice = "-".join(map(str, known["roll"])) if known["roll"] else seen
    why = f" ({', '.join(known['reasons'])})" if known["reasons"] else ""
    return f"{known['ruling']}{why}: {dice}"


def board_in(bgr: "Bgr") -> "Board | None":
    """The board found in a picture, (H, W, 3) uint8, or None."""
    return _board_finder().find(bgr)


def since_ms(start_s: float) -> float:
    """Milliseconds since a time of `time.perf_counter`."""
    return round((time.perf_counter() - start_s) * 1000, 2)


class BoardSought:
    """The board of a file, or else the one in the pictures: looked for until it has been found, in the file's place.

    A board of a file that is found there as one of those that the nets know is read as such, see
    `vision/board/compared.py`.

    Attributes:
        board: as known so far; None while it is not.
    """

    def __init__(self, board: "Board | None", file: Path | None) -> None:
        """Begin with the board of this file, or with none."""
        self.board, self._file = board, file
        self._is_settled = self._is_said = False
        self._due_s, self._wait_s = 0.0, FIRST_WAIT_S

    def seek_if_due(self, frame: "Frame") -> bool:
        """Seek it in a frame, each time after twice the time; whether more is known of it now."""
        if frame.at_s < self._due_s:
            return False
        self._due_s, self._wait_s = frame.at_s + self._wait_s, 2 * self._wait_s
        return self.seek(frame.bgr)

    def seek(self, bgr: "Bgr") -> bool:
        """Seek it in a picture, (H, W, 3) uint8, unless it is settled; whether more is known of it now.

        Says on standard error, once, if a picture shows the board elsewhere than the file has it.

        Raises:
            BadBoard: the picture has other proportions than those of the file.
        """
        from vision.board.compared import is_elsewhere, recognised

        found = None if self._is_settled else board_in(bgr)
        if found is None:
            return False
        known, self.board = self.board, found if self.board is None else recognised(self.board, found)
        self._is_settled = known is None or not is_elsewhere(known, found)
        if known is not None and not self._is_settled and not self._is_said:
            say_elsewhere(known, found, f"{self._file} says")
            self._is_said = True
        return self.board is not known


def say_elsewhere(known: "Board", found: "Board", known_by: str) -> None:
    """Say on standard error how far a board found is from its known place, and by what that is known."""
    from vision.board.compared import away_px

    off = f"{away_px(known, found):.0f} pixels"
    print(f"The board seems to lie elsewhere than {known_by}, by {off}.", file=sys.stderr)


@functools.cache
def _board_finder() -> "BoardFinder":
    from vision.board.findboard import BoardFinder

    return BoardFinder()


def print_answers(
    images: Sequence[str],
    answer_of: "Callable[[Bgr], dict[str, Any]]",
    in_words: Callable[[dict[str, Any]], str],
    *,
    as_json: bool,
    before: "Callable[[Bgr], object]",
) -> int:
    """Print the answer to each picture with the milliseconds it took; a file that is no picture gives an error.

    Args:
        images: names of the pictures' files.
        answer_of: reads a picture.
        in_words: an answer for people.
        as_json: print JSON instead.
        before: called with each picture before it is read; its time does not count.

    Returns:
        0, or 2 if a file was no picture.
    """
    from vision.capture.picture import load_picture
    from vision.errors import VisionError

    status, warm = 0, False
    for name in images:
        try:
            bgr = load_picture(name)
            before(bgr)
            if not warm:  # a net's first run builds its buffers, the first ruling loads the rules
                answer_of(bgr)
                warm = True
            start = time.perf_counter()
            known = answer_of(bgr)
            took_ms = since_ms(start)
        except VisionError as error:
            status = 2
            if as_json:
                print(json.dumps({"image": name, "error": str(error)}), flush=True)
            print(error if name in str(error) else f"{name}: {error}", file=sys.stderr, flush=True)
            continue
        row = {"image": name, **known, "ms": took_ms}
        print(json.dumps(row) if as_json else f"{name}: {in_words(known)}", flush=True)
    return status
