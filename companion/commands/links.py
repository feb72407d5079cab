"""`companion links`: print the valid join links."""

import argparse
import sys

from companion.commands._options import add_where, folder_of

HELP = "print the join links for each role"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_where(parser)
    roles = ("scorekeeper", "director", "south", "north", "viewer")
    parser.add_argument("--role", choices=roles, help="only this one, and nothing but the link")
    parser.add_argument(
        "--first",
        metavar="CODE",
        help="make this the scorekeeper's code, at a table that nobody has set up yet",
    )
    parser.add_argument("--qr", action="store_true", help="draw each link as a QR code as well")


def run(args: argparse.Namespace) -> int:
    """Print the links; missing join codes are created.

    If no program has used the folder, a running service has another folder and other links. With the settings of a
    hall's hub the links are the hub's.
    """
    from companion.errors import UserError
    from companion.service.network import as_running, awaits_first_run, base_url, drawn, join_links
    from companion.settings import load_settings
    from companion.storage.folder import HALL, ROLES_FILE, STARTS_FILE
    from web.roles import Role, Roles

    folder, settings = folder_of(args), load_settings(args.config)
    is_hub = bool(settings.hall.broker and not settings.hall.table)
    if is_hub:
        folder /= HALL
    settings = as_running(settings, folder)
    if args.first is not None:
        if is_hub or not awaits_first_run(folder):
            raise UserError(
                "The first code is chosen before somebody sets the table up; this one is set up already."
            )
        Roles(folder / ROLES_FILE).choose(args.first, Role.SCOREKEEPER)
    links = join_links(folder, base_url(settings.page, settings.page.port))
    if not is_hub and not (folder / STARTS_FILE).exists():
        hint = f"No companion has been started with {folder} yet: one that keeps its matches elsewhere has other links."
        print(hint, file=sys.stderr)
    for role, link in links.items():
        if args.role in (None, role):
            print(link if args.role else f"{role:12} {link}")
            if args.qr:
                print(drawn(link))
    return 0
