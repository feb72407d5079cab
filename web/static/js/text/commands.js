// The commands of the page for playing in words: what each answers, and the action that it sends (docs/TEXT.md).

import { BAR, OFF, SIDES } from '../board/seats.js';
import { t } from '../lib/words.js';
import { announcement, byCommand, sameNames, untouched } from '../table/say.js';
import { lastInWords } from '../table/tv.js';
import { board, clock, cube, dispute, halted, missing, next, pips, plays, point, score, variant, who } from './position.js';

const places = { bar: BAR, off: OFF };
const placeOf = (word) => places[word] ?? (/^\d+$/.test(word ?? '') && Number(word) >= 1 && Number(word) <= 24 ? Number(word) : null);
// Not named “say”, the word that scripts/words looks for in Python: it would hide the text inside.
const answer = (text) => ({ say: text });
const send = (body, text = '') => ({ say: text, body });

/** Both dice in `6 4`, `64` or `6-4`; null for anything else. */
function diceIn(words) {
  const found = words.join('').replace(/-/g, '').match(/^([1-6])([1-6])$/);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

function rolled(words, state) {
  const dice = diceIn(words);
  if (!dice) return answer(t('Type both dice, such as r 6 4; in the opening South’s first.'));
  if (state.may.includes('opening')) return send({ type: 'opening', ...openingOf(dice, state) });
  const counts = state.ruling === 'unread' || (['rolled', 'played'].includes(state.phase) && !state.owed);
  return send({ type: counts && state.may.includes('rule') ? 'rule' : 'roll', dice });
}

const openingOf = ([one, two], { opening }) =>
  opening?.each === 2 ? { [opening.south ? 'north' : 'south']: [one, two] } : { south: one, north: two };

function named([word = '']) {
  const number = Number(word[0]);
  return /^([1-6])(-?\1)?$/.test(word) ? send({ type: 'name', number }) : answer(t('Type the number of the doublet, such as name 6.'));
}

const WORTHS = { single: 1, gammon: 2, backgammon: 3 };

function resigned(words) {
  const side = words.find((word) => SIDES.includes(word));
  const [word = 'single'] = words.filter((one) => one !== side);
  const worth = WORTHS[word] ?? Number(word);
  if (![1, 2, 3].includes(worth)) return answer(t('Type resign single, resign gammon or resign backgammon.'));
  return send({ type: 'resign', worth, ...(side ? { side } : {}) });
}

// new 5 Anna, Ben: the names with a comma, or two words; ! at the end, or after the number, ends the match that runs.
function begun(words, state) {
  const line = words.join(' ');
  const found = line.match(/^(\d{1,2})(!?)(?:\s+([^!]*))?(!?)$/);
  if (!found) return answer(t('Type the number of points and the names, such as new 5 Anna, Ben; 0 is money play.'));
  const [, length, after, given = '', last] = found;
  const named = given.split(',').map((name) => name.trim()).filter(Boolean);
  const names = named.length === 1 ? named[0].split(/\s+/) : named;
  if (names.length && names.length !== 2) return answer(t('Name both players, with a comma between them: new 5 Anna, Ben.'));
  const equal = sameNames(...(names.length ? names : ['', '']));
  if (equal) return answer(equal);
  const runs = state.match && state.phase !== 'match_over' && !untouched(state);
  if (runs && !after && !last) return answer(t('The match is not over. To begin another one type new {n}!', { n: line }));
  const [south, north] = names;
  return send({ type: 'new_match', length: Number(length), ...(names.length ? { players: { south, north } } : {}) });
}

// The end of the director's visit, which the clock may wait for, else the clock's start.
function started(words, state, now) {
  if (state.match?.director) return { ...send({ type: 'call_director', over: true }), heard: state.clock && clock };
  if (state.clock && !state.clock.held) return answer(clock(state, now)); // it runs, or goes on with play: nothing to start
  return { ...send({ type: 'clock', order: 'start' }), heard: clock };
}

const called = (words, state) => (state.match?.director ? answer(halted(state)) : send({ type: 'call_director' }));

const turnOf = (state) => [variant(state), announcement(state, byCommand), missing(state), dispute(state)].filter(Boolean).join(' ');
const pointOf = ([word], state) => answer(placeOf(word) === null ? t('Name a point: p 8, p bar or p off.') : point(state, placeOf(word)));
const playsOf = ([word], state) => answer(plays(state, placeOf(word)));
// In a chouette the answer names the partner on whose cube it is, in any case.
const onCube = (type) => (words, state) => send({ type, ...(words.length ? { partner: playerOf(words, state) } : {}) });
function playerOf(words, { chouette }) {
  const name = words.join(' ');
  return chouette?.find((one) => one.name.toLowerCase() === name.toLowerCase())?.name ?? name;
}
const plain = (type) => () => send({ type });

// Each command: its words, what it is for, and what it does with the words after it.
const COMMANDS = [
  [['b', 'board'], () => t('the whole board, point by point'), (words, state) => answer(board(state))],
  [['p', 'point'], () => t('one point: p 8, p bar, p off, in the numbering of the side on roll'), pointOf],
  [['d', 'dice'], () => t('roll, ruling and turn'), (words, state) => answer(turnOf(state))],
  [['m', 'plays'], () => t('the legal plays; m 24: those with a checker from 24'), playsOf],
  [['u', 'cube'], () => t('the cube'), (words, state) => answer(cube(state))],
  [['s', 'score'], () => t('the score'), (words, state) => answer(score(state))],
  [['c', 'clock'], () => t('both clocks'), (words, state, now) => answer(clock(state, now))],
  [['i', 'pips'], () => t('the pip counts'), (words, state) => answer(pips(state))],
  [['l', 'last'], () => t('the last play'), (words, state) => answer(state.last_play ? lastInWords(state) : t('There is no play before this turn.'))],
  [['w', 'who'], () => t('who plays which checkers'), (words, state) => answer(who(state))],
  [['n', 'now'], () => t('what can be done now'), (words, state) => answer([halted(state), next(state)].filter(Boolean).join(' '))],
  [['h', 'help', '?'], () => t('this list'), () => answer(help())],
  [['r', 'roll'], () => t('the dice: r 6 4; in the opening South’s first; after a roll it corrects it'), rolled],
  [['8/5 6/5'], () => t('a play; with ! at its end as it was made on the board, legal or not'), null],
  [['name'], () => t('the doublet after 2-1: name 6'), named],
  [['done'], () => t('the turn is over'), plain('done')],
  [['undo'], () => t('takes back the last step'), plain('undo')],
  [['double'], () => t('offers the cube; in a chouette double Ben: on his cube alone'), (words, state) => send({ type: 'double', ...(words.length ? { partners: [playerOf(words, state)] } : {}) })],
  [['take'], () => t('accepts the cube; in a chouette take Ben: by him, or on his cube'), onCube('take')],
  [['pass', 'drop'], () => t('refuses the cube; in a chouette pass Ben: by him, or on his cube'), onCube('pass')],
  [['beaver'], () => t('takes and turns the cube'), plain('beaver')],
  [['raccoon'], () => t('answers a beaver'), plain('raccoon')],
  [['resign'], () => t('resign single, resign gammon, resign backgammon'), resigned],
  [['accept'], () => t('yes to a resignation or a question'), plain('accept')],
  [['refuse'], () => t('no to it'), plain('refuse')],
  [['condone'], () => t('an illegal play stands'), plain('condone')],
  [['correct'], () => t('an illegal play is taken back'), plain('correct')],
  [['cocked'], () => t('the throw does not count'), () => send({ type: 'rule', ruling: 'cocked' })],
  [['next'], () => t('the next game'), plain('next_game')],
  [['new'], () => t('a new match: new 5 Anna, Ben'), begun],
  [['start'], () => t('starts the clock; after a call it says that the director has come'), started],
  [['stop'], () => t('stops the clock'), () => ({ ...send({ type: 'clock', order: 'stop' }), heard: clock })],
  [['me'], () => t('this device answers for who sits at its seat now'), () => ({ claims: true })],
  [['director'], () => t('calls the director; once he has come, start lets play go on'), called],
];

const help = () => COMMANDS.map(([words, text]) => `${words[0]}: ${text()}.`).join('\n');

/**
 * The answer to a command: {say} a text, {body} an action to send, {heard} gives what is told once that is done, {claims}
 * whose the device is. `now` is the table's
 * time, ms since 1970.
 */
export function answerTo(text, state, now) {
  if (text.includes('/')) {
    const made = text.endsWith('!');
    return send({ type: 'play', text: text.replace(/!$/, '').trim(), ...(made ? { made } : {}) });
  }
  const [, first, rest] = text.match(/^(\?|\p{L}+)\s*(.*)$/u) ?? [null, text, ''];
  const found = COMMANDS.find(([words]) => words.includes(first.toLowerCase()));
  if (!found?.[2]) return answer(t('There is no command “{text}”; h lists them.', { text }));
  return found[2](rest.split(/\s+/).filter(Boolean), state, now);
}
