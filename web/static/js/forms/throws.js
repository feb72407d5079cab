// Twelve throws to try board, lamp and camera: each is confirmed by a tap, and the verdict says what to change.

import { cutout, diceRows, doubtful, inOrder } from '../board/dice.js';
import { show } from '../dialogs/dialog.js';
import { marked } from '../dialogs/throw.js';
import { h, icon, redraw } from '../lib/dom.js';
import { t, translated } from '../lib/words.js';

const REFRESH_MS = 700;
const STYLE = new URL('../../css/throws.css', import.meta.url).pathname;

/** The check; it goes on as long as its dialog is open. */
export function tryThrows() {
  if (!document.querySelector(`link[href="${STYLE}"]`)) document.head.append(h('link', { rel: 'stylesheet', href: STYLE }));
  const body = h('div', { class: 'tried' });
  const error = h('p', { class: 'error', role: 'alert' });
  show(t('Try twelve throws'), body, error);
  const dialog = body.closest('dialog');
  let now = null;
  let open = true;
  let asked = 0; // counts the requests

  const silent = t('The table does not answer; look whether this was done, then try again.');
  const running = () => ['waiting', 'asking'].includes(now?.state);

  async function ask(sent) {
    const post = sent && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(sent) };
    asked += 1;
    const mine = asked;
    const answer = await fetch('/api/throws', post || { cache: 'no-store' }).catch(() => null);
    const reply = await answer?.json().catch(() => ({}));
    if (!sent && mine !== asked) return; // a tap came in between: its answer is newer
    if (!answer) error.textContent = silent;
    else if (!answer.ok) error.textContent = translated(reply, 'detail');
    else take(reply, sent);
  }

  function take(reply, sent) {
    now = reply;
    const isNew = redraw(body, now, () => drawn(now, order));
    if (sent || isNew || error.textContent === silent) error.textContent = ''; // what was refused concerned another throw
    if (sent && isNew) dialog.scrollTop = 0;
  }

  // what people say of the last throw, or of one after it that was not seen
  const order = (what, dice) => ask({ order: what, throw: now.throws.at(-1)?.id ?? 0, ...(dice && { dice }) });

  async function look() {
    if (!open) return;
    await ask();
    setTimeout(look, REFRESH_MS);
  }

  dialog.addEventListener('close', () => {
    open = false;
    if (running()) ask({ order: 'stop' });
  }, { once: true });
  look();
}

const drawn = (now, order) => ({ off: beginning, waiting, asking, done })[now.state](now, order);

const beginning = (now, order) => [
  h('p', {}, t('Throw both dice twelve times, as you play. After each throw tap whether it was read right; in the end the page says whether board, lamp and camera are good enough, and else what to change.')),
  h('p', { class: 'hint' }, t('No throw counts in the match meanwhile.')),
  h('button', { type: 'button', id: 'throws-begin', class: 'primary', onclick: () => order('begin') }, icon('dice'), t('Begin')),
];

const SIGNS = { right: '✓' };

// How far it is: a mark for each throw.
function progress({ throws, of }) {
  const asked = throws.filter(({ outcome }) => outcome);
  return h('div', { class: 'progress' },
    h('p', { id: 'throws-progress' }, t('Throw {n} of {of}', { n: Math.min(of, asked.length + 1), of })),
    h('div', { class: 'marks', 'aria-hidden': 'true' }, Array.from({ length: of }, (none, n) => h('span', { class: `mark ${asked[n]?.outcome === 'right' ? 'right' : asked[n] ? 'failed' : ''}` }, asked[n] ? SIGNS[asked[n].outcome] || '✗' : '·'))));
}

const stopping = (order) => h('button', { type: 'button', id: 'throws-stop', class: 'quiet', onclick: () => order('stop') }, t('Stop'));

const waiting = (now, order) => [
  progress(now),
  now.trouble ? h('p', { class: 'error', role: 'alert' }, now.trouble) : null,
  h('p', { class: 'big', role: 'status' }, now.throws.length ? t('Pick up the dice and throw again.') : t('Throw both dice.')),
  h('div', { class: 'row' },
    h('button', { type: 'button', id: 'throws-missed', onclick: () => order('missed') }, t('Thrown, but nothing is shown')), stopping(order)),
];

