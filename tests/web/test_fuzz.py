"""Whatever has the shape that the API's document asks for is done or refused with a sentence; nothing breaks."""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from companion.protocol.action_shapes import BY_TYPE
from tests.support.often import TIMES
from tests.support.published import components
from web.languages import words

ROOT = Path(__file__).resolve().parents[2]


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of this shape: the part of JSON Schema that ours uses."""
    if "$ref" in schema:
        return values(components()[schema["$ref"].rsplit("/", 1)[1]])
    if "anyOf" in schema:
        return st.one_of([values(one) for one in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of([_of_kind(kind, schema) for kind in kinds])


def _of_kind(kind: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if kind == "integer":
        return st.integers(schema.get("minimum"), schema.get("maximum"))
    if kind == "string":
        plays = st.sampled_from(
            ["8/5 6/5", "24/18", "bar/20", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00", "4HPwATDgc/ABMA"]
        )
        return plays | st.text(max_size=min(schema.get("maxLength", 30), 30))
    if kind == "array":
        return st.lists(
            values(schema["items"]), min_size=schema.get("minItems", 0), max_size=schema.get("maxItems", 5)
        )
    if kind == "object":
        return _objects(schema)
    return {"boolean": st.booleans(), "null": st.none(), "number": st.floats(allow_nan=False)}[kind]


def _objects(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    known = {name: values(inner) for name, inner in schema.get("properties", {}).items()}
    if not known:
        anything = (
            st.none()
            | st.booleans()
            | st.integers(-9, 99)
            | st.text(max_size=5)
            | st.lists(st.integers(1, 6), max_size=3)
        )
        names = st.sampled_from(
            ["aids", "clock", "dice", "type", "moves", "value", "owner", "to", "points", "cube"]
        )
        return st.dictionaries(names | st.text(max_size=4), anything, max_size=4)
    required = {name: known[name] for name in schema.get("required", ())}
    rest = {name: one for name, one in known.items() if name not in required}
    return st.fixed_dictionaries(required, optional=rest)


class Client:
    """The director's browser at the real program."""

    def __init__(self, link: str) -> None:
        host, _, path = link.removeprefix("http://").partition("/")
        self.host = host
        status, headers, _ = self.ask("GET", f"/{path}")
        assert status == 303
        self.cookie = headers["Set-Cookie"].split(";")[0]

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, http.client.HTTPMessage, bytes]:
        line = http.client.HTTPConnection(self.host, timeout=30)
        headers = {"Content-Type": "application/json"} | (
            {"Cookie": self.cookie} if hasattr(self, "cookie") else {}
        )
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        told = answer.status, answer.headers, answer.read()
        answer.close()
        line.close()
        return told

    def state(self) -> dict[str, Any]:
        status, _, content = self.ask("GET", "/api/state")
        assert status == 200, content
        return dict(json.loads(content))


@pytest.fixture(scope="module")
def director(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """`companion run` without a camera, and a director's browser."""
    folder = tmp_path_factory.mktemp("program")
    config = folder / "settings.toml"
    config.write_text(
        '[camera]\nsource = "none"\n[page]\nport = 0\nhost = "127.0.0.1"\n[lamps]\npins = "mock"\n'
    )
    environ = {**os.environ, "XDG_STATE_HOME": str(folder)}
    command = [sys.executable, "-m", "companion"]
    options = ["--config", str(config)]
    with subprocess.Popen(
        [*command, "run", *options], cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        link = next(line.strip() for line in process.stdout if "/join/" in line)
        said = subprocess.run(
            [*command, "links", *options, "--role", "director"],
            cwd=ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        base = link.rsplit("/join/", 1)[0]
        yield Client(f"{base}/join/{said.strip().rsplit('/', 1)[1]}")
        process.terminate()


def begin(director: Client) -> None:
    """A match in the middle of a turn, so that most actions mean something."""
    for body in ({"type": "new_match", "length": 5}, {"type": "opening", "south": 3, "north": 1}):
        status, _, content = director.ask("POST", "/api/act", {"seq": director.state()["seq"], **body})
        assert status == 200, content


def templates(said: dict[str, Any]) -> set[str]:
    """The templates of a refusal and of the sentences inside it."""
    inside = [one for one in said.get("v", {}).values() if isinstance(one, dict)]
    return {said["t"]}.union(*map(templates, inside))


COMMON = ("roll", "rule", "play", "undo", "done", "double", "take", "resign", "set_position", "opening")
ANY_ACTION = st.one_of(
    [
        values(components()[shape.__name__])
        for shape in [*BY_TYPE.values(), *(BY_TYPE[kind] for kind in COMMON)]
    ]
)


# what a body leads to depends on the bodies before it, so nothing is shrunk or repeated
@settings(
    max_examples=100 * TIMES, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
@given(ANY_ACTION)
def test_no_action_of_the_right_shape_breaks_the_program(director: Client, body: dict[str, Any]) -> None:
    state = director.state()
    if state["phase"] in ("no_match", "match_over") or not state["seq"] % 12:
        begin(director)
        state = director.state()
    body = {**body, "seq": state["seq"]}
    status, headers, content = director.ask("POST", "/api/act", body)
    assert status in (200, 400, 403, 422), (body, content)
    if status != 200:
        assert headers.get_content_type() == "application/problem+json"
        refusal = json.loads(content)
        assert refusal["detail"].rstrip().endswith((".", "?")), content
        # what is wrong with a body's shape (400) is said to whoever writes programs; the page sends no such body
        said = refusal.get("say", {}).get("detail")
        assert status == 400 or refusal["detail"] in words("de") or templates(said) <= set(words("de")), (
            content
        )
    assert director.state()["seq"] >= state["seq"]
