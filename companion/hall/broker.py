"""The connection to an MQTT 5 broker: made again whenever it is lost, and served by one thread of its own."""

import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias
from urllib.parse import urlsplit

import msgspec

from companion.errors import UserError

if TYPE_CHECKING:
    from paho.mqtt.client import Client

KEEPALIVE_S = 15
"""A broker that hears nothing for one and a half of it sends the last will: a lost table shows within 30 s."""
CONNECT_S = 5.0
FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 5.0
"""Waits between tries: the first one, and the longest, each twice the one before."""
TICK_S = 1.0
"""Longest wait between two calls of `turned`, unless a line has another."""
PORTS = {"mqtt": 1883, "mqtts": 8883}
AFTER = "after"
"""The user property of an event: the digest of the row sent before it."""


class HallError(UserError):
    """Settings or credentials with which no hall can be reached."""


@dataclass(frozen=True, slots=True)
class Address:
    """A broker's address."""

    host: str
    port: int
    tls: bool


def address_in(url: str) -> Address:
    """The address in `mqtts://HOST[:PORT]`, or in `mqtt://…` for a broker on this very machine.

    HallError for any other, also for one without TLS on another machine: passwords would cross the network.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        host, port = "", 0
    if not host or not port or parts.path.strip("/") or parts.username:
        raise HallError(f"{url} is no broker: write mqtts://HOST or mqtts://HOST:PORT.")
    if parts.scheme == "mqtt" and not is_this_machine(host):
        raise HallError(f"{url} has no TLS, which a broker on another machine needs: write mqtts://{host}.")
    return Address(host, port, parts.scheme == "mqtts")


def is_this_machine(host: str) -> bool:
    """Whether a host is the loopback: nothing sent there leaves this machine."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


@dataclass(frozen=True, slots=True)
class Credentials:
    """User and password at the broker, and the certificate (PEM) of the authority that vouches for it.

    Without one the system's authorities count.
    """

    user: str
    password: str
    authority: str = ""


def load_credentials(file: Path) -> Credentials:
    """The credentials in a JSON file; HallError if it has none."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Credentials)
    except OSError as error:
        raise HallError(f"The credentials {file} cannot be read: {error.strerror or error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise HallError(f"{file} holds no credentials: a JSON object with user and password.") from None


class Talk(Protocol):
    """One end of the talk; all calls come from the connection's thread."""

    def connected(self, line: "Line") -> None:
        """The broker is there: subscribe, and say what has to be said at once."""

    def disconnected(self, why: str) -> None:
        """The broker is gone, or was not reached."""

    def arrived(self, line: "Line", topic: str, payload: bytes, after: str) -> None:
        """A message, with its user property `after`, or ""."""

    def turned(self, line: "Line") -> None:
        """Messages have been handled, `wake` was called, or a second has passed."""


@dataclass(frozen=True, slots=True)
class _Connected:
    pass


@dataclass(frozen=True, slots=True)
class _Lost:
    why: str


@dataclass(frozen=True, slots=True)
class _Arrived:
    topic: str
    payload: bytes
    after: str


@dataclass(frozen=True, slots=True)
class _Woken:
    pass


_Message: TypeAlias = _Connected | _Lost | _Arrived | _Woken


