"""Judges the turn of a running game, whose record knows the board before it and the roll, by views of the checkers."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

from companion.errors import BadPositionError
from companion.game.events import Orientation
from companion.inference.findings import Kind, Made, TurnOpen, TurnSeen
from companion.inference.follower import Follower
from companion.inference.known_view import BEFORE_BEARING_OFF, Trays
from companion.inference.opening import WRONG
from companion.inference.views import BoardView, Logs, combined, physical_counts, recalled, seen_by
from companion.rules.board import BAR, HOME, OFF, Board, Checkers, Roll, Side
from companion.rules.plays import plays_for
from companion.rules.positions import EnteringPosition
from companion.rules.profile import Profile
from companion.rules.referee import Reason, Unread, Valid

OFFERED = 3
"""Most plays among which people choose."""
WORTH_ASKING = 1e-4
"""Least chance of a play that is offered."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A turn whose play is not in the record yet: the board before it, the side on roll, and its roll."""

    board: Board
    side: Side
    roll: Roll


@dataclass(frozen=True, slots=True)
class Doubted:
    """A throw of the side on roll in which a die was in doubt.

    Attributes:
        board: before it.
        side: on roll, None in the opening.
        faces: the values of the dice, None where one was not read.
        chances: of the six numbers of each die, () for one that was read; () where they are not known.
    """

    board: Board
    side: Side | None
    faces: tuple[int | None, ...]
    chances: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """A view of a board that is certain, to which later ones are compared, and what the game has told of its trays."""

    view: BoardView
    board: Board
    trays: Trays = BEFORE_BEARING_OFF

    def then(self, view: BoardView, board: Board, orientation: Orientation) -> "Known":
        """A later view of a board that is certain."""
        return Known(view, board, self.trays.after(view, self.view, board, self.board, orientation))


def can_be_kept(profile: Profile) -> bool:
    """Whether the checkers of a game under this profile can be followed.

    Not in the entry games: their start shows no checkers, and a doublet there has too many plays.
    """
    return not profile.start[BAR] or profile.positions is EnteringPosition


@dataclass(frozen=True, slots=True)
class Pictures:
    """The views of a turn: the last one while the dice lay, those since they were lifted, the one of the next throw."""

    lying: BoardView | None
    lifted: tuple[BoardView, ...]
    throw: BoardView | None = None


def judged(
    profile: Profile,
    orientation: Orientation,
    owed: Owed,
    pictures: Pictures,
    known: Known | None,
    final: bool = False,
) -> TurnSeen | TurnOpen | None:
    """The play of a turn, or the plays among which the views leave a doubt; None: there is more to come.

    Args:
        profile: the rules.
        orientation: how the board lies.
        owed: the turn.
        pictures: of the turn.
        known: an earlier view of a certain board.
        final: no further picture is awaited, so that an illegal play can be called.
    """
    follower = _thrown(profile, orientation, owed, known)
    if pictures.lying is not None:
        follower.settled(pictures.lying)
    follower.lifted()
    found = [one for view in pictures.lifted for one in follower.settled(view)]
    if final or pictures.throw is not None:
        found += follower.settle(pictures.throw)
    return next((one for one in reversed(found) if isinstance(one, TurnSeen | TurnOpen)), None)


def told_by_play(
    profile: Profile, orientation: Orientation, doubted: Doubted, pictures: Pictures, known: Known | None
) -> Made | None:
    """The turn of a throw in which a die was in doubt, where the play that the views show is one of no other roll."""
    follower = _before(profile, orientation, doubted.board, doubted.side, known)
    follower.thrown(Unread((Reason.DOUBT,)), doubted.faces, doubted.side, doubted.chances)
    follower.lifted()
    for view in pictures.lifted:
        follower.settled(view)
    found = follower.settle(pictures.throw)
    return next((one.made for one in found if isinstance(one, TurnSeen)), None)


def likely(
    profile: Profile,
    orientation: Orientation,
    owed: Owed,
    views: Sequence[BoardView],
    known: Known | None,
    refused: Board | None = None,
) -> tuple[Made, ...]:
    """The plays of a turn to choose from, the most likely first: legal or illegal ones that the views may show.

    After a refused one, given by its board, they are the legal plays that fit best: the reading was wrong.
    """
    if not views:
        return ()
    follower = _thrown(profile, orientation, owed, known)
    follower.lifted()
    view = combined([follower.compared(view) for view in views])
    if refused is not None:
        legal = legal_by_fit(profile, orientation, owed, view, OFFERED + 1)
        return tuple(made for made in legal if made.after != refused)[:OFFERED]
    found = follower.explanations(view)
    moved = [(made, chance) for made, chance in found if made.kind in (Kind.LEGAL, Kind.ILLEGAL)]
    return tuple(made for made, chance in moved if chance >= WORTH_ASKING)[:OFFERED]


