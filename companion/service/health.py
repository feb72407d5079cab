"""The condition of the machine: heat, power, disk, clock and camera, checked on a separate thread.

A part that gives no answer has the verdict "cannot tell".
"""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.protocol.shapes import HealthLine
from companion.storage.folder import DAMAGED, MATCHES
from sentence import NOTHING, Sentence, say, translatable, verbatim

if TYPE_CHECKING:
    from companion.camera.eye import Eye


class Verdict(Enum):
    """The result of a check."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    UNKNOWN = "cannot tell"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: a verdict, a sentence, and the remedy if one is needed."""

    what: str
    verdict: Verdict
    text: Sentence
    remedy: Sentence = NOTHING

    def row(self) -> HealthLine:
        """The finding as JSON."""
        return {
            "what": self.what,
            "verdict": self.verdict.value,
            "text": str(self.text),
            "remedy": str(self.remedy),
            "say": translatable(text=self.text, remedy=self.remedy),
        }

    def line(self) -> str:
        """The finding as one line of text."""
        remedy = f" {self.remedy}" if self.remedy else ""
        return f"{self.what:8} {self.verdict.value:11} {self.text}{remedy}"


HOT_C, TOO_HOT_C = 75.0, 80.0
"""Limits of a warning and a fault, in °C; a Pi slows itself down from 80 °C on."""
LOW_BYTES, EMPTY_BYTES = 200 << 20, 20 << 20
"""Limits of a warning and a fault, in bytes free; a long evening writes a few MB of journal, some dozen of pictures."""
STALE_S = 3.0
"""Seconds without a picture after which a camera counts as lost."""
BUILT = 1_760_000_000
"""Seconds since 1970 when this was written; a clock that shows less has not been set."""


def temperature(thermal: Path = Path("/sys/class/thermal/thermal_zone0/temp")) -> Finding:
    """Check the processor's temperature."""
    found = partial(Finding, "heat")
    try:
        celsius = int(thermal.read_text()) / 1000
    except (OSError, ValueError):
        return found(Verdict.UNKNOWN, say("This machine does not say how warm it is."))
    text = say("The processor has {celsius} °C.", celsius=f"{celsius:.0f}")
    if celsius >= TOO_HOT_C:
        return found(Verdict.BAD, text, say("Give it more air or a fan; it is slowing down."))
    if celsius >= HOT_C:
        return found(Verdict.WARN, text, say("Give it more air."))
    return found(Verdict.GOOD, text)


def _vcgencmd() -> str:
    try:
        command = ["vcgencmd", "get_throttled"]
        return subprocess.run(command, capture_output=True, text=True, timeout=3, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def power(ask: Callable[[], str] = _vcgencmd) -> Finding:
    """Whether the power supply suffices, by the Pi's firmware (`vcgencmd get_throttled`)."""
    found = partial(Finding, "power")
    answer = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)\s*", ask())
    if answer is None:
        return found(Verdict.UNKNOWN, say("This machine does not say whether its power is sufficient."))
    bits, remedy = int(answer[1], 16), say("Use the Pi’s own power supply.")
    if bits & 0x1:
        return found(Verdict.BAD, say("The voltage is too low at this moment."), remedy)
    if bits & 0x10000:
        return found(Verdict.WARN, say("The voltage was too low since the start."), remedy)
    return found(Verdict.GOOD, say("The voltage has been sufficient since the start."))


def disk(folder: Path, *, takes: bool = True) -> Finding:
    """Check free space and write permission of the state folder, without writing.

    A dead card may look sound, so the caller says whether writes succeed: `companion doctor` from a trial write, the
    running program from the journal, which it writes at the start and with each event. A trial every half minute
    would wear the card and find a fault no sooner than the journal does.

    Args:
        folder: the state folder, which may be missing.
        takes: whether the last write there succeeded.
    """
    found, named = partial(Finding, "disk"), str(folder)
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not there.is_dir():
        remedy = say("Move it away, or set keep.folder.")
        return found(Verdict.BAD, say("{folder} is no folder.", folder=str(there)), remedy)
    try:
        free_bytes, flags = shutil.disk_usage(there).free, os.statvfs(there).f_flag
    except OSError as error:
        why = error.strerror or str(error)
        return found(Verdict.BAD, say("{folder} cannot be looked at ({why}).", folder=named, why=why))
    if not flags & os.ST_RDONLY and not os.access(there, os.W_OK):
        text = say("{folder} cannot be written by this user.", folder=named)
        return found(Verdict.BAD, text, say("Ask as the service’s user, or set keep.folder."))
    if not takes or flags & os.ST_RDONLY:
        text = say("{folder} cannot be written.", folder=named)
        return found(Verdict.BAD, text, say("Free some space, or set keep.folder."))
    text = say("{megabytes} MB are free in {folder}.", megabytes=f"{free_bytes / 1e6:.0f}", folder=named)
    if free_bytes < EMPTY_BYTES:
        return found(Verdict.BAD, text, say("Delete something; soon nothing more can be kept."))
    if free_bytes < LOW_BYTES:
        return found(Verdict.WARN, text, say("Delete something before the next match."))
    return found(Verdict.GOOD, text)


