"""The page's own files under addresses that name their content, so that browsers keep them and ask no second time.

A page loads some forty of them. To ask for each whether it has changed takes longer than all the rest; where the
address says it, an update shows at once all the same (RFC 8246).
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Flask, Response, current_app, send_from_directory

STATIC = Path(__file__).parent / "static"
KEPT_S = 365 * 24 * 3600
DIGITS = 8


@cache
def digest() -> str:
    """Of the names and contents of all files, so many hexadecimal digits; a changed file counts after a restart."""
    found = sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        found.update(f"{path.relative_to(STATIC).as_posix()}\0{path.stat().st_size}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:DIGITS]


def set_up_static_files(app: Flask) -> None:
    """Serve the files, and tell the templates where: `static` is the start of the addresses."""
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = (
        0  # at an address without the digest they are asked for again each time
    )
    app.jinja_env.globals["static"] = f"/static/v-{digest()}"
    app.add_url_rule("/static/v-<of>/<path:name>", "static_file", _static_file)


def _static_file(of: str, name: str) -> Response:
    """A file; for a page that was loaded before an update, the one that has taken its place."""
    if of != digest():
        return current_app.send_static_file(name)
    answer = send_from_directory(STATIC, name, max_age=KEPT_S)
    answer.cache_control.immutable = True
    return answer
