// The one dialog of the page, and what forms in it are made of.

import { h, icon } from './dom.js';
import { t, told } from './words.js';

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
}

dialog?.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});

/** A control under its label. */
export const field = (label, control) => h('label', { class: 'field' }, h('span', {}, label), control);

/** One of several, to be tapped. */
export const choice = (name, value, checked, ...label) =>
  h('label', { class: 'choice' }, h('input', { type: 'radio', name, value, checked }), h('span', {}, label));

export const options = (name, list, chosen = '') =>
  h('select', { name }, list.map(([value, said]) => h('option', { value, selected: String(value) === String(chosen) }, said)));

/** Why a director decides so: a few words, or none. */
export const because = () => field(t('Why'), h('input', { name: 'why', maxlength: 120, autocomplete: 'off' }));

export const problem = () => h('p', { class: 'error', role: 'alert' });

/** Send the form's action; the dialog closes when it is done and says why when it is not. */
export async function submit(form, desk, body) {
  const answer = await desk.act(body);
  if (answer.ok) dialog.close();
  else form.querySelector('.error').textContent = told(answer.detail);
}

export const close = () => dialog.close();
