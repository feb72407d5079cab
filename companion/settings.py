"""Reads a TOML file into a frozen `Settings`; an error in it is reported with its line.

Every key is documented in docs/SETTINGS.md, and a test checks that.
"""

import errno
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, inspect

from companion.errors import BadSettingError, GameError, UserError, shown, written
from companion.game.events import Orientation
from companion.game.games import check_orientation
from companion.protocol.action_shapes import LONGEST_MATCH, LONGEST_NAME
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.former import former_sentence, is_former, without_former
from companion.rules.profile import Profile, value_of
from companion.rules.profiles import profile_named, with_own

Port: TypeAlias = Annotated[int, Meta(ge=0, le=65535)]
Pin: TypeAlias = Annotated[
    Literal[0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27],
    Meta(description="one of a Pi's BCM pins, 2 to 27, or 0 for none"),
]  # fmt: skip


class SettingsError(UserError, ValueError):
    """Settings that cannot be used; the text names the file, the line and the remedy."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The camera above the board."""

    source: str = "auto"  # auto, plugged, none, recorded, a number, picamera, a URL, a file or a folder
    board: str = ""  # the board file from `companion calibrate`; empty: it is looked for in the picture
    width: Annotated[int, Meta(ge=160, le=3840)] = 1280
    height: Annotated[int, Meta(ge=120, le=2160)] = 720
    fps: Annotated[float, Meta(ge=1, le=60)] = 15.0
    lock: bool = True  # hold exposure, gain and white balance once they have been metered
    mains_hz: Literal[50, 60] = 50  # lamps pulse twice a period
    reads: Literal["off", "dice", "dice and checkers"] = "dice"  # can be changed on the page


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The page on the tablet."""

    host: str = "0.0.0.0"
    port: Port = 8000
    address: str = ""  # the beginning of links; empty: this machine's address
    language: Literal["", "de", "en", "fi", "ja", "tr"] = ""  # empty: the browser's
    theme: Literal["auto", "light", "dark"] = "auto"
    voice: bool = False
    proxies: Annotated[int, Meta(ge=0, le=5)] = 0  # proxies in front whose X-Forwarded headers are trusted
    https_port: Port = 0  # 0: plain HTTP only
    certificate: str = ""  # a PEM file with certificate and key; empty: the machine's own certificate


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Defaults of a new match."""

    profile: str = "modern"
    length: Annotated[int, Meta(ge=0, le=LONGEST_MATCH)] = 5
    south: str = "South"
    north: str = "North"
    home: Literal["right", "left"] = "right"  # the side of south's home board, as south sees it
    south_checkers: Literal["light", "dark"] = "light"
    overrides: Annotated[Mapping[str, object], Meta(description="settings of the profile by name")] = field(
        default_factory=dict
    )


@dataclass(frozen=True, slots=True)
class LampSettings:
    """The lamps beside the board: a BCM pin each, 0 for a missing lamp."""

    pins: Literal["auto", "gpio", "mock"] = "auto"
    active_high: bool = True
    blink_s: Annotated[float, Meta(ge=0.05, le=10)] = 0.4
    south_turn: Pin = 17
    north_turn: Pin = 27
    cube_south: Pin = 22
    cube_north: Pin = 23
    valid: Pin = 24
    again: Pin = 25
    look: Pin = 5
    buzzer: Pin = 0


@dataclass(frozen=True, slots=True)
class LightSettings:
    """An LED strip beside the board, behind a WLED controller."""

    url: str = ""  # http://NAME of the controller; empty: no strip
    leds: Annotated[int, Meta(ge=2, le=2000)] = 60
    brightness: Annotated[int, Meta(ge=1, le=255)] = 96
    south_first: bool = True  # the half at the strip's first LED is south's


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """The players' buttons: a BCM pin each, 0 for a missing button."""

    pull_up: bool = True
    bounce_s: Annotated[float, Meta(ge=0.001, le=1)] = 0.06
    hold_s: Annotated[float, Meta(ge=0.2, le=10)] = 1.5
    south_turn: Pin = 6
    north_turn: Pin = 19
    south_cube: Pin = 13
    north_cube: Pin = 26
    director: Pin = 16


@dataclass(frozen=True, slots=True)
class KeepSettings:
    """Data kept on disk."""

    folder: str = ""  # empty: the system's folder for a program's state
    pictures_mb: Annotated[int, Meta(ge=1, le=1_000_000)] = 500
    whole_pictures: bool = False  # False: cropped to the board, so that they show nobody who sits at it


