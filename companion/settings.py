"""Reads a TOML file into a frozen `Settings`; an error in it is reported with its line.

Every key is documented in docs/SETTINGS.md, and a test checks that.
"""

import errno
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

from companion.errors import BadSettingError, UserError, shown
from companion.protocol.action_shapes import LONGEST_MATCH, LONGEST_NAME
from companion.rules.former import former_sentence, is_former, without_former
from companion.rules.profile import Profile, value_of
from companion.rules.profiles import PROFILES, profile_named, with_own


class SettingsError(UserError, ValueError):
    """Settings that cannot be used; the text names the file, the line and the remedy."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The camera above the board."""

    source: str = "auto"  # auto, plugged, none, recorded, a number, picamera, a URL, a file or a folder
    board: str = (
        ""  # the board file from `companion calibrate`; empty: the board is looked for in the picture
    )
    width: int = 1280
    height: int = 720
    fps: float = 15.0
    lock: bool = True  # hold exposure, gain and white balance once they have been metered
    mains_hz: Literal[50, 60] = 50  # lamps pulse twice a period


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The page on the tablet."""

    host: str = "0.0.0.0"
    port: int = 8000
    address: str = ""  # the beginning of links; empty: this machine's address
    language: Literal["", "de", "en", "fi", "ja", "tr"] = ""  # empty: the browser's
    theme: Literal["auto", "light", "dark"] = "auto"
    voice: bool = False
    proxies: int = 0  # number of proxies in front, whose X-Forwarded headers are trusted
    https_port: int = 0  # 0: plain HTTP only
    certificate: str = ""  # a PEM file with certificate and key; empty: the machine's own certificate


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Defaults of a new match."""

    profile: str = "modern"
    length: int = 5
    south: str = "South"
    north: str = "North"
    home: Literal["right", "left"] = "right"  # the side of south's home board, as south sees it
    south_checkers: Literal["light", "dark"] = "light"
    overrides: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class LampSettings:
    """The lamps beside the board: a BCM pin each, 0 for a missing lamp."""

    pins: Literal["auto", "gpio", "mock"] = "auto"
    active_high: bool = True
    blink_s: float = 0.4
    south_turn: int = 17
    north_turn: int = 27
    cube_south: int = 22
    cube_north: int = 23
    valid: int = 24
    again: int = 25
    look: int = 5
    buzzer: int = 0


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """The players' buttons: a BCM pin each, 0 for a missing button."""

    pull_up: bool = True
    bounce_s: float = 0.06
    hold_s: float = 1.5
    south_turn: int = 6
    north_turn: int = 19
    south_cube: int = 13
    north_cube: int = 26
    director: int = 16


@dataclass(frozen=True, slots=True)
class KeepSettings:
    """Data kept on disk."""

    folder: str = ""  # empty: the system's folder for a program's state
    pictures_mb: int = 500
    whole_pictures: bool = False  # False: cropped to the board, so that they show nobody who sits at it


@dataclass(frozen=True, slots=True)
class Given:
    """The settings file: its name and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, section by section."""

    camera: CameraSettings = CameraSettings()
    page: PageSettings = PageSettings()
    match: MatchSettings = MatchSettings()
    lamps: LampSettings = LampSettings()
    buttons: ButtonSettings = ButtonSettings()
    keep: KeepSettings = KeepSettings()
    profiles: Mapping[str, Profile] = field(default_factory=lambda: PROFILES)
    """The available rules: the program's profiles, and each [profiles.NAME]."""
    given: Given | None = field(default=None, compare=False, repr=False)
    notices: tuple[str, ...] = ()
    """One sentence with its line for each former setting in the file, which is ignored."""

    def named(self, key: str, fault: str) -> str:
        """A setting's fault, preceded by the file and line of the setting; unchanged if no file sets it."""
        section, _, last = key.partition(".")
        line = line_of(self.given.text, section, last) if self.given else None
        return f"{self.given.name}, line {line}: {fault}" if self.given and line else fault

    @contextmanager
    def blaming(self, key: str, *kinds: type[Exception]) -> Iterator[None]:
        """Prepend this setting's file and line to errors of these kinds, which are raised anew."""
        try:
            yield
        except kinds as error:
            raise type(error)(self.named(key, str(error))) from error


