"""The topics of a hall, and the broker's rules on who may use which."""

import re
from dataclasses import dataclass

ROOT = "board/v1"
NAME = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)
"""The names of halls and tables: no character that means something in a topic."""
HUB = "hub"
"""The hub's user name at the broker; no table has it."""
HOME = "home.automation"
"""The user name of a home automation at the broker; no table can have it, for its dot."""
DISCOVERY = "homeassistant"
"""Below it Home Assistant looks for what there is (its documentation, MQTT, discovery)."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table."""

    hall: str
    table: str

    @property
    def event(self) -> str:
        """A row of the record, from the table."""
        return f"{ROOT}/{self.hall}/{self.table}/event"

    @property
    def signed(self) -> str:
        """What the table has signed, from the table."""
        return f"{ROOT}/{self.hall}/{self.table}/signed"

    @property
    def state(self) -> str:
        """The table's state in short, retained."""
        return f"{ROOT}/{self.hall}/{self.table}/state"

    @property
    def availability(self) -> str:
        """Whether the table is there, retained, and its last will."""
        return f"{ROOT}/{self.hall}/{self.table}/availability"

    @property
    def about(self) -> str:
        """The table's version and start, retained."""
        return f"{ROOT}/{self.hall}/{self.table}/about"

    @property
    def held(self) -> str:
        """The last row that the hub holds, from the hub, retained."""
        return f"{ROOT}/{self.hall}/{self.table}/held"

    @property
    def offer(self) -> str:
        """The match that the table plays next, from the hub, retained; empty for none."""
        return f"{ROOT}/{self.hall}/{self.table}/offer"

    @property
    def orders(self) -> str:
        """What the hall's director orders, from the hub, retained; empty for nothing."""
        return f"{ROOT}/{self.hall}/{self.table}/orders"

    @property
    def answers(self) -> str:
        """The answers to what is ordered, from the table, retained."""
        return f"{ROOT}/{self.hall}/{self.table}/answers"

    @property
    def picture(self) -> str:
        """A picture of a throw that the hub wants, from the table."""
        return f"{ROOT}/{self.hall}/{self.table}/picture"

    @property
    def pictures(self) -> str:
        """Which pictures the hub wants, from the hub, retained; empty for none."""
        return f"{ROOT}/{self.hall}/{self.table}/pictures"


def discovery_topic(hall: str, table: str) -> str:
    """Where the hub says what home automation finds at a table."""
    return f"{DISCOVERY}/binary_sensor/{_node(hall)}/{table}/config"


def _node(hall: str) -> str:
    return f"board-{hall}"


FROM_TABLE = ("event", "signed", "state", "availability", "about", "answers", "picture")
"""The last parts of the topics that a table writes."""


FROM_HUB = ("held", "offer", "orders", "pictures")
"""The last parts of the topics that the hub writes, and each table reads of its own."""

FOR_WATCH = ("held", "state", "availability")
"""The last parts of the topics that a process for spectators reads, as the hub's user."""

FOR_HOME = ("state", "availability")
"""The last parts of the topics that a home automation reads."""


def is_name(text: str) -> bool:
    """Whether a hall or a table can have this name."""
    return NAME.fullmatch(text) is not None


def table_and_kind(hall: str, topic: str, kinds: tuple[str, ...] = FROM_TABLE) -> tuple[str, str] | None:
    """The table and the last part of a topic of this hall that is one of these kinds; None for any other topic."""
    start = f"{ROOT}/{hall}/"
    table, _, kind = topic.removeprefix(start).partition("/")
    if not topic.startswith(start) or kind not in kinds or not is_name(table) or table == HUB:
        return None
    return table, kind


def access_rules(hall: str) -> str:
    """Mosquitto's access list (`acl_file`): a table writes below its own name only, and nobody but the hub what
    tables read of their own. A home automation reads whether a table calls, and writes nothing of the hall.

    A table's user name at the broker is its name in the hall.
    """
    tables = [f"pattern write {ROOT}/{hall}/%u/{kind}" for kind in FROM_TABLE]
    hub = [f"topic read {ROOT}/{hall}/+/{kind}" for kind in dict.fromkeys((*FROM_TABLE, *FOR_WATCH))]
    return "\n".join(
        [
            *tables,
            *(f"pattern read {ROOT}/{hall}/%u/{kind}" for kind in FROM_HUB),
            "",
            f"user {HUB}",
            *hub,
            *(f"topic write {ROOT}/{hall}/+/{kind}" for kind in FROM_HUB),
            f"topic write {discovery_topic(hall, '+')}",
            "",
            f"user {HOME}",
            *(f"topic read {ROOT}/{hall}/+/{kind}" for kind in FOR_HOME),
            f"topic read {discovery_topic(hall, '+')}",
            f"topic readwrite {DISCOVERY}/status",
            "",
        ]
    )
