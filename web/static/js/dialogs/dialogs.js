// Dialogs: resignation, camera set-up, an event of the history, joining, and the menu.
// The forms for rules are in rules.js, the analysis is in analysis.js.

import { analysis } from './analysis.js';
import { calibration } from './calibration.js';
import { reads } from './reads.js';
import { ask, because, choice, close, field, options, problem, show, submit } from './dialog.js';
import { copy } from '../lib/copy.js';
import { isSafe, lacking } from '../lib/device.js';
import { director, visit } from './director.js';
import { h, icon } from '../lib/dom.js';
import { applyTheme, chooseLanguage, prefer, prefs } from '../lib/prefs.js';
import { named, position } from './position.js';
import { noCorrection, standing } from './rights.js';
import { settings } from './rules.js';
import { marked } from './throw.js';
import { columns, rows } from '../table/lists.js';
import { WORTHS } from '../table/say.js';
import { SIDES, nameOf } from '../board/seats.js';
import { canSpeak } from '../table/voice.js';
import { t, translated } from '../lib/words.js';

/** What a game can count, from 1 to the most that its rules know. */
const worths = ({ match }) => [1, 2, 3].slice(0, match?.most_worth ?? 3);

/** The form for a resignation: the side, and the game's worth. */
export function resign(state, desk) {
  const sides = ['south', 'north'];
  const first = state.on_roll || 'south';
  const form = h(
    'form',
    {},
    h('fieldset', {}, h('legend', {}, t('Who resigns?')), h('div', { class: 'choices' }, sides.map((side) => choice('side', side, side === first, nameOf(state, side))))),
    h('div', { class: 'row tight' }, worths(state).map((worth) => h('button', { type: 'submit', value: worth, name: 'worth' }, WORTHS[worth]()))),
    h(
      'div',
      { class: 'two' },
      field(t('Or settle for this many points'), h('input', { name: 'points', inputmode: 'numeric', pattern: '[0-9]+', maxlength: 3, autocomplete: 'off' })),
      h('button', { type: 'submit', id: 'settle', value: 0, name: 'worth' }, t('Offer a settlement')),
    ),
    h('p', { class: 'hint' }, t('The other side gets these points, whatever the cube; with 0 nobody gets any.')),
    problem(),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const [side, worth] = [given.get('side'), Number(event.submitter.value)];
    submit(form, desk, worth ? { type: 'resign', worth, side } : { type: 'resign', points: Number(given.get('points')), side });
  });
  show(t('Resign'), form);
}

/** The camera's state in a sentence, with the choice of what it reads and the way to place the board. */
export function aboutCamera(camera, checkers) {
  const { role, doors = '' } = document.body.dataset;
  const keeps = ['scorekeeper', 'director'].includes(role);
  const places = keeps && doors.split(' ').includes('place');
  show(t('Camera'), h('p', { class: 'big' }, translated(camera, 'text')),
    checkers ? h('p', {}, translated(checkers, 'text')) : null,
    keeps && doors.split(' ').includes('reads') && camera.state !== 'none' ? reads(camera) : null,
    places ? h('button', { type: 'button', id: 'place-board', onclick: calibrate }, icon('photo'), t('Camera and board')) : null);
}

function calibrate() {
  const { role, doors = '' } = document.body.dataset;
  const chooses = role === 'director' && doors.split(' ').includes('camera');
  show(t('Camera and board'), calibration(), chooses ? h('a', { class: 'button', id: 'change-camera', href: '/welcome' }, t('Change the camera')) : null);
}

/** Links to the running match's record in the formats of other programs. */
function records() {
  const kinds = [['mat', t('Match file (gnubg, XG)')], ['sgf', t('SGF (gnubg)')], ['ogxm', t('OGXM (signed)')], ['json', t('JSON (complete)')], ['zip', t('Archive with pictures')]];
  show(t('Save the record'), h('div', { class: 'menu' }, kinds.map(([kind, label]) =>
    h('a', { class: 'button', href: `/export/${kind}`, download: true }, icon('save'), label))));
}

