// The board's place: the live picture with four corners to tap, drag, or move with the arrow keys.

import { h, s } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';

const REFRESH_MS = 1000;
const MOST_MS = 30000; // between two questions to a camera that shows nothing
const STEP = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NAMES = () => [t('top left'), t('top right'), t('bottom right'), t('bottom left')];

/** The form; it shows the live picture as long as it is in the page. */
export function calibration() {
  const image = s('image', {});
  const outline = s('polygon', {});
  const handles = NAMES().map((name, n) => s('circle', { class: 'corner', tabindex: 0, role: 'button', 'aria-label': name, 'data-n': n }));
  const drawing = s('svg', { role: 'group', 'aria-label': t('The camera’s picture with the corners of the playing surface') }, image, outline, handles);
  const wanted = t('Tap the four corners of the playing surface, inside the rims, or drag the marks there.');
  const hint = h('p', { class: 'hint' }, wanted);
  const error = h('p', { class: 'error', role: 'alert' });
  const use = h('button', { type: 'button', id: 'use-corners', class: 'primary', onclick: () => send({ corners }) }, t('Use these corners'));
  const find = h('button', { type: 'button', id: 'find-board', onclick: () => send({}) }, t('Find the board'));
  const row = h('div', { class: 'row' }, find, use);
  const form = h('div', { class: 'calibration' }, hint, drawing, error, row);
  const blind = t('The camera shows no picture now.');
  let size = [0, 0];
  let corners = null;
  let wait = REFRESH_MS;
  let fixed = false; // the place cannot be changed

  function draw() {
    if (!size[0] || !corners) return;
    outline.setAttribute('points', corners.map((corner) => corner.join()).join(' '));
    handles.forEach((handle, n) => {
      handle.setAttribute('cx', corners[n][0]);
      handle.setAttribute('cy', corners[n][1]);
      handle.setAttribute('r', size[0] / 45);
      handle.setAttribute('stroke-width', size[0] / 220);
    });
  }

  function put(n, x, y) {
    corners[n] = [Math.min(Math.max(x, 0), size[0]), Math.min(Math.max(y, 0), size[1])].map((one) => Math.round(one * 10) / 10);
    draw();
  }

  async function send(body) {
    error.textContent = '';
    hint.textContent = wanted;
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch('/api/board', sent).catch(() => null);
    const reply = await answer?.json().catch(() => ({}));
    if (!answer) error.textContent = t('The table does not answer; look whether this was done, then try again.');
    else if (!answer.ok) error.textContent = translated(reply, 'detail');
    else {
      corners = reply.corners;
      hint.textContent = reply.sentence ? translated(reply, 'sentence') : t('The corners of the board are set.');
      draw();
    }
  }

  function refuse(why) {
    hint.textContent = why;
    fixed = true;
    for (const one of [find, use, ...handles]) one.remove();
  }

  async function look() {
    if (!form.isConnected && size[0]) return;
    const answer = await fetch('/api/camera.jpg', { cache: 'no-store' }).catch(() => null);
    const seen = answer?.ok && await answer.blob().then(picture).then(() => true, () => false); // false: cut off, or no picture
    if (!seen && error.textContent !== blind) error.textContent = blind; // an alert: read out once
    wait = seen ? REFRESH_MS : Math.min(2 * wait, MOST_MS);
    for (const one of [hint, drawing, row]) one.style.display = size[0] ? '' : 'none'; // nothing to place yet
    setTimeout(look, wait);
  }

  async function picture(blob) {
    const seen = await createImageBitmap(blob);
    if (seen.width !== size[0] || seen.height !== size[1]) {
      size = [seen.width, seen.height];
      drawing.setAttribute('viewBox', `0 0 ${size[0]} ${size[1]}`);
      image.setAttribute('width', size[0]);
      image.setAttribute('height', size[1]);
      corners ??= [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]].map(([x, y]) => [x * size[0], y * size[1]]);
      draw();
    }
    seen.close();
    image.setAttribute('href', await asUrl(blob));
    if (error.textContent === blind) error.textContent = ''; // a refusal stays until the next attempt
  }

  function pointed(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  }

  drawing.addEventListener('click', (event) => {
    if (!corners || fixed) return;
    const at = pointed(event);
    const away = corners.map(([x, y]) => Math.hypot(x - at.x, y - at.y));
    put(away.indexOf(Math.min(...away)), at.x, at.y);
  });
  for (const [n, handle] of handles.entries()) {
    handle.addEventListener('pointerdown', (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener('pointermove', (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const at = pointed(event);
      put(n, at.x, at.y);
    });
    handle.addEventListener('keydown', (event) => {
      const step = STEP[event.key];
      if (!step) return;
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      put(n, corners[n][0] + far * step[0], corners[n][1] + far * step[1]);
    });
  }
  fetch('/api/board', { cache: 'no-store' })
    .then((answer) => answer.json())
    .then((reply) => {
      corners = reply.corners || corners;
      if (reply.sentence) refuse(translated(reply, 'sentence'));
      draw();
    })
    .finally(look);
  return form;
}

function asUrl(blob) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => done(reader.result));
    reader.addEventListener('error', () => failed(reader.error));
    reader.readAsDataURL(blob);
  });
}
