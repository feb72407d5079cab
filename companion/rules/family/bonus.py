"""What follows a roll in Acey-Deucey: named doublet, complement, another throw; docs/rules/family.md, F21 to F23."""

from companion.rules.board import Position, Roll, Side, die
from companion.rules.family.running_on import Onward, Part
from companion.rules.moves import DOUBLET_TIMES
from companion.rules.partial_play import RollUse
from companion.rules.profile import Profile
from companion.rules.setting_values import Doublets

ONE_TWO = Roll(2, 1)
"""The roll after which a doublet is named."""


def names_next(profile: Profile, position: Position, roll: Roll) -> bool:
    """Whether a side names a doublet after it has played this roll from this position (row F21)."""
    return profile.names_doublet and roll == ONE_TWO and goes_on(profile, position, roll, None)


def complement_of(
    profile: Profile, position: Position, side: Side, roll: Roll, part: Part | None
) -> Onward | None:
    """The complement that follows a doublet, thrown or named, played from this position; None without one (row F22)."""
    if profile.doublets is not Doublets.WITH_COMPLEMENT or not roll.is_doubles:
        return None
    if (part and part.complement) or not goes_on(profile, position, roll, part):
        return None
    opposite = die(7 - roll.high)
    return Onward(
        side, Roll(opposite, opposite), Part(side, named=bool(part and part.named), complement=True)
    )


def throws_again(profile: Profile, position: Position, roll: Roll, part: Part | None) -> bool:
    """Whether a side throws again after it has played this roll, or this part of its turn, from this position.

    docs/rules/play.md, row S7, and docs/rules/family.md, rows F21 and F22.
    """
    after_one_two = profile.names_doublet and (roll == ONE_TWO or bool(part and part.named))
    after_doublet = profile.throw_again_after_doublet and roll.is_doubles
    return (after_one_two or after_doublet) and goes_on(profile, position, roll, part)


def goes_on(profile: Profile, position: Position, roll: Roll, part: Part | None) -> bool:
    """Whether a turn may go on after this roll: every number of it can be played, or need not be (row F23)."""
    if not profile.unplayed_ends_turn:
        return True
    use = RollUse(profile, position, roll, times=part.times if part else DOUBLET_TIMES)
    return use.most(use.start) == len(use.start.left)
