"""The review of a recording: turns in doubt with their choices, people's answers, and the record that they change."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from companion.__main__ import main
from companion.commands._review import Review, write_doubts
from companion.errors import UserError
from companion.inference.views import physical_point
from companion.rules.board import BAR, Board, Position, Roll, Side
from companion.rules.profiles import PROFILES
from companion.service.checkers.following import GameFollower
from companion.service.checkers.tape import Tape
from tests.support.camera.checker_views import TurnPlayed, moved
from tests.support.camera.film_recording import FPS, write_recording
from tests.support.camera.scripted_game import SEATS, START, ScriptedCheckers, ScriptedWatcher, recording
from vision.checkers.reading import STATES, BoardReading, PointChances

MODERN = PROFILES["modern"]
COVERED = frozenset(physical_point(n, SEATS) for n in (5, 6, 23, 24))
"""South's points that tell 13/10 6/5 from 24/23 13/10."""


@dataclass
class CoveredCheckers(ScriptedCheckers):
    """A hand lies on some points from a frame on."""

    since: int = 3
    hidden: frozenset[int] = field(default=COVERED)

    def read(self, bgr, board, look=None):
        read = super().read(bgr, board, look)
        if int(bgr[0, 0, 0]) < self.since:
            return read
        none = PointChances(np.full(STATES, 1 / STATES), covered=True)
        points = tuple(none if n in self.hidden else one for n, one in enumerate(read.points, 1))
        return BoardReading(points, read.bar, read.colours, read.board)


def played(board: Board, side: Side, roll: Roll, *moves: tuple[int, int], legal: bool = True) -> TurnPlayed:
    position = board.seen_by(side)
    hit = [(25 - target, BAR) for _, target in moves if target and position.theirs[25 - target] == 1]
    left = Position(moved(position.mine, *moves), moved(position.theirs, *hit))
    return TurnPlayed(side, roll, board, Board.of(side, left), legal)


def game_of(illegal: bool = False) -> list[TurnPlayed]:
    first = played(START, Side.SOUTH, Roll(3, 1), (13, 10), (6, 5))
    second = played(first.after, Side.NORTH, Roll(6, 4), (24, 14))
    moves = ((13, 8), (13, 10)) if illegal else ((13, 8), (10, 8))
    third = played(second.after, Side.SOUTH, Roll(5, 2), *moves, legal=not illegal)
    return [first, second, third, played(third.after, Side.NORTH, Roll(2, 1), (14, 11))]


def reviewed(folder: Path, game: list[TurnPlayed], hidden: frozenset[int] = COVERED) -> Review:
    """The review of a recording, followed to its end; the record is `record.mat` in the folder."""
    frames, script, boards = recording(game)
    (folder / "tape").mkdir()
    tape = Tape(ScriptedWatcher(script), CoveredCheckers(boards, hidden=hidden), folder / "tape")
    follower = GameFollower(tape, tape, MODERN)
    for frame in frames:
        follower.feed(frame)
    follower.finish(frames[-1])
    return Review(tape, (MODERN, 0, 0), folder / "record.mat")


def plays(review: Review) -> list[str]:
    return [one["play"] for one in review.look("")["turns"]]


def choice(review: Review, play: str) -> str:
    (found,) = (one["id"] for one in review.look("")["card"]["choices"] if one["play"] == play)
    return str(found)


def test_turn_in_doubt_is_asked_and_the_turns_after_it_follow_from_the_answer(tmp_path: Path) -> None:
    review = reviewed(tmp_path, game_of())
    shown = review.look("")
    assert (shown["doubts"], shown["card"]["name"]) == (4, "1.1")
    assert {"13/10 6/5", "24/23 13/10"} <= {one["play"] for one in shown["card"]["choices"]}
    assert review.transcriber.has_findings
    assert not review.answer("1.1", choice(review, "13/10 6/5"))
    assert (review.look("")["doubts"], plays(review)) == (0, ["13/10 6/5", "24/14", "13/8 10/8", "14/11"])
    assert not review.transcriber.has_findings
    assert "31: 13/10 6/5" in (tmp_path / "record.mat").read_text()
    assert not review.answer("1.1", next(one["id"] for one in review.look("1.1")["card"]["choices"][1:]))
    assert plays(review)[0] != "13/10 6/5"
    review.undo()
    assert plays(review)[0] == "13/10 6/5"
    assert "31: 13/10 6/5" in (tmp_path / "record.mat").read_text()
    review.undo()
    assert (review.look("")["doubts"], review.look("")["may_undo"]) == (4, False)


def test_answer_that_cannot_be_saved_is_not_taken(tmp_path: Path) -> None:
    review = reviewed(tmp_path, game_of())
    assert not review.answer("1.1", choice(review, "13/10 6/5"))
    (tmp_path / "record.mat").unlink()
    (tmp_path / "record.mat").mkdir()
    before = review.look("")
    assert "cannot be written" in str(review.typed("1.1", "3-1", "8/5 6/5"))
    assert "cannot be written" in str(review.not_played("1.4"))
    assert "cannot be written" in str(review.undo())
    assert review.look("") == before
    (tmp_path / "record.mat").rmdir()
    assert not review.undo()
    assert (review.look("")["doubts"], review.look("")["may_undo"]) == (4, False)


