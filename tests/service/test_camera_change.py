"""The camera is changed over HTTP while the program runs, and the match goes on."""

import json
from pathlib import Path

from companion.service.network import join_links
from companion.storage.folder import TABLE_FILE
from tests.support.camera.mjpeg_server import jpeg, mjpeg_server
from tests.support.running import Visitor, companion, lasting, settings_file

NOBODY = "http://127.0.0.1:1/video"


def change(director: Visitor, camera: str) -> int:
    """Set the table up with another camera: the status of the answer."""
    named = {"camera": "none"} if camera == "none" else {"camera": "other", "source": camera}
    return director.send_form("/welcome", newcomers="play", **named)


def test_camera_is_changed_while_the_match_is_played(tmp_path: Path) -> None:
    folder = tmp_path / "board-companion"
    folder.mkdir()
    (folder / TABLE_FILE).write_text(json.dumps({"camera": "none"}))
    settings = settings_file(tmp_path, source="plugged")
    with mjpeg_server() as stage, companion("run", "--config", str(settings), home=tmp_path) as running:
        stage.picture = jpeg(120, (320, 240))
        base = running.link.rpartition("/join/")[0]
        director = Visitor(join_links(folder, base)["director"])
        director.act("new_match", length=3)
        director.act("opening", south=6, north=4)
        played = lasting(director.state())
        assert director.state()["camera"]["state"] == "none"

        assert change(director, NOBODY) == 422
        assert director.state()["camera"]["state"] == "none"
        assert director.get("/api/camera.jpg")[0] == 404

        assert change(director, stage.url) == 303
        seen = director.wait(lambda state: state["camera"]["state"] == "live")
        assert "is watching" in seen["camera"]["text"]
        assert director.get("/api/camera.jpg")[0] == 200

        assert change(director, NOBODY) == 422
        assert director.state()["camera"]["state"] == "live"
        assert lasting(director.state()) == played

        assert change(director, "none") == 303
        director.wait(lambda state: state["camera"]["state"] == "none")
        assert json.loads((folder / TABLE_FILE).read_bytes())["camera"] == "none"
        plays = director.state()["plays"]
        assert director.act("play", moves=plays[0]["moves"])["phase"] == "played"
