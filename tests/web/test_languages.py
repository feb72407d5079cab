"""Every text of the page in every language."""

import re
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from flask import Flask
from flask.testing import FlaskClient

from web.languages import FOLDER, LANGUAGES, words
from web.roles import Role, Roles

OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.mark.parametrize("language", OTHERS)
def test_compiled_files_are_up_to_date(language: str) -> None:
    with (FOLDER / language / "LC_MESSAGES" / "messages.mo").open("rb") as source:
        compiled = read_mo(source)
    forms = {
        one.id if isinstance(one.id, str) else one.id[0]: one.string
        if isinstance(one.string, str)
        else tuple(one.string)
        for one in compiled
        if one.id
    }
    assert forms == words(language), "run scripts/words"


def test_every_text_in_the_scripts_is_found() -> None:
    """t(`…`), t(variable) and a t('…') inside a template string would never be translated."""
    texts = words("de")
    for path in (Path(__file__).resolve().parents[2] / "web" / "static" / "js").rglob("*.js"):
        for call in re.findall(
            r"(?<![\w.])tn?\((?!template, |one, others)\s*('[^']*'|.{20})", path.read_text()
        ):
            assert call.strip("'") in texts, f"{path.name}: t({call}"


def test_no_script_reads_a_sentence() -> None:
    """What the page has to know comes as data; a sentence is only shown."""
    field = r"\.(?:text|label|detail|misfit|sentence|reason_text|remedy)\b"
    reading = [rf"\.(?:test|exec)\([\w.?]*{field}\)", rf"{field}\??\.(?:match|split|startsWith|includes)\("]
    for path in (Path(__file__).resolve().parents[2] / "web" / "static" / "js").rglob("*.js"):
        found = [one for read in reading for one in re.findall(read, path.read_text())]
        assert found == [], path.name


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
    """A player who reads “6 pistettä” has to know whether he has won them or has them to go."""
    said = words(language)
    pips, won = said["pip"][-1].lower(), said["1 point"][-1].replace("{n}", "").strip().lower()
    assert pips[:3] not in won
    assert won[:5] not in str(said["Aids (plays and pips)"]).lower()
    if language == "fi":
        board = str(said["{n}-point"]) + str(
            said["The {target} point is held by {opposing} opposing checkers."]
        )
        assert "piste" not in board.lower()


GLOSSARY = (Path(__file__).resolve().parents[2] / "docs" / "GLOSSARY.md").read_text()
COLUMNS = {"de": "Deutsch", "fi": "Suomi", "ja": "日本語", "tr": "Türkçe"}
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in GLOSSARY.splitlines()
    if line.startswith("| ")
]


def test_glossary_has_the_words_of_the_catalogues() -> None:
    catalogues = {language: words(language) for language in COLUMNS}
    terms = [row for row in ROWS if len(row) == 5 and row[0] not in ("English", "---")]
    assert len(terms) > 30
    for english, *translations in terms:
        for language, translation in zip(COLUMNS, translations, strict=True):
            assert catalogues[language][english] == translation, (english, language)


def test_no_catalogue_has_a_word_that_the_glossary_rules_out() -> None:
    ruled_out = [row for row in ROWS if len(row) == 4 and row[0] in COLUMNS.values()]
    assert len(ruled_out) > 10
    for language, name in COLUMNS.items():
        for _, word, _, _ in (row for row in ruled_out if row[0] == name):
            found = [text for text in words(language).values() if word in str(text)]
            assert found == [], f"{word} in {name}"


def test_finnish_pass_and_resign_differ() -> None:
    finnish = words("fi")
    assert finnish["Pass"].casefold() != finnish["Resign"].casefold()
    assert finnish["pass"] != finnish["resigned"]


@pytest.mark.parametrize(
    ("language", "text"), [("tr", "0,50"), ("de", "0,50"), ("ja", "0.50"), ("en", "0.50")]
)
def test_decimals_are_written_as_in_the_language(app, language: str, text: str) -> None:
    with app.test_request_context("/", headers={"Accept-Language": language}):
        assert app.jinja_env.from_string("{{ n|decimal(2) }}").render(n=0.5) == text
        assert app.jinja_env.from_string("{{ n|decimal(2, signed=true) }}").render(n=0.5) == f"+{text}"


@pytest.mark.parametrize("language", OTHERS)
def test_apostrophes_are_of_one_kind(language: str) -> None:
    """’ within words; ' only around what is typed into a terminal."""
    texts = [
        one
        for pair in words(language).items()
        for both in pair
        for one in ([both] if isinstance(both, str) else both)
    ]
    assert [text for text in texts if "'" in re.sub(r"(?<![\w})])'[^']+'", "", text)] == []
    assert [text for text in texts if re.search(r"(?<![\w})])’", text)] == []