/** The ways from the history: to one of its events, and to all events of a game. `now` gives the present state. */
export const opensHistory = (now, desk) => ({
  event: (entry) => event(now(), entry, desk),
  game: (number) => game(now, number, desk),
});

/** All events of one game of the running match. */
async function game(now, number, desk) {
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
  const fields = state.may.includes('amend') ? correctable(state, entry) : null;
  show(
    t('Event {n}', { n: entry.n }),
    h('p', { class: 'big' }, entry.side ? `${nameOf(state, entry.side)}: ` : '', translated(entry, 'text')),
    entry.misfit ? h('p', { class: 'error' }, translated(entry, 'misfit')) : null,
    entry.picture ? shot(state, entry) : null,
    fields ? amendment(entry, fields, desk) : noCorrection(state, desk, close),
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

const line = (label, name, more) => field(label, h('input', { name, required: true, autocomplete: 'off', ...more }));

/** Inputs to correct an event: {inputs, to}, or null; `action` is the event in the shape of an action. */
function correctable(state, { action }) {
  const choices = CHOICES().find((list) => list.some(([type]) => type === action?.type));
  if (choices) return { inputs: [field(t('Answer'), options('type', choices, action.type))], to: (form) => ({ type: form.get('type') }) };
  if (action?.dice) {
    const [high, low] = action.dice;
    return {
      inputs: [die('high', t('First die'), high), die('low', t('Second die'), low), action.type === 'roll' ? counts(state, action) : null],
      to: (form) => ({ ...(action.side ? { side: action.side } : {}), dice: [Number(form.get('high')), Number(form.get('low'))], ...voidOf(form) }),
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
  set_position: () => ({
    inputs: [line(t('XGID or GNU Backgammon ID'), 'id', { maxlength: 120, spellcheck: 'false' })],
    to: (form) => named(form.get('id')),
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
    problem(),
    h('div', { class: 'send' }, h('button', { type: 'submit', class: 'primary' }, t('Correct'))),
  );
  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const given = new FormData(form);
    await submit(form, desk, { type: 'amend', event: entry.n, to: fields.to(given), why: given.get('why').trim() });
  });
  return form;
}

const ROLES = (state) => ({
  viewer: t('Spectator'),
  south: t('Player: {name}', { name: nameOf(state, 'south') }),
  north: t('Player: {name}', { name: nameOf(state, 'north') }),
  scorekeeper: t('Scorekeeper'),
  director: t('Director'),
});

/** The join codes that this visitor may hand out, with their QR codes. */
export async function joins(state, desk) {
  const answer = await fetch('/api/joins', { cache: 'no-store' });
  if (!answer.ok) return;
  const { joins: list } = await answer.json();
  const trouble = problem();
  const names = ROLES(state);
  const before = new Map();
  const nth = (name) => before.set(name, (before.get(name) ?? 0) + 1).get(name);
  const mine = document.body.dataset.role === 'director' ? Object.keys(names) : ['viewer', 'south', 'north'];
  const issue = async (name) => {
    const seat = name === 'south' || name === 'north' ? name : null;
    const body = JSON.stringify(seat ? { role: 'player', seat } : { role: name });
    await fetch('/api/joins', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    joins(state, desk);
  };
  show(
    t('Invite others'),
    h('p', { class: 'hint' }, t('Scan a code with the phone’s camera, or open its link.')),
    h(
      'ul',
      { class: 'joins' },
      list.map((one) => {
        const name = names[one.seat || one.role];
        const n = nth(name);
        return h(
          'li',
          {},
          h('b', {}, n > 1 ? `${name} (${n})` : name),
          h('img', { src: one.qr, alt: t('QR code of the join link'), width: 180, height: 180 }),
          h('code', {}, whole(one.link)),
          h('button', { type: 'button', class: 'quiet copy', onclick: ({ currentTarget }) => copied(one.link, currentTarget) }, t('Copy')),
          one.own ? h('small', {}, t('this device’s code')) : revoking(one, state, desk, trouble),
        );
      }),
    ),
    trouble,
    h('fieldset', {}, h('legend', {}, t('New code for')), h('div', { class: 'choices' }, mine.map((name) =>
      h('button', { type: 'button', id: `issue-${name}`, onclick: () => issue(name) }, icon('plus'), names[name])))),
  );
}

// A link that breaks, where it has to, before its code.
const whole = (link) => link.split(/(?=\/join\/)/).flatMap((part, n) => (n ? [h('wbr'), part] : [part]));

async function copied(link, pressed) {
  await copy(link);
  pressed.textContent = t('Copied.');
}

// Revoking a code ends its visitors' access at once, so it needs a confirmation.
function revoking(one, state, desk, trouble) {
  const place = h('div', { class: 'revoking' });
  const revoke = async () => {
    const answer = await desk.act({ type: 'revoke', code: one.code }, { quiet: true });
    if (answer.ok) return void joins(state, desk);
    trouble.textContent = translated(answer, 'detail');
    trouble.scrollIntoView({ block: 'nearest' });
  };
  place.append(h('button', { type: 'button', class: 'quiet revoke', onclick: () =>
    ask(place, t('Everyone who joined with this code will be disconnected.'), t('Revoke'), revoke) }, icon('close'), t('Revoke')));
  return place;
}

const LANGUAGES = { de: 'Deutsch', en: 'English', fi: 'Suomi', ja: '日本語', tr: 'Türkçe' };

const PARTS = () => ({ heat: t('heat'), power: t('power'), disk: t('disk'), clock: t('clock'), frames: t('frames') });

// The machine's condition, for the director.
function health(lines) {
  return h('fieldset', {}, h('legend', {}, t('The machine')), h('ul', { class: 'health' }, lines.map((line) =>
    h('li', { class: line.verdict.replace(' ', '-') }, icon({ good: 'check', bad: 'flag', warn: 'flag' }[line.verdict] || 'ask'),
      h('span', {}, h('b', {}, PARTS()[line.what] ?? line.what), ' – ', translated(line, 'text'), line.verdict === 'good' || !line.remedy ? '' : ` ${translated(line, 'remedy')}`)))));
}

function voice() {
  return h('div', { class: 'choices' }, [[false, t('silent')], [true, t('announces rolls and cube')]].map(([on, label]) => {
    const option = choice('sound', on ? 'on' : 'off', prefs.sound === on, label);
    option.addEventListener('change', () => prefer('sound', on));
    return option;
  }));
}

// Missing abilities of this browser, and how to get them.
function comforts() {
  if (!isSafe()) {
    const offered = document.body.dataset.https === 'offered';
    return h('p', { class: 'hint', id: 'comforts' },
      t('Over plain HTTP the browser does not keep the screen awake and cannot install the page; everything else works.'), ' ',
      offered ? h('span', {}, h('a', { href: '/safe' }, t('Open the page over HTTPS')), ' · ', h('a', { href: '/authority.crt' }, t('Certificate for this device'))) : null);
  }
  const missing = lacking();
  return missing.length ? h('p', { class: 'hint', id: 'comforts' }, t('This browser lacks a few things:'), ' ', missing.join(' ')) : null;
}

const item = (id, sign, label, act) => h('button', { type: 'button', id: `menu-${id}`, onclick: () => {
  close();
  act();
} }, icon(sign), label);

const group = (title, ...items) => items.some(Boolean) && h('fieldset', {}, h('legend', {}, title), h('div', { class: 'menu' }, items));

// The menu's entries in groups; one that this visitor cannot use is left out.
function entries(state, desk) {
  const { role, doors = '' } = document.body.dataset;
  const may = (type) => state?.may.includes(type);
  const keeps = ['scorekeeper', 'director'].includes(role);
  const has = (door) => keeps && doors.split(' ').includes(door);
  const match = state?.match;
  const comes = match?.director && role !== 'player';
  const running = Boolean(state?.clock?.running);
  return [
    group(t('Match'),
      may('new_match') && item('new', 'plus', t('New match'), desk.newMatch),
      may('resign') && item('resign', 'flag', t('Resign…'), desk.resign),
      may('clock') && item('clock', 'clock', running ? t('Stop the clock') : t('Start the clock'), () => desk.act({ type: 'clock', order: running ? 'stop' : 'start' })),
      state?.clock && h('a', { class: 'button', id: 'menu-clock-face', href: '/clock' }, icon('clock'), t('Clock between the players')),
      may('set_position') && item('position', 'pen', t('Set the position'), () => position(state, desk)),
      may('settings') && item('settings', 'sliders', t('Settings of this match'), () => settings(desk))),
    group(t('Director'),
      may('call_director') && (comes
        ? item('director', 'whistle', t('The director has come'), () => visit(desk))
        : item('director', 'whistle', t('Call the director'), () => desk.act({ type: 'call_director' }))),
      role === 'director' && match && item('penalty', 'whistle', t('Penalty points, clock'), () => director(state, desk))),
    group(t('Board and camera'),
      item('turn', 'again', t('Flip the board'), desk.turn),
      has('place') && item('camera', 'photo', t('Camera and board'), calibrate)),
    group(t('Record'),
      match && doors.split(' ').includes('sheet') && h('a', { class: 'button', id: 'menu-sheet', href: '/sheet' }, icon('sheet'), t('Score sheet')),
      match && has('export') && item('export', 'save', t('Save the record'), records),
      state?.phase === 'match_over' && doors.split(' ').includes('kept') && h('a', { class: 'button', id: 'menu-summary', href: `/matches/${encodeURIComponent(match.id)}/summary` }, icon('chart'), t('Summary')),
      has('kept') && h('a', { class: 'button', id: 'menu-matches', href: '/matches' }, icon('sheet'), t('All matches')),
      has('kept') && h('a', { class: 'button', id: 'menu-players', href: '/players' }, icon('people'), t('Players')),
      match && has('analyse') && item('analysis', 'chart', t('Analysis'), analysis)),
    group(t('Spectators and players'),
      keeps && item('joins', 'people', t('Invite others'), () => joins(state, desk)),
      h('a', { class: 'button', href: '/watch' }, icon('look'), t('Spectators’ page')),
      h('a', { class: 'button', id: 'menu-text', href: '/text' }, icon('enter'), t('Play in words'))),
  ];
}

/** Show the menu; one that is opened before the table's first state has come gets its entries with that. */
export function openMenu(link, desk) {
  menu(link.state, desk);
  if (link.state) return;
  const title = document.getElementById('dialog-title');
  link.addEventListener('state', () => {
    if (title.isConnected && title.closest('dialog').open) menu(link.state, desk);
  }, { once: true });
}

function menu(state, desk) {
  const themes = [['auto', t('same as the device')], ['light', t('light')], ['dark', t('dark')]];
  show(
    t('Menu'),
    entries(state, desk),
    standing(),
    state?.health?.length ? health(state.health) : null,
    h('fieldset', {}, h('legend', {}, t('Light or dark')), h('div', { class: 'choices' }, themes.map(([name, label]) => {
      const option = choice('theme', name, prefs.theme === name, label);
      option.addEventListener('change', () => {
        prefer('theme', name);
        applyTheme();
      });
      return option;
    }))),
    h('fieldset', {}, h('legend', {}, t('Language')), h('div', { class: 'choices' }, Object.entries(LANGUAGES).map(([code, label]) =>
      h('button', { type: 'button', lang: code, 'aria-pressed': String(document.documentElement.lang === code), onclick: () => chooseLanguage(code) }, label)))),
    h('fieldset', {}, h('legend', {}, t('Voice')), canSpeak() ? voice() : h('p', { class: 'hint' }, t('This browser has no voice.'))),
    comforts(),
  );
}
