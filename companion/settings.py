"""One TOML file becomes one frozen `Settings`; what is wrong in it is named with its line.

Every key stands in docs/SETTINGS.md, and a test keeps it so.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from companion.errors import UserError


class SettingsError(UserError, ValueError):
    """The settings cannot be used; the text names the file, the line and the remedy."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The eye above the board."""

    source: str = "auto"  # auto, none, recorded, a number, picamera, a URL, a file or a folder
    board: str = (
        ""  # the board file from `companion calibrate`; empty: the board is looked for in the picture
    )
    width: int = 1280
    height: int = 720
    fps: float = 15.0


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The page on the tablet."""

    host: str = "0.0.0.0"
    port: int = 8000
    address: str = ""  # what the printed links begin with; empty: this machine's address


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """What a new match begins with, where nobody says otherwise."""

    profile: str = "modern"
    length: int = 5
    south: str = "South"
    north: str = "North"
    overrides: Mapping[str, bool | int | str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class LampSettings:
    """The lamps beside the board: a BCM pin each, 0 for one that is not there."""

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
    """The players' buttons: a BCM pin each, 0 for one that is not there."""

    pull_up: bool = True
    bounce_s: float = 0.05
    hold_s: float = 1.5
    south_turn: int = 6
    north_turn: int = 19
    south_cube: int = 13
    north_cube: int = 26
    director: int = 16


@dataclass(frozen=True, slots=True)
class KeepSettings:
    """What is kept on disk."""

    folder: str = ""  # empty: where the system keeps a program's state
    pictures_mb: int = 500


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, section by section."""

    camera: CameraSettings = CameraSettings()
    page: PageSettings = PageSettings()
    match: MatchSettings = MatchSettings()
    lamps: LampSettings = LampSettings()
    buttons: ButtonSettings = ButtonSettings()
    keep: KeepSettings = KeepSettings()


_RANGES: Mapping[str, tuple[float, float]] = {
    "camera.width": (160, 3840),
    "camera.height": (120, 2160),
    "camera.fps": (1, 60),
    "page.port": (0, 65535),
    "match.length": (0, 99),
    "lamps.blink_s": (0.05, 10),
    "buttons.bounce_s": (0.001, 1),
    "buttons.hold_s": (0.2, 10),
    "keep.pictures_mb": (1, 1_000_000),
}
"""The smallest and the largest sensible value, for numbers where not every one makes sense."""


def load_settings(file: Path | None) -> Settings:
    """The settings in a TOML file; all as they come where there is no file named.

    Raises:
        SettingsError: the file cannot be read, or holds something that is no setting.
    """
    if file is None:
        return Settings()
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise SettingsError(f"The settings {file} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"The settings {file} are no text.") from None
    return parse_settings(text, str(file), file.parent)


def parse_settings(text: str, name: str, folder: Path = Path()) -> Settings:
    """The settings in a TOML text; paths in it are taken from `folder`.

    Raises:
        SettingsError: with `name` and the line.
    """
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{name}: {error}.") from None
    sections: dict[str, Any] = {}
    hints = get_type_hints(Settings)
    for section, values in given.items():
        if section not in hints:
            raise _wrong(
                name, text, section, "", f"there is no section [{section}]; there are {_listed(hints)}"
            )
        if not isinstance(values, dict):
            raise _wrong(
                name, text, "", section, f"{section} is a section: write [{section}] and its keys below"
            )
        sections[section] = _section(hints[section], section, values, name, text)
    settings = Settings(**sections)
    return _with_paths(settings, folder)


def _section(kind: Any, section: str, values: Mapping[str, Any], name: str, text: str) -> Any:
    hints = get_type_hints(kind)
    for key, value in values.items():
        if key not in hints:
            raise _wrong(name, text, section, key, f"there is no {section}.{key}; there are {_listed(hints)}")
        fault = _fault(f"{section}.{key}", value, hints[key])
        if fault:
            raise _wrong(name, text, section, key, fault)
    return kind(**values)


def _fault(key: str, value: Any, kind: Any) -> str:
    """What is wrong with a value, as the end of a sentence; empty when nothing is."""
    if get_origin(kind) is Literal:
        choices = get_args(kind)
        return "" if value in choices else f"{key} is {value!r}, but must be one of {_listed(choices)}"
    if get_origin(kind) not in (None, UnionType):
        if not isinstance(value, dict) or not all(
            isinstance(one, bool | int | str) for one in value.values()
        ):
            return f"{key} must be a section of its own, with numbers, words, true or false"
        return ""
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return f"{key} is {value!r}, but must be {_WORDS[kind]}"
    if key in _RANGES:
        low, high = _RANGES[key]
        if not low <= value <= high:
            return f"{key} is {value:g}, but must be from {low:g} to {high:g}"
    return ""


_WORDS: Mapping[Any, str] = {
    str: "a text in quotation marks",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    NoneType: "left out",
}


def _wrong(name: str, text: str, section: str, key: str, fault: str) -> SettingsError:
    line = line_of(text, section, key)
    return SettingsError(f"{name}, line {line}: {fault}." if line else f"{name}: {fault}.")


_HEADER = re.compile(r"\s*\[\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"'-]+(?:\s*\.\s*[A-Za-z0-9_\"'-]+)*)\s*=")


def line_of(text: str, section: str, key: str = "") -> int | None:
    """The line, counted from 1, on which a section's key (or the section itself) stands; None if hidden."""
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


def _listed(names: Any) -> str:
    return ", ".join(str(name) for name in names)


def _with_paths(settings: Settings, folder: Path) -> Settings:
    """Paths are meant from where the settings file lies, wherever the program was started."""
    from dataclasses import replace

    camera, keep = settings.camera, settings.keep
    if "/" in camera.source and "://" not in camera.source:
        camera = replace(camera, source=str(folder / Path(camera.source).expanduser()))
    if camera.board:
        camera = replace(camera, board=str(folder / Path(camera.board).expanduser()))
    if keep.folder:
        keep = replace(keep, folder=str(folder / Path(keep.folder).expanduser()))
    return replace(settings, camera=camera, keep=keep)


def all_keys() -> list[str]:
    """Every setting as `section.key`, in the order of the file."""
    keys = []
    for section in fields(Settings):
        kind = get_type_hints(Settings)[section.name]
        assert is_dataclass(kind)
        keys += [f"{section.name}.{key.name}" for key in fields(kind)]
    return keys
