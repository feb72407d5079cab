"""Settings and values that rule profiles used to have.

No rule ever read them, so a record that names one is replayed without it, and a settings file that names one is read
without it, with a notice. Nothing else in the program knows them.
"""

from collections.abc import Mapping

from sentence import Sentence, say

FORMER_SETTINGS: Mapping[str, Sentence] = {
    "direction": say("the sides always travel against each other"),
    "declined_double": say("a pass always costs what the cube showed before"),
    "double_in_crawford_game": say("a double in the Crawford game is always annulled"),
    "invalid_roll": say("after an invalid roll both dice are always thrown again"),
    "dice": say("a pair each and one shared pair are refereed alike"),
    "dispute": say("in a dispute everything is always left as it stands"),
}
"""By name, what holds instead."""

FORMER_VALUES: Mapping[str, Mapping[str, Sentence]] = {
    "clock_stops_for": {"between_games": say("no side’s time ever runs between two games")}
}
"""By setting, the words that its list used to take, each with what holds instead."""


def is_former(name: str, value: object) -> bool:
    """Whether a setting, or one of the words in its list, was taken out of the profiles."""
    return name in FORMER_SETTINGS or bool(_former_words(name, value))


def former_sentence(name: str, value: object) -> Sentence:
    """What became of a former setting or value, one sentence; KeyError for any other."""
    if name in FORMER_SETTINGS:
        return say("“{name}” is no longer a setting: {why}.", name=name, why=FORMER_SETTINGS[name])
    word = _former_words(name, value)[0]
    why = FORMER_VALUES[name][word]
    return say("“{word}” is no longer a value of “{name}”: {why}.", word=word, name=name, why=why)


def without_former(settings: Mapping[str, object]) -> dict[str, object]:
    """Settings as `Profile.with_overrides` takes them, without what is former; all else as it is."""
    kept = {name: value for name, value in settings.items() if name not in FORMER_SETTINGS}
    for name, value in kept.items():
        former = _former_words(name, value)
        if former and isinstance(value, (list, tuple)):
            kept[name] = [word for word in value if word not in former]
    return kept


def _former_words(name: str, value: object) -> list[str]:
    if not isinstance(value, (list, tuple)):
        return []
    return [word for word in value if isinstance(word, str) and word in FORMER_VALUES.get(name, {})]
