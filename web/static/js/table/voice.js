// The caller's voice: the roll, «cocked, roll again», the cube. Off unless switched on; a new call cuts the old one short.

import { prefs } from '../lib/prefs.js';
import { dances, headline, offeredAs, rollText } from './say.js';
import { nameOf, other } from '../board/seats.js';
import { language, t } from '../lib/words.js';

let last = null;
let called = '';

/** Whether this browser can speak at all. */
export const canSpeak = () => 'speechSynthesis' in window;

/** Say what is new in this state, and put right what was called wrongly before. */
export function call(state) {
  const text = calling(state, last);
  const before = last;
  last = state;
  // the same words are new when they are of another throw: two cocked ones behind each other
  const key = text + throwOf(state);
  if (!before || !text || key === called) return;
  called = key;
  if (!prefs.sound || !canSpeak()) return;
  const corrected = isCorrection(state, before);
  const said = new SpeechSynthesisUtterance(corrected ? t('Correction: {text}', { text }) : text);
  said.lang = language;
  window.speechSynthesis.cancel();
  window.speechSynthesis.speak(said);
}

/** What a caller at the table would say now; empty for what he would keep to himself. */
export function calling(state, before) {
  const who = state.on_roll ? nameOf(state, state.on_roll) : '';
  const roll = () => t('{name}: {roll}', { name: who, roll: rollText(state.roll) });
  if (state.phase === 'rolled') return roll();
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

// The same turn, and yet another roll, or the throw that was called cocked counts after all: the first call was wrong.
function isCorrection(state, before) {
  const same = state.on_roll === before.on_roll && state.match?.game === before.match?.game;
  const rolled = (one) => ['rolled', 'played'].includes(one.phase);
  if (same && before.ruling === 'cocked' && rolled(state)) return state.throw !== null && throwOf(state) === throwOf(before);
  // a dispute, a resignation or the end of the game takes no call back
  return same && rolled(before) && (rolled(state) ? rollText(state.roll) !== rollText(before.roll) : state.phase === 'on_roll');
}

