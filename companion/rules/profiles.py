"""The shipped rule profiles: docs/rules as data, with the numbers of its five rule documents.

A further profile is one more entry here, or a table in the configuration file (`profile_of`), and touches
nothing else: the engine knows settings, not names, and the page shows the title. Each description claims only what
was read.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from companion.errors import BadSettingError
from companion.rules.profile import SETTINGS, STARTS, Profile
from companion.rules.profile_settings import (
    Aids,
    Backgammon,
    BearOffWithMore,
    BoardLies,
    CubeAfterCocked,
    DieOnChecker,
    Doublets,
    IllegalPlayStands,
    JacobyEnds,
    OpeningRoll,
    PointedOutBy,
    PrematureRoll,
    UseOfNumbers,
    Where,
    WhoBegins,
    WrongStartStands,
)
from companion.rules.referee import RollArea
from sentence import Sentence, say, verbatim

__all__ = [
    "PROFILES",
    "SETTINGS",
    "Profile",
    "profile_named",
    "profile_of",
    "title_of",
    "with_own",
]

_NAME = re.compile(r"[\w-]{1,40}")

MOST_LETTERS = 60
"""No title is longer: it is a line of the page's menu."""

_MODERN = Profile(
    "modern",
    say("Modern backgammon"),
    "The modern game as rule document 000 describes it, with a pair of dice each. Where the document is silent, this "
    "project decided: Crawford in matches, Jacoby in money play only. Nothing here is any federation's text.",
)

_TAVLA = replace(
    _MODERN,
    name="tavla",
    title=say("Tavla"),
    description="Tavla as rule document 004 describes it: no cube; games count single, for the "
    "document does not mention gammons (switch `gammon` and `backgammon` on where they are played). "
    "Rolling rules as in modern and one shared pair of dice, decided by this project. Nothing here is "
    "any federation's text.",
    gammon=False,
    backgammon=Backgammon.NEVER,
    cube=False,
    cube_beyond_64=False,
    jacoby=Where.NEVER,
    crawford=False,
    board_lies=BoardLies.HOME_RIGHT,
)

_TOURNAMENT = replace(
    _MODERN,
    name="tournament",
    title=say("Tournament"),
    description="The tournament game as rule document 002 describes it, in matches too where it says "
    "so: a pair of dice each, the beaver everywhere, the winner of the opening may throw anew, Jacoby ended "
    "by an offer. Its Jacoby rule is off in matches unless asked for, decided by this project. Nothing here is any "
    "federation's text.",
    opening_roll=OpeningRoll.WINNER_CHOOSES,
    beaver=Where.EVERYWHERE,
    jacoby_ends_with=JacobyEnds.DOUBLE_OFFERED,
    roll_area=RollArea.WHOLE_SURFACE,
    opening_area=RollArea.HOME_HALF,
    board_lies=BoardLies.HOME_RIGHT_LIGHT_NEAR,
    illegal_play_stands_after=IllegalPlayStands.VALID_ROLL_OR_DOUBLE,
)

