// Targets of each checker, from the legal plays in the state. This file knows no rules.

import { southern } from './seats.js';

const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/** The rest of a play after the moves made already; null if they are not part of it. */
function rest(play, made) {
  const left = play.moves.slice();
  for (const move of made) {
    const at = left.findIndex((other) => same(other, move));
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/** The points that a checker may leave now; null if the table withholds aids. */
export function sources(state) {
  const next = state.making?.next;
  return next ? new Set(next.map((move) => move.from)) : null;
}

/**
 * Targets of the checker on `from`: a map from target to {moves, hits, far}. A far target takes several numbers with
 * one checker; it is offered only if the points on the way are clear.
 */
export function targets(state, from) {
  const found = new Map();
  const next = state.making?.next;
  if (!next) return found;
  for (const move of next) {
    if (move.from === from) found.set(move.to, { moves: [[from, move.to]], hits: move.hits, far: false });
  }
  const ways = new Map();
  for (const play of state.plays || []) {
    for (const way of chains(rest(play, state.making.moves) || [], from)) {
      if (!found.has(way[0][1])) continue;
      const end = way[way.length - 1][1];
      if (!ways.has(end)) ways.set(end, new Map());
      ways.get(end).set(way.map((move) => move[1]).join(), way);
    }
  }
  for (const [end, choice] of ways) {
    if (found.has(end)) continue;
    const list = [...choice.values()];
    if (list.length > 1 && list.some((way) => passesBlot(state, way))) continue;
    found.set(end, { moves: list[0], hits: hitsAt(state, end), far: true });
  }
  return found;
}

function chains(moves, from) {
  const found = [];
  const go = (at, left, way) => {
    if (way.length > 1) found.push(way);
    left.forEach((move, n) => {
      if (move[0] === at) go(move[1], [...left.slice(0, n), ...left.slice(n + 1)], [...way, move]);
    });
  };
  go(from, moves, []);
  return found;
}

function hitsAt(state, point) {
  if (point < 1 || point > 24) return false;
  const { points, game } = state.position.board;
  if (game !== 'hitting') return false;
  const n = points[southern(game, state.on_roll, point) - 1];
  return state.on_roll === 'south' ? n === -1 : n === 1;
}

const passesBlot = (state, way) => way.slice(0, -1).some((move) => hitsAt(state, move[1]));

/** The plays that begin with the moves entered so far. */
export function open(state) {
  if (!state.plays) return null;
  const made = state.making?.moves || [];
  return state.plays.filter((play) => rest(play, made) !== null);
}
