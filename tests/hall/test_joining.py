"""A table joins a hall with the hub's code or file, against a real Mosquitto with the hub's own password file."""

import io
import json
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import count, repeat
from pathlib import Path

import cv2
import numpy as np
import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from companion.hall.broker import Credentials, HallError, Line, load_credentials
from companion.hall.broker_users import BrokerUsers
from companion.hall.protocol.invitation import CODE, Invitation, invitation_in
from companion.hall.protocol.messages import BadMessageError
from companion.service.certificate import own_certificate
from companion.service.hall.inviting import Invitations
from companion.service.hall.joining import hall_findings, join_hall, read_invitation, with_hall
from companion.service.hall.shown_code import shown_invitation
from companion.service.hall.trial import Trial, is_taken
from companion.service.health import Finding
from companion.settings import HallSettings, Settings, load_settings
from companion.storage.folder import AUTHORITY
from sentence import Sentence
from tests.support.hall.broker import (
    HOST,
    MISSING,
    PASSWORDS,
    PROGRAM,
    Broker,
    credentials,
    inviting_hub_settings,
)
from tests.support.hall.program import invited_on_page
from tests.support.running import PATIENCE_S, companion, one_command, settings_file
from vision.frame import Frame

HALL = "club"
needs_mosquitto = pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(texts, texts, texts, texts, st.text(max_size=0) | st.just("-----BEGIN CERTIFICATE-----\nMII=\n" * 40))
def test_invitation_is_the_same_as_file_and_as_code(broker, name, table, password, authority) -> None:
    one = Invitation(broker, name, table, password, authority)
    assert invitation_in(one.as_file()) == one
    assert invitation_in(one.as_code().encode()) == one
    assert set(one.as_code()) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")


WHOLE = Invitation("mqtts://hall.local", HALL, "3", "secret").as_code()


@pytest.mark.parametrize("text", ["", "{}", "[]", CODE, WHOLE[:-4], CODE + "ä", CODE + "AAAA", "hall2.AAAA"])
def test_damaged_invitation_is_one_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadMessageError):
        invitation_in(text.encode())
    file = tmp_path / "i.json"
    file.write_text(text)
    with pytest.raises(HallError, match=r"is no invitation of a hall"):
        read_invitation(str(file))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[hall]\nNEW\n"),
        ("# mine\n[page]\nport = 1", "# mine\n[page]\nport = 1\n\n[hall]\nNEW\n"),
        (
            '[hall] # club\nname = "old"\n# kept\nstore = "sqlite:///x"\n[page]\nport = 1\n',
            '[hall] # club\nNEW\n# kept\nstore = "sqlite:///x"\n[page]\nport = 1\n',
        ),
    ],
)
def test_settings_keep_everything_but_the_hall(before: str, after: str) -> None:
    new = 'broker = "b"\nname = "n"\ntable = "t"\ncredentials = "c"'
    assert with_hall(before, HallSettings("b", "n", "t", "c")) == after.replace("NEW", new)


def test_settings_in_another_form_stay_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('hall.name = "old"\n')
    with pytest.raises(Exception, match=r"s\.toml"):
        join_hall(file, invitation_in(WHOLE.encode()))
    assert file.read_text() == 'hall.name = "old"\n'
    assert [one.name for one in tmp_path.iterdir()] == ["s.toml"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"broker": "mqtt://10.0.0.1"}, "has no TLS"),
        ({"table": "a/b"}, "hall.table is up to 40"),
        ({"table": ""}, "names no table"),
        ({"name": 'x"\n[page]'}, "hall.name is up to 40"),
    ],
)
def test_invitation_that_cannot_be_used_changes_nothing(changed, said, tmp_path: Path) -> None:
    with pytest.raises(HallError, match=said):
        join_hall(tmp_path / "s.toml", replace(invitation_in(WHOLE.encode()), **changed))
    assert list(tmp_path.iterdir()) == []


