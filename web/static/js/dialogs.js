// Dialogs: new match, resignation, an event of the history, and the menu.

import { h, icon, s } from './dom.js';
import { Board } from './board.js';
import { calibration } from './calibration.js';
import { isSafe } from './device.js';
import { dress, prefer, prefs, speak } from './prefs.js';
import { WORTHS } from './say.js';
import { nameOf } from './seats.js';
import { canSpeak } from './voice.js';
import { t, told } from './words.js';

const dialog = document.getElementById('dialog');

function show(title, ...content) {
  dialog.replaceChildren(
    h(
      'header',
      {},
      h('h2', { id: 'dialog-title' }, title),
      h('button', { type: 'button', class: 'quiet close', 'aria-label': t('Close'), onclick: () => dialog.close() }, icon('close')),
    ),
    h('div', { class: 'content' }, content),
  );
  if (!dialog.open) dialog.showModal();
}

dialog?.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});

const field = (label, control) => h('label', { class: 'field' }, h('span', {}, label), control);

const choice = (name, value, checked, ...label) =>
  h('label', { class: 'choice' }, h('input', { type: 'radio', name, value, checked }), h('span', {}, label));

/** A small board for choosing how it lies. */
function lying(home, south) {
  const drawing = s('svg', { class: 'mini', 'aria-hidden': 'true' });
  const points = Array(24).fill(0);
  for (const [point, n] of [[24, 2], [13, 5], [8, 3], [6, 5]]) {
    points[point - 1] += n;
    points[24 - point] -= n;
  }
  new Board(drawing).show(
    {
      orientation: { home, south }, on_roll: null, may: [], phase: 'no_match', roll: null, making: null,
      cube: { value: 1, owner: null, offered: null }, match: null,
      position: { board: { points, bar: { south: 0, north: 0 }, off: { south: 0, north: 0 } } },
    },
    'south',
  );
  return drawing;
}

const LENGTHS = [1, 3, 5, 7, 9, 11, 13, 15];
const PROFILES = () => [
  ['modern', t('Modern backgammon')],
  ['vip', t('VIP')],
  ['tournament', t('Tournament')],
  ['tavla', t('Tavla')],
  ['spielestart', t('Entry game (Spielestart)')],
  ['wbgf', t('WBGF tournament')],
  ['usbgf', t('USBGF tournament')],
  ['portes', t('Portes')],
  ['nackgammon', t('Nackgammon')],
  ['hypergammon', t('Hypergammon')],
];

const options = (name, list) => h('select', { name }, list.map(([value, said]) => h('option', { value }, said)));

function overrides(given) {
  const chosen = ['aids', 'clock'].filter((name) => given.get(name)).map((name) => [name, given.get(name)]);
  return chosen.length ? { overrides: Object.fromEntries(chosen) } : {};
}

/** The form for a new match. */
export function newMatch(state, desk) {
  const before = state.match;
  const length = before?.length ?? 7;
  const now = state.orientation;
  const form = h(
    'form',
    { class: 'new-match' },
    h(
      'div',
      { class: 'two' },
      field(t('South (nearer the camera’s bottom)'), h('input', { name: 'south', maxlength: 40, value: before?.players.south || '', autocomplete: 'off' })),
      field(t('North (across)'), h('input', { name: 'north', maxlength: 40, value: before?.players.north || '', autocomplete: 'off' })),
    ),
    h(
      'fieldset',
      {},
      h('legend', {}, t('Points')),
      h('div', { class: 'choices' }, LENGTHS.map((n) => choice('length', n, n === length, String(n))), choice('length', 0, length === 0, t('Money'))),
    ),
    field(t('Rules'), h('select', { name: 'profile' }, PROFILES().map(([name, said]) => h('option', { value: name, selected: name === (before?.profile || 'modern') }, said)))),
    h(
      'fieldset',
      {},
      h('legend', {}, t('How the board lies, seen from South')),
      h(
        'div',
        { class: 'choices boards' },
        [['right', 'light'], ['left', 'light'], ['right', 'dark'], ['left', 'dark']].map(([home, south]) =>
          choice('lies', `${home} ${south}`, home === now.home && south === now.south, lying(home, south),
            h('span', {}, home === 'right' ? t('home right') : t('home left'), ', ', south === 'light' ? t('light') : t('dark'))),
        ),
      ),
    ),
    h(
      'div',
      { class: 'two' },
      field(t('Aids (plays, pips)'), options('aids', [['', t('as the rules say')], ['shown', t('shown')], ['withheld', t('withheld')]])),
      field(t('Clock'), options('clock', [['', t('as the rules say')], ['off', t('none')], ['simple_delay', t('delay 12 s, reserve by score')]])),
    ),
    h('p', { class: 'error', role: 'alert' }),
    h('button', { type: 'submit', class: 'primary', id: 'start-match' }, t('Start')),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const [home, south] = given.get('lies').split(' ');
    const answer = await desk.act({
      type: 'new_match',
      length: Number(given.get('length')),
      players: { south: given.get('south').trim() || t('South'), north: given.get('north').trim() || t('North') },
      profile: given.get('profile'),
      orientation: { home, south },
      ...overrides(given),
    });
    if (answer.ok) dialog.close();
    else form.querySelector('.error').textContent = told(answer.detail);
  });
  show(t('New match'), form);
}

