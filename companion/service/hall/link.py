"""A table's link to its hall, and what hub and table read alike from their settings."""

import base64
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

from companion.hall.broker import TICK_S, Credentials, HallError, Line, Talk, address_in, load_credentials
from companion.hall.broker_users import hashed
from companion.hall.journal_rows import JournalRows
from companion.hall.picture_sender import PictureSender
from companion.hall.protocol.messages import About
from companion.hall.protocol.orders import Order
from companion.hall.protocol.pairings import Offer
from companion.hall.protocol.ticket import Door
from companion.hall.protocol.topics import HUB, Topics, is_name
from companion.hall.signatures import SignedLines
from companion.hall.table_link import OFFLINE, TableLink
from companion.settings import Settings
from companion.storage.journal import Journal
from sentence import NOTHING, Sentence
from web.page import Page, State
from web.roles import Role, Visitor


def to_log(text: str) -> None:
    """Write a line to standard error, which systemd reads."""
    print(text, file=sys.stderr, flush=True)


def link_to_hall(
    settings: Settings,
    folder: Path,
    journal: Callable[[], Journal],
    page: Page,
    log: Callable[[str], None] = to_log,
    offered: Callable[[Offer | None], None] = lambda offer: None,
    carry_out: Callable[[Order], Sentence] = lambda order: NOTHING,
    address: Callable[[], str] = lambda: "",
    session: str = "",
    picture: Callable[[str], bytes | None] = lambda name: None,
) -> Line | None:
    """A table's link to its hall, not started yet; None without one in the settings.

    `offered` takes the match that the hall gives this table next, None for none; `carry_out` carries out an order of
    the hall's director, and answers a sentence why not, else an empty one. `address` is the start of links to the
    table's own page, `session` a word that is new at each start, drawn here if left out. `picture` gives a picture by
    its name, None if it is gone.

    Raises:
        HallError: the settings of the hall cannot be used; the text names their line.
    """
    hall = settings.hall
    if not hall.broker or not hall.table:
        return None
    check_names(settings)
    topics = Topics(hall.name, hall.table)

    def view() -> State | None:
        edition = page.newest_or_none()
        return edition.state(Visitor(Role.VIEWER)) if edition else None

    about = About(version("board-companion"), session or uuid4().hex, profile=settings.match.profile)
    rows, signed = JournalRows(journal, folder, hall.name), SignedLines(folder)
    link = TableLink(
        topics,
        rows,
        signed,
        view,
        about,
        log,
        offered=offered,
        carry_out=carry_out,
        address=address,
        pictures=PictureSender(rows, picture, gives=hall.pictures != "never"),
    )
    line = line_of_hall(settings, link, (topics.availability, OFFLINE))
    page.on_change(line.wake)
    return line


def door_of_hall(settings: Settings, session: str) -> Door | None:
    """What lets the hall's director in at this start of a table; None without a hall. HallError as `link_to_hall`."""
    hall = settings.hall
    if not hall.broker or not hall.table:
        return None
    check_names(settings)
    password = credentials_of(settings).password

    def key(salt: str) -> str:
        return hashed(password, base64.b64decode(salt, validate=True))

    return Door(hall.name, hall.table, session, key, lambda: round(time.time() * 1000))


def check_names(settings: Settings) -> None:
    """Check the names of the hall and the table; HallError for one that cannot be."""
    hall = settings.hall
    for key in ("name", "table"):
        text = getattr(hall, key)
        with settings.blaming(f"hall.{key}", HallError):
            if (text or key == "name") and (not is_name(text) or text == HUB):
                fault = f"hall.{key} is up to 40 letters, digits, hyphens and underscores, and not “{HUB}”."
                raise HallError(fault)


def line_of_hall(
    settings: Settings, talk: Talk, will: tuple[str, bytes] | None, name: str = "", tick_s: float = TICK_S
) -> Line:
    """The connection to the hall's broker, not started yet; `name`: its client id, the user's name if left out.

    HallError if the settings or the credentials cannot be used.
    """
    hall = settings.hall
    with settings.blaming("hall.broker", HallError):
        address = address_in(hall.broker)
    shown = credentials_of(settings)
    with settings.blaming("hall.credentials", HallError):
        return Line(address, shown, talk, will, name, tick_s)


def credentials_of(settings: Settings) -> Credentials:
    """The credentials that the settings name; HallError if there are none."""
    file = settings.hall.credentials
    with settings.blaming("hall.credentials", HallError):
        if not file:
            raise HallError("A hall needs hall.credentials: a file with user and password at its broker.")
        return load_credentials(Path(file))
