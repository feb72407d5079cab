"""The page's addresses and servers: join links and their QR codes, plain HTTP, HTTPS."""

import io
import os
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import segno

from companion.service.certificate import own_certificate, own_names
from companion.settings import PageSettings, Settings
from companion.storage.folder import (
    AUTHORITY,
    CERTIFICATES,
    ROLES_FILE,
    STARTS_FILE,
    TABLE_FILE,
    port_of_page,
)
from web.page import Page
from web.roles import Role, Roles, Seat
from web.setup.table_setup import SetupFile

if TYPE_CHECKING:
    from flask import Blueprint

    from web.app import WebSettings
    from web.server.serve import Running

_ROLES: dict[str, tuple[Role, Seat | None]] = {
    "scorekeeper": (Role.SCOREKEEPER, None),
    "director": (Role.DIRECTOR, None),
    "south": (Role.PLAYER, "south"),
    "north": (Role.PLAYER, "north"),
    "viewer": (Role.VIEWER, None),
}
_EVERYWHERE = ("0.0.0.0", "::", "")
"""Hosts of the settings that stand for all addresses of this machine."""
FIRST = "Scan the code with a phone in this network, or open the link: the first sets up the table and directs it."
LATER = "Scan the code with a phone in this network, or open the link, to keep score; its menu has codes for others."

LIGHT_ON_DARK, PLAIN = "\x1b[97;40m", "\x1b[0m"
"""Colours of the terminal (ECMA-48): some phones read no code drawn dark on light the wrong way round."""


def join_links(folder: Path, base: str) -> dict[str, str]:
    """The permanent join link of each role, by "scorekeeper", "director", "south", "north" and "viewer"."""
    roles = Roles(folder / ROLES_FILE)
    return {name: f"{base}/join/{roles.standing(*who).code}" for name, who in _ROLES.items()}


def awaits_first_run(folder: Path) -> bool:
    """Whether nobody has set up the table of a state folder, or no program has used the folder yet."""
    table = folder / TABLE_FILE
    return SetupFile(table).now.open if table.exists() else not (folder / STARTS_FILE).exists()


def shows_drawings(descriptor: int) -> bool:
    """Whether what is written here is seen by a person, in letters that QR codes are drawn with."""
    started_with = sys.__stdout__.encoding if sys.__stdout__ else ""
    return os.isatty(descriptor) and "utf" in started_with.lower()


def invitation(link: str, *, is_first: bool) -> str:
    """The code to scan and what it does; at a table that nobody has set up it leads to that."""
    return drawn(f"{link}?to=/welcome" if is_first else link) + "\n" + (FIRST if is_first else LATER)


def drawn(link: str) -> str:
    """A link as a QR code in half blocks for a terminal."""
    out = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(out, border=2, compact=True)
    return "\n".join(f"{LIGHT_ON_DARK}{line}{PLAIN}" for line in out.getvalue().splitlines())


def url(host: str, port: int, scheme: str = "http") -> str:
    """Start of links to a host name or address."""
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def base_url(page: PageSettings, port: int) -> str:
    """Start of links to this machine: scheme, host and port."""
    if page.address:
        return page.address.rstrip("/")
    return url(own_address() if page.host in _EVERYWHERE else page.host, port)


def as_running(settings: Settings, folder: Path) -> Settings:
    """The settings with the port of the page that runs with this state folder, if one does: `run --port` sets it."""
    port = port_of_page(folder)
    return settings if port is None else replace(settings, page=replace(settings.page, port=port))


def own_host(host: str) -> str:
    """The host by which this machine reaches its own page, given the host that the page listens on."""
    return {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)


def safe_url(page: PageSettings, port: int) -> str:
    """Start of links over HTTPS, at this port."""
    return url(str(urlsplit(base_url(page, port)).hostname), port, "https")


def own_address() -> str:
    """This machine's address in its network; the loopback address if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as talk:
        try:
            talk.connect(("192.0.2.1", 9))  # sends nothing: the kernel only chooses a route
            return str(talk.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def check_address(settings: Settings, *, shared: bool = False) -> None:
    """Check, before anything else starts, that the page can listen on the host and ports of the settings.

    Raises:
        PortTakenError: it cannot; the text names the line of the settings.
    """
    from web.errors import NoSuchAddressError, PortTakenError
    from web.server.listen import check_port

    page = settings.page
    for key in ("port", "https_port") if page.https_port else ("port",):
        try:
            check_port(page.host, getattr(page, key), shared=shared)
        except NoSuchAddressError as error:
            raise NoSuchAddressError(settings.named("page.host", str(error))) from error
        except PortTakenError as error:
            raise PortTakenError(settings.named(f"page.{key}", str(error))) from error


def served(
    page: Page,
    folder: Path,
    settings: Settings,
    of: "Sequence[Blueprint] | None" = None,
    setup: SetupFile | None = None,
    crowd: "WebSettings | None" = None,
    mark: str = "",
    *,
    shared: bool = False,
) -> "Running":
    """Start the page's server.

    Args:
        page: the table's states and actions.
        folder: the state folder, with the join codes and this machine's own certificate.
        settings: all settings; those of the page are used.
        of: the pages, if they are not a table's.
        setup: what is set on the page for the table.
        crowd: how many visitors there may be, if not a table's.
        mark: end of the role cookie's name, if not the table's own.
        shared: other processes may serve on the same ports.

    Raises:
        WebError, CertificateError: the address is taken, or there is no usable certificate.
    """
    from web.app import TABLE, WebSettings, create_app
    from web.errors import CertificateUnusableError
    from web.server.serve import Tls, serve

    wanted, tls, authority = settings.page, None, None
    if wanted.https_port and wanted.certificate:
        tls = Tls(wanted.https_port, Path(wanted.certificate))
    elif wanted.https_port:
        tls = Tls(wanted.https_port, own_certificate(folder / CERTIFICATES, own_names(own_address())))
        authority = (folder / CERTIFICATES / AUTHORITY).read_bytes()
    chosen = replace(
        crowd or WebSettings(),
        address=wanted.address,
        own_host=own_address if wanted.host in _EVERYWHERE else None,
        proxies=wanted.proxies,
        language=wanted.language,
        theme=wanted.theme,
        voice=wanted.voice,
        authority=authority,
        setup=setup,
        mark=mark,
    )
    with settings.blaming("page.certificate", CertificateUnusableError):
        app = create_app(page, Roles(folder / ROLES_FILE), chosen, of or TABLE)
        return serve(app, wanted.host, wanted.port, tls, shared=shared)
