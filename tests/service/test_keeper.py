"""The keeper alone: what it does with each message, without processes, cameras or threads."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.camera.eye import CameraReport, Saw
from companion.game.events import AnyEvent, ClockSet, MatchBegan, Thrown, TimeRanOut
from companion.game.state import Level, Notice
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.protocol.action_shapes import Amend, Done, read_action
from companion.protocol.match_setup import Usual
from companion.records.rows import event_of
from companion.rules.profiles import PROFILES
from companion.service import health
from companion.service.health import Finding, Verdict
from companion.service.inbox import ActionRequest, HealthReport, Ping, Stop, WallTime
from companion.service.keeper import NOTICES, RETRY_S, Desk, Keeper
from companion.storage.errors import JournalError
from companion.storage.fallback import Backlog
from companion.storage.journal import Journal
from companion.storage.lines import match_files
from companion.storage.pictures import Pictures
from hardware.buttons import Edge, Gestures
from sentence import say, verbatim
from vision.dice.reading import DiceReading, DieReading
from vision.frame import Frame
from vision.watch.watcher import LiftedSeen, ThrowSeen
from web.page import Answer, Page
from web.roles import Role, Visitor

SCOREKEEPER = Visitor(Role.SCOREKEEPER)


@dataclass
class House:
    """A keeper with everything around it in plain sight."""

    keeper: Keeper
    desk: Desk
    journal: Journal
    shown: list[dict[str, str]]
    clock: SimpleNamespace
    disk: SimpleNamespace

    def state(self) -> dict[str, Any]:
        return dict(self.desk.page.state(SCOREKEEPER))

    def ask(self, visitor: Visitor = SCOREKEEPER, seq: int | None = None, **body: object) -> Answer:
        answer: SimpleQueue[Answer] = SimpleQueue()
        seq = self.state()["seq"] if seq is None else seq
        self.keeper.handle(ActionRequest(visitor, read_action({"seq": seq, **body}), answer))
        return answer.get_nowait()

    def press(self, button: str, for_s: float = 0.2) -> None:
        """A press and its release, ten seconds after whatever happened last."""
        down_s = self.clock.steady_s + 10
        for edge in (Edge(button, True, down_s), Edge(button, False, down_s + for_s)):
            self.keeper.handle(edge)
        self.clock.steady_s = down_s + for_s + 1
        self.keeper.tick()

    def try_the_disk_again(self) -> None:
        """Let the time pass after which a disk that took nothing is tried again."""
        self.clock.steady_s += RETRY_S + 1
        self.keeper.tick()

    def stop(self) -> None:
        self.desk.inbox.put(Stop())
        self.keeper.run()

    def rows(self) -> int:
        return len(self.kept())

    def kept(self) -> list[AnyEvent]:
        """The events of the last match on disk."""
        with closing(Journal(self.journal.path.parent, read_only=True)) as seen:
            match_id = seen.last_match_id
            return [event_of(row) for row in seen.rows(match_id)] if match_id else []


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    (tmp_path / "pictures").mkdir()
    clock = SimpleNamespace(s=1_000.0, steady_s=1_000.0)
    disk = SimpleNamespace(takes=True)
    wall = WallTime(lambda: clock.s, lambda: clock.s)
    page = Page(lambda visitor, body: Answer(500))
    shown: list[dict[str, str]] = []
    lamps = SimpleNamespace(show=lambda states: shown.append(dict(states)))
    with closing(Journal(tmp_path)) as journal:
        append = journal.append

        def appending(match_id: str, event: Any) -> Any:
            if not disk.takes:
                raise JournalError("The journal cannot be used: database or disk is full.")
            return append(match_id, event)

        monkeypatch.setattr(journal, "append", appending)
        gestures = Gestures(("south_cube", "north_cube"), 0.05, 1.5)
        desk = Desk(
            SimpleQueue(), Backlog(journal), Pictures(tmp_path / "pictures", 1 << 20), page, wall, Usual()
        )
        desk.show_lamps, desk.gestures, desk.steady_s = lamps.show, gestures, lambda: clock.steady_s
        keeper = Keeper(desk, Table(), 100, CameraReport("none", verbatim("")))
        yield House(keeper, desk, journal, shown, clock, disk)


def throw(*faces: int, half: str = "right") -> Saw:
    """A throw as the eye tells it, with a picture."""
    dice = tuple(
        DieReading(face, 0.99, (x, 10, x + 9, 19), (x + 4, 14), (100.0, -50.0), 0.5, "flat", half, True)  # type: ignore[arg-type]
        for x, face in zip((10, 40, 70), faces, strict=False)
    )
    frame = Frame(np.zeros((48, 64, 3), np.uint8), 1.0, 1)
    return Saw(ThrowSeen(DiceReading(dice, False, True), frame), b"jpeg" + bytes(faces))


def lifted() -> Saw:
    return Saw(LiftedSeen(Frame(np.zeros((48, 64, 3), np.uint8), 2.0, 2)), None)


def begin(house: House, **more: object) -> None:
    assert house.ask(type="new_match", length=3, **more).status == 200
    assert house.ask(type="opening", south=5, north=2).status == 200


def test_seq_counts_up_by_one_with_every_change(house: House) -> None:
    assert house.state()["seq"] == 100
    house.ask(type="new_match", length=3)
    assert house.state()["seq"] == 101
    house.keeper.handle(CameraReport("live", verbatim("0 is watching.")))
    assert house.state()["seq"] == 102


def test_action_is_stale_only_when_the_table_has_changed(house: House) -> None:
    begin(house)
    seq = house.state()["seq"]
    house.keeper.handle(CameraReport("live", verbatim("0 is watching.")))
    assert house.ask(seq=seq, type="play", moves=[[13, 8], [13, 11]]).status == 200
    before = house.state()
    for stale in (seq, 0, before["seq"] + 1):
        answer: SimpleQueue[Answer] = SimpleQueue()
        house.keeper.handle(ActionRequest(SCOREKEEPER, Done(seq=stale), answer))
        assert answer.get_nowait().status == 409
    assert house.state() == before


@pytest.mark.parametrize(
    ("visitor", "body", "status"),
    [
        (SCOREKEEPER, {"type": "double"}, 422),
        (SCOREKEEPER, {"type": "play", "text": "8/9"}, 422),
        (Visitor(Role.DIRECTOR), {"type": "amend", "event": 2, "to": {"south": 9}}, 400),
        (SCOREKEEPER, {"type": "amend", "event": 1, "to": {}}, 403),
        (Visitor(Role.PLAYER, "south"), {"type": "done"}, 403),
        (Visitor(Role.VIEWER), {"type": "call_director"}, 403),
    ],
)
def test_refusal_leaves_everything_as_it_was(
    house: House, visitor: Visitor, body: dict[str, object], status: int
) -> None:
    begin(house)
    before, rows = house.state(), house.rows()
    answer = house.ask(visitor, **body)
    assert answer.status == status
    assert str(answer.sentence).endswith(".")
    assert (house.state(), house.rows()) == (before, rows)


def test_throw_is_ruled_with_its_picture_kept(house: House) -> None:
    begin(house)
    house.ask(type="play", moves=[[13, 8], [13, 11]])
    house.keeper.handle(lifted())
    assert house.state()["on_roll"] == "north"
    house.keeper.handle(throw(6, 1, half="left"))
    state = house.state()
    assert (state["ruling"], state["roll"], state["phase"]) == ("valid", [6, 1], "rolled")
    name = state["throw"]["picture"].removeprefix("/pictures/")
    assert house.desk.pictures.load(name) == b"jpeg\x06\x01"
    event = house.keeper.table.entries[-1].event
    assert isinstance(event, Thrown)
    assert event.evidence.sha256 is not None
    assert event.evidence.sha256.startswith(name.removesuffix(".jpg"))


def test_ruling_is_told_as_long_as_its_roll_is_played(house: House) -> None:
    begin(house)
    house.ask(type="play", moves=[[13, 8], [13, 11]])
    house.keeper.handle(lifted())
    house.keeper.handle(throw(6, 1, half="left"))
    house.ask(type="play", moves=[[13, 7], [8, 7]])
    assert (house.state()["ruling"], house.state()["lamps"]["valid"]) == ("valid", "on")
    house.ask(type="done")
    state = house.state()
    assert (state["ruling"], state["roll"], state["lamps"]["valid"]) == (None, None, "off")
    assert state["throw"]["picture"]
    house.keeper.handle(throw(6))
    assert house.state()["ruling"] == "unread"


def test_who_may_not_is_told_so_before_he_is_told_to_look_again(house: House) -> None:
    begin(house)
    for visitor, action in (
        (Visitor(Role.VIEWER), Done(seq=0)),
        (SCOREKEEPER, Amend(seq=0, event=1, to={})),
    ):
        answer: SimpleQueue[Answer] = SimpleQueue()
        house.keeper.handle(ActionRequest(visitor, action, answer))
        assert answer.get_nowait().status == 403


def test_throw_without_a_match_is_passed_over(house: House) -> None:
    house.keeper.handle(throw(6, 1))
    assert house.state()["phase"] == "no_match"
    assert house.desk.waiting.handled == 1


def test_picture_that_cannot_be_kept_does_not_stop_the_throw(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.ask(type="new_match", length=1)

    def full(jpeg: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(house.desk.pictures, "keep", full)
    house.ask(type="opening", south=5, north=2)
    house.ask(type="play", moves=[[13, 8], [13, 11]])
    house.ask(type="done")
    house.keeper.handle(throw(6, 1, half="left"))
    assert house.state()["roll"] == [6, 1]
    assert "No space left" in " ".join(notice["text"] for notice in house.state()["notices"])


def test_full_disk_is_said_once_and_everything_written_later(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(house)
    rows = house.rows()
    house.disk.takes = False
    state = house.ask(type="play", moves=[[13, 8], [13, 11]]).state
    assert state is not None
    assert state["durable"] is False
    house.ask(type="done")
    alarms = [notice for notice in house.state()["notices"] if notice["level"] == "alarm"]
    assert len(alarms) == 1
    assert "a power cut or a stop would lose" in alarms[0]["text"]
    assert house.rows() == rows
    house.disk.takes = True
    house.try_the_disk_again()
    assert house.state()["durable"] is True
    assert house.rows() == rows + 2
    assert capsys.readouterr().err.splitlines() == [alarms[0]["text"], "Everything is on disk again."]
    assert fold(house.kept()).state == house.keeper.table.state


def test_journal_deleted_while_nobody_plays_is_said_and_written_anew(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(house)
    shutil.rmtree(house.journal.path)
    for durable in (False, True):
        house.try_the_disk_again()
        assert house.state()["durable"] is durable
    alarm, again = capsys.readouterr().err.splitlines()
    assert "was deleted or replaced while it was in use" in alarm
    assert "it is written anew; a power cut before that loses all" in alarm
    assert again == "Everything is on disk again."
    assert fold(house.kept()).state == house.keeper.table.state


def test_journal_that_cannot_be_written_anew_is_said_once_and_lost_with_the_stop(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(house)
    events = house.rows()
    shutil.rmtree(house.journal.path.parent)
    for _ in range(3):
        house.try_the_disk_again()
    alarms = [notice["text"] for notice in house.state()["notices"] if notice["level"] == "alarm"]
    assert [text.partition(". Play goes on, ")[2] for text in alarms] == [
        "and it is written anew; a power cut before that loses all matches.",
        "but a power cut or a stop loses all matches.",
    ]
    house.stop()
    assert house.keeper.lost.endswith(f"Matches lost with this stop: 1, events in them: {events}.")
    assert capsys.readouterr().err.splitlines() == [*alarms, house.keeper.lost]


@pytest.mark.parametrize("takes", [True, False], ids=["the disk takes it again", "it does not"])
def test_stop_tries_once_more_and_says_what_is_lost(
    house: House, takes: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(house)
    rows = house.rows()
    house.disk.takes = False
    house.ask(type="play", moves=[[13, 8], [13, 11]])
    house.ask(type="done")
    house.disk.takes = takes
    house.stop()
    assert house.rows() == rows + (2 if takes else 0)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith("Everything is on disk again." if takes else "Events lost with this stop: 2.")
    assert house.keeper.lost == ("" if takes else last)


def test_disk_that_took_nothing_at_the_start_is_not_said_again_until_it_has_taken_something(
    house: House,
) -> None:
    begin(house)
    why = "The journal cannot be used: database or disk is full"
    text = say("{why}. Play goes on, but a power cut or a stop would lose what happens now.", why=why)

    def times_said() -> int:
        return [notice["text"] for notice in house.state()["notices"]].count(str(text))

    house.keeper.handle(Notice(text, Level.ALARM))  # as the program does when it starts on such a disk
    house.disk.takes = False
    house.ask(type="play", moves=[[13, 8], [13, 11]])
    assert house.state()["durable"] is False
    house.ask(type="done")
    assert times_said() == 1
    for takes in (True, False):
        house.disk.takes = takes
        house.try_the_disk_again()
    assert house.state()["durable"] is True
    house.ask(type="roll", dice=[6, 5])
    assert times_said() == 2


def test_lost_camera_blinks_and_its_return_is_said(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.keeper.handle(CameraReport("lost", verbatim("The cable is out.")))
    assert house.state()["camera"]["state"] == "lost"
    assert house.state()["lamps"]["look"] == "blink"
    assert house.shown[-1]["look"] == "blink"
    house.keeper.handle(CameraReport("live", verbatim("0 is watching.")))
    assert house.state()["lamps"]["look"] == "off"
    assert [notice["text"] for notice in house.state()["notices"]] == [
        "The cable is out.",
        "The camera is back.",
    ]
    assert capsys.readouterr().err.splitlines() == ["The cable is out.", "The camera is back."]


def test_recorded_throws_begin_a_match_by_themselves(house: House) -> None:
    house.keeper.handle(CameraReport("recorded", verbatim("Recorded throws are played.")))
    assert house.state()["phase"] == "opening"
    assert house.desk.waiting.awaited.kind == "opening"
    before = house.state()["match"]["id"]
    house.keeper.handle(CameraReport("recorded", verbatim("Recorded throws are played.")))
    assert house.state()["match"]["id"] == before


def shows_recorded_throw(house: House) -> None:
    """A match that recorded throws have begun, with its opening read."""
    house.keeper.handle(CameraReport("recorded", verbatim("Recorded throws are played.")))
    house.keeper.handle(
        Saw(
            ThrowSeen(
                replace_halves(throw(6, 4)),
                Frame(np.zeros((48, 64, 3), np.uint8), 1.0, 1),
            ),
            b"jpeg of the opening",
        )
    )
    assert house.state()["phase"] == "rolled"


def replace_halves(saw: Saw) -> DiceReading:
    assert isinstance(saw.seeing, ThrowSeen)
    one, two = saw.seeing.reading.dice
    return DiceReading((one, replace(two, half="left")), False, True)


def pictures(house: House) -> list[Path]:
    return list((house.journal.path.parent / "pictures").glob("*.jpg"))


def test_recorded_throws_leave_nothing_until_somebody_does_something(house: House) -> None:
    shows_recorded_throw(house)
    assert (house.rows(), house.state()["match"]["unclaimed"]) == (0, True)
    assert house.ask(type="double").status == 422
    assert (house.rows(), house.state()["match"]["unclaimed"]) == (0, True)
    assert house.state()["durable"]
    house.ask(type="play", moves=[[24, 18], [13, 9]])
    assert house.state()["match"]["unclaimed"] is False
    assert [type(event).__name__ for event in house.kept()] == ["MatchBegan", "Thrown", "PlayEntered"]
    assert len(pictures(house)) == 1


def test_stop_leaves_nothing_of_a_match_that_was_nobodys(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    shows_recorded_throw(house)
    assert len(pictures(house)) == 1
    house.stop()
    assert (house.rows(), pictures(house), house.keeper.lost) == (0, [], "")
    assert capsys.readouterr().err == ""


def test_match_of_ones_own_takes_the_place_of_nobodys(house: House) -> None:
    shows_recorded_throw(house)
    assert house.ask(type="new_match", length=3, dry_run=True).status == 200
    assert house.state()["match"]["unclaimed"]
    assert house.ask(type="new_match", length=3).status == 200
    state = house.state()
    assert (state["match"]["length"], state["match"]["unclaimed"]) == (3, False)
    assert (house.rows(), pictures(house), house.keeper.former_match) == (1, [], "")
    assert "resume" not in state["may"]
    with closing(Journal(house.journal.path.parent, read_only=True)) as seen:
        assert len(list(seen.archive.newest(9, ""))) == 1


def test_throw_of_a_camera_is_kept_in_a_match_that_recorded_throws_began(house: House) -> None:
    house.keeper.handle(CameraReport("recorded", verbatim("Recorded throws are played.")))
    house.keeper.handle(CameraReport("live", verbatim("0 is watching.")))
    assert house.rows() == 0
    house.keeper.handle(throw(6))
    assert house.rows() == 2


def test_new_match_is_tried_without_a_trace(house: House) -> None:
    begin(house)
    before = house.state()
    assert house.ask(type="new_match", length=5, dry_run=True).status == 200
    refused = house.ask(type="new_match", chouette=["Anna", "Ben"], dry_run=True)
    assert (refused.status, house.ask(type="new_match", profile="none", dry_run=True).status) == (422, 422)
    assert house.state() == before
    assert house.rows() == 2


def test_lamps_and_page_tell_the_same(house: House) -> None:
    begin(house)
    house.keeper.handle(throw(3, 3))
    assert house.shown[-1] == house.state()["lamps"]


class TestButtons:
    def test_turn_button_ends_its_sides_turn_only(self, house: House) -> None:
        begin(house)
        house.ask(type="play", moves=[[13, 8], [13, 11]])
        house.press("north_turn")
        assert house.state()["phase"] == "played"
        house.press("south_turn")
        assert (house.state()["phase"], house.state()["on_roll"]) == ("on_roll", "north")
        assert house.keeper.table.entries[-1].event.by == "button"

    def test_second_press_does_nothing(self, house: House) -> None:
        begin(house)
        house.ask(type="play", moves=[[13, 8], [13, 11]])
        house.press("south_turn")
        before = house.state()
        house.press("south_turn")
        assert house.state() == before

    @pytest.mark.parametrize(
        ("held_s", "phase"), [(0.2, "on_roll"), (2.0, "game_over")], ids=["take", "pass"]
    )
    def test_cube_is_offered_and_answered(self, house: House, held_s: float, phase: str) -> None:
        begin(house)
        house.ask(type="play", moves=[[13, 8], [13, 11]])
        house.press("south_turn")
        house.press("south_cube")
        assert house.state()["phase"] == "on_roll"
        house.press("north_cube")
        assert (house.state()["phase"], house.state()["asked"]) == ("doubled", "south")
        house.press("north_cube", held_s)
        assert house.state()["phase"] == "doubled"
        house.press("south_cube", held_s)
        assert house.state()["phase"] == phase

    def test_director_is_called(self, house: House) -> None:
        begin(house)
        house.press("director")
        assert house.state()["lamps"]["look"] == "blink"

    def test_press_that_is_not_possible_says_why(self, house: House) -> None:
        begin(house)
        house.press("south_turn")
        assert house.state()["phase"] == "rolled"
        assert house.state()["notices"][-1]["text"].endswith(".")


CLOCK = {"profile": "modern", "overrides": {"clock": "simple_delay"}}


class TestClock:
    def start(self, house: House) -> None:
        begin(house, **CLOCK)
        assert house.state()["clock"]["running"] == "south"

    def test_time_that_ran_out_is_told_once(self, house: House) -> None:
        self.start(house)
        house.clock.s += 24 * 3600
        house.keeper.tick()
        house.keeper.tick()
        ran_out = [entry for entry in house.keeper.table.entries if isinstance(entry.event, TimeRanOut)]
        assert len(ran_out) == 1

    def test_time_between_two_starts_is_nobodys(self, house: House) -> None:
        self.start(house)
        reserve_ms = house.state()["clock"]["south"]
        house.clock.s += 24 * 3600
        again = Keeper(house.desk, house.keeper.table, 500, CameraReport("none", verbatim("")))
        again.resume()
        clock = house.state()["clock"]
        assert clock["south"] == reserve_ms
        assert clock["running"] == "south"
        assert [type(entry.event) for entry in again.table.entries[-2:]] == [ClockSet, ClockSet]
        news = house.state()["notices"][-1]
        assert "costs nobody anything" in news["text"]
        assert news["n"] > 500, "a page that stayed open shows what is newer than the last it has shown"
        again.tick()
        assert house.state()["phase"] == "rolled"

    def test_play_before_a_start_can_be_undone(self, house: House) -> None:
        self.start(house)
        state = house.state()
        house.ask(type="play", moves=state["plays"][0]["moves"])
        again = Keeper(house.desk, house.keeper.table, 500, CameraReport("none", verbatim("")))
        again.resume()
        assert house.state()["undo_text"] == state["plays"][0]["text"]

    def test_start_without_a_running_clock_writes_nothing(self, house: House) -> None:
        begin(house)
        rows = house.rows()
        Keeper(house.desk, house.keeper.table, 500, CameraReport("none", verbatim(""))).resume()
        assert house.rows() == rows


def test_late_page_is_shown_the_last_notices_only(house: House) -> None:
    for number in range(NOTICES + 5):
        house.keeper.handle(Notice(verbatim(f"News {number}.")))
    shown = house.state()["notices"]
    assert [notice["text"] for notice in shown] == [f"News {number}." for number in range(5, NOTICES + 5)]
    assert [notice["n"] - shown[0]["n"] for notice in shown] == list(range(NOTICES))


def test_machine_is_shown_to_the_director_and_said_only_when_it_turns_bad(house: House) -> None:
    good = Finding("heat", Verdict.GOOD, verbatim("50 °C."))
    hot = Finding("heat", Verdict.BAD, verbatim("85 °C."), verbatim("Give it more air."))
    house.keeper.handle(HealthReport((good,)))
    seq = house.state()["seq"]
    house.keeper.handle(HealthReport((replace(good, text=verbatim("51 °C.")),)))
    assert house.state()["seq"] == seq
    assert house.state()["health"] is None
    for _ in range(3):
        house.keeper.handle(HealthReport((hot,)))
    shown = house.desk.page.state(Visitor(Role.DIRECTOR))["health"]
    row = {"what": "heat", "verdict": "bad", "text": "85 °C.", "remedy": "Give it more air.", "say": {}}
    assert shown == [row]
    assert [notice["text"] for notice in house.state()["notices"]] == ["85 °C. Give it more air."]


def test_eye_that_has_failed_is_said_once(house: House) -> None:
    """By the eye, and not half a minute later by the machine's health as well; that the director still sees it."""
    why = "The camera watcher has failed: KeyError. Enter rolls by hand meanwhile."
    house.keeper.handle(CameraReport("lost", verbatim(why)))
    house.keeper.handle(HealthReport((health.frames("failed", 0.0, 0.0),)))
    assert [notice["text"] for notice in house.state()["notices"]] == [why]
    shown = house.desk.page.state(Visitor(Role.DIRECTOR))["health"]
    assert [(row["what"], row["verdict"]) for row in shown] == [("frames", "bad")]


