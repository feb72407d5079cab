"""The keeper of the table: handles the inbox's messages one by one, and is the only writer of the table.

An event is on disk before it is shown. If the disk cannot be written, play goes on, the page shows a warning, and
waiting events are written as soon as possible.
"""

import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace as with_terms

from companion.camera.checkers import CheckersSeen, Wanted
from companion.camera.eye import CameraReport, GameBegins, Played, Saw
from companion.camera.recorded import Awaited, Waiting
from companion.errors import BadShapeError, GameError, RoleError, UserError
from companion.game import events
from companion.game.clock import out_of_time
from companion.game.state import GameOver, Level, MatchOver, Notice, Rolled, State
from companion.game.state_machine import fold, step
from companion.game.table import Table
from companion.hall.protocol.pairings import Offer
from companion.protocol.action_shapes import Action, Names, NewMatch, Resume
from companion.protocol.actions import event_of
from companion.protocol.lamps_and_buttons import cube_question, event_of_button, lamps_of, lights_of
from companion.protocol.match_setup import Usual
from companion.protocol.permissions import NOT_IN_ROLE, Asker, may_ask
from companion.protocol.shapes import Lamps, SignedHead
from companion.protocol.view import ServiceStatus, camera_view, view_of
from companion.rules.board import Board
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.profile import Profile
from companion.rules.referee import RollingRules
from companion.service.archive.former import FormerMatch
from companion.service.checkers.board_keeping import BoardKeeping, checkers_view
from companion.service.health import Finding, Verdict
from companion.service.inbox import (
    ActionRequest,
    HealthReport,
    Message,
    Offered,
    Ping,
    Resumption,
    Stop,
    ThrowsOrder,
    WallTime,
)
from companion.service.translate import asker_of, awaited_of, notice_line, seen_of, state_of
from companion.service.twelve_throws import TwelveThrowsCheck
from companion.storage.fallback import AtStake, Backlog
from companion.storage.pictures import Pictures
from sentence import NOTHING, Sentence, joined, say
from web.page import Answer, Page, ok, refused
from web.roles import Visitor

if TYPE_CHECKING:
    from hardware.buttons import Gestures, Press

TICK_S = 0.5
"""Seconds between checks of the chess clock."""
RETRY_S = 2.0
"""Seconds between attempts on a disk that could not be written."""
NOTICES = 12
"""Number of the last notices that a page opened later still shows."""
TRYING = say("Throws are being tried: they do not count in the match.")
TRIED = say("No more throws are tried: from now on they count.")
ON_DISK = say("Everything is on disk again.")


@dataclass(slots=True)
class Desk:
    """The keeper's tools.

    Attributes:
        inbox: all messages in order of arrival; a SimpleQueue, because a signal's handler may put into it at any
            moment.
        backlog: queue of events in front of the journal.
        wall: the time of events.
        usual: default terms of a new match.
        profiles: the rule profiles that a new match may name.
        waiting: the table's next need, which recorded throws follow.
        wanted: what is to be read in the camera's pictures.
        show_lamps: sets the lamps beside the board.
        show_lights: sets the lights of an LED strip, by side; it must not wait for the strip.
        gestures: turns the buttons' edges into presses; None without any.
        twelve_throws: the check with twelve throws.
        label: names the event of a match; a sentence why not, else an empty one.
        log: writes a line about a lost camera or a failing disk; by default to standard error, which systemd reads.
        steady_s: monotonic clock for presses and for attempts on a failing disk, in seconds.
    """

    inbox: "SimpleQueue[Message]"
    backlog: Backlog
    pictures: Pictures
    page: Page
    wall: WallTime
    usual: Usual
    profiles: Mapping[str, Profile] = field(default_factory=lambda: ALL_PROFILES)
    waiting: Waiting = field(default_factory=Waiting)
    wanted: Wanted = field(default_factory=Wanted)
    show_lamps: Callable[[Any], None] = lambda lamps: None
    show_lights: Callable[[Any], None] = lambda lights: None
    gestures: "Gestures | None" = None
    twelve_throws: TwelveThrowsCheck = field(default_factory=TwelveThrowsCheck)
    label: Callable[[str, str], Sentence] = lambda match, event: NOTHING
    log: Callable[[str], None] = lambda text: print(text, file=sys.stderr, flush=True)
    steady_s: Callable[[], float] = time.monotonic


