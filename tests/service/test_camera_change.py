"""The camera is changed over HTTP while the program runs, and the match goes on."""

import json
from pathlib import Path

from companion.service.network import join_links
from companion.storage.folder import TABLE_FILE
from tests.support.mjpeg_server import jpeg, mjpeg_server
from tests.support.running import Visitor, companion, lasting, settings_file

NOBODY = "http://127.0.0.1:1/video"


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

        status, answer = director.post({"camera": NOBODY}, "/api/camera/source")
        assert (status, director.state()["camera"]["state"]) == (422, "none")
        assert answer["detail"]
        assert director.get("/api/camera.jpg")[0] == 404

        assert director.post({"camera": stage.url}, "/api/camera/source") == (200, {"camera": stage.url})
        seen = director.wait(lambda state: state["camera"]["state"] == "live")
        assert "is watching" in seen["camera"]["text"]
        assert director.get("/api/camera.jpg")[0] == 200

        status, _ = director.post({"camera": NOBODY}, "/api/camera/source")
        assert (status, director.state()["camera"]["state"]) == (422, "live")
        assert lasting(director.state()) == played

        assert director.post({"camera": "none"}, "/api/camera/source")[0] == 200
        director.wait(lambda state: state["camera"]["state"] == "none")
        assert json.loads((folder / TABLE_FILE).read_bytes())["camera"] == "none"
        plays = director.state()["plays"]
        assert director.act("play", moves=plays[0]["moves"])["phase"] == "played"
