"""Matches as a scorekeeper would enter them, for tests of one rule each."""

from companion.errors import RoleError
from companion.game.events import Lifted, Thrown
from companion.game.state_machine import step
from companion.game.table import Table
from companion.protocol.action_shapes import read_action
from companion.protocol.actions import event_of
from companion.protocol.permissions import Asker, may_ask
from companion.protocol.view import view_of
from companion.rules.board import Board, Position, Side, checkers_on
from companion.rules.referee import DieAtRest, Half, Rest, right_half

DIRECTOR = Asker("director")


def event_from(body, table, asker, **more):
    """The event of the page's action without `seq`, after the checks of shape, role and sense, in this order."""
    action = read_action({"seq": 0, **body} if isinstance(body, dict) else body)
    if not may_ask(asker.role, action.kind):
        raise RoleError(f"A {asker.role} cannot do this.")
    return event_of(action, table, asker, **more)


class Script:
    """A table that a test drives; each action advances its time by a second unless it gives `after_s`."""

    def __init__(self, profile="modern", length=5, **overrides):
        self.table = Table()
        self.notices, self.notice_texts = (), []
        self.now_ms = 0
        self.do("new_match", profile=profile, length=length, overrides=overrides)

    def do(self, kind, after_s=1.0, **more):
        """Apply an action by the director, who has every right."""
        self.now_ms += int(1000 * after_s)
        asker = Asker("director", at_ms=self.now_ms)
        return self.take(event_from({"type": kind, **more}, self.table, asker))

    def undo_as(self, role):
        """Undo, by somebody of this role."""
        self.now_ms += 1000
        return self.take(event_from({"type": "undo"}, self.table, Asker(role, at_ms=self.now_ms)))

    def take(self, event):
        """Apply an event unchanged."""
        stepped = step(self.table, event)
        self.table = stepped.table
        self.notices = stepped.notices
        self.notice_texts = [str(notice.text) for notice in stepped.notices]
        return self

    # Frequent steps

    def opening(self, south, north):
        return self.do("opening", south=south, north=north)

    def south_begins(self):
        """South wins the opening throw, in any profile."""
        pair = self.state.terms.profile.who_begins.value == "both_dice_each"
        return self.opening([6, 5], [2, 1]) if pair else self.opening(3, 1)

    def roll(self, one, other, **more):
        return self.do("roll", dice=[one, other], **more)

    def play(self, text, **more):
        return self.do("play", text=text, **more)

    def turn(self, one, other, text):
        """Roll, play, and end the turn."""
        return self.roll(one, other).play(text).do("done")

    def thrown(self, one, other, by=Side.SOUTH, at_s=1.0, **changes):
        """Dice seen by the camera in the right half of `by`; `changes` apply to the first die."""
        half = right_half(by)
        first = {"face": one, "rest": Rest.FLAT, "half": half, "tilt_deg": 0.0, **changes}
        dice = (DieAtRest(**first), DieAtRest(other, Rest.FLAT, half, 0.0))
        self.now_ms += int(1000 * at_s)
        return self.take(Thrown(dice, at_ms=self.now_ms, by="camera"))

    def opening_thrown(self, south, north):
        """One die in each half, as the camera sees them."""
        dice = (DieAtRest(south, Rest.FLAT, Half.RIGHT, 0.0), DieAtRest(north, Rest.FLAT, Half.LEFT, 0.0))
        self.now_ms += 1000
        return self.take(Thrown(dice, at_ms=self.now_ms, by="camera"))

    def lifted(self):
        self.now_ms += 1000
        return self.take(Lifted(at_ms=self.now_ms, by="camera"))

    def set(self, south, north, on_roll="south", **more):
        """The board as {point: count} for each side in its own numbering; what is missing is off."""
        checkers = self.state.terms.profile.checkers
        sides = [checkers_on(side) for side in (south, north)]
        full = [(checkers - sum(side[1:]), *side[1:]) for side in sides]
        position = Board(*full).seen_by(Side(on_roll))
        return self.do("set_position", pos=position.ints(), on_roll=on_roll, **more)

    def ready(self):
        """Go past the opening: south is on roll in the usual starting position, and may double."""
        start = {24: 2, 13: 5, 8: 3, 6: 5}
        return self.set(start, start)

    # Views

    @property
    def state(self):
        return self.table.state

    @property
    def phase(self):
        return self.view["phase"]

    @property
    def view(self):
        return view_of(self.table, Asker("director"))

    def seen_by(self, role, seat=None):
        return view_of(self.table, Asker(role, seat))

    @property
    def score(self):
        return (self.state.score.south, self.state.score.north)

    @property
    def turn_of(self):
        return self.view["on_roll"]

    @property
    def reasons(self):
        return set(self.view["reasons"])

    def texts(self):
        """Texts of the offered plays."""
        return {play["text"] for play in self.view["plays"]}


def position(south, north):
    """South's view of {point: count} for each side."""
    return Position(checkers_on(south), checkers_on(north))
