"""Another language chosen on the page: what was begun stays."""

from web.app import WebSettings, create_app
from web.roles import Role
from web.server.serve import serve


def test_another_language_keeps_what_was_begun(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.move("south", 24, 22)
    tablet.tap("#lies-so")
    tablet.move("south", 13, 3)
    tablet.sees("24/22 13/3", "#free")
    tablet.choose_language("de")
    tablet.sees("24/22 13/3", "#free")
    tablet.tap("#free-cancel")
    tablet.sees("In diesem Wurf ist keine 2.", "#asks .offer")
    tablet.choose_language("en")
    tablet.tap("#lies-so")
    house.act("undo")
    tablet.sees("Opening roll", "#verdict h2")
    tablet.choose_language("tr")
    tablet.find("#asks button")
    assert tablet.all("#free, #lies-so") == []


def test_another_language_keeps_the_position_that_is_being_set(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    tablet.tap("#setup-clear")
    tablet.tap("#set-spot-p6")
    tablet.find("select[name=cube]").send_keys("4")
    tablet.tap("dialog .close")
    tablet.choose_language("de")
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    tablet.sees("Anna: 14 abgetragen", "dialog")
    assert tablet.script("return document.querySelector('select[name=cube]').value") == "4"
    tablet.tap("#setup-table")
    tablet.sees("Anna: 0 abgetragen", "dialog")
    tablet.tap("#setup-clear")
    tablet.tap("dialog .close")
    house.act("play", moves=[[24, 18]])  # the table has gone on: what was tapped is of no use any more
    tablet.sees("24/18", "#undo")  # the page has the move
    tablet.tap("#menu")
    tablet.tap("#menu-position")
    tablet.sees("Anna: 0 abgetragen", "dialog")


def test_the_tab_that_is_open_and_a_match_being_told_outlast_another_language(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#tab-history")
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    line = tablet.find("input[name=south]")
    line.clear()
    line.send_keys("Zoe")
    tablet.tap(".choice:has(input[name=length][value='9'])")
    tablet.find("select[name=profile]").send_keys("WBGF")
    tablet.tap("#more-rules summary")
    tablet.find("input[name=automatic_doubles]").send_keys("2")
    tablet.tap("dialog .close")
    tablet.choose_language("de")
    tablet.find("#history")
    assert tablet.find("#tab-history").get_attribute("aria-selected") == "true"
    assert not any(one.is_displayed() for one in tablet.all("#plays"))
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    tablet.find("input[name=south]")
    given = "return Object.fromEntries(new FormData(document.querySelector('.new-match')))"
    told = tablet.script(given)
    assert (told["south"], told["north"], told["length"]) == ("Zoe", "Mehmet", "9")
    assert (told["profile"], told["automatic_doubles"]) == ("wbgf", "2")
    tablet.tap("#start-match")
    tablet.tap("#start .ask-yes")
    tablet.until(lambda: house.table.acted[-1]["type"] == "new_match", "the match")
    assert house.table.acted[-1]["players"]["south"] == "Zoe"


def test_who_is_called_by_his_seat_is_called_so_in_every_language(tablet, house) -> None:
    house.act("new_match", players={"south": "South", "north": "Mehmet"})
    tablet.open(house.link())
    tablet.sees("South", "#strip-bottom .name")
    tablet.choose_language("de")
    tablet.sees("Süd", "#strip-bottom .name")
    tablet.tap("#menu")
    tablet.tap("#menu-new")
    line = tablet.find("input[name=north]")
    line.clear()
    tablet.tap("#start-match")
    tablet.sees("Nord", "#strip-top .name")
    tablet.choose_language("en")
    tablet.sees("North", "#strip-top .name")


def test_house_chooses_language_colours_and_voice(tablet, tmp_path, house) -> None:

    house.begin()
    chosen = WebSettings(language="fi", theme="dark", voice=True)
    running = serve(create_app(house.table.page, house.roles, chosen), "127.0.0.1", 0)
    try:
        tablet.open(f"http://127.0.0.1:{running.port}/join/{house.roles.standing(Role.SCOREKEEPER).code}")
        tablet.sees("6-4", "#verdict h2")
        root = "document.documentElement"
        assert tablet.script(f"return [{root}.lang, {root}.dataset.theme]") == ["fi", "dark"]
        tablet.tap("#menu")
        tablet.gives("on", "return document.querySelector('input[name=sound]:checked')?.value")
        tablet.choose_language("tr")
    finally:
        tablet.open("about:blank")
        running.close()
