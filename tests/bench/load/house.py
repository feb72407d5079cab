"""The program itself without a camera, for measuring its page: prints a link for each role and runs until stopped."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.service.app import App
from companion.service.network import join_links
from companion.settings import parse_settings

SETTINGS = '[camera]\nsource = "none"\n[page]\nport = 0\nhost = "127.0.0.1"\n[lamps]\npins = "mock"\n'
ROLES = ("scorekeeper", "director", "viewer")


def main() -> None:
    """Serve until terminated; events are on disk before they are shown.

    Arguments: a port for HTTPS, 0 for none, and a file with more settings.
    """
    safe = f"https_port = {int(sys.argv[1])}\n" if len(sys.argv) > 1 else ""
    with TemporaryDirectory() as name:
        folder = Path(name)
        more = Path(sys.argv[2]).read_text("utf-8") if len(sys.argv) > 2 else ""
        settings = parse_settings(SETTINGS.replace("[lamps]", f"{safe}[lamps]") + more, "bench")
        app = App(settings, folder, to_user=lambda text: None)
        links = join_links(folder, f"http://127.0.0.1:{app.port}")
        for role in ROLES:
            print(f"{role}: {links[role]}", flush=True)
        app.run()


if __name__ == "__main__":
    main()
