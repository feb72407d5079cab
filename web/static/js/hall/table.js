// A table of the hall for spectators: score, clocks, cube and roll from the hub's state, the board from its record.

import { Board, draw } from '../archive/position.js';
import { narrow } from '../board/board.js';
import { h, redraw, unbroken } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';
import { follow, left, matchText, playerRow } from './tables.js';

const at = (id) => document.getElementById(id);
const name = document.body.dataset.table;
const board = new Board(at('board'));
let shown = null; // the last steps of its match

function position() {
  const step = shown?.steps.at(-1);
  at('board').toggleAttribute('hidden', !step);
  if (step) at('position').textContent = Board.describe(draw(board, step, shown, 'south'));
  const line = (one) => (one.side ? `${one.players[one.side] || ''}: ` : '') + translated(one, 'text');
  redraw(at('plays'), shown?.steps ?? [], () => (shown?.steps ?? []).toReversed().map((one) => h('li', {}, unbroken(line(one)))));
  redraw(at('record'), shown?.match ?? '', () => (shown?.match ? [h('a', { href: `/matches/${encodeURIComponent(shown.match)}` }, t('The whole match'))] : []));
}

function rollText({ roll, on_roll: side, match }) {
  return roll && match ? t('{name} to play {roll}', { name: match.players[side], roll: roll.join('-') }) : '';
}

follow((hall, now) => {
  const table = hall.tables.find((one) => one.table === name);
  const state = table?.state;
  const seconds = state?.clock ? ['south', 'north'].map((side) => Math.ceil(left(state.clock, side, now) / 1000)) : [];
  for (const [id, side] of [['strip-top', 'north'], ['strip-bottom', 'south']]) {
    redraw(at(id), [state, seconds], () => (state?.match ? [playerRow(state, side, now)] : []));
  }
  const lines = state ? [matchText(state), rollText(state), table.status === 'online' ? '' : t('no connection')] : [t('no match')];
  const text = lines.filter(Boolean).join(' · ');
  redraw(at('what'), text, () => unbroken(text));
  if (shown !== hall.shown) {
    shown = hall.shown;
    position();
  }
}, name);
narrow.addEventListener('change', position);
