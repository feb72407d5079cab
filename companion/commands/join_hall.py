"""`companion join-hall`: makes this machine a table of a hall, with the code or the file from the hub's page."""

import argparse
import sys

from companion.commands._options import add_config
from vision.capture.quiet import libraries_silent

HELP = "make this machine a table of a hall"
DESCRIPTION = (
    "Writes the hall of an invitation, which its director makes on the hub's page /tables (docs/HALL.md), into the "
    "settings of this table, and its credentials beside them. Start the program anew afterwards. With --camera the QR "
    "code of that page is held before the camera, which no other program may use then."
)
INSTALLED = "/etc/board-companion/settings.toml"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("invitation", metavar="CODE|FILE", nargs="?", help="the code, or the file with it")
    way.add_argument(
        "--camera",
        metavar="SOURCE",
        nargs="?",
        const="auto",
        help="read the QR code by the camera: a number, picamera, a URL, a video, folder or picture; left out: the "
        "camera that is plugged in",
    )
    add_config(parser, f"a TOML file; left out: {INSTALLED}")


@libraries_silent()
def run(args: argparse.Namespace) -> int:
    """Join the hall."""
    from pathlib import Path

    from companion.service.hall.joining import join_hall, read_invitation

    file = args.config or Path(INSTALLED)
    if args.camera is None:
        invitation = read_invitation(args.invitation)
    else:
        from companion.service.hall.shown_code import shown_invitation

        invitation = shown_invitation(args.camera, lambda text: print(text, file=sys.stderr))
    join_hall(file, invitation)
    print(f"{file} makes this machine table {invitation.table} of the hall {invitation.name}; start it anew.")
    return 0
