"""A fake table, the application that shows it, and visitors in each role."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from flask import Flask
from flask.testing import FlaskClient

from web.app import WebSettings, create_app
from web.roles import Role, Roles, Seat


def _load(name: str) -> ModuleType:
    """A helper beside this file; tests are no packages, so it cannot be imported by name."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


FakeTable = _load("fake_table").FakeTable


@pytest.fixture
def table() -> FakeTable:  # type: ignore[valid-type]
    """A table on which nothing has happened."""
    return FakeTable()


@pytest.fixture
def roles(tmp_path: Path) -> Roles:
    """Join codes, none issued yet."""
    return Roles(tmp_path / "roles.json")


@pytest.fixture
def app(table: FakeTable, roles: Roles) -> Flask:  # type: ignore[valid-type]
    """The application on the fake table."""
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
