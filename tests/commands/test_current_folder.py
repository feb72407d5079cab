"""Code that lies in the current folder is never run: an administrator may be in a folder that anybody can write to."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.camera.mjpeg_server import mjpeg_server
from tests.support.running import PATIENCE_S, settings_file

TAKEN = (
    "cv2",
    "numpy",
    "picamera2",
    "gpiozero",
    "lgpio",
    "onnxruntime",
    "json",
    "vision",
    "companion",
    "sitecustomize",
)


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """A current folder with a module of each name; any of them that is imported leaves a file."""
    folder = tmp_path / "anybodys"
    folder.mkdir()
    for name in TAKEN:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r} + ' ')\n")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return tmp_path


def companion(*arguments):
    """The installed command, as a user starts it."""
    program = Path(sys.executable).with_name("companion")
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )


def test_doctor_with_a_live_camera_runs_nothing_from_the_current_folder(trap):
    with mjpeg_server() as stage:
        result = companion("doctor", "--config", str(settings_file(trap, source=stage.url)))
    assert result.returncode in (0, 1), result.stderr
    assert "numpy" in result.stdout
    assert not (trap / "ran").exists(), (trap / "ran").read_text()
