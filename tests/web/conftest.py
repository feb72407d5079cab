"""The real table, the application that shows it, and visitors in each role."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.real_page import RealTable
from web.app import WebSettings, create_app
from web.roles import Role, Roles, Seat


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    """A table on which nothing has happened."""
    one = RealTable(tmp_path / "table")
    yield one
    one.close()


@pytest.fixture
def roles(tmp_path: Path) -> Roles:
    """Join codes, none issued yet."""
    return Roles(tmp_path / "roles.json")


@pytest.fixture
def app(table: RealTable, roles: Roles) -> Flask:
    """The application that shows the table."""
    return create_app(table.page, roles, WebSettings(max_streams=4, beat_s=0.05))


Join = Callable[..., FlaskClient]


@pytest.fixture
def join(app: Flask, roles: Roles) -> Join:
    """A browser that has joined in this role."""

    def joined(role: Role, seat: Seat | None = None) -> FlaskClient:
        client = app.test_client()
        answer = client.get(f"/join/{roles.issue(role, seat).code}")
        assert answer.status_code == 303
        return client

    return joined


@pytest.fixture
def keeper(join: Join) -> FlaskClient:
    """The scorekeeper's browser."""
    return join(Role.SCOREKEEPER)
