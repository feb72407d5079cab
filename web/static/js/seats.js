// Who is who: names, sides, numberings.

import { t } from './words.js';

export const SIDES = ['south', 'north'];
export const other = (side) => (side === 'south' ? 'north' : 'south');

/** The player's name, or the seat's. */
export function nameOf(state, side) {
  const name = state.match?.players?.[side];
  return name || (side === 'south' ? t('South') : t('North'));
}

/** 'light' or 'dark': which checkers this side has. */
export function toneOf(state, side) {
  const south = state.orientation.south;
  return side === 'south' ? south : south === 'light' ? 'dark' : 'light';
}

/** A point of `side`'s numbering as an index into the board's points (south's numbering, from 0). */
export const indexOf = (side, point) => (side === 'south' ? point - 1 : 24 - point);

/** How many of `side`'s checkers stand on this point of its own numbering (25 bar, 0 off). */
export function countOf(state, side, point) {
  const { points, bar, off } = state.position.board;
  if (point === 25) return bar[side];
  if (point === 0) return off[side];
  const n = points[indexOf(side, point)];
  return side === 'south' ? Math.max(n, 0) : Math.max(-n, 0);
}

/**
 * The state with its board as it lies now: the position is the one that the roll is played from, and the moves entered
 * so far are carried out on it.
 */
export function withMoves(state) {
  const moves = ['rolled', 'on_roll'].includes(state.phase) ? state.making?.moves || [] : [];
  if (!moves.length) return state;
  const side = state.on_roll;
  const sign = side === 'south' ? 1 : -1;
  const board = structuredClone(state.position.board);
  const add = (who, point, n) => {
    if (point === 25) board.bar[who] += n;
    else if (point === 0) board.off[who] += n;
    else board.points[indexOf(who, point)] += n * (who === 'south' ? 1 : -1);
  };
  for (const [from, to] of moves) {
    add(side, from, -1);
    if (to > 0 && to < 25 && board.points[indexOf(side, to)] === -sign) {
      add(other(side), 25 - to, -1);
      add(other(side), 25, 1);
    }
    add(side, to, 1);
  }
  return { ...state, position: { ...state.position, board } };
}

export const BAR = 25;
export const OFF = 0;

/** A point's name in text: 8, bar, off. */
export const pointName = (point) => (point === BAR ? t('bar') : point === OFF ? t('off') : String(point));