_RANGES: Mapping[str, tuple[float, float]] = {
    "camera.width": (160, 3840),
    "camera.height": (120, 2160),
    "camera.fps": (1, 60),
    "page.port": (0, 65535),
    "page.https_port": (0, 65535),
    "page.proxies": (0, 5),
    "match.length": (0, LONGEST_MATCH),
    "lamps.blink_s": (0.05, 10),
    "buttons.bounce_s": (0.001, 1),
    "buttons.hold_s": (0.2, 10),
    "keep.pictures_mb": (1, 1_000_000),
}
"""The smallest and the largest sensible value of numbers with a limited range."""


_PINS = [
    (section, key.name)
    for section, kind in (("lamps", LampSettings), ("buttons", ButtonSettings))
    for key in fields(kind)
    if key.type is int
]
"""Every key that holds a BCM pin, by section and name."""


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
    try:
        given = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits gives a plain ValueError
        raise SettingsError(_no_toml(error, name, text)) from None
    _check_size(given, name, text)
    given, notices = _without_former(given, name, text)
    sections: dict[str, Any] = {"profiles": _profiles(given.pop("profiles", {}), name, text)}
    hints = {name: kind for name, kind in get_type_hints(Settings).items() if is_dataclass(kind)}
    for section, values in given.items():
        if section not in hints:
            raise _wrong(
                name,
                text,
                section,
                "",
                f"there is no section [{_named(section)}]; there are {_listed(hints)}, profiles.NAME",
            )
        if not isinstance(values, dict):
            raise _wrong(
                name, text, "", section, f"{section} is a section: write [{section}] and its keys below"
            )
        sections[section] = _section(hints[section], section, values, name, text)
    settings = Settings(**sections, given=Given(name, text), notices=notices)
    _check_rules(settings, name, text)
    _check_pins(settings, given, name, text)
    _check_ports(settings, name, text)
    if settings.buttons.hold_s <= settings.buttons.bounce_s:
        fault = "buttons.hold_s must be longer than buttons.bounce_s, else every press is a long one"
        raise _wrong(
            name, text, "buttons", "hold_s" if line_of(text, "buttons", "hold_s") else "bounce_s", fault
        )
    return _with_paths(settings, folder)


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


def _check_size(given: Mapping[str, Any], name: str, text: str) -> None:
    """Refuse whole numbers beyond TOML's 64 bits: Python reads them, but not all can become floats or text."""
    waiting: list[tuple[str, str, Any]] = [("", key, value) for key, value in given.items()]
    for section, key, value in waiting:  # grows during the loop: tables may be nested deeply
        if isinstance(value, dict):
            within = f"{section}.{key}".strip(".")
            waiting += [(within, one, held) for one, held in value.items()]
        elif isinstance(value, list):
            waiting += [(section, key, held) for held in value]
        elif isinstance(value, int) and value.bit_length() > 63:
            where = _named(f"{section}.{key}".strip("."))
            raise _wrong(name, text, section, key, f"{where} is a number of more digits than any setting has")


