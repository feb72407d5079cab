"""The page in other languages, and what the table says in them."""

import pytest

LANGUAGES = {
    "de": ("Mehmet würfelt", "Ein Würfel liegt auf einem Stein."),
    "en": ("Mehmet to roll", "A die lies on a checker."),
    "fi": ("Mehmet heittää", "Noppa on nappulan päällä."),
    "ja": ("Mehmet のロール", "ダイスが駒の上に乗っています。"),
    "tr": ("Zar sırası: Mehmet", "Bir zar pulun üzerinde."),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_switching_at_once(tablet, house, language: str) -> None:
    house.begin()
    house.act("play", moves=[[24, 18], [13, 9]])
    house.act("done")
    tablet.open(house.link())
    tablet.sees("Mehmet to roll", "#verdict")
    tablet.tap("#menu")
    tablet.tap(f"button[lang={language}]")
    roll, reason = LANGUAGES[language]
    tablet.sees(roll, "#verdict")
    assert tablet.script("return document.documentElement.lang") == language
    house.table.thrown(6, 3, "cocked", ("on_checker",))
    tablet.sees(reason, "#verdict")
    assert tablet.script("return document.documentElement.scrollWidth <= innerWidth")
    assert tablet.complaints() == []


def test_sentences_of_the_table_are_translated(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("button[lang=de]")
    tablet.sees("6-4", "#verdict h2")
    house.table.notice("Anna doubles to 4.")
    tablet.sees("Anna doppelt auf 4.", "#toast")
    house.table.notice("The 5 point is held by 3 opposing checkers.")
    tablet.sees("Der Punkt 5 ist von 3 gegnerischen Steinen besetzt.", "#toast")
    house.table.notice("A sentence that nobody has translated.")
    tablet.sees("A sentence that nobody has translated.", "#toast")


def test_voice_calls_and_corrects_itself(tablet, house) -> None:
    house.begin()
    house.act("play", moves=[[24, 18], [13, 9]])
    house.act("done")
    tablet.open(house.link())
    tablet.sees("Mehmet to roll", "#verdict")
    tablet.script(
        """window.heard = [];
        window.SpeechSynthesisUtterance = function (text) { this.text = text; };
        Object.defineProperty(window, 'speechSynthesis',
            {value: {cancel() {}, speak(said) { window.heard.push(said.text + ' ' + said.lang); }}});"""
    )
    house.table.thrown(6, 2)
    tablet.sees("6-2", "#verdict h2")
    assert tablet.script("return window.heard") == []  # silent unless switched on
    house.act("rule", ruling="cocked")
    tablet.tap("#menu")
    tablet.tap(".choice:has(input[name=sound][value=on])")
    tablet.tap("dialog .close")
    house.table.thrown(6, 3)
    tablet.until(lambda: tablet.script("return window.heard") == ["Mehmet: 6-3 en"], "the call")
    house.act("rule", dice=[5, 3])
    tablet.until(
        lambda: tablet.script("return window.heard")[-1] == "Correction: Mehmet: 5-3 en", "the correction"
    )
    house.act("rule", ruling="cocked")
    tablet.until(lambda: "Cocked – roll again" in tablet.script("return window.heard")[-1], "the ruling")
