// Lists of the legal plays still open, and of the events so far.

import { h, icon, redraw, unbroken } from '../lib/dom.js';
import { open } from '../board/picking.js';
import { dances } from './say.js';
import { SIDES, nameOf, toneOf } from '../board/seats.js';
import { t, translated } from '../lib/words.js';

/** The list of plays that begin with the moves entered so far; choosing one enters it whole. */
export function plays(region, state, desk) {
  const list = open(state);
  const dance = dances(state);
  const shown = [list?.map((play) => play.text), state.phase, state.may, state.aids, dance, state.match?.signed];
  redraw(region, shown, () => {
    if (state.phase === 'match_over') return signedResult(state);
    if (state.aids === 'withheld') return h('p', { class: 'hint' }, t('Aids are withheld: legal plays are not shown.'));
    if (dance && (state.phase === 'played' || (list?.length === 1 && !list[0].moves.length))) return h('p', { class: 'hint' }, t('No legal move.'));
    if (state.phase === 'played' && state.may.includes('undo')) return h('p', { class: 'hint' }, t('Undo to enter another play.'));
    if (state.phase === 'played') return [];
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
 * The events of the running game, the newest row first, and the way to those of the games before. `opens` has
 * event(entry), for its picture and the form to correct it, and game(number), for all events of a game.
 */
export function history(region, state, opens) {
  const { match, orientation } = state;
  const entries = state.history.filter((entry) => entry.game === match?.game);
  redraw(region, [entries, match?.players, orientation.south, state.phase, match?.signed], () => {
    if (!entries.length) return h('p', { class: 'hint' }, t('No events yet.'));
    const cut = state.history[0].game === match.game && state.history[0].n > 1; // the state has its last lines only
    return [
      signedResult(state),
      columns(state, rows(entries).reverse(), opens.event),
      cut || match.game > 1 ? h('div', { class: 'games' },
        cut ? h('button', { type: 'button', id: `game-${match.game}`, onclick: () => opens.game(match.game) }, t('The whole game')) : null,
        Array.from({ length: match.game - 1 }, (_, n) => match.game - 1 - n).map((game) =>
          h('button', { type: 'button', id: `game-${game}`, onclick: () => opens.game(game) }, t('Game {n}', { n: game })))) : null,
    ];
  });
}

// The signed end of the match as a QR code, for everybody to photograph; nothing before the end.
function signedResult({ phase, match }) {
  if (phase !== 'match_over' || !match?.signed) return null;
  return h('figure', { class: 'signed' },
    h('a', { href: `/signed/${match.signed.number}.svg`, target: '_blank' },
      h('img', { src: `/signed/${match.signed.number}.svg`, alt: t('QR code of the signed result'), width: 160, height: 160 })),
    h('figcaption', {}, t('Photograph this code to keep the signed result: later changes to the record will show.')));
}

/** Rows in two columns, south's and north's, as the field writes a match: a numbered one for a turn of each. */
export function columns(state, shown, opened) {
  return h('table', { class: 'history' },
    h('thead', {}, h('tr', {}, h('td', {}), SIDES.map((side) => h('th', { scope: 'col' }, dot(toneOf(state, side)), ' ', nameOf(state, side))))),
    h('tbody', {}, shown.map((row) => h('tr', {},
      h('th', { scope: 'row' }, row.turn ? `${row.turn})` : ''),
      row.both
        ? h('td', { colspan: 2 }, line(row.both, opened))
        : SIDES.map((side) => h('td', {}, row[side].map((entry) => line(entry, opened))))))));
}

/** The entries as rows {turn, south, north}, each a list; one outside of the turns is a row {both}. */
export function rows(entries) {
  const found = [];
  for (const entry of entries) {
    const { side, turn } = entry;
    if (!side || !turn) found.push({ both: entry });
    else {
      if (found.at(-1)?.turn !== turn) found.push({ turn, south: [], north: [] });
      found.at(-1)[side].push(entry);
    }
  }
  return found;
}

const dot = (tone) => h('span', { class: `dot ${tone}`, 'aria-hidden': 'true' });

function line(entry, opened) {
  return h('button', { type: 'button', id: `event-${entry.n}`, title: t('Event {n}', { n: entry.n }), onclick: () => opened(entry) },
    h('span', { class: `what${entry.undone ? ' undone' : ''}${entry.misfit ? ' misfit' : ''}` }, unbroken(translated(entry, 'text'))),
    entry.corrected ? h('span', { class: 'mark', title: t('corrected') }, icon('pen')) : null,
    entry.picture ? icon('photo') : null);
}
