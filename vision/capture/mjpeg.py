"""Motion JPEG over HTTP, as phones and network cameras send it: a series of JPEGs in one response."""

import base64
import http.client
from urllib.parse import unquote, urlsplit

from sentence import say
from vision.capture.picture import decode_picture
from vision.errors import BadPicture, CameraLost
from vision.frame import Bgr

ANSWER_S = 4.0
"""Time limit for a server that accepted the request to begin its response."""
SILENT_S = 20.0
"""Time limit of one read, for a wait that the parent does not see; the parent kills a silent child sooner."""
MOST_BYTES = 16 << 20
"""Upper limit of one JPEG of a camera; beyond it the stream is garbage."""
CUT_OFF_MOST = 5
"""Truncated pictures in a row that make a broken camera; fewer are skipped."""


class NotMjpeg(Exception):
    """The response is not a series of JPEGs."""


class MjpegStream:
    """A series of JPEGs over one HTTP connection."""

    controls = None  # the sender controls his camera

    def __init__(self, url: str, connect_s: float) -> None:
        """Connect and read the response's headers.

        Raises:
            CameraLost: no response, or a refusal.
            NotMjpeg: the response is another kind of stream.
        """
        parts = urlsplit(url)
        self._name = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
        kind = http.client.HTTPSConnection if parts.scheme.lower() == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=connect_s)
        try:
            self._answer, self._boundary = self._ask(
                parts.path or "/", parts.query, _credentials(parts.netloc)
            )
        except BaseException:
            self._connection.close()
            raise
        self._jpeg = b""
        self._in_head = False  # the boundary after a part without a length has been read already

    def _ask(self, path: str, query: str, headers: dict[str, str]) -> tuple[http.client.HTTPResponse, bytes]:
        try:
            self._connection.connect()
            line = self._connection.sock  # the response keeps it open when the connection drops it
            line.settimeout(ANSWER_S)
            self._connection.request("GET", f"{path}?{query}" if query else path, headers=headers)
            answer = self._connection.getresponse()
            line.settimeout(SILENT_S)
        except (OSError, http.client.HTTPException) as error:
            raise CameraLost(
                say("The stream at {name} does not answer ({why}).", name=self._name, why=_why(error))
            ) from None
        if answer.status != 200:
            raise CameraLost(
                say(
                    "The stream at {name} answers {status} {reason}.",
                    name=self._name,
                    status=answer.status,
                    reason=answer.reason,
                )
            )
        if answer.headers.get_content_type() != "multipart/x-mixed-replace":
            raise NotMjpeg(self._name)
        # Cameras disagree on whether the dashes before a boundary belong to it.
        return answer, str(answer.headers.get_param("boundary", "")).strip('"').lstrip("-").encode()

    def grab(self) -> None:
        """Read the next whole JPEG; CameraLost if the stream ends, stalls or is garbage."""
        try:
            for _ in range(CUT_OFF_MOST):
                self._jpeg = self._part()
                # A JPEG without its end would be decoded with an invented lower half.
                if self._jpeg.rstrip(b"\0\r\n").endswith(b"\xff\xd9"):
                    return
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise CameraLost(
                say("The stream at {name} has broken off ({why}).", name=self._name, why=_why(error))
            ) from None
        raise CameraLost(say("The stream at {name} sends pictures that are cut off.", name=self._name))

    def retrieve(self) -> Bgr:
        """Decode the JPEG last read, (H, W, 3) uint8; CameraLost if it is none."""
        try:
            return decode_picture(self._jpeg)
        except BadPicture as error:
            raise CameraLost(
                say("The stream at {name} sends something that {why}", name=self._name, why=error.sentence)
            ) from None

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _part(self) -> bytes:
        length = self._head_of_part()
        if length is None:
            return self._until_boundary()
        if not 0 < length <= MOST_BYTES:
            raise ValueError(f"a picture of {length} bytes")
        data = self._answer.read(length)
        if len(data) < length:
            raise ValueError("the connection was closed")
        return data

    def _head_of_part(self) -> int | None:
        """Skip to the next part and past its headers; return its length in bytes, None if not given."""
        length = None
        begun, self._in_head = self._in_head, False
        for _ in range(1000):
            line = self._answer.readline(4096)
            if not line:
                raise ValueError("the connection was closed")
            text = line.strip()
            if text.lower().startswith(b"content-"):
                begun = True
                name, _, value = text.partition(b":")
                if name.strip().lower() == b"content-length":
                    length = int(value)
            elif self._is_boundary(text):
                begun = True
            elif not text and begun:
                return length
        raise ValueError("no picture begins in it")

    def _until_boundary(self) -> bytes:
        """The body up to the line that begins the next part."""
        lines: list[bytes] = []
        size = 0
        while size <= MOST_BYTES:
            line = self._answer.readline(65536)
            if not line:
                raise ValueError("the connection was closed")
            if self._is_boundary(line):
                self._in_head = True
                return b"".join(lines).removesuffix(b"\n").removesuffix(b"\r")
            lines.append(line)
            size += len(line)
        raise ValueError("a picture never ends in it")

    def _is_boundary(self, line: bytes) -> bool:
        return line.startswith(b"--") and self._boundary in line[:200]


def _why(error: Exception) -> str:
    """A reason for people: the system's own text without its error number."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def _credentials(netloc: str) -> dict[str, str]:
    """The Authorization header for the user name and password in an address; empty without them."""
    who, at, _ = netloc.rpartition("@")
    if not at:
        return {}
    user, _, password = who.partition(":")
    token = base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
    return {"Authorization": f"Basic {token}"}
