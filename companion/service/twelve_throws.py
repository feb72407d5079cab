"""The check of the first evening: twelve tried throws, each confirmed by a tap, and a verdict on board, lamp, camera.

While it runs the keeper hands it the camera's reports, so that no tried throw touches the match or its record. Its
pictures are held in memory only, until the next check.
"""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from companion.camera.recorded import Awaited
from companion.game.events import Evidence, Thrown
from companion.protocol.shapes import DieRead
from companion.protocol.tried_shapes import CheckState, SetupChange, SetupVerdict, TriedThrow, TwelveThrows
from companion.protocol.view import dice_read
from companion.rules.board import Roll
from companion.rules.referee import RollingRules, Ruling, Unread, Valid, rule, ruling_sentence
from companion.rules.setting_values import RollArea
from companion.service.translate import seen_of
from sentence import NOTHING, Sentence, joined, say, say_n

if TYPE_CHECKING:
    from companion.camera.eye import Saw
    from vision.board.calibration import Board
    from vision.frame import Frame
    from vision.watch.conditions import Conditions
    from vision.watch.tried import Outcome, Verdict
    from web.bodies import TryThrows

Order: TypeAlias = Literal["begin", "stop", "right", "dice", "cocked", "missed"]
"""What people say: begin, stop; the throw was read as it lies, it shows these dice, it was cocked, it was not seen."""
OF = 12
"""`vision.watch.tried.THROWS`, which loads OpenCV; a test compares them."""
ABANDONED_S = 45.0
"""A check at which no page has looked for so long is stopped, or no throw would count any more: pages ask every second,
and a tablet that fell asleep is back by then."""

NO_CHECK = say("No throws are being tried now.")
ANSWERED = say("This throw has been answered already.")


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of a shortcoming.

    Attributes:
        title: what is to be changed.
        text: what is wrong; where it is measured, by that number.
        remedy: how it is changed.
        shows: what in the pictures shows it.
        measure: gives the number in the conditions of a picture.
    """

    title: Sentence
    text: Sentence | Callable[[int], Sentence]
    remedy: Sentence
    shows: Literal["dice", "picture"] = "picture"
    measure: "Callable[[Conditions], float | None] | None" = None


def _size(px: int) -> Sentence:
    return say("The dice are only {px} pixels wide in the pictures; some 20 are good.", px=px)


def _slant(deg: int) -> Sentence:
    return say(
        "The camera looks at the board aslant, {deg}° off the vertical; at most 35° are good.", deg=deg
    )


WORDS: Mapping[str, Words] = {
    "no_board": Words(
        say("Place of the board"),
        say("The board was not found in the pictures."),
        say("Tap its four corners under “Camera and board”."),
    ),
    "outside": Words(
        say("View of the camera"),
        say("Part of the board is outside of the picture."),
        say("Turn the camera, or hang it higher, until the whole board with its rims is in the picture."),
    ),
    "far": Words(
        say("Height of the camera"),
        _size,
        say("Bring the camera nearer, until the board fills the picture."),
        "dice",
        lambda now: now.die_px,
    ),
    "coarse": Words(
        say("Resolution"),
        _size,
        say(
            "The board fills the picture already: set a higher resolution (camera.width and camera.height in the "
            "settings), or take another camera."
        ),
        "dice",
        lambda now: now.die_px,
    ),
    "unsharp": Words(
        say("Focus"),
        say("The pictures are not sharp."),
        say("Focus the camera on the board, and wipe its lens. An autofocus is better switched off."),
        "dice",
    ),
    "smeared": Words(
        say("Hold of the camera"),
        say("The pictures are smeared in one direction."),
        say(
            "Fix the camera so that nothing shakes it when dice are thrown. More light helps, too: then each picture "
            "is taken in a shorter time."
        ),
        "dice",
    ),
    "dark": Words(
        say("Light"),
        say("The pictures are dark."),
        say("Give more light, best from two sides."),
    ),
    "noisy": Words(
        say("Light"),
        say("The pictures are grainy: the camera has too little light."),
        say("Give more light, best from two sides."),
        "dice",
    ),
    "blown_out": Words(
        say("Place of the lamp"),
        say("Part of the board is white with glare."),
        say(
            "Move the lamp to the side, some 45° from above, or hang something white in front of it, until the "
            "camera sees no reflection. Keep the sun off the board."
        ),
    ),
    "slanted": Words(
        say("Angle of the camera"),
        _slant,
        say("Move the camera over the middle of the board."),
        "picture",
        lambda now: now.slant_deg,
    ),
    "faint": Words(
        say("Dice"),
        say("The spots hardly stand out from the dice."),
        say(
            "Take dice whose spots are much darker or lighter than they are, and no lamp shining straight on them."
        ),
        "dice",
    ),
}
"""By the value of `vision.watch.tried.Shortcoming`."""
UNEXPLAINED = Words(
    say("Dice and light"),
    say("Size, focus, light and view are good in these pictures; it may be the dice."),
    say("Try other dice: plain ones with round spots. Light from two sides helps most."),
    "dice",
)


@dataclass(frozen=True, slots=True)
class _Throw:
    """A tried throw.

    Attributes:
        id: counts the throws, those that were never answered included.
        thrown: the dice as read, in pixels of the kept picture; None for one that was not seen.
        ruling: of the referee, wherever on the board they lie; None for one that was not seen.
        jpeg: the picture.
        size_px: its width and height.
        conditions: as measured in the whole picture.
        outcome: by what people say; None as long as they have not.
        actual: the numbers that people told.
    """

    id: int
    thrown: Thrown | None
    ruling: Ruling | None
    jpeg: bytes | None
    size_px: tuple[int, int]
    conditions: "Conditions"
    outcome: "Outcome | None" = None
    actual: Roll | None = None


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where the check stands, exchanged as a whole: another thread may read it at any moment."""

    state: CheckState = "off"
    throws: tuple[_Throw, ...] = ()
    verdict: "Verdict | None" = None


