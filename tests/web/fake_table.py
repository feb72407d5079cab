"""A table that behaves, for the page's own tests: games, cubes and disputes without the program behind it.

It speaks docs/PROTOCOL.md and is no referee: bearing off and the duty to play both numbers are simplified.
Started as a program it serves the page by itself: `PYTHONPATH=. python tests/web/fake_table.py --port 8000`.
"""

import argparse
import copy
import random
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from companion.errors import BadShapeError
from companion.protocol.action_shapes import read_action
from companion.service.page_services import page_shapes
from web.page import Answer, Page, State, ok, refused
from web.roles import Role, Visitor
from web.services import Corners, Placed, Record, Services

START = {24: 2, 13: 5, 8: 3, 6: 5}
OTHER = {"south": "north", "north": "south"}


class No(Exception):
    """The fake table's refusal."""

    def __init__(self, status: int, title: str, sentence: str) -> None:
        super().__init__(sentence)
        self.answer = refused(status, title, sentence)


class Side:
    """One side's checkers in its own numbering: 0 off, 25 bar."""

    def __init__(self, at: Mapping[int, int]) -> None:
        self.at = [at.get(n, 0) for n in range(26)]


def standing(south: Mapping[int, int], north: Mapping[int, int]) -> dict[str, Side]:
    """A position from both sides' checkers, each in its own numbering."""
    return {"south": Side(south), "north": Side(north)}


def steps(board: dict[str, Side], side: str, number: int) -> list[tuple[int, int]]:
    """Single moves with this number."""
    mine, theirs = board[side].at, board[OTHER[side]].at
    sources = [25] if mine[25] else [n for n in range(24, 0, -1) if mine[n]]
    home = not any(mine[7:])
    found = []
    for source in sources:
        target = source - number
        if target >= 1 and theirs[25 - target] < 2:
            found.append((source, target))
        if target <= 0 and home and (target == 0 or not any(mine[source + 1 : 7])):
            found.append((source, 0))
    return found


def moved(board: dict[str, Side], side: str, source: int, target: int) -> dict[str, Side]:
    """The position after one move."""
    after = copy.deepcopy(board)
    mine, theirs = after[side].at, after[OTHER[side]].at
    mine[source] -= 1
    mine[target] += 1
    if target and theirs[25 - target] == 1:
        theirs[25 - target] = 0
        theirs[25] += 1
    return after


