// The two players' strips: name, turn, score, cube, pips, clock.

import { h, redraw, s } from '../lib/dom.js';
import { nameOf, pointsOf, roomOf, toneOf } from '../board/seats.js';
import { decimal, t, tn } from '../lib/words.js';

/** A checker that marks a side. */
export function disc(tone) {
  return s(
    'svg',
    { class: `disc ${tone}`, viewBox: '-50 -50 100 100', role: 'img', 'aria-label': tone === 'light' ? t('light checkers') : t('dark checkers') },
    s('g', { class: `checker ${tone}` }, s('circle', { class: 'body', r: 46 }), s('circle', { class: 'ring', r: 33 }),
      tone === 'dark' ? s('path', { class: 'mark', d: 'M0 -15L15 0L0 15L-15 0Z' }) : null),
  );
}

/** What this side does now, in a word; "" if it waits. */
export function task(state, side) {
  if (state.asked) return state.asked === side && !onlyOthersAsked(state, side) ? t('answers') : '';
  if (state.phase === 'opening') return throwsLast(state, side) ? t('rolls') : '';
  if (state.on_roll !== side) return '';
  if (state.phase === 'on_roll') return state.naming ? t('names') : t('rolls');
  if (state.phase === 'rolled' || state.phase === 'played') return t('plays');
  return '';
}

// In a chouette partners may be asked while the captain, whose strip it is, has answered already.
const onlyOthersAsked = ({ chouette }, side) =>
  side === 'north' && Boolean(chouette?.some((one) => one.asked)) && !chouette.some((one) => one.role === 'captain' && one.asked);

// Both throw for the start; after one of them it is the other's turn.
function throwsLast(state, side) {
  const { south, north } = state.opening || {};
  return side === 'south' ? Boolean(north) && !south : Boolean(south) && !north;
}

function away(state, side) {
  const { length, score } = state.match;
  if (!length) return t('money');
  if (state.phase === 'match_over') return state.match.winner === side ? t('won') : '';
  const left = length - score[side];
  return left > 0 ? t('{n} away', { n: left }) : t('won');
}

/** Minutes and seconds, with hours if there are any. */
export function timeText(ms) {
  const all = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return (parts[0] ? `${parts[0]}:${String(parts[1]).padStart(2, '0')}` : String(parts[1])) + `:${String(parts[2]).padStart(2, '0')}`;
}

/** Both sides' remaining times, if the state is `aged` ms old. */
export function clockNow(clock, side, aged) {
  const bank = { ...clock[side] };
  if (clock.running === side) {
    const late = Math.max(0, aged - bank.delay_ms);
    bank.delay_ms = Math.max(0, bank.delay_ms - aged);
    bank.reserve_ms -= late;
  }
  return bank;
}

/** Whether a reserve, in ms, is shown as running short. */
export const isLow = (reserve) => reserve < 60000;

const LIT = { on: () => t('lit'), blink: () => t('blinking'), off: () => t('not lit') };

/** A lamp as a picture whose name says whether it is lit. */
export const lamp = (kind, name, look) =>
  h('span', { class: `lamp ${kind} ${look}`, role: 'img', title: name, 'aria-label': t('{lamp}: {look}', { lamp: name, look: LIT[look]() }) });

/** How long a name is, for a screen across the room or a stream, where none is cut; `word`: the room of its longest
 *  word, where lines are so short that this counts. */
export function nameClass(name, word = 0) {
  const room = roomOf(name);
  return room > 44 || word > 15 ? 'name longer' : room > 22 || word > 9 ? 'name long' : 'name';
}

/** Draw one strip. */
export function strip(region, state, side) {
  const turnLamp = state.lamps?.[`${side}_turn`] || 'off';
  const cubeLamp = state.lamps?.[`cube_${side}`] || 'off';
  const doing = task(state, side);
  const cube = state.cube.owner === side ? state.cube.value : 0;
  const pips = state.aids === 'shown' ? state.position.pips?.[side] : undefined;
  const match = state.match;
  const held = state.clock?.held;
  const shown = [side, toneOf(state, side), nameOf(state, side), turnLamp, cubeLamp, doing, cube, pips, match && pointsOf(state, side), match && away(state, side), Boolean(state.clock), held];
  region.classList.toggle('active', Boolean(doing));
  redraw(region, shown, () => [
    lamp('turn', t('turn lamp'), turnLamp),
    disc(toneOf(state, side)),
    h('span', { class: 'who' }, h('b', { class: nameClass(nameOf(state, side)) }, nameOf(state, side)), doing ? h('span', { class: 'doing' }, doing, held ? h('span', { class: 'stopped' }, ` · ${t('clock stopped')}`) : null) : null),
    cube ? h('span', { class: 'owned', title: t('owns the cube') }, String(cube)) : null,
    cubeLamp === 'off' ? null : lamp('cube', t('cube lamp'), cubeLamp),
    h(
      'span',
      { class: 'facts' },
      state.clock ? h('span', { class: held ? 'time held' : 'time', 'data-side': side, title: held ? t('clock stopped') : null }) : null,
      pips === undefined ? null : h('span', { class: 'pips' }, h('b', {}, String(pips)), ' ', tn('pip', 'pips', pips)),
      match ? h('span', { class: 'away' }, away(state, side)) : null,
    ),
    match ? h('span', { class: 'score', 'aria-label': t('score') }, decimal(pointsOf(state, side), 0)) : null,
  ]);
}

/** Advance the running clock on the page; `now` is the table's time, ms since 1970. */
export function tick(root, state, now) {
  if (!state?.clock) return;
  const aged = Math.max(0, now - state.clock.at_ms);
  for (const node of root.querySelectorAll('.time')) {
    const side = node.dataset.side;
    const { reserve_ms: reserve, delay_ms: delay } = clockNow(state.clock, side, aged);
    const extra = state.clock.running === side && delay > 0 ? ` +${Math.ceil(delay / 1000)}` : '';
    const text = timeText(reserve);
    if (node.textContent !== text + extra) node.replaceChildren(text, extra ? h('span', { class: 'delay' }, extra) : '');
    node.classList.toggle('running', state.clock.running === side);
    node.classList.toggle('low', isLow(reserve));
  }
}

