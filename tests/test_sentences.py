"""Sentences: templates and values, found by Babel wherever they are made, and never without a value."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import GameError, IllegalPlayError, UserError
from companion.rules.partial_play import Refusal, RefusalReason
from sentence import NOTHING, Sentence, joined, say, say_n, spoken, verbatim
from vision.errors import CameraLost
from web.languages import FOLDER, LANGUAGES

ROOT = Path(__file__).resolve().parents[1]
PLACE = re.compile(r"\{(\w+)\}")
NAMES = st.text(max_size=8)
VALUES = st.recursive(
    NAMES | st.integers() | NAMES.map(lambda name: say("{name} begins.", name=name)),
    lambda inner: inner.map(lambda value: say("{answer} is not possible here.", answer=value)),
    max_leaves=3,
)


def sources() -> Iterator[Path]:
    for folder in ("companion", "hardware", "vision", "web"):
        yield from (file for file in (ROOT / folder).rglob("*.py") if "training" not in file.parts)


def calls(file: Path) -> Iterator[tuple[ast.Call, bool]]:
    """Every say(…) and say_n(…) of a file, and whether it stands in a table of templates, an Enum."""
    tree = ast.parse(file.read_text("utf-8"))
    tables = {
        one
        for each in ast.walk(tree)
        if isinstance(each, ast.ClassDef) and any(ast.unparse(base) == "Enum" for base in each.bases)
        for one in ast.walk(each)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("say", "say_n")
        ):
            yield node, node in tables


def templates(call: ast.Call) -> list[object]:
    """The templates in a call; None for one that is no literal."""
    how_many = 1 if isinstance(call.func, ast.Name) and call.func.id == "say" else 2
    return [one.value if isinstance(one, ast.Constant) else None for one in call.args[:how_many]]


@pytest.mark.parametrize("file", [file for file in sources() if any(calls(file))], ids=lambda file: file.stem)
def test_every_place_of_a_template_has_its_value(file: Path) -> None:
    for call, in_table in calls(file):
        found = templates(call)
        assert all(isinstance(one, str) for one in found), f"{file}:{call.lineno}: no literal"
        places = {name for one in found for name in PLACE.findall(str(one))} - (
            {"n"} if len(found) == 2 else set()
        )
        given = {one.arg for one in call.keywords}
        assert places == given or (in_table and not given), f"{file}:{call.lineno}"


def test_templates_in_tables_get_the_numbers_that_they_name() -> None:
    for why in RefusalReason:
        assert not PLACE.search(str(Refusal(why, 6, 3).sentence))


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """What scripts/words extracts."""
    keywords = re.search(r'--keywords="([^"]+)"', (ROOT / "scripts" / "words").read_text("utf-8"))
    assert keywords
    file = tmp_path_factory.mktemp("words") / "messages.pot"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        command = [
            "pybabel",
            "-q",
            "extract",
            "-F",
            "babel.cfg",
            f"--keywords={keywords[1]}",
            "-o",
            str(file),
        ]
        CommandLineInterface().run([*command, "."])
    with file.open("rb") as source:
        return read_po(source)


def test_babel_finds_every_sentence_and_nothing_else(texts: Catalog) -> None:
    ours = {"companion", "hardware", "vision"}
    found = {
        template
        for one in texts
        if one.id and any(name.split("/")[0] in ours and name.endswith(".py") for name, _ in one.locations)
        for template in (one.id if isinstance(one.id, tuple) else (one.id,))
    }
    said = {
        template
        for file in sources()
        if file.relative_to(ROOT).parts[0] in ours
        for call, _ in calls(file)
        for template in templates(call)
    }
    assert len(said) > 450
    assert said == found


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_every_text_has_its_translation_with_the_same_places(texts: Catalog, language: str) -> None:
    with (FOLDER / language / "LC_MESSAGES" / "messages.po").open("rb") as source:
        catalogue = read_po(source, locale=language)
    assert {one.id for one in texts} == {one.id for one in catalogue}, "run scripts/words"
    for one in catalogue:
        if not one.id:
            continue
        assert not one.fuzzy
        ids, strings = (one.id, one.string) if one.pluralizable else ((one.id,), (one.string,))
        assert len(strings) == (catalogue.num_plurals if one.pluralizable else 1)
        for string in strings:
            assert string, f"{one.id} is to be translated in {language}"
            places = set(PLACE.findall(string))
            assert set(PLACE.findall(ids[0])) <= places | {"n"}
            assert places <= set(PLACE.findall(ids[-1])), one.id


@given(VALUES, VALUES)
def test_a_sentence_survives_its_json(one: Sentence | str | int, other: Sentence | str | int) -> None:
    whole = say(
        "{name} turns the cube to {value}: {answer}.", name=one, value=4, answer=(str(other), verbatim("x"))
    )
    again = Sentence.of_json(json.loads(json.dumps(whole.to_json())))
    assert again == whole
    assert str(again) == f"{one} turns the cube to 4: {other}, {'x'}."


@pytest.mark.parametrize(
    "nonsense", [None, 3, [], {}, {"t": 3}, {"t": "{x}", "v": {"x": None}}], ids=lambda one: str(one)
)
def test_json_that_is_no_sentence_is_refused(nonsense: object) -> None:
    with pytest.raises(ValueError, match=r"no (sentence|value)"):
        Sentence.of_json(nonsense)


@pytest.mark.parametrize(
    ("sentence", "english"),
    [
        (say_n("1 point", "{n} points", 1), "1 point"),
        (say_n("1 point", "{n} points", 0), "0 points"),
        (
            say("{why} It has to be corrected.", why=say("The match is over.")),
            "The match is over. It has to be corrected.",
        ),
        (say("no: {why}", why=say("The match is over.").inside()), "no: the match is over."),
        (joined(say("One."), NOTHING, say("Two.")), "One. Two."),
        (joined(), ""),
        (verbatim("{braces}"), "{braces}"),
        (say("as {name: value}"), "as {name: value}"),
    ],
)
def test_in_english(sentence: Sentence, english: str) -> None:
    assert str(sentence) == english
    assert bool(sentence) is bool(english)


def test_what_the_page_gets_is_the_text_and_what_a_translation_needs() -> None:
    said = spoken(text=say("{name} begins.", name="Ann"), remedy=NOTHING, play=verbatim("8/5 6/5"))
    assert said == {
        "text": "Ann begins.",
        "remedy": "",
        "play": "8/5 6/5",
        "say": {"text": {"t": "{name} begins.", "v": {"name": "Ann"}}},
    }


@pytest.mark.parametrize("kind", [GameError, IllegalPlayError, UserError, CameraLost])
def test_an_error_has_its_sentence_and_prints_it(kind: type[GameError | UserError | CameraLost]) -> None:
    error = kind(say("{name} begins.", name="Ann"))
    assert (str(error), error.sentence.template) == ("Ann begins.", "{name} begins.")


def test_a_sentence_that_begins_with_another_one_goes_on_with_a_small_letter_too():
    fault = joined(say("Nothing can be played."), say("All checkers stay."))
    assert (
        str(say("Illegal: {why}", why=fault.inside())) == "Illegal: nothing can be played. All checkers stay."
    )
