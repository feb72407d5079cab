"""Checks of `companion doctor`: camera, pins, page, libraries. Each gives a finding with its remedy."""

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from enum import Enum
from functools import partial
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.camera.board_place import board_of_settings
from companion.camera.sources import open_as_set
from companion.service.hall.joining import hall_findings
from companion.service.health import Finding, Verdict, exposure, machine
from companion.service.lights import lights_findings
from companion.service.network import check_address, own_host
from companion.service.page_services import wiring_of
from companion.settings import Settings
from companion.storage.folder import (
    AUTHORITY,
    BOARD_FILE,
    CERTIFICATES,
    LOCK,
    MATCHES,
    PAGE_CERTIFICATE,
    PICTURES,
    PROBE,
    ROLES_FILE,
    STARTS_FILE,
    is_held,
    place_in,
    restore_trouble,
)
from sentence import verbatim
from web.errors import WebError
from web.openapi import TITLE

if TYPE_CHECKING:
    from vision.board.calibration import Board
    from vision.capture.camera import Camera


def _found(what: str, verdict: Verdict, text: str, remedy: str = "") -> Finding:
    """A finding for the command line only, in English."""
    return Finding(what, verdict, verbatim(text), verbatim(remedy))


_NO_CAMERA = {
    "auto": (
        "No camera is found: 'companion run' plays recorded throws.",
        'Plug one in, or name it with camera.source; "plugged" waits for one instead.',
    ),
    "plugged": (
        "No camera was found: 'companion run' waits for one; enter rolls by hand meanwhile.",
        "Plug one in, or name it with camera.source.",
    ),
}
"""Text and remedy if no camera is found, by camera.source."""
AS_SERVICE = "Ask as the service's user."
LOCK_S = 8.0
"""A camera meters and locks within three seconds; one whose picture needs correction takes two more."""


def findings(settings: Settings, folder: Path, walk: Callable[[str], None] | None) -> Iterator[Finding]:
    """All checks.

    Args:
        settings: as for `companion run`.
        folder: the state folder.
        walk: as for `gpio`.
    """
    found = listener(settings, folder)
    ours = found in (Listener.PAGE, Listener.HUNG)  # a running companion holds camera, pins and journal
    for notice in settings.notices:
        yield _found("settings", Verdict.WARN, notice)
    yield libraries()
    for finding in camera(settings):
        yield in_use(finding) if ours else finding
    yield board(settings, folder)
    pins = gpio(settings, walk)
    # without pins, none can be in use elsewhere
    yield in_use(pins) if ours and pins.what != "lamps" else pins
    yield from lights_findings(settings)
    for finding in machine(folder):
        if finding.what == "disk":
            finding = trial_write(finding, folder)
            if finding.verdict is Verdict.BAD:
                finding = replace(finding, text=verbatim(settings.named("keep.folder", str(finding.text))))
        yield finding
    if not ours:
        yield from kept(folder)
    yield page(settings, found, folder)
    yield from https(settings, folder)
    yield from hall_findings(settings)


def camera(settings: Settings) -> list[Finding]:
    """Take one picture as the program would; of a live camera, check also which controls can be locked."""
    from vision.capture.source import find_camera
    from vision.errors import VisionError

    wanted = settings.camera
    if wanted.source in ("none", "recorded"):
        return [_found("camera", Verdict.GOOD, f"The settings say '{wanted.source}': no camera is used.")]
    try:
        source = find_camera() if wanted.source in ("auto", "plugged") else wanted.source
        if source is None:
            return [_found("camera", Verdict.WARN, *_NO_CAMERA[wanted.source])]
        with closing(open_as_set(source, wanted)) as opened:
            return [_picture(opened), *_lock(opened)]
    except VisionError as error:
        text = str(error) if _may_come(wanted.source) else settings.named("camera.source", str(error))
        return [_found("camera", Verdict.BAD, text)]


def _may_come(source: str) -> bool:
    """Whether a missing source may be connected later: a device may; a missing file or wrong name is a bad setting."""
    from vision.capture.source import is_live
    from vision.errors import BadSource

    try:
        return source in ("auto", "plugged") or is_live(source)
    except BadSource:
        return False


def _lock(camera: "Camera") -> list[Finding]:
    """The locked controls of a live camera after metering, at most LOCK_S; [] for a recording."""
    from vision.capture.live import LiveCamera
    from vision.capture.lock import LockState

    if not isinstance(camera, LiveCamera):
        return []
    until_s = time.monotonic() + LOCK_S
    for _ in camera.frames():
        if camera.lock.state is not LockState.METERING or time.monotonic() > until_s:
            break
    return [exposure(camera.lock.state.value, camera.lock.held, camera.lock.unkept)]


