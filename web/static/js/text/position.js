// The table in words, for whoever does not see it: position, points, dice, plays, cube, score, clock.

import { BAR, OFF, SIDES, countOf, isPinned, nameOf, opposite, other, pointName, pointsOf, toneOf } from '../board/seats.js';
import { open } from '../board/picking.js';
import { t, tn, translated } from '../lib/words.js';
import { offeredAs, signed } from '../table/say.js';
import { clockNow, timeText } from '../table/strips.js';

const MOST_PLAYS = 30;

/** The game that is played, where it is none of backgammon's; "" elsewhere. */
export const variant = ({ match }) => (match?.variant ? t('{game}.', { game: translated(match, 'variant') }) : '');

/** Both sides' checkers, each in its own numbering, from the bar to those borne off. */
export function board(state) {
  return [variant(state), ...SIDES.map((side) => t('{name}: {places}.', { name: nameOf(state, side), places: places(state, side) }))].filter(Boolean).join('\n');
}

function places(state, side) {
  const found = [];
  for (let point = BAR; point >= OFF; point -= 1) {
    const n = countOf(state, side, point);
    if (!n) continue;
    const where = point === OFF ? t('borne off') : pointName(point);
    found.push(isPinned(state, side, point) ? t('{where} {n}, pinned', { where, n }) : apart(state, side, point, `${where} ${n}`));
  }
  return found.join(', ');
}

// Where checkers may enter later, those on the bar that were hit, and go first, are counted apart.
function apart(state, side, point, count) {
  const { bar, not_entered: waiting } = state.position.board;
  const later = point === BAR ? Math.min(bar[side], waiting[side]) : 0;
  return later ? t('{count} ({hit} hit, {waiting} not entered)', { count, hit: bar[side] - later, waiting: later }) : count;
}

/** What is on one point, in the numbering of the side on roll (south's, if nobody is). */
export function point(state, number) {
  const side = state.on_roll ?? 'south';
  const theirs = number === BAR || number === OFF ? number : opposite(state.position.board.game, number);
  const there = [[side, number], [other(side), theirs]].filter(([one, where]) => countOf(state, one, where));
  const values = { name: nameOf(state, side), point: number === OFF ? t('borne off') : pointName(number) };
  if (!there.length) return t('{name}’s {point}: empty.', values);
  const found = there.map(([one, where]) => {
    const count = tn('{name} 1 checker', '{name} {n} checkers', countOf(state, one, where), { name: nameOf(state, one) });
    return isPinned(state, one, where) ? t('{count}, pinned', { count }) : apart(state, one, where, count);
  });
  return t('{name}’s {point}: {found}.', { ...values, found: found.join(', ') });
}

/** The legal plays, all or those that move a checker from one point. */
export function plays(state, from = null) {
  if (state.aids === 'withheld') return t('Aids are withheld: legal plays are not shown.');
  const list = open(state)?.filter((play) => from === null || play.moves.some((move) => move[0] === from));
  if (!list) return t('There is no roll to be played now.');
  if (!list.length || !list[0].moves.length) return t('No legal move.');
  const shown = list.slice(0, MOST_PLAYS).map((play) => play.text).join('; ');
  const more = list.length - MOST_PLAYS;
  return [tn('1 play: {plays}.', '{n} plays: {plays}.', list.length, { plays: shown }),
    more > 0 ? tn('1 more: name a point, such as m 24.', '{n} more: name a point, such as m 24.', more) : ''].filter(Boolean).join(' ');
}

/** The cube: its value and owner, and who may double. */
export function cube(state) {
  const { in_play: played, value, owner, offered, may_double: may } = state.cube;
  if (!played) return t('This game has no cube.');
  if (state.chouette) return state.chouette.filter((one) => one.cube).map((one) => cubeOf(state, one)).join('\n');
  if (offered) return `${offeredAs(state.cube)}.`;
  const where = owner ? t('Cube at {n}, owned by {name}.', { n: value, name: nameOf(state, owner) }) : t('Cube at {n}, in the middle.', { n: value });
  return may ? [where, t('{name} may double.', { name: nameOf(state, state.on_roll) })].join(' ') : where;
}

// The cube between a partner of a chouette and the box, or what he won or lost where he is out of the game.
function cubeOf({ chouette: [box] }, { name, cube: { value, owner }, won, asked, may_double: may }) {
  if (won !== null) return `${name}: ${signed(won)}.`;
  const holder = owner === 'box' ? box.name : name;
  const where = owner ? t('Cube at {n}, owned by {name}.', { n: value, name: holder }) : t('Cube at {n}, in the middle.', { n: value });
  return [`${name}: ${where}`, asked ? t('Its double awaits an answer.') : '', may ? t('It may be doubled now.') : ''].filter(Boolean).join(' ');
}