FAULT = say("Something went wrong in the program; the table is unchanged. See the log.")
_BY_ITSELF = ("camera", "clock", "recording")
"""Sources of events (`Event.by`) that are nobody's doing."""
_SELDOM = (events.MatchBegan, events.SettingsChanged, events.PositionSet, events.PenaltyGiven, events.Amended)


class Keeper:
    """Keeps one table: applies events, writes them, and shows the state.

    Attributes:
        table: the present table; only the keeper sets it.
        lamps: the state of each lamp.
        lost: what a stop lost, a sentence; "" for nothing.
    """

    def __init__(
        self, desk: Desk, table: Table, seq: int, camera: CameraReport, findings: Sequence[Finding] = ()
    ) -> None:
        """Take over the table from the journal; states are numbered on from `seq`."""
        self._desk, self.table = desk, table
        self._seq = self._table_seq = seq
        self._camera = camera
        self._notices: tuple[tuple[int, Notice], ...] = ()
        self._noticed = seq
        self._durable, self._at_stake, self._tried_s = True, AtStake.LATEST, 0.0
        self._timed_out: tuple[object, ...] = ()
        self._findings = tuple(findings)
        self._asked: object = None
        self._asked_s = 0.0
        self.lost = self._fault = ""
        self.lamps: Lamps = lamps_of(None)
        self._former = FormerMatch(desk.backlog, table)
        self._board_keeping = BoardKeeping(desk.wanted)
        self._offer: Offer | None = None
        self._publish()

    @property
    def former_match(self) -> str:
        """The id of the match that the table can return to; "" without one."""
        former = self._former.table if self.table.is_untouched else None
        return former.state.terms.match_id if former and former.state else ""

    def run(self) -> None:
        """Handle messages until `Stop`, then write the events not on disk yet, or log those that are lost."""
        while True:
            try:
                message = self._desk.inbox.get(timeout=self._patience_s())
            except Empty:
                self.tick()
                continue
            if isinstance(message, Stop):
                break
            self.handle(message)
            self.tick()
        self._drop_unclaimed()
        self.lost = self._desk.backlog.close()
        if self.lost:
            self._desk.log(self.lost)
        else:
            self._take_disk_state(True)

    def _patience_s(self) -> float:
        due_s = self._desk.gestures.due_s() if self._desk.gestures else None
        return TICK_S if due_s is None else min(TICK_S, max(0.001, due_s - self._desk.steady_s()))

    def handle(self, message: Message) -> None:
        """Handle one message; after a fault of the program the table stays as it was, and play goes on."""
        with self._surviving(message):
            self._handle(message)

    @contextmanager
    def _surviving(self, message: "Message | None" = None) -> Iterator[None]:
        """Log and show a fault of the program, and answer the visitor who waits."""
        try:
            yield
        except Exception:
            fault, self._fault = self._fault, traceback.format_exc()
            if self._fault != fault:
                self._desk.log(self._fault)
            if isinstance(message, (ActionRequest, Resumption)):
                message.answer.put(refused(500, "Fault", FAULT))
            self._show(Notice(FAULT, Level.ALARM))

    def _handle(self, message: Message) -> None:
        match message:
            case ActionRequest():
                message.answer.put(self._answer(message.visitor, message.action))
            case Resumption():
                message.answer.put(self._take_up(message))
            case ThrowsOrder():
                message.answer.put(self._try_throws(message))
            case Saw():
                self._see(message)
            case CheckersSeen():
                self._see_checkers(message)
            case CameraReport():
                self._take_camera_report(message)
            case GameBegins():
                self._begin_match()
            case Played():
                self._take_recorded(message.board)
            case Ping():
                message.answer.put(True)
            case HealthReport():
                self._take_findings(message.findings)
            case Notice():
                self._show(message)
            case Offered(offer):
                self._take_offer(offer)
            case Stop():
                return
            case edge:
                if self._desk.gestures:
                    self._press(self._desk.gestures.feed(edge))

    def tick(self) -> None:
        """Handle timed changes: presses that are due, a clock that runs out, a disk that works again."""
        with self._surviving():
            self._tick()

    def _tick(self) -> None:
        if self._desk.gestures:
            self._press(self._desk.gestures.tick(self._desk.steady_s()))
        self._look_at_clock()
        if self._desk.twelve_throws.is_abandoned():
            self._desk.twelve_throws.stop()
            self._show(Notice(TRIED))
        if self._desk.steady_s() - self._tried_s > RETRY_S:
            backlog = self._desk.backlog
            if self._take_disk_state(backlog.is_in_place() if self._durable else backlog.catch_up()):
                self._changed()

    # Messages

    def _answer(self, visitor: Visitor, action: Action) -> Answer:
        """Carry out a visitor's action, or refuse it with the reason and leave the table unchanged."""
        if not may_ask(visitor.role.value, action.kind):
            return refused(403, "Not in this role", NOT_IN_ROLE[visitor.role.value])
        # Only a change of the table makes an action stale, not one of camera or disk.
        if not self._table_seq <= action.seq <= self._seq:
            return refused(409, "Too late", say("The table has changed in the meantime; please look again."))
        try:
            is_new = isinstance(action, NewMatch)
            self._act(action, asker_of(visitor, self._desk.wall.wall_ms() if is_new else self._now_ms()))
        except RoleError as error:
            return refused(403, "Not in this role", error.sentence)
        except BadShapeError as error:
            return refused(400, "Bad request", error.sentence)
        except GameError as error:
            return refused(422, "Not possible", error.sentence)
        self._desk.wanted.changes += 1
        return ok(self._desk.page.state(visitor))

    def _take_up(self, order: Resumption) -> Answer:
        """Go on with an earlier match: the record gets it as a new one with the same events, all or none."""
        table, first = fold(order.events), order.events[0]
        assert isinstance(first, events.MatchBegan), "a match begins with its first event"
        try:
            self._desk.backlog.adopt(first.match_id, order.events, ends=_is_over(table.state))
        except UserError as error:
            return refused(503, "Not possible", error.sentence)
        self._drop_unclaimed()
        self._former.note(self.table, first)
        self.table = table
        self._table_seq = self._seq + 1
        self._changed()
        self.resume("the match was continued")
        return ok(self._desk.page.state(order.visitor))

    def _try_throws(self, order: ThrowsOrder) -> Sentence:
        """Carry out an order to the check with twelve throws; a sentence why not, else an empty one."""
        check, state, clock = self._desk.twelve_throws, self.table.state, self.table.clock
        was_running = check.is_running
        if order.order == "stop":
            check.stop()
        elif order.order != "begin":
            why_not = check.answer(order.order, order.about, order.roll)
            if why_not:
                return why_not
        elif self._camera.state == "none":
            return say("No camera is used: there is nothing to try.")
        elif self._desk.wanted.reads == "off":
            return say("Nothing is read from the camera now; choose the dice first.")
        elif clock is not None and clock.running is not None:
            return say("The clock is running; stop it before you try throws.")
        else:
            check.begin(state.terms.profile.rolling_rules if state else RollingRules())
        self._show(*self._news_of_check(was_running))
        return NOTHING

    def _news_of_check(self, was_running: bool) -> list[Notice]:
        """The notice that the check has begun or ended."""
        is_running = self._desk.twelve_throws.is_running
        if is_running == was_running:
            return []
        return [Notice(TRYING if is_running else TRIED)]

    def _see(self, saw: Saw) -> None:
        """Handle a report of the camera: store its picture, then apply its event, if dice are due."""
        if self._desk.twelve_throws.takes(saw):
            self._changed()
        elif self.table.state is not None:
            event = seen_of(saw.seeing, self._evidence(saw.jpeg), self._now_ms())
            self._apply_or_show(event)
            if isinstance(event, events.Lifted):
                self._board_keeping.lift()
            else:
                self._board_keeping.note_throw()
        self._desk.waiting.handled += 1

    def _see_checkers(self, seen: CheckersSeen) -> None:
        """Handle a reading of the checkers: enter the play that it makes clear, or show what it leaves open."""
        if self._desk.twelve_throws.is_running:
            return
        keeping = self._board_keeping
        before = keeping.agrees, keeping.trouble, keeping.question
        for event in keeping.tell(seen, self.table.state):
            self._apply_or_show(replace(event, at_ms=self._now_ms()))
        play = keeping.see(seen, self.table.state)
        if keeping.trouble and keeping.trouble != before[1]:
            self._say(Notice(keeping.trouble, Level.WARN))
        if play is not None:
            self._apply_or_show(replace(play, at_ms=self._now_ms()))
        elif before != (keeping.agrees, keeping.trouble, keeping.question):
            self._changed()

    def _take_recorded(self, board: Board) -> None:
        """Enter the play of a recorded game, if one is owed and the table's board is the recording's but for it."""
        state = self.table.state
        if state is not None and isinstance(state.phase, Rolled):
            side = state.phase.side
            if not state.board.moves_only(side, board):
                return
            left = board.seen_by(side)
            play = events.PlayEntered(mine=left.mine, theirs=left.theirs, made=True, by="recording")
            self._apply_or_show(replace(play, at_ms=self._now_ms()))

    def _evidence(self, jpeg: bytes | None) -> events.Evidence:
        if jpeg is None:
            return events.Evidence()
        try:
            name, digest = self._desk.pictures.keep(jpeg)
        except OSError as error:
            text = say("The picture could not be kept ({why}).", why=error.strerror or str(error))
            self._say(Notice(text, Level.WARN))
            return events.Evidence()
        return events.Evidence(picture=name, sha256=digest)

    def _take_camera_report(self, report: CameraReport) -> None:
        if report == self._camera:
            return
        was_lost, self._camera = self._camera.state == "lost", report
        if report.state == "none":
            self._board_keeping.agrees = False
        if report.state == "lost":
            self._say_and_log(Notice(report.text, Level.WARN))
        elif was_lost:
            self._say_and_log(Notice(say("The camera is back.")))
        self._changed()
        self._play_by_itself()

    def _play_by_itself(self) -> None:
        """Begin a match on the usual terms for recorded throws, if there is none, so that there is something to see.

        It is nobody's match: nothing of it is written before somebody does something in it, and the first one that is
        begun takes its place.
        """
        if self._camera.state == "recorded" and self.table.state is None:
            self._desk.backlog.withholds = True
            self._begin_match()

    def _drop_unclaimed(self) -> None:
        """Forget the match begun for recorded throws in which nobody has done anything, and its pictures."""
        if not self._desk.backlog.withholds:
            return
        shown = [getattr(entry.event, "evidence", None) for entry in self.table.entries]
        try:
            self._desk.pictures.delete(one.picture for one in shown if one and one.picture)
        except OSError as error:
            self._desk.log(f"A picture of a recorded throw could not be deleted ({error.strerror or error}).")
        self._desk.backlog.drop()
        self.table = Table()
        self._former = FormerMatch(self._desk.backlog, self.table)

    def _claim(self, event: events.AnyEvent, *, ends: bool) -> None:
        """Keep the match begun for recorded throws from this event on, unless the recording or the clock made it.

        A match that the recording plays to its `ends` is kept, too: its replay and its summary are looked at.
        """
        is_played_out = ends and event.by != "clock"
        if event.by not in _BY_ITSELF or self._camera.state == "live" or is_played_out:
            self._desk.backlog.release()

    def _begin_match(self) -> None:
        self._act(NewMatch(seq=self._seq), Asker("scorekeeper", None, self._desk.wall.wall_ms()))

    def _take_findings(self, findings: Sequence[Finding]) -> None:
        """Take new findings: a notice for each that turns bad, and a new state if any verdict changes.

        The eye itself reports missing pictures, sooner and in its own words.
        """
        before = {finding.what: finding.verdict for finding in self._findings}
        self._findings = tuple(findings)
        turned = [finding for finding in findings if before.get(finding.what) is not finding.verdict]
        for finding in turned:
            known = finding.what == "frames" and self._camera.state == "lost"
            if finding.verdict is Verdict.BAD and not known:
                self._say(Notice(joined(finding.text, finding.remedy), Level.WARN))
        if turned:
            self._changed()

    def _press(self, presses: "list[Press]") -> None:
        """Apply presses of buttons, which act like the scorekeeper's taps for their side."""
        for press in presses:
            found = event_of_button(
                self.table.state,
                press.button,
                held=press.gesture.value == "held",
                since_s=press.since_s,
                asked_s=self._asked_s,
            )
            if isinstance(found, Sentence):
                self._show(Notice(found))
            elif found is not None:
                self._apply_or_show(replace(found, at_ms=self._now_ms(), by="button"))

    def _look_at_clock(self) -> None:
        clock, state = self.table.clock, self.table.state
        if clock is None or state is None or clock.running is None:
            return
        side = out_of_time(clock, self._now_ms())
        # The director may let the game go on with no time left: each used-up reserve is reported once.
        reported = (state.terms.match_id, state.game, side, clock.reserve_of(side) if side else 0)
        if side is None or side is not clock.running or reported == self._timed_out:
            return
        self._timed_out = reported
        self._apply_or_show(events.TimeRanOut(side, at_ms=self._now_ms(), by="clock"))

    # Effects

    def _now_ms(self) -> int:
        entries, clock = self.table.entries, self.table.clock
        is_free = (
            clock is None or clock.running is None or len(entries) == 1
        )  # a new match begins the time anew
        return self._desk.wall.now_ms(max((entry.event.at_ms for entry in entries), default=0), is_free)

    def resume(self, why: str = "the program was started again") -> None:
        """Go on after a stop, charging no player for the time since the last event."""
        self._play_by_itself()
        self._stop_and_start_clock(why)

    def _stop_and_start_clock(self, why: str) -> None:
        clock = self.table.clock
        if clock is not None and clock.running is not None:
            stop, start = events.ClockOrder.STOP, events.ClockOrder.START
            self._apply(events.ClockSet(stop, at_ms=clock.at_ms, by="clock", why=why))
            self._apply(events.ClockSet(start, at_ms=self._now_ms(), by="clock", why=why))
            text = say(
                "The clock goes on as it was at the last event: the time since then costs nobody anything."
            )
            self._show(Notice(text))

    def _act(self, action: Action, asker: Asker) -> None:
        """Apply an action's event; GameError leaves everything unchanged."""
        if isinstance(action, Resume):
            return self._return_to_former()
        if isinstance(action, NewMatch) and action.pairing is not None:
            return self._begin_offered(action, asker)
        event = event_of(action, self.table, asker, self._desk.profiles, self._desk.usual)
        if isinstance(action, NewMatch) and action.dry_run:
            step(self.table, event)  # raises what refuses it
            return None
        return self._apply(event)

    def _take_offer(self, offer: Offer | None) -> None:
        """Show the match that the hall gives this table, unless it is on the table already."""
        is_here = offer is not None and offer.pairing == self.table.pairing
        offer = None if is_here else offer
        if offer != self._offer:
            self._offer = offer
            self._changed()

    def _begin_offered(self, action: NewMatch, asker: Asker) -> None:
        """Begin the hall's match on its terms; GameError if it is not on offer, or another one is in play."""
        offer = self._offer
        if offer is None or offer.pairing != action.pairing:
            raise GameError(say("The hall does not offer this match."))
        if not (self.table.is_free or self._desk.backlog.withholds):
            raise GameError(say("A match is in play; the hall’s match waits until it is over."))
        names = Names(south=offer.south, north=offer.north)
        terms = with_terms(action, players=names, length=offer.length, profile=offer.profile, overrides=None)
        event = event_of(terms, self.table, asker, self._desk.profiles, self._desk.usual)
        assert isinstance(event, events.MatchBegan), "an offer is a new match"
        if action.dry_run:
            return
        self._apply(event)
        self._take_offer(None)
        if offer.event and (trouble := self._desk.label(event.match_id, offer.event)):
            self._show(Notice(trouble, Level.WARN))

    def _return_to_former(self) -> None:
        """Put the match before on the table again, charging no player for the time since; GameError if not possible."""
        self.table = self._former.take(self.table)
        self._table_seq = self._seq + 1
        self._stop_and_start_clock("the match was continued")
        self._show(Notice(say("The match before is on the table again.")))

    def _apply_or_show(self, event: events.AnyEvent) -> None:
        """Apply an event, or show the reason why it is impossible."""
        try:
            self._apply(event)
        except GameError as error:
            self._show(Notice(error.sentence))

    def _apply(self, event: events.AnyEvent) -> None:
        """Apply an event: write it, then show the next table; GameError leaves everything unchanged.

        An event that people seldom need, and may give any values, is written only if its table can be shown.
        """
        stepped = step(self.table, event)
        if stepped.table is not self.table:
            if isinstance(event, _SELDOM):
                json.dumps(view_of(stepped.table, Asker("director")))
            first = stepped.table.entries[0].event
            assert isinstance(first, events.MatchBegan), "a match begins with its first event"
            ends = _is_over(stepped.table.state)
            if event is not first:
                self._claim(event, ends=ends)
            elif self.table.entries:
                self._drop_unclaimed()
            durable = self._desk.backlog.keep(first.match_id, event, ends=ends)
            self._former.note(self.table, event)
            self.table = stepped.table
            self._table_seq = self._seq + 1
            self._take_disk_state(durable)
        elif not stepped.notices:
            self._desk.waiting.awaited = self._awaited()
            return
        self._show(*stepped.notices)

    def _take_disk_state(self, durable: bool) -> bool:
        """Take the disk's state, with a notice if it changed; returns whether `durable` or the risk is new."""
        at_stake = AtStake.LATEST if durable else self._desk.backlog.at_stake
        news = (durable, at_stake) != (self._durable, self._at_stake)
        if news and durable:
            self._say_and_log(Notice(ON_DISK))
        elif news:
            alarm = disk_alarm(at_stake, self._desk.backlog.trouble)
            shown = [notice.text for _, notice in self._notices if notice.text in (alarm, ON_DISK)]
            if shown[-1:] != [alarm]:  # a card that could not be written at the start was reported then
                self._say_and_log(Notice(alarm, Level.ALARM))
        self._durable, self._at_stake = durable, at_stake
        self._tried_s = self._desk.steady_s()
        return news

    def _show(self, *notices: Notice) -> None:
        """Publish a new state with these notices."""
        for notice in notices:
            self._say(notice)
        self._changed()

    def _say(self, notice: Notice) -> None:
        self._noticed += 1
        self._notices = (*self._notices, (self._noticed, notice))[-NOTICES:]

    def _say_and_log(self, notice: Notice) -> None:
        """Show a notice about the machine and log it for later reading."""
        self._say(notice)
        self._desk.log(str(notice.text))

    def _changed(self) -> None:
        self._seq += 1
        self._publish()

    def _publish(self) -> None:
        """Update lamps, page and recorded throws with the present state."""
        table = self.table
        self._board_keeping.follow(table.state)
        status = ServiceStatus(
            self._seq,
            self._durable,
            camera_view(
                self._camera.state, self._camera.text, self._desk.wanted.reads, self._camera.board_found
            ),
            [notice_line(number, notice) for number, notice in self._notices],
            self._desk.backlog.head,
            self._signed_head(),
            [finding.row() for finding in self._findings],
            self._former.table is not None,
            checkers_view(self._board_keeping),
            self._offer.as_shown() if self._offer else None,
            self._desk.backlog.withholds,
        )
        lost = self._camera.state == "lost"
        self._desk.twelve_throws.trouble = self._camera.text if lost else NOTHING
        self.lamps = lamps_of(table.state, self._camera.state)
        self._desk.show_lamps(self.lamps)
        self._desk.show_lights({side.value: light for side, light in lights_of(table.state).items()})
        self._desk.page.publish(self._seq, lambda visitor: state_of(table, status, visitor))
        asked = cube_question(table.state)
        if asked != self._asked:  # from now on: lamps and page have just shown it
            self._asked, self._asked_s = asked, self._desk.steady_s()
        self._desk.waiting.awaited = self._awaited()

    def _awaited(self) -> Awaited:
        """The throw that recorded throws are to show: one to try, or the table's."""
        check = self._desk.twelve_throws
        return check.awaited() if check.is_running else awaited_of(self.table)

    def _signed_head(self) -> SignedHead | None:
        """The head of the running match that was signed last."""
        state, signing = self.table.state, self._desk.backlog.signing
        signed = signing.latest(state.terms.match_id) if state and signing else None
        return signed.as_head() if signed else None


def _is_over(state: State | None) -> bool:
    """Whether a game or the match is over, so that the last row is signed."""
    return state is not None and isinstance(state.phase, (GameOver, MatchOver))


def disk_alarm(at_stake: AtStake, why: str) -> Sentence:
    """What is shown while the disk cannot be written, for this reason."""
    why = why.rstrip(".")
    match at_stake:
        case AtStake.LATEST:
            return say("{why}. Play goes on, but a power cut or a stop would lose what happens now.", why=why)
        case AtStake.ALL_BY_POWER_CUT:
            return say(
                "{why}. Play goes on, and it is written anew; a power cut before that loses all matches.",
                why=why,
            )
        case AtStake.ALL:
            return say("{why}. Play goes on, but a power cut or a stop loses all matches.", why=why)
