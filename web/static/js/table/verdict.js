// The card with the roll and the ruling.

import { cutout, die, doubtful, inOrder } from '../board/dice.js';
import { h, icon, redraw, unbroken } from '../lib/dom.js';
import { headline } from './say.js';
import { briefly, toneOf } from '../board/seats.js';
import { lamp } from './strips.js';
import { openThrow } from '../dialogs/throw.js';
import { t, translated } from '../lib/words.js';

const SIGNS = { valid: 'check', again: 'again', look: 'look', alarm: 'flag', ask: 'ask', won: 'cup', turn: 'dice', calm: 'dice' };

function faces(state) {
  if (state.phase === 'opening') {
    const { south, north } = state.opening || {};
    const seen = inOrder(state.throw?.dice || []);
    // as long as nobody knows whose they are, the dice are shown as they were seen
    if (!south && !north && state.ruling && seen.length === 2) return seen.map((one) => ({ value: one.value, tone: 'light', seen: one }));
    return [
      { value: south, tone: toneOf(state, 'south') },
      { value: north, tone: toneOf(state, 'north') },
    ];
  }
  const early = state.dispute?.roll; // the roll in question, not the one being played
  if (early) return early.map((value) => ({ value, tone: toneOf(state, state.dispute.by) }));
  // a play that was found illegal after the dice were lifted: they are its player's, though the other side is on roll
  const played = state.dispute?.kind === 'illegal_play' && !state.roll;
  const thrower = played ? state.dispute.by : state.on_roll;
  const tone = thrower ? toneOf(state, thrower) : 'light';
  // with a roll to be played, the throw that waits, or that did not count because it came too early, is another one
  const another = ['rolled', 'played'].includes(state.phase) && (state.waiting || state.ruling === 'cocked');
  const seen = another ? [] : state.throw?.dice || [];
  const waiting = state.phase === 'on_roll' && !state.roll;
  if (waiting && !state.ruling) return [];
  const roll = waiting ? null : played ? state.last_play?.roll : state.roll; // people may have corrected what was read
  const laid = inOrder(seen, roll);
  return (roll || laid.map((one) => one.value)).map((value, n) => ({ value, tone, seen: laid[n] }));
}

// The picture of a die; a tap there, as one elsewhere on the card, opens the whole one.
const opener = (cut) => h('button', { type: 'button', class: 'open-throw', 'aria-label': t('Picture of the throw') }, cut);

function one(state, { value, tone, seen }) {
  const inDoubt = doubtful(state).includes(seen);
  const cut = seen && state.throw ? cutout(state.throw, seen, inDoubt) : null;
  return h('div', { class: 'seen' }, die(value, tone, value ? String(value) : t('not read')), cut ? opener(cut) : null);
}

/** Whether a word is too long for the card's usual letters, such as Eröffnungswurf. */
const isLong = (text) => /\p{Script=Latin}{14}/u.test(text);

const SHOWS_DICE = ['opening', 'on_roll', 'rolled', 'played', 'dispute'];

/** Draw the card; `ending` says how a turn is ended on this page, `room` is that of a name in letters. */
export function verdict(region, state, ending, room) {
  const { kind, head, sub } = headline(briefly(state, room), ending);
  const dice = SHOWS_DICE.includes(state.phase) ? faces(state) : [];
  const cube = state.phase === 'doubled' && !state.chouette ? state.cube.offered : 0;
  const made = state.phase === 'played' ? state.making?.text : '';
  region.className = `verdict ${kind}${state.dispute?.roll ? ' early' : ''}`;
  region.onclick = dice.some((each) => each.seen) ? () => openThrow(state.throw) : null;
  const rules = ['rolled', 'played'].includes(state.phase) ? state.making?.restrictions ?? [] : [];
  const shown = [kind, head, sub, dice, state.throw?.picture, cube, made, rules];
  return redraw(region, shown, () => [
    h('div', { class: 'line' }, icon(SIGNS[kind]), h('h2', { class: isLong(head) ? 'long' : null }, head), made ? h('p', { class: 'made' }, made) : null),
    dice.length ? h('div', { class: 'throw' }, dice.map((each) => one(state, each))) : null,
    cube ? h('div', { class: 'big-cube' }, String(cube)) : null,
    sub ? h('p', { class: 'why' }, unbroken(sub)) : null,
    rules.map((rule) => h('p', { class: 'why rule' }, `${rule.from.join(', ')}: ${translated(rule, 'text')}`)),
  ]);
}

/** The three lamps of the ruling, lit as on the table. */
export function lamps(region, state) {
  const names = { valid: t('valid'), again: t('roll again'), look: t('look here') };
  redraw(region, state.lamps, () =>
    Object.entries(names).map(([name, label]) =>
      h('span', { class: `lamp-line ${state.lamps[name]}` }, lamp(name, label, state.lamps[name]), h('span', { 'aria-hidden': 'true' }, label)),
    ),
  );
}