/** Who resigns what. */
export function resign(state, desk) {
  const sides = ['south', 'north'];
  const first = state.on_roll || 'south';
  const form = h(
    'form',
    {},
    h('fieldset', {}, h('legend', {}, t('Who resigns?')), h('div', { class: 'choices' }, sides.map((side) => choice('side', side, side === first, nameOf(state, side))))),
    h('div', { class: 'row' }, [1, 2, 3].map((worth) => h('button', { type: 'submit', value: worth, name: 'worth' }, WORTHS[worth]()))),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    desk.act({ type: 'resign', worth: Number(event.submitter.value), side: new FormData(form).get('side') });
    dialog.close();
  });
  show(t('Resign'), form);
}

/** Set the checkers, the cube and who is on roll by an id. */
function position(desk) {
  const form = h(
    'form',
    {},
    field(t('XGID or GNU Backgammon ID'), h('input', { name: 'id', maxlength: 120, required: true, autocomplete: 'off', spellcheck: 'false' })),
    h('p', { class: 'error', role: 'alert' }),
    h('button', { type: 'submit', class: 'primary' }, t('Set the position')),
  );
  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const id = form.elements.id.value;
    const answer = await desk.act({ type: 'set_position', [/^XGID|=|^[-a-pA-P]{26}:/.test(id) ? 'xgid' : 'gnubgid']: id.trim() });
    if (answer.ok) dialog.close();
    else form.querySelector('.error').textContent = told(answer.detail);
  });
  show(t('Set the position'), form);
}

/** What a director may change in the middle of a match. */
function settings(desk) {
  const keep = ['', t('leave as it is')];
  const form = h(
    'form',
    {},
    h(
      'div',
      { class: 'two' },
      field(t('Aids (plays, pips)'), options('aids', [keep, ['shown', t('shown')], ['withheld', t('withheld')]])),
      field(t('Clock'), options('clock', [keep, ['off', t('none')], ['simple_delay', t('delay 12 s, reserve by score')]])),
    ),
    h('p', { class: 'error', role: 'alert' }),
    h('button', { type: 'submit', class: 'primary' }, t('Change')),
  );
  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const answer = await desk.act({ type: 'settings', overrides: {}, ...overrides(new FormData(form)) });
    if (answer.ok) dialog.close();
    else form.querySelector('.error').textContent = told(answer.detail);
  });
  show(t('Settings of this match'), form);
}

function calibrate() {
  show(t('Camera and board'), calibration());
}

/** The running match's record in the formats of the field. */
function records() {
  const kinds = [['mat', t('Match file (gnubg, XG)')], ['sgf', t('SGF (gnubg)')], ['json', t('JSON, with everything')], ['zip', t('Archive with the pictures')]];
  show(t('Take the record away'), h('div', { class: 'menu' }, kinds.map(([kind, said]) =>
    h('a', { class: 'button', href: `/export/${kind}`, download: true }, icon('enter'), said))));
}

/** One event of the history: its picture, and its correction where that is allowed. */
export function event(state, entry, desk) {
  const fields = state.may.includes('amend') ? correctable(state, entry) : null;
  show(
    t('Event {n}', { n: entry.n }),
    h('p', { class: 'big' }, entry.side ? `${nameOf(state, entry.side)}: ` : '', told(entry.text)),
    entry.misfit ? h('p', { class: 'error' }, told(entry.misfit)) : null,
    entry.picture ? h('img', { class: 'shot', src: entry.picture, alt: t('as the camera saw it') }) : null,
    fields ? amendment(entry, fields, desk) : null,
  );
}

