// The director's forms: the end of a visit with its ruling, penalty points, and the clock.

import { begun } from '../lib/begun.js';
import { because, choice, complain, field, problem, show, submit } from '../dialogs/dialog.js';
import { h } from '../lib/dom.js';
import { SIDES, nameOf } from '../board/seats.js';
import { timeText } from '../table/strips.js';
import { t } from '../lib/words.js';

const count = (name) => ({ name, inputmode: 'numeric', pattern: '[0-9]*', maxlength: 4, autocomplete: 'off' });

let open = null; // the visit's form, read for the page after this one
let draft = begun('visit', () => (open?.isConnected ? Object.fromEntries(new FormData(open)) : null));

/** The form that ends the director's visit: the question and the ruling, which stand in the record. */
export function visit(desk) {
  const form = h(
    'form',
    { id: 'visit' },
    h('p', { class: 'hint' }, t('Dice, checkers and clock stay as they are until play goes on.')),
    field(t('What was asked'), h('input', { name: 'question', maxlength: 120, autocomplete: 'off' })),
    field(t('Ruling'), h('input', { name: 'why', maxlength: 120, autocomplete: 'off' })),
    h('div', { class: 'send' }, problem(), h('button', { type: 'submit', class: 'primary' }, t('Play goes on'))),
  );
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    const given = new FormData(form);
    submit(form, desk, { type: 'call_director', over: true, question: given.get('question').trim(), why: given.get('why').trim() });
  });
  for (const [name, value] of Object.entries(draft ?? {})) form.elements[name].value = value;
  draft = null;
  open = form;
  show(t('The director has come'), form);
}

/** The forms for penalty points and the clock. */
export function director(state, desk) {
  show(t('Director'), penalty(state, desk), state.clock ? clock(state, desk) : null);
}

function penalty(state, desk) {
  const form = h(
    'form',
    { id: 'penalty' },
    h('fieldset', {}, h('legend', {}, t('Penalty points go to')), h('div', { class: 'choices' }, SIDES.map((side) => choice('to', side, side === 'south', nameOf(state, side))))),
    h('div', { class: 'two' },
      field(t('Points'), h('input', count('points'))),
      field(t('Or minutes that the opponent was late'), h('input', count('minutes')))),
    because(),
    problem(),
    h('button', { type: 'submit', class: 'danger' }, t('Award the points')),
  );
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    const given = new FormData(form);
    const amounts = ['points', 'minutes'].filter((name) => given.get(name)).map((name) => [name, Number(given.get(name))]);
    if (!amounts.length) {
      complain(form, t('Enter points or minutes.'));
      return;
    }
    submit(form, desk, { type: 'rule', penalty: { to: given.get('to'), ...Object.fromEntries(amounts), why: given.get('why').trim() } });
  });
  return form;
}

/** Minutes and seconds, such as 12:30, in ms; null if the text is not a time. */
function read(text) {
  const found = /^(\d+):([0-5]\d)$/.exec(text.trim());
  return found ? (Number(found[1]) * 60 + Number(found[2])) * 1000 : null;
}

function clock(state, desk) {
  const shown = Object.fromEntries(SIDES.map((side) => [side, timeText(state.clock[side].reserve_ms)]));
  const time = (side) => field(nameOf(state, side), h('input', { name: side, value: shown[side], pattern: '[0-9]+:[0-5][0-9]', maxlength: 7, required: true, autocomplete: 'off' }));
  const form = h(
    'form',
    { id: 'set-clock' },
    h('fieldset', {}, h('legend', {}, t('Reserve time, minutes and seconds')), h('div', { class: 'two' }, SIDES.map(time))),
    because(),
    problem(),
    h('button', { type: 'submit' }, t('Set the clock')),
  );
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    const given = new FormData(form);
    const changed = SIDES.filter((side) => given.get(side).trim() !== shown[side]);
    if (!changed.length) {
      complain(form, t('Change a time first.'));
      return;
    }
    const times = Object.fromEntries(changed.map((side) => [`${side}_ms`, read(given.get(side))])); // the other side's time may be running
    submit(form, desk, { type: 'clock', order: 'set', ...times, why: given.get('why').trim() });
  });
  return form;
}
