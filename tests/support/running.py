"""The real program as a process, and a visitor of its page, for tests of the whole program."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

PATIENCE_S = 60.0
"""Most seconds for any step on a slow machine; no test measures time with it."""


def one_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a separate process, which also catches what C libraries write to standard error."""
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


class Visitor:
    """A browser that has opened a join link."""

    def __init__(self, link: str) -> None:
        parts = urlsplit(link)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        status, headers, _ = self._ask("GET", parts.path)
        assert status == 303, status
        self.cookie = headers["Set-Cookie"].split(";")[0]

    def _ask(
        self, method: str, path: str, content: str | None = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        talk = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)
        try:
            talk.request(method, path, content, headers)
            answer = talk.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            talk.close()

    def get(self, path: str) -> tuple[int, bytes]:
        """GET a path in this visitor's role: status and content."""
        status, _, content = self._ask("GET", path, Cookie=self.cookie)
        return status, content

    def state(self) -> dict[str, Any]:
        """The state as this visitor sees it."""
        status, content = self.get("/api/state")
        assert status == 200, content
        return dict(json.loads(content))

    def post(self, body: object) -> tuple[int, dict[str, Any]]:
        """POST an action without changes: status and answer."""
        status, _, content = self._ask(
            "POST",
            "/api/act",
            json.dumps(body),
            **{"Cookie": self.cookie, "Content-Type": "application/json"},
        )
        return status, json.loads(content)

    def send_form(self, path: str, **form: str) -> int:
        """POST a form in this visitor's role: the status of the answer."""
        return self.answer_to_form(path, **form)[0]

    def answer_to_form(self, path: str, **form: str) -> tuple[int, str]:
        """POST a form in this visitor's role: status and content of the answer."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        status, _, content = self._ask("POST", path, urlencode(form), Cookie=self.cookie, **kind)
        return status, content.decode()

    def act(self, kind: str, **more: object) -> dict[str, Any]:
        """Carry out an action on the present state, which has to succeed."""
        status, answer = self.post({"type": kind, "seq": self.state()["seq"], **more})
        assert status == 200, answer
        return answer

    def wait(self, until: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait for the first state that fulfils a condition."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            state = self.state()
            if until(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f"waited in vain; the table stands at {lasting(state)}")


def lasting(state: dict[str, Any]) -> dict[str, Any]:
    """The fields of a state that have to be the same after a restart."""
    changing = {"seq", "notices", "camera", "lamps", "durable", "clock"}
    return {name: value for name, value in state.items() if name not in changing}


@dataclass
class Running:
    """A running companion."""

    process: "subprocess.Popen[str]"
    link: str
    lines: list[str] = field(default_factory=list)
    reader: threading.Thread | None = None

    def visitor(self) -> Visitor:
        """The scorekeeper, as a visitor."""
        return Visitor(self.link)

    def kill(self) -> None:
        """Kill the program, as a power cut would."""
        self.process.kill()
        self._over()

    def stop(self) -> int:
        """Stop the program as systemd does; returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self._over()

    def _over(self) -> int:
        """Wait for the end of the process and its last lines; returns the exit status."""
        status = self.process.wait(timeout=PATIENCE_S)
        if self.reader is not None:
            self.reader.join(PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status


def start(*arguments: str, home: Path, **environment: str) -> Running:
    """Start the program and wait for its link; AssertionError, with its output, if none comes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(home), "STATE_DIRECTORY": "", **environment},
    )
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.rstrip())
        if "/join/" in line:
            reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
            reader.start()
            return Running(process, line.strip(), lines, reader)
    process.wait(PATIENCE_S)
    process.stdout.close()
    raise AssertionError(f"no link, exit status {process.returncode}: {lines}")


def _read(process: "subprocess.Popen[str]", lines: list[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line.rstrip())


@contextmanager
def companion(*arguments: str, home: Path, **environment: str) -> Iterator[Running]:
    """The program, killed at the end if it still runs."""
    running = start(*arguments, home=home, **environment)
    try:
        yield running
    finally:
        running.kill()


def settings_file(folder: Path, **camera: object) -> Path:
    """Settings for a test: loopback, any port, and no camera unless one is named."""
    file = folder / "settings.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in ({"source": "none"} | camera).items()]
    file.write_text(
        "[camera]\n" + "\n".join(lines) + '\n[page]\nhost = "127.0.0.1"\nport = 0\n[lamps]\npins = "mock"\n'
    )
    return file


def next_act(state: dict[str, Any], number: int) -> dict[str, Any]:
    """The next sensible action, without randomness: plays a whole match, the cube included."""
    phase, dice = state["phase"], [number % 6 + 1, number // 6 % 6 + 1]
    if phase == "no_match":
        return {"type": "new_match", "length": 3}
    if phase == "opening":
        return {"type": "opening", "south": dice[0], "north": dice[0] % 6 + 1}
    if state["naming"]:
        return {"type": "name", "number": dice[0]}
    if phase == "on_roll":
        if number % 7 == 3 and state["cube"]["may_double"]:
            return {"type": "double"}
        return {"type": "roll", "dice": dice}
    if phase == "doubled":
        return {"type": "take" if number % 3 else "pass"}
    if phase == "rolled":
        plays = state["plays"]
        return {"type": "play", "moves": plays[number % len(plays)]["moves"] if plays else []}
    return {"type": {"played": "done", "game_over": "next_game"}.get(phase, "new_match")}
