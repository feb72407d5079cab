// What this visitor is here, what his role may not do, and whom to ask.

import { nameOf } from '../board/seats.js';
import { h, icon } from '../lib/dom.js';
import { stranger } from '../lib/holder.js';
import { t } from '../lib/words.js';

const TEXTS = () => ({
  viewer: [t('You are here as: {role}.', { role: t('Spectator') }), t('To play or keep score, ask the director for a code.')],
  player: [t('You are here as: {role}.', { role: t('Player') }), t('You answer the cube and settle disputes. Rolls, plays and new matches are entered by the scorekeeper; earlier events are corrected by the director.')],
  scorekeeper: [t('You are here as: {role}.', { role: t('Scorekeeper') }), t('Only the director corrects earlier events, changes the rules of a running match and gives penalty points.')],
  director: [t('You are here as: {role}.', { role: t('Director') }), ''],
});

const call = (state, desk, then) => state?.may.includes('call_director') && !state.match?.director
  ? h('button', { type: 'button', class: 'call-director', onclick: () => {
    desk.act({ type: 'call_director' });
    then();
  } }, icon('whistle'), t('Call the director'))
  : null;

/** For a player at whose seat another one sits now; null otherwise. */
export function reseated(state, desk) {
  if (!stranger(state)) return null;
  const { seat, setup } = document.body.dataset;
  const name = nameOf(state, seat);
  return h('div', { class: 'owed', id: 'reseated' },
    h('p', {}, t('The seats were changed: {name} sits here now. This device answers for nobody until you say whose it is.', { name })),
    h('div', { class: 'row' },
      h('button', { type: 'button', id: 'claim', onclick: desk.claim }, t('I am {name}', { name })),
      setup === 'done' ? h('a', { class: 'button', href: '/enter' }, t('Choose my seat')) : null));
}

/** For a player who is not asked anything: who he is here, and what he is asked; null for others. */
export function seated(state) {
  const { role, seat } = document.body.dataset;
  if (role !== 'player' || !state.match || stranger(state) || state.may.some((kind) => kind !== 'call_director')) return null;
  return h('p', { class: 'hint', id: 'seated' }, t('You are here as: {role}.', { role: nameOf(state, seat) }), ' ', TEXTS().player[1]);
}

/** The visitor's role in a sentence, with the limits of it. */
export function standing() {
  const { role, setup } = document.body.dataset;
  const [who, limits] = TEXTS()[role] ?? TEXTS().viewer;
  const link = role === 'director' && setup === 'done' ? h('a', { class: 'button', id: 'menu-welcome', href: '/welcome' }, icon('sliders'), t('Set up this table')) : null;
  const code = ['scorekeeper', 'director'].includes(role) && setup === 'done' ? h('a', { class: 'button', id: 'menu-invite', href: '/invite' }, icon('people'), t('The table’s code')) : null;
  return h('fieldset', { id: 'standing' }, h('legend', {}, t('This device')), h('p', { class: 'hint' }, `${who} ${limits}`), link || code ? h('div', { class: 'menu' }, link, code) : null);
}

/** Why an event cannot be corrected here, and whom to ask; null for whoever may. */
export function noCorrection(state, desk, close) {
  if (state.may.includes('amend')) return null;
  return h('div', { id: 'no-correction' },
    h('p', { class: 'hint' }, t('Earlier events are corrected by the director.')),
    call(state, desk, close));
}
