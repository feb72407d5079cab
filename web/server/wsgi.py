"""Requests for the Flask application, and its answers."""

import sys
from dataclasses import dataclass
from email.utils import formatdate
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from flask import Flask
from werkzeug.wrappers import Response

from web.crowd.streams import STREAM, Stream

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Request:
    """A complete request; header names in lower case. A body that is too long for the app is missing."""

    method: str
    target: str
    version: str
    headers: list[tuple[str, str]]
    body: bytes
    length: int
    peer: tuple[str, int]
    secure: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete answer, or the head of a stream's."""

    status: int
    reason: bytes
    headers: Headers
    body: bytes = b""
    stream: Stream | None = None


def answer_to(app: Flask, request: Request, port: int) -> Answer:
    """Have the application answer."""
    streams: list[Stream] = []
    response = Response.from_app(app, environ_of(request, port) | {STREAM: streams.append})
    try:
        body = response.get_data()
    finally:
        response.close()
    headers = [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, value in response.headers
        if name.lower() not in ("content-length", "date")
    ]
    headers.append((b"Date", formatdate(usegmt=True).encode()))
    stream = streams[0] if streams else None
    if stream is None and response.status_code not in (204, 304):
        length = (
            response.headers.get("Content-Length", str(len(body))) if request.method == "HEAD" else len(body)
        )
        headers.append((b"Content-Length", str(length).encode()))
    reason = response.status.partition(" ")[2].encode("latin-1")
    return Answer(response.status_code, reason, headers, body, stream)


def environ_of(request: Request, port: int) -> dict[str, Any]:
    """The request as WSGI has it (PEP 3333). Headers with an underscore are left out: they could pass for others."""
    path, _, query = request.target.partition("?")
    if not path.startswith("/"):  # "http://host/path" or "*"
        path = "/" + path.partition("://")[2].partition("/")[2]
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{request.version}",
        "REMOTE_ADDR": request.peer[0],
        "REMOTE_PORT": str(request.peer[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "https" if request.secure else "http",
        "wsgi.input": BytesIO(request.body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "CONTENT_LENGTH": str(request.length),
    }
    for name, value in request.headers:
        if "_" in name or name in ("content-length", "transfer-encoding"):
            continue
        key = "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"
        between = "; " if name == "cookie" else ","
        environ[key] = environ[key] + between + value if key in environ else value
    return environ
