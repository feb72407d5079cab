// The history's forms: all events of a game, and one event with its correction.

import { because, close, field, options, problem, show, submit } from '../dialogs/dialog.js';
import { h } from '../lib/dom.js';
import { fitsIds, named } from './position.js';
import { noCorrection } from '../dialogs/rights.js';
import { worths } from './resign.js';
import { marked } from '../dialogs/throw.js';
import { columns, rows } from '../table/lists.js';
import { WORTHS } from '../table/say.js';
import { SIDES, nameOf } from '../board/seats.js';
import { t, translated } from '../lib/words.js';

/** All events of one game of the running match. */
export async function game(now, number, desk) {
  const answer = await fetch(`/api/history?game=${number}`, { cache: 'no-store' }).catch(() => null);
  const reply = await answer?.json().catch(() => null);
  if (!answer?.ok || !reply) {
    show(t('Game {n}', { n: number }), h('p', { class: 'error' }, translated(reply, 'detail') || t('The table does not answer; try again.')));
    return;
  }
  const then = () => ({ ...now(), match: { ...now().match, players: reply.players } }); // the players may have changed seats since
  show(t('Game {n}', { n: number }), h('div', { class: 'whole' }, columns(then(), rows(reply.history), (entry) => event(then(), entry, desk))));
}

/** One event of the history: its picture, and a form to correct it if that is allowed. */
export function event(state, entry, desk) {
  const corrected = entry.action?.type === 'amend' && state.history.find(({ n }) => n === entry.action.event);
  if (corrected) return event(state, corrected, desk); // the line of a correction leads to what it corrected
  const fields = state.may.includes('amend') ? correctable(state, entry) : null;
  show(
    t('Event {n}', { n: entry.n }),
    h('p', { class: 'big' }, entry.side ? `${nameOf(state, entry.side)}: ` : '', translated(entry, 'text')),
    entry.misfit ? h('p', { class: 'error' }, translated(entry, 'misfit')) : null,
    entry.picture ? shot(state, entry) : null,
    fields ? amendment(entry, fields, desk) : noCorrection(state, desk, close) ?? h('p', { class: 'hint' }, entry.action?.type === 'set_position' ? t('No id can hold a position of this game.') : t('There is nothing to correct in this event.')),
  );
}

// Only of the last throw is it known where its dice are.
const shot = ({ throw: last }, { picture }) =>
  last?.picture === picture ? marked(last) : h('img', { class: 'shot', src: picture, alt: t('as the camera saw it') });

const die = (name, label, value) => field(label, h('input', { name, value, pattern: '[1-6]', inputmode: 'numeric', maxlength: 1, required: true }));

// Events that are one of several answers.
const CHOICES = () => [
  [['take', t('Take')], ['pass', t('Pass')], ['beaver', t('Beaver')], ['raccoon', t('Raccoon')]],
  [['accept', t('Accept')], ['refuse', t('Refuse')]],
];

// The play that a corrected roll makes necessary; hidden until the table asks for it, unless nothing could be played before.
function playOf(action) {
  const given = field(t('Play, if one is possible now'), h('input', { name: 'play', value: action.play?.text ?? '', autocomplete: 'off', maxlength: 80, spellcheck: 'false' }));
  given.classList.add('late-play');
  given.hidden = action.play === undefined;
  return given;
}
const withPlay = (form) => (form.get('play')?.trim() ? { play: { text: form.get('play').trim() } } : {});

const line = (label, name, more) => field(label, h('input', { name, required: true, autocomplete: 'off', ...more }));

/** Inputs to correct an event: {inputs, to}, or null; `action` is the event in the shape of an action. */
function correctable(state, { action }) {
  const choices = CHOICES().find((list) => list.some(([type]) => type === action?.type));
  if (choices) return { inputs: [field(t('Answer'), options('type', choices, action.type))], to: (form) => ({ type: form.get('type'), ...(action.partner ? { partner: action.partner } : {}) }) };
  if (action?.dice) {
    const [high, low] = action.dice;
    return {
      inputs: [die('high', t('First die'), high), die('low', t('Second die'), low), action.type === 'roll' ? counts(state, action) : null, playOf(action)],
      to: (form) => ({ ...(action.side ? { side: action.side } : {}), dice: [Number(form.get('high')), Number(form.get('low'))], ...voidOf(form), ...withPlay(form) }),
    };
  }
  if (action?.penalty) return penalty(state, action.penalty);
  return FORMS[action?.type]?.(state, action) ?? null;
}

