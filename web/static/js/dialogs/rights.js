// What this visitor is here, what his role may not do, and whom to ask.

import { h, icon } from '../lib/dom.js';
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