def _picture(camera: "Camera") -> Finding:
    frame = next(iter(camera.frames()), None)
    if frame is None:
        return _found("camera", Verdict.BAD, f"{camera.name} gives no picture.")
    width, height = frame.size_px
    level = float(frame.bgr.mean())
    text = f"{camera.name} gives pictures of {width} by {height} pixels, mean brightness {level:.0f} of 255."
    if not 30 <= level <= 225:
        return _found("camera", Verdict.WARN, text, "Change the light.")
    return _found("camera", Verdict.GOOD, text)


def board(settings: Settings, folder: Path) -> Finding:
    """Whether the board's place is known: from the board file in the settings, or from the page (state folder)."""
    from vision.errors import VisionError

    found = partial(_found, "board")
    try:
        known = board_of_settings(settings)
        if known is not None:
            return found(Verdict.GOOD, f"The board file describes {_surface(known)}.")
        if settings.camera.source in ("none", "recorded"):
            return found(Verdict.GOOD, "No camera is used: no board need be known.")
        if (folder / BOARD_FILE).exists():
            return _placed(folder / BOARD_FILE)
    except PermissionError:
        text = f"Where the board was placed on the page cannot be looked at in {folder} by this user."
        return found(Verdict.UNKNOWN, text, AS_SERVICE)
    except VisionError as error:
        return found(Verdict.BAD, str(error), "Make it anew with 'companion calibrate'.")
    text = "The board has not been placed; the program looks for it in the picture."
    return found(Verdict.WARN, text, "Look on the page whether it was found, or place it there.")


def _placed(file: Path) -> Finding:
    """Whether the place set on the page can be used."""
    from vision.board.calibration import load_board
    from vision.errors import BadBoard

    try:
        known = load_board(file)
    except BadBoard as error:
        if isinstance(error.__cause__ or error.__context__, PermissionError):
            return _found("board", Verdict.UNKNOWN, str(error), AS_SERVICE)
        text = f"{error} Looking for the board in the picture."
        return _found("board", Verdict.WARN, text, "Place it anew on the page.")
    return _found("board", Verdict.GOOD, f"The board was placed on the page: {_surface(known)}.")


def _surface(known: "Board") -> str:
    width_mm, height_mm = known.surface_mm
    return f"a surface of {width_mm:.0f} by {height_mm:.0f} mm"


def gpio(settings: Settings, walk: Callable[[str], None] | None = None) -> Finding:
    """Whether every lamp and button works; `walk` gets the name of each lamp while only that one is lit."""
    from hardware.buttons import Buttons
    from hardware.errors import HardwareError
    from hardware.lamps import Lamps
    from hardware.pins import find_pins

    found = partial(_found, "gpio")
    try:
        wiring = wiring_of(settings)
        pins = find_pins(settings.lamps.pins)
    except HardwareError as error:
        return found(Verdict.BAD, settings.named("lamps.pins", str(error)))
    if walk is not None and not pins.real:
        mock = settings.lamps.pins == "mock"
        remedy = 'Set lamps.pins to "auto".' if mock else "Ask on the Raspberry Pi that the lamps hang on."
        return _found("lamps", Verdict.BAD, f"No lamp can be lit. {pins.notice}", remedy)
    with closing(Lamps(wiring, pins)) as lamps, closing(Buttons(wiring, pins, lambda edge: None)) as buttons:
        if walk is not None:
            for name in lamps.names:
                lamps.show({name: "on"})
                walk(name)
            if lamps.has_buzzer:
                lamps.show({})
                lamps.sound()
                walk("buzzer")
        problems = lamps.problems + buttons.problems
        down = buttons.down()
    if not pins.real:
        return found(Verdict.UNKNOWN, pins.notice)
    if problems:
        return found(Verdict.BAD, " ".join(map(str, problems)), "Is another program using the pins?")
    if down:
        return found(Verdict.WARN, f"Down at this moment: {', '.join(down)}.", "Is it stuck?")
    return found(Verdict.GOOD, f"{len(wiring.lamps)} lamps and {len(wiring.buttons)} buttons are there.")


TRIAL_BYTES = 4096
"""One page, the least that a card writes."""


