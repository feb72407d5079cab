// The scorekeeper's page: takes the state from the line, draws it, and turns taps into actions.

import { asks } from './table/asks.js';
import { begun } from './lib/begun.js';
import { Board } from './board/board.js';
import * as dialogs from './dialogs/dialogs.js';
import { heading, showLine } from './table/heading.js';
import { Link } from './table/link.js';
import { history, plays } from './table/lists.js';
import { sources, targets } from './board/picking.js';
import { settle } from './lib/device.js';
import { dress, prefer, prefs } from './lib/prefs.js';
import { newMatch } from './dialogs/rules.js';
import { announcement, headline } from './table/say.js';
import { countOf, other, pointName, withMoves } from './board/seats.js';
import { strip, tick } from './table/strips.js';
import { lamps, verdict } from './table/verdict.js';
import { hush, hushPast, toast } from './lib/toast.js';
import { call } from './table/voice.js';
import { offerOf, stands } from './table/waiting.js';
import { t, told } from './lib/words.js';

const at = (id) => document.getElementById(id);
const link = new Link(Number(document.body.dataset.beatMs));
let selected = null;
let busy = null; // the action under way: for which state it was made, and the answer to wait for
const ENTERED = ['rolled', 'on_roll']; // the phases in which moves are entered
let said = '';
let notice = -1; // what was said before the page was opened is not said again

const board = new Board(at('board'), tapped);

