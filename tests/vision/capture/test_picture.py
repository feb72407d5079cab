"""Pictures are looked at before they are decoded."""

import os
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture.picture import decode_picture, load_picture, picture_size
from vision.errors import BadPicture


def coded(width: int, height: int, suffix: str) -> bytes:
    picture = np.full((height, width, 3), 90, np.uint8)
    return cv2.imencode(suffix, picture)[1].tobytes()


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp"])
def test_size_is_read_from_the_header(suffix: str) -> None:
    data = coded(70, 40, suffix)
    assert picture_size(data) == (70, 40)
    assert decode_picture(data).shape == (40, 70, 3)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(b"", "is no JPEG", id="empty"),
        pytest.param(b"hello, I am a text\n" * 9, "is no JPEG", id="text"),
        pytest.param(b"\xff\xd8\xff", "is no JPEG", id="only the first bytes"),
        pytest.param(coded(1, 1, ".png"), "1 by 1 pixels", id="one pixel"),
        pytest.param(coded(300, 3, ".jpg"), "too small", id="a line"),
        pytest.param(coded(70, 40, ".png")[:40], "damaged", id="cut off"),
    ],
)
def test_no_picture_is_said_in_words(data: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "photo.jpg"
    file.write_bytes(data)
    with pytest.raises(BadPicture, match=said) as caught:
        load_picture(file)
    assert str(file) in str(caught.value)


def test_too_large_is_refused_before_decoding() -> None:
    header = bytearray(coded(70, 40, ".png"))
    header[16:24] = (10_000).to_bytes(4, "big") * 2
    with pytest.raises(BadPicture, match="100 megapixels"):
        decode_picture(bytes(header))


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="There is no file"):
        load_picture(tmp_path / "none.jpg")


def test_a_name_of_no_letters_names_none() -> None:
    with pytest.raises(BadPicture, match="without a name"):
        load_picture("")


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(Path.mkdir, id="folder"),
        pytest.param(os.mkfifo, id="pipe"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), id="device"),
    ],
)
def test_what_is_no_file_is_refused_at_once(make: Callable[[Path], object], tmp_path: Path) -> None:
    make(tmp_path / "a.jpg")
    with pytest.raises(BadPicture, match=r"a\.jpg cannot be read: it is no file"):
        load_picture(tmp_path / "a.jpg")
