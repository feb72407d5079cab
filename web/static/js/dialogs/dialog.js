// The page's only dialog, and the parts of its forms.

import { h, icon } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';

const dialog = document.getElementById('dialog');

/** Fill the dialog and show it. */
export function show(title, ...content) {
  dialog.replaceChildren(
    h(
      'header',
      {},
      h('h2', { id: 'dialog-title' }, title),
      h('button', { type: 'button', class: 'quiet close', 'aria-label': t('Close'), onclick: () => dialog.close() }, icon('close')),
    ),
    h('div', { class: 'content' }, content),
  );
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

dialog?.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});

/** The fault in an input, in the page's words; the browser's text would be in the browser's language. */
function fault(input) {
  if (input.validity.valueMissing) return t('This field must not be empty.');
  if (input.pattern === '[1-6]') return t('Enter a number from 1 to 6.');
  if (input.pattern.includes(':')) return t('Enter minutes and seconds, such as 12:30.');
  return t('Enter a whole number.');
}

dialog?.addEventListener('invalid', (event) => {
  const input = event.target;
  const line = input.form.querySelector('.error');
  if (!line) return;
  event.preventDefault();
  const first = input.form.querySelector(':invalid:not(fieldset)');
  if (input !== first) return;
  line.textContent = fault(input);
  input.setAttribute('aria-invalid', 'true');
  input.addEventListener('input', () => input.removeAttribute('aria-invalid'), { once: true });
  input.focus();
  line.scrollIntoView({ block: 'nearest' });
}, true);

/**
 * Ask for confirmation of an action that cannot be undone: the place shows the question with its two answers, and its
 * former content again if the answer is no.
 */
export function ask(place, question, label, act) {
  const before = [...place.childNodes];
  const back = () => {
    place.replaceChildren(...before);
    before.find((one) => one.localName === 'button')?.focus();
  };
  const no = h('button', { type: 'button', class: 'ask-no', onclick: back }, t('Cancel'));
  place.replaceChildren(
    h('div', { class: 'offer', role: 'group', 'aria-label': question },
      h('p', { role: 'alert' }, question),
      h('div', { class: 'row' }, h('button', { type: 'button', class: 'ask-yes', onclick: act }, label), no)),
  );
  no.focus();
}

/** A control under its label. */
export const field = (label, control) => h('label', { class: 'field' }, h('span', {}, label), control);

/** A radio button: one of several choices to tap. */
export const choice = (name, value, checked, ...label) =>
  h('label', { class: 'choice' }, h('input', { type: 'radio', name, value, checked }), h('span', {}, label));

export const options = (name, list, chosen = '') =>
  h('select', { name }, list.map(([value, label]) => h('option', { value: String(value), selected: String(value) === String(chosen) }, label)));

/** An input for the director's reason: a few words, or none. */
export const because = () => field(t('Reason'), h('input', { name: 'why', maxlength: 120, autocomplete: 'off' }));

/** The line for a form's error; in a form with a footer (`.send`) it stands there, so that it is in view. */
export const problem = () => h('p', { class: 'error', role: 'alert' });

/** Show a form's error, where the visitor sees it; "" for none. */
export function complain(form, text) {
  const line = form.querySelector('.error');
  line.textContent = text;
  if (text) line.scrollIntoView({ block: 'nearest' });
}

/** Send the form's action; close the dialog if it is done, else show the reason. Returns whether it was done. */
export async function submit(form, desk, body) {
  const answer = await desk.act(body, { quiet: true });
  if (answer.ok) dialog.close();
  else complain(form, translated(answer, 'detail'));
  return answer.ok;
}

export const close = () => dialog.close();
