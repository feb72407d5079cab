"""The server: it answers, streams, says when the port is taken, and stops."""

import errno
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress

import pytest
from flask import Flask

from web.app import WebSettings, create_app
from web.errors import NoSuchAddressError, PortTakenError
from web.roles import COOKIE, Role, Roles
from web.server.listen import _refused
from web.server.rooms import SIZES
from web.server.serve import THREADS, Running, serve
from web.site import site_of


@pytest.fixture
def running(app: Flask):
    server = serve(app, "127.0.0.1", 0)
    yield server
    server.close()


@pytest.fixture
def cookie(roles: Roles) -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={roles.cookie(roles.issue(Role.SCOREKEEPER).visitor)}"}


Ask = Callable[..., http.client.HTTPResponse]


@pytest.fixture
def ask(running: Running) -> Iterator[Ask]:
    """Ask the server for a path; what was opened is closed in the end."""
    opened: list[http.client.HTTPConnection | http.client.HTTPResponse] = []

    def asked(path: str, headers: dict[str, str], port: int = 0) -> http.client.HTTPResponse:
        line = http.client.HTTPConnection("127.0.0.1", port or running.port, timeout=10)
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        opened.extend((answer, line))
        return answer

    yield asked
    for one in opened:
        one.close()


def test_it_answers(running: Running, ask: Ask, cookie: dict[str, str]) -> None:
    assert ask("/api/state", cookie).status == 200


def test_taken_port(app: Flask, running: Running) -> None:
    with pytest.raises(PortTakenError, match=rf"port {running.port}: another program .* another port"):
        serve(app, "127.0.0.1", running.port)


@pytest.mark.parametrize(
    "host", ["no such host", "192.0.2.1", "2001:db8::1", "x" * 300, "a..b", "no.\0.host"]
)
def test_address_that_is_not_ours(app: Flask, host: str) -> None:
    with pytest.raises(NoSuchAddressError, match=r"Choose an address of this machine") as caught:
        serve(app, host, 0)
    assert "another port" not in str(caught.value)


def test_port_that_is_none(app: Flask) -> None:
    with pytest.raises(PortTakenError, match="a port is a number from 0 to 65535"):
        serve(app, "127.0.0.1", 70_000)


def test_port_that_only_root_may_have() -> None:
    said = str(_refused(PermissionError(errno.EACCES, "Permission denied"), "0.0.0.0", 80))
    assert "port 80: only root may. Choose a port from 1024 on." in said


def test_closing_ends_streams_and_frees_the_port(app: Flask, ask: Ask, cookie: dict[str, str]) -> None:
    server = serve(app, "127.0.0.1", 0)
    stream = ask("/api/events", cookie, server.port)
    server.close()
    stream.read()
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", server.port))