def _without_former(given: Mapping[str, Any], name: str, text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The file without former rule settings, which had no effect, and a notice for each."""
    notices: list[str] = []

    def current(values: object, section: str) -> object:
        if not isinstance(values, dict):
            return values
        for key, value in values.items():
            if is_former(key, value):
                line = line_of(text, section, key) or line_of(text, section)
                notices.append(f"{name}, line {line}: {former_sentence(key, value)} It can be left out.")
        return without_former(values)

    kept = dict(given)
    if isinstance(profiles := kept.get("profiles"), dict):
        kept["profiles"] = {one: current(table, f"profiles.{one}") for one, table in profiles.items()}
    match = kept.get("match")
    if isinstance(match, dict) and "overrides" in match:
        kept["match"] = {**match, "overrides": current(match["overrides"], "match.overrides")}
    return kept, tuple(notices)


def _profiles(tables: Any, name: str, text: str) -> Mapping[str, Profile]:
    """The program's profiles and those of the file, each of which may be based on an earlier one."""
    known: Mapping[str, Profile] = PROFILES
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise _wrong(
            name, text, "profiles", "", "a profile is a section: write [profiles.NAME], its settings below"
        )
    for profile, table in tables.items():
        section = f"profiles.{profile}"
        settings = {
            key: value for key, value in table.items() if key not in ("based_on", "title", "description")
        }
        _check_each(settings, section, name, text)
        try:
            known = with_own(profile, table, known)
        except BadSettingError as error:
            key = "based_on" if str(error).startswith("There is no profile") else ""
            raise _wrong(name, text, section, key, str(error)) from None
    return known


def _check_rules(settings: Settings, name: str, text: str) -> None:
    """Check the profile and the overrides of [match] early: at the table they cannot be corrected."""
    match = settings.match
    try:
        profile = profile_named(match.profile[:60], settings.profiles)
    except BadSettingError as error:
        raise _wrong(name, text, "match", "profile", str(error)) from None
    _check_each(match.overrides, "match.overrides", name, text)
    try:
        profile.with_overrides(match.overrides)
    except BadSettingError as error:
        raise _wrong(name, text, "match", "overrides", str(error)) from None


def _check_pins(settings: Settings, given: Mapping[str, Any], name: str, text: str) -> None:
    """Refuse a pin used twice, defaults included; the error names a key in the file, the lower one of two."""

    def order(use: tuple[str, str]) -> tuple[bool, int]:
        section, key = use
        return key in given.get(section, {}), line_of(text, section, key) or line_of(text, "", section) or 0

    users: dict[int, tuple[str, str]] = {}
    for section, key in _PINS:
        pin = getattr(getattr(settings, section), key)
        if not pin:
            continue
        if pin in users:
            first, last = sorted((users[pin], (section, key)), key=order)
            fault = f"{'.'.join(last)} is {pin}, the pin of {'.'.join(first)}"
            raise _wrong(name, text, *last, fault)
        users[pin] = (section, key)


def _check_ports(settings: Settings, name: str, text: str) -> None:
    """Refuse one port for HTTP and HTTPS."""
    port = settings.page.https_port
    if port and port == settings.page.port:
        fault = f"page.https_port is {port}, the port of plain HTTP (page.port); it needs one of its own"
        raise _wrong(name, text, "page", "https_port", fault)


def _check_each(values: Mapping[str, object], section: str, name: str, text: str) -> None:
    """Check every setting of a profile by itself, so that the error names its line."""
    for key, value in values.items():
        try:
            value_of(key, value)
        except BadSettingError as error:
            at = key if line_of(text, section, key) else ""
            raise _wrong(name, text, section, at, str(error)) from None


def _section(kind: Any, section: str, values: Mapping[str, Any], name: str, text: str) -> Any:
    hints = get_type_hints(kind)
    for key, value in values.items():
        if key not in hints:
            fault = f"there is no {section}.{_named(key)}; there are {_listed(hints)}"
            raise _wrong(name, text, section, key, fault)
        fault = _fault(f"{section}.{key}", value, hints[key])
        if fault:
            raise _wrong(name, text, section, key, fault)
    return kind(**values)


def _fault(key: str, value: Any, kind: Any) -> str:
    """The fault of a value, as the end of a sentence; empty if there is none."""
    if get_origin(kind) is Literal:
        choices = get_args(kind)
        return "" if value in choices else f"{key} is {_given(value)}, but must be one of {_listed(choices)}"
    if get_origin(kind) not in (None, UnionType):
        return "" if isinstance(value, dict) else f"{key} must be settings of the profile by name"
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return f"{key} is {_given(value)}, but must be {_WORDS[kind]}"
    if tuple(key.split(".")) in _PINS and value != 0 and not 2 <= value <= 27:
        return f"{key} is {value:g}, but must be one of a Pi's BCM pins, 2 to 27, or 0 for none"
    if kind is str:
        return _text_fault(key, value)
    if key in _RANGES:
        low, high = _RANGES[key]
        if not low <= value <= high:
            return f"{key} is {value:.15g}, but must be from {low:.15g} to {high:.15g}"
    return ""


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
    if key == "page.address" and text and not _is_address(text):
        return f"{key} is {_given(text)}, but must begin with http:// or https:// and name a machine"
    return ""


MOST_BYTES = 255
"""Longest part of a path, and longest name of a machine."""


def _is_address(text: str) -> bool:
    """Whether the text can be the beginning of links."""
    try:
        parts = urlsplit(text)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and " " not in text and parts.port != 0
        )
    except ValueError:
        return False


