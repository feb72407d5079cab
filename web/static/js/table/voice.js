// The caller's voice: the roll, “cocked, roll again”, the cube. Off unless switched on; a new call interrupts the old one.

import { prefs } from '../lib/prefs.js';
import { dances, headline, offeredAs, rollText } from './say.js';
import { nameOf, other } from '../board/seats.js';
import { language, t } from '../lib/words.js';

let last = null;
let called = '';

/** Whether this browser can speak. */
export const canSpeak = () => 'speechSynthesis' in window;

/** Call the news in this state, and correct an earlier call that was wrong. */
export function call(state) {
  const text = calling(state, last);
  const before = last;
  last = state;
  // the same words are new for another throw: two cocked ones in a row
  const key = text + throwOf(state);
  if (!before || !text || key === called) return;
  called = key;
  if (!prefs.sound || !canSpeak()) return;
  const corrected = isCorrection(state, before);
  const utterance = new SpeechSynthesisUtterance(corrected ? t('Correction: {text}', { text }) : text);
  utterance.lang = language;
  window.speechSynthesis.cancel();
  window.speechSynthesis.speak(utterance);
}

/** The words of a caller at the table; empty if he would be silent. */
export function calling(state, before) {
  const who = state.on_roll ? nameOf(state, state.on_roll) : '';
  const roll = () => t('{name}: {roll}', { name: who, roll: rollText(state.roll) });
  if (state.phase === 'rolled') return roll();
  if (state.naming) return headline(state).head;
  if (state.phase === 'played' && dances(state)) return `${roll()}. ${headline(state).sub}`;
  if (state.phase === 'doubled') {
    const { value, offered } = state.cube;
    if (offered > 2 * value) return t('{name}: {roll}', { name: nameOf(state, other(state.asked)), roll: offeredAs(state.cube) });
    return t('{name} doubles to {value}', { name: who, value: offered });
  }
  if (before?.phase === 'doubled' && state.phase === 'on_roll') return t('{name} takes', { name: nameOf(state, before.asked) });
  if (state.ruling === 'cocked' || state.ruling === 'unread' || ['dispute', 'game_over', 'match_over', 'resigning'].includes(state.phase)) {
    const { head, sub } = headline(state);
    return [head, sub].filter(Boolean).join('. ');
  }
  return '';
}

const throwOf = (state) => JSON.stringify([state.throw?.picture, state.throw?.dice]);

// Another roll in the same turn, or a throw called cocked that counts after all: the first call was wrong.
function isCorrection(state, before) {
  const same = state.on_roll === before.on_roll && state.match?.game === before.match?.game;
  const rolled = (one) => ['rolled', 'played'].includes(one.phase);
  if (same && before.ruling === 'cocked' && rolled(state)) return state.throw !== null && throwOf(state) === throwOf(before);
  // a dispute, a resignation or the end of the game revokes no call
  const goesOn = state.naming || state.part !== null; // another part of the turn
  return same && !goesOn && rolled(before) && (rolled(state) ? rollText(state.roll) !== rollText(before.roll) : state.phase === 'on_roll');
}

