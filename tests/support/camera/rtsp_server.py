"""A loopback RTSP camera for the tests: RTSP over TCP (RFC 2326) with JPEG in interleaved RTP (RFC 2435)."""

import select
import socketserver
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from tests.support.camera.mjpeg_server import Stage, serving

JPEG_420, TABLES_INSIDE, PAYLOAD = 1, 255, 26
PACKET_BYTES = 1400
CLOCK_HZ = 90_000
SDP = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=test\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\n"
TRANSPORT = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"


class Parts(NamedTuple):
    """The parts of a JPEG that RFC 2435 sends; its Huffman tables are the standard ones and are not sent."""

    width: int
    height: int
    tables: bytes
    scan: bytes


def parts_of(jpeg: bytes) -> Parts:
    """Split a baseline 4:2:0 JPEG at its markers; AssertionError for another kind."""
    at, tables, width, height = 2, b"", 0, 0
    while True:
        mark, kind, length = struct.unpack_from(">BBH", jpeg, at)
        assert mark == 0xFF, f"no marker at {at}"
        body = jpeg[at + 4 : at + 2 + length]
        at += 2 + length
        if kind == 0xDB:  # quantization tables, each after a byte with its number
            tables += b"".join(body[n + 1 : n + 65] for n in range(0, len(body), 65))
        elif kind == 0xC0:
            height, width = struct.unpack_from(">HH", body, 1)
            assert body[7] == 0x22, "colour is sampled 4:2:0"
        elif kind == 0xDA:
            return Parts(width, height, tables, jpeg[at:].removesuffix(b"\xff\xd9"))


def packets(jpeg: bytes, sequence: int, at_s: float) -> list[bytes]:
    """A picture as RTP packets; the last one has the marker bit."""
    parts = parts_of(jpeg)
    out, offset = [], 0
    while offset < len(parts.scan):
        piece = parts.scan[offset : offset + PACKET_BYTES]
        last = offset + len(piece) == len(parts.scan)
        number, ticks = (sequence + len(out)) & 0xFFFF, int(at_s * CLOCK_HZ) & 0xFFFFFFFF
        rtp = struct.pack(">BBHII", 0x80, PAYLOAD | (0x80 if last else 0), number, ticks, 1)
        about = (JPEG_420, TABLES_INSIDE, parts.width // 8, parts.height // 8)
        head = struct.pack(">I4B", offset, *about)
        if offset == 0:
            head += struct.pack(">HH", 0, len(parts.tables)) + parts.tables
        out.append(rtp + head + piece)
        offset += len(piece)
    return out


def _handler(stage: Stage) -> type[socketserver.StreamRequestHandler]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):  # the camera disconnected
                while not self._answered():
                    pass
                self._play()

        def _answered(self) -> bool:
            """Answer one request; returns whether it is PLAY."""
            verb, headers = self.rfile.readline().decode().partition(" ")[0], {}
            if not verb:
                raise ConnectionResetError
            while line := self.rfile.readline().decode().strip():
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            stage.asked.append({"verb": verb, **headers})
            more = {
                "OPTIONS": "Public: DESCRIBE, SETUP, PLAY, TEARDOWN\r\n",
                "DESCRIBE": f"Content-Type: application/sdp\r\nContent-Length: {len(SDP)}\r\n",
                "SETUP": TRANSPORT,
            }.get(verb, "")
            body = SDP if verb == "DESCRIBE" else ""
            answer = f"RTSP/1.0 200 OK\r\nCSeq: {headers['cseq']}\r\nSession: 1\r\n{more}\r\n{body}"
            self.wfile.write(answer.encode())
            return verb == "PLAY"

        def _play(self) -> None:
            sequence = frame = 0
            while not stage.over.wait(stage.pause_s):
                if select.select([self.rfile], [], [], 0)[0]:
                    self._answered()
                if not stage.flowing.is_set():
                    continue
                frame += 1
                for packet in packets(stage.picture, sequence, frame * stage.pause_s):
                    self.wfile.write(b"$\0" + struct.pack(">H", len(packet)) + packet)
                    sequence += 1

    return Handler


@contextmanager
def rtsp_server(port: int = 0, pause_s: float = 0.02) -> Iterator[Stage]:
    """Serve until the block ends, a picture after each pause; port 0 takes any free one."""
    stage = Stage(pause_s)
    server = socketserver.ThreadingTCPServer(("127.0.0.1", port), _handler(stage), bind_and_activate=False)
    server.allow_reuse_address = server.daemon_threads = True
    server.server_bind()
    server.server_activate()
    stage.url = f"rtsp://127.0.0.1:{server.server_address[1]}/live"
    with serving(server, stage):
        yield stage
