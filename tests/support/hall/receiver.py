"""A receiver of the hall's webhook on this machine."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver(ThreadingHTTPServer):
    """Notes what is posted; `answers` are its next statuses, 200 after them."""

    def __init__(self, port: int = 0, *answers: int) -> None:
        self.got: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.answers = list(answers)
        super().__init__(("127.0.0.1", port), Answering)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self) -> None:
        self.shutdown()
        self.server_close()


class Answering(BaseHTTPRequestHandler):
    """One request to a receiver."""

    server: Receiver

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["Idempotency-Key"] == f'"{body["id"]}"'
        self.server.asked.append(self.path)
        status = self.server.answers.pop(0) if self.server.answers else 200
        if status == 200:
            self.server.got.append(body)
        self.send_response(status)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass
