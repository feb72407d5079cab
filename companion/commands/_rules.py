"""What the commands that go by a rule profile share: the settings file with the user's own."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rules.profile import Profile


def add_config(parser: argparse.ArgumentParser) -> None:
    """The option that names the settings file."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings, for profiles of your own")


def profiles_of(config: Path | None) -> "Mapping[str, Profile]":
    """The profiles that come with the program and those of the settings; SettingsError where they are wrong."""
    from companion.settings import load_settings

    return load_settings(config).profiles
