"""HTTPS with the machine's own certificate, over real sockets on loopback."""

import http.client
import shutil
import socket
import ssl
import struct
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from web.app import WebSettings, create_app
from web.errors import CertificateUnusableError, PortTakenError
from web.roles import COOKIE, SAFE_COOKIE, Role, Roles
from web.server.serve import Running, Tls, serve

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost with its key, in one file."""
    folder = tmp_path_factory.mktemp("tls")
    key, crt = folder / "key.pem", folder / "crt.pem"
    words = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run(
        ["openssl", "req", "-x509", *words, *names, "-keyout", str(key), "-out", str(crt)],
        check=True,
        capture_output=True,
    )
    whole = folder / "page.pem"
    whole.write_bytes(key.read_bytes() + crt.read_bytes())
    return whole


@pytest.fixture
def running(table, roles: Roles, certificate: Path) -> Iterator[Running]:
    app = create_app(table.page, roles, WebSettings(max_streams=4, beat_s=0.05, authority=b"a certificate"))
    one = serve(app, "127.0.0.1", 0, Tls(0, certificate))
    yield one
    one.close()


class Safe:
    """A visitor over HTTPS."""

    def __init__(self, running: Running, certificate: Path) -> None:
        assert running.tls
        context = ssl.create_default_context(cafile=str(certificate))
        self.talk = http.client.HTTPSConnection("localhost", running.tls.port, timeout=20, context=context)

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        self.talk.request("GET", path, headers=headers)
        return self.talk.getresponse()


@pytest.fixture
def safe(running: Running, certificate: Path) -> Iterator[Safe]:
    one = Safe(running, certificate)
    yield one
    one.talk.close()


def test_page_over_https_has_a_cookie_of_its_own(safe: Safe, roles: Roles) -> None:
    answer = safe.get(f"/join/{roles.issue(Role.SCOREKEEPER).code}")
    cookie = str(answer.getheader("Set-Cookie"))
    answer.read()
    assert answer.status == 303
    assert cookie.startswith(f"{SAFE_COOKIE}_{roles.mark}=")
    assert "; Secure" in cookie
    kept = cookie.split(";")[0]
    page = safe.get("/", Cookie=kept)
    assert (page.status, b'data-https="here"' in page.read()) == (200, True)
    plain = safe.get("/api/state", Cookie=kept.replace(SAFE_COOKIE, COOKIE))
    plain.read()
    assert plain.status == 403  # a cookie that anybody on the network could have read is worth nothing here


def test_stream_over_https(safe: Safe, roles: Roles, table) -> None:
    stream = safe.get("/api/events", Cookie=f"{SAFE_COOKIE}={roles.cookie(roles.issue(Role.VIEWER).visitor)}")
    assert stream.status == 200
    while not stream.readline().startswith(b"id: "):
        pass
    table.notice("Something has happened.")
    while b"Something has happened." not in stream.readline():
        pass


def test_same_origin_counts_over_https(safe: Safe, running: Running, roles: Roles, table) -> None:
    assert running.tls
    cookie = f"{SAFE_COOKIE}={roles.cookie(roles.issue(Role.SCOREKEEPER).visitor)}"
    for origin, status in ((f"https://localhost:{running.tls.port}", 200), ("https://evil.example", 403)):
        body = f'{{"type": "new_match", "seq": {table.seq}}}'
        headers = {"Cookie": cookie, "Origin": origin, "Content-Type": "application/json"}
        safe.talk.request("POST", "/api/act", body, headers)
        answer = safe.talk.getresponse()
        answer.read()
        assert answer.status == status


def test_way_from_plain_to_safe(running: Running, roles: Roles) -> None:
    assert running.tls
    joining = roles.issue(Role.SCOREKEEPER)
    talk = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
    talk.request("GET", "/safe", headers={"Cookie": f"{COOKIE}={roles.cookie(joining.visitor)}"})
    answer = talk.getresponse()
    assert answer.getheader("Location") == f"https://127.0.0.1:{running.tls.port}/join/{joining.code}"
    answer.read()
    talk.request("GET", "/authority.crt")
    answer = talk.getresponse()
    assert (answer.read(), answer.getheader("Content-Type")) == (
        b"a certificate",
        "application/x-x509-ca-cert",
    )
    talk.request("GET", "/safe")
    assert talk.getresponse().status == 403
    talk.close()


def test_without_https_there_is_no_way_to_it(keeper) -> None:
    assert keeper.get("/safe").status_code == 404
    assert keeper.get("/authority.crt").status_code == 404


def test_visitor_who_speaks_no_tls_harms_nobody(safe: Safe, running: Running) -> None:
    assert running.tls
    with socket.create_connection(("127.0.0.1", running.tls.port), timeout=20) as rude:
        rude.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert not rude.recv(100).startswith(b"HTTP")
    answer = safe.get("/")
    answer.read()
    assert answer.status == 403


def test_file_that_is_no_certificate(table, roles: Roles, tmp_path: Path) -> None:
    file = tmp_path / "page.pem"
    app = create_app(table.page, roles)
    with pytest.raises(CertificateUnusableError, match=r"page\.pem"):
        serve(app, "127.0.0.1", 0, Tls(0, file))
    file.write_text("no certificate")
    with pytest.raises(CertificateUnusableError, match=r"page\.pem"):
        serve(app, "127.0.0.1", 0, Tls(0, file))


def test_port_that_is_taken(table, roles: Roles, certificate: Path) -> None:
    app = create_app(table.page, roles)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = Tls(other.getsockname()[1], certificate)
        with pytest.raises(PortTakenError):
            serve(app, "127.0.0.1", 0, taken)


def test_visitors_who_hang_up_at_once_are_nobody_s_trouble(
    running: Running, certificate: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert running.tls
    context = ssl.create_default_context(cafile=str(certificate))
    for _ in range(30):
        plain = socket.create_connection(("localhost", running.tls.port), timeout=20)
        with context.wrap_socket(plain, server_hostname="localhost") as talk:
            talk.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # by a reset
    with closing(Safe(running, certificate).talk) as talk:
        talk.request("GET", "/static/icon.svg")
        assert talk.getresponse().status == 200
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []
