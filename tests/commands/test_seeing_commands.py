"""`companion read`, `watch` and `calibrate`, as the outside sees them."""

import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from companion.commands._frames import frames_of
from tests.support.running import one_command
from vision.errors import CameraLost
from vision.frame import Frame

THROWS = Path(__file__).parents[2] / "companion" / "camera" / "recorded_throws"
PICTURE = str(THROWS / "03_south" / "frame_02.jpg")
BOARD = str(THROWS / "03_south" / "board.json")
DIE_KEYS = {
    "value",
    "confidence",
    "box_px",
    "centre_px",
    "centre_mm",
    "tilt_deg",
    "tilt_sd_deg",
    "rest",
    "half",
}


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def huge_png(path: Path) -> Path:
    """A PNG of a hundred megapixels that fits into a few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IEND", b""))
    return path


def test_a_picture_is_answered_with_every_field_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", "--board", BOARD, "--roller", "south", PICTURE]) == 0
    [said] = lines(capsys)
    assert said["image"] == PICTURE
    assert said["board_found"] is True
    assert isinstance(said["ms"], float)
    assert isinstance(said["dice"], list)
    assert len(said["dice"]) == 2
    assert all(set(die) == DIE_KEYS for die in said["dice"])
    assert {die["half"] for die in said["dice"]} == {"right"}
    assert all((die["tilt_sd_deg"] or 0) > 0 for die in said["dice"])
    assert said["ruling"] in ("valid", "unread")
    assert (said["roll"] is None) == (said["ruling"] != "valid")


def test_nothing_is_loaded_while_the_first_picture_s_time_is_taken() -> None:
    watched = (
        "import sys, time\n"
        "from companion.__main__ import main\n"
        "clock, loaded = time.perf_counter, []\n"
        "time.perf_counter = lambda: loaded.append(set(sys.modules)) or clock()\n"
        "main(['read', '--json', '--board', *sys.argv[1:]])\n"
        "print(*(loaded[-1] - loaded[-2]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", watched, BOARD, PICTURE], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[1:] == [""]


def test_the_wrong_roller_s_half_is_never_valid(capsys: pytest.CaptureFixture[str]) -> None:
    main(["read", "--json", "--board", BOARD, "--roller", "north", PICTURE])
    [said] = lines(capsys)
    assert said["ruling"] != "valid"
    assert "wrong_half" in said["reasons"]


def test_dice_on_a_table_are_read_but_not_ruled(capsys: pytest.CaptureFixture[str]) -> None:
    photograph = str(Path(__file__).parents[1] / "golden" / "photographs" / "matteop65_two_8.jpg")
    assert main(["read", "--json", photograph]) == 0
    [said] = lines(capsys)
    assert (said["ruling"], said["roll"], said["board_found"]) == ("unread", None, False)
    assert "no_board" in said["reasons"]


def test_what_is_no_picture_is_answered_with_an_error_and_the_rest_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, dot = tmp_path / "text.jpg", tmp_path / "dot.png"
    text.write_text("no picture")
    cv2.imwrite(str(dot), np.zeros((1, 1, 3), np.uint8))
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(Path(PICTURE).read_bytes()[:900])
    bad = [str(tmp_path / "missing.jpg"), str(text), str(dot), str(huge_png(tmp_path / "huge.png")), str(cut)]
    assert main(["read", "--json", "--board", BOARD, *bad, PICTURE]) == 2
    said = lines(capsys)
    assert [one["image"] for one in said] == [*bad, PICTURE]
    for one in said[:-1]:
        assert set(one) == {"image", "error"}
        assert "\n" not in str(one["error"])
    assert "dice" in said[-1]


@pytest.mark.parametrize(
    "corners",
    [[[100, 50], [1190, 670], [1180, 60], [90, 660]], "nonsense", None],
    ids=["crossing", "no points", "missing"],
)
def test_a_bad_board_file_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], corners: object
) -> None:
    known = {**json.loads(Path(BOARD).read_text()), "corners_px": corners}
    file = tmp_path / "board.json"
    file.write_text(json.dumps(known))
    assert main(["read", "--board", str(file), PICTURE]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert len(out.err.splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [b"nonsense", b"[1]", b"\xff", b"[" * 100_000, b'{"image_size": [' + b"9" * 5000 + b", 3]}"],
    ids=["text", "a list", "no text", "deep", "a long number"],
)
def test_a_board_file_that_is_none_is_named_in_one_short_sentence(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "b.json"
    file.write_bytes(content)
    assert main(["read", "--board", str(file), PICTURE]) == 2
    [sentence] = capsys.readouterr().err.splitlines()
    assert str(file) in sentence
    assert len(sentence) < 200 + len(str(file))


def test_a_pipe_for_a_board_file_is_not_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "b.json"
    os.mkfifo(file)
    assert main(["read", "--board", str(file), PICTURE]) == 2
    assert capsys.readouterr().err.endswith(f"The board file {file} cannot be read: it is no file.\n")


def test_the_board_file_is_named_whose_corners_cross(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = json.loads(Path(BOARD).read_text())
    file = tmp_path / "crossed.json"
    file.write_text(json.dumps({**known, "corners_px": known["corners_px"][::-1]}))
    assert main(["read", "--board", str(file), PICTURE]) == 2
    assert str(file) in capsys.readouterr().err


@pytest.mark.parametrize(
    "known", [{"bar_mm": 10**400}, {"surface_mm": [1e308, 1e308]}, {"image_size": [0, 3]}]
)
def test_a_board_file_with_impossible_numbers_is_one_sentence(
    known: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "b.json"
    file.write_text(json.dumps({**json.loads(Path(BOARD).read_text()), **known}))
    assert main(["read", "--board", str(file), PICTURE]) == 2
    [sentence] = capsys.readouterr().err.splitlines()
    assert len(sentence) < 200 + len(str(file))


def test_a_missing_picture_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "missing.jpg")
    assert main(["read", missing]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err.count(missing) == 1


@pytest.mark.parametrize("command", ["read", "watch", "calibrate"])
@pytest.mark.parametrize("name", ["text.jpg", "cut.jpg", "dot.png", "huge.png", "text.avi", "cut.avi"])
def test_libraries_keep_silent_beside_the_one_sentence(command: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    if name == "huge.png":
        huge_png(file)
    elif name == "dot.png":
        cv2.imwrite(str(file), np.zeros((1, 1, 3), np.uint8))
    elif name == "cut.avi":
        file.write_bytes(b"RIFF\xff\xff\0\0AVI LIST" + bytes(2000))
    else:
        file.write_bytes(b"no picture" if name.startswith("text") else Path(PICTURE).read_bytes()[:9000])
    out = ["--out", str(tmp_path / "b.json")] if command == "calibrate" else []
    done = one_command(command, str(file), *out)
    assert done.returncode == 2
    assert done.stdout == ""
    [sentence] = done.stderr.splitlines()
    assert sentence.count(str(file)) == 1
    assert not (tmp_path / "b.json").exists()


def test_a_picture_is_a_recording_of_one_frame(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--json", "--board", BOARD, PICTURE]) == 0
    [roll] = lines(capsys)
    assert (roll["event"], roll["frame"]) == ("roll", 0)


class Flickering:
    """A live camera that is lost between its frames."""

    name, live = "flickering", True

    def __init__(self, *rounds: list[int]) -> None:
        self.rounds = list(rounds)

    def frames(self) -> Iterator[Frame]:
        if not self.rounds:
            return
        for number in self.rounds.pop(0):
            yield Frame(np.zeros((20, 20, 3), np.uint8), float(number), number)
        if self.rounds:
            raise CameraLost("The cable is out.")

    def close(self) -> None:
        """Nothing is held."""


def test_a_live_camera_lost_while_watching_is_said_and_waited_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen = [frame.number for frame in frames_of(Flickering([0, 1], [], [2]))]
    assert seen == [0, 1, 2]
    assert len(capsys.readouterr().err.splitlines()) == 2
    with pytest.raises(CameraLost):
        next(frames_of(Flickering([], [1])))


def test_a_board_of_other_proportions_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    square = tmp_path / "square.png"
    cv2.imwrite(str(square), np.full((500, 500, 3), 90, np.uint8))
    assert main(["read", "--json", "--board", BOARD, str(square)]) == 2
    [said] = lines(capsys)
    assert "500x500" in str(said["error"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["read"],
        ["read", "no-such-file.jpg"],
        ["read", "--profile", "nobody", PICTURE],
        ["read", "--sideways", PICTURE],
        ["read", "--roller", "west", PICTURE],
        ["watch"],
        ["watch", "no-such-source"],
        ["watch", ""],
        ["watch", "http://camera:port/"],
        ["watch", "http://[::1"],
        ["watch", "--profile", "nobody", str(THROWS / "03_south")],
        ["watch", "--fps", "0", str(THROWS / "03_south")],
        ["transcribe"],
        ["transcribe", "no-such-source"],
        ["transcribe", "--length", "-1", str(THROWS / "03_south")],
        ["transcribe", "--out", "record.txt", str(THROWS / "03_south")],
        ["transcribe", "--out", "/nowhere/at/all/record.mat", str(THROWS / "03_south")],
        ["transcribe", "--profile", "spielestart", str(THROWS / "03_south")],
        ["transcribe", "--review", str(THROWS / "03_south")],
        ["transcribe", "--review", "--out", "record.mat", "--port", "99999", str(THROWS / "03_south")],
        ["transcribe", "--doubts", str(THROWS), str(THROWS / "03_south")],
        ["transcribe", "--doubts", "", str(THROWS / "03_south")],
        ["calibrate", PICTURE],
        ["calibrate", "no-such-file.jpg", "--out", "x.json"],
        ["calibrate", PICTURE, "--out", "/no/such/folder/x.json"],
        ["calibrate", PICTURE, "--out", "."],
        ["calibrate", PICTURE, "--out", "x" * 255],
        ["calibrate", PICTURE, "--out", "x.json", "--corners", ""],
        ["calibrate", PICTURE, "--out", "x.json", "--corners", f"1,1 {'9' * 400},1 3,3 4,4"],
        ["calibrate", PICTURE, "--out", "x.json", "--surface", "0x400"],
        ["calibrate", PICTURE, "--out", "x.json", "--bar", "nan"],
        ["calibrate", PICTURE, "--out", "x.json", "--corners", "1,2 3,4"],
        ["calibrate", PICTURE, "--out", "x.json", "--corners", "1,1 500,1 1,500 500,500"],
    ],
    ids=lambda a: " ".join(a)[-50:],
)
def test_bad_usage_is_one_sentence_and_leaves_nothing_behind(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        status = main(arguments)
    except SystemExit as end:
        status = int(str(end.code))
    out = capsys.readouterr()
    assert status == 2
    assert out.out == ""
    assert len(out.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_calibrate_finds_the_board_and_read_takes_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.json"
    assert main(["calibrate", PICTURE, "--out", str(file)]) == 0
    known = json.loads(file.read_text())
    assert set(known) == {"image_size", "corners_px", "surface_mm", "bar_mm", "distortion"}
    assert known["image_size"] == [960, 540]
    capsys.readouterr()
    assert main(["read", "--json", "--board", str(file), PICTURE]) == 0
    [said] = lines(capsys)
    assert {die["half"] for die in said["dice"]} == {"right"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("throw", "reason"), [("05_south_leaning", "leaning"), ("08_north_checker", "on_checker")]
)
def test_a_calibrated_board_of_a_known_make_is_read_as_one_that_was_found(
    throw: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, picture = tmp_path / "board.json", str(THROWS / throw / "frame_02.jpg")
    assert main(["calibrate", picture, "--out", str(file)]) == 0
    capsys.readouterr()
    for command in ("read", "watch"):
        assert main([command, "--json", "--board", str(file), picture]) == 0
        [said] = lines(capsys)
        assert (said["ruling"], said["reasons"]) == ("cocked", [reason])


def test_calibrate_takes_four_corners(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    corners = "150,14 776,18 770,508 157,505"
    assert main(["calibrate", PICTURE, "--out", str(file), "--corners", corners, "--surface", "530x400"]) == 0
    known = json.loads(file.read_text())
    assert known["corners_px"][0] == [150, 14]
    assert known["surface_mm"] == [530, 400]


@pytest.mark.parametrize(
    ("first", "by_px", "said"),
    [
        (0, 0, ""),
        (0, 60, "elsewhere"),
        (1, 0, "turned by a quarter"),
        (2, 0, ""),
        (3, 0, "turned by a quarter"),
    ],
)
def test_calibrate_says_where_the_corners_given_are_not_those_of_the_board_seen(
    first: int, by_px: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They count all the same."""
    file, corners = tmp_path / "board.json", [(150, 14), (776, 18), (770, 508), (157, 505)]
    given = [(x + by_px, y) for x, y in corners[first:] + corners[:first]]
    words = " ".join(f"{x},{y}" for x, y in given)
    assert main(["calibrate", PICTURE, "--out", str(file), "--corners", words]) == 0
    assert sorted(json.loads(file.read_text())["corners_px"]) == sorted(map(list, given))
    remark = capsys.readouterr().err
    assert said in remark
    assert bool(remark) == bool(said)


