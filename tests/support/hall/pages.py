"""A hub's pages without its broker, for tests: what is played at the tables, and the clock, are the test's."""

import random
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask
from flask.testing import FlaskClient

from companion.game.state import MatchOver
from companion.game.state_machine import step
from companion.game.table import Table
from companion.hall.broker import Credentials
from companion.hall.broker_users import BrokerUsers
from companion.hall.hub import HallTable
from companion.hall.protocol.messages import Held, state_in_short
from companion.protocol.permissions import Asker
from companion.protocol.view import ServiceStatus, view_of
from companion.records.rows import GENESIS, row_of
from companion.rules.family.profiles import ALL_PROFILES
from companion.service.hall.inviting import Invitations
from companion.service.hall.pages.draws import HallDraws
from companion.service.hall.pages.matches import HallMatches
from companion.service.hall.pages.overview import Overview
from companion.service.hall.pages.pairings import HallPairings
from companion.service.hall.pages.pictures import HallPictures
from companion.service.hall.pages.rulings import HallRulings
from companion.settings import HallSettings
from tests.support.hall.ends import store_in
from tests.support.selfplay import any_event, began
from web.app import create_app
from web.hall.all_pages import HALL
from web.page import Page, refused
from web.roles import Role, Roles
from web.services import HallServices, Services

START_MS = 1_770_000_000_000
MOST_EVENTS = 5000
"""No match to one point has more."""


@dataclass
class Hub:
    """A hub's pages without its broker: a test plays at the tables, and turns the clock."""

    folder: Path
    delay_s: int = 0
    now_s: float = 1000.0
    broker_knows: bool = True
    pages: Sequence[Blueprint] = HALL
    hub_port: int | None = 8100
    outage: Mapping[str, Any] | None = None
    settings: HallSettings = field(default_factory=lambda: HallSettings("mqtts://hall.local", "club"))
    tables: dict[str, HallTable] = field(default_factory=dict)
    played: dict[str, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store = store_in(self.folder / "hall.sqlite")
        hub = Credentials("hub", "x", "PEM")
        matches = HallMatches(self.store, lambda: nullcontext(self.store))
        made = Invitations(
            self.settings,
            hub,
            BrokerUsers(self.folder / "passwords", "club", hub),
            self.store.forget_signer,
            lambda credentials: self.broker_knows,
        )
        services = HallServices(
            made.tables,
            made.invite,
            matches.find,
            matches.about,
            matches.replay,
            matches.export,
            matches.results,
            matches.may_delete,
            matches.delete,
            HallPairings(self.store, matches, made.tables, ALL_PROFILES),
            HallDraws(self.store, matches, ALL_PROFILES),
            HallRulings(self.store, patience_s=0),
            HallPictures(self.store, self.settings, patience_s=0),
            made.visit,
            lambda: self.hub_port,
        )
        self.page = Page(
            lambda visitor, body: refused(403, "Not here", "No."), services=Services(hall=services)
        )
        self.overview = Overview(
            self.page, "club", self.delay_s, matches.tail, matches.whole, lambda: self.now_s
        )
        self.roles = Roles(self.folder / "roles.json")
        self.app: Flask = create_app(self.page, self.roles, of=self.pages)
        self._rng = random.Random(7)
        self.show()

    def show(self) -> None:
        """What the hub does at each turn."""
        self.overview.show(self.tables, self.outage)

    def play_out(self, name: str, match: str = "m1", south: str = "Ann") -> None:
        """Play a match to one point to its end."""
        self.play(name, MOST_EVENTS, match=match, south=south, length=1)

    def later(self, seconds: float) -> None:
        """Let time pass."""
        self.now_s += seconds
        self.show()

    def play(
        self,
        name: str,
        events: int,
        match: str = "m1",
        south: str = "Ann",
        day: int = 0,
        length: int = 5,
        profile: str = "modern",
        clock: str = "off",
    ) -> None:
        """Play so many events at a table, of a new match if it is another one than before; none after its end."""
        known = self.tables.setdefault(name, HallTable(status="online"))
        table = self.played[name] if known.held.match == match else Table()
        held = known.held if known.held.match == match else Held(match)
        for _ in range(events):
            if table.state and isinstance(table.state.phase, MatchOver):
                break
            at_ms = START_MS + 86_400_000 * day + 1000 * held.number
            event = (
                any_event(table, self._rng, at_ms)
                if held.number
                else began(length, profile, at_ms, match, south, "Ben", clock=clock)
            )
            row = row_of(event, match, held.number + 1, held.digest if held.number else GENESIS)
            self.store.add(name, row)
            table = step(table, event).table
            held = Held(match, row.number, row.digest)
        self.store.commit()
        self.played[name], known.held = table, held
        view = view_of(table, Asker("viewer"), ServiceStatus(seq=held.number))
        known.state = state_in_short(view, "s")
        self.show()

    def join(self, role: Role) -> FlaskClient:
        """A browser that has joined in this role."""
        client = self.app.test_client()
        assert client.get(f"/join/{self.roles.issue(role).code}").status_code == 303
        return client
