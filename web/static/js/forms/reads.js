// What the camera reads: nothing, the dice, or the dice and the checkers.

import { h } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';

const LABELS = () => [['off', t('Nothing')], ['dice', t('Dice')], ['dice and checkers', t('Dice and checkers')]];

/** The choice, with what is read now pressed; `follow` is told what was chosen. */
export function reads(camera, follow) {
  const error = h('p', { class: 'error', role: 'alert' });
  const buttons = LABELS().map(([value, label]) =>
    h('button', { type: 'button', 'data-reads': value, 'aria-pressed': String(camera.reads === value), onclick: () => choose(value) }, label));

  async function choose(value) {
    error.textContent = '';
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ reads: value }) };
    const answer = await fetch('/api/camera', sent).catch(() => null);
    if (!answer) error.textContent = t('The table does not answer; look whether this was done, then try again.');
    else if (!answer.ok) error.textContent = translated(await answer.json().catch(() => ({})), 'detail');
    else {
      for (const each of buttons) each.setAttribute('aria-pressed', String(each.dataset.reads === value));
      follow(value);
    }
  }

  return h('fieldset', { class: 'reads' }, h('legend', {}, t('The camera reads')), h('div', { class: 'row' }, buttons), error);
}
