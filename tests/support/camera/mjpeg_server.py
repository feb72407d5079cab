"""A loopback MJPEG server for the camera tests, whose parts a test controls."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer

import cv2
import numpy as np


def jpeg(level: int = 120, size: tuple[int, int] = (64, 48)) -> bytes:
    """A JPEG of this mean grey level, its left half a little darker than its right one; `size` is (width, height)."""
    bgr = np.full((size[1], size[0], 3), level, np.uint8)
    apart = min(20, level, 255 - level)
    bgr[:, : size[0] // 2] -= np.uint8(apart)
    bgr[:, size[0] // 2 :] += np.uint8(apart)
    return cv2.imencode(".jpg", bgr)[1].tobytes()


class Stage:
    """The server's next answers; a test changes them while it runs."""

    def __init__(self, pause_s: float) -> None:
        self.pause_s = pause_s
        self.picture: bytes = jpeg()
        self.flowing = threading.Event()
        self.flowing.set()
        self.over = threading.Event()
        self.lengths = True
        self.kind = "multipart/x-mixed-replace; boundary=frame"
        self.status = 200
        self.asked: list[dict[str, str]] = []
        self.url = ""


def _handler(stage: Stage) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            stage.asked.append(dict(self.headers))
            self.send_response(stage.status)
            self.send_header("Content-Type", stage.kind)
            self.end_headers()
            try:
                while not stage.over.wait(stage.pause_s):
                    if stage.flowing.is_set():
                        self._send(stage.picture)
            except OSError:
                return  # the camera disconnected

        def _send(self, picture: bytes) -> None:
            length = f"Content-Length: {len(picture)}\r\n" if stage.lengths else ""
            head = f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n"
            self.wfile.write(head.encode() + picture + b"\r\n")

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    return Handler


@contextmanager
def serving(server: BaseServer, stage: Stage) -> Iterator[Stage]:
    """Run the server on a thread until the block ends."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield stage
    finally:
        stage.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def mjpeg_server(port: int = 0, pause_s: float = 0.02) -> Iterator[Stage]:
    """Serve until the block ends, a picture after each pause; port 0 takes any free one."""
    stage = Stage(pause_s)
    server = ThreadingHTTPServer(("127.0.0.1", port), _handler(stage))
    server.daemon_threads = True
    stage.url = f"http://127.0.0.1:{server.server_address[1]}/video"
    with serving(server, stage):
        yield stage
