"""The doubts of a recording that was followed: their list with pictures, and people's answers to them."""

import argparse
import html
import json
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands._transcript import Transcriber
from companion.errors import BadTextError, IllegalPlayError, UserError
from companion.game.events import Orientation
from companion.inference.findings import Answer, Kind, Made, TurnOpen, TurnSeen
from companion.inference.live import Owed, legal_by_fit
from companion.inference.opening import StartSeen
from companion.protocol.view import board_map
from companion.rules.board import Board, Roll
from companion.rules.notation import find_play, write_play
from companion.rules.plays import plays_for
from companion.rules.profile import Profile
from companion.service.checkers.following import GameFollower, Said, Shown, TurnKey
from companion.service.checkers.tape import Tape
from companion.storage.errors import reported_as
from sentence import NOTHING, Sentence, say

if TYPE_CHECKING:
    from web.page import Answer as Refused
    from web.roles import Visitor
    from web.server.serve import Running

HOST = "127.0.0.1"
"""The page is for this machine."""
ENDING = (signal.SIGINT, signal.SIGTERM)
LOOK_S = 0.2
"""Seconds between two looks whether people are through: a signal is handled between them."""
LAST_PAGE_S = 2.0
"""The browser still fetches what the last page looks like."""
MOST_CHOICES = 6
"""Plays of a turn that are offered."""
ROLL = re.compile(r"([1-6])\s*[-,/ ]?\s*([1-6])")
NO_TURN = say("This turn is not in the record any more.")
NO_ROLL = say("A roll is two numbers from 1 to 6, such as 6-3.")


@dataclass(frozen=True, slots=True)
class TurnOnTape:
    """A turn of a recording as it was followed.

    Attributes:
        key: its game and number.
        made: how it is in the record.
        found: what the pictures, or people, have decided of it.
        shown: its pictures.
        said: whether people have said how it was played.
        orientation: how the board lies.
    """

    key: TurnKey
    made: Made
    found: TurnSeen | TurnOpen
    shown: Shown
    said: bool
    orientation: Orientation

    @property
    def name(self) -> str:
        """Its name on the page: game and turn, from 1."""
        return f"{self.key[0] + 1}.{self.key[1] + 1}"

    @property
    def is_doubt(self) -> bool:
        """Whether it is open, or illegal as far as the pictures show, and people have not said anything of it."""
        return not self.said and (isinstance(self.found, TurnOpen) or self.made.kind is Kind.ILLEGAL)

    @property
    def why(self) -> Sentence:
        """Why it is in doubt."""
        return self.found.why if isinstance(self.found, TurnOpen) else self.made.fault

    def choices(self, profile: Profile) -> list[Made]:
        """The plays that it may have been, the likeliest first."""
        found = [self.made]
        if isinstance(self.found, TurnOpen):
            found = [made for made, _ in self.found.candidates]
        first, view = found[0], self.shown.view
        if first.roll is not None and view is not None:
            owed = Owed(first.before, first.side, first.roll)
            others = legal_by_fit(profile, self.orientation, owed, view, MOST_CHOICES)
            found += [replace(one, number=first.number) for one in others]
        found = [made for made in found if made.kind is not Kind.UNMOVED]
        kept: dict[object, Made] = {}
        for made in found:
            kept.setdefault((made.roll, made.after), made)
        return list(kept.values())[:MOST_CHOICES]


