"""`companion hall`: the hub of a hall of tables: takes their records, and shows wall and desk."""

import argparse
import sys

from companion.commands._options import add_running, running_settings

HELP = "run the hub of a hall of tables"
DESCRIPTION = (
    "Runs the hub of the hall in the settings (docs/HALL.md) and prints the director's link. It takes the record of "
    "each table over the hall's MQTT broker, and shows all tables on /wall and /desk."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_running(parser, "the pages'")
    parser.add_argument(
        "--spectators",
        action="store_true",
        help="serve spectators only, beside the hub and on another port, which several such processes share",
    )


def run(args: argparse.Namespace) -> int:
    """Run until stopped."""
    from companion.commands._output import unhindered
    from companion.service.hall.hub import WatchApp, run_hub
    from companion.storage.folder import state_folder

    settings = running_settings(args)
    with unhindered():
        for notice in settings.notices:
            print(notice, file=sys.stderr)
        folder = state_folder(settings.keep.folder)
        if args.spectators:
            WatchApp(settings, folder).run()
        else:
            run_hub(settings, folder)
    return 0
