"""The pages about kept matches and players: list, search, export, deletion, resumption, replay, access."""

import csv
import io
import json
import re
import zipfile

import pytest
from flask.testing import FlaskClient

from companion.__main__ import main
from companion.records.gnubg_report import CubeError, Figures, Graded, LeftOut, Report
from companion.rules.board import checkers_on
from companion.rules.positions import PinningPosition
from companion.storage.archive import deletions_in, verify_all
from sentence import say, verbatim
from tests.support.real_page import RealTable
from web.roles import Role

ANNA, BORA = {"south": "Anna", "north": "Mehmet"}, {"south": "Bora", "north": "Çiğdem"}
KEEPERS_OWN = ("/matches", "/matches/all.zip", "/players", "/players/Anna", "/api/players")


def play(table: RealTable, **match: object) -> str:
    """Play a match to one point, which Mehmet or who sits there resigns; gives its id."""
    table.begin(length=1, **match)
    table.do("play", text="24/18 13/9")
    table.do("done")
    table.do("resign", side="north", worth=1)
    table.do("accept")
    return str(table.state()["match"]["id"])


def text(client: FlaskClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.get_data(as_text=True)
    return answer.get_data(as_text=True)


def listed(client: FlaskClient, query: str = "") -> list[str]:
    """The matches on the page, by what stands in their links."""
    page = text(client, f"/matches{query}")
    return [
        part.split("<")[0]
        for part in page.split('<h2><a href="/matches/')[1:]
        for part in [part.split(">", 1)[1]]
    ]


def test_list_is_newest_first_and_searched_by_player_event_and_day(keeper, table: RealTable) -> None:
    assert "No match has been played yet." in text(keeper, "/matches")
    first = play(table, players=ANNA)
    second = play(table, players=BORA)
    assert listed(keeper) == ["Bora 1 – 0 Çiğdem", "Anna 1 – 0 Mehmet"]
    assert listed(keeper, "?player=anna") == ["Anna 1 – 0 Mehmet"]
    assert listed(keeper, "?player=çiğ") == ["Bora 1 – 0 Çiğdem"]
    assert listed(keeper, "?until=2001-01-01") == []
    assert listed(keeper, "?state=open") == []
    assert keeper.post(f"/matches/{first}/event", data={"event": " Club  evening "}).status_code == 303
    assert listed(keeper, "?event=CLUB") == ["Anna 1 – 0 Mehmet"]
    assert "Club evening" in text(keeper, f"/matches/{first}/manage")
    assert "Club evening" not in text(keeper, f"/matches/{second}/manage")


def test_list_says_what_was_played_and_when(keeper, table: RealTable) -> None:
    play(table, players=ANNA)
    table.do("new_match", profile="fevga", length=3)
    table.do("new_match", length=0, chouette=["Anna", "Bora", "Cem"])
    page = text(keeper, "/matches").partition('id="opened"')[0]
    lines = re.findall(r'<p class="hint">(.*?)</p>', page)
    assert [re.sub("<.*?>", "", line).split(" · ")[1:] for line in lines] == [
        ["Money play", "Chouette", "on the table"],
        ["Match to 3 points", "Fevga", "nothing played"],
        ["Match to 1 point", "Modern backgammon", "Anna wins the match."],
    ]
    assert all(re.match(r"<time>\d{4}-\d\d-\d\d \d\d:\d\d</time>", line) for line in lines)
    assert listed(keeper)[0] == "Anna 0, Bora 0, Cem 0"


def test_list_has_pages(keeper, table: RealTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.storage.listing.PAGE", 2)
    monkeypatch.setattr("companion.service.archive.kept_matches.PAGE", 2)
    for _ in range(3):
        play(table)
    assert [len(listed(keeper, f"?page={page}")) for page in (1, 2, 3)] == [2, 1, 0]


def test_match_that_is_not_on_the_table_is_exported(keeper, table: RealTable) -> None:
    first = play(table)
    play(table)
    for kind in ("mat", "sgf", "json", "zip"):
        answer = keeper.get(f"/matches/{first}/export/{kind}")
        assert answer.headers["Content-Disposition"] == f"attachment; filename={first}.{kind}"
    assert json.loads(keeper.get(f"/matches/{first}/export/json").data)["match"] == first
    assert keeper.get(f"/matches/{first}/export/exe").status_code == 404
    german = {"Accept-Language": "de"}
    with zipfile.ZipFile(
        io.BytesIO(keeper.get(f"/matches/{first}/export/zip", headers=german).data)
    ) as dossier:
        assert b'<html lang="de"' in dossier.read("index.html")
        signed = json.loads(dossier.read("events.json"))["signed"]
    assert [one["match"] for one in signed if one["about"] == "match"] == [first]
    with zipfile.ZipFile(io.BytesIO(keeper.get("/matches/all.zip").data)) as archive:
        contents = list(csv.DictReader(io.StringIO(archive.read("contents.csv").decode())))
        assert [row["match"] for row in contents][1] == first
        for row in contents:
            assert archive.read(row["file"]) == (table.journal.path / row["file"]).read_bytes()


def test_deleted_match_is_gone_and_the_chain_says_so(keeper, table: RealTable) -> None:
    first, second, third = (play(table) for _ in range(3))
    assert keeper.post(f"/matches/{second}/delete").status_code == 422  # the box is not ticked
    assert keeper.post(f"/matches/{third}/delete", data={"sure": "yes"}).status_code == 422  # on the table
    for match in (second, first):
        assert keeper.post(f"/matches/{match}/delete", data={"sure": "yes"}).status_code == 303
        assert keeper.get(f"/matches/{match}").status_code == 404
    folder = table.journal.archive.folder
    assert [one.deleted for one in deletions_in(folder)] == [second, first]
    assert [one.by for one in deletions_in(folder)] == ["scorekeeper"] * 2
    assert list(verify_all(table.journal.archive)) == []
    fourth = play(table)
    assert listed(keeper) == ["Anna 1 – 0 Mehmet"] * 2
    assert {row.match_id for row in table.journal.rows(fourth)} == {fourth}


def test_verify_says_that_a_match_was_deleted(keeper, table: RealTable, capsys) -> None:
    first, _second = play(table), play(table)
    assert keeper.post(f"/matches/{first}/delete", data={"sure": "yes"}).status_code == 303
    where = ["--state", str(table.journal.archive.folder)]
    assert main(["verify", *where]) == 0
    assert f"Match {first} was deleted on " in capsys.readouterr().out
    assert main(["verify", first, *where]) == 2
    assert "by a scorekeeper." in capsys.readouterr().err


def test_match_to_which_the_table_can_return_is_not_deleted(keeper, table: RealTable) -> None:
    match = play(table)
    table.do("new_match")
    assert keeper.post(f"/matches/{match}/delete", data={"sure": "yes"}).status_code == 422
    assert "once another match" in text(keeper, f"/matches/{match}/manage")
    table.do("opening", south=6, north=4)
    table.do("play", text="24/18 13/9")
    table.do("done")
    assert keeper.post(f"/matches/{match}/delete", data={"sure": "yes"}).status_code == 303


def test_lost_match_is_no_deleted_one(keeper, table: RealTable) -> None:
    first, second, third = (play(table) for _ in range(3))
    assert keeper.post(f"/matches/{first}/delete", data={"sure": "yes"}).status_code == 303
    table.journal.archive.file_of(second).unlink()
    assert list(verify_all(table.journal.archive)) == [f"Match {third} does not follow the one before it."]


def test_deleted_match_takes_its_pictures_along(keeper, table: RealTable) -> None:
    table.begin(length=1)
    table.do("play", text="24/18 13/9")
    table.do("done")
    table.thrown(6, 3)
    match = table.state()["match"]["id"]
    pictures = {
        step["picture"] for step in keeper.get(f"/api/matches/{match}/replay").get_json()["steps"]
    } - {None}
    play(table)
    assert pictures
    for picture in pictures:
        assert keeper.get(picture).status_code == 200
    assert keeper.post(f"/matches/{match}/delete", data={"sure": "yes"}).status_code == 303
    for picture in pictures:
        assert keeper.get(picture).status_code == 404


def test_unfinished_match_is_continued_once(keeper, table: RealTable) -> None:
    table.begin(length=3)
    table.do("play", text="24/18 13/9")
    table.do("done")
    left = table.state()
    match = left["match"]["id"]
    play(table, players=BORA)
    assert keeper.post(f"/matches/{match}/resume").status_code == 303
    now = table.state()
    assert (now["position"], now["phase"]) == (left["position"], "on_roll")
    assert (now["match"]["players"], now["match"]["id"]) == (ANNA, f"{match}-2")
    table.do("roll", dice=[3, 1])
    assert list(verify_all(table.journal.archive)) == []
    play(table)
    assert keeper.post(f"/matches/{match}/resume").status_code == 422  # its continuation can
    assert keeper.post(f"/matches/{match}-2/resume").status_code == 303
    assert table.state()["roll"] == [3, 1]


def test_match_whose_names_were_corrected_is_continued_whole(join, keeper, table: RealTable) -> None:
    table.begin(length=3)
    table.do("play", text="24/18 13/9")
    table.do("done")
    match = table.state()["match"]["id"]
    amended = {"type": "amend", "seq": table.state()["seq"], "event": 1}
    renamed = {"type": "new_match", "players": {"south": "Annie"}}
    assert join(Role.DIRECTOR).post("/api/act", json={**amended, "to": renamed}).status_code == 200
    play(table, players=BORA)
    assert keeper.post(f"/matches/{match}/resume").status_code == 303
    assert table.state()["match"]["id"] == f"{match}-2"
    table.do("roll", dice=[3, 1])
    play(table, players=BORA)
    assert [line for line in listed(keeper) if "Annie" in line] == ["Annie 0 – 0 Mehmet"] * 2
    assert keeper.post(f"/matches/{match}-2/resume").status_code == 303
    assert (table.state()["match"]["id"], table.state()["roll"]) == (f"{match}-3", [3, 1])
    assert list(verify_all(table.journal.archive)) == []


def test_finished_match_is_corrected_at_the_table_and_counts_once(join, keeper, table: RealTable) -> None:
    match = play(table)
    before = keeper.get(f"/api/matches/{match}/replay").get_json()
    play(table, players=BORA)
    assert "Correct this match" in text(keeper, f"/matches/{match}/manage")
    assert keeper.post(f"/matches/{match}/resume").status_code == 303
    now = table.state()
    assert (now["phase"], now["match"]["id"], now["match"]["players"]) == ("match_over", f"{match}-2", ANNA)
    assert now["match"]["signed"]["head"] == now["match"]["head"], (
        "its end is signed before anything is changed"
    )
    amended = {"type": "amend", "seq": now["seq"], "event": 3, "to": {"type": "play", "text": "24/14"}}
    said = join(Role.DIRECTOR).post("/api/act", json=amended)
    assert said.status_code == 200, said.get_json()
    corrected = keeper.get(f"/api/matches/{match}-2/replay").get_json()
    assert corrected["steps"][2]["text"].startswith("24/14 (corrected")
    assert keeper.get(f"/api/matches/{match}/replay").get_json() == before
    assert list(verify_all(table.journal.archive)) == []
    assert f'href="/matches/{match}-2"' in text(keeper, f"/matches/{match}/manage")
    assert keeper.post(f"/matches/{match}/resume").status_code == 422  # the corrected one can
    anna = text(keeper, "/players/Anna")
    assert f"/matches/{match}-2" in anna
    assert f'/matches/{match}"' not in anna  # one match, one result
    play(table)
    said = keeper.post("/players/forget", data={"name": "Mehmet", "sure": "yes"})
    assert said.status_code == 422  # one of them is on the table; the others are gone
    assert keeper.get(f"/matches/{match}").status_code == 404


def test_finished_match_has_its_score_sheet_once_another_one_began(keeper, join, table: RealTable) -> None:
    match = play(table)
    sheet = text(keeper, "/sheet")
    play(table, players=BORA)
    kept = text(keeper, f"/matches/{match}/sheet")
    head = re.search(r'<code id="head">(\w+)</code>', sheet)
    assert head is not None
    assert head[0] in kept
    assert "Mehmet" in kept
    assert "Bora" not in kept
    code = re.search(r'src="(/matches/[^"]+/signed/\d+\.svg)"', kept)
    assert code is not None
    assert keeper.get(code[1]).mimetype == "image/svg+xml"
    assert f'href="/matches/{match}"' in kept
    assert keeper.get("/matches/nothing/sheet").status_code == 404
    assert join(Role.VIEWER).get(f"/matches/{match}/sheet").status_code == 403


def test_deletion_is_confirmed(keeper, table: RealTable) -> None:
    match = play(table)
    play(table)
    answer = keeper.post(f"/matches/{match}/delete", data={"sure": "yes"}, follow_redirects=True)
    assert "The match is deleted." in answer.get_data(as_text=True)
    assert "The match is deleted." not in text(keeper, "/matches")


def test_replay_has_every_step(keeper, table: RealTable) -> None:
    match = play(table)
    replay = keeper.get(f"/api/matches/{match}/replay").get_json()
    assert [(step["side"], step["text"]) for step in replay["steps"][1:4]] == [
        (None, "opening: Anna 6, Mehmet 4"),
        ("south", "24/18 13/9"),
        ("north", "resigns a single game"),
    ]
    opening, played = replay["steps"][1:3]
    assert (opening["roll"], opening["moves"]) == ([6, 4], [[24, 18], [13, 9]])
    assert opening["xgid"] == "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:1:1:10"
    assert played["board"]["points"][17] == 1
    assert keeper.get("/api/matches/nothing/replay").status_code == 404


def test_replay_gives_no_aid_that_the_rules_withhold(join, table: RealTable) -> None:
    table.begin(length=1, overrides={"aids": "withheld"})
    address = f"/api/matches/{table.state()['match']['id']}/replay"
    viewer, keeper = join(Role.VIEWER), join(Role.SCOREKEEPER)
    assert [client.get(address).get_json()["steps"][-1]["pips"] for client in (viewer, keeper)] == [
        None,
        {"south": 167, "north": 167},
    ]
    for kind, more in (
        ("play", {"text": "24/18 13/9"}),
        ("done", {}),
        ("resign", {"side": "north", "worth": 1}),
    ):
        table.do(kind, **more)
    table.do("accept")
    assert viewer.get(address).get_json()["steps"][1]["pips"] == {"south": 167, "north": 167}


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER, Role.DIRECTOR])
def test_only_the_match_on_the_table_is_for_everybody(app, join, table: RealTable, role: Role) -> None:
    first = play(table)
    second = play(table)
    client = join(role)
    keeps = role is not Role.VIEWER
    for address in (*KEEPERS_OWN, *(f"/matches/{second}/{name}" for name in ("manage", "export/mat"))):
        assert client.get(address).status_code == (200 if keeps else 403), address
    for name in ("", "/summary"):
        assert client.get(f"/matches/{second}{name}").status_code == 200
        assert client.get(f"/matches/{first}{name}").status_code == (200 if keeps else 403)
        assert app.test_client().get(f"/matches/{second}{name}").status_code == 403
    assert client.get(f"/api/matches/{second}/replay").status_code == 200
    assert client.get(f"/api/matches/{first}/replay").status_code == (200 if keeps else 403)
    for name in ("delete", "resume", "event", "analyse"):
        if not keeps:
            assert client.post(f"/matches/{first}/{name}", data={"sure": "yes"}).status_code == 403


