"""Joining a hall: from an invitation to the table's settings and credentials, and the check that they work."""

import os
import pwd
import re
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from companion.hall.broker import Credentials, HallError, address_in
from companion.hall.protocol.invitation import CODE, Invitation, invitation_in
from companion.hall.protocol.messages import BadMessageError, encoded
from companion.service.hall.link import check_names, line_of_hall
from companion.service.hall.trial import Trial
from companion.service.health import Finding, Verdict
from companion.settings import HallSettings, Settings, load_settings, parse_settings
from companion.storage.errors import reported_as
from companion.storage.folder import HALL_CREDENTIALS
from companion.storage.wholefile import place_of, put_durably
from sentence import verbatim

SERVICE_USER = "board-companion"
PATIENCE_S = 8.0
_HEADER, _KEY = (
    re.compile(r"\s*\[\s*hall\s*\]\s*(#.*)?$"),
    re.compile(r"\s*(broker|name|table|credentials)\s*="),
)


def read_invitation(given: str) -> Invitation:
    """The invitation in a code, or in the file of this name; HallError if there is none."""
    data = given.encode()
    if not given.startswith(CODE):
        with reported_as(HallError, f"The invitation {given[:200]} cannot be read: {{why}}."):
            data = Path(given).read_bytes()
    try:
        return invitation_in(data)
    except BadMessageError as error:
        what = "This code" if given.startswith(CODE) else given
        raise HallError(f"{what} is no invitation of a hall: {error}") from None


def join_hall(file: Path, invitation: Invitation) -> None:
    """Write the table's credentials, then `[hall]` into its settings; everything else in them stays.

    Raises:
        HallError: the invitation cannot be used, or the files cannot be written; the settings are then unchanged.
        SettingsError: the settings file cannot be read.
    """
    there = load_settings(file) if file.exists() else Settings()
    text = there.given.text if there.given else ""
    wanted = HallSettings(invitation.broker, invitation.name, invitation.table, HALL_CREDENTIALS)
    address_in(invitation.broker)
    check_names(Settings(hall=wanted))
    if not wanted.table:
        raise HallError("The invitation names no table.")
    coming = with_hall(text, wanted)
    credentials = file.parent / HALL_CREDENTIALS
    kept = replace(there.hall, broker=wanted.broker, name=wanted.name, table=wanted.table)
    if parse_settings(coming, str(file), file.parent).hall != replace(kept, credentials=str(credentials)):
        raise HallError(
            f"{file} has [hall] in a form that is not changed here: write it by hand (docs/HALL.md)."
        )
    shown = Credentials(invitation.table, invitation.password, invitation.authority)
    with reported_as(HallError, f"{file.parent} cannot be written: {{why}}."):
        put_durably(credentials, encoded(shown), 0o600)
        _give_to_service(credentials)
        place = place_of(file)
        put_durably(place, coming.encode(), place.stat().st_mode & 0o777 if place.exists() else 0o666)


def with_hall(text: str, hall: HallSettings) -> str:
    """A settings text with these keys in its section `[hall]`, which is added at the end if it is missing."""
    keys = {key: getattr(hall, key) for key in ("broker", "name", "table", "credentials")}
    new = [f'{key} = "{value}"' for key, value in keys.items()]
    lines, out, is_here, is_done = text.splitlines(), list[str](), False, False
    for line in lines:
        if line.lstrip().startswith("["):
            is_here = _HEADER.match(line) is not None
        if not (is_here and _KEY.match(line)):
            out.append(line)
        if is_here and not is_done:
            out, is_done = out + new, True
    return "\n".join(out if is_done else [*out, *([""] if out else []), "[hall]", *new]) + "\n"


def _give_to_service(file: Path) -> None:
    """Give root's file to the installed service's user, who has to read it."""
    if os.geteuid() == 0:
        with suppress(KeyError):
            user = pwd.getpwnam(SERVICE_USER)
            os.chown(file, user.pw_uid, user.pw_gid)


def hall_findings(settings: Settings) -> list[Finding]:
    """Whether the table's hall can be reached with its credentials; [] for a table without a hall."""
    hall = settings.hall
    if not hall.broker or not hall.table:
        return []
    found = partial(_finding, "hall")
    talk = Trial()
    try:
        check_names(settings)
        # a client id of its own: the running program has the other
        with closing(line_of_hall(settings, talk, None, f"{hall.table}-doctor")) as line:
            line.start()
            talk.done.wait(PATIENCE_S)
    except HallError as error:
        remedy = "Ask the director of the hall for a new code: 'companion join-hall CODE'."
        return [found(Verdict.BAD, str(error), remedy)]
    if talk.trouble is None:
        return [
            found(Verdict.GOOD, f"Table {hall.table} of {hall.name}: {hall.broker} takes its credentials.")
        ]
    text = f"The hall's broker {hall.broker} is not reached ({talk.trouble})."
    is_refused = "uthori" in talk.trouble or "assword" in talk.trouble
    remedy = (
        "The credentials are another table's or former ones: 'companion join-hall' with a new code of the desk."
        if is_refused
        else "Is the broker running, and this machine in its network? Play goes on, and is sent later."
    )
    return [found(Verdict.BAD if is_refused else Verdict.WARN, text, remedy)]


def _finding(what: str, verdict: Verdict, text: str, remedy: str = "") -> Finding:
    return Finding(what, verdict, verbatim(text), verbatim(remedy))
