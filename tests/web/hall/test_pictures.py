"""The hub's pictures: who sees them, spectators as late as all else, and who asks for one."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from companion.game.events import Evidence, Thrown
from companion.game.state_machine import step
from companion.hall.pictures import PictureRules, take_picture
from companion.hall.protocol.messages import Held
from companion.hall.protocol.pictures import PictureHead, picture_message
from companion.records.rows import row_of
from companion.settings import HallSettings
from tests.support.hall.pages import START_MS, Hub
from web.hall.all_pages import WATCH
from web.roles import Role

DELAY_S = 600
JPEG = b"\xff\xd8\xff\xe0" + bytes(500) + b"\xff\xd9"
SPECTATORS = HallSettings("mqtts://hall.local", "club", pictures_for_spectators=True)


def thrown(hall: Hub, jpeg: bytes = JPEG, *, comes: bool = True) -> int:
    """A throw with a picture in table 1's match, which the hub has asked for and got; the number of its event."""
    known = hall.tables["1"]
    digest = sha256(jpeg).hexdigest()
    event = Thrown((), doubt=True, evidence=Evidence(f"{digest[:32]}.jpg", digest), at_ms=START_MS)
    row = row_of(event, known.held.match, known.held.number + 1, known.held.digest)
    hall.store.add("1", row)
    hall.store.commit()
    if comes:
        head = PictureHead(row.match_id, row.number)
        take_picture(hall.store, "1", picture_message(head, jpeg), PictureRules("disputes"), START_MS)
        hall.store.commit()
    known.held = Held(row.match_id, row.number, row.digest)
    hall.played["1"] = step(hall.played["1"], event).table
    hall.show()
    return row.number


def hall_with(folder: Path, **more: object) -> Hub:
    one = Hub(folder, **more)
    one.play("1", 1)
    return one


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hub]:
    one = hall_with(tmp_path)
    with closing(one.store):
        yield one


def pictures_in(visitor, path: str = "/api/matches/1.m1/replay") -> list[str]:
    return [one["picture"] for one in visitor.get(path).get_json()["steps"] if one["picture"]]


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.DIRECTOR, 200), (Role.SCOREKEEPER, 200), (Role.VIEWER, 403)],
)
def test_picture_is_for_scorekeeper_and_director(hall: Hub, role: Role, status: int) -> None:
    number = thrown(hall)
    address, visitor = f"/matches/1.m1/pictures/{number}", hall.join(role)
    answer = visitor.get(address)
    assert answer.status_code == status
    if status == 200:
        assert (answer.data, answer.content_type) == (JPEG, "image/jpeg")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "no-store" in answer.headers["Cache-Control"]
    assert pictures_in(visitor) == ([address] if status == 200 else [])
    seen = [one.get("picture") for one in visitor.get("/api/state").get_json()["tables"]]
    assert seen == [None]  # the desk's line has one for the director, once the hub has told so


def test_nobody_without_a_role_sees_a_picture(tmp_path: Path) -> None:
    for settings in (HallSettings("mqtts://hall.local", "club"), SPECTATORS):
        hall = hall_with(tmp_path / str(settings.pictures_for_spectators), settings=settings)
        with closing(hall.store):
            number = thrown(hall)
            stranger = hall.app.test_client()
            for path in (f"/matches/1.m1/pictures/{number}", "/matches/1.m1/pictures", "/desk/1"):
                answer = stranger.get(path)
                assert answer.status_code in (401, 403), path
                assert JPEG not in answer.data


@pytest.mark.parametrize("pages", [None, WATCH], ids=["hub", "process for spectators"])
def test_spectators_see_pictures_where_the_hall_says_so_and_as_late_as_the_throw(
    tmp_path: Path, pages
) -> None:
    more = {"pages": pages} if pages else {}
    hall = hall_with(tmp_path, delay_s=DELAY_S, settings=SPECTATORS, **more)
    with closing(hall.store):
        hall.later(DELAY_S + 1)
        viewer, keeper = hall.join(Role.VIEWER), hall.join(Role.SCOREKEEPER)
        number = thrown(hall)
        address = f"/matches/1.m1/pictures/{number}"
        assert (viewer.get(address).status_code, keeper.get(address).status_code) == (404, 200)
        assert (pictures_in(viewer), pictures_in(keeper)) == ([], [address])
        hall.later(DELAY_S - 2)
        assert (viewer.get(address).status_code, pictures_in(viewer)) == (404, [])
        hall.later(3)
        assert (viewer.get(address).data, pictures_in(viewer)) == (JPEG, [address])
        hall.play("1", 1, match="m2")  # a match that is over, or not on the table, is not theirs
        hall.later(DELAY_S + 1)
        assert viewer.get(address).status_code == 403
        assert keeper.get(address).status_code == 200


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, Role.VIEWER, None])
def test_only_the_director_asks_for_pictures_and_deletes_them(tmp_path: Path, role: Role | None) -> None:
    hall = hall_with(tmp_path, settings=SPECTATORS)
    with closing(hall.store):
        here, there = thrown(hall), thrown(hall, JPEG[:-2] + b"\x01\xff\xd9", comes=False)
        visitor = hall.join(role) if role else hall.app.test_client()
        for form in ({"number": "0"}, {"number": str(there), "back": "desk"}, {"do": "delete"}):
            assert visitor.post("/matches/1.m1/pictures", data=form).status_code in (401, 403)
        assert visitor.get("/matches/1.m1/pictures").status_code in (401, 403)
        assert hall.store.pictures.wanted(False) == {}
        assert hall.store.pictures.numbers("1", "m1") == [here]


def test_director_asks_and_is_told_what_became_of_it(hall: Hub) -> None:
    director = hall.join(Role.DIRECTOR)
    assert director.post("/matches/1.m1/pictures", data={"number": "0"}).status_code == 422
    here, there = thrown(hall), thrown(hall, JPEG[:-2] + b"\x01\xff\xd9", comes=False)
    page = director.get("/matches/1.m1/pictures").text
    assert page.count("Ask the table for it") == 1
    assert f'src="/matches/1.m1/pictures/{here}"' in page
    for wrong in ("-1", "x", "1", "9" * 40):
        answer = director.post("/matches/1.m1/pictures", data={"number": wrong})
        assert (answer.status_code, "There is no throw with a picture." in answer.text) == (422, True)
    answer = director.post("/matches/1.m1/pictures", data={"number": "0", "back": "desk"})
    assert "The table has not answered yet" in answer.text
    [wanted] = hall.store.pictures.wanted(False)["1"].wanted
    assert wanted == ("m1", there)
    desk = director.get("/desk/1").text
    assert "waits for the table" in desk
    assert f'src="/matches/1.m1/pictures/{here}"' in desk
    hall.store.pictures.answer("1", PictureHead("m1", there, "kept"))
    assert "This table gives its hall no pictures" in director.get("/desk/1").text
    assert director.post("/matches/1.m1/pictures", data={"do": "delete"}).status_code == 303
    assert hall.store.pictures.numbers("1", "m1") == []
    assert director.get("/matches/1.nothing/pictures").status_code == 404


def test_hall_without_pictures_asks_for_none(tmp_path: Path) -> None:
    hall = hall_with(tmp_path, settings=replace(SPECTATORS, pictures="never"))
    with closing(hall.store):
        thrown(hall, comes=False)
        answer = hall.join(Role.DIRECTOR).post("/matches/1.m1/pictures", data={"number": "0"})
        assert (answer.status_code, "This hall has no pictures" in answer.text) == (422, True)
        assert hall.store.pictures.wanted(False) == {}
