"""A real table's program in a hall, for tests: its settings, and its invitation on the hub's page."""

from pathlib import Path

from companion.hall.protocol.messages import encoded
from tests.support.hall.broker import HOST, Broker, credentials
from tests.support.running import Visitor, settings_file

HALL = "club"


def table_settings(folder: Path, broker: Broker, name: str) -> Path:
    """Settings of a table of the hall, without a camera."""
    file = settings_file(folder)
    (folder / "table.json").write_bytes(encoded(credentials(name)))
    with file.open("a") as settings:
        settings.write(
            f'[hall]\nbroker = "mqtt://{HOST}:{broker.address.port}"\nname = "{HALL}"\ntable = "{name}"\n'
            'credentials = "table.json"\n'
        )
    return file


def invited_on_page(director: Visitor, table: str) -> str:
    """The code of a table's invitation, which the director makes on the hub's page."""
    status, page = director.answer_to_form("/tables", table=table, **{"as": "code"})
    assert status == 200, page
    return page.partition("join-hall ")[2].partition("<")[0]
