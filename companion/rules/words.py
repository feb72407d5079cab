"""Words of the players of each game, in their languages: docs/rules/family.md, "Words of the players", as data.

They are shown beside a profile's description. Two of them stand in the sentence of the rule they belong to (the mother
and the head, in `RefusalReason`).
"""

from dataclasses import dataclass

from sentence import Sentence, say


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a game's players.

    Attributes:
        language: its language, as in HTML's `lang`.
        word: as its players write it.
        means: what it is, in the page's words.
    """

    language: str
    word: str
    means: Sentence


_CHECKER, _MADE_POINT, _POINT = say("checker"), say("made point"), say("a point")
_GREEK = (Word("el", "πούλι", _CHECKER), Word("el", "πόρτα", _MADE_POINT))
_TURKISH = (Word("tr", "pul", _CHECKER), Word("tr", "kapı", _MADE_POINT), Word("tr", "hane", _POINT))
_BY_ONE = Word("el", "πόρτα", say("point held by one checker or more"))
_START = say("the point where all checkers start")

TAVLI = (
    Word("el", "τάβλι", say("Tavli")),
    Word("el", "πόρτες", say("Portes")),
    Word("el", "πλακωτό", say("Plakoto")),
    Word("el", "φεύγα", say("Fevga")),
    *_GREEK,
    Word("el", "μάνα", say("mother")),
)
PORTES = (Word("el", "πόρτες", say("Portes")), *_GREEK)
PLAKOTO = (Word("el", "πλακωτό", say("Plakoto")), *_GREEK, Word("el", "μάνα", say("mother")))
FEVGA = (
    Word("el", "φεύγα", say("Fevga")),
    Word("el", "πούλι", _CHECKER),
    _BY_ONE,
    Word("el", "μάνα", _START),
)
TAVLA = (Word("tr", "tavla", say("Tavla")), *_TURKISH, Word("tr", "kırmak", say("to hit")))
MOULTEZIM = (Word("tr", "mültezim", say("Moultezim")), *_TURKISH)
LONG_NARDY = (
    Word("ru", "длинные нарды", say("Long Nardy")),
    Word("ru", "шашка", _CHECKER),
    Word("ru", "лунка", _POINT),
    Word("ru", "голова", _START),
    Word("ru", "оин", say("single win")),
    Word("ru", "марс", say("double win")),
)
GUL_BARA = (
    Word("bg", "гюлбара", say("Gul bara")),
    Word("bg", "пул", _CHECKER),
    Word("bg", "капия", _POINT),
    Word("bg", "чифт", say("doublet")),
    Word("tr", "gülbahar", say("Gul bara")),
)
ACEY_DEUCEY = (
    Word("en", "acey-deucey", say("the roll of 2-1")),
    Word("en", "fence", say("bar")),
    Word("en", "kicked", say("hit")),
    Word("en", "Oscar", say("a checker held back")),
)
