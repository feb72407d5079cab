"""The role cookie's name: tables at one address, on different ports or one after the other, keep their visitors."""

import json
from collections.abc import Iterator
from http.cookiejar import Cookie, CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from tests.support.real_page import RealTable
from tests.support.running import companion
from web.app import create_app
from web.roles import COOKIE, Role, Roles
from web.server.serve import Running, serve


class Table:
    """A table's page on a port of its own."""

    def __init__(self, folder: Path) -> None:
        self.table, self.roles = RealTable(folder / "table"), Roles(folder / "roles.json")
        self.running: Running = serve(create_app(self.table.page, self.roles), "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self.running.port}"

    def join(self, browser: OpenerDirector, role: Role) -> None:
        """Give this browser a role here."""
        browser.open(f"{self.address}/join/{self.roles.standing(role).code}", timeout=20).close()

    def may(self, browser: OpenerDirector) -> list[str]:
        """What the table lets this browser do."""
        with browser.open(f"{self.address}/api/state", timeout=20) as answer:
            found: list[str] = json.load(answer)["may"]
        return found

    def close(self) -> None:
        """Stop it."""
        self.running.close()
        self.table.close()


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[tuple[Table, Table]]:
    pair = Table(tmp_path / "one"), Table(tmp_path / "other")
    yield pair
    for one in pair:
        one.close()


@pytest.fixture
def jar() -> CookieJar:
    return CookieJar()


@pytest.fixture
def browser(jar: CookieJar) -> OpenerDirector:
    """A browser, which like all of them sends a host's cookies to every port."""
    return build_opener(HTTPCookieProcessor(jar))


def former(table: Table, role: Role) -> Cookie:
    """The cookie that an earlier version gave."""
    value = table.roles.cookie(table.roles.standing(role).visitor)
    rest = {"HttpOnly": ""}
    return Cookie(
        0,
        COOKIE,
        value,
        None,
        False,
        "127.0.0.1",
        False,
        False,
        "/",
        True,
        False,
        None,
        False,
        None,
        None,
        rest,
    )


def test_another_table_at_the_same_address_takes_nobodys_role(tables, browser) -> None:
    real, other = tables
    real.join(browser, Role.DIRECTOR)
    other.join(browser, Role.VIEWER)
    assert "new_match" in real.may(browser)
    assert "new_match" not in other.may(browser)


def test_a_device_with_the_former_cookie_stays_in_and_keeps_it_beside_another_tables(
    tables, browser, jar
) -> None:
    real, other = tables
    jar.set_cookie(former(real, Role.DIRECTOR))
    assert "new_match" in real.may(browser)
    other.join(browser, Role.VIEWER)
    assert "new_match" in real.may(browser)


def test_a_new_role_takes_the_place_of_the_former_cookie(tables, browser, jar) -> None:
    real, _ = tables
    jar.set_cookie(former(real, Role.VIEWER))
    real.join(browser, Role.SCOREKEEPER)
    assert "new_match" in real.may(browser)
    assert [one.name for one in jar] == [f"{COOKIE}_{real.roles.mark}"], (
        "revoked, it must not fall back to a former role"
    )


def test_another_tables_former_cookie_is_not_taken_for_a_revoked_code(tables, browser, jar) -> None:
    real, other = tables
    jar.set_cookie(former(other, Role.DIRECTOR))
    with pytest.raises(HTTPError) as refused:
        browser.open(f"{real.address}/", timeout=20)
    page = refused.value.read().decode()
    assert refused.value.code == 403
    assert "Open the join link" in page
    assert "no longer valid" not in page


def test_a_demos_cookie_has_one_name_at_every_start(tmp_path: Path, browser, jar) -> None:
    for _ in range(2):
        with companion("demo", "--port", "0", "--throws", home=tmp_path) as program:
            browser.open(program.link, timeout=20).close()
    assert [one.name for one in jar] == [f"{COOKIE}_demo0"]