@dataclass(frozen=True, slots=True)
class HallSettings:
    """The hall that this table belongs to, or whose hub this is."""

    broker: str = ""  # mqtts://HOST; empty: no hall
    name: str = ""
    table: str = ""  # this table's name; empty at a hub
    credentials: str = ""  # a file with user and password at the broker
    store: str = ""  # the hub's record, sqlite:///FILE or postgresql://…; empty: in the state folder
    passwords: str = ""  # the broker's password file, which the hub keeps; empty: in the state folder
    webhook: str = ""  # at the hub, where results and calls are posted; empty: nowhere
    rulings: bool = True  # this table takes rulings from the hall's desk
    delay_s: Annotated[int, Meta(ge=0, le=7200)] = 0  # spectators see everything so much later
    pictures: Literal["never", "asked", "disputes"] = (
        "asked"  # what of its tables' pictures a hub has; see docs
    )
    pictures_for_spectators: bool = False  # at the hub, they see pictures as late as all else
    pictures_mb: Annotated[int, Meta(ge=1, le=1_000_000)] = (
        500  # at the hub, the oldest ones beyond it are deleted
    )
    home_automation: bool = False  # at the hub, Home Assistant finds the tables over the hall's broker


@dataclass(frozen=True, slots=True)
class Given:
    """The settings file: its name, its text, and the folder from which its paths are relative."""

    name: str
    text: str
    folder: Path

    def line(self, key: str) -> int | None:
        """The line of a key, or of the innermost section around it that has one."""
        while key and line_of(self.text, key) is None:
            key = key.rpartition(".")[0]
        return line_of(self.text, key) if key else None

    def fault(self, key: str, fault: str) -> SettingsError:
        """The error for a fault of a key or a section, with its line."""
        line = self.line(key)
        where = f"{self.name}, line {line}" if line else self.name
        return SettingsError(f"{where}: {fault}" + ("" if fault.endswith((".", "?")) else "."))

    @contextmanager
    def blaming(self, key: str, kind: type[GameError] = BadSettingError) -> Iterator[None]:
        """Raise a rule's error as that of a key or a section."""
        try:
            yield
        except kind as error:
            raise self.fault(key, str(error)) from None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, section by section."""

    camera: CameraSettings = CameraSettings()
    page: PageSettings = PageSettings()
    match: MatchSettings = MatchSettings()
    lamps: LampSettings = LampSettings()
    lights: LightSettings = LightSettings()
    buttons: ButtonSettings = ButtonSettings()
    keep: KeepSettings = KeepSettings()
    hall: HallSettings = HallSettings()
    profiles: Mapping[str, Profile] = field(default_factory=lambda: ALL_PROFILES)
    """The available rules: the program's profiles, and each [profiles.NAME]."""
    given: Given | None = field(default=None, compare=False, repr=False)
    notices: tuple[str, ...] = ()
    """One sentence with its line for each former setting in the file, which is ignored."""

    def named(self, key: str, fault: str) -> str:
        """A setting's fault, preceded by the file and line of the setting; unchanged if no file sets it."""
        line = line_of(self.given.text, key) if self.given else None
        return f"{self.given.name}, line {line}: {fault}" if self.given and line else fault

    @contextmanager
    def blaming(self, key: str, *kinds: type[Exception]) -> Iterator[None]:
        """Prepend this setting's file and line to errors of these kinds, which are raised anew."""
        try:
            yield
        except kinds as error:
            raise type(error)(self.named(key, str(error))) from error


_SECTIONS: Mapping[str, Any] = {
    one.name: type(one.default) for one in fields(Settings) if is_dataclass(one.default)
}
_HINTS = {section: get_type_hints(kind, include_extras=True) for section, kind in _SECTIONS.items()}
_PINS = [
    f"{section}.{key}" for section, hints in _HINTS.items() for key, hint in hints.items() if hint == Pin
]
_PATHS = (
    "camera.source",
    "camera.board",
    "keep.folder",
    "page.certificate",
    "hall.credentials",
    "hall.passwords",
)
MOST_BYTES = 255
"""Longest part of a path, and longest name of a machine."""


def load_settings(file: Path | None) -> Settings:
    """The settings in a TOML file; the defaults for None.

    Raises:
        SettingsError: the file cannot be read, has something that is no setting, or is a pipe, a folder or a
            device other than /dev/null.
    """
    if file is None:
        return Settings()
    try:
        if file.exists() and not file.is_file() and not file.samefile(os.devnull):
            raise OSError(errno.EINVAL, "it is no file")  # reading a pipe would block, a device may never end
        text = file.read_text("utf-8-sig")  # some editors begin a file with a byte order mark
    except OSError as error:
        raise SettingsError(f"The settings {file} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{file}, line {line}: this is no text in UTF-8.") from None
    return parse_settings(text, str(file), file.parent)