def test_pictures_of_a_turn_are_those_before_and_after_it(tmp_path: Path) -> None:
    review = reviewed(tmp_path, game_of())
    card = review.look("1.2")["card"]
    _, _, boards = recording(game_of())
    assert (boards[card["before"]], boards[card["after"]]) == (game_of()[1].before, game_of()[1].after)
    assert (review.picture(card["before"]) or b"")[:2] == b"\xff\xd8"


def test_play_in_words_takes_the_place_of_what_was_seen(tmp_path: Path) -> None:
    review = reviewed(tmp_path, game_of())
    assert not review.typed("1.1", "3-1", "8/5 6/5")
    assert plays(review)[0] == "8/5 6/5"
    assert not review.typed("1.1", "61", "13/7 8/7")  # the dice were misread
    assert review.look("1.1")["card"]["roll"] == "6-1"


@pytest.mark.parametrize(
    ("name", "roll", "play", "why"),
    [
        ("1.1", "3-1", "8/3", "no legal play"),
        ("1.1", "3-1", "upwards", "is no play"),
        ("1.1", "7", "8/5 6/5", "two numbers"),
        ("1.1", "9-3-1", "8/5 6/5", "two numbers"),
        ("1.1", "3-10", "8/5 6/5", "two numbers"),
        ("9.9", "3-1", "8/5 6/5", "not in the record"),
    ],
    ids=["not legal", "no play", "no roll", "three numbers", "no number of a die", "no turn"],
)
def test_answer_that_does_not_fit_is_refused_and_changes_nothing(
    name: str, roll: str, play: str, why: str, tmp_path: Path
) -> None:
    review = reviewed(tmp_path, game_of())
    before = plays(review)
    assert why in str(review.typed(name, roll, play))
    assert (plays(review), review.look("")["may_undo"]) == (before, False)
    assert review.answer("1.1", "nonsense")
    assert review.not_played("9.9")


def test_illegal_play_is_in_doubt_until_people_confirm_it_or_say_another(tmp_path: Path) -> None:
    review = reviewed(tmp_path, game_of(illegal=True), hidden=frozenset())
    shown = review.look("")
    assert (shown["doubts"], shown["card"]["name"], shown["card"]["kind"]) == (1, "1.3", "illegal")
    first, *others = shown["card"]["choices"]
    assert first["kind"] == "illegal"
    assert {one["kind"] for one in others} == {"legal"}
    assert not review.answer("1.3", first["id"])
    assert review.look("")["doubts"] == 0
    assert review.transcriber.has_findings  # it was illegal all the same
    assert not review.answer("1.3", others[0]["id"])
    assert plays(review)[2] == others[0]["play"]


def test_throw_that_did_not_count_is_taken_out(tmp_path: Path) -> None:
    review = reviewed(tmp_path, game_of())
    assert not review.answer("1.1", choice(review, "13/10 6/5"))
    assert not review.not_played("1.4")
    assert plays(review) == ["13/10 6/5", "24/14", "13/8 10/8"]


def test_answer_goes_when_the_turn_before_it_becomes_another(tmp_path: Path) -> None:
    review = reviewed(tmp_path, game_of())
    assert not review.answer("1.1", choice(review, "13/10 6/5"))
    assert not review.typed("1.2", "6-4", "24/14")
    assert review.look("1.2")["card"]["said"]
    assert not review.typed("1.1", "3-1", "8/5 6/5")
    assert not review.look("1.2")["card"]["said"]


def test_doubts_are_listed_with_their_pictures(tmp_path: Path) -> None:
    review = reviewed(tmp_path, game_of())
    write_doubts(review, tmp_path / "doubts")
    listed = json.loads((tmp_path / "doubts" / "doubts.json").read_text())
    assert [(one["game"], one["turn"], one["event"]) for one in listed] == [
        (1, turn, "open") for turn in range(4)
    ]
    assert listed[0]["why"] == "The pictures fit more than one play."
    page = (tmp_path / "doubts" / "index.html").read_text()
    for one in listed:
        for file in one["pictures"].values():
            assert (tmp_path / "doubts" / file).read_bytes()[:2] == b"\xff\xd8"
            assert file in page
    assert "13/10 6/5" in page
    with pytest.raises(UserError, match="cannot be written"):
        write_doubts(review, tmp_path / "doubts" / "index.html" / "more")


def test_recording_is_transcribed_with_a_list_of_its_doubts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Real pictures: the demo's film up to its first illegal play."""
    write_recording(tmp_path / "film", throws=8)
    record, doubts = tmp_path / "game.json", tmp_path / "doubts"
    given = ["transcribe", "--json", "--fps", str(FPS), "--out", str(record), "--doubts", str(doubts)]
    assert main([*given, str(tmp_path / "film")]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["event"] for one in lines if one["event"] not in ("roll", "lifted")] == [
        "start",
        *["play"] * 6,
        "illegal",
    ]
    assert record.exists()
    (listed,) = json.loads((doubts / "doubts.json").read_text())
    (illegal,) = (one for one in lines if one["event"] == "illegal")
    assert (listed["turn"], listed["player"], listed["roll"]) == (
        illegal["turn"],
        illegal["player"],
        illegal["roll"],
    )
    assert len(list(doubts.glob("*.jpg"))) == 2
    assert main([*given, str(tmp_path / "film")]) == 2
    assert "new or empty folder" in capsys.readouterr().err


def test_review_replaces_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "record.mat"
    record.write_text("what people said")
    assert main(["transcribe", "--review", "--out", str(record), str(tmp_path)]) == 2
    assert "a review is saved to a new file" in capsys.readouterr().err
    assert record.read_text() == "what people said"
