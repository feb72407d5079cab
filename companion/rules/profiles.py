"""The shipped rule profiles: docs/rules as data, with the numbers of its five rule documents.

A further profile is one more entry here, or a table in the configuration file (`profile_of`), and no other code: the
engine knows settings, not names, and the page shows the title. The games without hitting are in
family/profiles.py. It is documented in docs/PROFILES.md and docs/rules/, its title and `about` are translated; tests
name what is missing. Each description claims only what was read.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from companion.errors import BadSettingError
from companion.rules import words
from companion.rules.profile import OF_A_GAME, Profile, changed_settings, in_turn, setting_in_words
from companion.rules.setting_values import Rotation
from companion.rules.words import Word
from sentence import Sentence, say, verbatim

_NAME = re.compile(r"[\w-]{1,40}")

MOST_LETTERS = 60
"""No title is longer: it is a line of the page's menu."""


def based_on(
    base: Profile,
    name: str,
    title: Sentence,
    about: Sentence,
    description: str,
    played_as: tuple[Word, ...] = (),
    **settings: object,
) -> Profile:
    """A profile that differs from another in these settings, given as in the configuration file.

    Args:
        base: the other profile.
        name, title, about, description: as in `Profile`.
        played_as: its players' words.
        settings: what differs.
    """
    told = replace(base, name=name, title=title, about=about, description=description, words=played_as)
    return told.with_overrides(settings)


_MODERN = Profile(
    "modern",
    say("Modern backgammon"),
    say("The usual game, with doubling cube, gammons and backgammons."),
    "The modern game as rule document 000 describes it, with a pair of dice each. Where the document is "
    "silent, this project decided: Crawford in matches, Jacoby in money play only. Nothing here is any "
    "federation's text.",
)
_TAVLA = based_on(
    _MODERN,
    "tavla",
    say("Tavla"),
    say("No cube, and every game counts one point."),
    "Tavla as rule document 004 describes it: no cube; games count single, for the document does not "
    "mention gammons (switch `gammon` and `backgammon` on where they are played). Rolling rules as in "
    "modern and one shared pair of dice, decided by this project. Nothing here is any federation's "
    "text.",
    words.TAVLA,
    gammon=False,
    backgammon="never",
    cube=False,
    thrown_by_hand="stands",
    board_lies="home_right",
)
_SHIPPED: tuple[Profile, ...] = (
    _MODERN,
    based_on(
        _MODERN,
        "vip",
        say("VIP"),
        say("A backgammon counts three only with a checker on the bar; no Jacoby rule."),
        "The game as rule document 001 describes it: a backgammon only with a checker on the bar, no "
        "Jacoby. What it leaves open is as in modern, but for one shared pair of dice, decided by this "
        "project. Nothing here is any federation's text.",
        backgammon="on_bar",
        jacoby="never",
        board_lies="home_right",
    ),
    based_on(
        _MODERN,
        "tournament",
        say("Tournament"),
        say(
            "The winner of the opening may throw anew, dice may land on the whole surface, and beavers are allowed."
        ),
        "The tournament game as rule document 002 describes it, in matches too where it says so: a pair of "
        "dice each, the beaver everywhere, the winner of the opening may throw anew, Jacoby ended by an "
        "offer. Its Jacoby rule is off in matches unless asked for, decided by this project. Nothing here "
        "is any federation's text.",
        opening_roll="winner_chooses",
        beaver="everywhere",
        jacoby_ends_with="double_offered",
        roll_area="whole_surface",
        opening_area="home_half",
        board_lies="home_right_light_near",
        illegal_play_stands_after="valid_roll_or_double",
    ),
    _TAVLA,
    based_on(
        _TAVLA,
        "spielestart",
        say("Entry game (Spielestart)"),
        say("All fifteen checkers enter from the tray, and the lower number is played first."),
        "The entry game of rule document 003, played with one shared pair of dice, with this project's "
        "decisions where it is silent: all fifteen start in the tray, the lower number first, doublets "
        "count top and bottom and throw again, a checker that was hit goes back to the tray. Nothing here "
        "is any federation's text.",
        start="tray",
        who_begins="both_dice_each",
        opening_roll="thrown_anew",
        doublets="top_and_bottom",
        throw_again_after_doublet=True,
        use_of_numbers="lower_first",
        bear_off_with_more="any_checker",
        roll_area="whole_surface",
        opening_area="whole_surface",
        board_lies="any_way",
    ),
    based_on(
        _MODERN,
        "wbgf",
        say("WBGF tournament"),
        say("As modern, with no legal plays shown on the page, and no double after a cocked roll."),
        "Built from the switches on which federations differ; no claim to be WBGF's rules beyond this. Read "
        "in the federation's own text (WBGF 2.1, its opening part): legal moves, both players must point "
        "out an illegal play. Second-hand, from forum copies of WBGT and EU/WBGF rules: a premature roll is "
        "thrown again if the opponent demands it, a wrong start stands once the starter began his second "
        "turn, a dispute leaves everything as it lies. Quoted only: the cube is locked after a cocked roll; "
        "beavers in money play only. Aids withheld: from the US rules of 2009. One shared pair of dice. All "
        "else as in modern.",
        beaver="money_play",
        premature_roll="opponent_chooses",
        illegal_play_pointed_out_by="both",
        cube_after_cocked="locked",
        aids="withheld",
    ),
    based_on(
        _MODERN,
        "usbgf",
        say("USBGF tournament"),
        say("As modern, with no legal plays shown on the page; a die flat on a checker counts."),
        "Built from the switches on which federations differ; no claim to be USBGF's rules beyond this. "
        "Read in US texts: both dice right of the bar from the roller's seat (US rules 2008, 4.1-4.2), turn "
        "ended by lifting the dice (4.5), no aids (US rules 2009, 1.5), one shared pair with a clock (US "
        "clock rules 2013). Second-hand, from club rules and forum copies: a die flat on a checker counts, "
        "the opponent chooses after a premature roll (USBGF 2024, 4.1(v)), an illegal play stands after a "
        "valid roll (USBGF 2014), a wrong start stands once the second roll was moved (Simborg 6.3). Quoted "
        "only: the cube is locked after a cocked roll; beavers in money play only. All else as in modern.",
        beaver="money_play",
        die_on_checker="valid",
        premature_roll="opponent_chooses",
        wrong_start_stands_after="second_roll_moved",
        cube_after_cocked="locked",
        aids="withheld",
    ),
    based_on(
        _TAVLA,
        "portes",
        say("Portes"),
        say("The Greek game: no cube, a gammon counts two, and the winner of the opening throws anew."),
        "Portes, the Greek game: no cube, gammons count two, nothing counts three, and the winner of the "
        "opening throws both dice anew. From general knowledge of the game, not from any federation's text.",
        words.PORTES,
        opening_roll="thrown_anew",
        gammon=True,
    ),
    based_on(
        _MODERN,
        "nackgammon",
        say("Nackgammon"),
        say("As modern, with four checkers back at the start instead of two."),
        "Modern with Nack Ballard's start: 24:2, 23:2, 13:4, 8:3, 6:4. From general knowledge of the game, "
        "not from any federation's text.",
        start="nackgammon",
    ),
    based_on(
        _MODERN,
        "hypergammon",
        say("Hypergammon"),
        say("As modern, with three checkers a side."),
        "Modern with three checkers a side, on 24, 23 and 22. From general knowledge of the game, not from "
        "any federation's text.",
        start="hypergammon",
    ),
)

PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in _SHIPPED}
"""The shipped profiles by name."""


def profile_named(name: str, known: Mapping[str, Profile] = PROFILES) -> Profile:
    """The profile of this name; BadSettingError, listing the known names, for any other."""
    if name not in known:
        raise BadSettingError(
            say("There is no profile “{name}”; there are {names}.", name=name, names=", ".join(known))
        )
    return known[name]


def title_of(name: str, known: Mapping[str, Profile] = PROFILES) -> Sentence:
    """The title of the rules of this name; the name itself if no such profile is known (any more)."""
    return known[name].title if name in known else verbatim(name)


def profile_of(name: str, table: Mapping[str, object], known: Mapping[str, Profile] = PROFILES) -> Profile:
    """A user's own profile, from a table of the configuration file.

    Args:
        name: the profile's name.
        table: settings, and with them `based_on` (a known profile's name, default `modern`), `title` (default `name`)
            and `description`. Without a description its text names what it changes; the base's might not hold for it.
        known: the profiles it may be based on.

    Raises:
        BadSettingError: as `Profile.with_overrides`, or an unknown `based_on`.
    """
    settings = dict(table)
    base = settings.pop("based_on", "modern")
    title, description = settings.pop("title", name), settings.pop("description", "")
    if not isinstance(base, str) or not isinstance(title, str) or not isinstance(description, str):
        raise BadSettingError(
            say("Profile “{name}”: `based_on`, `title` and `description` are texts.", name=name)
        )
    if not 0 < len(title) <= MOST_LETTERS or not title.isprintable():
        raise BadSettingError(
            say("Profile “{name}”: a title is a line of up to {most} letters.", name=name, most=MOST_LETTERS)
        )
    found = profile_named(base[:60], known)
    own = replace(found, name=name, title=verbatim(title)).with_chosen(settings)
    _check_in_turn(found, own)
    if description:
        return replace(own, about=verbatim(description), description=description)
    changed = changed_settings(found, own)
    if not changed:
        return replace(own, description=f"Based on {base}. {found.description}")
    told, plain = tuple(setting_in_words(key, getattr(own, key)) for key in changed), own.settings()
    about = say("As {title}, but with {settings}.", title=found.title, settings=told)
    stated = ", ".join(f"{key} = {_as_toml(plain[key])}" for key in changed)
    return replace(own, about=about, description=f"Based on {base}, with {stated}.")


def _check_in_turn(base: Profile, own: Profile) -> None:
    """Refuse games in turn for a profile whose base has settings that each of these games brings itself."""
    if own.rotation is Rotation.NONE or base.rotation is not Rotation.NONE:
        return
    for key in OF_A_GAME:
        if getattr(base, key) != getattr(PROFILES["portes"], key):
            raise in_turn(key)


def _as_toml(value: object) -> str:
    """A value of a setting as a settings file writes it."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {json.dumps(one)}' for key, one in value.items())} }}"
    return json.dumps(value)


def with_own(name: str, table: Mapping[str, object], known: Mapping[str, Profile]) -> Mapping[str, Profile]:
    """The known profiles and one of the user's own, which may be based on any of them.

    Raises:
        BadSettingError: as `profile_of`, or an invalid name, or the name of a shipped profile.
    """
    if name in known:
        raise BadSettingError(
            say("The profile “{name}” comes with the program: give yours another name.", name=name)
        )
    if not _NAME.fullmatch(name):
        raise BadSettingError(say("A profile’s name is up to 40 letters, digits, hyphens and underscores."))
    return {**known, name: profile_of(name, table, known)}
