// The scorekeeper's page: draws each new state and turns taps into actions.

import { asks } from './table/asks.js';
import { begun } from './lib/begun.js';
import { Board, narrow } from './board/board.js';
import { open as openForm, opensHistory } from './dialogs/forms.js';
import { heading, showLine } from './table/heading.js';
import { openMenu } from './dialogs/menu.js';
import { Link } from './table/link.js';
import { history, plays } from './table/lists.js';
import { sources, targets } from './board/picking.js';
import { settle } from './lib/device.js';
import { applyTheme, prefer, prefs } from './lib/prefs.js';
import { announcement, byButton, headline } from './table/say.js';
import { countOf, other, pointName, withMoves } from './board/seats.js';
import { strip, tick } from './table/strips.js';
import { tour } from './table/tour.js';
import { lamps, verdict } from './table/verdict.js';
import { hush, hushPast, toast } from './lib/toast.js';
import { call } from './table/voice.js';
import { offerHolds, offerOf } from './table/waiting.js';
import { t, translated } from './lib/words.js';

const at = (id) => document.getElementById(id);
const link = new Link(Number(document.body.dataset.beatMs));
let selected = null;
let busy = null; // the pending action: the seq it was made for, and its answer's promise
const ENTERED = ['rolled', 'on_roll']; // the phases in which moves are entered
let announced = '';
let notice = -1; // number of the last notice shown; earlier ones are not shown again

const board = new Board(at('board'), tapped);

const desk = {
  correcting: '', // 'roll' while the roll is corrected, 'early' while the other side's early roll is entered
  free: null,
  recordFree: async () => {
    const moves = desk.free;
    desk.free = null;
    await act({ type: 'play', moves, made: true });
    draw();
  },
  laid: () => ({ ...link.state, position: link.received.position }),
  undoFree: () => {
    desk.free = desk.free.slice(0, -1);
    choose(null);
  },
  stopFree: () => {
    desk.free = null;
    choose(null);
  },
  offer: null,
  enterOffered: () => {
    const { body } = desk.offer;
    // a typed play, or one outside ENTERED, is complete
    if (!body.moves || !ENTERED.includes(link.state.phase)) return void act({ ...body, made: true });
    desk.free = body.moves;
    choose(null);
  },
  dropOffer: () => {
    desk.offer = null;
    choose(null);
  },
  act,
  claim: () => link.claim(),
  newMatch: () => openForm('rules', 'newMatch', link.state, desk),
  resign: () => openForm('resign', 'resign', link.state, desk),
  turn: () => {
    prefer('bottom', other(prefs.bottom));
    draw();
  },
  startCorrecting: (what = 'roll') => {
    desk.correcting = what;
    draw();
  },
  stopCorrecting: () => {
    desk.correcting = '';
    draw();
  },
  correct: async (body) => {
    desk.correcting = '';
    await act(body);
    draw();
  },
  players: null,
  mayNow: (type) => link.state.may.includes(type),
  typed: async (text) => (await act({ type: 'play', text })).ok,
};

// Restore the offer to enter a refused play, and the moves entered of it; both hold while the table is unchanged.
({ offer: desk.offer, free: desk.free } = begun('play', () => ({ offer: desk.offer, free: desk.free })) ?? desk);

/** Send an action to the table; a refusal is shown as a notice, unless a form shows it itself (`quiet`). */
async function act(body, { quiet = false } = {}) {
  const seq = link.state?.seq ?? 0;
  if (link.line === 'cut') {
    const detail = t('No connection: nothing was done. Try again once it is back.');
    if (!quiet) notify(detail);
    return { ok: false, detail };
  }
  while (busy) {
    // drop a second tap on the same state; one on a newer state waits until the first is answered
    if (busy.seq === seq) return { ok: false, detail: '' };
    await busy.answer;
  }
  hush(); // the old notice refers to the state before this action
  busy = { seq, answer: link.act({ ...body, seq }) };
  document.body.classList.add('busy');
  const answer = await busy.answer;
  busy = null;
  document.body.classList.remove('busy');
  if (!answer.ok && !answer.status) answer.detail = t('No answer. Once the connection is back, the page will show whether it was done.');
  if (!answer.ok && !quiet) notify(translated(answer, 'detail'));
  propose(offerOf(link.state, body, answer));
  return answer;
}

const notify = (text, level) => text && toast(text, link.state, level);

// A refused play may be on the board all the same: the offer to enter it stays until it is answered or outdated.
function propose(offer) {
  if (!offer) return;
  desk.offer = offer;
  draw();
  at('lies-so')?.scrollIntoView({ block: 'nearest' });
}

