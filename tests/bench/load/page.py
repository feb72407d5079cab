"""How fast an action reaches everybody: many spectators and two scorekeepers at one page, over real sockets.

Run as `python -m tests.bench.load.page [--viewers N] [--actions N] [--seconds S]`. The server is the whole program in a
process of its own, as on the Pi, with every action on disk before it is shown; the visitors share another. Times run
from the moment the action is sent, the answer included.
"""

import argparse
import asyncio
import json
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]


async def _ask(port: int, method: str, path: str, cookie: str, body: object = None) -> dict[str, Any]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    writer.write(head.encode() + data)
    answer = await reader.read()
    writer.close()
    status = int(answer.split(b" ", 2)[1])
    if status != 200:
        raise RuntimeError(f"{method} {path}: {answer[:300]!r}")
    content = answer.partition(b"\r\n\r\n")[2]
    if b"chunked" in answer.partition(b"\r\n\r\n")[0].lower():
        content = content.partition(b"\r\n")[2].rpartition(b"\r\n0\r\n")[0]
    return dict(json.loads(content))


async def _opened(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to a server that may still be starting."""
    for _ in range(100):
        try:
            return await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.1)
    raise RuntimeError("the server did not start")


async def _join(port: int, code: str) -> str:
    reader, writer = await _opened(port)
    writer.write(f"GET /join/{code} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    line = next(row for row in answer.split(b"\r\n") if row.lower().startswith(b"set-cookie:"))
    return line.split(b":", 1)[1].split(b";")[0].strip().decode()


class Visitor:
    """One event stream: when each seq came in, and whether the line held."""

    def __init__(self) -> None:
        self.came: dict[int, float] = {}
        self.beats = 0
        self.lost = False

    async def look(self, port: int, cookie: str) -> None:
        """Read the stream until it ends."""
        with suppress(OSError):
            async for line in self._lines(port, cookie):
                if line.startswith(b"id: "):
                    self.came[int(line[4:])] = time.perf_counter()
                elif line.startswith(b"event: beat"):
                    self.beats += 1
        self.lost = True

    async def _lines(self, port: int, cookie: str) -> AsyncIterator[bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode())
        try:
            while line := await reader.readline():
                yield line
        finally:
            writer.close()


def _memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(row for row in status.splitlines() if row.startswith("VmRSS")).split()[1]) / 1024


async def measure(
    port: int, codes: dict[str, str], pid: int, viewers: int, actions: int, seconds: float
) -> dict[str, Any]:
    """Let `viewers` look on while two scorekeepers act `actions` times, spread over at least `seconds`."""
    cookies = {role: await _join(port, code) for role, code in codes.items()}
    everybody = [Visitor() for _ in range(viewers + 2)]
    roles = ["viewer"] * viewers + ["scorekeeper"] * 2
    looking = [
        asyncio.create_task(one.look(port, cookies[role])) for one, role in zip(everybody, roles, strict=True)
    ]
    state = await _ask(port, "GET", "/api/state", cookies["scorekeeper"])
    end = time.perf_counter() + 30  # whoever has no stream by then is counted as lost
    while not all(state["seq"] in one.came for one in everybody) and time.perf_counter() < end:
        await asyncio.sleep(0.05)
    keeper = cookies["scorekeeper"]
    for begin in ({"type": "new_match"}, {"type": "opening", "south": 6, "north": 4}):
        state = await _ask(port, "POST", "/api/act", keeper, {**begin, "seq": state["seq"]})
    memory = [_memory_mb(pid)]
    acked, late = [], []
    for n in range(actions):
        body = {"type": "undo"} if n % 2 else {"type": "play", "moves": [[24, 18]]}
        sent = time.perf_counter()
        state = await _ask(port, "POST", "/api/act", keeper, {**body, "seq": state["seq"]})
        acked.append(time.perf_counter() - sent)
        end = time.perf_counter() + 5
        while not all(state["seq"] in one.came or one.lost for one in everybody):
            if time.perf_counter() > end:
                break
            await asyncio.sleep(0.01)
        late += [one.came.get(state["seq"], end) - sent for one in everybody]
        memory.append(_memory_mb(pid))
        await asyncio.sleep(max(0.05, seconds / actions))
    for task in looking:
        task.cancel()
    cuts = statistics.quantiles([1000 * one for one in late], n=100)
    return {
        "visitors": len(everybody),
        "actions": actions,
        "answer_median_ms": round(1000 * statistics.median(acked), 1),
        "reach_median_ms": round(cuts[49], 1),
        "reach_p95_ms": round(cuts[94], 1),
        "reach_max_ms": round(1000 * max(late), 1),
        "streams_lost": sum(one.lost for one in everybody),
        "memory_first_mb": round(memory[0], 1),
        "memory_after_a_fifth_mb": round(memory[len(memory) // 5], 1),
        "memory_halfway_mb": round(memory[len(memory) // 2], 1),
        "memory_last_mb": round(memory[-1], 1),
        "state_bytes": len(json.dumps(state)),
    }


@contextmanager
def table(server: list[str] | None = None) -> Iterator[tuple[int, dict[str, str], int]]:
    """A server in a process of its own: its port, its join codes by role, its process id."""
    command = server or [sys.executable, "-m", "tests.bench.load.house"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environ) as process:
        try:
            assert process.stdout
            links = dict(process.stdout.readline().strip().split(": ", 1) for _ in range(3))
            port = int(links["viewer"].split(":")[2].split("/")[0])
            yield port, {role: link.rsplit("/", 1)[1] for role, link in links.items()}, process.pid
        finally:
            process.terminate()


def load(
    viewers: int = 500, actions: int = 40, seconds: float = 8.0, server: list[str] | None = None
) -> dict[str, Any]:
    """Start a server, let so many look on while so many actions are sent, stop it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard) if hard > 0 else 4096, hard))
    try:
        with table(server) as (port, codes, pid):
            return asyncio.run(measure(port, codes, pid, viewers, actions, seconds))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


