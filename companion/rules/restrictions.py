"""Rules of a game that keep a checker where it is, for the card; docs/rules/family.md, F2, F4, F5 to F9 and F20."""

from companion.rules.board import BAR, OFF
from companion.rules.family.limits import HEAD
from companion.rules.family.outcome import awaits_own_mother
from companion.rules.partial_play import PartialPlay, RefusalReason, is_limited, limit_reason


def restrictions(partial: PartialPlay) -> dict[RefusalReason, list[int]]:
    """Places of checkers that only a rule of the game keeps from moving next, by the rule; of ordinary hitting none.

    Where some checkers have not entered yet, the board does not show that others were hit and enter first.
    """
    found: dict[RefusalReason, list[int]] = {}
    now = partial.now
    if now.HITS:
        kept = [point for point in range(24, OFF, -1) if now.mine[point]]
        return {RefusalReason.ENTER_FIRST: kept} if kept and now.not_entered[0] and now.must_enter else found
    can_move = {move.source for move in partial.next}
    for source in range(BAR, OFF, -1):
        why = _why(partial, source) if partial.now.mine[source] and source not in can_move else None
        if why is not None:
            found.setdefault(why, []).append(source)
    return found


def _why(partial: PartialPlay, source: int) -> RefusalReason | None:
    """The rule against a checker on a place, None if there is none."""
    roll_use = partial.roll_use
    if partial.now.pinned >> source & 1:
        goes_on = source == HEAD and awaits_own_mother(partial.roll_use.profile, partial.now.flipped())
        return RefusalReason.MOTHER if goes_on else RefusalReason.PINNED
    for line in partial.lines:
        for number in set(line.left):
            step = next((one for one in roll_use.single(line, number) if one.source == source), None)
            if step is None and is_limited(roll_use, line, source, number):
                return limit_reason(roll_use, source, line)
            if step is not None and roll_use.opens and not roll_use.can_open(step.line):
                return RefusalReason.OPEN_PRIME
    return None
