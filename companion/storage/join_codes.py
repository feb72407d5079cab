"""The file of join codes: where it is, whether it is sound, and a damaged one set aside."""

from pathlib import Path

from companion.errors import UserError
from companion.game.state import Level, Notice
from sentence import say
from web.errors import RolesFileError
from web.roles import read_codes, set_damaged_aside

ROLES_FILE = "roles.json"


def mend_codes(folder: Path) -> list[Notice]:
    """Before anybody is let in: set a damaged file of join codes aside; what is to be said about it.

    Raises:
        RolesFileError: that cannot be done.
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
    """Why the join codes are good for nothing; "" where they are sound, or where there are none.

    Raises:
        UserError: they are there, and cannot be read by this user or at this moment.
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
