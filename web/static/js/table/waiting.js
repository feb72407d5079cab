// Questions that stay in sight until answered: a refused play that may be on the board all the same, and a roll
// thrown too early.

import { h } from '../lib/dom.js';
import { nameOf } from '../board/seats.js';
import { t, translated } from '../lib/words.js';

/** The part of the state that a refused play refers to; while it is unchanged, the play may be on the board. */
const matter = (state) => JSON.stringify([state.match?.id, state.match?.game, state.phase, state.on_roll, state.roll, state.making?.moves]);

/** The offer to enter a refused play all the same; null for another refusal. */
export function offerOf(state, body, answer) {
  if (answer.ok || answer.status !== 422 || body.type !== 'play' || body.made) return null;
  return { body, answer, matter: matter(state) };
}

/** Whether the offer still applies. */
export const offerHolds = (offer, state) => Boolean(offer) && state.may.includes('play') && offer.matter === matter(state);

/** The offer with its two answers: desk.enterOffered() and desk.dropOffer(). */
export function offer(desk) {
  if (!desk.offer || desk.free) return null;
  return h('div', { class: 'offer' },
    h('p', { class: 'hint' }, translated(desk.offer.answer, 'detail')),
    h('div', { class: 'row' },
      h('button', { type: 'button', id: 'lies-so', onclick: desk.enterOffered }, t('Played like this')),
      h('button', { type: 'button', id: 'otherwise', class: 'quiet', onclick: desk.dropOffer }, t('Cancel'))));
}

/** The roll that counts once the question before it is settled, or the turn before it is over. */
export function waiting(state) {
  if (!state.waiting) return null;
  const values = { name: nameOf(state, state.waiting.side), roll: state.waiting.roll.join('-') };
  const settled = !state.dispute && state.phase === 'played';
  return h('p', { class: 'owed', id: 'waiting' }, settled
    ? t('{name}’s {roll} waits until this turn is over.', values)
    : t('{name}’s {roll} waits until this is settled.', values));
}