HEAVIEST = "ja"
"""The page's texts come with it: none in English, most bytes in Japanese."""


def paint() -> dict[str, Any]:
    """A cold load in a real Chromium: first paint, what was carried, what jumped; {} without a browser.

    Also what the heaviest language costs, and how soon a page is right again after its network was cut.
    """
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        return {}
    with table() as (port, codes, _):
        link = f"http://127.0.0.1:{port}/join/{codes['scorekeeper']}"
        with tablet(link) as driver:
            painted = {**driver.execute_async_script(PAINTED), **driver.execute_async_script(ROLLED)}
        with closing(Wire(port)) as wire, tablet(link.replace(f":{port}", f":{wire.port}")) as driver:
            painted |= cut(driver, port, codes["scorekeeper"], wire)
        with tablet(link, HEAVIEST) as driver:
            heaviest = driver.execute_async_script(PAINTED)
    told = {f"{HEAVIEST}_{name}": heaviest[name] for name in ("cold_load_kb", "first_paint_ms")}
    return {**painted, **told}


@contextmanager
def tablet(link: str, language: str = "en", width: int = 1180, height: int = 820) -> Iterator[Any]:
    """A Chromium as new that has opened the link."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    with tempfile.TemporaryDirectory() as profile:
        for flag in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            f"--user-data-dir={profile}",
        ):
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))
        try:
            driver.set_window_size(width, height)
            driver.set_script_timeout(30)
            driver.get("about:blank")
            driver.execute_cdp_cmd("Network.setCookie", {"name": "lang", "value": language, "url": link})
            driver.get(link)
            driver.implicitly_wait(20)
            driver.find_element("css selector", "#verdict h2")
            yield driver
        finally:
            driver.quit()


class Wire:
    """A way to the table that can be cut: then nothing comes through, and nobody is told. What was on it is lost."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._epoch = 0  # even while it is whole; a connection lives in one of them only
        self._door = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._carriers: list[threading.Thread] = []
        self.port = int(self._door.getsockname()[1])
        self._doorkeeper = threading.Thread(target=self._let_in)
        self._doorkeeper.start()

    def turn(self) -> None:
        """Cut it, or make it whole again."""
        self._epoch += 1

    def close(self) -> None:
        """End it, and every connection on it."""
        self._door.shutdown(socket.SHUT_RDWR)
        self._doorkeeper.join()  # now nobody comes in any more
        for end in self._ends:
            with suppress(OSError):  # ended already
                end.shutdown(socket.SHUT_RDWR)
        for carrier in self._carriers:
            carrier.join()
        for end in (self._door, *self._ends):
            end.close()

    def _let_in(self) -> None:
        with suppress(OSError):  # the door is closed
            while True:
                visitor, _ = self._door.accept()
                table = socket.create_connection(("127.0.0.1", self._to))
                self._ends += (visitor, table)
                for ends in ((visitor, table), (table, visitor)):
                    self._carriers.append(threading.Thread(target=self._carry, args=(*ends, self._epoch)))
                    self._carriers[-1].start()

    def _carry(self, source: socket.socket, target: socket.socket, born: int) -> None:
        with suppress(OSError):  # the other end has gone
            while data := source.recv(65536):
                if self._holds(born):
                    target.sendall(data)
            if self._holds(born):
                target.shutdown(socket.SHUT_WR)

    def _holds(self, born: int) -> bool:
        """Whether a connection of that epoch still carries."""
        return born % 2 == 0 and self._epoch == born


