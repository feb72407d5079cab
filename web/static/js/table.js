// The scorekeeper's page: takes the state from the line, draws it, and turns taps into actions.

import { asks } from './asks.js';
import { Board } from './board.js';
import * as dialogs from './dialogs.js';
import { heading, showLine } from './heading.js';
import { Link } from './link.js';
import { history, plays } from './lists.js';
import { sources, targets } from './picking.js';
import { dress, prefer, prefs } from './prefs.js';
import { announcement } from './say.js';
import { countOf, other, pointName } from './seats.js';
import { strip, tick } from './strips.js';
import { lamps, verdict } from './verdict.js';
import { t } from './words.js';

const at = (id) => document.getElementById(id);
const link = new Link(Number(document.body.dataset.beatMs));
let selected = null;
let busy = false;
let since = 0;
let said = '';
let notice = 0;
let toastTimer = 0;

const board = new Board(at('board'), tapped);

const desk = {
  correcting: false,
  act,
  newMatch: () => dialogs.newMatch(link.state, desk),
  resign: () => dialogs.resign(link.state, desk),
  turn: () => {
    prefer('bottom', other(prefs.bottom));
    draw();
  },
  startCorrecting: () => {
    desk.correcting = true;
    draw();
  },
  stopCorrecting: () => {
    desk.correcting = false;
    draw();
  },
  correct: async (body) => {
    desk.correcting = false;
    await act(body);
    draw();
  },
  typed: async (text) => (await act({ type: 'play', text })).ok,
};

async function act(body) {
  if (busy) return { ok: false, detail: '' };
  busy = true;
  document.body.classList.add('busy');
  const answer = await link.act(body);
  busy = false;
  document.body.classList.remove('busy');
  if (!answer.ok && answer.detail) toast(answer.detail);
  else if (answer.ok) hush();
  return answer;
}

function toast(text, level = 'warn') {
  clearTimeout(toastTimer);
  const region = at('toast');
  region.className = `toast ${level} shown`;
  region.textContent = text;
  toastTimer = setTimeout(hush, 6000);
}

function hush() {
  at('toast').className = 'toast';
}

// A tap on a place of the board: choose a checker, then where it goes.
function tapped(point) {
  const state = link.state;
  if (!state?.may.includes('play') || !state.making) return;
  const made = state.making.moves;
  if (selected !== null && selected !== point) {
    const target = targets(state, selected).get(point);
    if (target) return go([...made, ...target.moves]);
    const free = sources(state);
    if (!free) return go([...made, [selected, point]]);
    if (free.has(point)) return choose(point);
    if (point < selected) return go([...made, [selected, point]]); // the table says why not
    return choose(null);
  }
  if (selected === point) return choose(null);
  const free = sources(state);
  if (free ? free.has(point) : point !== 0 && countOf(state, state.on_roll, point) > 0) return choose(point);
  if (point !== 0 && countOf(state, state.on_roll, point) > 0) {
    toast(state.making.complete ? t('The whole roll is played; press Done or Undo.') : t('No legal move leaves {point}.', { point: pointName(point) }));
  }
  return undefined;
}

function choose(point) {
  selected = point;
  hush();
  draw();
}

async function go(moves) {
  selected = null;
  draw();
  await act({ type: 'play', moves });
}

function draw() {
  const state = link.state;
  if (!state) return;
  const bottom = prefs.bottom;
  if (!state.may.includes('play')) selected = null;
  const marks = { selected };
  if (state.may.includes('play') && state.making) {
    marks.sources = sources(state);
    marks.targets = selected === null ? null : targets(state, selected);
  }
  board.show(state, bottom, marks);
  strip(at('strip-top'), state, other(bottom));
  strip(at('strip-bottom'), state, bottom);
  verdict(at('verdict'), state);
  asks(at('asks'), state, desk);
  plays(at('plays'), state, desk);
  history(at('history'), state, (entry) => dialogs.event(link.state, entry, desk));
  lamps(at('lamps'), state);
  heading(state);
  document.body.dataset.phase = state.phase;
  tick(document.body, state, performance.now() - since);
}

function announce(state) {
  const now = announcement(state);
  if (now !== said) at('live').textContent = now;
  said = now;
  for (const one of state.notices) {
    if (one.n <= notice) continue;
    notice = one.n;
    toast(one.text, one.level);
  }
}

link.addEventListener('state', ({ detail: state }) => {
  since = performance.now();
  if (!state.roll) desk.correcting = false;
  if (selected !== null && !(sources(state)?.has(selected) ?? state.phase === 'rolled')) selected = null;
  draw();
  announce(state);
});

showLine(link);

document.addEventListener('keydown', (event) => {
  if (event.target.closest('input, select, dialog') || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key.startsWith('Arrow')) {
    board.step(event.key);
    if (event.target.classList.contains('spot')) event.preventDefault();
  } else if (event.target.classList.contains('spot') && (event.key === 'Enter' || event.key === ' ')) {
    event.preventDefault();
    event.target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  } else if (event.key === 'Escape' && selected !== null) choose(null);
});

at('menu').addEventListener('click', () => dialogs.menu(link.state, desk));
for (const tab of document.querySelectorAll('[role=tab]')) {
  tab.addEventListener('click', () => {
    for (const each of document.querySelectorAll('[role=tab]')) {
      each.setAttribute('aria-selected', String(each === tab));
      at(each.getAttribute('aria-controls')).hidden = each !== tab;
    }
  });
}
setInterval(() => tick(document.body, link.state, performance.now() - since), 250);
dress();
link.open();
