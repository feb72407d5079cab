"""Shared by the commands with a rule profile: the option of the settings file, which has the user's own profiles."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rules.profile import Profile


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the settings file."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings, for profiles of your own")


def profiles_of(config: Path | None) -> "Mapping[str, Profile]":
    """The program's profiles and those of the settings; SettingsError if the settings cannot be used."""
    from companion.settings import load_settings

    return load_settings(config).profiles
