// What is going on, in words: for the big line, the screen reader and the voice.

import { nameOf } from '../board/seats.js';
import { language, t, tn, told } from '../lib/words.js';

export const WORTHS = [null, () => t('single game'), () => t('gammon'), () => t('backgammon')];

export const rollText = (roll) => `${roll[0]}-${roll[1]}`;

/** Why the throw does not count, or is doubted: the reasons of the ruling as a sentence. */
export function reasonText(state) {
  const reasons = told(state, 'reason_texts').join(', ');
  return reasons ? t('{reasons}.', { reasons: reasons[0].toLocaleUpperCase(language) + reasons.slice(1) }) : told(state, 'reason_text');
}

/** {kind, head, sub}: the kind colours the card, the head is read from a metre away. */
export function headline(state) {
  const who = state.on_roll ? nameOf(state, state.on_roll) : '';
  const asked = state.asked ? nameOf(state, state.asked) : '';
  switch (state.phase) {
    case 'no_match':
      return { kind: 'calm', head: t('No match yet'), sub: '' };
    case 'opening':
      return opening(state);
    case 'on_roll':
      if (state.roll) return kept(state, who);
      return ruled(state) || { kind: 'turn', head: t('{name} to roll', { name: who }), sub: lastPlay(state) };
    case 'rolled':
      if (state.owed) return { kind: 'look', head: rollText(state.roll), sub: t('The dice are lifted; what did {name} play?', { name: who }) };
      return { kind: 'valid', head: rollText(state.roll), sub: t('{name} to play', { name: who }) };
    case 'played':
      return {
        kind: 'valid',
        head: rollText(state.roll),
        sub: ended(state),
      };
    case 'doubled':
      return {
        kind: 'ask',
        head: offeredAs(state.cube),
        sub: t('{name}: take or pass?', { name: asked }),
      };
    case 'dispute':
      return { kind: 'alarm', head: disputed(state.dispute?.kind), sub: told(state.dispute, 'text') };
    case 'resigning':
      return {
        kind: 'ask',
        head: t('{name} resigns', { name: nameOf(state, state.resigning.by) }),
        sub: t('{name}: accept a {worth}?', { name: asked, worth: WORTHS[state.resigning.counts ?? state.resigning.worth]() }),
      };
    case 'game_over':
    case 'match_over':
      return over(state);
    default:
      return { kind: 'calm', head: state.phase, sub: '' };
  }
}

/** A double that was turned once more is a beaver, and that one a raccoon. */
export function offeredAs({ value, offered }) {
  const again = { 4: t('Beaver'), 8: t('Raccoon') }[offered / value];
  return again ? `${again}: ${offered}` : t('Double to {value}', { value: offered });
}

/** How a turn is ended: dice that are lifted are noticed only where something looks. */
function ended(state) {
  const watched = ['live', 'recorded'].includes(state.camera.state);
  if (dances(state)) return watched ? t('No move is possible. Lift the dice or press Done.') : t('No move is possible. Press Done.');
  return watched ? t('Played. Lift the dice or press Done.') : t('Played. Press Done.');
}

/** What the other side played last, to be looked at while the dice are thrown. */
function lastPlay(state) {
  const last = state.last_play;
  return last?.play && last.side !== state.on_roll ? `${nameOf(state, last.side)}: ${last.play}` : '';
}

function disputed(kind) {
  const heads = {
    illegal_play: t('Illegal play'),
    premature_roll: t('Rolled too early'),
    wrong_start: t('Wrong start'),
    impossible_position: t('The board cannot be right'),
  };
  return heads[kind] || t('A question');
}

function ruled(state) {
  if (state.ruling === 'cocked') {
    return { kind: 'again', head: t('Cocked – roll again'), sub: reasonText(state) };
  }
  if (state.ruling === 'unread') {
    return { kind: 'look', head: t('What was rolled?'), sub: reasonText(state) };
  }
  return null;
}

// The winner of the opening may play its roll or throw afresh, where the rules let him choose.
function kept(state, who) {
  return { kind: 'valid', head: rollText(state.roll), sub: t('{name} plays it, or throws again', { name: who }) };
}

function opening(state) {
  if (!state.ruling?.match(/cocked|unread/) && state.reason_text) return { kind: 'look', head: t('Opening roll'), sub: told(state, 'reason_text') };
  const special = ruled(state);
  if (special) return special;
  const waiting = ['south', 'north'].filter((side) => !state.opening?.[side]);
  const sub =
    waiting.length === 1 ? t('{name} throws one die.', { name: nameOf(state, waiting[0]) }) : t('Each throws one die.');
  return { kind: 'turn', head: t('Opening roll'), sub };
}

function over(state) {
  const result = state.result;
  const winner = state.phase === 'match_over' ? state.match?.winner || result?.winner : result?.winner;
  const name = winner ? nameOf(state, winner) : '';
  const head = state.phase === 'match_over' ? t('{name} wins the match', { name }) : t('{name} wins', { name });
  if (!result) return { kind: 'won', head, sub: decided(state) };
  const worth = WORTHS[result.worth] ? WORTHS[result.worth]() : '';
  const points = tn('1 point', '{n} points', result.points);
  return { kind: 'won', head, sub: `${worth}, ${points}` };
}

/** What ended a match outside its games, no time left for instance: the last that is told of a side. */
function decided(state) {
  const last = state.history.findLast((entry) => entry.side && !entry.undone);
  return last ? `${nameOf(state, last.side)}: ${told(last, 'text')}` : '';
}

/** One sentence for the screen reader and the voice; empty when nothing new is to be said. */
export function announcement(state) {
  const { head, sub } = headline(state);
  const who = state.on_roll ? nameOf(state, state.on_roll) : '';
  const rolled = () => t('{name} rolled {roll}.', { name: who, roll: rollText(state.roll) });
  if (['rolled', 'played'].includes(state.phase)) {
    if (state.making?.moves.length) return t('Played {play}.', { play: state.making.text }); // so far, or the whole play
    if (state.phase === 'rolled') return rolled();
    return dances(state) ? `${rolled()} ${sub}` : sub; // of a roll that nothing can be played with nothing was said yet
  }
  return [head, sub].filter(Boolean).join('. ');
}

// Of an illegal play that stands perhaps only its outcome is known: there are no moves, and yet it is no dance.
export function dances(state) {
  return state.making !== null && !state.making.moves.length;
}