def test_all_who_may_have_a_stream_are_answered_when_they_come_at_one_moment(
    table, roles: Roles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a start of the hub all spectators of a hall come anew, more of them than other requests have places."""
    monkeypatch.setitem(SIZES, Role.VIEWER.value, 4)  # type: ignore[arg-type]
    app = create_app(table.page, roles, WebSettings(max_streams=40))
    asked, answers = threading.Semaphore(0), threading.Event()

    def slow() -> str:
        asked.release()
        answers.wait(10)
        return "here"

    app.add_url_rule("/slow", view_func=slow)
    server = serve(app, "127.0.0.1", 0)
    cookie = f"{COOKIE}={roles.cookie(roles.issue(Role.VIEWER).visitor)}"
    request = f"GET /slow HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
    with ExitStack() as parts:
        parts.callback(server.close)
        lines = [
            parts.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            for _ in range(20)
        ]
        for line in lines:
            line.sendall(request.encode())
        for _ in range(THREADS[Role.VIEWER.value]):
            assert asked.acquire(timeout=10)  # the others wait for a thread
        answers.set()
        assert [line.recv(100).startswith(b"HTTP/1.1 200") for line in lines] == [True] * 20


def test_request_that_the_server_had_no_time_to_read_is_answered(table, roles: Roles) -> None:
    """When all of a hall come at one moment, the last ones wait for longer than a visitor has for his request."""
    server = serve(create_app(table.page, roles, WebSettings(head_s=0.5)), "127.0.0.1", 0)
    taken, goes_on = threading.Event(), threading.Event()
    with ExitStack() as parts:
        parts.callback(server.close)
        late, silent = (
            parts.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            for _ in range(2)
        )
        silent.sendall(b"GET / HT")
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as third:
            third.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert third.recv(100).startswith(b"HTTP/1.1 403")  # so the two before it are accepted
        server.loop.call(lambda: (taken.set(), goes_on.wait(10), None)[-1])
        assert taken.wait(10)
        late.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(0.6)
        goes_on.set()
        assert late.recv(100).startswith(b"HTTP/1.1 403")
        with suppress(ConnectionResetError):
            assert silent.recv(100) == b""  # half a request has no more time than before


def test_a_body_of_100_megabytes_is_cut_off(
    running: Running, ask: Ask, cookie: dict[str, str], table
) -> None:
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as line:
        head = (
            f"POST /api/act HTTP/1.1\r\nHost: x\r\nCookie: {cookie['Cookie']}\r\n"
            "Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n"
        )
        line.sendall(head.encode())
        assert line.recv(100).startswith(b"HTTP/1.1 413")
    assert ask("/api/state", cookie).status == 200
    assert table.acted == []


def problem_in(answer: http.client.HTTPResponse) -> dict[str, object]:
    assert answer.headers["Content-Type"].startswith("application/problem+json")
    told = json.loads(answer.read())
    assert told["status"] == answer.status
    assert told["detail"].endswith(".")
    return told


@pytest.mark.parametrize("size", [1_100_000, 30_000_000])
def test_a_long_body_is_refused_like_everything_else_and_its_sender_hears_it(
    running: Running, cookie: dict[str, str], table, size: int
) -> None:
    for _ in range(3):
        with closing(http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)) as line:
            line.request("POST", "/api/act", b"x" * size, {**cookie, "Content-Type": "application/json"})
            with line.getresponse() as answer:
                assert problem_in(answer)["status"] == 413
    assert table.acted == []


@pytest.mark.parametrize("size", [70_000, 1_100_000])
def test_a_person_s_form_that_is_too_long_is_answered_with_a_page_in_his_language(
    running: Running, cookie: dict[str, str], size: int
) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html,*/*;q=0.8"}
    with closing(http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)) as line:
        for _ in range(2):  # the connection goes on
            headers = {**cookie, **form, "Accept-Language": "de"}
            line.request("POST", "/matches/m1/event", b"event=" + b"x" * size, headers)
            with line.getresponse() as answer:
                assert (answer.status, answer.headers.get_content_type()) == (413, "text/html")
                assert "mehr, als die Seite auf einmal annimmt" in answer.read().decode()


def test_what_the_server_cannot_read_of_a_person_is_answered_with_a_page(running: Running) -> None:
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nContent-Length: 99999999\r\n\r\n")
        with http.client.HTTPResponse(line) as answer:
            answer.begin()
            assert (answer.status, answer.headers.get_content_type()) == (413, "text/html")
            assert "too much for the page at once" in answer.read().decode()


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"NONSENSE\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", 431),
        (b"POST /api/act HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /api/act HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        (b"POST /api/act HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (
            b"POST /api/act HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n\r\n",
            413,
        ),
    ],
    ids=["no request", "long head", "length", "encoding", "chunks", "asked first"],
)
def test_what_the_server_cannot_read_is_a_problem(running: Running, request_: bytes, status: int) -> None:
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as line:
        line.sendall(request_)
        with http.client.HTTPResponse(line) as answer:
            answer.begin()
            assert problem_in(answer)["status"] == status


def test_slow_bodies_and_idle_connections_hold_nobody_up(
    running: Running, ask: Ask, cookie: dict[str, str]
) -> None:
    lines = []
    for n in range(1000):
        line = socket.create_connection(("127.0.0.1", running.port), timeout=10)
        if n % 2:
            line.sendall(b"POST /api/act HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n{")
        lines.append(line)
    try:
        assert ask("/api/state", cookie).status == 200
    finally:
        for line in lines:
            line.close()


def test_a_reader_who_dawdles_gets_everything(running: Running, cookie: dict[str, str], app: Flask) -> None:
    picture = bytes(range(256)) * 40_000  # ten megabytes: more than the sockets and the server's buffer hold
    site_of(app).page.picture = lambda name: picture
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as line:
        head = f"GET /pictures/a.png HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: {cookie['Cookie']}\r\n\r\n"
        line.sendall(head.encode())
        first = line.recv(1000)
        told = b""
        while part := line.recv(65536):
            told += part
    assert (first + told).endswith(picture)
