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

/** The room that a name takes, in letters. */
export const roomOf = (name) => [...letters.segment(name)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);

/** A name shortened to fit; the strip has the whole name. */
function brief(name, most) {
  let room = most;
  const cut = [...letters.segment(name)].find(({ segment }) => (room -= WIDE.test(segment) ? 2 : 1) < 0);
  return cut ? `${name.slice(0, cut.index).trimEnd()}…` : name;
}

/** The same state with names short enough for the big line, of at most so many letters. */
export function briefly(state, most = ROOM) {
  const { match } = state;
  if (!match?.players) return state;
  const players = Object.fromEntries(SIDES.map((side) => [side, brief(nameOf(state, side), most)]));
  return { ...state, match: { ...match, players } };
}

/** A side's points: its score, or in a chouette the account of who sits there. */
export const pointsOf = (state, side) =>
  state.chouette?.find((one) => one.role === (side === 'south' ? 'box' : 'captain')).account ?? state.match.score[side];

/** The tone of this side's checkers: 'light' or 'dark'. */
export function toneOf(state, side) {
  const south = state.orientation.south;
  return side === 'south' ? south : south === 'light' ? 'dark' : 'light';
}

/** The other side's number of a point; in a `running` game both sides travel the same way round. */
export const opposite = (game, point) => (game !== 'running' ? 25 - point : point > 12 ? point - 12 : point + 12);

/** A point of `side`'s numbering in south's. */
export const southern = (game, side, point) => (side === 'south' ? point : opposite(game, point));

/** Number of `side`'s checkers on this point of its own numbering (25 bar, 0 off), a pinned one included. */
export function countOf(state, side, point) {
  const { bar, off } = state.position.board;
  if (point === 25) return bar[side];
  if (point === 0) return off[side];
  return shownOf(state, side, point) + isPinned(state, side, point);
}

/** The same without a pinned one. */
function shownOf(state, side, point) {
  const { points, game } = state.position.board;
  const n = points[southern(game, side, point) - 1];
  return Math.max(side === 'south' ? n : -n, 0);
}

/** Whether `side`'s checker on this point of its own numbering is pinned. */
export const isPinned = (state, side, point) => state.position.board.pinned[side].includes(point);

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
    else board.points[southern(board.game, who, point) - 1] += n * (who === 'south' ? 1 : -1);
  };
  const now = { ...state, position: { ...state.position, board } };
  const leave = (from) => {
    add(side, from, -1);
    const free = opposite(board.game, from);
    if (!board.pinned[other(side)].includes(free) || shownOf(now, side, from)) return;
    board.pinned[other(side)] = board.pinned[other(side)].filter((point) => point !== free);
    add(other(side), free, 1);
  };
  const hits = moves.map(([from, to]) => {
    leave(from);
    const there = opposite(board.game, to);
    const single = to > 0 && to < 25 && ['hitting', 'pinning'].includes(board.game) && shownOf(now, other(side), there) === 1;
    if (single) add(other(side), there, -1);
    const hit = single && board.game === 'hitting';
    if (hit) add(other(side), 25, 1);
    else if (single) board.pinned[other(side)].push(there);
    add(side, to, 1);
    return hit;
  });
  return { state: { ...state, position: { ...state.position, board } }, hits };
}

export const BAR = 25;
export const OFF = 0;

/** A point's name in text: 8, bar, off. */
export const pointName = (point) => (point === BAR ? t('bar') : point === OFF ? t('off') : String(point));
