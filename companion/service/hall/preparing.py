"""A new hub: its settings and credentials, and its broker's configuration, certificate and users."""

import json
from dataclasses import replace
from pathlib import Path

from companion.hall.broker import Address, Credentials, HallError, address_in, load_credentials
from companion.hall.broker_users import BrokerUsers
from companion.hall.protocol.invitation import new_password
from companion.hall.protocol.messages import encoded
from companion.hall.protocol.pictures import MOST_JPEG_BYTES
from companion.hall.protocol.topics import HUB
from companion.hall.record.databases import POSTGRES, SQLITE
from companion.service.certificate import own_certificate, own_names, permitted_of
from companion.service.hall.link import check_names
from companion.service.network import own_address
from companion.settings import HallSettings, Settings, load_settings, parse_settings
from companion.storage.errors import reported_as
from companion.storage.folder import AUTHORITY, PASSWORDS
from companion.storage.wholefile import put_durably

SETTINGS, CREDENTIALS, AUTHORITY_FOLDER = "hall.toml", "hub.json", "authority"
"""In the hub's folder."""
CERTIFICATE, CONFIGURATION = "broker.pem", "mosquitto.conf"
"""In the broker's folder, beside its users."""
MOST_BYTES = MOST_JPEG_BYTES + 4096
"""Limit of a message: a picture, with what is said of it."""
PAGES_PORT = 8100
"""Port of the hub's pages: a table on the same machine has 8000."""
HUB_SETTINGS = """\
# Settings of the hall's hub; every key is explained in docs/SETTINGS.md.
# After a change: sudo systemctl restart board-companion-hall

[page]
port = {port}

[hall]
"""
MOSQUITTO = """\
# Mosquitto for a hall (docs/HALL.md): TLS only, and each table writes below its own name only.
listener {port}
certfile {folder}/{certificate}
keyfile {folder}/{certificate}
allow_anonymous false
password_file {folder}/{passwords}
acl_file {folder}/access
# The largest message is a picture of a throw.
message_size_limit {most}
"""


def prepare_hub(folder: Path, broker: Path, new: HallSettings) -> Settings:
    """Write the files that a hub and its Mosquitto need; settings, password and authority that are there stay.

    Args:
        folder: the folder of the hub's settings, its credentials and the broker's authority.
        broker: the folder of the broker's certificate, configuration and users, which its group reads.
        new: broker, name and store of the hall if it has no settings yet.

    Returns:
        the settings of the hub as they are in its folder.

    Raises:
        HallError, SettingsError, CertificateError: the settings cannot be used, or a file cannot be made.
    """
    file = folder / SETTINGS
    with reported_as(HallError, f"The hub's files in {folder} and {broker} cannot be written: {{why}}."):
        for each in (folder, broker):
            each.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            text = _settings_text(new, broker)
            _checked(parse_settings(text, str(file), folder))
            put_durably(file, text.encode())
        settings = load_settings(file)
        address = _checked(settings)
        names = dict.fromkeys([*own_names(own_address()), address.host])
        if address.host not in permitted_of(folder / AUTHORITY_FOLDER, [address.host]):
            raise HallError(
                f"The authority in {folder / AUTHORITY_FOLDER} does not hold for {address.host}: no table would trust "
                "the broker. Write the former name into hall.broker, or delete that folder, do this again, and "
                "invite all tables anew. An address has to be a private one."
            )
        certificate = own_certificate(folder / AUTHORITY_FOLDER, list(names))
        _put_if_new(broker / CERTIFICATE, certificate.read_bytes(), 0o640)
        values = {
            "certificate": CERTIFICATE,
            "passwords": PASSWORDS,
            "port": address.port,
            "most": MOST_BYTES,
        }
        _put_if_new(broker / CONFIGURATION, MOSQUITTO.format(folder=broker, **values).encode(), 0o644)
        hub = _credentials(folder / CREDENTIALS, (certificate.parent / AUTHORITY).read_text("ascii"))
        BrokerUsers(Path(settings.hall.passwords), settings.hall.name, hub)
    return settings


def _settings_text(new: HallSettings, broker: Path) -> str:
    given = {
        "broker": new.broker,
        "name": new.name,
        "credentials": CREDENTIALS,
        "passwords": str(broker.resolve() / PASSWORDS),
        "store": new.store,
    }
    lines = [f"{key} = {json.dumps(text, ensure_ascii=False)}\n" for key, text in given.items() if text]
    return HUB_SETTINGS.format(port=PAGES_PORT) + "".join(lines)


def _checked(settings: Settings) -> Address:
    """The broker's address in the settings of a hub; HallError for settings that are none."""
    hall = settings.hall
    check_names(settings)
    with settings.blaming("hall.broker", HallError):
        address = address_in(hall.broker)
        if not address.tls:
            raise HallError(f"{hall.broker} has no TLS: write mqtts://{address.host}.")
    with settings.blaming("hall.store", HallError):
        if hall.store and not hall.store.startswith((SQLITE, POSTGRES)):
            raise HallError(f"hall.store is {hall.store[:60]}, but must be {SQLITE}FILE or {POSTGRES}…")
    with settings.blaming("hall.passwords", HallError):
        if not hall.passwords:
            raise HallError("hall.passwords is missing: the broker's password file.")
    return address


def _credentials(file: Path, authority: str) -> Credentials:
    """The hub's own, with this authority; drawn if there are none, else with the password that they have."""
    known = load_credentials(file) if file.exists() else Credentials(HUB, new_password())
    hub = replace(known, authority=authority)
    _put_if_new(file, encoded(hub), 0o600)
    return hub


def _put_if_new(file: Path, content: bytes, mode: int) -> None:
    if not file.exists() or file.read_bytes() != content:
        put_durably(file, content, mode)