def all_plays(board: dict[str, Side], side: str, numbers: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    """Every longest sequence of moves, one for each position it leads to."""
    best: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    orders = {numbers, numbers[::-1]}

    def go(at: dict[str, Side], left: tuple[int, ...], done: list[tuple[int, int]]) -> None:
        key = (*at["south"].at, *at["north"].at)
        if len(done) > len(best.get(key, [])) or key not in best:
            best[key] = done
        if left:
            for source, target in steps(at, side, left[0]):
                go(moved(at, side, source, target), left[1:], [*done, (source, target)])

    for order in orders:
        go(board, order, [])
        if len(set(order)) == 2:
            go(board, order[1:], [])
    longest = max(len(play) for play in best.values())
    return sorted((play for play in best.values() if len(play) == longest), reverse=True)


def text_of(moves: list[tuple[int, int]]) -> str:
    """Moves as people write them."""
    name = {25: "bar", 0: "off"}
    return " ".join(f"{name.get(a, a)}/{name.get(b, b)}" for a, b in moves)


class FakeTable:
    """A table on which whatever the page asks for happens, or is refused with a reason."""

    def __init__(self, seed: int = 1, aids: str = "shown", pictures: bool = True) -> None:
        self.caveat = ""
        self.corners: Any = [[60, 40], [580, 40], [600, 330], [40, 330]]
        doors = Services(
            lambda: self.picture("64.png"),
            lambda: self.corners,
            self.place,
            self.export,
            self.sheet,
            lambda: self.analysis,
            self.analyse,
            self.rules,
        )
        self.analysis: dict[str, Any] = {"state": "none", "why": ""}
        self.page = Page(self.act, self.picture, doors, page_shapes)
        self.lock = threading.RLock()
        self.rng = random.Random(seed)
        self.seq = 0
        self.aids = aids
        self.pictures = pictures
        self.acted: list[dict[str, Any]] = []
        self.history: list[dict[str, Any]] = []
        self.notices: list[dict[str, Any]] = []
        self.camera = {"state": "recorded", "text": "Recorded throws are played."}
        self.orientation = {"home": "right", "south": "light"}
        self.profile = "modern"
        self.durable = True
        self.match: dict[str, Any] | None = None
        self.clock: dict[str, Any] | None = None
        self.game_reset()
        self.phase = "no_match"
        self.publish()

    def game_reset(self) -> None:
        """Everything of one game, as before its opening."""
        self.phase = "opening"
        self.board = standing(START, START)
        self.on_roll: str | None = None
        self.roll: tuple[int, int] | None = None
        self.opening: dict[str, int | None] = {"south": None, "north": None}
        self.ruling: str | None = None
        self.reasons: list[str] = []
        self.reason_text = ""
        self.throw: dict[str, Any] | None = None
        self.moves: list[tuple[int, int]] = []
        self.before = self.board
        self.refused_text = ""
        self.cube: dict[str, Any] = {"value": 1, "owner": None, "offered": None}
        self.asked: str | None = None
        self.dispute: dict[str, Any] | None = None
        self.resigning: dict[str, Any] | None = None
        self.result: dict[str, Any] | None = None
        self.undos: list[Callable[[], None]] = []

    # what is seen

    def numbers_left(self) -> list[int]:
        assert self.roll
        numbers = [self.roll[0]] * 4 if self.roll[0] == self.roll[1] else list(self.roll)
        for source, target in self.moves:
            exact = source - target
            numbers.remove(exact if exact in numbers else max(numbers))
        return numbers

    def plays(self) -> list[list[tuple[int, int]]]:
        assert self.roll
        assert self.on_roll
        numbers = (self.roll[0],) * 4 if self.roll[0] == self.roll[1] else self.roll
        return all_plays(self.before, self.on_roll, numbers)

    def next_moves(self) -> list[dict[str, Any]]:
        assert self.on_roll
        left = self.numbers_left()
        plays = all_plays(self.board, self.on_roll, tuple(left)) if left else [[]]
        if not plays[0]:
            return []
        found = []
        for number in sorted(set(left)):
            for source, target in steps(self.board, self.on_roll, number):
                after = moved(self.board, self.on_roll, source, target)
                rest = list(left)
                rest.remove(number)
                if rest and len(all_plays(after, self.on_roll, tuple(rest))[0]) + 1 < len(plays[0]):
                    continue
                theirs = self.board[OTHER[self.on_roll]].at
                hits = bool(target) and theirs[25 - target] == 1
                found.append({"from": source, "to": target, "number": number, "hits": hits})
        return found

    def pos26(self, at: dict[str, Side], side: str) -> list[int]:
        mine, theirs = at[side].at, at[OTHER[side]].at
        return [-theirs[25], *(mine[n] - theirs[25 - n] for n in range(1, 25)), mine[25]]

    def view(self, visitor: Visitor) -> State:
        """The state for one visitor."""
        with self.lock:
            return copy.deepcopy(self._views[(visitor.role, visitor.seat)])

    def _view(self, visitor: Visitor) -> Any:
        helped = self.aids == "shown"
        laid = self.before if self.phase == "rolled" else self.board
        south, north = laid["south"].at, laid["north"].at
        plays = making = None
        if self.phase in ("rolled", "played") and self.roll:
            after = self.next_moves()
            if helped:
                plays = [self._play(moves) for moves in self.plays()]
            making = {
                "moves": [list(move) for move in self.moves],
                "text": text_of(self.moves),
                "next": after if helped else None,
                "complete": not after,
                "refused": self.refused_text,
            }
        pips = {
            "south": sum(n * k for n, k in enumerate(south)),
            "north": sum(n * k for n, k in enumerate(north)),
        }
        cube_ok = self.phase == "on_roll" and self.cube["owner"] in (None, self.on_roll)
        crawford = bool(self.match and self.match["crawford"])
        return {
            "seq": self.seq,
            "durable": self.durable,
            "phase": self.phase,
            "on_roll": self.on_roll,
            "asked": self.asked,
            "may": self.may(visitor),
            "roll": list(self.roll) if self.roll else None,
            "opening": dict(self.opening) if self.phase == "opening" else None,
            "ruling": self.ruling,
            "reasons": list(self.reasons),
            "reason_text": self.reason_text,
            "throw": self.throw,
            "position": {
                "xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
                "pos": self.pos26(laid, self.on_roll or "south"),
                "pips": pips if helped else None,
                "board": {
                    "points": [south[n] - north[25 - n] for n in range(1, 25)],
                    "bar": {"south": south[25], "north": north[25]},
                    "off": {"south": south[0], "north": north[0]},
                },
            },
            "plays": plays,
            "making": making,
            "owed": False,
            "waiting": None,
            "cube": {**self.cube, "may_double": cube_ok and not crawford},
            "dispute": self.dispute,
            "resigning": self.resigning,
            "result": self.result,
            "match": self.match,
            "clock": self.clock,
            "lamps": self.lamps(),
            "camera": self.camera,
            "aids": self.aids,
            "orientation": self.orientation,
            "history": self.history[-120:],
            "notices": self.notices,
        }

    def _play(self, moves: list[tuple[int, int]]) -> dict[str, Any]:
        assert self.on_roll
        at = self.before
        for source, target in moves:
            at = moved(at, self.on_roll, source, target)
        return {
            "text": text_of(moves),
            "moves": [list(move) for move in moves],
            "result": self.pos26(at, self.on_roll),
        }

    def lamps(self) -> dict[str, str]:
        turn = self.on_roll if self.phase in ("on_roll", "rolled", "played", "doubled") else None
        return {
            "south_turn": "on" if turn == "south" else "off",
            "north_turn": "on" if turn == "north" else "off",
            "cube_south": "blink" if self.phase == "doubled" and self.asked == "south" else "off",
            "cube_north": "blink" if self.phase == "doubled" and self.asked == "north" else "off",
            "valid": "on" if self.ruling == "valid" else "off",
            "again": "blink" if self.ruling == "cocked" else "off",
            "look": "on" if self.ruling == "unread" else "off",
        }

    def may(self, visitor: Visitor) -> list[str]:
        by_phase = {
            "no_match": ["new_match"],
            "opening": ["opening", "rule"],
            "on_roll": ["roll", "rule", "double", "resign", "undo"],
            "rolled": ["play", "undo", "rule", "resign", "done"],
            "played": ["done", "lift", "undo", "play", "rule"],
            "doubled": ["take", "pass", "undo"],
            "dispute": ["condone", "correct"],
            "resigning": ["accept", "refuse"],
            "game_over": ["next_game", "undo"],
            "match_over": ["new_match", "undo"],
        }
        here = [*by_phase[self.phase], "call_director", "settings", "clock"]
        if self.phase not in ("no_match", "match_over"):
            here += ["new_match", "set_position"]
        if self.phase == "on_roll" and not (
            self.cube["owner"] in (None, self.on_roll) and not (self.match or {}).get("crawford")
        ):
            here.remove("double")
        if visitor.role is Role.VIEWER:
            return []
        if visitor.role is Role.PLAYER:
            mine = visitor.seat == (self.asked or self.on_roll)
            own = {"take", "pass", "accept", "refuse", "condone", "correct"}
            return [kind for kind in here if kind == "call_director" or (mine and kind in own)]
        if visitor.role is Role.DIRECTOR:
            here.append("amend")
        return [*here, "revoke"]

    def publish(self) -> None:
        """Let everybody see."""
        with self.lock:
            self.seq += 1
            kinds = [(role, None) for role in Role if role is not Role.PLAYER]
            views = {kind: self._view(Visitor(*kind)) for kind in kinds}
            for seat in ("south", "north"):
                views[(Role.PLAYER, seat)] = self._view(Visitor(Role.PLAYER, seat))  # type: ignore[arg-type]
            self._views = views
            self.page.publish(self.seq, lambda visitor: views[(visitor.role, visitor.seat)])

    # what happens

    def say(self, side: str | None, text: str, picture: str | None = None) -> None:
        self.history.append({"n": len(self.history) + 1, "side": side, "text": text, "picture": picture})

    def notice(self, text: str, level: str = "info") -> None:
        """A sentence to show once."""
        with self.lock:
            self.notices = [*self.notices[-4:], {"n": len(self.notices) + 1, "text": text, "level": level}]
            self.publish()

    def thrown(
        self, one: int | None, other: int | None, ruling: str = "valid", reasons: tuple[str, ...] = ()
    ) -> None:
        """The camera reads a throw for the side on roll."""
        with self.lock:
            faces = [one, other]
            self.throw = self.seen(faces, reasons)
            self.ruling, self.reasons = ruling, list(reasons)
            words = {
                "on_checker": "A die lies on a checker.",
                "leaning": "A die leans.",
                "one_die": "Only one die is on the board.",
            }
            self.reason_text = " ".join(words.get(reason, reason) for reason in reasons)
            if ruling == "valid":
                self.do_roll({"dice": faces})
            else:
                self.say(self.on_roll, f"{ruling}: {self.reason_text}", self.throw["picture"])
            self.publish()

    def seen(self, faces: list[int | None], reasons: tuple[str, ...] = ()) -> dict[str, Any]:
        """A throw as the camera tells it, with boxes in a picture of 640 by 360."""
        boxes = [[60.0, 120.0, 180.0, 240.0], [380.0, 90.0, 500.0, 210.0]]
        rest = [
            "on_checker" if "on_checker" in reasons else "leaning" if "leaning" in reasons else "flat",
            "flat",
        ]
        name = "".join(str(face or 0) for face in faces)
        return {
            "dice": [
                {"value": face, "rest": r, "half": "right", "tilt_deg": 0.0, "confidence": 0.99, "box": box}
                for face, r, box in zip(faces, rest, boxes, strict=True)
            ],
            "picture": f"/pictures/{name}.png" if self.pictures else None,
            "size": [640, 360],
        }

    def picture(self, name: str) -> bytes | None:
        """A drawn picture of the throw in its name."""
        import cv2
        import numpy as np

        if len(name) != 6 or not name[:2].isdigit():
            return None
        bgr = np.full((360, 640, 3), (70, 92, 40), np.uint8)
        spots = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
        corners = [(int(name[0]), 60, 120), (int(name[1]), 380, 90)]
        for face, x, y in corners:
            cv2.rectangle(bgr, (x + 10, y + 10), (x + 110, y + 110), (225, 240, 245), -1)
            for spot in spots.get(face, ""):
                at = (x + 32 + 28 * (int(spot) % 3), y + 32 + 28 * (int(spot) // 3))
                cv2.circle(bgr, at, 10, (40, 30, 30), -1, cv2.LINE_AA)
        good, png = cv2.imencode(".png", bgr)
        assert good
        return bytes(png)

    def place(self, visitor: Visitor, corners: Corners | None) -> Placed:
        """Put the board there, or find it always at the same place."""
        if corners is not None and corners[0][0] >= corners[1][0]:
            return Placed(None, "These corners cross each other.")
        self.corners = corners or [[70, 50], [570, 50], [590, 320], [50, 320]]
        return Placed(self.corners, self.caveat)

    def export(self, kind: str) -> Record | str | None:
        """A record with nothing in it."""
        if kind == "sgf" and self.match:
            return "No .sgf can hold this game."
        return Record(f"m1.{kind}", b"; a record", "text/plain") if kind == "mat" and self.match else None

    def sheet(self) -> dict[str, Any] | None:
        """Two games of the running match."""
        if self.match is None:
            return None
        south, north = self.match["players"].values()
        game = {"worth": 1, "cube": 1, "points": 1, "how": "borne_off", "crawford": False}
        return {
            "players": self.match["players"],
            "length": self.match["length"],
            "profile": self.match["profile"],
            "date": "2026-11-21",
            "score": self.match["score"],
            "games": [
                {**game, "game": 1, "winner": south, "worth": 2, "points": 2, "how": "resigned"},
                {**game, "game": 2, "winner": north, "cube": 2, "points": 2, "how": "passed"},
                {**game, "game": 3, "winner": south},
            ],
            "match": "20261121-190412-083",
            "events": 217,
            "head": "3f8a6d0c1be75492a7c94e2f60d1b835c2a9e7f4d18b5063e9f2ac7d41b6085e",
            "penalties": {"south": 0, "north": 0},
        }

    def analyse(self) -> str:
        """Begin an analysis, of which one game is done at once; without a match there is nothing to analyse."""
        if self.match is None:
            return "No game has been finished yet."
        self.analysis = {"state": "running", "why": "", "match": "m1", "done": 1, "games": 3}
        return ""

    def analysed(self) -> None:
        """The analysis is done."""
        board = self._view(Visitor(Role.SCOREKEEPER))["position"]["board"]
        play = {"game": 1, "player": 0, "dice": [6, 4], "best": "24/18 13/9", "loss": 0.124, "board": board}
        figures = {"moves": 31, "error_total": 0.4}
        self.analysis = {
            "state": "done",
            "why": "",
            "match": "m1",
            "report": {
                "players": ["Anna", "Mehmet"],
                "plies": 2,
                "figures": [
                    {**figures, "decisions": 24, "error_rate_memg": 8.1, "luck_total": 0.61},
                    {**figures, "decisions": 27, "error_rate_memg": 11.4, "luck_total": -0.35},
                ],
                "worst": [
                    {**play, "played": "24/14", "picture": "64.png"},
                    {
                        **play,
                        "played": "8/2 6/2",
                        "player": 1,
                        "loss": 0.081,
                        "picture": None,
                        "dice": [6, 4],
                    },
                ],
                "cube": ["Game 2, Mehmet: wrong pass, cost 0.214"],
                "illegal": [],
            },
        }

    def rules(self) -> dict[str, Any]:
        """Two profiles and three switches."""
        modern = {"aids": "shown", "clock": "off", "automatic_doubles": 0}
        return {
            "profiles": [
                {"name": "modern", "settings": modern},
                {"name": "wbgf", "settings": {**modern, "aids": "withheld"}},
            ],
            "switches": [
                {"name": "aids", "values": ["shown", "withheld"]},
                {"name": "clock", "values": ["off", "simple_delay"]},
                {"name": "automatic_doubles", "values": None},
            ],
            "usual": {"profile": "modern", "length": 7, "players": {}, "overrides": {}},
            "now": modern if self.match else None,
        }

    def act(self, visitor: Visitor, body: Mapping[str, object]) -> Answer:
        """Do what the visitor asks."""
        try:
            read_action(body)
        except BadShapeError as error:
            return refused(400, "Bad request", str(error))
        with self.lock:
            kind = str(body["type"])
            may = self.may(visitor)
            if kind not in may:
                if kind in self.may(Visitor(Role.DIRECTOR)):
                    return refused(403, "Not in this role", "This is not yours to do.")
                return refused(422, "Not now", "That is not possible now.")
            if body["seq"] != self.seq:
                return refused(409, "Too late", "The table has changed meanwhile; look again.")
            try:
                getattr(self, f"do_{kind}")(dict(body))
            except No as no:
                return no.answer
            self.acted.append(dict(body))
            self.publish()
            return ok(self.view(visitor))

    def do_new_match(self, body: dict[str, Any]) -> None:
        players = {"south": "South", "north": "North", **body.get("players", {})}
        self.match = {
            "id": "m1",
            "length": body.get("length", 7),
            "crawford": False,
            "score": {"south": 0, "north": 0},
            "players": players,
            "profile": body.get("profile", "modern"),
            "game": 1,
            "winner": None,
        }
        self.orientation = {**self.orientation, **body.get("orientation", {})}
        self.game_reset()

    def do_opening(self, body: dict[str, Any]) -> None:
        for side in ("south", "north"):
            if side in body:
                self.opening[side] = body[side]
        south, north = self.opening["south"], self.opening["north"]
        if south is None or north is None:
            return
        if south == north:
            self.opening = {"south": None, "north": None}
            self.say(None, f"{south}-{north}: again")
            return
        self.on_roll = "south" if south > north else "north"
        self.do_roll({"dice": [south, north]})

    def do_roll(self, body: dict[str, Any]) -> None:
        if self.phase == "opening" and self.on_roll is None:
            raise No(422, "Not now", "One die each decides who begins.")
        one, other = body["dice"]
        self.roll = (max(one, other), min(one, other))
        self.ruling = "valid"
        if not self.throw or sorted(d["value"] or 0 for d in self.throw["dice"]) != sorted((one, other)):
            self.throw = None
        self.phase = "rolled"
        self.before, self.moves, self.refused_text = self.board, [], ""
        self.reasons, self.reason_text = [], ""
        picture = self.throw["picture"] if self.throw else None
        self.say(self.on_roll, f"{self.roll[0]}-{self.roll[1]}", picture)

    def do_rule(self, body: dict[str, Any]) -> None:
        self.board = self.before if self.moves else self.board
        if "dice" in body:
            ruled = self.throw  # it still is what was seen, whatever it counts as
            self.do_roll(body)
            self.throw = ruled
            return
        self.phase, self.ruling, self.roll, self.moves = "on_roll", "cocked", None, []
        self.reason_text = "Ruled by the scorekeeper."
        self.say(self.on_roll, "cocked, thrown again")

    def do_play(self, body: dict[str, Any]) -> None:
        assert self.on_roll
        wanted = [tuple(move) for move in body.get("moves", [])]
        if "text" in body:
            names = {"bar": 25, "off": 0}
            try:
                wanted = [
                    tuple(int(names.get(end, end)) for end in move.strip("*").split("/"))
                    for move in body["text"].split()
                ]
            except ValueError:
                raise No(422, "No play", "This cannot be read as a play; write 8/5 6/5.") from None
        keep, keep_moves = self.board, self.moves
        self.board, self.moves = self.before, []
        for source, target in wanted:
            fits = [m for m in self.next_moves() if (m["from"], m["to"]) == (source, target)]
            if not fits and not body.get("made") and self.aids == "shown":
                self.board, self.moves = keep, keep_moves
                raise No(422, "Not legal", f"{text_of([(source, target)])} is not possible with this roll.")
            self.board = moved(self.board, self.on_roll, source, target)
            self.moves = [*self.moves, (source, target)]
        self.phase = "rolled" if self.next_moves() else "played"

    def do_undo(self, body: dict[str, Any]) -> None:
        if self.moves:
            kept, self.moves, self.board = self.moves[:-1], [], self.before
            for source, target in kept:
                self.board = moved(self.board, str(self.on_roll), source, target)
                self.moves = [*self.moves, (source, target)]
            self.phase = "rolled"
            return
        if self.phase == "rolled":
            self.phase, self.roll, self.ruling = "on_roll", None, None
            return
        raise No(422, "Nothing to undo", "There is nothing to take back.")

    def do_done(self, body: dict[str, Any]) -> None:
        assert self.roll
        assert self.on_roll
        if self.next_moves():
            raise No(422, "Not played out", "There is still a number to play.")
        self.say(self.on_roll, f"{self.roll[0]}-{self.roll[1]}: {text_of(self.moves) or 'no move'}")
        if self.board[self.on_roll].at[0] == 15:
            self.win(self.on_roll, "single")
            return
        self.on_roll = OTHER[self.on_roll]
        self.phase, self.roll, self.ruling, self.throw = "on_roll", None, None, None
        self.moves, self.before = [], self.board

    do_lift = do_done

    def win(self, side: str, how: str, worth: int = 1) -> None:
        points = worth * self.cube["value"]
        self.result = {
            "winner": side,
            "worth": worth,
            "cube": self.cube["value"],
            "points": points,
            "how": how,
        }
        self.phase, self.asked = "game_over", None
        if self.match:
            score = {**self.match["score"], side: self.match["score"][side] + points}
            self.match = {**self.match, "score": score}
            if 0 < self.match["length"] <= score[side]:
                self.phase, self.match = "match_over", {**self.match, "winner": side}

    def do_next_game(self, body: dict[str, Any]) -> None:
        assert self.match
        self.game_reset()
        away = [self.match["length"] - n for n in self.match["score"].values()]
        self.match = {**self.match, "game": self.match["game"] + 1, "crawford": 1 in away}

    def do_double(self, body: dict[str, Any]) -> None:
        assert self.on_roll
        self.phase, self.asked = "doubled", OTHER[self.on_roll]
        self.cube = {**self.cube, "offered": 2 * self.cube["value"]}
        self.say(self.on_roll, f"doubles to {self.cube['offered']}")

    def do_take(self, body: dict[str, Any]) -> None:
        self.cube = {"value": self.cube["offered"], "owner": self.asked, "offered": None}
        self.say(self.asked, "takes")
        self.phase, self.asked = "on_roll", None

    def do_pass(self, body: dict[str, Any]) -> None:
        self.cube = {**self.cube, "offered": None}
        self.say(self.asked, "passes")
        self.win(str(self.on_roll), "pass")

    def do_resign(self, body: dict[str, Any]) -> None:
        by = body.get("side") or self.on_roll
        self.back = self.phase
        self.resigning = {"by": by, "worth": body["worth"]}
        self.phase, self.asked = "resigning", OTHER[by]

    def do_accept(self, body: dict[str, Any]) -> None:
        assert self.resigning
        assert self.asked
        worth, self.resigning = self.resigning["worth"], None
        self.win(self.asked, "resigned", worth)

    def do_refuse(self, body: dict[str, Any]) -> None:
        self.phase, self.resigning, self.asked = self.back, None, None

    def disputed(self) -> None:
        """An illegal play lies on the board."""
        with self.lock:
            name = self.match["players"][str(self.on_roll)]
            self.asked = OTHER[str(self.on_roll)]
            self.phase = "dispute"
            self.dispute = {
                "kind": "illegal_play",
                "text": f"{name}'s play is not legal: the checkers moved 14 pips; 6-4 gives 10.",
                "answers": [
                    {"type": "condone", "label": "Let it stand", "by": self.asked},
                    {"type": "correct", "label": "Take it back", "by": self.asked},
                ],
            }
            self.publish()

    def do_condone(self, body: dict[str, Any]) -> None:
        self.dispute, self.asked, self.phase = None, None, "played"

    def do_correct(self, body: dict[str, Any]) -> None:
        self.board, self.moves = self.before, []
        self.dispute, self.asked, self.phase = None, None, "rolled"

    def do_amend(self, body: dict[str, Any]) -> None:
        self.say(None, f"event {body['event']} corrected")

    def do_settings(self, body: dict[str, Any]) -> None:
        self.aids = str(body["overrides"].get("aids", self.aids))

    def do_clock(self, body: dict[str, Any]) -> None:
        self.clock = {
            "running": self.on_roll,
            "south": {"reserve_ms": 840_000, "delay_ms": 12_000},
            "north": {"reserve_ms": 798_000, "delay_ms": 12_000},
            "at_ms": int(time.time() * 1000),
        }

    def do_call_director(self, body: dict[str, Any]) -> None:
        self.say(None, "The director is called.")
        self.notices = [{"n": len(self.notices) + 1, "text": "The director is called.", "level": "warn"}]

    def do_set_position(self, body: dict[str, Any]) -> None:
        self.say(None, "position set")


def main() -> None:
    """Serve a fake table until interrupted; the camera throws by itself every few seconds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--aids", choices=("shown", "withheld"), default="shown")
    parser.add_argument("--history", type=int, default=0, help="begin with so many lines of history")
    asked = parser.parse_args()
    from web.app import create_app
    from web.roles import Roles
    from web.server.serve import serve

    table = FakeTable(aids=asked.aids)
    for n in range(asked.history):
        table.say("south", f"{n % 6 + 1}-{n % 5 + 1}: 24/18 13/11", "/pictures/64.png")
    roles = Roles(Path(mkdtemp()) / "roles.json")
    running = serve(create_app(table.page, roles), "127.0.0.1", asked.port)
    for role in (Role.SCOREKEEPER, Role.DIRECTOR, Role.VIEWER):
        print(f"{role.value}: http://127.0.0.1:{running.port}/join/{roles.standing(role).code}", flush=True)
    while True:
        time.sleep(4)
        if table.phase == "on_roll" and table.ruling is None:
            table.thrown(table.rng.randint(1, 6), table.rng.randint(1, 6))


if __name__ == "__main__":
    main()
