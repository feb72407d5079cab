"""The public Python API: which names are public, and docs/API.md tried example by example."""

import doctest
from pathlib import Path

import pytest

import companion.game
import companion.rules

DOCS = Path(__file__).resolve().parents[1] / "docs" / "API.md"
PUBLIC_RULES = """
    BAR OFF PROFILES Board Cocked Crawford Cube Die DieAtRest Ending Half Move Play Plays Position Problem Profile
    Reason Rest Result Roll RollingRules Ruling Score Side ThrowKind Turn Unread Valid Worth find_play legal_plays
    plays_for rule write_play
"""
PUBLIC_GAME = """
    Amended Answer AnyEvent DoubleAnswered DoubleOffered Entry Level Lifted MatchBegan NextGame Notice OpeningThrown
    Phase PlayEntered ResignationAnswered Resigned RollTyped State Step Table Thrown TurnEnded Undone fold step
"""


@pytest.mark.parametrize(
    ("module", "names"),
    [(companion.rules, PUBLIC_RULES), (companion.game, PUBLIC_GAME)],
    ids=["rules", "game"],
)
def test_exactly_these_names_are_public(module: object, names: str) -> None:
    assert set(module.__all__) == set(names.split())  # type: ignore[attr-defined]
    assert all(hasattr(module, name) for name in names.split())


def test_examples_of_the_page_give_what_it_shows() -> None:
    text = DOCS.read_text("utf-8").replace("```python\n", "").replace("```\n", "")
    test = doctest.DocTestParser().get_doctest(text, {}, "API.md", str(DOCS), 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert result.attempted > 15
    assert result.failed == 0, "".join(said)
