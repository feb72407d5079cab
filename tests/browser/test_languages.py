"""The page in other languages, and what the table says in them."""

import re

import pytest

from companion.errors import BadShapeError, GameError
from companion.game.history_lines import throw_text
from companion.game.state import Throw
from companion.rules.board import Problem, problem_sentence
from companion.rules.profile import LABELS
from companion.rules.profiles import PROFILES
from companion.rules.referee import REASON_TEXTS, Cocked, Reason, Unread
from sentence import Sentence, joined, say, say_n, spoken, verbatim
from tests.support.script import Script
from web.languages import wording_in
from web.pages import version

LANGUAGES = {
    "de": ("Mehmet würfelt", "Ein Würfel liegt auf einem Stein."),
    "en": ("Mehmet to roll", "A die is on a checker."),
    "fi": ("Mehmet heittää", "Noppa on nappulan päällä."),
    "ja": ("Mehmet のロール", "ダイスが駒の上。"),
    "tr": ("Zar sırası: Mehmet", "Bir zar pulun üzerinde."),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_switching_at_once(tablet, house, language: str) -> None:
    house.to_roll()
    tablet.open(house.link())
    tablet.sees("Mehmet to roll", "#verdict")
    tablet.tap("#menu")
    tablet.tap(f"button[lang={language}]")
    roll, reason = LANGUAGES[language]
    tablet.sees(roll, "#verdict")
    assert tablet.script("return document.documentElement.lang") == language
    house.table.thrown(6, 3, why="on_checker")
    tablet.sees(reason, "#verdict")
    assert tablet.script("return document.documentElement.scrollWidth <= innerWidth")
    assert tablet.complaints() == []


def test_sentences_of_the_table_are_translated(tablet, house) -> None:
    house.begin()
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap("button[lang=de]")
    tablet.sees("6-4", "#verdict h2")
    house.table.notice(say("{name} doubles to {value}.", name="Anna", value=4))
    tablet.sees("Anna doppelt auf 4.", "#toast")
    points = say_n("1 point", "{n} points", 2)
    house.table.notice(
        say("{name} wins {worth}: {points}.", name="Anna", worth=say("a gammon"), points=points)
    )
    tablet.sees("Anna gewinnt ein Gammon: 2 Punkte.", "#toast")
    reasons = (REASON_TEXTS[Reason.LEANING], REASON_TEXTS[Reason.ON_BAR])
    house.table.notice(say("Please look: {reasons}.", reasons=reasons))
    tablet.sees("Bitte ansehen: ein Würfel liegt schräg, ein Würfel liegt auf der Bar.", "#toast")
    house.table.notice(verbatim("A sentence that nobody has translated."))
    tablet.sees("A sentence that nobody has translated.", "#toast")


def test_a_page_that_is_opened_shows_no_old_notices(tablet, house) -> None:
    house.begin()
    for text in ("Anna doubles to 4.", "The illegal play stands."):
        house.table.notice(verbatim(text))
    tablet.open(house.link())
    tablet.sees("6-4", "#verdict h2")
    assert tablet.text("#toast") == ""
    house.table.notice(verbatim("Anna doubles to 8."))
    tablet.sees("Anna doubles to 8.", "#toast")


class Hearing(Script):
    """A scripted table that remembers every sentence it has said, by its English text as the page gets it."""

    def __init__(self, **how) -> None:
        self.heard: dict[str, dict] = {}
        self.refused: dict[str, Sentence] = {}
        super().__init__(**how)

    def take(self, event):
        super().take(event)
        view = self.view
        dispute = view["dispute"] or {"text": "", "answers": []}
        for notice in self.notices:
            self.hear(spoken(text=notice.text), "text")
        self.hear(view, "reason_text")
        self.hear(dispute, "text")
        for answer in dispute["answers"]:
            self.hear(answer, "label")
        for line in view["history"]:
            self.hear(line, "text")
            self.hear(line, "misfit")
        return self

    def hear(self, one, field):
        """Remember a sentence, unless it is the same in every language."""
        if field in one.get("say", {}):
            self.heard[one[field]] = one["say"][field]
        else:
            assert not re.search("[a-z]{4}", re.sub("bar|off", "", one[field])), one

    def tried(self, kind, **more):
        """An action that the table refuses; its reason comes worded, see `web.access.problem`."""
        try:
            self.do(kind, **more)
        except BadShapeError:
            return self  # for who writes programs, in English; the page sends no such action
        except GameError as error:
            self.hear(spoken(text=error.sentence), "text")
            self.refused[str(error.sentence)] = error.sentence
            return self
        raise AssertionError(f"{kind} was not refused")


FULL = [0, -2, *[0] * 22, 1, 1]
NONSENSE = {
    "roll": [{}, {"dice": [7, 1]}],
    "rule": [{}, {"penalty": 3}, {"penalty": {"to": "south", "minutes": 5, "points": 1}}, {"ruling": "late"}],
    "play": [{}, {"moves": [[1]]}, {"moves": [[1, 2]] * 9}, {"text": 3}],
    "resign": [{"side": "west"}, {"worth": 9}, {"worth": 1, "points": "many"}],
    "opening": [{"south": 9, "north": 1}],
    "set_position": [
        {"xgid": "XGID=nonsense"},
        {"gnubgid": "4HPwATDg"},
        {"gnubgid": ""},
        {"gnubgid": "4HPw\nATDg"},
        {"gnubgid": "4HPwATDgc/ABM!"},
        {"pos": [0, 16, *[0] * 24]},
        {"pos": FULL, "cube": {"value": 3}},
        {"pos": FULL, "cube": {"value": 2, "owner": "west"}},
        {"pos": FULL, "score": 3},
    ],
    "clock": [{"order": "fly"}],
    "settings": [
        {},
        *(
            {"overrides": {name: "moon"}}
            for name in ("nonsense", "jacoby", "cube", "start", "automatic_doubles")
        ),
    ],
    "amend": [{"event": 999, "to": {}}, {"event": 1}, {"event": 1, "to": {"cube": 1}}],
    "new_match": [
        {"length": 100},
        {"profile": "moon"},
        {"players": 3},
        {"players": {"south": 3}},
        {"orientation": {"home": "up"}},
    ],
    **{kind: [{}] for kind in ("take", "next_game", "accept", "condone", "beaver", "dance")},
}
"""What the page never sends, but a program or a later page might: each is refused with a sentence."""


def everything_said() -> tuple[dict[str, dict], dict[str, Sentence]]:
    """What the table says in some games in which much goes wrong, and what it refuses there."""
    names = {"players": {"south": "Ann", "north": "Bob"}}
    money = {"beaver": "money_play", "raccoon": "money_play", "automatic_doubles": 1}
    one = Hearing(length=0, **money).opening(4, 4).opening(3, 1)
    one.tried("play", text="8/4 6/5").tried("play", text="24/18").do("play", text="13/8", made=True)
    one.do("condone", side="north").do("done").do("double").do("beaver").do("raccoon").do("take")
    one.do("resign", worth=2).do("refuse").do("resign", worth=1).do("accept").do("next_game", swap_seats=True)
    two = Hearing(length=5).do("amend", event=1, to=names).opening(3, 1)
    two.do("play", text="8/5 6/5").do("done").roll(6, 2).do("rule", dice=[6, 3]).do("rule", ruling="cocked")
    two.do("double").do("take").roll(6, 4).do("play", text="24/18 13/9").do("done")
    two.do("amend", event=number(two, "6-4"), to={"dice": [5, 4]}, why="misread")
    two.do("rule", penalty={"to": "north", "points": 1, "why": "misread"}).do("rule", penalty={"to": "south"})
    two.do("settings", overrides={"jacoby": "never"}).do("undo").do("call_director")
    two.tried("set_position", pos=[0, -2, *[0] * 22, 16, 0], on_roll="south")
    two.do("set_position", pos=[0, -2, *[0] * 22, 1, 1], on_roll="south").roll(6, 5)
    two.tried("play", text="24/18").do("resign", worth=1, points=2)
    two.do("accept").do("next_game")
    late = Hearing(length=25).do("rule", penalty={"to": "south", "minutes": 12, "why": "traffic"})
    late.tried("rule", penalty={"to": "south", "minutes": 4})
    three = Hearing(length=5).opening(3, 1)
    for kind, bodies in NONSENSE.items():
        for more in bodies:
            three.tried(kind, **more)
    return (
        one.heard | two.heard | late.heard | three.heard,
        one.refused | two.refused | late.refused | three.refused,
    )


def every_ruling_and_beginning() -> dict[str, dict]:
    """A throw that does not count, for each reason and with a second one, and a match by each of the rules."""
    kinds = (Cocked, Unread)
    reasons = [(), *((one,) for one in REASON_TEXTS), tuple(REASON_TEXTS)[:2], tuple(REASON_TEXTS)[5:8]]
    throws = [throw_text(Throw(kind(why))) for kind in kinds for why in reasons]
    assert Hearing(length=1).view["history"][0]["text"] == "South against North, 1 point, Modern backgammon"
    matches = [Hearing(profile=name, length=length) for name in PROFILES for length in (0, 1, 7)]
    lines = [line for match in matches for line in match.view["history"]]
    return by_text(throws) | {line["text"]: line["say"]["text"] for line in lines}


def settings_that_changed() -> dict[str, dict]:
    """A line of the history for each setting, and one for all of them at once."""
    lists = [*((label,) for label in LABELS.values()), tuple(LABELS.values())]
    return by_text([say("settings: {settings}", settings=settings) for settings in lists])


def by_text(sentences) -> dict[str, dict]:
    return {str(one): one.to_json() for one in sentences}


def number(script, start: str) -> int:
    return next(one["n"] for one in script.view["history"] if one["text"].startswith(start))


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_no_line_of_history_reason_or_refusal_stays_english(tablet, house, language: str) -> None:
    # a fault of the machine is told with its remedy, and a board may be wrong in several ways
    fault = joined(say("The voltage is too low at this moment."), say("Use the Pi’s own power supply."))
    twice = problem_sentence(Problem.MINE_TOO_MANY | Problem.BOTH_ON_ONE_POINT)
    everything, refused = everything_said()
    told = everything | every_ruling_and_beginning() | settings_that_changed() | by_text([fault, twice])
    for text, sentence in refused.items():
        told[text] = {**told[text], "said": sentence.in_words(wording_in(language))}
    heard = sorted(told)
    assert len(heard) > 130
    tablet.open(house.link())
    tablet.tap("#menu")
    tablet.tap(f"button[lang={language}]")
    tablet.until(lambda: tablet.script("return document.documentElement.lang") == language, language)
    said = tablet.answer(
        "const [texts, done] = arguments;"
        f"import('/static/v-{version()}/js/lib/words.js')"
        ".then((words) => done(texts.map(({said, ...detail}) => words.translated({say: {detail}, said}, 'detail'))))",
        [told[text] for text in heard],
    )
    english = (
        r"\b(the|is|are|not|it|with|checkers?|legal|roll|plays?|points?|game|accepts|refuses|told|wins"
        r"|a die|dice|cocked|unread|point|of|worth|who|when)\b|, (Modern backgammon|Tournament|Entry game)($| \()"
    )
    left = [
        text
        for text, before in zip(said, heard, strict=True)
        if (text == before and " " in text) or re.search(english, text)
    ]
    assert left == []


HEARD = """window.heard = [];
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
Object.defineProperty(window, 'speechSynthesis',
    {value: {cancel() {}, speak(said) { window.heard.push(said.text + ' ' + said.lang); }}});"""


def test_beaver_and_raccoon_are_called_so_and_are_whose_they_are(tablet, house) -> None:
    house.to_roll(length=0, overrides={"beaver": "money_play", "raccoon": "money_play"})
    tablet.open(house.link())
    tablet.sees("Mehmet to roll", "#verdict")
    tablet.script(HEARD)
    tablet.tap("#menu")
    tablet.tap(".choice:has(input[name=sound][value=on])")
    tablet.tap("dialog .close")
    calls = ["Mehmet doubles to 2 en", "Anna: Beaver: 4 en", "Mehmet: Raccoon: 8 en", "Anna takes en"]
    house.act("double")
    for n, (answer, head) in enumerate((("beaver", "Beaver: 4"), ("raccoon", "Raccoon: 8"))):
        tablet.until(lambda n=n: len(tablet.script("return window.heard")) == n + 1, "the call")
        house.act(answer)
        tablet.until(lambda head=head: tablet.text("#verdict h2") == head, head)
    house.act("take")
    tablet.until(lambda: tablet.script("return window.heard") == calls, "all calls")


def test_voice_calls_and_corrects_itself(tablet, house) -> None:
    house.to_roll()
    tablet.open(house.link())
    tablet.sees("Mehmet to roll", "#verdict")
    tablet.script(HEARD)
    house.table.thrown(6, 2)
    tablet.sees("6-2", "#verdict h2")
    assert tablet.script("return window.heard") == []  # silent unless switched on
    house.act("rule", ruling="cocked")
    tablet.sees("Cocked", "#verdict h2")  # before sound is on, or it is called
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
    house.table.thrown(4, 2, why="on_checker")
    tablet.until(lambda: len(tablet.script("return window.heard")) == 4, "the next cocked throw")
    house.table.thrown(4, 1, why="on_checker")  # in the same words
    tablet.until(lambda: len(tablet.script("return window.heard")) == 5, "and the next")
    house.act("rule", dice=[4, 1])
    tablet.until(
        lambda: tablet.script("return window.heard")[-1] == "Correction: Mehmet: 4-1 en", "that it counts"
    )
    house.act("rule", ruling="cocked")
    tablet.sees("Cocked", "#verdict h2")  # a page that is behind is told of the last state only
    house.table.thrown(5, 2)
    tablet.until(lambda: tablet.script("return window.heard")[-1] == "Mehmet: 5-2 en", "no correction")
    house.illegal_play()
    tablet.until(lambda: tablet.script("return window.heard")[-1].startswith("Illegal play."), "the dispute")


def test_voice_does_not_say_what_to_press_after_a_dance(tablet, house) -> None:
    house.to_roll()
    closed = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
    house.table.stand(closed, {25: 1, 13: 5, 8: 3, 6: 6}, "north")
    tablet.open(house.link())
    tablet.sees("Mehmet to roll", "#verdict")
    tablet.script(HEARD)
    tablet.tap("#menu")
    tablet.tap(".choice:has(input[name=sound][value=on])")
    tablet.tap("dialog .close")
    house.table.thrown(6, 5)
    tablet.until(
        lambda: tablet.script("return window.heard")[-1:] == ["Mehmet: 6-5. No legal move. en"], "the call"
    )
