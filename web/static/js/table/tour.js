// Three bubbles that explain the first turn where recorded pictures are played: the card, the board, the buttons.
// Each stays until it is answered, and after the last one, or Escape, none is shown in this browser again.

import { h } from '../lib/dom.js';
import { prefer, prefs } from '../lib/prefs.js';
import { t } from '../lib/words.js';

const GAP_PX = 10;
const at = (id) => document.getElementById(id);

const STOPS = [
  { beside: 'verdict', text: (state) => (state.checkers?.keeps
    ? t('This game is recorded and plays by itself. The camera read this roll: tap the card to see its picture.')
    : t('The camera read this roll. Tap the card to see its picture.')) },
  { beside: 'board', text: (state) => (state.checkers?.keeps
    ? t('The camera reads the checkers too and enters each play. You can always enter one by tapping.')
    : t('Tap a checker with a ring, then the point it goes to.')) },
  { beside: 'asks', text: () => t('Done ends the turn. Undo takes back the last step, and Correct changes any roll or play.') },
];

// Whoever may only answer and call has nothing of it to do.
const plays = ({ may }) => may.includes('play') || may.includes('done');

let stop = 0;
let bubble = null;

/** Show the bubble that is due, beside its part of the page; none without a recorded roll, or after the last one. */
export function tour(state) {
  if (bubble && !state.roll) return hide();
  if (bubble) return place();
  if (prefs.toured || state.camera.state !== 'recorded' || !state.roll || !plays(state)) return undefined;
  return show(state);
}

function show(state) {
  const last = stop === STOPS.length - 1;
  bubble = h(
    'div',
    { id: 'tour', class: 'bubble', role: 'note' },
    h('p', {}, STOPS[stop].text(state)),
    h('div', { class: 'row' },
      h('span', { class: 'faint' }, `${stop + 1}/${STOPS.length}`),
      last ? null : h('button', { type: 'button', class: 'quiet', onclick: end }, t('Skip')),
      h('button', { type: 'button', class: 'primary', onclick: () => (last ? end() : next(state)) }, last ? t('Got it') : t('Next')),
    ),
  );
  document.body.append(bubble);
  place();
}

function next(state) {
  bubble.remove();
  stop += 1;
  show(state);
  bubble.querySelector('.primary').focus({ preventScroll: true });
}

// Until the next roll: a bubble speaks of the roll on the page.
function hide() {
  bubble.remove();
  bubble = null;
}

function end() {
  hide();
  prefer('toured', true);
}

/** Below its part of the page where there is room, else above it, and in the middle of one that fills the page. */
function place() {
  const part = at(STOPS[stop].beside).getBoundingClientRect();
  const own = bubble.getBoundingClientRect();
  const below = part.bottom + GAP_PX;
  const above = part.top - GAP_PX - own.height;
  const fits = below + own.height <= innerHeight ? below : above;
  const top = part.height > innerHeight / 2 || fits < 0 ? part.top + (part.height - own.height) / 2 : fits;
  const left = part.left + (part.width - own.width) / 2;
  const within = (value, most) => Math.max(GAP_PX, Math.min(value, most - GAP_PX));
  bubble.style.top = `${within(top, innerHeight - own.height)}px`;
  bubble.style.left = `${within(left, innerWidth - own.width)}px`;
}

addEventListener('resize', () => bubble && place());
addEventListener('scroll', () => bubble && place(), { passive: true });
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && bubble && !at('dialog').open) end();
});
