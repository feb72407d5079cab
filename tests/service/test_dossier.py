"""The dossier's index page: board, XGID, roll numbers, clocks, times and language of every event."""

import contextlib
import io
import json
import re
import time
import zipfile

import pytest

from companion.commands.export import LANGUAGES as OFFERED
from companion.errors import UserError
from companion.game.events import Evidence, Thrown
from companion.records.diagram import board_svg
from companion.records.ids import xgid_of
from companion.records.ogxm.document import formats_of
from companion.records.rows import GENESIS, row_of
from companion.rules.board import Side, checkers_on
from companion.rules.family.profiles import ALL_PROFILES, FAMILY
from companion.rules.positions import PinningPosition
from companion.rules.referee import DieAtRest, Half, Rest
from companion.service.dossier import exported
from companion.service.dossier_page import index_html, rolls_of
from tests.support.script import Script
from web.languages import LANGUAGES


def rows_of(table):
    rows, previous = [], GENESIS
    for entry in table.entries:
        rows.append(row_of(entry.event, "m", entry.number, previous))
        previous = rows[-1].digest
    return rows


def page_of(script, **more):
    return index_html(rows_of(script.table), script.table, (), **more)


def a_turn_each(**overrides):
    script = Script(**overrides).ready().thrown(6, 4, rest=Rest.LEANING).roll(3, 1)
    return script.play("8/5 6/5").do("done", after_s=20).roll(6, 4).play("24/14").do("done")


def test_each_event_has_its_board_and_xgid():
    script = a_turn_each()
    page = page_of(script)
    assert page.count('<svg class="board"') == len(script.table.entries)
    for entry in script.table.entries:
        assert f"{xgid_of(entry.state)}</code>" in page


def test_rolls_are_numbered_within_their_game():
    script = a_turn_each()
    brought = [(roll, brings) for _, roll, brings in rolls_of(script.table)]
    assert [roll for roll, brings in brought if brings] == [1, 2]
    assert brought[2] == (0, False)  # cocked
    script.do("resign").do("accept").do("next_game").opening(3, 1)
    assert [roll for _, roll, brings in rolls_of(script.table) if brings] == [1, 2]


def test_an_overruled_roll_keeps_its_number():
    script = Script().ready().thrown(6, 4, rest=Rest.LEANING).do("rule", dice=[6, 4]).do("rule", dice=[6, 3])
    assert [roll for _, roll, _ in rolls_of(script.table)] == [0, 0, 0, 1, 1]


def test_clocks_stand_beside_each_event_and_only_with_a_clock():
    page = page_of(a_turn_each(clock="simple_delay"))
    assert ">10:00 - 10:00<" in page
    assert ">9:49 - 10:00<" in page
    assert "10:00 - " not in page_of(a_turn_each())