const die = (name, label, value) => field(label, h('input', { name, value, pattern: '[1-6]', inputmode: 'numeric', maxlength: 1, required: true }));

/** What of an event can be corrected here: {inputs, to}, or null. The kind of event is told from its line. */
function correctable(state, entry) {
  const start = /^start: south ([1-6]), north ([1-6])/.exec(entry.text);
  const roll = /^([1-6])-([1-6])/.exec(entry.text) || /^the throw counts as ([1-6])-([1-6])/.exec(entry.text);
  if (start) {
    return {
      inputs: [die('south', nameOf(state, 'south'), start[1]), die('north', nameOf(state, 'north'), start[2])],
      to: (form) => ({ south: Number(form.get('south')), north: Number(form.get('north')) }),
    };
  }
  if (roll) {
    return {
      inputs: [die('high', t('First die'), roll[1]), die('low', t('Second die'), roll[2])],
      to: (form) => ({ dice: [Number(form.get('high')), Number(form.get('low'))] }),
    };
  }
  if (/^(bar|\d+)\/\S/.test(entry.text)) {
    const text = entry.text.split(' (')[0];
    return {
      inputs: [field(t('Type the play'), h('input', { name: 'text', value: text, maxlength: 80, required: true, autocomplete: 'off', spellcheck: 'false' }))],
      to: (form) => ({ text: form.get('text').trim() }),
    };
  }
  if (entry.n === 1 && state.match) {
    const { players } = state.match;
    return {
      inputs: ['south', 'north'].map((side) => field(side === 'south' ? t('South') : t('North'), h('input', { name: side, value: players[side], maxlength: 40 }))),
      to: (form) => ({ players: { south: form.get('south').trim(), north: form.get('north').trim() } }),
    };
  }
  return null;
}

function amendment(entry, fields, desk) {
  const form = h(
    'form',
    { class: 'amend' },
    h('fieldset', {}, h('legend', {}, t('What should it have been?')), h('div', { class: 'two' }, fields.inputs)),
    h('p', { class: 'error', role: 'alert' }),
    h('button', { type: 'submit', class: 'primary' }, t('Correct')),
  );
  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const answer = await desk.act({ type: 'amend', event: entry.n, to: fields.to(new FormData(form)) });
    if (answer.ok) dialog.close();
    else form.querySelector('.error').textContent = told(answer.detail);
  });
  return form;
}

const ROLES = () => ({
  viewer: t('Spectator'),
  south: t('Player South'),
  north: t('Player North'),
  scorekeeper: t('Scorekeeper'),
  director: t('Director'),
});

