// Names, score, cube, dice and the ruling on a transparent background, for a video stream.

import { die } from './board/dice.js';
import { h, redraw } from './lib/dom.js';
import { matchWords, showLine } from './table/heading.js';
import { Link } from './table/link.js';
import { headline } from './table/say.js';
import { nameOf, toneOf } from './board/seats.js';
import { disc } from './table/strips.js';

const at = (id) => document.getElementById(id);
const link = new Link(Number(document.body.dataset.beatMs));

function row(state, side) {
  const turn = (state.asked || state.on_roll) === side;
  const cube = state.cube.owner === side ? state.cube.value : 0;
  return h(
    'div',
    { class: `side${turn ? ' active' : ''}` },
    disc(toneOf(state, side)),
    h('b', { class: 'name' }, nameOf(state, side)),
    cube ? h('span', { class: 'owned' }, String(cube)) : null,
    state.position.pips ? h('span', { class: 'pips' }, String(state.position.pips[side])) : null,
    h('span', { class: 'score' }, String(state.match.score[side])),
  );
}

link.addEventListener('state', ({ detail: state }) => {
  const { kind, head, sub } = headline(state);
  const { match, cube, position, on_roll: roller, asked, orientation } = state;
  redraw(at('scores'), [match, cube, position.pips, roller, asked, orientation], () =>
    match ? [h('div', { class: 'title' }, matchWords(match)), row(state, 'north'), row(state, 'south')] : [],
  );
  const quiet = ['turn', 'calm'].includes(kind);
  at('event').className = `event ${kind}${quiet ? ' quiet' : ''}`;
  redraw(at('event'), [kind, head, sub, state.roll, roller, orientation], () => [
    kind === 'valid' && roller ? h('div', { class: 'dice' }, state.roll.map((value) => die(value, toneOf(state, roller)))) : h('b', {}, head),
    kind === 'valid' ? null : h('span', {}, sub),
  ]);
});
showLine(link);
link.open();
