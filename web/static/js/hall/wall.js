// The wall: every table on one screen, in the order of their names, to be read from the back of the hall.
// A large hall has it in parts: /wall?2-of-4 is the second of four screens, /wall?of-4 shows the four in turn.

import { h, redraw } from '../lib/dom.js';
import { follow, left, matchText, needs, playerRow, SIDES } from './tables.js';

const place = document.getElementById('tables');
const TURN_MS = 12_000;
const [page, parts] = (/^\?(?:(\d{1,2})-)?of-(\d{1,2})$/.exec(location.search) ?? [0, 0, 0]).slice(1).map((text) => Number(text ?? 0));

/** The tables of this screen, and where they are among all: [tables, first, number of all]. */
function shown({ tables }, now) {
  const each = Math.ceil(tables.length / (parts || 1));
  const there = Math.ceil(tables.length / each) || 1;
  const part = page ? page - 1 : Math.floor(now / TURN_MS) % there;
  return [tables.slice(part * each, (part + 1) * each), part * each + 1, tables.length];
}

function showPart(first, some, all) {
  const text = parts > 1 && some.length ? `${first}–${first + some.length - 1} / ${all}` : '';
  const part = document.getElementById('part');
  if (part.textContent !== text) part.textContent = text;
}

function card(table, now) {
  const { state, status } = table;
  return h(
    'section',
    { class: `card ${status}${needs(table, now).length ? ' needy' : ''}`, 'aria-label': table.table },
    h('h2', {}, h('a', { href: `/t/${encodeURIComponent(table.table)}` }, table.table), h('small', {}, state ? matchText(state) : '')),
    state?.match ? SIDES.map((side) => playerRow(state, side, now)) : null,
  );
}

const seconds = ({ state }, now) => (state?.clock ? SIDES.map((side) => Math.ceil(left(state.clock, side, now) / 1000)) : []);

follow((hall, now) => {
  const [tables, first, all] = shown(hall, now);
  showPart(first, tables, all);
  const across = Math.max(1, Math.ceil(Math.sqrt(tables.length)));
  place.className = `tables across-${Math.min(across, 10)}`;
  redraw(place, tables.map((table) => [table, needs(table, now), seconds(table, now)]), () => tables.map((table) => card(table, now)));
});
