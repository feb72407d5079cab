// The forms in forms/: each file is loaded when it is first needed.

import { show } from './dialog.js';
import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';

let failures = 0;

/** Open a form by the function `name` of this file, with the values given. */
export async function open(file, name, ...given) {
  // a browser may remember that an address gave nothing: the next attempt uses another one
  const form = await import(`../forms/${file}.js${failures ? `?${failures}` : ''}`).catch(() => null);
  if (form) return form[name](...given);
  failures += 1;
  return show(t('Menu'), h('p', { class: 'error' }, t('No connection: nothing was done. Try again once it is back.')));
}

/** The ways from the history: to one of its events, and to all events of a game. `now` gives the present state. */
export const opensHistory = (now, desk) => ({
  event: (entry) => open('history', 'event', now(), entry, desk),
  game: (number) => open('history', 'game', now, number, desk),
});