def trial_write(looked: Finding, folder: Path) -> Finding:
    """Whether the state folder can be written: a dead card may look sound, or only small, until a write.

    The trial file has no name, if the system supports that, and is deleted in any case. If the folder is still
    missing, its nearest existing parent is tried.
    """
    there = next(place for place in (folder, *folder.parents) if place.exists())
    try:
        with tempfile.TemporaryFile(dir=there) as trial:
            trial.write(bytes(TRIAL_BYTES))
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as error:
        if looked.verdict is Verdict.BAD and error.errno not in (errno.EIO, errno.EROFS):
            return looked
        text = f"{folder} cannot be written ({error.strerror or error})."
        return _found("disk", Verdict.BAD, text, "Free it, put in another card, or set keep.folder.")
    return looked


PARTS: tuple[tuple[str, str, Callable[[Path], bool]], ...] = (
    (LOCK, "file", Path.is_file),
    (STARTS_FILE, "file", Path.is_file),
    (f".{STARTS_FILE}.part", "file", Path.is_file),
    (PROBE, "file", Path.is_file),
    (PICTURES, "folder", Path.is_dir),
    (MATCHES, "folder", Path.is_dir),
)
"""Other entries of the state folder that a start needs: name, kind, and the check of the kind."""


def kept(folder: Path) -> list[Finding]:
    """Damage to matches and join codes that the next start would find; [] for none or an empty folder."""
    from companion.errors import UserError
    from companion.storage.recovery import is_damaged
    from companion.storage.signing import key_trouble
    from web.roles import read_codes

    found, bad = [], partial(_found, "kept", Verdict.BAD)
    try:
        for name, kind, is_so in PARTS:
            place = place_in(folder, name)
            if os.path.lexists(place) and not is_so(place):  # a link to nothing, too
                found.append(bad(f"{place} is no {kind}: no start is possible.", "Move it away."))
        if trouble := restore_trouble(folder):
            found.append(bad(f"{trouble} No start is possible.", "Move it away."))
        if is_damaged(folder):
            remedy = "The next start sets it aside and goes on with what can be read of it."
            found.append(bad(f"The journal {place_in(folder, MATCHES)} is damaged.", remedy))
        if trouble := key_trouble(folder):
            remedy = "Take it from a backup, or move it away: the next start makes another one."
            found.append(bad(f"{trouble} No match is signed.", remedy))
        if (folder / ROLES_FILE).exists():
            read_codes(folder / ROLES_FILE)
    except (UserError, WebError, PermissionError) as error:
        if isinstance(error.__cause__ or error, PermissionError):
            text = f"What is kept in {folder} cannot be looked at by this user."
            return [*found, _found("kept", Verdict.UNKNOWN, text, AS_SERVICE)]
        found.append(bad(str(error)))
    return found


def https(settings: Settings, folder: Path) -> list[Finding]:
    """Whether HTTPS has a certificate, and until when; [] if HTTPS is switched off."""
    from web.server.tls import tls_context

    found, named = partial(_found, "https"), settings.page.certificate
    if not settings.page.https_port and named:
        text = f"The certificate {named} is set, but page.https_port is not."
        remedy = "Set page.https_port; until then there is no HTTPS."
        return [found(Verdict.WARN, settings.named("page.certificate", text), remedy)]
    if not settings.page.https_port:
        return []
    file = Path(named) if named else folder / CERTIFICATES / PAGE_CERTIFICATE
    try:
        if named or file.exists():
            tls_context(file)
        elif shutil.which("openssl") is None:
            remedy = "Install it: 'sudo apt install openssl'."
            return [found(Verdict.BAD, "There is no openssl to make a certificate.", remedy)]
        else:
            return [found(Verdict.GOOD, "The next start makes the certificate for HTTPS.")]
    except PermissionError:
        return [found(Verdict.UNKNOWN, f"The certificate {file} cannot be read by this user.", AS_SERVICE)]
    except WebError as error:
        if isinstance(error.__cause__, PermissionError):
            return [found(Verdict.UNKNOWN, str(error), AS_SERVICE)]
        return [found(Verdict.BAD, settings.named("page.certificate", str(error)))]
    authority = folder / CERTIFICATES / AUTHORITY
    chain = [authority, file] if not named and authority.exists() else [file]
    ends = [until(part) for part in chain]
    return [next((one for one in ends if one.verdict is Verdict.BAD), ends[-1])]


SOON_S = 30 * 86400
"""A certificate that ends within a month may end in the middle of a tournament."""


