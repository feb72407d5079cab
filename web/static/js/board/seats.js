// The players' names, sides and numberings.

import { t } from '../lib/words.js';

export const SIDES = ['south', 'north'];
export const other = (side) => (side === 'south' ? 'north' : 'south');

const SEATS = { South: () => t('South'), North: () => t('North') };

/** The player's name; one named after his seat has the seat's name in the page's language. */
export function nameOf(state, side) {
  const name = state.match?.players?.[side] || (side === 'south' ? 'South' : 'North');
  return SEATS[name]?.() ?? name;
}

const ROOM = 22; // letters; one of a wide script, or an emoji, counts as two
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' }); // an emoji joined of several stays whole
const WIDE = /\p{Extended_Pictographic}|\p{RI}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** A name shortened to fit; the strip has the whole name. */
function brief(name) {
  let room = ROOM;
  const cut = [...letters.segment(name)].find(({ segment }) => (room -= WIDE.test(segment) ? 2 : 1) < 0);
  return cut ? `${name.slice(0, cut.index).trimEnd()}…` : name;
}

/** The same state with names short enough for the big line. */
export function briefly(state) {
  const { match } = state;
  if (!match?.players) return state;
  const players = Object.fromEntries(SIDES.map((side) => [side, brief(nameOf(state, side))]));
  return { ...state, match: { ...match, players } };
}

/** The tone of this side's checkers: 'light' or 'dark'. */
export function toneOf(state, side) {
  const south = state.orientation.south;
  return side === 'south' ? south : south === 'light' ? 'dark' : 'light';
}

/** A point of `side`'s numbering as an index into the board's points (south's numbering, from 0). */
export const indexOf = (side, point) => (side === 'south' ? point - 1 : 24 - point);

/** Number of `side`'s checkers on this point of its own numbering (25 bar, 0 off). */
export function countOf(state, side, point) {
  const { points, bar, off } = state.position.board;
  if (point === 25) return bar[side];
  if (point === 0) return off[side];
  const n = points[indexOf(side, point)];
  return side === 'south' ? Math.max(n, 0) : Math.max(-n, 0);
}

/**
 * The state with the present board: the position received is the one before the roll is played; the moves entered so
 * far are carried out on it.
 */
export function withMoves(state) {
  const moves = ['rolled', 'on_roll'].includes(state.phase) ? state.making?.moves || [] : [];
  return moves.length ? carried(state, moves).state : state;
}

/** Carry out moves one by one on the board before them: {state, hits}, where `hits` has a flag for each move. */
export function carried(state, moves) {
  const side = state.on_roll;
  const board = structuredClone(state.position.board);
  const add = (who, point, n) => {
    if (point === 25) board.bar[who] += n;
    else if (point === 0) board.off[who] += n;
    else board.points[indexOf(who, point)] += n * (who === 'south' ? 1 : -1);
  };
  const hits = moves.map(([from, to]) => {
    add(side, from, -1);
    const hit = to > 0 && to < 25 && board.points[indexOf(side, to)] === (side === 'south' ? -1 : 1);
    if (hit) {
      add(other(side), 25 - to, -1);
      add(other(side), 25, 1);
    }
    add(side, to, 1);
    return hit;
  });
  return { state: { ...state, position: { ...state.position, board } }, hits };
}

export const BAR = 25;
export const OFF = 0;

/** A point's name in text: 8, bar, off. */
export const pointName = (point) => (point === BAR ? t('bar') : point === OFF ? t('off') : String(point));
