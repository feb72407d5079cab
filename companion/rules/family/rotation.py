"""Games that a match plays in turn: Tavli's Portes, Plakoto and Fevga; docs/rules/family.md, row F10."""

from collections.abc import Mapping
from dataclasses import replace

from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.profile import OF_A_GAME, Profile
from companion.rules.setting_values import Rotation
from sentence import NOTHING, Sentence

GAMES: Mapping[Rotation, tuple[str, ...]] = {Rotation.TAVLI: ("portes", "plakoto", "fevga")}
"""The profiles of the games of a rotation, in turn."""


def profile_of_game(profile: Profile, number: int) -> Profile:
    """The profile of a match as its nth game, from 1, is played; the same without a rotation."""
    if profile.rotation is Rotation.NONE:
        return profile
    game = _game(profile, number)
    return replace(profile, **{name: getattr(game, name) for name in OF_A_GAME})


def title_of_game(profile: Profile, number: int) -> Sentence:
    """The title of a match's nth game."""
    return profile.title if profile.rotation is Rotation.NONE else _game(profile, number).title


def variant_of_game(profile: Profile, number: int) -> Sentence:
    """The title of a match's nth game where several are played in turn, else nothing."""
    return NOTHING if profile.rotation is Rotation.NONE else _game(profile, number).title


def _game(profile: Profile, number: int) -> Profile:
    games = GAMES[profile.rotation]
    return ALL_PROFILES[games[(number - 1) % len(games)]]