def test_eye_that_hangs_while_the_camera_lives_is_said(house: House) -> None:
    house.keeper.handle(CameraReport("live", verbatim("0 is watching.")))
    house.keeper.handle(HealthReport((health.frames("live", 12.0, 0.0),)))
    assert "the newest 12.0 s old" in house.state()["notices"][-1]["text"]


def test_ping_is_answered(house: House) -> None:
    answer: SimpleQueue[bool] = SimpleQueue()
    house.keeper.handle(Ping(answer))
    assert answer.get_nowait()


def test_first_event_names_the_match(house: House) -> None:
    begin(house)
    first = house.keeper.table.entries[0].event
    assert isinstance(first, MatchBegan)
    assert house.journal.last_match_id == first.match_id


def test_a_fault_of_the_program_keeps_the_table_and_everybody_plays_on(house: House) -> None:
    """A rule profile whose name is no text cannot be written: the first event fails on its way to the disk."""
    broken = replace(PROFILES["modern"], name=object())  # type: ignore[arg-type]
    house.desk.profiles, logged = {"modern": broken}, []
    house.desk.log = logged.append
    answer = house.ask(type="new_match", length=3)
    assert (answer.status, house.rows(), house.state()["phase"]) == (500, 0, "no_match")
    assert house.state()["notices"][-1]["level"] == "alarm"
    assert "TypeError" in logged[0]
    assert house.ask(type="new_match", length=3).status == 500
    assert len(logged) == 1, "the same fault is logged once"
    house.desk.profiles = PROFILES
    begin(house)
    assert house.rows() == 2


def test_new_match_has_the_right_time_after_one_that_began_in_2099(house: House) -> None:
    house.clock.s = 4_070_908_800.0
    begin(house)
    house.clock.s = 1_800_000_000.0
    house.keeper.handle(throw(3, 1))
    begin(house)
    house.keeper.handle(throw(6, 4))
    files = match_files(house.journal.path.parent)
    first, second = ([json.loads(line)["at_ms"] for line in file.read_text().splitlines()] for file in files)
    assert first == sorted(first)
    assert first[0] == 4_070_908_800_000
    assert second == [1_800_000_000_000] * len(second)
