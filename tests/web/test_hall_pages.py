"""The pages of a hall: who may open them, and what they answer."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.hall.broker import Credentials
from companion.hall.broker_users import BrokerUsers
from companion.hall.protocol.invitation import invitation_in
from companion.service.hall.inviting import Invitations
from companion.settings import HallSettings
from web.app import create_app
from web.hall.pages import hall
from web.hall.tables import tables
from web.page import Page, refused
from web.roles import Role, Roles
from web.services import HallServices, Services

Join = Callable[[Role], FlaskClient]


@pytest.fixture
def join(tmp_path: Path) -> Join:
    """A browser that has joined the hall in this role."""
    users = BrokerUsers(tmp_path / "passwords", "club", Credentials("hub", "x"))
    made = Invitations(HallSettings("mqtts://hall.local", "club"), Credentials("hub", "x", "PEM"), users)
    services = Services(hall=HallServices(made.tables, made.invite))
    page = Page(lambda visitor, body: refused(403, "Not here", "No."), services=services)
    roles = Roles(tmp_path / "roles.json")
    app = create_app(page, roles, of=(hall, tables))

    def joined(role: Role) -> FlaskClient:
        client = app.test_client()
        assert client.get(f"/join/{roles.issue(role).code}").status_code == 303
        return client

    return joined


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER])
def test_only_the_director_invites_tables(join: Join, role: Role) -> None:
    visitor = join(role)
    assert visitor.get("/tables").status_code == 403
    assert visitor.post("/tables", data={"table": "1"}).status_code == 403
    assert "<li>1</li>" not in join(Role.DIRECTOR).get("/tables").text


def test_invitation_as_code_and_as_file(join: Join) -> None:
    director = join(Role.DIRECTOR)
    shown = director.post("/tables", data={"table": "7", "as": "code"})
    code = shown.text.partition("join-hall ")[2].partition("<")[0]
    assert (invitation_in(code.encode()).table, invitation_in(code.encode()).authority) == ("7", "PEM")
    assert "data:image/svg+xml" in shown.text
    assert shown.headers["Cache-Control"] == "no-store"
    file = director.post("/tables", data={"table": "7", "as": "file"})
    assert file.headers["Content-Disposition"] == "attachment; filename=club-7.json"
    assert json.loads(file.data)["password"] != invitation_in(code.encode()).password
    assert "<li>7</li>" in director.get("/tables").text


def test_invitation_from_another_site_or_for_no_name_is_refused(join: Join) -> None:
    director = join(Role.DIRECTOR)
    other = director.post("/tables", data={"table": "1"}, headers={"Origin": "http://elsewhere.test"})
    assert other.status_code == 403
    assert director.post("/tables", data={"table": "a/b"}).status_code == 422
    assert "<li>" not in director.get("/tables").text
