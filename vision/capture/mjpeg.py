"""Motion JPEG over HTTP, as phones and network cameras send it: one JPEG after another in one answer."""

import base64
import http.client
from urllib.parse import unquote, urlsplit

from sentence import say
from vision.capture.picture import decode_picture
from vision.errors import BadPicture, CameraLost
from vision.frame import Bgr

ANSWER_S = 4.0
"""A camera's server that takes the question begins its answer within this."""
SILENT_S = 20.0
"""The parent kills a silent child sooner, also where pictures come far apart; this ends a wait that it does not see."""
MOST_BYTES = 16 << 20
"""No single JPEG of a camera is larger; beyond it the stream is garbage."""
CUT_OFF_MOST = 5
"""One damaged picture is passed over; so many in a row are a broken camera."""


class NotMjpeg(Exception):
    """The address answers with something else than a series of JPEGs."""


class MjpegStream:
    """A series of JPEGs over one HTTP connection."""

    controls = None  # whoever sends them sets his camera himself

    def __init__(self, url: str, connect_s: float) -> None:
        """Connect and read the answer's head.

        Raises:
            CameraLost: no answer, or one that refuses.
            NotMjpeg: the answer is another kind of stream.
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
        self._in_head = False  # the boundary that ended a part without a length has been read already

    def _ask(self, path: str, query: str, headers: dict[str, str]) -> tuple[http.client.HTTPResponse, bytes]:
        try:
            self._connection.connect()
            line = self._connection.sock  # the answer keeps it open where the connection lets go of it
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
        # Cameras disagree whether the dashes before a boundary belong to it.
        return answer, str(answer.headers.get_param("boundary", "")).strip('"').lstrip("-").encode()

    def grab(self) -> None:
        """Read the next whole JPEG; CameraLost where the stream ends, stalls or is garbage."""
        try:
            for _ in range(CUT_OFF_MOST):
                self._jpeg = self._part()
                # One without its end would be decoded with an invented lower half.
                if self._jpeg.rstrip(b"\0\r\n").endswith(b"\xff\xd9"):
                    return
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise CameraLost(
                say("The stream at {name} has broken off ({why}).", name=self._name, why=_why(error))
            ) from None
        raise CameraLost(say("The stream at {name} sends pictures that are cut off.", name=self._name))

    def retrieve(self) -> Bgr:
        """Decode the JPEG last read; CameraLost where it is none."""
        try:
            return decode_picture(self._jpeg)
        except BadPicture as error:
            raise CameraLost(
                say("The stream at {name} sends something that {why}", name=self._name, why=error.sentence)
            ) from None

    def close(self) -> None:
        """Hang up."""
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
        """Skip to the next part and through its header lines; its length in bytes if it says so."""
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
    """A reason for people: the system's own words without its numbers."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def _credentials(netloc: str) -> dict[str, str]:
    """The header for a user name and password that stand in the address."""
    who, at, _ = netloc.rpartition("@")
    if not at:
        return {}
    user, _, password = who.partition(":")
    token = base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
    return {"Authorization": f"Basic {token}"}