// The points to leave, if the tablet may show them; with aids withheld any checker may be tried and the table decides.
function helped(state) {
  return state.aids === 'shown' ? sources(state) : null;
}

// A tap on a place of the board: first choose a checker, then its target.
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
    if (point < selected) return go([...made, [selected, point]]); // the table gives the reason
    return choose(null);
  }
  if (selected === point) return choose(null);
  const free = helped(state);
  if (free ? free.has(point) : point !== 0 && countOf(state, state.on_roll, point) > 0) return choose(point);
  if (point !== 0 && countOf(state, state.on_roll, point) > 0) {
    const rule = state.making.restrictions.find((one) => one.from.includes(point));
    if (rule) notify(translated(rule, 'text'));
    else notify(state.making.complete ? t('The whole roll is played; press Done or Undo.') : t('No legal move from {point}.', { point: pointName(point) }));
  }
  return undefined;
}

// Without rules: a checker, then any target.
function tappedFreely(state, point) {
  if (selected === null) return point !== 0 && countOf(state, state.on_roll, point) > 0 ? choose(point) : undefined;
  if (selected !== point && point !== 25) desk.free = [...desk.free, [selected, point]];
  return choose(null);
}

/** The state as this page shows it, with the freely entered moves that the table does not know yet. */
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
  if (state.chouette && !desk.players) loadPlayers();
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
  verdict(at('verdict'), state, byButton);
  asks(at('asks'), state, desk);
  plays(at('plays'), state, desk);
  history(at('history'), state, opensHistory(() => link.state, desk));
  lamps(at('lamps'), state);
  heading(state);
  tour(state);
  const words = Board.describe(state);
  if (at('position').textContent !== words) at('position').textContent = words;
  document.body.dataset.phase = state.phase;
  document.body.dataset.seq = state.seq;
  tick(document.body, state, link.now());
  if (left && document.activeElement === document.body) goOn(state, left);
  dim();
}

// The script for the players of a chouette is loaded when the first one is played.
let loading = false;
async function loadPlayers() {
  if (loading) return;
  loading = true;
  const chouette = await import('./forms/chouette.js').catch(() => null);
  loading = false;
  if (!chouette) return; // tried again with the next state
  desk.players = chouette.players;
  draw();
}

// A removed button takes the focus with it; then the focus goes to the next action.
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

// While cut off, buttons look and are announced as disabled; a tap still shows the reason.
function dim() {
  const cut = link.line === 'cut' || link.line === 'gone';
  for (const each of document.querySelectorAll('#asks button, #plays button')) {
    if (cut) each.setAttribute('aria-disabled', 'true');
    else each.removeAttribute('aria-disabled');
  }
}

// A notice with the text of the big card need not cover the top line as well.
function isOnCard(one, state) {
  return translated(one, 'text') === headline(state).sub || (one.level === 'info' && ['game_over', 'match_over'].includes(state.phase));
}

function announce(state) {
  const now = announcement(state, byButton);
  if (now !== announced) at('live').textContent = now;
  announced = now;
  // Notices from before this page was opened are not shown.
  const fresh = notice < 0 ? [] : state.notices.filter((one) => one.n > notice && !isOnCard(one, state));
  if (fresh.length) notify(fresh.map((one) => translated(one, 'text')).join(' '), fresh.find((one) => one.level === 'alarm')?.level);
  notice = Math.max(notice, 0, ...state.notices.map((one) => one.n));
}

link.addEventListener('state', ({ detail: state }) => {
  if (!state.roll) desk.correcting = '';
  if (!ENTERED.includes(state.phase) || !state.making) desk.free = null;
  if (!offerHolds(desk.offer, state)) desk.offer = desk.free = null;
  if (selected !== null && !(helped(state)?.has(selected) ?? state.phase === 'rolled')) selected = null;
  draw();
  hushPast(state);
  announce(state);
  call(state);
});

showLine(link);
link.addEventListener('line', dim);
link.addEventListener('line', ({ detail: line }) => line === 'cut' && hush()); // the top line says that the connection is lost

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

narrow.addEventListener('change', draw);
at('menu').addEventListener('click', () => openMenu(link, desk));
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
applyTheme();
settle();
link.open();
if (location.hash === '#throws' && document.body.dataset.doors.split(' ').includes('throws')) {
  globalThis.history.replaceState(null, '', '/');
  openForm('throws', 'tryThrows');
}
