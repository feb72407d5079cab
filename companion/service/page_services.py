"""The program's services for the page besides the state (web/services.py), and the shapes of its JSON."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.camera.board_place import BoardPlace
from companion.camera.checkers import Reads
from companion.errors import GameError, UserError
from companion.game.table import Table
from companion.protocol.action_shapes import BY_TYPE
from companion.protocol.history import game_history
from companion.protocol.replay import PlayerNames, Replay
from companion.protocol.rules_menu import rules_menu
from companion.protocol.shapes import Analysis, GameHistory, Matches, Rules, State, components
from companion.protocol.tried_shapes import TwelveThrows
from companion.rules.profile import Profile
from companion.service.archive.kept_matches import KeptServices, file_of
from companion.service.archive.sheet import sheet_of
from companion.service.gnubg import Analyst
from companion.service.translate import asker_of
from companion.settings import MatchSettings, Settings
from companion.storage.fallback import Backlog
from hardware.wiring import BUTTONS, LAMPS, Wiring
from sentence import NOTHING, Sentence
from web.openapi import Shapes
from web.roles import Visitor
from web.services import Corners, Placed, Record, Services, ThrowServices


@dataclass(frozen=True, slots=True)
class PageServices:
    """The parts of the program that serve the page.

    Attributes:
        table: gives the present table; callable from any thread.
        backlog: has the record of every match; `rows` and its archive are callable from any thread.
        picture: gives the bytes of a picture by its name.
        board_place: gives the present camera's frames and the board's place; None without a camera.
        analyst: GNU Backgammon in the background.
        usual: default terms of a new match.
        profiles: the rules there are.
        kept: archive, replay, summary and players.
        reads: changes what is read in the camera's pictures; None without a camera.
        camera: exchanges the camera; None where the page cannot choose one.
        throws: the check with twelve throws; None without a camera, and where a recorded game plays.
    """

    table: Callable[[], Table]
    backlog: Backlog
    picture: Callable[[str], bytes | None]
    board_place: Callable[[], BoardPlace] | None
    analyst: Analyst
    usual: MatchSettings
    profiles: Mapping[str, Profile]
    kept: KeptServices | None = None
    reads: Callable[[Reads], Sentence] | None = None
    camera: Callable[[str], Sentence] | None = None
    camera_fixed: Sentence = NOTHING
    throws: ThrowServices | None = None

    def services(self) -> Services:
        """The services in the page's own type."""
        board_place = self.board_place
        return Services(
            look=(lambda: board_place().jpeg()) if board_place else None,
            corners=self.corners if board_place else None,
            place=self.place if board_place else None,
            reads=self.reads,
            throws=self.throws,
            camera=self.camera,
            camera_fixed=(lambda: self.camera_fixed) if self.camera_fixed else None,
            export=self.export,
            sheet=self.sheet,
            analysis=self.analysis,
            analyse=self.analyse,
            rules=self.rules,
            matches=self.matches,
            history=self.history,
            kept=self.kept.services() if self.kept else None,
        )

    def corners(self) -> Placed:
        """The board's corners, and why they cannot be changed."""
        assert self.board_place is not None
        place = self.board_place()
        return Placed(place.corners(), place.refusal)

    def place(self, visitor: Visitor, corners: Corners | None) -> Placed:
        """Place the board at these corners, or search for it if there are none."""
        assert self.board_place is not None
        place = self.board_place()
        try:
            caveat = place.place(corners)
            return Placed(place.corners(), caveat)
        except UserError as error:
            return Placed(None, error.sentence)

    def export(self, kind: str, language: str) -> Record | Sentence | None:
        """The running match as a file, or the reason why the format cannot hold it; None: no match, no such format."""
        return file_of(self.table(), kind, language, self.backlog, self.picture)

    def matches(self, most: int, before: str) -> Iterator[Mapping[str, Any]]:
        """So many kept matches as `companion matches --json` gives them, the last one first."""
        return (match.as_json() for match in self.backlog.journal.archive.newest(most, before))

    def history(self, visitor: Visitor, game: int) -> Mapping[str, Any] | Sentence:
        """The events of one game of the running match; a director's have what a correction needs."""
        try:
            return game_history(self.table(), game, amendable=asker_of(visitor).role == "director")
        except GameError as error:
            return error.sentence

    def sheet(self) -> Mapping[str, Any] | None:
        """The running match's score sheet with the digest of its record's last row."""
        return sheet_of(self.table(), self.backlog, self.profiles)

    def analysis(self) -> Mapping[str, Any]:
        """The progress and result of the running match's analysis."""
        return self.analyst.status(self.table().state)

    def analyse(self) -> Sentence:
        """Begin an analysis; returns the reason why not, else an empty sentence."""
        try:
            self.analyst.begin(self.table().state)
        except UserError as error:
            return error.sentence
        return NOTHING

    def rules(self, in_words: Callable[[Sentence], str]) -> Rules:
        """The rules to choose from, and the usual terms of a new match."""
        usual, state = self.usual, self.table().state
        return rules_menu(
            {
                "profile": usual.profile,
                "length": usual.length,
                "players": {"south": usual.south, "north": usual.north},
                "overrides": dict(usual.overrides),
                "orientation": {"home": usual.home, "south": usual.south_checkers},
            },
            state.terms.profile if state else None,
            self.profiles,
            in_words,
        )


def page_shapes() -> Shapes:
    """The shapes of the program's JSON, for the page's /api/openapi.json."""
    return Shapes(
        {
            **components(TwelveThrows),
            **components(State, Rules, Analysis, Matches, GameHistory, Replay, PlayerNames),
            **components(*BY_TYPE.values()),
        },
        {kind: shape.__name__ for kind, shape in BY_TYPE.items()},
    )


def wiring_of(settings: Settings) -> Wiring:
    """The wiring of the settings; pin 0 means no such lamp or button. Raises hardware's BadWiring."""
    lamps, buttons = settings.lamps, settings.buttons
    return Wiring(
        lamps={name: getattr(lamps, name) for name in LAMPS if getattr(lamps, name)},
        buttons={name: getattr(buttons, name) for name in BUTTONS if getattr(buttons, name)},
        buzzer=lamps.buzzer or None,
        lamps_active_high=lamps.active_high,
        buttons_pull_up=buttons.pull_up,
        bounce_s=buttons.bounce_s,
        hold_s=buttons.hold_s,
        blink_s=lamps.blink_s,
    )
