"""The first run, the table's code for newcomers, and refusals that say whom to ask."""

from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from sentence import say
from tests.support.real_page import RealTable
from web.app import WebSettings, create_app
from web.errors import TableSetupError
from web.roles import Role, Roles
from web.setup.table_setup import SetupFile, TableSetup

FORM = {"name": "Kitchen", "language": "de", "camera": "auto", "newcomers": "play"}


@pytest.fixture
def setup(tmp_path: Path) -> SetupFile:
    return SetupFile(tmp_path / "table.json", fresh=True)


@pytest.fixture
def app(table: RealTable, roles: Roles, setup: SetupFile):
    return create_app(table.page, roles, WebSettings(setup=setup))


def role_of(client: FlaskClient) -> str:
    text = client.get("/").get_data(as_text=True)
    return text.partition('data-role="')[2].partition('"')[0]


def test_first_scorekeeper_becomes_the_director(join, setup: SetupFile, tmp_path: Path) -> None:
    first, second = join(Role.SCOREKEEPER), join(Role.SCOREKEEPER)
    assert first.get("/welcome").status_code == 200
    assert "/welcome" in first.get("/").get_data(as_text=True)
    assert first.post("/welcome", data=FORM).headers["Location"] == "/invite"
    assert role_of(first) == "director"
    assert second.post("/welcome", data=FORM).status_code == 403
    assert second.get("/welcome").headers["Location"] == "/"
    assert role_of(second) == "scorekeeper"
    assert SetupFile(tmp_path / "table.json").now == setup.now
    assert (setup.now.name, setup.now.language, setup.now.open) == ("Kitchen", "de", False)


def test_language_is_that_of_visitors_who_have_chosen_none(join) -> None:
    director = join(Role.DIRECTOR)
    director.post("/welcome", data=FORM)
    assert '<html lang="de">' in director.get("/").get_data(as_text=True)
    director.set_cookie("lang", "fi")
    assert '<html lang="fi">' in director.get("/").get_data(as_text=True)


def test_camera_is_changed_at_once_and_kept_where_it_opens(join, setup: SetupFile, table: RealTable) -> None:
    director = join(Role.DIRECTOR)
    director.post("/welcome", data=FORM)
    assert table.cameras == []  # it was the one before
    director.post("/welcome", data=FORM | {"camera": "none"})
    assert (table.cameras, setup.now.camera) == (["none"], "none")
    table.refused_cameras["3"] = say("No camera is plugged in.")
    other = FORM | {"name": "Hall", "language": "en", "camera": "other", "source": " 3 "}
    answer = director.post("/welcome", data=other)
    text = answer.get_data(as_text=True)
    assert (answer.status_code, setup.now.name, setup.now.camera) == (422, "Hall", "none")
    assert "The camera was not changed; the rest is set. No camera is plugged in." in text
    assert 'value="other" checked' in text
    assert 'name="source" value=" 3 "' in text
    answer = director.post("/welcome", data=other | {"name": "Club", "source": "/etc/passwd"})
    assert (answer.status_code, setup.now.name, setup.now.camera) == (422, "Club", "none")
    text = answer.get_data(as_text=True)
    assert 'name="source" value="/etc/passwd"' in text, "what was typed is there to be mended"
    assert text.index("A camera is named by its number") < text.index('name="source"')


def test_recorded_throws_are_not_taken_for_a_camera(join, table: RealTable) -> None:
    table.camera("recorded", "Recorded throws are played.")
    page = join(Role.DIRECTOR).get("/welcome").get_data(as_text=True)
    assert "No camera is connected: recorded throws play" in page
    table.camera("live", "The camera watches.")
    assert "recorded throws play" not in join(Role.DIRECTOR).get("/welcome").get_data(as_text=True)


def test_a_camera_chosen_that_does_not_open_is_not_said_to_be_missing(join, table: RealTable) -> None:
    table.camera("recorded", "Recorded throws are played.")
    table.refused_cameras["3"] = say("The stream does not answer.")
    answer = join(Role.DIRECTOR).post(
        "/welcome", data=FORM | {"language": "en", "camera": "other", "source": "3"}
    )
    page = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert "The stream does not answer." in page
    assert "Recorded throws play." in page
    assert "No camera is connected" not in page


def test_where_no_camera_was_chosen_the_form_asks_for_none(join) -> None:
    director = join(Role.DIRECTOR)
    assert "Connect the camera" in director.get("/welcome").get_data(as_text=True)
    director.post("/welcome", data=FORM | {"language": "en", "camera": "none"})
    assert "Connect the camera" not in director.get("/welcome").get_data(as_text=True)


