"""The hall's programs: a table's link to its hall, and the hub with its pages."""

import re
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec

from companion.errors import UserError
from companion.hall.broker import HallError, Line, address_in, load_credentials
from companion.hall.hub import HallTable, Hub
from companion.hall.journal_rows import JournalRows
from companion.hall.protocol.messages import About
from companion.hall.protocol.topics import HUB, Topics, is_name
from companion.hall.store import Store
from companion.hall.table_link import OFFLINE, TableLink
from companion.service.network import base_url, check_address, join_links, served
from companion.service.systemd import Notify
from companion.settings import Settings
from companion.storage.folder import HALL, HALL_STORE, FolderLock
from companion.storage.journal import Journal
from sentence import say
from web.page import Answer, Page, State, refused
from web.roles import Role, Visitor

SQLITE = "sqlite:///"


def to_log(text: str) -> None:
    """Write a line to standard error, which systemd reads."""
    print(text, file=sys.stderr, flush=True)


def link_to_hall(
    settings: Settings,
    folder: Path,
    journal: Callable[[], Journal],
    page: Page,
    log: Callable[[str], None] = to_log,
) -> Line | None:
    """A table's link to its hall, not started yet; None without one in the settings.

    Raises:
        HallError: the settings of the hall cannot be used; the text names their line.
    """
    hall = settings.hall
    if not hall.broker or not hall.table:
        return None
    _check_names(settings)
    topics = Topics(hall.name, hall.table)

    def view() -> State | None:
        edition = page.newest_or_none()
        return edition.state(Visitor(Role.VIEWER)) if edition else None

    about = About(version("board-companion"), uuid4().hex)
    link = TableLink(topics, JournalRows(journal, folder, hall.name), view, about, log)
    line = _line_of(settings, link, (topics.availability, OFFLINE))
    page.on_change(line.wake)
    return line


def _check_names(settings: Settings) -> None:
    hall = settings.hall
    for key in ("name", "table"):
        text = getattr(hall, key)
        with settings.blaming(f"hall.{key}", HallError):
            if (text or key == "name") and (not is_name(text) or text == HUB):
                fault = f"hall.{key} is up to 40 letters, digits, hyphens and underscores, and not “{HUB}”."
                raise HallError(fault)


def _line_of(settings: Settings, talk: Any, will: tuple[str, bytes] | None) -> Line:
    hall = settings.hall
    with settings.blaming("hall.broker", HallError):
        address = address_in(hall.broker)
    with settings.blaming("hall.credentials", HallError):
        if not hall.credentials:
            raise HallError("A hall needs hall.credentials: a file with user and password at its broker.")
        return Line(address, load_credentials(Path(hall.credentials)), talk, will)


def in_order(name: str) -> list[tuple[int, int, str]]:
    """A sort key that puts table 2 before table 10, and numbers before names."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


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
        from web.hall.pages import hall as hall_pages

        if not settings.hall.broker:
            raise HallError(
                "The hub needs its hall in the settings: [hall] with broker, name and credentials."
            )
        _check_names(settings)
        check_address(settings)
        self._settings, self._to_user = settings, to_user
        self._seq = 0
        self._own = folder / HALL
        try:
            self._own.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{self._own} cannot be used: {error.strerror or error}.") from None
        with ExitStack() as parts:
            parts.enter_context(closing(FolderLock(self._own)))
            self._page = Page(_refuse)
            store = parts.enter_context(closing(Store(_store_file(settings, self._own))))
            self._hub = Hub(settings.hall.name, store, self._show, to_log)
            self._show(self._hub.tables)
            self._line = _line_of(settings, self._hub, None)
            self._server = served(self._page, self._own, settings, (hall_pages,))
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

    def _show(self, tables: Mapping[str, HallTable]) -> None:
        """Publish all tables to wall and desk; what does not hold is the director's business only."""
        self._seq += 1
        seq, name = self._seq, self._settings.hall.name
        shown = [msgspec.to_builtins(tables[table].as_json(table)) for table in sorted(tables, key=in_order)]
        plain = [{**table, "fault": ""} for table in shown]

        def view(visitor: Visitor) -> State:
            for_director = visitor.role is Role.DIRECTOR
            return {"seq": seq, "hall": name, "tables": shown if for_director else plain}

        self._page.publish(seq, view)


def _refuse(visitor: Visitor, body: object) -> Answer:
    return refused(403, "Not here", say("A hall takes no actions; open the table's own page."))


def _store_file(settings: Settings, folder: Path) -> Path:
    store = settings.hall.store
    with settings.blaming("hall.store", HallError):
        if store and (not store.startswith(SQLITE) or store == SQLITE):
            raise HallError(f"hall.store is {store[:60]}, but must be {SQLITE}FILE.")
    return Path(store.removeprefix(SQLITE)) if store else folder / HALL_STORE
