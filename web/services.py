"""Services that the program gives the page besides the state: the camera's picture, the board's place, records.

Each may be missing; the page then answers 404.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Protocol, TypeAlias

from sentence import NOTHING, Sentence
from web.bodies import ReadsWord, TryThrows
from web.roles import Visitor

Corners: TypeAlias = Sequence[Sequence[float]]


class Record(NamedTuple):
    """A file to download."""

    name: str
    content: bytes
    kind: str = "application/octet-stream"


class Placed(NamedTuple):
    """The result of placing the board: the corners now in use, or why there are none; both together: a warning."""

    corners: Corners | None = None
    sentence: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class KeptMatches:
    """Services for the pages about kept matches and players, called on server threads (docs/ARCHIVE.md).

    Attributes:
        running: the id of the match on the table; "" without one.
        find: one page of the matches that fit a search by `player`, `event`, `since`, `until`, `state`, `page`.
        about: a match as in the list, with `event` and what can be done with it; None if there is none.
        kinds: the formats that can hold it; none if there is no such match, or it is unreadable.
        export: its record in a format ("mat", "sgf", "ogxm", "json", "zip") and a language, or why that format cannot
            hold it; None: no such match or format.
        export_found: the records of at most some hundred matches that fit a search, as one zip.
        delete: delete a match with its pictures; a sentence why not, else an empty one.
        resume: put a match on the table again; a sentence why not, else an empty one.
        label: name its event; a sentence why not, else an empty one.
        sheet: its score sheet, as that of the running one; None if there is none.
        replay: the match step by step for a visitor who keeps score or not; None if there is none.
        summary: result, analysis and its progress; None if there is no such match.
        analyse: begin an analysis; a sentence why not, else an empty one.
        names: players' names that begin with a text.
        players: every player with matches, results, error rate and rating.
        player: one player; None if nobody has this name.
        join_names: count a player's name as another one; a sentence why not, else an empty one.
        forget: delete all matches of a player; a sentence why not, else an empty one.
        opened: the match files of other programs that are kept here, as in the list, the one opened last first; all
            services for one match take their ids too.
        open: keep such a file, by its name and content; the id of its match, or a sentence why it is not taken.
    """

    running: Callable[[], str]
    find: Callable[[Mapping[str, str]], Mapping[str, Any]]
    about: Callable[[str], Mapping[str, Any] | None]
    kinds: Callable[[str], Sequence[str]]
    export: Callable[[str, str, str], Record | Sentence | None]
    export_found: Callable[[Mapping[str, str]], Record]
    delete: Callable[[Visitor, str], Sentence]
    resume: Callable[[Visitor, str], Sentence]
    label: Callable[[str, str], Sentence]
    sheet: Callable[[str], Mapping[str, Any] | None]
    replay: Callable[[str, bool], Mapping[str, Any] | None]
    summary: Callable[[str], Mapping[str, Any] | None]
    analyse: Callable[[str], Sentence]
    names: Callable[[str], Sequence[str]]
    players: Callable[[], Sequence[Mapping[str, Any]]]
    player: Callable[[str], Mapping[str, Any] | None]
    join_names: Callable[[str, str], Sentence]
    forget: Callable[[Visitor, str], Sentence]
    opened: Callable[[], Sequence[Mapping[str, Any]]]
    open: Callable[[str, bytes], str | Sentence]


class Invited(NamedTuple):
    """A table's invitation to a hall, as a code and as a file; `is_taken`: the broker knows it."""

    code: str
    file: Record
    is_taken: bool


class Drawing(NamedTuple):
    """The proposed matches of an event's next round: as a list of pairings, one by one, and who plays no match."""

    text: str
    matches: Sequence[Mapping[str, str]]
    byes: Sequence[str]


class DrawServices(Protocol):
    """The draw of a hall's events."""

    def choices(self) -> Mapping[str, Any]:
        """What the form offers: `former` draws, `events` with results, `rules`; `install`: a command, "" for none."""

    def players(self, event: str) -> str:
        """The players of an event's results, a line each, those with the most wins first."""

    def propose(self, wanted: Mapping[str, str]) -> Drawing | Sentence:
        """The matches of an event that can be played now; a sentence why not."""

    def keep(self, wanted: Mapping[str, str]) -> None:
        """Keep how an event is drawn, for its next round."""


