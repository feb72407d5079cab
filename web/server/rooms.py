"""Rooms: how many connections each group of visitors may have, and who leaves when a room is full."""

import logging
import resource
from collections.abc import Mapping

from web.crowd.places import Places
from web.crowd.streams import Streams
from web.roles import Role
from web.server.connection import Connection, Place
from web.server.pending import MOST

log = logging.getLogger("web.rooms")

STRANGERS, PROGRAM, ACTING = "strangers", "program", "acting"
SIZES: Mapping[str, int] = {Role.VIEWER.value: 800, ACTING: 250, PROGRAM: 8}
"""Connections of each room but the strangers', streams apart: viewers (at least), all other roles, this program's own
check."""
FILES = 300
"""File descriptors kept for the journal, pictures, the camera and its process, and connections about to close."""
LOG_EVERY_S = 60.0
FEW = 10
"""Connections without a role that one browser may have at one time, preconnected ones included."""


def room_of(role: Role) -> str:
    """The room of a visitor with this role."""
    return Role.VIEWER.value if role is Role.VIEWER else ACTING


def share_of_files(wanted: int) -> float:
    """Raise the limit of open files as far as needed and allowed; the share of `wanted` sockets that fit below it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted + FILES:
        soft = wanted + FILES if hard == resource.RLIM_INFINITY else min(wanted + FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return 1.0 if soft == resource.RLIM_INFINITY else min(1.0, max(0.05, (soft - FILES) / wanted))


class Rooms:
    """The rooms with their connections. In a full room the address with the most connections loses its oldest."""

    def __init__(self, strangers: int, streams: Streams) -> None:
        """Make the rooms.

        Args:
            strangers: most connections that have not shown a valid role cookie. Everybody is a stranger until his
                first request is there, all spectators of a hall perhaps at one moment; and whoever is new is dropped
                only after as many newer ones as this.
            streams: the streams, which take file descriptors besides.
        """
        # All of a hall's streams may be asked for at one moment, as after a start of the hub.
        viewers = max(SIZES[Role.VIEWER.value], streams.most_viewers)
        sizes = {STRANGERS: strangers, **SIZES, Role.VIEWER.value: viewers}
        share = share_of_files(sum(sizes.values()) + streams.most + MOST)
        self._rooms = {name: Places[Connection](max(4, int(size * share))) for name, size in sizes.items()}
        streams.shrink(share)
        self._dropped, self._last_address, self._log_at = 0, "", 0.0

    def is_crowded(self, address: str) -> bool:
        """Whether there are too many strangers, and more than a few of them from this address."""
        strangers = self._rooms[STRANGERS]
        return strangers.full and strangers.count(f" {address}") >= FEW

    def enter(self, connection: Connection, room: str, code: str = "") -> None:
        """Move a connection into a room, with a newcomer's right to a place."""
        key = f"{code} {connection.peer[0]}"
        if (connection.place.room, connection.place.key) == (room, key):
            return
        self.leave(connection)
        places = self._rooms[room]
        if places.full:
            self._drop(places.oldest())
        places.enter(key, connection)
        connection.place = Place(room, key, room == STRANGERS, room == ACTING)

    def leave(self, connection: Connection) -> None:
        """Take back the connection's place."""
        if connection.place.room:
            self._rooms[connection.place.room].leave(connection.place.key, connection)
            connection.place = Place("", "", connection.place.stranger)

    def drop_stranger(self) -> None:
        """Close a stranger's connection, for want of file descriptors."""
        if len(self._rooms[STRANGERS]):
            self._drop(self._rooms[STRANGERS].oldest())

    def _drop(self, connection: Connection) -> None:
        self.count_drop(connection.peer[0])
        connection.close()

    def count_drop(self, address: str) -> None:
        """Count a connection from this address that was closed, or not taken in, to make room."""
        self._dropped, self._last_address = self._dropped + 1, address

    def report(self, now_s: float) -> None:
        """At each tick: log how many connections were closed to make room, at most once a minute."""
        if self._dropped and now_s >= self._log_at:
            log.warning(
                "%d connections were closed to make room for others, the last one from %s.",
                self._dropped,
                self._last_address,
            )
            self._dropped, self._log_at = 0, now_s + LOG_EVERY_S