def test_camera_of_the_settings_file_is_not_offered_for_a_choice(
    join, setup: SetupFile, table: RealTable
) -> None:
    why = say("The settings file names the camera (camera.source); change it there.")
    table.page.services = replace(table.page.services, camera_fixed=lambda: why)
    director = join(Role.DIRECTOR)
    page = director.get("/welcome").get_data(as_text=True)
    assert str(why) in page
    assert 'name="camera"' not in page
    assert "No camera picture yet" not in page
    assert director.post("/welcome", data=FORM | {"camera": "none"}).headers["Location"] == "/invite"
    assert (setup.now.name, setup.now.camera, table.cameras) == ("Kitchen", "auto", [])


def test_error_of_a_camera_is_not_pushed_out_of_view_by_a_picture(join, table: RealTable) -> None:
    table.shows_board()
    table.refused_cameras["3"] = say("No camera is plugged in.")
    first = join(Role.SCOREKEEPER)
    assert "/api/camera.jpg" in first.get("/welcome").get_data(as_text=True)
    page = first.post("/welcome", data=FORM | {"camera": "other", "source": "3"}).get_data(as_text=True)
    assert "autofocus" in page
    assert "/api/camera.jpg" not in page


def test_first_run_with_a_camera_that_does_not_open_has_its_director(join, table: RealTable) -> None:
    table.refused_cameras["3"] = say("No camera is plugged in.")
    first = join(Role.SCOREKEEPER)
    answer = first.post("/welcome", data=FORM | {"camera": "other", "source": "3"})
    assert (answer.status_code, role_of(first)) == (422, "director")
    marked = '<input type="hidden" name="first">'
    assert marked in answer.get_data(as_text=True)
    again = first.post("/welcome", data=FORM | {"camera": "other", "source": "3", "first": ""})
    assert marked in again.get_data(as_text=True)
    done = first.post("/welcome", data=FORM | {"camera": "none", "first": ""})
    assert done.headers["Location"] == "/invite", "the first run leads on to the code for newcomers"
    assert marked not in first.get("/welcome").get_data(as_text=True)


@pytest.mark.parametrize(
    ("allowed", "chosen", "role"),
    [
        ("watch", "watch", "viewer"),
        ("watch", "south", ""),
        ("play", "south", "player"),
        ("play", "north", "player"),
        ("play", "keep", ""),
        ("keep", "keep", "scorekeeper"),
        ("keep", "director", ""),
    ],
)
def test_newcomer_chooses_within_what_the_director_allows(
    join, app, setup: SetupFile, allowed: str, chosen: str, role: str
) -> None:
    join(Role.DIRECTOR).post("/welcome", data=FORM | {"newcomers": allowed})
    guest = app.test_client()
    assert guest.get(f"/join/{setup.now.door}?to=/enter").headers["Location"] == "/enter"
    answer = guest.post("/enter", data={"as": chosen})
    if not role:
        assert answer.status_code == 403
        assert role_of(guest) == ""  # still a viewer, who is led to /watch
    else:
        assert answer.status_code == 303
        page = guest.get(answer.headers["Location"]).get_data(as_text=True)
        assert f'data-role="{role}"' in page


@pytest.mark.parametrize(
    ("allowed", "chosen", "status"),
    [("play", "north", 303), ("keep", "north", 303), ("keep", "keep", 403), ("watch", "north", 403)],
)
def test_player_changes_his_seat_where_newcomers_may_take_it(
    join, setup: SetupFile, allowed: str, chosen: str, status: int
) -> None:
    join(Role.DIRECTOR).post("/welcome", data=FORM | {"newcomers": allowed})
    player = join(Role.PLAYER, "south")
    scanned = player.get(f"/join/{setup.now.door}?to=/enter", headers={"Accept": "text/html"})
    assert scanned.headers["Location"] == "/enter"  # still a player
    assert player.post("/enter", data={"as": chosen}).status_code == status
    page = player.get("/").get_data(as_text=True)
    assert f'data-seat="{"north" if status == 303 else "south"}"' in page


def test_revoking_the_table_s_code_ends_every_role_chosen_with_it(
    app, join, roles: Roles, setup: SetupFile
) -> None:
    """Those with a code of their own stay; a new code of the table gives the roles anew."""
    setup.finish(TableSetup(newcomers="keep", door=roles.issue(Role.VIEWER, label="table").code))
    door = setup.now.door
    chosen = {}
    for what in ("south", "north", "keep", "watch"):
        chosen[what] = app.test_client()
        chosen[what].get(f"/join/{door}")
        assert chosen[what].post("/enter", data={"as": what}).status_code == 303
    chosen["south"].post("/enter", data={"as": "north"})  # another seat is still by the table's code
    own = [join(Role.PLAYER, "south"), join(Role.SCOREKEEPER), join(Role.DIRECTOR)]
    revoked = {"type": "revoke", "seq": 0, "code": door}
    for keeper in (chosen["keep"], own[1]):  # neither his own, nor another scorekeeper's
        assert keeper.post("/api/act", json=revoked).status_code == 403
    assert own[2].post("/api/act", json=revoked).status_code == 200
    assert [client.get("/api/state").status_code for client in chosen.values()] == [403] * 4
    assert [client.get("/api/state").status_code for client in own] == [200] * 3
    own[2].post("/welcome", data={"newcomers": "keep", "camera": "auto"})
    assert setup.now.door not in ("", door)
    chosen["keep"].get(f"/join/{setup.now.door}")
    chosen["keep"].post("/enter", data={"as": "keep"})
    assert role_of(chosen["keep"]) == "scorekeeper"