// What was read, in a few words.
function reading({ ruling, dice, reason_text: reasons }) {
  const values = inOrder(dice).map(({ value }) => value || '?').join('-');
  if (ruling === 'valid') return [h('b', {}, values)];
  return [h('b', {}, ruling === 'cocked' ? t('cocked') : t('not read')), ' ', h('span', { class: 'hint' }, reasons)];
}

function asking(now, order) {
  const thrown = now.throws.at(-1);
  const dice = inOrder(thrown.dice);
  const pair = dice.length === 2 ? dice : [];
  const unread = thrown.ruling === 'unread';
  const values = unread ? pair.map(({ value }) => value) : [];
  return [
    progress(now),
    thrown.picture ? h('div', { class: 'sight' }, marked(thrown),
      h('div', { class: 'doubts' }, doubtful({ ruling: thrown.ruling, throw: thrown }).map((one) => cutout(thrown, one, true)))) : null,
    h('p', { class: 'big', role: 'status', id: 'throws-read' }, t('Read as:'), ' ', reading(thrown)),
    h('div', { class: 'row' },
      unread ? null : h('button', { type: 'button', id: 'throws-right', class: 'primary', onclick: () => order('right') }, icon('check'), t('Right')),
      thrown.ruling === 'cocked' ? null : h('button', { type: 'button', id: 'throws-cocked', onclick: () => order('cocked') }, icon('again'), t('It was cocked'))),
    h('p', { class: 'hint' }, unread ? t('Tap what lies there:') : thrown.ruling === 'cocked' ? t('Or, if both lie flat, tap what lies there:') : t('Or tap what lies there:')),
    diceRows(['light', 'light'], [t('First die'), t('Second die')], values, ([a, b]) => {
      if (a && b) order('dice', [a, b]);
    }, 'tried-', pair.map(({ chances }) => chances)),
    h('div', { class: 'row' }, stopping(order)),
  ];
}

// The pictures that show what is to be changed: the dice cut out large, or the whole board.
function pictures({ shows, throws: numbers }, throws) {
  return h('div', { class: 'shown' }, numbers.map((n) => throws[n - 1]).filter(({ picture }) => picture).map((thrown) => {
    const cuts = shows === 'dice' ? thrown.dice.filter(({ box }) => box).slice(0, 2).map((one) => cutout(thrown, one, true)) : [];
    return h('figure', {}, cuts.length ? cuts : marked(thrown), h('figcaption', {}, t('Throw {n}', { n: thrown.n })));
  }));
}

const change = (one, throws) => h('section', { class: 'change', 'data-what': one.what },
  h('h3', {}, one.title), h('p', {}, one.text), h('p', {}, h('b', {}, one.remedy)), pictures(one, throws));

function done({ verdict, throws }, order) {
  const { changes, good } = verdict;
  return [
    h('p', { class: `big verdict-line ${good ? 'good' : 'poor'}`, role: 'status', id: 'throws-verdict' }, icon(good ? 'check' : 'flag'), ' ', verdict.text),
    changes.length ? h('p', { class: 'hint' }, good ? t('It can be made better still:') : t('Change this, the first thing first, and try again:')) : null,
    changes.map((one) => change(one, throws)),
    h('details', {}, h('summary', {}, t('All throws')), h('ol', { class: 'all-tried' }, throws.map((thrown) => h('li', {}, SIGNS[thrown.outcome] || '✗', ' ', outcome(thrown), thrown.picture ? marked(thrown) : null)))),
    h('div', { class: 'row' }, h('button', { type: 'button', id: 'throws-again', onclick: () => order('begin') }, icon('again'), t('Try again'))),
  ];
}

function outcome(thrown) {
  const told = thrown.actual ? thrown.actual.join('-') : t('cocked');
  const words = {
    right: () => t('read right'),
    missed: () => t('not seen'),
    unread: () => t('not read; it was {told}', { told }),
    cocked: () => t('called cocked; it was {told}', { told }),
    wrong: () => t('read wrong; it was {told}', { told }),
  };
  return words[thrown.outcome]();
}
