"""Match files of other programs on the page: opened, listed, replayed, exported, deleted; nobody's figures."""

import io
import json
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.records.gnubg_report import Figures, Report
from tests.support.real_page import RealTable
from tests.web.conftest import Join
from web.roles import Role

FILES = Path(__file__).parents[2] / "data" / "matches"
SAMPLE = FILES / "gnubg_sample7.mat"


def send(client: FlaskClient, data: bytes, name: str = "final.mat"):
    """Send the form; its body is made here, as the test client leaves large ones in an open temporary file."""
    head = f'--cut\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    body = head.encode() + data + b"\r\n--cut--\r\n"
    return client.post("/matches/open", data=body, content_type="multipart/form-data; boundary=cut")


@pytest.fixture
def place(keeper: FlaskClient) -> str:
    """The address of an opened file's match."""
    answer = send(keeper, SAMPLE.read_bytes())
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def text(client: FlaskClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.get_data(as_text=True)
    return answer.get_data(as_text=True)


def test_opened_file_is_listed_and_replayed(keeper: FlaskClient, place: str) -> None:
    page = text(keeper, "/matches")
    assert f'<h3><a href="{place}">' in page
    assert "final.mat" in page
    assert "final.mat" not in text(keeper, "/matches?player=a")
    steps = json.loads(text(keeper, f"/api{place}/replay"))["steps"]
    assert {step["game"] for step in steps} == set(range(1, 9))
    assert not any("(entered)" in step["text"] for step in steps)
    assert "opened 20" in text(keeper, place)
    assert text(keeper, f"{place}/sheet")


def test_opened_file_counts_for_nobody(keeper: FlaskClient, table: RealTable, place: str) -> None:
    match_id = place.rpartition("/")[2]
    players = json.loads(text(keeper, f"/api{place}/replay"))["steps"][0]["players"]
    report = Report((players["south"], players["north"]), 2)
    report.figures = [Figures(10, 0.5, 0.1, 50.0), Figures(10, 0.2, -0.1, 20.0)]
    table.studies.keep(match_id, report)
    assert '<th scope="col">PR</th>' in text(keeper, f"{place}/summary")
    assert "Nobody" in text(keeper, f"/players/{players['south']}", 404)
    table.studies.catalogue_all()
    assert table.journal.archive.catalogue.query("SELECT count(*) FROM figures")[0][0] == 0
    assert "No match has been played yet." in text(keeper, "/matches")


@pytest.mark.parametrize("kind", ["mat", "sgf", "ogxm", "json", "zip"])
def test_opened_file_is_exported_unsigned(keeper: FlaskClient, place: str, kind: str) -> None:
    answer = keeper.get(f"{place}/export/{kind}")
    assert answer.status_code == 200
    assert b"x-companion-signature" not in answer.data
    if kind == "json":
        assert json.loads(answer.data).get("signed", []) == []
    if kind in ("mat", "sgf", "ogxm"):
        again = send(keeper, answer.data, f"again.{kind}")
        assert again.status_code == 303
        first, second = (text(keeper, f"{one}/sheet") for one in (place, str(again.headers["Location"])))
        points = re.compile(r'<td class="points">(\d+)</td>')
        assert points.findall(first) == points.findall(second)


def test_opened_file_is_deleted_with_its_analysis(keeper: FlaskClient, table: RealTable, place: str) -> None:
    match_id = place.rpartition("/")[2]
    table.studies.keep(match_id, Report(("a", "b"), 2))
    assert "file on your device stays" in text(keeper, f"{place}/manage")
    assert keeper.post(f"{place}/delete").status_code == 422
    assert keeper.post(f"{place}/delete", data={"sure": "yes"}).status_code == 303
    assert table.studies.kept(match_id) is None
    text(keeper, place, 404)
    assert place not in text(keeper, "/matches")


def test_opened_file_is_neither_named_nor_taken_up(keeper: FlaskClient, place: str) -> None:
    assert keeper.post(f"{place}/event", data={"event": "Club"}).status_code == 422
    assert keeper.post(f"{place}/resume").status_code == 422


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "This file is empty."), (b"\x89PNG\x00", "This is no match file"), (b"hello", "no match")],
    ids=["empty", "picture", "text"],
)
def test_bad_file_is_refused_on_the_page(keeper: FlaskClient, data: bytes, why: str) -> None:
    answer = send(keeper, data)
    assert answer.status_code == 422
    page = answer.get_data(as_text=True)
    assert re.search(rf'<p class="trouble" role="alert"[^>]*>[^<]*{why}', page)


@pytest.mark.parametrize(
    ("second", "status"), [(SAMPLE.read_bytes(), 200), (b"hello", 422)], ids=["one of two", "none"]
)
def test_several_files_have_a_result_each(keeper: FlaskClient, second: bytes, status: int) -> None:
    files = [(io.BytesIO(b""), "<none>.mat"), (io.BytesIO(second), "final.mat")]
    answer = keeper.post("/matches/open", data={"file": files}, content_type="multipart/form-data")
    assert answer.status_code == status
    results = answer.get_data(as_text=True).partition('class="results"')[2].partition("</ul>")[0]
    assert "&lt;none&gt;.mat: This file is empty." in results
    assert (">final.mat</a>: opened" in results) is (status == 200)
    assert ("final.mat" in text(keeper, "/matches")) is (status == 200)


def test_form_without_a_file_is_refused(keeper: FlaskClient) -> None:
    answer = keeper.post("/matches/open", data={}, content_type="multipart/form-data")
    assert answer.status_code == 422
    assert "Choose a file first." in answer.get_data(as_text=True)


def test_larger_file_than_the_page_takes_is_refused(keeper: FlaskClient) -> None:
    assert send(keeper, b"x" * (1000 * 1024)).status_code == 422
    assert send(keeper, b"x" * (2 << 20)).status_code == 413


def test_only_those_who_keep_score_open_files(app: Flask, join: Join) -> None:
    for who in (join(Role.VIEWER), join(Role.PLAYER, "south"), app.test_client()):
        assert send(who, SAMPLE.read_bytes()).status_code == 403


def test_other_sites_open_none(keeper: FlaskClient) -> None:
    answer = keeper.post(
        "/matches/open",
        data={"file": (io.BytesIO(SAMPLE.read_bytes()), "a.mat")},
        content_type="multipart/form-data",
        headers={"Origin": "https://elsewhere.example"},
    )
    assert answer.status_code == 403
