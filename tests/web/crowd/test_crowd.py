"""Crowds: connections without a role, slow and broken ones, and what is left for those who act."""

import logging
import os
import resource
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from companion.service.certificate import own_certificate
from companion.service.systemd import page_answers
from tests.support.real_page import RealTable
from tests.support.wire import PATIENCE_S, Wire
from web.app import WebSettings, create_app
from web.roles import Role, Roles
from web.server.serve import Running, Tls, serve

ROOT = Path(__file__).resolve().parents[3]
STRANGERS = 20


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_certificate(tmp_path_factory.mktemp("https"), ["localhost", "127.0.0.1"])


@pytest.fixture
def settings() -> WebSettings:
    return WebSettings(max_strangers=STRANGERS)


@pytest.fixture
def running(table: RealTable, roles: Roles, settings: WebSettings, certificate: Path) -> Iterator[Running]:
    server = serve(create_app(table.page, roles, settings), "127.0.0.1", 0, Tls(0, certificate))
    yield server
    server.close()


@pytest.fixture
def keeper(roles: Roles) -> str:
    """The scorekeeper's cookie."""
    return f"board_role={roles.cookie(roles.standing(Role.SCOREKEEPER).visitor)}"


def idle(line: socket.socket) -> None:
    """Say nothing."""


def half_a_head(line: socket.socket) -> None:
    line.sendall(b"GET /api/state HTTP/1.1\r\nHost: board.lo")


def half_a_body(line: socket.socket) -> None:
    line.sendall(b"POST /api/act HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n{")


def half_a_handshake(line: socket.socket) -> None:
    """The first bytes of a TLS client hello."""
    line.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")


def answered_and_kept(line: socket.socket) -> None:
    line.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: x\r\n\r\n")


def forged(line: socket.socket) -> None:
    line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nCookie: board_role=ABCDEFGHJK.00; board_check=0\r\n\r\n")


Way = Callable[[socket.socket], None]
PLAIN = (idle, half_a_head, half_a_body, answered_and_kept, forged)


@pytest.fixture
def crowd(running: Running) -> Iterator[Callable[..., list[Wire]]]:
    """So many strangers who each do the same, and stay."""
    with ExitStack() as opened:

        def come(way: Way, count: int, *, tls: bool = False, sources: int = 1) -> list[Wire]:
            port = running.tls.port if tls and running.tls else running.port
            wires = []
            for n in range(count):
                with suppress(ConnectionError):  # the server may drop it at once
                    wires.append(opened.enter_context(Wire(port, f"127.0.0.{2 + n % sources}")))
                    way(wires[-1].sock)
            return wires

        yield come


@pytest.mark.parametrize("sources", [1, 40], ids=["one address", "forty addresses"])
@pytest.mark.parametrize("way", PLAIN, ids=lambda way: way.__name__)
def test_strangers_keep_nobody_out(
    running: Running, table: RealTable, keeper: str, crowd, way: Way, sources: int
) -> None:
    with Wire(running.port) as begun, Wire(running.port) as stream:
        begun.ask("/api/state", keeper)
        assert begun.answer()[0] == 200
        stream.ask("/api/events", keeper)
        stream.state()
        crowd(way, 5 * STRANGERS, sources=sources)
        with Wire(running.port) as new:
            assert new.act(keeper, type="new_match", seq=table.seq)[0] == 200
        begun.ask("/api/state", keeper)  # the crowd took neither this connection nor the stream
        assert begun.answer()[0] == 200
        while stream.state()["phase"] != "opening":
            pass


