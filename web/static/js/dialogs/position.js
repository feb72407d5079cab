// Form to set the checkers by hand: for a match joined in the middle, a wrong start, or a lost position.

import { begun } from '../lib/begun.js';
import { Board } from '../board/board.js';
import { because, choice, field, options, problem, show, submit } from './dialog.js';
import { h, s } from '../lib/dom.js';
import { SIDES, countOf, nameOf, other } from '../board/seats.js';
import { t } from '../lib/words.js';

const BAR = 25;
const START = { 24: 2, 13: 5, 8: 3, 6: 5 };
const CUBES = [1, 2, 4, 8, 16, 32, 64];

// A form closed before it was sent, {matter, at, given}: reopened, it is restored if the table has not changed since.
let draft = begun('position', () => draft);
const matter = (state) => JSON.stringify([state.match?.id, state.match?.game, state.phase, state.on_roll, state.position.board]);

/** Both sides' checkers on points 1 to 24 and the bar, each in its own numbering; the rest is borne off. */
class Setup {
  constructor(state) {
    this.lay(state);
    this.checkers = this.sum('south') + countOf(state, 'south', 0);
  }

  /** Take the checkers from the state. */
  lay(state) {
    this.at = Object.fromEntries(SIDES.map((side) => [side, Array.from({ length: BAR + 1 }, (_, n) => (n ? countOf(state, side, n) : 0))]));
  }

  sum(side) {
    return this.at[side].reduce((all, n) => all + n, 0);
  }

  /** Add or remove a checker; a point has one owner, and a side at most the checkers that it plays with. */
  change(side, point, n) {
    const mine = this.at[side];
    if (!point || (n > 0 && this.sum(side) >= this.checkers)) return;
    if (n > 0 && point < BAR) this.at[other(side)][BAR - point] = 0;
    mine[point] = Math.max(0, mine[point] + n);
  }

  fill(points) {
    for (const side of SIDES) this.at[side] = Array.from({ length: BAR + 1 }, (_, n) => points[n] || 0);
  }

  /** The checkers in the shape of the state's board. */
  board() {
    const { south, north } = this.at;
    return {
      points: Array.from({ length: 24 }, (_, n) => south[n + 1] - north[24 - n]),
      bar: { south: south[BAR], north: north[BAR] },
      off: { south: this.checkers - this.sum('south'), north: this.checkers - this.sum('north') },
    };
  }

  /** The checkers in the shape of an action: 26 numbers, seen by the side on roll. */
  pos(side) {
    const [mine, theirs] = [this.at[side], this.at[other(side)]];
    return [-theirs[BAR], ...Array.from({ length: 24 }, (_, n) => mine[n + 1] - theirs[24 - n]), mine[BAR]];
  }
}

const keys = (board) => (event) => {
  if (event.key.startsWith('Arrow')) board.step(event.key);
  else if (event.key === 'Enter' || event.key === ' ') event.target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  else return;
  event.preventDefault();
};

