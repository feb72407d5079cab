"""Join links: where this machine is found, and the code for each role."""

import socket
from pathlib import Path
from urllib.parse import urlsplit

from companion.errors import UserError
from companion.game.state import Level, Notice
from companion.settings import PageSettings
from web.errors import RolesFileError
from web.roles import Roles, read_codes, set_damaged_aside
from web.views import Role, Seat

ROLES_FILE = "roles.json"
_WHO: dict[str, tuple[Role, Seat | None]] = {
    "scorekeeper": (Role.SCOREKEEPER, None),
    "director": (Role.DIRECTOR, None),
    "south": (Role.PLAYER, "south"),
    "north": (Role.PLAYER, "north"),
    "viewer": (Role.VIEWER, None),
}


def join_links(folder: Path, base: str) -> dict[str, str]:
    """The standing link of each role, by "scorekeeper", "director", "south", "north" and "viewer"."""
    roles = Roles(folder / ROLES_FILE)
    return {name: f"{base}/join/{roles.standing(*who).code}" for name, who in _WHO.items()}


def mend_codes(folder: Path) -> list[Notice]:
    """Before anybody is let in: set a damaged file of join codes aside; what is to be said about it.

    Raises:
        RolesFileError: that cannot be done.
    """
    aside = set_damaged_aside(folder / ROLES_FILE)
    if aside is None:
        return []
    return [
        Notice(
            "The join codes were damaged: new ones were made, earlier links no longer work; "
            f"the file is kept as {aside.name}. 'companion links' prints the new links.",
            Level.ALARM,
        )
    ]


def codes_trouble(folder: Path) -> str:
    """Why the join codes are good for nothing; "" where they are sound, or where there are none.

    Raises:
        UserError: they are there, and cannot be read by this user or at this moment.
    """
    try:
        read_codes(folder / ROLES_FILE)
    except FileNotFoundError:
        return ""
    except RolesFileError as error:
        if not error.lasting or isinstance(error.__cause__, PermissionError):
            raise UserError(str(error)) from error
        return str(error)
    return ""


def base_url(page: PageSettings, port: int) -> str:
    """What links to this machine begin with."""
    if page.address:
        return page.address.rstrip("/")
    host = page.host if page.host not in ("0.0.0.0", "::", "") else own_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def own_host(host: str) -> str:
    """Where this machine reaches its own page, by the address that the page listens on."""
    return {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)


def safe_url(page: PageSettings, port: int) -> str:
    """The same over HTTPS, at the port where that is spoken."""
    parts = urlsplit(base_url(page, port))
    host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else parts.hostname
    return f"https://{host}:{port}"


def own_address() -> str:
    """This machine's address in its network; the loopback address where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as talk:
        try:
            talk.connect(("192.0.2.1", 9))  # nothing is sent: the kernel only chooses the way
            return str(talk.getsockname()[0])
        except OSError:
            return "127.0.0.1"
