// The wall: every table on one screen, in the order of their names, to be read from the back of the hall.

import { h, redraw } from '../lib/dom.js';
import { follow, left, matchText, needs, playerRow, SIDES } from './tables.js';

const place = document.getElementById('tables');

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
  const across = Math.max(1, Math.ceil(Math.sqrt(hall.tables.length)));
  place.className = `tables across-${Math.min(across, 10)}`;
  redraw(place, hall.tables.map((table) => [table, needs(table, now), seconds(table, now)]), () => hall.tables.map((table) => card(table, now)));
});