def cut(driver: Any, port: int, code: str, wire: Wire, times: int = 5) -> dict[str, float]:
    """Cut the page's network, let something happen meanwhile, give the network back: the slowest of some times."""
    seen, right = [], []
    cookie = asyncio.run(_join(port, code))
    for n in range(times):
        wire.turn()
        seen.append(_until(driver, "return document.body.dataset.line === 'cut'"))
        state = asyncio.run(_ask(port, "GET", "/api/state", cookie))
        dice = [6, 1 + n]
        kind = "roll" if state["phase"] == "on_roll" else "rule"
        asyncio.run(_ask(port, "POST", "/api/act", cookie, {"type": kind, "dice": dice, "seq": state["seq"]}))
        time.sleep(1 + 0.3 * n)  # the page asks at moments of its own
        wire.turn()
        right.append(
            _until(driver, f"return document.querySelector('#verdict h2').textContent === '6-{dice[1]}'")
        )
        _until(driver, "return document.body.dataset.line === 'open'")
        time.sleep(1)
    return {
        "silent_cut_seen_after_ms_at_most": round(1000 * max(seen)),
        "right_again_after_ms_at_most": round(1000 * max(right)),
    }


def _until(driver: Any, check: str, patience_s: float = 20.0) -> float:
    """Seconds until the page says so."""
    begun = time.perf_counter()
    while not driver.execute_script(check):
        if time.perf_counter() - begun > patience_s:
            raise RuntimeError(f"the page never came to {check}")
        time.sleep(0.01)
    return time.perf_counter() - begun


PAINTED = """const done = arguments[0];
const seen = {};
for (const type of ['largest-contentful-paint', 'layout-shift', 'longtask']) {
    seen[type] = [];
    new PerformanceObserver((list) => seen[type].push(...list.getEntries())).observe({type, buffered: true});
}
setTimeout(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    const page = performance.getEntriesByType('navigation')[0];
    const rest = performance.getEntriesByType('resource').filter((one) => !one.name.includes('/api/'));
    const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);
    done({
        first_paint_ms: Math.round(paint.startTime),
        largest_paint_ms: Math.round(Math.max(...seen['largest-contentful-paint'].map((one) => one.startTime))),
        blocked_while_loading_ms: Math.round(sum(seen.longtask, (one) => Math.max(0, one.duration - 50))),
        cold_load_files: rest.length + 1,
        cold_load_kb: Math.round((page.transferSize + sum(rest, (one) => one.transferSize)) / 1000),
        layout_shift_while_loading: Number(sum(seen['layout-shift'], (one) => one.value).toFixed(4)),
        elements: document.querySelectorAll('*').length,
    });
}, 1500);"""

ROLLED = """const done = arguments[0];
const act = async (body) => {
    const state = await (await fetch('/api/state')).json();
    const sent = JSON.stringify({seq: state.seq, ...body});
    const headers = {'Content-Type': 'application/json'};
    const answer = await fetch('/api/act', {method: 'POST', headers, body: sent});
    if (!answer.ok) throw new Error(await answer.text());
    await new Promise((painted) => setTimeout(painted, 400));
};
(async () => {
    await act({type: 'new_match'});
    await act({type: 'opening', south: 6, north: 4});
    await act({type: 'play', moves: [[24, 18], [13, 9]]});
    await act({type: 'done'});
    let shift = 0;
    new PerformanceObserver((list) => { for (const one of list.getEntries()) shift += one.value; })
        .observe({type: 'layout-shift'});
    await act({type: 'roll', dice: [5, 3]});
    done({layout_shift_when_a_roll_arrives: shift});
})();"""


def run() -> dict[str, Any]:
    """Everything that `make bench` writes about the page."""
    return {**load(), **paint()}


def run_long() -> dict[str, Any]:
    """Ten minutes with an action a second."""
    return load(actions=600, seconds=600.0)


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=500)
    parser.add_argument("--actions", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=8.0, help="spread the actions over so long")
    parser.add_argument(
        "--server", nargs=argparse.REMAINDER, help="another command that prints the three links"
    )
    asked = parser.parse_args()
    print(json.dumps(load(asked.viewers, asked.actions, asked.seconds, asked.server)))


if __name__ == "__main__":
    main()
