"""The hall's home automation: its user at the broker, whose password it gets in a file."""

from pathlib import Path

from companion.hall.broker import Credentials, HallError, load_credentials
from companion.hall.broker_users import BrokerUsers
from companion.hall.protocol.invitation import new_password
from companion.hall.protocol.messages import encoded
from companion.hall.protocol.topics import HOME
from companion.storage.errors import reported_as
from companion.storage.wholefile import put_durably

FILE = "home-automation.json"
"""In the hub's folder; whoever sets the home automation up copies user and password from it."""


def keep_home(users: BrokerUsers, folder: Path, authority: str, *, is_wanted: bool) -> None:
    """Let the home automation in with the password in its file, drawn if there is none; or let it in no more.

    Raises:
        HallError: the file or the broker's users cannot be written.
    """
    if not is_wanted:
        users.drop(HOME)
        return
    file = folder / FILE
    if not file.exists():
        with reported_as(HallError, f"{file} cannot be written: {{why}}."):
            put_durably(file, encoded(Credentials(HOME, new_password(), authority)), 0o600)
    shown = load_credentials(file)
    users.keep(Credentials(HOME, shown.password))