/** The join codes that may be handed out, with their QR codes. */
export async function joins(desk) {
  const answer = await fetch('/api/joins', { cache: 'no-store' });
  if (!answer.ok) return;
  const { joins: list } = await answer.json();
  const names = ROLES();
  const mine = document.body.dataset.role === 'director' ? Object.keys(names) : ['viewer', 'south', 'north'];
  const issue = async (name) => {
    const seat = name === 'south' || name === 'north' ? name : null;
    const body = JSON.stringify(seat ? { role: 'player', seat } : { role: name });
    await fetch('/api/joins', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    joins(desk);
  };
  show(
    t('Let others join'),
    h('p', { class: 'hint' }, t('Scan a code with the phone’s camera, or open its link.')),
    h(
      'ul',
      { class: 'joins' },
      list.map((one) =>
        h(
          'li',
          {},
          h('b', {}, names[one.seat || one.role]),
          h('img', { src: one.qr, alt: t('QR code of the join link'), width: 180, height: 180 }),
          h('code', {}, one.link),
          h('button', { type: 'button', class: 'quiet', onclick: async () => {
            await desk.act({ type: 'revoke', code: one.code });
            joins(desk);
          } }, icon('close'), t('Revoke')),
        ),
      ),
    ),
    h('fieldset', {}, h('legend', {}, t('New code for')), h('div', { class: 'choices' }, mine.map((name) =>
      h('button', { type: 'button', id: `issue-${name}`, onclick: () => issue(name) }, icon('plus'), names[name])))),
  );
}

const LANGUAGES = { de: 'Deutsch', en: 'English', fi: 'Suomi', ja: '日本語', tr: 'Türkçe' };

// How the machine is doing, for the director.
function health(lines) {
  return h('fieldset', {}, h('legend', {}, t('The machine')), h('ul', { class: 'health' }, lines.map((line) =>
    h('li', { class: line.verdict.replace(' ', '-') }, icon({ good: 'check', bad: 'flag', warn: 'flag' }[line.verdict] || 'ask'),
      h('span', {}, h('b', {}, told(line.what)), ' – ', told(line.text), line.verdict === 'good' || !line.remedy ? '' : ` ${told(line.remedy)}`)))));
}

function voice() {
  return h('div', { class: 'choices' }, [[false, t('silent')], [true, t('calls rolls and cube')]].map(([on, said]) => {
    const option = choice('sound', on ? 'on' : 'off', prefs.sound === on, said);
    option.addEventListener('change', () => prefer('sound', on));
    return option;
  }));
}

/** The menu. */
export function menu(state, desk) {
  const pick = (act) => () => {
    dialog.close();
    act();
  };
  const doors = (document.body.dataset.doors || '').split(' ');
  const keeps = ['scorekeeper', 'director'].includes(document.body.dataset.role);
  const over = state?.match?.director && document.body.dataset.role !== 'player' ? { over: true } : {};
  const running = Boolean(state?.clock?.running);
  const themes = [['auto', t('as the device')], ['light', t('light')], ['dark', t('dark')]];
  show(
    t('Menu'),
    h(
      'div',
      { class: 'menu' },
      state?.may.includes('new_match') ? h('button', { type: 'button', id: 'menu-new', onclick: pick(desk.newMatch) }, icon('plus'), t('New match')) : null,
      h('button', { type: 'button', id: 'menu-turn', onclick: pick(desk.turn) }, icon('again'), t('Turn the board round')),
      state?.may.includes('resign') ? h('button', { type: 'button', id: 'menu-resign', onclick: pick(desk.resign) }, icon('flag'), t('Resign…')) : null,
      state?.may.includes('call_director') ? h('button', { type: 'button', id: 'menu-director', onclick: pick(() => desk.act({ type: 'call_director', ...over })) }, icon('flag'), over.over ? t('The director has been') : t('Call the director')) : null,
      state?.may.includes('clock') ? h('button', { type: 'button', id: 'menu-clock', onclick: pick(() => desk.act({ type: 'clock', order: running ? 'stop' : 'start' })) }, icon('clock'), running ? t('Stop the clock') : t('Start the clock')) : null,
      state?.may.includes('set_position') ? h('button', { type: 'button', id: 'menu-position', onclick: pick(() => position(desk)) }, icon('pen'), t('Set the position')) : null,
      state?.may.includes('settings') ? h('button', { type: 'button', id: 'menu-settings', onclick: pick(() => settings(desk)) }, icon('pen'), t('Settings of this match')) : null,
      keeps && doors.includes('place') ? h('button', { type: 'button', id: 'menu-camera', onclick: pick(calibrate) }, icon('photo'), t('Camera and board')) : null,
      keeps && state?.match && doors.includes('export') ? h('button', { type: 'button', id: 'menu-export', onclick: pick(records) }, icon('enter'), t('Take the record away')) : null,
      keeps
        ? h('button', { type: 'button', id: 'menu-joins', onclick: pick(() => joins(desk)) }, icon('plus'), t('Let others join'))
        : null,
      h('a', { class: 'button', href: '/watch' }, icon('look'), t('Spectators’ page')),
    ),
    state?.health?.length ? health(state.health) : null,
    h('fieldset', {}, h('legend', {}, t('Light or dark')), h('div', { class: 'choices' }, themes.map(([name, said]) => {
      const option = choice('theme', name, prefs.theme === name, said);
      option.addEventListener('change', () => {
        prefer('theme', name);
        dress();
      });
      return option;
    }))),
    h('fieldset', {}, h('legend', {}, t('Language')), h('div', { class: 'choices' }, Object.entries(LANGUAGES).map(([code, said]) =>
      h('button', { type: 'button', lang: code, 'aria-pressed': String(document.documentElement.lang === code), onclick: () => speak(code) }, said)))),
    h('fieldset', {}, h('legend', {}, t('Voice')), canSpeak() ? voice() : h('p', { class: 'hint' }, t('This browser cannot speak.'))),
    isSafe() ? null : h('p', { class: 'hint' }, t('Over plain HTTP the browser does not keep the screen awake and cannot install the page; everything else works.')),
  );
}

export const close = () => dialog.close();
