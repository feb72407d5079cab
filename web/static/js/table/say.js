// The state in words: for the big line, the screen reader and the voice.

import { doubtful } from '../board/dice.js';
import { nameOf, other } from '../board/seats.js';
import { language, t, tn, translated } from '../lib/words.js';

export const WORTHS = [null, () => t('single game'), () => t('gammon'), () => t('backgammon')];

export const rollText = (roll) => `${roll[0]}-${roll[1]}`;

/** The roll to play; of a doublet that runs on the number that is left, and how often. */
const numbersText = ({ roll, part }) => (part && part.times < 4 ? `${roll[0]} × ${part.times}` : rollText(roll));

// A part of a turn that was not thrown: the next number of a doublet, what the opponent could not play of one, or a
// doublet that was named.
function partText(state, who) {
  const { thrower, named, complement } = state.part;
  if (thrower !== state.on_roll) return t('{name} plays what {other} could not', { name: who, other: nameOf(state, thrower) });
  if (complement) return t('{name} plays the complement', { name: who });
  return named ? t('{name} plays the named doublet', { name: who }) : t('{name} plays on after the doublet', { name: who });
}

/** The ruling's reasons as a sentence: why the throw does not count, or is unread. */
export function reasonText(state) {
  const reasons = translated(state, 'reason_texts').join(', ');
  return reasons ? t('{reasons}.', { reasons: reasons[0].toLocaleUpperCase(language) + reasons.slice(1) }) : translated(state, 'reason_text');
}

/** What is in doubt of which die, where it is the picture alone that is not clear; else "". */
function doubtText(state) {
  const dice = doubtful(state);
  if (!dice.length || state.reasons.some((reason) => reason !== 'doubt')) return '';
  const unread = dice.filter(({ value }) => !value);
  if (unread.length === 2) return t('The numbers of both marked dice are not clear.');
  if (unread.length === 1) return t('The number of the marked die is not clear.');
  return dice.length === 2 ? t('The marked dice may not lie flat.') : t('The marked die may not lie flat.');
}

/**
 * {kind, head, sub}: the kind colours the card, the head is readable from a metre away. `ending` says how a turn is ended
 * on this page; without it only what has happened is said.
 */
export function headline(state, ending = () => '') {
  const who = state.on_roll ? nameOf(state, state.on_roll) : '';
  const asked = state.asked ? nameOf(state, state.asked) : '';
  switch (state.phase) {
    case 'no_match':
      return { kind: 'calm', head: t('No match yet'), sub: '' };
    case 'opening':
      return opening(state);
    case 'on_roll':
      if (state.naming) return { kind: 'ask', head: t('{name} names a doublet', { name: who }), sub: t('It is played four times, before the next throw.') };
      if (state.roll) return { kind: 'valid', head: rollText(state.roll), sub: toPlay(state, who) };
      return ruled(state) || { kind: 'turn', head: t('{name} to roll', { name: who }), sub: lastPlay(state) };
    case 'rolled':
      if (state.owed) return { kind: 'look', head: rollText(state.roll), sub: t('The dice were picked up; what did {name} play?', { name: who }) };
      return { kind: 'valid', head: numbersText(state), sub: toPlay(state, who) };
    case 'played':
      return {
        kind: 'valid',
        head: numbersText(state),
        sub: [dances(state) ? t('No legal move.') : t('Played.'), ending(state)].filter(Boolean).join(' '),
      };
    case 'doubled':
      return {
        kind: 'ask',
        head: state.chouette ? t('Double') : offeredAs(state.cube),
        sub: state.chouette ? t('On each cube: take or pass?') : t('{name}: take or pass?', { name: asked }),
      };
    case 'dispute':
      return { kind: 'alarm', head: disputed(state.dispute?.kind), sub: translated(state.dispute, 'text') };
    case 'resigning':
      return resigning(state, nameOf(state, state.resigning.by), asked);
    case 'game_over':
    case 'match_over':
      return over(state);
    default:
      return { kind: 'calm', head: state.phase, sub: '' };
  }
}

