// Lists of the legal plays still open, and of the events so far.

import { h, icon, redraw } from '../lib/dom.js';
import { open } from '../board/picking.js';
import { dances } from './say.js';
import { SIDES, nameOf, toneOf } from '../board/seats.js';
import { t, translated } from '../lib/words.js';

/** The list of plays that begin with the moves entered so far; choosing one enters it whole. */
export function plays(region, state, desk) {
  const list = open(state);
  const dance = dances(state);
  const shown = [list?.map((play) => play.text), state.phase, state.may, state.aids, dance];
  redraw(region, shown, () => {
    if (state.aids === 'withheld') return h('p', { class: 'hint' }, t('Aids are withheld: legal plays are not shown.'));
    if (dance && (state.phase === 'played' || (list?.length === 1 && !list[0].moves.length))) return h('p', { class: 'hint' }, t('No legal move.'));
    if (state.phase === 'played' && state.may.includes('undo')) return h('p', { class: 'hint' }, t('Undo to enter another play.'));
    if (!list) return h('p', { class: 'hint' }, t('Legal plays are listed here after a roll.'));
    return h(
      'ul',
      { class: 'play-list' },
      list.slice(0, 200).map((play, n) =>
        h('li', {}, h('button', { type: 'button', id: `play-${n}`, disabled: !state.may.includes('play'), onclick: () => desk.act({ type: 'play', moves: play.moves }) }, play.text)),
      ),
    );
  });
}

/**
 * The events in two columns, south's and north's, a row for a turn of each, the newest row first; a row has the number
 * of its first event. An entry opens its picture and the form to correct it.
 */
export function history(region, state, opened) {
  const { history: entries, match, orientation } = state;
  redraw(region, [entries, match?.players, orientation.south], () => {
    if (!entries.length) return h('p', { class: 'hint' }, t('No events yet.'));
    return [
      entries[0].n > 1 ? h('p', { class: 'hint', id: 'earlier' }, t('Only the last {n} events are shown. The record has all of them.', { n: entries.length })) : null,
      h('table', { class: 'history' },
        h('thead', {}, h('tr', {}, h('td', {}), SIDES.map((side) => h('th', { scope: 'col' }, dot(toneOf(state, side)), ' ', nameOf(state, side))))),
        h('tbody', {}, rows(entries).reverse().map((row) => h('tr', {},
          h('th', { scope: 'row' }, String(row.n)),
          row.both
            ? h('td', { colspan: 2 }, line(row.both, opened))
            : SIDES.map((side) => h('td', {}, row[side].map((entry) => line(entry, opened)))))))),
    ];
  });
}

/** The entries as rows {n, south, north}, each a list; one that belongs to neither side is a row {n, both}. */
function rows(entries) {
  const found = [];
  let before = null;
  for (const entry of entries) {
    const { n, side } = entry;
    if (!side) found.push({ n, both: entry });
    else {
      if (side !== before && (!before || side === SIDES[0])) found.push({ n, south: [], north: [] });
      found.at(-1)[side].push(entry);
    }
    before = side;
  }
  return found;
}

const dot = (tone) => h('span', { class: `dot ${tone}`, 'aria-hidden': 'true' });

function line(entry, opened) {
  return h('button', { type: 'button', id: `event-${entry.n}`, title: t('Event {n}', { n: entry.n }), onclick: () => opened(entry) },
    h('span', { class: `what${entry.undone ? ' undone' : ''}${entry.misfit ? ' misfit' : ''}` }, translated(entry, 'text')),
    entry.corrected ? h('span', { class: 'mark', title: t('corrected') }, icon('pen')) : null,
    entry.picture ? icon('photo') : null);
}
