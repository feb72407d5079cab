"""Schemathesis against the API's document: the whole program with every door open, in the middle of a match."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.often import TIMES

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(sys.executable).with_name("schemathesis")


class Browser:
    """Somebody who has opened a join link of the program."""

    def __init__(self, link: str) -> None:
        self.base = link.rsplit("/join/", 1)[0]
        opener = urllib.request.build_opener(_Staying)
        self.cookie = opener.open(link, timeout=30).headers["Set-Cookie"].split(";")[0]

    def ask(self, path: str, body: object = None) -> dict[str, Any]:
        """A JSON answer; HTTPError where it is a refusal."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Cookie": self.cookie, "Content-Type": "application/json"}
        asked = urllib.request.Request(self.base + path, data, headers)
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return dict(json.loads(answer.read()))


class _Staying(urllib.request.HTTPRedirectHandler):
    """Looks at the answer of /join itself, where the cookie is."""

    def http_error_303(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
        return fp


@pytest.fixture
def links() -> Iterator[dict[str, str]]:
    """The program without a camera, with a match begun: its join links by role."""
    command = [sys.executable, "-m", "tests.bench.load.house"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environ) as process:
        assert process.stdout
        said = [next(process.stdout).strip().split(": ", 1) for _ in range(3)]
        links = dict(said)
        keeper = Browser(links["scorekeeper"])
        for body in ({"type": "new_match"}, {"type": "opening", "south": 6, "north": 4}):
            keeper.ask("/api/act", {**body, "seq": keeper.ask("/api/state")["seq"]})
        yield links
        process.terminate()


@pytest.mark.parametrize("role", ["director", "viewer"])
def test_no_request_is_answered_with_5xx(links: dict[str, str], role: str, tmp_path: Path) -> None:
    browser = Browser(links[role])
    address = f"{browser.base}/api/openapi.json"
    options = [
        "--exclude-path",
        "/api/events",
        "--checks",
        "not_a_server_error",
        "--max-examples",
        str(5 * TIMES),
        "--no-color",
    ]
    said = subprocess.run(
        [str(TOOL), "run", address, "-H", f"Cookie: {browser.cookie}", *options],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
    )
    assert said.returncode == 0, said.stdout[-4000:]
