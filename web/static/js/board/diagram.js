// A small board: a position of the analysis, or an orientation of the board.

import { Board } from './board.js';
import { s } from '../lib/dom.js';

/** The position as a picture; `named` is its text for screen readers, which skip it without one. */
export function diagram(board, { home = 'right', south = 'light', roll = null, named = '', cube = true } = {}) {
  const drawing = s('svg', { class: 'mini', ...(named ? { role: 'img', 'aria-label': named } : { 'aria-hidden': 'true' }) });
  new Board(drawing).show(
    {
      orientation: { home, south }, on_roll: roll ? 'south' : null, may: [], phase: roll ? 'rolled' : 'no_match', roll,
      making: null, cube: { in_play: cube, value: 1, owner: null, offered: null }, match: roll ? { length: 1 } : null, position: { board },
    },
    'south',
  );
  return drawing;
}

/** The starting position. */
export function start() {
  const points = Array(24).fill(0);
  for (const [point, n] of [[24, 2], [13, 5], [8, 3], [6, 5]]) {
    points[point - 1] += n;
    points[24 - point] -= n;
  }
  return { points, bar: { south: 0, north: 0 }, off: { south: 0, north: 0 }, game: 'hitting', pinned: { south: [], north: [] } };
}
