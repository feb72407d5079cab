"""Options that several commands share, and what they name: the settings, the state folder, a rule profile."""

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.rules.profile import Profile
    from companion.settings import Settings

FOR_PROFILES = "for profiles of your own"


def add_config(parser: argparse.ArgumentParser, what: str = "a TOML file") -> None:
    """Add the option that names the settings file."""
    parser.add_argument("--config", type=Path, metavar="FILE", help=f"the settings, {what}")


def add_where(parser: argparse.ArgumentParser) -> None:
    """Add the options for the state folder."""
    add_config(parser)
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="the state folder, where it is another")


def port(text: str) -> int:
    """The port of an argument, 0 for any free one."""
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text[:40]}.")
    return int(text)


def add_running(parser: argparse.ArgumentParser, whose: str) -> None:
    """Add the options of a program that serves pages until it is stopped."""
    add_config(parser)
    parser.add_argument(
        "--port", type=port, metavar="N", help=f"{whose} port, before page.port; 0: any free one"
    )


def running_settings(args: Any) -> "Settings":
    """The settings of such a program, on the port of its command line."""
    from companion.settings import load_settings

    settings = load_settings(args.config)
    if args.port is None:
        return settings
    return replace(settings, page=replace(settings.page, port=args.port))


def folder_of(args: Any) -> Path:
    """The state folder named by `--state`, else by the settings."""
    if args.state is not None:
        return Path(args.state)
    from companion.settings import load_settings
    from companion.storage.folder import state_folder

    return state_folder(load_settings(args.config).keep.folder)


def profile_of(name: str, config: Path | None) -> "Profile":
    """The rule profile of that name, the program's or one of the settings; SettingsError, BadSettingError."""
    from companion.rules.profiles import profile_named
    from companion.settings import load_settings

    return profile_named(name, load_settings(config).profiles)
