// Names, score, cube, clock, dice and the ruling on a transparent background, for a video stream; the board if asked for.
// The same page shows a table of a hall, whose hub has its state. The address says where and how: `?top.small.light.board`.

import { Board } from './board/board.js';
import { die } from './board/dice.js';
import { h, redraw } from './lib/dom.js';
import { matchWords, showLine } from './table/heading.js';
import { decimal } from './lib/words.js';
import { Link } from './table/link.js';
import { headline } from './table/say.js';
import { nameOf, pointsOf, toneOf } from './board/seats.js';
import { disc, nameClass, tick } from './table/strips.js';

const at = (id) => document.getElementById(id);
const { beatMs, table } = document.body.dataset;
const link = new Link(Number(beatMs), table && `?table=${encodeURIComponent(table)}&whole`);
const wanted = location.search.slice(1).replace(/=$/, '').split('.');
const board = wanted.includes('board') ? new Board(at('board')) : null;
document.documentElement.classList.add(...['top', 'right', 'small', 'large', 'light', 'clear'].filter((word) => wanted.includes(word)));

function row(state, side) {
  const turn = (state.asked || state.on_roll) === side;
  const cube = state.cube.owner === side ? state.cube.value : 0;
  return h(
    'div',
    { class: `side${turn ? ' active' : ''}` },
    disc(toneOf(state, side)),
    h('b', { class: nameClass(nameOf(state, side)) }, nameOf(state, side)),
    cube ? h('span', { class: 'owned' }, String(cube)) : null,
    state.clock ? h('span', { class: 'time', 'data-side': side }) : null,
    state.position.pips ? h('span', { class: 'pips' }, String(state.position.pips[side])) : null,
    h('span', { class: 'score' }, decimal(pointsOf(state, side), 0)),
  );
}

link.addEventListener('state', ({ detail: state }) => {
  const { kind, head, sub } = headline(state);
  const { match, cube, position, on_roll: roller, asked, orientation } = state;
  document.body.classList.toggle('away', state.online === false); // the hub does not hear of the table
  at('board').toggleAttribute('hidden', !board || !match);
  if (board && match) board.show(state, 'south');
  redraw(at('scores'), [match, cube, state.chouette, position.pips, roller, asked, orientation, Boolean(state.clock)], () =>
    match ? [h('div', { class: 'title' }, matchWords(match)), row(state, 'north'), row(state, 'south')] : [],
  );
  const quiet = ['turn', 'calm'].includes(kind);
  at('event').className = `event ${kind}${quiet ? ' quiet' : ''}`;
  redraw(at('event'), [kind, head, sub, state.roll, roller, orientation], () => [
    kind === 'valid' && roller ? h('div', { class: 'dice' }, state.roll.map((value) => die(value, toneOf(state, roller)))) : h('b', {}, head),
    kind === 'valid' ? null : h('span', {}, sub),
  ]);
  tick(at('scores'), state, link.now());
});
showLine(link);
setInterval(() => tick(at('scores'), link.state, link.now()), 250);
link.open();
