// The picture of a throw, large, with a frame around each die and what it was read as.

import { show } from './dialog.js';
import { s } from '../lib/dom.js';
import { t } from '../lib/words.js';

const NUMBER = 0.75; // a number's height, of its die's

/** Open the picture of a throw. */
export const openThrow = (thrown) => show(t('Picture of the throw'), marked(thrown));

/** The picture of a throw with its dice marked. */
export function marked({ picture, size: [width, height], dice }) {
  const read = dice.map(({ value }) => (value ? String(value) : t('not read'))).join(', ');
  return s(
    'svg',
    { class: 'marked', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': dice.length ? `${t('as the camera saw it')}: ${read}` : t('as the camera saw it') },
    s('image', { href: picture, width, height, preserveAspectRatio: 'none' }),
    dice.filter(({ box }) => box).map((die) => frame(die, width)),
  );
}

// The number is to the right of its die, or to the left of one near the right edge.
function frame({ value, box: [x0, y0, x1, y1] }, width) {
  const size = NUMBER * (y1 - y0);
  const right = x1 + size < width;
  return s(
    'g',
    { class: value ? 'read' : 'unread' },
    s('rect', { x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: (x1 - x0) / 8 }),
    s('text', { x: right ? x1 + size / 4 : x0 - size / 4, y: (y0 + y1) / 2 + size / 3, 'font-size': size, 'text-anchor': right ? 'start' : 'end' }, String(value || '?')),
  );
}
