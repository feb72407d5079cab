"""Schemathesis against the API's document, where it is installed (`pip install schemathesis` in any environment)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from web.app import create_app
from web.roles import COOKIE, Roles
from web.serve import serve
from web.views import Role

TOOL = os.environ.get("SCHEMATHESIS") or shutil.which(
    "schemathesis", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}"
)


@pytest.mark.skipif(not TOOL, reason="schemathesis is not installed")
@pytest.mark.parametrize("role", [Role.DIRECTOR, Role.VIEWER])
def test_no_request_is_answered_with_5xx(table, roles: Roles, role: Role, tmp_path: Path) -> None:
    cookie = roles.cookie(roles.issue(role).visitor)
    running = serve(create_app(table.page, roles), "127.0.0.1", 0)
    address = f"http://127.0.0.1:{running.port}/api/openapi.json"
    options = [
        "--exclude-path",
        "/api/events",
        "--checks",
        "not_a_server_error",
        "--max-examples",
        "15",
        "--no-color",
    ]
    try:
        said = subprocess.run(
            [str(TOOL), "run", address, "-H", f"Cookie: {COOKIE}={cookie}", *options],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=300,
        )
    finally:
        running.close()
    assert said.returncode == 0, said.stdout[-4000:]