def test_other_sites_cannot_delete(keeper, table: RealTable) -> None:
    match = play(table)
    play(table)
    for headers in ({"Origin": "http://evil.test"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = keeper.post(f"/matches/{match}/delete", data={"sure": "yes"}, headers=headers)
        assert answer.status_code == 403
    assert keeper.get(f"/matches/{match}").status_code == 200


def test_names_are_text_on_every_page(keeper, table: RealTable) -> None:
    evil = "<script>alert(1)</script>"
    match = play(table, players={"south": evil, "north": "A/B & 'C'"})
    assert keeper.post(f"/matches/{match}/event", data={"event": evil}).status_code == 303
    for address in ("/matches", f"/matches/{match}", f"/matches/{match}/manage", f"/matches/{match}/summary"):
        assert "<script>alert" not in text(keeper, address)
    for name in ("%3Cscript%3Ealert(1)%3C/script%3E", "A/B%20&%20'C'"):
        assert "<script>alert" not in text(keeper, f"/players/{name}")


def test_players_are_offered_and_have_pages(keeper, table: RealTable) -> None:
    play(table, players=ANNA)
    play(table, players=ANNA)
    play(table, players={"south": "Bora Mete", "north": "Anna"})
    assert keeper.get("/api/players?like=m").get_json() == {"players": ["Mehmet", "Bora Mete"]}
    assert keeper.get("/api/players").get_json() == {"players": ["Anna", "Mehmet", "Bora Mete"]}
    page = text(keeper, "/players/Anna")
    for shown in ("Mehmet", "Bora Mete", "2 / 3"):
        assert shown in page
    assert keeper.get("/players/Nobody").status_code == 404
    assert "Bora Mete" in text(keeper, "/players")


def test_names_are_joined_and_separated_and_the_record_keeps_them(join, table: RealTable) -> None:
    director = join(Role.DIRECTOR)
    play(table, players=ANNA)
    match = play(table, players={"south": "Anna M.", "north": "Mehmet"})
    joined = director.post("/players/join", data={"old": "Anna", "new": "Anna M."})
    assert joined.headers["Location"] == "/players/Anna%20M."
    page = text(director, "/players/Anna")
    assert "<h1>Anna M.</h1>" in page
    assert "Also played as Anna." in page
    assert len(listed(director, "?player=anna+m")) == 2, (
        "his matches are found by the name that they count as"
    )
    assert director.get("/api/players").get_json() == {"players": ["Anna M.", "Mehmet"]}
    assert ">Anna<" not in text(director, "/players/Mehmet")
    (table.journal.path.parent / "catalogue.sqlite").unlink(missing_ok=True)
    assert director.get("/api/players").get_json() == {"players": ["Anna M.", "Mehmet"]}
    assert b'"Anna"' in director.get(f"/matches/{first_of(director)}/export/json").data
    director.post("/players/join", data={"old": "Anna", "new": "Anna"})
    assert "<h1>Anna</h1>" in text(director, "/players/Anna")
    assert match in text(director, "/players/Anna%20M.")


def test_joining_a_player_with_his_opponent_asks_first(join, table: RealTable) -> None:
    director = join(Role.DIRECTOR)
    play(table, players=ANNA)
    play(table, players={"south": "Bora", "north": "Mehmet"})
    asked = director.post("/players/join", data={"old": "Anna", "new": "Mehmet"})
    assert asked.status_code == 200
    assert "have played 1 match against each other" in asked.get_data(as_text=True)
    assert director.get("/api/players").get_json() == {"players": ["Mehmet", "Anna", "Bora"]}
    assert director.post("/players/join", data={"old": "Bora", "new": "Anna"}).status_code == 303  # never met
    director.post("/players/join", data={"old": "Bora", "new": "Bora"})
    sure = {"old": "Anna", "new": "Mehmet", "sure": "yes"}
    assert director.post("/players/join", data=sure).status_code == 303
    assert director.get("/api/players").get_json() == {"players": ["Mehmet", "Bora"]}


def test_refusal_about_a_match_leads_back_to_it(keeper, table: RealTable) -> None:
    table.do("new_match", profile="fevga", length=3)
    match = table.state()["match"]["id"]
    for page in (
        text(keeper, f"/matches/{match}/export/ogxm", 422),
        keeper.post(f"/matches/{match}/delete").get_data(as_text=True),
    ):
        assert f'<a href="/matches/{match}/manage">Back to the match</a>' in page


def first_of(client: FlaskClient) -> str:
    """The id of the oldest match in the list."""
    return re.findall(r'<h2><a href="/matches/([^"]+)"', text(client, "/matches"))[-1]


def test_summary_has_both_ratings_before_and_after(keeper, table: RealTable) -> None:
    play(table, players=ANNA)
    second = play(table, players=ANNA)
    change = table.page.services.kept.summary(second)["ratings"]
    assert [name for name, _before, _after in change] == ["Anna", "Mehmet"]
    assert change[0][1] == pytest.approx(1510)  # 4 * 5 * 0.5 for a match to one point between equals
    assert change[0][2] > change[0][1]
    assert change[1][2] < change[1][1] < 1500


def lose_on_time(table: RealTable, south: int, north: int, length: int = 3) -> str:
    """Let Anna, south, lose a match on time at this score, which nobody has played for; gives its id."""
    quick = {"clock": "simple_delay", "clock_delay_s": 0, "clock_reserve_s_per_point": 3600}
    table.begin(length=length, overrides=quick)
    table.stand(score={"south": south, "north": north})
    table.do("clock", order="set", south_ms=0)
    table.keeper.tick()
    match = table.state()["match"]
    assert match["winner"] == "north"
    assert match["score"] == {"south": south, "north": north}
    return str(match["id"])


@pytest.mark.parametrize(
    ("south", "north"), [pytest.param(2, 0, id="by the leader"), pytest.param(0, 0, id="at no points")]
)
def test_match_lost_on_time_is_the_winners_everywhere(
    keeper, table: RealTable, capsys, south: int, north: int
) -> None:
    """The points say nothing of the winner of a match that ended on time."""
    match = lose_on_time(table, south, north)
    kept = table.page.services.kept
    assert {one["name"]: (one["won"], one["over"]) for one in kept.players()} == {
        "Anna": (0, 1),
        "Mehmet": (1, 1),
    }
    assert kept.player("Mehmet")["opponents"] == [("Anna", 1, 1)]
    assert kept.player("Anna")["opponents"] == [("Mehmet", 1, 0)]
    ratings = {one["name"]: one["rating"].value for one in kept.players()}
    assert ratings["Anna"] < 1500 < ratings["Mehmet"]
    assert [name for name, _before, _after in kept.summary(match)["ratings"]] == ["Mehmet", "Anna"]
    for place in ("/matches", f"/matches/{match}", f"/matches/{match}/summary"):
        assert "Mehmet wins the match." in text(keeper, place)
    for place in ("/sheet", f"/matches/{match}/sheet"):
        assert "Anna has no time left: Mehmet wins the match." in text(keeper, place)
    with zipfile.ZipFile(io.BytesIO(keeper.get("/matches/all.zip").data)) as archive:
        [line] = csv.DictReader(io.StringIO(archive.read("contents.csv").decode()))
    assert line["winner"] == "north"
    assert keeper.get("/api/matches").get_json()["matches"][0]["winner"] == "north"
    assert json.loads(keeper.get(f"/matches/{match}/export/json").data)["sheet"]["winner"] == "north"
    capsys.readouterr()
    assert main(["matches", "--json", "--state", str(table.journal.archive.folder)]) == 0
    assert json.loads(capsys.readouterr().out)["winner"] == "north"
    assert main(["matches", "--state", str(table.journal.archive.folder)]) == 0
    assert "won by Mehmet" in capsys.readouterr().out


def test_match_that_is_not_over_has_no_winner(keeper, table: RealTable) -> None:
    table.begin(length=3)
    table.stand(score={"south": 2, "north": 0})
    assert [one["won"] for one in table.page.services.kept.players()] == [0, 0]
    assert [one["winner"] for one in table.page.services.kept.find({})["matches"]] == [None]
    assert "wins the match" not in text(keeper, "/matches") + text(keeper, "/sheet")


def test_only_the_director_joins_names(keeper, table: RealTable) -> None:
    play(table, players=ANNA)
    assert keeper.post("/players/join", data={"old": "Anna", "new": "Bora"}).status_code == 403
    assert 'id="join"' not in text(keeper, "/players/Anna")


def test_player_is_forgotten_with_all_matches(keeper, table: RealTable) -> None:
    play(table, players=ANNA)
    play(table, players=BORA)
    table.begin()
    assert keeper.post("/players/forget", data={"name": "Bora"}).status_code == 422
    opponent = BORA["south"]
    assert keeper.post("/players/forget", data={"name": opponent, "sure": "yes"}).status_code == 303
    assert keeper.get(f"/players/{opponent}").status_code == 404
    assert opponent not in text(keeper, "/matches")


@pytest.mark.parametrize(("decisions", "judged"), [(0, False), (3, True)])
def test_summary_judges_nobody_who_decided_nothing(
    keeper, table: RealTable, decisions: int, judged: bool
) -> None:
    match = play(table, players=ANNA)
    table.studies.keep(match, Report(("Anna", "Mehmet"), 0, [Figures(3, decisions)] * 2))
    assert ("Both played equally well." in text(keeper, f"/matches/{match}/summary")) is judged


def test_summary_shows_no_figures_of_the_first_games_while_the_rest_is_analysed(
    keeper, table: RealTable
) -> None:
    match = play(table, players=ANNA)
    table.studies.keep(match, Report(("Anna", "Mehmet"), 0, [Figures(3, 3)] * 2))
    assert "Both played equally well." in text(keeper, f"/matches/{match}/summary")
    table.studies._progress(match, 1, 2)
    answer = keeper.get(f"/matches/{match}/summary")
    assert "1 of 2 games are done" in answer.get_data(as_text=True)
    assert "played equally" not in answer.get_data(as_text=True)
    assert answer.headers["Refresh"] == "4"


def test_summary_has_cube_errors_among_the_costliest_with_their_positions(keeper, table: RealTable) -> None:
    table.begin(length=3, players=ANNA)
    table.do("play", text="24/18 13/9")
    table.do("done")
    table.do("double")
    table.do("take")
    table.thrown(1, 1)
    table.do("play", text="8/7(2) 6/5(2)")
    table.do("done")
    table.do("resign", side="south", worth=2)
    table.do("accept")
    match = str(table.state()["match"]["id"])
    cube = [CubeError(1, 1, "Mehmet", "wrong double", 0.41), CubeError(1, 1, "Anna", "wrong take", 0.993)]
    play = Graded(1, 0, (6, 4), "24/18 13/9", "24/14", 0.124, "", (), -0.3)
    illegal = [LeftOut(1, 1, "6-1", verbatim("13/7 8/6"), say("There is no {n} in this roll.", n=2))]
    table.studies.keep(
        match,
        Report(
            ("Anna", "Mehmet"), 0, [Figures(3, 3, 1.1, 0.2), Figures(3, 3, 0.4, -0.2)], [play], cube, illegal
        ),
    )
    page = text(keeper, f"/matches/{match}/summary")
    assert "Game 1, Mehmet, 6-1: 13/7 8/6. There is no 2 in this roll." in page
    assert re.findall(r"<h3>(\d\. [^<]*)</h3>", page) == [
        f"{at}. \N{MINUS SIGN}{loss}" for at, loss in ((1, "0.993"), (2, "0.410"), (3, "0.124"))
    ]
    double = next(
        step["n"]
        for step in table.page.services.kept.replay(match, True)["steps"]
        if step["phase"] == "doubled"
    )
    assert page.count(f'href="/matches/{match}#{double}"') == 4, "both cards and both lines of the cube"
    assert "wrong take" in page
    assert (
        re.search(r"[ >(]-\d", re.sub(r"<svg.*?</svg>|data-play=\"[^\"]*\"", "", page, flags=re.DOTALL))
        is None
    )
    assert "<h2>Save the record</h2>" in page


def test_summary_is_taken_home_as_a_code(keeper, table: RealTable) -> None:
    table.begin(length=1, players=ANNA)
    running = str(table.state()["match"]["id"])
    assert keeper.get(f"/matches/{running}/summary.svg").status_code == 404
    match = play(table, players=ANNA)
    assert f'src="/matches/{match}/summary.svg"' in text(keeper, f"/matches/{match}/summary")
    drawing = text(keeper, f"/matches/{match}/summary.svg")
    modules = int(re.search(r'viewBox="0 0 (\d+) \d+"', drawing)[1])
    assert (modules - 2 * 4 - 17) % 4 == 0, "a code of whole modules with a quiet zone of four"


def test_summary_names_no_better_player_where_one_decided_nothing(keeper, table: RealTable) -> None:
    match = play(table, players=ANNA)
    table.studies.keep(match, Report(("Anna", "Mehmet"), 0, [Figures(3, 0), Figures(3, 3, 0.1)]))
    page = text(keeper, f"/matches/{match}/summary")
    assert "played better" not in page
    assert "<td>–</td><td>–</td><td>0</td>" in page


def test_chouette_is_found_and_deleted_under_each_of_its_players(keeper, join, table: RealTable) -> None:
    table.do("new_match", chouette=["Gus", "Bob", "Cem", "Dora"])
    table.do("opening", south=3, north=1)
    table.do("resign", side="south", worth=1)
    table.do("accept")
    table.do("next_game")  # Bob against Cem
    match = table.state()["match"]["id"]
    play(table)
    for name, account in (("Gus", "\N{MINUS SIGN}3"), ("Bob", r"\+1"), ("Cem", r"\+1"), ("Dora", r"\+1")):
        others = ", ".join(other for other in ("Gus", "Bob", "Cem", "Dora") if other != name)
        assert listed(keeper, f"?player={name.lower()}") == ["Gus \N{MINUS SIGN}3, Bob +1, Cem +1, Dora +1"]
        page = text(keeper, f"/players/{name}")
        assert re.search(
            rf'/matches/{match}">{others}</a></th><td>[-\d]+</td><td>{account} Chouette</td>', page
        )
        assert "<h2>Opponents</h2>" not in page
        assert f"/players/{name}" in text(keeper, "/players")
    assert json.loads(text(keeper, "/api/players?like=dor"))["players"] == ["Dora"]
    join(Role.DIRECTOR).post("/players/join", data={"old": "Dora", "new": "Theodora"})
    assert "Theodora" in text(keeper, "/players/Gus")
    assert listed(keeper, "?player=theo") != []
    play(table)
    assert keeper.post("/players/forget", data={"name": "Theodora", "sure": "yes"}).status_code == 303
    assert keeper.get(f"/matches/{match}").status_code == 404


@pytest.mark.parametrize(
    "match",
    [
        {"profile": "tavli", "length": 3},
        {"chouette": ["Ann", "Bob", "Cem"]},
        {"overrides": {"start": "all_on_24"}},
        {},
    ],
)
def test_only_what_can_be_had_is_offered(
    keeper, table: RealTable, monkeypatch, match: dict[str, object]
) -> None:
    monkeypatch.setattr("companion.service.archive.kept_matches.missing", lambda: None)
    table.do("new_match", **match)
    table.do("opening", south=3, north=1)
    table.do("resign", side="north", worth=1)
    table.do("accept")
    name = table.state()["match"]["id"]
    for page in ("summary", "manage"):
        kinds = re.findall(r"/export/(\w+)", text(keeper, f"/matches/{name}/{page}"))
        theirs = ["mat", "sgf"] if "overrides" in match or not match else []
        assert kinds == [*theirs, *([] if match else ["ogxm"]), "json", "zip"]
        for kind in kinds:
            assert keeper.get(f"/matches/{name}/export/{kind}").status_code == 200
    assert ('id="analyse"' in text(keeper, f"/matches/{name}/summary")) == bool(theirs)


def test_sheet_and_summary_of_a_chouette_have_every_players_points(keeper, table: RealTable) -> None:
    table.do("new_match", chouette=["Ann", "Bob", "Cem"])
    for kind, more in (("opening", {"south": 3, "north": 1}), ("play", {"text": "8/5 6/5"}), ("done", {})):
        table.do(kind, **more)
    for kind, more in (("double", {"partners": ["Cem"]}), ("pass", {"partner": "Cem"})):
        table.do(kind, **more)
    table.do("resign", side="north", worth=1)
    table.do("accept")
    match = table.state()["match"]["id"]
    for address in ("/sheet", f"/matches/{match}/sheet", f"/matches/{match}/summary"):
        page = re.sub(r"\s*\n\s*", "", text(keeper, address)).replace(' class="words"', "")
        row = "<td>1</td><td>–</td><td>–</td><td>Ann 0, Bob \N{MINUS SIGN}1, Cem +1</td><td>resigned</td>"
        assert row in page
        assert "Winner" not in page


def test_a_drawn_game_of_plakoto_is_no_single_game(keeper, table: RealTable) -> None:
    table.do("new_match", profile="plakoto", length=3)
    before = PinningPosition(
        checkers_on({24: 1, 6: 13, 3: 1}), checkers_on({24: 1, 1: 2, 13: 12}), pinned=1 << 24
    )
    table.do("set_position", pos=before.ints(), under=before.under(), on_roll="south")
    table.do("roll", dice=[2, 1])
    table.do("play", text="3/1 6/5")
    for address in ("/sheet", f"/matches/{table.state()['match']['id']}/summary"):
        page = text(keeper, address)
        assert "both mothers pinned" in page
        assert "single game" not in page


def test_each_game_of_tavli_is_named_on_sheet_summary_and_replay(keeper, table: RealTable) -> None:
    table.do("new_match", profile="tavli", length=5)
    table.do("opening", south=3, north=1)
    for following in (True, True, False):
        table.do("resign", side="north", worth=1)
        table.do("accept")
        if following:
            table.do("next_game")
    match = table.state()["match"]["id"]
    for address in ("/sheet", f"/matches/{match}/summary"):
        page = text(keeper, address)
        assert re.findall(r"<td>(\d \w+)</td>", page) == ["1 Portes", "2 Plakoto", "3 Fevga"]
    steps = json.loads(text(keeper, f"/api/matches/{match}/replay"))["steps"]
    named = {step["game"]: step["variant"] for step in steps}
    assert named == {1: "Portes", 2: "Plakoto", 3: "Fevga"}
    assert steps[-1]["say"]["variant"]["t"] == "Fevga"


def test_summary_without_gnubg_says_so(keeper, table: RealTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("companion.service.gnubg.PLACES", ())
    match = play(table)
    page = text(keeper, f"/matches/{match}/summary")
    assert "GNU Backgammon is not installed" in page
    assert keeper.post(f"/matches/{match}/analyse").status_code == 422