_SHIPPED: tuple[Profile, ...] = (
    _MODERN,
    replace(
        _MODERN,
        name="vip",
        title=say("VIP"),
        description="The game as rule document 001 describes it: a backgammon only with a checker on the "
        "bar, no Jacoby. What it leaves open is as in modern, but for one shared pair of dice, decided by this "
        "project. Nothing here is any federation's text.",
        backgammon=Backgammon.ON_BAR,
        jacoby=Where.NEVER,
        board_lies=BoardLies.HOME_RIGHT,
    ),
    _TOURNAMENT,
    _TAVLA,
    replace(
        _TAVLA,
        name="spielestart",
        title=say("Entry game (Spielestart)"),
        description="The entry game of rule document 003, played with one shared pair of dice, with this "
        "project's decisions where it is silent: all fifteen start in the tray, the lower number first, doublets "
        "count top and bottom and throw again, a checker that was hit goes back to the tray. Nothing here is any "
        "federation's text.",
        start=STARTS["tray"],
        who_begins=WhoBegins.BOTH_DICE_EACH,
        opening_roll=OpeningRoll.THROWN_ANEW,
        doublets=Doublets.TOP_AND_BOTTOM,
        throw_again_after_doublet=True,
        use_of_numbers=UseOfNumbers.LOWER_FIRST,
        bear_off_with_more=BearOffWithMore.ANY_CHECKER,
        roll_area=RollArea.WHOLE_SURFACE,
        opening_area=RollArea.WHOLE_SURFACE,
        board_lies=BoardLies.ANY_WAY,
    ),
    replace(
        _MODERN,
        name="wbgf",
        title=say("WBGF tournament"),
        description="Built from the switches on which federations differ; no claim to be WBGF's rules "
        "beyond this. Read in the federation's own text (WBGF 2.1, its opening part): legal moves, both "
        "players must point out an illegal play. Second-hand, from forum copies of WBGT and EU/WBGF rules: "
        "a premature roll is thrown again if the opponent demands it, a wrong start stands once the starter "
        "began his second turn, a dispute leaves everything as it lies. Quoted only: the cube is locked "
        "after a cocked roll; beavers in money play only. Aids withheld: from the US rules of 2009. One "
        "shared pair of dice. All else as in modern.",
        beaver=Where.MONEY_PLAY,
        premature_roll=PrematureRoll.OPPONENT_CHOOSES,
        illegal_play_pointed_out_by=PointedOutBy.BOTH,
        cube_after_cocked=CubeAfterCocked.LOCKED,
        aids=Aids.WITHHELD,
    ),
    replace(
        _MODERN,
        name="usbgf",
        title=say("USBGF tournament"),
        description="Built from the switches on which federations differ; no claim to be USBGF's rules "
        "beyond this. Read in US texts: both dice right of the bar from the roller's seat (US rules 2008, "
        "4.1-4.2), turn ended by lifting the dice (4.5), no aids (US rules 2009, 1.5), one shared pair with "
        "a clock (US clock rules 2013). Second-hand, from club rules and forum copies: a die flat on a "
        "checker counts, the opponent chooses after a premature roll (USBGF 2024, 4.1(v)), an illegal play "
        "stands after a valid roll (USBGF 2014), a wrong start stands once the second roll was moved "
        "(Simborg 6.3). Quoted only: the cube is locked after a cocked roll; beavers in money play only. "
        "All else as in modern.",
        beaver=Where.MONEY_PLAY,
        die_on_checker=DieOnChecker.VALID,
        premature_roll=PrematureRoll.OPPONENT_CHOOSES,
        wrong_start_stands_after=WrongStartStands.SECOND_ROLL_MOVED,
        cube_after_cocked=CubeAfterCocked.LOCKED,
        aids=Aids.WITHHELD,
    ),
    replace(
        _TAVLA,
        name="portes",
        title=say("Portes"),
        description="Portes, the Greek game: no cube, gammons count two, nothing counts three, and the "
        "winner of the opening throws both dice anew. From general knowledge of the game, not from any "
        "federation's text.",
        opening_roll=OpeningRoll.THROWN_ANEW,
        gammon=True,
    ),
    replace(
        _MODERN,
        name="nackgammon",
        title=say("Nackgammon"),
        description="Modern with Nack Ballard's start: 24:2, 23:2, 13:4, 8:3, 6:4. From general knowledge "
        "of the game, not from any federation's text.",
        start=STARTS["nackgammon"],
    ),
    replace(
        _MODERN,
        name="hypergammon",
        title=say("Hypergammon"),
        description="Modern with three checkers a side, on 24, 23 and 22. From general knowledge of the "
        "game, not from any federation's text.",
        start=STARTS["hypergammon"],
    ),
)

PROFILES: Mapping[str, Profile] = MappingProxyType({profile.name: profile for profile in _SHIPPED})
"""The shipped profiles by name."""


def profile_named(name: str, known: Mapping[str, Profile] | None = None) -> Profile:
    """The profile of this name; BadSettingError, listing the known names, for any other."""
    profiles = PROFILES if known is None else known
    if name not in profiles:
        raise BadSettingError(
            say("There is no profile «{name}»; there are {names}.", name=name, names=", ".join(profiles))
        )
    return profiles[name]


def title_of(name: str, known: Mapping[str, Profile] | None = None) -> Sentence:
    """What the page calls the rules of this name; the name itself where no such profile is known (any more)."""
    profiles = PROFILES if known is None else known
    return profiles[name].title if name in profiles else verbatim(name)


def profile_of(name: str, table: Mapping[str, object], known: Mapping[str, Profile] | None = None) -> Profile:
    """A user's own profile, from a table of the configuration file.

    Args:
        name: the profile's name.
        table: settings, and with them `based_on` (a profile's name, default `modern`), `title` (default `name`) and
            `description`.
        known: the profiles it may be based on; default: the shipped ones.

    Raises:
        BadSettingError: as `Profile.with_overrides`, or an unknown `based_on`.
    """
    settings = dict(table)
    base = settings.pop("based_on", "modern")
    title, description = settings.pop("title", name), settings.pop("description", "")
    if not isinstance(base, str) or not isinstance(title, str) or not isinstance(description, str):
        raise BadSettingError(
            say("Profile «{name}»: `based_on`, `title` and `description` are texts.", name=name)
        )
    if not 0 < len(title) <= MOST_LETTERS or not title.isprintable():
        raise BadSettingError(
            say("Profile «{name}»: a title is a line of up to {most} letters.", name=name, most=MOST_LETTERS)
        )
    found = profile_named(base[:60], known)
    described = description or f"Based on {base}. {found.description}"
    return replace(found, name=name, title=verbatim(title), description=described).with_overrides(settings)


def with_own(name: str, table: Mapping[str, object], known: Mapping[str, Profile]) -> Mapping[str, Profile]:
    """The known profiles and one of the user's own, which may be based on any of them.

    Raises:
        BadSettingError: as `profile_of`, or an invalid name, or the name of a shipped profile.
    """
    if name in PROFILES:
        raise BadSettingError(
            say("The profile «{name}» comes with the program: give yours another name.", name=name)
        )
    if not _NAME.fullmatch(name):
        raise BadSettingError(say("A profile's name is up to 40 letters, digits, hyphens and underscores."))
    return MappingProxyType({**known, name: profile_of(name, table, known)})