/** The form: a board to tap, and the other parts of a position. */
export function position(state, desk) {
  const setup = new Setup(state);
  const about = matter(state);
  const before = draft?.matter === about ? draft : null;
  if (before) setup.at = before.at;
  const tool = { side: 'south', n: 1 };
  const drawing = s('svg', { class: 'board', role: 'group', 'aria-label': t('Board') });
  const board = new Board(drawing, (point) => {
    setup.change(tool.side, point, tool.n);
    keep();
    draw();
  }, 'set-');
  drawing.addEventListener('keydown', keys(board));
  const left = h('p', { class: 'hint', 'aria-live': 'polite' });

  function draw() {
    const shown = { ...state, on_roll: tool.side, phase: 'no_match', roll: null, making: null, may: ['play'] };
    board.show({ ...shown, position: { board: setup.board() } }, 'south', { sources: new Set() });
    left.textContent = SIDES.map((side) => t('{name}: {n} borne off', { name: nameOf(state, side), n: setup.board().off[side] })).join(' · ');
  }

  const tools = [1, -1].flatMap((n) => SIDES.map((side) => {
    const label = choice('tool', `${side} ${n}`, side === 'south' && n === 1, `${n > 0 ? '+' : '−'} ${nameOf(state, side)}`);
    label.addEventListener('change', () => {
      Object.assign(tool, { side, n });
      draw();
    });
    return label;
  }));
  const all = (id, label, lay) => h('button', { type: 'button', id, onclick: () => {
    lay();
    keep();
    draw();
  } }, label);
  const keep = () => {
    draft = { matter: about, at: setup.at, given: Object.fromEntries(new FormData(form)) };
  };
  const { match, cube } = state;
  const sides = SIDES.map((side) => [side, nameOf(state, side)]);
  const score = (side) => field(`${nameOf(state, side)}, ${t('score')}`, h('input', { name: `score-${side}`, value: match.score[side], inputmode: 'numeric', pattern: '[0-9]+', maxlength: 3, required: true }));
  const form = h(
    'form',
    { class: 'setup' },
    h('p', { class: 'hint' }, t('Tap a point to add or remove a checker.')),
    h('div', { class: 'choices' }, tools),
    drawing,
    left,
    h(
      'div',
      { class: 'row' },
      all('setup-table', t('Current position'), () => setup.lay(state)),
      all('setup-start', t('Starting position'), () => setup.fill(START)),
      all('setup-clear', t('Clear the board'), () => setup.fill({})),
    ),
    h(
      'div',
      { class: 'two' },
      field(t('On roll'), options('on_roll', sides, state.on_roll || 'south')),
      field(t('Cube value'), options('cube', [...new Set([...CUBES, cube.value])].map((n) => [n, String(n)]), cube.value)),
      field(t('Cube owner'), options('owner', [['middle', t('nobody')], ...sides], cube.owner || 'middle')),
      h('label', { class: 'tick' }, h('input', { type: 'checkbox', name: 'wrong' }), h('span', {}, t('The game was started from this wrong position'))),
      score('south'),
      score('north'),
    ),
    because(),
    problem(),
    h('div', { class: 'send' }, h('button', { type: 'submit', class: 'primary', id: 'setup-done' }, t('Set the position'))),
  );
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    const given = new FormData(form);
    const side = given.get('on_roll');
    const checkers = { type: 'set_position', pos: setup.pos(side), on_roll: side, why: given.get('why').trim() };
    const rest = {
      cube: { value: Number(given.get('cube')), owner: given.get('owner') },
      score: { south: Number(given.get('score-south')), north: Number(given.get('score-north')) },
    };
    submit(form, desk, given.get('wrong') ? { ...checkers, wrong_start: true } : { ...checkers, ...rest });
  });
  form.addEventListener('input', keep);
  for (const [name, value] of Object.entries(before?.given ?? {})) {
    const control = form.elements[name];
    if (control.type === 'checkbox') control.checked = true;
    else if (name !== 'tool') control.value = value;
  }
  draw();
  show(t('Set the position'), form, byId(desk));
}

/** A position's id under the name of its kind. */
export function named(text) {
  const id = text.trim();
  return { [/^XGID|=|^[-a-pA-P]{26}:/.test(id) ? 'xgid' : 'gnubgid']: id };
}

function byId(desk) {
  const form = h(
    'form',
    {},
    field(t('XGID or GNU Backgammon ID'), h('input', { name: 'id', maxlength: 120, required: true, autocomplete: 'off', spellcheck: 'false' })),
    because(),
    problem(),
    h('button', { type: 'submit' }, t('Set the position')),
  );
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    submit(form, desk, { type: 'set_position', ...named(form.elements.id.value), why: form.elements.why.value.trim() });
  });
  return h('details', {}, h('summary', {}, t('By ID')), h('div', {}, form));
}
