"""Videos that were cut off, told by their containers."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vision.capture.containers import is_cut_off

CODECS = {"avi": "MJPG", "mp4": "mp4v", "mkv": "MJPG"}


@pytest.fixture(scope="module", params=CODECS)
def video(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole video of twenty noisy frames."""
    file = tmp_path_factory.mktemp("videos") / f"whole.{request.param}"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*CODECS[request.param]), 8.0, (64, 48))
    chance = np.random.default_rng(1)
    for _ in range(20):
        writer.write(chance.integers(0, 256, (48, 64, 3), np.uint8))
    writer.release()
    return file


def test_whole_video_is_not_cut_off(video: Path) -> None:
    assert not is_cut_off(video)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0.05, 0.999))
def test_video_cut_off_anywhere_is_known(video: Path, tmp_path: Path, share: float) -> None:
    whole = video.read_bytes()
    cut = tmp_path / video.name
    cut.write_bytes(whole[: int(share * len(whole))])
    assert is_cut_off(cut)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\xff\xd8\xff" * 20, id="pictures one after another"),
        pytest.param(b"RIFF\0\0\0\0AVI LIST" + bytes(50), id="AVI whose recording was not ended"),
        pytest.param(
            b"\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff" + bytes(50),
            id="Matroska without a length",
        ),
        pytest.param(b"\0\0\0\x08ftyp\0\0\0\0mdat" + bytes(50), id="MP4 whose last box goes on to the end"),
    ],
)
def test_what_tells_no_length_is_not_known_to_be_cut_off(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "video"
    file.write_bytes(content)
    assert not is_cut_off(file)
