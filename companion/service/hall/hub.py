"""The hub of a hall with its pages."""

import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from companion.errors import UserError
from companion.hall.broker import HallError
from companion.hall.broker_users import BrokerUsers
from companion.hall.hub import Hub
from companion.hall.store import Store
from companion.service.hall.inviting import Invitations
from companion.service.hall.link import check_names, credentials_of, line_of_hall, to_log
from companion.service.hall.matches import HallMatches
from companion.service.hall.overview import Overview
from companion.service.network import base_url, check_address, join_links, served
from companion.service.systemd import Notify
from companion.settings import Settings
from companion.storage.folder import HALL, HALL_STORE, FolderLock
from sentence import say
from web.page import Answer, Page, refused
from web.roles import Visitor
from web.services import HallServices, Services

SQLITE = "sqlite:///"
BROKER, PASSWORDS = "broker", "passwords"
"""The broker's files in the hub's folder, unless the settings name another place."""


class HallApp:
    """The running hub.

    Args:
        settings: those of the hall and of the page.
        folder: the state folder; the hub has a folder of its own in it.
        to_user: prints a line for the user who started the program.

    Raises:
        UserError, WebError: the user has to correct something, named in one sentence.
    """

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        to_user: Callable[[str], None] = lambda text: print(text, flush=True),
    ) -> None:
        from web.hall.all_pages import HALL as PAGES

        if not settings.hall.broker:
            raise HallError(
                "The hub needs its hall in the settings: [hall] with broker, name and credentials."
            )
        check_names(settings)
        check_address(settings)
        self._settings, self._to_user = settings, to_user
        self._own = folder / HALL
        try:
            self._own.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{self._own} cannot be used: {error.strerror or error}.") from None
        with ExitStack() as parts:
            parts.enter_context(closing(FolderLock(self._own)))
            store = parts.enter_context(closing(Store(_store_file(settings, self._own))))
            invitations = _invitations(settings, self._own)
            matches = HallMatches(store)
            services = HallServices(
                invitations.tables,
                invitations.invite,
                matches.find,
                matches.about,
                matches.replay,
                matches.export,
            )
            self._page = Page(_refuse, services=Services(hall=services))
            delay_s, name = settings.hall.delay_s, settings.hall.name
            show = Overview(self._page, name, delay_s).show
            self._hub = Hub(name, store, show, to_log, each_turn=delay_s > 0)
            show(self._hub.tables)
            self._line = line_of_hall(settings, self._hub, None)
            self._server = served(self._page, self._own, settings, PAGES)
            parts.callback(self._server.close)
            parts.callback(self._line.close)
            self._parts = parts.pop_all()

    @property
    def port(self) -> int:
        """TCP port of the pages over plain HTTP."""
        return self._server.port

    def run(self) -> None:
        """Print the director's link, and run until SIGTERM or SIGINT."""
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, frame: stop.set())
        self.start()
        notify = Notify()
        notify("READY=1")
        while not stop.wait(3600):
            pass
        notify("STOPPING=1")
        self.close()

    def start(self) -> None:
        """Print the director's link, and listen to the tables."""
        self._to_user(join_links(self._own, base_url(self._settings.page, self.port))["director"])
        self._line.start()

    def close(self) -> None:
        """Close all parts."""
        self._parts.close()


def _refuse(visitor: Visitor, body: object) -> Answer:
    return refused(403, "Not here", say("A hall takes no actions; open the table's own page."))


def _invitations(settings: Settings, folder: Path) -> Invitations:
    hall, hub = settings.hall, credentials_of(settings)
    file = Path(hall.passwords) if hall.passwords else folder / BROKER / PASSWORDS
    with settings.blaming("hall.passwords", HallError):
        return Invitations(hall, hub, BrokerUsers(file, hall.name, hub))


def _store_file(settings: Settings, folder: Path) -> Path:
    store = settings.hall.store
    with settings.blaming("hall.store", HallError):
        if store and (not store.startswith(SQLITE) or store == SQLITE):
            raise HallError(f"hall.store is {store[:60]}, but must be {SQLITE}FILE.")
    return Path(store.removeprefix(SQLITE)) if store else folder / HALL_STORE