function resigning({ resigning: { points, counts, worth }, cube, chouette }, name, asked) {
  if (chouette) return { kind: 'ask', head: t('{name} resigns', { name }), sub: t('{name}: accept a {worth}?', { name: asked, worth: WORTHS[worth]() }) };
  if (points === null) {
    const stake = tn('1 point', '{n} points', cube.value * (counts ?? worth));
    return { kind: 'ask', head: t('{name} resigns', { name }), sub: t('{name}: accept a {worth} ({points})?', { name: asked, worth: WORTHS[counts ?? worth](), points: stake }) };
  }
  return { kind: 'ask', head: t('{name} offers to settle', { name }), sub: tn('{name}: accept 1 point?', '{name}: accept {n} points?', points, { name: asked }) };
}

/** Points with their sign. */
export const signed = (points) => (points > 0 ? `+${points}` : String(points).replace('-', '−'));

/** The name of the offered double: turned twice it is a beaver, three times a raccoon. */
export function offeredAs({ value, offered }) {
  const again = { 4: t('Beaver'), 8: t('Raccoon') }[offered / value];
  return again ? `${again}: ${offered}` : t('Double to {value}', { value: offered });
}

/** The question of an open double while something else is open as well. */
export function doubleText(state) {
  const turns = Math.log2(state.cube.offered / state.cube.value); // a beaver asks the doubler again, a raccoon the other
  const asked = turns === 2 ? state.on_roll : other(state.on_roll);
  return `${offeredAs(state.cube)}. ${t('{name}: take or pass?', { name: nameOf(state, asked) })}`;
}

/** Whether a camera sees the dice, or recorded throws play. */
export const watched = ({ camera }) => ['live', 'recorded'].includes(camera.state);

/** How to end the turn where the page has a button for it; lifted dice are noticed only if there is a camera. */
export function byButton(state) {
  if (!state.may.includes('done')) return '';
  return watched(state) ? t('Pick up the dice or press Done.') : t('Press Done.');
}

/** The same for the page in words. */
export function byCommand(state) {
  if (!state.may.includes('done')) return '';
  return watched(state) ? t('Pick up the dice or type {command}.', { command: 'done' }) : t('Type {command}.', { command: 'done' });
}

/** The other side's last play, shown while the dice are thrown. */
function lastPlay(state) {
  const last = state.last_play;
  return last?.play && last.side !== state.on_roll ? `${nameOf(state, last.side)}: ${last.play}` : '';
}

function disputed(kind) {
  const heads = {
    illegal_play: t('Illegal play'),
    premature_roll: t('Rolled too early'),
    wrong_start: t('Wrong start'),
    impossible_position: t('Impossible position'),
  };
  return heads[kind] || t('A question');
}

const OUT_OF_TURN = ['premature', 'wrong_player'];

function ruled(state) {
  if (state.ruling === 'cocked' && state.reasons.some((reason) => OUT_OF_TURN.includes(reason))) {
    return { kind: 'again', head: t('Rolled out of turn'), sub: reasonText(state) };
  }
  if (state.ruling === 'cocked' && state.reasons.includes('by_hand')) {
    return { kind: 'again', head: t('Thrown by hand – roll again'), sub: reasonText(state) };
  }
  if (state.ruling === 'cocked') {
    return { kind: 'again', head: t('Cocked – roll again'), sub: reasonText(state) };
  }
  if (state.ruling === 'unread') {
    return { kind: 'look', head: t('What was rolled?'), sub: doubtText(state) || reasonText(state) };
  }
  return null;
}

function toPlay(state, who) {
  if (state.part) return partText(state, who);
  // the winner of the opening roll, if the rules give that choice
  return state.anew ? t('{name} plays it or rolls again', { name: who }) : t('{name} to play', { name: who });
}