class PairingServices(Protocol):
    """The pairings of a hall; what changes them answers a sentence why not, else an empty one."""

    def all(self) -> Sequence[Mapping[str, Any]]:
        """All pairings in the order of their lists, each with `about`, its match, or None before it has begun."""

    def take(self, text: str) -> Sentence:
        """Take a list of pairings as a whole."""

    def give(self, pairing: str, table: str) -> Sentence:
        """Give a pairing to a table, "" to none; one that has begun is offered again."""

    def drop(self, pairing: str) -> Sentence:
        """Delete a pairing; its match stays in the record."""


class RulingServices(Protocol):
    """What the director of a hall orders at its tables."""

    def last(self, table: str) -> Sequence[Mapping[str, Any]]:
        """The last orders to a table, newest first.

        Each with `at`, `by`, `action`, `players` by seat as far as they are known, and `answer`: "waiting", "done" or
        a sentence.
        """

    def give(self, visitor: Visitor, table: Mapping[str, Any], action: Mapping[str, Any]) -> Sentence:
        """Order an action at a table as its state is; a sentence why not, also the table's, else an empty one."""


class PictureServices(Protocol):
    """The pictures of throws that a hub has; a match is TABLE.MATCH."""

    for_spectators: bool
    """Whether spectators may see them, of what they may see."""

    def here(self, match: str) -> Sequence[int]:
        """The throws of a match whose pictures are here, by the number of the event, in order."""

    def taken(self, match: str) -> Sequence[int]:
        """The throws of a match of which its table has taken pictures, likewise."""

    def asked(self, match: str) -> Sequence[Mapping[str, Any]]:
        """What was asked for of a match, newest first: `number`, `by`, `answer`: "came", "waiting" or a sentence."""

    def load(self, match: str, number: int) -> bytes | None:
        """A picture as a JPEG; None if there is none here."""

    def ask(self, visitor: Visitor, match: str, number: int) -> Sentence:
        """Ask for a picture, 0 for the last throw's, and wait shortly; a sentence why not, or why none came."""

    def delete(self, match: str) -> None:
        """Delete the pictures of a match."""


@dataclass(frozen=True, slots=True)
class HallServices:
    """Services of a hall's hub, called on server threads.

    Attributes:
        tables: the tables that have a password at the broker, in order.
        invite: makes a table's password and its invitation, which replaces a former one; a sentence why not.
        find: one page of the matches that fit a search by `table`, `player`, `since`, `until`, `page`.
        about: a match (TABLE.MATCH) as in the list, as after so many events, all for None; None if there is none.
        replay: a match step by step up to so many events, all for None and as the scorekeeper sees it; None: no such.
        export: its record in a format ("mat", "sgf", "ogxm", "json"), or why that format cannot hold it; None: no such.
        results: the results of the matches that fit a search and are over, as "csv" or "json"; None: no such format.
        may_delete: whether a match can be deleted now.
        delete: deletes a match with all that the hub has of it; a sentence why not, else an empty one.
        pairings: which table plays what.
        draws: who plays whom next in an event.
        rulings: what the director decides from the desk.
        pictures: pictures of throws.
        visit: an address that lets the director in once on a table's own page; a sentence why there is none.
        hub_port: the port of the hub's own pages, for a process beside it; None where the hub does not run.
    """

    tables: Callable[[], Sequence[str]]
    invite: Callable[[str], Invited | Sentence]
    find: Callable[[Mapping[str, str]], Mapping[str, Any]]
    about: Callable[[str, int | None], Mapping[str, Any] | None]
    replay: Callable[[str, int | None], Mapping[str, Any] | None]
    export: Callable[[str, str], Record | Sentence | None]
    results: Callable[[Mapping[str, str], str], Record | None]
    may_delete: Callable[[str], bool]
    delete: Callable[[str], Sentence]
    pairings: PairingServices
    draws: DrawServices
    rulings: RulingServices
    pictures: PictureServices
    visit: Callable[[Visitor, Mapping[str, Any]], str | Sentence]
    hub_port: Callable[[], int | None] = lambda: None


