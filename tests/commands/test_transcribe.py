"""`companion transcribe` as a process: a stream that people end, and a record that is there already."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.commands._stopping import Stoppable
from tests.support.camera.film_recording import FPS, write_recording
from tests.support.camera.mjpeg_server import mjpeg_server


def test_ctrl_c_ends_a_stream_and_its_record_is_written(tmp_path: Path) -> None:
    write_recording(tmp_path / "film", throws=1)
    record = tmp_path / "game.json"
    with mjpeg_server() as stage:
        stage.picture = min((tmp_path / "film").glob("*.jpg")).read_bytes()
        words = ["transcribe", "--json", "--out", str(record), stage.url]
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["event"] == "start"
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0, "")
    assert "transcribed" in record.read_text()


def test_ctrl_c_cuts_no_step_off() -> None:
    done = []

    def work() -> None:
        with Stoppable() as stoppable:
            with stoppable.step():
                os.kill(os.getpid(), signal.SIGINT)
                done.append("the whole step")
            done.append("nothing after it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["the whole step"]


def test_ctrl_c_between_two_steps_takes_effect_at_once() -> None:
    def wait() -> None:
        with Stoppable():
            os.kill(os.getpid(), signal.SIGINT)
            signal.pause()

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        wait()
    assert signal.getsignal(signal.SIGINT) is before


def test_record_that_is_there_already_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_recording(tmp_path / "film", throws=1)
    record = tmp_path / "game.mat"
    record.write_text("what people said")
    assert main(["transcribe", "--fps", str(FPS), "--out", str(record), str(tmp_path / "film")]) == 0
    assert (tmp_path / "game.mat~").read_text() == "what people said"
    assert "South" in record.read_text()
    assert "that record is kept as" in capsys.readouterr().err


def test_damaged_pictures_are_said_and_the_rest_of_the_recording_is_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_recording(tmp_path / "film", throws=2)
    frames = sorted((tmp_path / "film").glob("*.jpg"))
    for number in (0, len(frames) // 2, -1):
        frames[number].write_bytes(b"\xff\xd8 no picture any more")
    record = tmp_path / "game.mat"
    assert main(["transcribe", "--fps", str(FPS), "--out", str(record), str(tmp_path / "film")]) == 2
    said = capsys.readouterr()
    assert [line.rpartition(" is ")[2] for line in said.err.splitlines()] == [
        "no JPEG, PNG or BMP picture."
    ] * 3
    assert said.out.count("valid") == 2
    assert " 1) " in record.read_text()