def legal_by_fit(
    profile: Profile, orientation: Orientation, owed: Owed, view: BoardView, most: int
) -> tuple[Made, ...]:
    """The legal plays of a turn that fit a view best, at most so many: what people choose from where no play fits."""
    before = owed.board.seen_by(owed.side)
    mover = seen_by(view, owed.side, orientation, profile.positions)
    plays = plays_for(profile, before, owed.roll)
    best = nlargest(most, plays, key=mover.fit)
    return tuple(
        Made(0, owed.side, owed.roll, Kind.LEGAL, owed.board, Board.of(owed.side, after), plays[after])
        for after in best
    )


def _thrown(profile: Profile, orientation: Orientation, owed: Owed, known: Known | None) -> Follower:
    """A follower after the turn's throw."""
    follower = _before(profile, orientation, owed.board, owed.side, known)
    follower.thrown(Valid(owed.roll), tuple(owed.roll))
    return follower


def _before(
    profile: Profile, orientation: Orientation, board: Board, side: Side | None, known: Known | None
) -> Follower:
    """A follower before a throw of this side, or for None before the opening throw."""
    before = _seen_again(board, known, orientation) if known else None
    return Follower.taken_up(
        profile, orientation, board, side, before, known.trays if known else BEFORE_BEARING_OFF
    )


def _seen_again(board: Board, known: Known, orientation: Orientation) -> BoardView:
    """The known view, in which points and trays that have changed since say nothing."""
    view = known.view
    now, then = (physical_counts(one, orientation) for one in (board, known.board))
    same = [one == other for one, other in zip(now, then, strict=True)]
    rows = tuple(row if kept else (0.0,) * len(row) for row, kept in zip(view.points, same, strict=True))
    changed = frozenset(n for n, kept in enumerate(same, 1) if not kept)
    pictures = view.pictures and view.pictures.without(changed)
    off = [(one.south[OFF], one.north[OFF]) for one in (board, known.board)]
    trays = view.trays if off[0] == off[1] else {}
    return BoardView(rows, view.bar, view.covered, pictures, trays)


def board_shown(view: BoardView, board: Board, orientation: Orientation, known: Known | None) -> Board | None:
    """The board of a view: what it clearly shows otherwise than this board, and this board elsewhere.

    A side's checkers that are missing then are on the bar while it has others outside its home board, or where they are
    seen there; else they are borne off.

    Returns None if a side would have too many checkers, or no position of the game has them so; and in games without
    hitting, where heaps are not counted, or while checkers have still to enter.
    """
    position = board.seen_by(Side.SOUTH)
    if not board.kind.HITS or any(board.not_entered):
        return None
    if known is not None:
        view = recalled(view, known.view, physical_counts(known.board, orientation))
    mover, ints = seen_by(view, Side.SOUTH, orientation, board.kind), position.ints()
    for n in range(1, BAR):
        if mover.surprise(n, position) > WRONG:
            own, other = mover.mine[n - 1], mover.theirs[n - 1]
            ints[n] = own.index(max(own)) if max(own) >= max(other) else -other.index(max(other))
    ints[0] = ints[BAR] = 0
    checkers, off = sum(position.mine), (position.mine[OFF], position.theirs[OFF])
    try:
        shown = type(position).of_ints(ints, checkers=checkers)
    except BadPositionError:
        return None
    waiting = [
        _on_bar(side, side[OFF] - gone, row)
        for side, gone, row in zip(
            (shown.mine, shown.theirs), off, (mover.my_bar, mover.their_bar), strict=True
        )
    ]
    ints[BAR], ints[0] = waiting[0], -waiting[1]
    shown = type(position).of_ints(ints, checkers=checkers)
    return None if shown.problems(checkers) else Board.of(Side.SOUTH, shown)


def _on_bar(side: Checkers, missing: int, seen: Logs) -> int:
    """How many of a side's missing checkers are on the bar."""
    outside = any(side[HOME + 1 :])
    return max(0, missing if outside else min(missing, seen.index(max(seen))))


def differing(
    view: BoardView, board: Board, orientation: Orientation, known: Known | None
) -> tuple[int, ...]:
    """South's points on which a view clearly shows something else than this board."""
    if known is not None:
        view = recalled(view, known.view, physical_counts(known.board, orientation))
    mover, position = seen_by(view, Side.SOUTH, orientation, board.kind), board.seen_by(Side.SOUTH)
    return tuple(n for n in range(1, 25) if mover.surprise(n, position) > WRONG)
