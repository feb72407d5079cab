"""The rules that the page offers: profiles, the settings that can be changed at the table, and their values."""

from collections.abc import Callable, Mapping

from companion.protocol.match_setup import settings_of
from companion.protocol.shapes import Rules, SettingValue, SwitchValues, UsualMatch
from companion.protocol.view import board_map
from companion.rules.board import Board, Side
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.profile import AT_TABLE, LABELS, OF_CUBE, Profile, labels_of, values_of
from sentence import Sentence, translatable


def rules_menu(
    usual: UsualMatch,
    now: Profile | None,
    profiles: Mapping[str, Profile] = ALL_PROFILES,
    in_words: Callable[[Sentence], str] = str,
) -> Rules:
    """The rules that the page offers for a new match or a change of rules.

    Args:
        usual: what a new match begins with.
        now: the rules of the current match.
        profiles: those to choose from.
        in_words: a sentence in the visitor's language, for what the page's catalogue has not.
    """
    return {
        "profiles": [
            {
                "name": one.name,
                "title": str(one.title),
                "about": str(one.about),
                "say": translatable(title=one.title, about=one.about),
                "words": [
                    {"lang": word.language, "word": word.word, "means": in_words(word.means)}
                    for word in one.words
                ],
                "start": board_map(Board.of(Side.SOUTH, one.positions(one.start, one.start))),
                "settings": _at_table(one),
            }
            for one in profiles.values()
        ],
        "switches": [_switch(name) for name in AT_TABLE],
        "usual": usual,
        "now": _at_table(now) if now else None,
    }


def _at_table(profile: Profile) -> dict[str, SettingValue]:
    return {
        setting.name: setting.value
        for setting in settings_of(profile)
        if setting.name in AT_TABLE and not isinstance(setting.value, tuple)
    }


def _switch(name: str) -> SwitchValues:
    label, labels = LABELS[name], labels_of(name)
    return {
        "name": name,
        "of_cube": name in OF_CUBE,
        "label": str(label),
        "values": values_of(name),
        "labels": None if labels is None else [str(one) for one in labels],
        "say": translatable(label=label, labels=labels or ()),
    }
