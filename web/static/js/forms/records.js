// The running match's record in the formats of other programs.

import { problem, show } from '../dialogs/dialog.js';
import { h, icon } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';

/** Links to the running match's record in the formats that can hold it; what a format cannot hold as it stands is said here. */
export function records(formats) {
  const kinds = [['mat', t('Match file (gnubg, XG)')], ['sgf', t('SGF (gnubg)')], ['ogxm', t('OGXM (signed)')], ['json', t('JSON (complete)')], ['zip', t('Archive with pictures')]].filter(([kind]) => formats.includes(kind));
  const refused = problem();
  const save = async (pressed) => {
    pressed.preventDefault();
    const { href } = pressed.currentTarget;
    refused.textContent = await refusal(href);
    if (!refused.textContent) location.assign(href); // an attachment: the page stays
  };
  show(t('Save the record'), h('div', { class: 'menu' }, kinds.map(([kind, label]) =>
    h('a', { class: 'button', href: `/export/${kind}`, download: true, onclick: save }, icon('save'), label))), refused);
}

/** Why the table does not give this file; empty if it does. */
async function refusal(href) {
  const asked = (method) => fetch(href, { method, headers: { Accept: 'application/json' }, cache: 'no-store' }).catch(() => null);
  const answer = await asked('HEAD'); // a large file is not sent twice
  if (answer?.ok) return '';
  const problem = answer && await (await asked('GET'))?.json().catch(() => null);
  return translated(problem, 'detail') || t('The table does not answer; try again.');
}
