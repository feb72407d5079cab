"""What follows a roll in Acey-Deucey: named doublet, complement, another throw; docs/rules/family.md, F21 and F22.

Each only if the turn goes on after the roll: `RollUse.goes_on`, row F23.
"""

from companion.rules.board import Roll, Side, die
from companion.rules.family.running_on import Onward, Part
from companion.rules.profile import Profile
from companion.rules.setting_values import Doublets

ONE_TWO = Roll(2, 1)
"""The roll after which a doublet is named."""


def names_next(profile: Profile, roll: Roll) -> bool:
    """Whether a side names a doublet after it has played this roll (row F21)."""
    return profile.names_doublet and roll == ONE_TWO


def complement_of(profile: Profile, side: Side, roll: Roll, part: Part | None) -> Onward | None:
    """The complement that follows a doublet, thrown or named; None without one (row F22)."""
    if profile.doublets is not Doublets.WITH_COMPLEMENT or not roll.is_doubles:
        return None
    if part and part.complement:
        return None
    opposite = die(7 - roll.high)
    named = bool(part and part.named)
    return Onward(side, Roll(opposite, opposite), Part(side, named=named, complement=True))


def throws_again(profile: Profile, roll: Roll, part: Part | None) -> bool:
    """Whether a side throws again after it has played this roll, or this part of its turn.

    docs/rules/play.md, row S7, and docs/rules/family.md, rows F21 and F22.
    """
    after_one_two = names_next(profile, roll) or (profile.names_doublet and bool(part and part.named))
    return after_one_two or (profile.throw_again_after_doublet and roll.is_doubles)
