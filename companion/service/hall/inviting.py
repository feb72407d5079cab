"""The hub's invitations to its tables: a password at the broker, and the code or file that has it."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import UserError
from companion.hall.broker import Credentials
from companion.hall.broker_users import BrokerUsers
from companion.hall.protocol.invitation import Invitation, new_password
from companion.hall.protocol.ticket import as_text, new_ticket, page_address
from companion.hall.protocol.topics import HUB, is_name
from companion.service.hall.pages.table_names import in_order
from companion.settings import HallSettings
from sentence import Sentence, say
from web.roles import Visitor
from web.services import Invited, Record

NO_ADDRESS = say(
    "The table has not told where its own page is; what this page has is all there is from here."
)


class Invitations:
    """Makes the invitations of a hall; nothing of them is kept but the hash of the password at the broker.

    Args:
        hall: the hub's settings.
        hub: the hub's own credentials, with the broker's authority.
        users: the broker's.
        invited: called with the name of a table that has a new invitation, which may sign with another key.
        is_taken: whether the broker takes credentials by now.
    """

    def __init__(
        self,
        hall: HallSettings,
        hub: Credentials,
        users: BrokerUsers,
        invited: Callable[[str], None],
        is_taken: Callable[[Credentials], bool],
    ) -> None:
        self._hall, self._hub, self._users, self._invited = hall, hub, users, invited
        self._is_taken = is_taken
        self._lock = threading.Lock()

    def visit(self, visitor: Visitor, table: Mapping[str, Any]) -> str | Sentence:
        """The address of a table's own page for this director, which lets him in once; a sentence why there is none."""
        name, about = table["table"], table["about"] or {}
        address = page_address(about.get("address", ""))
        if not address:
            return NO_ADDRESS
        try:
            key, salt = self._users.kept_of(name)
        except UserError as error:
            return error.sentence
        if not key:
            return say("The hub has no password of this table; make it a new invitation.")
        ticket = new_ticket(
            self._hall.name, name, about["session"], visitor.label[:80], salt, round(time.time() * 1000)
        )
        return f"{address}/visit/{as_text(ticket, key)}"

    def tables(self) -> list[str]:
        """The tables that have a password, in order; HallError if the broker's users cannot be read."""
        return sorted(self._users.tables(), key=in_order)

    def invite(self, table: str) -> Invited | Sentence:
        """A new invitation for a table, which makes a former one invalid; a sentence why not."""
        if not is_name(table) or table == HUB:
            return say("A table’s name has up to 40 letters, digits, hyphens and underscores.")
        invitation = Invitation(
            self._hall.broker, self._hall.name, table, new_password(), self._hub.authority
        )
        try:
            with self._lock:
                self._users.give(table, invitation.password)
                self._invited(table)
        except UserError as error:
            return error.sentence
        name = f"{self._hall.name}-{table}.json"
        taken = self._is_taken(Credentials(table, invitation.password, self._hub.authority))
        return Invited(invitation.as_code(), Record(name, invitation.as_file(), "application/json"), taken)
