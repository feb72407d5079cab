// Three bubbles that explain the first turn where recorded pictures are played: the card, the board, the buttons.
// Each stays until it is answered, though play goes on, but hides while what it explains is not on the page; after the
// last one, or Escape, none is shown in this browser again. None lies over the buttons, the line for a play or a question: those are for what happens meanwhile.

import { h } from '../lib/dom.js';
import { prefer, prefs } from '../lib/prefs.js';
import { t } from '../lib/words.js';

const GAP_PX = 10;
const at = (id) => document.getElementById(id);

const STOPS = [
  { beside: 'verdict', text: (state) => (state.checkers?.keeps
    ? t('A recorded game plays by itself. The camera reads each roll: tap its card to see the picture.')
    : t('The camera reads each roll. Tap its card to see the picture.')) },
  { beside: 'board', text: (state) => (state.checkers?.keeps
    ? t('The camera reads the checkers too and enters each play. You can always enter one by tapping.')
    : t('Tap a checker with a ring, then the point it goes to.')) },
  { beside: 'asks', needs: ['done', 'undo', 'fix'], text: () => t('Done ends the turn. Undo takes back the last step, and Correct changes any roll or play.') },
];

// Whoever may only answer and call has nothing of it to do.
const plays = ({ may }) => may.includes('play') || may.includes('done');

let stop = 0;
let bubble = null;

/** Show the bubble that is due, beside its part of the page; the first one comes with a recorded roll. */
export function tour(state) {
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

function end() {
  bubble.remove();
  bubble = null;
  prefer('toured', true);
}

const within = (value, most) => Math.max(GAP_PX, Math.min(value, most - GAP_PX));

/** How much two rectangles have in common, in square pixels. */
function common(one, two) {
  const width = Math.min(one.right, two.right) - Math.max(one.left, two.left);
  const height = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * Below its part of the page, else above it, beside it, or on the board: the first of these that covers the buttons
 * least, then the card least.
 */
function place() {
  bubble.hidden = !(STOPS[stop].needs ?? []).every(at);
  const { width, height } = bubble.getBoundingClientRect();
  const [part, board, buttons, card] = [STOPS[stop].beside, 'board', 'asks', 'verdict'].map((id) => at(id).getBoundingClientRect());
  const centred = part.left + (part.width - width) / 2;
  const beside = part.top + (part.height - height) / 2;
  const middle = [board.left + (board.width - width) / 2, board.top + (board.height - height) / 2];
  const tries = part.height > innerHeight / 2 ? [middle] : [[centred, part.bottom + GAP_PX], [centred, part.top - GAP_PX - height]];
  tries.push([part.left - GAP_PX - width, beside], [part.right + GAP_PX, beside], middle, [board.left, board.top]);
  const found = tries.map(([x, y]) => {
    const left = within(x, innerWidth - width);
    const top = within(y, innerHeight - height);
    const own = { left, top, right: left + width, bottom: top + height };
    return { left, top, cost: [common(own, buttons), common(own, card)] };
  });
  const best = found.reduce((one, two) => ((two.cost[0] - one.cost[0] || two.cost[1] - one.cost[1]) < 0 ? two : one));
  bubble.style.top = `${best.top}px`;
  bubble.style.left = `${best.left}px`;
}

// Pictures and questions come without a new state being drawn, and move what is below them.
const moved = new ResizeObserver(() => bubble && place());
for (const id of ['verdict', 'asks', 'board']) if (at(id)) moved.observe(at(id));
addEventListener('resize', () => bubble && place());
addEventListener('scroll', () => bubble && place(), { passive: true });
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && bubble && !at('dialog').open) end();
});
