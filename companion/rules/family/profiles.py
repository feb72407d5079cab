"""The profiles of the family: docs/rules/family.md as data.

Other programs' files and ids cannot hold these games: they are in `FAMILY`, not in `PROFILES`. The page offers both
(`ALL_PROFILES`).
"""

from collections.abc import Mapping

from companion.rules import words
from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES, based_on
from sentence import say

_PORTES = PROFILES["portes"]
_TAVLI = based_on(
    _PORTES,
    "tavli",
    say("Tavli"),
    say("Portes, Plakoto and Fevga in turn, in one match."),
    "Portes, Plakoto and Fevga in turn, the winner of a game beginning the next, as bkgm.com, Wikipedia and "
    "BrainKing describe it. Decided by this project: a drawn Plakoto counts for nobody, and the next game is begun "
    "by throwing.",
    words.TAVLI,
    next_game_begins="winner",
    rotation="tavli",
)
_PLAKOTO = based_on(
    _PORTES,
    "plakoto",
    say("Plakoto"),
    say("A single checker is pinned, not hit; a pinned mother loses two points."),
    "Plakoto as bkgm.com, BrainKing, Ludii and The Board at fibs.com describe it: a single checker is pinned, not "
    "hit; a pinned mother loses two points; nobody bears off with a pinned checker (the last as in Ludii and The "
    "Board).",
    words.PLAKOTO,
    game_type="pinning",
    start="all_on_24",
    pinned_mother_loses=True,
    next_game_begins="winner",
)
_FEVGA = based_on(
    _PORTES,
    "fevga",
    say("Fevga"),
    say("Nobody is hit: both sides travel the same way, and one checker holds a point."),
    "Fevga as bkgm.com, BrainKing and iTavli describe it: both sides travel the same way, one checker holds a point, "
    "the first checker has to pass the opponent's start, one's own starting quarter is never filled, and a prime in "
    "front of all the opponent's checkers has to be opened.",
    words.FEVGA,
    game_type="running",
    start="all_on_24",
    leaving_start="first_checker_passes",
    primes="own_start_open",
    next_game_begins="winner",
)
_MOULTEZIM = based_on(
    _FEVGA,
    "moultezim",
    say("Moultezim"),
    say("As Fevga, with at most four points held in the opponent’s starting quarter."),
    "Fevga as it is described under its Turkish name by copies of bkgm.com: at most four points of the opponent's "
    "starting quarter may be held, and primes are free elsewhere.",
    words.MOULTEZIM,
    primes="four_in_their_start",
)
_LONG_NARDY = based_on(
    _PORTES,
    "long_nardy",
    say("Long Nardy"),
    say(
        "Nobody is hit: one checker a turn leaves the head, and six points in a row need an opposing checker ahead."
    ),
    "Long Nardy as the Russian federation's rules of 2026 (read second-hand) and setupgroup.com describe it: one "
    "checker a turn from the head, two with 6-6, 4-4 or 3-3 as a side's first roll; six points in a row only with an "
    "opposing checker ahead of them; the opening roll is played.",
    words.LONG_NARDY,
    game_type="running",
    start="all_on_24",
    leaving_start="one_a_turn",
    primes="one_ahead",
    opening_roll="played",
)
_GUL_BARA = based_on(
    _PORTES,
    "gul_bara",
    say("Gul bara"),
    say("Nobody is hit: a doublet runs on to 6-6, and the opponent plays what its thrower cannot."),
    "Gul bara as eightygames describes it: the start and the direction of Fevga without its limits, a doublet runs on "
    "to 6-6 after a side's first three rolls, and what its thrower cannot play the opponent plays (this also in "
    "vogclub). Other texts end the turn there (switch `rest_of_doublet`), and vogclub adds the head, the prime and "
    "bearing off by exact numbers.",
    words.GUL_BARA,
    game_type="running",
    start="all_on_24",
    doublets="running_on",
    rolls_before_running_on=3,
    rest_of_doublet="opponent_plays",
)
_JIOUL = based_on(
    _GUL_BARA,
    "jioul",
    say("Jioul"),
    say("As Gul bara, with the sides travelling in opposite directions and every doublet running on."),
    "Jioul, or Gioul, as iTavli, backgammon.help and Wikipedia describe it: the start and the directions of Plakoto, "
    "one checker holds a point, every doublet runs on to 6-6, and what its thrower cannot play the opponent plays; the "
    "winner of a game begins the next (Wikipedia).",
    game_type="blocking",
    rolls_before_running_on=0,
    next_game_begins="winner",
)
_ACEY_DEUCEY = based_on(
    _PORTES,
    "acey_deucey",
    say("Acey-Deucey (Navy)"),
    say("All checkers enter from off the board; 2-1 brings a doublet of one’s choice and another throw."),
    "Acey-Deucey, the American form of the navy, as copies of bkgm.com, backgammonmoments, iTavli and Wikipedia "
    "describe it: everything enters from off the board, while others may move already; after 2-1 its player names a "
    "doublet, plays it and throws again, and a number that cannot be played ends the turn. Sources differ in what a "
    "game counts (here one point), in a throw after every doublet (switch `throw_again_after_doublet`) and in whether "
    "all enter before any moves (switch `entering`).",
    words.ACEY_DEUCEY,
    start="tray",
    entering="any_time",
    one_two="names_doublet",
    unplayed_ends_turn=True,
    gammon=False,
)
_ACEY_DEUCEY_EUROPEAN = based_on(
    _ACEY_DEUCEY,
    "acey_europe",
    say("Acey-Deucey (European)"),
    say(
        "As Acey-Deucey: after a doublet, that on the dice’s undersides and another throw; an exact bear-off."
    ),
    "The European form as iTavli and backgammon-play.net describe it: besides, each doublet, thrown or named, is "
    "followed by its complement, seven less its number, and another throw, and bearing off needs the exact number (the "
    "last in iTavli).",
    words.ACEY_DEUCEY,
    doublets="with_complement",
    throw_again_after_doublet=True,
    bear_off_with_more="none",
)

FAMILY: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        _TAVLI,
        _PLAKOTO,
        _FEVGA,
        _MOULTEZIM,
        _LONG_NARDY,
        _GUL_BARA,
        _JIOUL,
        _ACEY_DEUCEY,
        _ACEY_DEUCEY_EUROPEAN,
    )
}
"""The profiles of the other games by name."""

ALL_PROFILES: Mapping[str, Profile] = {**PROFILES, **FAMILY}
"""Every shipped profile by name."""