def test_player_with_a_code_of_his_own_keeps_it_at_another_seat(join, roles: Roles, setup: SetupFile) -> None:
    setup.finish(TableSetup(newcomers="play", door=roles.issue(Role.VIEWER, label="table").code))
    player = join(Role.PLAYER, "south")
    player.post("/enter", data={"as": "north"})
    roles.revoke(setup.now.door)
    assert player.get("/api/state").status_code == 200


def test_other_viewers_cannot_choose(join, setup: SetupFile) -> None:
    join(Role.DIRECTOR).post("/welcome", data=FORM)
    viewer = join(Role.VIEWER)
    assert viewer.get("/enter").headers["Location"] == "/watch"
    assert viewer.post("/enter", data={"as": "south"}).status_code == 403


@pytest.mark.parametrize("role", [Role.VIEWER, Role.PLAYER])
def test_nobody_below_the_scorekeeper_sets_up(join, setup: SetupFile, role: Role) -> None:
    client = join(role, "south" if role is Role.PLAYER else None)
    assert client.get("/welcome").status_code == 403
    assert client.post("/welcome", data=FORM).status_code == 403
    assert client.get("/invite").status_code == 403
    assert setup.now.open


def test_form_of_another_site_is_refused(join, setup: SetupFile) -> None:
    keeper = join(Role.SCOREKEEPER)
    answer = keeper.post("/welcome", data=FORM, headers={"Origin": "http://elsewhere.example"})
    assert answer.status_code == 403
    assert setup.now.open


@pytest.mark.parametrize("wrong", [{"name": "x" * 41}, {"camera": "/dev/mem"}, {"newcomers": "director"}])
def test_senseless_set_up_is_refused(join, setup: SetupFile, wrong: dict[str, str]) -> None:
    keeper = join(Role.SCOREKEEPER)
    assert keeper.post("/welcome", data=FORM | wrong).status_code == 422
    assert setup.now.open


def test_refusal_says_the_role_and_whom_to_ask(join, table: RealTable) -> None:
    player = join(Role.PLAYER, "south")
    answer = player.get("/matches")
    text = answer.get_data(as_text=True)
    assert answer.status_code == 403
    assert "You are here as: Player South." in text
    assert 'action="/ask"' in text
    table.begin()
    assert player.post("/ask").status_code == 200
    assert table.state()["match"]["director"]
    assert 'action="/ask"' not in join(Role.VIEWER).get("/matches").get_data(as_text=True)


def test_table_in_use_is_not_open_and_a_damaged_file_neither(tmp_path: Path) -> None:
    assert not SetupFile(tmp_path / "table.json", fresh=False).now.open
    (tmp_path / "table.json").write_text('{"open": 3}')
    damaged = SetupFile(tmp_path / "table.json", fresh=True)
    assert (damaged.damaged, damaged.now) == (True, TableSetup())


def test_nothing_is_set_that_cannot_be_written(tmp_path: Path) -> None:
    file = SetupFile(tmp_path / "gone" / "table.json")
    with pytest.raises(TableSetupError):
        file.finish(TableSetup(name="Kitchen"))
    assert file.now == TableSetup()


def test_pages_that_refuse_say_how_another_device_becomes_the_director(app, join, roles: Roles) -> None:
    join(Role.DIRECTOR).post("/welcome", data=FORM | {"language": ""})
    link = "companion links --role director"
    newcomer = app.test_client().get("/welcome").get_data(as_text=True)
    assert link in newcomer
    assert "the scorekeeper or the director of this table" in newcomer
    refused = join(Role.SCOREKEEPER).post("/welcome", data=FORM, headers={"Accept": "text/html"})
    assert link in refused.get_data(as_text=True)


def test_device_whose_code_was_revoked_is_told_so(join, roles: Roles) -> None:
    keeper = join(Role.SCOREKEEPER)
    roles.revoke(roles.all()[-1].code)
    page = keeper.get("/")
    assert page.status_code == 403
    assert "no longer valid" in page.get_data(as_text=True)
    assert "the scorekeeper" not in page.get_data(as_text=True)


def test_throws_are_tried_from_the_set_up_and_from_the_code_where_there_is_a_camera(
    join, table: RealTable
) -> None:
    first = join(Role.SCOREKEEPER)
    there = 'id="try-throws"'
    assert there not in first.get("/welcome").get_data(as_text=True), "first the table is set up"
    first.post("/welcome", data=FORM)
    for page in ("/welcome", "/invite"):
        assert there in first.get(page).get_data(as_text=True)
    table.camera("none")
    for page in ("/welcome", "/invite"):
        assert there not in first.get(page).get_data(as_text=True)