def test_command_joins_and_names_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    done = one_command("join-hall", WHOLE, "--config", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    hall = load_settings(file).hall
    assert (hall.broker, hall.name, hall.table) == ("mqtts://hall.local", HALL, "3")
    assert load_credentials(Path(hall.credentials)) == Credentials("3", "secret")
    assert Path(hall.credentials).stat().st_mode & 0o077 == 0
    done = one_command("join-hall", "nothing.json", "--config", str(file))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "nothing.json cannot be read" in done.stderr


def page_with(text: str) -> "np.ndarray":
    """A QR code as the hub's page shows it, as a camera at an angle sees it, (1080, 1920, 3) uint8."""
    out = io.BytesIO()
    segno.make(text, error="l", micro=False).save(out, kind="png", scale=8, border=3)
    code = cv2.imdecode(np.frombuffer(out.getvalue(), np.uint8), cv2.IMREAD_COLOR)
    side = code.shape[0]
    seen = np.array([[420, 160], [1130, 130], [1110, 880], [400, 850]], np.float32)
    turned = cv2.getPerspectiveTransform(
        np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32), seen
    )
    scene = cv2.warpPerspective(code, turned, (1920, 1080), flags=cv2.INTER_AREA, borderValue=(120, 130, 125))
    noise = np.random.default_rng(1).normal(0, 4, scene.shape)
    return np.clip(0.8 * cv2.GaussianBlur(scene, (0, 0), 0.8) + 20 + noise, 0, 255).astype(np.uint8)


def test_invitation_is_read_from_its_code_before_the_camera(tmp_path: Path) -> None:
    """As long as a real one: with the authority's certificate."""
    authority = own_certificate(tmp_path / "tls", [HOST]).with_name(AUTHORITY).read_text("ascii")
    one = Invitation("mqtts://hall.local", HALL, "3", "secret", authority)
    frames, file = tmp_path / "frames", tmp_path / "s.toml"
    frames.mkdir()
    for number, text in enumerate(("", "https://elsewhere.test", one.as_code())):
        scene = page_with(text) if text else np.full((1080, 1920, 3), 90, np.uint8)
        assert cv2.imwrite(str(frames / f"{number}.png"), scene)
    done = one_command("join-hall", "--camera", str(frames), "--config", str(file))
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)
    assert "This QR code is no invitation" in done.stderr
    assert load_credentials(Path(load_settings(file).hall.credentials)) == Credentials(
        "3", "secret", authority
    )
    file.unlink()
    (frames / "2.png").unlink()
    done = one_command("join-hall", "--camera", str(frames), "--config", str(file))
    assert (done.returncode, "No invitation was seen" in done.stderr, file.exists()) == (2, True, False)


@pytest.mark.parametrize("given", [(), (WHOLE, "--camera", "0"), ("--camera", "nothing.mp4")])
def test_either_a_code_or_a_camera_is_given(given: tuple[str, ...], tmp_path: Path) -> None:
    done = one_command("join-hall", "--config", str(tmp_path / "s.toml"), *given)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert list(tmp_path.iterdir()) == []


def test_look_for_a_code_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cv2.imwrite(str(tmp_path / "0.png"), np.full((108, 192, 3), 90, np.uint8))
    frame = Frame(np.full((108, 192, 3), 90, np.uint8), 0.0, 0)
    monkeypatch.setattr("vision.capture.camera.FolderCamera.frames", lambda camera: repeat(frame))
    clock = count()
    with pytest.raises(HallError, match="No invitation was seen"):
        shown_invitation(str(tmp_path), lambda text: None, 60, lambda: next(clock))
    assert next(clock) < 70


def invited(users: BrokerUsers, hub: Credentials, broker: Broker) -> Invitations:
    hall = HallSettings(f"mqtt://{HOST}:{broker.address.port}", HALL, credentials="hub.json")
    return Invitations(
        hall, hub, users, lambda table: None, lambda shown: is_taken(broker.address, shown, patience_s=0.1)
    )


def finding_of(file: Path, verdict: str) -> Finding:
    """The doctor's finding, once it is of this verdict: the broker takes a moment to read its users."""
    for _ in range(100):
        [finding] = hall_findings(load_settings(file))
        if finding.verdict.value == verdict:
            return finding
        time.sleep(0.05)
    raise AssertionError(finding)