def parse_settings(text: str, name: str, folder: Path = Path()) -> Settings:
    """The settings in a TOML text; paths in it are relative to `folder`.

    Raises:
        SettingsError: the text is no TOML or has something that is no setting; its text has `name` and the line.
    """
    given = Given(name, text, folder)
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits gives a plain ValueError
        raise SettingsError(_no_toml(error, name, text)) from None
    notices: list[str] = []
    match = tables.get("match")
    if isinstance(match, dict) and isinstance(match.get("overrides"), dict):
        match["overrides"] = _without_former(match["overrides"], "match.overrides", given, notices)
    profiles = _profiles(tables.pop("profiles", {}), given, notices)
    sections = {section: _section(section, values, given) for section, values in tables.items()}
    settings = Settings(**sections, profiles=profiles, given=given, notices=tuple(notices))
    _check_rules(settings, given)
    _check_pins(settings, tables, given)
    page, buttons = settings.page, settings.buttons
    if page.https_port and page.https_port == page.port:
        fault = f"page.https_port is {page.port}, the port of plain HTTP (page.port); it needs one of its own"
        raise given.fault("page.https_port", fault)
    if buttons.hold_s <= buttons.bounce_s:
        fault = "buttons.hold_s must be longer than buttons.bounce_s, else every press is a long one"
        raise given.fault("buttons.hold_s" if "hold_s" in tables["buttons"] else "buttons.bounce_s", fault)
    return settings


def _no_toml(error: Exception, name: str, text: str) -> str:
    """The sentence for a file that is no TOML, with the line of the parser's error."""
    found = re.search(r"at line (\d+)", str(error))
    line = found[1] if found else str(len(text.splitlines())) if "end of document" in str(error) else ""
    what = (
        "something is said there twice"
        if re.search("overwrite|twice|mutate", str(error))
        else "this is no TOML: look at its brackets, quotation marks and equals signs"
    )
    return f"{name}, line {line}: {what}." if line else f"{name}: {what}."


def _without_former(
    table: Mapping[str, object], section: str, given: Given, notices: list[str]
) -> dict[str, object]:
    """Rule settings without the former ones, which had no effect and add a notice each."""
    for key, value in table.items():
        if is_former(key, value):
            line = given.line(f"{section}.{key}")
            notices.append(f"{given.name}, line {line}: {former_sentence(key, value)} It can be left out.")
    return without_former(table)


def _profiles(tables: Any, given: Given, notices: list[str]) -> Mapping[str, Profile]:
    """The program's profiles and those of the file, each of which may be based on an earlier one."""
    known: Mapping[str, Profile] = ALL_PROFILES
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise given.fault("profiles", "a profile is a section: write [profiles.NAME], its settings below")
    for name, table in tables.items():
        section = f"profiles.{name}"
        table = _without_former(table, section, given, notices)
        rules = {key: one for key, one in table.items() if key not in ("based_on", "title", "description")}
        _check_each(rules, section, given)
        for key in ("based_on", "title", "description"):
            if not isinstance(value := table.get(key, ""), str):
                fault = f"{section}.{key} is {_given(value)}, but must be a text in quotation marks"
                raise given.fault(f"{section}.{key}", fault)
        if base := table.get("based_on"):
            with given.blaming(f"{section}.based_on"):
                profile_named(str(base)[:60], known)
        with given.blaming(section):
            known = with_own(name, table, known)
    return known


def _check_each(values: Mapping[str, object], section: str, given: Given) -> None:
    """Check every setting of a profile by itself, so that the error names its line."""
    for key, value in values.items():
        with given.blaming(f"{section}.{key}"):
            value_of(key, value)


def _check_rules(settings: Settings, given: Given) -> None:
    """Check the profile and the overrides of [match] early: at the table they cannot be corrected."""
    match = settings.match
    with given.blaming("match.profile"):
        profile = profile_named(match.profile[:60], settings.profiles)
    _check_each(match.overrides, "match.overrides", given)
    with given.blaming("match.overrides"):
        profile = profile.with_chosen(match.overrides)
    with given.blaming("match.home" if match.home != "right" else "match.south_checkers", GameError):
        check_orientation(profile, Orientation(match.home, match.south_checkers))
    if match.south.casefold() == match.north.casefold() != "":
        raise given.fault(
            "match.north", "both players have the same name, and nobody could tell whose turn it is."
        )


