// The menu, with this device's preferences.

import { choice, close, show } from './dialog.js';
import { open } from './forms.js';
import { isSafe, lacking } from '../lib/device.js';
import { h, icon } from '../lib/dom.js';
import { applyTheme, chooseLanguage, prefer, prefs } from '../lib/prefs.js';
import { standing } from './rights.js';
import { canSpeak } from '../table/voice.js';
import { t, translated } from '../lib/words.js';

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

const called = () => h('p', { class: 'hint' }, t('The director is called.'));

const group = (title, ...items) => items.some(Boolean) && h('fieldset', {}, h('legend', {}, title), h('div', { class: 'menu' }, items));

// The menu's entries in groups; one that this visitor cannot use is left out.
function entries(state, desk) {
  const { role, doors = '' } = document.body.dataset;
  const may = (type) => state?.may.includes(type);
  const keeps = ['scorekeeper', 'director'].includes(role);
  const has = (door) => keeps && doors.split(' ').includes(door);
  const match = state?.match;
  const running = Boolean(state?.clock?.running);
  return [
    group(t('Match'),
      may('new_match') && item('new', 'plus', t('New match'), desk.newMatch),
      may('resign') && item('resign', 'flag', t('Resign…'), desk.resign),
      may('clock') && state.phase !== 'match_over' && item('clock', 'clock', running ? t('Stop the clock') : t('Start the clock'), () => desk.act({ type: 'clock', order: running ? 'stop' : 'start' })),
      state?.clock && h('a', { class: 'button', id: 'menu-clock-face', href: '/clock' }, icon('clock'), t('Clock between the players')),
      may('set_position') && item('position', 'pen', t('Set the position'), () => open('position', 'position', state, desk)),
      may('settings') && item('settings', 'sliders', t('Settings of this match'), () => open('rules', 'settings', desk))),
    group(t('Director'),
      may('call_director') && (match?.director
        ? keeps ? item('director', 'whistle', t('The director has come'), () => open('director', 'visit', desk)) : called()
        : item('director', 'whistle', t('Call the director'), () => desk.act({ type: 'call_director' }))),
      role === 'director' && match && item('penalty', 'whistle', t('Penalty points, clock'), () => open('director', 'director', state, desk))),
    group(t('Board and camera'),
      item('turn', 'again', t('Flip the board'), desk.turn),
      has('place') && item('camera', 'photo', t('Camera and board'), () => open('camera', 'calibrate', state.camera))),
    group(t('Record'),
      match && doors.split(' ').includes('sheet') && h('a', { class: 'button', id: 'menu-sheet', href: '/sheet' }, icon('sheet'), t('Score sheet')),
      match && has('export') && item('export', 'save', t('Save the record'), () => open('records', 'records', match.formats)),
      state?.phase === 'match_over' && doors.split(' ').includes('kept') && h('a', { class: 'button', id: 'menu-summary', href: `/matches/${encodeURIComponent(match.id)}/summary` }, icon('chart'), t('Summary')),
      has('kept') && h('a', { class: 'button', id: 'menu-matches', href: '/matches' }, icon('sheet'), t('All matches')),
      has('kept') && h('a', { class: 'button', id: 'menu-players', href: '/players' }, icon('people'), t('Players')),
      match && has('analyse') && item('analysis', 'chart', t('Analysis'), () => open('analysis', 'analysis'))),
    group(t('Spectators and players'),
      keeps && item('joins', 'people', t('Invite others'), () => open('joins', 'joins', state, desk)),
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
