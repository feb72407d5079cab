// The camera: its state, what it reads, and the board's place in its picture.

import { calibration } from './calibration.js';
import { reads } from './reads.js';
import { tryThrows } from './throws.js';
import { show } from '../dialogs/dialog.js';
import { h, icon } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';

/** The camera's state in a sentence, with the choice of what it reads and the way to place the board. */
export function aboutCamera(camera, checkers) {
  const { role, doors = '' } = document.body.dataset;
  const keeps = ['scorekeeper', 'director'].includes(role);
  const places = keeps && doors.split(' ').includes('place');
  const said = h('p', { id: 'keeps-said' }, checkers ? translated(checkers, 'text') : '');
  said.hidden = !checkers;
  const follow = (value) => { said.hidden = value !== 'dice and checkers'; };
  show(t('Camera'), h('p', { class: 'big' }, translated(camera, 'text')), said,
    keeps && doors.split(' ').includes('reads') && camera.state !== 'none' ? reads(camera, follow) : null,
    places ? h('button', { type: 'button', id: 'place-board', onclick: () => calibrate(camera) }, icon('photo'), t('Camera and board')) : null);
}

/** The form that places the board, with the way to another camera; without any picture only the way to one. */
export async function calibrate(camera) {
  const { role, doors = '' } = document.body.dataset;
  const chooses = role === 'director' && doors.split(' ').includes('camera');
  const tries = ['scorekeeper', 'director'].includes(role) && doors.split(' ').includes('throws');
  if (camera.state === 'none' && !await hasPicture()) {
    show(t('Camera and board'), h('p', { class: 'big', id: 'no-camera' }, t('No camera is chosen: dice and plays are entered by hand.')),
      chooses ? h('a', { class: 'button primary', id: 'choose-camera', href: '/welcome' }, icon('photo'), t('Choose a camera')) : h('p', { class: 'hint' }, t('The director chooses the camera of this table.')));
    return;
  }
  show(t('Camera and board'), calibration(),
    tries ? h('button', { type: 'button', id: 'try-throws', onclick: tryThrows }, icon('dice'), t('Try twelve throws')) : null,
    chooses ? h('a', { class: 'button', id: 'change-camera', href: '/welcome' }, t('Change the camera')) : null);
}

/** Whether a picture is there although no camera is watched: the last one of a recording that has ended. */
async function hasPicture() {
  const answer = await fetch('/api/board', { cache: 'no-store' }).catch(() => null);
  return Boolean((await answer?.json().catch(() => ({})))?.picture);
}
