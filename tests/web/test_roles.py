"""Join codes."""

import json
import stat
from pathlib import Path

import pytest

from web.errors import RolesFileError
from web.roles import ALPHABET, Roles
from web.views import Role, Visitor


def test_codes_outlast_the_program(tmp_path: Path) -> None:
    path = tmp_path / "state" / "roles.json"
    first = Roles(path)
    south = first.issue(Role.PLAYER, "south", "Anna's phone")
    again = Roles(path)
    assert again.all() == (south,)
    assert again.of_cookie(first.cookie(south.visitor)) == Visitor(Role.PLAYER, "south", south.code)


def test_codes_are_long_enough_and_never_the_same(roles: Roles) -> None:
    codes = {roles.issue(Role.VIEWER).code for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == 10 and set(code) <= set(ALPHABET) for code in codes)


def test_codes_are_found_in_either_case(roles: Roles) -> None:
    code = roles.issue(Role.DIRECTOR).code
    assert roles.lookup(f" {code.lower()} ") == Visitor(Role.DIRECTOR, None, code)


def test_revoked_code_is_worth_nothing(roles: Roles, tmp_path: Path) -> None:
    joining = roles.issue(Role.SCOREKEEPER)
    cookie = roles.cookie(joining.visitor)
    assert roles.revoke(joining.code)
    assert not roles.revoke(joining.code)
    assert roles.lookup(joining.code) is None
    assert roles.of_cookie(cookie) is None
    assert Roles(tmp_path / "roles.json").of_cookie(cookie) is None


def test_two_programs_share_the_file(tmp_path: Path) -> None:
    path = tmp_path / "roles.json"
    server, command = Roles(path), Roles(path)
    one, other = server.issue(Role.VIEWER), command.issue(Role.DIRECTOR)
    assert set(server.all()) == set(command.all()) == {one, other}
    assert server.of_cookie(command.cookie(other.visitor)) == other.visitor
    assert command.revoke(one.code)
    assert server.lookup(one.code) is None


def test_standing_code_is_issued_once(roles: Roles) -> None:
    first = roles.standing(Role.SCOREKEEPER)
    assert roles.standing(Role.SCOREKEEPER) == first
    assert roles.standing(Role.PLAYER, "north") != roles.standing(Role.PLAYER, "south")


@pytest.mark.parametrize(
    "forge",
    [
        pytest.param(lambda good: good[:-1] + ("0" if good[-1] != "0" else "1"), id="signature changed"),
        pytest.param(lambda good: good.split(".")[0], id="no signature"),
        pytest.param(lambda good: good.split(".")[0] + ".", id="empty signature"),
        pytest.param(lambda good: "X" + good[1:], id="other code"),
        pytest.param(lambda good: good + "é", id="not ascii"),
        pytest.param(lambda good: "", id="empty"),
    ],
)
def test_forged_cookie(roles: Roles, forge) -> None:
    good = roles.cookie(roles.issue(Role.DIRECTOR).visitor)
    assert roles.of_cookie(good)
    assert roles.of_cookie(forge(good)) is None


@pytest.mark.parametrize(
    ("role", "seat"), [(Role.PLAYER, None), (Role.VIEWER, "south"), (Role.DIRECTOR, "north")]
)
def test_only_players_have_a_seat(roles: Roles, role: Role, seat) -> None:
    with pytest.raises(ValueError, match="seat"):
        roles.issue(role, seat)


def test_file_is_for_its_owner_only(roles: Roles, tmp_path: Path) -> None:
    roles.issue(Role.VIEWER)
    assert stat.S_IMODE((tmp_path / "roles.json").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["roles.json"]


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"secret": "zz", "codes": []}', '{"secret": 1}'])
def test_broken_file_is_said_and_kept(tmp_path: Path, content: str) -> None:
    path = tmp_path / "roles.json"
    path.write_text(content)
    with pytest.raises(RolesFileError, match="cannot be read"):
        Roles(path)
    assert path.read_text() == content


def test_code_that_cannot_be_kept_is_not_issued(roles: Roles, tmp_path: Path) -> None:
    roles.issue(Role.VIEWER)
    before = json.loads((tmp_path / "roles.json").read_text())
    roles._path = tmp_path / "roles.json" / "below a file"
    with pytest.raises(RolesFileError, match="cannot be written"):
        roles.issue(Role.DIRECTOR)
    assert len(roles.all()) == 1
    assert json.loads((tmp_path / "roles.json").read_text()) == before