def _check_pins(settings: Settings, tables: Mapping[str, Any], given: Given) -> None:
    """Refuse a pin used twice, defaults included; the error names a key in the file, the lower one of two."""

    def line(name: str) -> int:
        section, _, key = name.partition(".")
        return (given.line(name) or 0) if key in tables.get(section, {}) else 0

    users: dict[int, str] = {}
    for name in sorted(_PINS, key=line):
        pin = attrgetter(name)(settings)
        if pin and pin in users:
            raise given.fault(name, f"{name} is {pin}, the pin of {users[pin]}")
        users[pin] = name


def _section(section: str, values: object, given: Given) -> Any:
    """The settings of one section; SettingsError for a key that does not exist or cannot have its value."""
    if section not in _SECTIONS:
        there = ", ".join(_SECTIONS)
        fault = f"there is no section [{_named(section)}]; there are {there}, profiles.NAME"
        raise given.fault(section, fault)
    if not isinstance(values, dict):
        raise given.fault(section, f"{section} is a section: write [{section}] and its keys below")
    hints, found = _HINTS[section], {}
    for key, value in values.items():
        name = f"{section}.{key}"
        if key not in hints:
            raise given.fault(name, f"there is no {section}.{_named(key)}; there are {', '.join(hints)}")
        try:
            found[key] = msgspec.convert(value, hints[key])
        except (msgspec.ValidationError, ValueError):  # the latter for a number too long for msgspec to quote
            fault = f"{name} is {_given(value)}, but must be {_wanted(hints[key])}"
            raise given.fault(name, fault) from None
        if isinstance(value, str):
            found[key] = _text(name, value, given)
    return _SECTIONS[section](**found)


def _wanted(hint: Any) -> str:
    """The values that a setting may have, as the end of a sentence."""
    match inspect.type_info(hint):
        case inspect.Metadata(extra_json_schema={"description": str(words)}):
            return words
        case inspect.LiteralType(values=words):
            return "one of " + ", ".join(str(word) or '""' for word in words)
        case inspect.IntType(ge=low, le=high):
            return f"a whole number from {low} to {high}"
        case inspect.FloatType(ge=low, le=high):
            return f"a number from {low} to {high}"
        case inspect.BoolType():
            return "true or false"
    return "a text in quotation marks"


def _text(key: str, text: str, given: Given) -> str:
    """A setting's text, a path made relative to the file's folder; SettingsError for one that it cannot have."""
    if fault := _text_fault(key, text):
        raise given.fault(key, fault)
    is_path = "/" in text and "://" not in text if key == "camera.source" else bool(text)
    if key not in _PATHS or not is_path:
        return text
    try:
        return str(given.folder / Path(text).expanduser())
    except RuntimeError:  # ~name of a user unknown to this machine
        raise given.fault(key, f"There is no such home folder as in {text}.") from None


def _text_fault(key: str, text: str) -> str:
    """The fault of a text, as the end of a sentence; empty if there is none."""
    if key in ("match.south", "match.north") and len(text) > LONGEST_NAME:
        return f"{key} is longer than {LONGEST_NAME} letters"
    if len(text.encode()) > MOST_BYTES and "://" not in text:
        return f"{key} is longer than {MOST_BYTES} bytes"
    if not text.isprintable():
        return f"{key} holds a character that cannot be printed"
    if key == "camera.source" and not text.strip():
        return f'{key} is empty, but must name a camera; "none": everything is typed in'
    if key in ("page.address", "lights.url") and text and not _is_address(text):
        return f"{key} is {_given(text)}, but must begin with http:// or https:// and name a machine"
    return ""


def _is_address(text: str) -> bool:
    """Whether the text can be the beginning of links."""
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https")
        return is_web and bool(parts.hostname) and " " not in text and parts.port != 0
    except ValueError:
        return False


_HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"'-]+(?:\s*\.\s*[A-Za-z0-9_\"'-]+)*)\s*=")


def line_of(text: str, wanted: str) -> int | None:
    """The line number, from 1, of a section or of a section's key (`page.port`); None if it is not found."""
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        name = ""
        if header := _HEADER.match(line):
            name = here = _plain(header[1])
        elif found := _KEY.match(line):
            name = f"{here}.{_plain(found[1])}".strip(".")
        if f"{name}.".startswith(f"{wanted}."):
            return number
    return None


def _plain(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))


def _named(key: str) -> str:
    """A key for a sentence; a quoted key may be any text."""
    return shown(key if key.isprintable() else written(key))


def _given(value: object) -> str:
    """A value for a sentence, as the file writes it."""
    return shown(written(value) if isinstance(value, str) else value)
