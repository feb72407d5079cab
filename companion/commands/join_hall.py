"""`companion join-hall`: makes this machine a table of a hall, with the code or the file from the hub's desk."""

import argparse

from companion.commands._options import add_config

HELP = "make this machine a table of a hall"
DESCRIPTION = (
    "Writes the hall of an invitation, which its director makes on the hub's page /tables (docs/HALL.md), into the "
    "settings of this table, and its credentials beside them. Start the program anew afterwards."
)
INSTALLED = "/etc/board-companion/settings.toml"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("invitation", metavar="CODE|FILE", help="the code, or the file with it")
    add_config(parser, f"a TOML file; left out: {INSTALLED}")


def run(args: argparse.Namespace) -> int:
    """Join the hall."""
    from pathlib import Path

    from companion.service.hall.joining import join_hall, read_invitation

    file, invitation = args.config or Path(INSTALLED), read_invitation(args.invitation)
    join_hall(file, invitation)
    print(f"{file} makes this machine table {invitation.table} of the hall {invitation.name}; start it anew.")
    return 0