// Whether a typed roll counts, and else why not.
const counts = (state, action) => field(t('Does it count?'), options('void', [
  ['', t('It counts')],
  ['cocked', t('No, it was cocked')],
  ...(state.thrown_by_hand === 'stands' ? [] : [['by_hand', t('No, it was thrown by hand')]]),
], action.void ?? ''));
const voidOf = (form) => (form.get('void') ? { void: form.get('void') } : {});

// Inputs for the actions whose type alone determines them.
const FORMS = {
  opening: (state, action) => (Array.isArray(action.south) ? pairs(state, action) : {
    inputs: [...SIDES.map((side) => die(side, nameOf(state, side), action[side])), counts(state, action)],
    to: (form) => ({ south: Number(form.get('south')), north: Number(form.get('north')), ...voidOf(form) }),
  }),
  play: (state, action) => ({
    inputs: [line(t('Type the play'), 'text', { value: action.text, maxlength: 80, spellcheck: 'false' })],
    to: (form) => ({ text: form.get('text').trim() }),
  }),
  resign: (state, action) => ({
    inputs: [field(t('Resign'), options('worth', worths(state).map((worth) => [worth, WORTHS[worth]()]), action.worth))],
    to: (form) => ({ worth: Number(form.get('worth')), side: action.side }),
  }),
  set_position: (state) => (fitsIds(state) ? {
    inputs: [line(t('XGID or GNU Backgammon ID'), 'id', { maxlength: 120, spellcheck: 'false' })],
    to: (form) => named(form.get('id')),
  } : null),
  name: (state, action) => ({
    inputs: [die('number', t('Number of the doublet'), action.number), playOf(action)],
    to: (form) => ({ number: Number(form.get('number')), ...withPlay(form) }),
  }),
  new_match: (state) => ({
    inputs: SIDES.map((side) => field(side === 'south' ? t('South') : t('North'), h('input', { name: side, value: state.match.players[side], maxlength: 80 }))),
    to: (form) => ({ players: { south: form.get('south').trim(), north: form.get('north').trim() } }),
  }),
};

// Both dice of each side for the start; a side that had not thrown yet stays empty.
function pairs(state, action) {
  const thrown = SIDES.filter((side) => action[side][0]);
  const sides = thrown.length ? thrown : SIDES;
  return {
    inputs: [...sides.flatMap((side) => [t('First die'), t('Second die')].map((label, n) => die(`${side}-${n}`, `${nameOf(state, side)}, ${label}`, action[side][n]))), counts(state, action)],
    to: (form) => ({ ...Object.fromEntries(sides.map((side) => [side, [0, 1].map((n) => Number(form.get(`${side}-${n}`)))])), ...voidOf(form) }),
  };
}

function penalty(state, { to, points, why }) {
  return {
    inputs: [
      field(t('Penalty points go to'), options('to', SIDES.map((side) => [side, nameOf(state, side)]), to)),
      line(t('Points'), 'points', { value: points, inputmode: 'numeric', pattern: '[0-9]+', maxlength: 4 }),
    ],
    to: (form) => ({ penalty: { to: form.get('to'), points: Number(form.get('points')), why } }),
  };
}

function amendment(entry, fields, desk) {
  const form = h(
    'form',
    { class: 'amend' },
    h('fieldset', {}, h('legend', {}, t('What should it have been?')), h('div', { class: 'two' }, fields.inputs)),
    because(),
    h('div', { class: 'send' }, problem(), h('button', { type: 'submit', class: 'primary' }, t('Correct'))),
  );
  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const given = new FormData(form);
    const taken = await submit(form, desk, { type: 'amend', event: entry.n, to: fields.to(given), why: given.get('why').trim() });
    if (!taken) form.querySelectorAll('.late-play').forEach((one) => { one.hidden = false; });
  });
  return form;
}
