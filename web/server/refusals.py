"""Refusals by the server itself, before the application is called, in the form of all other refusals."""

import json
from collections.abc import Mapping

from waitress.parser import HTTPRequestParser
from waitress.task import ErrorTask
from waitress.utilities import RequestEntityTooLarge

from web.access import PROBLEM_TYPE

PATIENCE_BYTES = 64 * 1024 * 1024
"""Most bytes of an oversized body that are received and dropped: a client cut off while sending never reads why."""

SENTENCES: Mapping[int, str] = {
    400: "This request makes no sense.",
    413: "This is more than the page takes at once.",
    431: "The head of this request is longer than the page reads.",
    500: "Something went wrong in the program; the table is as it was. The log tells more.",
    501: "The page does not take requests that are sent in this way.",
}
HEADERS = (
    ("Content-Type", PROBLEM_TYPE),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
)


class Refusal(ErrorTask):  # type: ignore[misc]  # waitress has no types
    """Answers a request that waitress could not parse, as application/problem+json."""

    def execute(self) -> None:
        """Write the answer and close the connection."""
        error = self.request.error
        problem = {
            "type": "about:blank",
            "title": error.reason,
            "status": error.code,
            "detail": SENTENCES.get(error.code, SENTENCES[400]),
        }
        body = json.dumps(problem).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.extend(HEADERS)
        self.set_close_on_finish()
        self.content_length = len(body)
        # A request with a malformed first line has no command.
        self.write(b"" if getattr(self.request, "command", "") == "HEAD" else body)


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Receives an oversized body to its end and drops it, so that its sender reads the refusal."""

    left = 0
    expect_continue: bool = False

    def received(self, data: bytes) -> int:
        """Take bytes of the request; returns how many."""
        if self.left:
            taken = min(len(data), self.left)
            self.left -= taken
            self.completed = not self.left
            return taken
        taken = int(super().received(data))
        if isinstance(self.error, RequestEntityTooLarge) and not self.chunked:
            if self.expect_continue:  # a client that waits for 100-continue has sent no body
                self.expect_continue = False
            elif self.content_length <= PATIENCE_BYTES:
                self.left, self.completed = self.content_length, False
        return taken