def set_aside(folder: Path) -> list[Finding]:
    """A warning for damaged files that a start set aside, until a person deletes them; [] if there are none."""
    files = (*folder.glob(f"*{DAMAGED}*"), *folder.glob(f"{MATCHES}/*{DAMAGED}*"))
    names = sorted(file.name for file in files if not file.name.endswith(("-wal", "-shm", "-journal")))
    text = say("Damaged files were moved aside: {names}.", names=", ".join(names))
    remedy = say("If anything is missing, put a backup back with 'companion restore'; then delete them.")
    return [Finding("kept", Verdict.WARN, text, remedy)] if names else []


def clock(
    now_s: Callable[[], float] = time.time, synchronized: Path = Path("/run/systemd/timesync/synchronized")
) -> Finding:
    """Whether the wall clock has been set; a Pi without a battery starts with the time of its last shutdown."""
    found = partial(Finding, "clock")
    if now_s() < BUILT:
        remedy = say("Join a network, or set it by hand.")
        return found(Verdict.BAD, say("The clock has not been set."), remedy)
    if synchronized.exists():
        return found(Verdict.GOOD, say("The clock has been set from the network."))
    return found(Verdict.UNKNOWN, say("The clock shows a sensible time, but nobody says that it was set."))


def frames(state: str, age_s: float | None, per_s: float, patience_s: float = 0.0) -> Finding:
    """Check the age and rate of the camera's pictures.

    Args:
        state: "live", "failed" if an unexpected fault has ended the camera's thread, or another.
        age_s: age of the newest picture in seconds; None: there has been none.
        per_s: recent pictures a second.
        patience_s: longest age allowed, in seconds, for a camera known to send pictures rarely.
    """
    found = partial(Finding, "frames")
    if state == "failed":
        return found(Verdict.BAD, say("The camera watcher has failed."), say("Restart the program."))
    if state != "live":
        return found(Verdict.UNKNOWN, say("No camera is being watched."))
    if age_s is None:
        return found(Verdict.BAD, say("The camera has not sent a picture yet."))
    often = f"{per_s:.0f}" if per_s >= 1 else f"{per_s:.1f}"
    text = say("{often} pictures a second, the newest {age} s old.", often=often, age=f"{age_s:.1f}")
    return found(Verdict.GOOD if age_s < max(STALE_S, patience_s) else Verdict.BAD, text)


def exposure(state: str, held: Mapping[str, tuple[float, ...]], unkept: Sequence[str]) -> Finding:
    """Whether the camera keeps exposure, gain and white balance locked.

    Args:
        state: "left", "unreachable", "metering" or "locked".
        held: each locked part with the values read back, if the camera gives any: "exposure" in seconds, "gain",
            "white_balance" as gains of red and blue or in kelvin, "focus".
        unkept: the parts that the camera has and does not keep locked.
    """
    found = partial(Finding, "exposure")
    if state == "left":
        return found(Verdict.GOOD, say("The settings leave exposure and colours to the camera."))
    if state == "unreachable":
        remedy = say("Lock exposure, white balance and focus in the phone’s camera app.")
        return found(Verdict.UNKNOWN, say("A stream’s camera cannot be locked from here."), remedy)
    if state != "locked":
        return found(Verdict.UNKNOWN, say("The camera is metering the light."))
    light, gain, white = (_held(part, held, unkept) for part in ("exposure", "gain", "white_balance"))
    # A camera without a gain control mostly has a fixed gain; a part that it has and does not lock keeps drifting.
    if not unkept and {"exposure", "white_balance"} <= held.keys():
        return found(
            Verdict.GOOD,
            say(
                "Locked: exposure {light}, gain {gain}, white balance {white}.",
                light=light,
                gain=gain,
                white=white,
            ),
        )
    remedy = say("Keep the light as it is during a match.")
    if "focus" in unkept:
        remedy = say("The camera keeps refocusing; switch its autofocus off.")
    return found(
        Verdict.WARN,
        say(
            "Not all can be locked: exposure {light}, gain {gain}, white balance {white}.",
            light=light,
            gain=gain,
            white=white,
        ),
        remedy,
    )


def _held(part: str, held: Mapping[str, tuple[float, ...]], unkept: Sequence[str]) -> Sentence:
    """A camera's locked value of a part, in words."""
    if part not in held:
        return say("not kept") if part in unkept else say("not offered")
    numbers = held[part]
    if not numbers:
        return say("as metered")
    if part == "exposure":
        return verbatim(f"1/{1 / numbers[0]:.0f} s" if 0 < numbers[0] < 1 else f"{numbers[0]:g} s")
    unit = " K" if part == "white_balance" and len(numbers) == 1 else ""
    return verbatim("/".join(f"{round(number, 2):g}" for number in numbers) + unit)


def machine(folder: Path, *, takes: bool = True) -> list[Finding]:
    """All checks of the machine that need no camera, pins or page; `takes` as for `disk`."""
    return [temperature(), power(), disk(folder, takes=takes), *set_aside(folder), clock()]


EVERY_S = 30.0
"""Seconds between checks of the machine; heat and disks change slowly."""
POLL_S, COUNT_S = 1.0, 3.0
"""Seconds between checks for the first pictures, and of counting these before their rate is reported."""


class HealthWatch:
    """Checks the machine every EVERY_S seconds and reports the findings."""

    def __init__(
        self,
        folder: Path,
        takes: Callable[[], bool],
        eye: Callable[[], "Eye"],
        report: Callable[[Sequence[Finding]], None],
        log: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True),
    ) -> None:
        """Set up the checks; `start` begins them.

        Args:
            folder: the state folder.
            takes: whether the last write to the disk succeeded.
            eye: gives the camera's present thread.
            report: called with the findings of each round, on this object's thread.
            log: writes a line for a finding that turns bad, and for a change of the camera's exposure.
        """
        self._folder, self._takes, self._eye = folder, takes, eye
        self._report, self._log = report, log
        self._counted_of, self._counted = eye(), (0, time.monotonic())
        self._bad: set[str] = set()
        self._locked = ""
        self._closing = threading.Event()

    def start(self) -> None:
        """Check every half minute until `close`, for the first time as soon as there are pictures."""
        threading.Thread(target=self._run, name="health", daemon=True).start()

    def close(self) -> None:
        """Stop checking."""
        self._closing.set()

    def at_start(self) -> list[Finding]:
        """The findings before the camera has been opened."""
        return [*machine(self._folder, takes=self._takes()), frames("none", None, 0.0)]

    def look(self) -> list[Finding]:
        """Run all checks once; log findings that turned bad, and changes of the locked controls.

        The keeper logs missing pictures itself, sooner and in the eye's words.
        """
        findings = [*machine(self._folder, takes=self._takes()), *self._camera()]
        bad = {finding.what for finding in findings if finding.verdict is Verdict.BAD}
        for finding in findings:
            if finding.what in bad - self._bad - {"frames"}:
                self._log(finding.line())
            if finding.what == "exposure" and finding.line() != self._locked:
                self._locked = finding.line()
                self._log(self._locked)
        self._bad = bad
        return findings

    def _run(self) -> None:
        while self._wait():
            self._report(self.look())

    def _wait(self) -> bool:
        """Wait for the next round, the first time until pictures come; False if the program ends."""
        begun, until_s = self._counted[0] > 0, time.monotonic() + EVERY_S
        while not begun and not self._eye().board_place.frames and time.monotonic() < until_s:
            if self._closing.wait(POLL_S):
                return False
        if not begun and self._eye().board_place.frames:
            self._counted_of = self._eye()
            self._counted = (self._counted_of.board_place.frames, time.monotonic())
            return not self._closing.wait(COUNT_S)
        return not self._closing.wait(max(0.0, until_s - time.monotonic()))

    def _camera(self) -> list[Finding]:
        """The findings on the camera's pictures, and of a live camera on its controls from the first picture on."""
        from vision.capture.live import LiveCamera  # loads OpenCV; the page need not wait for it

        eye, now_s = self._eye(), time.monotonic()
        shown = eye.board_place.frames
        before, since_s = self._counted if eye is self._counted_of else (0, eye.began_s)
        self._counted_of, self._counted = eye, (shown, now_s)
        camera = eye.camera
        state = "failed" if eye.failed else "live" if camera is not None and camera.live else "none"
        age_s = now_s - eye.board_place.seen_s if shown else None
        per_s = (shown - before) / max(0.001, now_s - since_s)
        if not isinstance(camera, LiveCamera):
            return [frames(state, age_s, per_s)]
        found = [frames(state, age_s, per_s, camera.patience_s)]
        if shown:
            found.append(exposure(camera.lock.state.value, camera.lock.held, camera.lock.unkept))
        return found
