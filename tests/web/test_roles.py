"""Join codes."""

import errno
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from web.errors import BadCodeError, RolesFileError
from web.roles import ALPHABET, Role, Roles, Visitor, set_damaged_aside


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


def test_chosen_code_takes_the_place_of_the_standing_one_and_of_what_hangs_on_it(roles: Roles) -> None:
    former, director = roles.standing(Role.SCOREKEEPER), roles.standing(Role.DIRECTOR)
    through = roles.issue(Role.PLAYER, "south", through=former.code)
    chosen = roles.choose("w7kd-4qpx m9", Role.SCOREKEEPER)
    assert chosen.code == "W7KD4QPXM9"
    assert roles.standing(Role.SCOREKEEPER) == chosen
    assert roles.lookup(former.code) is None
    assert roles.lookup(through.code) is None
    assert roles.lookup(director.code)


@pytest.mark.parametrize(
    "code",
    ["", "W7KD4QPXM", "W7KD4QPXM99", "W7KD4QPXM0", "W7KD4QPXMÄ", "AAAAABBBBB", "23456789AB", "ZYXWVUTSRQ"],
)
def test_code_that_is_none_or_easily_guessed_is_not_taken(roles: Roles, code: str) -> None:
    former = roles.standing(Role.SCOREKEEPER)
    with pytest.raises(BadCodeError):
        roles.choose(code, Role.SCOREKEEPER)
    assert roles.all() == (former,)


@pytest.mark.parametrize(
    "forge",
    [
        pytest.param(lambda good: good[:-1] + ("0" if good[-1] != "0" else "1"), id="signature changed"),
        pytest.param(lambda good: good.split(".")[0], id="no signature"),
        pytest.param(lambda good: good.split(".")[0] + ".", id="empty signature"),
        pytest.param(lambda good: ("Y" if good[0] == "X" else "X") + good[1:], id="other code"),
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


DAMAGED = {
    "empty": "",
    "cut off": "{",
    "a list": "[]",
    "nothing in it": "{}",
    "secret no number": '{"secret": "zz", "codes": []}',
    "no codes": '{"secret": 1}',
    "zeros": "\0" * 500,
    "deep": "[" * 100_000,
    "short secret": '{"secret": "", "codes": []}',
    **{
        f"code {fault}": json.dumps(
            {"secret": "ab" * 32, "codes": [{"code": code, "role": role, "seat": seat, "label": ""}]}
        )
        for fault, code, role, seat in [
            ("empty", "", "director", None),
            ("short", "ABC", "director", None),
            ("of no role", "ABCDEFGHJK", "owner", None),
            ("with a seat too many", "ABCDEFGHJK", "director", "south"),
            ("without its seat", "ABCDEFGHJK", "player", None),
        ]
    },
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_broken_file_is_said_and_kept(tmp_path: Path, content: str) -> None:
    path = tmp_path / "roles.json"
    path.write_text(content)
    with pytest.raises(RolesFileError, match="is damaged"):
        Roles(path)
    assert path.read_text() == content


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_broken_file_is_set_aside_and_lets_nobody_in(tmp_path: Path, content: str) -> None:
    path = tmp_path / "roles.json"
    first = Roles(path)
    director = first.issue(Role.DIRECTOR)
    cookie = first.cookie(director.visitor)
    path.write_text(content)
    assert set_damaged_aside(path) == tmp_path / "roles.damaged-1.json"
    assert (tmp_path / "roles.damaged-1.json").read_text() == content
    fresh = Roles(path)
    assert (fresh.all(), fresh.of_cookie(cookie), fresh.lookup(director.code)) == ((), None, None)
    assert fresh.lookup("") is None
    fresh.issue(Role.DIRECTOR)
    assert fresh.of_cookie(cookie) is None
    path.write_text(content)
    assert set_damaged_aside(path) == tmp_path / "roles.damaged-2.json"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_set_aside_unread(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "roles.json")
    with pytest.raises(RolesFileError, match="no file"):
        Roles(tmp_path / "roles.json")
    assert set_damaged_aside(tmp_path / "roles.json") == tmp_path / "roles.damaged-1.json"
    assert Roles(tmp_path / "roles.json").all() == ()


def test_sound_or_missing_file_is_left_alone(roles: Roles, tmp_path: Path) -> None:
    roles.issue(Role.PLAYER, "north")
    assert set_damaged_aside(tmp_path / "roles.json") is None
    assert set_damaged_aside(tmp_path / "none.json") is None
    assert [path.name for path in tmp_path.iterdir()] == ["roles.json"]


def test_file_that_cannot_be_opened_for_the_moment_is_no_damaged_one(
    roles: Roles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> str:
        raise OSError(errno.EMFILE, "Too many open files")

    roles.issue(Role.VIEWER)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_text", full)
        with pytest.raises(RolesFileError, match="Too many open files"):
            set_damaged_aside(tmp_path / "roles.json")
    assert len(Roles(tmp_path / "roles.json").all()) == 1


def test_file_damaged_meanwhile_shuts_nobody_out_and_is_written_anew(roles: Roles, tmp_path: Path) -> None:
    keeper = roles.issue(Role.SCOREKEEPER)
    cookie = roles.cookie(keeper.visitor)
    (tmp_path / "roles.json").write_text("damaged")
    assert roles.of_cookie(cookie) == keeper.visitor
    viewer = roles.issue(Role.VIEWER)
    assert Roles(tmp_path / "roles.json").all() == (keeper, viewer)
    assert (tmp_path / "roles.damaged-1.json").read_text() == "damaged"


def test_file_deleted_meanwhile_is_written_anew_and_throws_nobody_out(roles: Roles, tmp_path: Path) -> None:
    keeper = roles.issue(Role.SCOREKEEPER)
    cookie = roles.cookie(keeper.visitor)
    (tmp_path / "roles.json").unlink()
    assert roles.of_cookie(cookie) == keeper.visitor
    links = Roles(tmp_path / "roles.json")
    assert links.standing(Role.SCOREKEEPER) == keeper
    assert links.of_cookie(cookie) == keeper.visitor


def test_file_that_cannot_be_written_anew_throws_nobody_out_either(roles: Roles, tmp_path: Path) -> None:
    keeper = roles.issue(Role.SCOREKEEPER)
    cookie = roles.cookie(keeper.visitor)
    (tmp_path / "roles.json").unlink()
    roles._path = tmp_path / "gone" / "roles.json"
    assert roles.of_cookie(cookie) == keeper.visitor
    assert list(tmp_path.iterdir()) == []


def test_code_that_cannot_be_kept_is_not_issued(roles: Roles, tmp_path: Path) -> None:
    roles.issue(Role.VIEWER)
    before = json.loads((tmp_path / "roles.json").read_text())
    roles._path = tmp_path / "roles.json" / "below a file"
    with pytest.raises(RolesFileError, match="cannot be written"):
        roles.issue(Role.DIRECTOR)
    assert len(roles.all()) == 1
    assert json.loads((tmp_path / "roles.json").read_text()) == before
