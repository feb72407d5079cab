"""Checks that the table's sentences are translated into every language."""

import re
from collections.abc import Iterator
from typing import Any

from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.profile import SETTINGS
from web.languages import LANGUAGES, words

PLACE = re.compile(r"\{(\w+)\}")
OTHERS = [language for language in LANGUAGES if language != "en"]
NAMES = frozenset({"Ann", "Bob", "bar", "off", *SETTINGS, *ALL_PROFILES})
"""Words that stay untranslated: the tests' players, notation, and names in the settings file."""


def untranslated(sentence: dict[str, Any]) -> Iterator[str]:
    """Parts of a sentence's JSON that stay English in some language: templates, and words among the values."""
    template = sentence["t"]
    if PLACE.sub("", template).strip(" →") and not all(template in words(language) for language in OTHERS):
        yield template
    for value in sentence.get("v", {}).values():
        for one in value if isinstance(value, list) else [value]:
            yield from untranslated(one) if isinstance(one, dict) else english_words(one)


def english_words(text: object) -> list[str]:
    """English words in a text that is the same in every language and should have none."""
    return [word for word in re.findall(r"[A-Za-z_]\w{2,}", str(text), re.ASCII) if word not in NAMES]


def left_english(
    view: Any, fields: tuple[str, ...] = ("text", "label", "misfit", "reason_text")
) -> Iterator[str]:
    """Parts that stay English of all sentences in the page's JSON."""
    if isinstance(view, list):
        for one in view:
            yield from left_english(one, fields)
    if isinstance(view, dict):
        sentences = view.get("say", {})
        for field in fields:
            if field not in sentences and isinstance(view.get(field), str):
                yield from english_words(view[field])
        for one in sentences.values():
            for each in one if isinstance(one, list) else [one]:
                yield from untranslated(each)
        for name, one in view.items():
            if name != "say":
                yield from left_english(one, fields)