@pytest.mark.parametrize("zone", ["UTC0", "EST5"])
def test_times_are_local_with_utc_below(monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    page = page_of(Script())
    local = "1970-01-01 00:00:01" if zone == "UTC0" else "1969-12-31 19:00:01"
    assert f"{local}<br><small>1970-01-01 00:00:01</small>" in page
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_the_language_asked_for(language):
    page = page_of(Script().opening(3, 1).do("resign"), language=language)
    assert f'<html lang="{language}">' in page
    words = re.sub(r"<[^>]+>", " ", page)
    for english in ("Score sheet", "resigns a single game"):
        assert (english in words) is (language == "en")


def test_languages_of_the_option_are_those_of_the_page():
    assert set(OFFERED) == set(LANGUAGES)


def circles(svg):
    return {(int(x), int(y)) for x, y in re.findall(r'<circle cx="(\d+)" cy="(\d+)"', svg)}


def test_each_game_of_a_chouette_has_every_players_points():
    script = Script()
    script.do("new_match", chouette=["Ann", "Bob", "Cem"]).opening(3, 1).play("8/5 6/5").do("done")
    script.do("double", partners=["Cem"]).do("pass", partner="Cem")
    script.do("resign", side="north", worth=1).do("accept")
    page = page_of(script)
    assert "<h1>Ann - Bob - Cem</h1>" in page
    assert "Chouette, Ann 0, Bob \N{MINUS SIGN}1, Cem +1" in page
    assert "<tr><td>1<td>–<td>–<td>Ann 0, Bob \N{MINUS SIGN}1, Cem +1<td>resigned</tr>" in page


def test_each_game_of_tavli_is_named():
    script = Script("tavli").south_begins().do("resign", side="north").do("accept").do("next_game")
    script.do("resign", side="north").do("accept").do("next_game")
    script.do("resign", side="north").do("accept")
    page = page_of(script, language="de")
    assert re.findall(r"<tr><td>(\d \w+)<td>South", page) == ["1 Portes", "2 Plakoto", "3 Fevga"]


def test_a_drawn_game_is_no_single_game():
    before = PinningPosition(
        checkers_on({24: 1, 6: 13, 3: 1}), checkers_on({24: 1, 1: 2, 13: 12}), pinned=1 << 24
    )
    script = Script("plakoto")
    script.do("set_position", pos=before.ints(), under=before.under(), on_roll="south").roll(2, 1).play(
        "3/1 6/5"
    )
    rows = re.sub(r"\s*\n\s*", "", page_of(script))
    assert "both mothers pinned" in rows
    assert "single game" not in rows


@pytest.mark.parametrize("profile", FAMILY)
def test_a_game_that_no_other_program_knows_is_exported_as_our_own_record(profile):
    script = Script(profile, opening_roll="played").opening(6, 5)
    script.do("play", moves=script.view["plays"][0]["moves"]).do("done")
    rows, none = rows_of(script.table), {}.get
    for kind in ("mat", "sgf", "ogxm"):
        with pytest.raises(UserError, match=r"can hold .*; export it as json"):
            exported(kind, rows, script.table, none)
    assert json.loads(exported("json", rows, script.table, none))["sheet"]["profile"] == profile
    with zipfile.ZipFile(io.BytesIO(exported("zip", rows, script.table, none))) as archive:
        assert archive.namelist() == ["index.html", "events.json", "README.txt"]
        assert files_named_in(archive) == {"index.html", "events.json"}


@pytest.mark.parametrize("profile", [*ALL_PROFILES, "chouette"])
def test_the_formats_offered_are_those_that_are_not_refused(profile):
    script = Script() if profile == "chouette" else Script(profile)
    if profile == "chouette":
        script.do("new_match", chouette=["Ann", "Bob", "Cem"])
    given = []
    for kind in ("mat", "sgf", "ogxm", "json", "zip"):
        with contextlib.suppress(UserError):
            exported(kind, rows_of(script.table), script.table, {}.get)
            given.append(kind)
    assert formats_of(script.state) == given == script.view["match"]["formats"]
    with zipfile.ZipFile(io.BytesIO(exported("zip", rows_of(script.table), script.table, {}.get))) as archive:
        assert ("match.mat" in archive.namelist()) == ("mat" in given)


def files_named_in(archive: zipfile.ZipFile) -> set[str]:
    """The files that the dossier's README lists."""
    readme = archive.read("README.txt").decode()
    return set(re.findall(r"^(\S+[./]\S*) {2,}", readme, re.MULTILINE))


@pytest.mark.parametrize("pictured", [True, False])
def test_readme_names_the_files_that_the_dossier_holds(pictured):
    script = Script().opening_thrown(3, 1)
    if pictured:
        script = Script()
        script.do("new_match")
        dice = (DieAtRest(3, Rest.FLAT, Half.RIGHT, 0.0), DieAtRest(1, Rest.FLAT, Half.LEFT, 0.0))
        script.take(
            Thrown(dice, at_ms=script.now_ms, by="camera", evidence=Evidence(picture="a" * 32 + ".jpg"))
        )
    content = exported("zip", rows_of(script.table), script.table, lambda name: b"jpg" if pictured else None)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        held = {name.partition("/")[0] + "/" * ("/" in name) for name in archive.namelist()}
        assert ("pictures/" in held) == pictured
        assert files_named_in(archive) == held - {"README.txt"}


def test_pinned_checkers_are_drawn_below_the_others():
    script = Script("plakoto", opening_roll="played").opening(6, 5)
    checkers = [0] * 26
    checkers[5], checkers[24], checkers[1] = 2, 13, -14
    under = [-1 if point == 5 else 0 for point in range(26)]
    script.do("set_position", pos=checkers, under=under, on_roll="south")
    south, north = script.state.board.seen_by(Side.SOUTH), script.state.board.seen_by(Side.NORTH)
    assert (south.mine[5], north.mine[20], north.pinned) == (2, 1, 1 << 20)
    drawn = board_svg(script.state)
    first = re.search(r'<circle cx="(\d+)" cy="(\d+)"', drawn)
    assert first, "the pinned checker is drawn before all others"
    column = int(first[1])
    assert sorted(y for x, y in circles(drawn) if x == column) == [182, 201, int(first[2])]


def test_the_board_is_drawn_as_it_stands():
    script = Script()
    start = board_svg(script.state)
    assert len(circles(start)) == 30
    assert (250, 210) in circles(start)  # north's two on south's ace point, at the lower right
    turned = Script()
    turned.do("new_match", profile="modern", orientation={"home": "left", "south": "dark"})
    mirrored = board_svg(turned.state)
    assert circles(mirrored) == {(13 * 20 - x, y) for x, y in circles(start)}
    assert mirrored.index('fill="#333"') < mirrored.index('fill="#fff" stroke')


def test_the_cube_is_drawn_only_where_it_is_used():
    script, short = Script(), Script()
    script.do("new_match", profile="modern", length=3)
    short.do("new_match", profile="modern", length=1)
    assert ">64<" in board_svg(script.state)
    assert ">64<" not in board_svg(short.state)


def test_tall_stacks_the_bar_checkers_off_and_the_cube_are_numbered():
    script = Script().set({25: 2, 6: 7}, {13: 6}, cube={"value": 4, "owner": "north"})
    svg = board_svg(script.state)
    assert {">7<", ">6<", ">9<", ">4<"} <= {f">{text}<" for text in re.findall(r">(\d+)</text>", svg)}
    assert len(circles(svg)) == 2 + 5 + 1 + 5 + 1
    assert script.state.cube.owner is Side.NORTH