@pytest.mark.parametrize("way", [idle, half_a_handshake], ids=lambda way: way.__name__)
def test_strangers_keep_nobody_out_over_https(running: Running, keeper: str, crowd, way: Way) -> None:
    assert running.tls
    crowd(way, 5 * STRANGERS, tls=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection(("127.0.0.1", running.tls.port), PATIENCE_S)
    with context.wrap_socket(plain) as line:
        line.sendall(f"GET /api/state HTTP/1.1\r\nHost: x\r\nCookie: __Host-{keeper}\r\n\r\n".encode())
        assert line.recv(20).startswith(b"HTTP/1.1 200")


def test_crowd_leaves_the_first_of_few_alone(running: Running, crowd) -> None:
    with Wire(running.port, "127.0.0.1") as early:  # a stranger, too, but one of few at his address
        crowd(idle, 5 * STRANGERS)
        early.ask("/static/icon.svg")
        assert early.answer()[0] == 200


def test_programs_own_check_has_a_place(running: Running, crowd) -> None:
    assert running.tls
    for tls in (False, True):
        crowd(half_a_head, 5 * STRANGERS, tls=tls)
        port = running.tls.port if tls else running.port
        assert page_answers("127.0.0.1", port, https=tls, cookie=running.check_cookie)


def test_viewers_with_many_connections_leave_room(
    table: RealTable, roles: Roles, running: Running, keeper: str
) -> None:
    viewer = f"board_role={roles.cookie(roles.standing(Role.VIEWER).visitor)}"
    with ExitStack() as opened:
        for _ in range(900):  # more than the viewers' room has
            wire = opened.enter_context(Wire(running.port, "127.0.0.3"))
            wire.ask("/api/state", viewer)
            assert wire.answer()[0] == 200
        with Wire(running.port) as other, Wire(running.port) as acting:
            other.ask("/api/state", viewer)
            assert other.answer()[0] == 200
            assert acting.act(keeper, type="new_match", seq=table.seq)[0] == 200


def test_dropped_connections_are_logged_once(
    running: Running, crowd, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    crowd(idle, 10 * STRANGERS)
    end_s = time.monotonic() + PATIENCE_S
    while not caplog.records and time.monotonic() < end_s:
        time.sleep(0.05)
    crowd(half_a_handshake, 10 * STRANGERS, tls=True)
    with Wire(running.port) as line:
        line.ask("/static/icon.svg")
        line.answer()
    assert [one.name for one in caplog.records] == ["web.rooms"]
    assert "closed to make room" in caplog.text


class TestDeadlines:
    """Requests that never become complete."""

    @pytest.fixture
    def settings(self) -> WebSettings:
        return WebSettings(head_s=0.3)

    @pytest.mark.parametrize("way", [idle, half_a_head, answered_and_kept], ids=lambda way: way.__name__)
    def test_head_has_to_come(self, crowd, way: Way) -> None:
        assert all(wire.ends() for wire in crowd(way, 3))

    def test_handshake_has_to_come(self, crowd) -> None:
        assert all(wire.ends() for wire in crowd(half_a_handshake, 3, tls=True))

    @pytest.mark.parametrize("beginning", [b"", b"GET / HTTP/1.1\r\n"], ids=["first line", "headers"])
    def test_bytes_that_trickle_do_not_prolong_it(self, running: Running, beginning: bytes) -> None:
        with Wire(running.port) as wire:
            wire.sock.sendall(beginning)
            ended = threading.Thread(target=wire.ends, daemon=True)
            ended.start()
            while ended.is_alive():
                try:
                    wire.sock.sendall(b"x")
                except OSError:
                    break
                ended.join(0.02)
            ended.join(PATIENCE_S)
            assert not ended.is_alive()

    def test_those_who_have_joined_may_pause(self, running: Running, keeper: str) -> None:
        with Wire(running.port) as wire, Wire(running.port) as stranger:
            wire.ask("/api/state", keeper)
            assert wire.answer()[0] == 200
            assert stranger.ends()
            wire.ask("/api/state", keeper)
            assert wire.answer()[0] == 200


class TestMemory:
    """What many visitors could make the program keep."""

    def test_pictures_that_nobody_reads_are_bounded(
        self, running: Running, table: RealTable, roles: Roles, keeper: str
    ) -> None:
        picture = bytes(20_000_000)
        table.page.picture = lambda name: picture
        viewer = f"board_role={roles.cookie(roles.standing(Role.VIEWER).visitor)}"
        with ExitStack() as opened:
            wires = [opened.enter_context(Wire(running.port, buffer=4096)) for _ in range(12)]
            for n, wire in enumerate(wires):
                wire.ask("/pictures/a.png", keeper if n < 2 else viewer)
            whole = [wire.whole(len(picture)) for wire in reversed(wires)]  # nobody hurries the scorekeeper's
            assert whole[-2:] == [True, True]
            assert not all(whole[:-2])

    @pytest.mark.parametrize(
        ("joined", "size", "status"),
        [(False, 3000, 403), (False, 60_000, 403), (True, 60_000, 400), (True, 70_000, 413)],
    )
    def test_bodies_are_kept_no_longer_than_needed(
        self, running: Running, keeper: str, joined: bool, size: int, status: int
    ) -> None:
        for chunked in (False, True):
            with Wire(running.port) as wire:
                body = b"x" * size
                headers = {"Content_Type": "application/json"}
                if chunked:
                    body = b"%x\r\n%b\r\n0\r\n\r\n" % (size, body)
                    headers |= {"Transfer_Encoding": "chunked", "Content_Length": ""}
                wire.ask("/api/act", keeper if joined else "", "POST", body, **headers)
                assert wire.answer()[0] == status


class TestOddRequests:
    """What no browser sends; the connection, and everybody else's, goes on or ends in order."""

    def test_pipelined_requests_are_answered_in_order(self, running: Running, keeper: str) -> None:
        with Wire(running.port) as wire:
            paths = ["/api/state", "/static/icon.svg", "/nothing", "/api/state"] * 10
            for path in paths:
                wire.ask(path, keeper)
            assert [wire.answer()[0] for _ in paths] == [200, 200, 404, 200] * 10

    def test_half_closed_connection_is_answered(self, running: Running, keeper: str) -> None:
        with Wire(running.port) as wire:
            wire.ask("/api/state", keeper)
            wire.sock.shutdown(socket.SHUT_WR)
            assert wire.answer()[0] == 200
            assert wire.ends()

    def test_request_by_single_bytes(self, running: Running, table: RealTable, keeper: str) -> None:
        with Wire(running.port) as wire:
            wire.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            body = b'{"type": "new_match", "seq": %d}' % table.seq
            head = (
                f"POST /api/act HTTP/1.1\r\nHost: x\r\nCookie: {keeper}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            for byte in head.encode() + body:
                wire.sock.sendall(bytes([byte]))
            assert wire.answer()[0] == 200

    def test_body_in_chunks_and_after_100_continue(
        self, running: Running, table: RealTable, keeper: str
    ) -> None:
        with Wire(running.port) as wire:
            wire.ask(
                "/api/act",
                keeper,
                "POST",
                Content_Type="application/json",
                Transfer_Encoding="chunked",
                Content_Length="",
                Expect="100-continue",
            )
            assert wire.head() == 100
            body = b'{"type": "new_match", "seq": %d}' % table.seq
            wire.sock.sendall(b"5\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (body[:5], len(body) - 5, body[5:]))
            assert wire.answer()[0] == 200

    @pytest.mark.parametrize(
        "target",
        ["http://board.local/api/state", "//api/state", "*", "/%00", "/%ff/..%2f", "/a?" + "b" * 9000],
    )
    def test_odd_targets(self, running: Running, keeper: str, target: str) -> None:
        with Wire(running.port) as wire:
            wire.ask(target, keeper)
            assert wire.answer()[0] in (200, 303, 308, 400, 404)

    def test_underscores_cannot_pass_for_other_headers(self, running: Running, keeper: str) -> None:
        with Wire(running.port) as wire:
            head = (
                f"POST /api/act HTTP/1.1\r\nHost: x\r\nCookie: {keeper}\r\nContent_Type: application/json\r\n"
            )
            wire.sock.sendall(f"{head}Content-Length: 2\r\n\r\n{{}}".encode())
            assert wire.answer()[0] == 415

    # A reset between two steps of wrap_socket leaves its socket to the garbage collector, which warns (CPython 3.11).
    @pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning"
    )
    @pytest.mark.parametrize(
        "after", [b"", b"GET / HTTP/1.1\r\n", b"GET /api/state HTTP/1.1\r\nHost: x\r\n\r\n"]
    )
    def test_resets_are_nobody_s_trouble(
        self, running: Running, keeper: str, after: bytes, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert running.tls
        for n in range(100):
            with Wire(running.tls.port if n % 2 else running.port) as wire:
                wire.sock.sendall(after)
                wire.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with Wire(running.port) as wire:
            wire.ask("/api/state", keeper)
            assert wire.answer()[0] == 200
        assert {one.name for one in caplog.records} <= {"web.rooms"}  # they may have been too many at once


@pytest.mark.skipif(resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 2000, reason="too few open files allowed")
def test_files_can_be_opened_however_many_come(tmp_path: Path) -> None:
    """The whole program with 700 file descriptors: matches are written while 900 connections are held."""
    command = ["sh", "-c", f'ulimit -n 700; exec "{sys.executable}" -m tests.bench.load.house']
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environ) as process,
        ExitStack() as opened,
    ):
        opened.callback(process.terminate)
        assert process.stdout
        links = dict(next(process.stdout).strip().split(": ", 1) for _ in range(3))
        host, code = links["scorekeeper"].removeprefix("http://").split("/join/")
        port = int(host.rpartition(":")[2])
        with Wire(port) as wire:
            wire.sock.sendall(f"GET /join/{code} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            answer = wire.sock.recv(4096).decode()
        cookie = next(row for row in answer.split("\r\n") if row.startswith("Set-Cookie"))[12:].split(";")[0]
        for _ in range(900):
            with suppress(ConnectionError):
                opened.enter_context(Wire(port))
        with closing(Wire(port)) as wire:
            for _ in range(3):
                wire.ask("/api/state", cookie)
                status, state = wire.answer()
                assert status == 200
                status, state = wire.act(cookie, type="new_match", seq=state["seq"])
                assert (status, state["durable"]) == (200, True)