def test_watch_says_a_throw_and_its_lifting_once(capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(THROWS / "03_south")
    assert main(["watch", "--json", "--board", BOARD, "--fps", "2.5", folder]) == 0
    roll, lifted = lines(capsys)
    assert (roll["event"], roll["frame"], roll["t"]) == ("roll", 2, 0.8)
    assert {"ruling", "roll", "reasons", "dice", "board_found", "ms"} <= set(roll)
    assert roll["image"] == folder
    assert (lifted["event"], lifted["frame"], lifted["t"]) == ("lifted", 3, 1.2)


def test_a_damaged_picture_is_said_and_the_others_are_watched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = [THROWS / "03_south" / f"frame_0{number}.jpg" for number in range(4)]
    for number, frame in enumerate([*frames[:3], frames[2], frames[3]]):
        (tmp_path / f"{number}.jpg").write_bytes(frame.read_bytes())
    (tmp_path / "2a.jpg").write_bytes(b"no picture")
    assert main(["watch", "--json", "--board", BOARD, "--fps", "2.5", str(tmp_path)]) == 2
    said = capsys.readouterr()
    events = [json.loads(line) for line in said.out.splitlines()]
    assert [(one["event"], one["frame"]) for one in events] == [("roll", 2), ("lifted", 5)]
    assert said.err.splitlines() == [f"{tmp_path / '2a.jpg'} is no JPEG, PNG or BMP picture."]


def test_a_video_that_is_cut_off_is_said_after_what_it_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, cut = tmp_path / "whole.avi", tmp_path / "cut.avi"
    writer = cv2.VideoWriter(str(whole), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (960, 540))
    for number in [0] * 3 + [2] * 5 + [3] * 30:
        writer.write(cv2.imread(str(THROWS / "03_south" / f"frame_0{number}.jpg")))
    writer.release()
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 3])
    assert main(["watch", "--json", "--board", BOARD, str(whole)]) == 0
    capsys.readouterr()
    assert main(["watch", "--json", "--board", BOARD, str(cut)]) == 2
    said = capsys.readouterr()
    assert [json.loads(line)["event"] for line in said.out.splitlines()][:1] == ["roll"]
    [sentence] = said.err.splitlines()
    assert "is cut off; it ends after" in sentence