class Review:
    """A recording on tape, followed anew after each answer.

    Attributes:
        transcriber: the record as it is now.
        done: set when people are through.
    """

    def __init__(self, tape: Tape, terms: tuple[Profile, int, int], out: Path | None) -> None:
        """Follow the recording on a tape under a match's terms; each answer writes the record to `out`."""
        self._tape, self._terms, self._profile = tape, terms, terms[0]
        self._out, self._said, self._former = out, Said(), list[Said]()
        self._mutex = threading.Lock()
        self.done = threading.Event()
        self._follow()

    def _follow(self) -> None:
        again = self._tape.again()
        game = GameFollower(again, again, self._profile, self._said)
        self.transcriber = Transcriber(*self._terms)
        found: dict[TurnKey, TurnSeen | TurnOpen] = {}
        lies: list[Orientation] = []
        for frame, last in again.frames():
            seen = game.finish(frame) if last else game.feed(frame)
            self.transcriber.lines(seen, frame, game.turns)
            for one in seen:
                match one:
                    case StartSeen():
                        lies.append(one.orientation)
                    case TurnSeen():
                        found[len(lies) - 1, one.made.number] = one
                    case TurnOpen():
                        found[len(lies) - 1, one.number] = one
        self._turns = {
            key: TurnOnTape(key, made, found[key], game.shown[key], self._is_said(key, made), lies[at])
            for at, turns in enumerate(self.transcriber.games)
            for made in turns
            if (key := (at, made.number)) in found and key in game.shown
        }
        held = {
            key: one for key, one in self._said.turns.items() if key in self._turns and self._turns[key].said
        }
        self._said = replace(self._said, turns=held)

    def _is_said(self, key: TurnKey, made: Made) -> bool:
        answer = self._said.turns.get(key)
        return answer is not None and answer.made == made

    @property
    def doubts(self) -> list[TurnOnTape]:
        """The turns in doubt, in order."""
        return [turn for turn in self._turns.values() if turn.is_doubt]

    def choices(self, turn: TurnOnTape) -> list[Made]:
        """The plays that a turn may have been, the likeliest first."""
        return turn.choices(self._profile)

    def at_s(self, turn: TurnOnTape) -> float:
        """The time of a turn in the recording, in seconds."""
        return self._tape.at_s(turn.shown.before)

    def picture(self, number: int) -> bytes | None:
        """The picture of a frame as a JPEG; None if it is not kept."""
        return self._tape.jpeg(number)

    # What the page asks for and says (web/services.py)

    def look(self, name: str) -> Mapping[str, Any]:
        """The record so far, and the turn of this name; "" is the first one in doubt."""
        with self._mutex:
            doubts = self.doubts
            turn = self._named(name) or (doubts[0] if doubts else None)
            return {
                "turns": [self._line(one) for one in self._turns.values()],
                "doubts": len(doubts),
                "card": self._card(turn) if turn else None,
                "out": self._out.name if self._out else "",
                "may_undo": bool(self._former),
            }

    def answer(self, name: str, choice: str) -> Sentence:
        """A turn was played as one of its choices, by its id; a sentence why this does not fit, or an empty one."""
        with self._mutex:
            turn = self._named(name)
            chosen = [one for one in self.choices(turn) if _id_of(one) == choice] if turn else []
            if turn is None or not chosen:
                return NO_TURN
            return self._say_of(turn, chosen[0])

    def typed(self, name: str, roll: str, play: str) -> Sentence:
        """A turn's roll and play in words; a sentence why they do not fit, or an empty one."""
        with self._mutex:
            turn = self._named(name)
            if turn is None:
                return NO_TURN
            dice = ROLL.fullmatch(roll.strip())
            if dice is None:
                return NO_ROLL
            try:
                made = self._made(turn.made, Roll.of(int(dice[1]), int(dice[2])), play)
            except (BadTextError, IllegalPlayError) as error:
                return error.sentence
            return self._say_of(turn, made)

    def _made(self, made: Made, roll: Roll, text: str) -> Made:
        plays = plays_for(self._profile, made.before.seen_by(made.side), roll)
        play = find_play(text, plays)
        after = next(left for left in plays if plays[left] == play)
        return Made(made.number, made.side, roll, Kind.LEGAL, made.before, Board.of(made.side, after), play)

    def not_played(self, name: str) -> Sentence:
        """Nothing was played in a turn: its throw did not count. A sentence why this does not fit, or an empty one."""
        with self._mutex:
            turn = self._named(name)
            if turn is None:
                return NO_TURN
            game, number = turn.key
            said = self._said
            held = {key: one for key, one in said.turns.items() if key[0] != game or key[1] < number}
            if turn.shown.unseen:
                assert turn.shown.after is not None, "the next throw tells that one was not seen"
                said = replace(said, turns=held, complete=said.complete | {turn.shown.after})
            else:
                said = replace(said, turns=held, not_thrown=said.not_thrown | {turn.shown.before})
            return self._take(said)

    def undo(self) -> Sentence:
        """Take the last answer back; a sentence why the record cannot be saved so, or an empty one."""
        with self._mutex:
            if not self._former:
                return NOTHING
            last = self._said
            trouble = self._follow_and_save(self._former.pop())
            if trouble:
                self._former.append(self._said)
                self._said = last
                self._follow()
            return trouble

    def close(self) -> None:
        """People are through."""
        self.done.set()

    @contextmanager
    def ended_by_signals(self) -> Iterator[None]:
        """Inside, SIGINT and SIGTERM end the review; the record stays as it was saved last."""
        before = {one: signal.signal(one, lambda *_: self.done.set()) for one in ENDING}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _named(self, name: str) -> TurnOnTape | None:
        return next((turn for turn in self._turns.values() if turn.name == name), None)

    def _say_of(self, turn: TurnOnTape, made: Made) -> Sentence:
        turns = {**self._said.turns, turn.key: Answer(made, turn.shown.unseen)}
        return self._take(replace(self._said, turns=turns))

    def _take(self, said: Said) -> Sentence:
        """Take an answer, unless the record cannot be saved with it: a sentence why, or an empty one."""
        before = self._said
        trouble = self._follow_and_save(said)
        if trouble:
            self._said = before
            self._follow()
        else:
            self._former.append(before)
        return trouble

    def _follow_and_save(self, said: Said) -> Sentence:
        self._said = said
        self._follow()
        try:
            if self._out is not None:
                self.transcriber.write(self._out)
        except UserError as error:
            return error.sentence
        return NOTHING

    def _line(self, turn: TurnOnTape) -> dict[str, Any]:
        return {
            "name": turn.name,
            "game": turn.key[0] + 1,
            "turn": turn.key[1] + 1,
            "side": turn.made.side.value,
            "roll": _dice(turn.made.roll),
            "play": play_of(turn.made),
            "kind": turn.made.kind.name.lower(),
            "doubt": turn.is_doubt,
            "said": turn.said,
        }

    def _card(self, turn: TurnOnTape) -> dict[str, Any]:
        seats = turn.orientation
        choices = [
            {"id": _id_of(one), "play": play_of(one), "kind": one.kind.name.lower(), "roll": _dice(one.roll)}
            | {"board": board_map(one.after)}
            for one in self.choices(turn)
        ]
        return {
            **self._line(turn),
            "why": turn.why,
            "at": clock(self.at_s(turn)),
            "before": turn.shown.before,
            "after": turn.shown.after,
            "unseen": turn.shown.unseen,
            "lies": {"home": seats.home, "south": seats.south},
            "choices": choices,
        }


