// Players' names offered while one types, in the fields of a form.

import { h } from '../lib/dom.js';

const LIST = 'known-names';

/** Offer the names of those who have played here in these fields of the form, as far as the table gives them. */
export function offerNames(form, fields) {
  const list = h('datalist', { id: LIST });
  form.append(list);
  let asked = null;
  const ask = async (like) => {
    if (like === asked) return;
    asked = like;
    const answer = await fetch(`/api/players?like=${encodeURIComponent(like)}`).catch(() => null);
    const { players = [] } = answer?.ok ? await answer.json() : {};
    if (asked === like) list.replaceChildren(...players.map((name) => h('option', { value: name })));
  };
  for (const name of fields) {
    const input = form.elements[name];
    input.setAttribute('list', LIST);
    input.addEventListener('input', () => ask(input.value.trim()));
  }
  ask('');
}