_WORDS: Mapping[Any, str] = {
    str: "a text in quotation marks",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    NoneType: "left out",
}


def _wrong(name: str, text: str, section: str, key: str, fault: str) -> SettingsError:
    line = line_of(text, section, key) or line_of(text, "", section.partition(".")[0])
    end = "" if fault.endswith((".", "?")) else "."
    return SettingsError(f"{name}, line {line}: {fault}{end}" if line else f"{name}: {fault}{end}")


_HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"'-]+(?:\s*\.\s*[A-Za-z0-9_\"'-]+)*)\s*=")


def line_of(text: str, section: str, key: str = "") -> int | None:
    """The line number, from 1, of a section's key (or of the section itself); None if it is not found."""
    wanted = f"{section}.{key}".strip(".")
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            here = _plain(header[1])
            if here == wanted or (not key and here.startswith(wanted + ".")):
                return number
        elif found := _KEY.match(line):
            full = f"{here}.{_plain(found[1])}".strip(".")
            if full == wanted or full.startswith(wanted + "."):
                return number
    return None


def _plain(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))


def _given(value: object) -> str:
    """A value for a sentence, in Python's notation."""
    return shown(repr(value))


def _named(key: str) -> str:
    """A key for a sentence; a quoted key may be any text."""
    return shown(key if key.isprintable() else repr(key))


def _listed(names: Any) -> str:
    return ", ".join(str(name) or '""' for name in names)


def _with_paths(settings: Settings, folder: Path) -> Settings:
    """The settings with paths relative to the settings file's folder, not to the current one."""

    def full(key: str, path: str) -> str:
        try:
            return str(folder / Path(path).expanduser())
        except RuntimeError:  # ~name of a user unknown to this machine
            raise SettingsError(settings.named(key, f"There is no such home folder as in {path}.")) from None

    camera, keep, page = settings.camera, settings.keep, settings.page
    if "/" in camera.source and "://" not in camera.source:
        camera = replace(camera, source=full("camera.source", camera.source))
    if camera.board:
        camera = replace(camera, board=full("camera.board", camera.board))
    if keep.folder:
        keep = replace(keep, folder=full("keep.folder", keep.folder))
    if page.certificate:
        page = replace(page, certificate=full("page.certificate", page.certificate))
    return replace(settings, camera=camera, keep=keep, page=page)


def all_keys() -> list[str]:
    """Every setting as `section.key`, in the order of the file."""
    keys = []
    for section in fields(Settings):
        kind = get_type_hints(Settings)[section.name]
        if not is_dataclass(kind):  # the profiles, whose settings docs/PROFILES.md lists
            continue
        keys += [f"{section.name}.{key.name}" for key in fields(kind)]
    return keys
