"""The hub of a hall with its pages."""

import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from uuid import uuid4

from companion.errors import UserError
from companion.hall.broker import Credentials, HallError, address_in
from companion.hall.broker_users import BrokerUsers
from companion.hall.hub import SHOW_S, HallTable, Hub
from companion.hall.pictures import PictureRules
from companion.hall.protocol.topics import HUB, Topics
from companion.hall.record.databases import POSTGRES, SQLITE, AnotherHubError, StoreError, database_of
from companion.hall.record.store import Store
from companion.hall.table_link import OFFLINE
from companion.hall.watch import HallWatch
from companion.service.hall.home import keep_home
from companion.service.hall.inviting import Invitations
from companion.service.hall.link import check_names, credentials_of, line_of_hall, to_log
from companion.service.hall.pages.draws import HallDraws
from companion.service.hall.pages.matches import HallMatches
from companion.service.hall.pages.overview import Overview
from companion.service.hall.pages.pairings import HallPairings
from companion.service.hall.pages.pictures import HallPictures
from companion.service.hall.pages.rulings import HallRulings
from companion.service.hall.trial import is_taken
from companion.service.hall.webhook import Webhook, check_webhook
from companion.service.network import base_url, check_address, join_links, served
from companion.service.systemd import Notify
from companion.settings import Settings
from companion.storage.folder import (
    BROKER,
    HALL,
    HALL_STORE,
    PASSWORDS,
    FolderHeldError,
    FolderLock,
    leave_port,
    port_of_page,
)
from sentence import Sentence, say, verbatim
from web.page import Answer, Page, refused
from web.roles import Visitor
from web.services import HallServices, Invited, Services

MOST_STREAMS, BEAT_S = 5000, 4.0
"""Spectators hang on the hub. On two cores it carries 5,000 (docs/HALL.md); whoever comes after them polls."""

SEARCHES = 20_000, 20, 50
"""Thresholds of the search for garbage (Python has 700, 10, 10); with 5,000 streams it was the largest part of the
hub's time."""

_NOT_HERE = verbatim("The hub has this page.")
"""Answers what no page of a process for spectators asks."""

AGAIN_S = 1.0
"""Seconds between two tries to reach the database at the begin."""

ENDS_WITHIN_S = 15.0
"""A hub that has lost its record to another one notices within a second, and then ends its pages."""

