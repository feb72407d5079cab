"""The settings of a real table's program in a hall, for tests."""

from pathlib import Path

from companion.hall.protocol.messages import encoded
from tests.support.broker import HOST, Broker, credentials
from tests.support.running import settings_file

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