class TwelveThrowsCheck:
    """The check with twelve throws; the keeper calls it, and other threads call `look` and `picture`.

    Attributes:
        trouble: why the camera sees nothing now, empty if it sees; the keeper sets it.
    """

    def __init__(
        self,
        newest: "Callable[[], tuple[Frame, Board | None] | None]" = lambda: None,
        steady_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a check.

        Args:
            newest: gives the camera's newest frame with the board in it.
            steady_s: a monotonic clock, in seconds.
        """
        self._newest, self._steady_s = newest, steady_s
        self.trouble = NOTHING
        self._now = _Standing()
        self._seen = 0
        self._rules = RollingRules()
        self._lie = False  # whether tried dice lie on the board
        self._looked_s = steady_s()

    @property
    def is_running(self) -> bool:
        """Whether throws are being tried."""
        return self._now.state in ("waiting", "asking")

    # Calls of the keeper

    def begin(self, rules: RollingRules) -> None:
        """Begin, anew if one is running; the dice may lie anywhere on the board."""
        whole = RollArea.WHOLE_SURFACE
        self._rules = replace(rules, area=whole, opening_area=whole)
        self._looked_s = self._steady_s()
        self._now = _Standing("waiting")

    def stop(self) -> None:
        """Stop, and forget what is not done; a verdict stays."""
        if self.is_running:
            self._now = _Standing()

    def is_abandoned(self) -> bool:
        """Whether it runs and no page has looked at it for long."""
        return self.is_running and self._steady_s() - self._looked_s > ABANDONED_S

    def awaited(self) -> Awaited:
        """What recorded throws are to show: a throw of each side in turn, which lies until it is answered."""
        if self._now.state == "asking":
            return Awaited(busy=True)
        return Awaited("turn", "north" if len(self._now.throws) % 2 else "south")

    def takes(self, saw: "Saw") -> bool:
        """Take a report of the camera if it is the check's.

        Dice that lay on the board before the first tried throw are the match's, and so is their lifting; tried ones
        that still lie there in the end are lifted for the check.
        """
        from vision.watch.watcher import ThrowSeen

        if not isinstance(saw.seeing, ThrowSeen):
            mine, self._lie = self._lie, False
            return mine
        self._lie = self.is_running
        if self.is_running:
            self._try(saw)
        return self.is_running

    def _try(self, saw: "Saw") -> None:
        """Take a throw; one that was not answered before the next throw is forgotten."""
        from vision.watch.conditions import conditions_of
        from vision.watch.watcher import ThrowSeen

        whole = saw.whole or saw.seeing
        assert isinstance(whole, ThrowSeen)
        assert isinstance(saw.seeing, ThrowSeen)
        thrown = seen_of(saw.seeing, Evidence(), 0)
        assert isinstance(thrown, Thrown)
        ruling = rule(thrown.dice, self._rules, doubt=thrown.doubt, board_found=thrown.board_found)
        conditions = conditions_of(whole.frame.bgr, saw.board, whole.reading.dice)
        self._seen += 1
        tried = _Throw(self._seen, thrown, ruling, saw.jpeg, saw.seeing.frame.size_px, conditions)
        answered = (one for one in self._now.throws if one.outcome is not None)
        self._now = _Standing("asking", (*answered, tried))

    def answer(self, order: Order, about: int, roll: Roll | None = None) -> Sentence:
        """Take what people say of the throw with this id, or after it (`missed`, 0: before the first).

        Returns:
            Why not, else an empty sentence.
        """
        from vision.watch.tried import Tried, verdict_of

        if not self.is_running:
            return NO_CHECK
        before = self._now.throws
        is_last = about == (before[-1].id if before else 0)
        if not is_last or self._now.state != ("waiting" if order == "missed" else "asking"):
            return ANSWERED
        if order == "missed":
            throws = (*before, self._missed())
        else:
            outcome = _outcome(order, before[-1].ruling, roll)
            if outcome is None:
                return say("Nothing was read that could be right; tap what lies there.")
            throws = (*before[:-1], replace(before[-1], outcome=outcome, actual=roll))
        verdict = verdict_of(
            [Tried(one.conditions, one.outcome) for one in throws if one.outcome is not None]
        )
        self._now = _Standing("waiting" if verdict is None else "done", throws, verdict)
        return NOTHING

    def _missed(self) -> _Throw:
        """A throw that the camera did not report, with its newest picture."""
        from vision.capture.picture import jpeg_of
        from vision.watch.conditions import Conditions, conditions_of
        from vision.watch.crop import crop_box
        from vision.watch.tried import Outcome

        self._seen += 1
        newest = self._newest()
        if newest is None:
            return _Throw(self._seen, None, None, None, (0, 0), Conditions(), Outcome.MISSED)
        frame, board = newest
        conditions = conditions_of(frame.bgr, board)
        bgr = frame.bgr
        if board is not None and conditions.die_px is not None:
            box = crop_box(frame.size_px, board.for_picture(frame.size_px).corners_px, [])
            bgr = bgr if box is None else bgr[box[1] : box[3], box[0] : box[2]]
        return _Throw(
            self._seen, None, None, jpeg_of(bgr), (bgr.shape[1], bgr.shape[0]), conditions, Outcome.MISSED
        )

    # Calls of other threads

    def look(self, in_words: Callable[[Sentence], str] = str) -> TwelveThrows:
        """The check as the page shows it, with its sentences in these words; whoever looks keeps it running."""
        self._looked_s = self._steady_s()
        now = self._now
        return {
            "state": now.state,
            "of": OF,
            "trouble": in_words(self.trouble),
            "throws": [_shown(number, one, in_words) for number, one in enumerate(now.throws, 1)],
            "verdict": None if now.verdict is None else _verdict_shown(now.verdict, now.throws, in_words),
        }

    def picture(self, number: int) -> bytes | None:
        """The picture of a tried throw; None if there is none of this number."""
        throws = self._now.throws
        return throws[number - 1].jpeg if 0 < number <= len(throws) else None


class ThrowOrders:
    """The page's way to the check; called on server threads."""

    def __init__(
        self, check: TwelveThrowsCheck, ask: "Callable[[Order, int, Roll | None], Sentence]"
    ) -> None:
        """Begin with the check, and with what lets the keeper carry out an order and waits for its answer."""
        self._check, self._ask = check, ask
        self.look, self.picture = check.look, check.picture

    def order(self, wanted: "TryThrows") -> Sentence:
        """Let the keeper carry out an order; a sentence why not, else an empty one."""
        return self._ask(wanted.order, wanted.throw, Roll.of(*wanted.dice) if wanted.dice else None)


def _outcome(order: Order, ruling: Ruling | None, roll: Roll | None) -> "Outcome | None":
    """What became of a throw with this ruling, by what people say; None if there is nothing that could be right."""
    from vision.watch.tried import Outcome

    if isinstance(ruling, Unread):
        return None if order == "right" else Outcome.UNREAD
    if order == "right":
        return Outcome.RIGHT
    if isinstance(ruling, Valid):
        return Outcome.RIGHT if order == "dice" and roll == ruling.roll else Outcome.WRONG
    return Outcome.RIGHT if order == "cocked" else Outcome.COCKED


def _shown(number: int, one: _Throw, in_words: Callable[[Sentence], str]) -> TriedThrow:
    dice: list[DieRead] = [] if one.thrown is None else dice_read(one.thrown.dice, one.thrown.evidence)
    return {
        "n": number,
        "id": one.id,
        "picture": f"/api/throws/{number}.jpg" if one.jpeg else None,
        "size": list(one.size_px),
        "dice": dice,
        "ruling": one.ruling.word if one.ruling else None,
        "outcome": one.outcome.value if one.outcome else None,
        "actual": list(one.actual) if one.actual else None,
        "reason_text": in_words(ruling_sentence(one.ruling)),
    }


def _verdict_shown(
    verdict: "Verdict", throws: Sequence[_Throw], in_words: Callable[[Sentence], str]
) -> SetupVerdict:
    wrong = sum(one.outcome is not None and one.outcome.value == "wrong" for one in throws)
    right, of = verdict.right, len(throws)
    if verdict.is_good:
        text = say("Good enough: {right} of {of} throws were read right.", right=right, of=of)
    else:
        text = say("Not good enough yet: {right} of {of} throws were read right.", right=right, of=of)
    text = joined(text, say_n("One was read wrong.", "{n} were read wrong.", wrong) if wrong else NOTHING)
    changes = [
        _change(WORDS[one.what.value], one.what.value, one.throws, throws, in_words)
        for one in verdict.changes
    ]
    if not changes and not verdict.is_good:
        failed = [at for at, one in enumerate(throws) if one.outcome and one.outcome.value != "right"]
        changes = [_change(UNEXPLAINED, "unexplained", failed[:3], throws, in_words)]
    return {
        "good": verdict.is_good,
        "text": in_words(text),
        "changes": changes,
    }


def _change(
    words: Words, what: str, at: Sequence[int], throws: Sequence[_Throw], in_words: Callable[[Sentence], str]
) -> SetupChange:
    measure = words.measure
    found = [fact for one in at if measure and (fact := measure(throws[one].conditions)) is not None]
    text = words.text
    if not isinstance(text, Sentence):
        text = text(round(statistics.median(found)))
    return {
        "what": what,
        "shows": words.shows,
        "throws": [one + 1 for one in at],
        "title": in_words(words.title),
        "text": in_words(text),
        "remedy": in_words(words.remedy),
    }
