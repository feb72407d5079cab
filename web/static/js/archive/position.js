// A step of a replay on the board: checkers, dice, cube, numbers, and arrows for plays.

import { Board } from '../board/board.js';
import { s } from '../lib/dom.js';
import { BAR, OFF, countOf, other } from '../board/seats.js';

const STEP = 93; // between checkers of a column
const MOST_FREE = 5; // checkers in a column before they move together

/** The step in the shape that the board draws; `inPlay`: the match has a cube. */
export function stateOf(step, orientation, length, inPlay) {
  const [value, owner, offered] = step.cube;
  return {
    orientation,
    on_roll: step.on_roll,
    asked: step.asked,
    may: [],
    phase: step.phase,
    roll: step.roll,
    making: step.phase === 'played' ? { moves: [], complete: true } : null,
    cube: { in_play: inPlay, value, owner, offered },
    match: { length, players: step.players, score: step.score },
    position: { board: step.board },
  };
}

/** Moves in GNU Backgammon's notation, such as "24/18 6/4(2)", as [from, to]. */
export function movesIn(text) {
  return text.trim().split(/\s+/).filter((word) => word.includes('/')).flatMap((word) => {
    const [, chain, times] = /^([^(]*)(?:\((\d)\))?$/.exec(word) ?? [null, '', ''];
    const places = chain.replaceAll('*', '').split('/').map((name) => (name === 'bar' ? BAR : name === 'off' ? OFF : Number(name)));
    const hops = places.slice(1).map((to, n) => [places[n], to]);
    return Array(Number(times || 1)).fill(hops).flat();
  });
}

function spotOf(board, state, point, own) {
  const { map } = board;
  const side = state.on_roll;
  const { ledge, height, middle } = map.size;
  if (point === OFF) return board.offSpot(side);
  if (point === BAR) return { x: map.bar, y: map.seatTop(side) ? middle + 96 : middle - 96 };
  const { x, top } = map.spot(side, point);
  const n = Math.min(countOf(state, side, point) + (own ? -1 : 0), MOST_FREE - 1);
  const d = ledge + 48 + Math.max(n, 0) * STEP;
  return { x, y: top ? d : height - d };
}

/** A play and a better one as lists for `draw`: what both have in common, and what differs in each. */
export function compared(played, best) {
  const rest = best.map(String);
  const common = [];
  const own = [];
  for (const move of played) {
    const at = rest.indexOf(String(move));
    if (at < 0) own.push(move);
    else {
      rest.splice(at, 1);
      common.push(move);
    }
  }
  const better = rest.map((text) => text.split(',').map(Number));
  return own.length || better.length ? [[common, 'both'], [own, 'played'], [better, 'best']] : [[played, 'played']];
}

const ASIDE = 30; // between arrows of the same way

/** One arrow for each move of [moves, kind], those of the same way beside each other; a kind is played, best or both. */
function arrows(board, state, plays) {
  const all = plays.flatMap(([moves, kind]) => moves.map(([from, to]) => ({ from, to, kind, way: `${from}/${to}` })));
  return all.map(({ from, to, kind, way }, n) => {
    const same = all.filter((one) => one.way === way);
    const before = all.slice(0, n).filter((one) => one.way === way).length;
    const a = spotOf(board, state, from, true);
    const b = spotOf(board, state, to, false);
    const away = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [ux, uy] = [(b.x - a.x) / away, (b.y - a.y) / away];
    const aside = (before - (same.length - 1) / 2) * ASIDE;
    for (const end of [a, b]) {
      end.x -= uy * aside;
      end.y += ux * aside;
    }
    const [hx, hy] = [b.x - ux * 34, b.y - uy * 34];
    const head = `M${b.x} ${b.y}L${hx - uy * 19} ${hy + ux * 19}L${hx + uy * 19} ${hy - ux * 19}Z`;
    return s('g', { class: `arrow ${kind}` }, s('path', { d: `M${a.x} ${a.y}L${hx} ${hy}` }), s('path', { class: 'head', d: head }));
  });
}

/** Draw a step of a match {orientation, length, cube}; `plays` is a list of [moves, kind]. */
export function draw(board, step, { orientation, length, cube }, bottom, plays = []) {
  const state = stateOf(step, orientation, length, cube);
  board.show(state, bottom);
  board.root.querySelector('.arrows')?.remove();
  if (step.on_roll) board.root.append(s('g', { class: 'arrows', 'aria-hidden': 'true' }, arrows(board, state, plays)));
  return state;
}

/** The side opposite to the one that begins at the bottom. */
export const topOf = (bottom) => other(bottom);

export { Board };