def until(file: Path, now_s: Callable[[], float] = time.time) -> Finding:
    """Whether a certificate is valid, and until when, by openssl."""
    from companion.service.certificate import CertificateError, validity_s

    found = partial(_found, "https")
    try:
        begins_s, ends_s = validity_s(file)
    except (CertificateError, OSError, subprocess.SubprocessError):
        return found(Verdict.UNKNOWN, f"{file} does not say until when it holds.")
    begins, ends = (time.strftime("%Y-%m-%d", time.gmtime(date_s)) for date_s in (begins_s, ends_s))
    remedy = "Put a new one there, or start the program anew."
    if begins_s > now_s():
        text = f"The certificate {file} holds from {begins} on: by the clock, not yet."
        return found(Verdict.BAD, text, f"Look whether the clock is right. {remedy}")
    text = f"The certificate for HTTPS holds until {ends}."
    if ends_s < now_s() + SOON_S:
        return found(Verdict.BAD if ends_s < now_s() else Verdict.WARN, text, remedy)
    return found(Verdict.GOOD, text)


def in_use(finding: Finding) -> Finding:
    """The finding on a camera or pins in use by a running companion: a bad one becomes unknown."""
    if finding.verdict is not Verdict.BAD:
        return finding
    remedy = "Its page says how they fare; to look from here, stop it: 'sudo systemctl stop board-companion'."
    return _found(finding.what, Verdict.UNKNOWN, f"A companion is running. {finding.text}", remedy)


class Listener(Enum):
    """The program that listens on the page's port."""

    NOBODY = "nobody"
    PAGE = "a companion"
    HUNG = "a companion that does not answer"
    STRANGER = "something else"


ANSWER_S = 3.0
"""The page answers in milliseconds, during its start within a second or two."""
ANSWER_BYTES = 1 << 20
"""Many times the size of the page's API document."""


def listener(settings: Settings, folder: Path) -> Listener:
    """Find the program that listens on the page's port; our page gives everybody /api/openapi.json."""
    here, port = own_host(settings.page.host), settings.page.port
    if port == 0:
        return Listener.NOBODY
    with closing(HTTPConnection(here, port, timeout=ANSWER_S)) as talk:
        try:
            talk.connect()
        except (OSError, UnicodeError):  # not a valid host name
            return Listener.NOBODY
        try:
            talk.request("GET", "/api/openapi.json")
            answer = talk.getresponse()
            speaks_so = answer.status == 200 and answer.headers.get_content_type() == "application/json"
            body = answer.read(ANSWER_BYTES) if speaks_so else b""
        except OSError:
            return Listener.HUNG if is_held(folder) else Listener.STRANGER
        except HTTPException:
            return Listener.STRANGER
    return Listener.PAGE if json.dumps(TITLE).encode() in body else Listener.STRANGER


def page(settings: Settings, listening: Listener, folder: Path) -> Finding:
    """Whether the page answers, or could, given the listener on its port."""
    found, port = partial(_found, "page"), settings.page.port
    if listening is Listener.PAGE:
        return found(Verdict.GOOD, f"A page answers on port {port}.")
    if listening is Listener.HUNG:
        text = f"A companion runs with {folder}, but its page does not answer on port {port}."
        return found(Verdict.BAD, text, "Start it anew: 'sudo systemctl restart board-companion'.")
    if listening is Listener.STRANGER:
        return found(Verdict.BAD, f"Something else listens on port {port}.", "Set page.port.")
    try:
        check_address(settings)
    except WebError as error:
        return found(Verdict.BAD, str(error))
    if port == 0:
        return found(Verdict.GOOD, "The page will take any free port.")
    return found(Verdict.GOOD, f"Port {port} is free; the page is not running now.")


def libraries() -> Finding:
    """Whether OpenCV, numpy, the nets' engine and picamera2 (if installed) work together in one process."""
    found, names = partial(_found, "python"), ["cv2", "numpy"]
    if find_spec("picamera2") is not None:
        names.append("picamera2")
    # In a separate process: the known clash (numpy 2 with picamera2's libraries) can kill the process.
    code = (
        f"import {', '.join(names)}; from vision.net import engine; "
        "print(cv2.__version__, numpy.__version__, engine())"
    )
    tried = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    if tried.returncode == 0:
        opencv, numpy, engine = tried.stdout.split(maxsplit=2)
        more = ", picamera2 with them" if "picamera2" in names else ""
        text = f"OpenCV {opencv} and numpy {numpy} work{more}; {engine.strip()} runs the nets."
        return found(Verdict.GOOD, text)
    last = (tried.stderr.strip().splitlines() or [f"exit status {tried.returncode}"])[-1]
    remedy = "Use the system's own: an environment with --system-site-packages and no numpy from a wheel."
    return found(Verdict.BAD, f"{' and '.join(names)} do not work together ({last}).", remedy)
