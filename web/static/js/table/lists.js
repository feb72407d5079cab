// Lists of the legal plays still open, and of the events so far.

import { h, icon, redraw } from '../lib/dom.js';
import { open } from '../board/picking.js';
import { dances } from './say.js';
import { nameOf, toneOf } from '../board/seats.js';
import { t, translated } from '../lib/words.js';

/** The list of plays that begin with the moves entered so far; choosing one enters it whole. */
export function plays(region, state, desk) {
  const list = open(state);
  const dance = dances(state);
  const shown = [list?.map((play) => play.text), state.phase, state.may, state.aids, dance];
  redraw(region, shown, () => {
    if (state.aids === 'withheld') return h('p', { class: 'hint' }, t('Aids are withheld: no plays are shown.'));
    if (dance && (state.phase === 'played' || (list?.length === 1 && !list[0].moves.length))) return h('p', { class: 'hint' }, t('No move is possible.'));
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

/** The events, the newest first; an entry opens its picture and the form to correct it. */
export function history(region, state, opened) {
  const { players } = state.match || {};
  redraw(region, [state.history, players, state.orientation.south], () => {
    if (!state.history.length) return h('p', { class: 'hint' }, t('Nothing has happened yet.'));
    return h(
      'ol',
      { class: 'history', reversed: true },
      [...state.history].reverse().map((entry) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', id: `event-${entry.n}`, onclick: () => opened(entry) },
            h('span', { class: `dot ${entry.side ? toneOf(state, entry.side) : 'none'}`, title: entry.side ? nameOf(state, entry.side) : '' }),
            h('span', { class: `what${entry.undone ? ' undone' : ''}${entry.misfit ? ' misfit' : ''}` }, translated(entry, 'text')),
            entry.corrected ? h('span', { class: 'mark', title: t('corrected') }, icon('pen')) : null,
            entry.picture ? icon('photo') : null,
          ),
        ),
      ),
    );
  });
}
