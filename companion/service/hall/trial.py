"""Trying credentials at the broker, over a connection on which nothing is said."""

import threading
from contextlib import closing

from companion.hall.broker import Address, Credentials, Line


class Trial:
    """A talk that ends with its first connection; also with the first reason why there is none, unless it is patient.

    Attributes:
        done: set at the end.
        trouble: why there is no connection, None if there was one.
    """

    def __init__(self, *, is_patient: bool = False) -> None:
        self.done = threading.Event()
        self.trouble: str | None = "it does not answer"
        self._is_patient = is_patient

    def connected(self, line: Line) -> None:
        self.trouble = None
        self.done.set()

    def disconnected(self, why: str) -> None:
        if not self.done.is_set():
            self.trouble = why
            if not self._is_patient:
                self.done.set()

    def arrived(self, line: Line, topic: str, payload: bytes, after: str) -> None:
        pass

    def turned(self, line: Line) -> None:
        pass


def is_taken(
    address: Address, credentials: Credentials, patience_s: float, will: tuple[str, bytes] | None = None
) -> bool:
    """Whether the broker takes the credentials, now or within so many seconds; `will` is published if it does."""
    talk = Trial(is_patient=True)
    # a client id of its own: the table itself may be there with the other
    with closing(Line(address, credentials, talk, will, f"{credentials.user}-invited")) as line:
        line.start()
        talk.done.wait(patience_s)
    return talk.trouble is None
