"""A new match has the title of its own rules, and names as they were given."""

from dataclasses import replace

import pytest

from companion.game.table import Table
from companion.protocol.permissions import Asker
from companion.records.export import score_sheet
from companion.records.rows import event_in, text_of
from companion.rules.profiles import PROFILES, with_own
from tests.support.script import Script, event_from


def test_title_of_a_profile_of_ones_own_is_recorded() -> None:
    own = with_own("club", {"based_on": "modern", "title": "The club's own"}, PROFILES)
    began = event_from({"type": "new_match", "profile": "club"}, Table(), Asker(), profiles=own)
    script = Script().take(event_in(text_of(began)))
    assert str(script.state.terms.profile.title) == "The club's own"
    assert script.view["history"][0]["text"].endswith("The club's own")
    assert score_sheet(script.table)["rules"] == "The club's own"
    untitled = event_in(text_of(replace(began, title="")))  # as recorded before
    assert score_sheet(Script().take(untitled).table)["rules"] == "club"


def test_title_of_a_shipped_profile_is_not_recorded_so_that_it_can_be_translated() -> None:
    began = event_from({"type": "new_match", "profile": "vip"}, Table(), Asker())
    assert began.title == ""
    assert Script().take(began).state.terms.profile.title == PROFILES["vip"].title


@pytest.mark.parametrize(
    ("given", "name"),
    [
        pytest.param("👩\u200d🔬 Ann", "👩\u200d🔬 Ann", id="a joined emoji stays whole"),
        pytest.param("نمی\u200cخواهم", "نمی\u200cخواهم", id="letters that are not joined"),
        pytest.param("\u200d\u200c", "", id="nothing but joiners"),
        pytest.param("Ann\u200d \u202eBob\n", "Ann Bob", id="other invisible characters go"),
    ],
)
def test_a_name_keeps_what_joins_its_letters(given, name):
    script = Script().do("new_match", length=1, players={"south": given, "north": "x"})
    assert script.state.terms.south == name
