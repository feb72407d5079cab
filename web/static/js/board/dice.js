// Dice: drawn faces, the camera's cut-outs, and two rows of six dice to enter a roll.

import { h, s } from '../lib/dom.js';
import { t } from '../lib/words.js';

/** Below this size, in pixels, a cut-out is enlarged without smoothing, which would blur the spots. */
const SHARP_PX = 64;
const SPOTS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** A die's face of this size around 0, 0. */
export function dieFace(value, tone, size) {
  const half = size / 2;
  const gap = size * 0.27;
  const spots = (SPOTS[value] || []).map((n) =>
    s('circle', { class: 'pip', cx: ((n % 3) - 1) * gap, cy: (Math.floor(n / 3) - 1) * gap, r: size * 0.095 }),
  );
  // no spots for an unread die, and for the sum of two dice
  const sign = value && value <= 6 ? null : s('text', { class: 'ask', y: size * 0.22, 'font-size': size * 0.6 }, String(value || '?'));
  return s(
    'g',
    { class: `die ${tone}` },
    s('rect', { x: -half, y: -half, width: size, height: size, rx: size * 0.2 }),
    spots,
    sign,
  );
}

/** A die as a separate picture. */
export function die(value, tone, label = '') {
  const named = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' };
  return s('svg', { class: 'face', viewBox: '-54 -54 108 108', ...named }, dieFace(value, tone, 100));
}

/** The dice of an unread throw that are in doubt: the number, or how they lie. Beside a third die nobody can say which. */
export const doubtful = ({ ruling, throw: thrown }) =>
  (ruling === 'unread' && thrown && thrown.dice.length <= 2 ? thrown.dice.filter(({ value, rest }) => !value || !rest) : []);

const NEAR = 1.25; // the part of the picture around a die, in widths of its box
const AROUND = 1.9; // the same of a die in doubt: with what it may lean on

/** The camera's picture of one die: the part around its box; of a die in doubt more of it, with the die marked. */
export function cutout(thrown, seen, inDoubt = false) {
  if (!thrown.picture || !seen.box) return null;
  const [x0, y0, x1, y1] = seen.box;
  const side = Math.max(x1 - x0, y1 - y0) * (inDoubt ? AROUND : NEAR);
  const x = (x0 + x1 - side) / 2;
  const y = (y0 + y1 - side) / 2;
  return s(
    'svg',
    { class: `cutout${side < SHARP_PX ? ' enlarged' : ''}${inDoubt ? ' doubtful' : ''}`, viewBox: `${x} ${y} ${side} ${side}`, role: 'img', 'aria-label': t('as the camera saw it') },
    s('image', { href: thrown.picture, width: thrown.size[0], height: thrown.size[1], preserveAspectRatio: 'none' }),
    inDoubt ? s('rect', { x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: (x1 - x0) / 8 }) : null,
  );
}

const NUMBERS = [1, 2, 3, 4, 5, 6];

/** The six numbers, of a die that was not read the likeliest first. */
const likeliest = (chances) => (chances ? [...NUMBERS].sort((a, b) => chances[b - 1] - chances[a - 1]) : NUMBERS);

/**
 * The camera's dice in the order of a roll: the higher first, an unread one last; if the throw counts as `roll`, each
 * picture has the place of the value it counts as.
 */
export function inOrder(seen, roll = null) {
  const read = [...seen].sort((a, b) => (b.value || 0) - (a.value || 0));
  if (!roll || read.length !== 2) return read;
  const [first, second] = read;
  const turned = (first.value === roll[1]) + (second.value === roll[0]) > (first.value === roll[0]) + (second.value === roll[1]);
  return turned ? [second, first] : read;
}

/**
 * Two rows of six dice; `done` gets both values as soon as one of each row is chosen.
 * `tones` colours the rows, `labels` names them, `chosen` has earlier values, `mark` is a prefix of the rows' ids,
 * `chances` has those of each row's die: the likeliest number comes first, and none is chosen by it.
 */
export function diceRows(tones, labels, chosen, done, mark = '', chances = []) {
  const values = [...chosen];
  const rows = [0, 1].map((row) =>
    h(
      'div',
      { class: 'dice-row', role: 'group', 'aria-label': labels[row] },
      likeliest(chances[row]).map((value) =>
        h(
          'button',
          {
            type: 'button',
            id: `die-${mark}${row}-${value}`,
            class: 'die-button',
            'aria-pressed': String(values[row] === value),
            'aria-label': `${labels[row]}: ${value}`,
            onclick: (event) => {
              values[row] = value;
              for (const each of event.currentTarget.parentNode.children) {
                each.setAttribute('aria-pressed', String(each === event.currentTarget));
              }
              done(values);
            },
          },
          die(value, tones[row]),
        ),
      ),
    ),
  );
  return h('div', { class: 'dice-rows' }, rows);
}
