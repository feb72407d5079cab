// The line at the top: the match's terms, the camera, the connection.

import { open } from '../dialogs/forms.js';
import { h, icon, redraw } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';

const at = (id) => document.getElementById(id);

const CAMERA = {
  recorded: () => t('recorded pictures'),
  lost: () => t('camera lost'),
  none: () => t('no camera'),
};

const READS = {
  off: () => t('camera reads nothing'),
  dice: () => t('camera reads dice'),
  'dice and checkers': () => t('camera reads checkers'),
};

const boardless = ({ state, board_found: found }) => found === false && ['live', 'recorded'].includes(state);

/** The camera's state in a few words: what it reads, as long as there are pictures of one, and whether it keeps the board. */
function cameraWords({ camera, checkers }) {
  if (boardless(camera)) return t('board not found');
  if (checkers?.keeps) return t('camera keeps the board');
  return (camera.state === 'live' || (camera.state === 'recorded' && camera.reads !== 'dice') ? READS[camera.reads] : CAMERA[camera.state])();
}

/** The match's terms, in a few words. */
export function matchWords(match) {
  if (!match) return t('Board companion');
  return [
    h('b', {}, match.length ? t('Match to {n}', { n: match.length }) : t('Money play')),
    h('span', {}, t('Game {n}', { n: match.game })),
    match.variant ? h('span', {}, translated(match, 'variant')) : null,
    match.director ? h('span', { class: 'tag alarm' }, t('Director called')) : null,
    match.crawford && match.length > 1 ? h('span', { class: 'tag' }, t('Crawford')) : null,
  ];
}

/** Draw the line at the top. */
export function heading(state) {
  redraw(at('match-line'), state.match, () => matchWords(state.match));
  const { camera, checkers } = state;
  const label = cameraWords(state);
  redraw(at('camera-line'), [camera, checkers, state.durable], () => [
    state.durable ? null : h('span', { class: 'tag alarm' }, t('Not saved')),
    h(
      'button',
      { type: 'button', id: 'camera', class: `quiet camera ${boardless(camera) ? 'lost' : camera.state}`, title: translated(camera, 'text'), 'aria-label': label, onclick: () => open('camera', 'aboutCamera', camera, checkers) },
      icon('photo'),
      h('span', { class: 'long' }, label),
    ),
  ]);
}

/** Show the state of the connection from now on. */
export function showLine(link) {
  link.addEventListener('line', ({ detail: line }) => {
    document.body.dataset.line = line;
    const words = { open: t('connected'), cut: t('No connection – trying again'), gone: t('This join code is no longer valid.') };
    at('line-text').textContent = words[line];
  });
}
