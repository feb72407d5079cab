"""`companion run`: the main program: camera, dice, ruling, turn, page."""

import argparse
import os
import sys

from companion.commands._options import add_running, running_settings

NOT_NOW = 75
"""Exit status for systemd if address, state folder or journal are not available now: EX_TEMPFAIL of sysexits.h."""
LOST = 74
"""Exit status of a stop that lost events because the disk did not take them: EX_IOERR of sysexits.h."""
HELP = "watch the board and keep the game (recorded throws where there is no camera)"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_running(parser, "the page's")


def run(args: argparse.Namespace) -> int:
    """Run until stopped; the match goes on where it was left.

    Returns:
        0, `LOST`, or as a service `NOT_NOW` for an error that may pass: an address not yet given by the network, a
        state folder held by another companion, a locked journal. Exit status 2 would prevent a restart by systemd.
    """
    from companion.commands._output import unhindered
    from companion.service.app import App
    from companion.storage.errors import JournalError
    from companion.storage.folder import FolderHeldError, state_folder
    from web.errors import PortTakenError

    settings = running_settings(args)
    with unhindered():
        for notice in settings.notices:
            print(notice, file=sys.stderr)
        try:
            app = App(settings, state_folder(settings.keep.folder))
        except (FolderHeldError, JournalError, PortTakenError) as error:
            if not os.environ.get("NOTIFY_SOCKET"):
                raise
            print(error, file=sys.stderr)
            return NOT_NOW
        return 0 if app.run() else LOST
