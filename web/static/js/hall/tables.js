// What wall and desk have in common: a table's line, its clock, and why it needs a person.

import { roomOf } from '../board/seats.js';
import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { showLine } from '../table/heading.js';
import { Link } from '../table/link.js';
import { nameClass, timeText } from '../table/strips.js';

export const LOW_MS = 60_000;
export const SIDES = ['north', 'south'];

// Why a table needs a person, the most urgent first.
const WHYS = [
  [({ state }) => state?.wanted.includes('director'), () => t('calls the director')],
  [({ state }) => state?.wanted.includes('dispute'), () => t('dispute')],
  [({ fault }) => fault, () => t('record does not hold')],
  [({ status }) => status !== 'online', () => t('no connection')],
  [({ state }) => state?.wanted.includes('disk'), () => t('disk not written')],
  [({ state }) => state?.wanted.includes('camera'), () => t('camera lost')],
  [({ state }, now) => isLow(state, now), () => t('clock low')],
];

/** Why a table needs a person, the most urgent first; `now` is the hub's time, ms since 1970. */
export function needs(table, now) {
  return WHYS.filter(([is]) => is(table, now)).map(([, text]) => text());
}

/** How urgently a table needs a person: 0 most. */
export function urgency(table, now) {
  const at = WHYS.findIndex(([is]) => is(table, now));
  return at < 0 ? WHYS.length : at;
}

function isLow(state, now) {
  const clock = state?.clock;
  return Boolean(clock?.running && clock.ends_ms !== null && clock.ends_ms - now < LOW_MS && !state.match?.winner);
}

/** A side's time left in ms; the delay of the running side is counted with it. */
export function left(clock, side, now) {
  return clock.running === side && clock.ends_ms !== null ? clock.ends_ms - now : clock.reserve_ms[side];
}

/** The room of a name's longest word: the wall cuts a word only where it is longer than a line. */
const longest = (name) => Math.max(...name.split(/[\s-]+/u).map(roomOf));

/** One player's row: whose turn, name, cube, clock, score. */
export function playerRow(state, side, now) {
  const { match, cube, clock } = state;
  const turn = !match.winner && (state.asked || state.on_roll) === side;
  return h(
    'div',
    { class: `player${turn ? ' turn' : ''}${match.winner === side ? ' won' : ''}` },
    h('span', { class: 'mark', role: 'img', 'aria-label': turn ? t('on roll') : '' }, turn ? '▸' : ''),
    h('b', { class: nameClass(match.players[side], longest(match.players[side])) }, match.players[side]),
    cube.owner === side ? h('span', { class: 'cube' }, String(cube.value)) : null,
    clock ? h('span', { class: 'time' }, timeText(left(clock, side, now))) : null,
    h('span', { class: 'score' }, String(match.score[side])),
  );
}

/** What is played for, and how it stands with it. */
export function matchText({ match, cube }) {
  if (!match) return t('no match');
  if (match.winner) return t('{name} has won', { name: match.players[match.winner] });
  const length = match.length ? t('to {n}', { n: match.length }) : t('money');
  const parts = [length, t('game {n}', { n: match.game })];
  if (match.crawford && match.length > 1) parts.push(t('Crawford'));
  if (cube.offered) parts.push(t('double to {n}', { n: cube.offered }));
  return parts.join(' · ');
}

/** The hall after a message that has only the tables that are new since an edition. */
function merged(hall, news) {
  if (!news.since || !hall) return news;
  const found = new Map(news.tables.map((one) => [one.table, one]));
  return { ...news, tables: hall.tables.map((one) => found.get(one.table) ?? one) };
}

/** Follow the hub, or one of its tables: `draw(hall, now)` after each change and once a second, for the clocks. */
export function follow(draw, table = '') {
  const link = new Link(Number(document.body.dataset.beatMs), table && `?table=${encodeURIComponent(table)}`);
  let hall = null;
  const again = () => {
    if (hall) {
      document.getElementById('hall').textContent = hall.hall;
      draw(hall, link.now());
    }
  };
  link.addEventListener('state', () => {
    hall = merged(hall, link.state);
    again();
  });
  showLine(link);
  setInterval(again, 1000);
  link.open();
}
