"""Every text of the page in every language."""

import ast
import importlib.util
import re
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.mofile import read_mo
from flask import Flask
from flask.testing import FlaskClient

from web.languages import FOLDER, LANGUAGES, words
from web.roles import Role, Roles

OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """scripts/words as a module."""
    path = str(Path(__file__).resolve().parents[2] / "scripts" / "words")
    spec = importlib.util.spec_from_loader("words_script", SourceFileLoader("words_script", path))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_missing_or_left_over(script: ModuleType, language: str) -> None:
    texts = {str(one.id) for one in script.texts() if one.id}
    assert len(texts) > 200
    assert texts - set(words(language)) == set(), "run scripts/words and translate what it lists"
    assert set(words(language)) - texts <= set(script.sentences()), (
        "run scripts/words to drop what is left over"
    )


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_of_the_table_is_missing(script: ModuleType, language: str) -> None:
    """They are found in the sources of `companion`; a new one is translated by scripts/words like the page's own."""
    sentences = set(script.sentences())
    assert len(sentences) > 100
    assert sentences - set(words(language)) == set(), "run scripts/words and translate what it lists"


SOURCES = {
    "companion/errors.py": "class GameError(Exception): ...\nclass SleepyError(GameError, ValueError): ...",
    "companion/breakfast.py": 'def eat(hour):\n    """A docstring."""\n    yield f"Breakfast is at {hour}, not now."',
    "companion/records/rows.py": 'SQL = "a few words that nobody hears"\ndef no(why):\n'
    '    raise SleepyError(f"Not before {why} o\'clock.")',
    "vision/eyelid.py": 'QUIET = "a few words that nobody hears"\ndef see(): raise CameraLost("The lid is shut.")',
    "hardware/bell.py": "class Bell:\n    def __init__(self, pin):\n"
    '        self.problems.append(f"The bell on pin {pin} is mute.")',
}


def test_a_new_sentence_is_found_wherever_it_is_said(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In a module that nobody has named to scripts/words, by an error that is new, in a leaf, in a silent module."""
    for name, text in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(script, "ROOT", tmp_path)
    assert set(script.sentences()) - set(script.SINGLE) == {
        "Breakfast is at {a}, not now.",
        "Not before {a} o'clock.",
        "The lid is shut.",
        "The bell on pin {a} is mute.",
    }


def test_silent_modules_write_their_refusals_where_they_make_them(script: ModuleType) -> None:
    """A sentence that is put together elsewhere in such a module would be found by nobody."""
    refusing = script.REFUSING | script.game_errors()
    assert {"GameError", "IllegalPlayError", "RoleError"} <= refusing
    for name in sorted(script.SILENT):
        path = script.ROOT / "companion" / f"{name}.py"
        for call in script.refused(ast.parse(path.read_text("utf-8")), refusing):
            assert any(map(script.is_sentence, script.texts_below(call))), f"{path.name}:{call.lineno}"


def test_no_sentence_is_put_together_of_parts_alone(script: ModuleType) -> None:
    """Of f"{what}: {why}" a translator sees nothing, and the page cannot tell where the one ends."""
    left = []
    for path in sorted((script.ROOT / "companion").glob("*.py")):
        if path.stem in script.SILENT:
            continue
        tree = ast.parse(path.read_text("utf-8"))
        strings = [one for one in ast.walk(tree) if isinstance(one, ast.JoinedStr)]
        texts = [script.texts_below(one)[0] for one in strings]
        left += [f"{path.name}: {text}" for text in texts if is_glue(script, text)]
    assert left == []


def is_glue(script: ModuleType, text: str) -> bool:
    """Nothing but changing parts, with a sign between them that makes a sentence of them."""
    return bool(re.search(r"[:;,(] ?\{\w+\}", text)) and " {" in text and not script.is_sentence(text)


def test_parts_alone_are_told_from_sentences(script: ModuleType) -> None:
    assert is_glue(script, "{a}: {b}")
    assert not is_glue(script, "cocked: {a}")
    assert not is_glue(script, "{a}-{b}")


@pytest.mark.parametrize("language", OTHERS)
def test_placeholders_stay(language: str) -> None:
    for text, said in words(language).items():
        assert set(re.findall(r"\{\w+\}", said)) == set(re.findall(r"\{\w+\}", text)), text


@pytest.mark.parametrize("language", OTHERS)
def test_compiled_files_are_up_to_date(language: str) -> None:
    with (FOLDER / language / "LC_MESSAGES" / "messages.mo").open("rb") as source:
        compiled = read_mo(source)
    assert {str(one.id): str(one.string) for one in compiled if one.id} == words(language)


def test_every_text_in_the_scripts_is_found(script: ModuleType) -> None:
    """t(`…`), t(variable) and a t('…') inside a template string would never be translated."""
    texts = {str(one.id) for one in script.texts()}
    for path in (Path(__file__).resolve().parents[2] / "web" / "static" / "js").glob("*.js"):
        for call in re.findall(r"(?<![\w.])t\((?!text, values)\s*('[^']*'|.{20})", path.read_text()):
            assert call.strip("'") in texts, f"{path.name}: t({call}"


@pytest.mark.parametrize(
    ("cookie", "header", "language"),
    [
        ("", "", "en"),
        ("", "de-AT,de;q=0.9,en;q=0.5", "de"),
        ("", "fr,ja;q=0.4", "ja"),
        ("", "xx", "en"),
        ("fi", "de", "fi"),
        ("xx", "tr", "tr"),
        ("../../etc", "", "en"),
    ],
)
def test_choice(app: Flask, cookie: str, header: str, language: str) -> None:
    client = app.test_client()
    if cookie:
        client.set_cookie("lang", cookie)
    text = client.get("/", headers={"Accept-Language": header}).get_data(as_text=True)
    assert f'<html lang="{language}">' in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_and_refusals_speak_it(app: Flask, roles: Roles, language: str) -> None:
    client: FlaskClient = app.test_client()
    client.set_cookie("lang", language)
    title = words(language).get("Please join first", "Please join first")
    assert f"<h1>{title}</h1>" in client.get("/").get_data(as_text=True)
    sentence = "Open the join link first; the scorekeeper has it."
    assert client.get("/api/state").get_json()["detail"] == words(language).get(sentence, sentence)
    client.get(f"/join/{roles.issue(Role.SCOREKEEPER).code}")
    assert words(language).get("History", "History") in client.get("/").get_data(as_text=True)


@pytest.mark.parametrize("language", OTHERS)
def test_pips_points_won_and_points_of_the_board_have_words_of_their_own(language: str) -> None:
    """A player who reads «6 pistettä» has to know whether he has won them or has them to go."""
    said = words(language)
    pips, won = said["pips"].lower(), said["{n} points"].replace("{n}", "").strip().lower()
    assert pips[:3] not in won
    assert won[:5] not in said["Aids (plays and pips)"].lower()
    if language == "fi":
        assert (
            "piste" not in said["{n}-point"] + said["The {a} point is held by {b} opposing checkers."].lower()
        )
