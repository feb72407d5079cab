// A match step by step, by buttons, keys, the list, or an address with #event.

import './page.js';
import { copy } from '../lib/copy.js';
import { h, redraw } from '../lib/dom.js';
import { prefs } from '../lib/prefs.js';
import { Board, compared, draw, movesIn, topOf } from './position.js';
import { narrow } from '../board/board.js';
import { signed } from '../table/say.js';
import { decimal, t, tn, translated } from '../lib/words.js';

const at = (id) => document.getElementById(id);
const board = new Board(at('board'));
const bottom = prefs.bottom;
let match = null;
let verdicts = new Map();
let now = 0;

const key = (turn) => (turn ? turn.join(' ') : '');
const nameOf = (step, side) => step.players[side] || (side === 'south' ? t('South') : t('North'));
const minutes = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor((ms % 60000) / 1000)).padStart(2, '0')}`;

function line(step) {
  const who = step.side ? `${nameOf(step, step.side)}: ` : '';
  return who + translated(step, 'text');
}

function strip(region, step, side) {
  const parts = [nameOf(step, side), step.accounts ? t('account {n}', { n: signed(step.accounts[step.players[side]]) }) : tn('1 point', '{n} points', step.score[side])];
  if (step.pips) parts.push(`${step.pips[side]} ${tn('pip', 'pips', step.pips[side])}`);
  if (step.clock) parts.push(minutes(step.clock[side]));
  if (step.cube[0] > 1 && step.cube[1] === side) parts.push(t('cube {n}', { n: step.cube[0] }));
  region.textContent = parts.join(' · ');
  region.classList.toggle('turn', step.on_roll === side);
}

// The points of every player of a chouette: "Ann +3, Bob −1, Cem −2".
const listOf = (points) => Object.entries(points).map(([name, n]) => `${name} ${signed(n)}`).join(', ');

function verdictOf(step) {
  const found = verdicts.get(key(step.turn));
  if (!found) return null;
  const parts = found.loss > 0
    ? [t('GNU Backgammon: better {play}, this cost {loss}', { play: found.best, loss: decimal(found.loss, 3) })]
    : [t('GNU Backgammon: the best play')];
  if (found.luck !== null) parts.push(t('luck {n}', { n: decimal(found.luck, 3, true) }));
  return h('p', { class: found.loss > 0 ? 'engine lost' : 'engine' }, parts.join(' · '));
}

function plays(step) {
  const found = verdicts.get(key(step.turn));
  if (step.phase !== 'rolled') return [];
  if (found && found.loss > 0) return compared(movesIn(found.played), movesIn(found.best));
  return step.moves ? [[step.moves, 'played']] : [];
}

function show(n, { write = true } = {}) {
  now = Math.max(0, Math.min(match.steps.length - 1, n));
  const step = match.steps[now];
  const shown = plays(step);
  const state = draw(board, step, match, bottom, shown);
  at('legend').hidden = shown.length < 2;
  strip(at('strip-top'), step, topOf(bottom));
  strip(at('strip-bottom'), step, bottom);
  at('where').textContent = [t('Game {game} · step {n} of {all}', { game: step.game, n: now + 1, all: match.steps.length }), translated(step, 'variant')].filter(Boolean).join(' · ');
  at('position').textContent = Board.describe(state);
  redraw(at('step'), [step.n, match.match], () => [
    h('p', { class: 'event' }, line(step)),
    step.roll && step.phase === 'rolled' ? h('p', {}, t('{name} to play {roll}', { name: nameOf(step, step.on_roll), roll: step.roll.join('-') })) : null,
    step.reason ? h('p', {}, translated(step, 'reason')) : null,
    step.dispute ? h('p', { class: 'dispute' }, t('Dispute: {text}', { text: translated(step, 'dispute') })) : null,
    step.won ? h('p', {}, t('Result of the game: {points}', { points: listOf(step.won) })) : null,
    step.accounts ? h('p', { class: 'accounts' }, t('Accounts: {points}', { points: listOf(step.accounts) })) : null,
    verdictOf(step),
  ]);
  for (const row of document.querySelectorAll('.ids')) row.hidden = !step.xgid;
  at('no-id').hidden = Boolean(step.xgid);
  at('xgid').value = step.xgid;
  at('gnubgid').value = step.gnubgid;
  at('ogid').value = step.ogid;
  at('ogid').closest('p').hidden = !step.ogid;
  at('copied').textContent = '';
  picture();
  for (const one of at('list').querySelectorAll('[aria-current]')) one.removeAttribute('aria-current');
  const entry = at('list').children[now].firstChild;
  entry.setAttribute('aria-current', 'step');
  at('list').scrollTop = entry.offsetTop - at('list').clientHeight / 2;
  if (write) history.replaceState(null, '', `#${step.n}`);
  for (const [id, off] of [['back', now === 0], ['game-back', now === 0], ['on', now === match.steps.length - 1], ['game-on', now === match.steps.length - 1]]) {
    at(id).setAttribute('aria-disabled', String(off));
  }
}

