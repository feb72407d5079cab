// The form for a resignation or a settlement.

import { choice, field, problem, show, submit } from '../dialogs/dialog.js';
import { h } from '../lib/dom.js';
import { WORTHS } from '../table/say.js';
import { nameOf } from '../board/seats.js';
import { t } from '../lib/words.js';

/** What a game can count, from 1 to the most that its rules know. */
export const worths = ({ match }) => [1, 2, 3].slice(0, match?.most_worth ?? 3);

/** The form for a resignation: the side, and the game's worth; Enter in the field of a settlement offers that. */
export function resign(state, desk) {
  const sides = ['south', 'north'];
  const first = state.on_roll || 'south';
  const send = (offer) => submit(form, desk, { type: 'resign', ...offer, side: form.elements.side.value });
  const form = h(
    'form',
    {},
    h('fieldset', {}, h('legend', {}, t('Who resigns?')), h('div', { class: 'choices' }, sides.map((side) => choice('side', side, side === first, nameOf(state, side))))),
    h('div', { class: 'row tight' }, worths(state).map((worth) => h('button', { type: 'button', value: worth, onclick: () => send({ worth }) }, WORTHS[worth]()))),
    state.chouette ? null : h(
      'div',
      { class: 'two' },
      field(t('Or settle for this many points'), h('input', { name: 'points', inputmode: 'numeric', pattern: '[0-9]+', maxlength: 3, required: true, autocomplete: 'off' })),
      h('button', { type: 'submit', id: 'settle' }, t('Offer a settlement')),
    ),
    state.chouette ? null : h('p', { class: 'hint' }, state.cube.in_play
      ? t('The other side gets these points, whatever the cube; with 0 nobody gets any.')
      : t('The other side gets these points; with 0 nobody gets any.')),
    problem(),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send({ points: Number(form.elements.points.value) });
  });
  show(t('Resign'), form);
}
