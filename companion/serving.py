"""The page as the settings want it served: plain, and over HTTPS where that is asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

from companion.certificate import AUTHORITY, own_certificate, own_names
from companion.links import ROLES_FILE
from companion.settings import PageSettings
from web.page import Page

if TYPE_CHECKING:
    from web.serve import Running


def served(page: Page, folder: Path, wanted: PageSettings) -> "Running":
    """The page, answering.

    Args:
        page: what is shown.
        folder: the state folder, for the join codes and this machine's own certificate.
        wanted: where and how.

    Raises:
        WebError, CertificateError: the address is taken, or there is no certificate to be had.
    """
    from web.app import WebSettings, create_app
    from web.roles import Roles
    from web.serve import Tls, serve

    tls, authority = None, None
    if wanted.https_port and wanted.certificate:
        tls = Tls(wanted.https_port, Path(wanted.certificate))
    elif wanted.https_port:
        tls = Tls(wanted.https_port, own_certificate(folder / "https", own_names()))
        authority = (folder / "https" / AUTHORITY).read_bytes()
    chosen = WebSettings(
        address=wanted.address,
        proxies=wanted.proxies,
        language=wanted.language,
        theme=wanted.theme,
        voice=wanted.voice,
        authority=authority,
    )
    return serve(create_app(page, Roles(folder / ROLES_FILE), chosen), wanted.host, wanted.port, tls)
