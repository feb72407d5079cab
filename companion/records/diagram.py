"""The board as a drawing (SVG), for the pages that are handed out."""

from collections.abc import Iterator
from itertools import product

from companion.game.state import State
from companion.rules.board import BAR, OFF, Board, Side

COLUMN, HEIGHT, MOST_SHOWN = 20, 220, 5
WIDTH = 14 * COLUMN
"""Thirteen columns, the bar among them, and one for cube and checkers borne off; in the drawing's own units."""
_LIGHT, _DARK = "#fff", "#333"


def field_svg() -> str:
    """The empty board as an SVG symbol of the id `field`, to be written once on a page."""
    points = "".join(_triangle(n) for n in range(1, 25))
    bar, edge = 6 * COLUMN, 13 * COLUMN
    ground = f'<path fill="#f4ead8" d="M0 0h{edge}v{HEIGHT}H0z"/>'
    middle = f'<path fill="#999" d="M{bar} 0h{COLUMN}v{HEIGHT}h-{COLUMN}z"/>'
    symbol = f'<symbol id="field">{ground}{points}{middle}</symbol>'
    return f'<svg width="0" height="0" style="position:absolute">{symbol}</svg>'


def board_svg(state: State) -> str:
    """Checkers and cube of a state, south below, as the board stands; uses `field_svg` of the same page."""
    mirrored = state.terms.orientation.home == "left"
    shades = [_LIGHT, _DARK] if state.terms.orientation.south == "light" else [_DARK, _LIGHT]
    parts = []
    for pinned, (side, shade) in product((True, False), list(zip(Side, shades, strict=True))):
        drawn = "".join(_checkers(state.board, side, mirrored, pinned))
        text = _LIGHT if shade == _DARK else _DARK
        parts.append(f'<g fill="{shade}" stroke="#000" color="{text}">{drawn}</g>')
    return (
        f'<svg class="board" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><use href="#field"/>'
        f"{''.join(parts)}{_cube(state)}</svg>"
    )


def _column(n: int) -> int:
    """The column of a point in south's numbering, from the left, with his home on the right."""
    if n <= 12:
        return 13 - n if n <= 6 else 12 - n
    return n - 13 if n <= 18 else n - 12


def _triangle(n: int) -> str:
    x, shade = _column(n) * COLUMN, "#c9a66b" if n % 2 else "#8a6237"
    base, tip = (HEIGHT, -90) if n <= 12 else (0, 90)
    return f'<path fill="{shade}" d="M{x} {base}l{COLUMN // 2} {tip} {COLUMN // 2} {-tip}z"/>'


def _checkers(board: Board, side: Side, mirrored: bool, pinned: bool) -> Iterator[str]:
    """The circles of one side's pinned checkers, or of all others, with a number on a stack of more than five."""
    position = board.seen_by(side)
    for place in range(1, BAR + 1):
        count = position.mine[place]
        if count and bool(position.pinned >> place & 1) is pinned:
            n = place if side is Side.SOUTH or place == BAR else position.OPPOSITE[place]
            column = 6 if place == BAR else _column(n)
            below = n <= 12 if place != BAR else side is Side.NORTH
            pins = place < BAR and position.opposing(place) > 0 and not pinned
            start = 40 if place == BAR else 19 if pins else 10
            yield from _stack(12 - column if mirrored else column, count, below, start)
    if position.mine[OFF] and not pinned:
        y = HEIGHT - 12 if side is Side.SOUTH else 12
        yield _disc(13 * COLUMN + 10, y) + _number(13 * COLUMN + 10, y, position.mine[OFF])


def _stack(column: int, count: int, below: bool, start: int) -> Iterator[str]:
    """The circles of a stack whose first one is so far from the rim."""
    x, on_bar = column * COLUMN + 10, start == 40
    heights = [start + 19 * n for n in range(min(count, 3 if on_bar else MOST_SHOWN))]
    places = [HEIGHT - y if below else y for y in heights]
    yield from (_disc(x, y) for y in places)
    if count > len(places):
        yield _number(x, places[-1], count)


def _disc(x: int, y: int) -> str:
    return f'<circle cx="{x}" cy="{y}" r="9"/>'


def _number(x: int, y: int, number: int) -> str:
    style = 'font-size="12" text-anchor="middle" stroke="none" fill="currentColor"'
    return f'<text x="{x}" y="{y + 4}" {style}>{number}</text>'


def _cube(state: State) -> str:
    """The cube at its owner's rim, or between the sides showing 64 before it was turned; none in a match to 1 point."""
    if not state.terms.profile.cube or state.terms.length == 1:
        return ""
    owner, x = state.cube.owner, 13 * COLUMN + 1
    y = HEIGHT // 2 - 9 if owner is None else HEIGHT - 50 if owner is Side.SOUTH else 32
    value = 64 if state.cube.value == 1 else state.cube.value
    return (
        f'<path fill="#fff" stroke="#000" d="M{x} {y}h18v18h-18z"/>'
        f'<text x="{x + 9}" y="{y + 13}" font-size="10" text-anchor="middle">{value}</text>'
    )
