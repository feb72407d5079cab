// For a screen across the room: the last play in words, and the throw's picture, large.

import { h, redraw } from '../lib/dom.js';
import { nameOf } from '../board/seats.js';
import { t } from '../lib/words.js';

/** Letters of a name that fit the card there. */
export const ROOM = 60;

/** Whether the region is shown, as on a large screen (css/tv.css). */
export const isAcrossTheRoom = (region) => getComputedStyle(region).display !== 'none';

/** The turn that ended last, in words. */
export function lastInWords(state) {
  const { side, roll, play } = state.last_play;
  const values = { name: nameOf(state, side), roll: roll?.join('-') ?? '', play };
  if (!roll) return t('{name} did not roll.', values);
  return play ? t('{name} played {roll}: {play}', values) : t('{name} could not play {roll}.', values);
}

/** Draw the region, which only a large screen shows. */
export function tv(region, state) {
  const [last, picture] = [state.last_play, state.throw?.picture];
  redraw(region, [last, picture, state.match?.players], () => [
    last ? h('p', { class: 'last' }, lastInWords(state)) : null,
    picture ? h('img', { src: picture, alt: t('as the camera saw it') }) : null,
  ]);
}
