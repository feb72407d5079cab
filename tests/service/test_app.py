"""The program as it is built: the page answers before OpenCV and the nets are loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.running import PATIENCE_S, settings_file

BUILD = """
import sys
from pathlib import Path
from companion.service.app import App
from companion.settings import load_settings
app = App(load_settings(Path(sys.argv[1])), Path(sys.argv[2]))
print([name for name in ("cv2", "onnxruntime", "companion.camera.live") if name in sys.modules])
app.close()
"""


@pytest.mark.parametrize("source", ["none", "recorded", "plugged", "0", "rtsp://127.0.0.1:1/live"])
def test_page_needs_no_opencv_to_answer(tmp_path: Path, source: str) -> None:
    settings = settings_file(tmp_path, source=source)
    built = subprocess.run(
        [sys.executable, "-c", BUILD, str(settings), str(tmp_path / "state")],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    assert built.stdout == "[]\n"
