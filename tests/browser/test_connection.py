"""Several visitors of one table, and the page without a connection."""

from contextlib import closing

from tests.bench.load.page import Wire
from tests.support.real_page import RealTable
from web.app import create_app
from web.roles import Role
from web.server.serve import serve


def test_a_full_disk_is_shown_until_everything_is_written(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    assert "Not saved" not in tablet.text("#camera-line")
    house.table.journal.full = True
    tablet.tap("#play-0")
    tablet.sees("database or disk is full. Play goes on", "#toast.shown")
    tablet.sees("Not saved", "#camera-line")
    house.table.journal.full = False
    tablet.tap("#done")
    tablet.sees("Everything is on disk again.", "#toast.shown")
    tablet.until(lambda: "Not saved" not in tablet.text("#camera-line"), "the warning to be gone")
    assert tablet.state()["durable"]


def test_two_scorekeepers_at_once(tablet, second, house) -> None:
    house.begin()
    tablet.open(house.link())
    second.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    second.sees("6-4", "#verdict h2")
    # both choose before either hears of the other: the second one is told, and nothing is doubled
    second.script("window.EventSource.prototype.close.call(window.line ?? new EventSource('/api/events'))")
    late = """const done = arguments[arguments.length - 1];
        fetch('/api/act', {method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({type: 'play', moves: [[24, 20]], seq: arguments[0]})})
        .then((answer) => answer.json()).then((said) => done(said.detail))"""
    seq = house.table.seq
    tablet.move("south", 24, 18)
    tablet.until(lambda: house.table.moves == [(24, 18)], "the first play has arrived")
    said = second.answer(late, seq)
    assert "changed in the meantime" in said
    assert house.table.moves == [(24, 18)]
    second.move("south", 13, 9)
    tablet.sees("24/18 13/9", "#verdict .made")


def test_viewer_who_tries_to_act(tablet, house) -> None:
    house.begin()
    tablet.open(house.link(Role.VIEWER))
    assert tablet.driver.current_url.endswith("/watch")
    forbidden = """const done = arguments[arguments.length - 1];
        fetch('/api/act', {method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({type: 'play', moves: [[24, 18]], seq: arguments[0]})})
        .then((answer) => done(answer.status))"""
    assert tablet.answer(forbidden, house.table.seq) == 403
    assert house.table.moves == []


def test_cut_off_and_right_again(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    tablet.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    tablet.until(lambda: tablet.script("return document.body.dataset.line") == "cut", "the cut to be seen")
    tablet.sees("No connection", "#line-text")
    house.act("play", moves=[[24, 18], [13, 9]])
    tablet.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline | {"offline": False})
    tablet.sees("24/18 13/9", "#verdict .made")
    tablet.until(lambda: tablet.script("return document.body.dataset.line") == "open", "the line to be back")


def test_silent_cut_is_noticed_and_mended(tablet, house) -> None:
    """Nothing comes through any more, and nobody says so: a router that is unplugged, a tablet carried too far."""
    house.begin()
    with closing(Wire(house.running.port)) as wire:
        tablet.open(house.link().replace(f":{house.running.port}", f":{wire.port}"))
        tablet.sees("6-4", "#verdict h2")
        wire.turn()
        tablet.sees("No connection", "#line-text")
        house.act("play", moves=[[24, 18], [13, 9]])
        wire.turn()
        tablet.sees("24/18 13/9", "#verdict .made")
        tablet.until(
            lambda: tablet.script("return document.body.dataset.line") == "open", "the line to be back"
        )
        tablet.driver.get("about:blank")


def test_server_that_goes_and_comes_back(tablet, house, tmp_path) -> None:

    house.begin()
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    port = house.running.port
    house.running.close()
    tablet.until(lambda: tablet.script("return document.body.dataset.line") == "cut", "the cut to be seen")
    other = RealTable(tmp_path / "other")
    other.notice("A new start.")
    again = serve(create_app(other.page, house.roles), "127.0.0.1", port)
    try:
        tablet.sees("No match yet", "#verdict")  # a smaller seq, and right all the same
    finally:
        again.close()
        other.close()


def test_revoked_code_is_said(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    for joining in house.roles.all():
        house.roles.revoke(joining.code)
    tablet.sees("no longer valid", "#line-text")


def test_a_code_is_revoked_when_asked_for_twice_and_never_ones_own(tablet, house) -> None:
    house.begin()
    mine, theirs = house.roles.issue(Role.DIRECTOR), house.roles.issue(Role.PLAYER, "south")
    tablet.open(f"{house.address}/join/{mine.code}")
    tablet.tap("#menu")
    tablet.tap("#menu-joins")
    own, other = (f"li:has(img[src='/joins/{one.code}.svg'])" for one in (mine, theirs))
    tablet.sees("this device’s code", own)
    assert tablet.all(f"{own} .revoke") == []
    tablet.sees("Player: Anna", other)
    tablet.tap(f"{other} .copy")
    tablet.sees("Copied.", other)
    tablet.tap(f"{other} .revoke")
    tablet.sees("Everyone who joined with this code will be disconnected.", other)
    tablet.tap(f"{other} .ask-no")
    tablet.tap(f"{other} .revoke")
    assert house.roles.lookup(theirs.code) is not None
    house.roles.revoke(theirs.code)  # by somebody else, meanwhile
    tablet.tap(f"{other} .ask-yes")
    tablet.sees("This join code is not valid.", "dialog .error")
    last = house.roles.issue(Role.VIEWER)
    tablet.tap("dialog .close")
    tablet.tap("#menu")
    tablet.tap("#menu-joins")
    shown = f"li:has(img[src='/joins/{last.code}.svg'])"
    tablet.tap(f"{shown} .revoke")
    tablet.tap(f"{shown} .ask-yes")
    tablet.until(lambda: house.roles.lookup(last.code) is None, "the code to be out of force")
    tablet.until(lambda: not tablet.all(shown), "it to be gone from the list")


def test_cut_off_a_tap_on_done_says_why_nothing_happens(tablet, house) -> None:
    house.begin()
    house.act("play", moves=[[24, 18], [13, 9]])
    tablet.open(house.link())
    tablet.find("#done")
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    tablet.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    tablet.sees("No connection", "#line-text")
    assert tablet.find("#done").get_attribute("aria-disabled") == "true"
    tablet.tap("#done")
    tablet.sees("No connection: nothing was done.", "#toast.shown")
    tablet.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline | {"offline": False})
    tablet.until(lambda: tablet.script("return document.body.dataset.line") == "open", "the line to be back")
    assert tablet.find("#done").get_attribute("aria-disabled") is None
    tablet.tap("#done")
    tablet.sees("Mehmet to roll", "#verdict")


def test_player_answers_on_his_phone(tablet, second, house) -> None:
    house.to_roll()
    tablet.resize(390, 844, touch=True)
    tablet.open(house.link(Role.PLAYER, "south"))
    second.open(house.link(Role.PLAYER, "north"))
    for phone, name in ((tablet, "Anna"), (second, "Mehmet")):
        phone.sees(f"You are here as: {name}.", "#seated")
        assert phone.text("#strip-bottom .name") == name
    tablet.sees("Mehmet to roll", "#verdict")
    assert tablet.all("#asks button") == []
    house.act("double")
    tablet.find("#take")
    second.sees("Double to 2", "#verdict")
    assert second.all("#take, #pass") == []  # it is not the doubler who takes
    tablet.tap("#take")
    second.sees("Mehmet to roll", "#verdict")
    assert house.table.acted[-1]["type"] == "take"
    assert house.table.state()["cube"]["owner"] == "south"


def test_players_device_answers_for_nobody_after_the_seats_were_changed(tablet, house) -> None:
    """Until it is told whose it is, also after a reload; a corrected name is no other player."""
    house.game_over(length=3)
    tablet.open(house.link(Role.PLAYER, "north"))
    tablet.sees("wins", "#verdict h2")
    assert tablet.all("#reseated") == []
    house.act("next_game", swap_seats=True)
    tablet.sees("Anna sits here now", "#reseated")
    house.act("undo")
    tablet.until(lambda: tablet.all("#reseated") == [], "the seats as before")
    house.act("next_game", swap_seats=True)
    house.act("opening", south=6, north=4)
    house.act("resign", side="south", worth=1)
    tablet.open(house.address)
    tablet.sees("Anna sits here now", "#reseated")
    assert tablet.all("#accept") == []
    tablet.tap("#claim")
    tablet.tap("#accept")
    tablet.until(lambda: house.table.state()["phase"] == "game_over", "the end of the game")
    assert tablet.all("#reseated") == []
    house.act("new_match", players={"south": "Eve", "north": "Zoe"}, length=1)
    tablet.sees("Zoe", "#strip-bottom .name")
    assert tablet.all("#reseated") == []