class ThrowServices(Protocol):
    """The check of board, lamp and camera with twelve throws (docs/PROTOCOL.md)."""

    def look(self, in_words: Callable[[Sentence], str]) -> Mapping[str, Any]:
        """The check as it stands, its sentences in these words."""

    def order(self, wanted: TryThrows) -> Sentence:
        """Begin or stop it, or take what people say of a throw; a sentence why not, else an empty one."""

    def picture(self, number: int) -> bytes | None:
        """The picture of a tried throw as a JPEG; None if there is none of this number."""


class ReviewServices(Protocol):
    """The turns of a recording, for review; what changes them answers a sentence why not, else an empty one."""

    def look(self, name: str) -> Mapping[str, Any]:
        """The turns in order, and the one of this name as a card; "" is the first one in doubt, if there is one."""

    def answer(self, name: str, choice: str) -> Sentence:
        """A turn was played as one of the choices on its card, named by its id."""

    def typed(self, name: str, roll: str, play: str) -> Sentence:
        """A turn had this roll and this play."""

    def not_played(self, name: str) -> Sentence:
        """Nothing was played in a turn: its throw did not count."""

    def undo(self) -> Sentence:
        """Take the last answer back."""

    def close(self) -> None:
        """People are through; the program ends."""

    def picture(self, number: int) -> bytes | None:
        """The picture of a frame as a JPEG; None if there is none of this number."""


@dataclass(frozen=True, slots=True)
class Services:
    """Functions called on server threads; viewers and players reach only `sheet` and `history`.

    Attributes:
        look: the newest camera picture as a JPEG; None while there is none.
        corners: the board's corners, four points in the picture's pixels, clockwise from the top left, or None where
            they are unknown; the sentence: why they cannot be changed.
        place: uses these corners from now on, or with None searches for the board.
        reads: changes what is read in the camera's pictures; a sentence why not, else an empty one.
        throws: the check with twelve throws.
        camera: looks through another camera from now on, as `TableSetup.camera` names it; a sentence why not, and the
            present one goes on, else an empty one. It may take some 20 s.
        camera_fixed: why the page cannot change the camera; None if it can.
        export: the running match's record in a format ("mat", "sgf", "ogxm", "json", "zip") and a language, or a
            sentence why the format cannot hold it; None: no match, no such format.
        sheet: the running match's score sheet (docs/PROTOCOL.md), for everybody; None: no match.
        analysis: progress and result of the running match's analysis (docs/PROTOCOL.md).
        analyse: begins one; a sentence why not, else an empty one.
        rules: the rules to choose from (docs/PROTOCOL.md), with sentences worded by what it is given.
        matches: kept matches, the last one first, before the one named (docs/PROTOCOL.md).
        kept: archive, replay, summary and players.
        history: the events of one game of the running match as this visitor may see them, or a sentence why not; for
            everybody.
        hall: the tables of a hall.
        review: the turns of a recording (`companion transcribe --review`).
        visit: the label of the hall's director who comes with this ticket; a sentence why he is not let in.
    """

    look: Callable[[], bytes | None] | None = None
    corners: Callable[[], Placed] | None = None
    place: Callable[[Visitor, Corners | None], Placed] | None = None
    reads: Callable[[ReadsWord], Sentence] | None = None
    throws: ThrowServices | None = None
    camera: Callable[[str], Sentence] | None = None
    camera_fixed: Callable[[], Sentence] | None = None
    export: Callable[[str, str], Record | Sentence | None] | None = None
    sheet: Callable[[], Mapping[str, Any] | None] | None = None
    analysis: Callable[[], Mapping[str, Any]] | None = None
    analyse: Callable[[], Sentence] | None = None
    rules: Callable[[Callable[[Sentence], str]], Mapping[str, Any]] | None = None
    matches: Callable[[int, str], Iterable[Mapping[str, Any]]] | None = None
    kept: KeptMatches | None = None
    history: Callable[[Visitor, int], Mapping[str, Any] | Sentence] | None = None
    hall: HallServices | None = None
    review: ReviewServices | None = None
    visit: Callable[[str], str | Sentence] | None = None

    @property
    def offered(self) -> tuple[str, ...]:
        """Names of the available services; the page offers only these."""
        return tuple(one.name for one in fields(self) if getattr(self, one.name) is not None)