TAKEN_WITHIN_S = 3.0
"""A broker that systemd reloads takes a new password within a fraction of it (docs/HALL.md)."""


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
        from web.app import WebSettings
        from web.hall.all_pages import HALL as PAGES

        _check_hall(settings)
        check_address(settings)
        self._settings, self._to_user = settings, to_user
        self._own = folder / HALL
        self._record = settings.hall.store or f"{SQLITE}{self._own / HALL_STORE}"
        try:
            self._own.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{self._own} cannot be used: {error.strerror or error}.") from None
        with ExitStack() as parts:
            store = self._opened(parts, alone=True)  # for the tables: a hub that waits has nothing else yet
            parts.enter_context(closing(_folder_lock(self._own)))
            read = self._opened(parts)  # for the pages
            self._written, self._stop, self._is_replaced = store, threading.Event(), False
            self._looking_out = threading.Thread(target=self._look_out, name="writer", daemon=True)
            invitations = _invitations(settings, self._own, self._invited, self._is_online)
            writer = lambda: closing(Store(database_of(self._record)))  # noqa: E731
            matches = HallMatches(read, writer, self._tell)
            services = HallServices(
                invitations.tables,
                lambda table: self._invitation(invitations, table),
                matches.find,
                matches.about,
                matches.replay,
                matches.export,
                matches.results,
                matches.may_delete,
                matches.delete,
                HallPairings(read, matches, invitations.tables, settings.profiles, self._tell, writer),
                HallDraws(read, matches, settings.profiles),
                HallRulings(read, self._tell),
                HallPictures(read, settings.hall, self._tell),
                invitations.visit,
            )
            self._page = Page(_refuse, services=Services(hall=services))
            delay_s, name = settings.hall.delay_s, settings.hall.name
            overview = Overview(self._page, name, delay_s, matches.tail, matches.whole)
            self._webhook = self._webhook_of(read, matches)

            def show(tables: Mapping[str, HallTable]) -> None:
                if self._webhook is not None:
                    self._webhook.notice(tables)
                overview.show(tables, self._webhook.outage if self._webhook else None, self._hub.trouble)

            self._hub = Hub(
                name,
                store,
                show,
                to_log,
                each_turn=delay_s > 0,
                home_automation=settings.hall.home_automation,
                pictures=PictureRules(settings.hall.pictures, settings.hall.pictures_mb << 20),
            )
            show(self._hub.tables)
            self._line = line_of_hall(settings, self._hub, None, tick_s=SHOW_S / 2)
            self._stored = read
            self._server = served(
                self._page,
                self._own,
                settings,
                PAGES,
                crowd=WebSettings(MOST_STREAMS, MOST_STREAMS, beat_s=BEAT_S, away=StoreError),
            )
            parts.callback(self._server.close)
            parts.callback(self._line.close)
            if self._webhook is not None:
                parts.callback(self._webhook.close)
            leave_port(self._own, self.port)
            self._parts = parts.pop_all()

    def _invitation(self, invitations: Invitations, table: str) -> Invited | Sentence:
        """A new invitation; StoreError before the former one ends if the database is away, as the new one were lost."""
        self._stored.check()
        return invitations.invite(table)

    def _invited(self, table: str) -> None:
        self._stored.forget_signer(table)
        self._hub.invited(table)
        self._line.wake()

    def _is_online(self, table: str) -> bool:
        known = self._hub.tables.get(table)
        return known is not None and known.status == "online"

    def _tell(self) -> None:
        """Have the tables get what pairings and orders say now."""
        self._hub.tell()
        self._line.wake()

    def _opened(self, parts: ExitStack, *, alone: bool = False) -> Store:
        """The hall's record by a connection of its own, or by the one that writes; HallError or StoreError if none."""
        with self._settings.blaming("hall.store", HallError):
            return parts.enter_context(closing(opened(self._record, alone=alone)))

    def _webhook_of(self, store: Store, matches: HallMatches) -> Webhook | None:
        hall = self._settings.hall
        if not hall.webhook:
            return None
        with self._settings.blaming("hall.webhook", HallError):
            check_webhook(hall.webhook)
        return Webhook(hall.webhook, hall.name, store.hooks, matches, to_log, changed=self._show_again)

    def _show_again(self) -> None:
        """Have the desk show what has become of the webhook."""
        self._hub.show_again()
        self._line.wake()

    def _verify(self) -> None:
        """Verify every chain in the record, once, and report what does not hold to the desk."""
        try:
            for table in self._stored.held():
                for problem in self._stored.problems(table)[:1]:
                    self._hub.report(table, problem)
        except StoreError as error:
            to_log(str(error))
        self._line.wake()

    def _look_out(self) -> None:
        """Stop once another hub writes the record: this one's connection was lost, and the other one came first."""
        while not self._stop.wait(AGAIN_S):
            try:
                self._written.check()
            except AnotherHubError as error:
                to_log(f"{error} This one ends its pages, and waits to take its place again.")
                self._is_replaced = True
                self._stop.set()
            except StoreError:
                continue  # the hub itself says so, and tries again

    @property
    def port(self) -> int:
        """TCP port of the pages over plain HTTP."""
        return self._server.port

    def run(self) -> bool:
        """Print the director's link, and run until SIGTERM or SIGINT; whether another hub has taken its place."""
        with _stops(self._stop):
            self.start()
            _collect_seldom()
            _wait_for(self._stop)
            self.close()
        return self._is_replaced

    def start(self) -> None:
        """Print the director's link, and listen to the tables."""
        self._to_user(join_links(self._own, base_url(self._settings.page, self.port))["director"])
        self._line.start()
        if self._webhook is not None:
            self._webhook.start()
        threading.Thread(target=self._verify, name="verify", daemon=True).start()
        self._looking_out.start()

    def close(self) -> None:
        """Close all parts."""
        self._stop.set()
        if self._looking_out.is_alive():
            self._looking_out.join()
        self._parts.close()


def run_hub(settings: Settings, folder: Path) -> None:
    """Run a hub until SIGTERM or SIGINT; while another one has its place, wait. As `HallApp`."""
    goes_on = True
    while goes_on:
        try:
            goes_on = HallApp(settings, folder).run()
        except StoreError as error:  # the server went away, or another hub came, while this one began
            if error.is_final or not settings.hall.store.startswith(POSTGRES):
                raise
            to_log(f"{error} The hub begins again.")
            time.sleep(AGAIN_S)


