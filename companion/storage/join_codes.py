"""The file of join codes: its name, its check, and the removal of a damaged one."""

from pathlib import Path

from companion.errors import UserError
from companion.game.state import Level, Notice
from sentence import say
from web.errors import RolesFileError
from web.roles import read_codes, set_damaged_aside

ROLES_FILE = "roles.json"


def mend_codes(folder: Path) -> list[Notice]:
    """Set a damaged file of join codes aside, before any visitor; returns notices.

    Raises:
        RolesFileError: that failed.
    """
    aside = set_damaged_aside(folder / ROLES_FILE)
    if aside is None:
        return []
    return [
        Notice(
            say(
                "The join codes were damaged: new ones were made, earlier links no longer work; the file "
                "is kept as {name}. 'companion links' prints the new links.",
                name=aside.name,
            ),
            Level.ALARM,
        )
    ]


def codes_trouble(folder: Path) -> str:
    """The problem of the join codes, a sentence; "" if they are sound, or there are none.

    Raises:
        UserError: they exist, but cannot be read by this user or at this moment.
    """
    try:
        read_codes(folder / ROLES_FILE)
    except FileNotFoundError:
        return ""
    except RolesFileError as error:
        if not error.lasting or isinstance(error.__cause__, PermissionError):
            raise UserError(str(error)) from error
        return str(error)
    return ""