function opening(state) {
  if (!state.ruling?.match(/cocked|unread/) && state.reason_text) return { kind: 'look', head: t('Opening roll'), sub: translated(state, 'reason_text') };
  const special = ruled(state);
  if (special) return special;
  if (state.opening?.again) return { kind: 'turn', head: t('Opening roll'), sub: t('Equal dice: both roll again.') };
  const waiting = ['south', 'north'].filter((side) => !state.opening?.[side]);
  const sub =
    waiting.length === 1 ? t('{name} rolls one die.', { name: nameOf(state, waiting[0]) }) : t('Each player rolls one die.');
  return { kind: 'turn', head: t('Opening roll'), sub: state.match?.crawford && state.match.length > 1 ? `${t('This is the Crawford game: no doubling.')} ${sub}` : sub };
}

function over(state) {
  const result = state.result;
  const winner = state.phase === 'match_over' ? state.match?.winner || result?.winner : result?.winner;
  const name = winner ? nameOf(state, winner) : '';
  const won = () => state.chouette.map((one) => `${one.name} ${signed(one.won)}`).join(', ');
  if (state.chouette && result && !winner) return { kind: 'won', head: t('The game is over'), sub: won() }; // some won, some lost
  const head = state.phase === 'match_over' ? t('{name} wins the match', { name }) : t('{name} wins', { name });
  if (!result) return { kind: 'won', head, sub: decided(state) };
  if (state.chouette) return { kind: 'won', head, sub: won() };
  if (!winner) return { kind: 'won', head: t('Nobody wins'), sub: result.how === 'tie' ? t('Both mothers are pinned.') : t('The game is settled for nothing.') };
  const worth = result.how !== 'settled' && WORTHS[result.worth] ? WORTHS[result.worth]() : '';
  const points = tn('1 point', '{n} points', result.points);
  const how = { mother_pinned: t('the mother is pinned'), passed: t('the double was passed') }[result.how] ?? '';
  return { kind: 'won', head, sub: [worth, points, how].filter(Boolean).join(', ') };
}

/** The event that ended a match outside a game, time running out for instance: the last one of a side. */
function decided(state) {
  const last = state.history.findLast((entry) => entry.side && !entry.undone);
  return last ? `${nameOf(state, last.side)}: ${translated(last, 'text')}` : '';
}

/** One sentence for the screen reader; empty if nothing is new. */
export function announcement(state, ending) {
  const { head, sub } = headline(state, ending);
  const who = state.on_roll ? nameOf(state, state.on_roll) : '';
  const rolled = () => t('{name} rolled {roll}.', { name: who, roll: rollText(state.roll) });
  if (['rolled', 'played'].includes(state.phase)) {
    if (state.making?.moves.length) return t('Played {play}.', { play: state.making.text }); // the moves so far, or the whole play
    if (state.part) return [head, sub].join('. ');
    if (state.phase === 'rolled') return rolled();
    return dances(state) ? `${rolled()} ${sub}` : sub; // a roll without a legal move was not announced before
  }
  return [head, sub].filter(Boolean).join('. ');
}

// No move is possible. An illegal play that stands may have no moves either, but no `making`: it is not a dance.
export function dances(state) {
  return state.making !== null && !state.making.moves.length;
}

/** Why a match cannot begin whose two players have the same name, so that nobody could tell whose turn it is; "" if they differ. */
export function sameNames(south, north) {
  const [one, two] = [south.trim() || t('South'), north.trim() || t('North')].map((name) => name.replace(/\s+/g, ' '));
  return one.toLocaleLowerCase() === two.toLocaleLowerCase() ? t('Both players are called {name}: write the names so that they can be told apart.', { name: one }) : '';
}

/** Whether nothing has happened yet in the match on the table, or nothing that people did. */
export const untouched = ({ phase, history, match }) => Boolean(match?.unclaimed) || (phase === 'opening' && history.length === 1);