class WatchApp:
    """A process for a hall's spectators: serves wall, tables' pages and matches beside the hub, and writes nothing.

    It reads the hub's record and hears the broker, and shares its port with others of its kind, among which the kernel
    divides the visitors. Join codes are those of the hub.

    Args, Raises: as `HallApp`.
    """

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        to_user: Callable[[str], None] = lambda text: print(text, flush=True),
    ) -> None:
        from web.app import WebSettings
        from web.hall.all_pages import WATCH as PAGES

        _check_hall(settings)
        check_address(settings, shared=True)
        self._settings, self._to_user, self._own = settings, to_user, folder / HALL
        address = settings.hall.store or f"{SQLITE}{self._own / HALL_STORE}"
        with ExitStack() as parts:
            with settings.blaming("hall.store", HallError):
                store = parts.enter_context(closing(opened(address, read_only=True)))
            matches = HallMatches(store)
            services = HallServices(
                lambda: [],
                lambda table: _NOT_HERE,
                matches.find,
                matches.about,
                matches.replay,
                matches.export,
                matches.results,
                matches.may_delete,
                matches.delete,
                HallPairings(store, matches, lambda: [], settings.profiles),
                HallDraws(store, matches, settings.profiles),
                HallRulings(store),
                HallPictures(store, settings.hall),
                lambda visitor, table: _NOT_HERE,
                hub_port=partial(port_of_page, self._own),
            )
            page = Page(_refuse, services=Services(hall=services))
            delay_s, name = settings.hall.delay_s, settings.hall.name
            overview = Overview(
                page, name, delay_s, matches.tail, matches.whole, number=lambda: round(time.time() * 1000)
            )
            watch = HallWatch(name, store.held(), overview.show, to_log, each_turn=delay_s > 0)
            overview.show(watch.tables)
            client = f"{HUB}-{uuid4().hex[:12]}"  # another one than the hub's, which the broker would drop
            self._line = line_of_hall(settings, watch, None, client, tick_s=SHOW_S / 2)
            crowd = WebSettings(MOST_STREAMS, MOST_STREAMS, beat_s=BEAT_S, away=StoreError)
            self._server = served(page, self._own, settings, PAGES, crowd=crowd, shared=True)
            parts.callback(self._server.close)
            parts.callback(self._line.close)
            self._parts = parts.pop_all()

    def run(self) -> None:
        """Print the spectators' link, and run until SIGTERM or SIGINT."""
        stop = threading.Event()
        link = join_links(self._own, base_url(self._settings.page, self._server.port))["viewer"]
        self._to_user(link)
        with _stops(stop):
            self._line.start()
            _collect_seldom()
            _wait_for(stop)
            self._parts.close()


def _collect_seldom() -> None:
    """Search for garbage seldom: each search visits all that thousands of streams keep, while everything waits."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SEARCHES)


@contextmanager
def _stops(stop: threading.Event) -> Iterator[None]:
    """SIGTERM and SIGINT set the event."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    for number in before:
        signal.signal(number, lambda number, frame: stop.set())
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait_for(stop: threading.Event) -> None:
    """Tell systemd that all is ready, and wait for the end."""
    notify = Notify()
    notify("READY=1")
    while not stop.wait(3600):
        pass
    notify("STOPPING=1")


def _folder_lock(folder: Path) -> FolderLock:
    """The hub's folder, locked; a hub that has just lost its record to this one is waited for. FolderHeldError."""
    until_s = time.monotonic() + ENDS_WITHIN_S
    while True:
        try:
            return FolderLock(folder)
        except FolderHeldError:
            if time.monotonic() > until_s:
                raise
        time.sleep(AGAIN_S / 4)


def _check_hall(settings: Settings) -> None:
    """Check that the settings name a hall; HallError if they do not."""
    if not settings.hall.broker:
        raise HallError("The hub needs its hall in the settings: [hall] with broker, name and credentials.")
    check_names(settings)


def opened(store: str, wait_s: float = AGAIN_S, *, read_only: bool = False, alone: bool = False) -> Store:
    """The record in a database, to be written by this program alone if `alone`.

    A PostgreSQL server that is not there yet is waited for, as after a power cut, and another hub that writes there.

    HallError for an address that is none; StoreError if a file cannot be used.
    """
    is_said = False
    while True:
        try:
            return Store(database_of(store, read_only=read_only, alone=alone))
        except StoreError as error:
            if not store.startswith(POSTGRES) or error.is_final:
                raise
            if not is_said:
                is_second = isinstance(error, AnotherHubError)
                to_log(
                    f"{error} {'This one waits to take its place.' if is_second else 'The hub waits for it.'}"
                )
                Notify()("READY=1", "STATUS=Waits for the hall's record.")
            is_said = True
            time.sleep(wait_s)


def _refuse(visitor: Visitor, body: object) -> Answer:
    return refused(403, "Not here", say("A hall takes no actions; open the table’s own page."))


def _invitations(
    settings: Settings, folder: Path, invited: Callable[[str], None], is_online: Callable[[str], bool]
) -> Invitations:
    hall, hub = settings.hall, credentials_of(settings)
    file = Path(hall.passwords) if hall.passwords else folder / BROKER / PASSWORDS
    with settings.blaming("hall.broker", HallError):
        address = address_in(hall.broker)

    def taken(shown: Credentials) -> bool:
        """Whether the broker takes them; the table that it cut off with a former password is then said to be away.

        Mosquitto 2.0 does not publish the will of a client that it cuts off at a reload.
        """
        away = (Topics(hall.name, shown.user).availability, OFFLINE) if is_online(shown.user) else None
        return is_taken(address, shown, TAKEN_WITHIN_S, away)

    with settings.blaming("hall.passwords", HallError):
        users = BrokerUsers(file, hall.name, hub)
        keep_home(users, folder, hub.authority, is_wanted=hall.home_automation)
    return Invitations(hall, hub, users, invited, taken)
