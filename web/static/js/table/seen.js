// What the camera is not sure of: a card with the plays to choose from, or a line about a board that is not the record's.

import { diagram } from '../board/diagram.js';
import { open } from '../dialogs/forms.js';
import { h } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';

/**
 * The question about the play with one button for each answer, or where board and record differ; null for neither.
 * `desk` has act(body) and mayNow(type).
 */
export function seen(state, desk) {
  const question = state.checkers?.question;
  if (!question && state.checkers?.differs) return differs(state, desk);
  if (!question || !state.may.includes(question.instead ? 'undo' : 'play')) return null;
  const choose = async ({ result, under }) => {
    if (question.instead && !(await desk.act({ type: 'undo' })).ok) return;
    const { ok } = await desk.act({ type: 'play', result, under, made: true });
    if (ok && question.instead && desk.mayNow('done')) await desk.act({ type: 'done' }); // the turn had ended
  };
  return h('div', { class: 'offer', id: 'seen' },
    h('p', {}, h('span', { class: 'hint' }, translated(question, 'why')), ' ', t('Which play was {roll}?', { roll: question.roll.join('-') })),
    h('div', { class: 'candidates' }, question.plays.map((play, n) =>
      h('button', { type: 'button', id: `seen-${n}`, onclick: () => choose(play) },
        diagram(play.board, state.orientation),
        h('span', {}, play.legal ? play.text || t('no play') : t('not legal, as in the picture'))))));
}

function differs(state, desk) {
  const { board } = state.checkers;
  return h('p', { class: 'owed', id: 'differs' }, translated(state.checkers, 'text'),
    board && state.may.includes('set_position') && h('button', { type: 'button', id: 'as-seen', onclick: () => open('position', 'position', state, desk, board) }, t('Set the position as seen')));
}
