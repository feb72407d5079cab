"""`companion demo`: a recorded game or recorded throws through a live camera's pipeline, in a temporary folder."""

import argparse
import math

from companion.commands._options import port
from companion.errors import UserError

HELP = "play a recorded game, dice and checkers; begins afresh each time and keeps nothing"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--port", type=port, default=8000, metavar="N", help="the page's port, 8000; 0: any free one"
    )
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="X", help="so many times as fast")
    parser.add_argument(
        "--throws", action="store_true", help="single throws in the place of a game; the plays are yours"
    )


def run(args: argparse.Namespace) -> int:
    """Run until stopped, in a temporary state folder; UserError if none can be made."""
    import tempfile
    from pathlib import Path

    from companion.camera.recorded_game import FILM, film_in
    from companion.commands._output import unhindered
    from companion.service.app import App
    from companion.settings import CameraSettings, LampSettings, MatchSettings, PageSettings, Settings

    film = None if args.throws else film_in(FILM)
    settings = Settings(
        match=film.match if film else MatchSettings(),
        camera=CameraSettings(source="recorded", reads="dice and checkers"),
        page=PageSettings(port=args.port),
        lamps=LampSettings(pins="mock"),
    )
    try:
        scratch = tempfile.TemporaryDirectory(prefix="companion-demo-")
    except OSError as error:
        raise UserError(
            f"There is no folder that the demo can write in ({error.strerror or error})."
        ) from None
    with scratch as folder:
        app = App(settings, Path(folder), speed=args.speed, first_run=False, film=film)
        with unhindered():
            app.run()
    return 0


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = math.nan
    if not 0.01 <= speed <= 1000:
        raise argparse.ArgumentTypeError(f"a speed is a number from 0.01 to 1000, not {text[:40]}.")
    return speed
