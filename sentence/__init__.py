"""Sentences for people: an English template with named places, and the values that go there.

Whoever has something to say gives the template and the values; they are put into words at the edge, by the command
line in English and by the page in its visitor's language. Everything may import this package; it imports nothing.

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
"""A number, a name (never translated), a sentence or a word inside the sentence, or a list of these."""

_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A template and what goes into it; `str()` gives the English text, and an empty sentence is false.

    Attributes:
        template: English text with places in braces: "{name} to roll". The catalogues of translations go by it.
        values: the name of each place, with its value.
        others: the template for every number but one, where the sentence counts something; else "".
        n: what it counts; it also fills the place {n}.
        is_inside: it stands behind a colon, where English goes on with a small letter.
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
        """The text, where `wording` gives the template to be used for this sentence and for each inside it."""
        places = dict(self.values)
        return _PLACE.sub(lambda found: _in_words(places[found[1]], wording), wording(self))

    @property
    def is_verbatim(self) -> bool:
        """The same in every language: nothing but values that are no sentences."""
        return not _PLACE.sub("", self.template).strip() and not any(
            isinstance(value, (Sentence, tuple)) for _, value in self.values
        )

    def inside(self) -> "Sentence":
        """The same behind a colon, where English goes on with a small letter."""
        return replace(self, is_inside=True)

    def filled(self, **values: Value) -> "Sentence":
        """The same template with these values; for templates that stand in a table."""
        return replace(self, values=tuple(values.items()))

    def to_json(self) -> dict[str, Any]:
        """Template and values for the page: {"t", "v"}, with "others" and "n" where it counts something."""
        whole: dict[str, Any] = {"t": self.template}
        if self.values:
            whole["v"] = {name: _plain(value) for name, value in self.values}
        if self.others:
            whole |= {"others": self.others, "n": self.n}
        return whole

    @classmethod
    def of_json(cls, whole: Any) -> "Sentence":
        """The sentence that `to_json` wrote; ValueError for anything else."""
        match whole:
            case {"t": str(template)}:
                values = tuple((name, _value(value)) for name, value in whole.get("v", {}).items())
                return cls(template, values, whole.get("others", ""), whole.get("n"))
        raise ValueError(f"no sentence: {whole!r}")


NOTHING = Sentence()
"""Nothing to say."""


class SpokenError(Exception):
    """An error with a sentence for people; a text is taken as it is, untranslated."""

    def __init__(self, sentence: Sentence | str) -> None:
        super().__init__(sentence)
        self.sentence = sentence if isinstance(sentence, Sentence) else verbatim(sentence)

    def __str__(self) -> str:
        return str(self.sentence)


def say(template: str, /, **values: Value) -> Sentence:
    """A sentence; the template stands in the call as a literal, where `scripts/words` finds it."""
    return Sentence(template, tuple(values.items()))


def say_n(one: str, others: str, n: int, /, **values: Value) -> Sentence:
    """A sentence that counts something: `one` for one of it, `others`, with {n}, for any other number."""
    return Sentence(one, (("n", n), *values.items()), others, n)


def verbatim(text: str) -> Sentence:
    """A text that is the same in every language: a play, a roll, a name; "" is nothing to say."""
    return Sentence("{text}", (("text", text),)) if text else NOTHING


def joined(*parts: Sentence | str, by: str = " ") -> Sentence:
    """Sentences and names behind one another; empty ones are left out."""
    said = [part for part in parts if part]
    names = [f"part{number}" for number in range(1, len(said) + 1)]
    return Sentence(by.join(f"{{{name}}}" for name in names), tuple(zip(names, said, strict=True)))


def spoken(**sentences: Sentence | Sequence[Sentence]) -> dict[str, Any]:
    """The named sentences as JSON has them: each as English text, and under "say" what a translation needs.

    Of an empty sentence, and of one that is the same in every language, the text alone is given.
    """
    said = translatable(**sentences)
    texts = {
        name: str(one) if isinstance(one, Sentence) else [str(each) for each in one]
        for name, one in sentences.items()
    }
    return texts | ({"say": said} if said else {})


def translatable(**sentences: Sentence | Sequence[Sentence]) -> dict[str, Any]:
    """What a translation needs of the named sentences, by their names; those that stay the same are left out."""
    said: dict[str, Any] = {}
    for name, one in sentences.items():
        if not isinstance(one, Sentence):
            said |= {name: [each.to_json() for each in one]} if one else {}
        elif one and not one.is_verbatim:
            said[name] = one.to_json()
    return said


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