/** Whose answers to a double of a chouette are missing, and how one is given; "" if none is. */
export function missing({ phase, chouette, asked, may }) {
  const names = phase === 'doubled' && chouette ? chouette.filter((one) => one.asked).map((one) => one.name) : [];
  if (!names.length) return '';
  const [name] = names;
  const all = names.join(', ');
  const who = asked === 'north' ? t('Still to answer: {names}.', { names: all }) : t('Still to be answered: the cubes of {names}.', { names: all });
  return [who, may.includes('take') ? t('Type take {name} or pass {name}.', { name }) : ''].filter(Boolean).join(' ');
}

/** The score, the length of the match and its game. */
export function score(state) {
  const { match } = state;
  if (!match) return t('No match yet');
  return [
    state.chouette ? state.chouette.map((one) => `${one.name} ${signed(one.account)}`).join(', ') : SIDES.map((side) => `${nameOf(state, side)} ${pointsOf(state, side)}`).join(', '),
    match.length ? t('Match to {n}', { n: match.length }) : t('Money play'),
    t('Game {n}', { n: match.game }),
    translated(match, 'variant'),
    match.crawford && match.length > 1 ? t('Crawford') : '',
  ].filter(Boolean).join('. ');
}

/** Both clocks at the table's time `now`, ms since 1970. */
export function clock(state, now) {
  if (!state.clock) return t('This match is played without a clock.');
  const aged = Math.max(0, now - state.clock.at_ms);
  const times = SIDES.map((side) => {
    const { reserve_ms: reserve, delay_ms: delay } = clockNow(state.clock, side, aged);
    const now = state.clock.running === side && delay > 0 ? t('delay {n}', { n: Math.ceil(delay / 1000) }) : '';
    return [nameOf(state, side), timeText(reserve), now].filter(Boolean).join(' ');
  });
  const { running } = state.clock;
  const stands = () => halted(state) || t('The clock stands; it goes on by itself when play does.');
  return [`${times.join(', ')}.`, running ? t('{name}’s time runs.', { name: nameOf(state, running) }) : stands()].join(' ');
}

/** What keeps play or the clock from going on until somebody says so, and what to type then; "" if nothing does. */
export function halted({ clock: now, match, may }) {
  const stands = now && !now.running ? t('The clock stands.') : '';
  const keeps = may.includes('new_match'); // the scorekeeper or the director
  if (match?.director) return [stands, keeps ? t('The director is called; once he has come, type {command}.', { command: 'start' }) : t('The director is called.')].filter(Boolean).join(' ');
  if (!now?.held) return '';
  return [stands, keeps ? t('It was stopped by hand; to start it type {command}.', { command: 'start' }) : ''].filter(Boolean).join(' ');
}

/** The pips that both sides still need. */
export function pips(state) {
  const { pips: counts } = state.position;
  if (!counts) return state.aids === 'withheld' ? t('Aids are withheld: pips are not shown.') : t('This game has no pip count.');
  return SIDES.map((side) => [nameOf(state, side), counts[side], tn('pip', 'pips', counts[side])].join(' ')).join(', ');
}

/** Who plays which checkers, and whose turn it is. */
export function who(state) {
  const tones = { light: t('light checkers'), dark: t('dark checkers') };
  const seats = { south: t('South'), north: t('North') };
  return SIDES.map((side) => t('{seat}: {name}, {checkers}.', { seat: seats[side], name: nameOf(state, side), checkers: tones[toneOf(state, side)] })).join(' ');
}

/** The table's question with its possible answers; "" without one. */
export function dispute(state) {
  if (!state.dispute) return '';
  return [translated(state.dispute, 'text'), ...state.dispute.answers.filter(({ type }) => state.may.includes(type)).map((one) => `${one.type}: ${translated(one, 'label')}.`)].join(' ');
}

const dice = () => t('r and both dice');
const COMMANDS = [
  ['opening', dice], ['roll', dice], ['play', () => t('a play (m lists them)')], ['name', () => t('name and a number')], ['done', 'done'], ['double', 'double'], ['take', 'take'], ['pass', 'pass'], ['beaver', 'beaver'],
  ['raccoon', 'raccoon'], ['accept', 'accept'], ['refuse', 'refuse'], ['condone', 'condone'], ['correct', 'correct'], ['next_game', 'next'],
  ['undo', 'undo'], ['resign', 'resign'],
];

/** The commands that the table allows this visitor now. */
export function next(state) {
  const early = ['rolled', 'played'].includes(state.phase) && !state.owed; // a roll now would be the other side's, too early
  const found = COMMANDS.filter(([type]) => state.may.includes(type) && !(early && ['roll', 'opening'].includes(type))
    && !(type === 'play' && state.phase === 'played') && !(type === 'done' && state.phase === 'rolled' && !state.owed));
  if (!state.match || state.phase === 'match_over') found.push(...(state.may.includes('new_match') ? [['new_match', 'new']] : []));
  const words = [...new Set(found.map(([, word]) => (word instanceof Function ? word() : word)))];
  return [dispute(state), words.length ? t('Now: {commands}.', { commands: words.join(', ') }) : t('Nothing to do now but wait.')].filter(Boolean).join(' ');
}