@needs_mosquitto
def test_broker_takes_the_hub_and_every_table_invited_and_no_former_password(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", "other", [])
    hub = Credentials("hub", "the hub's")
    (tmp_path / "broker" / "passwords").unlink()
    users = BrokerUsers(tmp_path / "broker" / "passwords", HALL, hub)
    (tmp_path / "broker" / "access").replace(tmp_path / "broker" / "acl")
    maker = invited(users, hub, broker)
    first = maker.invite("3")
    assert not isinstance(first, Sentence)
    broker.start()
    try:
        file = tmp_path / "t.toml"
        join_hall(file, read_invitation(first.code))
        assert [one.verdict.value for one in hall_findings(load_settings(file))] == ["good"]
        second = maker.invite("3")
        assert not isinstance(second, Sentence)
        broker.reload()
        finding = finding_of(file, "bad")
        assert "join-hall" in str(finding.remedy)
        (tmp_path / "i.json").write_bytes(second.file.content)
        join_hall(file, read_invitation(str(tmp_path / "i.json")))
        assert [one.verdict.value for one in hall_findings(load_settings(file))] == ["good"]
        broker.kill()
        [finding] = hall_findings(load_settings(file))
        assert finding.verdict.value == "warn"
    finally:
        broker.kill()
    assert maker.tables() == ["3"]
    assert BrokerUsers(tmp_path / "broker" / "passwords", HALL, hub).tables() == ["3"]


@needs_mosquitto
def test_reload_takes_an_invited_table_and_cuts_nobody(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", HALL, ["1", "2"])
    there = [Trial(), Trial()]
    with ExitStack() as parts:
        broker.start()
        parts.callback(broker.kill)
        for name, talk in zip(("1", "2"), there, strict=True):
            line = parts.enter_context(closing(Line(broker.address, credentials(name), talk)))
            line.start()
            assert talk.done.wait(PATIENCE_S)
            talk.done.clear()  # it is set again when the connection is lost
        users = BrokerUsers(tmp_path / "broker" / "passwords", HALL, credentials("hub"))
        made = invited(users, credentials("hub"), broker).invite("3")
        assert not isinstance(made, Sentence)
        assert not made.is_taken  # which the director's page says
        broker.reload()
        password = invitation_in(made.code.encode()).password
        assert is_taken(broker.address, Credentials("3", password), PATIENCE_S)
        assert not any(talk.done.is_set() for talk in there)


@pytest.mark.parametrize("table", ["", "hub", "a/b", "a b", "x" * 41, "ü", "1\n2"])
def test_no_invitation_for_a_name_that_cannot_be(table: str, tmp_path: Path) -> None:
    hub = Credentials("hub", "x")
    users = BrokerUsers(tmp_path / "passwords", HALL, hub)
    maker = Invitations(HallSettings("mqtts://h", HALL), hub, users, lambda table: None, lambda shown: True)
    assert isinstance(maker.invite(table), Sentence)
    assert maker.tables() == []


def test_table_without_a_hall_has_no_finding() -> None:
    assert hall_findings(Settings()) == []


@needs_mosquitto
def test_table_invited_on_the_hub_s_page_plays_for_the_hall(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", HALL, [])
    hub_file, table_file = inviting_hub_settings(tmp_path, HALL, broker), settings_file(tmp_path)
    try:
        with companion("hall", "--config", str(hub_file), home=tmp_path / "hub") as hub:
            director = hub.visitor()
            code = invited_on_page(director, "1")
            broker.start()
            assert one_command("join-hall", code, "--config", str(table_file)).returncode == 0
            with companion("run", "--config", str(table_file), home=tmp_path / "table") as table:
                table.visitor().act("new_match", length=3)
                director.wait(lambda state: [one for one in state["tables"] if one["held"]["number"]])
            seen = director.get("/api/state?table=1")
            assert json.loads(seen[1])["shown"]["length"] == 3
            assert director.get("/matches")[1].count(b'href="/matches/1.') == 1
    finally:
        broker.kill()


@needs_mosquitto
def test_table_whose_invitation_has_ended_is_shown_as_away(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", HALL, [])
    hub_file, table_file = inviting_hub_settings(tmp_path, HALL, broker), settings_file(tmp_path)
    try:
        with companion("hall", "--config", str(hub_file), home=tmp_path / "hub") as hub:
            director = hub.visitor()
            code = invited_on_page(director, "1")
            broker.start()
            assert one_command("join-hall", code, "--config", str(table_file)).returncode == 0
            with companion("run", "--config", str(table_file), home=tmp_path / "table"):
                director.wait(lambda state: [one["status"] for one in state["tables"]] == ["online"])
                reload = threading.Timer(0.5, broker.reload)
                reload.start()
                code = invited_on_page(director, "1")
                reload.join()
                director.wait(lambda state: [one["status"] for one in state["tables"]] == ["offline"])
            assert one_command("join-hall", code, "--config", str(table_file)).returncode == 0
            with companion("run", "--config", str(table_file), home=tmp_path / "table"):
                director.wait(lambda state: [one["status"] for one in state["tables"]] == ["online"])
    finally:
        broker.kill()
