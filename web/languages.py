"""The page's languages: the choice for a visitor, and the catalogue for the scripts in the browser."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING

from babel.numbers import format_decimal
from babel.support import Translations
from flask import Flask, Request, request
from flask_babel import Babel, get_locale, get_translations
from markupsafe import Markup

from sentence import Sentence

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LANGUAGES: Mapping[str, str] = {
    "de": "Deutsch",
    "en": "English",
    "fi": "Suomi",
    "ja": "日本語",
    "tr": "Türkçe",
}
MINUS = "\N{MINUS SIGN}"
"""The page's one sign for a loss, as the scripts write it."""
COOKIE = "lang"
FOLDER = Path(__file__).parent / "translations"
SCRIPTS = "web/static/js/"


def language_of(asked: Request, usual: str = "") -> str:
    """The language chosen on the page, else `usual`, else the browser's first that we have, else English."""
    for chosen in (asked.cookies.get(COOKIE, ""), usual):
        if chosen in LANGUAGES:
            return chosen
    return asked.accept_languages.best_match(list(LANGUAGES), "en") or "en"


SPOKEN_HERE = (
    "companion/hall/protocol/draw.py",
    "companion/hall/protocol/orders.py",
    "companion/hall/protocol/pairings.py",
    "companion/hall/protocol/ticket.py",
    "companion/protocol/actions.py",
    "companion/protocol/permissions.py",
    "companion/records/ids.py",
    "companion/records/ogxm/document.py",
    "companion/records/snapshot.py",
    "companion/rules/former.py",
    "companion/rules/notation.py",
    "companion/rules/words.py",
    "companion/service/archive/opened.py",
    "companion/service/hall/pages/draws.py",
    "companion/service/hall/hub.py",
    "companion/service/hall/inviting.py",
    "companion/service/hall/pages/pairings.py",
    "companion/service/hall/pages/pictures.py",
    "companion/service/hall/pages/rulings.py",
    "companion/service/twelve_throws.py",
)
"""Files of the program whose sentences are sent in the visitor's language, on a page or as a refusal's "said", never as
templates."""


@cache
def words(language: str) -> Mapping[str, str | Sequence[str]]:
    """The catalogue from English text to the language's, to all plural forms if it has a number; empty for English."""
    if language == "en":
        return {}
    return {
        str(one.id[0] if one.pluralizable else one.id): one.string
        for one in _catalogue(language)
        if one.id and one.string and not one.fuzzy
    }


def _catalogue(language: str) -> "Catalog":
    from babel.messages.pofile import read_po  # loaded when a page is shown, so that a start waits less

    with (FOLDER / language / "LC_MESSAGES" / "messages.po").open("rb") as source:
        return read_po(source, locale=language)


@cache
def translations_in(language: str) -> NullTranslations:
    """The catalogue of a language for `gettext`; an empty one for English."""
    return Translations.load(str(FOLDER), [language])


def wording_in(language: str) -> Callable[[Sentence], str]:
    """The templates of sentences in a language, for `Sentence.in_words`."""
    return partial(_template, translations_in(language))


@cache
def script_words(language: str, scripts: tuple[str, ...] = ()) -> Mapping[str, str | Sequence[str]]:
    """The catalogue without the texts of templates and requests only: those are translated here, not in the browser.

    Args:
        language: its code.
        scripts: the scripts of the page, which has no use for the texts of the table's other pages; () for all.
    """
    known = words(language)
    if not known:
        return known
    here = {
        str(one.id[0] if one.pluralizable else one.id)
        for one in _catalogue(language)
        if one.locations and all(_is_idle(file, scripts) for file, _line in one.locations)
    }
    return {text: wording for text, wording in known.items() if text not in here}


def _is_idle(file: str, scripts: tuple[str, ...]) -> bool:
    """Whether a file's texts are translated here, or are those of a script that the page has not."""
    if file.startswith(SCRIPTS):
        name = file.removeprefix(SCRIPTS)
        return bool(scripts) and name not in scripts
    if file in SPOKEN_HERE:
        return True
    return file.endswith(".html") or (file.startswith("web/") and file.endswith(".py"))


def in_script(value: object) -> Markup:
    """JSON for a script element of a page, without spaces and with no more escapes than it needs."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))  # nothing else can end the element


def in_words(sentence: Sentence) -> str:
    """The sentence in the language of the request."""
    return sentence.in_words(partial(_template, get_translations()))


def decimal(number: float, digits: int, signed: bool = False) -> str:
    """A number with so many decimals as the visitor's language writes it, 3,20 or 3.20; `signed` gives +3,20."""
    pattern = f"0.{'0' * digits}" if digits else "0"
    text = format_decimal(number, format=f"+{pattern};-{pattern}" if signed else pattern, locale=get_locale())
    return text.replace("-", MINUS)


def points(number: int) -> str:
    """Points won or lost, with their sign; a loss has the minus sign."""
    return f"{number:+d}".replace("-", MINUS) if number else "0"


def _template(known: NullTranslations, one: Sentence) -> str:
    found = (
        known.ngettext(one.template, one.others, one.n or 0) if one.others else known.gettext(one.template)
    )
    return str(found)


def set_up_languages(app: Flask, usual: Callable[[], str] = str) -> None:
    """Make the application answer in the visitor's language; `usual` gives the one for `language_of`."""
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(FOLDER)
    app.config["BABEL_DEFAULT_LOCALE"] = "en"
    app.add_template_filter(in_script, "in_script")
    app.add_template_filter(decimal, "decimal")
    app.add_template_filter(points, "points")
    Babel(app, locale_selector=lambda: language_of(request, usual()))

    @app.context_processor
    def template_words() -> dict[str, object]:
        language = language_of(request, usual())
        return {"language": language, "words": partial(script_words, language), "in_words": in_words}
