// What waits for an answer and must not get out of sight: a play that the rules refuse but that may lie there all the
// same, and a roll that was thrown before its turn.

import { h } from '../lib/dom.js';
import { nameOf } from '../board/seats.js';
import { t, told } from '../lib/words.js';

/** What the refused play was about: as long as this is the same, it may still lie on the board so. */
const matter = (state) => JSON.stringify([state.match?.id, state.match?.game, state.phase, state.on_roll, state.roll, state.making?.moves]);

/** The offer to enter a refused play as it lies; null where the refusal was about something else. */
export function offerOf(state, body, answer) {
  if (answer.ok || answer.status !== 422 || body.type !== 'play' || body.made) return null;
  return { body, answer, matter: matter(state) };
}

/** Whether there is still something to be answered. */
export const stands = (offer, state) => Boolean(offer) && state.may.includes('play') && offer.matter === matter(state);

/** The offer with its two answers: desk.liesSo() and desk.otherwise(). */
export function offer(desk) {
  if (!desk.offer || desk.free) return null;
  return h('div', { class: 'offer' },
    h('p', { class: 'hint' }, told(desk.offer.answer, 'detail')),
    h('div', { class: 'row' },
      h('button', { type: 'button', id: 'lies-so', onclick: desk.liesSo }, t('It lies so')),
      h('button', { type: 'button', id: 'otherwise', class: 'quiet', onclick: desk.otherwise }, t('Cancel'))));
}

/** The roll that counts once what is before it is settled. */
export function waiting(state) {
  if (!state.waiting) return null;
  const values = { name: nameOf(state, state.waiting.side), roll: state.waiting.roll.join('-') };
  return h('p', { class: 'owed', id: 'waiting' }, t('{name}’s {roll} waits until this is settled.', values));
}