// The picture of this roll: the last one of the same game up to here, as long as its play is shown.
function picture() {
  const step = match.steps[now];
  let found = null;
  for (let n = now; n >= 0 && match.steps[n].game === step.game; n -= 1) {
    const one = match.steps[n];
    if (one.picture) found = one.picture;
    if (found || (one.phase === 'rolled' && n < now) || !['rolled', 'played', 'dispute'].includes(step.phase)) break;
  }
  const shot = at('picture');
  shot.hidden = !found;
  if (found && !shot.src.endsWith(found)) shot.src = found;
}

function game(way) {
  const { steps } = match;
  const here = steps[now].game;
  const first = steps.findIndex((step) => step.game === here);
  if (way > 0) {
    const next = steps.findIndex((step) => step.game > here);
    return show(next < 0 ? steps.length - 1 : next);
  }
  if (now > first) return show(first);
  const before = steps.findLastIndex((step) => step.game < here);
  return show(before < 0 ? 0 : steps.findIndex((step) => step.game === steps[before].game));
}

const KEYS = {
  ArrowRight: () => show(now + 1),
  ArrowLeft: () => show(now - 1),
  PageDown: () => game(1),
  PageUp: () => game(-1),
  Home: () => show(0),
  End: () => show(match.steps.length - 1),
};

function byAddress() {
  const n = Number(location.hash.slice(1));
  const found = match.steps.findLastIndex((step) => step.n <= n);
  show(n ? Math.max(0, found) : 0, { write: false });
}

// A play in the list has what it cost; what follows it in the same turn, the clock stopped for instance, has not.
function listed(step, before) {
  const repeats = before?.phase === 'played' && key(before.turn) === key(step.turn);
  const loss = step.phase === 'played' && !repeats ? verdicts.get(key(step.turn))?.loss ?? 0 : 0;
  return h('li', {}, h('a', { href: `#${step.n}`, tabindex: -1 }, line(step), loss > 0 ? h('b', { class: 'lost' }, ` −${decimal(loss, 3)}`) : null));
}

async function copyOf(id) {
  await copy(at(id).value);
  at(id).select();
  at('copied').textContent = t('Copied.');
}

async function begin() {
  const answer = await fetch(`/api/matches/${encodeURIComponent(at('replay').dataset.match)}/replay`, { cache: 'no-store' }).catch(() => null);
  const body = await answer?.json().catch(() => null);
  if (!answer?.ok || !body) {
    at('step').replaceChildren(h('p', {}, body ? translated(body, 'detail') : t('The table does not answer.')));
    return;
  }
  match = body;
  verdicts = new Map((match.verdicts ?? []).map((one) => [key(one.turn), one]));
  at('list').append(...match.steps.map((step, n) => listed(step, match.steps[n - 1])));
  byAddress();
  addEventListener('hashchange', byAddress);
  for (const [id, act] of [['back', KEYS.ArrowLeft], ['on', KEYS.ArrowRight], ['game-back', KEYS.PageUp], ['game-on', KEYS.PageDown]]) {
    at(id).addEventListener('click', act);
  }
  at('copy').addEventListener('click', () => copyOf('xgid'));
  at('copy-ogid').addEventListener('click', () => copyOf('ogid'));
  at('copy-gnubgid').addEventListener('click', () => copyOf('gnubgid'));
  narrow.addEventListener('change', () => show(now, { write: false }));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches('input, select, textarea')) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

begin();