def _id_of(made: Made) -> str:
    """The roll of a turn and the boards before and after it as text, by which a choice is known again."""
    boards = ((*board.south, *board.north) for board in (made.before, made.after))
    return " ".join([_dice(made.roll), *(str(count) for board in boards for count in board)])


def _dice(roll: Roll | None) -> str:
    return "-".join(map(str, (roll.high, roll.low))) if roll else ""


def clock(seconds: float) -> str:
    """A time of the recording in minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def play_of(made: Made) -> str:
    """The play of a turn in notation; empty for a dance and for any other position."""
    return write_play(made.play or ())


# What `transcribe` does with it


def check_page(port: int) -> None:
    """Check that the page can listen on this port; WebError if it cannot."""
    from web.server.listen import check_port

    check_port(HOST, port)


def reviewed(tape: Tape, transcriber: Transcriber, args: argparse.Namespace) -> Transcriber:
    """Write the list of doubts and serve the page, as the arguments say; returns the record after it."""
    review = Review(tape, transcriber.terms, args.out)
    if args.doubts is not None:
        write_doubts(review, args.doubts)
    if args.review:
        print_link = sys.stderr if args.json else sys.stdout
        serve_review(review, args.port, lambda text: print(text, file=print_link, flush=True))
    return review.transcriber


def serve_review(review: Review, port: int, to_user: Callable[[str], None]) -> None:
    """Serve the page on this machine until people are through; UserError, WebError if it cannot be served."""
    with tempfile.TemporaryDirectory(prefix="companion-review-") as folder, review.ended_by_signals():
        running, link = served_review(review, port, Path(folder))
        with closing(running):
            to_user(link)
            while not review.done.wait(LOOK_S):
                pass
            time.sleep(LAST_PAGE_S)


def served_review(review: Review, port: int, folder: Path) -> "tuple[Running, str]":
    """The running server of the page, whose join codes are in a folder, and the link to it."""
    from companion.service.network import base_url, join_links, served
    from companion.settings import PageSettings, Settings
    from web.page import Page
    from web.review.pages import review as pages
    from web.services import Services

    settings = Settings(page=PageSettings(host=HOST, port=port))
    running = served(Page(_no_action, services=Services(review=review)), folder, settings, (pages,))
    return running, join_links(folder, base_url(settings.page, running.port))["scorekeeper"]


def _no_action(visitor: "Visitor", body: object) -> "Refused":
    from web.page import refused

    return refused(403, "Not here", say("A review takes no actions of a game."))


def write_doubts(review: Review, folder: Path) -> None:
    """Write the turns in doubt to a folder: a page, the same as JSON, and the pictures; UserError if it cannot."""
    doubts = []
    with reported_as(UserError, f"{folder} cannot be written: {{why}}."):
        folder.mkdir(parents=True, exist_ok=True)
        for turn in review.doubts:
            numbers = {"before": turn.shown.before, "after": turn.shown.after}
            kept = {name: review.picture(number) for name, number in numbers.items() if number is not None}
            names = {name: f"{turn.name.replace('.', '-')}-{name}.jpg" for name, jpeg in kept.items() if jpeg}
            for name, file in names.items():
                (folder / file).write_bytes(kept[name] or b"")
            doubts.append(_doubt(review, turn) | {"pictures": names})
        (folder / "doubts.json").write_text(json.dumps(doubts, indent=1) + "\n", "utf-8")
        (folder / "index.html").write_text(_as_page(doubts), "utf-8")


def _doubt(review: Review, turn: TurnOnTape) -> dict[str, Any]:
    made = turn.made
    return {
        "game": turn.key[0] + 1,
        "turn": turn.key[1],
        "frame": turn.shown.before,
        "t": round(review.at_s(turn), 3),
        "event": "illegal" if made.kind is Kind.ILLEGAL and isinstance(turn.found, TurnSeen) else "open",
        "player": made.side.value,
        "roll": [made.roll.high, made.roll.low] if made.roll else None,
        "why": str(turn.why),
        "plays": [in_english(one, made.roll is None) for one in review.choices(turn)],
    }


def in_english(made: Made, with_roll: bool = False) -> str:
    """A turn's play for a list in English, with its roll where the dice do not tell it."""
    if made.kind is Kind.LEGAL:
        roll = f"{_dice(made.roll)} " if with_roll else ""
        return roll + (play_of(made) or "no play")
    return "not legal, as in the picture" if made.kind is Kind.ILLEGAL else "another position"


def _as_page(doubts: Sequence[Mapping[str, Any]]) -> str:
    """The list as a page that needs nothing but the pictures beside it."""
    head = (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Turns in doubt</title>\n'
        "<style>body{font:1rem/1.4 sans-serif;margin:1rem}img{width:48%;max-width:40rem}</style>\n"
        f"<h1>Turns in doubt: {len(doubts)}</h1>\n"
    )
    parts = []
    for one in doubts:
        roll = "-".join(map(str, one["roll"] or ())) or "roll not read"
        word = "illegal" if one["event"] == "illegal" else "not sure"
        title = (
            f"Game {one['game']}, turn {one['turn'] + 1}, {clock(one['t'])}: {one['player']} {roll}, {word}"
        )
        plays = "".join(f"<li>{html.escape(play)}</li>" for play in one["plays"])
        pictures = "".join(f'<img src="{file}" alt="{name}">\n' for name, file in one["pictures"].items())
        parts.append(
            f"<h2>{html.escape(title)}</h2>\n<p>{html.escape(one['why'])}</p>\n{pictures}<ul>{plays}</ul>\n"
        )
    return head + ("".join(parts) or "<p>None.</p>\n")
