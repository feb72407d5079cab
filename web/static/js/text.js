// The page for playing in words: commands in one line, answers in a live region, by keyboard and screen reader alone.

import { h } from './lib/dom.js';
import { settle } from './lib/device.js';
import { stranger } from './lib/holder.js';
import { applyTheme } from './lib/prefs.js';
import { t, translated } from './lib/words.js';
import { showLine } from './table/heading.js';
import { Link } from './table/link.js';
import { announcement, byCommand } from './table/say.js';
import { call } from './table/voice.js';
import { answerTo } from './text/commands.js';
import { halted, missing, next } from './text/position.js';

const MOST_LINES = 200;
const at = (id) => document.getElementById(id);
const link = new Link(Number(document.body.dataset.beatMs));
const typed = []; // earlier commands, for the arrow keys
let earlier = 0;
let answered = Promise.resolve(); // a command waits for the answer to the one before it, which may change what it says
let played = ''; // how play stands
let announced = ''; // the same with what keeps it from going on
let changedTo = ''; // who sits at this device's seat, if it was told so
let notice = -1; // number of the last notice said; earlier ones are not said again

/** Add a line for the screen reader. */
function tell(text, kind = '') {
  if (!text) return;
  const log = at('log');
  log.append(h('p', { class: kind, 'aria-hidden': kind === 'asked' ? 'true' : null }, text)); // who typed it need not hear it
  while (log.childElementCount > MOST_LINES) log.firstElementChild.remove();
  log.scrollTop = log.scrollHeight;
}

/** Tell what is new in this state: its notices, and the announcement, which contains what is good to know. */
function follow(state) {
  const play = [announcement(state, byCommand), missing(state)].filter(Boolean).join(' ');
  const now = [play, halted(state)].filter(Boolean).join(' '); // nothing is entered without a word that the clock stands
  const isNew = play !== played;
  const fresh = notice < 0 ? [] : state.notices.filter((one) => one.n > notice);
  notice = Math.max(notice, 0, ...state.notices.map((one) => one.n));
  const texts = fresh.filter((one) => one.level !== 'info' || !isNew).map((one) => translated(one, 'text'));
  for (const text of texts) if (!now.includes(text)) tell(text);
  const name = stranger(state);
  if (name && name !== changedTo) tell(changed(name));
  changedTo = name;
  played = play;
  if (now === announced) return;
  announced = now;
  at('now').textContent = now;
  tell(now);
}

const changed = (name) => t('The seats were changed: {name} sits here now. If that is you, type me; until then this device answers for nobody.', { name });

async function run(text) {
  if (!link.state) return tell(t('No connection – trying again'), 'refused');
  tell(`> ${text}`, 'asked');
  const { say, body, heard, claims } = answerTo(text, link.state, link.now());
  const name = stranger(link.state);
  if (claims) {
    link.claim();
    return tell(next(link.state));
  }
  if (body && name && body.type !== 'call_director') return tell(changed(name), 'refused');
  tell(say);
  if (!body) return undefined;
  if (link.line === 'cut' || link.line === 'gone') return tell(t('No connection: nothing was done. Try again once it is back.'), 'refused');
  const before = announced;
  const answer = await link.act(body);
  if (answer.ok) {
    if (before === announced) tell(announced);
    if (heard) tell(heard(link.state, link.now()));
    return tell(next(link.state));
  }
  const why = answer.status ? translated(answer, 'detail') : t('No answer. Once the connection is back, the page will show whether it was done.');
  tell(why, 'refused');
  if (answer.status === 422 && body.type === 'play' && !body.made && link.state.may.includes('play')) tell(t('If it was played like this on the board, type it again with ! at its end.'));
  return undefined;
}

at('commands').addEventListener('submit', (event) => {
  event.preventDefault();
  const line = at('command');
  const text = line.value.trim();
  line.value = '';
  if (!text) return;
  typed.push(text);
  earlier = typed.length;
  answered = answered.finally(() => run(text));
});

at('command').addEventListener('keydown', (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step || !typed.length) return;
  event.preventDefault();
  earlier = Math.min(Math.max(earlier + step, 0), typed.length);
  at('command').value = typed[earlier] ?? '';
});

link.addEventListener('state', ({ detail: state }) => {
  const first = notice < 0;
  follow(state);
  if (first) tell(next(state));
  call(state);
});
showLine(link);
applyTheme();
settle();
link.open();
