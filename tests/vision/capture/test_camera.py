"""Sources of recorded frames, and the names of sources."""

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture.camera import FolderCamera, VideoFile, open_camera, paced
from vision.capture.source import is_live
from vision.errors import BadPicture, BadSource
from vision.frame import Frame


def write_picture(file: Path, level: int) -> None:
    cv2.imwrite(str(file), np.full((48, 64, 3), level, np.uint8))


def write_video(file: Path, frames: int, fps: float) -> None:
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for number in range(frames):
        writer.write(np.full((48, 64, 3), 40 + 10 * number, np.uint8))
    writer.release()


def test_folder_gives_frames_in_name_order_at_its_pace(tmp_path: Path) -> None:
    for name, level in [("b.jpg", 60), ("a.png", 30), ("c.bmp", 90)]:
        write_picture(tmp_path / name, level)
    (tmp_path / "sequence.json").write_text("{}")
    frames = list(open_camera(str(tmp_path), fps=10).frames())
    assert [(frame.number, frame.at_s) for frame in frames] == [(0, 0.0), (1, 0.1), (2, 0.2)]
    assert [round(float(frame.bgr.mean())) for frame in frames] == [30, 60, 90]


def test_folder_goes_at_five_a_second_if_not_told(tmp_path: Path) -> None:
    for number in range(3):
        write_picture(tmp_path / f"{number}.png", 60)
    assert [frame.at_s for frame in open_camera(str(tmp_path)).frames()] == [0.0, 0.2, 0.4]


def test_damaged_frame_in_a_folder_is_named(tmp_path: Path) -> None:
    write_picture(tmp_path / "0.png", 60)
    (tmp_path / "1.jpg").write_text("no picture")
    frames = FolderCamera(tmp_path).frames()
    next(frames)
    with pytest.raises(BadPicture, match=r"1\.jpg is no JPEG"):
        next(frames)


def test_asked_again_a_folder_goes_on_behind_a_damaged_frame_and_keeps_its_times(tmp_path: Path) -> None:
    write_picture(tmp_path / "0.png", 60)
    (tmp_path / "1.jpg").write_text("no picture")
    write_picture(tmp_path / "2.png", 60)
    (tmp_path / "folder.jpg").mkdir()
    camera = FolderCamera(tmp_path)
    with pytest.raises(BadPicture):
        list(camera.frames())
    assert [(frame.number, frame.at_s) for frame in camera.frames()] == [(2, 0.4)]
    assert list(camera.frames()) == []


def test_a_video_cut_off_says_so_once_behind_its_last_frame(tmp_path: Path) -> None:
    file = tmp_path / "throw.avi"
    write_video(file, 20, 8.0)
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 3 // 4])
    camera, frames = VideoFile(file), list[int]()
    with pytest.raises(BadPicture, match=r"is cut off; it ends after \d\.\d s"):
        frames.extend(frame.number for frame in camera.frames())
    assert 2 < len(frames) < 18
    assert list(camera.frames()) == []


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), 1e9])
def test_no_pace_is_refused(tmp_path: Path, fps: float) -> None:
    write_picture(tmp_path / "0.png", 60)
    with pytest.raises(BadSource, match="no pace"):
        FolderCamera(tmp_path, fps)


def test_video_file_gives_every_frame_with_its_time(tmp_path: Path) -> None:
    file = tmp_path / "throw.avi"
    write_video(file, 6, 8.0)
    camera = open_camera(str(file))
    frames = list(camera.frames())
    camera.close()
    assert [frame.number for frame in frames] == list(range(6))
    assert [frame.at_s for frame in frames] == pytest.approx([number / 8 for number in range(6)], abs=1e-3)
    assert [float(frame.bgr.mean()) for frame in frames] == pytest.approx([40, 50, 60, 70, 80, 90], abs=2)


def test_text_is_no_video(tmp_path: Path) -> None:
    file = tmp_path / "notes.avi"
    file.write_text("no video " * 100)
    with pytest.raises(BadSource, match="neither a video nor a folder"):
        VideoFile(file)


@pytest.mark.parametrize(
    ("source", "live"),
    [
        ("0", True),
        ("12", True),
        ("/dev/video2", True),
        ("picamera", True),
        ("picamera:1", True),
        ("http://phone:8080/video", True),
        ("rtsp://user:secret@camera/stream", True),
        ("picamera:front", False),
        ("frames", False),
        ("./0", False),
        ("", False),
    ],
)
def test_names_of_live_sources(source: str, live: bool) -> None:
    assert is_live(source) is live


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("nowhere", "no camera, file or folder nowhere"),
        ("ftp://camera/x", "not with ftp://"),
        ("picamera:front", "no camera, file or folder"),
    ],
)
def test_name_that_means_nothing_is_refused(source: str, said: str) -> None:
    with pytest.raises(BadSource, match=said):
        open_camera(source)


def test_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="no pictures"):
        open_camera(str(tmp_path))


def test_paced_frames_end_when_stopped() -> None:
    picture = np.zeros((20, 20, 3), np.uint8)
    stop = threading.Event()
    frames = paced([Frame(picture, 0.0, 0), Frame(picture, 3600.0, 1)], stop)
    assert next(frames).number == 0
    stop.set()
    assert list(frames) == []


def test_paced_frames_lose_none() -> None:
    picture = np.zeros((20, 20, 3), np.uint8)
    recorded = [Frame(picture, number / 50, number) for number in range(10)]
    assert list(paced(recorded, threading.Event(), speed=100)) == recorded


def test_frame_refuses_what_is_no_picture() -> None:
    with pytest.raises(ValueError, match=r"must be \(H, W, 3\) uint8"):
        Frame(np.zeros((4, 4), np.uint8), 0.0, 0)