const desk = {
  correcting: false,
  free: null,
  recordFree: async () => {
    const moves = desk.free;
    desk.free = null;
    await act({ type: 'play', moves, made: true });
    draw();
  },
  laid: () => ({ ...link.state, position: link.told.position }),
  undoFree: () => {
    desk.free = desk.free.slice(0, -1);
    choose(null);
  },
  stopFree: () => {
    desk.free = null;
    choose(null);
  },
  offer: null,
  liesSo: () => {
    const { body } = desk.offer;
    // what was typed, or goes on from a play that lies there, is whole
    if (!body.moves || !ENTERED.includes(link.state.phase)) return void act({ ...body, made: true });
    desk.free = body.moves;
    choose(null);
  },
  otherwise: () => {
    desk.offer = null;
    choose(null);
  },
  act,
  newMatch: () => newMatch(link.state, desk),
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

// The offer to enter what lies there, and what of it was entered: worth something as long as the table stands so.
({ offer: desk.offer, free: desk.free } = begun('play', () => ({ offer: desk.offer, free: desk.free })) ?? desk);

/** Do something at the table; what it refuses is said aloud, unless a form says it `quiet`ly by itself. */
async function act(body, { quiet = false } = {}) {
  const seq = link.state?.seq ?? 0;
  if (link.line === 'cut') {
    const detail = t('Cut off: nothing was done. It can be done once the connection is back.');
    if (!quiet) notify(detail);
    return { ok: false, detail };
  }
  while (busy) {
    // a second tap on what the first one is still about to change is none; where the page shows the change already, it waits its turn
    if (busy.seq === seq) return { ok: false, detail: '' };
    await busy.answer;
  }
  hush(); // what stands there is about what was before; what this action brings about may say something of its own
  busy = { seq, answer: link.act({ ...body, seq }) };
  document.body.classList.add('busy');
  const answer = await busy.answer;
  busy = null;
  document.body.classList.remove('busy');
  if (!answer.ok && !answer.status) answer.detail = t('No answer came. Once the connection is back the page shows whether it was done.');
  if (!answer.ok && !quiet) notify(told(answer, 'detail'));
  propose(offerOf(link.state, body, answer));
  return answer;
}

const notify = (text, level) => text && toast(text, link.state, level);

// A refused play may lie on the board all the same: the way to enter it stays until it is taken or there is none.
function propose(offer) {
  if (!offer) return;
  desk.offer = offer;
  draw();
  at('lies-so')?.scrollIntoView({ block: 'nearest' });
}

// Where a tablet on the table may show which checkers can move; with aids withheld it takes any and lets the table say.
function helped(state) {
  return state.aids === 'shown' ? sources(state) : null;
}

// A tap on a place of the board: choose a checker, then where it goes.
function tapped(point) {
  const state = link.state;
  if (!state?.may.includes('play') || !state.making) return undefined;
  if (desk.free) return tappedFreely(shown(state), point);
  const made = state.making.moves;
  if (selected !== null && selected !== point) {
    const target = targets(state, selected).get(point);
    if (target) return go([...made, ...target.moves]);
    const free = helped(state);
    if (!free) return go([...made, [selected, point]]);
    if (free.has(point)) return choose(point);
    if (point < selected) return go([...made, [selected, point]]); // the table says why not
    return choose(null);
  }
  if (selected === point) return choose(null);
  const free = helped(state);
  if (free ? free.has(point) : point !== 0 && countOf(state, state.on_roll, point) > 0) return choose(point);
  if (point !== 0 && countOf(state, state.on_roll, point) > 0) {
    notify(state.making.complete ? t('The whole roll is played; press Done or Undo.') : t('No legal move leaves {point}.', { point: pointName(point) }));
  }
  return undefined;
}

// No rules: a checker, then wherever it lies.
function tappedFreely(state, point) {
  if (selected === null) return point !== 0 && countOf(state, state.on_roll, point) > 0 ? choose(point) : undefined;
  if (selected !== point && point !== 25) desk.free = [...desk.free, [selected, point]];
  return choose(null);
}

/** The state with the board as this page shows it: with the moves entered freely, not yet told to the table. */
function shown(state) {
  return desk.free ? withMoves({ ...desk.laid(), making: { ...state.making, moves: desk.free } }) : state;
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
  if (!link.state) return;
  const state = shown(link.state);
  const bottom = prefs.bottom;
  if (!state.may.includes('play')) selected = null;
  const marks = { selected };
  if (state.may.includes('play') && state.making && !desk.free && state.aids === 'shown') {
    marks.sources = sources(state);
    marks.targets = selected === null ? null : targets(state, selected);
  }
  const left = focused();
  board.show(state, bottom, marks);
  strip(at('strip-top'), state, other(bottom));
  strip(at('strip-bottom'), state, bottom);
  verdict(at('verdict'), state);
  asks(at('asks'), state, desk);
  plays(at('plays'), state, desk);
  history(at('history'), state, (entry) => dialogs.event(link.state, entry, desk));
  lamps(at('lamps'), state);
  heading(state);
  const words = Board.describe(state);
  if (at('position').textContent !== words) at('position').textContent = words;
  document.body.dataset.phase = state.phase;
  tick(document.body, state, link.now());
  if (left && document.activeElement === document.body) goOn(state, left);
  dim();
}

// A button that is drawn no more takes the focus with it: then it goes to what is to be done next.
function focused() {
  const now = document.activeElement;
  return ['asks', 'plays'].some((id) => at(id).contains(now)) ? { keyed: now.matches(':focus-visible') } : null;
}

function goOn(state, { keyed }) {
  const playing = state.may.includes('play') && state.making && !state.making.complete && ENTERED.includes(state.phase);
  const next = playing && !desk.correcting ? board.first(helped(state)) : pressedNext();
  next?.focus({ preventScroll: !keyed });
}

const pressedNext = () => ['button.primary:enabled', '.die-button', 'button:enabled'].map((one) => at('asks').querySelector(one)).find(Boolean);

// What cannot be done while cut off looks so and says so, and does say why when it is tapped all the same.
function dim() {
  const cut = link.line === 'cut' || link.line === 'gone';
  for (const each of document.querySelectorAll('#asks button, #plays button')) {
    if (cut) each.setAttribute('aria-disabled', 'true');
    else each.removeAttribute('aria-disabled');
  }
}

// What the card says in big letters need not lie over the names and the score as well.
function shownAnyway(one, state) {
  return told(one, 'text') === headline(state).sub || (one.level === 'info' && ['game_over', 'match_over'].includes(state.phase));
}

function announce(state) {
  const now = announcement(state);
  if (now !== said) at('live').textContent = now;
  said = now;
  // What was said before this page was opened is old news.
  const fresh = notice < 0 ? [] : state.notices.filter((one) => one.n > notice && !shownAnyway(one, state));
  if (fresh.length) notify(fresh.map((one) => told(one, 'text')).join(' '), fresh.find((one) => one.level === 'alarm')?.level);
  notice = Math.max(notice, 0, ...state.notices.map((one) => one.n));
}

link.addEventListener('state', ({ detail: state }) => {
  if (!state.roll) desk.correcting = false;
  if (!ENTERED.includes(state.phase) || !state.making) desk.free = null;
  if (!stands(desk.offer, state)) desk.offer = desk.free = null;
  if (selected !== null && !(helped(state)?.has(selected) ?? state.phase === 'rolled')) selected = null;
  draw();
  hushPast(state);
  announce(state);
  call(state);
});

showLine(link);
link.addEventListener('line', dim);

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
const tabs = [...document.querySelectorAll('[role=tab]')];

function open(tab) {
  for (const each of tabs) {
    each.setAttribute('aria-selected', String(each === tab));
    at(each.getAttribute('aria-controls')).hidden = each !== tab;
  }
}

for (const tab of tabs) tab.addEventListener('click', () => open(tab));
open(at(begun('tab', () => tabs.find((tab) => tab.getAttribute('aria-selected') === 'true').id)) ?? tabs[0]);
at('skip').addEventListener('click', (event) => {
  event.preventDefault();
  board.first(null).focus();
});
setInterval(() => tick(document.body, link.state, link.now()), 250);
dress();
settle();
link.open();
