// The clock between the players: each half is turned to its player, and a tap on it ends his turn.

import { SIDES, nameOf, other, pointsOf } from './board/seats.js';
import { h, icon, redraw } from './lib/dom.js';
import { settle } from './lib/device.js';
import { applyTheme, prefer, prefs } from './lib/prefs.js';
import { decimal, t, translated } from './lib/words.js';
import { showLine } from './table/heading.js';
import { Link } from './table/link.js';
import { announcement, headline, rollText } from './table/say.js';
import { clockNow, isLow, nameClass, task, timeText } from './table/strips.js';

const REFUSED_MS = 6000;
const at = (id) => document.getElementById(id);
const link = new Link(Number(document.body.dataset.beatMs));
let busy = false;
let announced = '';
let refusal = null; // {side, text}: the answer to a tap that did nothing

/** The side whose time runs; while the clock stands, the one to act. */
const active = (state) => state.clock?.running ?? state.asked ?? SIDES.find((side) => state.lamps[`${side}_turn`] === 'on');

// As the player's own button does (companion/protocol/lamps_and_buttons.py), with the rights of this device.
const mayEnd = (state, side) => state.may.includes('done') && state.on_roll === side;

/** What the player needs to know besides his time, in a few words. */
function line(state, side) {
  if (state.owed) return state.on_roll === side ? t('Enter the play on the table’s page') : '';
  const { kind, head } = headline(state);
  if (!['turn', 'valid'].includes(kind) || state.phase === 'opening') return head;
  return [task(state, side), state.on_roll === side && state.roll ? rollText(state.roll) : ''].filter(Boolean).join(' ');
}

function facts(state, side, aged) {
  const { reserve_ms: reserve, delay_ms: delay } = clockNow(state.clock, side, aged);
  const runs = state.clock.running === side;
  return {
    time: timeText(reserve),
    delay: runs && delay > 0 ? t('delay {n}', { n: Math.ceil(delay / 1000) }) : '',
    low: isLow(reserve) && reserve > 0 ? t('under a minute') : '',
    flag: reserve <= 0 ? t('no time left') : '',
  };
}

/** Whether the clock stands until the director has come: neither button would do anything. */
const waitsForDirector = (state) => Boolean(state.clock && state.match.director && !state.clock.running);

const tag = (name, sign, text) => text && h('span', { class: `sign ${name}` }, icon(sign), text);

function half(region, state, side, aged) {
  const clock = state.clock && facts(state, side, aged);
  const name = nameOf(state, side);
  const said = refusal?.side === side ? refusal.text : '';
  const on = active(state) === side;
  const shown = [name, clock, line(state, side), mayEnd(state, side), on, said, state.match && pointsOf(state, side), state.match?.length, state.clock?.held, waitsForDirector(state)];
  region.classList.toggle('active', on);
  region.classList.toggle('low', Boolean(clock?.low));
  region.classList.toggle('flag', Boolean(clock?.flag));
  region.setAttribute('aria-label', name);
  redraw(region, shown, () => [
    mayEnd(state, side) ? h('button', { type: 'button', class: 'press', id: `end-${side}`, 'aria-label': t('{name}: end the turn', { name }), onclick: () => end(side) }) : null,
    h('header', {}, on ? icon('play') : null, h('h2', { class: nameClass(name) }, name), state.match ? h('b', { class: 'score', 'aria-label': t('score') }, decimal(pointsOf(state, side), 0)) : null),
    clock ? h('p', { class: 'time', role: 'timer' }, clock.time) : null,
    h('p', { class: 'marks' }, clock && [tag('delay', 'clock', clock.delay), tag('low', 'look', clock.low), tag('flag', 'flag', clock.flag)],
      state.clock?.held || waitsForDirector(state) ? tag('held', 'pause', t('clock stopped')) : null),
    h('p', { class: 'doing', role: said ? 'alert' : null }, said || [line(state, side), mayEnd(state, side) ? t('tap to end the turn') : ''].filter(Boolean).join(' · ')),
  ]);
}

function draw() {
  const { state } = link;
  if (!state) return;
  const aged = state.clock ? Math.max(0, link.now() - state.clock.at_ms) : 0;
  half(at('half-bottom'), state, prefs.bottom, aged);
  half(at('half-top'), state, other(prefs.bottom), aged);
  redraw(at('standing'), [Boolean(state.match), Boolean(state.clock)], () => [standing(state)]);
  pause(state);
}

function standing(state) {
  if (!state.match) return t('No match yet');
  if (!state.clock) return t('This match is played without a clock.');
  return ['scorekeeper', 'director'].includes(document.body.dataset.role) ? '' : t('only to look at');
}

function pause(state) {
  const label = state.clock?.held ? t('Start the clock') : t('Stop the clock');
  at('pause').hidden = !state.may.includes('clock') || state.phase === 'match_over' || waitsForDirector(state);
  redraw(at('pause'), label, () => [icon(state.clock?.held ? 'play' : 'pause'), h('span', {}, label)]);
}

async function act(body, side) {
  if (busy) return;
  busy = true;
  const answer = await link.act(body);
  busy = false;
  if (!answer.ok) refuse(side, answer.status ? translated(answer, 'detail') : t('No connection: nothing was done. Try again once it is back.'));
}

const end = (side) => act({ type: 'done', side }, side);

function refuse(side, text) {
  const mine = { side, text };
  refusal = mine;
  draw();
  setTimeout(() => {
    if (refusal === mine) refusal = null;
    draw();
  }, REFUSED_MS);
}

link.addEventListener('state', ({ detail: state }) => {
  refusal = null;
  draw();
  const now = announcement(state);
  if (now !== announced) at('live').textContent = now;
  announced = now;
});
showLine(link);
at('pause').addEventListener('click', () => act({ type: 'clock', order: link.state.clock.held ? 'start' : 'stop' }, prefs.bottom));
at('turn').addEventListener('click', () => {
  prefer('bottom', other(prefs.bottom));
  draw();
});
setInterval(draw, 250);
applyTheme();
settle();
link.open();