def test_pictures_of_another_shape_are_said_once_and_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = [cv2.imread(str(THROWS / "03_south" / f"frame_0{number}.jpg")) for number in range(4)]
    other = frames[2][:, 100:820]
    for number, frame in enumerate(
        [other, frames[0], frames[1], frames[2], other, other, frames[2], frames[3]]
    ):
        cv2.imwrite(str(tmp_path / f"{number}.png"), frame)
    assert main(["watch", "--json", "--board", BOARD, "--fps", "2.5", str(tmp_path)]) == 2
    said = capsys.readouterr()
    events = [json.loads(line) for line in said.out.splitlines()]
    assert [(one["event"], one["frame"]) for one in events] == [("roll", 3), ("lifted", 7)]
    assert [line.split(" has ")[0] for line in said.err.splitlines()] == [
        f"{tmp_path}: picture {number}" for number in (0, 4)
    ]


def test_a_board_that_the_first_frame_does_not_show_is_sought_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lying, bare = (cv2.imread(str(THROWS / "03_south" / f"frame_0{number}.jpg")) for number in (2, 3))
    for number, frame in enumerate([np.full_like(bare, 90), bare, bare, *[lying] * 4]):
        cv2.imwrite(str(tmp_path / f"{number}.png"), frame)
    assert main(["watch", "--json", "--fps", "2", str(tmp_path)]) == 0
    [roll] = lines(capsys)
    assert (roll["ruling"], roll["board_found"]) == ("valid", True)


def test_a_picture_has_one_answer_whatever_was_read_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first picture shows no board, so that the one of the file cannot be recognised in it."""
    picture = str(THROWS / "05_south_leaning" / "frame_02.jpg")
    grey = str(tmp_path / "grey.png")
    cv2.imwrite(grey, np.full((540, 960, 3), 90, np.uint8))
    file = str(tmp_path / "board.json")
    assert main(["calibrate", picture, "--out", file]) == 0
    capsys.readouterr()
    assert main(["read", "--json", "--board", file, picture]) == 0
    [alone] = lines(capsys)
    assert main(["read", "--json", "--board", file, grey, picture]) == 0
    _, behind = lines(capsys)
    assert alone["ruling"] == "cocked"
    assert {**behind, "ms": 0} == {**alone, "ms": 0}


def test_calibrate_takes_a_folder_named_like_a_picture_and_passes_over_what_is_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "film.jpg"
    folder.mkdir()
    (folder / "0.jpg").write_bytes(b"no picture")
    (folder / "1.jpg").write_bytes(Path(PICTURE).read_bytes())
    assert main(["calibrate", str(folder), "--out", str(tmp_path / "board.json")]) == 0
    assert "is no JPEG" in capsys.readouterr().err
