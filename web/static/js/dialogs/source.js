// The choice of the camera, for the director.

import { h } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';

const ADDRESS = '/api/camera/source';
const CHOICES = () => [
  ['auto', t('The camera that is connected')],
  ['none', t('No camera: dice are entered by hand')],
  ['recorded', t('Recorded throws, to try it')],
  ['other', t('Another camera, by its number or address:')],
];

/** The form; the present choice is filled in once the table has named it. */
export function source() {
  const error = h('p', { class: 'error', role: 'alert' });
  const done = h('p', { class: 'hint', role: 'status' });
  const options = CHOICES().map(([value, label]) => [h('input', { type: 'radio', name: 'camera', value }), label]);
  const name = h('input', { name: 'source', maxlength: 200, autocomplete: 'off', spellcheck: 'false', 'aria-label': t('Number or address of the camera'), placeholder: 'http://192.168.1.20:8080/video' });
  const use = h('button', { type: 'submit', id: 'use-camera' }, t('Use this camera'));
  const form = h('form', { class: 'source' },
    h('fieldset', {}, h('legend', {}, t('Camera')), options.map(([input, label]) => h('label', { class: 'tick' }, input, ` ${label}`)), name),
    error, done, use);

  function fill(camera) {
    const known = options.find(([input]) => input.value === camera);
    (known ?? options.at(-1))[0].checked = true;
    name.value = known ? '' : camera;
  }

  async function choose(submitted) {
    submitted.preventDefault();
    const given = new FormData(form);
    const camera = given.get('camera') === 'other' ? given.get('source').trim() : given.get('camera');
    error.textContent = '';
    done.textContent = t('Waiting for the camera’s first picture …');
    use.disabled = true;
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ camera }) };
    const answer = await fetch(ADDRESS, sent).catch(() => null);
    const reply = await answer?.json().catch(() => ({}));
    use.disabled = false;
    done.textContent = answer?.ok ? translated(reply, 'sentence') || t('This camera is used from now on.') : '';
    if (!answer) error.textContent = t('The table does not answer; look whether this was done, then try again.');
    else if (!answer.ok) error.textContent = translated(reply, 'detail');
  }

  name.addEventListener('input', () => { options.at(-1)[0].checked = true; });
  form.addEventListener('submit', choose);
  fetch(ADDRESS, { cache: 'no-store' }).then((answer) => answer.json()).then((reply) => fill(reply.camera ?? 'auto')).catch(() => {});
  return form;
}
