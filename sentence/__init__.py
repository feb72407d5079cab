"""Sentences for people: an English template with named places, and their values.

The source of a message gives template and values; the edge makes the text, the command line in English and the page
in its visitor's language. Every package may import this one; it imports none.

    >>> str(say("{name} cannot play {roll}.", name="Ann", roll="6-5"))
    'Ann cannot play 6-5.'
    >>> str(say_n("1 point", "{n} points", 3))
    '3 points'
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, Union

Value: TypeAlias = Union[str, int, float, "Sentence", tuple[Union[str, "Sentence"], ...]]
"""A number, a name (never translated), a sentence or word within the sentence, or a list of these."""

_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A template with its values; `str()` gives the English text, and an empty sentence is false.

    Attributes:
        template: English text with places in braces: "{name} to roll". It is the key in the catalogues of translations.
        values: the name of each place, with its value.
        others: the template for every number but one, if the sentence counts something; else "".
        n: the number counted; it also fills the place {n}.
        is_inside: whether it follows a colon, after which English continues with a small letter.
    """

    template: str = ""
    values: tuple[tuple[str, Value], ...] = ()
    others: str = ""
    n: int | None = None
    is_inside: bool = False

    def __str__(self) -> str:
        return self.in_words(_english)

    def __bool__(self) -> bool:
        return bool(self.template)

    def in_words(self, wording: Callable[["Sentence"], str]) -> str:
        """The text; `wording` gives the template for this sentence and for each one within it."""
        places = dict(self.values)
        return _PLACE.sub(lambda found: _in_words(places[found[1]], wording), wording(self))

    @property
    def is_verbatim(self) -> bool:
        """Whether it is the same in every language: only values, none of them a sentence."""
        return not _PLACE.sub("", self.template).strip() and not any(
            isinstance(value, (Sentence, tuple)) for _, value in self.values
        )

    def inside(self) -> "Sentence":
        """The same sentence for use after a colon, with a small first letter in English."""
        values = self.values
        if found := _PLACE.match(self.template):  # it begins with another sentence
            values = tuple(
                (name, one.inside() if name == found[1] and isinstance(one, Sentence) else one)
                for name, one in values
            )
        return replace(self, values=values, is_inside=True)

    def filled(self, **values: Value) -> "Sentence":
        """The same template with these values, for templates kept in a table."""
        return replace(self, values=tuple(values.items()))

    def to_json(self) -> dict[str, Any]:
        """Template and values for the page: {"t", "v"}, with "others" and "n" if it counts something."""
        whole: dict[str, Any] = {"t": self.template}
        if self.values:
            whole["v"] = {name: _plain(value) for name, value in self.values}
        if self.others:
            whole |= {"others": self.others, "n": self.n}
        return whole

    @classmethod
    def of_json(cls, whole: Any) -> "Sentence":
        """The sentence written by `to_json`; ValueError for anything else."""
        match whole:
            case {"t": str(template)}:
                values = tuple((name, _value(value)) for name, value in whole.get("v", {}).items())
                return cls(template, values, whole.get("others", ""), whole.get("n"))
        raise ValueError(f"no sentence: {whole!r}")


NOTHING = Sentence()
"""The empty sentence."""


class SpokenError(Exception):
    """An error with a sentence for people; a plain text stays untranslated."""

    def __init__(self, sentence: Sentence | str) -> None:
        super().__init__(sentence)
        self.sentence = sentence if isinstance(sentence, Sentence) else verbatim(sentence)

    def __str__(self) -> str:
        return str(self.sentence)


def say(template: str, /, **values: Value) -> Sentence:
    """A sentence; the template must be a literal in the call, for `scripts/words` to find."""
    return Sentence(template, tuple(values.items()))


def say_n(one: str, others: str, n: int, /, **values: Value) -> Sentence:
    """A sentence that counts: `one` is the template for 1, `others`, with {n}, for any other number."""
    return Sentence(one, (("n", n), *values.items()), others, n)


def verbatim(text: str) -> Sentence:
    """A sentence that is the same in every language: a play, a roll, a name; empty for ""."""
    return Sentence("{text}", (("text", text),)) if text else NOTHING


def joined(*parts: Sentence | str, by: str = " ") -> Sentence:
    """Sentences and names joined by `by`, without empty ones."""
    given = [part for part in parts if part]
    names = [f"part{number}" for number in range(1, len(given) + 1)]
    return Sentence(by.join(f"{{{name}}}" for name in names), tuple(zip(names, given, strict=True)))


def spoken(**sentences: Sentence | Sequence[Sentence]) -> dict[str, Any]:
    """The named sentences as JSON: each as English text, and under "say" its template and values for translation.

    An empty sentence, or one that is the same in every language, has no part under "say".
    """
    parts = translatable(**sentences)
    texts = {
        name: str(one) if isinstance(one, Sentence) else [str(each) for each in one]
        for name, one in sentences.items()
    }
    return texts | ({"say": parts} if parts else {})


def translatable(**sentences: Sentence | Sequence[Sentence]) -> dict[str, Any]:
    """Templates and values of the named sentences for translation, without those the same in every language."""
    parts: dict[str, Any] = {}
    for name, one in sentences.items():
        if not isinstance(one, Sentence):
            parts |= {name: [each.to_json() for each in one]} if one else {}
        elif one and not one.is_verbatim:
            parts[name] = one.to_json()
    return parts


def _english(sentence: Sentence) -> str:
    form = sentence.others if sentence.others and sentence.n != 1 else sentence.template
    return form[:1].lower() + form[1:] if sentence.is_inside else form


def _in_words(value: Value, wording: Callable[[Sentence], str]) -> str:
    if isinstance(value, tuple):
        return ", ".join(_in_words(one, wording) for one in value)
    return value.in_words(wording) if isinstance(value, Sentence) else str(value)


def _value(plain: Any) -> Value:
    if isinstance(plain, dict):
        return Sentence.of_json(plain)
    if isinstance(plain, list):
        return tuple(one if isinstance(one, str) else Sentence.of_json(one) for one in plain)
    if isinstance(plain, str | int | float):
        return plain
    raise ValueError(f"no value of a sentence: {plain!r}")


def _plain(value: Value) -> Any:
    if isinstance(value, Sentence):
        return value.to_json()
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
