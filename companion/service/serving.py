"""The page as the settings want it served: plain, and over HTTPS where that is asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

from companion.service.certificate import AUTHORITY, own_certificate, own_names
from companion.service.links import ROLES_FILE
from companion.settings import Settings
from web.page import Page

if TYPE_CHECKING:
    from web.serve import Running


def check_address(settings: Settings) -> None:
    """Before anything else has begun, try whether the page can listen where the settings say.

    Raises:
        PortTakenError: it cannot; named is the line of the settings, too.
    """
    from web.errors import NoSuchAddressError, PortTakenError
    from web.serve import check_port

    page = settings.page
    for key in ("page.port", "page.https_port") if page.https_port else ("page.port",):
        try:
            check_port(page.host, page.port if key == "page.port" else page.https_port)
        except NoSuchAddressError as error:
            raise NoSuchAddressError(settings.named("page.host", str(error))) from error
        except PortTakenError as error:
            raise PortTakenError(settings.named(key, str(error))) from error


def served(page: Page, folder: Path, settings: Settings) -> "Running":
    """The page, answering.

    Args:
        page: what is shown.
        folder: the state folder, for the join codes and this machine's own certificate.
        settings: where and how.

    Raises:
        WebError, CertificateError: the address is taken, or there is no certificate to be had.
    """
    from web.app import WebSettings, create_app
    from web.errors import CertificateUnusableError
    from web.roles import Roles
    from web.serve import Tls, serve

    wanted, tls, authority = settings.page, None, None
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
    with settings.blaming("page.certificate", CertificateUnusableError):
        return serve(create_app(page, Roles(folder / ROLES_FILE), chosen), wanted.host, wanted.port, tls)