class Line:
    """A connection that is made again whenever it is lost.

    Args:
        address: of the broker.
        credentials: this end's.
        talk: what is said on it.
        will: topic and retained payload that the broker publishes when this end is gone.
        name: the client id; the user's name if left out. Of two ends with the same one the broker drops the older.
        tick_s: longest wait between two calls of `turned`.
    """

    def __init__(
        self,
        address: Address,
        credentials: Credentials,
        talk: Talk,
        will: tuple[str, bytes] | None = None,
        name: str = "",
        tick_s: float = TICK_S,
    ) -> None:
        self._tick_s = tick_s
        self._address, self._credentials, self._talk, self._will = address, credentials, talk, will
        self._context = _context(address, credentials)
        self._name = name or credentials.user
        self._inbox: SimpleQueue[_Message] = SimpleQueue()
        self._client: Client | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """End the connection, in order: what was published before is sent."""
        self._closing.set()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(timeout=2 * CONNECT_S)

    def wake(self) -> None:
        """Have `turned` called soon; from any thread."""
        self._inbox.put(_Woken())

    def subscribe(self, *topics: str) -> None:
        """Subscribe with QoS 1."""
        if self._client is not None:
            self._client.subscribe([(topic, 1) for topic in topics])

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, after: str = "") -> None:
        """Publish with QoS 1; nothing is kept for later if the broker is gone."""
        if self._client is not None:
            properties = None
            if after:
                properties = _properties("PUBLISH")
                properties.UserProperty = (AFTER, after)
            self._client.publish(topic, payload, 1, retain, properties)

    def _run(self) -> None:
        wait_s = FIRST_WAIT_S
        while not self._closing.is_set():
            inbox: SimpleQueue[_Message] = SimpleQueue()
            self._inbox = inbox
            client = self._opened(inbox)
            begun_s = time.monotonic()
            # a short one counts as none: two machines of one name would cut each other off several times a second
            was_there = self._serve(inbox) and time.monotonic() - begun_s > LONGEST_WAIT_S
            self._client = None
            _end(client)
            if not self._closing.is_set():
                wait_s = FIRST_WAIT_S if was_there else min(2 * wait_s, LONGEST_WAIT_S)
                self._closing.wait(wait_s)

    def _serve(self, inbox: "SimpleQueue[_Message]") -> bool:
        """Handle messages until the connection is lost or closed; returns whether it ever was there."""
        until_s, was_there = time.monotonic() + CONNECT_S, False
        while not self._closing.is_set():
            messages = _taken(inbox, self._tick_s)
            for message in messages:
                match message:
                    case _Connected():
                        was_there = True
                        self._talk.connected(self)
                    case _Arrived(topic, payload, after):
                        self._talk.arrived(self, topic, payload, after)
                    case _Lost(why):
                        self._talk.disconnected(why)
                        return was_there
                    case _Woken():
                        pass
            if was_there:
                self._talk.turned(self)
            elif time.monotonic() > until_s:
                self._talk.disconnected("it does not answer")
                return False
        return was_there

    def _opened(self, inbox: "SimpleQueue[_Message]") -> "Client":
        from paho.mqtt.client import Client, MQTTMessage
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        def connected(_client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
            inbox.put(_Lost(f"it refuses: {reason}") if reason.is_failure else _Connected())

        def lost(_client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
            inbox.put(_Lost(str(reason)))

        def arrived(_client: Client, _data: Any, message: MQTTMessage) -> None:
            said = dict(getattr(message.properties, "UserProperty", None) or ())
            inbox.put(_Arrived(message.topic, bytes(message.payload), said.get(AFTER, "")))

        user = self._credentials.user
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._name,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        client.username_pw_set(user, self._credentials.password)
        client.connect_timeout = CONNECT_S
        client.on_connect, client.on_disconnect, client.on_message = connected, lost, arrived
        if self._context is not None:
            client.tls_set_context(self._context)
        if self._will is not None:
            client.will_set(*self._will, qos=1, retain=True)
        self._client = client
        try:
            client.connect(self._address.host, self._address.port, KEEPALIVE_S, clean_start=True)
        except (OSError, ssl.CertificateError) as error:
            inbox.put(_Lost(getattr(error, "strerror", None) or str(error)))
            return client
        client.loop_start()
        return client


def _taken(inbox: "SimpleQueue[_Message]", tick_s: float) -> list[_Message]:
    """All messages there are, after a wait of at most `tick_s` for the first."""
    messages: list[_Message] = []
    with suppress(Empty):
        messages.append(inbox.get(timeout=tick_s))
        while len(messages) < 500:
            messages.append(inbox.get_nowait())
    return messages


def _end(client: "Client") -> None:
    """End a connection with its last will, which a table that stops has to leave as well."""
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.reasoncodes import ReasonCode

    with suppress(OSError, ValueError):
        client.disconnect(reasoncode=ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message"))
    client.loop_stop()


def _properties(packet: str) -> Any:
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    return Properties(getattr(PacketTypes, packet))  # type: ignore[no-untyped-call]


def _context(address: Address, credentials: Credentials) -> ssl.SSLContext | None:
    """The TLS context; HallError if the authority's certificate is none."""
    if not address.tls:
        return None
    try:
        return ssl.create_default_context(cadata=credentials.authority or None)
    except ssl.SSLError:
        raise HallError("The authority of the credentials is no certificate (PEM).") from None
