"""`companion prepare-hall`: writes the files of a new hub and of its MQTT broker."""

import argparse
from pathlib import Path

HELP = "write the files of a new hall's hub and of its broker"
DESCRIPTION = (
    "Writes the settings and credentials of a hall's hub into a folder, and into another one its Mosquitto's "
    "certificate, configuration and users (docs/HALL.md). What is there stays, so it can be repeated; a certificate "
    "in its last 120 days is renewed."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the hub's settings")
    parser.add_argument(
        "--broker", type=Path, metavar="FOLDER", help="the broker's folder; left out: broker in FOLDER"
    )
    parser.add_argument(
        "--address",
        metavar="HOST",
        help="the hub's name in its network; left out: this machine's, with .local",
    )
    parser.add_argument("--name", default="club", help="the hall's name, club if left out")
    parser.add_argument(
        "--store", default="", metavar="URL", help="the hub's record, postgresql://…; left out: a file"
    )


def run(args: argparse.Namespace) -> int:
    """Prepare the hub."""
    from companion.service.certificate import own_names
    from companion.service.hall.preparing import CONFIGURATION, SETTINGS, prepare_hub
    from companion.settings import HallSettings

    folder, broker = args.folder.absolute(), (args.broker or args.folder / "broker").absolute()
    host = args.address or own_names("127.0.0.1")[1]
    hall = prepare_hub(folder, broker, HallSettings(f"mqtts://{host}", args.name, store=args.store)).hall
    print(f"{folder / SETTINGS}: the hub of the hall {hall.name} at {hall.broker}.")
    print(
        f"{broker / CONFIGURATION}: its Mosquitto, which reads the users anew with 'systemctl reload mosquitto'."
    )
    return 0
