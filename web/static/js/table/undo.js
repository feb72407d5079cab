// What the button Undo takes back, as far as the page can know it: the newest step that still counts.

import { pointName } from '../board/seats.js';
import { t, translated } from '../lib/words.js';

let trail = []; // the moves of the play on the board after each of its steps, as this page has seen them

const key = (moves) => JSON.stringify(moves);

/** Follow a new state, before anything of it is drawn. */
export function follow(state) {
  const moves = state.making?.moves ?? [];
  const seen = trail.findIndex((one) => key(one) === key(moves));
  if (!moves.length) trail = state.making ? [[]] : [];
  else if (seen >= 0) trail = trail.slice(0, seen + 1);
  else trail.push(moves);
}

/** What an undo takes back, in a few words; "" if that is not known. */
export function undone(state) {
  const { phase, making, history, last_play: last, result } = state;
  if (making?.moves.length) return moved(making);
  if (state.owed) return '';
  const newest = history.findLast((entry) => !entry.undone && !entry.misfit);
  const turnEnded = phase === 'on_roll' && last && newest?.side !== state.on_roll;
  if (turnEnded || result?.how === 'borne_off') return t('end of the turn');
  return newest ? translated(newest, 'text') : '';
}

// The moves that came with the last step; "" for one of several that the page has not seen.
function moved({ moves, text }) {
  const before = trail.at(-2) ?? (moves.length > 1 ? null : []);
  if (!before?.length) return before ? text : '';
  const left = before.map(key);
  const added = moves.filter((move) => {
    const at = left.indexOf(key(move));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return added.map(([from, to]) => `${pointName(from)}/${pointName(to)}`).join(' ');
}
