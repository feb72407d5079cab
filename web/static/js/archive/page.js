// What every page of the archive does: the theme chosen on this device, no file that is too large to be sent, and of
// several files each one by itself.

import { h } from '../lib/dom.js';
import { applyTheme } from '../lib/prefs.js';
import { t } from '../lib/words.js';

applyTheme();

const isLarge = (field, file) => file.size > Number(field.dataset.most);

/** Send a file; the page that answers it, null without a connection. */
async function sent(form, name, file) {
  const body = new FormData();
  body.append(name, file);
  body.append('several', 'yes');
  try {
    const answer = await fetch(form.action, { method: 'POST', body });
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  } catch {
    return null;
  }
}

/** Send the files one after another, each a request of its own: together they may be larger than one may be. */
async function sendAll(form, field) {
  const section = form.parentElement;
  const list = h('ul', { class: 'results', role: 'status', tabindex: -1 });
  const failed = (file, why) => list.append(h('li', { class: 'trouble' }, `${file.name}: ${why}`));
  const button = form.querySelector('button');
  let isCut = false;
  section.querySelectorAll('.trouble, .results').forEach((former) => former.remove());
  form.before(list);
  button.disabled = true;
  for (const file of field.files) {
    if (isLarge(field, file)) {
      failed(file, field.dataset.tooLarge);
      continue;
    }
    const page = await sent(form, field.name, file);
    const [result, matches] = ['.results > li', '.matches'].map((found) => page?.querySelector(`#${section.id} ${found}`));
    isCut ||= !page;
    if (result) list.append(result);
    else failed(file, page ? page.querySelector('main')?.textContent.trim() : t('No connection: nothing was done. Try again once it is back.'));
    if (matches) {
      section.querySelector('.matches')?.remove();
      section.append(matches);
    }
  }
  button.disabled = false;
  if (!isCut) form.reset();
  list.focus();
}

for (const field of document.querySelectorAll('input[type="file"][data-most]')) {
  field.addEventListener('change', () => {
    const large = field.files.length === 1 && isLarge(field, field.files[0]);
    field.setCustomValidity(large ? field.dataset.tooLarge : '');
    field.reportValidity();
  });
  if (field.multiple) {
    field.form.addEventListener('submit', (submitted) => {
      if (field.files.length < 2) return;
      submitted.preventDefault();
      sendAll(field.form, field);
    });
  }
}
