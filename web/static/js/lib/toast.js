// A notice shown once, over the top line: too small to cover a name or the score, and removed when outdated.

import { h } from './dom.js';

const SHOWN_MS = 6000;
const SIZES_REM = [1.15, 1, 0.9, 0.8]; // the largest that keeps the strips and the card free
const region = document.getElementById('toast');
const dialog = document.getElementById('dialog');
let timer = 0;
let about = '';

/** The part of the state that a notice refers to; a change of it makes the notice outdated. */
const matter = (state) => JSON.stringify(state && [
  state.match?.id, state.match?.game, state.phase, state.on_roll, state.asked, state.roll, state.ruling, state.opening, state.making?.moves, state.dispute?.kind,
]);

/** Free height above strips and card, in CSS pixels. */
function room() {
  const { left } = region.getBoundingClientRect();
  const below = ['strip-top', 'verdict'].map((id) => document.getElementById(id).getBoundingClientRect()).filter((box) => box.right > left);
  return Math.min(...below.map((box) => box.top + scrollY));
}

function fit() {
  for (const size of SIZES_REM) {
    region.style.fontSize = `${size}rem`;
    region.classList.toggle('tight', size < SIZES_REM[0]);
    region.style.minHeight = '';
    if (region.offsetTop + region.offsetHeight <= room()) break;
  }
  // A small one covers the top line as a whole: half of a title or a button below it is worse than none.
  if (region.classList.contains('tight')) region.style.minHeight = `${Math.max(0, room() - region.offsetTop)}px`;
}

/** Show a notice, over the dialog if one is open. */
export function toast(text, state, level = 'warn') {
  clearTimeout(timer);
  about = matter(state);
  (dialog.open ? dialog : document.body).append(region);
  region.className = `toast ${level} shown`;
  region.replaceChildren(h('span', {}, text));
  if (!dialog.open) fit();
  timer = setTimeout(hush, SHOWN_MS);
}

/** Remove the notice. */
export function hush() {
  region.className = 'toast';
}

/** Remove the notice if it is outdated. */
export function hushPast(state) {
  if (matter(state) !== about) hush();
}

dialog.addEventListener('close', () => document.body.append(region));
